//===- AccessPairs.h - what two accesses are compared by -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_HAZARDS_ACCESSPAIRS_H
#define MEMSPACE_LIB_HAZARDS_ACCESSPAIRS_H

#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

namespace mlir {
namespace memspace {

class BlockCircles;

/// The places of two accesses by which they can be compared.
struct ComparablePlaces {
  /// Without ranges where they cannot be compared.
  ElementAccess first, second;
  /// Bytes of one root, not elements of one memref.
  bool areBytes = false;
};
ComparablePlaces getComparable(const MemoryAccess &a, const MemoryAccess &b);

/// True when both accesses carry the promise `name` of one forall and are
/// executed in one instance of it: the loops that start anew belong to the
/// forall (docs/rationale.md). Of blocks nothing says so: none that is around
/// one of the two alone may be executed again.
bool isPromised(const MemoryAccess &a, const MemoryAccess &b, StringRef name,
                Operation *carryingLoop, BlockCircles &circles);

/// True when both are different buffers among those that one loop carries and
/// only exchanges, all distinct, in one iteration of it or, if `timing` says
/// so, in one and the next.
bool areSwappedBuffers(const MemoryAccess &a, const MemoryAccess &b,
                       Operation *carryingLoop, const IterationTiming &timing,
                       BlockCircles &circles, const KernelContext &context);

/// True for two atomic accesses of elements of one size in one buffer, which
/// are no race: two buffers that lie over each other, or that the iterations of
/// `carryingLoop` each allocate, need an order all the same.
bool areAtomic(const MemoryAccess &a, const MemoryAccess &b,
               const TargetInfo &target, Operation *carryingLoop);

/// The innermost block that both executions have come through in one iteration
/// of everything around it: the one around both ops, or, given `dominance`, the
/// last on all ways to their two blocks. Null: only the kernel.
Block *getCommonBlock(Operation *a, Operation *b,
                      const DominanceInfo *dominance = nullptr);

/// The outermost `scf.forall` over threads or subgroups that is around both
/// ops and, if there is one, around `carryingLoop`: its threads are in
/// iterations of their own. Null: none.
scf::ForallOp getCommonForall(Operation *a, Operation *b,
                              Operation *carryingLoop);

/// True where two threads that are related as `pair` says are in two iterations
/// of a forall around both ops, which promises them apart: the lanes of a
/// subgroup share one of a forall over subgroups, and subgroups share those of
/// one over lanes.
bool arePromisedApart(Operation *a, Operation *b, Operation *carryingLoop,
                      ExecutionPair pair);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_HAZARDS_ACCESSPAIRS_H
