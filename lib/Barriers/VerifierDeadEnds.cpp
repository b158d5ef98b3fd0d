//===- VerifierDeadEnds.cpp - where no thread goes on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierDeadEnds.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "KnownValues.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

/// Operands first.
unsigned DeadEnds::addSteps(Value value, Steps &steps,
                            DenseMap<Value, unsigned> &seen, unsigned depth) {
  auto it = seen.find(value);
  if (it != seen.end())
    return it->second;
  Step step{value, {}, nullptr};
  auto result = dyn_cast<OpResult>(value);
  Operation *op = result ? result.getOwner() : nullptr;
  if (op && depth < kMaxChainDepth && value.getType().isIntOrIndex() &&
      !getHardwareId(op)) {
    SmallVector<Value> operands;
    if (ControlChoice choice = ControlChoice::get(op)) {
      operands.push_back(choice.getDecider());
      llvm::append_range(operands, choice.getYielded(result));
    } else if (op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
      llvm::append_range(operands, op->getOperands());
      step.folder = std::make_shared<NumberFolder>(op);
    }
    for (Value operand : operands)
      step.operands.push_back(addSteps(operand, steps, seen, depth + 1));
  }
  steps.push_back(std::move(step));
  return seen[value] = steps.size() - 1;
}

const DeadEnds::Steps &DeadEnds::getSteps(Value value) {
  auto [it, isNew] = stepsTo.try_emplace(value);
  if (isNew) {
    DenseMap<Value, unsigned> seen;
    addSteps(value, it->second, seen, /*depth=*/0);
  }
  return it->second;
}

/// True if `value` is shifted by `amount` bits, which it does not have.
static bool shiftsTooFar(Operation *op, int64_t amount) {
  switch (getIntegerOp(op)) {
  case IntegerOp::ShL:
  case IntegerOp::ShRS:
  case IntegerOp::ShRU:
    return amount < 0 || amount >= getBitWidth(op->getResult(0).getType());
  default:
    return false;
  }
}

DeadEnds::Number DeadEnds::compute(const Step &step, ArrayRef<Number> before,
                                   const ThreadPlace &place) {
  auto result = dyn_cast<OpResult>(step.value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    std::optional<int64_t> number = getIdNumber(*id, context, place);
    return number ? Number{Kind::Known, *number} : Number();
  }
  auto get = [&](unsigned operand) { return before[step.operands[operand]]; };
  // Of what is chosen only that counts.
  ControlChoice choice = ControlChoice::get(op);
  if (!step.operands.empty() && (choice || isa<arith::SelectOp>(op))) {
    Number decider = get(0);
    if (decider.kind != Kind::Known)
      return decider;
    return get(1 + (choice ? choice.getWay(decider.number)
                           : unsigned(decider.number == 0)));
  }
  if (!step.folder)
    return {};
  SmallVector<std::optional<int64_t>> numbers;
  bool isAnyPoison = false;
  for (unsigned operand = 0; operand < step.operands.size(); ++operand) {
    Number number = get(operand);
    isAnyPoison |= number.kind == Kind::Poison;
    numbers.push_back(number.kind == Kind::Known ? std::optional(number.number)
                                                 : std::nullopt);
  }
  if (isAnyPoison)
    return getIntegerOp(op) != IntegerOp::None || getPredicate(op)
               ? Number{Kind::Poison}
               : Number();
  if (numbers.size() == 2 && numbers[1] && shiftsTooFar(op, *numbers[1]))
    return {Kind::Poison};
  SmallVector<std::optional<int64_t>> folded =
      step.folder->fold(numbers, [&](Value value) -> std::optional<int64_t> {
        for (auto [number, operand] :
             llvm::zip_equal(numbers, op->getOperands()))
          if (operand == value)
            return number;
        return std::nullopt;
      });
  if (folded.empty() || !folded[result.getResultNumber()])
    return {};
  return {Kind::Known, *folded[result.getResultNumber()]};
}

/// Until it does not hold.
bool DeadEnds::holdsForAll(Value value, unsigned where,
                           llvm::function_ref<bool(Number)> holds) {
  const Steps &steps = getSteps(value);
  SmallVector<std::optional<int64_t>> inAll;
  for (const Step &step : steps)
    inAll.push_back(step.value.getType().isIntOrIndex()
                        ? known.evaluate(step.value, where)
                        : std::nullopt);
  LaunchSizes block = context.getShape().block;
  SmallVector<Number> numbers(steps.size());
  for (int64_t z = 0; z < block[2]; ++z)
    for (int64_t y = 0; y < block[1]; ++y)
      for (int64_t x = 0; x < block[0]; ++x) {
        ThreadPlace place;
        place.thread = {x, y, z};
        for (auto [number, step, one] : llvm::zip_equal(numbers, steps, inAll))
          number =
              one ? Number{Kind::Known, *one} : compute(step, numbers, place);
        if (!holds(numbers.back()))
          return false;
        // One for all.
        if (inAll.back())
          return true;
      }
  return true;
}

DeadEnds::Decision DeadEnds::decide(Value decider, unsigned where) {
  std::optional<Number> first;
  bool isOne = holdsForAll(decider, where, [&](Number number) {
    if (!first)
      first = number;
    return number.kind != Kind::Unknown && number.kind == first->kind &&
           number.number == first->number;
  });
  Decision decision;
  if (!isOne || !first)
    return decision;
  if (first->kind == Kind::Poison)
    decision.isPoison = true;
  else
    decision.number = first->number;
  return decision;
}

bool DeadEnds::isDeadEnd(Operation *op, unsigned where) {
  Value memref;
  ValueRange indices;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    memref = load.getMemRef();
    indices = load.getIndices();
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    memref = store.getMemRef();
    indices = store.getIndices();
  } else {
    return false;
  }
  if (std::optional<KnownValues::Known> bound = known.lookup(memref, where);
      bound && bound->memref)
    memref = bound->memref;
  // Views may be of more than their type says.
  Operation *root = memref.getDefiningOp();
  if (!isa_and_present<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
          root))
    return false;
  auto type = cast<MemRefType>(memref.getType());
  for (auto [index, size] : llvm::zip_equal(indices, type.getShape())) {
    if (ShapedType::isDynamic(size))
      continue;
    auto isBeyond = [size = size](Number number) {
      return number.kind == Kind::Poison ||
             (number.kind == Kind::Known &&
              (number.number < 0 || number.number >= size));
    };
    if (holdsForAll(index, where, isBeyond))
      return true;
  }
  return false;
}
