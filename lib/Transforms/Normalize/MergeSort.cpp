//===- MergeSort.cpp - threads that merge sorted runs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/MergeSort.h"
#include "IR/Payload.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "Transforms/Normalize/BitonicNetwork.h"
#include "Transforms/Normalize/Orders.h"
#include "Transforms/Normalize/Shuffles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using arith::CmpIPredicate;

/// Elements that a thread has at least, if its registers hold them: fewer and
/// longer chunks take fewer searches.
static constexpr int64_t kMinChunk = 4;

//===----------------------------------------------------------------------===//
// Whether to merge
//===----------------------------------------------------------------------===//

static SmallVector<Type> getMovedTypes(const MergeSort::Problem &problem) {
  if (problem.positionType)
    return {problem.positionType};
  return llvm::map_to_vector(problem.inputs, [](Value input) {
    return getElementTypeOrSelf(input.getType());
  });
}

/// Whether the comparator uses an element of each of the inputs.
static SmallVector<bool> getCompared(const MergeSort::Problem &problem) {
  SmallVector<bool> isCompared;
  Block &body = problem.comparator.front();
  for (unsigned number = 0; number < problem.inputs.size(); ++number)
    isCompared.push_back(!body.getArgument(2 * number).use_empty() ||
                         !body.getArgument(2 * number + 1).use_empty());
  return isCompared;
}

/// Rounds until chunks are a row.
static int64_t getRounds(const LaneLayout &layout) {
  return llvm::Log2_64_Ceil(layout.lanesPerRow);
}

/// Accesses of a thread, and its barriers.
static int64_t getMergeWork(const MergeSort::Problem &problem,
                            const LaneLayout &layout, int64_t numTiles,
                            int64_t barrierWork, const Sharing &sharing) {
  int64_t lookups = problem.positionType ? problem.inputs.size() : 0;
  int64_t keys = llvm::count(getCompared(problem), true);
  int64_t compared = problem.positionType ? 1 + keys : keys;
  int64_t chunks = llvm::divideCeil(layout.lanes, sharing.numThreads);
  int64_t rounds = getRounds(layout);
  int64_t accesses = layout.slots * numTiles;
  for (int64_t round = 0; round < rounds; ++round) {
    int64_t searched = llvm::Log2_64_Ceil(layout.slots << round) + 1;
    accesses += searched * 2 * compared + compared +
                layout.slots * (2 * numTiles + lookups);
  }
  // Positions have a copy of their own to where they go.
  int64_t barriers = problem.positionType ? rounds + 1 : rounds;
  return chunks * accesses + barriers * barrierWork;
}

std::optional<LaneLayout> MergeSort::getLayout(const Problem &problem,
                                               bool isStable,
                                               const Sharing &sharing) {
  int64_t bound = problem.length.bound, rows = 1, words = 0;
  if (sharing.isOfSubgroup || bound < 2 || !sharing.freeBytes ||
      !isCertainlyOrder(problem.comparator))
    return std::nullopt;
  for (auto [dim, extent] : llvm::enumerate(problem.shape))
    if (dim != problem.dimension)
      rows *= extent;
  SmallVector<Type> moved = getMovedTypes(problem), held = moved;
  if (problem.positionType)
    for (Value input : problem.inputs)
      held.push_back(getElementTypeOrSelf(input.getType()));
  for (Type type : held) {
    std::optional<int64_t> typeWords = getShuffleWords(type);
    if (!typeWords)
      return std::nullopt;
    words += *typeWords;
  }
  int64_t slots = std::max<int64_t>(
      kMinChunk, llvm::divideCeil(rows * bound, sharing.numThreads));
  slots = std::min({slots, bound, std::max<int64_t>(1, kMaxLaneWords / words)});
  int64_t chunks = llvm::divideCeil(bound, slots);
  LaneLayout layout{rows * chunks, rows, chunks, slots};
  if (rows == 0 || chunks == 1)
    return std::nullopt;
  bool needsPosition = isStable && !problem.positionType;
  int64_t networkElements = rows * llvm::PowerOf2Ceil(bound), bytes = 0,
          networkBytes = needsPosition ? 4 * networkElements : 0;
  for (Type type : moved) {
    std::optional<int64_t> element = getElementBytes(type, sharing.target);
    if (!element)
      return std::nullopt;
    bytes += 2 * llvm::alignTo(layout.lanes * slots * *element,
                               getBufferAlignment(type, sharing.target));
    networkBytes += networkElements * *element;
  }
  // An opt-in for more memory is not asked for on account of the second tile.
  int64_t freeBytes = *sharing.freeBytes;
  if (networkBytes > sharing.target.workgroupBytes)
    freeBytes +=
        sharing.target.maxWorkgroupBytes - sharing.target.workgroupBytes;
  if (bytes > freeBytes)
    return std::nullopt;
  // A barrier counts as in the choice of memory spaces.
  int64_t barrierWork = MemorySpaceOptions(sharing.target).barrierWork;
  int64_t lookups = problem.positionType ? problem.inputs.size() : 0;
  int64_t network = BitonicNetwork::getWork(
      rows, bound, moved.size() + needsPosition, lookups, barrierWork, sharing);
  int64_t merge =
      getMergeWork(problem, layout, moved.size(), barrierWork, sharing);
  // The second tile has to be worth it.
  if (4 * merge > 3 * network)
    return std::nullopt;
  return layout;
}

