//===- BlockProgram.cpp - blocks as part of a program for placement -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierProgram.h"
#include "BlockWeights.h"
#include "GuardShares.h"
#include "Hazards/BlockCircles.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;
using placement::kNone;

/// The loops that blocks of a region make. All of them are in one of unknown
/// structure, of which what leads back begins another iteration where it is not
/// one of a loop that is understood (BlockCircles).
///
/// What has been around in a loop and has left it is in one iteration of the
/// loop around it still; that is a loop as well, whose iterations never end:
/// what blocks compute may have changed.
class BarrierProgram::BlockLoops {
public:
  BlockLoops(BarrierProgram &builder, Region &region, const Context &context);

  ArrayRef<Block *> getOrder() const { return order; }
  bool isReached(Block *block) const { return position.contains(block); }
  /// How the code of the block is executed, once for each of its executions.
  Context getContext(Block *block) const;
  /// The iteration that `block` is in.
  unsigned getLoop(Block *block) const {
    return getIteration(getCircle(block));
  }
  /// The outermost loop around `block` in which threads part: null for none.
  const CFGLoop *getPartedCircle(Block *block) const;
  /// What threads do side by side in that loop: in one iteration of what is
  /// around, and in any of the loop.
  unsigned getMeeting(const CFGLoop *circle) const {
    return meetings.lookup(circle);
  }
  const CFGLoop *getCircle(Block *block) const {
    return builder.hazards.getBlockCircles().get(block);
  }
  bool isBefore(Block *a, Block *b) const {
    return position.lookup(a) < position.lookup(b);
  }
  /// From the end of `from`, at node `end`, to its successor of that number,
  /// which begins at node `begin`. `weight`: how often control goes there.
  void addEdge(Block *from, unsigned end, unsigned successor, unsigned begin,
               int64_t weight);

  unsigned getIteration(const CFGLoop *circle) const {
    return iterations.lookup(circle);
  }

private:
  bool hasSlot(Block *from, Block *to) const;

  BarrierProgram &builder;
  ExecutionScope level;
  Context whole;
  SmallVector<Block *> order;
  DenseMap<Block *, unsigned> position;
  /// Of each loop, and of none, the one around all blocks.
  DenseMap<const CFGLoop *, unsigned> numbers, iterations;
  /// Of outermost loops in which threads part.
  DenseMap<const CFGLoop *, unsigned> meetings;
};

BarrierProgram::BlockLoops::BlockLoops(BarrierProgram &builder, Region &region,
                                       const Context &context)
    : builder(builder), level(context.level),
      whole(builder.enterLoop(region.getParentOp(), context)) {
  Operation *op = region.getParentOp();
  numbers[nullptr] = whole.loop;
  iterations[nullptr] = builder.addLoop(
      {op, /*circle=*/nullptr, /*isIteration=*/true}, whole.loop);
  llvm::append_range(order, llvm::ReversePostOrderTraversal<Region *>(&region));
  for (const DivergentBranch &branch :
       builder.uniformity.getDivergentBranches()) {
    if (branch.terminator->getParentRegion() != &region)
      continue;
    for (Block *block : branch.blocks)
      if (const CFGLoop *circle = getCircle(block);
          circle && circle->getHeader() == block) {
        builder.partedLoops.insert(circle);
        // In others threads are that have gone there alike.
        if (circle->contains(branch.terminator->getBlock()))
          builder.unorderedLoops.insert(circle);
      }
  }
  for (auto [number, block] : llvm::enumerate(order)) {
    position[block] = number;
    // A header comes before what is in its loop, and before loops in that.
    const CFGLoop *circle = getCircle(block);
    if (!circle || circle->getHeader() != block)
      continue;
    unsigned around = getIteration(circle->getParentLoop());
    if (getPartedCircle(block) == circle)
      around = meetings[circle] = builder.addLoop(
          {op, circle, /*isIteration=*/false, /*isMeeting=*/true}, around,
          around);
    numbers[circle] = builder.addLoop({op, circle}, around, around);
    iterations[circle] = builder.addLoop({op, circle, /*isIteration=*/true},
                                         numbers[circle], around);
  }
}

