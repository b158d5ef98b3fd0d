//===- Extents.cpp - extents of encoded tensors and of their memory -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;

/// What has the extents of `tensor`, too, as far as is known.
static SmallVector<Value, 2> getSameExtents(Value tensor) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return {};
  if (auto encode = dyn_cast<EncodeOp>(result.getOwner()))
    return {encode.getSource(), encode.getDest()};
  if (auto style = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return {style.getTiedOpOperand(result)->get()};
  auto alloc = dyn_cast<bufferization::AllocTensorOp>(result.getOwner());
  if (alloc && alloc.getCopy())
    return {alloc.getCopy()};
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>();
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    return {cast.getSource()};
  return {};
}

/// The extent of `dim` by the memory, if that says it; null otherwise.
static Value makeExtentOfMemory(OpBuilder &builder, Location loc, Value tensor,
                                unsigned dim, const TensorLayout &layout) {
  for (auto [number, axis] : llvm::enumerate(layout.axes)) {
    const LayoutCount &extent = axis.extent;
    if (axis.kind == LayoutAxis::Kind::Padding || axis.dim != dim ||
        axis.kind == LayoutAxis::Kind::Inner ||
        extent.getUnknowns() != ArrayRef(UnknownCount{dim, 1, 1}) ||
        extent.getNumerator() != 1)
      continue;
    Value size = tensor::DimOp::create(builder, loc, tensor, number);
    if (extent.getDenominator() == 1)
      return size;
    return arith::MulIOp::create(
        builder, loc, size,
        arith::ConstantIndexOp::create(builder, loc, extent.getDenominator()));
  }
  return {};
}

/// The extent that `tensor` was made with, or that its type says; null where it
/// is another tensor's, or that of an argument for example.
static Value makeExtentOfOrigin(OpBuilder &builder, Location loc,
                                TensorDim asked) {
  auto type = cast<RankedTensorType>(asked.tensor.getType());
  if (!type.isDynamicDim(asked.dim))
    return arith::ConstantIndexOp::create(builder, loc,
                                          type.getDimSize(asked.dim));
  if (auto empty = asked.tensor.getDefiningOp<tensor::EmptyOp>())
    return empty.getDynamicSize(asked.dim);
  auto alloc = asked.tensor.getDefiningOp<bufferization::AllocTensorOp>();
  return alloc && !alloc.getCopy() ? alloc.getDynamicSize(builder, asked.dim)
                                   : Value();
}

/// The extent by the tensor itself; null where its memory does not say it.
static Value makeOwnExtent(OpBuilder &builder, Location loc, TensorDim asked,
                           TensorLayouts &layouts) {
  const TensorLayout &layout = layouts.get(asked.tensor);
  if (layout.isIdentity)
    return tensor::DimOp::create(builder, loc, asked.tensor, asked.dim);
  return makeExtentOfMemory(builder, loc, asked.tensor, asked.dim, layout);
}

FailureOr<Value> memspace::makeExtent(OpBuilder &builder, Operation *user,
                                      ArrayRef<TensorDim> equal,
                                      TensorLayouts &layouts) {
  Location loc = user->getLoc();
  SmallVector<TensorDim> worklist(llvm::reverse(equal)), visited;
  DenseSet<Value> seen;
  // Where it comes from is best: then nobody needs the tensors in between.
  while (!worklist.empty()) {
    TensorDim asked = worklist.pop_back_val();
    if (!seen.insert(asked.tensor).second)
      continue;
    visited.push_back(asked);
    if (Value extent = makeExtentOfOrigin(builder, loc, asked))
      return extent;
    SmallVector<Value, 2> others = getSameExtents(asked.tensor);
    for (Value other : llvm::reverse(others))
      worklist.push_back({other, asked.dim});
    if (!others.empty())
      continue;
    if (Value extent = makeOwnExtent(builder, loc, asked, layouts))
      return extent;
  }
  for (TensorDim asked : visited)
    if (Value extent = makeOwnExtent(builder, loc, asked, layouts))
      return extent;
  TensorDim last = visited.back();
  return user->emitOpError()
         << "needs extent " << last.dim << " of a tensor of type "
         << last.tensor.getType()
         << ", which the padded memory that it comes in does not say; "
            "make it static, promise a divisor that is a multiple of the "
            "tile, or encode the tensor in this function";
}

FailureOr<SmallVector<OpFoldResult>>
memspace::makeExtents(OpBuilder &builder, Operation *user,
                      ArrayRef<Value> tensors, TensorLayouts &layouts) {
  auto type = cast<RankedTensorType>(tensors.front().getType());
  SmallVector<OpFoldResult> extents;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      extents.push_back(builder.getIndexAttr(type.getDimSize(dim)));
      continue;
    }
    FailureOr<Value> extent =
        makeExtent(builder, user,
                   llvm::map_to_vector(tensors,
                                       [&](Value tensor) {
                                         return TensorDim{tensor, dim};
                                       }),
                   layouts);
    if (failed(extent))
      return failure();
    extents.push_back(*extent);
  }
  return extents;
}

static Value makeCount(OpBuilder &builder, Location loc,
                       const LayoutCount &count,
                       ArrayRef<OpFoldResult> extents) {
  Value product;
  AffineExpr extent;
  bindDims(builder.getContext(), extent);
  for (const UnknownCount &unknown : count.getUnknowns()) {
    AffineExpr expr = extent;
    if (unknown.multiple != 1)
      expr = expr.ceilDiv(unknown.multiple) * unknown.multiple;
    expr = expr.ceilDiv(unknown.tile);
    Value factor = getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(builder, loc, expr,
                                              {extents[unknown.dim]}));
    product = product
                  ? Value(arith::MulIOp::create(builder, loc, product, factor))
                  : factor;
  }
  if (!product)
    product = arith::ConstantIndexOp::create(builder, loc, 1);
  // An integer in the end: it is multiplied first.
  if (count.getNumerator() != 1)
    product = arith::MulIOp::create(
        builder, loc, product,
        arith::ConstantIndexOp::create(builder, loc, count.getNumerator()));
  if (count.getDenominator() != 1)
    product = arith::DivSIOp::create(
        builder, loc, product,
        arith::ConstantIndexOp::create(builder, loc, count.getDenominator()));
  return product;
}

SmallVector<Value> memspace::makeMemoryExtents(OpBuilder &builder, Location loc,
                                               const TensorLayout &layout,
                                               ArrayRef<OpFoldResult> extents) {
  SmallVector<Value> sizes;
  for (const LayoutAxis &axis : layout.axes)
    if (!axis.extent.getNumber())
      sizes.push_back(makeCount(builder, loc, axis.extent, extents));
  return sizes;
}
