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

SectionStack::SectionStack(const ExactInstance &instance, unsigned section,
                           llvm::ArrayRef<int64_t> maxOffsets) {
  llvm::ArrayRef<unsigned> items = instance.members[section];
  if (items.size() > kMaxMembers)
    return;
  for (unsigned i : items) {
    const ExactInstance::Item &item = instance.items[i];
    members.push_back({item.size, item.alignment, maxOffsets[i]});
    useful |= item.alignment > 1;
    if (item.alignment > kMaxPeriod)
      period = kMaxPeriod + 1;
    if (period <= kMaxPeriod)
      period = std::lcm(period, item.alignment);
  }
  useful &= period <= kMaxPeriod;
}

bool SectionStack::fits(uint64_t mask, int64_t floor) {
  stepsLeft = kMaxSteps;
  if (known.size() > kMaxKnown)
    known.clear();
  return search(mask, floor);
}

bool SectionStack::search(uint64_t mask, int64_t offset) {
  if (!mask)
    return true;
  if (stepsLeft == 0)
    return true;
  --stepsLeft;
  uint64_t key = mask * kMaxPeriod + offset % period;
  {
    const Known &entry = known[key];
    if (offset <= entry.fitsAt)
      return true;
    if (offset >= entry.failsAt)
      return false;
  }

  // A necessary condition: without holes, with the best item on top.
  int64_t total = 0, limit = 0;
  for (uint64_t rest = mask; rest; rest &= rest - 1) {
    const Member &member = members[llvm::countr_zero(rest)];
    total += member.size;
    limit = std::max(limit, member.maxOffset + member.size);
  }
  bool fits = false;
  if (offset + total <= limit) {
    // Smallest hole first; then what asks for most.
    llvm::SmallVector<std::pair<std::pair<int64_t, int64_t>, unsigned>, 32>
        order;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
      unsigned m = llvm::countr_zero(rest);
      const Member &member = members[m];
      int64_t start = alignUp(offset, member.alignment);
      if (start <= member.maxOffset && start + total <= limit)
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
