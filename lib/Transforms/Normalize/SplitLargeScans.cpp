//===- SplitLargeScans.cpp - a scan by several workgroups -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread does of a scan, and what the host does of it; ScanSplitter.h
// says how it is split.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/ScanSplitter.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_SPLITLARGESCANSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

/// A total for each chunk but the last one of a row.
SmallVector<Type> ScanSplitter::getTotalTypes() {
  return llvm::map_to_vector(op.getInputs(), [&](Value input) -> Type {
    return MemRefType::get({scan.rows, scan.chunks - 1},
                           getElementTypeOrSelf(input.getType()));
  });
}

SmallVector<Type> ScanSplitter::getElementTypes() {
  return llvm::map_to_vector(op.getInputs(), [](Value input) {
    return getElementTypeOrSelf(input.getType());
  });
}

SmallVector<Type> ScanSplitter::getTypes(ArrayRef<BlockArgument> arguments) {
  SmallVector<Type> types;
  for (BlockArgument argument : arguments)
    if (argument)
      types.push_back(argument.getType());
  return types;
}

/// Initial values that are arguments are arguments of a kernel, too.
SmallVector<Type> ScanSplitter::addInitialTypes(SmallVector<Type> types) {
  for (Value value : op.getInitial())
    if (isa<BlockArgument>(value))
      types.push_back(value.getType());
  return types;
}

void ScanSplitter::bindInitial(ValueRange arguments) {
  initial.clear();
  for (Value value : op.getInitial()) {
    if (isa<BlockArgument>(value)) {
      initial.push_back(arguments.front());
      arguments = arguments.drop_front();
    } else {
      initial.push_back(
          builder.clone(*value.getDefiningOp())
              ->getResult(cast<OpResult>(value).getResultNumber()));
    }
  }
}

/// Finds the chunk of a thread, of `chunksOfRow` in each row; the builder then
/// stands where there is one. Threads that follow each other have elements that
/// do in memory, as far as can be.
void ScanSplitter::beginThread(int64_t chunksOfRow) {
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value number = apply(d0 * scan.numThreads + d1, ValueRange{block, thread});
  int64_t all = scan.rows * chunksOfRow;
  if (all % scan.numThreads != 0) {
    Value isThere = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, number, makeIndex(all));
    auto guard = scf::IfOp::create(builder, loc, isThere);
    builder.setInsertionPointToStart(guard.thenBlock());
  }
  if (scan.isLast())
    findRow(number, d0.floorDiv(chunksOfRow), d0 % chunksOfRow);
  else
    findRow(number, d0 % scan.rows, d0.floorDiv(scan.rows));
}

void ScanSplitter::findRow(Value number, AffineExpr rowExpr,
                           AffineExpr chunkExpr) {
  bool isOne = scan.rows == 1;
  row = isOne ? makeIndex(0) : apply(rowExpr, number);
  chunkNumber = isOne ? number : apply(chunkExpr, number);
  SmallVector<int64_t> others(scan.shape);
  others[scan.dimension()] = 1;
  auto delinearized =
      affine::AffineDelinearizeIndexOp::create(builder, loc, row, others);
  rowPlace = llvm::to_vector(ValueRange(delinearized.getResults()));
}

/// Where in memory element `number` of the row is, in the order of the scan.
SmallVector<Value> ScanSplitter::getPlace(Value number) {
  SmallVector<Value> place(rowPlace);
  AffineExpr d0 = builder.getAffineDimExpr(0);
  place[scan.dimension()] =
      op.getReverse() ? apply(scan.getLength() - 1 - d0, number) : number;
  return place;
}

SmallVector<Value> ScanSplitter::load(ValueRange memrefs, ValueRange place) {
  return llvm::map_to_vector(memrefs, [&](Value memref) -> Value {
    return memref::LoadOp::create(builder, loc, memref, place);
  });
}

