//===- GuardShares.cpp - in how many iterations conditions hold -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardShares.h"
#include "Kernel/IntegerOps.h"
#include "LoopGuards.h"
#include "MemSpace/Barriers/PlacementMode.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using Predicate = arith::CmpIPredicate;

int64_t GuardShare::take(int64_t weight, bool holds) const {
  // A product of numbers near their bounds is no number of 64 bits.
  double share = double(holds ? holding : trips - holding) / double(trips);
  return std::max(static_cast<int64_t>(double(weight) * share), int64_t(1));
}

namespace {
/// The numbers of the iterations of a loop: `trips` from `lower` on.
struct Numbers {
  Value counter;
  OpFoldResult lower;
  std::optional<int64_t> step;
  int64_t trips;
};
} // namespace

/// How many of `numbers` are below `limit`; none if they are not known.
static std::optional<int64_t> countBelow(const Numbers &numbers,
                                         int64_t limit) {
  std::optional<int64_t> lower =
      numbers.lower ? getConstantIntValue(numbers.lower) : std::nullopt;
  int64_t length;
  if (!lower || !numbers.step || *numbers.step <= 0 ||
      llvm::SubOverflow(limit, *lower, length))
    return std::nullopt;
  return length <= 0 ? 0
                     : std::min(llvm::divideCeilSigned(length, *numbers.step),
                                numbers.trips);
}

/// In how many iterations the number of the iteration compares so with `other`.
static std::optional<int64_t>
countHolding(Predicate predicate, const Numbers &numbers, Value other) {
  bool isFirst =
      numbers.lower && isEqualConstantIntOrValue(other, numbers.lower);
  std::optional<int64_t> constant = getConstantIntValue(other);
  auto countUpTo = [&](bool includes) -> std::optional<int64_t> {
    if (isFirst)
      return includes ? 1 : 0;
    if (!constant || (includes && *constant == INT64_MAX))
      return std::nullopt;
    return countBelow(numbers, *constant + includes);
  };
  auto countOthers = [&](std::optional<int64_t> count) {
    return count ? std::optional(numbers.trips - *count) : std::nullopt;
  };
  switch (predicate) {
  case Predicate::eq:
    return 1;
  case Predicate::ne:
    return numbers.trips - 1;
  case Predicate::slt:
  case Predicate::ult:
    return countUpTo(/*includes=*/false);
  case Predicate::sle:
  case Predicate::ule:
    return countUpTo(/*includes=*/true);
  case Predicate::sgt:
  case Predicate::ugt:
    return countOthers(countUpTo(/*includes=*/true));
  case Predicate::sge:
  case Predicate::uge:
    return countOthers(countUpTo(/*includes=*/false));
  }
  return std::nullopt;
}

/// What holds of `b` and `a` when `predicate` does of `a` and `b`.
static Predicate swapSides(Predicate predicate) {
  switch (predicate) {
  case Predicate::slt:
    return Predicate::sgt;
  case Predicate::sle:
    return Predicate::sge;
  case Predicate::sgt:
    return Predicate::slt;
  case Predicate::sge:
    return Predicate::sle;
  case Predicate::ult:
    return Predicate::ugt;
  case Predicate::ule:
    return Predicate::uge;
  case Predicate::ugt:
    return Predicate::ult;
  case Predicate::uge:
    return Predicate::ule;
  default:
    return predicate;
  }
}

static std::optional<GuardShare> getShare(Operation *compare,
                                          const Numbers &numbers) {
  Predicate predicate = *getPredicate(compare);
  Value left = compare->getOperand(0), right = compare->getOperand(1);
  if (getOrigin(right) == numbers.counter) {
    std::swap(left, right);
    predicate = swapSides(predicate);
  }
  if (getOrigin(left) != numbers.counter)
    return std::nullopt;
  std::optional<int64_t> count = countHolding(predicate, numbers, right);
  return count ? std::optional(GuardShare{*count, numbers.trips})
               : std::nullopt;
}

int64_t mlir::memspace::getRepeats(const BranchLoop &loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.lower);
  std::optional<int64_t> upper = getConstantIntValue(loop.upper);
  int64_t length;
  if (!lower || !upper || llvm::SubOverflow(*upper, *lower, length) ||
      llvm::SubOverflow(length, loop.ahead, length))
    return PlacementCosts::kUnknownTrips;
  return length <= 0 ? 0 : llvm::divideCeil(length, loop.step);
}

