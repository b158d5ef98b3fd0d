//===- VerifierStates.cpp - the program with numbers carried along -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierStates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
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

//===----------------------------------------------------------------------===//
// KnownValues
//===----------------------------------------------------------------------===//

KnownValues::KnownValues(const KernelContext &context) : context(context) {
  add({});
}

unsigned KnownValues::add(Content content) {
  auto [it, isNew] = numbers.try_emplace(std::move(content), contents.size());
  if (isNew)
    contents.push_back(it->first);
  return it->second;
}

std::optional<KnownValues::Known> KnownValues::lookup(Value value,
                                                      unsigned where) const {
  auto it = contents[where].find(value.getAsOpaquePointer());
  if (it == contents[where].end())
    return std::nullopt;
  auto [number, memref, from, bits] = it->second;
  Known result;
  result.number = number;
  result.bits = bits;
  if (memref)
    result.memref = Value::getFromOpaquePointer(memref);
  result.where = from;
  return result;
}

void KnownValues::forEachCompatible(
    ArrayRef<unsigned> first, ArrayRef<unsigned> second,
    llvm::function_ref<bool(unsigned, unsigned)> visit) const {
  // By the values that they know: few sets of them.
  using Group = std::map<std::vector<const void *>, std::set<unsigned>>;
  auto getGroups = [&](ArrayRef<unsigned> list) {
    Group groups;
    for (unsigned number : list) {
      std::vector<const void *> values;
      for (const auto &entry : contents[number])
        values.push_back(entry.first);
      groups[std::move(values)].insert(number);
    }
    return groups;
  };
  Group left = getGroups(first), right = getGroups(second);
  for (const auto &[values, numbers] : left)
    for (const auto &[others, otherNumbers] : right) {
      std::vector<const void *> common;
      std::set_intersection(values.begin(), values.end(), others.begin(),
                            others.end(), std::back_inserter(common));
      auto getMeaning = [&](unsigned number) {
        return llvm::map_to_vector(common, [&](const void *value) {
          return contents[number].find(value)->second;
        });
      };
      using Meaning = decltype(getMeaning(0));
      std::map<Meaning, SmallVector<unsigned>> byMeaning;
      for (unsigned number : otherNumbers)
        byMeaning[getMeaning(number)].push_back(number);
      for (unsigned number : numbers) {
        auto it = byMeaning.find(getMeaning(number));
        if (it == byMeaning.end())
          continue;
        for (unsigned other : it->second)
          if (!visit(number, other))
            return;
      }
    }
}

std::optional<int64_t> KnownValues::evaluate(Value value, unsigned where) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (std::optional<Known> bound = lookup(value, where))
    return bound->memref || bound->bits != LowPart::kWhole
               ? std::nullopt
               : std::optional(bound->number);
  if (!value.getType().isIndex() && !value.getType().isSignlessInteger())
    return std::nullopt;
  auto [it, isNew] = folded.try_emplace({value, where});
  if (!isNew)
    return it->second;
  ChainDepth chain(depth);
  std::optional<int64_t> number;
  if (!chain.isTooDeep())
    number = fold(value, where);
  if (!number && hasLowParts())
    if (LowPart part = evaluateLow(value, where); part.isWhole())
      number = part.number;
  return folded[{value, where}] = number;
}

LowPart KnownValues::evaluateLow(Value value, unsigned where) {
  auto [it, isNew] = lowParts.try_emplace({value, where});
  if (!isNew)
    return it->second;
  ChainDepth chain(depth);
  LowPart part;
  if (!chain.isTooDeep())
    part = computeLow(value, where);
  return lowParts[{value, where}] = part;
}