//===----------------------------------------------------------------------===//
// Parts of the code
//===----------------------------------------------------------------------===//

MergeSort::MergeSort(RewriterBase &rewriter, Location loc,
                     const Problem &problem, const LaneLayout &layout)
    : rewriter(rewriter), loc(loc), problem(problem), layout(layout),
      types(getMovedTypes(problem)), isCompared(getCompared(problem)),
      tile(layout.lanesPerRow * layout.slots) {
  length =
      getValueOrCreateConstantIndexOp(rewriter, loc, problem.length.length);
  last = make<arith::SubIOp>(length, constant(1));
}

Value MergeSort::constant(int64_t value) {
  return arith::ConstantIndexOp::create(rewriter, loc, value);
}

Value MergeSort::compareIntegers(CmpIPredicate predicate, Value left,
                                 Value right) {
  return arith::CmpIOp::create(rewriter, loc, predicate, left, right);
}

/// `position`, or `limit` if that is before it.
Value MergeSort::clamp(Value position, Value limit) {
  return make<arith::MinUIOp>(position, limit);
}

SmallVector<Value> MergeSort::makeTiles() {
  SmallVector<int64_t> shape(problem.shape);
  shape[problem.dimension] = tile;
  return llvm::map_to_vector(types, [&](Type type) -> Value {
    return tensor::EmptyOp::create(rewriter, loc, shape, type);
  });
}

/// Begins a `forall` of all chunks, which writes tiles or the outputs. The
/// rewriter then stands in it.
MergeSort::Chunk MergeSort::begin(ValueRange outputs, bool areTiles) {
  Attribute mapping = gpu::GPUThreadMappingAttr::get(
      rewriter.getContext(), gpu::MappingId::LinearDim0);
  OpFoldResult chunks = rewriter.getIndexAttr(layout.lanes);
  auto forall = scf::ForallOp::create(rewriter, loc, chunks, outputs,
                                      rewriter.getArrayAttr(mapping));
  forall.getTerminator()->erase();
  rewriter.setInsertionPointToEnd(forall.getBody());
  Value lane = forall.getInductionVar(0), number = lane;
  if (layout.rows != 1)
    number = affine::AffineApplyOp::create(
        rewriter, loc, rewriter.getAffineDimExpr(0) % layout.lanesPerRow, lane);
  auto shape = cast<RankedTensorType>(outputs[0].getType()).getShape();
  RowLength written = problem.length;
  if (areTiles)
    written = {rewriter.getIndexAttr(tile), tile};
  // Not more than there is room for.
  for (Value output : outputs) {
    int64_t extent =
        cast<RankedTensorType>(output.getType()).getDimSize(problem.dimension);
    if (isa<Value>(written.length) && !ShapedType::isDynamic(extent))
      written = {
          make<arith::MinUIOp>(cast<Value>(written.length), constant(extent)),
          std::min(extent, written.bound)};
  }
  LaneSlice slice =
      layout.getSlice(rewriter, loc, shape, problem.dimension, written, lane);
  Value count = getValueOrCreateConstantIndexOp(rewriter, loc,
                                                slice.sizes[problem.dimension]);
  // Nothing is needed behind the end of a row.
  if (areTiles && mayEnd())
    count = make<arith::MinSIOp>(
        count,
        make<arith::SubIOp>(
            length, make<arith::MulIOp>(number, constant(layout.slots))));
  return {forall, number, std::move(slice), count};
}

