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

/// What is known because a comparison with a constant holds, or does not.
std::optional<ExclusiveBlocks::Fact> ExclusiveBlocks::getFact(Value condition,
                                                              bool holds) {
  using Predicate = arith::CmpIPredicate;
  Operation *compare = condition.getDefiningOp();
  std::optional<Predicate> predicate =
      compare ? getPredicate(compare) : std::nullopt;
  if (!predicate)
    return std::nullopt;
  Value value = compare->getOperand(0);
  std::optional<int64_t> bound = getConstantIntValue(compare->getOperand(1));
  if (!bound || value.getType().isInteger(1) || !isFixed(value))
    return std::nullopt;
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  switch (holds ? *predicate : arith::invertPredicate(*predicate)) {
  case Predicate::eq:
    return Fact{value, *bound, *bound};
  case Predicate::slt:
    if (*bound == kLeast)
      return std::nullopt;
    return Fact{value, kLeast, *bound - 1};
  case Predicate::sle:
    return Fact{value, kLeast, *bound};
  case Predicate::sgt:
    if (*bound == kMost)
      return std::nullopt;
    return Fact{value, *bound + 1, kMost};
  case Predicate::sge:
    return Fact{value, *bound, kMost};
  default:
    return std::nullopt;
  }
}

void ExclusiveBlocks::add(Facts &facts, const Fact &fact) {
  auto it = llvm::lower_bound(facts, fact, [](const Fact &a, const Fact &b) {
    return a.getPointer() < b.getPointer();
  });
  if (it != facts.end() && it->value == fact.value) {
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
      if (std::optional<Fact> fact =
              getFact(ifOp.getCondition(),
                      inner->getParent() == &ifOp.getThenRegion())) {
        Facts known = facts[number];
        add(known, *fact);
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
    while (it != right.end() && it->getPointer() < fact.getPointer())
      ++it;
    if (it != right.end() && it->value == fact.value)
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
                      std::max(left.most, right.most)});
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
