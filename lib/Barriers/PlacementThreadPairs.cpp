//===- PlacementThreadPairs.cpp - hazards by trying every thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementThreadPairs.h"
#include "Hazards/AccessPairs.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// The constants of the class that belong to the places: the elements come
/// first, the bytes last.
ArrayRef<int64_t> PlacementThreadPairs::getConstants(unsigned access,
                                                     bool areBytes) const {
  ArrayRef<int64_t> all = hazards.getClassConstants(access);
  if (areBytes)
    return all.take_back(1);
  return all.take_front(hazards.getAccesses()[access].elements->size());
}

/// The numbers that decide which places of `ranges` a thread touches.
static std::optional<SmallVector<int64_t>>
getNumbers(ArrayRef<IndexRange> ranges, OneThreadEvaluator &evaluator) {
  SmallVector<int64_t> numbers;
  auto add = [&](const LinearExpr &expr) {
    std::optional<int64_t> number = evaluator.evaluate(expr);
    numbers.push_back(number.value_or(0));
    return number.has_value();
  };
  for (const IndexRange &range : ranges)
    if (!range.size || !add(range.offset) || !add(*range.size) ||
        !llvm::all_of(range.extents,
                      [&](const auto &extent) { return add(extent.first); }))
      return std::nullopt;
  return numbers;
}

/// The places of one thread, the product of the dimensions, without
/// `constants`; none where they are more than `limit`.
static std::optional<std::vector<SmallVector<int64_t, 2>>>
getPlaces(ArrayRef<IndexRange> ranges, ArrayRef<int64_t> constants,
          OneThreadEvaluator &evaluator, size_t limit) {
  std::vector<SmallVector<int64_t, 2>> places(1);
  for (auto [range, constant] : llvm::zip_equal(ranges, constants)) {
    std::optional<SmallVector<int64_t>> indices = evaluator.enumerate(range);
    if (!indices || places.size() * indices->size() > limit)
      return std::nullopt;
    std::vector<SmallVector<int64_t, 2>> longer;
    longer.reserve(places.size() * indices->size());
    for (const SmallVector<int64_t, 2> &place : places)
      for (int64_t index : *indices) {
        if (llvm::SubOverflow(index, constant, index))
          return std::nullopt;
        longer.push_back(place);
        longer.back().push_back(index);
      }
    places = std::move(longer);
  }
  return places;
}

/// Adds a thread that comes behind all of `crowd`.
void PlacementThreadPairs::addThread(int64_t thread, Crowd &crowd) const {
  int64_t subgroup =
      thread / hazards.getContext().getSubgroupSize().value_or(kMaxThreads);
  if (crowd.empty() || crowd.back().subgroup != subgroup)
    crowd.push_back({subgroup, thread, thread});
  crowd.back().last = thread;
}

/// Sorts by place, then by crowd: by one number for both, which is compared and
/// moved in a fraction of the time, where there is one.
void PlacementThreadPairs::sortTouches(Table &table) {
  std::vector<Touch> &touches = table.touches;
  if (touches.empty())
    return;
  size_t rank = touches.front().first.size();
  SmallVector<int64_t, 2> least(touches.front().first), greatest(least);
  for (const auto &[place, crowd] : touches)
    for (size_t dim = 0; dim < rank; ++dim) {
      least[dim] = std::min(least[dim], place[dim]);
      greatest[dim] = std::max(greatest[dim], place[dim]);
    }
  // Of each dimension, then of crowds.
  SmallVector<uint64_t, 3> counts;
  bool overflows = false;
  uint64_t all = table.crowds.size();
  for (auto [low, high] : llvm::zip_equal(least, greatest)) {
    counts.push_back(uint64_t(high) - uint64_t(low) + 1);
    overflows |= counts.back() == 0 || all > UINT64_MAX / counts.back();
    all *= counts.back();
  }
  if (overflows)
    return llvm::sort(touches);
  std::vector<std::pair<uint64_t, unsigned>> keys;
  keys.reserve(touches.size());
  for (const auto &[place, crowd] : touches) {
    uint64_t key = 0;
    for (size_t dim = 0; dim < rank; ++dim)
      key = key * counts[dim] + (uint64_t(place[dim]) - uint64_t(least[dim]));
    keys.emplace_back(key * table.crowds.size() + crowd, keys.size());
  }
  llvm::sort(keys);
  std::vector<Touch> sorted;
  sorted.reserve(touches.size());
  for (auto [key, number] : keys)
    sorted.push_back(std::move(touches[number]));
  touches = std::move(sorted);
}

PlacementThreadPairs::Thread::Thread(const KernelContext &context,
                                     int64_t number)
    : evaluator(context, side, OneThreadEvaluator::Facts::ThreadIds) {
  const LaunchShape &shape = context.getShape();
  side.thread = {number % shape.block[0],
                 number / shape.block[0] % shape.block[1],
                 number / (shape.block[0] * shape.block[1])};
}

