//===- VerifierThreadValues.cpp - what threads compute -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel/ChainDepth.h"
#include "Kernel/Conditions.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "VerifierStatePairs.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

const VerifierStatePairs::ThreadValues &
VerifierStatePairs::evaluate(Value value, unsigned where, unsigned depth) {
  // Those of other places are made again when they are needed.
  if (!values.count(where) && values.size() >= 4)
    values.clear();
  auto &here = values[where][assumption];
  auto it = here.find(value);
  if (it == here.end()) {
    ThreadValues computed;
    if (depth <= kMaxChainDepth)
      computed = compute(value, where, depth);
    it = values[where][assumption].insert({value, std::move(computed)}).first;
  }
  return it->second;
}

VerifierStatePairs::ThreadValues
VerifierStatePairs::compute(Value value, unsigned where, unsigned depth) {
  if (std::optional<int64_t> number = known.evaluate(value, where))
    return SmallVector<int64_t, 0>{*number};
  if (!value.getType().isIntOrIndex())
    return std::nullopt;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return computeArgument(arg, where, depth);
  Operation *op = value.getDefiningOp();
  SmallVector<int64_t, 0> result;
  LaunchSizes block = context.getShape().block;
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    for (int64_t z = 0; z < block[2]; ++z)
      for (int64_t y = 0; y < block[1]; ++y)
        for (int64_t x = 0; x < block[0]; ++x) {
          ThreadPlace place;
          place.thread = {x, y, z};
          std::optional<int64_t> number = getIdNumber(*id, context, place);
          if (!number)
            return std::nullopt;
          result.push_back(*number);
        }
    return result;
  }
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (ControlChoice choice = ControlChoice::get(op)) {
    ThreadValues decider = evaluate(choice.getDecider(), where, depth + 1);
    SmallVector<ThreadValues> ways;
    for (Value yielded : choice.getYielded(cast<OpResult>(value)))
      ways.push_back(evaluate(yielded, where, depth + 1));
    if (!decider || llvm::is_contained(ways, std::nullopt))
      return getWholeParts(value, where, depth);
    for (int64_t thread = 0; thread < context.getThreads(); ++thread)
      result.push_back(at(*ways[choice.getWay(at(*decider, thread))], thread));
    return result;
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  SmallVector<ThreadValues> operands;
  int64_t count = 1;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand, where, depth + 1));
    if (operands.back() && operands.back()->size() > 1)
      count = context.getThreads();
  }
  NumberFolder folder(op);
  result.reserve(count);
  SmallVector<std::optional<int64_t>> inputs(operands.size());
  for (int64_t thread = 0; thread < count; ++thread) {
    for (auto [input, operand] : llvm::zip_equal(inputs, operands))
      input = operand ? std::optional(at(*operand, thread)) : std::nullopt;
    auto outputs = folder.fold(inputs, [&](Value source) {
      auto it = llvm::find(op->getOperands(), source);
      if (it != op->operand_end())
        return inputs[it - op->operand_begin()];
      // What an operand is made from, which need not be known itself (it is at
      // the end of a long chain).
      const ThreadValues &values = evaluate(source, where, depth + 1);
      if (values && values->size() > 1)
        count = context.getThreads();
      return values ? std::optional(at(*values, thread))
                    : std::optional<int64_t>();
    });
    if (outputs.empty() || !outputs[index])
      return getWholeParts(value, where, depth);
    result.push_back(*outputs[index]);
  }
  return result;
}

/// True if control may come from `block` to it again without `common`, which it
/// has to pass before the first time: then what was decided on the way may be
/// another number by now.
static bool mayComeAgain(Block *block, Block *common) {
  SmallVector<Block *> work{block};
  DenseSet<Block *> seen{common};
  while (!work.empty())
    for (Block *next : work.pop_back_val()->getSuccessors()) {
      if (next == block)
        return true;
      if (seen.insert(next).second)
        work.push_back(next);
    }
  return false;
}

/// Choices behind the last block that all ways have in common decide on which a
/// thread comes: like the result of an `scf.if`.
SmallVector<VerifierStatePairs::Way>
VerifierStatePairs::getWays(BlockArgument arg) {
  Block *block = arg.getOwner();
  if (block->isEntryBlock())
    return {};
  auto getAbove = [&](Block *inner) -> Block * {
    auto *node = dominance.getNode(inner);
    auto *above = node ? node->getIDom() : nullptr;
    return above ? above->getBlock() : nullptr;
  };
  Block *common = getAbove(block);
  if (!common || mayComeAgain(block, common))
    return {};
  SmallVector<Way> ways;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    Block *from = *it;
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch)
      return {};
    Way &way = ways.emplace_back();
    way.passed =
        branch.getSuccessorOperands(it.getSuccessorIndex())[arg.getArgNumber()];
    if (!way.passed)
      return {};
    auto add = [&](Block *at, unsigned successor) {
      if (ControlChoice choice = ControlChoice::get(at->getTerminator()))
        way.choices.emplace_back(choice, successor);
    };
    add(from, it.getSuccessorIndex());
    for (unsigned steps = 0; from && from != common; ++steps) {
      Block *above = getAbove(from);
      // By one edge only.
      if (steps < kMaxChainDepth && above &&
          from->getSinglePredecessor() == above)
        add(above, from->pred_begin().getSuccessorIndex());
      from = above;
    }
  }
  return ways;
}

