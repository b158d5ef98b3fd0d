//===- ProgramGraph.cpp - where a thread can go next -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramGraph.h"
#include "IR/MLIRVersion.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::memspace;

ProgramGraph::ProgramGraph(const KernelContext &context,
                           llvm::function_ref<bool(Operation *)> isOfInterest)
    : grid(context.getShape().grid), isOfInterest(isOfInterest) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Exit> exits;
  addRegion(kernel.getFunctionBody(), exits);
}

unsigned ProgramGraph::addPoint(Operation *op) {
  points.emplace_back();
  points.back().op = op;
  if (op)
    pointOf[op] = points.size() - 1;
  return points.size() - 1;
}

void ProgramGraph::addEdge(unsigned from, Edge edge) {
  points[from].next.push_back(edge);
  points[edge.target].isJoin |=
      std::exchange(points[edge.target].isReached, true);
  if (edge.crosses && !edge.cycle)
    crossedLoops.insert(edge.crosses);
}

/// The blocks that lie on the way from the entry to `block` in a depth-first
/// walk are open while it is walked; an edge to an open block closes a cycle,
/// and every cycle has one.
ProgramGraph::BlockEdges ProgramGraph::findCycleEdges(Region &region) {
  BlockEdges edges;
  DenseSet<Block *> seen, open;
  SmallVector<std::pair<Block *, unsigned>> path;
  auto enter = [&](Block *block) {
    seen.insert(block);
    open.insert(block);
    path.push_back({block, 0});
  };
  for (Block &root : region) {
    if (!seen.contains(&root))
      enter(&root);
    while (!path.empty()) {
      auto &[block, next] = path.back();
      if (next == block->getNumSuccessors()) {
        open.erase(block);
        path.pop_back();
        continue;
      }
      Block *successor = block->getSuccessor(next++);
      if (open.contains(successor))
        edges.insert({block, successor});
      else if (!seen.contains(successor))
        enter(successor);
    }
  }
  return edges;
}

void ProgramGraph::numberCycles(Region &region, const BlockEdges &cycleEdges) {
  if (region.hasOneBlock() || cycleEdges.empty())
    return;
  DominanceInfo dominance;
  auto leadsToHead = [&](Block *from) {
    return llvm::all_of(from->getSuccessors(), [&](Block *to) {
      return !cycleEdges.contains({from, to}) || dominance.dominates(to, from);
    });
  };
  SmallVector<Block *> inLoops;
  DenseSet<Block *> areInLoops;
  for (auto scc = llvm::scc_begin(&region); !scc.isAtEnd(); ++scc) {
    if (!scc.hasCycle())
      continue;
    if (llvm::all_of(*scc, leadsToHead)) {
      llvm::append_range(inLoops, *scc);
      areInLoops.insert(scc->begin(), scc->end());
      continue;
    }
    cycles.push_back({/*head=*/nullptr, /*around=*/0});
    for (Block *block : *scc)
      cycleOf[block] = cycles.size();
  }
  CFGLoopInfo loops(dominance.getDomTree(&region));
  DenseMap<CFGLoop *, unsigned> numbers;
  for (CFGLoop *loop : loops.getLoopsInPreorder())
    if (areInLoops.contains(loop->getHeader())) {
      cycles.push_back(
          {loop->getHeader(), numbers.lookup(loop->getParentLoop())});
      numbers[loop] = cycles.size();
    }
  for (Block *block : inLoops)
    cycleOf[block] = numbers.lookup(loops.getLoopFor(block));
}

/// Returns the point where the region is entered.
unsigned ProgramGraph::addRegion(Region &region, SmallVectorImpl<Exit> &exits) {
  BlockEdges cycleEdges = findCycleEdges(region);
  numberCycles(region, cycleEdges);
  DenseMap<Block *, unsigned> entries;
  for (Block &block : region)
    entries[&block] = addPoint();
  for (Block &block : region) {
    unsigned point = entries[&block];
    for (Operation &op : block)
      point = addOp(&op, point);
    auto branch = block.empty() ? BranchOpInterface()
                                : dyn_cast<BranchOpInterface>(block.back());
    auto condition = block.empty() ? cf::CondBranchOp()
                                   : dyn_cast<cf::CondBranchOp>(block.back());
    ControlChoice choice =
        ControlChoice::get(block.empty() ? nullptr : &block.back());
    for (auto [index, successor] : llvm::enumerate(block.getSuccessors())) {
      Edge edge{entries[successor]};
      edge.block = successor;
      edge.choice = choice;
      edge.chosen = index;
      if (condition) {
        edge.condition = condition.getCondition();
        edge.holds = index == 0;
      }
      if (branch) {
        SuccessorOperands operands = branch.getSuccessorOperands(index);
        edge.to = successor->getArguments().drop_front(
            operands.getProducedOperandCount());
        edge.from = operands.getForwardedOperands();
      }
      if (cycleEdges.contains({&block, successor})) {
        edge.crosses = region.getParentOp();
        edge.cycle = getCycle(successor);
        cycleBegins.insert(successor);
      }
      addEdge(point, edge);
    }
    if (block.hasNoSuccessors() && !block.empty())
      exits.push_back({&block.back(), point});
  }
  return entries[&region.front()];
}

