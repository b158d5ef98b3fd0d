//===- ExactSearch.cpp - can buffers lie within a capacity? ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers are placed in the order of their offsets, each directly above the
// placed buffers that it meets. A buffer that was tried at its lowest offset,
// and is not placed there, is skipped: something that is not yet placed must
// come below it. The techniques are those of Moffitt, MiniMalloc (ASPLOS 2023).
//
//===----------------------------------------------------------------------===//

#include "ExactSearch.h"
#include "Stacking.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

SearchBudget::SearchBudget(const ExactOptions &options)
    : maxNodes(options.maxNodes) {
  if (options.maxSeconds)
    deadline = std::chrono::steady_clock::now() +
               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                   std::chrono::duration<double>(*options.maxSeconds));
}

bool SearchBudget::spend() {
  if (nodes >= maxNodes)
    spent = true;
  // Reading the clock costs more than a node.
  if (deadline && nodes % 256 == 0 &&
      std::chrono::steady_clock::now() >= *deadline)
    spent = true;
  if (spent)
    return false;
  ++nodes;
  return true;
}

/// Above each offset; with a size added it is still a number.
static constexpr int64_t kPlaced = std::numeric_limits<int64_t>::max() / 2;
/// Parts with fewer items are searched sooner than remembered.
static constexpr unsigned kSmallPart = 4;
/// Words that failed states may take.
static constexpr size_t kMaxMemory = size_t(1) << 21;
/// States kept for one set of items.
static constexpr unsigned kMaxStatesOfSet = 16;

void SearchBudget::spendSteps(unsigned count) {
  steps += count;
  nodes = std::min(maxNodes, nodes + steps / kStepsOfNode);
  steps %= kStepsOfNode;
}

namespace {
/// States in which there is nothing to find: the unplaced items of a part, with
/// their lowest offsets. What comes above depends on nothing else, whichever
/// way the search came there, and higher offsets do not make it easier.
class FailedStates {
public:
  /// True when the same items failed with offsets that are not higher.
  bool covers(llvm::ArrayRef<unsigned> items, llvm::ArrayRef<int64_t> offsets) {
    auto it = sets.find(hash(items));
    if (it == sets.end() || llvm::ArrayRef<unsigned>(it->second.items) != items)
      return false;
    std::vector<int64_t> &failed = it->second.offsets;
    size_t size = items.size();
    for (size_t at = 0; at < failed.size(); at += size)
      if (std::equal(offsets.begin(), offsets.end(), failed.begin() + at,
                     std::greater_equal<int64_t>())) {
        // It is likely to help again.
        std::swap_ranges(failed.begin(), failed.begin() + size,
                         failed.begin() + at);
        return true;
      }
    return false;
  }

  void insert(llvm::ArrayRef<unsigned> items, llvm::ArrayRef<int64_t> offsets) {
    if (words + 2 * items.size() > kMaxMemory) {
      sets.clear();
      words = 0;
    }
    Set &set = sets[hash(items)];
    if (llvm::ArrayRef<unsigned>(set.items) != items) {
      words -= set.items.size() + set.offsets.size();
      set = {};
      set.items.assign(items.begin(), items.end());
      words += items.size();
    }
    if (set.offsets.size() == kMaxStatesOfSet * items.size()) {
      std::copy(offsets.begin(), offsets.end(),
                set.offsets.begin() + set.next * items.size());
      set.next = (set.next + 1) % kMaxStatesOfSet;
      return;
    }
    set.offsets.insert(set.offsets.end(), offsets.begin(), offsets.end());
    words += offsets.size();
  }

private:
  struct Set {
    std::vector<unsigned> items;
    /// One state after the other.
    std::vector<int64_t> offsets;
    /// The state that goes next when there are too many.
    unsigned next = 0;
  };

  static uint64_t hash(llvm::ArrayRef<unsigned> items) {
    uint64_t value = items.size();
    for (unsigned item : items) {
      value = (value ^ item) * 0x9E3779B97F4A7C15;
      value ^= value >> 32;
    }
    // Two values mark free places of a DenseMap.
    return value >> 1;
  }

