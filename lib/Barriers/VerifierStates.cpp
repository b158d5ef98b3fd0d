//===- VerifierStates.cpp - the program with numbers carried along -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierStates.h"
#include "Kernel/ChainDepth.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <deque>
#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::memspace;

VerifierStates::VerifierStates(const KernelContext &context,
                               const HazardAnalysis &analysis,
                               const Uniformity &uniformity,
                               const ProgramGraph &graph)
    : context(context), uniformity(uniformity), slice(analysis, uniformity),
      firstGuards(context.getKernel(), uniformity, dominance), known(context),
      deadEnds(context, known) {
  bool isLimited = false;
  for (unsigned attempt = 0; true; ++attempt) {
    size_t numEndless = endless.size();
    if (expand(graph)) {
      if (endless.size() > numEndless)
        continue;
      if (isLimited || !limitUnknown())
        break;
      isLimited = true;
      continue;
    }
    // With less and less, of which not so much is expected.
    maxPoints = kMaxPoints / 4;
    if (attempt < kMaxAttempts)
      dropMost();
    else
      slice.clear();
  }
  for (auto [number, point] : llvm::enumerate(points))
    if (point.op)
      pointsOf[point.op].push_back(number);
}

ArrayRef<unsigned> VerifierStates::getPoints(Operation *op) const {
  auto it = pointsOf.find(op);
  return it == pointsOf.end() ? ArrayRef<unsigned>() : it->second;
}

bool VerifierStates::isFollowed(Value value) const {
  // Threads that have parted may bring different values to one point.
  if (uniformity.getScope(value) > ExecutionScope::Workgroup)
    return false;
  if (slice.contains(value))
    return true;
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || uncounted.contains(value))
    return false;
  Operation *owner = arg.getOwner()->getParentOp();
  CountedLoop loop =
      slice.isChosen(owner) ? CountedLoop::get(owner) : CountedLoop();
  return loop && arg == loop.getInductionVar() && loop.hasBounds();
}

/// False where what is known contradicts the edge.
bool VerifierStates::mayTake(const ProgramGraph::Edge &edge, unsigned where) {
  Value decider = edge.choice ? edge.choice.getDecider() : edge.condition;
  if (decider) {
    DeadEnds::Decision decision;
    decision.number = known.evaluate(decider, where);
    if (!decision.number && where != KnownValues::kNothing)
      decision = deadEnds.decide(decider, where);
    if (decision.isPoison)
      return false;
    if (decision.number)
      return edge.choice ? edge.choice.getWay(*decision.number) == edge.chosen
                         : (*decision.number != 0) == edge.holds;
  }
  CountedLoop loop = CountedLoop::get(edge.of);
  if (!loop || !loop.hasBounds())
    return true;
  std::optional<int64_t> upper = known.evaluateUpper(loop, where);
  std::optional<int64_t> step = known.evaluateStep(loop, where);
  bool isFirst = edge.way == ProgramGraph::Edge::Enter ||
                 edge.way == ProgramGraph::Edge::Skip;
  std::optional<int64_t> number =
      isFirst ? known.evaluateLower(loop, where)
              : known.evaluate(loop.getInductionVar(), where);
  if (!upper || !number || !step || *step <= 0 ||
      (loop.isUnsigned() && (*upper < 0 || *number < 0)))
    return true;
  if (!isFirst && llvm::AddOverflow(*number, *step, *number))
    return true;
  bool goesOn = edge.way == ProgramGraph::Edge::Enter ||
                edge.way == ProgramGraph::Edge::Repeat;
  return (*number < *upper) == goesOn;
}

/// True when a memref does not depend on where it is used.
static bool isTheSameEverywhere(Value memref) {
  for (unsigned steps = 0; steps < kMaxChainDepth; ++steps) {
    Operation *op = memref.getDefiningOp();
    if (!op) {
      Block *block = cast<BlockArgument>(memref).getOwner();
      return block->isEntryBlock() &&
             isa<FunctionOpInterface>(block->getParentOp());
    }
    if (op->getNumRegions() != 0)
      return false;
    Value source;
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType())) {
        if (!getConstantIntValue(operand))
          return false;
        continue;
      }
      if (source)
        return false;
      source = operand;
    }
    if (!source)
      return true;
    memref = source;
  }
  return false;
}

