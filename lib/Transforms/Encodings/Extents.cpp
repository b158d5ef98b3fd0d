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

/// What has the extents of `tensor`, too; null if nothing is known to.
static Value getSameExtents(Value tensor) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return {};
  if (auto encode = dyn_cast<EncodeOp>(result.getOwner()))
    return encode.getSource();
  if (auto style = dyn_cast<DestinationStyleOpInterface>(result.getOwner()))
    return style.getTiedOpOperand(result)->get();
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(result.getOwner()))
    return alloc.getCopy();
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

FailureOr<SmallVector<OpFoldResult>>
memspace::makeExtents(OpBuilder &builder, Operation *user, Value tensor,
                      TensorLayouts &layouts) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = user->getLoc();
  SmallVector<OpFoldResult> extents;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      extents.push_back(builder.getIndexAttr(type.getDimSize(dim)));
      continue;
    }
    Value source = tensor, extent;
    while (!extent) {
      const TensorLayout &layout = layouts.get(source);
      auto sourceType = cast<RankedTensorType>(source.getType());
      if (!sourceType.isDynamicDim(dim))
        extent = arith::ConstantIndexOp::create(builder, loc,
                                                sourceType.getDimSize(dim));
      else if (auto empty = source.getDefiningOp<tensor::EmptyOp>())
        extent = empty.getDynamicSize(dim);
      else if (auto alloc =
                   source.getDefiningOp<bufferization::AllocTensorOp>();
               alloc && !alloc.getCopy())
        extent = alloc.getDynamicSize(builder, dim);
      else if (Value same = getSameExtents(source))
        source = same;
      else if (layout.isIdentity)
        extent = tensor::DimOp::create(builder, loc, source, dim);
      else if (!(extent =
                     makeExtentOfMemory(builder, loc, source, dim, layout)))
        return user->emitOpError()
               << "needs extent " << dim << " of a tensor of type "
               << sourceType
               << ", which the padded memory that it comes in does not say; "
                  "make it static, promise a divisor that is a multiple of the "
                  "tile, or encode the tensor in this function";
    }
    extents.push_back(extent);
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
