//===- SplitLargeSorts.cpp - a sort by several workgroups -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row that does not fit in the memory of one workgroup is sorted by two
// kernels, which the host launches one after the other. In the first each
// workgroup sorts a tile of the row into a workspace. In the second each thread
// takes one element and counts, by binary searches in the other tiles, how many
// elements come before it: that is its place (Satish, Harris and Garland,
// "Designing efficient sorting algorithms for manycore GPUs", 2009, merge so by
// ranks). Of many tiles it searches one only, and two become one; the host
// launches the kernel again until there is one, from one workspace to another.
//
//===----------------------------------------------------------------------===//

#include "IR/Payload.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/LoneOps.h"
#include "Transforms/Normalize/Orders.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_SPLITLARGESORTSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A kernel that does nothing but to sort arguments, in rows that are too long
/// for one workgroup.
struct LargeSort : LoneOp {
  // `op` is a SortOp, or a SortIndicesOp.
  SmallVector<int64_t> shape;
  unsigned dimension = 0;
  /// Elements of a row that a workgroup sorts, a power of two.
  int64_t tile = 0;

  int64_t getLength() const { return shape[dimension]; }
  int64_t getNumTiles() const { return llvm::divideCeil(getLength(), tile); }
  /// Launches until each two tiles have become one; 0 where each element is
  /// searched in all of them at once.
  unsigned numRounds = 0;
  int64_t getNumElements() const { return ShapedType::getNumElements(shape); }
  bool isOfIndices() { return isa<SortIndicesOp>(*op); }
  Region &getComparator() { return op->getRegion(0); }
  /// What a tile is sorted into: its elements, or where they are in the tile.
  SmallVector<Type> getWorkspaceTypes() {
    SmallVector<Type> types;
    for (Value output : op.getDpsInits())
      types.push_back(
          MemRefType::get(shape, getElementTypeOrSelf(output.getType())));
    return types;
  }
};

/// Makes the two kernels and the function of the host.
class Splitter {
public:
  explicit Splitter(LargeSort sort)
      : sort(sort), loc(sort.op->getLoc()), builder(sort.kernel) {}
  void run();

private:
  func::FuncOp makeTileKernel();
  Value beginElement();
  SmallVector<Value> getMoved(Value position, ArrayRef<Value> element);
  func::FuncOp makeMergeKernel();
  func::FuncOp makeRoundKernel();
  void makeHost(func::FuncOp tiles, func::FuncOp merge);

  Value makeIndex(int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  }
  SmallVector<Value> load(ValueRange memrefs, Value position);
  Value getIndex(Value position);
  SmallVector<Value> getElement(Value position);
  template <typename OpT> Value make(Value left, Value right) {
    return OpT::create(builder, loc, left, right);
  }
  Value countInRange(Value begin, Value end, bool isBefore, ValueRange element);
  Value countInTile(Value tile, bool isBefore, ValueRange element);
  Value countInTiles(Value from, Value to, Value count, bool areBefore,
                     ValueRange element);

