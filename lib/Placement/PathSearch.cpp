//===- PathSearch.cpp - a path between two accesses without a barrier -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Breadth first over (node, carrying loop, timing, flight, an element was
/// passed), where passing an element costs one step and all else nothing.
///
/// The iterations of each loop on the way, up to kMany, are states of their own
/// only where they decide: one search without them tells whether there is a
/// path at all, and the one that it finds is mostly accepted. Where none is,
/// with any, the same is asked again and again, with other elements taken:
/// PathTimings has what comes from an access at all.
///
//===----------------------------------------------------------------------===//

#include "PathSearch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>

using namespace mlir::memspace::placement;

ElementTable::ElementTable(const Program &program) {
  for (auto [number, node] : llvm::enumerate(program.getNodes())) {
    bool isKnown = node.slot != kNone && node.slot != number;
    firstOf.push_back(isKnown ? firstOf[node.slot] : elements.size());
    for (unsigned choice = 0; choice < node.choices.size(); ++choice)
      elements.push_back({unsigned(number), choice});
  }
}

namespace {
struct State {
  unsigned node;
  unsigned carryingLoop;
  /// How many iterations of `carryingLoop` have begun.
  unsigned distance;
  /// The outermost loop not around the first access of which a further
  /// iteration has begun, and how many.
  unsigned later;
  unsigned iteration;
  /// The outermost loop around the first access that has been left, and how
  /// many of its iterations came after that of the access.
  unsigned left;
  unsigned remaining;
  Flight flight;
  bool passed;

  bool isInFlight() const { return flight != kLanded; }
  PathTiming getTiming() const {
    return {/*isKnown=*/true, later,    iteration,   left,
            remaining,        distance, isInFlight()};
  }
  using Key = std::pair<std::pair<uint64_t, uint64_t>, uint64_t>;
  Key key(bool withTiming) const {
    uint64_t at = uint64_t(carryingLoop) << 32 | node;
    uint64_t passage = unsigned(flight) << 16 | unsigned(passed);
    if (!withTiming)
      return {{at, 0}, passage};
    return {{at, uint64_t(later) << 32 | left},
            passage | distance << 12 | remaining << 8 | iteration << 4};
  }
};

/// `state` behind `edge`, before the node that it leads to.
State follow(const Program &program, unsigned access, const State &state,
             const Edge &edge) {
  State next = state;
  next.node = edge.to;
  next.carryingLoop = program.cross(access, state.carryingLoop, edge);
  unsigned loop = edge.crosses;
  bool isCarrying = next.carryingLoop != kNone && loop == next.carryingLoop;
  if (next.carryingLoop != state.carryingLoop)
    next.distance = isCarrying;
  else if (isCarrying)
    next.distance = std::min(state.distance + 1, kMany);

  const std::vector<Node> &nodes = program.getNodes();
  unsigned own = nodes[program.getAccesses()[access].node].loop;
  unsigned source = nodes[state.node].loop;
  // Loops are left one by one. Once an outer loop has begun another iteration,
  // it is another execution of the loop that is left.
  if (source != kNone && program.isInLoop(own, source) &&
      !program.isInLoop(nodes[edge.to].loop, source) &&
      (state.carryingLoop == kNone ||
       program.isInLoop(state.carryingLoop, source))) {
    next.left = source;
    next.remaining = state.carryingLoop == source ? state.distance : 0;
  }
  if (next.later != kNone && !program.isInLoop(nodes[edge.to].loop, next.later))
    next.later = kNone;
  if (next.later == kNone)
    next.iteration = 0;
  if (loop == kNone || program.isInLoop(own, loop))
    return next;
  if (loop == next.later) {
    next.iteration = std::min(next.iteration + 1, kMany);
  } else if (next.later == kNone || program.isInLoop(next.later, loop)) {
    next.later = loop;
    next.iteration = 1;
  }
  return next;
}

/// Breadth first over elements: what passes none of them costs nothing.
class PathSearch {
public:
  PathSearch(const Program &program, const ElementTable &table,
             const std::vector<bool> &taken, const PathQuery &query)
      : program(program), nodes(program.getNodes()), table(table), taken(taken),
        query(query), hazard(query.hazard) {}

