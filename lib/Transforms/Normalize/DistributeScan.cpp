//===- DistributeScan.cpp - threads scan together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said in DistributedScan.h, with totals that are shared. With 128
// elements by 32 threads of subgroups of 8, chunks have 4 elements, there are
// 31 totals and 3 steps, and thread 20 begins with totals 7, 15 and 19.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/DistributedScan.h"
#include "Transforms/Normalize/Shuffles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// So few elements are not worth a step that threads take together in memory.
static constexpr int64_t kMinChunk = 4;
/// Totals that are scanned by steps where no subgroup size is known.
static constexpr int64_t kDefaultBlock = 32;

DistributedScan::DistributedScan(ScanOp op, const RowLength &rowLength,
                                 const Sharing &sharing)
    : op(op), isOfSubgroup(sharing.isOfSubgroup),
      numThreads(sharing.numThreads), loc(op.getLoc()), rewriter(op),
      shape(op.getShapedType().getShape()), length(rowLength.bound),
      end(dyn_cast<Value>(rowLength.length)) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (dim != op.getDimension())
      rows *= extent;
  if (length == 0 || rows == 0)
    return;
  bool canShuffle = llvm::all_of(op.getInputs(), [](Value input) {
    return getShuffleWords(getElementTypeOrSelf(input.getType()));
  });
  if (canShuffle)
    lanes = sharing.getLanesOfEach();
  int64_t perRow = std::max<int64_t>(1, numThreads / rows);
  chunk = std::max<int64_t>(llvm::divideCeil(length, perRow),
                            lanes == numThreads ? 1 : kMinChunk);
  chunks = llvm::divideCeil(length, chunk);
  block = isOfSubgroup ? std::max<int64_t>(1, getNumTotals())
                       : sharing.subgroupSize.value_or(kDefaultBlock);
  if (chunks == 1)
    lanes = std::nullopt;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Chunk `number`, an expression of `operands`.
DistributedScan::Place DistributedScan::getChunk(AffineExpr number,
                                                 ValueRange operands) {
  MLIRContext *context = rewriter.getContext();
  unsigned count = operands.size();
  auto getMin = [&](AffineExpr a, AffineExpr b, ArrayRef<OpFoldResult> of) {
    return affine::makeComposedFoldedAffineMin(
        rewriter, loc, AffineMap::get(of.size(), 0, {a, b}, context), of);
  };
  SmallVector<OpFoldResult> values = getAsOpFoldResult(operands);
  AffineExpr whole = rewriter.getAffineConstantExpr(chunk);
  if (!end) {
    AffineExpr tile = op.getReverse() ? chunks - 1 - number : number;
    return {affine::makeComposedFoldedAffineApply(rewriter, loc, tile * chunk,
                                                  values),
            areChunksWhole() ? OpFoldResult(rewriter.getIndexAttr(chunk))
                             : getMin(whole, length - tile * chunk, values)};
  }
  // An empty one begins at the end.
  values.push_back(end);
  OpFoldResult before =
      getMin(number * chunk, rewriter.getAffineDimExpr(count), values);
  AffineExpr d0, d1, d2;
  bindDims(context, d0, d1, d2);
  OpFoldResult size = getMin(whole, d1 - d0, {before, end});
  if (!op.getReverse())
    return {before, size};
  return {affine::makeComposedFoldedAffineApply(
              rewriter, loc, d1 - d0 - d2, {before, OpFoldResult(end), size}),
          size};
}

/// Whether there is a chunk with elements behind chunk `number` of a row.
Value DistributedScan::isFollowed(Value number) {
  Value next = make<arith::MulIOp>(make<arith::AddIOp>(number, constant(1)),
                                   constant(chunk));
  return compare(arith::CmpIPredicate::ult, next, end);
}

