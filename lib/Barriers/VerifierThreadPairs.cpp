//===- VerifierThreadPairs.cpp - who touches which place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierThreadPairs.h"
#include "Hazards/AccessPairs.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// None when the number depends on more than the thread's ids: on the
/// iteration, on the workgroup, on an argument or on data.
std::optional<int64_t> VerifierThreadPairs::evaluate(const LinearExpr &expr,
                                                     int64_t thread) {
  return expr.evaluate([&](Value value) -> std::optional<int64_t> {
    const ThreadNumbers *numbers = values.get(value, /*sample=*/0);
    if (!numbers || numbers->assumed || numbers->varies)
      return std::nullopt;
    return numbers->get(thread);
  });
}

/// The indices of one dimension, without repetitions.
std::optional<SmallVector<int64_t>>
VerifierThreadPairs::getIndices(const IndexRange &range, int64_t thread) {
  std::optional<int64_t> offset = evaluate(range.offset, thread);
  if (!offset || !range.size)
    return std::nullopt;
  SmallVector<int64_t> indices{*offset};
  SmallVector<std::pair<LinearExpr, int64_t>> extents{
      {*range.size, range.stride}};
  llvm::append_range(extents, range.extents);
  for (const auto &[size, stride] : extents) {
    std::optional<int64_t> count = evaluate(size, thread);
    if (!count || *count < 0 ||
        *count > int64_t(kMaxPlacesOfThread / indices.size()))
      return std::nullopt;
    SmallVector<int64_t> more;
    for (int64_t index : indices)
      for (int64_t k = 0; k < *count; ++k) {
        int64_t step, sum;
        if (llvm::MulOverflow(k, stride, step) ||
            llvm::AddOverflow(index, step, sum))
          return std::nullopt;
        more.push_back(sum);
      }
    llvm::sort(more);
    more.erase(llvm::unique(more), more.end());
    indices = std::move(more);
    if (indices.empty())
      return indices;
  }
  return indices;
}

bool VerifierThreadPairs::addPlaces(Table &table, ArrayRef<IndexRange> ranges,
                                    ArrayRef<int64_t> origin, int64_t thread) {
  std::vector<Place> places(1);
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    std::optional<SmallVector<int64_t>> indices =
        getIndices(ranges[dim], thread);
    if (!indices || places.size() * indices->size() > kMaxPlacesOfThread)
      return false;
    std::vector<Place> longer;
    for (const Place &place : places)
      for (int64_t index : *indices) {
        int64_t relative;
        if (llvm::SubOverflow(index, origin[dim], relative))
          return false;
        longer.push_back(place);
        longer.back().push_back(relative);
      }
    places = std::move(longer);
  }
  numPlaces += places.size();
  for (Place &place : places)
    table[std::move(place)].push_back(thread);
  return numPlaces <= kMaxPlaces;
}

std::unique_ptr<VerifierThreadPairs::Table>
VerifierThreadPairs::computeTable(ArrayRef<IndexRange> ranges,
                                  ArrayRef<int64_t> origin) {
  auto table = std::make_unique<Table>();
  for (int64_t thread = 0; thread < context.getThreads(); ++thread)
    if (!addPlaces(*table, ranges, origin, thread))
      return nullptr;
  return table;
}

/// The constants of an access behind which its places lie as those of its class
/// do: of its elements, or the last one, of its bytes.
static ArrayRef<int64_t> getOrigin(const HazardAnalysis &analysis,
                                   unsigned access, bool areBytes) {
  ArrayRef<int64_t> constants = analysis.getClassConstants(access);
  bool endsWithBytes = analysis.getAccesses()[access].byteRange.has_value();
  return areBytes ? constants.take_back() : constants.drop_back(endsWithBytes);
}

const VerifierThreadPairs::Table *
VerifierThreadPairs::getTable(unsigned access, const ElementAccess &places,
                              bool areBytes) {
  if (!places.ranges || analysis.getAccesses()[access].collective ||
      context.getThreads() > kMaxThreads || numPlaces > kMaxPlaces)
    return nullptr;
  auto [it, isNew] =
      tables.try_emplace({analysis.getIndices(access), areBytes});
  if (isNew)
    it->second =
        computeTable(*places.ranges, getOrigin(analysis, access, areBytes));
  return it->second.get();
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

/// Adds which threads at one place are two: of two subgroups, or of one. Both
/// lists ascend, and so do the subgroups of their threads.
static void addPairs(ArrayRef<int64_t> first, ArrayRef<int64_t> second,
                     std::optional<int64_t> subgroupSize, Hazard &overlap) {
  SmallVector<int64_t> all;
  std::merge(first.begin(), first.end(), second.begin(), second.end(),
             std::back_inserter(all));
  if (all.front() == all.back())
    return;
  // Without a subgroup size they may be in one or in two.
  if (!subgroupSize) {
    overlap.insideSubgroup = overlap.acrossSubgroups = true;
    return;
  }
  auto getSubgroup = [&](int64_t thread) { return thread / *subgroupSize; };
  if (getSubgroup(all.front()) != getSubgroup(all.back()))
    overlap.acrossSubgroups = true;
  for (size_t i = 0, j = 0; i < first.size() && j < second.size();) {
    int64_t a = getSubgroup(first[i]), b = getSubgroup(second[j]);
    if (a == b && first[i] != second[j]) {
      overlap.insideSubgroup = true;
      return;
    }
    // Equal threads: any other one of the subgroup on either side is another.
    if (a == b &&
        ((i + 1 < first.size() && getSubgroup(first[i + 1]) == a) ||
         (j + 1 < second.size() && getSubgroup(second[j + 1]) == b))) {
      overlap.insideSubgroup = true;
      return;
    }
    i += a <= b;
    j += b <= a;
  }
}

/// The threads at places of `first` and those at the same place, which `second`
/// has `shift` farther.
Hazard VerifierThreadPairs::meet(const Table &first, const Table &second,
                                 ArrayRef<int64_t> shift) const {
  Hazard overlap;
  for (const auto &[place, threads] : first) {
    Place shifted = place;
    for (unsigned dim = 0; dim < shifted.size(); ++dim)
      if (llvm::AddOverflow(shifted[dim], shift[dim], shifted[dim]))
        return Hazard{true, true};
    auto it = second.find(shifted);
    if (it != second.end())
      addPairs(threads, it->second, context.getSubgroupSize(), overlap);
    if (overlap.insideSubgroup && overlap.acrossSubgroups)
      break;
  }
  return overlap;
}

Hazard VerifierThreadPairs::getOverlap(unsigned first, unsigned second) {
  const Hazard all{/*acrossSubgroups=*/true, /*insideSubgroup=*/true};
  auto [left, right, areBytes] = getComparable(analysis.getAccesses()[first],
                                               analysis.getAccesses()[second]);
  const Table *mine = getTable(first, left, areBytes);
  const Table *others = mine ? getTable(second, right, areBytes) : nullptr;
  if (!others)
    return all;
  ArrayRef<int64_t> from = getOrigin(analysis, first, areBytes);
  ArrayRef<int64_t> to = getOrigin(analysis, second, areBytes);
  Place shift(from.size());
  for (unsigned dim = 0; dim < shift.size(); ++dim)
    if (llvm::SubOverflow(from[dim], to[dim], shift[dim]))
      return all;
  auto [it, isNew] =
      overlaps.try_emplace({analysis.getIndices(first),
                            analysis.getIndices(second), areBytes, shift},
                           Hazard());
  if (isNew)
    it->second = meet(*mine, *others, shift);
  return it->second;
}
