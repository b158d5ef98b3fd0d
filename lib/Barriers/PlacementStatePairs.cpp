//===- PlacementStatePairs.cpp - who meets in two states -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementStatePairs.h"
#include "Hazards/AccessPairs.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Residues.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

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

/// True for a condition that is not known, whatever `tried` is, but holds for
/// all threads or none: where an op is executed it holds for all.
bool PlacementStatePairs::keepsNobody(Value condition, unsigned state,
                                      Value tried) {
  if (uniformity.getScope(condition) > ExecutionScope::Workgroup ||
      numbers.get(condition, state, getMemo(state)))
    return false;
  DenseSet<Value> seen;
  std::vector<int64_t> key;
  SmallVector<BlockArgument> unknown;
  numbers.addLeaves(condition, state, seen, key, unknown);
  return !seen.contains(tried);
}

/// What the places of an access hang on, but for `tried`, if given. Adds to
/// `unknown` the arguments of blocks that are not known.
std::vector<int64_t> PlacementStatePairs::getPlaceKey(
    const MemoryAccess &access, const Place &place, unsigned state,
    SmallVectorImpl<BlockArgument> &unknown, Value tried) {
  std::vector<int64_t> key{
      int64_t(place.root), place.base, place.offset, place.elementBytes,
      int64_t(place.shift ? place.shift.getAsOpaquePointer() : nullptr)};
  llvm::append_range(key, place.strides);
  DenseSet<Value> seen;
  auto add = [&](const LinearExpr &expr) {
    for (auto [value, factor] : expr.terms)
      numbers.addLeaves(value, state, seen, key, unknown);
  };
  for (const auto &[range, stride] : getDimensions(access, place.strides)) {
    add(range.offset);
    if (range.size)
      add(*range.size);
    for (const auto &[size, by] : range.extents)
      add(size);
  }
  if (place.shift)
    numbers.addLeaves(place.shift, state, seen, key, unknown);
  numbers.forEachGuard(access.op, [&](Value condition, bool) {
    if (tried && keepsNobody(condition, state, tried))
      return;
    numbers.addLeaves(condition, state, seen, key, unknown);
  });
  return key;
}

unsigned PlacementStatePairs::getTable(unsigned number, unsigned state) {
  auto [known, isNew] = tableOf.try_emplace({number, state}, 0);
  isLimited |= numTouches > kMaxTouches;
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
    place = places.resolve(access.view, state);
    if (place && place->strides.size() != access.elements->size())
      place.reset();
  }
  if (!place || place->elementBytes <= 0)
    return 0;
  SmallVector<BlockArgument> unknown;
  std::vector<int64_t> key = getPlaceKey(access, *place, state, unknown);
  auto [it, isNewKey] = tableOfKey.try_emplace({number, std::move(key)}, 0);
  if (isNewKey)
    if (std::optional<Table> table =
            makeTable(access, *place, state, getCounters(unknown))) {
      numTouches += table->touches.size();
      it->second = tables.size();
      tables.push_back(std::move(table));
    }
  return tableOf[{number, state}] = it->second;
}