const CFGLoop *BarrierProgram::BlockLoops::getPartedCircle(Block *block) const {
  const CFGLoop *outermost = nullptr;
  for (const CFGLoop *circle = getCircle(block); circle;
       circle = circle->getParentLoop())
    if (builder.partedLoops.contains(circle))
      outermost = circle;
  return outermost;
}

BarrierProgram::Context
BarrierProgram::BlockLoops::getContext(Block *block) const {
  Context own = whole;
  own.loop = getLoop(block);
  own.level = std::max(level, builder.uniformity.getBlockScope(block));
  return own;
}

/// True where a barrier may stand between two blocks that is neither at the end
/// of the one nor at the beginning of the other: as on the way back of a loop
/// that decides at its end.
bool BarrierProgram::BlockLoops::hasSlot(Block *from, Block *to) const {
  Operation *branch = from->getTerminator();
  return isa<cf::CondBranchOp, cf::SwitchOp>(branch) &&
         !to->getSinglePredecessor() &&
         builder.uniformity.getScope(branch->getOperand(0)) <=
             ExecutionScope::Workgroup;
}

void BarrierProgram::BlockLoops::addEdge(Block *from, unsigned end,
                                         unsigned successor, unsigned begin,
                                         int64_t weight) {
  Block *to = from->getSuccessor(successor);
  unsigned crosses = kNone;
  if (!isBefore(from, to))
    crosses = numbers.lookup(getCircle(to));
  // Loops are left one by one.
  const CFGLoop *left = getCircle(from);
  while (left && !left->contains(to)) {
    left = left->getParentLoop();
    if (!left || left->contains(to))
      break;
    unsigned next = builder.program.addNode(getIteration(left));
    builder.program.addEdge(end, next);
    end = next;
  }
  if (hasSlot(from, to)) {
    Context context = getContext(from);
    const CFGLoop *circle = getCircle(to);
    context.loop =
        getIteration(circle && circle->contains(from) ? circle : left);
    context.weight = weight;
    builder.exits = {end};
    builder.addSlot(from->getTerminator(), context, successor);
    end = builder.exits.front();
  }
  builder.program.addEdge(end, begin, crosses);
}

IterationTiming BarrierProgram::getTiming(unsigned first, unsigned carryingLoop,
                                          placement::PathTiming timing) const {
  const CFGLoop *circle =
      carryingLoop == kNone ? nullptr : loops[carryingLoop].circle;
  if (carryingLoop != kNone && loops[carryingLoop].isIteration) {
    // The loop in it that the access is in, and that has been left: what is
    // outside of that has not been computed anew.
    Operation *op = hazards.getAccesses()[getAccess(first)].op;
    while (op->getParentOp() != loops[carryingLoop].op)
      op = op->getParentOp();
    const CFGLoop *inner = hazards.getBlockCircles().get(op->getBlock());
    while (inner && inner->getParentLoop() != circle)
      inner = inner->getParentLoop();
    circle = inner ? inner : circle;
    timing.distance = 0;
  }
  // Threads that have parted are in one iteration of what is around, but not in
  // any order inside.
  if (carryingLoop != kNone && loops[carryingLoop].isMeeting)
    timing.distance = 0;
  for (const CFGLoop *loop = circle; loop; loop = loop->getParentLoop())
    if (unorderedLoops.contains(loop))
      timing.distance = 0;
  IterationTiming result{timing.isKnown,
                         getLoop(timing.later),
                         timing.iteration,
                         getLoop(timing.left),
                         timing.remaining,
                         timing.distance,
                         circle};
  if (timing.later == kNone) {
    result.isKnownInBlocks = timing.isKnown;
    return result;
  }
  const Loop &later = loops[timing.later];
  // Of another op inside of blocks all loops of these are around it.
  result.isKnownInBlocks =
      timing.isKnown && (later.circle || later.op != hazards.getKernel());
  result.again = later.circle;
  result.times = later.isMeeting ? 0 : timing.iteration;
  return result;
}

/// How often control goes from a place that it comes to so often to one of
/// those behind it, by how often it comes to these: what goes nowhere else.
static int64_t getEdgeWeight(int64_t weight, ArrayRef<int64_t> others) {
  for (int64_t other : others)
    weight -= std::min(other, weight / 2);
  return std::max<int64_t>(weight, 1);
}

