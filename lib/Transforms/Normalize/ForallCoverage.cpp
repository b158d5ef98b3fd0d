//===- ForallCoverage.cpp - what the iterations of a forall write ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForallCoverage.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// Iterations of one induction variable that are looked at.
static constexpr int64_t kMaxIterations = 1 << 16;
/// Ops behind one size.
static constexpr unsigned kMaxOps = 32;

namespace {
/// Numbers as functions of one induction variable.
class Evaluation {
public:
  Evaluation(Value variable, int64_t number) { numbers[variable] = number; }

  std::optional<int64_t> evaluate(Value value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return constant;
    if (auto it = numbers.find(value); it != numbers.end())
      return it->second;
    auto result = dyn_cast<OpResult>(value);
    if (!result || ++numOps > kMaxOps)
      return std::nullopt;
    Operation *op = result.getOwner();
    SmallVector<std::optional<int64_t>> operands;
    for (Value operand : op->getOperands())
      operands.push_back(evaluate(operand));
    SmallVector<std::optional<int64_t>> folded = NumberFolder(op).fold(
        operands, [&](Value equal) { return evaluate(equal); });
    std::optional<int64_t> number =
        folded.empty() ? std::nullopt : folded[result.getResultNumber()];
    numbers[value] = number;
    return number;
  }

private:
  DenseMap<Value, std::optional<int64_t>> numbers;
  unsigned numOps = 0;
};
} // namespace

/// The only induction variable of `forall` that `value` depends on; null for
/// none, none for several.
static std::optional<Value> getVariable(scf::ForallOp forall, Value value) {
  Value variable;
  SmallVector<Value> worklist{value};
  for (unsigned ops = 0; !worklist.empty(); ++ops) {
    value = worklist.pop_back_val();
    auto arg = dyn_cast<BlockArgument>(value);
    if (arg && arg.getOwner() == forall.getBody()) {
      if (variable && variable != value)
        return std::nullopt;
      variable = value;
      continue;
    }
    Operation *def = value.getDefiningOp();
    if (arg || !def || ops > kMaxOps)
      return std::nullopt;
    llvm::append_range(worklist, def->getOperands());
  }
  return variable;
}

bool mlir::memspace::coversTensor(scf::ForallOp forall, BlockArgument arg) {
  SmallVector<Operation *> combining = forall.getCombiningOps(arg);
  auto type = cast<RankedTensorType>(arg.getType());
  if (combining.size() != 1 || !type.hasStaticShape())
    return false;
  auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(combining[0]);
  if (!insert)
    return false;

  // The elements of an iteration are the product of its sizes, those of all
  // are, for each variable, the sum over its values, and then their product.
  int64_t elements = 1;
  DenseMap<Value, SmallVector<Value>> sizes;
  for (OpFoldResult size : insert.getMixedSizes()) {
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      if (llvm::MulOverflow(elements, *constant, elements))
        return false;
      continue;
    }
    auto value = cast<Value>(size);
    std::optional<Value> variable = getVariable(forall, value);
    if (!variable || !*variable)
      return false;
    sizes[*variable].push_back(value);
  }
  for (auto [dim, variable] : llvm::enumerate(forall.getInductionVars())) {
    std::optional<int64_t> count = getStaticTripCount(forall, dim);
    if (!count)
      return false;
    int64_t sum = *count;
    if (auto it = sizes.find(variable); it != sizes.end()) {
      std::optional<int64_t> lower =
          getConstantIntValue(forall.getMixedLowerBound()[dim]);
      std::optional<int64_t> step =
          getConstantIntValue(forall.getMixedStep()[dim]);
      if (!lower || !step || *count > kMaxIterations)
        return false;
      sum = 0;
      for (int64_t i = 0; i < *count; ++i) {
        Evaluation iteration(variable, *lower + i * *step);
        int64_t product = 1;
        for (Value size : it->second) {
          std::optional<int64_t> number = iteration.evaluate(size);
          if (!number || *number < 0 ||
              llvm::MulOverflow(product, *number, product))
            return false;
        }
        if (llvm::AddOverflow(sum, product, sum))
          return false;
      }
    }
    if (llvm::MulOverflow(elements, sum, elements))
      return false;
  }
  return elements == type.getNumElements();
}
