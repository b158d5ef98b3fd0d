//===- SinkGridScope.h - ops at grid scope into the block forall -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SINKGRIDSCOPE_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SINKGRIDSCOPE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// Moves tensor ops at grid scope into the block-mapped forall that uses them,
/// restricted to what each block uses. An op at grid scope is executed by every
/// workgroup: a fill of the whole output would overwrite finished tiles.
/// Failure with a diagnostic at an op that cannot be moved; the IR still
/// verifies and means the same. Kernels without a block forall only get their
/// `tensor.concat` ops decomposed.
LogicalResult sinkGridScopeOps(RewriterBase &rewriter,
                               FunctionOpInterface kernel);

/// The slices that replace a slice of an inserted tensor.
struct ForwardedSlice {
  /// What replaces the slice.
  Value value;
  /// New slices of the source and of the destination of the insert; null when
  /// the slice does not reach them.
  tensor::ExtractSliceOp ofSource, ofDest;
};

/// Rewrites a slice of `tensor.insert_slice` into an insert of the slices, when
/// it is known in each dimension where they overlap. Failure changes nothing.
FailureOr<ForwardedSlice> forwardSliceOfInsert(RewriterBase &rewriter,
                                               tensor::ExtractSliceOp slice,
                                               tensor::InsertSliceOp insert);

/// The element that `extract` reads, traced through inserts, slices and fills:
/// the scalar, or a new `tensor.extract` nearer to the origin; null when the
/// first step is not known. Does not replace `extract`.
Value forwardElement(RewriterBase &rewriter, tensor::ExtractOp extract);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SINKGRIDSCOPE_H