/// The number of the induction variable behind the edge. Without an end there
/// would be no end of numbers, unless something is shifted by them.
std::optional<int64_t> VerifierStates::count(const ProgramGraph::Edge &edge,
                                             const CountedLoop &loop,
                                             unsigned where) {
  Value iv = loop.getInductionVar();
  std::optional<int64_t> step = known.evaluateStep(loop, where);
  bool hasEnd = known.evaluateUpper(loop, where).has_value();
  if (!step || (!hasEnd && (*step <= 0 || !slice.isShiftAmount(iv) ||
                            endless.contains(iv))))
    return std::nullopt;
  std::optional<int64_t> lower = known.evaluateLower(loop, where);
  if (edge.way == ProgramGraph::Edge::Enter)
    return lower;
  std::optional<int64_t> number = known.evaluate(iv, where);
  if (edge.way != ProgramGraph::Edge::Repeat || !number ||
      llvm::AddOverflow(*number, *step, *number))
    return std::nullopt;
  int64_t most;
  if (!hasEnd &&
      (!lower ||
       llvm::MulOverflow(*step, int64_t(ControlSlice::kManyShifts), most) ||
       llvm::AddOverflow(*lower, most, most) || *number > most)) {
    endless.insert(iv);
    return std::nullopt;
  }
  return number;
}

/// What is known behind the edge.
unsigned VerifierStates::take(const ProgramGraph::Edge &edge, unsigned where) {
  KnownValues::Content next = known.contents[where];
  auto set = [&](Value target, std::optional<KnownValues::Known> content) {
    const void *key = target.getAsOpaquePointer();
    next.erase(key);
    if (content)
      next[key] = {content->number, content->memref.getAsOpaquePointer(),
                   content->where, content->bits};
  };
  // As much of a number as is followed.
  auto getLow = [&](Value value,
                    LowPart part) -> std::optional<KnownValues::Known> {
    unsigned bits = known.lowBits.lookup(value);
    if (part.bits < bits)
      return std::nullopt;
    part = part.take(bits);
    return KnownValues::Known{part.number, Value(), 0, part.bits};
  };
  CountedLoop loop = CountedLoop::get(edge.of);
  if (loop && isFollowed(loop.getInductionVar())) {
    Value iv = loop.getInductionVar();
    std::optional<int64_t> number = count(edge, loop, where);
    auto low = known.lowBits.find(iv);
    if (low == known.lowBits.end()) {
      set(iv, number ? std::optional(KnownValues::Known{*number, Value(), 0})
                     : std::nullopt);
    } else {
      // What wraps is the same modulo a power of two.
      LowPart part, step;
      auto evaluateBound = [&](const LoopBound &bound) {
        if (std::optional<int64_t> constant = bound.getConstant())
          return LowPart::whole(*constant);
        auto value = dyn_cast_if_present<Value>(bound.value);
        return value ? known.evaluateLow(value, where) : LowPart();
      };
      if (edge.way == ProgramGraph::Edge::Enter) {
        part = evaluateBound(loop.getLower());
      } else if (edge.way == ProgramGraph::Edge::Repeat) {
        part = known.evaluateLow(iv, where);
        step = evaluateBound(LoopBound{loop.getStep(), {}, {}});
        uint64_t sum = uint64_t(part.number) + uint64_t(step.number);
        part = LowPart::whole(sum).take(std::min(part.bits, step.bits));
      }
      set(iv, getLow(iv, part));
    }
  }
  bool isEntered = edge.way == ProgramGraph::Edge::Enter;
  firstGuards.forEachBegun(edge, [&](Value guard, std::optional<bool> holds) {
    set(guard, holds ? std::optional(KnownValues::Known{*holds, Value(), 0})
                     : std::nullopt);
  });
  for (auto [to, from] : llvm::zip_first(edge.to, edge.from)) {
    if (!isFollowed(to) || (edge.leaves && to.use_empty()))
      continue;
    std::optional<KnownValues::Known> content;
    if (isa<BaseMemRefType>(to.getType())) {
      content = known.lookup(from, where);
      if (!content)
        content = KnownValues::Known{
            0, from, isTheSameEverywhere(from) ? KnownValues::kNothing : where};
    } else if (known.lowBits.contains(to)) {
      content = getLow(to, known.evaluateLow(from, where));
    } else if (std::optional<int64_t> number = known.evaluate(from, where)) {
      content = KnownValues::Known{*number, Value(), 0};
    }
    set(to, content);
  }
  // What is computed again before it can be used is not known any more: a path
  // may not come there, and a thread that has gone another way knows nothing of
  // it.
  auto isGone = [&](Value value) {
    if (llvm::is_contained(edge.to, value))
      return false;
    Block *owner = value.getParentBlock();
    bool isArgument = isa<BlockArgument>(value);
    if (edge.leaves)
      return edge.leaves->isAncestor(owner->getParentOp()) ||
             !slice.isUsedBehind(value, edge.leaves);
    if (loop && isEntered && !slice.isUsedFrom(value, edge.of))
      return true;
    if (edge.crosses && !edge.block)
      return edge.crosses->isAncestor(owner->getParentOp()) &&
             !(loop && value == loop.getInductionVar()) &&
             !firstGuards.isKept(value, edge);
    if (!edge.block || firstGuards.isKept(value, edge))
      return false;
    Block *around = edge.block->getParent()->findAncestorBlockInRegion(*owner);
    if (!around)
      return false;
    if (!slice.isUsedFrom(value, edge.block))
      return true;
    return isArgument && around == owner
               ? !dominance.dominates(around, edge.block)
               : !dominance.properlyDominates(around, edge.block);
  };
  for (auto it = next.begin(); it != next.end();)
    it = isGone(Value::getFromOpaquePointer(it->first)) ? next.erase(it)
                                                        : std::next(it);
  return known.add(std::move(next));
}