LowPart KnownValues::computeLow(Value value, unsigned where) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return LowPart::whole(*constant);
  if (std::optional<Known> bound = lookup(value, where))
    return bound->memref ? LowPart() : LowPart{bound->number, bound->bits};
  auto result = dyn_cast<OpResult>(value);
  if (!result || !value.getType().isIntOrIndex())
    return {};
  Operation *op = result.getOwner();
  if (std::optional<int64_t> number = fold(value, where))
    return LowPart::whole(*number);
  if (ControlChoice choice = ControlChoice::get(op)) {
    SmallVector<Value, 2> yielded = choice.getYielded(result);
    LowPart decider = evaluateLow(choice.getDecider(), where);
    if (decider.isWhole())
      return evaluateLow(yielded[choice.getWay(decider.number)], where);
    LowPart common = evaluateLow(yielded.front(), where);
    for (Value other : llvm::drop_begin(yielded))
      common = getCommonPart(common, evaluateLow(other, where));
    return common;
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return {};
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return evaluateLow(operand, where);
  });
  return computeLowPart(result, operands);
}

std::optional<int64_t> KnownValues::fold(Value value, unsigned where) {
  Operation *op = value.getDefiningOp();
  if (!op || (value.getType().isInteger() &&
              value.getType().getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (ControlChoice choice = ControlChoice::get(op)) {
    std::optional<int64_t> decider = evaluate(choice.getDecider(), where);
    if (!decider)
      return std::nullopt;
    unsigned way = choice.getWay(*decider);
    return evaluate(choice.getYielded(cast<OpResult>(value))[way], where);
  }
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    if (id->isOfThread() || id->isOfWorkgroup())
      return std::nullopt;
    return getIdNumber(*id, context, ThreadPlace());
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  SmallVector<std::optional<int64_t>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(evaluate(operand, where));
  auto results = NumberFolder(op).fold(
      operands, [&](Value source) { return evaluate(source, where); });
  return results.empty() ? std::nullopt : results[index];
}

/// By the op that makes them few.
SmallVector<int64_t> KnownValues::getFew(Value value, unsigned where) {
  constexpr size_t kFew = 4;
  if (value.getType().isInteger(1))
    return {0, -1};
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  SmallVector<Value, 2> ways;
  if (ControlChoice choice = ControlChoice::get(op))
    ways = choice.getYielded(result);
  else if (auto select = dyn_cast<arith::SelectOp>(op))
    ways = {select.getTrueValue(), select.getFalseValue()};
  SmallVector<int64_t> numbers;
  for (Value way : ways) {
    std::optional<int64_t> number = evaluate(way, where);
    if (!number)
      return {};
    if (!llvm::is_contained(numbers, *number))
      numbers.push_back(*number);
  }
  if (!ways.empty())
    return numbers;
  IntegerOp kind = getIntegerOp(op);
  if (kind != IntegerOp::And && kind != IntegerOp::RemU)
    return {};
  std::optional<int64_t> other = evaluate(op->getOperand(1), where);
  if (kind == IntegerOp::RemU) {
    for (int64_t number = 0;
         other && *other <= int64_t(kFew) && number < *other; ++number)
      numbers.push_back(number);
    return numbers;
  }
  if (!other)
    other = evaluate(op->getOperand(0), where);
  if (!other)
    return {};
  // Each bit of the mask is there or is not.
  numbers.push_back(0);
  unsigned width = getBitWidth(value.getType());
  for (unsigned bit = 0; bit < width; ++bit)
    if ((*other >> bit) & 1) {
      if (2 * numbers.size() > kFew)
        return {};
      int64_t one = llvm::SignExtend64(uint64_t(1) << bit, width);
      for (size_t k = 0, count = numbers.size(); k < count; ++k)
        numbers.push_back(numbers[k] | one);
    }
  return numbers;
}

SmallVector<int64_t> KnownValues::evaluateFew(Value value, unsigned where) {
  // The number that all others are computed from.
  Value source = value;
  SmallVector<int64_t> few = getFew(source, where);
  for (unsigned steps = 0; few.empty(); ++steps) {
    Operation *op = source.getDefiningOp();
    if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
        steps == kMaxChainDepth)
      return {};
    source = nullptr;
    for (Value operand : op->getOperands()) {
      if (operand == source || evaluate(operand, where))
        continue;
      if (source)
        return {};
      source = operand;
    }
    if (!source)
      return {};
    few = getFew(source, where);
  }
  SmallVector<int64_t> numbers;
  for (int64_t one : few) {
    Content content = contents[where];
    content[source.getAsOpaquePointer()] = {one, nullptr, 0, LowPart::kWhole};
    std::optional<int64_t> number = evaluate(value, add(std::move(content)));
    if (!number)
      return {};
    if (!llvm::is_contained(numbers, *number))
      numbers.push_back(*number);
  }
  return numbers;
}

std::optional<SmallVector<int64_t>>
KnownValues::evaluate(const LoopBound &bound, unsigned where) {
  SmallVector<int64_t> results;
  if (!bound.map) {
    if (!bound.value)
      return std::nullopt;
    std::optional<int64_t> number = getConstantIntValue(bound.value);
    if (!number && isa<Value>(bound.value))
      number = evaluate(cast<Value>(bound.value), where);
    if (!number)
      return std::nullopt;
    results.push_back(*number);
    return results;
  }
  SmallVector<Attribute> operands;
  Type index = IndexType::get(bound.map.getContext());
  for (Value operand : bound.operands) {
    std::optional<int64_t> number = evaluate(operand, where);
    if (!number)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(index, *number));
  }
  SmallVector<Attribute> attributes;
  if (failed(bound.map.constantFold(operands, attributes)))
    return std::nullopt;
  for (Attribute attribute : attributes)
    results.push_back(cast<IntegerAttr>(attribute).getInt());
  return results;
}