  LargeSort sort;
  Location loc;
  OpBuilder builder;
  /// Of the second kernel: its arguments, and where an element's row is.
  ValueRange workspaces, inputs;
  SmallVector<Value> place;
  /// In a kernel of rounds: the logarithm of how many elements, from the row's
  /// first one on, have positions that begin anew.
  Value counted;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is split
//===----------------------------------------------------------------------===//

/// What is to be done with `op`, in the body of a kernel: none where its rows
/// fit, or are not known to be too long.
static FailureOr<std::optional<LargeSort>>
getLargeSort(DestinationStyleOpInterface op, const KernelContext &context) {
  const TargetInfo &target = context.getTarget();
  auto type = cast<ShapedType>(op.getDpsInits().front().getType());
  std::optional<int64_t> bytes = getSortBytesPerElement(op, target);
  auto kernel = dyn_cast<func::FuncOp>(context.getKernel().getOperation());
  if (!kernel || op->getBlock() != &kernel.front() || !type.hasStaticShape() ||
      bytes.value_or(0) == 0)
    return std::optional<LargeSort>();
  auto dimension = op->getAttrOfType<IntegerAttr>("dimension").getInt();
  int64_t length = type.getDimSize(dimension);
  int64_t fitting = target.maxWorkgroupBytes / *bytes;
  if (int64_t(llvm::PowerOf2Ceil(length)) <= fitting)
    return std::optional<LargeSort>();

  FailureOr<LoneOp> lone = getLoneOp(
      op, kernel, context.getThreads(),
      "rows of " + Twine(length) + " elements do not fit in the " +
          Twine(target.maxWorkgroupBytes) +
          " bytes of a workgroup, and a sort by several takes a kernel of its "
          "own, from arguments to arguments");
  if (failed(lone))
    return failure();
  // The second kernel looks keys up while it stores positions.
  if (isa<SortIndicesOp>(*op))
    for (BlockArgument output : lone->outputs)
      if (output && llvm::is_contained(lone->inputs, output))
        return op->emitOpError("rows of ")
               << length
               << " elements are to be sorted by several workgroups, and the "
                  "positions go to argument "
               << output.getArgNumber()
               << ", where the keys are: store them in another one";
  LargeSort sort;
  static_cast<LoneOp &>(sort) = *lone;
  sort.shape = llvm::to_vector(type.getShape());
  sort.dimension = dimension;
  // Two workgroups at a time hide each other's waits, or one has the two tiles
  // of a merge sort.
  int64_t tile = fitting / 2;
  // Where the comparator is no order, two elements may get one place, and
  // nobody writes another one: no position to look up in the next round.
  bool hasRounds =
      !sort.isOfIndices() || isCertainlyOrder(sort.getComparator());
  // A large GPU has work for so many workgroups. Without rounds each tile costs
  // every element a search.
  constexpr int64_t kWorkgroups = 128, kFewElements = 2048, kFewTiles = 4;
  if (hasRounds)
    tile = std::min(
        tile, std::max(kFewElements, type.getNumElements() / kWorkgroups));
  sort.tile = llvm::bit_floor(uint64_t(std::max<int64_t>(tile, 1)));
  if (hasRounds && sort.getNumTiles() > kFewTiles)
    sort.numRounds = llvm::Log2_64_Ceil(sort.getNumTiles());
  return std::optional<LargeSort>(sort);
}

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// Each workgroup sorts a tile.
func::FuncOp Splitter::makeTileKernel() {
  unsigned numInputs = sort.inputs.size();
  SmallVector<Type> types;
  for (BlockArgument input : sort.inputs)
    types.push_back(input.getType());
  llvm::append_range(types, sort.getWorkspaceTypes());
  func::FuncOp kernel = makePartKernel(builder, sort, "_tiles", types);

  SmallVector<Value> inputs, outputs;
  ArrayRef<BlockArgument> arguments = kernel.getArguments();
  for (Value input : arguments.take_front(numInputs))
    inputs.push_back(makeArgumentTensor(builder, loc, input));
  for (Value output : arguments.drop_front(numInputs))
    outputs.push_back(
        makeArgumentTensor(builder, loc, output, /*isWritten=*/true));

  // A grid of the other dimensions and of the tiles of a row.
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : sort.shape)
    extents.push_back(builder.getIndexAttr(extent));
  unsigned dimension = sort.dimension;
  extents[dimension] = builder.getIndexAttr(sort.getNumTiles());
  int64_t numBlocks =
      sort.getNumElements() / sort.getLength() * sort.getNumTiles();
  auto mapping =
      gpu::GPUBlockMappingAttr::get(builder.getContext(), gpu::MappingId::DimX);
  auto forall = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>(builder.getIndexAttr(numBlocks)),
      outputs, builder.getArrayAttr(mapping));
  builder.setInsertionPointToStart(forall.getBody());
  auto place = affine::AffineDelinearizeIndexOp::create(
      builder, loc, forall.getInductionVar(0), extents);
  SmallVector<OpFoldResult> offsets(place.getResults()),
      sizes(extents.size(), builder.getIndexAttr(1)),
      strides(extents.size(), builder.getIndexAttr(1));
  AffineExpr d0 = builder.getAffineDimExpr(0);
  offsets[dimension] = affine::makeComposedFoldedAffineApply(
      builder, loc, d0 * sort.tile, offsets[dimension]);
  sizes[dimension] = builder.getIndexAttr(sort.tile);
  // The last tile of a row may be shorter.
  if (sort.getLength() % sort.tile != 0)
    sizes[dimension] = affine::makeComposedFoldedAffineMin(
        builder, loc,
        AffineMap::get(1, 0,
                       {builder.getAffineConstantExpr(sort.tile),
                        builder.getAffineConstantExpr(sort.getLength()) - d0},
                       builder.getContext()),
        offsets[dimension]);
  auto slice = [&](Value tensor) -> Value {
    return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                          strides);
  };
  SmallVector<Value> operands = llvm::map_to_vector(inputs, slice);
  SmallVector<Type> results;
  for (Value tensor : forall.getRegionIterArgs()) {
    operands.push_back(slice(tensor));
    results.push_back(operands.back().getType());
  }
  Operation *tileSort =
      mlir::clone(builder, sort.op.getOperation(), results, operands);
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (auto [sorted, output] :
       llvm::zip_equal(tileSort->getResults(), forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(builder, loc, sorted, output, offsets,
                                          sizes, strides);
  builder.setInsertionPointAfter(forall);
  for (auto [result, argument] :
       llvm::zip_equal(forall.getResults(), arguments.drop_front(numInputs)))
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, /*result=*/Type(), result, argument, /*restrict=*/true,
        /*writable=*/true);
  return kernel;
}

