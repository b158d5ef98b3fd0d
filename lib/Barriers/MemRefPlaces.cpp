//===- MemRefPlaces.cpp - where a memref is in a state -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemRefPlaces.h"
#include "IR/ShapedSlices.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "MemSpace/Memory/BufferSize.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<MemRefPlaces::Place> MemRefPlaces::resolveRoot(Value memref) {
  SmallVector<MemoryBase, 2> bases = getMemoryBases(memref, context);
  auto type = dyn_cast<MemRefType>(memref.getType());
  Place place;
  if (bases.size() != 1 || !bases.front().root || !bases.front().shiftBytes ||
      !type || failed(type.getStridesAndOffset(place.strides, place.offset)) ||
      ShapedType::isDynamic(place.offset) ||
      ShapedType::isDynamicShape(place.strides))
    return std::nullopt;
  std::optional<int64_t> shift = bases.front().shiftBytes->getConstant();
  std::optional<int64_t> bytes =
      getElementBytes(type.getElementType(), context.getTarget());
  if (!shift || !bytes)
    return std::nullopt;
  place.root = bases.front().root;
  place.base = *shift;
  place.elementBytes = *bytes;
  return place;
}

std::optional<MemRefPlaces::Place>
MemRefPlaces::resolve(Value memref, unsigned state, unsigned depth) {
  if (depth > kMaxChainDepth)
    return std::nullopt;
  auto next = [&](Value source) { return resolve(source, state, depth + 1); };
  auto evaluate = [&](OpFoldResult number) -> std::optional<int64_t> {
    if (std::optional<int64_t> constant = getConstantIntValue(number))
      return constant;
    return states.evaluate(cast<Value>(number), state);
  };
  if (auto bound = states.getMemRef(memref, state)) {
    std::optional<Place> place =
        resolve(bound->first, bound->second, depth + 1);
    // A shift is a number of the state that it was made in.
    return place && place->shift && bound->second != state ? std::nullopt
                                                           : place;
  }
  Operation *op = memref.getDefiningOp();
  if (!op)
    return resolveRoot(memref);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<int64_t> holds =
        states.evaluate(select.getCondition(), state);
    if (!holds)
      return std::nullopt;
    return next(*holds ? select.getTrueValue() : select.getFalseValue());
  }
  if (ControlChoice choice = ControlChoice::get(op)) {
    std::optional<int64_t> number = states.evaluate(choice.getDecider(), state);
    if (!number)
      return std::nullopt;
    return next(
        choice.getYielded(cast<OpResult>(memref))[choice.getWay(*number)]);
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(
          op)) {
    std::optional<Place> place = next(op->getOperand(0));
    auto type = dyn_cast<MemRefType>(memref.getType());
    return place && type && type.getRank() == int64_t(place->strides.size())
               ? place
               : std::nullopt;
  }
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    std::optional<Place> place = next(subview.getSource());
    if (!place)
      return std::nullopt;
    llvm::SmallBitVector dropped = getDroppedDims(subview);
    SmallVector<int64_t> strides;
    for (unsigned dim = 0; dim < place->strides.size(); ++dim) {
      std::optional<int64_t> offset = evaluate(subview.getMixedOffsets()[dim]);
      std::optional<int64_t> stride = evaluate(subview.getMixedStrides()[dim]);
      if (!offset || !stride)
        return std::nullopt;
      auto sum =
          llvm::checkedMulAdd(*offset, place->strides[dim], place->offset);
      auto product = llvm::checkedMul(*stride, place->strides[dim]);
      if (!sum || !product)
        return std::nullopt;
      place->offset = *sum;
      if (!dropped.test(dim))
        strides.push_back(*product);
    }
    place->strides = std::move(strides);
    return place;
  }
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    std::optional<Place> place = next(cast.getSource());
    if (!place)
      return std::nullopt;
    place->strides.clear();
    std::optional<int64_t> offset = evaluate(cast.getMixedOffsets().front());
    for (OpFoldResult mixed : cast.getMixedStrides()) {
      std::optional<int64_t> stride = evaluate(mixed);
      if (!stride)
        return std::nullopt;
      place->strides.push_back(*stride);
    }
    if (!offset)
      return std::nullopt;
    place->offset = *offset;
    return place;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    std::optional<Place> place = next(view.getSource());
    std::optional<int64_t> shift = evaluate(view.getByteShift());
    if (!shift && place && !place->shift) {
      place->shift = view.getByteShift();
      shift = 0;
    }
    std::optional<int64_t> bytes =
        getElementBytes(view.getType().getElementType(), context.getTarget());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!place || place->offset != 0 || !shift || !bytes ||
        failed(view.getType().getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamicShape(strides) ||
        llvm::AddOverflow(place->base, *shift, place->base))
      return std::nullopt;
    place->strides = std::move(strides);
    place->elementBytes = *bytes;
    return place;
  }
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op)) {
    std::optional<Place> place = next(op->getOperand(0));
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!place ||
        failed(cast<MemRefType>(memref.getType())
                   .getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamicShape(strides))
      return std::nullopt;
    place->strides = std::move(strides);
    return place;
  }
  return op->getNumRegions() == 0 ? resolveRoot(memref) : std::nullopt;
}
