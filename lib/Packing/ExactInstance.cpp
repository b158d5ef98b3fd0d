//===- ExactInstance.cpp - a problem as the exact solver sees it ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactInstance.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

/// Cliques that are looked at, and kept, besides the sections.
static constexpr unsigned kMaxCliqueSteps = 5000;
static constexpr unsigned kMaxCliques = 256;

/// Members of all sections together. With more, who meets whom takes more
/// memory and time than a search would.
static constexpr uint64_t kMaxMembers = uint64_t(1) << 22;

ExactInstance::ExactInstance(const Problem &problem,
                             llvm::ArrayRef<unsigned> buffers, bool isSearched,
                             llvm::function_ref<bool()> isOver) {
  Problem part;
  for (unsigned i : buffers)
    part.buffers.push_back(problem.buffers[i]);

  unit = part.buffers.empty() ? 1 : part.buffers.front().alignment;
  for (const Buffer &buffer : part.buffers)
    unit = std::gcd(unit, buffer.alignment);

  items.resize(buffers.size());
  for (unsigned i = 0; i < items.size(); ++i) {
    const Buffer &buffer = part.buffers[i];
    items[i].buffer = buffers[i];
    items[i].bytes = buffer.bytes;
    items[i].alignmentBytes = buffer.alignment;
    items[i].alignment = buffer.alignment / unit;
  }
  isSearchable = isSearched && build(Sections(part), isOver);
  if (isSearchable)
    return;
  members.clear();
  for (Item &item : items)
    item.neighbours.clear();
}

/// All that takes more than linear time; false when there is none left.
bool ExactInstance::build(const Sections &sections,
                          llvm::function_ref<bool()> isOver) {
  uint64_t numMembers = 0;
  for (llvm::ArrayRef<Span> spans : sections.spans)
    for (Span span : spans)
      numMembers += span.end - span.begin;
  if (numMembers > kMaxMembers)
    return false;
  members.resize(sections.size());
  bool hasGaps = false;
  for (unsigned i = 0; i < items.size() && !isOver(); ++i) {
    hasGaps |= sections.spans[i].size() > 1;
    for (Span span : sections.spans[i]) {
      items[i].duration +=
          double(sections.times[span.end]) - double(sections.times[span.begin]);
      for (unsigned section = span.begin; section < span.end; ++section)
        members[section].push_back(i);
    }
  }
  if (isOver())
    return false;
  findNeighbours(sections, isOver);
  roundSizes();
  if (isOver())
    return false;
  dropSmallSections();
  setSpans();
  if (hasGaps && !isOver()) {
    addCliques(isOver);
    setSpans();
  }
  return !isOver();
}

/// In the order of the first section that both are in.
void ExactInstance::findNeighbours(const Sections &sections,
                                   llvm::function_ref<bool()> isOver) {
  std::vector<llvm::SmallVector<unsigned, 0>> beginners(members.size());
  for (unsigned i = 0; i < items.size(); ++i)
    for (Span span : sections.spans[i])
      beginners[span.begin].push_back(i);
  // Two with one interval each meet once.
  llvm::DenseSet<std::pair<unsigned, unsigned>> known;
  auto isNew = [&](unsigned i, unsigned other) {
    return (sections.spans[i].size() == 1 &&
            sections.spans[other].size() == 1) ||
           known.insert({i, other}).second;
  };
  for (auto [all, begins] : llvm::zip(members, beginners)) {
    if (isOver())
      return;
    for (unsigned i : all)
      for (unsigned other : llvm::is_contained(begins, i) ? all : begins)
        if (other != i && isNew(i, other))
          items[i].neighbours.push_back(other);
  }
}

/// Two offsets differ by a multiple of the gcd of the alignments, so a size may
/// be rounded up to it; all neighbours must agree.
void ExactInstance::roundSizes() {
  for (Item &item : items) {
    int64_t size = alignUp(item.bytes, item.alignmentBytes);
    int64_t lastAlignment = item.alignmentBytes;
    for (unsigned other : item.neighbours) {
      int64_t alignment = items[other].alignmentBytes;
      if (alignment == lastAlignment)
        continue;
      lastAlignment = alignment;
      size = std::min(
          size, alignUp(item.bytes, std::gcd(item.alignmentBytes, alignment)));
    }
    item.size = size / unit;
  }
}

void ExactInstance::dropSmallSections() {
  auto isWithin = [&](unsigned small, unsigned large) {
    return std::includes(members[large].begin(), members[large].end(),
                         members[small].begin(), members[small].end());
  };
  unsigned kept = 0;
  for (unsigned section = 0; section < members.size(); ++section) {
    if (section + 1 < members.size() && isWithin(section, section + 1))
      continue;
    if (kept && isWithin(section, kept - 1))
      continue;
    if (kept != section)
      members[kept] = std::move(members[section]);
    ++kept;
  }
  members.resize(kept);
}

void ExactInstance::setSpans() {
  for (Item &item : items) {
    item.spans.clear();
    item.slots.clear();
  }
  for (unsigned section = 0; section < members.size(); ++section)
    for (auto [slot, i] : llvm::enumerate(members[section])) {
      Item &item = items[i];
      if (!item.spans.empty() && item.spans.back().end == section)
        ++item.spans.back().end;
      else
        item.spans.push_back({section, section + 1});
      item.slots.push_back(slot);
    }
}