SmallVector<Value> Splitter::load(ValueRange memrefs, Value position) {
  SmallVector<Value> indices(place);
  indices[sort.dimension] = position;
  return llvm::map_to_vector(memrefs, [&](Value memref) -> Value {
    return memref::LoadOp::create(builder, loc, memref, indices);
  });
}

/// Where in its row the element is whose position in its tile is at `position`
/// of the workspace.
Value Splitter::getIndex(Value position) {
  Value inTile = load(workspaces, position).front();
  if (!inTile.getType().isIndex())
    inTile = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                        inTile);
  if (counted)
    return make<arith::AddIOp>(
        make<arith::ShLIOp>(make<arith::ShRUIOp>(position, counted), counted),
        inTile);
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  return affine::AffineApplyOp::create(builder, loc,
                                       d0.floorDiv(sort.tile) * sort.tile + d1,
                                       ValueRange{position, inTile});
}

/// The element at `position` of the sorted tiles.
SmallVector<Value> Splitter::getElement(Value position) {
  return sort.isOfIndices() ? load(inputs, getIndex(position))
                            : load(workspaces, position);
}

/// How many elements of the sorted tile from `begin` to `end`, which is before
/// the tile of `element` or behind it, come before `element`: a binary search.
Value Splitter::countInRange(Value begin, Value end, bool isBefore,
                             ValueRange element) {
  Type index = builder.getIndexType();
  auto search = scf::WhileOp::create(builder, loc, TypeRange{index, index},
                                     ValueRange{begin, end});
  builder.createBlock(&search.getBefore(), {}, {index, index}, {loc, loc});
  ValueRange bounds = search.getBeforeArguments();
  Value isOpen = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       bounds[0], bounds[1]);
  scf::ConditionOp::create(builder, loc, isOpen, bounds);
  builder.createBlock(&search.getAfter(), {}, {index, index}, {loc, loc});
  Value low = search.getAfterArguments()[0],
        high = search.getAfterArguments()[1];
  Value sum = arith::AddIOp::create(builder, loc, low, high);
  Value middle = arith::ShRUIOp::create(builder, loc, sum, makeIndex(1));
  SmallVector<Value> other = getElement(middle);
  // Equal elements keep the order of their tiles.
  Value comesBefore;
  Region &comparator = sort.getComparator();
  if (isBefore) {
    Value isAfter = inlineComparator(builder, comparator, element, other);
    Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
    comesBefore = arith::XOrIOp::create(builder, loc, isAfter, isTrue);
  } else {
    comesBefore = inlineComparator(builder, comparator, other, element);
  }
  Value next = arith::AddIOp::create(builder, loc, middle, makeIndex(1));
  low = arith::SelectOp::create(builder, loc, comesBefore, next, low);
  high = arith::SelectOp::create(builder, loc, comesBefore, high, middle);
  scf::YieldOp::create(builder, loc, ValueRange{low, high});
  builder.setInsertionPointAfter(search);
  return arith::SubIOp::create(builder, loc, search.getResult(0), begin);
}

