//===- AccessClasses.cpp - accesses that differ by constants -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessClasses.h"
#include "AtomicUpdates.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/HardwareIds.h"
#include "Kernel/IntegerOps.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "Threads/ExecutionSystem.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void AccessClasses::append(Key &key, const Sum &sum) {
  key.push_back(sum.constant);
  key.push_back(sum.terms.size());
  for (auto [number, coefficient] : sum.terms) {
    key.push_back(number);
    key.push_back(coefficient);
  }
}

/// A value that is computed from more is taken as it is.
static constexpr size_t kMostLeaves = 16;

AccessClasses::Sum AccessClasses::getNumber(Key key, NumberFacts about) {
  auto [it, isNew] = numbers.try_emplace(std::move(key), numbers.size());
  if (isNew)
    facts.push_back(std::move(about));
  return Sum::getVariable(it->second);
}

AccessClasses::Leaves AccessClasses::getLeaves(const Sum &sum) const {
  Leaves leaves;
  for (auto [number, coefficient] : sum.terms)
    add(leaves, facts[number].leaves);
  return leaves;
}

void AccessClasses::add(Leaves &leaves, ArrayRef<unsigned> more) {
  Leaves both;
  std::set_union(leaves.begin(), leaves.end(), more.begin(), more.end(),
                 std::back_inserter(both));
  leaves = std::move(both);
}

bool AccessClasses::isFixed(const Sum &sum) const {
  return llvm::all_of(sum.terms,
                      [&](auto term) { return facts[term.first].isFixed; });
}

bool AccessClasses::isAffine(const Sum &sum) const {
  return llvm::all_of(sum.terms,
                      [&](auto term) { return facts[term.first].isAffine; });
}

AccessClasses::Sum AccessClasses::divide(const Sum &sum, int64_t divisor) {
  auto [whole, rest] = sum.splitMultiples(divisor);
  if (rest.isConstant() || sum.invalid)
    return whole;
  Key key{divisor};
  append(key, rest);
  return whole + getNumber(std::move(key), {isFixed(rest), std::nullopt,
                                            isAffine(rest), getLeaves(rest)});
}

bool AccessClasses::isNonNegative(Value value) const {
  IndexRange range;
  range.offset = LinearExpr(OpFoldResult(value));
  range.size = LinearExpr(1);
  auto bounds = relations.getBounds(range);
  return bounds && bounds->first >= 0;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

AccessClasses::Sum AccessClasses::getSum(const LinearExpr &expr) {
  // What may be anything is one number like any other.
  if (expr.invalid)
    return getNumber({}, {});
  Sum sum = expr.constant;
  NumberFacts about{/*isFixed=*/true};
  for (auto [value, coefficient] : expr.terms) {
    sum += getSum(value) * coefficient;
    add(about.leaves, getLeaves(getSum(value)));
  }
  if (!sum.invalid && getLeaves(sum) == about.leaves)
    return sum;
  // What is beyond 64 bits is a number of its own for these terms, and so are
  // terms that cancel.
  Key key{expr.constant};
  for (auto [value, coefficient] : expr.terms) {
    key.push_back(coefficient);
    append(key, getSum(value));
    about.isFixed &= isFixed(getSum(value));
  }
  return getNumber(std::move(key), about);
}

AccessClasses::Sum AccessClasses::getSum(Value value) {
  if (value.getType().isIntOrIndex())
    if (std::optional<int64_t> constant =
            getConstantIntValue(OpFoldResult(value)))
      if (Sum sum = *constant; !sum.invalid)
        return sum;
  auto it = sums.find(value);
  if (it != sums.end())
    return it->second;
  std::optional<Sum> sum = compute(value);
  if (sum) {
    // Where something cancels, what is known of it is not in the sum: the loop
    // that counts it may not even be entered.
    Leaves leaves;
    for (Value operand : value.getDefiningOp()->getOperands())
      add(leaves, getLeaves(getSum(operand)));
    if (leaves.size() > kMostLeaves || getLeaves(*sum) != leaves)
      sum = std::nullopt;
  }
  return sums[value] = sum ? *sum : getLeaf(value);
}

/// The bounds and the step of the loop that `arg` counts, if they are constant.
static std::optional<std::array<int64_t, 3>> getIterations(BlockArgument arg) {
  CountedLoop loop = CountedLoop::get(arg.getOwner()->getParentOp());
  if (!loop || arg != loop.getInductionVar() || !loop.hasBounds() ||
      loop.isUnsigned())
    return std::nullopt;
  std::optional<int64_t> lower = loop.getLower().getConstant();
  std::optional<int64_t> upper = loop.getUpper().getConstant();
  std::optional<int64_t> step = loop.getConstantStep();
  if (!lower || !upper || !step)
    return std::nullopt;
  return std::array<int64_t, 3>{*lower, *upper, *step};
}

static bool isKernelArgument(BlockArgument arg) {
  return arg.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(arg.getOwner()->getParentOp());
}

/// Of a counted loop its bounds and step; of one of blocks, whose end only
/// conditions around an op tell, where it begins and the step.
std::optional<AccessClasses::Key>
AccessClasses::getFixedIterations(BlockArgument arg) {
  Key key;
  ChainDepth chain(depth);
  if (chain.isTooDeep())
    return std::nullopt;
  auto add = [&](OpFoldResult bound) {
    Sum sum = getSum(LinearExpr(bound));
    append(key, sum);
    return !sum.invalid && isFixed(sum);
  };
  if (CountedLoop loop = CountedLoop::get(arg.getOwner()->getParentOp());
      loop && arg == loop.getInductionVar()) {
    std::optional<int64_t> step = loop.getConstantStep();
    LoopBound lower = loop.getLower(), upper = loop.getUpper();
    if (!loop.hasBounds() || loop.isUnsigned() || !step || lower.map ||
        upper.map || !add(lower.value) || !add(upper.value))
      return std::nullopt;
    key.push_back(*step);
    key.push_back(toKey(arg.getType().getAsOpaquePointer()));
    return key;
  }
  if (!arg.getType().isIndex() || arg.getOwner()->isEntryBlock())
    return std::nullopt;
  auto counter = ExecutionSystem::getCounter(arg);
  if (!counter || !add(OpFoldResult(counter->first)))
    return std::nullopt;
  key.push_back(counter->step);
  return key;
}

AccessClasses::Sum AccessClasses::getLeaf(Value value) {
  NumberFacts about;
  about.isAffine = true;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    about.isFixed = isKernelArgument(arg);
    about.range = getIterations(arg);
    about.iterations = getFixedIterations(arg);
    about.counts = arg.getOwner();
  }
  if (!about.isFixed)
    about.leaves = {unsigned(facts.size())};
  return getNumber({toKey(value.getAsOpaquePointer())}, std::move(about));
}

