//===- PlacementThreadPairs.h - hazards by trying every thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an access touches as a function of nothing but the thread's ids can be
/// calculated for each thread of the workgroup, whatever the arithmetic. That
/// proves what affine constraints cannot say (`t xor 116`).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_PLACEMENTTHREADPAIRS_H
#define MEMSPACE_LIB_BARRIERS_PLACEMENTTHREADPAIRS_H

#include "MemSpace/Hazards/HazardAnalysis.h"

namespace mlir {
namespace memspace {

class PlacementThreadPairs {
public:
  explicit PlacementThreadPairs(const KernelContext &context)
      : context(context) {}

  /// Takes from `hazard` between `a` and `b` what no two threads do, in
  /// whatever workgroup and iterations they are. Leaves it as it is where the
  /// accesses depend on more than the ids, or after kMaxPairs pairs.
  void refine(Hazard &hazard, const MemoryAccess &a, const MemoryAccess &b);

private:
  static constexpr unsigned kMaxPairs = 4096;
  static constexpr int64_t kMaxThreads = 1024;
  static constexpr size_t kMaxElements = 64;

  /// An element or byte, one index for each dimension, and who touches it.
  using Touch = std::pair<SmallVector<int64_t, 2>, int64_t>;
  std::optional<std::vector<Touch>>
  enumerate(ArrayRef<IndexRange> ranges) const;

  KernelContext context;
  unsigned numPairs = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_PLACEMENTTHREADPAIRS_H
