//===- PlacementStatePairs.cpp - who meets in two states -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementStatePairs.h"
#include "Hazards/AccessPairs.h"
#include "Kernel/ChainDepth.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/Memory/BufferSize.h"
#include "PlacementNumbers.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

std::optional<PlacementStatePairs::Place>
PlacementStatePairs::resolveRoot(Value memref) {
  SmallVector<MemoryBase, 2> bases = getMemoryBases(memref, context);
  auto type = dyn_cast<MemRefType>(memref.getType());
  Place place;
  if (bases.size() != 1 || !bases.front().root || !bases.front().shiftBytes ||
      !type || failed(type.getStridesAndOffset(place.strides, place.offset)) ||
      ShapedType::isDynamic(place.offset) ||
      ShapedType::isDynamicShape(place.strides))
    return std::nullopt;
  std::optional<int64_t> shift = bases.front().shiftBytes->getConstant();
  std::optional<int64_t> bytes =
      getElementBytes(type.getElementType(), context.getTarget());
  if (!shift || !bytes)
    return std::nullopt;
  place.root = bases.front().root;
  place.base = *shift;
  place.elementBytes = *bytes;
  return place;
}

std::optional<PlacementStatePairs::Place>
PlacementStatePairs::resolve(Value memref, unsigned state, unsigned depth) {
  if (depth > kMaxChainDepth)
    return std::nullopt;
  auto next = [&](Value source) { return resolve(source, state, depth + 1); };
  auto evaluate = [&](OpFoldResult number) -> std::optional<int64_t> {
    if (std::optional<int64_t> constant = getConstantIntValue(number))
      return constant;
    return states.evaluate(cast<Value>(number), state);
  };
  if (auto bound = states.getMemRef(memref, state))
    return resolve(bound->first, bound->second, depth + 1);
  Operation *op = memref.getDefiningOp();
  if (!op)
    return resolveRoot(memref);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<int64_t> holds =
        states.evaluate(select.getCondition(), state);
    if (!holds)
      return std::nullopt;
    return next(*holds ? select.getTrueValue() : select.getFalseValue());
  }
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    std::optional<int64_t> holds = states.evaluate(ifOp.getCondition(), state);
    if (!holds)
      return std::nullopt;
    auto yield = *holds ? ifOp.thenYield() : ifOp.elseYield();
    return next(yield.getOperand(cast<OpResult>(memref).getResultNumber()));
  }
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(
          op)) {
    std::optional<Place> place = next(op->getOperand(0));
    auto type = dyn_cast<MemRefType>(memref.getType());
    return place && type && type.getRank() == int64_t(place->strides.size())
               ? place
               : std::nullopt;
  }
  if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
    std::optional<Place> place = next(subview.getSource());
    if (!place)
      return std::nullopt;
    llvm::SmallBitVector dropped = subview.getDroppedDims();
    SmallVector<int64_t> strides;
    for (unsigned dim = 0; dim < place->strides.size(); ++dim) {
      std::optional<int64_t> offset = evaluate(subview.getMixedOffsets()[dim]);
      std::optional<int64_t> stride = evaluate(subview.getMixedStrides()[dim]);
      if (!offset || !stride)
        return std::nullopt;
      auto sum =
          llvm::checkedMulAdd(*offset, place->strides[dim], place->offset);
      auto product = llvm::checkedMul(*stride, place->strides[dim]);
      if (!sum || !product)
        return std::nullopt;
      place->offset = *sum;
      if (!dropped.test(dim))
        strides.push_back(*product);
    }
    place->strides = std::move(strides);
    return place;
  }
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    std::optional<Place> place = next(cast.getSource());
    if (!place)
      return std::nullopt;
    place->strides.clear();
    std::optional<int64_t> offset = evaluate(cast.getMixedOffsets().front());
    for (OpFoldResult mixed : cast.getMixedStrides()) {
      std::optional<int64_t> stride = evaluate(mixed);
      if (!stride)
        return std::nullopt;
      place->strides.push_back(*stride);
    }
    if (!offset)
      return std::nullopt;
    place->offset = *offset;
    return place;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    std::optional<Place> place = next(view.getSource());
    std::optional<int64_t> shift = evaluate(view.getByteShift());
    std::optional<int64_t> bytes =
        getElementBytes(view.getType().getElementType(), context.getTarget());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!place || place->offset != 0 || !shift || !bytes ||
        failed(view.getType().getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamicShape(strides) ||
        llvm::AddOverflow(place->base, *shift, place->base))
      return std::nullopt;
    place->strides = std::move(strides);
    place->elementBytes = *bytes;
    return place;
  }
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op)) {
    std::optional<Place> place = next(op->getOperand(0));
    int64_t offset;
    if (!place ||
        failed(cast<MemRefType>(memref.getType())
                   .getStridesAndOffset(place->strides, offset)) ||
        ShapedType::isDynamicShape(place->strides))
      return std::nullopt;
    return place;
  }
  return op->getNumRegions() == 0 ? resolveRoot(memref) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Numbers of threads
