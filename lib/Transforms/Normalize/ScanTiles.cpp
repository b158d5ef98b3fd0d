//===- ScanTiles.cpp - a workgroup's part of a scan -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels in which each workgroup has a chunk, or a row of totals: on
// tensors, mapped to workgroups, as an op that its threads share next.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/ScanSplitter.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::memspace;

/// The builder then stands in its body.
scf::ForallOp ScanSplitter::beginForall(int64_t count, ValueRange outputs,
                                        Attribute mapping) {
  auto forall = scf::ForallOp::create(
      builder, loc, ArrayRef<OpFoldResult>(builder.getIndexAttr(count)),
      outputs, builder.getArrayAttr(mapping));
  builder.setInsertionPointToStart(forall.getBody());
  return forall;
}

/// Stores the results of the workgroups in arguments.
void ScanSplitter::endKernel(scf::ForallOp forall, ValueRange memrefs) {
  builder.setInsertionPointAfter(forall);
  for (auto [result, memref] : llvm::zip_equal(forall.getResults(), memrefs))
    bufferization::MaterializeInDestinationOp::create(
        builder, loc, /*result=*/Type(), result, memref, /*restrict=*/true,
        /*writable=*/true);
}

ScanOp ScanSplitter::makeScan(ValueRange inputs, ValueRange initial,
                              ValueRange outputs, unsigned dimension,
                              bool exclusive, bool reverse) {
  auto made = ScanOp::create(builder, loc, outputs.getTypes(), inputs, initial,
                             outputs, dimension, exclusive, reverse);
  IRMapping mapping;
  op.getCombiner().cloneInto(&made.getCombiner(), mapping);
  return made;
}

static Attribute getBlockMapping(MLIRContext *context) {
  return gpu::GPUBlockMappingAttr::get(context, gpu::MappingId::DimX);
}