/// None where two ways of a thread bring different numbers.
VerifierStatePairs::ThreadValues
VerifierStatePairs::computeArgument(BlockArgument arg, unsigned where,
                                    unsigned depth) {
  SmallVector<Way> ways = getWays(arg);
  if (ways.empty())
    return std::nullopt;
  SmallVector<ThreadValues> passed;
  SmallVector<SmallVector<ThreadValues>> deciders;
  for (const Way &way : ways) {
    passed.push_back(evaluate(way.passed, where, depth + 1));
    SmallVector<ThreadValues> &ofWay = deciders.emplace_back();
    for (auto [choice, successor] : way.choices)
      ofWay.push_back(evaluate(choice.getDecider(), where, depth + 1));
  }
  SmallVector<int64_t, 0> result;
  for (int64_t thread = 0; thread < context.getThreads(); ++thread) {
    std::optional<int64_t> number;
    for (auto [way, numbers, ofWay] : llvm::zip_equal(ways, passed, deciders)) {
      bool isOpen = true;
      for (auto [choice, decider] : llvm::zip_equal(way.choices, ofWay))
        isOpen &= !decider ||
                  choice.first.getWay(at(*decider, thread)) == choice.second;
      if (!isOpen)
        continue;
      if (!numbers ||
          number.value_or(at(*numbers, thread)) != at(*numbers, thread))
        return std::nullopt;
      number = at(*numbers, thread);
    }
    // No way is open to threads that do not come there.
    result.push_back(number.value_or(0));
  }
  return result;
}

/// The values that may be known and that `work` depends on: carried ones,
/// conditions of first iterations, and what a mask or a remainder leaves.
SmallVector<Value> VerifierStatePairs::findSources(SmallVector<Value> work) {
  SmallVector<Value> sources;
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *op = value.getDefiningOp();
    IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
    if (!op || op->getNumRegions() != 0 || value.getType().isInteger(1) ||
        kind == IntegerOp::And || kind == IntegerOp::RemU)
      sources.push_back(value);
    if (!op) {
      for (const Way &way : getWays(cast<BlockArgument>(value))) {
        work.push_back(way.passed);
        for (auto [choice, successor] : way.choices)
          work.push_back(choice.getDecider());
      }
      continue;
    }
    llvm::append_range(work, op->getOperands());
    if (ControlChoice::get(op))
      for (Region &region : op->getRegions())
        if (!region.empty())
          llvm::append_range(work,
                             region.front().getTerminator()->getOperands());
  }
  return sources;
}

/// Where what is known of counters modulo a power of two decides the number.
VerifierStatePairs::ThreadValues
VerifierStatePairs::getWholeParts(Value value, unsigned where, unsigned depth) {
  if (!known.hasLowParts())
    return std::nullopt;
  SmallVector<int64_t, 0> result;
  for (const LowPart &part : evaluateLow(value, where, depth)) {
    if (!part.isWhole())
      return std::nullopt;
    result.push_back(part.number);
  }
  return result;
}

const VerifierStatePairs::ThreadParts &
VerifierStatePairs::evaluateLow(Value value, unsigned where, unsigned depth) {
  constexpr size_t kMaxParts = 1 << 12;
  auto key = std::make_tuple(value.getAsOpaquePointer(), where, assumption);
  auto it = parts.find(key);
  if (it != parts.end())
    return it->second;
  ThreadParts computed{LowPart()};
  if (depth <= kMaxChainDepth)
    computed = computeLow(value, where, depth);
  if (depth == 0 && parts.size() > kMaxParts)
    parts.clear();
  return parts[key] = std::move(computed);
}