//===----------------------------------------------------------------------===//

const std::optional<PlacementStatePairs::Numbers> &
PlacementStatePairs::getNumbers(Value value, unsigned state, Memo &memo,
                                unsigned depth) {
  auto it = memo.find(value);
  if (it == memo.end()) {
    std::optional<Numbers> numbers =
        depth > kMaxChainDepth ? std::nullopt
                               : computeNumbers(value, state, memo, depth);
    it = memo.try_emplace(value, std::move(numbers)).first;
  }
  return it->second;
}

static int64_t getNumber(const std::vector<int64_t> &numbers, int64_t thread) {
  return numbers.size() == 1 ? numbers.front() : numbers[thread];
}

std::optional<PlacementStatePairs::Numbers>
PlacementStatePairs::computeNumbers(Value value, unsigned state, Memo &memo,
                                    unsigned depth) {
  if (std::optional<int64_t> number = states.evaluate(value, state))
    return Numbers{*number};
  auto result = dyn_cast<OpResult>(value);
  if (!result || !isNumber(value.getType()))
    return std::nullopt;
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
  SmallVector<Value> operands;
  if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
    unsigned index = result.getResultNumber();
    operands = {ifOp.getCondition(), ifOp.thenYield().getOperand(index),
                ifOp.elseYield().getOperand(index)};
  } else if (op->getNumRegions() == 0 && isMemoryEffectFree(op)) {
    operands = llvm::to_vector(op->getOperands());
  } else {
    return std::nullopt;
  }
  SmallVector<std::optional<Numbers>> known;
  bool isUniform = true;
  for (Value operand : operands) {
    known.push_back(getNumbers(operand, state, memo, depth + 1));
    isUniform &= !known.back() || known.back()->size() == 1;
  }
  std::optional<NumberOp> number;
  if (op->getNumRegions() == 0)
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
      output = inputs[*inputs[0] ? 1 : 2];
    if (!output)
      return std::nullopt;
    numbers.push_back(*output);
  }
  return numbers;
}