Value Splitter::countInTile(Value tile, bool isBefore, ValueRange element) {
  AffineExpr d0 = builder.getAffineDimExpr(0);
  Value begin =
      affine::AffineApplyOp::create(builder, loc, d0 * sort.tile, tile);
  Value end = affine::AffineMinOp::create(
      builder, loc,
      AffineMap::get(1, 0,
                     {(d0 + 1) * sort.tile,
                      builder.getAffineConstantExpr(sort.getLength())},
                     builder.getContext()),
      tile);
  return countInRange(begin, end, isBefore, element);
}

/// `count` and the elements of the tiles in [from, to) that come before
/// `element`.
Value Splitter::countInTiles(Value from, Value to, Value count, bool areBefore,
                             ValueRange element) {
  auto loop = scf::ForOp::create(builder, loc, from, to, makeIndex(1), count);
  builder.setInsertionPointToStart(loop.getBody());
  Value inTile = countInTile(loop.getInductionVar(), areBefore, element);
  Value sum =
      arith::AddIOp::create(builder, loc, loop.getRegionIterArg(0), inTile);
  scf::YieldOp::create(builder, loc, sum);
  builder.setInsertionPointAfter(loop);
  return loop.getResult(0);
}

/// Finds the element of a thread, and its row; the builder then stands where
/// there is one.
Value Splitter::beginElement() {
  int64_t numElements = sort.getNumElements();
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value number = affine::AffineApplyOp::create(
      builder, loc, d0 * sort.numThreads + d1, ValueRange{block, thread});
  if (numElements % sort.numThreads != 0) {
    Value isInside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number,
                              makeIndex(numElements));
    auto guard = scf::IfOp::create(builder, loc, isInside);
    builder.setInsertionPointToStart(guard.thenBlock());
  }
  auto indices = affine::AffineDelinearizeIndexOp::create(
      builder, loc, number, ArrayRef<int64_t>(sort.shape));
  place.assign(indices.getResults().begin(), indices.getResults().end());
  return place[sort.dimension];
}

/// What is stored of the element at `position` of the sorted tiles.
SmallVector<Value> Splitter::getMoved(Value position, ArrayRef<Value> element) {
  if (!sort.isOfIndices())
    return llvm::to_vector(element);
  Type type = cast<MemRefType>(workspaces[0].getType()).getElementType();
  Value index = getIndex(position);
  if (!type.isIndex())
    index = arith::IndexCastOp::create(builder, loc, type, index);
  return {index};
}

