//===- RowTiles.cpp - rows in the form in which threads work on them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/RowTiles.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

RowTiles::RowTiles(RewriterBase &rewriter, Location loc,
                   ArrayRef<int64_t> shape, unsigned dimension,
                   const RowLength &length, std::optional<int64_t> tile)
    : rewriter(rewriter), loc(loc), shape(shape), dimension(dimension),
      length(length) {
  this->shape[dimension] = length.bound;
  if (length.bound > 1)
    this->shape[dimension] = tile.value_or(llvm::PowerOf2Ceil(length.bound));
  if (auto value = dyn_cast<Value>(length.length)) {
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    last = arith::SubIOp::create(rewriter, loc, value, one);
  } else if (length.bound != getTile()) {
    last = arith::ConstantIndexOp::create(rewriter, loc, length.bound - 1);
  }
}

Value RowTiles::clamp(OpBuilder &builder, Value position) {
  if (!last)
    return position;
  return arith::MinUIOp::create(builder, loc, position, last);
}

Value RowTiles::makeEmpty(Type type) {
  return tensor::EmptyOp::create(rewriter, loc, shape, type);
}

Value RowTiles::fill(
    Value init, int64_t begin,
    llvm::function_ref<Value(OpBuilder &, MutableArrayRef<Value>)> getElement) {
  SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)),
      ones(shape.size(), rewriter.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(rewriter.getContext(), shape);
  Value part = init;
  if (begin != 0) {
    offsets[dimension] = rewriter.getIndexAttr(begin);
    sizes[dimension] = rewriter.getIndexAttr(shape[dimension] - begin);
    part = tensor::ExtractSliceOp::create(rewriter, loc, init, offsets, sizes,
                                          ones);
  }
  AffineMap map = rewriter.getMultiDimIdentityMap(shape.size());
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, part.getType(), ValueRange(), part, map, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange) {
        SmallVector<Value> place;
        for (unsigned dim = 0; dim < shape.size(); ++dim)
          place.push_back(linalg::IndexOp::create(builder, loc, dim));
        linalg::YieldOp::create(builder, loc, getElement(builder, place));
      });
  if (begin == 0)
    return generic.getResult(0);
  return tensor::InsertSliceOp::create(rewriter, loc, generic.getResult(0),
                                       init, offsets, sizes, ones);
}

Value RowTiles::load(Value input) {
  Type type = cast<RankedTensorType>(input.getType()).getElementType();
  Value empty = makeEmpty(type);
  if (!last)
    return linalg::CopyOp::create(rewriter, loc, input, empty).getResult(0);
  return fill(empty, 0,
              [&](OpBuilder &builder, MutableArrayRef<Value> place) -> Value {
                place[dimension] = clamp(builder, place[dimension]);
                return tensor::ExtractOp::create(builder, loc, input, place);
              });
}

Value RowTiles::makePositions(Type type) {
  return fill(makeEmpty(type), 0,
              [&](OpBuilder &builder, MutableArrayRef<Value> place) {
                Value position = clamp(builder, place[dimension]);
                return castIndex(builder, loc, position, type);
              });
}

Value RowTiles::store(Value tile, Value output,
                      llvm::function_ref<Value(Value, Value)> copy) {
  auto type = cast<RankedTensorType>(output.getType());
  SmallVector<OpFoldResult> zeros(shape.size(), rewriter.getIndexAttr(0)),
      ones(shape.size(), rewriter.getIndexAttr(1)),
      sizes = tensor::getMixedSizes(rewriter, loc, output);
  // An output of more elements than a row has, or may have, is written in part.
  bool isWhole = type.isDynamicDim(dimension) ||
                 !length.mayBeLessThan(type.getDimSize(dimension));
  if (!isWhole) {
    int64_t extent = type.getDimSize(dimension);
    if (auto value = dyn_cast<Value>(length.length)) {
      Value room = arith::ConstantIndexOp::create(rewriter, loc, extent);
      sizes[dimension] =
          arith::MinUIOp::create(rewriter, loc, value, room).getResult();
    } else {
      sizes[dimension] = length.length;
    }
  }
  if (sizes != getAsIndexOpFoldResult(rewriter.getContext(), shape))
    tile =
        tensor::ExtractSliceOp::create(rewriter, loc, tile, zeros, sizes, ones);
  if (isWhole)
    return copy(tile, output);
  Value slice =
      tensor::ExtractSliceOp::create(rewriter, loc, output, zeros, sizes, ones);
  return tensor::InsertSliceOp::create(rewriter, loc, copy(tile, slice), output,
                                       zeros, sizes, ones);
}

Value RowTiles::store(Value tile, Value output) {
  return store(tile, output, [&](Value from, Value to) {
    return linalg::CopyOp::create(rewriter, loc, from, to).getResult(0);
  });
}

Value memspace::castInteger(OpBuilder &builder, Location loc, Value value,
                            Type type) {
  auto from = dyn_cast<IntegerType>(value.getType());
  auto to = dyn_cast<IntegerType>(type);
  if (!from || !to)
    return castIndex(builder, loc, value, type);
  if (from.getWidth() < to.getWidth())
    return arith::ExtSIOp::create(builder, loc, type, value);
  if (from.getWidth() > to.getWidth())
    return arith::TruncIOp::create(builder, loc, type, value);
  return value;
}

Value RowTiles::storePositions(Value tile, Value output) {
  Type type = getElementTypeOrSelf(output.getType());
  if (type == getElementTypeOrSelf(tile.getType()))
    return store(tile, output);
  return store(tile, output, [&](Value from, Value to) {
    AffineMap map = rewriter.getMultiDimIdentityMap(shape.size());
    SmallVector<utils::IteratorType> iterators(shape.size(),
                                               utils::IteratorType::parallel);
    auto cast = [&](OpBuilder &builder, Location loc, ValueRange args) {
      linalg::YieldOp::create(builder, loc,
                              castInteger(builder, loc, args[0], type));
    };
    return linalg::GenericOp::create(rewriter, loc, to.getType(), from, to,
                                     {map, map}, iterators, cast)
        .getResult(0);
  });
}

Value memspace::extractAt(OpBuilder &builder, Location loc, Value tensor,
                          ArrayRef<OpFoldResult> row, unsigned dimension,
                          Value position) {
  SmallVector<OpFoldResult> place(row);
  place[dimension] = castIndex(builder, loc, position, builder.getIndexType());
  return tensor::ExtractOp::create(
      builder, loc, tensor,
      getValueOrCreateConstantIndexOp(builder, loc, place));
}

Value memspace::castIndex(OpBuilder &builder, Location loc, Value value,
                          Type type) {
  if (value.getType() == type)
    return value;
  return arith::IndexCastOp::create(builder, loc, type, value);
}