/// Ends it, with the chunk's part of each output.
SmallVector<Value> MergeSort::end(const Chunk &chunk, ValueRange slices) {
  scf::ForallOp forall = chunk.forall;
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  for (auto [slice, output] :
       llvm::zip_equal(slices, forall.getRegionIterArgs()))
    chunk.slice.insert(rewriter, loc, slice, output);
  rewriter.setInsertionPointAfter(forall);
  return llvm::to_vector(ValueRange(forall.getResults()));
}

/// The element of `tensor` at `position` of the chunk's row.
Value MergeSort::extract(Value tensor, const Chunk &chunk, Value position) {
  return extractAt(rewriter, loc, tensor, chunk.slice.offsets,
                   problem.dimension, position);
}

MergeSort::Record MergeSort::readInputs(const Chunk &chunk, Value position) {
  Record record;
  for (auto [input, isNeeded] : llvm::zip_equal(problem.inputs, isCompared))
    record.push_back(isNeeded || !isOfPositions()
                         ? extract(input, chunk, position)
                         : Value());
  if (isOfPositions())
    record.push_back(castIndex(rewriter, loc, position, problem.positionType));
  return record;
}

/// What is compared of the element at `position` of the tiles.
MergeSort::Record MergeSort::readTiles(ValueRange tiles, const Chunk &chunk,
                                       Value position) {
  Record record;
  ValueRange sources = isOfPositions() ? problem.inputs : tiles;
  Value moved;
  if (isOfPositions())
    position = moved = extract(tiles[0], chunk, position);
  for (auto [source, isNeeded] : llvm::zip_equal(sources, isCompared))
    record.push_back(isNeeded ? extract(source, chunk, position) : Value());
  if (moved)
    record.push_back(moved);
  return record;
}

Value MergeSort::comesBefore(const Record &left, const Record &right) {
  ArrayRef<Value> a = left, b = right;
  unsigned count = problem.inputs.size();
  return inlineComparator(rewriter, problem.comparator, a.take_front(count),
                          b.take_front(count));
}

//===----------------------------------------------------------------------===//
// The sort
//===----------------------------------------------------------------------===//

/// Neighbours that are not in order are exchanged, every second pair at a time:
/// that is stable.
SmallVector<Value> MergeSort::sortChunks() {
  Chunk chunk = begin(makeTiles(), /*areTiles=*/true);
  int64_t count = layout.slots;
  Value first = make<arith::MulIOp>(chunk.number, constant(count));
  SmallVector<Value> positions;
  SmallVector<Record> records;
  for (int64_t slot = 0; slot < count; ++slot) {
    positions.push_back(make<arith::AddIOp>(first, constant(slot)));
    records.push_back(readInputs(chunk, mayEnd() ? clamp(positions.back(), last)
                                                 : positions.back()));
  }
  for (int64_t pass = 0; pass < count; ++pass)
    for (int64_t slot = pass % 2; slot + 1 < count; slot += 2) {
      Record &left = records[slot], &right = records[slot + 1];
      Value swap = comesBefore(right, left);
      if (mayEnd())
        swap = make<arith::AndIOp>(
            compareIntegers(CmpIPredicate::ult, positions[slot + 1], length),
            swap);
      for (auto [a, b] : llvm::zip_equal(left, right)) {
        if (!a)
          continue;
        Value low = arith::SelectOp::create(rewriter, loc, swap, b, a);
        b = arith::SelectOp::create(rewriter, loc, swap, a, b);
        a = low;
      }
    }
  SmallVector<Value> slices;
  for (auto [number, output] :
       llvm::enumerate(chunk.forall.getRegionIterArgs())) {
    Value slice = chunk.slice.extract(rewriter, loc, output);
    SmallVector<Value> place(problem.shape.size(), constant(0));
    for (auto [slot, record] : llvm::enumerate(records)) {
      place[problem.dimension] = constant(slot);
      slice = tensor::InsertOp::create(
          rewriter, loc, isOfPositions() ? record.back() : record[number],
          slice, place);
    }
    slices.push_back(slice);
  }
  return end(chunk, slices);
}