std::optional<PlacementStatePairs::Numbers>
PlacementStatePairs::getNumbers(const LinearExpr &expr, unsigned state,
                                Memo &memo) {
  if (expr.invalid)
    return std::nullopt;
  Numbers sum{expr.constant};
  for (auto [value, factor] : expr.terms) {
    const std::optional<Numbers> &numbers = getNumbers(value, state, memo);
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

/// Calls `visit` with each condition around `op` and what it has to be for `op`
/// to be executed.
void PlacementStatePairs::forEachGuard(
    Operation *op, llvm::function_ref<void(Value, bool)> visit) {
  for (Operation *kernel = hazards.getKernel(); op && op != kernel;
       op = op->getParentOp()) {
    if (auto ifOp = dyn_cast<scf::IfOp>(op->getParentOp()))
      visit(ifOp.getCondition(),
            op->getParentRegion() == &ifOp.getThenRegion());
    Region *region = op->getParentRegion();
    if (region->hasOneBlock())
      continue;
    // Blocks that are only reached behind one side of a branch.
    auto *node = dominance.getDomTree(region).getNode(op->getBlock());
    for (; node && node->getIDom(); node = node->getIDom()) {
      Block *block = node->getBlock();
      auto branch = dyn_cast<cf::CondBranchOp>(
          node->getIDom()->getBlock()->getTerminator());
      if (branch && branch.getTrueDest() != branch.getFalseDest() &&
          block->getSinglePredecessor() == branch->getBlock())
        visit(branch.getCondition(), branch.getTrueDest() == block);
    }
  }
}

std::vector<bool> PlacementStatePairs::getActive(Operation *op, unsigned state,
                                                 Memo &memo) {
  std::vector<bool> active(context.getThreads(), true);
  forEachGuard(op, [&](Value condition, bool holds) {
    const std::optional<Numbers> &numbers = getNumbers(condition, state, memo);
    if (numbers)
      for (size_t thread = 0; thread < active.size(); ++thread)
        if ((getNumber(*numbers, thread) != 0) != holds)
          active[thread] = false;
  });
  return active;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Adds what a number depends on: numbers that are known.
void PlacementStatePairs::addLeaves(Value value, unsigned state,
                                    DenseSet<Value> &seen,
                                    std::vector<int64_t> &key) {
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
    Operation *op = next.getDefiningOp();
    if (!op)
      continue;
    if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      unsigned index = cast<OpResult>(next).getResultNumber();
      work.append({ifOp.getCondition(), ifOp.thenYield().getOperand(index),
                   ifOp.elseYield().getOperand(index)});
    } else if (op->getNumRegions() == 0) {
      work.append(op->operand_begin(), op->operand_end());
    }
  }
}

/// The dimensions of what an access touches, and how many elements apart its
/// neighbours are; counted in bytes where the access follows memory.
static SmallVector<std::pair<IndexRange, int64_t>>
getDimensions(const MemoryAccess &access, ArrayRef<int64_t> strides) {
  SmallVector<std::pair<IndexRange, int64_t>> dimensions;
  if (access.followsMemory)
    dimensions.emplace_back(*access.byteRange, 1);
  else
    for (auto [range, stride] : llvm::zip_equal(*access.elements, strides))
      dimensions.emplace_back(range, stride);
  return dimensions;
}

unsigned PlacementStatePairs::getTable(unsigned number, unsigned state) {
  auto [known, isNew] = tableOf.try_emplace({number, state}, 0);
  if (!isNew || numTouches > kMaxTouches)
    return known->second;
  const MemoryAccess &access = hazards.getAccesses()[number];
  if (!access.memref || access.collective)
    return 0;
  std::optional<Place> place;
  if (access.followsMemory) {
    if (access.byteRange && access.bases.size() == 1 &&
        access.bases.front().root) {
      place.emplace();
      place->root = access.bases.front().root;
      place->elementBytes =
          getElementBytes(
              cast<MemRefType>(access.memref.getType()).getElementType(),
              context.getTarget())
              .value_or(0);
    }
  } else if (access.elements && isa<MemRefType>(access.view.getType())) {
    place = resolve(access.view, state);
    if (place && place->strides.size() != access.elements->size())
      place.reset();
  }
  if (!place || place->elementBytes <= 0)
    return 0;
  std::vector<int64_t> key{int64_t(place->root), place->base, place->offset,
                           place->elementBytes};
  llvm::append_range(key, place->strides);
  DenseSet<Value> seen;
  auto add = [&](const LinearExpr &expr) {
    for (auto [value, factor] : expr.terms)
      addLeaves(value, state, seen, key);
  };
  for (const auto &[range, stride] : getDimensions(access, place->strides)) {
    add(range.offset);
    if (range.size)
      add(*range.size);
    for (const auto &[size, by] : range.extents)
      add(size);
  }
  forEachGuard(access.op, [&](Value condition, bool) {
    addLeaves(condition, state, seen, key);
  });
  auto [it, isNewKey] = tableOfKey.try_emplace({number, std::move(key)}, 0);
  if (isNewKey)
    if (std::optional<Table> table = makeTable(access, *place, state)) {
      numTouches += table->touches.size();
      it->second = tables.size();
      tables.push_back(std::move(table));
    }
  return tableOf[{number, state}] = it->second;
}

std::optional<PlacementStatePairs::Table>
PlacementStatePairs::makeTable(const MemoryAccess &access, const Place &place,
                               unsigned state) {
  Memo memo;
  int64_t unit = access.followsMemory ? place.elementBytes : 1;
  if (place.base % place.elementBytes != 0)
    return std::nullopt;
  int64_t start = place.base / place.elementBytes + place.offset;
  // Sums of one number of each list, times a stride.
  struct Extent {
    Numbers counts;
    int64_t stride;
  };
  Numbers origin{start};
  SmallVector<Extent> extents;
  for (const auto &dimension : getDimensions(access, place.strides)) {
    const IndexRange &range = dimension.first;
    int64_t stride = dimension.second;
    std::optional<Numbers> offset = getNumbers(range.offset, state, memo);
    if (!offset || !range.size)
      return std::nullopt;
    if (offset->size() > 1 && origin.size() == 1)
      origin.assign(offset->size(), origin.front());
    for (size_t thread = 0; thread < origin.size(); ++thread) {
      int64_t index = getNumber(*offset, thread);
      std::optional<int64_t> sum =
          index % unit == 0
              ? llvm::checkedMulAdd(index / unit, stride, origin[thread])
              : std::nullopt;
      if (!sum)
        return std::nullopt;
      origin[thread] = *sum;
    }
    auto addExtent = [&](const LinearExpr &size, int64_t by) {
      std::optional<Numbers> counts = getNumbers(size, state, memo);
      int64_t product;
      if (!counts || by % unit != 0 ||
          llvm::MulOverflow(by / unit, stride, product))
        return false;
      extents.push_back({std::move(*counts), product});
      return true;
    };
    // The bytes of one element.
    bool isElement = access.followsMemory && range.stride == 1 &&
                     range.size->getConstant() == unit;
    if (!isElement && !addExtent(*range.size, range.stride))
      return std::nullopt;
    for (const auto &[size, by] : range.extents)
      if (!addExtent(size, by))
        return std::nullopt;
  }
  std::vector<bool> active = getActive(access.op, state, memo);
  Table table;
  table.root = place.root;
  table.elementBytes = place.elementBytes;
  SmallVector<int64_t> mine, more;
  for (int64_t thread = 0; thread < context.getThreads(); ++thread) {
    if (!active[thread])
      continue;
    mine = {getNumber(origin, thread)};
    for (const Extent &extent : extents) {
      int64_t count = getNumber(extent.counts, thread);
      if (count < 0 || count > int64_t(kMaxPlaces) ||
          mine.size() * count > kMaxPlaces)
        return std::nullopt;
      more.clear();
      for (int64_t place : mine)
        for (int64_t k = 0; k < count; ++k) {
          std::optional<int64_t> sum =
              llvm::checkedMulAdd(k, extent.stride, place);
          if (!sum)
            return std::nullopt;
          more.push_back(*sum);
        }
      mine.swap(more);
    }
    for (int64_t element : mine)
      table.touches.emplace_back(element, thread);
  }
  llvm::sort(table.touches);
  return table;
}

void PlacementStatePairs::addPair(int64_t first, int64_t second,
                                  Meeting &meeting) const {
  if (first == second) {
    meeting.inOneThread = true;
    return;
  }
  std::optional<int64_t> size = context.getSubgroupSize();
  bool isInside = size && first / *size == second / *size;
  meeting.insideSubgroup |= isInside || !size;
  meeting.acrossSubgroups |= !isInside;
}

/// Who has a key in both lists, which are in order.
template <typename KeyT>
static Meeting
joinTouches(const std::vector<std::pair<KeyT, int64_t>> &first,
            const std::vector<std::pair<KeyT, int64_t>> &second,
            llvm::function_ref<void(int64_t, int64_t, Meeting &)> addPair) {
  Meeting meeting{false, false, false};
  auto begin = second.begin();
  for (const auto &[place, thread] : first) {
    while (begin != second.end() && begin->first < place)
      ++begin;
    for (auto it = begin; it != second.end() && it->first == place; ++it) {
      addPair(thread, it->second, meeting);
      if (meeting.inOneThread && meeting.insideSubgroup &&
          meeting.acrossSubgroups)
        return meeting;
    }
  }
  return meeting;
}

Meeting PlacementStatePairs::join(const Table &first,
                                  const Table &second) const {
  if (first.root != second.root)
    return {false, false, false};
  if (first.elementBytes != second.elementBytes)
    return {};
  return joinTouches<int64_t>(
      first.touches, second.touches,
      [&](int64_t a, int64_t b, Meeting &meeting) { addPair(a, b, meeting); });
}

//===----------------------------------------------------------------------===//
// Uniform unknowns
//===----------------------------------------------------------------------===//

/// True when `value` is one number, or one memref, in both executions.
bool PlacementStatePairs::isOneNumber(Value value, Operation *first,
                                      Operation *second,
                                      Operation *carryingLoop) const {
  if (uniformity.getScope(value) > ExecutionScope::Workgroup)
    return false;
  Block *block = value.getParentBlock();
  Operation *owner = block->getParentOp();
  if (owner == hazards.getKernel() && block->isEntryBlock())
    return true;
  if (carryingLoop)
    return !carryingLoop->isAncestor(owner);
  return block->findAncestorOpInBlock(*first) &&
         block->findAncestorOpInBlock(*second);
}

/// The op that both sides are a result of, if nothing is done to it.
static std::pair<Operation *, Operation *> getOps(const LinearExpr &left,
                                                  const LinearExpr &right) {
  auto getOp = [](const LinearExpr &expr) -> Operation * {
    bool isPlain = !expr.invalid && expr.terms.size() == 1 &&
                   expr.terms.front().second == 1 && expr.constant == 0;
    return isPlain ? expr.terms.front().first.getDefiningOp() : nullptr;
  };
  Operation *a = getOp(left), *b = getOp(right);
  if (!a || !b || a->getName() != b->getName() || a->getNumResults() != 1)
    return {nullptr, nullptr};
  return {a, b};
}

static bool isPowerOf2(int64_t number) {
  return number > 0 && llvm::isPowerOf2_64(number);
}

/// Takes from both sides what keeps equal numbers equal and different ones
/// different. False if nothing was found.
bool PlacementStatePairs::strip(Residue &left, Residue &right,
                                llvm::function_ref<bool(Value)> isOne) const {
  int64_t modulus = left.modulus;
  bool hasBits = modulus == 0 || isPowerOf2(modulus);
  // Sums of indices do not wrap, and modulo a power of two it does not matter.
  auto expand = [](LinearExpr &expr) {
    for (auto [value, factor] : SmallVector<std::pair<Value, int64_t>>(
             expr.terms.begin(), expr.terms.end())) {
      Operation *op = value.getDefiningOp();
      IntegerOp kind = op ? getIntegerOp(op) : IntegerOp::None;
      if ((kind != IntegerOp::Add && kind != IntegerOp::Sub) ||
          !value.getType().isIndex())
        continue;
      LinearExpr sum = LinearExpr(OpFoldResult(op->getOperand(0)));
      LinearExpr other = LinearExpr(OpFoldResult(op->getOperand(1)));
      other *= kind == IntegerOp::Add ? 1 : -1;
      sum += other;
      sum *= factor;
      LinearExpr gone = LinearExpr::getVariable(value);
      gone *= -factor;
      expr += gone;
      expr += sum;
      return true;
    }
    return false;
  };
  bool isExpanded = expand(left.number);
  isExpanded |= expand(right.number);
  if (isExpanded)
    return true;
  for (auto [value, factor] : left.number.terms) {
    if (!llvm::is_contained(right.number.terms,
                            std::make_pair(value, factor)) ||
        !isOne(value))
      continue;
    LinearExpr gone = LinearExpr::getVariable(value);
    gone *= -factor;
    left.number += gone;
    right.number += gone;
    return true;
  }
  if (left.number.terms.size() == 1 && right.number.terms.size() == 1 &&
      modulus == 0 && left.number.constant == right.number.constant &&
      left.number.terms.front().second == right.number.terms.front().second &&
      (left.number.constant != 0 || left.number.terms.front().second != 1)) {
    for (LinearExpr *side : {&left.number, &right.number})
      *side = LinearExpr::getVariable(Value(side->terms.front().first));
    return true;
  }
  auto [a, b] = getOps(left.number, right.number);
  if (!a)
    return false;
  auto replace = [&](Value x, Value y, int64_t newModulus) {
    left = {LinearExpr(OpFoldResult(x)), newModulus};
    right = {LinearExpr(OpFoldResult(y)), newModulus};
    return true;
  };
  IntegerOp kind = getIntegerOp(a);
  unsigned width = isNumber(a->getResult(0).getType())
                       ? getBitWidth(a->getResult(0).getType())
                       : 0;
  if (width == 0)
    return false;
  switch (kind) {
  case IntegerOp::XOr:
  case IntegerOp::Add:
  case IntegerOp::Sub:
    for (unsigned i = 0; i < 2 && hasBits; ++i)
      for (unsigned j = 0; j < 2; ++j)
        if (a->getOperand(i) == b->getOperand(j) && isOne(a->getOperand(i)) &&
            (i == j || kind != IntegerOp::Sub))
          return replace(a->getOperand(1 - i), b->getOperand(1 - j), modulus);
    return false;
  case IntegerOp::RemU:
  case IntegerOp::RemS:
  case IntegerOp::And: {
    std::optional<int64_t> x = getConstantIntValue(a->getOperand(1));
    std::optional<int64_t> y = getConstantIntValue(b->getOperand(1));
    if (!x || x != y)
      return false;
    int64_t divisor = kind == IntegerOp::And ? *x + 1 : *x;
    if (divisor <= 0 || (modulus != 0 && divisor % modulus != 0))
      return false;
    bool isMask = kind == IntegerOp::And;
    if ((isMask || kind == IntegerOp::RemS) && !isPowerOf2(divisor) && isMask)
      return false;
    // As a number without a sign a negative one is another modulo what is no
    // power of two; the signed remainder of it is negative.
    auto isNonNegative = [&](Value value) {
      IndexRange range;
      range.offset = LinearExpr(OpFoldResult(value));
      range.size = LinearExpr(1);
      auto bounds = ThreadRelations(context).getBounds(range);
      return bounds && bounds->first >= 0;
    };
    bool needsSign = kind == IntegerOp::RemS ||
                     (kind == IntegerOp::RemU && !isPowerOf2(divisor));
    if (needsSign &&
        (!isNonNegative(a->getOperand(0)) || !isNonNegative(b->getOperand(0))))
      return false;
    return replace(a->getOperand(0), b->getOperand(0),
                   modulus == 0 ? divisor : modulus);
  }
  case IntegerOp::CastS:
  case IntegerOp::CastU: {
    Type from = a->getOperand(0).getType();
    if (from != b->getOperand(0).getType() || !isNumber(from) || !hasBits)
      return false;
    unsigned source = getBitWidth(from);
    if (width >= source) // Equal in the wide type exactly if in the narrow one.
      return modulus == 0 || modulus <= (int64_t(1) << std::min(source, 62u))
                 ? replace(a->getOperand(0), b->getOperand(0), modulus)
                 : false;
    if (modulus == 0 && width >= 62)
      return false;
    return replace(a->getOperand(0), b->getOperand(0),
                   modulus == 0 ? int64_t(1) << width : modulus);
  }
  default:
    return false;
  }
}

/// `number` = op(dividend, divisor): the quotient or the remainder.
struct Digit {
  Value dividend;
  int64_t divisor;
  bool isRemainder, isSigned;
};

static std::optional<Digit> getDigit(const LinearExpr &number) {
  Operation *op = getOps(number, number).first;
  if (!op)
    return std::nullopt;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    auto divide = dyn_cast<AffineBinaryOpExpr>(apply.getMap().getResult(0));
    bool isRemainder = divide && divide.getKind() == AffineExprKind::Mod;
    if (!divide || apply.getMapOperands().size() != 1 ||
        (!isRemainder && divide.getKind() != AffineExprKind::FloorDiv) ||
        !isa<AffineDimExpr, AffineSymbolExpr>(divide.getLHS()))
      return std::nullopt;
    auto divisor = dyn_cast<AffineConstantExpr>(divide.getRHS());
    if (!divisor || divisor.getValue() <= 0)
      return std::nullopt;
    return Digit{apply.getMapOperands().front(), divisor.getValue(),
                 isRemainder, /*isSigned=*/true};
  }
  IntegerOp kind = getIntegerOp(op);
  bool isRemainder = kind == IntegerOp::RemU;
  if (!isRemainder && kind != IntegerOp::DivU)
    return std::nullopt;
  std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
  if (!divisor || *divisor <= 0)
    return std::nullopt;
  return Digit{op->getOperand(0), *divisor, isRemainder, /*isSigned=*/false};
}