void BarrierProgram::buildBlocks(Region &region, const Context &context) {
  if (ArrayRef<ControlStates::BlockVisit> visits = states.visit(region, state);
      !visits.empty())
    return buildVisits(region, visits, context);
  BlockLoops blockLoops(*this, region, context);
  DenseMap<Block *, int64_t> weights =
      getBlockWeights(region, context.weight, dominance);
  DenseMap<Block *, unsigned> begin, end;
  unsigned outer = state;
  for (Block *block : blockLoops.getOrder())
    begin[block] = program.addNode(blockLoops.getLoop(block));
  connect(begin[&region.front()]);
  Exits left;
  for (Block *block : blockLoops.getOrder()) {
    Context own = blockLoops.getContext(block);
    own.weight = weights[block];
    exits = {begin[block]};
    state = outer;
    continueFrom(build(*block, own, getStrand()));
    end[block] = addJoinIfMany(own);
    for (auto [index, to] : llvm::enumerate(block->getSuccessors())) {
      SmallVector<int64_t> others;
      for (auto [otherIndex, other] : llvm::enumerate(block->getSuccessors()))
        if (otherIndex != index)
          others.push_back(weights[other]);
      blockLoops.addEdge(block, end[block], index, begin[to],
                         getEdgeWeight(weights[block], others));
    }
    if (block->hasNoSuccessors())
      left.push_back(end[block]);
  }
  // Where threads have parted they run side by side.
  for (const DivergentBranch &branch : uniformity.getDivergentBranches()) {
    if (branch.terminator->getParentRegion() != &region)
      continue;
    SmallVector<PartedBlock> parted;
    for (Block *block : branch.blocks)
      if (blockLoops.isReached(block))
        parted.push_back({block, begin[block], end[block]});
    connectParted(parted, blockLoops);
  }
  exits = left;
  addJoin(context);
}

/// Some threads are in one of the blocks while others are in another one. Each
/// thread comes to each block once at most: as to regions of one op, one after
/// the other. In a loop in which they part it comes there again.
void BarrierProgram::connectParted(MutableArrayRef<PartedBlock> blocks,
                                   const BlockLoops &blockLoops) {
  llvm::stable_sort(blocks, [&](const PartedBlock &a, const PartedBlock &b) {
    return blockLoops.isBefore(a.block, b.block);
  });
  DenseMap<const CFGLoop *, unsigned> meetings;
  unsigned hub = kNone;
  // What comes next, from one node to another.
  auto add = [&](unsigned begin, unsigned end, unsigned loop) {
    unsigned next = program.addNode(loop);
    if (hub != kNone) {
      program.addEdge(hub, begin);
      program.addEdge(hub, next);
    }
    program.addEdge(end, next);
    hub = next;
  };
  for (const PartedBlock &parted : blocks) {
    const CFGLoop *circle = blockLoops.getPartedCircle(parted.block);
    if (!circle) {
      add(parted.begin, parted.end, blockLoops.getLoop(parted.block));
      continue;
    }
    unsigned meeting = blockLoops.getMeeting(circle);
    auto [it, isNew] = meetings.try_emplace(circle);
    if (isNew) {
      it->second = program.addNode(meeting);
      const CFGLoop *around = circle->getParentLoop();
      add(it->second, it->second, blockLoops.getIteration(around));
    }
    program.addEdge(parted.end, it->second, meeting);
    program.addEdge(it->second, parted.begin, meeting);
  }
}

