//===- ScanByShuffles.cpp - lanes scan together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said in DistributedScan.h, with totals in registers. Every thread
// takes every step, with or without a chunk: shuffles need all lanes. Thread t
// has chunk t of those of all rows.
//
// With 1000 elements by 128 threads of subgroups of 32, chunks have 8 elements.
// Thread 50 of 125 gets the totals of lanes 17, 16, 14, 10 and 2 of its
// subgroup, which make it the total of chunks 32 to 50, and then from lane 17
// that of chunks 32 to 49. It keeps this one, and begins with it, behind the
// last total of the first subgroup.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/DistributedScan.h"
#include "Transforms/Normalize/Shuffles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

/// The most boundaries of subgroups that are inside of a row.
int64_t DistributedScan::getBoundaries() const {
  int64_t most = 0;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t first = row * chunks, last = first + chunks - 1;
    most = std::max(most, last / *lanes - first / *lanes);
  }
  return most;
}

/// The elements of a chunk that is there, and has one behind it.
DistributedScan::Elements DistributedScan::reduceChunk(Value thread,
                                                       Value number) {
  auto apply = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(rewriter, loc, expr, {thread});
  };
  AffineExpr id = rewriter.getAffineDimExpr(0), row = id.floorDiv(chunks);
  SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)),
      sizes(shape.size(), rewriter.getIndexAttr(1)), ones = sizes;
  int64_t left = rows;
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (dim == int64_t(op.getDimension()) || shape[dim] == 1)
      continue;
    left /= shape[dim];
    offsets[dim] = apply(left == 1 ? row : row % shape[dim]);
    row = row.floorDiv(shape[dim]);
  }
  Place place = {nullptr, rewriter.getIndexAttr(chunk)};
  if (end)
    place.begin = getBeginOfFollowed(number);
  else
    place = getChunk(rows == 1 ? id : id % chunks, thread);
  offsets[op.getDimension()] = place.begin;
  sizes[op.getDimension()] = place.size;
  SmallVector<Value> inputs = llvm::to_vector(op.getInputs());
  Value first = getValueOrCreateConstantIndexOp(rewriter, loc, place.begin);
  // Of one size it is a slice, by which a buffer may be cut.
  if (areChunksWhole()) {
    for (Value &input : inputs)
      input = tensor::ExtractSliceOp::create(rewriter, loc, input, offsets,
                                             sizes, ones);
    offsets.assign(shape.size(), rewriter.getIndexAttr(0));
    first = constant(0);
  }
  return reduce(
      number, getValueOrCreateConstantIndexOp(rewriter, loc, place.size),
      [&](Value inChunk) {
        SmallVector<OpFoldResult> place(offsets);
        place[op.getDimension()] = make<arith::AddIOp>(first, inChunk);
        return extract(inputs,
                       getValueOrCreateConstantIndexOp(rewriter, loc, place));
      });
}

/// The `elements` of the lane `distance` before; before the first lane there is
/// another one, which nobody uses.
DistributedScan::Elements DistributedScan::shuffleFrom(int64_t distance,
                                                       Value thread,
                                                       ValueRange elements) {
  Value lane = make<arith::AndIOp>(
      make<arith::SubIOp>(thread, constant(distance)), constant(*lanes - 1));
  lane = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), lane);
  return llvm::map_to_vector(elements, [&](Value element) {
    return shuffle(rewriter, loc, element, gpu::ShuffleMode::IDX, lane, *lanes);
  });
}

/// The total of the chunks of a row that are a subgroup's, up to that of the
/// thread; anything for the last chunk of a row, and for a thread without one.
DistributedScan::Elements DistributedScan::scanSubgroup(Value thread) {
  Value number = thread;
  if (rows != 1)
    number = make<arith::RemUIOp>(thread, constant(chunks));
  Value isNeeded =
      compare(arith::CmpIPredicate::ult, number, constant(chunks - 1));
  if (rows != 1 && rows * chunks != numThreads)
    isNeeded =
        make<arith::AndIOp>(isNeeded, compare(arith::CmpIPredicate::ult, thread,
                                              constant(rows * chunks)));
  if (end)
    isNeeded = make<arith::AndIOp>(isNeeded, isFollowed(number));
  Elements totals = choose(
      isNeeded, [&] { return reduceChunk(thread, number); },
      [&] { return makeZeros(); });
  // Chunks of the row that are before in the subgroup.
  Value before = number;
  if (getBoundaries() != 0)
    before = make<arith::MinUIOp>(before, getLane(thread));
  for (int64_t distance = 1; distance < std::min(chunks - 1, *lanes);
       distance *= 2) {
    Elements others = shuffleFrom(distance, thread, totals);
    Value hasOther =
        make<arith::AndIOp>(isNeeded, compare(arith::CmpIPredicate::uge, before,
                                              constant(distance)));
    totals = choose(
        hasOther, [&] { return op.combine(rewriter, others, totals); },
        [&] { return totals; });
  }
  return totals;
}

