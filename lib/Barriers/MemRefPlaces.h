//===- MemRefPlaces.h - where a memref is in a state ------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Placement's answer to where the elements of a memref are, the same in all
/// threads, in a state: through views, and through what is carried, chosen or
/// exchanged.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_MEMREFPLACES_H
#define MEMSPACE_LIB_BARRIERS_MEMREFPLACES_H

#include "ControlStates.h"

namespace mlir {
namespace memspace {

class MemRefPlaces {
public:
  /// `states` must live as long as this.
  MemRefPlaces(const KernelContext &context, ControlStates &states)
      : context(context), states(states) {}

  struct Place {
    const void *root = nullptr;
    /// Bytes from the root to where its elements are counted from, but for
    /// `shift`.
    int64_t base = 0;
    /// Bytes more, a number that each thread may have of its own; null for
    /// none.
    Value shift;
    /// In elements.
    int64_t offset = 0;
    SmallVector<int64_t> strides;
    int64_t elementBytes = 0;
  };
  /// None where it is not known, or, but for `shift`, not the same in all
  /// threads.
  std::optional<Place> resolve(Value memref, unsigned state,
                               unsigned depth = 0);

private:
  std::optional<Place> resolveRoot(Value memref);

  KernelContext context;
  ControlStates &states;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_MEMREFPLACES_H
