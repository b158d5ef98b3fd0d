//===- ExclusiveBlocks.cpp - blocks that one execution does not come to ---===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExclusiveBlocks.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// True for what each thread computes once, the same number.
bool ExclusiveBlocks::isFixed(Value value) {
  Block *block = value.getParentBlock();
  if (!isa<FunctionOpInterface>(block->getParentOp()) || !block->isEntryBlock())
    return false;
  auto [it, isNew] = fixed.try_emplace(value, false);
  if (isNew)
    it->second = relations.isUniform(value, ExecutionScope::Workgroup);
  return it->second;
}

/// Where `number` of this type is in the order of numbers without a sign.
static int64_t getUnsignedPlace(int64_t number, Type type) {
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (bits < 64)
    return number & llvm::maskTrailingOnes<uint64_t>(bits);
  return number ^ std::numeric_limits<int64_t>::min();
}

/// What is known because a comparison with a constant holds, or does not.
SmallVector<ExclusiveBlocks::Fact, 2> ExclusiveBlocks::getFacts(Value condition,
                                                                bool holds) {
  using Predicate = arith::CmpIPredicate;
  Operation *compare = condition.getDefiningOp();
  std::optional<Predicate> predicate =
      compare ? getPredicate(compare) : std::nullopt;
  if (!predicate)
    return {};
  Value value = compare->getOperand(0);
  Type type = value.getType();
  std::optional<int64_t> bound = getConstantIntValue(compare->getOperand(1));
  if (!bound || type.isInteger(1) ||
      (type.isInteger() && type.getIntOrFloatBitWidth() > 64) ||
      !isFixed(value))
    return {};
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t place = getUnsignedPlace(*bound, type);
  // With the sign that the comparison has; nothing for what nobody can be.
  std::optional<Fact> fact;
  switch (holds ? *predicate : arith::invertPredicate(*predicate)) {
  case Predicate::eq:
    return {{value, *bound, *bound}, {value, place, place, true}};
  case Predicate::slt:
    if (*bound != kLeast)
      fact = Fact{value, kLeast, *bound - 1};
    break;
  case Predicate::sle:
    fact = Fact{value, kLeast, *bound};
    break;
  case Predicate::sgt:
    if (*bound != kMost)
      fact = Fact{value, *bound + 1, kMost};
    break;
  case Predicate::sge:
    fact = Fact{value, *bound, kMost};
    break;
  case Predicate::ult:
    if (place != kLeast)
      fact = Fact{value, kLeast, place - 1, true};
    break;
  case Predicate::ule:
    fact = Fact{value, kLeast, place, true};
    break;
  case Predicate::ugt:
    if (place != kMost)
      fact = Fact{value, place + 1, kMost, true};
    break;
  case Predicate::uge:
    fact = Fact{value, place, kMost, true};
    break;
  case Predicate::ne:
    // Above the least, or below the most, without a sign.
    if (*bound == 0)
      fact = Fact{value, place + 1, kMost, true};
    break;
  }
  if (!fact)
    return {};
  SmallVector<Fact, 2> both{*fact};
  // Small numbers that are not negative are the same with and without a sign.
  int64_t zero = getUnsignedPlace(0, type);
  if (!fact->isUnsigned && fact->least >= 0) {
    both.push_back({value, getUnsignedPlace(fact->least, type), kMost, true});
  } else if (fact->isUnsigned && fact->least == kLeast && *bound >= 0) {
    both.push_back({value, 0, fact->most - zero});
  }
  return both;
}

void ExclusiveBlocks::add(Facts &facts, const Fact &fact) {
  auto it = llvm::lower_bound(facts, fact, [](const Fact &a, const Fact &b) {
    return a.getKey() < b.getKey();
  });
  if (it != facts.end() && it->getKey() == fact.getKey()) {
    it->least = std::max(it->least, fact.least);
    it->most = std::min(it->most, fact.most);
  } else if (facts.size() < kMaxFacts) {
    facts.insert(it, fact);
  }
}

unsigned ExclusiveBlocks::getNumber(Facts known) {
  auto [it, isNew] = numbers.try_emplace(std::move(known), facts.size());
  if (isNew)
    facts.push_back(it->first);
  return it->second;
}

unsigned ExclusiveBlocks::getFacts(Block *block) {
  // From the outermost block that is not known inwards.
  SmallVector<Block *> unknown;
  for (; block && !factsOf.contains(block);
       block = block->getParentOp()->getBlock()) {
    unknown.push_back(block);
    if (isa<FunctionOpInterface>(block->getParentOp())) {
      block = nullptr;
      break;
    }
  }
  unsigned number = block ? factsOf.lookup(block) : kNothing;
  for (Block *inner : llvm::reverse(unknown)) {
    if (auto ifOp = dyn_cast<scf::IfOp>(inner->getParentOp()))
      for (const Fact &fact :
           getFacts(ifOp.getCondition(),
                    inner->getParent() == &ifOp.getThenRegion())) {
        Facts known = facts[number];
        add(known, fact);
        number = getNumber(std::move(known));
      }
    factsOf[inner] = number;
  }
  return number;
}

/// Calls `visit` with the facts of both about one value.
template <typename List, typename Visit>
static void forEachShared(const List &left, const List &right, Visit visit) {
  auto it = right.begin();
  for (const auto &fact : left) {
    while (it != right.end() && it->getKey() < fact.getKey())
      ++it;
    if (it != right.end() && it->getKey() == fact.getKey())
      visit(fact, *it);
  }
}

unsigned ExclusiveBlocks::getCommonFacts(unsigned a, unsigned b) {
  if (a == b || a == kNothing || b == kNothing)
    return a == b ? a : kNothing;
  auto [it, isNew] = commonFacts.try_emplace(std::minmax(a, b), kNothing);
  if (!isNew)
    return it->second;
  Facts common;
  forEachShared(facts[a], facts[b], [&](const Fact &left, const Fact &right) {
    common.push_back({left.value, std::min(left.least, right.least),
                      std::max(left.most, right.most), left.isUnsigned});
  });
  return it->second = getNumber(std::move(common));
}

bool ExclusiveBlocks::areExclusive(unsigned a, unsigned b) const {
  bool areExclusive = false;
  forEachShared(facts[a], facts[b], [&](const Fact &left, const Fact &right) {
    areExclusive |= left.most < right.least || right.most < left.least;
  });
  return areExclusive;
}
