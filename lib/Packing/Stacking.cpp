//===- Stacking.cpp - one section alone, with alignment holes -------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stacking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <numeric>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

/// A mask and a remainder are one word.
static constexpr unsigned kMaxMembers = 48;
static constexpr int64_t kMaxPeriod = 1 << 12;
/// Steps of one question.
static constexpr unsigned kMaxSteps = 1000;
/// Answers kept.
static constexpr unsigned kMaxKnown = 1 << 15;

/// With longer periods there is no bound by potentials.
static constexpr int64_t kMaxPotentialPeriod = 8;
/// Potentials of one section.
static constexpr unsigned kMaxPotentials = 4;

/// The most that an item adds to `potential`.
static int64_t getGain(const Potential &potential, int64_t size,
                       int64_t alignment) {
  int64_t period = potential.size();
  int64_t gain = std::numeric_limits<int64_t>::min();
  for (int64_t start = 0; start < period; start += alignment)
    gain =
        std::max(gain, potential[(start + size) % period] - potential[start]);
  return gain;
}

/// The least potential where an item can begin.
static int64_t getLeastStart(const Potential &potential, int64_t alignment) {
  int64_t least = potential[0];
  for (int64_t start = 0; start < int64_t(potential.size()); start += alignment)
    least = std::min(least, potential[start]);
  return least;
}

namespace {
/// All potentials of one period that are looked at, and what they give.
struct PotentialTable {
  explicit PotentialTable(int64_t period) : period(period) {
    // Each set of remainders gives one: minus the way up to the next of them.
    for (unsigned set = 1; set < (1u << period); ++set) {
      Potential potential(period, 0);
      int64_t distance = 0;
      for (int64_t r = 2 * period - 1; r >= 0; --r) {
        distance = set >> (r % period) & 1 ? 0 : distance - 1;
        potential[r % period] = distance;
      }
      for (int64_t alignment = 1; alignment <= period; ++alignment)
        for (int64_t size = 0; size < period; ++size)
          gains.push_back(
              period % alignment ? 0 : getGain(potential, size, alignment));
      potentials.push_back(std::move(potential));
    }
  }

  /// The gains of an item, by potential, are this far apart.
  int64_t getStride() const { return period * period; }
  const int64_t *getGains(int64_t alignment, int64_t size) const {
    return gains.data() + (alignment - 1) * period + size % period;
  }

  int64_t period;
  std::vector<Potential> potentials;
  std::vector<int64_t> gains;
};
} // namespace

static const PotentialTable &getTable(int64_t period) {
  static const std::vector<PotentialTable> tables = [] {
    std::vector<PotentialTable> all;
    for (int64_t period = 1; period <= kMaxPotentialPeriod; ++period)
      all.emplace_back(period);
    return all;
  }();
  return tables[period - 1];
}

Potentials::Potentials(const ExactInstance &instance) {
  best.resize(instance.members.size());
  for (const ExactInstance::Item &item : instance.items)
    if (period && item.alignment <= kMaxPeriod)
      period = std::lcm(period, item.alignment) <= kMaxPeriod
                   ? std::lcm(period, item.alignment)
                   : 0;
    else
      period = 0;
  if (period < 2 || period > kMaxPotentialPeriod)
    return;

  std::vector<int64_t> totals;
  for (llvm::ArrayRef<unsigned> section : instance.members) {
    totals.push_back(0);
    for (unsigned i : section)
      totals.back() += instance.items[i].size;
  }
  int64_t most = *llvm::max_element(totals);
  const PotentialTable &table = getTable(period);
  std::vector<int64_t> sums, lasts;
  std::vector<std::pair<int64_t, unsigned>> bounds;
  for (size_t section = 0; section < best.size(); ++section) {
    // Holes do not matter where there is much room.
    if (totals[section] < most - most / 4)
      continue;
    sums.assign(table.potentials.size(), 0);
    lasts.assign(table.potentials.size(), std::numeric_limits<int64_t>::max());
    for (unsigned i : instance.members[section]) {
      const ExactInstance::Item &item = instance.items[i];
      const int64_t *gain = table.getGains(item.alignment, item.size);
      for (size_t p = 0; p < sums.size(); ++p, gain += table.getStride()) {
        sums[p] += *gain;
        lasts[p] = std::min(lasts[p], *gain);
      }
    }
    bounds.clear();
    for (size_t p = 0; p < sums.size(); ++p)
      bounds.push_back(
          {sums[p] - lasts[p] + table.potentials[p].front(), unsigned(p)});
    size_t count = std::min<size_t>(bounds.size(), kMaxPotentials);
    std::partial_sort(bounds.begin(), bounds.begin() + count, bounds.end());
    for (size_t k = 0; k < count; ++k)
      best[section].push_back(table.potentials[bounds[k].second]);
  }
}

SectionStack::SectionStack(const ExactInstance &instance, unsigned section,
                           llvm::ArrayRef<int64_t> maxOffsets,
                           const Potentials &potentials)
    : potentials(potentials.best[section]), period(potentials.period) {
  llvm::ArrayRef<unsigned> items = instance.members[section];
  if (items.size() > kMaxMembers || period < 2)
    return;
  for (unsigned i : items) {
    const ExactInstance::Item &item = instance.items[i];
    members.push_back({item.size, item.alignment, maxOffsets[i], {}, {}});
    useful |= item.alignment > 1;
    for (const Potential &potential : this->potentials) {
      members.back().gains.push_back(
          getGain(potential, item.size, item.alignment));
      members.back().starts.push_back(getLeastStart(potential, item.alignment));
    }
  }
}