std::optional<int64_t> KnownValues::evaluateLower(const CountedLoop &loop,
                                                  unsigned where) {
  auto numbers = evaluate(loop.getLower(), where);
  return numbers ? std::optional(*llvm::max_element(*numbers)) : std::nullopt;
}

std::optional<int64_t> KnownValues::evaluateUpper(const CountedLoop &loop,
                                                  unsigned where) {
  auto numbers = evaluate(loop.getUpper(), where);
  return numbers ? std::optional(*llvm::min_element(*numbers)) : std::nullopt;
}

std::optional<int64_t> KnownValues::evaluateStep(const CountedLoop &loop,
                                                 unsigned where) {
  auto numbers = evaluate(LoopBound{loop.getStep(), {}, {}}, where);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// VerifierStates
//===----------------------------------------------------------------------===//

VerifierStates::VerifierStates(const KernelContext &context,
                               const HazardAnalysis &analysis,
                               const Uniformity &uniformity,
                               const ProgramGraph &graph)
    : context(context), uniformity(uniformity), slice(analysis, uniformity),
      firstGuards(context.getKernel(), uniformity, dominance), known(context) {
  bool isLimited = false;
  for (unsigned attempt = 0; true; ++attempt) {
    if (expand(graph)) {
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
  if (edge.condition)
    if (std::optional<int64_t> number = known.evaluate(edge.condition, where))
      return (*number != 0) == edge.holds;
  if (edge.choice)
    if (std::optional<int64_t> number =
            known.evaluate(edge.choice.getDecider(), where))
      return edge.choice.getWay(*number) == edge.chosen;
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
    std::optional<int64_t> number;
    if (edge.way == ProgramGraph::Edge::Enter) {
      // Without an end there would be no end of numbers.
      if (known.evaluateUpper(loop, where) && known.evaluateStep(loop, where))
        number = known.evaluateLower(loop, where);
    } else if (edge.way == ProgramGraph::Edge::Repeat) {
      number = known.evaluate(iv, where);
      std::optional<int64_t> step = known.evaluateStep(loop, where);
      if (!step || !number || llvm::AddOverflow(*number, *step, *number))
        number = std::nullopt;
    }
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
    for (const ProgramGraph::Edge &edge : plain[point].next) {
      if (!mayTake(edge, where))
        continue;
      SmallVector<unsigned> behind{where};
      if (!slice.isEmpty())
        behind = takeAll(edge, where);
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
