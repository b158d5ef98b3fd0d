//===- ControlBlocks.cpp - blocks that constants decide, executed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/IntegerOps.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

/// Numbers the circles: the strongly connected components with an edge in them
/// (Kosaraju and Sharir's two searches).
static void findCircles(std::vector<ControlStates::BlockVisit> &visits) {
  unsigned count = visits.size();
  std::vector<SmallVector<unsigned, 2>> next(count), previous(count);
  for (auto [number, visit] : llvm::enumerate(visits))
    for (auto [successor, to] : visit.next) {
      next[number].push_back(to);
      previous[to].push_back(number);
    }
  // In the order in which a search is done with them.
  std::vector<unsigned> done;
  std::vector<bool> seen(count, false);
  SmallVector<std::pair<unsigned, unsigned>> path;
  for (unsigned begin = 0; begin < count; ++begin) {
    if (seen[begin])
      continue;
    seen[begin] = true;
    path.emplace_back(begin, 0);
    while (!path.empty()) {
      auto &[number, edge] = path.back();
      if (edge == next[number].size()) {
        done.push_back(number);
        path.pop_back();
        continue;
      }
      unsigned to = next[number][edge++];
      if (seen[to])
        continue;
      seen[to] = true;
      path.emplace_back(to, 0);
    }
  }
  unsigned numCircles = 0;
  SmallVector<unsigned> component, work;
  for (unsigned begin : llvm::reverse(done)) {
    if (!seen[begin])
      continue;
    component.clear();
    work.push_back(begin);
    seen[begin] = false;
    while (!work.empty()) {
      unsigned number = work.pop_back_val();
      component.push_back(number);
      for (unsigned from : previous[number])
        if (seen[from]) {
          seen[from] = false;
          work.push_back(from);
        }
    }
    if (component.size() == 1 && !llvm::is_contained(next[begin], begin))
      continue;
    for (unsigned number : component)
      visits[number].circle = numCircles;
    ++numCircles;
  }
}

/// `state` without what is computed anew on the way to its uses behind the
/// beginning of `block`: arguments and results of blocks that do not lie around
/// it, and results of its own.
unsigned ControlStates::keepDominating(unsigned state, Block *block) {
  State kept = states[state];
  llvm::erase_if(kept, [&](const Binding &binding) {
    Value value = Value::getFromOpaquePointer(binding.value);
    Block *owner =
        block->getParent()->findAncestorBlockInRegion(*value.getParentBlock());
    if (!owner)
      return false;
    auto guarded = guardedBlocks.find(value);
    if (guarded != guardedBlocks.end() && guarded->second.contains(block))
      return false;
    if (!slice.isUsedFrom(value, block))
      return true;
    bool isArgument =
        isa<BlockArgument>(value) && value.getParentBlock() == owner;
    return isArgument ? !dominance.dominates(owner, block)
                      : !dominance.properlyDominates(owner, block);
  });
  return intern(std::move(kept));
}

