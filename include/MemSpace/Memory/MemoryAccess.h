//===- MemoryAccess.h - which memory an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The accesses of memref code to memory that threads share, each traced
/// through views, selects, branches and loop-carried values to the allocations
/// and arguments that it may touch, with the bytes as far as they are known.
/// What cannot be traced may be anything.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_MEMORYACCESS_H
#define MEMSPACE_MEMORY_MEMORYACCESS_H

#include "MemSpace/Memory/MemoryBases.h"
#include <vector>

namespace mlir {
namespace memspace {

/// One access of an op to memory that is not private.
struct MemoryAccess {
  Operation *op = nullptr;
  /// Null for an op whose effects are not known.
  Value memref;
  bool reads = false;
  bool writes = false;
  bool atomic = false;
  /// It completes when its wait does.
  bool asynchronous = false;
  /// The lanes of a subgroup execute it together: each of them may touch what
  /// any of them addresses.
  bool collective = false;
  /// The memref that `memref` is a slice of, whose indices `elements` gives.
  Value view;
  std::optional<SmallVector<IndexRange>> elements;
  SmallVector<MemoryBase, 2> bases;
  /// The touched bytes from the start of the only root.
  std::optional<IndexRange> byteRange;
  /// A thread that executes the op touches all of `byteRange` (or `elements`),
  /// not only some of it.
  bool exact = false;
  /// `byteRange`, if known, says more than `elements`.
  bool followsMemory = false;

  /// True when it may touch any memory (of its memory space).
  bool isUnknown() const;
};

/// True for ops whose regions are control flow, not the payload of the op.
bool isControlFlow(Operation *op);

/// True for such an op of which neither is known how its regions are run nor
/// that it accesses nothing but what is accessed in them.
bool isUnknownControlFlow(Operation *op);

/// Adds the accesses of `op`, which is not control flow, and of its payload.
void collectAccesses(Operation *op, const KernelContext &context,
                     std::vector<MemoryAccess> &accesses);

/// The accesses of all ops of `kernel`, in program order.
std::vector<MemoryAccess> collectKernelAccesses(const KernelContext &context);

/// True when `a` and `b` may touch a common byte of memory as far as their
/// bases tell.
bool mayShareMemory(const MemoryAccess &a, const MemoryAccess &b);

/// The bytes that `access` touches from the start of the root of `base`, if
/// that is the one of its bases that it accesses. None when they are not known.
std::optional<IndexRange> getBytesOfBase(const MemoryAccess &access,
                                         const MemoryBase &base,
                                         const TargetInfo &target);

/// True when different indices of `view`, a ranked memref, are different
/// places. A cast may give it any strides, for example those of overlapping
/// windows; of strides that are not known it is so unless a cast has made them
/// up.
bool hasDistinctElements(Value view);

/// True when the elements of `a` and `b` can be compared: whenever the two
/// touch one memory, equal indices mean equal places.
bool haveComparableElements(const MemoryAccess &a, const MemoryAccess &b);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_MEMORYACCESS_H