  llvm::DenseMap<uint64_t, Set> sets;
  size_t words = 0;
};

class Search {
public:
  Search(const ExactInstance &instance, int64_t capacity,
         const ExactOptions &options, SearchBudget &budget);

  /// False when a section alone shows that there is no solution.
  bool checkRoot();
  SearchResult run(llvm::StringRef ordering, uint64_t maxNodes);
  std::vector<int64_t> getOffsets() const;

private:
  using Item = ExactInstance::Item;

  /// Unplaced items order[begin, end), which meet nobody else that is unplaced,
  /// in the sections that they span.
  struct Part {
    unsigned begin, end;
    Span sections;
  };
  struct Candidate {
    int64_t offset;
    unsigned rank;
    unsigned item;
  };
  struct Change {
    int64_t *where;
    int64_t old;
  };
  struct Mark {
    size_t changes, placed;
  };

  SearchResult search(Part part, int64_t lowest);
  SearchResult searchCandidates(Part part, int64_t lowest);
  SearchResult searchParts(Part part, int64_t lowest, size_t firstCut);
  SearchResult place(Part part, unsigned i, int64_t lowest);
  bool raiseNeighbours(unsigned i);
  int64_t getLowest(unsigned s) const;
  bool raiseFloors(unsigned i);
  void lowerLimit(unsigned s);
  bool checkStacks(int64_t lowest);
  bool checkSections(Span sections, int64_t lowest) const;
  void rank(Part part, llvm::StringRef ordering);
  bool hasUnplacedNeighbour(unsigned i) const;
  bool raiseSkipped(unsigned i, int64_t lowest);

  void set(int64_t &where, int64_t value) {
    changes.push_back({&where, where});
    where = value;
  }
  Mark getMark() const { return {changes.size(), placed.size()}; }
  void undo(Mark mark);

  const ExactInstance &instance;
  const ExactOptions &options;
  SearchBudget &budget;
  bool isMonotonic;
  uint64_t nodesLeft = 0;
  llvm::StringRef ordering;

  // By item.
  std::vector<int64_t> minOffset, maxOffset, skipped;
  /// At least minOffset, and more for a skipped item; kPlaced for a placed one.
  std::vector<int64_t> low;
  std::vector<int64_t> sizes;
  std::vector<char> isPlaced;
  std::vector<unsigned> ranks, position, firstSection;
  // By section.
  /// No unplaced item of the section lies lower.
  std::vector<int64_t> floor;
  /// The sum of the sizes of its unplaced items.
  std::vector<int64_t> total;
  /// Items of the section end at or below this, rounded up.
  std::vector<int64_t> limit;
  /// How many unplaced items span the section and the next.
  std::vector<unsigned> crossing;

  /// Its unplaced items, for `stacks`.
  std::vector<uint64_t> masks;
  Potentials potentials;
  std::vector<SectionStack> stacks;

  std::vector<unsigned> order, placed;
  std::vector<Change> changes;
  std::vector<Candidate> candidates;
  std::vector<unsigned> cuts, touched, scratch;
  std::vector<Part> parts;
  std::vector<std::pair<unsigned, int64_t>> raised;
  std::vector<uint64_t> stamp;
  uint64_t lastStamp = 0;
  FailedStates failed;
  /// Of the open nodes, from the root.
  std::vector<unsigned> stateItems;
  /// Of the last one.
  std::vector<int64_t> stateOffsets;
};
} // namespace