std::optional<AccessClasses::Sum> AccessClasses::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  ChainDepth chain(depth);
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) || chain.isTooDeep())
    return std::nullopt;
  // Conditions and narrow numbers, which may wrap, are not added up.
  if (value.getType().isIndex())
    if (std::optional<Sum> sum = computeAffine(cast<OpResult>(value)))
      return *sum;
  Key key{toKey(op->getName().getAsOpaquePointer()),
          toKey(op->getAttrDictionary().getAsOpaquePointer()),
          toKey(value.getType().getAsOpaquePointer()),
          cast<OpResult>(value).getResultNumber()};
  NumberFacts about{/*isFixed=*/true};
  about.isAffine = getHardwareId(op).has_value();
  for (Value operand : op->getOperands()) {
    key.push_back(toKey(operand.getType().getAsOpaquePointer()));
    append(key, getSum(operand));
    about.isFixed &= isFixed(getSum(operand));
    add(about.leaves, getLeaves(getSum(operand)));
  }
  return getNumber(std::move(key), about);
}

/// None where it is not affine, or beyond 64 bits.
std::optional<AccessClasses::Sum>
AccessClasses::computeAffine(OpResult result) {
  auto getConstant = [&](Value value) { return getSum(value).getConstant(); };
  auto isNonNegative = [&](Value value) { return this->isNonNegative(value); };
  std::optional<AffineMeaning> meaning =
      getAffineMeaning(result, {getConstant, isNonNegative});
  if (!meaning || meaning->mayWrap)
    return std::nullopt;
  std::optional<Sum> sum = getSum(
      meaning->expr, llvm::map_to_vector(meaning->operands, [&](Value operand) {
        return getSum(operand);
      }));
  return sum && !sum->invalid ? sum : std::nullopt;
}