/// A number that is not known is one of a few, modulo a power of two.
SmallVector<unsigned> VerifierStates::takeAll(const ProgramGraph::Edge &edge,
                                              unsigned where) {
  SmallVector<unsigned> all{take(edge, where)};
  SmallVector<Value> targets(edge.to), sources(edge.from);
  if (CountedLoop loop = CountedLoop::get(edge.of);
      loop && (edge.way == ProgramGraph::Edge::Enter ||
               edge.way == ProgramGraph::Edge::Repeat)) {
    targets.push_back(loop.getInductionVar());
    sources.push_back(nullptr);
  }
  for (auto [target, source] : llvm::zip_first(targets, sources)) {
    if (!isFollowed(target) || target.use_empty() ||
        known.lookup(target, all.front()))
      continue;
    unsigned bits = known.lowBits.lookup(target);
    SmallVector<int64_t> numbers;
    if (bits != 0) {
      numbers.resize(size_t(1) << bits);
      std::iota(numbers.begin(), numbers.end(), 0);
    } else if (source && target.getType().isIntOrIndex()) {
      bits = LowPart::kWhole;
      numbers = known.evaluateFew(source, where);
    }
    if (numbers.empty() || all.size() * numbers.size() > kMaxCases)
      continue;
    SmallVector<unsigned> more;
    for (unsigned one : all)
      for (int64_t number : numbers) {
        KnownValues::Content content = known.contents[one];
        content[target.getAsOpaquePointer()] = {number, nullptr, 0, bits};
        more.push_back(known.add(std::move(content)));
      }
    all = std::move(more);
  }
  return all;
}

/// What may be known where the kernel begins: each number by which it chooses
/// is one of a few.
SmallVector<unsigned> VerifierStates::enterKernel() {
  constexpr size_t kMaxEntries = 4;
  SmallVector<unsigned> all{KnownValues::kNothing};
  for (Value root : slice.getRoots()) {
    if (!isFollowed(root))
      continue;
    SmallVector<int64_t> few = known.getFew(root, KnownValues::kNothing);
    if (few.empty() || all.size() * few.size() > kMaxEntries)
      continue;
    SmallVector<unsigned> next;
    for (unsigned one : all)
      for (int64_t number : few) {
        KnownValues::Content content = known.contents[one];
        content[root.getAsOpaquePointer()] = {number, nullptr, 0,
                                              LowPart::kWhole};
        next.push_back(known.add(std::move(content)));
      }
    all = std::move(next);
  }
  return all;
}

