//===- VerifierPaths.cpp - what a path does to an access -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierPaths.h"
#include "LoopGuards.h"

using namespace mlir;
using namespace mlir::memspace;

/// Iterations that are told apart.
static constexpr unsigned kFar = IterationTiming::kMany;

PathHistory::PathHistory(Operation *source, const ProgramGraph &graph)
    : graph(graph) {
  for (Operation *op = source; op && !isa<FunctionOpInterface>(op);
       op = op->getParentOp()) {
    Operation *parent = op->getParentOp();
    for (unsigned cycle = graph.getCycle(op->getBlock()); cycle;
         cycle = graph.getCycleAround(cycle))
      loops.push_back({parent, cycle});
    if (graph.isCrossed(parent))
      loops.push_back({parent, /*cycle=*/0});
  }
  std::reverse(loops.begin(), loops.end());
}

IterationTiming PathHistory::getTiming(const PathState &state,
                                       const PartedCycles &parted,
                                       BlockCircles &circles) const {
  auto getCircle = [&](unsigned cycle) {
    Block *head = cycle ? graph.getCycleHead(cycle) : nullptr;
    return head ? circles.get(head) : nullptr;
  };
  unsigned cycle = getCarryingLoop(state).cycle;
  bool isOrdered = !cycle || !parted.contain(cycle);
  IterationTiming timing{
      /*isKnown=*/true, state.later,
      state.iteration,  state.left,
      state.remaining,  isOrdered ? state.distance : 0,
      getCircle(cycle)};
  if (state.laterCycle == PathState::kUnknown)
    return timing;
  timing.again = getCircle(state.laterCycle);
  timing.times = state.cycleIteration;
  timing.isKnownInBlocks = !state.laterCycle || timing.again;
  return timing;
}

bool PathHistory::repeat(const ProgramGraph::Edge &edge,
                         PathState &state) const {
  if (state.told && edge.crosses->isAncestor(state.told)) {
    bool isThis = state.told == edge.crosses;
    if (isThis && (state.facts & PathState::IsLast))
      return false;
    state.told = isThis ? state.told : nullptr;
    state.facts = isThis ? PathState::NotFirst : 0;
  }
  unsigned depth =
      llvm::find(loops, Loop{edge.crosses, edge.cycle}) - loops.begin();
  bool isAround = depth < loops.size();
  // A cycle of blocks that the access is not on is no loop around it.
  if (!isAround && edge.cycle)
    return true;
  if (isAround && state.inLast == depth + 1)
    return false;
  // The loops inside begin anew.
  if (state.inLast > depth + 1)
    state.inLast = 0;
  if (isAround)
    repeatAround(depth, state);
  else
    repeatElsewhere(edge.crosses, state);
  return true;
}

/// The loop at `depth` around the access goes on: the outermost that does so
/// carries the hazard, and its iterations are counted.
void PathHistory::repeatAround(unsigned depth, PathState &state) const {
  if (!state.carryingDepth || depth + 1 < state.carryingDepth) {
    state.carryingDepth = depth + 1;
    state.distance = 1;
  } else if (depth + 1 == state.carryingDepth) {
    state.distance = std::min(state.distance + 1, kFar);
  }
}

/// A loop goes on that the path has come to behind the access.
void PathHistory::repeatElsewhere(Operation *loop, PathState &state) const {
  if (state.later == loop) {
    state.iteration = std::min(state.iteration + 1, kFar);
  } else if (!state.later || loop->isAncestor(state.later)) {
    state.later = loop;
    state.iteration = 1;
  }
}

