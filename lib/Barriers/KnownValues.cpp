//===- KnownValues.cpp - numbers that the verifier carries along -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownValues.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/ControlChoice.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

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
