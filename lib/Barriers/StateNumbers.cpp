//===- StateNumbers.cpp - the numbers of all threads in a state -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateNumbers.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/Conditions.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/HardwareIds.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::memspace;
using llvm::KnownBits;

const std::optional<StateNumbers::Numbers> &
StateNumbers::get(Value value, unsigned state, Memo &memo, unsigned depth) {
  auto it = memo.numbers.find(value);
  if (it == memo.numbers.end()) {
    std::optional<Numbers> numbers = depth > kMaxChainDepth
                                         ? std::nullopt
                                         : compute(value, state, memo, depth);
    it = memo.numbers.try_emplace(value, std::move(numbers)).first;
  }
  return it->second;
}

/// The operands of an op whose results are calculated from these; of one that
/// chooses a region the decider and what it may be by each. None for other ops.
static std::optional<SmallVector<Value>> getOperands(OpResult result) {
  Operation *op = result.getOwner();
  if (ControlChoice choice = ControlChoice::get(op)) {
    SmallVector<Value> operands{choice.getDecider()};
    llvm::append_range(operands, choice.getYielded(result));
    return operands;
  }
  if (op->getNumRegions() == 0 && isMemoryEffectFree(op))
    return llvm::to_vector(op->getOperands());
  return std::nullopt;
}

std::optional<StateNumbers::Numbers>
StateNumbers::compute(Value value, unsigned state, Memo &memo, unsigned depth) {
  if (std::optional<int64_t> number = states.evaluate(value, state))
    return Numbers{*number};
  if (!isNumber(value.getType()))
    return std::nullopt;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return computeArgument(arg, state, memo, depth);
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  int64_t threads = context.getThreads();
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    const LaunchSizes &block = context.getShape().block;
    Numbers numbers;
    for (int64_t thread = 0; thread < threads; ++thread) {
      ThreadPlace place;
      place.thread = {thread % block[0], thread / block[0] % block[1],
                      thread / (block[0] * block[1])};
      std::optional<int64_t> number = getIdNumber(*id, context, place);
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }
  std::optional<SmallVector<Value>> operands = getOperands(result);
  if (!operands)
    return std::nullopt;
  SmallVector<std::optional<Numbers>> known;
  bool isUniform = true;
  for (Value operand : *operands) {
    known.push_back(get(operand, state, memo, depth + 1));
    isUniform &= !known.back() || known.back()->size() == 1;
  }
  ControlChoice choice = ControlChoice::get(op);
  std::optional<NumberOp> number;
  if (!choice)
    number.emplace(result);
  Numbers numbers;
  SmallVector<std::optional<int64_t>> inputs(known.size());
  for (int64_t thread = 0; thread < (isUniform ? 1 : threads); ++thread) {
    for (auto [input, operand] : llvm::zip_equal(inputs, known))
      input =
          operand ? std::optional(getNumber(*operand, thread)) : std::nullopt;
    std::optional<int64_t> output;
    if (number)
      output = number->compute(inputs);
    else if (inputs[0])
      output = inputs[1 + choice.getWay(*inputs[0])];
    if (!output)
      break;
    numbers.push_back(*output);
  }
  if (isUniform ? numbers.size() == 1 : int64_t(numbers.size()) == threads)
    return numbers;
  if (!states.hasLowBits())
    return std::nullopt;
  numbers.clear();
  for (const KnownBits &bits : getBits(value, state, memo, depth)) {
    if (!bits.isConstant())
      return std::nullopt;
    numbers.push_back(bits.getConstant().getSExtValue());
  }
  return numbers;
}

bool StateNumbers::forEachEdge(BlockArgument arg, EdgeVisitor visit) {
  Block *block = arg.getOwner();
  if (block->isEntryBlock())
    return false;
  llvm::DominatorTreeBase<Block, false> &tree =
      dominance.getDomTree(block->getParent());
  auto *node = tree.getNode(block);
  if (!node || !node->getIDom())
    return false;
  // What leads to the block since the edges have parted. If control may come
  // there from the block itself, the choices may be others by now.
  Block *parting = node->getIDom()->getBlock();
  llvm::SmallPtrSet<Block *, 8> before;
  SmallVector<Block *> pending{block};
  while (!pending.empty())
    for (Block *from : pending.pop_back_val()->getPredecessors()) {
      if (from == block)
        return false;
      if (from != parting && before.insert(from).second)
        pending.push_back(from);
    }
  for (auto edge = block->pred_begin(); edge != block->pred_end(); ++edge) {
    Operation *terminator = (*edge)->getTerminator();
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    auto *last = tree.getNode(*edge);
    if (!branch || !last)
      return false;
    unsigned successor = edge.getSuccessorIndex();
    Value passed = branch.getSuccessorOperands(successor)[arg.getArgNumber()];
    if (!passed)
      return false;
    SmallVector<std::pair<ControlChoice, unsigned>> taken;
    taken.emplace_back(ControlChoice::get(terminator), successor);
    for (; last != node->getIDom(); last = last->getIDom()) {
      Block *inner = last->getBlock(), *outer = last->getIDom()->getBlock();
      if (inner->getSinglePredecessor() == outer)
        taken.emplace_back(ControlChoice::get(outer->getTerminator()),
                           inner->pred_begin().getSuccessorIndex());
    }
    llvm::erase_if(taken, [](const auto &one) { return !one.first; });
    if (!visit(passed, taken))
      return false;
  }
  return true;
}