unsigned ProgramGraph::addOp(Operation *op, unsigned from) {
  if (isControlFlow(op)) {
    // Upstream's interface says of no forall that its body runs again, which it
    // does where a grid is too small. Threads part at those of threads.
    auto forall = dyn_cast<scf::ForallOp>(op);
    std::optional<ForallMapping> mapping =
        forall ? getForallMapping(forall) : std::nullopt;
    if (mapping && mapping->scope == ExecutionScope::Workgroup &&
        !runsOnceInWorkgroup(forall, grid))
      return addUnknownOp(op, from);
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      return addBranchOp(branch, from);
    return addUnknownOp(op, from);
  }
  if (!isOfInterest(op))
    return from;
  unsigned point = addPoint(op);
  addEdge(from, {point});
  return point;
}

/// Returns the point behind the op.
unsigned ProgramGraph::addBranchOp(RegionBranchOpInterface op, unsigned from) {
  DenseMap<Region *, unsigned> entries;
  SmallVector<std::pair<Region *, SmallVector<Exit>>> regions;
  for (Region &region : op->getRegions())
    if (!region.empty()) {
      regions.push_back({&region, {}});
      entries[&region] = addRegion(region, regions.back().second);
    }
  unsigned after = addPoint();
  CountedLoop loop = CountedLoop::get(op);
  std::optional<int64_t> trips = loop ? loop.getTripCount() : std::nullopt;

  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  auto ifOp = dyn_cast<scf::IfOp>(op.getOperation());
  auto forall = dyn_cast<scf::ForallOp>(op.getOperation());
  // A workgroup may have no iteration of it.
  if (forall)
    addEdge(from, {after});
  for (RegionSuccessor &successor : successors) {
    Region *region = successor.getSuccessor();
    if (!region && trips.value_or(0) != 0)
      continue;
    Edge edge{region ? entries.lookup(region) : after};
    edge.to = getSuccessorInputs(op, successor);
    edge.from = op.getEntrySuccessorOperands(successor);
    if (loop) {
      edge.way = region ? Edge::Enter : Edge::Skip;
      edge.of = op;
    }
    edge.choice = ControlChoice::get(op);
    // Without a region: behind an `scf.if`.
    edge.chosen = region ? region->getRegionNumber() : 1;
    if (ifOp) {
      edge.condition = ifOp.getCondition();
      edge.holds = region == &ifOp.getThenRegion();
    }
    addEdge(from, edge);
  }
  for (auto &[region, exits] : regions)
    for (auto [terminator, point] : exits) {
      successors.clear();
      auto exit = dyn_cast<RegionBranchTerminatorOpInterface>(terminator);
      if (exit)
        op.getSuccessorRegions(exit, successors);
      else
        op.getSuccessorRegions(*region, successors);
      if (successors.empty())
        addEdge(point, Edge{after, nullptr, 0, op});
      for (RegionSuccessor &successor : successors) {
        Region *target = successor.getSuccessor();
        Edge edge{target ? entries.lookup(target) : after};
        edge.to = getSuccessorInputs(op, successor);
        if (exit)
          edge.from = exit.getSuccessorOperands(successor);
        if (loop) {
          edge.way = target ? Edge::Repeat : Edge::Leave;
          edge.of = op;
        }
        if (auto condition = dyn_cast<scf::ConditionOp>(terminator)) {
          edge.condition = condition.getCondition();
          edge.holds = target != nullptr;
        }
        if (!target) {
          edge.leaves = op;
          addEdge(point, edge);
          continue;
        }
        // The regions of one iteration come in order.
        bool isNext = target->getRegionNumber() <= region->getRegionNumber();
        if (isNext && trips.value_or(2) < 2)
          continue;
        if (isNext)
          edge.crosses = op;
        addEdge(point, edge);
      }
    }
  return after;
}

/// Its regions may run in any order and number.
unsigned ProgramGraph::addUnknownOp(Operation *op, unsigned from) {
  SmallVector<unsigned> entries;
  SmallVector<Exit> exits;
  for (Region &region : op->getRegions())
    if (!region.empty())
      entries.push_back(addRegion(region, exits));
  unsigned after = addPoint();
  addEdge(from, {after});
  for (unsigned entry : entries)
    addEdge(from, {entry});
  for (auto [terminator, point] : exits) {
    addEdge(point, Edge{after, nullptr, 0, op});
    for (unsigned entry : entries)
      addEdge(point, {entry, op});
  }
  return after;
}
