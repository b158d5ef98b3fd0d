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

SmallVector<TensorDim> memspace::getDimsOfLoop(linalg::LinalgOp op,
                                               unsigned loop) {
  SmallVector<TensorDim> dims;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> dim =
            map.getResultPosition(getAffineDimExpr(loop, op.getContext())))
      dims.push_back({operand.get(), *dim});
  }
  return dims;
}

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

/// The dimension of the memory that says the extent of `dim`; null where none
/// does.
static const LayoutAxis *findAxisOf(const TensorLayout &layout, unsigned dim) {
  for (const LayoutAxis &axis : layout.axes)
    if (axis.kind != LayoutAxis::Kind::Padding && axis.dim == dim &&
        axis.kind != LayoutAxis::Kind::Inner &&
        axis.extent.getUnknowns() == ArrayRef(UnknownCount{dim, 1, 1}) &&
        axis.extent.getNumerator() == 1)
      return &axis;
  return nullptr;
}

/// On a `tensor.dim` of the memory that a tensor will be in.
static constexpr StringLiteral kOfMemoryAttr = "memspace.of_memory";

bool ExtentMaker::asksForExtent(Operation *op) {
  return isa<tensor::DimOp>(op) && !op->hasAttr(kOfMemoryAttr);
}

void ExtentMaker::forgetMemory(Operation *root) {
  root->walk([](tensor::DimOp dim) { dim->removeAttr(kOfMemoryAttr); });
}

/// The extent by the tensor's own memory, which says it.
static Value makeOwnExtent(OpBuilder &builder, Location loc, TensorDim asked,
                           const TensorLayout &layout) {
  if (layout.isIdentity)
    return tensor::DimOp::create(builder, loc, asked.tensor, asked.dim);
  const LayoutAxis *axis = findAxisOf(layout, asked.dim);
  auto size = tensor::DimOp::create(builder, loc, asked.tensor,
                                    axis - layout.axes.begin());
  size->setAttr(kOfMemoryAttr, builder.getUnitAttr());
  if (axis->extent.getDenominator() == 1)
    return size.getResult();
  return arith::MulIOp::create(
      builder, loc, size,
      arith::ConstantIndexOp::create(builder, loc,
                                     axis->extent.getDenominator()));
}

/// The type says the extent, or what the tensor was made with; otherwise it is
/// another tensor's, or that of an argument for example.
static bool isOrigin(TensorDim asked) {
  if (!cast<RankedTensorType>(asked.tensor.getType()).isDynamicDim(asked.dim) ||
      asked.tensor.getDefiningOp<tensor::EmptyOp>())
    return true;
  auto alloc = asked.tensor.getDefiningOp<bufferization::AllocTensorOp>();
  return alloc && !alloc.getCopy();
}

static Value makeExtentOfOrigin(OpBuilder &builder, Location loc,
                                TensorDim asked) {
  auto type = cast<RankedTensorType>(asked.tensor.getType());
  if (!type.isDynamicDim(asked.dim))
    return arith::ConstantIndexOp::create(builder, loc,
                                          type.getDimSize(asked.dim));
  if (auto empty = asked.tensor.getDefiningOp<tensor::EmptyOp>())
    return empty.getDynamicSize(asked.dim);
  return asked.tensor.getDefiningOp<bufferization::AllocTensorOp>()
      .getDynamicSize(builder, asked.dim);
}

std::optional<ExtentMaker::Place> ExtentMaker::find(ArrayRef<TensorDim> equal) {
  // Each with the number, in `visited`, of the one that it was reached from.
  struct Step {
    TensorDim asked;
    int from;
  };
  SmallVector<Step> worklist, visited;
  for (TensorDim asked : llvm::reverse(equal))
    worklist.push_back({asked, -1});
  DenseSet<std::pair<Value, unsigned>> seen;
  auto hasOwn = [&](TensorDim asked) {
    const TensorLayout &layout = layouts.get(asked.tensor);
    return layout.isIdentity || findAxisOf(layout, asked.dim);
  };
  std::optional<Place> found;
  int last = -1;
  // Where it comes from is best: then nobody needs the tensors in between.
  while (!worklist.empty() && !found) {
    Step step = worklist.pop_back_val();
    TensorDim asked = step.asked;
    if (!seen.insert({asked.tensor, asked.dim}).second)
      continue;
    if (auto it = places.find({asked.tensor, asked.dim}); it != places.end()) {
      found = it->second;
      last = step.from;
      break;
    }
    last = visited.size();
    visited.push_back(step);
    SmallVector<Value, 2> others = getSameExtents(asked.tensor);
    if (isOrigin(asked))
      found = Place{asked, /*isOwn=*/false};
    else if (others.empty() && hasOwn(asked))
      found = Place{asked, /*isOwn=*/true};
    for (Value other : llvm::reverse(others))
      worklist.push_back({{other, asked.dim}, last});
  }
  for (int number = 0, size = visited.size(); number < size && !found; ++number)
    if (hasOwn(visited[number].asked)) {
      found = Place{visited[number].asked, /*isOwn=*/true};
      last = number;
    }
  // It dominates the tensors on the way there, but perhaps not the other ones.
  for (; found && last >= 0; last = visited[last].from) {
    TensorDim asked = visited[last].asked;
    places.try_emplace({asked.tensor, asked.dim}, *found);
  }
  return found;
}

FailureOr<Value> ExtentMaker::make(OpBuilder &builder, Operation *user,
                                   ArrayRef<TensorDim> equal) {
  Location loc = user->getLoc();
  if (std::optional<Place> place = find(equal))
    return place->isOwn ? makeOwnExtent(builder, loc, place->at,
                                        layouts.get(place->at.tensor))
                        : makeExtentOfOrigin(builder, loc, place->at);
  TensorDim asked = equal.front();
  return user->emitOpError()
         << "needs extent " << asked.dim << " of a tensor of type "
         << asked.tensor.getType()
         << ", which the padded memory that it comes in does not say; "
            "make it static, promise a divisor that is a multiple of the "
            "tile, or encode the tensor in this function";
}

FailureOr<SmallVector<OpFoldResult>>
ExtentMaker::makeAll(OpBuilder &builder, Operation *user, RankedTensorType type,
                     ArrayRef<SmallVector<TensorDim>> equal) {
  SmallVector<OpFoldResult> extents;
  for (auto [size, dims] : llvm::zip_equal(type.getShape(), equal)) {
    if (!ShapedType::isDynamic(size)) {
      extents.push_back(builder.getIndexAttr(size));
      continue;
    }
    FailureOr<Value> extent = make(builder, user, dims);
    if (failed(extent))
      return failure();
    extents.push_back(*extent);
  }
  return extents;
}

FailureOr<SmallVector<OpFoldResult>>
ExtentMaker::makeAll(OpBuilder &builder, Operation *user,
                     ArrayRef<Value> tensors) {
  auto type = cast<RankedTensorType>(tensors.front().getType());
  SmallVector<SmallVector<TensorDim>> equal(type.getRank());
  for (auto [dim, dims] : llvm::enumerate(equal))
    for (Value tensor : tensors)
      dims.push_back({tensor, unsigned(dim)});
  return makeAll(builder, user, type, equal);
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
