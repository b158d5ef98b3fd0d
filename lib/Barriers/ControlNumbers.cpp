//===- ControlNumbers.cpp - numbers in a state of control -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/HardwareIds.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;
using llvm::KnownBits;

std::optional<int64_t> ControlStates::evaluate(Value value, unsigned state) {
  auto it = values.find({value, state});
  if (it != values.end())
    return it->second;
  ChainDepth chain(depth);
  std::optional<int64_t> number =
      chain.isTooDeep() ? std::nullopt : compute(value, state);
  values[{value, state}] = number;
  return number;
}

std::optional<int64_t> ControlStates::compute(Value value, unsigned state) {
  if (!isNumber(value.getType()))
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  if (const Binding *binding = find(value, state))
    return binding->lowBits ? std::nullopt : std::optional(binding->number);
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  // What hangs on the bits that are known only.
  auto getConstant = [&]() -> std::optional<int64_t> {
    if (!hasLowBits())
      return std::nullopt;
    KnownBits bits = evaluateBits(value, state);
    return bits.isConstant() ? std::optional(bits.getConstant().getSExtValue())
                             : std::nullopt;
  };
  Operation *op = result.getOwner();
  if (ControlChoice choice = ControlChoice::get(op)) {
    std::optional<int64_t> number = evaluate(choice.getDecider(), state);
    if (!number)
      return getConstant();
    return evaluate(choice.getYielded(result)[choice.getWay(*number)], state);
  }
  if (std::optional<HardwareId> id = getHardwareId(op)) {
    if (id->isOfThread())
      return std::nullopt;
    return getIdNumber(*id, context, ThreadPlace());
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return std::nullopt;
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return evaluate(operand, state);
  });
  std::optional<int64_t> number = NumberOp(result).compute(operands);
  return number ? number : getConstant();
}

KnownBits ControlStates::evaluateBits(Value value, unsigned state) {
  auto it = bitsOf.find({value, state});
  if (it != bitsOf.end())
    return it->second;
  ChainDepth chain(depth);
  KnownBits bits(getBitWidth(value.getType()));
  if (!chain.isTooDeep())
    bits = computeBits(value, state);
  return bitsOf[{value, state}] = bits;
}

KnownBits ControlStates::computeBits(Value value, unsigned state) {
  Type type = value.getType();
  KnownBits unknown(getBitWidth(type));
  if (const Binding *binding = find(value, state)) {
    KnownBits bits = getAllBits(binding->number, type);
    if (binding->lowBits == 0)
      return bits;
    bits = bits.trunc(binding->lowBits).anyext(unknown.getBitWidth());
    if (binding->isNonNegative)
      bits.makeNonNegative();
    return bits;
  }
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return KnownBits::makeConstant(constant);
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return unknown;
  Operation *op = result.getOwner();
  if (ControlChoice choice = ControlChoice::get(op)) {
    KnownBits decider = evaluateBits(choice.getDecider(), state);
    SmallVector<Value, 2> yielded = choice.getYielded(result);
    if (decider.isConstant())
      return evaluateBits(
          yielded[choice.getWay(decider.getConstant().getSExtValue())], state);
    KnownBits common = evaluateBits(yielded.front(), state);
    for (Value other : llvm::drop_begin(yielded))
      common = common.intersectWith(evaluateBits(other, state));
    return common;
  }
  if (getHardwareId(op)) {
    std::optional<int64_t> number = evaluate(value, state);
    return number ? getAllBits(*number, type) : unknown;
  }
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return unknown;
  SmallVector<KnownBits> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isNumber(operand.getType())
                           ? evaluateBits(operand, state)
                           : KnownBits(1));
  return NumberOp(result).computeBits(operands);
}

std::optional<int64_t> ControlStates::evaluate(const LoopBound &bound,
                                               bool isLower, unsigned state) {
  if (!bound.map) {
    if (std::optional<int64_t> constant = getConstantIntValue(bound.value))
      return constant;
    auto value = dyn_cast_if_present<Value>(bound.value);
    return value ? evaluate(value, state) : std::nullopt;
  }
  Builder builder(bound.map.getContext());
  SmallVector<Attribute> inputs, folded;
  for (Value operand : bound.operands) {
    std::optional<int64_t> number = evaluate(operand, state);
    if (!number)
      return std::nullopt;
    inputs.push_back(builder.getIndexAttr(*number));
  }
  if (failed(bound.map.constantFold(inputs, folded)))
    return std::nullopt;
  auto results = llvm::map_to_vector(
      folded, [](Attribute attr) { return cast<IntegerAttr>(attr).getInt(); });
  return isLower ? *llvm::max_element(results) : *llvm::min_element(results);
}

/// Of a bound that is one value.
KnownBits ControlStates::evaluateBits(const LoopBound &bound, Type type,
                                      unsigned state) {
  if (std::optional<int64_t> number = evaluate(bound, /*isLower=*/true, state))
    return getAllBits(*number, type);
  auto value = dyn_cast_if_present<Value>(bound.value);
  if (!bound.map && value && value.getType() == type)
    return evaluateBits(value, state);
  return KnownBits(getBitWidth(type));
}