  /// With `found` set to false, there is no path. Without timing the answer is
  /// none, too, where the path that was found is not accepted.
  std::optional<std::vector<unsigned>>
  run(bool isTimed, llvm::function_ref<bool(PathTiming)> accepts,
      int64_t &stepsLeft, bool &found);
  /// Calls `reach` for all accesses that come from the first one, with timing,
  /// where no element is taken; false when that takes more than `maxSteps`.
  bool explore(llvm::function_ref<void(const State &)> reach, int64_t maxSteps,
               int64_t &stepsLeft);

private:
  struct Visit {
    State state;
    unsigned previous;
  };
  struct Task {
    unsigned visit;
    bool isGoal;
  };

  /// The elements at `node` that order the hazard.
  llvm::SmallVector<unsigned, 4> getElements(unsigned node) const;
  /// Empties everything, and expands the first access.
  void start(bool isTimed);
  /// What passing a node makes of a state; false when it is ordered there.
  bool pass(State &state, bool &isFree) const;
  /// Adds what follows `state`, which is that of `visit`.
  void expand(const State &state, unsigned visit);
  /// True when the second access of the hazard is met in `state`.
  bool isAtGoal(const State &state) const;
  /// The elements on the way to `visit`, each once.
  std::vector<unsigned> getPath(unsigned visit) const;

  const Program &program;
  const std::vector<Node> &nodes;
  const ElementTable &table;
  const std::vector<bool> &taken;
  const PathQuery &query;
  const PathHazard &hazard;
  bool withTiming = false;
  /// While everything is explored.
  llvm::function_ref<void(const State &)> reach;
  llvm::DenseSet<State::Key> done;
  std::vector<Visit> visits;
  std::deque<Task> work;
};
} // namespace

llvm::SmallVector<unsigned, 4> PathSearch::getElements(unsigned node) const {
  llvm::SmallVector<unsigned, 4> result;
  for (auto [index, choice] : llvm::enumerate(program.getChoices(node)))
    if (choice.orders & hazard.order)
      result.push_back(table.firstOf[node] + index);
  return result;
}

bool PathSearch::pass(State &state, bool &isFree) const {
  const Node &node = nodes[state.node];
  isFree = true;
  state.flight = advance(state.flight, node);
  if (state.isInFlight())
    return true;
  if (node.barrier & hazard.order)
    return false;
  if (reach)
    return true;
  for (unsigned element : getElements(state.node)) {
    if (taken[element])
      return false;
    isFree = false;
    state.passed = true;
  }
  return true;
}

bool PathSearch::isAtGoal(const State &state) const {
  return state.node == program.getAccesses()[hazard.second].node &&
         state.carryingLoop == hazard.carryingLoop &&
         state.isInFlight() == query.inFlight &&
         (state.passed || !query.needsElement);
}

void PathSearch::expand(const State &state, unsigned visit) {
  for (const Edge &edge : nodes[state.node].successors) {
    State next = follow(program, hazard.first, state, edge);
    if (reach && nodes[next.node].numAccesses > 0)
      reach(next);
    // Iterations of an outer loop do not become those of an inner one.
    if (!reach && next.carryingLoop != kNone &&
        next.carryingLoop != hazard.carryingLoop &&
        !program.isInLoop(next.carryingLoop, hazard.carryingLoop))
      continue;
    bool isGoal = !reach && isAtGoal(next);
    bool isFree = true;
    if (!isGoal && !pass(next, isFree))
      continue;
    if (done.contains(next.key(withTiming)))
      continue;
    visits.push_back({next, visit});
    Task task{unsigned(visits.size() - 1), isGoal};
    if (isFree)
      work.push_front(task);
    else
      work.push_back(task);
  }
}