VerifierStatePairs::ThreadParts
VerifierStatePairs::computeLow(Value value, unsigned where, unsigned depth) {
  ThreadParts result{known.evaluateLow(value, where)};
  auto opResult = dyn_cast<OpResult>(value);
  if (result.front().isWhole() || !opResult)
    return result;
  Operation *op = opResult.getOwner();
  SmallVector<Value> operands(op->getOperands());
  ControlChoice choice = ControlChoice::get(op);
  if (choice) {
    operands = {choice.getDecider()};
    llvm::append_range(operands, choice.getYielded(opResult));
  } else if (op->getNumRegions() != 0 || !isMemoryEffectFree(op)) {
    return result;
  }
  SmallVector<ThreadParts> inputs;
  size_t count = 1;
  for (Value operand : operands) {
    ThreadParts &input = inputs.emplace_back();
    if (const ThreadValues &numbers = evaluate(operand, where, depth + 1))
      for (int64_t number : *numbers)
        input.push_back(LowPart::whole(number));
    else
      input = evaluateLow(operand, where, depth + 1);
    count = std::max(count, input.size());
  }
  result.clear();
  SmallVector<LowPart> mine(inputs.size());
  std::optional<NumberFolder> folder;
  if (!choice)
    folder.emplace(op);
  for (size_t thread = 0; thread < count; ++thread) {
    SmallVector<std::optional<int64_t>> whole;
    for (auto [part, input] : llvm::zip_equal(mine, inputs)) {
      part = input[input.size() == 1 ? 0 : thread];
      whole.push_back(part.isWhole() ? std::optional(part.number)
                                     : std::nullopt);
    }
    if (choice) {
      LowPart &common = result.emplace_back(mine[1]);
      if (mine[0].isWhole())
        common = mine[1 + choice.getWay(mine[0].number)];
      else
        for (const LowPart &other : llvm::drop_begin(mine, 2))
          common = getCommonPart(common, other);
      continue;
    }
    SmallVector<std::optional<int64_t>> folded;
    if (!llvm::is_contained(whole, std::nullopt))
      folded =
          folder->fold(whole, [](Value) { return std::optional<int64_t>(); });
    unsigned index = opResult.getResultNumber();
    result.push_back(!folded.empty() && folded[index]
                         ? LowPart::whole(*folded[index])
                         : computeLowPart(opResult, mine));
  }
  return result;
}

VerifierStatePairs::ThreadValues
VerifierStatePairs::evaluate(const LinearExpr &expr, unsigned where,
                             bool wraps) {
  if (expr.invalid)
    return std::nullopt;
  SmallVector<int64_t, 0> result(context.getThreads(), expr.constant);
  for (const auto &[value, factor] : expr.terms) {
    const ThreadValues &term = evaluate(value, where);
    if (!term)
      return std::nullopt;
    for (int64_t thread = 0; thread < context.getThreads(); ++thread) {
      int64_t product;
      bool isBeyond = llvm::MulOverflow(factor, at(*term, thread), product);
      isBeyond |=
          bool(llvm::AddOverflow(result[thread], product, result[thread]));
      if (isBeyond && !wraps)
        return std::nullopt;
    }
  }
  return result;
}

/// Calls `visit` with the conditions around `op`, and what they are where it is
/// executed.
void VerifierStatePairs::visitConditions(
    Operation *op, llvm::function_ref<void(Value, bool)> visit) {
  for (; op != analysis.getKernel(); op = op->getParentOp()) {
    if (auto ifOp = dyn_cast<scf::IfOp>(op->getParentOp()))
      forEachFact(ifOp.getCondition(),
                  ifOp.getThenRegion().isAncestor(op->getParentRegion()),
                  visit);
    if (op->getParentRegion()->hasOneBlock())
      continue;
    // Every way to the block comes over one side of these branches.
    for (Block *block = op->getBlock(); block;) {
      auto *node = dominance.getNode(block);
      auto *above = node ? node->getIDom() : nullptr;
      if (!above)
        break;
      auto branch =
          dyn_cast<cf::CondBranchOp>(above->getBlock()->getTerminator());
      for (Block *side : branch ? SmallVector<Block *>{branch.getTrueDest(),
                                                       branch.getFalseDest()}
                                : SmallVector<Block *>())
        if (side == block && branch.getTrueDest() != branch.getFalseDest() &&
            llvm::all_of(side->getPredecessors(), [&](Block *from) {
              return from == above->getBlock() ||
                     dominance.dominates(side, from);
            }))
          forEachFact(branch.getCondition(), side == branch.getTrueDest(),
                      visit);
      block = above->getBlock();
    }
  }
}

/// The threads that no condition around `op` keeps away.
SmallVector<int64_t> VerifierStatePairs::getThreadsAt(Operation *op,
                                                      unsigned where) {
  std::vector<bool> isKept(context.getThreads(), true);
  visitConditions(op, [&](Value condition, bool wanted) {
    const ThreadValues &numbers = evaluate(condition, where);
    for (size_t thread = 0; numbers && thread < isKept.size(); ++thread)
      if ((at(*numbers, thread) != 0) != wanted)
        isKept[thread] = false;
  });
  SmallVector<int64_t> threads;
  for (size_t thread = 0; thread < isKept.size(); ++thread)
    if (isKept[thread])
      threads.push_back(thread);
  return threads;
}