/// Where such a chunk begins in memory.
Value DistributedScan::getBeginOfFollowed(Value number) {
  if (!op.getReverse())
    return make<arith::MulIOp>(number, constant(chunk));
  return make<arith::SubIOp>(
      end, make<arith::MulIOp>(make<arith::AddIOp>(number, constant(1)),
                               constant(chunk)));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Anything, for what nobody needs.
DistributedScan::Elements DistributedScan::makeZeros() {
  return llvm::map_to_vector(op.getInputs(), [&](Value input) -> Value {
    Type type = getElementTypeOrSelf(input.getType());
    return arith::ConstantOp::create(rewriter, loc, type,
                                     rewriter.getZeroAttr(type));
  });
}

DistributedScan::Elements DistributedScan::choose(Value condition,
                                                  MakeElements getThen,
                                                  MakeElements getElse) {
  auto types = llvm::map_to_vector(op.getInputs(), [](Value input) {
    return getElementTypeOrSelf(input.getType());
  });
  return choose(types, condition, getThen, getElse);
}

SmallVector<Value> DistributedScan::choose(TypeRange types, Value condition,
                                           MakeElements getThen,
                                           MakeElements getElse) {
  auto branch = scf::IfOp::create(rewriter, loc, types, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  Elements elements = getThen();
  scf::YieldOp::create(rewriter, loc, elements);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  elements = getElse();
  scf::YieldOp::create(rewriter, loc, elements);
  return llvm::to_vector(ValueRange(branch.getResults()));
}

DistributedScan::Elements DistributedScan::repeat(
    Value begin, Value end, int64_t step, ValueRange carried,
    llvm::function_ref<Elements(Value number, ValueRange carried)> body) {
  auto loop =
      scf::ForOp::create(rewriter, loc, begin, end, constant(step), carried,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  Elements results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(rewriter, loc, results);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

DistributedScan::Elements DistributedScan::extract(ValueRange tensors,
                                                   ValueRange place) {
  return llvm::map_to_vector(tensors, [&](Value tensor) -> Value {
    return tensor::ExtractOp::create(rewriter, loc, tensor, place);
  });
}

/// A `forall` of all threads (lanes) without a terminator; the last extent
/// varies the fastest.
scf::ForallOp DistributedScan::makeForall(ArrayRef<int64_t> extents,
                                          ValueRange outputs) {
  MLIRContext *context = rewriter.getContext();
  SmallVector<Attribute> mapping;
  for (size_t dim = extents.size(); dim-- > 0;) {
    auto id = static_cast<gpu::MappingId>(
        static_cast<uint64_t>(gpu::MappingId::LinearDim0) + dim);
    mapping.push_back(
        isOfSubgroup ? Attribute(gpu::GPULaneMappingAttr::get(context, id))
                     : Attribute(gpu::GPUThreadMappingAttr::get(context, id)));
  }
  auto forall = scf::ForallOp::create(rewriter, loc,
                                      getAsIndexOpFoldResult(context, extents),
                                      outputs, rewriter.getArrayAttr(mapping));
  forall.getTerminator()->erase();
  return forall;
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// Lets each thread compute a total of its own; `body` is given its number and
/// that of its chunk in the row. `results` are written, and become what is in
/// them then.
void DistributedScan::forEachTotal(
    MutableArrayRef<Value> results,
    llvm::function_ref<Elements(Value number, Value chunk)> body) {
  auto forall = makeForall(getNumTotals(), results);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(forall.getBody());
  Value number = forall.getInductionVar(0), inRow = number;
  if (rows != 1)
    inRow = make<arith::RemUIOp>(number, constant(chunks - 1));
  Elements elements = body(number, inRow);
  for (Value &element : elements)
    element = tensor::FromElementsOp::create(
        rewriter, loc, RankedTensorType::get({1}, element.getType()), element);
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  OpFoldResult one = rewriter.getIndexAttr(1);
  for (auto [element, arg] :
       llvm::zip_equal(elements, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, element, arg,
                                          OpFoldResult(number), one, one);
  llvm::copy(forall.getResults(), results.begin());
}

SmallVector<Value> DistributedScan::getPlace(Value row, Value position) {
  SmallVector<Value> place(shape.size());
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (dim == int64_t(op.getDimension())) {
      place[dim] = position;
    } else if (shape[dim] == 1) {
      place[dim] = constant(0);
    } else {
      Value extent = constant(shape[dim]);
      place[dim] = make<arith::RemUIOp>(row, extent);
      row = make<arith::DivUIOp>(row, extent);
    }
  }
  return place;
}

/// Tensors of rank 1 for elements of the operands.
SmallVector<Value> DistributedScan::makeEmpty(int64_t extent) {
  return llvm::map_to_vector(op.getInputs(), [&](Value value) -> Value {
    return tensor::EmptyOp::create(rewriter, loc, extent,
                                   getElementTypeOrSelf(value.getType()));
  });
}

/// The total of chunk `inRow` of a row, which has `size` elements in the order
/// of the scan, with the initial values in the first.
DistributedScan::Elements DistributedScan::reduce(
    Value inRow, Value size,
    llvm::function_ref<Elements(Value inChunk)> getElements) {
  auto getInOrder = [&](Value inChunk) {
    if (op.getReverse())
      inChunk =
          make<arith::SubIOp>(make<arith::SubIOp>(size, constant(1)), inChunk);
    return getElements(inChunk);
  };
  Elements total =
      repeat(constant(1), size, 1, getInOrder(constant(0)),
             [&](Value inChunk, ValueRange before) {
               return op.combine(rewriter, before, getInOrder(inChunk));
             });
  if (op.getInitial().empty())
    return total;
  return choose(
      compare(arith::CmpIPredicate::eq, inRow, constant(0)),
      [&] { return op.combine(rewriter, op.getInitial(), total); },
      [&] { return total; });
}

/// The total of each chunk but the last one of a row.
SmallVector<Value> DistributedScan::reduceChunks() {
  auto reduceFrom = [&](Value begin, Value size, Value row, Value inRow) {
    return reduce(inRow, size, [&](Value inChunk) {
      return extract(op.getInputs(),
                     getPlace(row, make<arith::AddIOp>(begin, inChunk)));
    });
  };
  SmallVector<Value> totals = makeEmpty(getNumTotals());
  forEachTotal(totals, [&](Value number, Value inRow) {
    Value row = constant(0), size = constant(chunk), tile = inRow;
    if (rows != 1)
      row = make<arith::DivUIOp>(number, constant(chunks - 1));
    if (end)
      return choose(
          isFollowed(inRow),
          [&] {
            return reduceFrom(getBeginOfFollowed(inRow), size, row, inRow);
          },
          [&] { return makeZeros(); });
    if (op.getReverse())
      tile = make<arith::SubIOp>(constant(chunks - 1), inRow);
    Value begin = make<arith::MulIOp>(tile, constant(chunk));
    if (op.getReverse() && length % chunk != 0)
      size = make<arith::MinUIOp>(size,
                                  make<arith::SubIOp>(constant(length), begin));
    return reduceFrom(begin, size, row, inRow);
  });
  return totals;
}

/// One step: each total combined with that `distance` places before, if that
/// is in the row and of the same subgroup.
SmallVector<Value> DistributedScan::scanTotals(int64_t distance,
                                               ValueRange totals) {
  SmallVector<Value> results = makeEmpty(getNumTotals());
  forEachTotal(results, [&](Value number, Value inRow) {
    Elements own = extract(totals, number);
    Value inBlock = inRow;
    if (block < getNumTotals())
      inBlock = make<arith::MinUIOp>(
          inRow, make<arith::RemUIOp>(number, constant(block)));
    Value away = constant(distance);
    Value hasOther = compare(arith::CmpIPredicate::uge, inBlock, away);
    if (end)
      hasOther = make<arith::AndIOp>(hasOther, isFollowed(inRow));
    return choose(
        hasOther,
        [&] {
          Value other = make<arith::SubIOp>(number, away);
          return op.combine(rewriter, extract(totals, other), own);
        },
        [&] { return own; });
  });
  return results;
}

/// What comes before chunk `number` of `row`, which is not the first one, from
/// totals that are scanned in each subgroup.
DistributedScan::Elements
DistributedScan::getSharedPrefix(Value row, Value number, ValueRange totals) {
  Value first = make<arith::MulIOp>(row, constant(chunks - 1));
  Value last =
      make<arith::SubIOp>(make<arith::AddIOp>(first, number), constant(1));
  if (getNumTotals() <= block)
    return extract(totals, last);
  // The last totals of subgroups, and then `last`.
  Value size = constant(block);
  Value end = make<arith::SubIOp>(
      make<arith::AddIOp>(
          make<arith::MulIOp>(make<arith::DivUIOp>(first, size), size), size),
      constant(1));
  return repeat(make<arith::AddIOp>(end, size), make<arith::AddIOp>(last, size),
                block, extract(totals, make<arith::MinUIOp>(end, last)),
                [&](Value end, ValueRange before) {
                  return op.combine(
                      rewriter, before,
                      extract(totals, make<arith::MinUIOp>(end, last)));
                });
}

//===----------------------------------------------------------------------===//
// The scan of chunks
//===----------------------------------------------------------------------===//

/// Scans `size` elements, which are chunk `number` of a row, by one thread.
/// `getPrefix` makes what is before them if it is not the first one.
SmallVector<Value> DistributedScan::scanTile(Value number, Value size,
                                             MakeElements getPrefix,
                                             ValueRange inputs,
                                             ValueRange outputs) {
  unsigned count = inputs.size();
  auto getPosition = [&](Value inChunk) {
    SmallVector<Value> place(shape.size(), constant(0));
    if (op.getReverse())
      inChunk =
          make<arith::SubIOp>(make<arith::SubIOp>(size, constant(1)), inChunk);
    place[op.getDimension()] = inChunk;
    return place;
  };
  // An input that is an output is read where it is written, and before: each
  // place is written when all has been read there.
  auto getElements = [&](ValueRange tiles, ValueRange place) {
    SmallVector<Value> sources(inputs);
    for (unsigned operand = 0; operand < count; ++operand)
      if (std::optional<unsigned> output = findOutput(operand))
        sources[operand] = tiles[*output];
    return extract(sources, place);
  };
  auto insert = [&](ValueRange elements, ValueRange tiles, ValueRange place) {
    SmallVector<Value> results;
    for (auto [element, tile] : llvm::zip_equal(elements, tiles))
      results.push_back(
          tensor::InsertOp::create(rewriter, loc, element, tile, place));
    return results;
  };
  auto isNotFirst = [&] {
    return compare(arith::CmpIPredicate::ne, number, constant(0));
  };

  SmallVector<Value> tiles(outputs);
  Elements before;
  Value begin = constant(0);
  if (!op.getInitial().empty()) {
    before = llvm::to_vector(ValueRange(op.getInitial()));
    if (chunks != 1)
      before = choose(isNotFirst(), getPrefix, [&] {
        return llvm::to_vector(ValueRange(op.getInitial()));
      });
  } else {
    // The first element of a row is combined with nothing.
    SmallVector<Value> place = getPosition(begin);
    Elements first = before = getElements(tiles, place);
    if (chunks != 1)
      before = choose(
          isNotFirst(),
          [&] { return op.combine(rewriter, getPrefix(), first); },
          [&] { return first; });
    tiles = insert(before, tiles, place);
    begin = constant(1);
  }
  SmallVector<Value> carried(before);
  llvm::append_range(carried, tiles);
  carried =
      repeat(begin, size, 1, carried, [&](Value inChunk, ValueRange carried) {
        ValueRange left = carried.take_front(count),
                   tiles = carried.drop_front(count);
        SmallVector<Value> place = getPosition(inChunk);
        Elements combined =
            op.combine(rewriter, left, getElements(tiles, place));
        SmallVector<Value> written = insert(
            op.getExclusive() ? left : ValueRange(combined), tiles, place);
        llvm::append_range(combined, written);
        return combined;
      });
  return SmallVector<Value>(ArrayRef(carried).drop_front(count));
}

/// Lets each iteration of `forall` replace its slice by what `scan` makes of
/// those of the inputs and the outputs.
SmallVector<Value> DistributedScan::scanSlices(
    scf::ForallOp forall, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes,
    llvm::function_ref<SmallVector<Value>(ValueRange inputs,
                                          ValueRange outputs)>
        scan) {
  SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
  SmallVector<Value> inputs, outputs;
  auto extractSlice = [&](Value tensor) -> Value {
    return tensor::ExtractSliceOp::create(rewriter, loc, tensor, offsets, sizes,
                                          ones);
  };
  for (Value arg : forall.getRegionIterArgs())
    outputs.push_back(extractSlice(arg));
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    std::optional<unsigned> output = findOutput(number);
    inputs.push_back(output ? outputs[*output] : extractSlice(input));
  }
  SmallVector<Value> tiles = scan(inputs, outputs);
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  for (auto [tile, arg] : llvm::zip_equal(tiles, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, tile, arg, offsets,
                                          sizes, ones);
  return llvm::to_vector(ValueRange(forall.getResults()));
}

/// Each thread scans a chunk.
SmallVector<Value> DistributedScan::scanChunks(
    llvm::function_ref<Elements(Value row, Value number)> getPrefix) {
  // In the order of the memory, or in that of the lanes that pass totals on.
  SmallVector<int64_t> extents;
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (dim == op.getDimension() ? !lanes : shape[dim] != 1)
      dims.push_back(dim);
  if (lanes)
    dims.push_back(op.getDimension());
  for (unsigned dim : dims)
    extents.push_back(dim == op.getDimension() ? chunks : shape[dim]);
  auto forall = makeForall(extents, op.getOutputs());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(forall.getBody());
  SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)),
      sizes(shape.size(), rewriter.getIndexAttr(1));
  Value row = constant(0), number;
  for (auto [dim, id] : llvm::zip_equal(dims, forall.getInductionVars())) {
    if (dim != op.getDimension()) {
      offsets[dim] = id;
      row = make<arith::AddIOp>(make<arith::MulIOp>(row, constant(shape[dim])),
                                id);
      continue;
    }
    Place place = getChunk(rewriter.getAffineDimExpr(0), id);
    offsets[dim] = place.begin;
    sizes[dim] = place.size;
    number = id;
  }
  return scanSlices(
      forall, offsets, sizes,
      [&](ValueRange inputs, ValueRange outputs) -> SmallVector<Value> {
        Value size = getValueOrCreateConstantIndexOp(rewriter, loc,
                                                     sizes[op.getDimension()]);
        auto scan = [&] {
          return scanTile(
              number, size, [&] { return getPrefix(row, number); }, inputs,
              outputs);
        };
        if (!end)
          return scan();
        return choose(outputs.getTypes(),
                      compare(arith::CmpIPredicate::ne, size, constant(0)),
                      scan, [&] { return llvm::to_vector(outputs); });
      });
}

void DistributedScan::run() {
  if (chunks == 0)
    return rewriter.replaceOp(op, op.getOutputs());
  if (lanes)
    return rewriter.replaceOp(op, scanByShuffles());
  SmallVector<Value> totals;
  if (chunks > 1) {
    totals = reduceChunks();
    for (int64_t distance = 1; distance < std::min(block, chunks - 1);
         distance *= 2)
      totals = scanTotals(distance, totals);
  }
  rewriter.replaceOp(op, scanChunks([&](Value row, Value number) {
                       return getSharedPrefix(row, number, totals);
                     }));
}

LogicalResult memspace::distributeScan(ScanOp op, const RowLength &length,
                                       const Sharing &sharing) {
  if (op.getShapedType().getRank() > 10)
    return op.emitOpError("of ")
           << op.getShapedType()
           << " cannot be shared by the threads: a 'scf.forall' has at most 10 "
              "dimensions; collapse dimensions that are not scanned";
  // Chunks without elements have a total, too.
  Builder builder(op.getContext());
  if (isa<Value>(length.length))
    for (Value input : op.getInputs())
      if (Type type = getElementTypeOrSelf(input.getType());
          !builder.getZeroAttr(type))
        return op.emitOpError("of elements of ")
               << type
               << " cannot be shared by the threads where the length is not "
                  "static; scan the parts of these elements, or pad the rows";
  DistributedScan(op, length, sharing).run();
  return success();
}