/// How many elements of the run at `left` are before the diagonal: from `low`
/// to `high`; `right` is where the other run would be on it without one of
/// those.
Value MergeSort::search(ValueRange tiles, const Chunk &chunk, Value left,
                        Value right, Value low, Value high) {
  Type index = rewriter.getIndexType();
  auto loop = scf::WhileOp::create(rewriter, loc, TypeRange{index, index},
                                   ValueRange{low, high});
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.createBlock(&loop.getBefore(), {}, {index, index}, {loc, loc});
  ValueRange bounds = loop.getBeforeArguments();
  scf::ConditionOp::create(
      rewriter, loc, compareIntegers(CmpIPredicate::slt, bounds[0], bounds[1]),
      bounds);
  rewriter.createBlock(&loop.getAfter(), {}, {index, index}, {loc, loc});
  low = loop.getAfterArguments()[0];
  high = loop.getAfterArguments()[1];
  Value middle =
      make<arith::ShRUIOp>(make<arith::AddIOp>(low, high), constant(1));
  Value next = make<arith::AddIOp>(middle, constant(1));
  Record ofLeft = readTiles(tiles, chunk, make<arith::AddIOp>(left, middle));
  Record ofRight = readTiles(tiles, chunk, make<arith::SubIOp>(right, next));
  Value isBehind = comesBefore(ofRight, ofLeft);
  low = arith::SelectOp::create(rewriter, loc, isBehind, low, next);
  high = arith::SelectOp::create(rewriter, loc, isBehind, middle, high);
  scf::YieldOp::create(rewriter, loc, ValueRange{low, high});
  return loop.getResult(0);
}

/// The elements of a chunk, from two runs.
SmallVector<Value> MergeSort::mergeChunk(ValueRange tiles, const Chunk &chunk,
                                         ValueRange slices, Value left,
                                         Value leftEnd, Value right,
                                         Value rightEnd) {
  Record ofLeft = readTiles(tiles, chunk, clamp(left, last));
  Record ofRight = readTiles(tiles, chunk, clamp(right, last));
  // What the loop carries: slices, the places, the two records.
  SmallVector<Value> carried(slices);
  carried.append({left, right});
  for (const Record &record : {ofLeft, ofRight})
    llvm::copy_if(record, std::back_inserter(carried),
                  [](Value value) { return bool(value); });
  auto loop = scf::ForOp::create(rewriter, loc, constant(0), chunk.count,
                                 constant(1), carried);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  ValueRange args = loop.getRegionIterArgs();
  unsigned numSlices = slices.size();
  left = args[numSlices];
  right = args[numSlices + 1];
  unsigned used = numSlices + 2;
  for (Record *record : {&ofLeft, &ofRight})
    for (Value &value : *record)
      if (value)
        value = args[used++];
  // Of two that are equal the left one is first.
  Value isTrue = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
  Value hasLeft = compareIntegers(CmpIPredicate::slt, left, leftEnd);
  Value hasNoRight = compareIntegers(CmpIPredicate::sge, right, rightEnd);
  Value isNotBehind = make<arith::XOrIOp>(comesBefore(ofRight, ofLeft), isTrue);
  Value isLeft =
      make<arith::AndIOp>(hasLeft, make<arith::OrIOp>(hasNoRight, isNotBehind));
  auto choose = [&](Value ifLeft, Value ifRight) -> Value {
    return arith::SelectOp::create(rewriter, loc, isLeft, ifLeft, ifRight);
  };
  Value from = choose(left, right);
  SmallVector<Value> place(problem.shape.size(), constant(0)), results;
  place[problem.dimension] = loop.getInductionVar();
  for (unsigned number = 0; number < numSlices; ++number) {
    unsigned inRecord = isOfPositions() ? ofLeft.size() - 1 : number;
    Value element = ofLeft[inRecord]
                        ? choose(ofLeft[inRecord], ofRight[inRecord])
                        : extract(tiles[number], chunk, from);
    results.push_back(
        tensor::InsertOp::create(rewriter, loc, element, args[number], place));
  }
  Value next = make<arith::AddIOp>(from, constant(1));
  Record following = readTiles(tiles, chunk, clamp(next, last));
  results.append({choose(next, left), choose(right, next)});
  for (auto [value, old] : llvm::zip_equal(following, ofLeft))
    if (value)
      results.push_back(choose(value, old));
  for (auto [value, old] : llvm::zip_equal(following, ofRight))
    if (value)
      results.push_back(choose(old, value));
  scf::YieldOp::create(rewriter, loc, results);
  return llvm::to_vector(ValueRange(loop.getResults()).take_front(numSlices));
}