SmallVector<Value>
ScanSplitter::repeat(Value from, Value to, ValueRange carried,
                     llvm::function_ref<Elements(Value, ValueRange)> body) {
  auto loop =
      scf::ForOp::create(builder, loc, from, to, makeIndex(1), carried,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Elements results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, results);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

func::FuncOp ScanSplitter::makeTotalsKernelOfThreads() {
  SmallVector<Type> types = getTypes(scan.inputs);
  unsigned numInputs = types.size();
  llvm::append_range(types, getTotalTypes());
  func::FuncOp kernel = makePartKernel(
      builder, scan, "_totals", types,
      llvm::divideCeil(scan.rows * (scan.chunks - 1), scan.numThreads));
  ValueRange arguments = kernel.getArguments(),
             inputs = arguments.take_front(numInputs),
             totals = arguments.drop_front(numInputs);
  beginThread(scan.chunks - 1);
  AffineExpr d0 = builder.getAffineDimExpr(0);
  Value begin = apply(d0 * scan.chunk, chunkNumber);
  Value next = apply(d0 * scan.chunk + 1, chunkNumber);
  Value end = apply((d0 + 1) * scan.chunk, chunkNumber);
  Elements total = repeat(next, end, load(inputs, getPlace(begin)),
                          [&](Value number, ValueRange before) {
                            return op.combine(builder, before,
                                              load(inputs, getPlace(number)));
                          });
  storeApart(builder, loc, total, llvm::to_vector(totals),
             ValueRange{row, chunkNumber});
  return kernel;
}

/// The arguments of the kernel that are read or written.
SmallVector<BlockArgument> ScanSplitter::getOuterArguments() {
  SmallVector<BlockArgument> outer(scan.inputs);
  for (BlockArgument output : scan.outputs)
    if (output && !llvm::is_contained(outer, output))
      outer.push_back(output);
  return outer;
}

func::FuncOp ScanSplitter::makeChunksKernelOfThreads() {
  SmallVector<BlockArgument> outer = getOuterArguments();
  SmallVector<Type> types = getTypes(outer);
  llvm::append_range(types, getTotalTypes());
  func::FuncOp kernel = makePartKernel(
      builder, scan, "_chunks", addInitialTypes(types),
      llvm::divideCeil(scan.rows * scan.chunks, scan.numThreads));
  unsigned count = scan.inputs.size();
  ValueRange arguments = kernel.getArguments(),
             inputs = arguments.take_front(count),
             totals = arguments.slice(outer.size(), count);
  bindInitial(arguments.drop_front(outer.size() + count));
  SmallVector<Value> outputs;
  for (BlockArgument output : scan.outputs)
    outputs.push_back(
        output ? Value(arguments[llvm::find(outer, output) - outer.begin()])
               : Value());

  beginThread(scan.chunks);
  AffineExpr d0 = builder.getAffineDimExpr(0);
  Value begin = apply(d0 * scan.chunk, chunkNumber);
  Value end = affine::AffineMinOp::create(
      builder, loc,
      AffineMap::get(1, 0,
                     {(d0 + 1) * scan.chunk,
                      builder.getAffineConstantExpr(scan.getLength())},
                     builder.getContext()),
      chunkNumber);
  Value isNotFirst = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, chunkNumber, makeIndex(0));
  SmallVector<Value> place = getPlace(begin);
  Elements first;
  if (initial.empty())
    first = load(inputs, place);
  auto choice = scf::IfOp::create(builder, loc, getElementTypes(), isNotFirst,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    Value previous = apply(d0 - 1, chunkNumber);
    Elements before = load(totals, ValueRange{row, previous});
    if (initial.empty())
      before = op.combine(builder, before, first);
    scf::YieldOp::create(builder, loc, before);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, initial.empty() ? first : initial);
  }
  Elements before = llvm::to_vector(ValueRange(choice.getResults()));
  if (initial.empty()) {
    storeApart(builder, loc, before, outputs, place);
    begin = apply(d0 * scan.chunk + 1, chunkNumber);
  }
  repeat(begin, end, before, [&](Value number, ValueRange left) {
    SmallVector<Value> place = getPlace(number);
    Elements combined = op.combine(builder, left, load(inputs, place));
    storeApart(builder, loc, op.getExclusive() ? left : ValueRange(combined),
               outputs, place);
    return combined;
  });
  return kernel;
}

