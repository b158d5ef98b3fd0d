//===- Normalization.h - steps of memspace-normalize-kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of `memspace-normalize-kernels`, one file each. All of them keep
/// the value semantics of the tensor program.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_NORMALIZATION_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_NORMALIZATION_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Spaces/OneShotAnalyses.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// Brings `context`'s kernel into the form that can be bufferized in place: all
/// that `memspace-normalize-kernels` does. Records the launch shape and the
/// memory spaces on it where they came from outside of the IR.
LogicalResult normalizeKernel(const KernelContext &context,
                              OneShotAnalyses &analyses);

/// Decomposes ops that stand for several simpler ones, by upstream's means:
/// `linalg.softmax`, `pack`, `unpack`, `winograd_*` and whatever has
/// `AggregatedOpInterface`; by its own what has `StructuredOpInterface`.
/// Failure with a diagnostic at one that does not decompose.
LogicalResult decomposeOps(FunctionOpInterface kernel);

/// Replaces ops with a loop that has no iteration by what they start with:
/// upstream cannot tile them.
void dropIdleOps(FunctionOpInterface function);

/// Gives slices of one element a step of one, and slices with another step all
/// dimensions, some of which a second slice drops: upstream's views are
/// undefined where a step meets a dimension that is dropped.
void normalizeSteps(FunctionOpInterface function);

/// Extent `dim` of `tensor`, by what it was made with: of the results of
/// foralls and of ops in destination style nobody knows a bound. Null where it
/// is the extent of another tensor.
Value getGivenExtent(OpBuilder &b, Value tensor, int64_t dim);

/// Turns `tensor.empty` into `bufferization.alloc_tensor`, of which no two are
/// one value, and erases allocations and slices without a use. True when
/// anything was changed.
bool makeAllocationsExplicit(FunctionOpInterface kernel);

/// Writes on the kernel what it does not say of its launch, and an option does,
/// for the passes and analyses after.
void recordLaunchShape(const KernelContext &context);

/// Common subexpression elimination. Run it when allocations are explicit: two
/// equal `tensor.empty`s are two buffers. True when anything was changed.
bool mergeEqualValues(FunctionOpInterface kernel);

/// Puts `tensor.pad`, `generate`, `from_elements` and `concat` into destination
/// style, turns `alloc_tensor`s that say nothing into `tensor.empty`s, and
/// makes the copy of an init explicit that its op overwrites only in part
/// without reading it (One-Shot takes that for wholly overwritten).
LogicalResult normalizeDestinationStyle(
    FunctionOpInterface kernel,
    const bufferization::OneShotBufferizationOptions &oneShot);

/// Gives the op a tensor of its own for an init that shares its buffer with the
/// result, though the model of the op denies it: One-Shot could not know who
/// else has it. True when any op got one.
bool separateDeniedInits(
    FunctionOpInterface kernel,
    const bufferization::OneShotBufferizationOptions &oneShot);

/// Lets the branches of an `scf.if` or `scf.index_switch` that yield what each
/// has filled a tensor of its own with fill one tensor, made before: only one
/// of them is executed. Not in loops. True when anything was changed.
bool shareTilesOfBranches(RewriterBase &rewriter, FunctionOpInterface kernel);

/// A tensor of its own with the elements of `value`, where it has any.
Value copyTensor(RewriterBase &rewriter, Location loc, Value value);

/// Lets a forall iteration that reads elements other than its own of a shared
/// output read the value from before the forall, of which One-Shot then takes
/// a copy; its own it reads by the output.
LogicalResult separateReadsOfOthersSlices(const KernelContext &context);

/// True when `use` takes the slice, or the element, which an iteration of a
/// forall inserts into `out`, its shared output.
bool isOwnSlice(OpOperand &use, BlockArgument out);

/// Lets iterations read what they update by the name of the shared output, not
/// by that which it had before `forall`: One-Shot would take a copy for it. An
/// iteration finds there what it has not changed itself.
void readOwnSlicesByOutputs(scf::ForallOp forall);

/// True when the iterations of a forall only scatter into `use`, its
/// destination, perhaps by foralls of their own: each takes its own updates to
/// what is there.
bool isScatteredInto(OpOperand &use);

/// Copies a slice of a shared output that is not inserted back where it came
/// from, but updated or inserted elsewhere: the insertions of an iteration
/// happen at once, but are bufferized one after the other.
LogicalResult separateParallelInserts(
    FunctionOpInterface kernel,
    const bufferization::OneShotBufferizationOptions &oneShot);

/// Erases stores of a tensor to the memory that it is, which keeps its contents
/// and is read-only from then on. Canonicalization leaves such stores behind a
/// forall that does not change one of its shared outputs.
void dropSelfStores(FunctionOpInterface kernel);

/// Gives what updates a tensor of memory that another tensor is stored to, and
/// of which nothing is read, a tensor of its own: what is in that memory in the
/// meantime would be lost.
void freeOverwrittenMemory(FunctionOpInterface kernel);

/// Copies memory that may only be read, and has an extent without a constant
/// bound, before it is updated. No buffer could be allocated for that, but the
/// copy may be made where the result ends.
void copyUnboundedInits(FunctionOpInterface kernel);

/// Lets results be written straight into the place that they are inserted to,
/// except for accumulators that a loop reads and writes again and again.
LogicalResult eliminateEmptyTensorsSelectively(FunctionOpInterface kernel,
                                               OneShotAnalyses &analyses);

/// True when `root` becomes a loop-carried tensor whose old content the loop
/// reads: an accumulator, which must not be in slow memory.
bool isLoopAccumulator(Value root, const bufferization::AnalysisState &state);

/// Gives an accumulator in the slice of the output that a block has a tensor of
/// its own, where that will be private.
LogicalResult makeAccumulatorsPrivate(const KernelContext &context,
                                      OneShotAnalyses &analyses);

/// Lets the condition of a `scf.while` pass on every tensor that the loop
/// carries, at the same place, where it drops or moves some: each has a name in
/// both regions then.
void alignWhileLoops(FunctionOpInterface kernel);

/// True when a loop of `kernel` carries tensors.
bool hasCarriedTensors(FunctionOpInterface kernel);

/// Gives every loop-carried tensor its own buffer for the whole loop:
/// permuted yields become `memspace.exchange`, an allocation that escapes its
/// iteration becomes a second carried buffer, anything else a copy. True when
/// something had to be changed.
FailureOr<bool> makeLoopExchangesExplicit(FunctionOpInterface kernel,
                                          OneShotAnalyses &analyses);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_NORMALIZATION_H