/// Each thread has come by one of the edges that the choices leave it.
std::optional<StateNumbers::Numbers>
StateNumbers::computeArgument(BlockArgument arg, unsigned state, Memo &memo,
                              unsigned depth) {
  size_t threads = context.getThreads();
  Numbers numbers(threads, 0);
  std::vector<bool> isFound(threads, false);
  bool isKnown = forEachEdge(arg, [&](Value passed, auto taken) {
    std::vector<bool> comes(threads, true);
    for (auto [choice, way] : taken)
      if (const auto &decider =
              get(choice.getDecider(), state, memo, depth + 1))
        for (size_t thread = 0; thread < threads; ++thread)
          if (choice.getWay(getNumber(*decider, thread)) != way)
            comes[thread] = false;
    const std::optional<Numbers> &source = get(passed, state, memo, depth + 1);
    for (size_t thread = 0; thread < threads; ++thread) {
      if (!comes[thread])
        continue;
      if (!source ||
          (isFound[thread] && numbers[thread] != getNumber(*source, thread)))
        return false;
      numbers[thread] = getNumber(*source, thread);
      isFound[thread] = true;
    }
    return true;
  });
  return isKnown ? std::optional(std::move(numbers)) : std::nullopt;
}

const StateNumbers::Bits &StateNumbers::getBits(Value value, unsigned state,
                                                Memo &memo, unsigned depth) {
  auto it = memo.bits.find(value);
  if (it == memo.bits.end()) {
    Bits bits{KnownBits(isNumber(value.getType()) ? getBitWidth(value.getType())
                                                  : 1)};
    if (depth <= kMaxChainDepth && isNumber(value.getType()))
      bits = computeBits(value, state, memo, depth);
    it = memo.bits.try_emplace(value, std::move(bits)).first;
  }
  return it->second;
}

StateNumbers::Bits StateNumbers::computeBits(Value value, unsigned state,
                                             Memo &memo, unsigned depth) {
  auto toBits = [&](const Numbers &numbers) {
    Bits all;
    for (int64_t number : numbers)
      all.push_back(getAllBits(number, value.getType()));
    return all;
  };
  auto known = memo.numbers.find(value);
  if (known != memo.numbers.end() && known->second)
    return toBits(*known->second);
  KnownBits uniform = states.evaluateBits(value, state);
  auto result = dyn_cast<OpResult>(value);
  if (uniform.isConstant() || !result)
    return {uniform};
  if (getHardwareId(result.getOwner())) {
    const std::optional<Numbers> &numbers = get(value, state, memo, depth + 1);
    return numbers ? toBits(*numbers) : Bits{uniform};
  }
  Bits bits;
  std::optional<SmallVector<Value>> operands = getOperands(result);
  if (!operands)
    return {uniform};
  SmallVector<Bits> inputsOf;
  size_t count = 1;
  for (Value operand : *operands) {
    inputsOf.push_back(getBits(operand, state, memo, depth + 1));
    count = std::max(count, inputsOf.back().size());
  }
  ControlChoice choice = ControlChoice::get(result.getOwner());
  std::optional<NumberOp> number;
  if (!choice)
    number.emplace(result);
  SmallVector<KnownBits> inputs(inputsOf.size());
  for (size_t thread = 0; thread < count; ++thread) {
    for (auto [input, operand] : llvm::zip_equal(inputs, inputsOf))
      input = operand[operand.size() == 1 ? 0 : thread];
    if (!choice) {
      bits.push_back(number->computeBits(inputs));
      continue;
    }
    if (inputs[0].isConstant()) {
      int64_t decider = inputs[0].getConstant().getSExtValue();
      bits.push_back(inputs[1 + choice.getWay(decider)]);
      continue;
    }
    KnownBits common = inputs[1];
    for (const KnownBits &other : llvm::drop_begin(inputs, 2))
      common = common.intersectWith(other);
    bits.push_back(common);
  }
  return bits;
}

std::optional<StateNumbers::Numbers>
StateNumbers::get(const LinearExpr &expr, unsigned state, Memo &memo) {
  if (expr.invalid)
    return std::nullopt;
  Numbers sum{expr.constant};
  for (auto [value, factor] : expr.terms) {
    const std::optional<Numbers> &numbers = get(value, state, memo);
    if (!numbers)
      return std::nullopt;
    if (numbers->size() > 1 && sum.size() == 1)
      sum.assign(numbers->size(), sum.front());
    for (size_t thread = 0; thread < sum.size(); ++thread) {
      std::optional<int64_t> next =
          llvm::checkedMulAdd(getNumber(*numbers, thread), factor, sum[thread]);
      if (!next)
        return std::nullopt;
      sum[thread] = *next;
    }
  }
  return sum;
}

