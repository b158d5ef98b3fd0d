//===- StructuredOps.h - how threads share memspace's structured ops -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One function for each op of the dialect that threads can share
/// (DistributeStructuredOps.h). Each replaces the op, on tensors, by code with
/// mapped `forall`s.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_STRUCTUREDOPS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_STRUCTUREDOPS_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Target/TargetInfo.h"
#include "Transforms/Normalize/RowTiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>

namespace mlir {
namespace memspace {

/// Who shares an op.
struct Sharing {
  /// The lanes of one subgroup, else the threads of a workgroup.
  bool isOfSubgroup;
  /// Whether lanes of what is taken for a subgroup can pass values to each
  /// other.
  bool mayShuffle;
  /// Threads of a subgroup, where they are known.
  std::optional<int64_t> subgroupSize;
  /// Threads that share it.
  int64_t numThreads;
  TargetInfo target;
  /// Bytes of workgroup memory that the op may take without an opt-in for more,
  /// whatever else the kernel needs; none where that is not known.
  std::optional<int64_t> freeBytes;

  /// How many they are if they are lanes of one subgroup that can pass values
  /// to each other: a power of two, the first ones of it.
  std::optional<int64_t> getLanes() const;
  /// The lanes of each subgroup that can, also where there are several: all of
  /// them whole.
  std::optional<int64_t> getLanesOfEach() const;
};

/// Each fails with a diagnostic and leaves the op as it is.
/// The rows have `length` elements, the other extents are static.
LogicalResult distributeSort(SortOp op, const RowLength &length,
                             const Sharing &sharing);
/// Bytes that an element of a row of `op`, a SortOp or SortIndicesOp, takes in
/// the tile of a workgroup, of all outputs together and with the position that
/// makes a sort stable; none where a size is not known.
std::optional<int64_t> getSortBytesPerElement(DestinationStyleOpInterface op,
                                              const TargetInfo &target);
LogicalResult distributeSort(SortIndicesOp op, const RowLength &length,
                             const Sharing &sharing);
LogicalResult distributeTopK(TopKOp op, const RowLength &length,
                             const Sharing &sharing);
LogicalResult distributeScan(ScanOp op, const RowLength &length,
                             const Sharing &sharing);
LogicalResult distributeScatter(ScatterOp op, const Sharing &sharing);
/// True where `memspace-split-large-scans` makes kernels for several workgroups
/// of `kernel`, with `numThreads` for each of them.
bool canSplitScan(ScanOp op, func::FuncOp kernel, int64_t numThreads,
                  int64_t elementsPerThread);
/// Replaces `op`, of tensors with one row each, by scans of at most `extent`
/// elements, one after the other. Returns those.
SmallVector<ScanOp> scanInParts(ScanOp op, int64_t extent);

/// Removes results that nobody uses, with what they need, from the ops of the
/// dialect at or below `root` that can do without. True when there were some.
bool dropUnusedOutputs(Operation *root);

/// True for code that asks for the numbers of threads: it says itself which of
/// them executes an op on memrefs.
bool saysWhichThread(FunctionOpInterface kernel);

/// Of ops on memrefs that several threads would all execute, makes ops on
/// tensors, or guards them to one thread.
void raiseStructuredOps(const KernelContext &context);

/// Failure with a diagnostic where there are no such updates as a scatter that
/// is atomic needs.
LogicalResult verifyAtomic(ScatterOp op);

/// Gathers on tensors become linalg ops. `tensor.gather` and `tensor.scatter`
/// become ours.
void addGatherPatterns(RewritePatternSet &patterns);
/// The second half of that.
void addUpstreamGatherPatterns(RewritePatternSet &patterns);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_STRUCTUREDOPS_H