std::vector<unsigned> PathSearch::getPath(unsigned visit) const {
  std::vector<unsigned> path;
  llvm::DenseSet<unsigned> seen;
  for (unsigned at = visits[visit].previous; at != kNone;
       at = visits[at].previous) {
    if (visits[at].state.isInFlight())
      continue;
    llvm::SmallVector<unsigned, 4> here = getElements(visits[at].state.node);
    for (unsigned element : llvm::reverse(here))
      if (seen.insert(element).second)
        path.push_back(element);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

void PathSearch::start(bool isTimed) {
  const Access &first = program.getAccesses()[hazard.first];
  withTiming = isTimed;
  done.clear();
  visits.clear();
  work.clear();
  State state{first.node, kNone, 0, kNone,
              0,          kNone, 0, first.inFlight ? Flight(0) : kLanded,
              false};
  expand(state, kNone);
}

std::optional<std::vector<unsigned>>
PathSearch::run(bool isTimed, llvm::function_ref<bool(PathTiming)> accepts,
                int64_t &stepsLeft, bool &found) {
  start(isTimed);
  while (!work.empty()) {
    auto [visit, isGoal] = work.front();
    work.pop_front();
    State state = visits[visit].state;
    if (!done.insert(state.key(withTiming)).second)
      continue;
    --stepsLeft;
    if (isGoal) {
      found = true;
      if (stepsLeft < 0 || accepts(state.getTiming()))
        return getPath(visit);
      if (!withTiming)
        return std::nullopt;
    }
    // Past a goal, too: an access is no obstacle.
    expand(state, visit);
  }
  return std::nullopt;
}

bool PathSearch::explore(llvm::function_ref<void(const State &)> reach,
                         int64_t maxSteps, int64_t &stepsLeft) {
  this->reach = reach;
  start(/*isTimed=*/true);
  while (!work.empty()) {
    unsigned visit = work.front().visit;
    work.pop_front();
    State state = visits[visit].state;
    if (!done.insert(state.key(withTiming)).second)
      continue;
    --stepsLeft;
    if (--maxSteps < 0)
      return false;
    expand(state, visit);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// What comes from an access at all
//===----------------------------------------------------------------------===//

PathTimings::Place PathTimings::getGoal(const PathQuery &query) const {
  unsigned node = program.getAccesses()[query.hazard.second].node;
  return {node, query.hazard.carryingLoop, query.inFlight};
}

bool PathTimings::isImpossible(
    const PathQuery &query,
    llvm::function_ref<bool(PathTiming)> accepts) const {
  auto it = sources.find({query.hazard.first, query.hazard.order});
  if (it == sources.end() || !it->second.reached)
    return false;
  const Reached &reached = *it->second.reached;
  auto place = reached.find(getGoal(query));
  return place == reached.end() || llvm::none_of(place->second, accepts);
}

void PathTimings::addFailure(const PathQuery &query, int64_t steps,
                             int64_t &stepsLeft) {
  Source &source = sources[{query.hazard.first, query.hazard.order}];
  source.steps += steps;
  if (source.reached || source.steps < source.stepsToExplore)
    return;
  source.stepsToExplore = 2 * source.steps;
  Reached found;
  auto reach = [&](const State &state) {
    found[{state.node, state.carryingLoop, state.isInFlight()}].push_back(
        state.getTiming());
  };
  std::vector<bool> taken;
  PathSearch search(program, table, taken, query);
  if (!search.explore(reach, /*maxSteps=*/2 * source.steps, stepsLeft))
    return;
  for (auto &[place, timings] : found) {
    llvm::sort(timings);
    timings.erase(llvm::unique(timings), timings.end());
  }
  source.reached = std::move(found);
}

std::optional<std::vector<unsigned>> mlir::memspace::placement::findPath(
    const Program &program, const ElementTable &table,
    const std::vector<bool> &taken, const PathQuery &query,
    llvm::function_ref<bool(PathTiming)> accepts, PathTimings &timings,
    int64_t &stepsLeft) {
  PathSearch search(program, table, taken, query);
  bool found = false;
  std::optional<std::vector<unsigned>> path =
      search.run(/*isTimed=*/false, accepts, stepsLeft, found);
  if (path || !found || timings.isImpossible(query, accepts))
    return path;
  int64_t stepsBefore = stepsLeft;
  path = search.run(/*isTimed=*/true, accepts, stepsLeft, found);
  if (!path)
    timings.addFailure(query, stepsBefore - stepsLeft, stepsLeft);
  return path;
}
