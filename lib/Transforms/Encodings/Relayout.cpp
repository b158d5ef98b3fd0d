//===- Relayout.cpp - from one layout to another --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relayout.h"
#include "TiledLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;
using Kind = LayoutAxis::Kind;

std::string memspace::getCopyReason(const TensorLayout &from,
                                    const TensorLayout &to) {
  return "layout change from " + from.describe() + " to " + to.describe();
}

//===----------------------------------------------------------------------===//
// Which form
//===----------------------------------------------------------------------===//

namespace {
/// A layout as linalg.pack has it.
struct PackForm {
  SmallVector<int64_t> outerPerm, innerDims, innerTiles;
  bool isPadded = false;
};
} // namespace

/// None where linalg.pack makes another memory, or the shape is not static:
/// upstream's decomposition wants that.
static std::optional<PackForm> getPackForm(const TensorLayout &layout) {
  if (!layout.type.hasStaticShape())
    return std::nullopt;
  PackForm pack;
  for (const LayoutAxis &axis : layout.axes) {
    if (axis.kind == Kind::Padding)
      return std::nullopt;
    int64_t size = layout.type.getDimSize(axis.dim), count = size;
    if (axis.kind == Kind::Inner) {
      pack.innerDims.push_back(axis.dim);
      pack.innerTiles.push_back(axis.tile);
      count = axis.tile;
    } else {
      if (!pack.innerDims.empty())
        return std::nullopt;
      pack.outerPerm.push_back(axis.dim);
      if (axis.kind == Kind::Outer) {
        count = llvm::divideCeil(size, axis.tile);
        pack.isPadded |= size % axis.tile != 0;
      }
    }
    if (axis.extent.getNumber() != count)
      return std::nullopt;
  }
  if (pack.innerDims.empty() ||
      static_cast<int64_t>(pack.outerPerm.size()) != layout.type.getRank())
    return std::nullopt;
  if (llvm::is_sorted(pack.outerPerm))
    pack.outerPerm.clear();
  return pack;
}

std::optional<Relayout> Relayout::plan(EncodeOp encode, RewriterBase &rewriter,
                                       TensorLayouts &layouts) {
  const TensorLayout &from = layouts.get(encode.getSource()),
                     &to = layouts.get(encode.getResult());
  if (from.isIdentity && getPackForm(to))
    return Relayout(encode, Form::Pack, from, to);
  if (to.isIdentity && getPackForm(from))
    return Relayout(encode, Form::Unpack, from, to);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(encode);
  auto copy = linalg::CopyOp::create(rewriter, encode.getLoc(),
                                     encode.getSource(), encode.getDest());
  Value result = copy.getResult(0);
  layouts.set(result, to);
  if (!TiledLinalg::plan(cast<linalg::LinalgOp>(copy.getOperation()),
                         layouts)) {
    layouts.erase(result);
    rewriter.eraseOp(copy);
    return Relayout(encode, Form::Gather, from, to);
  }
  copy->setDiscardableAttr(kCopyAttr,
                           rewriter.getStringAttr(getCopyReason(from, to)));
  layouts.erase(encode.getResult());
  rewriter.replaceOp(encode, result);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// From each place to its source
//===----------------------------------------------------------------------===//

/// The part of an index that counts along `axis`.
static AffineExpr getPart(AffineExpr index, const LayoutAxis &axis) {
  switch (axis.kind) {
  case Kind::Whole:
    return index;
  case Kind::Outer:
    return index.floorDiv(axis.tile);
  case Kind::Inner:
    return index % axis.tile;
  case Kind::Padding:
    return getAffineConstantExpr(0, index.getContext());
  }
  llvm_unreachable("unknown kind of axis");
}

/// The most that the index of `dim` is in the memory of `layout`, plus one;
/// none where that is not known.
static std::optional<int64_t> getIndexBound(const TensorLayout &layout,
                                            unsigned dim) {
  int64_t most = 0;
  for (const LayoutAxis &axis : layout.axes) {
    if (axis.kind == Kind::Padding || axis.dim != dim)
      continue;
    std::optional<int64_t> extent = axis.extent.getNumber();
    if (!extent)
      return std::nullopt;
    most += (*extent - 1) * (axis.kind == Kind::Outer ? axis.tile : 1);
  }
  return most + 1;
}

/// In the body of an op over the memory of the result.
Value Relayout::makeElement(OpBuilder &builder, Location loc, Value source,
                            ArrayRef<OpFoldResult> extents, TypedAttr padding) {
  MLIRContext *context = builder.getContext();
  unsigned rank = to->type.getRank();
  SmallVector<OpFoldResult> places;
  SmallVector<AffineExpr> indices(rank, getAffineConstantExpr(0, context));
  Value isInside;
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
    isInside = isInside
                   ? Value(arith::AndIOp::create(builder, loc, isInside, holds))
                   : holds;
  };
  for (auto [number, axis] : llvm::enumerate(to->axes)) {
    Value place = linalg::IndexOp::create(builder, loc, number);
    places.push_back(place);
    AffineExpr part = getAffineDimExpr(number, context);
    if (axis.kind == Kind::Padding)
      require(arith::CmpIPredicate::eq, place,
              arith::ConstantIndexOp::create(builder, loc, 0));
    // What is beyond a tile belongs to the next one.
    else if (axis.kind == Kind::Inner && axis.extent.getNumber() != axis.tile)
      require(arith::CmpIPredicate::slt, place,
              arith::ConstantIndexOp::create(builder, loc, axis.tile));
    if (axis.kind != Kind::Padding)
      indices[axis.dim] =
          indices[axis.dim] + part * (axis.kind == Kind::Outer ? axis.tile : 1);
  }
  SmallVector<OpFoldResult> tensorIndices;
  for (unsigned dim = 0; dim < rank; ++dim) {
    OpFoldResult index = affine::makeComposedFoldedAffineApply(
        builder, loc, AffineMap::get(places.size(), 0, indices[dim]), places);
    tensorIndices.push_back(index);
    std::optional<int64_t> bound = getIndexBound(*to, dim),
                           size = to->extents[dim].size;
    if (!bound || !size || *bound > *size)
      require(arith::CmpIPredicate::slt,
              getValueOrCreateConstantIndexOp(builder, loc, index),
              getValueOrCreateConstantIndexOp(builder, loc, extents[dim]));
  }
  auto extract = [&](OpBuilder &builder) -> Value {
    SmallVector<Value> sourcePlaces;
    for (const LayoutAxis &axis : from->axes) {
      AffineExpr part = getPart(getAffineDimExpr(0, context), axis);
      OpFoldResult index = axis.kind == Kind::Padding
                               ? OpFoldResult(builder.getIndexAttr(0))
                               : tensorIndices[axis.dim];
      sourcePlaces.push_back(getValueOrCreateConstantIndexOp(
          builder, loc,
          affine::makeComposedFoldedAffineApply(
              builder, loc, AffineMap::get(1, 0, part), {index})));
    }
    return tensor::ExtractOp::create(builder, loc, source, sourcePlaces);
  };
  if (!isInside)
    return extract(builder);
  return scf::IfOp::create(
             builder, loc, isInside,
             [&](OpBuilder &builder, Location loc) {
               scf::YieldOp::create(builder, loc, extract(builder));
             },
             [&](OpBuilder &builder, Location loc) {
               scf::YieldOp::create(
                   builder, loc,
                   arith::ConstantOp::create(builder, loc, padding)
                       .getResult());
             })
      .getResult(0);
}