/// True if `block` is entered from `branch` only, perhaps as a loop that comes
/// back to it.
static bool isOnlyBehind(cf::CondBranchOp branch, Block *block,
                         DominanceInfo &dominance) {
  return llvm::all_of(block->getPredecessors(), [&](Block *from) {
    return from == branch->getBlock() || dominance.dominates(block, from);
  });
}

void StateNumbers::forEachOwnGuard(Block *block, GuardVisitor visit) {
  Region *region = block->getParent();
  if (auto ifOp = dyn_cast<scf::IfOp>(region->getParentOp()))
    forEachFact(ifOp.getCondition(), region == &ifOp.getThenRegion(), visit);
  if (region->hasOneBlock())
    return;
  // Blocks that are only reached behind one side of a branch.
  auto *node = dominance.getDomTree(region).getNode(block);
  for (; node && node->getIDom(); node = node->getIDom()) {
    Block *inner = node->getBlock();
    auto branch = dyn_cast<cf::CondBranchOp>(
        node->getIDom()->getBlock()->getTerminator());
    if (branch && branch.getTrueDest() != branch.getFalseDest() &&
        (inner == branch.getTrueDest() || inner == branch.getFalseDest()) &&
        isOnlyBehind(branch, inner, dominance))
      forEachFact(branch.getCondition(), branch.getTrueDest() == inner, visit);
  }
}

void StateNumbers::forEachGuard(Operation *op, GuardVisitor visit) {
  for (Operation *kernel = context.getKernel(); op && op != kernel;
       op = op->getParentOp())
    forEachOwnGuard(op->getBlock(), visit);
}

/// Drops the threads that the condition does not let through.
void StateNumbers::dropInactive(Value condition, bool holds, unsigned state,
                                Memo &memo, std::vector<bool> &active) {
  const std::optional<Numbers> &numbers = get(condition, state, memo);
  if (numbers)
    for (size_t thread = 0; thread < active.size(); ++thread)
      if ((getNumber(*numbers, thread) != 0) != holds)
        active[thread] = false;
}

std::vector<bool> StateNumbers::getActive(Operation *op, unsigned state,
                                          Memo &memo) {
  std::vector<bool> active(context.getThreads(), true);
  forEachGuard(op, [&](Value condition, bool holds) {
    dropInactive(condition, holds, state, memo, active);
  });
  return active;
}

const std::vector<bool> &StateNumbers::getActive(Block *block, unsigned state,
                                                 Memo &memo) {
  constexpr size_t kMaxBlocks = 1 << 14;
  if (activeIn.size() > kMaxBlocks)
    activeIn.clear();
  // From the outermost block that is not known inwards.
  SmallVector<Block *> unknown;
  Operation *kernel = context.getKernel();
  for (; !activeIn.contains({block, state});
       block = block->getParentOp()->getBlock()) {
    unknown.push_back(block);
    if (block->getParentOp() == kernel)
      break;
  }
  std::vector<bool> active(context.getThreads(), true);
  if (unknown.empty() || block != unknown.back())
    active = activeIn.lookup({block, state});
  for (Block *inner : llvm::reverse(unknown)) {
    forEachOwnGuard(inner, [&](Value condition, bool holds) {
      dropInactive(condition, holds, state, memo, active);
    });
    block = inner;
    activeIn[{inner, state}] = active;
  }
  return activeIn.find({block, state})->second;
}

void StateNumbers::addLeaves(Value value, unsigned state, DenseSet<Value> &seen,
                             std::vector<int64_t> &key,
                             SmallVectorImpl<BlockArgument> &unknown) {
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (std::optional<int64_t> number = states.evaluate(next, state)) {
      key.push_back(int64_t(next.getAsOpaquePointer()));
      key.push_back(*number);
      continue;
    }
    if (states.hasLowBits() && isNumber(next.getType())) {
      KnownBits bits = states.evaluateBits(next, state);
      key.push_back(int64_t(next.getAsOpaquePointer()));
      key.push_back(bits.Zero.getZExtValue());
      key.push_back(bits.One.getZExtValue());
    }
    Operation *op = next.getDefiningOp();
    if (!op) {
      auto arg = cast<BlockArgument>(next);
      unknown.push_back(arg);
      forEachEdge(arg, [&](Value passed, auto taken) {
        work.push_back(passed);
        for (auto [choice, way] : taken)
          work.push_back(choice.getDecider());
        return true;
      });
      continue;
    }
    if (ControlChoice choice = ControlChoice::get(op)) {
      work.push_back(choice.getDecider());
      llvm::append_range(work, choice.getYielded(cast<OpResult>(next)));
    } else if (op->getNumRegions() == 0) {
      work.append(op->operand_begin(), op->operand_end());
    }
  }
}