/// Puts both digits of one number together: they are equal exactly if the
/// number is.
static void joinDigits(SmallVectorImpl<LinearExpr> &left,
                       SmallVectorImpl<LinearExpr> &right) {
  for (unsigned i = 0; i < left.size(); ++i)
    for (unsigned j = 0; j < left.size(); ++j) {
      auto a = getDigit(left[i]), b = getDigit(left[j]);
      auto c = getDigit(right[i]), d = getDigit(right[j]);
      if (!a || !b || !c || !d || a->isRemainder || !b->isRemainder ||
          c->isRemainder || !d->isRemainder || a->dividend != b->dividend ||
          c->dividend != d->dividend ||
          llvm::any_of(ArrayRef{*b, *c, *d}, [&](const Digit &other) {
            return other.divisor != a->divisor || other.isSigned != a->isSigned;
          }))
        continue;
      left[i] = LinearExpr(OpFoldResult(a->dividend));
      right[i] = LinearExpr(OpFoldResult(c->dividend));
      left[j] = right[j] = LinearExpr(0);
    }
}

Meeting PlacementStatePairs::compareResidues(unsigned first,
                                             unsigned firstState,
                                             unsigned second,
                                             unsigned secondState,
                                             Operation *carryingLoop) {
  const MemoryAccess &a = hazards.getAccesses()[first];
  const MemoryAccess &b = hazards.getAccesses()[second];
  if (!a.elements || !b.elements || !a.view || !b.view || a.followsMemory ||
      b.followsMemory || a.elements->size() != b.elements->size())
    return {};
  auto isOne = [&](Value value) {
    return isOneNumber(value, a.op, b.op, carryingLoop);
  };
  bool isOneView =
      a.view == b.view && hasDistinctElements(a.view) && isOne(a.view);
  if (!isOneView) {
    auto [left, right, areBytes] = getComparable(a, b);
    if (!left.ranges || !right.ranges || areBytes)
      return {};
  }
  // What is not compared may be equal.
  auto isElement = [](const IndexRange &range) {
    return range.size && range.size->getConstant() == 1 &&
           range.extents.empty() && !range.offset.invalid;
  };
  bool isUnknownGone = false;
  auto isOneUnknown = [&](Value value) {
    bool result = isOne(value);
    isUnknownGone |= result;
    return result;
  };
  SmallVector<LinearExpr> ofFirst, ofSecond;
  for (auto [x, y] : llvm::zip_equal(*a.elements, *b.elements)) {
    if (!isElement(x) || !isElement(y))
      continue;
    ofFirst.push_back(x.offset);
    ofSecond.push_back(y.offset);
  }
  joinDigits(ofFirst, ofSecond);
  SmallVector<std::pair<Residue, Residue>> residues;
  for (auto [x, y] : llvm::zip_equal(ofFirst, ofSecond)) {
    auto &[left, right] = residues.emplace_back();
    left.number = x;
    right.number = y;
    constexpr unsigned kMaxStrips = 64;
    for (unsigned i = 0; i < kMaxStrips; ++i)
      if (!strip(left, right, isOneUnknown))
        break;
  }
  // The rest is known without.
  if (!isUnknownGone && !isOneView)
    return {};

  using Key = SmallVector<int64_t, 2>;
  std::vector<std::pair<Key, int64_t>> touches[2];
  auto addSide = [&](const MemoryAccess &access, unsigned state,
                     llvm::function_ref<Residue(unsigned)> getResidue,
                     std::vector<std::pair<Key, int64_t>> &list) {
    Memo memo;
    std::vector<bool> active = getActive(access.op, state, memo);
    for (size_t thread = 0; thread < active.size(); ++thread)
      if (active[thread])
        list.push_back({{}, thread});
    SmallVector<bool> isKnown;
    for (unsigned i = 0; i < residues.size(); ++i) {
      Residue residue = getResidue(i);
      std::optional<Numbers> numbers = getNumbers(residue.number, state, memo);
      isKnown.push_back(numbers.has_value());
      for (auto &[key, thread] : list) {
        int64_t number = numbers ? getNumber(*numbers, thread) : 0;
        key.push_back(residue.modulus ? llvm::mod(number, residue.modulus)
                                      : number);
      }
    }
    return isKnown;
  };
  SmallVector<bool> left = addSide(
      a, firstState, [&](unsigned i) { return residues[i].first; }, touches[0]);
  SmallVector<bool> right = addSide(
      b, secondState, [&](unsigned i) { return residues[i].second; },
      touches[1]);
  for (unsigned i = 0; i < residues.size(); ++i)
    if (!left[i] || !right[i])
      for (auto &side : touches)
        for (auto &[key, thread] : side)
          key[i] = 0;
  for (auto &side : touches)
    llvm::sort(side);
  return joinTouches<Key>(
      touches[0], touches[1],
      [&](int64_t x, int64_t y, Meeting &meeting) { addPair(x, y, meeting); });
}

Meeting PlacementStatePairs::getMeeting(unsigned first, unsigned firstState,
                                        unsigned second, unsigned secondState,
                                        Operation *carryingLoop) {
  const MemoryAccess &a = hazards.getAccesses()[first];
  const MemoryAccess &b = hazards.getAccesses()[second];
  if (!a.memref || !b.memref || a.collective || b.collective ||
      context.getThreads() > kMaxThreads)
    return {};
  // Where the ids alone decide PlacementThreadPairs has the answer.
  bool hasState = firstState != ControlStates::kNothing ||
                  secondState != ControlStates::kNothing;
  unsigned left = hasState ? getTable(first, firstState) : 0;
  unsigned right = left ? getTable(second, secondState) : 0;
  if (left && right) {
    auto it = joins.find({left, right});
    if (it != joins.end())
      return it->second;
    if (joins.size() >= kMaxJoins)
      return {};
    return joins[{left, right}] = join(*tables[left], *tables[right]);
  }
  auto [it, isNew] = residues.try_emplace(
      {first, firstState, second, secondState, carryingLoop});
  if (isNew && residues.size() < kMaxJoins)
    it->second =
        compareResidues(first, firstState, second, secondState, carryingLoop);
  return it->second;
}