Search::Search(const ExactInstance &instance, int64_t capacity,
               const ExactOptions &options, SearchBudget &budget)
    : instance(instance), options(options), budget(budget),
      isMonotonic(options.monotonicFloor && options.canonical &&
                  options.dynamicOrdering),
      potentials(instance) {
  unsigned numItems = instance.items.size();
  unsigned numSections = instance.members.size();
  minOffset.resize(numItems);
  low.resize(numItems);
  skipped.resize(numItems);
  isPlaced.resize(numItems);
  ranks.resize(numItems);
  position.resize(numItems);
  floor.resize(numSections);
  total.resize(numSections);
  limit.resize(numSections);
  crossing.resize(numSections);
  stamp.resize(numSections);
  masks.resize(numSections);
  for (unsigned i = 0; i < numItems; ++i) {
    const Item &item = instance.items[i];
    maxOffset.push_back(instance.getMaxOffset(item, capacity));
    sizes.push_back(item.size);
    firstSection.push_back(item.spans.front().begin);
    for (Span span : item.spans)
      for (unsigned s = span.begin; s < span.end; ++s) {
        total[s] += item.size;
        limit[s] = std::max(limit[s], maxOffset[i] + item.size);
      }
    Span hull = item.getHull();
    for (unsigned s = hull.begin; s + 1 < hull.end; ++s)
      ++crossing[s];
    order.push_back(i);
    position[i] = i;
  }
  for (unsigned s = 0; s < numSections; ++s) {
    stacks.emplace_back(instance, s, maxOffset, potentials);
    for (unsigned k = 0; k < instance.members[s].size() && k < 64; ++k)
      masks[s] |= uint64_t(1) << k;
  }
}

bool Search::checkRoot() {
  if (llvm::any_of(maxOffset, [](int64_t max) { return max < 0; }) ||
      !checkSections({0, unsigned(floor.size())}, 0))
    return false;
  for (unsigned s = 0; s < floor.size(); ++s)
    touched.push_back(s);
  return checkStacks(0);
}

/// Tries to stack what is left of each touched section.
bool Search::checkStacks(int64_t lowest) {
  if (!options.stacking)
    return true;
  for (unsigned s : touched) {
    if (!stacks[s].isUseful() || !total[s])
      continue;
    bool fits = stacks[s].fits(
        masks[s], isMonotonic ? std::max(floor[s], lowest) : floor[s]);
    budget.spendSteps(stacks[s].getSteps());
    if (!fits)
      return false;
  }
  return true;
}

SearchResult Search::run(llvm::StringRef newOrdering, uint64_t maxNodes) {
  ordering = newOrdering;
  nodesLeft = maxNodes;
  Part all = {0, unsigned(order.size()), {0, unsigned(floor.size())}};
  rank(all, ordering);
  Mark mark = getMark();
  SearchResult result = search(all, 0);
  if (result != SearchResult::Found)
    undo(mark);
  candidates.clear();
  cuts.clear();
  parts.clear();
  return result;
}

std::vector<int64_t> Search::getOffsets() const {
  std::vector<int64_t> offsets;
  for (int64_t offset : minOffset)
    offsets.push_back(offset * instance.unit);
  return offsets;
}

void Search::rank(Part part, llvm::StringRef keys) {
  struct Entry {
    double key[3];
    unsigned item;
  };
  std::vector<Entry> entries;
  for (unsigned k = part.begin; k < part.end; ++k) {
    Entry entry = {{0, 0, 0}, order[k]};
    const Item &item = instance.items[order[k]];
    int64_t most = 0;
    for (Span span : item.spans)
      for (unsigned s = span.begin; s < span.end; ++s)
        most = std::max(most, total[s]);
    for (auto [key, value] : llvm::zip(keys, entry.key))
      value = key == 'A'   ? item.duration * item.size
              : key == 'T' ? most
                           : item.duration;
    entries.push_back(entry);
  }
  if (options.staticPreordering)
    llvm::sort(entries, [](const Entry &a, const Entry &b) {
      for (unsigned k = 0; k < 3; ++k)
        if (a.key[k] != b.key[k])
          return a.key[k] > b.key[k];
      return a.item < b.item;
    });
  for (unsigned k = 0; k < entries.size(); ++k)
    ranks[entries[k].item] = k;
}

bool Search::checkSections(Span sections, int64_t lowest) const {
  if (!isMonotonic)
    lowest = 0;
  for (unsigned s = sections.begin; s < sections.end; ++s)
    if (std::max(floor[s], lowest) + (options.sectionInference ? total[s] : 0) >
        limit[s])
      if (total[s])
        return false;
  return true;
}

bool Search::hasUnplacedNeighbour(unsigned i) const {
  return llvm::any_of(instance.items[i].neighbours,
                      [&](unsigned other) { return !isPlaced[other]; });
}