/// What was the kernel launches the three.
void ScanSplitter::run() {
  bool isOfThreads = scan.perThread == 0;
  func::FuncOp totals =
      isOfThreads ? makeTotalsKernelOfThreads() : makeTotalsKernel();
  func::FuncOp offsets = makeOffsetsKernel();
  func::FuncOp chunks =
      isOfThreads ? makeChunksKernelOfThreads() : makeChunksKernel();
  SmallVector<Value> inputs(scan.inputs.begin(), scan.inputs.end()), workspaces,
      initialArguments;
  SmallVector<BlockArgument> outer = getOuterArguments();
  SmallVector<Value> inputsAndOutputs(outer.begin(), outer.end());
  for (Value value : op.getInitial())
    if (isa<BlockArgument>(value))
      initialArguments.push_back(value);
  SmallVector<Type> types = getTotalTypes();
  makeHost(builder, scan);
  for (Type type : types)
    workspaces.push_back(
        memref::AllocOp::create(builder, loc, cast<MemRefType>(type)));
  auto call = [&](func::FuncOp kernel, ArrayRef<ValueRange> parts) {
    SmallVector<Value> operands;
    for (ValueRange part : parts)
      llvm::append_range(operands, part);
    func::CallOp::create(builder, loc, kernel, operands);
  };
  call(totals, {inputs, workspaces});
  call(offsets, {workspaces, initialArguments});
  call(chunks, {inputsAndOutputs, workspaces, initialArguments});
  for (Value workspace : workspaces)
    memref::DeallocOp::create(builder, loc, workspace);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The smallest power of two that is no less than the root.
static int64_t getRoot(int64_t number) {
  int64_t root = 1;
  while (root * root < number)
    root *= 2;
  return root;
}

/// Elements that a thread reads in a row: threads are near to each other then.
static constexpr int64_t kFewPerThread = 4;

/// Where an input is another result's output, a thread has to load it first;
/// what nobody reads has no place to go to.
static bool canBeTiles(const LargeScan &scan) {
  for (auto [number, output] : llvm::enumerate(scan.outputs)) {
    if (!output)
      return false;
    for (auto [other, input] : llvm::enumerate(scan.inputs))
      if (input == output && other != number)
        return false;
  }
  return true;
}

/// What is to be done with `op`: none where each thread has few elements, and,
/// if `quiet`, where it cannot be split.
static FailureOr<std::optional<LargeScan>>
getLargeScan(ScanOp op, func::FuncOp kernel, int64_t numThreads,
             int64_t mostElements, bool quiet) {
  ShapedType type = op.getShapedType();
  if (!kernel || op->getBlock() != &kernel.front() || !type.hasStaticShape())
    return std::optional<LargeScan>();
  int64_t length = type.getDimSize(op.getDimension());
  int64_t elements = type.getNumElements();
  if (length < 2 || elements / numThreads < mostElements)
    return std::optional<LargeScan>();
  LargeScan scan;
  scan.scan = op;
  scan.shape = llvm::to_vector(type.getShape());
  scan.rows = elements / length;
  scan.chunk = getRoot(elements / numThreads);
  scan.chunks = llvm::divideCeil(length, scan.chunk);
  // Rows that are so short are enough for the threads, each by one of them.
  if (scan.chunks < 2)
    return std::optional<LargeScan>();
  FailureOr<LoneOp> lone = getLoneOp(
      op, kernel, numThreads,
      "rows of " + Twine(length) +
          " elements are to be scanned by several workgroups, which takes a "
          "kernel of its own, from arguments to arguments",
      quiet);
  if (failed(lone) && quiet)
    return std::optional<LargeScan>();
  if (failed(lone))
    return failure();
  static_cast<LoneOp &>(scan) = *lone;
  // Of a workgroup, about as many chunks as these have elements, or fewer.
  int64_t few = std::min(
      scan.chunk,
      std::max<int64_t>(kFewPerThread,
                        llvm::divideCeil(getRoot(length), numThreads)));
  if (scan.isLast() && canBeTiles(scan) && length > few * numThreads) {
    scan.perThread = few;
    scan.chunk = few * numThreads;
    scan.chunks = llvm::divideCeil(length, scan.chunk);
  }
  for (auto [number, value] : llvm::enumerate(op.getInitial())) {
    Operation *producer = value.getDefiningOp();
    bool isConstant = !producer || producer->hasTrait<OpTrait::ConstantLike>();
    if (!isConstant && quiet)
      return std::optional<LargeScan>();
    if (!isConstant)
      return op->emitOpError("rows of ")
             << length
             << " elements are to be scanned by several workgroups, and "
                "initial value "
             << number
             << " is computed in the kernel: make it a constant or an "
                "argument";
  }
  return std::optional<LargeScan>(scan);
}

bool memspace::canSplitScan(ScanOp op, func::FuncOp kernel, int64_t numThreads,
                            int64_t elementsPerThread) {
  return getLargeScan(op, kernel, numThreads, elementsPerThread, /*quiet=*/true)
      .value_or(std::nullopt)
      .has_value();
}

namespace {
struct SplitLargeScansPass
    : public memspace::impl::SplitLargeScansPassBase<SplitLargeScansPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    SmallVector<func::FuncOp> hosts;
    auto split = [&](const KernelContext &context) -> LogicalResult {
      if (failed(convertStructuredOps(context.getKernel())))
        return failure();
      auto func = dyn_cast<func::FuncOp>(context.getKernel().getOperation());
      SmallVector<ScanOp> ops;
      context.getKernel()->walk([&](ScanOp op) { ops.push_back(op); });
      for (ScanOp op : ops) {
        FailureOr<std::optional<LargeScan>> scan = getLargeScan(
            op, func, context.getThreads(), elementsPerThread, quiet);
        if (failed(scan))
          return failure();
        // Only one can be in a kernel that does nothing else.
        if (*scan) {
          hosts.push_back((*scan)->kernel);
          return ScanSplitter(**scan).run(), success();
        }
      }
      return success();
    };
    if (failed(forEachKernel(getOperation(), selection, split)))
      return signalPassFailure();
    for (func::FuncOp host : hosts)
      inlineHost(host);
  }
};
} // namespace