/// How often each of `visits` is executed if the region is entered `weight`
/// times. Where there is no way back, once; the visits of the head of a loop
/// together as often as the block by a guess, less those; and from there on as
/// control goes, which the states know better than any guess for the blocks.
static SmallVector<int64_t>
getVisitWeights(Region &region, ArrayRef<ControlStates::BlockVisit> visits,
                int64_t weight, DominanceInfo &dominance) {
  DenseMap<Block *, int64_t> ofBlocks =
      getBlockWeights(region, weight, dominance);
  DenseMap<Block *, unsigned> position;
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (auto [number, block] : llvm::enumerate(order))
    position[block] = number;
  DenseMap<Block *, int64_t> onCircle, left = ofBlocks;
  for (const ControlStates::BlockVisit &visit : visits)
    if (visit.circle != ControlStates::kNone)
      ++onCircle[visit.block];
    else
      left[visit.block] -= weight;
  SmallVector<unsigned> sorted(visits.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  llvm::stable_sort(sorted, [&](unsigned a, unsigned b) {
    return position[visits[a].block] < position[visits[b].block];
  });
  SmallVector<int64_t> weights(visits.size(), 0);
  for (unsigned number : sorted) {
    const ControlStates::BlockVisit &visit = visits[number];
    Block *block = visit.block;
    bool isHead = llvm::any_of(block->getPredecessors(), [&](Block *from) {
      return position.contains(from) && position[block] <= position[from];
    });
    if (visit.circle == ControlStates::kNone)
      weights[number] = weight;
    else if (isHead || weights[number] == 0)
      weights[number] = left[block] / onCircle[block];
    int64_t rest = weights[number] = std::max<int64_t>(weights[number], 1);
    // A block that only this one leads to has its part of the guess.
    SmallVector<unsigned, 2> joins;
    for (auto [successor, to] : visit.next) {
      Block *next = visits[to].block;
      if (position[next] <= position[block])
        continue;
      if (visit.next.size() > 1 && !next->getSinglePredecessor()) {
        joins.push_back(to);
        continue;
      }
      int64_t part = weights[number];
      if (visit.next.size() > 1)
        part = GuardShare{ofBlocks[next], std::max<int64_t>(ofBlocks[block], 1)}
                   .take(part, /*holds=*/true);
      weights[to] += part;
      rest -= part;
    }
    for (unsigned to : joins)
      weights[to] += std::max<int64_t>(rest / int64_t(joins.size()), 0);
  }
  return weights;
}

/// The same for blocks that are executed by numbers.
void BarrierProgram::buildVisits(Region &region,
                                 ArrayRef<ControlStates::BlockVisit> visits,
                                 const Context &context) {
  unsigned outer = state;
  BlockLoops blockLoops(*this, region, context);
  SmallVector<unsigned> begin, end;
  for (const ControlStates::BlockVisit &visit : visits)
    begin.push_back(program.addNode(blockLoops.getLoop(visit.block)));
  connect(begin.front());
  SmallVector<int64_t> weights =
      getVisitWeights(region, visits, context.weight, dominance);
  Exits left;
  for (auto [number, visit] : llvm::enumerate(visits)) {
    Context own = blockLoops.getContext(visit.block);
    own.weight = weights[number];
    exits = {begin[number]};
    state = visit.begin;
    continueFrom(build(*visit.block, own, getStrand()));
    end.push_back(addJoinIfMany(own));
    if (visit.block->hasNoSuccessors())
      left.push_back(end.back());
  }
  for (auto [number, visit] : llvm::enumerate(visits))
    for (auto [successor, to] : visit.next) {
      SmallVector<int64_t> others;
      for (auto [otherSuccessor, other] : visit.next)
        if (other != to)
          others.push_back(weights[other]);
      blockLoops.addEdge(visit.block, end[number], successor, begin[to],
                         getEdgeWeight(weights[number], others));
    }
  // Where threads have parted they run side by side, in what follows one visit
  // of the branch.
  for (const DivergentBranch &branch : uniformity.getDivergentBranches()) {
    if (branch.terminator->getParentRegion() != &region)
      continue;
    for (auto [number, visit] : llvm::enumerate(visits)) {
      if (visit.block->getTerminator() != branch.terminator)
        continue;
      SmallVector<PartedBlock> parted;
      auto work = llvm::to_vector<8>(visit.next);
      DenseSet<unsigned> seen;
      while (!work.empty()) {
        unsigned to = work.pop_back_val().second;
        if (!branch.blocks.contains(visits[to].block) ||
            !seen.insert(to).second)
          continue;
        parted.push_back({visits[to].block, begin[to], end[to]});
        work.append(visits[to].next);
      }
      connectParted(parted, blockLoops);
    }
  }
  state = outer;
  exits = left;
  addJoin(context);
}