void Search::undo(Mark mark) {
  while (changes.size() > mark.changes) {
    *changes.back().where = changes.back().old;
    changes.pop_back();
  }
  while (placed.size() > mark.placed) {
    unsigned i = placed.back();
    placed.pop_back();
    const Item &item = instance.items[i];
    isPlaced[i] = false;
    const unsigned *slot = item.slots.begin();
    for (Span span : item.spans)
      for (unsigned s = span.begin; s < span.end; ++s) {
        total[s] += item.size;
        masks[s] ^= uint64_t(1) << (*slot++ & 63);
      }
    Span hull = item.getHull();
    for (unsigned s = hull.begin; s + 1 < hull.end; ++s)
      ++crossing[s];
  }
}

/// Unplaced neighbours of the placed item `i` lie above it.
bool Search::raiseNeighbours(unsigned i) {
  int64_t top = minOffset[i] + instance.items[i].size;
  raised.clear();
  for (unsigned other : instance.items[i].neighbours) {
    if (isPlaced[other])
      continue;
    if (skipped[other])
      set(skipped[other], false);
    if (minOffset[other] >= top)
      continue;
    int64_t offset = alignUp(top, instance.items[other].alignment);
    if (offset > maxOffset[other])
      return false;
    raised.push_back({other, low[other]});
    set(minOffset[other], offset);
    set(low[other], offset);
  }
  return true;
}

/// The lowest offset of the section's unplaced items, or something that is not
/// above its floor.
int64_t Search::getLowest(unsigned s) const {
  int64_t lowest = kPlaced;
  for (unsigned member : instance.members[s]) {
    lowest = std::min(lowest, low[member]);
    if (lowest <= floor[s])
      break;
  }
  return lowest;
}

/// The floor of a section is the lowest offset of its unplaced items.
bool Search::raiseFloors(unsigned i) {
  touched.clear();
  ++lastStamp;
  const Item &item = instance.items[i];
  int64_t top = minOffset[i] + item.size;
  auto touch = [&](unsigned s) {
    if (stamp[s] == lastStamp)
      return;
    stamp[s] = lastStamp;
    touched.push_back(s);
  };
  for (Span span : item.spans)
    for (unsigned s = span.begin; s < span.end; ++s) {
      if (floor[s] < top)
        set(floor[s], top);
      touch(s);
    }
  if (!options.unallocatedFloor)
    return true;
  for (auto [other, old] : raised)
    for (Span span : instance.items[other].spans)
      for (unsigned s = span.begin; s < span.end; ++s)
        if (floor[s] == old)
          touch(s);
  for (unsigned s : touched) {
    if (!total[s])
      continue;
    int64_t lowest = getLowest(s);
    if (lowest > floor[s])
      set(floor[s], lowest);
  }
  return true;
}

/// Item `i` lies above something that is not yet placed. False when that leaves
/// too little room.
bool Search::raiseSkipped(unsigned i, int64_t lowest) {
  const Item &item = instance.items[i];
  int64_t end = std::numeric_limits<int64_t>::max();
  for (unsigned other : item.neighbours)
    end = std::min(end, std::max(low[other], lowest) + sizes[other]);
  if (end > maxOffset[i])
    return false;
  int64_t offset = alignUp(end, item.alignment);
  if (offset > maxOffset[i])
    return false;
  int64_t old = low[i];
  if (offset <= old)
    return true;
  set(low[i], offset);
  if (!options.unallocatedFloor)
    return true;
  for (Span span : item.spans)
    for (unsigned s = span.begin; s < span.end; ++s) {
      if (floor[s] != old)
        continue;
      int64_t lowestItem = getLowest(s);
      if (lowestItem > floor[s]) {
        set(floor[s], lowestItem);
        if (options.sectionInference && lowestItem + total[s] > limit[s])
          return false;
      }
    }
  return true;
}

/// The item that could end highest is placed; the others end lower.
void Search::lowerLimit(unsigned s) {
  int64_t highest = 0;
  for (unsigned member : instance.members[s])
    if (!isPlaced[member])
      highest =
          std::max(highest, maxOffset[member] + instance.items[member].size);
  if (highest < limit[s])
    set(limit[s], highest);
}