/// Each thread brings an element to its place.
func::FuncOp Splitter::makeMergeKernel() {
  SmallVector<Type> types = sort.getWorkspaceTypes();
  unsigned numWorkspaces = types.size();
  // Elements that are in no workspace are looked up.
  unsigned numInputs = sort.isOfIndices() ? sort.inputs.size() : 0;
  for (BlockArgument input : ArrayRef(sort.inputs).take_front(numInputs))
    types.push_back(input.getType());
  for (BlockArgument output : sort.outputs)
    if (output)
      types.push_back(output.getType());
  int64_t numElements = sort.getNumElements();
  func::FuncOp kernel =
      makePartKernel(builder, sort, "_merge", types,
                     llvm::divideCeil(numElements, sort.numThreads));
  ValueRange arguments = kernel.getArguments();
  workspaces = arguments.take_front(numWorkspaces);
  inputs = arguments.slice(numWorkspaces, numInputs);
  ValueRange outputs = arguments.drop_front(numWorkspaces + numInputs);

  AffineExpr d0 = builder.getAffineDimExpr(0);
  Value position = beginElement();
  SmallVector<Value> element = getElement(position);
  SmallVector<Value> moved = getMoved(position, element);
  Value tile = affine::AffineApplyOp::create(builder, loc,
                                             d0.floorDiv(sort.tile), position);
  Value inTile =
      affine::AffineApplyOp::create(builder, loc, d0 % sort.tile, position);
  Value rank =
      countInTiles(makeIndex(0), tile, inTile, /*areBefore=*/true, element);
  Value next = arith::AddIOp::create(builder, loc, tile, makeIndex(1));
  place[sort.dimension] =
      countInTiles(next, makeIndex(sort.getNumTiles()), rank,
                   /*areBefore=*/false, element);
  SmallVector<Value> memrefs;
  for (BlockArgument output : sort.outputs) {
    memrefs.push_back(output ? outputs.front() : Value());
    outputs = outputs.drop_front(output ? 1 : 0);
  }
  // Two elements have two places.
  storeApart(builder, loc, moved, memrefs, place);
  return kernel;
}

/// Each thread brings an element to its place among those of two tiles.
func::FuncOp Splitter::makeRoundKernel() {
  SmallVector<Type> types = sort.getWorkspaceTypes();
  unsigned numWorkspaces = types.size();
  llvm::append_range(types, sort.getWorkspaceTypes());
  // Elements that are in no workspace are looked up.
  unsigned numInputs = sort.isOfIndices() ? sort.inputs.size() : 0;
  for (BlockArgument input : ArrayRef(sort.inputs).take_front(numInputs))
    types.push_back(input.getType());
  // The logarithms of the elements of a tile, and of those whose positions are
  // counted together.
  types.append(sort.isOfIndices() ? 2 : 1, builder.getIndexType());
  func::FuncOp kernel =
      makePartKernel(builder, sort, "_merge", types,
                     llvm::divideCeil(sort.getNumElements(), sort.numThreads));
  ValueRange arguments = kernel.getArguments();
  workspaces = arguments.take_front(numWorkspaces);
  SmallVector<Value> outputs =
      llvm::to_vector(arguments.slice(numWorkspaces, numWorkspaces));
  inputs = arguments.slice(2 * numWorkspaces, numInputs);
  arguments = arguments.drop_front(2 * numWorkspaces + numInputs);
  Value log = arguments[0];
  counted = sort.isOfIndices() ? arguments[1] : Value();

  Value position = beginElement();
  SmallVector<Value> element = getElement(position);
  SmallVector<Value> moved = getMoved(position, element);
  Value one = makeIndex(1), length = makeIndex(sort.getLength());
  Value tile = make<arith::ShRUIOp>(position, log),
        other = make<arith::XOrIOp>(tile, one);
  Value tileBegin = make<arith::ShLIOp>(tile, log),
        begin = make<arith::ShLIOp>(other, log);
  // What is behind the end of a row has no elements.
  Value next = make<arith::AddIOp>(other, one);
  Value end = make<arith::MinUIOp>(make<arith::ShLIOp>(next, log), length);
  Value isRight = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        begin, tileBegin);
  auto choice = scf::IfOp::create(builder, loc, builder.getIndexType(), isRight,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    for (bool isBefore : {true, false}) {
      builder.setInsertionPointToStart(isBefore ? choice.thenBlock()
                                                : choice.elseBlock());
      Value count = countInRange(begin, end, isBefore, element);
      scf::YieldOp::create(builder, loc, count);
    }
  }
  Value inTile = make<arith::SubIOp>(position, tileBegin);
  Value rank = make<arith::AddIOp>(inTile, choice.getResult(0));
  place[sort.dimension] =
      make<arith::AddIOp>(make<arith::MinUIOp>(begin, tileBegin), rank);
  storeApart(builder, loc, moved, outputs, place);
  return kernel;
}

