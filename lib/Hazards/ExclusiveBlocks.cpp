//===- ExclusiveBlocks.cpp - blocks that one execution does not come to ---===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExclusiveBlocks.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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
SmallVector<ExclusiveBlocks::Fact, 3> ExclusiveBlocks::getFacts(Value condition,
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
  // Nothing for what no number is.
  SmallVector<Fact, 3> found;
  auto addSigned = [&](int64_t least, int64_t most) {
    found.push_back({value, least, most});
    // Numbers that are not negative are the same without a sign.
    if (least >= 0)
      found.push_back({value, getUnsignedPlace(least, type), kMost, true});
  };
  auto addUnsigned = [&](int64_t least, int64_t most) {
    found.push_back({value, least, most, true});
  };
  switch (holds ? *predicate : arith::invertPredicate(*predicate)) {
  case Predicate::eq:
    addSigned(*bound, *bound);
    addUnsigned(place, place);
    break;
  case Predicate::ne:
    // Without a sign all others are above zero.
    if (*bound == 0)
      addUnsigned(place + 1, kMost);
    break;
  case Predicate::slt:
    if (*bound != kLeast)
      addSigned(kLeast, *bound - 1);
    break;
  case Predicate::sle:
    addSigned(kLeast, *bound);
    break;
  case Predicate::sgt:
    if (*bound != kMost)
      addSigned(*bound + 1, kMost);
    break;
  case Predicate::sge:
    addSigned(*bound, kMost);
    break;
  case Predicate::ult:
    if (place == kLeast)
      break;
    addUnsigned(kLeast, place - 1);
    // Below one that is not negative none is.
    if (*bound > 0)
      addSigned(0, *bound - 1);
    break;
  case Predicate::ule:
    addUnsigned(kLeast, place);
    if (*bound >= 0)
      addSigned(0, *bound);
    break;
  case Predicate::ugt:
    if (place != kMost)
      addUnsigned(place + 1, kMost);
    break;
  case Predicate::uge:
    addUnsigned(place, kMost);
    break;
  }
  return found;
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

/// The block that control has to come by before `block`, and the condition that
/// leads from there to `block` only, if any.
ExclusiveBlocks::Step ExclusiveBlocks::getOuter(Block *block) {
  Region *region = block->getParent();
  if (!block->isEntryBlock()) {
    auto *node = dominance.getDomTree(region).getNode(block);
    if (!node || !node->getIDom())
      return {};
    Step step{node->getIDom()->getBlock()};
    auto branch = dyn_cast<cf::CondBranchOp>(step.outer->getTerminator());
    // By one edge only.
    if (branch && block->getSinglePredecessor() == step.outer) {
      step.condition = branch.getCondition();
      step.holds = branch.getTrueDest() == block;
    }
    return step;
  }
  Operation *parent = region->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return {};
  Step step{parent->getBlock()};
  if (auto ifOp = dyn_cast<scf::IfOp>(parent)) {
    step.condition = ifOp.getCondition();
    step.holds = region == &ifOp.getThenRegion();
  }
  return step;
}

unsigned ExclusiveBlocks::getFacts(Block *block) {
  // From the outermost block that is not known inwards.
  SmallVector<std::pair<Block *, Step>> unknown;
  while (block && !factsOf.contains(block)) {
    unknown.emplace_back(block, getOuter(block));
    block = unknown.back().second.outer;
  }
  unsigned number = block ? factsOf.lookup(block) : kNothing;
  for (const auto &[inner, step] : llvm::reverse(unknown)) {
    if (step.condition)
      for (const Fact &fact : getFacts(step.condition, step.holds)) {
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
