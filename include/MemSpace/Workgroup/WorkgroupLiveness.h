//===- WorkgroupLiveness.h - when a buffer holds a value -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Live ranges of workgroup buffers in SPMD memref code, ours or anybody's, as
/// sets of half-open intervals of points of the program. A forward dataflow
/// tells where a buffer may have been written, a backward one where it may
/// still be read; it is live where both hold.
///
/// The points are such that a workgroup barrier can stand between any two of
/// them: an op that not all threads of the workgroup enter together is one
/// point with all that it contains. So two buffers without a common point can
/// share bytes.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_WORKGROUP_WORKGROUPLIVENESS_H
#define MEMSPACE_WORKGROUP_WORKGROUPLIVENESS_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Packing/Problem.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
namespace memspace {

class WorkgroupLiveness {
public:
  /// `buffers`: allocations, views of an arena, attributions, or the first
  /// `memref.get_global` of a global in the kernel.
  ///
  /// A store that nobody reads starts no live range, provided that it can be
  /// erased: whoever puts another buffer in its place must erase
  /// getDeadStores() first.
  WorkgroupLiveness(const KernelContext &context, ArrayRef<Value> buffers);

  /// Where `buffer` may hold a value that is still needed, or is accessed.
  /// Empty when no access matters; the whole kernel when its uses cannot be
  /// followed. Errs towards longer ranges, except that elements which nothing
  /// has written are taken to be undefined.
  const packing::LiveRange &getRange(Value buffer) const;

  /// True when one iteration's `buffer`, which is made in a loop, may be needed
  /// while that of another iteration is in use, so that no one place can hold
  /// both; also when its uses cannot be followed.
  bool needsSeveralPlaces(Value buffer) const {
    return inSeveralPlaces.contains(buffer);
  }

  /// Buffers of which, by turns, a loop carries one at a time: they may have
  /// one place, although their ranges, which are the same, overlap. In the
  /// order of the buffers; none is in two.
  ArrayRef<SmallVector<Value>> getSuccessions() const { return successions; }

  /// Ops that do nothing but write to buffers where nobody reads it.
  ArrayRef<Operation *> getDeadStores() const { return deadStores; }

  /// One more than the last point.
  int64_t getNumPoints() const { return ops.size(); }
  /// The op at a point. Control flow that all threads enter together is the op
  /// of a point before, of one at the beginning of each region and of one
  /// after what it contains.
  Operation *getOp(int64_t point) const { return ops[point]; }

private:
  DenseMap<Value, packing::LiveRange> ranges;
  SmallVector<Operation *> deadStores;
  SmallVector<SmallVector<Value>> successions;
  DenseSet<Value> inSeveralPlaces;
  std::vector<Operation *> ops;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_WORKGROUP_WORKGROUPLIVENESS_H