std::optional<AccessClasses::Sum> AccessClasses::getSum(AffineExpr expr,
                                                        ArrayRef<Sum> symbols) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Sum(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<Sum> lhs = getSum(binary.getLHS(), symbols);
  std::optional<Sum> rhs = getSum(binary.getRHS(), symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *lhs + *rhs;
  std::optional<int64_t> number = rhs->getConstant();
  if (!number)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul)
    return *lhs * *number;
  if (*number <= 0)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return divide(*lhs, *number);
  case AffineExprKind::CeilDiv:
    return divide(*lhs + Sum(*number - 1), *number);
  case AffineExprKind::Mod:
    return *lhs - divide(*lhs, *number) * *number;
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

int64_t AccessClasses::append(Key &key, SmallVectorImpl<Sum> &terms,
                              const IndexRange &range) {
  Sum offset = getSum(range.offset);
  int64_t constant = offset.constant;
  offset.constant = 0;
  terms.push_back(std::move(offset));
  key.push_back(range.size.has_value());
  if (range.size)
    terms.push_back(getSum(*range.size));
  key.push_back(range.stride);
  key.push_back(range.extents.size());
  for (const auto &[size, stride] : range.extents) {
    terms.push_back(getSum(size));
    key.push_back(stride);
  }
  return constant;
}

/// Replaces what loops count by what is known of it and its place among those
/// of the access. Two executions in whatever iterations know no more of it.
/// Leaves an access as it is where a number is computed from it in another way,
/// or one block counts several.
void AccessClasses::nameIterations(MutableArrayRef<Sum> terms) {
  DenseMap<const void *, unsigned> counterOf;
  for (const Sum &sum : terms)
    for (auto [number, coefficient] : sum.terms) {
      const NumberFacts &about = facts[number];
      if (about.isFixed)
        continue;
      if (!about.iterations ||
          counterOf.try_emplace(about.counts, number).first->second != number)
        return;
    }
  llvm::SmallMapVector<unsigned, Sum, 4> names;
  for (Sum &sum : terms) {
    Sum named = sum.constant;
    for (auto [number, coefficient] : sum.terms) {
      if (facts[number].isFixed) {
        named += Sum::getVariable(number) * coefficient;
        continue;
      }
      auto [it, isNew] = names.insert({number, Sum()});
      if (isNew) {
        // No other key begins so.
        constexpr int64_t kName = std::numeric_limits<int64_t>::min();
        Key name{kName, kName, int64_t(names.size())};
        llvm::append_range(name, *facts[number].iterations);
        it->second = getNumber(std::move(name), {});
      }
      named += it->second * coefficient;
    }
    sum = std::move(named);
  }
}

AccessClass AccessClasses::classify(const MemoryAccess &access) {
  AccessClass result;
  Key key;
  auto addPointer = [&](const void *pointer) {
    key.push_back(reinterpret_cast<intptr_t>(pointer));
  };
  // Which indices.
  SmallVector<Sum> terms;
  key.push_back(access.elements ? access.elements->size() : -1);
  if (access.elements)
    for (const IndexRange &range : *access.elements)
      result.constants.push_back(append(key, terms, range));
  key.push_back(access.byteRange.has_value());
  if (access.byteRange)
    result.constants.push_back(append(key, terms, *access.byteRange));
  auto getIndices = [&] {
    Key whole = key;
    for (const Sum &sum : terms)
      append(whole, sum);
    return indices.try_emplace(std::move(whole), indices.size()).first->second;
  };
  unsigned ownIterations = getIndices();
  nameIterations(terms);
  result.indices = getIndices();

  key = {result.indices};
  key.push_back(access.collective | access.followsMemory << 1);
  addPointer(access.memref ? access.memref.getType().getAsOpaquePointer()
                           : nullptr);

  // Which memory, and which bytes of it: whether two accesses are compared by
  // their indices depends on who may share a byte at all.
  key.push_back(access.bases.size());
  Key buffers;
  for (const MemoryBase &base : access.bases) {
    addPointer(base.root);
    buffers.push_back(
        reinterpret_cast<intptr_t>(base.buffer.getAsOpaquePointer()));
    key.push_back(base.maybeWorkgroup | base.maybeGlobal << 1 |
                  base.shiftBytes.has_value() << 2 |
                  base.bytes.has_value() << 3);
    if (base.shiftBytes)
      append(key, getSum(*base.shiftBytes));
    if (base.bytes) {
      key.push_back(base.bytes->first);
      key.push_back(base.bytes->second);
    }
  }
  if (access.view) {
    // Loop-carried buffers are told apart, and the root from its views.
    bool isRoot = access.bases.size() == 1 &&
                  access.view.getAsOpaquePointer() == access.bases.front().root;
    key.push_back(isRoot);
    addPointer(access.view.getType().getAsOpaquePointer());
    if (isa<BlockArgument>(access.view) || access.bases.size() > 1)
      addPointer(access.view.getAsOpaquePointer());
    key.push_back(hasDistinctElements(access.view));
  }
  result.likes = likes.try_emplace(key, likes.size()).first->second;
  llvm::append_range(key, buffers);

  result.places =
      places.try_emplace(std::move(key), places.size()).first->second;

  // Where and when it executes, and what the foralls around it promise.
  key = {result.places, ownIterations, access.atomic,
         access.atomic ? getCommutingUpdates(access.op) : 0};
  addPointer(access.op->getBlock());
  addPointer(returnsOld(access.op) ? access.op : nullptr);
  for (StringRef name :
       {kDisjointAttr, kSubgroupDisjointAttr, kWorkgroupDisjointAttr})
    addPointer(access.op->getAttr(name).getAsOpaquePointer());
  result.number =
      classes.try_emplace(std::move(key), classes.size()).first->second;
  return result;
}