void VerifierStates::reset() {
  points.clear();
  DenseMap<Value, unsigned> lowBits = std::move(known.lowBits);
  known = KnownValues(context);
  known.lowBits = std::move(lowBits);
}

/// False if there are too many points.
bool VerifierStates::expand(const ProgramGraph &graph) {
  reset();
  ArrayRef<ProgramGraph::Point> plain = graph.getPoints();
  size_t limit = plain.size() + (slice.isEmpty() ? 0 : maxPoints);
  std::map<std::pair<unsigned, unsigned>, unsigned> numbers;
  std::deque<std::pair<unsigned, unsigned>> work;
  auto get = [&](unsigned point, unsigned where) {
    auto [it, isNew] = numbers.try_emplace({point, where}, points.size());
    if (isNew) {
      points.emplace_back();
      points.back().op = plain[point].op;
      points.back().known = where;
      work.push_back({point, where});
    }
    return it->second;
  };
  get(ProgramGraph::kEntry, KnownValues::kNothing);
  for (unsigned number = 0; !work.empty(); ++number) {
    auto [point, where] = work.front();
    work.pop_front();
    if (points.size() > limit)
      return false;
    if (plain[point].op && where != KnownValues::kNothing &&
        deadEnds.isDeadEnd(plain[point].op, where))
      continue;
    for (const ProgramGraph::Edge &edge : plain[point].next) {
      // Nothing leads back to where the kernel begins.
      SmallVector<unsigned> before{where};
      if (point == ProgramGraph::kEntry)
        before = enterKernel();
      SmallVector<unsigned> behind;
      for (unsigned one : before) {
        if (!mayTake(edge, one))
          continue;
        if (slice.isEmpty())
          behind.push_back(one);
        else
          llvm::append_range(behind, takeAll(edge, one));
      }
      for (unsigned one : behind) {
        unsigned target = get(edge.target, one);
        points[number].next.push_back({target, &edge});
        points[target].isJoin |= std::exchange(points[target].isReached, true);
      }
    }
  }
  return true;
}

/// Follows no more what has had the most values.
void VerifierStates::dropMost() {
  llvm::MapVector<const void *, std::set<KnownValues::Content::mapped_type>>
      contentsOf;
  for (const KnownValues::Content &content : known.contents)
    for (const auto &[value, entry] : content)
      contentsOf[value].insert(entry);
  size_t most = 0;
  for (const auto &[value, contents] : contentsOf)
    most = std::max(most, contents.size());
  SmallVector<Value> numbers, memrefs;
  for (const auto &[value, contents] : contentsOf)
    if (contents.size() == most) {
      Value one = Value::getFromOpaquePointer(value);
      (isa<BaseMemRefType>(one.getType()) ? memrefs : numbers).push_back(one);
    }
  // What memrefs are computed from may be what makes them many.
  DenseMap<Value, unsigned> before = known.lowBits;
  for (Value value : numbers.empty() ? memrefs : numbers)
    if (!slice.contains(value))
      uncounted.insert(value);
    else if (!limit(value) &&
             known.lowBits.lookup(value) == before.lookup(value))
      slice.drop(value);
}

/// Follows no more than the lowest bits, and of what is computed from them,
/// too, where it is passed on. False where none matter, and where that was not
/// enough.
bool VerifierStates::limit(Value value) {
  unsigned bits = slice.getLowBits(value);
  if (bits == 0 || !value.getType().isIntOrIndex() ||
      bits >= getBitWidth(value.getType()) ||
      !known.lowBits.try_emplace(value, bits).second)
    return false;
  slice.forEachFedBy(value, [&](Value fed) { limit(fed); });
  return true;
}

/// The same for what is known nowhere. False if there is nothing like that.
bool VerifierStates::limitUnknown() {
  if (slice.isEmpty())
    return false;
  DenseSet<const void *> knownSomewhere;
  for (const KnownValues::Content &content : known.contents)
    for (const auto &entry : content)
      knownSomewhere.insert(entry.first);
  bool isAny = false;
  slice.forEachWithLowBits([&](Value value) {
    if (!knownSomewhere.contains(value.getAsOpaquePointer()) &&
        isFollowed(value))
      isAny |= limit(value);
  });
  return isAny;
}
