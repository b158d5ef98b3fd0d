//===- SortNetwork.cpp - threads sort together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batcher's bitonic network ("Sorting networks and their applications", 1968),
// in the form in which every comparison puts the smaller element first: the
// first step of a merge compares an element with its mirror image in the block,
// the later ones with the one a power of two away. So what lies behind the end
// of a row may be anything: it is compared with nothing, and stays there.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Builds the network of one sort.
class SortNetwork {
public:
  SortNetwork(SortOp op, bool isOfSubgroup, std::optional<int64_t> subgroupSize)
      : op(op), isOfSubgroup(isOfSubgroup), subgroupSize(subgroupSize),
        loc(op.getLoc()), rewriter(op), shape(op.getShapedType().getShape()) {
    length = shape[op.getDimension()];
    tile = length > 1 ? int64_t(llvm::PowerOf2Ceil(length)) : length;
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (dim != op.getDimension())
        rows *= extent;
  }

  void run();

private:
  /// The elements of all operands at one place.
  using Elements = SmallVector<Value, 4>;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  template <typename OpT> Value make(Value left, Value right) {
    return OpT::create(rewriter, loc, left, right);
  }
  Value makeTile(Type type,
                 llvm::function_ref<Value(OpBuilder &, MutableArrayRef<Value>)>
                     getElement);
  Value load(Value input);
  Value makePositions();
  SmallVector<Value> merges(int64_t begin, int64_t end, int64_t local,
                            SmallVector<Value> tiles);
  SmallVector<Value> steps(Value merge, Value begin, Value end,
                           ValueRange tiles);
  SmallVector<Value> step(Value merge, Value number, ValueRange tiles);
  void compare(Value merge, Value number, Value pair, ValueRange tiles);
  Value comesBefore(const Elements &left, const Elements &right);
  SmallVector<OpFoldResult> getPlace(Value row, Value position);

  SortOp op;
  bool isOfSubgroup;
  std::optional<int64_t> subgroupSize;
  Location loc;
  IRRewriter rewriter;
  ArrayRef<int64_t> shape;
  int64_t length = 0, tile = 0, rows = 1;
};
} // namespace

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// A tile whose rows have a power of two elements; `getElement` is given the
/// indices of one.
Value SortNetwork::makeTile(
    Type type,
    llvm::function_ref<Value(OpBuilder &, MutableArrayRef<Value>)> getElement) {
  SmallVector<int64_t> extents(shape);
  extents[op.getDimension()] = tile;
  Value empty = tensor::EmptyOp::create(rewriter, loc, extents, type);
  AffineMap map = rewriter.getMultiDimIdentityMap(shape.size());
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), ValueRange(), empty, map, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange) {
        SmallVector<Value> place;
        for (unsigned dim = 0; dim < shape.size(); ++dim)
          place.push_back(linalg::IndexOp::create(builder, loc, dim));
        linalg::YieldOp::create(builder, loc, getElement(builder, place));
      });
  return generic.getResult(0);
}

/// `input` in a tile. What is behind the end of a row is its last element
/// again.
Value SortNetwork::load(Value input) {
  Type type = cast<RankedTensorType>(input.getType()).getElementType();
  if (tile == length) {
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type);
    return linalg::CopyOp::create(rewriter, loc, input, empty).getResult(0);
  }
  Value last = constant(length - 1);
  return makeTile(
      type, [&](OpBuilder &builder, MutableArrayRef<Value> place) -> Value {
        Value &position = place[op.getDimension()];
        position = arith::MinUIOp::create(builder, loc, position, last);
        return tensor::ExtractOp::create(builder, loc, input, place);
      });
}

/// The position of each element in its row.
Value SortNetwork::makePositions() {
  Type type = rewriter.getI32Type();
  return makeTile(
      type, [&](OpBuilder &builder, MutableArrayRef<Value> place) -> Value {
        return arith::IndexCastOp::create(builder, loc, type,
                                          place[op.getDimension()]);
      });
}