SearchResult Search::place(Part part, unsigned i, int64_t lowest) {
  Mark mark = getMark();
  const Item &item = instance.items[i];
  placed.push_back(i);
  isPlaced[i] = true;
  set(low[i], kPlaced);
  --part.end;
  std::swap(order[position[i]], order[part.end]);
  std::swap(position[order[position[i]]], position[i]);

  const unsigned *slot = item.slots.begin();
  for (Span span : item.spans)
    for (unsigned s = span.begin; s < span.end; ++s) {
      total[s] -= item.size;
      masks[s] ^= uint64_t(1) << (*slot++ & 63);
      if (maxOffset[i] + item.size == limit[s] && total[s])
        lowerLimit(s);
    }
  size_t firstCut = cuts.size();
  Span hull = item.getHull();
  for (unsigned s = hull.begin; s + 1 < hull.end; ++s)
    if (--crossing[s] == 0)
      cuts.push_back(s + 1);

  SearchResult result = SearchResult::None;
  if (raiseNeighbours(i) && raiseFloors(i) &&
      checkSections(part.sections, lowest) && checkStacks(lowest)) {
    if (options.decomposition && cuts.size() > firstCut)
      result = searchParts(part, lowest, firstCut);
    else
      result = search(part, lowest);
  }
  cuts.resize(firstCut);
  if (result != SearchResult::Found)
    undo(mark);
  return result;
}

SearchResult Search::searchParts(Part part, int64_t lowest, size_t firstCut) {
  // Sort the items by part.
  size_t firstPart = parts.size();
  llvm::sort(order.begin() + part.begin, order.begin() + part.end,
             [&](unsigned a, unsigned b) {
               return std::make_pair(instance.items[a].getHull().begin, a) <
                      std::make_pair(instance.items[b].getHull().begin, b);
             });
  unsigned begin = part.begin, firstSection = part.sections.begin;
  cuts.push_back(part.sections.end);
  for (size_t c = firstCut; c < cuts.size(); ++c) {
    Part next = {begin, begin, {firstSection, cuts[c]}};
    while (next.end < part.end &&
           instance.items[order[next.end]].getHull().begin < cuts[c])
      ++next.end;
    if (next.begin != next.end)
      parts.push_back(next);
    begin = next.end;
    firstSection = cuts[c];
  }
  cuts.pop_back();
  for (unsigned k = part.begin; k < part.end; ++k)
    position[order[k]] = k;

  // The tightest first: when it fails, the others need no search.
  if (options.failFirst) {
    auto getSlack = [&](const Part &p) {
      int64_t slack = std::numeric_limits<int64_t>::max();
      for (unsigned s = p.sections.begin; s < p.sections.end; ++s)
        if (total[s])
          slack =
              std::min(slack, limit[s] - total[s] - std::max(floor[s], lowest));
      return slack;
    };
    std::vector<std::pair<int64_t, unsigned>> keys;
    std::vector<Part> sorted(parts.begin() + firstPart, parts.end());
    for (unsigned k = 0; k < sorted.size(); ++k)
      keys.push_back({getSlack(sorted[k]), k});
    llvm::sort(keys);
    for (unsigned k = 0; k < keys.size(); ++k)
      parts[firstPart + k] = sorted[keys[k].second];
  }

  size_t lastPart = parts.size();
  SearchResult result = SearchResult::Found;
  for (size_t k = firstPart; k < lastPart && result == SearchResult::Found;
       ++k) {
    if (lastPart - firstPart > 1)
      rank(parts[k], ordering);
    result = search(parts[k], lowest);
  }
  parts.resize(firstPart);
  return result;
}

