//===- ControlDeadEnds.cpp - where no thread goes on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops whose end nobody knows are executed until no thread can go on: each
/// would touch what is beyond its buffer, or decide by a number that is shifted
/// by more bits than it has. The verifier has VerifierDeadEnds, which shares no
/// code with this.
///
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/HardwareIds.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

/// What one thread computes in a state.
class ThreadStep {
public:
  ThreadStep(const KernelContext &context, ControlStates &states,
             unsigned state, int64_t thread)
      : context(context), states(states), state(state) {
    const LaunchSizes &block = context.getShape().block;
    place.thread = {thread % block[0], thread / block[0] % block[1],
                    thread / (block[0] * block[1])};
  }

  struct Number {
    std::optional<int64_t> known;
    /// It may not be used.
    bool isPoison = false;
  };
  Number get(Value value) {
    auto it = numbers.find(value);
    if (it != numbers.end())
      return it->second;
    ChainDepth chain(depth);
    Number number = chain.isTooDeep() ? Number() : compute(value);
    numbers[value] = number;
    return number;
  }

private:
  Number compute(Value value);

  const KernelContext &context;
  ControlStates &states;
  unsigned state;
  ThreadPlace place;
  DenseMap<Value, Number> numbers;
  unsigned depth = 0;
};

} // namespace

ThreadStep::Number ThreadStep::compute(Value value) {
  if (!isNumber(value.getType()))
    return {};
  if (std::optional<int64_t> number = states.evaluate(value, state))
    return {number};
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  if (std::optional<HardwareId> id = getHardwareId(op))
    return {getIdNumber(*id, context, place)};
  if (ControlChoice choice = ControlChoice::get(op)) {
    Number decider = get(choice.getDecider());
    return decider.known
               ? get(choice.getYielded(result)[choice.getWay(*decider.known)])
               : decider;
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return {};
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Number decider = get(select.getCondition());
    return decider.known ? get(*decider.known ? select.getTrueValue()
                                              : select.getFalseValue())
                         : decider;
  }
  IntegerOp kind = getIntegerOp(op);
  SmallVector<std::optional<int64_t>> operands;
  for (Value operand : op->getOperands()) {
    Number number = get(operand);
    // Arithmetic hands it on.
    if (number.isPoison)
      return kind != IntegerOp::None || getPredicate(op) ? number : Number();
    operands.push_back(number.known);
  }
  if (kind == IntegerOp::ShL || kind == IntegerOp::ShRS ||
      kind == IntegerOp::ShRU) {
    unsigned width = getBitWidth(value.getType());
    if (operands[1] && APInt(width, *operands[1], /*isSigned=*/true).uge(width))
      return {std::nullopt, /*isPoison=*/true};
  }
  return {NumberOp(result).compute(operands)};
}

/// True for the result of an allocation of a size that the type says.
static bool isWholeBuffer(Value memref) {
  return memref.getDefiningOp<memref::AllocOp>() ||
         memref.getDefiningOp<memref::AllocaOp>() ||
         memref.getDefiningOp<memref::GetGlobalOp>();
}

bool ControlStates::isEverywhere(
    llvm::function_ref<bool(int64_t thread)> holds) const {
  for (int64_t thread = 0; thread < context.getThreads(); ++thread)
    if (!holds(thread))
      return false;
  return true;
}

std::optional<unsigned> ControlStates::chooseAlike(ControlChoice choice,
                                                   unsigned state) {
  if (std::optional<int64_t> number = evaluate(choice.getDecider(), state))
    return choice.getWay(*number);
  if (states[state].empty())
    return std::nullopt;
  std::optional<unsigned> common;
  bool isOne = isEverywhere([&](int64_t thread) {
    ThreadStep step(context, *this, state, thread);
    std::optional<int64_t> number = step.get(choice.getDecider()).known;
    if (!number)
      return false;
    unsigned way = choice.getWay(*number);
    return common.value_or(way) == way && (common = way, true);
  });
  return isOne ? common : std::nullopt;
}

/// True for loads and stores of one element, and for ops that choose a region.
static bool mayEndThreads(Operation &op) {
  return isa<memref::LoadOp, memref::StoreOp>(op) ||
         (op.getNumRegions() != 0 && ControlChoice::get(&op));
}

bool ControlStates::isDeadEnd(Operation *op, unsigned state) {
  if (ControlChoice choice = ControlChoice::get(op)) {
    auto isPoison = [&](int64_t thread) {
      ThreadStep step(context, *this, state, thread);
      return step.get(choice.getDecider()).isPoison;
    };
    if (isEverywhere(isPoison))
      return true;
    std::optional<unsigned> way = chooseAlike(choice, state);
    if (!way || op->getNumRegions() == 0)
      return false;
    Region &region = op->getRegion(*way);
    return region.hasOneBlock() && isDeadEnd(region.front(), state);
  }
  auto load = dyn_cast<memref::LoadOp>(op);
  auto store = dyn_cast<memref::StoreOp>(op);
  Value memref = load ? load.getMemRef() : store.getMemRef();
  if (auto bound = getMemRef(memref, state))
    memref = bound->first;
  auto type = cast<MemRefType>(memref.getType());
  if (!isWholeBuffer(memref) || !type.hasStaticShape())
    return false;
  ValueRange indices = load ? load.getIndices() : store.getIndices();
  return isEverywhere([&](int64_t thread) {
    ThreadStep step(context, *this, state, thread);
    return llvm::any_of(
        llvm::zip_equal(indices, type.getShape()), [&](auto pair) {
          auto [index, size] = pair;
          ThreadStep::Number number = step.get(index);
          return number.isPoison ||
                 (number.known && (*number.known < 0 || *number.known >= size));
        });
  });
}

bool ControlStates::isDeadEnd(Block &block, unsigned state) {
  // What is known nowhere may be anything.
  if (states[state].empty())
    return false;
  auto [it, isNew] = endingOps.try_emplace(&block);
  if (isNew) {
    for (Operation &op : block)
      if (mayEndThreads(op))
        it->second.push_back(&op);
    if (block.mightHaveTerminator() &&
        ControlChoice::get(block.getTerminator()))
      it->second.push_back(block.getTerminator());
  }
  // To look at one may add blocks.
  SmallVector<Operation *, 2> ops = it->second;
  return llvm::any_of(ops, [&](Operation *op) { return isDeadEnd(op, state); });
}
