//===- PlacementThreadPairs.cpp - hazards by trying every thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementThreadPairs.h"
#include "Hazards/AccessPairs.h"
#include "Threads/OneThreadEvaluator.h"
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

std::optional<PlacementThreadPairs::Table>
PlacementThreadPairs::enumerate(ArrayRef<IndexRange> ranges,
                                ArrayRef<int64_t> constants) const {
  Table table;
  const KernelContext &context = hazards.getContext();
  const LaunchShape &shape = context.getShape();
  for (int64_t thread = 0; thread < shape.getThreads(); ++thread) {
    OverlapWitness::Side side;
    side.thread = {thread % shape.block[0],
                   thread / shape.block[0] % shape.block[1],
                   thread / (shape.block[0] * shape.block[1])};
    OneThreadEvaluator evaluator(context, side,
                                 OneThreadEvaluator::Facts::ThreadIds);
    // The product of the dimensions.
    std::vector<Touch> mine(1);
    for (auto [range, constant] : llvm::zip_equal(ranges, constants)) {
      std::optional<std::set<int64_t>> indices = evaluator.enumerate(range);
      if (!indices || mine.size() * indices->size() > kMaxElements)
        return std::nullopt;
      std::vector<Touch> longer;
      for (const Touch &touch : mine)
        for (int64_t index : *indices) {
          if (llvm::SubOverflow(index, constant, index))
            return std::nullopt;
          longer.push_back(touch);
          longer.back().first.push_back(index);
        }
      mine = std::move(longer);
    }
    for (Touch &touch : mine) {
      touch.second = thread;
      table.push_back(std::move(touch));
    }
  }
  llvm::sort(table);
  return table;
}

const PlacementThreadPairs::Table *
PlacementThreadPairs::getTable(unsigned access, ArrayRef<IndexRange> ranges,
                               bool areBytes) {
  auto [it, isNew] =
      tables.try_emplace({hazards.getPlaces(access), areBytes}, std::nullopt);
  if (isNew && numTouches < kMaxTouches) {
    it->second = enumerate(ranges, getConstants(access, areBytes));
    if (it->second)
      numTouches += it->second->size();
  }
  return it->second ? &*it->second : nullptr;
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

/// Which threads touch a place of `first` that, moved by `distance`, is one of
/// `second`. To move all places keeps their order, so that one pass over both
/// tables finds what they have in common.
Hazard PlacementThreadPairs::compute(const Table &first, const Table &second,
                                     ArrayRef<int64_t> distance) const {
  std::optional<int64_t> size = hazards.getContext().getSubgroupSize();
  Hazard overlap;
  auto begin = second.begin();
  for (const Touch &touch : first) {
    std::optional<Place> place = movePlace(touch.first, distance);
    if (!place)
      return Hazard{true, true};
    while (begin != second.end() && begin->first < *place)
      ++begin;
    for (auto it = begin; it != second.end() && it->first == *place; ++it) {
      if (it->second == touch.second)
        continue;
      // Without a subgroup size they may be in one subgroup or in two.
      bool isInside = !size || it->second / *size == touch.second / *size;
      overlap.acrossSubgroups |= !size || !isInside;
      overlap.insideSubgroup |= isInside;
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
      {hazards.getPlaces(first), hazards.getPlaces(second)}, areBytes, {}};
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
