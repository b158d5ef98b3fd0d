//===- LocalSearch.cpp - mend orders for first-fit ------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer that first-fit puts high rests on another one, which rests on the
// next, down to offset 0: a chain. If all of them were live at one time, their
// sum would be at most the peak. So a chain that is higher has buffers that are
// not live when most of it is, and these are the culprits:
//
//     +---------------+
//     |    highest    |     `late` holds up `highest` at a time when the bytes
//     +---------------+     below are free for most of it. Placed before
//             | late  |     `below`, it takes other bytes, or `below` moves up
//     +-------+-------+     and does no harm.
//     |     below     |
//     +---------------+
//
// Networks of tens of thousands of buffers have a handful of culprits.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "Orders.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

/// Orders that are mended.
static constexpr unsigned kMaxStarts = 4;
/// Tries without progress after which the next order has its turn. Doubles each
/// round.
static constexpr unsigned kFirstPatience = 8;
static constexpr unsigned kLastPatience = 64;
/// Progress is this share of what is above the bound.
static constexpr int64_t kProgressShare = 16;

namespace {
class LocalSearch {
public:
  LocalSearch(const Problem &problem, const LocalSearchOptions &options)
      : problem(problem), options(options), sections(problem),
        placer(problem, sections), best(bump(problem)),
        enough(std::max(options.enough, getLowerBound(problem))),
        position(problem.buffers.size()) {}

  Solution run();

private:
  struct State {
    std::vector<unsigned> order;
    Solution solution;
  };

  bool isFinished() const {
    return best.height <= enough || isSpent() ||
           (options.isOver && options.isOver());
  }
  bool isSpent() const { return placer.getSteps() >= options.maxSteps; }
  void offer(const Solution &solution) {
    if (solution.height < best.height)
      best = solution;
  }

  std::vector<State> makeStarts();
  void mend(State &state, unsigned patience);
  void setPositions(const State &state);
  bool moveCulprit(std::vector<unsigned> &order);
  void findChain();
  void findCulprits();
  bool areLiveTogether(unsigned a, unsigned b) const;

  uint64_t pick(uint64_t count) { return engine() % count; }

  const Problem &problem;
  const LocalSearchOptions &options;
  Sections sections;
  OrderPlacer placer;
  Solution best;
  int64_t enough;

  // Of the state that is being mended.
  const Solution *current = nullptr;
  /// By buffer: its place in the order.
  std::vector<unsigned> position;
  /// (end, buffer), ascending.
  std::vector<std::pair<int64_t, unsigned>> ends;
  /// From the top; each rests on the next.
  std::vector<unsigned> chain;
  /// Indices into the chain.
  std::vector<unsigned> culprits;
  std::vector<std::pair<unsigned, int64_t>> events;

  /// The same on every machine; no std:: distribution is.
  std::mt19937_64 engine;
};
} // namespace

/// The best orders of the family; different heights, since the same height is
/// most often the same solution.
std::vector<LocalSearch::State> LocalSearch::makeStarts() {
  std::vector<State> starts;
  OrderFamily orders(problem, sections);
  for (unsigned k = 0; k < orders.size() && !isFinished(); ++k) {
    State state;
    state.order = orders.make(k);
    std::optional<Solution> solution = placer.place(
        state.order, std::numeric_limits<int64_t>::max(), options.isOver);
    if (!solution)
      break;
    state.solution = std::move(*solution);
    offer(state.solution);
    if (llvm::any_of(starts, [&](const State &other) {
          return other.solution.height == state.solution.height;
        }))
      continue;
    starts.push_back(std::move(state));
    llvm::stable_sort(starts, [](const State &a, const State &b) {
      return a.solution.height < b.solution.height;
    });
    if (starts.size() > kMaxStarts)
      starts.pop_back();
  }
  return starts;
}

bool LocalSearch::areLiveTogether(unsigned a, unsigned b) const {
  llvm::ArrayRef<Span> left = sections.spans[a], right = sections.spans[b];
  while (!left.empty() && !right.empty()) {
    if (left.front().end <= right.front().begin)
      left = left.drop_front();
    else if (right.front().end <= left.front().begin)
      right = right.drop_front();
    else
      return true;
  }
  return false;
}