std::optional<PlacementThreadPairs::Table>
PlacementThreadPairs::enumerate(ArrayRef<IndexRange> ranges,
                                ArrayRef<int64_t> constants) {
  Table table;
  std::map<SmallVector<int64_t>, unsigned> crowdOf;
  const KernelContext &context = hazards.getContext();
  int64_t count = context.getShape().getThreads();
  threads.resize(count);
  for (int64_t thread = 0; thread < count; ++thread) {
    if (!threads[thread])
      threads[thread] = std::make_unique<Thread>(context, thread);
    OneThreadEvaluator &evaluator = threads[thread]->evaluator;
    std::optional<SmallVector<int64_t>> numbers = getNumbers(ranges, evaluator);
    if (!numbers)
      return std::nullopt;
    auto [it, isNew] =
        crowdOf.try_emplace(std::move(*numbers), table.crowds.size());
    if (isNew) {
      auto places = getPlaces(ranges, constants, evaluator, kMaxElements);
      if (!places)
        return std::nullopt;
      table.crowds.emplace_back();
      for (Place &place : *places)
        table.touches.emplace_back(std::move(place), it->second);
    }
    addThread(thread, table.crowds[it->second]);
  }
  sortTouches(table);
  return table;
}

const PlacementThreadPairs::Table *
PlacementThreadPairs::getTable(unsigned access, ArrayRef<IndexRange> ranges,
                               bool areBytes) {
  KnownTable &table = tables[{hazards.getIndices(access), areBytes}];
  if (!table && numTouches < kMaxTouches) {
    KnownTable own;
    KnownTable &known = shared ? (*shared)[{access, areBytes}] : own;
    if (!known)
      known = std::make_shared<const std::optional<Table>>(
          enumerate(ranges, getConstants(access, areBytes)));
    table = known;
    if (*table)
      numTouches += (*table)->touches.size();
  }
  return table && *table ? &**table : nullptr;
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

/// The place on the other side; none where that is no number.
static std::optional<SmallVector<int64_t, 2>>
movePlace(ArrayRef<int64_t> place, ArrayRef<int64_t> distance) {
  SmallVector<int64_t, 2> moved;
  for (auto [index, by] : llvm::zip_equal(place, distance)) {
    int64_t sum;
    if (llvm::AddOverflow(index, by, sum))
      return std::nullopt;
    moved.push_back(sum);
  }
  return moved;
}

/// Adds which two threads are one of `first` and another one of `second`.
void PlacementThreadPairs::addPairs(const Crowd &first, const Crowd &second,
                                    Hazard &overlap) const {
  // Without a subgroup size any two may be in one subgroup or in two.
  bool isSizeKnown = hazards.getContext().getSubgroupSize().has_value();
  overlap.acrossSubgroups |=
      isSizeKnown && (first.size() > 1 || second.size() > 1 ||
                      first.front().subgroup != second.front().subgroup);
  auto *begin = second.begin();
  for (const Members &mine : first) {
    begin = std::find_if(begin, second.end(), [&](const Members &other) {
      return other.subgroup >= mine.subgroup;
    });
    if (begin == second.end())
      return;
    if (begin->subgroup == mine.subgroup &&
        (mine.first != begin->last || mine.last != begin->first)) {
      overlap.insideSubgroup = true;
      overlap.acrossSubgroups |= !isSizeKnown;
    }
  }
}

/// Which threads touch a place of `first` that, moved by `distance`, is one of
/// `second`. To move all places keeps their order, so that one pass over both
/// tables finds what they have in common.
Hazard PlacementThreadPairs::compute(const Table &first, const Table &second,
                                     ArrayRef<int64_t> distance) const {
  Hazard overlap;
  auto begin = second.touches.begin(), end = second.touches.end();
  for (const auto &[from, crowd] : first.touches) {
    std::optional<Place> place = movePlace(from, distance);
    if (!place)
      return Hazard{true, true};
    while (begin != end && begin->first < *place)
      ++begin;
    for (auto it = begin; it != end && it->first == *place; ++it) {
      addPairs(first.crowds[crowd], second.crowds[it->second], overlap);
      if (overlap.acrossSubgroups && overlap.insideSubgroup)
        return overlap;
    }
  }
  return overlap;
}

void PlacementThreadPairs::refine(Hazard &hazard, unsigned first,
                                  unsigned second) {
  const MemoryAccess &a = hazards.getAccesses()[first];
  const MemoryAccess &b = hazards.getAccesses()[second];
  auto [left, right, areBytes] = getComparable(a, b);
  if (!hazard || !left.ranges || !right.ranges || a.collective ||
      b.collective || hazards.getContext().getThreads() > kMaxThreads)
    return;
  Join join{
      {hazards.getIndices(first), hazards.getIndices(second)}, areBytes, {}};
  for (auto [mine, other] : llvm::zip_equal(getConstants(first, areBytes),
                                            getConstants(second, areBytes))) {
    int64_t distance;
    if (llvm::SubOverflow(mine, other, distance))
      return;
    join.distance.push_back(distance);
  }
  auto it = joins.find(join);
  if (it == joins.end()) {
    if (joins.size() == kMaxJoins)
      return;
    const Table *mine = getTable(first, *left.ranges, areBytes);
    const Table *other =
        mine ? getTable(second, *right.ranges, areBytes) : nullptr;
    Hazard overlap =
        other ? compute(*mine, *other, join.distance) : Hazard{true, true};
    it = joins.try_emplace(std::move(join), overlap).first;
  }
  hazard.acrossSubgroups &= it->second.acrossSubgroups;
  hazard.insideSubgroup &= it->second.insideSubgroup;
}
