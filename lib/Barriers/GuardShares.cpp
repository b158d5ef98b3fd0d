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
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using Predicate = arith::CmpIPredicate;

int64_t GuardShare::take(int64_t weight, bool holds) const {
  int64_t taken = holds ? holding : trips - holding;
  // Of weights that are near their bound no product is taken.
  int64_t part =
      weight >= trips ? weight / trips * taken : weight * taken / trips;
  return std::max<int64_t>(part, 1);
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

static std::optional<GuardShare> getShare(Value condition,
                                          const Numbers &numbers) {
  Operation *compare = condition.getDefiningOp();
  std::optional<Predicate> predicate =
      compare ? getPredicate(compare) : std::nullopt;
  if (!predicate || compare->getOperand(0) != numbers.counter)
    return std::nullopt;
  std::optional<int64_t> count =
      countHolding(*predicate, numbers, compare->getOperand(1));
  return count ? std::optional(GuardShare{*count, numbers.trips})
               : std::nullopt;
}

std::optional<GuardShare> mlir::memspace::getGuardShare(Value condition) {
  CountedLoop loop = getLoopOfGuard(condition);
  if (!loop)
    return std::nullopt;
  int64_t trips = loop.getTripCount().value_or(PlacementCosts::kUnknownTrips);
  if (trips < 1)
    return std::nullopt;
  if (std::optional<bool> value = getValueBeforeLast(condition, loop))
    return GuardShare{*value ? trips - 1 : 1, trips};
  return getShare(condition, {loop.getInductionVar(), loop.getLower().value,
                              loop.getConstantStep(), trips});
}

std::optional<GuardShare> mlir::memspace::getGuardShare(Value condition,
                                                        const BranchLoop &loop,
                                                        int64_t trips) {
  if (trips < 1)
    return std::nullopt;
  // Whether the next one is the last.
  Operation *compare = condition.getDefiningOp();
  if (compare && getPredicate(compare) == Predicate::slt &&
      compare->getOperand(1) == loop.upper)
    if (auto next = compare->getOperand(0).getDefiningOp<arith::AddIOp>();
        next && next.getLhs() == loop.counter &&
        getConstantIntValue(next.getRhs()) == loop.step)
      return GuardShare{trips - 1, trips};
  return getShare(condition, {loop.counter, loop.lower, loop.step, trips});
}