SearchResult Search::search(Part part, int64_t lowest) {
  if (part.begin == part.end)
    return SearchResult::Found;
  if (nodesLeft == 0 || !budget.spend())
    return SearchResult::Limit;
  --nodesLeft;
  // A node goes through all items of the part.
  budget.spendSteps((part.end - part.begin) / 16);
  if (!options.memory || !isMonotonic || part.end - part.begin < kSmallPart)
    return searchCandidates(part, lowest);

  // A stack, since each node has some and few nodes are open.
  size_t first = stateItems.size();
  for (unsigned i = 0; i < firstSection.size(); ++i)
    if (!isPlaced[i] && firstSection[i] >= part.sections.begin &&
        firstSection[i] < part.sections.end)
      stateItems.push_back(i);
  auto getItems = [&] { return llvm::ArrayRef(stateItems).drop_front(first); };
  // What is skipped lies higher still.
  stateOffsets.clear();
  for (unsigned i : getItems())
    stateOffsets.push_back(std::max(low[i], lowest));
  SearchResult result = SearchResult::None;
  if (!failed.covers(getItems(), stateOffsets)) {
    result = searchCandidates(part, lowest);
    if (result == SearchResult::None) {
      stateOffsets.clear();
      for (unsigned i : getItems())
        stateOffsets.push_back(minOffset[i]);
      failed.insert(getItems(), stateOffsets);
    }
  }
  stateItems.resize(first);
  return result;
}

SearchResult Search::searchCandidates(Part part, int64_t lowest) {

  // An item at or above the end of another, unplaced one leaves a gap for it.
  int64_t lowestEnd = std::numeric_limits<int64_t>::max();
  if (options.dominance)
    for (unsigned k = part.begin; k < part.end; ++k)
      lowestEnd = std::min(lowestEnd,
                           minOffset[order[k]] + instance.items[order[k]].size);
  // No item can lie so high that the rest of a section does not fit above.
  int64_t highest = std::numeric_limits<int64_t>::max();
  if (isMonotonic && options.sectionInference)
    for (unsigned s = part.sections.begin; s < part.sections.end; ++s)
      if (total[s])
        highest = std::min(highest, limit[s] - total[s]);
  size_t firstCandidate = candidates.size();
  for (unsigned k = part.begin; k < part.end; ++k) {
    unsigned i = order[k];
    if (!skipped[i] && minOffset[i] < lowestEnd && minOffset[i] <= highest)
      candidates.push_back({minOffset[i], ranks[i], i});
  }
  size_t lastCandidate = candidates.size();
  llvm::sort(candidates.begin() + firstCandidate,
             candidates.begin() + lastCandidate,
             [&](const Candidate &a, const Candidate &b) {
               if (!options.dynamicOrdering)
                 return a.rank < b.rank;
               return std::make_pair(a.offset, a.rank) <
                      std::make_pair(b.offset, b.rank);
             });

  SearchResult result = SearchResult::None;
  for (size_t k = firstCandidate; k < lastCandidate; ++k) {
    Candidate candidate = candidates[k];
    result = place(part, candidate.item, candidate.offset);
    if (result != SearchResult::None)
      break;
    if (options.canonical)
      set(skipped[candidate.item], true);
    if (options.canonical && options.skippedFloor &&
        !raiseSkipped(candidate.item, isMonotonic ? candidate.offset : 0))
      break;
    if (options.hatless && !hasUnplacedNeighbour(candidate.item))
      break;
  }
  candidates.resize(firstCandidate);
  return result;
}

SearchResult packing::searchWithin(const ExactInstance &instance,
                                   int64_t capacity,
                                   const ExactOptions &options,
                                   uint64_t maxNodes, SearchBudget &budget,
                                   std::vector<int64_t> &offsets) {
  Search search(instance, capacity, options, budget);
  if (!search.checkRoot())
    return SearchResult::None;
  uint64_t slice = 2 * instance.items.size();
  uint64_t before = budget.getNodes();
  while (true) {
    for (llvm::StringRef ordering : options.orderings) {
      uint64_t used = budget.getNodes() - before;
      if (used >= maxNodes || budget.isSpent())
        return SearchResult::Limit;
      uint64_t most = maxNodes - used;
      if (options.orderings.size() > 1)
        most = std::min(most, slice);
      SearchResult result = search.run(ordering, most);
      if (result == SearchResult::Found)
        offsets = search.getOffsets();
      if (result != SearchResult::Limit)
        return result;
    }
    slice *= 2;
  }
}