/// Merges each two runs of 1 << `round` chunks.
SmallVector<Value> MergeSort::merge(ValueRange tiles, ValueRange outputs,
                                    bool areTiles, Value round) {
  Chunk chunk = begin(outputs, areTiles);
  auto position = [&](Value number) -> Value {
    Value at = make<arith::MulIOp>(number, constant(layout.slots));
    return mayEnd() || !llvm::isPowerOf2_64(layout.lanesPerRow)
               ? clamp(at, length)
               : at;
  };
  Value one = constant(1), run = make<arith::ShLIOp>(one, round);
  Value both = make<arith::ShLIOp>(run, one);
  Value inBoth = make<arith::RemUIOp>(chunk.number, both);
  Value number = make<arith::SubIOp>(chunk.number, inBoth);
  Value left = position(number);
  Value right = position(make<arith::AddIOp>(number, run));
  Value rightEnd = position(make<arith::AddIOp>(number, both));
  // Elements of both runs before the chunk.
  Value diagonal = make<arith::SubIOp>(position(chunk.number), left);
  Value rightSize = make<arith::SubIOp>(rightEnd, right);
  Value low = make<arith::MaxSIOp>(make<arith::SubIOp>(diagonal, rightSize),
                                   constant(0));
  Value high = make<arith::MinSIOp>(diagonal, make<arith::SubIOp>(right, left));
  Value fromLeft = search(tiles, chunk, left,
                          make<arith::AddIOp>(right, diagonal), low, high);
  Value fromRight = make<arith::SubIOp>(diagonal, fromLeft);
  SmallVector<Value> slices;
  for (Value output : chunk.forall.getRegionIterArgs())
    slices.push_back(chunk.slice.extract(rewriter, loc, output));
  slices = mergeChunk(tiles, chunk, slices, make<arith::AddIOp>(left, fromLeft),
                      right, make<arith::AddIOp>(right, fromRight), rightEnd);
  return end(chunk, slices);
}

SmallVector<Value> MergeSort::sort(ValueRange outputs) {
  SmallVector<Value> tiles = sortChunks();
  // Keys that are looked up must not be written over before the last one.
  int64_t rounds = getRounds(layout),
          inTiles = isOfPositions() ? rounds : rounds - 1;
  if (inTiles > 1) {
    // There and back.
    auto loop =
        scf::ForOp::create(rewriter, loc, constant(0),
                           constant(inTiles / 2 * 2), constant(2), tiles);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    ValueRange args = loop.getRegionIterArgs();
    Value round = loop.getInductionVar();
    SmallVector<Value> others =
        merge(args, makeTiles(), /*areTiles=*/true, round);
    Value next = make<arith::AddIOp>(round, constant(1));
    scf::YieldOp::create(rewriter, loc,
                         merge(others, args, /*areTiles=*/true, next));
    tiles = llvm::to_vector(ValueRange(loop.getResults()));
  }
  if (inTiles % 2 != 0)
    tiles = merge(tiles, makeTiles(), /*areTiles=*/true, constant(inTiles - 1));
  if (!isOfPositions())
    return merge(tiles, outputs, /*areTiles=*/false, constant(rounds - 1));
  RowTiles rows(rewriter, loc, problem.shape, problem.dimension, problem.length,
                tile);
  return {rows.store(tiles[0], outputs[0])};
}
