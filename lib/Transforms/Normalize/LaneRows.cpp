//===- LaneRows.cpp - rows in the registers of a subgroup's lanes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/LaneRows.h"
#include "Transforms/Normalize/Shuffles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<LaneLayout> LaneLayout::get(ArrayRef<int64_t> shape,
                                          unsigned dimension, int64_t length,
                                          ArrayRef<Type> types,
                                          const Sharing &sharing) {
  std::optional<int64_t> lanes = sharing.getLanes();
  if (!lanes || length < 2 || length > *lanes * kMaxLaneWords)
    return std::nullopt;
  int64_t rows = 1, words = 0;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (dim != dimension)
      rows *= extent;
  for (Type type : types) {
    std::optional<int64_t> typeWords = getShuffleWords(type);
    if (!typeWords)
      return std::nullopt;
    words += *typeWords;
  }
  if (rows == 0)
    return std::nullopt;
  int64_t tile = llvm::PowerOf2Ceil(length);
  int64_t slots = std::min<int64_t>(
      tile, llvm::PowerOf2Ceil(llvm::divideCeil(rows * tile, *lanes)));
  if (slots * words > kMaxLaneWords)
    return std::nullopt;
  return LaneLayout{*lanes, rows, tile / slots, slots};
}

LaneSlice LaneLayout::getSlice(OpBuilder &builder, Location loc,
                               ArrayRef<int64_t> shape, unsigned dimension,
                               const RowLength &limit, Value lane) const {
  MLIRContext *context = builder.getContext();
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      sizes(shape.size(), builder.getIndexAttr(1));
  AffineExpr id = builder.getAffineDimExpr(0),
             inRow = rows == 1 ? id : id % lanesPerRow,
             row = id.floorDiv(lanesPerRow);
  int64_t left = rows;
  bool hasAllLanes = lanesPerRow == 1 || rows * lanesPerRow == lanes;
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (dim == int64_t(dimension) || shape[dim] == 1)
      continue;
    left /= shape[dim];
    // The first extent counts on, unless lanes without a row follow.
    offsets[dim] = affine::makeComposedFoldedAffineApply(
        builder, loc, left == 1 && hasAllLanes ? row : row % shape[dim],
        {lane});
    row = row.floorDiv(shape[dim]);
  }
  SmallVector<OpFoldResult> operands = {OpFoldResult(lane)};
  AffineExpr end = builder.getAffineConstantExpr(limit.bound);
  if (auto value = dyn_cast<Value>(limit.length)) {
    end = builder.getAffineDimExpr(1);
    operands.push_back(value);
  }
  SmallVector<AffineExpr> bounds = {builder.getAffineConstantExpr(slots)};
  OpFoldResult &offset = offsets[dimension];
  if (!limit.mayBeLessThan(lanesPerRow * slots)) {
    offset = affine::makeComposedFoldedAffineApply(builder, loc, inRow * slots,
                                                   operands);
  } else {
    offset = affine::makeComposedFoldedAffineMin(
        builder, loc,
        AffineMap::get(operands.size(), 0, {inRow * slots, end}, context),
        operands);
    bounds.push_back(end - inRow * slots);
  }
  if (!hasAllLanes)
    bounds.push_back((rows * lanesPerRow - id) * slots);
  OpFoldResult &size = sizes[dimension];
  size = affine::makeComposedFoldedAffineMin(
      builder, loc, AffineMap::get(operands.size(), 0, bounds, context),
      operands);
  if (bounds.size() != 1)
    size = affine::makeComposedFoldedAffineMax(
        builder, loc,
        AffineMap::get(1, 0, {id, builder.getAffineConstantExpr(0)}, context),
        {size});
  return {std::move(offsets), std::move(sizes)};
}

Value LaneSlice::extract(OpBuilder &builder, Location loc, Value tensor) const {
  SmallVector<OpFoldResult> ones(offsets.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                        ones);
}

void LaneSlice::insert(OpBuilder &builder, Location loc, Value slice,
                       Value tensor) const {
  SmallVector<OpFoldResult> ones(offsets.size(), builder.getIndexAttr(1));
  tensor::ParallelInsertSliceOp::create(builder, loc, slice, tensor, offsets,
                                        sizes, ones);
}

LaneRows::LaneRows(RewriterBase &rewriter, Location loc,
                   const LaneLayout &layout, unsigned dimension,
                   const RowLength &length, ValueRange outputs,
                   const Sharing &sharing, std::optional<int64_t> count)
    : rewriter(rewriter), loc(loc), layout(layout), dimension(dimension),
      length(length), outputs(outputs) {
  MLIRContext *context = rewriter.getContext();
  Attribute mapping = sharing.isOfSubgroup
                          ? Attribute(gpu::GPULaneMappingAttr::get(
                                context, gpu::MappingId::LinearDim0))
                          : Attribute(gpu::GPUThreadMappingAttr::get(
                                context, gpu::MappingId::LinearDim0));
  // All lanes pass values on; nobody does if a row is a lane's own.
  int64_t numLanes = layout.lanesPerRow == 1 ? layout.rows : layout.lanes;
  auto shape = cast<RankedTensorType>(outputs.front().getType()).getShape();
  Value limit;
  RowLength written = length;
  if (auto value = dyn_cast<Value>(length.length)) {
    limit =
        arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), value);
    if (count)
      written.length = arith::MinUIOp::create(rewriter, loc, value,
                                              arith::ConstantIndexOp::create(
                                                  rewriter, loc, *count))
                           .getResult();
  }
  if (count)
    written.bound = std::min(written.bound, *count);
  forall = scf::ForallOp::create(rewriter, loc,
                                 OpFoldResult(rewriter.getIndexAttr(numLanes)),
                                 outputs, rewriter.getArrayAttr(mapping));
  forall.getTerminator()->erase();
  rewriter.setInsertionPointToEnd(forall.getBody());
  lane = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(),
                                    forall.getInductionVar(0));
  Value inRow = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  if (layout.lanesPerRow != 1)
    inRow =
        arith::AndIOp::create(rewriter, loc, lane,
                              arith::ConstantIntOp::create(
                                  rewriter, loc, layout.lanesPerRow - 1, 32));
  first = arith::MulIOp::create(
      rewriter, loc, inRow,
      arith::ConstantIntOp::create(rewriter, loc, layout.slots, 32));
  end = limit;
  if (!limit && length.bound != layout.lanesPerRow * layout.slots)
    end = arith::ConstantIntOp::create(rewriter, loc, length.bound, 32);
  loaded = layout.getSlice(rewriter, loc, shape, dimension, length,
                           forall.getInductionVar(0));
  stored = count ? layout.getSlice(rewriter, loc, shape, dimension, written,
                                   forall.getInductionVar(0))
                 : loaded;
  for (Value arg : forall.getRegionIterArgs())
    tiles.push_back(stored.extract(rewriter, loc, arg));
}