/// Whether the element with payloads `left` comes before `right`.
Value SortNetwork::comesBefore(const Elements &left, const Elements &right) {
  auto ask = [&](const Elements &a, const Elements &b) {
    IRMapping mapping;
    for (unsigned number = 0; number < op.getInputs().size(); ++number) {
      mapping.map(op.getLeft(number), a[number]);
      mapping.map(op.getRight(number), b[number]);
    }
    Block &body = op.getComparator().front();
    for (Operation &inner : body.without_terminator())
      rewriter.clone(inner, mapping);
    return mapping.lookupOrDefault(
        cast<memspace::YieldOp>(body.getTerminator()).getValue());
  };
  Value before = ask(left, right);
  if (!op.getStable())
    return before;
  // Of two that are equal the one that was first.
  Value after = ask(right, left);
  Value isFirst = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, left.back(), right.back());
  Value isTrue = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
  Value isNotAfter = make<arith::XOrIOp>(after, isTrue);
  return make<arith::OrIOp>(before, make<arith::AndIOp>(isNotAfter, isFirst));
}

SmallVector<OpFoldResult> SortNetwork::getPlace(Value row, Value position) {
  SmallVector<OpFoldResult> place(shape.size());
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (dim == int64_t(op.getDimension())) {
      place[dim] = position;
    } else if (shape[dim] == 1) {
      place[dim] = rewriter.getIndexAttr(0);
    } else {
      Value extent = constant(shape[dim]);
      place[dim] = make<arith::RemUIOp>(row, extent);
      row = make<arith::DivUIOp>(row, extent);
    }
  }
  return place;
}

/// Compares the elements of one pair in step `number` of a merge, and puts them
/// in order. Pairs are counted through all rows.
void SortNetwork::compare(Value merge, Value number, Value pair,
                          ValueRange tiles) {
  Value one = constant(1), half = constant(tile / 2);
  Value row = constant(0), inRow = pair;
  if (rows != 1) {
    row = make<arith::DivUIOp>(pair, half);
    inRow = make<arith::RemUIOp>(pair, half);
  }
  // Blocks of twice the distance.
  Value distance = make<arith::ShLIOp>(one, make<arith::SubIOp>(merge, number));
  Value block = make<arith::ShLIOp>(distance, one);
  Value begin =
      make<arith::MulIOp>(make<arith::DivUIOp>(inRow, distance), block);
  Value offset = make<arith::RemUIOp>(inRow, distance);
  Value lower = make<arith::AddIOp>(begin, offset);
  Value away = make<arith::AddIOp>(lower, distance);
  Value last = make<arith::SubIOp>(make<arith::AddIOp>(begin, block), one);
  Value mirrored = make<arith::SubIOp>(last, offset);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        number, constant(0));
  Value upper = arith::SelectOp::create(rewriter, loc, isFirst, mirrored, away);

  SmallVector<OpFoldResult> places[] = {getPlace(row, lower),
                                        getPlace(row, upper)};
  Elements left, right;
  for (Value tensor : tiles)
    for (auto [elements, place] :
         {std::pair(&left, &places[0]), std::pair(&right, &places[1])})
      elements->push_back(tensor::ExtractOp::create(
          rewriter, loc, tensor,
          getValueOrCreateConstantIndexOp(rewriter, loc, *place)));
  Value swap = comesBefore(right, left);
  if (tile != length) {
    Value isInRow = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, upper, constant(length));
    swap = make<arith::AndIOp>(isInRow, swap);
  }
  SmallVector<std::pair<Value, unsigned>> results;
  for (unsigned number = 0; number < tiles.size(); ++number)
    for (unsigned side : {0, 1}) {
      Value stays = side == 0 ? left[number] : right[number];
      Value comes = side == 0 ? right[number] : left[number];
      Value element =
          arith::SelectOp::create(rewriter, loc, swap, comes, stays);
      SmallVector<int64_t> unit(shape.size(), 1);
      auto slice = RankedTensorType::get(unit, element.getType());
      results.emplace_back(
          tensor::FromElementsOp::create(rewriter, loc, slice, element), side);
    }
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
  for (auto [number, result] : llvm::enumerate(results))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, result.first,
                                          tiles[number / 2],
                                          places[result.second], ones, ones);
}

