//===- PathSearch.cpp - a path between two accesses without a barrier -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Breadth first over (node, crossed loop, timing, flight, an element was
/// passed), where passing an element costs one step and all else nothing.
///
//===----------------------------------------------------------------------===//

#include "PathSearch.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace mlir::memspace::placement;

ElementTable::ElementTable(const Program &program) {
  for (auto [number, node] : llvm::enumerate(program.getNodes())) {
    firstOf.push_back(elements.size());
    for (unsigned choice = 0; choice < node.choices.size(); ++choice)
      elements.push_back({unsigned(number), choice});
  }
}

namespace {
struct State {
  unsigned node;
  unsigned crossed;
  Flight flight;
  bool passed;
  /// The outermost loop not around the first access that is not in its first
  /// iteration.
  unsigned later;
  /// `crossed` has begun more than one iteration.
  bool again;

  bool isInFlight() const { return flight != kLanded; }
  std::pair<uint64_t, uint64_t> key() const {
    return {uint64_t(crossed) << 32 | node,
            uint64_t(later) << 32 | unsigned(flight) << 2 |
                unsigned(passed) << 1 | unsigned(again)};
  }
};

/// What becomes of `state.later` along an edge.
unsigned crossInner(const Program &program, unsigned access, unsigned later,
                    const Edge &edge) {
  const std::vector<Node> &nodes = program.getNodes();
  if (later != kNone && !program.isInLoop(nodes[edge.to].loop, later))
    later = kNone;
  if (edge.crosses == kNone ||
      program.isInLoop(nodes[program.getAccesses()[access].node].loop,
                       edge.crosses))
    return later;
  return later == kNone || program.isInLoop(later, edge.crosses) ? edge.crosses
                                                                 : later;
}
} // namespace

std::optional<std::vector<unsigned>> mlir::memspace::placement::findPath(
    const Program &program, const ElementTable &table,
    const std::vector<bool> &taken, const PathQuery &query) {
  const std::vector<Node> &nodes = program.getNodes();
  const PathHazard &hazard = query.hazard;
  const Access &first = program.getAccesses()[hazard.first];
  unsigned goal = program.getAccesses()[hazard.second].node;

  struct Visit {
    State state;
    unsigned previous;
  };
  std::vector<Visit> visits;
  struct Task {
    unsigned visit;
    bool isFree;
  };
  std::deque<Task> work;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> done;

  auto getElements = [&](unsigned node) {
    std::vector<unsigned> result;
    for (auto [index, choice] : llvm::enumerate(nodes[node].choices))
      if (choice.orders & hazard.order)
        result.push_back(table.firstOf[node] + index);
    return result;
  };
  // What passing a node makes of a state; false when it is ordered there.
  auto pass = [&](State &state, bool &isFree) {
    const Node &node = nodes[state.node];
    isFree = true;
    state.flight = advance(state.flight, node);
    if (state.isInFlight())
      return true;
    if (node.barrier & hazard.order)
      return false;
    for (unsigned element : getElements(state.node)) {
      if (taken[element])
        return false;
      isFree = false;
      state.passed = true;
    }
    return true;
  };
  auto expand = [&](const State &state, unsigned visit) {
    for (const Edge &edge : nodes[state.node].successors) {
      unsigned crossed = program.cross(hazard.first, state.crossed, edge);
      // Iterations of an outer loop do not become those of an inner one.
      if (crossed != kNone && crossed != hazard.crossed &&
          !program.isInLoop(crossed, hazard.crossed))
        continue;
      bool again = crossed != kNone && crossed == state.crossed &&
                   (state.again || edge.crosses == crossed);
      State next{edge.to,
                 crossed,
                 state.flight,
                 state.passed,
                 crossInner(program, hazard.first, state.later, edge),
                 again};
      bool isGoal =
          next.node == goal && next.crossed == hazard.crossed &&
          next.isInFlight() == query.inFlight &&
          (next.passed || !query.needsElement) &&
          query.timing.isFirst == (next.later == kNone) &&
          query.timing.isNext == (next.crossed != kNone && !next.again);
      bool isFree = true;
      if (!isGoal && !pass(next, isFree))
        continue;
      visits.push_back({next, visit});
      if (isFree)
        work.push_front({unsigned(visits.size() - 1), isGoal});
      else
        work.push_back({unsigned(visits.size() - 1), isGoal});
    }
  };

  expand({first.node, kNone, first.inFlight ? Flight(0) : kLanded, false, kNone,
          false},
         kNone);
  while (!work.empty()) {
    auto [visit, isGoal] = work.front();
    work.pop_front();
    State state = visits[visit].state;
    if (isGoal) {
      std::vector<unsigned> path;
      llvm::DenseSet<unsigned> seen;
      for (unsigned at = visits[visit].previous; at != kNone;
           at = visits[at].previous)
        if (!visits[at].state.isInFlight()) {
          std::vector<unsigned> here = getElements(visits[at].state.node);
          for (unsigned element : llvm::reverse(here))
            if (seen.insert(element).second)
              path.push_back(element);
        }
      std::reverse(path.begin(), path.end());
      return path;
    }
    if (done.insert(state.key()).second)
      expand(state, visit);
  }
  return std::nullopt;
}
