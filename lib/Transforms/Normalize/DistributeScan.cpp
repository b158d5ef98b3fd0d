//===- DistributeScan.cpp - threads scan together -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reduce, then scan: each row is cut into chunks, one for each thread.
//
//   1. Each thread combines the elements of its chunk to a total. Nobody needs
//      the total of the last chunk.
//   2. The totals of each subgroup are scanned by Hillis and Steele's steps
//      ("Data parallel algorithms", 1986): in step d each total is combined
//      with the one d places before it, in a tensor of its own for each step.
//      No thread needs what another subgroup has written.
//   3. Each thread combines the last totals of the subgroups before it and the
//      total just before its chunk, and scans its chunk from there on.
//
// Only the totals are shared, and only step 3 waits for other subgroups. With
// 128 elements by 32 threads of subgroups of 8, chunks have 4 elements, there
// are 31 totals and 3 steps, and thread 20 begins with totals 7, 15 and 19.
//
// Chunks are counted in the order of the scan, tiles in that of the memory.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// So few elements are not worth a step that threads take together.
static constexpr int64_t kMinChunk = 4;
/// Totals that are scanned by steps where no subgroup size is known.
static constexpr int64_t kDefaultBlock = 32;

namespace {
class DistributedScan {
public:
  DistributedScan(ScanOp op, const Sharing &sharing)
      : op(op), isOfSubgroup(sharing.isOfSubgroup), loc(op.getLoc()),
        rewriter(op), shape(op.getShapedType().getShape()) {
    length = shape[op.getDimension()];
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (dim != op.getDimension())
        rows *= extent;
    if (length == 0 || rows == 0)
      return;
    int64_t perRow = std::max<int64_t>(1, sharing.numThreads / rows);
    chunk = std::max<int64_t>(llvm::divideCeil(length, perRow), kMinChunk);
    chunks = llvm::divideCeil(length, chunk);
    block = isOfSubgroup ? std::max<int64_t>(1, getNumTotals())
                         : sharing.subgroupSize.value_or(kDefaultBlock);
  }

  void run();

private:
  /// The elements of all operands at one place.
  using Elements = SmallVector<Value>;
  using MakeElements = llvm::function_ref<Elements()>;

  int64_t getNumTotals() const { return rows * (chunks - 1); }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  template <typename OpT> Value make(Value left, Value right) {
    return rewriter.createOrFold<OpT>(loc, left, right);
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(rewriter, loc, predicate, left, right);
  }

  Elements choose(Value condition, MakeElements getThen, MakeElements getElse);
  Elements
  repeat(Value begin, Value end, int64_t step, ValueRange carried,
         llvm::function_ref<Elements(Value number, ValueRange carried)> body);
  Elements extract(ValueRange tensors, ValueRange place);

  scf::ForallOp makeForall(ArrayRef<int64_t> extents, ValueRange outputs);
  void
  forEachTotal(MutableArrayRef<Value> results,
               llvm::function_ref<Elements(Value number, Value chunk)> body);
  SmallVector<Value> reduceChunks();
  SmallVector<Value> scanTotals(int64_t distance, ValueRange totals);
  SmallVector<Value> getPlace(Value row, Value position);
  Elements getPrefix(Value row, Value number, ValueRange totals);
  SmallVector<Value> scanTile(Value number, Value row, Value size,
                              ValueRange totals, ValueRange inputs,
                              ValueRange outputs);
  SmallVector<Value> scanChunks(ValueRange totals);

  ScanOp op;
  bool isOfSubgroup;
  Location loc;
  IRRewriter rewriter;
  ArrayRef<int64_t> shape;
  int64_t length = 0, rows = 1;
  /// Elements of a chunk but the last tile's, chunks of a row, totals that a
  /// subgroup scans.
  int64_t chunk = 0, chunks = 0, block = 1;
};
} // namespace

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