void LocalSearch::setPositions(const State &state) {
  current = &state.solution;
  ends.clear();
  for (unsigned k = 0; k < state.order.size(); ++k) {
    unsigned i = state.order[k];
    position[i] = k;
    ends.push_back({current->offsets[i] + problem.buffers[i].bytes, i});
  }
  llvm::sort(ends);
}

/// From a random one of the highest buffers down; where a buffer rests on
/// several, a random one.
void LocalSearch::findChain() {
  chain.clear();
  size_t first = llvm::partition_point(ends,
                                       [&](const auto &entry) {
                                         return entry.first < current->height;
                                       }) -
                 ends.begin();
  unsigned i = ends[first + pick(ends.size() - first)].second;
  while (true) {
    chain.push_back(i);
    int64_t offset = current->offsets[i];
    if (offset == 0)
      return;
    // Something ends so close below that `i` does not fit any lower.
    int64_t lowest = offset - problem.buffers[i].alignment;
    unsigned next = i, count = 0;
    for (auto it = llvm::partition_point(
             ends, [&](const auto &entry) { return entry.first <= lowest; });
         it != ends.end() && it->first <= offset; ++it)
      if (position[it->second] < position[i] && areLiveTogether(it->second, i))
        if (pick(++count) == 0)
          next = it->second;
    if (next == i)
      return;
    i = next;
  }
}

/// What is not live when most bytes of the chain are.
void LocalSearch::findCulprits() {
  events.clear();
  for (unsigned i : chain)
    for (Span span : sections.spans[i]) {
      events.push_back({span.begin, problem.buffers[i].bytes});
      events.push_back({span.end, -problem.buffers[i].bytes});
    }
  llvm::sort(events);
  int64_t live = 0, most = -1;
  unsigned section = 0;
  for (size_t k = 0; k < events.size(); ++k) {
    live += events[k].second;
    bool isLast =
        k + 1 == events.size() || events[k + 1].first != events[k].first;
    if (isLast && live > most) {
      most = live;
      section = events[k].first;
    }
  }
  culprits.clear();
  for (unsigned k = 0; k < chain.size(); ++k)
    if (llvm::none_of(sections.spans[chain[k]], [&](Span span) {
          return span.begin <= section && section < span.end;
        }))
      culprits.push_back(k);
}

/// Places a culprit, or now and then any buffer of the chain, before one on
/// which it rests, or first of all. False when it is the first already.
bool LocalSearch::moveCulprit(std::vector<unsigned> &order) {
  findChain();
  findCulprits();
  unsigned k = !culprits.empty() && pick(4) ? culprits[pick(culprits.size())]
                                            : pick(chain.size());
  unsigned from = position[chain[k]], to = 0;
  if (pick(3) && k + 1 < chain.size())
    to = position[chain[k + 1 + pick(chain.size() - k - 1)]];
  std::rotate(order.begin() + to, order.begin() + from,
              order.begin() + from + 1);
  return to != from;
}

/// Changes `state` as long as it does not get higher, until there was no
/// progress for some tries.
void LocalSearch::mend(State &state, unsigned patience) {
  State walk = state;
  int64_t last = walk.solution.height;
  setPositions(walk);
  for (unsigned tries = 0; tries < patience && !isFinished(); ++tries) {
    std::vector<unsigned> order = walk.order;
    if (!moveCulprit(order))
      continue;
    std::optional<Solution> solution =
        placer.place(order, walk.solution.height, options.isOver);
    if (!solution)
      continue;
    walk.order = std::move(order);
    walk.solution = std::move(*solution);
    setPositions(walk);
    // A walk among solutions of one height starts anew each time: some lead
    // nowhere.
    if (walk.solution.height < state.solution.height) {
      state = walk;
      offer(state.solution);
    }
    if (last - walk.solution.height > (last - enough) / kProgressShare) {
      last = walk.solution.height;
      tries = 0;
    }
  }
}

Solution LocalSearch::run() {
  std::vector<State> starts = makeStarts();
  for (unsigned patience = kFirstPatience;
       patience <= kLastPatience && !isFinished(); patience *= 2)
    for (State &start : starts) {
      if (isFinished())
        break;
      mend(start, patience);
    }
  return std::move(best);
}

Solution packing::localSearch(const Problem &problem,
                              const LocalSearchOptions &options) {
  return LocalSearch(problem, options).run();
}