SmallVector<Value> LaneRows::getPlace(int64_t slot) {
  SmallVector<Value> place(stored.offsets.size(),
                           arith::ConstantIndexOp::create(rewriter, loc, 0));
  place[dimension] = arith::ConstantIndexOp::create(rewriter, loc, slot);
  return place;
}

/// Whether each slot of the lane has an element.
bool LaneRows::isFull(const LaneSlice &slice) {
  return slice.sizes[dimension] ==
         OpFoldResult(rewriter.getIndexAttr(layout.slots));
}

/// Whether the lane's slice has an element for `slot`; null where all have.
Value LaneRows::isOwn(const LaneSlice &slice, int64_t slot) {
  if (isFull(slice))
    return Value();
  return arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::ult,
      arith::ConstantIndexOp::create(rewriter, loc, slot),
      getValueOrCreateConstantIndexOp(rewriter, loc, slice.sizes[dimension]));
}

Value LaneRows::getPosition(int64_t slot) {
  if (slot == 0)
    return first;
  return arith::OrIOp::create(
      rewriter, loc, first,
      arith::ConstantIntOp::create(rewriter, loc, slot, 32));
}

Value LaneRows::isInRow(Value position) {
  if (!end)
    return Value();
  return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                               position, end);
}

LaneRows::Slots LaneRows::load(ValueRange inputs) {
  SmallVector<Value> sources;
  for (Value input : inputs) {
    auto output = llvm::find(outputs, input);
    sources.push_back(output == outputs.end()
                          ? loaded.extract(rewriter, loc, input)
                          : tiles[output - outputs.begin()]);
  }
  auto loadSlot = [&](int64_t slot) {
    return llvm::map_to_vector<4>(sources, [&](Value source) -> Value {
      return tensor::ExtractOp::create(rewriter, loc, source, getPlace(slot));
    });
  };
  Slots slots;
  for (int64_t slot = 0; slot < layout.slots; ++slot) {
    Value condition = isOwn(loaded, slot);
    if (!condition) {
      slots.push_back(loadSlot(slot));
      continue;
    }
    auto types = llvm::map_to_vector(inputs, [](Value input) {
      return getElementTypeOrSelf(input.getType());
    });
    auto branch = scf::IfOp::create(rewriter, loc, types, condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, loadSlot(slot));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    Elements nothing;
    for (Type type : types)
      nothing.push_back(arith::ConstantOp::create(rewriter, loc, type,
                                                  rewriter.getZeroAttr(type)));
    scf::YieldOp::create(rewriter, loc, nothing);
    slots.push_back(llvm::to_vector<4>(ValueRange(branch.getResults())));
  }
  if (isFull(loaded))
    return slots;
  // The comparator may not be defined for what is no element. Lane 0 has one,
  // and a row that is a lane's own has.
  Elements some = slots.front();
  if (layout.lanesPerRow != 1) {
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
    for (Value &element : some)
      element = shuffle(rewriter, loc, element, gpu::ShuffleMode::IDX, zero,
                        layout.lanes);
  }
  for (int64_t slot = 0; slot < layout.slots; ++slot) {
    Value condition = isOwn(loaded, slot);
    for (auto [element, other] : llvm::zip_equal(slots[slot], some))
      element =
          arith::SelectOp::create(rewriter, loc, condition, element, other);
  }
  return slots;
}

ResultRange LaneRows::store(const Slots &slots) {
  auto storeSlot = [&](int64_t slot) {
    SmallVector<Value> results;
    for (auto [element, tile] : llvm::zip_equal(slots[slot], tiles))
      results.push_back(tensor::InsertOp::create(rewriter, loc, element, tile,
                                                 getPlace(slot)));
    return results;
  };
  for (int64_t slot = 0; slot < layout.slots; ++slot) {
    Value condition = isOwn(stored, slot);
    if (!condition) {
      tiles = storeSlot(slot);
      continue;
    }
    auto branch = scf::IfOp::create(rewriter, loc, ValueRange(tiles).getTypes(),
                                    condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, storeSlot(slot));
    rewriter.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, tiles);
    tiles = llvm::to_vector(ValueRange(branch.getResults()));
  }
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  for (auto [tile, arg] : llvm::zip_equal(tiles, forall.getRegionIterArgs()))
    stored.insert(rewriter, loc, tile, arg);
  rewriter.setInsertionPointAfter(forall);
  return forall.getResults();
}
