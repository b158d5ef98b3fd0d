//===- InterpretSorts.cpp - what memspace's sorts do -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// The stable order of a row of `inputs`, as positions in it.
static FailureOr<SmallVector<int64_t>> sortRow(InterpreterState &state,
                                               Operation *op, Block &comparator,
                                               ArrayRef<Tensor> inputs,
                                               ArrayRef<int64_t> row) {
  SmallVector<int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  bool isDefined = true;
  std::stable_sort(
      order.begin(), order.end(), [&](int64_t left, int64_t right) {
        SmallVector<RuntimeValue> arguments, yielded;
        for (const Tensor &input : inputs)
          for (int64_t position : {left, right})
            arguments.emplace_back(input.elements[row[position]]);
        if (!isDefined || failed(state.run(comparator, arguments, &yielded)))
          return isDefined = false;
        auto answer = dyn_cast_if_present<IntegerAttr>(yielded.front().scalar);
        isDefined = bool(answer);
        return isDefined && answer.getValue().isOne();
      });
  if (!isDefined)
    return op->emitError("compares an element that nobody has written");
  return order;
}

/// Calls `write` with each row and its order.
static LogicalResult forEachRow(
    InterpreterState &state, Operation *op, Block &comparator,
    ArrayRef<Tensor> inputs, int64_t dimension,
    llvm::function_ref<void(ArrayRef<int64_t> first, ArrayRef<int64_t> row,
                            ArrayRef<int64_t> order)>
        write) {
  SmallVector<int64_t> rows(inputs.front().shape);
  rows[dimension] = 1;
  return forEachIndex(rows, [&](ArrayRef<int64_t> first) -> LogicalResult {
    SmallVector<int64_t> row = getRow(inputs.front().shape, dimension, first);
    FailureOr<SmallVector<int64_t>> order =
        sortRow(state, op, comparator, inputs, row);
    if (failed(order))
      return failure();
    write(first, row, *order);
    return success();
  });
}

static Attribute getPosition(Type type, int64_t position) {
  return IntegerAttr::get(type, position);
}

static LogicalResult interpretSort(InterpreterState &state, Operation *op) {
  auto sort = cast<SortOp>(op);
  SmallVector<Tensor> inputs = state.getTensors(sort.getInputs()),
                      outputs = inputs;
  if (failed(forEachRow(state, op, sort.getComparator().front(), inputs,
                        sort.getDimension(), [&](auto, auto row, auto order) {
                          for (auto [input, output] :
                               llvm::zip_equal(inputs, outputs))
                            for (auto [to, from] : llvm::zip_equal(row, order))
                              output.elements[to] = input.elements[row[from]];
                        })))
    return failure();
  for (auto [result, output] : llvm::zip_equal(op->getResults(), outputs))
    state.set(result, std::move(output));
  return success();
}

static LogicalResult interpretSortIndices(InterpreterState &state,
                                          Operation *op) {
  auto sort = cast<SortIndicesOp>(op);
  SmallVector<Tensor> inputs = state.getTensors(sort.getInputs());
  Tensor indices = state.getTensor(sort.getIndices());
  if (failed(forEachRow(state, op, sort.getComparator().front(), inputs,
                        sort.getDimension(), [&](auto, auto row, auto order) {
                          for (auto [to, from] : llvm::zip_equal(row, order))
                            indices.elements[to] =
                                getPosition(indices.elementType, from);
                        })))
    return failure();
  state.set(op->getResult(0), std::move(indices));
  return success();
}

static LogicalResult interpretTopK(InterpreterState &state, Operation *op) {
  auto topK = cast<TopKOp>(op);
  int64_t dimension = topK.getDimension();
  Tensor input = state.getTensor(topK.getInput());
  SmallVector<Tensor> outputs = state.getTensors(topK.getDpsInits());
  auto write = [&](ArrayRef<int64_t> first, ArrayRef<int64_t> row,
                   ArrayRef<int64_t> order) {
    SmallVector<int64_t> to = getRow(outputs.front().shape, dimension, first);
    for (size_t i = 0; i < std::min(to.size(), order.size()); ++i) {
      if (topK.getValues())
        outputs.front().elements[to[i]] = input.elements[row[order[i]]];
      if (topK.getIndices())
        outputs.back().elements[to[i]] =
            getPosition(outputs.back().elementType, order[i]);
    }
  };
  if (failed(forEachRow(state, op, topK.getComparator().front(), input,
                        dimension, write)))
    return failure();
  for (auto [result, output] : llvm::zip_equal(op->getResults(), outputs))
    state.set(result, std::move(output));
  return success();
}

InterpreterState::Handler fuzz::getSortHandler(Operation *op) {
  if (!isa<DestinationStyleOpInterface>(op) ||
      !cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics())
    return nullptr;
  if (isa<SortOp>(op))
    return interpretSort;
  if (isa<SortIndicesOp>(op))
    return interpretSortIndices;
  if (isa<TopKOp>(op))
    return interpretTopK;
  return nullptr;
}