/// Lets the last lane of each subgroup write its total into its subgroup's
/// place in `args`: the slice of any other lane is empty.
DistributedScan::Slice
DistributedScan::insertLast(Value thread, ValueRange totals, ValueRange args) {
  AffineExpr id = rewriter.getAffineDimExpr(0);
  OpFoldResult one = rewriter.getIndexAttr(1),
               offset = affine::makeComposedFoldedAffineApply(
                   rewriter, loc, id.floorDiv(*lanes), {thread}),
               size = affine::makeComposedFoldedAffineMax(
                   rewriter, loc,
                   AffineMap::get(1, 0,
                                  {id % *lanes - (*lanes - 2),
                                   rewriter.getAffineConstantExpr(0)},
                                  rewriter.getContext()),
                   {thread});
  SmallVector<Value> slices;
  for (Value arg : args)
    slices.push_back(tensor::ExtractSliceOp::create(
        rewriter, loc, arg, ArrayRef(offset), ArrayRef(size), ArrayRef(one)));
  Value isLast =
      compare(arith::CmpIPredicate::eq, getLane(thread), constant(*lanes - 1));
  auto branch = scf::IfOp::create(rewriter, loc, ValueRange(slices).getTypes(),
                                  isLast, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> written;
  for (auto [total, slice] : llvm::zip_equal(totals, slices))
    written.push_back(tensor::InsertOp::create(rewriter, loc, total, slice,
                                               ValueRange(constant(0))));
  scf::YieldOp::create(rewriter, loc, written);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, slices);
  return {offset, size, llvm::to_vector(ValueRange(branch.getResults()))};
}

/// Lets each thread compute what comes before its chunk in its subgroup, in a
/// tensor for each operand with an element for each thread; and, where rows
/// belong to several subgroups, the last total of each, in one more.
SmallVector<Value> DistributedScan::scanInSubgroups() {
  SmallVector<int64_t> extents = {numThreads};
  if (getBoundaries() != 0)
    extents.push_back(numThreads / *lanes);
  SmallVector<Value> inits;
  for (int64_t extent : extents)
    llvm::append_range(inits, makeEmpty(extent));
  auto forall = makeForall(numThreads, inits);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(forall.getBody());
  Value thread = forall.getInductionVar(0);
  Elements totals = scanSubgroup(thread);
  Elements own = shuffleFrom(1, thread, totals);
  ValueRange args = forall.getRegionIterArgs(),
             lastArgs = args.drop_front(own.size());
  Slice last;
  if (!lastArgs.empty())
    last = insertLast(thread, totals, lastArgs);
  for (Value &element : own)
    element = tensor::FromElementsOp::create(
        rewriter, loc, RankedTensorType::get({1}, element.getType()), element);
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  OpFoldResult one = rewriter.getIndexAttr(1);
  for (auto [element, arg] : llvm::zip(own, args))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, element, arg,
                                          OpFoldResult(thread), one, one);
  for (auto [value, arg] : llvm::zip_equal(last.values, lastArgs))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, value, arg,
                                          last.offset, last.size, one);
  return llvm::to_vector(ValueRange(forall.getResults()));
}

/// What comes before chunk `number` of a row, which is the one of `thread` and
/// not the first one: the last totals of the subgroups before, and then what is
/// before in its own.
DistributedScan::Elements DistributedScan::getPrefix(Value thread, Value number,
                                                     ValueRange ownAndLast) {
  unsigned count = op.getInputs().size();
  auto getOwn = [&] { return extract(ownAndLast.take_front(count), thread); };
  ValueRange last = ownAndLast.drop_front(count);
  if (last.empty())
    return getOwn();
  Value first = getSubgroup(make<arith::SubIOp>(thread, number)),
        subgroup = getSubgroup(thread);
  return choose(
      compare(arith::CmpIPredicate::eq, first, subgroup), getOwn, [&] {
        Elements before = extract(last, first);
        if (getBoundaries() > 1)
          before = repeat(make<arith::AddIOp>(first, constant(1)), subgroup, 1,
                          before, [&](Value number, ValueRange before) {
                            return op.combine(rewriter, before,
                                              extract(last, number));
                          });
        return choose(
            compare(arith::CmpIPredicate::eq, getLane(thread), constant(0)),
            [&] { return before; },
            [&] { return op.combine(rewriter, before, getOwn()); });
      });
}

SmallVector<Value> DistributedScan::scanByShuffles() {
  SmallVector<Value> ownAndLast = scanInSubgroups();
  return scanChunks([&](Value row, Value number) {
    AffineExpr rowExpr, numberExpr;
    bindDims(rewriter.getContext(), rowExpr, numberExpr);
    OpFoldResult thread = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rowExpr * chunks + numberExpr, {row, number});
    return getPrefix(getValueOrCreateConstantIndexOp(rewriter, loc, thread),
                     number, ownAndLast);
  });
}