/// What each thread of a workgroup combines of its chunk, by threads.
SmallVector<Value> ScanSplitter::makeThreadTotals(ValueRange inputs) {
  SmallVector<Value> empty =
      llvm::map_to_vector(getElementTypes(), [&](Type type) -> Value {
        return tensor::EmptyOp::create(
            builder, loc, ArrayRef<int64_t>{scan.numThreads}, type);
      });
  OpBuilder::InsertionGuard guard(builder);
  auto forall = beginForall(scan.numThreads, empty,
                            gpu::GPUThreadMappingAttr::get(
                                builder.getContext(), gpu::MappingId::DimX));
  Value thread = forall.getInductionVar(0);
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  AffineExpr beginExpr = d0 * scan.chunk + d1 * scan.perThread;
  SmallVector<Value> numbers = {chunkNumber, thread};
  Value begin = apply(beginExpr, numbers), next = apply(beginExpr + 1, numbers),
        end = apply(beginExpr + scan.perThread, numbers);
  auto extract = [&](Value number) {
    SmallVector<Value> place = getPlace(number);
    return llvm::map_to_vector(inputs, [&](Value input) -> Value {
      return tensor::ExtractOp::create(builder, loc, input, place);
    });
  };
  Elements totals =
      repeat(next, end, extract(begin), [&](Value number, ValueRange before) {
        return op.combine(builder, before, extract(number));
      });
  SmallVector<Value> slices =
      llvm::map_to_vector(totals, [&](Value total) -> Value {
        return tensor::FromElementsOp::create(builder, loc, total);
      });
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  OpFoldResult one = builder.getIndexAttr(1);
  for (auto [slice, out] : llvm::zip_equal(slices, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(
        builder, loc, slice, out, ArrayRef<OpFoldResult>(thread), one, one);
  return llvm::to_vector(ValueRange(forall.getResults()));
}

/// Each workgroup combines a chunk.
func::FuncOp ScanSplitter::makeTotalsKernel() {
  SmallVector<Type> types = getTypes(scan.inputs);
  unsigned count = types.size();
  llvm::append_range(types, getTotalTypes());
  func::FuncOp kernel = makePartKernel(builder, scan, "_totals", types);
  ValueRange arguments = kernel.getArguments(),
             memrefs = arguments.drop_front(count);
  SmallVector<Value> inputs, totals;
  for (Value argument : arguments.take_front(count))
    inputs.push_back(makeTensor(argument));
  for (Value argument : memrefs)
    totals.push_back(makeTensor(argument, /*isWritten=*/true));
  int64_t chunksOfRow = scan.chunks - 1;
  auto forall = beginForall(scan.rows * chunksOfRow, totals,
                            getBlockMapping(builder.getContext()));
  AffineExpr d0 = builder.getAffineDimExpr(0);
  findRow(forall.getInductionVar(0), d0.floorDiv(chunksOfRow),
          d0 % chunksOfRow);
  SmallVector<Value> ofThreads = makeThreadTotals(inputs), outputs;
  for (Value tensor : ofThreads)
    outputs.push_back(tensor::EmptyOp::create(
        builder, loc, ArrayRef<int64_t>{scan.numThreads},
        getElementTypeOrSelf(tensor.getType())));
  ScanOp scanned = makeScan(ofThreads, {}, outputs, /*dimension=*/0,
                            /*exclusive=*/false, /*reverse=*/false);
  OpFoldResult one = builder.getIndexAttr(1),
               last = builder.getIndexAttr(scan.numThreads - 1);
  SmallVector<Value> slices =
      llvm::map_to_vector(scanned.getResults(), [&](Value result) -> Value {
        return tensor::ExtractSliceOp::create(builder, loc, result, last, one,
                                              one);
      });
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  SmallVector<OpFoldResult> offsets = {row, chunkNumber}, ones = {one, one};
  for (auto [slice, out] : llvm::zip_equal(slices, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(builder, loc, slice, out, offsets,
                                          ones, ones);
  endKernel(forall, memrefs);
  return kernel;
}

/// Each workgroup scans the totals of a row.
func::FuncOp ScanSplitter::makeOffsetsKernel() {
  SmallVector<Type> types = getTotalTypes();
  unsigned count = types.size();
  func::FuncOp kernel =
      makePartKernel(builder, scan, "_offsets", addInitialTypes(types));
  ArrayRef<BlockArgument> arguments = kernel.getArguments();
  bindInitial(kernel.getArguments().drop_front(count));
  SmallVector<Value> totals;
  for (Value argument : arguments.take_front(count))
    totals.push_back(makeTensor(argument, /*isWritten=*/true));
  auto forall =
      beginForall(scan.rows, totals, getBlockMapping(builder.getContext()));
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = {forall.getInductionVar(0), zero},
                            sizes = {one,
                                     builder.getIndexAttr(scan.chunks - 1)},
                            ones = {one, one};
  SmallVector<Value> slices = llvm::map_to_vector(
      forall.getRegionIterArgs(), [&](Value totals) -> Value {
        return tensor::ExtractSliceOp::create(builder, loc, totals, offsets,
                                              sizes, ones);
      });
  ScanOp scanned = makeScan(slices, initial, slices, /*dimension=*/1,
                            /*exclusive=*/false, /*reverse=*/false);
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (auto [result, totals] :
       llvm::zip_equal(scanned.getResults(), forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(builder, loc, result, totals, offsets,
                                          sizes, ones);
  endKernel(forall, kernel.getArguments().take_front(count));
  return kernel;
}

/// Scans a chunk from the total before it, if there is one.
SmallVector<Value> ScanSplitter::scanChunk(ValueRange inputs, ValueRange totals,
                                           ValueRange outputs) {
  unsigned dimension = scan.dimension();
  Value isNotFirst = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ne, chunkNumber, makeIndex(0));
  SmallVector<Type> types =
      initial.empty() ? llvm::to_vector(outputs.getTypes()) : getElementTypes();
  auto choice = scf::IfOp::create(builder, loc, types, isNotFirst,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    Value previous = apply(builder.getAffineDimExpr(0) - 1, chunkNumber);
    SmallVector<Value> before =
        llvm::map_to_vector(totals, [&](Value total) -> Value {
          return tensor::ExtractOp::create(builder, loc, total,
                                           ValueRange{row, previous});
        });
    if (initial.empty())
      before = llvm::to_vector(
          ValueRange(makeScan(inputs, before, outputs, dimension,
                              op.getExclusive(), op.getReverse())
                         .getResults()));
    scf::YieldOp::create(builder, loc, before);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(
        builder, loc,
        initial.empty()
            ? ValueRange(makeScan(inputs, {}, outputs, dimension,
                                  op.getExclusive(), op.getReverse())
                             .getResults())
            : ValueRange(initial));
  }
  ValueRange results = choice.getResults();
  if (!initial.empty())
    results = makeScan(inputs, results, outputs, dimension, op.getExclusive(),
                       op.getReverse())
                  .getResults();
  return llvm::to_vector(results);
}

/// Each workgroup scans a chunk.
func::FuncOp ScanSplitter::makeChunksKernel() {
  SmallVector<BlockArgument> outer = getOuterArguments();
  SmallVector<Type> types = getTypes(outer);
  llvm::append_range(types, getTotalTypes());
  func::FuncOp kernel =
      makePartKernel(builder, scan, "_chunks", addInitialTypes(types));
  unsigned count = scan.inputs.size();
  ValueRange arguments = kernel.getArguments();
  bindInitial(arguments.drop_front(outer.size() + count));
  SmallVector<Value> totals, written, memrefs;
  for (Value argument : arguments.slice(outer.size(), count))
    totals.push_back(makeTensor(argument));
  auto find = [&](BlockArgument argument) -> Value {
    return arguments[llvm::find(outer, argument) - outer.begin()];
  };
  DenseMap<Value, Value> tensors;
  for (BlockArgument output : scan.outputs) {
    memrefs.push_back(find(output));
    written.push_back(makeTensor(memrefs.back(), /*isWritten=*/true));
  }
  for (BlockArgument input : scan.inputs)
    if (!llvm::is_contained(scan.outputs, input) &&
        !tensors.contains(find(input)))
      tensors[find(input)] = makeTensor(find(input));
  auto forall = beginForall(scan.rows * scan.chunks, written,
                            getBlockMapping(builder.getContext()));
  for (auto [memref, out] :
       llvm::zip_equal(memrefs, forall.getRegionIterArgs()))
    tensors[memref] = out;
  AffineExpr d0, d1;
  bindDims(builder.getContext(), d0, d1);
  findRow(forall.getInductionVar(0), d0.floorDiv(scan.chunks),
          d0 % scan.chunks);

  int64_t length = scan.getLength();
  OpFoldResult size = builder.getIndexAttr(scan.chunk);
  AffineExpr left = -d0 * scan.chunk + length;
  if (length % scan.chunk != 0)
    size = affine::AffineMinOp::create(
               builder, loc,
               AffineMap::get(1, 0,
                              {left, builder.getAffineConstantExpr(scan.chunk)},
                              builder.getContext()),
               chunkNumber)
               .getResult();
  Value begin;
  if (!op.getReverse())
    begin = apply(d0 * scan.chunk, chunkNumber);
  else if (auto given = dyn_cast<Value>(size))
    begin = apply(left - d1, ValueRange{chunkNumber, given});
  else
    begin = apply(left - scan.chunk, chunkNumber);
  SmallVector<OpFoldResult> offsets(rowPlace.begin(), rowPlace.end()),
      ones(rowPlace.size(), builder.getIndexAttr(1)), sizes(ones);
  offsets[scan.dimension()] = begin;
  sizes[scan.dimension()] = size;
  // An input that is an output is one value.
  DenseMap<Value, Value> slices;
  auto slice = [&](BlockArgument argument) {
    Value &made = slices[find(argument)];
    if (!made)
      made = tensor::ExtractSliceOp::create(
          builder, loc, tensors[find(argument)], offsets, sizes, ones);
    return made;
  };
  SmallVector<Value> inputs = llvm::map_to_vector(scan.inputs, slice), outputs;
  for (BlockArgument output : scan.outputs)
    outputs.push_back(slice(output));
  SmallVector<Value> results = scanChunk(inputs, totals, outputs);
  builder.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (auto [result, out] :
       llvm::zip_equal(results, forall.getRegionIterArgs()))
    tensor::ParallelInsertSliceOp::create(builder, loc, result, out, offsets,
                                          sizes, ones);
  endKernel(forall, memrefs);
  return kernel;
}