Value Relayout::makeGather(RewriterBase &rewriter,
                           ArrayRef<OpFoldResult> extents, TypedAttr padding) {
  Value source = encode.getSource(), dest = encode.getDest();
  int64_t rank = cast<RankedTensorType>(dest.getType()).getRank();
  auto generic = linalg::GenericOp::create(
      rewriter, encode.getLoc(), dest.getType(), ValueRange(), dest,
      rewriter.getMultiDimIdentityMap(rank),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange) {
        linalg::YieldOp::create(
            builder, loc, makeElement(builder, loc, source, extents, padding));
      });
  return generic.getResult(0);
}

//===----------------------------------------------------------------------===//
// The new op
//===----------------------------------------------------------------------===//

LogicalResult Relayout::check() {
  Type element = to->type.getElementType();
  if (form == Form::Unpack || !to->layout.mayHavePadding(to->extents) ||
      Builder(element.getContext()).getZeroAttr(element))
    return success();
  return encode.emitOpError()
         << "would fill padding with zeros, which " << element
         << " has not; take a layout without padding";
}

void Relayout::rewrite(RewriterBase &rewriter, ArrayRef<OpFoldResult> extents,
                       TensorLayouts &layouts) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(encode);
  Location loc = encode.getLoc();
  Value source = encode.getSource(), dest = encode.getDest(), result;
  TypedAttr padding = rewriter.getZeroAttr(to->type.getElementType());
  if (form == Form::Pack) {
    std::optional<PackForm> pack = getPackForm(*to);
    Value zero;
    if (pack->isPadded)
      zero = arith::ConstantOp::create(rewriter, loc, padding);
    result =
        linalg::PackOp::create(
            rewriter, loc, source, dest, pack->innerDims,
            getAsIndexOpFoldResult(rewriter.getContext(), pack->innerTiles),
            zero ? std::optional<Value>(zero) : std::nullopt, pack->outerPerm)
            ->getResult(0);
  } else if (form == Form::Unpack) {
    std::optional<PackForm> pack = getPackForm(*from);
    result =
        linalg::UnPackOp::create(
            rewriter, loc, source, dest, pack->innerDims,
            getAsIndexOpFoldResult(rewriter.getContext(), pack->innerTiles),
            pack->outerPerm)
            ->getResult(0);
  } else {
    result = makeGather(rewriter, extents, padding);
  }
  result.getDefiningOp()->setDiscardableAttr(
      kCopyAttr, rewriter.getStringAttr(getCopyReason(*from, *to)));
  layouts.set(result, *to);
  layouts.erase(encode.getResult());
  rewriter.replaceOp(encode, result);
}