/// Adds what the access touches in one iteration of all loops.
bool PlacementStatePairs::addTouches(const MemoryAccess &access,
                                     const Place &place, unsigned state,
                                     Memo &memo, Table &table) {
  int64_t unit = access.followsMemory ? place.elementBytes : 1;
  if (place.base % place.elementBytes != 0)
    return false;
  int64_t start = place.base / place.elementBytes + place.offset;
  // Sums of one number of each list, times a stride.
  struct Extent {
    Numbers counts;
    int64_t stride;
  };
  Numbers origin{start};
  if (place.shift) {
    std::optional<Numbers> shifts =
        numbers.get(LinearExpr(OpFoldResult(place.shift)), state, memo);
    if (!shifts)
      return false;
    origin.assign(shifts->size(), start);
    for (auto [first, shift] : llvm::zip_equal(origin, *shifts))
      if (shift % place.elementBytes != 0 ||
          llvm::AddOverflow(first, shift / place.elementBytes, first))
        return false;
  }
  SmallVector<Extent> extents;
  for (const auto &dimension : getDimensions(access, place.strides)) {
    const IndexRange &range = dimension.first;
    int64_t stride = dimension.second;
    std::optional<Numbers> offset =
        access.followsMemory ? numbers.get(range.offset, state, memo)
                             : getSlots(access, range.offset, state, memo);
    if (!offset || !range.size)
      return false;
    if (offset->size() > 1 && origin.size() == 1)
      origin.assign(offset->size(), origin.front());
    for (size_t thread = 0; thread < origin.size(); ++thread) {
      int64_t index = StateNumbers::getNumber(*offset, thread);
      std::optional<int64_t> sum =
          index % unit == 0
              ? llvm::checkedMulAdd(index / unit, stride, origin[thread])
              : std::nullopt;
      if (!sum)
        return false;
      origin[thread] = *sum;
    }
    auto addExtent = [&](const LinearExpr &size, int64_t by) {
      std::optional<Numbers> counts = numbers.get(size, state, memo);
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
      return false;
    for (const auto &[size, by] : range.extents)
      if (!addExtent(size, by))
        return false;
  }
  std::vector<bool> active = numbers.getActive(access.op, state, memo);
  SmallVector<int64_t> mine, more;
  for (int64_t thread = 0; thread < context.getThreads(); ++thread) {
    if (!active[thread])
      continue;
    mine = {StateNumbers::getNumber(origin, thread)};
    for (const Extent &extent : extents) {
      int64_t count = StateNumbers::getNumber(extent.counts, thread);
      if (count < 0 || count > int64_t(kMaxPlaces) ||
          mine.size() * count > kMaxPlaces)
        return false;
      more.clear();
      for (int64_t place : mine)
        for (int64_t k = 0; k < count; ++k) {
          std::optional<int64_t> sum =
              llvm::checkedMulAdd(k, extent.stride, place);
          if (!sum)
            return false;
          more.push_back(*sum);
        }
      mine.swap(more);
    }
    for (int64_t element : mine)
      table.touches.emplace_back(element, thread);
  }
  return true;
}

/// Those of `unknown` that count the few iterations of a loop with constant
/// bounds: an access may be in any of them.
SmallVector<CountedLoop>
PlacementStatePairs::getCounters(ArrayRef<BlockArgument> unknown) {
  SmallVector<CountedLoop> counters;
  int64_t count = 1;
  for (BlockArgument arg : unknown) {
    CountedLoop loop = CountedLoop::get(arg.getOwner()->getParentOp());
    std::optional<int64_t> trips = loop && arg == loop.getInductionVar()
                                       ? loop.getTripCount()
                                       : std::nullopt;
    if (!trips || *trips > int64_t(kMaxPlaces) / count ||
        !loop.getLower().getConstant() || !loop.getConstantStep())
      continue;
    count *= std::max<int64_t>(*trips, 1);
    counters.push_back(loop);
  }
  return counters;
}

std::optional<PlacementStatePairs::Table>
PlacementStatePairs::makeTable(const MemoryAccess &access, const Place &place,
                               unsigned state, ArrayRef<CountedLoop> counters) {
  Table table;
  table.root = place.root;
  table.elementBytes = place.elementBytes;
  int64_t count = 1;
  for (const CountedLoop &loop : counters)
    count *= *loop.getTripCount();
  for (int64_t number = 0; number < count; ++number) {
    Memo memo;
    int64_t rest = number;
    for (const CountedLoop &loop : counters) {
      int64_t trips = *loop.getTripCount();
      memo.numbers[loop.getInductionVar()] =
          Numbers{*loop.getLower().getConstant() +
                  rest % trips * *loop.getConstantStep()};
      rest /= trips;
    }
    if (!addTouches(access, place, state, memo, table))
      return std::nullopt;
  }
  llvm::sort(table.touches);
  table.touches.erase(llvm::unique(table.touches), table.touches.end());
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

/// Ops in a row of which each computes one number of such.
static constexpr unsigned kMaxComputed = 8;

/// True when `value` is one number, or one memref, in both executions. What is
/// computed of such by itself is one, wherever that is.
bool PlacementStatePairs::isOneNumber(Value value, Operation *first,
                                      Operation *second,
                                      Operation *carryingLoop,
                                      unsigned depth) const {
  if (uniformity.getScope(value) > ExecutionScope::Workgroup)
    return false;
  // No op of other dialects: lanes that are there may decide, too.
  Operation *op = value.getDefiningOp();
  if (op && depth < kMaxComputed && op->getNumRegions() == 0 &&
      isMemoryEffectFree(op) &&
      isa_and_nonnull<affine::AffineDialect, arith::ArithDialect,
                      memref::MemRefDialect>(op->getDialect()) &&
      llvm::all_of(op->getOperands(), [&](Value operand) {
        return isOneNumber(operand, first, second, carryingLoop, depth + 1);
      }))
    return true;
  Block *block = value.getParentBlock();
  Operation *owner = block->getParentOp();
  if (owner == hazards.getKernel() && block->isEntryBlock())
    return true;
  if (carryingLoop)
    return !carryingLoop->isAncestor(owner);
  return block->findAncestorOpInBlock(*first) &&
         block->findAncestorOpInBlock(*second);
}

/// What the last pairs have computed in `state`: most of them are in one.
PlacementStatePairs::Memo &PlacementStatePairs::getMemo(unsigned state) {
  constexpr size_t kMaxValues = 1 << 12;
  if (lastState != state || lastMemo.numbers.size() > kMaxValues)
    lastMemo.clear();
  lastState = state;
  return lastMemo;
}

/// Who is there, where no element tells more.
Meeting PlacementStatePairs::joinActive(const MemoryAccess &a,
                                        unsigned firstState,
                                        const MemoryAccess &b,
                                        unsigned secondState) {
  std::vector<bool> first =
      numbers.getActive(a.op->getBlock(), firstState, getMemo(firstState));
  const std::vector<bool> &second =
      numbers.getActive(b.op->getBlock(), secondState, getMemo(secondState));
  Meeting meeting{false, false, false};
  for (size_t x = 0; x < first.size(); ++x)
    for (size_t y = 0; first[x] && y < second.size(); ++y) {
      if (!second[y])
        continue;
      addPair(x, y, meeting);
      if (meeting.inOneThread && meeting.insideSubgroup &&
          meeting.acrossSubgroups)
        return meeting;
    }
  return meeting;
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
  if (ofFirst.empty())
    return isOneView ? joinActive(a, firstState, b, secondState) : Meeting();
  joinDigits(ofFirst, ofSecond);
  SmallVector<std::pair<Residue, Residue>> residues;
  for (auto [x, y] : llvm::zip_equal(ofFirst, ofSecond)) {
    auto &[left, right] = residues.emplace_back();
    left.number = x;
    right.number = y;
    constexpr unsigned kMaxStrips = 64;
    for (unsigned i = 0; i < kMaxStrips; ++i)
      if (!strip(left, right, context, isOneUnknown))
        break;
  }
  // The rest is known without.
  if (!isUnknownGone && !isOneView)
    return {};
  // What hangs on the ids alone is the same for all accesses at equal indices.
  auto isGuarded = [&](const MemoryAccess &access) {
    bool result = false;
    numbers.forEachGuard(access.op, [&](Value, bool) { result = true; });
    return result;
  };
  if (!isUnknownGone && firstState == ControlStates::kNothing &&
      secondState == ControlStates::kNothing && !isGuarded(a) &&
      !isGuarded(b)) {
    std::vector<int64_t> key{hazards.getIndices(first),
                             hazards.getIndices(second)};
    llvm::append_range(key, hazards.getClassConstants(first));
    llvm::append_range(key, hazards.getClassConstants(second));
    auto [it, isNew] = meetingOfIndices.try_emplace(std::move(key));
    if (isNew)
      it->second = join(residues, a, firstState, b, secondState);
    return it->second;
  }
  return join(residues, a, firstState, b, secondState);
}

/// Who meets where all `residues` are equal, as far as they are known.
Meeting
PlacementStatePairs::join(ArrayRef<std::pair<Residue, Residue>> residues,
                          const MemoryAccess &a, unsigned firstState,
                          const MemoryAccess &b, unsigned secondState) {
  using Key = SmallVector<int64_t, 2>;
  std::vector<std::pair<Key, int64_t>> touches[2];
  auto addSide = [&](const MemoryAccess &access, unsigned state,
                     llvm::function_ref<Residue(unsigned)> getResidue,
                     std::vector<std::pair<Key, int64_t>> &list) {
    Memo &memo = getMemo(state);
    const std::vector<bool> &active =
        numbers.getActive(access.op->getBlock(), state, memo);
    for (size_t thread = 0; thread < active.size(); ++thread)
      if (active[thread])
        list.push_back({{}, thread});
    SmallVector<bool> isKnown;
    for (unsigned i = 0; i < residues.size(); ++i) {
      Residue residue = getResidue(i);
      std::optional<Numbers> known = numbers.get(residue.number, state, memo);
      isKnown.push_back(known.has_value());
      for (auto &[key, thread] : list) {
        int64_t number = known ? StateNumbers::getNumber(*known, thread) : 0;
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
    isLimited |= joins.size() >= kMaxJoins;
    if (joins.size() >= kMaxJoins)
      return {};
    return joins[{left, right}] = join(*tables[left], *tables[right]);
  }
  auto key =
      std::make_tuple(first, firstState, second, secondState, carryingLoop);
  auto it = residues.find(key);
  if (it != residues.end())
    return it->second;
  isLimited |= residues.size() >= kMaxJoins;
  if (residues.size() >= kMaxJoins)
    return {};
  Meeting meeting =
      compareResidues(first, firstState, second, secondState, carryingLoop);
  if (meeting.insideSubgroup || meeting.acrossSubgroups)
    meeting.restrictTo(
        joinPartners(first, firstState, second, secondState, carryingLoop));
  return residues[key] = meeting;
}