/// One step of a merge, by all threads.
SmallVector<Value> SortNetwork::step(Value merge, Value number,
                                     ValueRange tiles) {
  MLIRContext *context = rewriter.getContext();
  Attribute mapping = isOfSubgroup ? Attribute(gpu::GPULaneMappingAttr::get(
                                         context, gpu::MappingId::LinearDim0))
                                   : Attribute(gpu::GPUThreadMappingAttr::get(
                                         context, gpu::MappingId::LinearDim0));
  OpFoldResult count = rewriter.getIndexAttr(rows * (tile / 2));
  auto forall = scf::ForallOp::create(rewriter, loc, count, tiles,
                                      rewriter.getArrayAttr(mapping));
  OpBuilder::InsertionGuard guard(rewriter);
  forall.getTerminator()->erase();
  rewriter.setInsertionPointToEnd(forall.getBody());
  compare(merge, number, forall.getInductionVar(0), forall.getRegionIterArgs());
  return llvm::to_vector(ValueRange(forall.getResults()));
}

/// The steps from `begin` to `end` of a merge.
SmallVector<Value> SortNetwork::steps(Value merge, Value begin, Value end,
                                      ValueRange tiles) {
  auto loop = scf::ForOp::create(
      rewriter, loc, begin, end, constant(1), tiles,
      [&](OpBuilder &builder, Location loc, Value number, ValueRange args) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                   builder.getInsertionPoint());
        SmallVector<Value> results = step(merge, number, args);
        builder.setInsertionPointToEnd(builder.getInsertionBlock());
        scf::YieldOp::create(builder, loc, results);
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

/// The merges from `begin` to `end`; merge `m` makes rows of 2 << m elements.
/// The last `local` steps of each are in a loop of their own, if it is not 0.
SmallVector<Value> SortNetwork::merges(int64_t begin, int64_t end,
                                       int64_t local,
                                       SmallVector<Value> tiles) {
  if (begin >= end)
    return tiles;
  auto loop = scf::ForOp::create(
      rewriter, loc, constant(begin), constant(end), constant(1), tiles,
      [&](OpBuilder &builder, Location loc, Value merge, ValueRange args) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(builder.getInsertionBlock(),
                                   builder.getInsertionPoint());
        Value first = constant(0),
              last = make<arith::AddIOp>(merge, constant(1));
        SmallVector<Value> results(args);
        if (local != 0) {
          Value middle = make<arith::SubIOp>(last, constant(local));
          results = steps(merge, first, middle, results);
          first = middle;
        }
        results = steps(merge, first, last, results);
        builder.setInsertionPointToEnd(builder.getInsertionBlock());
        scf::YieldOp::create(builder, loc, results);
      });
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void SortNetwork::run() {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> tiles;
  for (Value input : op.getInputs())
    tiles.push_back(load(input));
  if (length > 1 && rows > 0) {
    if (op.getStable())
      tiles.push_back(makePositions());
    int64_t count = llvm::Log2_64(tile), local = count;
    // Blocks of 2 elements for each lane stay in one subgroup.
    if (!isOfSubgroup && subgroupSize && llvm::isPowerOf2_64(*subgroupSize))
      local = std::min<int64_t>(count, llvm::Log2_64(*subgroupSize) + 1);
    tiles = merges(0, local, 0, tiles);
    tiles = merges(local, count, local, tiles);
  }
  SmallVector<Value> results;
  for (auto [number, output] : llvm::enumerate(op.getOutputs())) {
    Value sorted = tiles[number];
    if (tile != length) {
      SmallVector<OpFoldResult> zeros(shape.size(), rewriter.getIndexAttr(0)),
          ones(shape.size(), rewriter.getIndexAttr(1)), sizes;
      for (int64_t extent : shape)
        sizes.push_back(rewriter.getIndexAttr(extent));
      sorted = tensor::ExtractSliceOp::create(rewriter, loc, sorted, zeros,
                                              sizes, ones);
    }
    results.push_back(
        linalg::CopyOp::create(rewriter, loc, sorted, output).getResult(0));
  }
  rewriter.replaceOp(op, results);
}

LogicalResult memspace::distributeSort(SortOp op, const Sharing &sharing) {
  if (!op.getShapedType().hasStaticShape())
    return op.emitOpError("of ")
           << op.getShapedType()
           << " cannot be shared by the threads: its extents must be static; "
              "tile the rows, or pad the sorted dimension to a constant with "
              "a key that comes last";
  SortNetwork(op, sharing.isOfSubgroup, sharing.subgroupSize).run();
  return success();
}