void PathHistory::goAround(const ProgramGraph::Edge &edge,
                           PathState &state) const {
  if (state.laterCycle == PathState::kUnknown)
    return;
  auto isIn = [&](unsigned cycle, unsigned outer) {
    while (cycle && cycle != outer)
      cycle = graph.getCycleAround(cycle);
    return cycle != 0;
  };
  // A way back that is of no cycle, or of one without a head, is of blocks of
  // which nothing is known.
  if (edge.block && edge.crosses &&
      (!edge.cycle || !graph.getCycleHead(edge.cycle))) {
    state.laterCycle = PathState::kUnknown;
    state.cycleIteration = 0;
    return;
  }
  Operation *out =
      edge.leaves ? edge.leaves : (edge.cycle ? nullptr : edge.crosses);
  if (state.laterCycle) {
    // Blocks of an op inside of the cycle are in it as the op is.
    Region *region = graph.getCycleHead(state.laterCycle)->getParent();
    Block *at =
        edge.block ? region->findAncestorBlockInRegion(*edge.block) : nullptr;
    bool isLeft = edge.block
                      ? !at || !isIn(graph.getCycle(at), state.laterCycle)
                      : out && out->isAncestor(region->getParentOp());
    if (isLeft)
      state.laterCycle = state.cycleIteration = 0;
  }
  if (!edge.cycle || !edge.crosses)
    return;
  if (llvm::is_contained(loops, Loop{edge.crosses, edge.cycle})) {
    state.laterCycle = state.cycleIteration = 0;
  } else if (state.laterCycle == edge.cycle) {
    state.cycleIteration = std::min(state.cycleIteration + 1, kFar);
  } else if (!state.laterCycle || isIn(state.laterCycle, edge.cycle)) {
    state.laterCycle = edge.cycle;
    state.cycleIteration = 1;
  }
}

std::optional<unsigned>
PathHistory::getIteration(Operation *loop, const PathState &state) const {
  if (getDepth(loop) < loops.size())
    return std::nullopt;
  if (!state.later || loop->isProperAncestor(state.later))
    return 0;
  if (state.later == loop)
    return state.iteration;
  return std::nullopt;
}

/// What the condition of `edge` tells of the iteration of `loop`. False if it
/// contradicts what another one has told.
static bool learn(const ProgramGraph::Edge &edge, const CountedLoop &loop,
                  PathState &state) {
  auto add = [&](std::optional<bool> value, unsigned fact, unsigned opposite) {
    if (!value)
      return true;
    if (*value != edge.holds)
      std::swap(fact, opposite);
    if (state.told != loop.getOperation()) {
      state.told = loop.getOperation();
      state.facts = 0;
    }
    state.facts |= fact;
    return !(state.facts & opposite);
  };
  return add(getValueAfterFirst(edge.condition, loop), PathState::NotFirst,
             PathState::IsFirst) &&
         (!isNextExact(loop) || add(getValueBeforeLast(edge.condition, loop),
                                    PathState::NotLast, PathState::IsLast));
}

bool PathHistory::passGuard(const ProgramGraph::Edge &edge,
                            const CountedLoop &loop, PathState &state) const {
  std::optional<bool> value;
  if (loop.getOperation() == getCarryingLoop(state).op)
    value = getValueFrom(state.distance, edge.condition, loop);
  else if (std::optional<unsigned> number =
               getIteration(loop.getOperation(), state))
    value = *number == kFar ? getValueFrom(*number, edge.condition, loop)
                            : getValueIn(*number, edge.condition, loop);
  return value.value_or(edge.holds) == edge.holds && learn(edge, loop, state);
}

bool PathHistory::leave(Operation *loop, PathState &state) const {
  if (state.told && loop->isAncestor(state.told)) {
    if (state.told == loop && (state.facts & PathState::NotLast))
      return false;
    state.told = nullptr;
    state.facts = 0;
  }
  if (state.later && loop->isAncestor(state.later)) {
    state.later = nullptr;
    state.iteration = 0;
  }
  unsigned depth = getDepth(loop);
  if (depth == loops.size())
    return true;
  // Not in another execution of that loop.
  if (!state.carryingDepth || state.carryingDepth > depth) {
    state.left = loop;
    state.remaining = state.carryingDepth == depth + 1 ? state.distance : 0;
  }
  if (state.carryingDepth > depth)
    state.carryingDepth = state.distance = 0;
  if (state.inLast > depth)
    state.inLast = 0;
  return true;
}

PartedCycles::PartedCycles(ArrayRef<DivergentBranch> branches,
                           const ProgramGraph &graph)
    : graph(graph) {
  auto isIn = [&](Block *block, unsigned cycle) {
    unsigned around = graph.getCycle(block);
    while (around && around != cycle)
      around = graph.getCycleAround(around);
    return around == cycle;
  };
  // Those on one side of the branch only are of threads that went there alike.
  for (const DivergentBranch &branch : branches)
    for (Block *block : branch.blocks)
      if (graph.beginsCycle(block) &&
          isIn(branch.terminator->getBlock(), graph.getCycle(block)))
        cycles.insert(graph.getCycle(block));
}

bool PartedCycles::contain(unsigned cycle) const {
  while (cycle && !cycles.contains(cycle))
    cycle = graph.getCycleAround(cycle);
  return cycle != 0;
}