/// What was the kernel launches the two.
void Splitter::makeHost(func::FuncOp tiles, func::FuncOp merge) {
  SmallVector<Value> inputs(sort.inputs.begin(), sort.inputs.end()), lookedUp;
  bool isOfIndices = sort.isOfIndices();
  if (isOfIndices)
    lookedUp = inputs;
  SmallVector<Type> types = sort.getWorkspaceTypes();

  memspace::makeHost(builder, sort);
  SmallVector<Value> allocated;
  auto allocate = [&] {
    SmallVector<Value> made =
        llvm::map_to_vector(types, [&](Type type) -> Value {
          return memref::AllocOp::create(builder, loc, cast<MemRefType>(type));
        });
    llvm::append_range(allocated, made);
    return made;
  };
  auto call = [&](func::FuncOp kernel, ArrayRef<ValueRange> parts) {
    SmallVector<Value> operands;
    for (ValueRange part : parts)
      llvm::append_range(operands, part);
    func::CallOp::create(builder, loc, kernel, operands);
  };
  SmallVector<Value> from = allocate(), to;
  unsigned rounds = sort.numRounds;
  if (rounds > 1)
    to = allocate();
  call(tiles, {inputs, from});
  if (rounds == 0) {
    SmallVector<Value> outputs;
    for (BlockArgument output : sort.outputs)
      if (output)
        outputs.push_back(output);
    call(merge, {from, lookedUp, outputs});
  }
  for (unsigned round = 0; round < rounds; ++round) {
    // What nobody uses has no memory of its own.
    if (round + 1 == rounds)
      for (auto [memref, output] : llvm::zip_equal(to, sort.outputs))
        if (output)
          memref = output;
    unsigned log = llvm::Log2_64(sort.tile) + round;
    SmallVector<Value> logs = {makeIndex(log)};
    // Positions are those in the row from the second round on.
    constexpr int64_t kAll = 62;
    if (isOfIndices)
      logs.push_back(makeIndex(round == 0 ? log : kAll));
    call(merge, {from, to, lookedUp, logs});
    std::swap(from, to);
  }
  for (Value workspace : allocated)
    memref::DeallocOp::create(builder, loc, workspace);
}

void Splitter::run() {
  func::FuncOp tiles = makeTileKernel();
  func::FuncOp merge =
      sort.numRounds == 0 ? makeMergeKernel() : makeRoundKernel();
  makeHost(tiles, merge);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// `hosts`: what became functions of the host.
static LogicalResult splitLargeSorts(const KernelContext &context,
                                     SmallVectorImpl<func::FuncOp> &hosts) {
  if (failed(convertStructuredOps(context.getKernel())))
    return failure();
  SmallVector<DestinationStyleOpInterface> ops;
  context.getKernel()->walk([&](DestinationStyleOpInterface op) {
    if (isa<SortOp, SortIndicesOp>(*op))
      ops.push_back(op);
  });
  for (DestinationStyleOpInterface op : ops) {
    FailureOr<std::optional<LargeSort>> sort = getLargeSort(op, context);
    if (failed(sort))
      return failure();
    // Only one can be in a kernel that does nothing else.
    if (*sort) {
      hosts.push_back((*sort)->kernel);
      Splitter(**sort).run();
      return success();
    }
  }
  return success();
}

namespace {
struct SplitLargeSortsPass
    : public memspace::impl::SplitLargeSortsPassBase<SplitLargeSortsPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    SmallVector<func::FuncOp> hosts;
    if (failed(forEachKernel(getOperation(), selection,
                             [&](const KernelContext &context) {
                               return splitLargeSorts(context, hosts);
                             })))
      return signalPassFailure();
    for (func::FuncOp host : hosts)
      inlineHost(host);
  }
};
} // namespace