/// Of a comparison with the counter of `loop`.
static std::optional<GuardShare> getShare(Operation *compare,
                                          const BranchLoop &loop) {
  int64_t trips = getRepeats(loop);
  if (trips < 1)
    return std::nullopt;
  // Whether the next one is the last.
  if (getPredicate(compare) == Predicate::slt &&
      compare->getOperand(1) == loop.upper)
    if (auto next = compare->getOperand(0).getDefiningOp<arith::AddIOp>();
        next && getOrigin(next.getLhs()) == loop.counter &&
        getConstantIntValue(next.getRhs()) == loop.step)
      return GuardShare{trips - 1, trips};
  return getShare(compare, {loop.counter, loop.lower, loop.step, trips});
}

/// Of a comparison with the number of an iteration of a structured loop.
static std::optional<GuardShare> getShare(Operation *compare,
                                          DominanceInfo &dominance) {
  Value condition = compare->getResult(0);
  auto getTrips = [](const CountedLoop &loop) {
    return std::max<int64_t>(
        loop.getTripCount().value_or(PlacementCosts::kUnknownTrips), 1);
  };
  if (CountedLoop loop = getLoopOfGuard(condition))
    if (std::optional<bool> value = getValueBeforeLast(condition, loop)) {
      int64_t trips = getTrips(loop);
      return GuardShare{*value ? trips - 1 : 1, trips};
    }
  for (Value side : compare->getOperands()) {
    auto counter = dyn_cast<BlockArgument>(getOrigin(side));
    Operation *around = counter ? counter.getOwner()->getParentOp() : nullptr;
    if (CountedLoop loop = CountedLoop::get(around);
        loop && loop.getInductionVar() == counter)
      return getShare(compare, {counter, loop.getLower().value,
                                loop.getConstantStep(), getTrips(loop)});
    if (!isa_and_nonnull<scf::WhileOp>(around))
      continue;
    std::optional<BranchLoop> loop = BranchLoop::get(around, dominance);
    if (loop && loop->counter == counter)
      return getShare(compare, *loop);
  }
  return std::nullopt;
}

/// Of what is combined of comparisons, of each of which `ofCompare` tells.
static std::optional<GuardShare>
getShare(Value condition,
         llvm::function_ref<std::optional<GuardShare>(Operation *)> ofCompare,
         unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 8;
  Operation *op = condition.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return std::nullopt;
  if (getPredicate(op))
    return ofCompare(op);
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  std::optional<GuardShare> a =
      getShare(op->getOperand(0), ofCompare, depth + 1);
  if (isa<arith::XOrIOp>(op))
    return a && matchPattern(op->getOperand(1), m_One())
               ? std::optional(GuardShare{a->trips - a->holding, a->trips})
               : std::nullopt;
  std::optional<GuardShare> b =
      getShare(op->getOperand(1), ofCompare, depth + 1);
  if (!a || !b) {
    // What is not known holds in half.
    std::optional<GuardShare> known = a ? a : b;
    if (known && isa<arith::OrIOp>(op))
      known->holding = std::max(known->holding, known->trips / 2);
    return known;
  }
  // Of two loops those that are executed more rarely decide.
  if (a->trips != b->trips)
    return isa<arith::AndIOp>(op) ? a : std::nullopt;
  return GuardShare{isa<arith::AndIOp>(op)
                        ? std::min(a->holding, b->holding)
                        : std::min(a->holding + b->holding, a->trips),
                    a->trips};
}

std::optional<GuardShare>
mlir::memspace::getGuardShare(Value condition, DominanceInfo &dominance) {
  return getShare(condition, [&](Operation *compare) {
    return getShare(compare, dominance);
  });
}

std::optional<GuardShare>
mlir::memspace::getGuardShare(Value condition,
                              ArrayRef<const BranchLoop *> loops) {
  return getShare(
      condition, [&](Operation *compare) -> std::optional<GuardShare> {
        for (const BranchLoop *loop : loops)
          if (std::optional<GuardShare> share = getShare(compare, *loop))
            return share;
        return std::nullopt;
      });
}