DistributedScan::Elements DistributedScan::choose(Value condition,
                                                  MakeElements getThen,
                                                  MakeElements getElse) {
  auto types = llvm::map_to_vector(op.getInputs(), [](Value input) {
    return getElementTypeOrSelf(input.getType());
  });
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

static SmallVector<Value> makeEmpty(OpBuilder &builder, Location loc,
                                    ValueRange like, int64_t extent) {
  return llvm::map_to_vector(like, [&](Value value) -> Value {
    return tensor::EmptyOp::create(builder, loc, extent,
                                   getElementTypeOrSelf(value.getType()));
  });
}

/// The total of each chunk but the last one of a row, with the initial values
/// in the first.
SmallVector<Value> DistributedScan::reduceChunks() {
  SmallVector<Value> totals =
      makeEmpty(rewriter, loc, op.getInputs(), getNumTotals());
  forEachTotal(totals, [&](Value number, Value inRow) {
    Value row = constant(0), size = constant(chunk), tile = inRow;
    if (rows != 1)
      row = make<arith::DivUIOp>(number, constant(chunks - 1));
    if (op.getReverse())
      tile = make<arith::SubIOp>(constant(chunks - 1), inRow);
    Value begin = make<arith::MulIOp>(tile, constant(chunk));
    if (op.getReverse() && length % chunk != 0)
      size = make<arith::MinUIOp>(size,
                                  make<arith::SubIOp>(constant(length), begin));
    auto getElements = [&](Value inChunk) {
      if (op.getReverse())
        inChunk = make<arith::SubIOp>(make<arith::SubIOp>(size, constant(1)),
                                      inChunk);
      return extract(op.getInputs(),
                     getPlace(row, make<arith::AddIOp>(begin, inChunk)));
    };
    Elements total =
        repeat(constant(1), size, 1, getElements(constant(0)),
               [&](Value inChunk, ValueRange before) {
                 return op.combine(rewriter, before, getElements(inChunk));
               });
    if (op.getInitial().empty())
      return total;
    return choose(
        compare(arith::CmpIPredicate::eq, inRow, constant(0)),
        [&] { return op.combine(rewriter, op.getInitial(), total); },
        [&] { return total; });
  });
  return totals;
}

/// One step: each total combined with that `distance` places before, if that
/// is in the row and of the same subgroup.
SmallVector<Value> DistributedScan::scanTotals(int64_t distance,
                                               ValueRange totals) {
  SmallVector<Value> results =
      makeEmpty(rewriter, loc, op.getInputs(), getNumTotals());
  forEachTotal(results, [&](Value number, Value inRow) {
    Elements own = extract(totals, number);
    Value inBlock = inRow;
    if (block < getNumTotals())
      inBlock = make<arith::MinUIOp>(
          inRow, make<arith::RemUIOp>(number, constant(block)));
    Value away = constant(distance);
    return choose(
        compare(arith::CmpIPredicate::uge, inBlock, away),
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
DistributedScan::Elements DistributedScan::getPrefix(Value row, Value number,
                                                     ValueRange totals) {
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
// Chunks
//===----------------------------------------------------------------------===//

/// Scans `size` elements, which are chunk `number` of `row`, by one thread.
SmallVector<Value> DistributedScan::scanTile(Value number, Value row,
                                             Value size, ValueRange totals,
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
  // What is scanned in place is read where it is written.
  auto getElements = [&](ValueRange tiles, ValueRange place) {
    SmallVector<Value> sources(inputs);
    for (unsigned operand = 0; operand < count; ++operand)
      if (op.getInputs()[operand] == op.getOutputs()[operand])
        sources[operand] = tiles[operand];
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
      before = choose(
          isNotFirst(), [&] { return getPrefix(row, number, totals); },
          [&] { return llvm::to_vector(ValueRange(op.getInitial())); });
  } else {
    // The first element of a row is combined with nothing.
    SmallVector<Value> place = getPosition(begin);
    Elements first = before = getElements(tiles, place);
    if (chunks != 1)
      before = choose(
          isNotFirst(),
          [&] {
            return op.combine(rewriter, getPrefix(row, number, totals), first);
          },
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

/// Each thread scans a chunk.
SmallVector<Value> DistributedScan::scanChunks(ValueRange totals) {
  SmallVector<int64_t> extents;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (dim == op.getDimension() || extent != 1)
      extents.push_back(dim == op.getDimension() ? chunks : extent);
  auto forall = makeForall(extents, op.getOutputs());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(forall.getBody());
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(shape.size(), zero),
      sizes(shape.size(), one), ones(shape.size(), one);
  SmallVector<Value> ids = forall.getInductionVars();
  Value row = constant(0), number;
  ArrayRef<Value> left = ids;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (dim != op.getDimension() && extent == 1)
      continue;
    Value id = left.consume_front();
    if (dim != op.getDimension()) {
      offsets[dim] = id;
      row = make<arith::AddIOp>(make<arith::MulIOp>(row, constant(extent)), id);
      continue;
    }
    AffineExpr tile = rewriter.getAffineDimExpr(0);
    offsets[dim] = affine::makeComposedFoldedAffineApply(rewriter, loc,
                                                         tile * chunk, {id});
    AffineMap rest = AffineMap::get(
        1, 0, {rewriter.getAffineConstantExpr(chunk), length - tile * chunk},
        rewriter.getContext());
    sizes[dim] =
        length % chunk == 0
            ? OpFoldResult(rewriter.getIndexAttr(chunk))
            : affine::makeComposedFoldedAffineMin(rewriter, loc, rest, {id});
    number =
        op.getReverse() ? make<arith::SubIOp>(constant(chunks - 1), id) : id;
  }
  SmallVector<Value> inputs, outputs;
  for (auto [input, output, arg] : llvm::zip_equal(
           op.getInputs(), op.getOutputs(), forall.getRegionIterArgs())) {
    outputs.push_back(tensor::ExtractSliceOp::create(rewriter, loc, arg,
                                                     offsets, sizes, ones));
    inputs.push_back(input == output
                         ? outputs.back()
                         : tensor::ExtractSliceOp::create(
                               rewriter, loc, input, offsets, sizes, ones));
  }
  SmallVector<Value> tiles = scanTile(
      number, row,
      getValueOrCreateConstantIndexOp(rewriter, loc, sizes[op.getDimension()]),
      totals, inputs, outputs);
  auto inParallel = scf::InParallelOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(inParallel.getBody());
  for (auto [tile, arg] : llvm::zip_equal(tiles, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(rewriter, loc, tile, arg, offsets,
                                          sizes, ones);
  return llvm::to_vector(ValueRange(forall.getResults()));
}

void DistributedScan::run() {
  if (chunks == 0)
    return rewriter.replaceOp(op, op.getOutputs());
  SmallVector<Value> totals;
  if (chunks > 1) {
    totals = reduceChunks();
    for (int64_t distance = 1; distance < std::min(block, chunks - 1);
         distance *= 2)
      totals = scanTotals(distance, totals);
  }
  rewriter.replaceOp(op, scanChunks(totals));
}

LogicalResult memspace::distributeScan(ScanOp op, const Sharing &sharing) {
  if (!op.getShapedType().hasStaticShape())
    return op.emitOpError("of ")
           << op.getShapedType()
           << " cannot be shared by the threads: its extents must be static; "
              "tile the rows, or pad the scanned dimension to a constant";
  if (op.getShapedType().getRank() > 10)
    return op.emitOpError("of ")
           << op.getShapedType()
           << " cannot be shared by the threads: a 'scf.forall' has at most 10 "
              "dimensions; collapse dimensions that are not scanned";
  DistributedScan(op, sharing).run();
  return success();
}