namespace {
/// Lists the maximal cliques of the items (Bron and Kerbosch, CACM 1973, with
/// Tomita's pivots).
class Cliques {
public:
  Cliques(const ExactInstance &instance, llvm::function_ref<bool()> isOver)
      : isOver(isOver) {
    unsigned numItems = instance.items.size();
    adjacent.assign(numItems, llvm::BitVector(numItems));
    for (unsigned i = 0; i < numItems; ++i)
      for (unsigned other : instance.items[i].neighbours)
        adjacent[i].set(other);
    extend(llvm::BitVector(numItems, true), llvm::BitVector(numItems));
  }

  std::vector<llvm::SmallVector<unsigned, 0>> found;

private:
  void extend(llvm::BitVector candidates, llvm::BitVector excluded) {
    if (candidates.none() && excluded.none()) {
      found.push_back(clique);
      llvm::sort(found.back());
      return;
    }
    if (stepsLeft == 0 || isOver())
      return;
    --stepsLeft;
    unsigned pivot = 0, most = 0;
    for (const llvm::BitVector *set : {&candidates, &excluded})
      for (unsigned i : set->set_bits()) {
        llvm::BitVector common = adjacent[i];
        common &= candidates;
        unsigned count = common.count() + 1;
        if (count > most) {
          most = count;
          pivot = i;
        }
      }
    llvm::BitVector branches = candidates;
    branches.reset(adjacent[pivot]);
    for (unsigned i : branches.set_bits()) {
      llvm::BitVector nextCandidates = candidates, nextExcluded = excluded;
      nextCandidates &= adjacent[i];
      nextExcluded &= adjacent[i];
      clique.push_back(i);
      extend(std::move(nextCandidates), std::move(nextExcluded));
      clique.pop_back();
      candidates.reset(i);
      excluded.set(i);
    }
  }

  llvm::function_ref<bool()> isOver;
  std::vector<llvm::BitVector> adjacent;
  llvm::SmallVector<unsigned, 0> clique;
  unsigned stepsLeft = kMaxCliqueSteps;
};
} // namespace

/// Items with several intervals may meet pairwise and never all at once. They
/// still lie one above the other.
void ExactInstance::addCliques(llvm::function_ref<bool()> isOver) {
  if (items.size() > kMaxCliqueSteps)
    return;
  std::vector<llvm::SmallVector<unsigned, 0>> cliques =
      std::move(Cliques(*this, isOver).found);
  llvm::erase_if(cliques, [&](const auto &clique) {
    return llvm::is_contained(members, clique);
  });
  auto getSize = [&](llvm::ArrayRef<unsigned> clique) {
    int64_t size = 0;
    for (unsigned i : clique)
      size += items[i].size;
    return size;
  };
  llvm::stable_sort(cliques, [&](const auto &a, const auto &b) {
    return getSize(a) > getSize(b);
  });
  if (cliques.size() > kMaxCliques)
    cliques.resize(kMaxCliques);

  // Hulls that meet pairwise have a point in common (Helly).
  std::vector<std::vector<llvm::SmallVector<unsigned, 0>>> at(members.size());
  for (auto &clique : cliques) {
    unsigned begin = 0;
    for (unsigned i : clique)
      begin = std::max(begin, items[i].getHull().begin);
    at[begin].push_back(std::move(clique));
  }
  std::vector<llvm::SmallVector<unsigned, 0>> all;
  for (unsigned section = 0; section < members.size(); ++section) {
    all.push_back(std::move(members[section]));
    for (auto &clique : at[section])
      all.push_back(std::move(clique));
  }
  members = std::move(all);
}

int64_t ExactInstance::getLowerBound() const {
  int64_t bound = 0;
  for (llvm::ArrayRef<unsigned> section : members) {
    int64_t total = 0, mostRounded = 0;
    for (unsigned i : section) {
      int64_t rounded = items[i].size * unit;
      total += rounded;
      mostRounded = std::max(mostRounded, rounded - items[i].bytes);
    }
    bound = std::max(bound, total - mostRounded);
  }
  return bound;
}

int64_t ExactInstance::getNextHeight(int64_t height) const {
  int64_t next = std::numeric_limits<int64_t>::max();
  for (const Item &item : items)
    next = std::min(next, item.bytes +
                              alignUp(std::max<int64_t>(height - item.bytes, 0),
                                      item.alignmentBytes));
  return next;
}

std::vector<llvm::SmallVector<unsigned>>
packing::getIndependentGroups(const Problem &problem) {
  Sections sections(problem);
  // Sweeps through time; what is live together is one group. The live buffer
  // with the last end stands for all.
  std::vector<std::pair<Span, unsigned>> spans;
  for (unsigned i = 0; i < sections.spans.size(); ++i)
    for (Span span : sections.spans[i])
      spans.push_back({span, i});
  llvm::sort(spans, [](const auto &a, const auto &b) {
    return std::make_pair(a.first.begin, a.second) <
           std::make_pair(b.first.begin, b.second);
  });
  llvm::IntEqClasses classes(problem.buffers.size());
  std::pair<Span, unsigned> last;
  for (const auto &entry : spans) {
    if (last.first.end > entry.first.begin)
      classes.join(last.second, entry.second);
    if (entry.first.end > last.first.end)
      last = entry;
  }
  classes.compress();

  std::vector<llvm::SmallVector<unsigned>> groups(classes.getNumClasses());
  for (unsigned i = 0; i < sections.spans.size(); ++i)
    if (!sections.spans[i].empty())
      groups[classes[i]].push_back(i);
  llvm::erase_if(groups, [](const auto &group) { return group.empty(); });
  return groups;
}
