//===- InterpretScans.cpp - what memspace.scan does -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the first element of a row to the last one. What comes of a combiner
// that is not associative on these elements is not said: rows are scanned once
// more by halves, and must come out the same.
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "MemSpace/IR/MemSpaceDialect.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// The elements of all operands at one place.
using Elements = SmallVector<RuntimeValue, 2>;

class RowScan {
public:
  RowScan(InterpreterState &state, ScanOp op)
      : state(state), combiner(op.getCombiner().front()) {}

  LogicalResult inOrder(ArrayRef<Elements> row,
                        SmallVectorImpl<Elements> &prefixes) {
    for (const Elements &element : row) {
      Elements sum = element;
      if (!prefixes.empty() && failed(combine(prefixes.back(), element, sum)))
        return failure();
      prefixes.push_back(std::move(sum));
    }
    return success();
  }

  /// Each half, then the total of the first one before the others.
  LogicalResult byHalves(ArrayRef<Elements> row,
                         SmallVectorImpl<Elements> &prefixes) {
    if (row.size() == 1) {
      prefixes.push_back(row.front());
      return success();
    }
    SmallVector<Elements> second;
    if (failed(byHalves(row.take_front(row.size() / 2), prefixes)) ||
        failed(byHalves(row.drop_front(row.size() / 2), second)))
      return failure();
    Elements total = prefixes.back();
    for (const Elements &element : second) {
      Elements sum;
      if (failed(combine(total, element, sum)))
        return failure();
      prefixes.push_back(std::move(sum));
    }
    return success();
  }

private:
  LogicalResult combine(const Elements &left, const Elements &right,
                        Elements &sum) {
    SmallVector<RuntimeValue> arguments(left.begin(), left.end()), yielded;
    llvm::append_range(arguments, right);
    if (failed(state.run(combiner, arguments, &yielded)))
      return failure();
    sum.assign(yielded.begin(), yielded.end());
    return success();
  }

  InterpreterState &state;
  Block &combiner;
};
} // namespace

static bool areSame(ArrayRef<Elements> left, ArrayRef<Elements> right) {
  for (auto [a, b] : llvm::zip_equal(left, right))
    for (auto [x, y] : llvm::zip_equal(a, b))
      if (!isSameNumber(x.scalar, y.scalar))
        return false;
  return true;
}

/// The elements of the result of one row, in the order of the scan.
static LogicalResult scanRow(InterpreterState &state, ScanOp op,
                             SmallVectorImpl<Elements> &row) {
  if (row.empty())
    return success();
  size_t length = row.size();
  SmallVector<Elements> begun, prefixes, others;
  if (!op.getInitial().empty()) {
    Elements &first = begun.emplace_back();
    for (Value initial : op.getInitial())
      first.push_back(state.get(initial));
  }
  llvm::append_range(begun, row);
  RowScan scan(state, op);
  if (failed(scan.inOrder(begun, prefixes)) ||
      failed(scan.byHalves(begun, others)))
    return failure();
  if (!areSame(prefixes, others))
    return op.emitError("has a combiner that is not associative");
  ArrayRef<Elements> result = prefixes;
  if (op.getExclusive() || op.getInitial().empty())
    result = result.take_front(length);
  else
    result = result.take_back(length);
  row.assign(result.begin(), result.end());
  return success();
}

static LogicalResult interpretScan(InterpreterState &state, Operation *op) {
  auto scan = cast<ScanOp>(op);
  SmallVector<Tensor> tensors = state.getTensors(scan.getInputs());
  ArrayRef<int64_t> shape = tensors.front().shape;
  SmallVector<int64_t> rows(shape);
  rows[scan.getDimension()] = 1;
  if (failed(forEachIndex(rows, [&](ArrayRef<int64_t> first) -> LogicalResult {
        SmallVector<int64_t> places = getRow(shape, scan.getDimension(), first);
        if (scan.getReverse())
          std::reverse(places.begin(), places.end());
        SmallVector<Elements> row;
        for (int64_t place : places) {
          Elements &element = row.emplace_back();
          for (const Tensor &tensor : tensors)
            element.emplace_back(tensor.elements[place]);
        }
        if (failed(scanRow(state, scan, row)))
          return failure();
        for (auto [place, element] : llvm::zip_equal(places, row))
          for (auto [tensor, value] : llvm::zip_equal(tensors, element))
            tensor.elements[place] = value.scalar;
        return success();
      })))
    return failure();
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), tensors))
    state.set(result, std::move(tensor));
  return success();
}

InterpreterState::Handler fuzz::getScanHandler(Operation *op) {
  auto scan = dyn_cast<ScanOp>(op);
  return scan && scan.hasPureTensorSemantics() ? interpretScan : nullptr;
}
