//===- ShapedSlices.h - parts of tensors and of memrefs -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What TilingInterface takes of operands that are all tensors or all memrefs,
/// and which dimensions a slice has.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_IR_SHAPEDSLICES_H
#define MEMSPACE_LIB_IR_SHAPEDSLICES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir {
namespace memspace {

/// The extent of `dim` of `shaped`.
OpFoldResult getExtent(OpBuilder &builder, Location loc, Value shaped,
                       int64_t dim);

/// All elements of `shaped`, in steps of one.
SmallVector<Range> getDomain(OpBuilder &builder, Location loc, Value shaped);

/// True if [offset, offset + size) is known to be all of `dimension` of
/// `shaped`.
bool isWhole(OpFoldResult offset, OpFoldResult size, Value shaped,
             int64_t dimension);

/// An `extract_slice` or a `subview` of `shaped`, with strides of one.
Value makeSlice(OpBuilder &builder, Location loc, Value shaped,
                ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes);

/// The dimensions that the result of `subview` does not have. Upstream's
/// SubViewOp::getDroppedDims() compares strides, and is undefined where a slice
/// of one element has a step. Of dimensions of one element, which of them are
/// dropped does not matter.
llvm::SmallBitVector getDroppedDims(memref::SubViewOp subview);

/// Splits each slice in `root` for which upstream would take the wrong
/// dimensions, or none, for those dropped: into a slice of all dimensions and a
/// `memref.reinterpret_cast`, through which the analyses do not look.
void splitUnclearSlices(Operation *root);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_IR_SHAPEDSLICES_H