/// A necessary condition: for some item on top, the holes that each potential
/// asks for leave enough room.
bool SectionStack::mayFit(uint64_t mask, int64_t offset, int64_t total) const {
  llvm::SmallVector<int64_t, 4> holes(potentials.size(), 0);
  for (uint64_t rest = mask; rest; rest &= rest - 1) {
    const Member &member = members[llvm::countr_zero(rest)];
    for (size_t p = 0; p < holes.size(); ++p)
      holes[p] -= member.gains[p];
  }
  for (size_t p = 0; p < holes.size(); ++p)
    holes[p] -= potentials[p][offset % period];
  for (uint64_t rest = mask; rest; rest &= rest - 1) {
    const Member &top = members[llvm::countr_zero(rest)];
    int64_t room = top.maxOffset + top.size - offset - total;
    bool fits = room >= 0;
    for (size_t p = 0; p < holes.size() && fits; ++p)
      fits = holes[p] + top.gains[p] + top.starts[p] <= room;
    if (fits)
      return true;
  }
  return false;
}

/// False when no walk over the remainders stacks the items, whichever is on
/// top.
bool SectionStack::mayFitWalk(uint64_t mask, int64_t offset,
                              unsigned maxSteps) {
  walkSteps = 0;
  // Items that are alike on top are one case.
  llvm::SmallVector<std::pair<std::array<int64_t, 3>, unsigned>, 32> tops;
  for (uint64_t rest = mask; rest; rest &= rest - 1) {
    unsigned m = llvm::countr_zero(rest);
    const Member &member = members[m];
    tops.push_back({{-(member.maxOffset + member.size), member.size % period,
                     member.alignment},
                    m});
  }
  llvm::sort(tops);
  RemainderWalk walk(period);
  llvm::SmallVector<RemainderWalk::Piece, 32> pieces;
  for (size_t k = 0; k < tops.size(); ++k) {
    if (k && tops[k].first == tops[k - 1].first)
      continue;
    pieces.clear();
    for (uint64_t rest = mask; rest; rest &= rest - 1)
      if (unsigned m = llvm::countr_zero(rest); m != tops[k].second)
        pieces.push_back({members[m].size, members[m].alignment});
    RemainderWalk::Result result =
        walk.find(pieces, offset, members[tops[k].second].maxOffset,
                  maxSteps - std::min(maxSteps, walkSteps));
    walkSteps += walk.getSteps();
    if (result != RemainderWalk::Result::None)
      return true;
  }
  return false;
}

bool SectionStack::fits(uint64_t mask, int64_t floor, unsigned maxWalkSteps) {
  steps = 0;
  if (known.size() > kMaxKnown)
    known.clear();
  if (!mask)
    return true;
  uint64_t key = mask * kMaxPeriod + floor % period;
  Known entry = known.lookup(key);
  if (floor <= entry.fitsAt)
    return true;
  if (floor >= entry.failsAt)
    return false;
  walkSteps = 0;
  if (period <= RemainderWalk::kMaxPeriod) {
    bool mayFit = mayFitWalk(mask, floor, maxWalkSteps);
    steps += walkSteps;
    if (!mayFit) {
      known[key].failsAt = floor;
      return false;
    }
  }
  return search(mask, floor);
}

bool SectionStack::search(uint64_t mask, int64_t offset) {
  if (!mask)
    return true;
  if (steps >= kMaxSteps + walkSteps)
    return true;
  ++steps;
  uint64_t key = mask * kMaxPeriod + offset % period;
  {
    const Known &entry = known[key];
    if (offset <= entry.fitsAt)
      return true;
    if (offset >= entry.failsAt)
      return false;
  }

  int64_t total = 0;
  for (uint64_t rest = mask; rest; rest &= rest - 1)
    total += members[llvm::countr_zero(rest)].size;
  bool fits = false;
  if (mayFit(mask, offset, total)) {
    // Smallest hole first; then what asks for most.
    llvm::SmallVector<std::pair<std::pair<int64_t, int64_t>, unsigned>, 32>
        order;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
      unsigned m = llvm::countr_zero(rest);
      const Member &member = members[m];
      int64_t start = alignUp(offset, member.alignment);
      if (start <= member.maxOffset)
        order.push_back({{start, -member.alignment}, m});
    }
    llvm::sort(order);
    for (size_t k = 0; k < order.size() && !fits; ++k) {
      const Member &member = members[order[k].second];
      // The same as one that was tried.
      bool tried = false;
      for (size_t j = 0; j < k && !tried; ++j) {
        const Member &other = members[order[j].second];
        tried = other.size == member.size &&
                other.alignment == member.alignment &&
                other.maxOffset == member.maxOffset;
      }
      if (!tried)
        fits = search(mask & ~(uint64_t(1) << order[k].second),
                      order[k].first.first + member.size);
    }
  }
  Known &entry = known[key];
  if (fits)
    entry.fitsAt = std::max(entry.fitsAt, offset);
  else
    entry.failsAt = std::min(entry.failsAt, offset);
  return fits;
}
