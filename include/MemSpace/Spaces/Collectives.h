//===- Collectives.h - what threads contribute to one tensor -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SPMD tensors (design section 13): between `memspace.begin_collective` and
/// `memspace.end_collective` a tensor is the thread's view of one that all
/// threads of a scope share. These queries follow tensors from one op to the
/// next by what may be in one buffer.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_COLLECTIVES_H
#define MEMSPACE_SPACES_COLLECTIVES_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
namespace memspace {

class MemorySpaceAnalysis;

/// The innermost forall around `op`, if it is thread- or lane-mapped; else
/// null.
scf::ForallOp getThreadForall(Operation *op);

/// Where a tensor comes from, into which a thread has inserted elements.
struct ContributionSource {
  /// The tensor that was there first; null when there are several.
  Value root;
  /// The operands on the way that are `root`.
  SmallVector<OpOperand *> uses;
};

/// The tensor that `op` inserts elements into: of `tensor.insert_slice`,
/// `tensor.insert`, `vector.transfer_write`, and, in a forall over threads, of
/// an op of linalg that does not read the old elements of its only init, which
/// is no new tensor; null for other ops.
OpOperand *getInsertionDest(Operation *op);

/// Follows `use`, a tensor with inserted elements, back through
/// `tensor.insert_slice`, `tensor.insert`, `vector.transfer_write`, `scf.for`
/// and `scf.if`. What a loop around the owner of `use` carries is a source.
ContributionSource findContributionSource(OpOperand &use);

/// All values that may be in the buffer of one of `from` by what is done with
/// it. `follow` says of each use whether to go on behind it.
DenseSet<Value> followBuffers(ValueRange from,
                              const bufferization::AnalysisState &state,
                              function_ref<bool(OpOperand &)> follow);

/// Checks `kernel`, of which `analysis` knows the buffers and in which every
/// copy is explicit: each contribution is in place of its init, in workgroup
/// memory, and a thread writes what threads share only as a contribution. Emits
/// what prevents it.
LogicalResult verifyCollectives(FunctionOpInterface kernel,
                                const MemorySpaceAnalysis &analysis);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_COLLECTIVES_H