/// The numbers of a remainder, of a choice, or of a mask of few bits.
SmallVector<int64_t> ControlStates::getNumbersOfRoot(Value value,
                                                     unsigned state) {
  SmallVector<int64_t> numbers;
  Operation *op = value.getDefiningOp();
  IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
  if (kind == IntegerOp::RemU) {
    int64_t divisor = evaluate(op->getOperand(1), state).value_or(0);
    for (int64_t number = 0; divisor <= kMaxStarts && number < divisor;
         ++number)
      numbers.push_back(number);
    return numbers;
  }
  SmallVector<Value, 2> ways;
  if (ControlChoice choice = ControlChoice::get(op))
    ways = choice.getYielded(cast<OpResult>(value));
  else if (isa_and_present<arith::SelectOp>(op))
    ways = llvm::to_vector<2>(op->getOperands().drop_front());
  for (Value way : ways) {
    std::optional<int64_t> number = evaluate(way, state);
    if (!number)
      return {};
    numbers.push_back(*number);
  }
  if (!ways.empty())
    return numbers;
  // The bits of a mask.
  unsigned width = getBitWidth(value.getType());
  std::optional<int64_t> mask;
  if (value.getType().isInteger(1))
    mask = -1;
  else if (kind == IntegerOp::And)
    for (Value operand : op->getOperands())
      if (!mask)
        mask = evaluate(operand, state);
  if (!mask)
    return {};
  APInt bits(width, *mask, /*isSigned=*/true), part = bits;
  if (bits.popcount() > llvm::Log2_64(kMaxStarts))
    return {};
  do {
    numbers.push_back(part.getSExtValue());
    // The next smaller set of these bits.
    part = (part - 1) & bits;
  } while (part != bits);
  std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

SmallVector<int64_t> ControlStates::getFewNumbers(Value value, unsigned state) {
  if (!isNumber(value.getType()))
    return {};
  // The only number that it is computed from and that is not known.
  Value root = value;
  SmallVector<int64_t> ofRoot = getNumbersOfRoot(root, state);
  for (unsigned steps = 0; ofRoot.empty(); ++steps) {
    Operation *op = root.getDefiningOp();
    if (steps == kMaxChainDepth || !op || op->getNumRegions() != 0 ||
        !isMemoryEffectFree(op))
      return {};
    SetVector<Value> unknown;
    for (Value operand : op->getOperands())
      if (!isNumber(operand.getType()) || !evaluate(operand, state))
        unknown.insert(operand);
    if (unknown.size() != 1 || !isNumber(unknown.front().getType()))
      return {};
    root = unknown.front();
    ofRoot = getNumbersOfRoot(root, state);
  }
  SetVector<int64_t> numbers;
  for (int64_t number : ofRoot) {
    Binding binding{root.getAsOpaquePointer(), nullptr, number, kNothing};
    std::optional<int64_t> result =
        evaluate(value, bindAgain(state, root, binding));
    if (!result)
      return {};
    numbers.insert(*result);
  }
  return numbers.takeVector();
}

SmallVector<unsigned> ControlStates::getEntries() {
  SmallVector<unsigned> entries{kNothing};
  for (Value root : slice.getRoots()) {
    SmallVector<int64_t> numbers = getNumbersOfRoot(root, kNothing);
    if (!isFollowed(root) || numbers.empty() ||
        int64_t(entries.size() * numbers.size()) > kMaxStarts)
      continue;
    SmallVector<unsigned> more;
    for (unsigned entry : entries)
      for (int64_t number : numbers)
        more.push_back(bindAgain(
            entry, root,
            Binding{root.getAsOpaquePointer(), nullptr, number, kNothing}));
    entries = std::move(more);
  }
  return entries;
}

SmallVector<unsigned> ControlStates::split(unsigned state, ValueRange args,
                                           ValueRange sources, unsigned from) {
  SmallVector<unsigned> result{state};
  for (auto [index, arg] : llvm::enumerate(args)) {
    if (!isFollowed(arg) || find(arg, state))
      continue;
    Binding binding{arg.getAsOpaquePointer(), nullptr, 0, kNothing};
    SmallVector<int64_t> numbers;
    if (unsigned lowBits = limited.lookup(arg)) {
      // A number that is not known has some bits.
      binding.lowBits = lowBits;
      numbers.resize(size_t(1) << lowBits);
      std::iota(numbers.begin(), numbers.end(), 0);
    } else if (index < sources.size()) {
      numbers = getFewNumbers(sources[index], from);
    }
    if (numbers.empty() || result.size() * numbers.size() > kMaxSplits)
      continue;
    SmallVector<unsigned> more;
    for (unsigned one : result)
      for (int64_t number : numbers) {
        binding.number = number;
        more.push_back(bindAgain(one, arg, binding));
      }
    result = std::move(more);
  }
  return result;
}

/// False if there are too many.
bool ControlStates::visitBlocks(Region &region, unsigned state,
                                std::vector<BlockVisit> &visits) {
  std::map<std::pair<Block *, unsigned>, unsigned> known;
  auto add = [&](Block *block, unsigned begin) {
    auto [it, isNew] = known.try_emplace({block, begin}, visits.size());
    if (isNew)
      visits.push_back({block, begin, {}});
    return it->second;
  };
  add(&region.front(), state);
  for (unsigned number = 0; number < visits.size(); ++number) {
    if (visits.size() > kMaxVisits || !spend())
      return false;
    Block *block = visits[number].block;
    if (isDeadEnd(*block, visits[number].begin))
      continue;
    SmallVector<unsigned, 1> ends = run(*block, visits[number].begin);
    if (ends.empty())
      continue;
    unsigned end = meet(ends);
    Operation *terminator = block->getTerminator();
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    std::optional<unsigned> only;
    if (ControlChoice choice = ControlChoice::get(terminator))
      only = chooseAlike(choice, end);
    for (auto [index, to] : llvm::enumerate(block->getSuccessors())) {
      if (only && only != index)
        continue;
      unsigned begin = end;
      ValueRange args = to->getArguments(), passed;
      if (branch) {
        SuccessorOperands operands = branch.getSuccessorOperands(index);
        args = args.drop_front(operands.getProducedOperandCount());
        passed = operands.getForwardedOperands();
        begin = pass(end, args, passed, end);
      }
      begin = bindBlockGuards(keepDominating(begin, to), to, args, passed);
      for (unsigned one : split(begin, args, passed, end)) {
        unsigned visit = add(to, one);
        visits[number].next.emplace_back(index, visit);
      }
    }
  }
  return true;
}

/// Follows the lowest bits of those `args` that are known in no state. False if
/// there are none of which they matter.
bool ControlStates::limitUnknown(ValueRange args, ArrayRef<unsigned> states) {
  bool isAny = false;
  for (Value arg : args) {
    auto isKnown = [&](unsigned state) { return find(arg, state) != nullptr; };
    if (slice.getLowBits(arg) != 0 && isFollowed(arg) &&
        llvm::none_of(states, isKnown))
      isAny |= limit(arg);
  }
  return isAny;
}

ArrayRef<ControlStates::BlockVisit> ControlStates::visit(Region &region,
                                                         unsigned state) {
  if (!slice.isChosen(region.getParentOp()))
    return {};
  auto [it, isNew] = visited.try_emplace({&region, state});
  std::vector<BlockVisit> &visits = it->second;
  if (!isNew)
    return visits;
  bool isDone = false;
  while (true) {
    visits.clear();
    unsigned stepsBefore = steps;
    ++nesting;
    isDone = visitBlocks(region, state, visits);
    --nesting;
    if (!isDone && nesting != 0 && steps > kMaxSteps) {
      visited.erase({&region, state});
      return {};
    }
    auto begins = llvm::map_to_vector(
        visits, [](const BlockVisit &visit) { return visit.begin; });
    bool isAgain = false, areAll = isDone;
    isDone &= visits.size() <=
              std::max<size_t>(kMaxIterations,
                               kMaxVisitsOfBlock * region.getBlocks().size());
    if (!isDone) {
      isAgain = dropCounters(begins, areAll);
      if (isAgain)
        steps = stepsBefore;
    } else {
      for (Block &block : llvm::drop_begin(region))
        isAgain |= limitUnknown(block.getArguments(), begins);
    }
    if (!isAgain)
      break;
  }
  isGivenUp |= !isDone;
  if (isDone)
    findCircles(visits);
  else
    visits.clear();
  return visits;
}
