//===- AccessExecutions.cpp - accesses that are executed alike ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The half of AccessClasses that compares what stands around accesses. A kernel
// that does the same in one nest of ops after the other has a value of its own
// for each condition and each iteration, and yet asks one question again and
// again.
//
//===----------------------------------------------------------------------===//

#include "AccessClasses.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;

bool AccessClasses::append(Key &key, const Sum &sum,
                           const DenseMap<unsigned, int64_t> &iterations) {
  if (sum.invalid)
    return false;
  SmallVector<std::pair<int64_t, int64_t>> terms;
  for (auto [number, coefficient] : sum.terms) {
    auto it = iterations.find(number);
    if (it == iterations.end() && !facts[number].isAffine)
      return false;
    // Below 0, so that it is no number.
    terms.emplace_back(it == iterations.end() ? int64_t(number) : ~it->second,
                       coefficient);
  }
  llvm::sort(terms);
  key.push_back(sum.constant);
  key.push_back(terms.size());
  for (auto [name, coefficient] : terms) {
    key.push_back(name);
    key.push_back(coefficient);
  }
  return true;
}

bool AccessClasses::appendGuard(Key &key, Value condition, bool holds,
                                const DenseMap<unsigned, int64_t> &iterations) {
  Operation *compare = condition.getDefiningOp();
  std::optional<arith::CmpIPredicate> predicate =
      compare ? getPredicate(compare) : std::nullopt;
  if (!predicate || !compare->getOperand(0).getType().isIndex())
    return false;
  key.push_back(holds);
  key.push_back(int64_t(*predicate));
  return append(key, getSum(compare->getOperand(0)), iterations) &&
         append(key, getSum(compare->getOperand(1)), iterations);
}

bool AccessClasses::appendAround(Key &key, Operation *op, Block *instance,
                                 DenseMap<unsigned, int64_t> &iterations) {
  constexpr size_t kMaxDepth = 16;
  SmallVector<Operation *> ops;
  for (; op->getBlock() != instance; op = op->getParentOp()) {
    if (ops.size() == kMaxDepth || !op->getParentRegion()->hasOneBlock())
      return false;
    ops.push_back(op);
  }
  for (Operation *inner : llvm::reverse(ops)) {
    Operation *around = inner->getParentOp();
    if (auto ifOp = dyn_cast<scf::IfOp>(around)) {
      bool inThen = inner->getParentRegion() == &ifOp.getThenRegion();
      key.push_back(1);
      if (!appendGuard(key, ifOp.getCondition(), inThen, iterations))
        return false;
      continue;
    }
    CountedLoop loop = CountedLoop::get(around);
    if (!loop || !loop.hasBounds() || !loop.getInits().empty())
      return false;
    Sum number = getSum(loop.getInductionVar());
    if (number.terms.size() != 1 || !facts[number.terms.front().first].range)
      return false;
    key.push_back(2);
    llvm::append_range(key, *facts[number.terms.front().first].range);
    iterations[number.terms.front().first] = iterations.size();
  }
  key.push_back(0);
  return true;
}

std::optional<unsigned> AccessClasses::getExecution(const ElementAccess &access,
                                                    Block *instance) {
  Key key{toKey(instance)};
  DenseMap<unsigned, int64_t> iterations;
  if (!appendAround(key, access.op, instance, iterations))
    return std::nullopt;
  key.push_back(access.ranges ? access.ranges->size() : -1);
  if (access.ranges)
    for (const IndexRange &range : *access.ranges) {
      key.push_back(range.size.has_value());
      key.push_back(range.stride);
      key.push_back(range.extents.size());
      if (!append(key, getSum(range.offset), iterations) ||
          (range.size && !append(key, getSum(*range.size), iterations)))
        return std::nullopt;
      for (const auto &[size, stride] : range.extents) {
        key.push_back(stride);
        if (!append(key, getSum(size), iterations))
          return std::nullopt;
      }
    }
  return executions.try_emplace(std::move(key), executions.size())
      .first->second;
}
