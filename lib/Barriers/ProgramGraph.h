//===- ProgramGraph.h - where a thread can go next -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel's control flow, structured and between blocks, as one flat graph of
/// points. Every way that a thread may take is a path; an edge says which loop
/// begins its next iteration on it and which loop it leaves.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_PROGRAMGRAPH_H
#define MEMSPACE_LIB_BARRIERS_PROGRAMGRAPH_H

#include "Kernel/ControlChoice.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {

class ProgramGraph {
public:
  struct Edge {
    unsigned target;
    /// The loop whose next iteration begins here, if any. Blocks with a cycle
    /// between them make the op around them a loop for what is on the cycle.
    Operation *crosses = nullptr;
    /// For a loop of blocks: the number of the cycle.
    unsigned cycle = 0;
    /// The loop that ends here, if any.
    Operation *leaves = nullptr;
    /// The condition that chooses this way, if any, and the value that it has.
    Value condition;
    bool holds = false;
    /// The op that goes this way where its decider chooses it, if any.
    ControlChoice choice;
    unsigned chosen = 0;
    /// What the loop `of` does here, if it is one that counts.
    enum Way { None, Enter, Skip, Repeat, Leave };
    Way way = None;
    Operation *of = nullptr;
    /// These values become those of `from`, one by one.
    ValueRange to = {}, from = {};
    /// The block that a branch leads to.
    Block *block = nullptr;
  };
  struct Point {
    /// Null where paths only meet.
    Operation *op = nullptr;
    /// Some edge leads here; more than one does.
    bool isReached = false, isJoin = false;
    SmallVector<Edge, 2> next;
  };

  /// Ops that are not control flow get a point where `isOfInterest` says so.
  ProgramGraph(const KernelContext &context,
               llvm::function_ref<bool(Operation *)> isOfInterest);

  ArrayRef<Point> getPoints() const { return points; }
  /// Where the kernel begins.
  static constexpr unsigned kEntry = 0;
  /// The point of an op of interest.
  unsigned getPoint(Operation *op) const { return pointOf.lookup(op); }
  /// True for ops that some edge crosses, not by a cycle of blocks: not for
  /// loops that run only once.
  bool isCrossed(Operation *op) const { return crossedLoops.contains(op); }
  /// The number of the innermost cycle of blocks that `block` lies on; 0: of
  /// none. Blocks that lead to each other are one cycle, or, where they are
  /// loops in each other each of which is entered by one block, so many cycles.
  unsigned getCycle(Block *block) const { return cycleOf.lookup(block); }
  /// The number of the one around it in the same region; 0: of none.
  unsigned getCycleAround(unsigned cycle) const {
    return cycles[cycle - 1].around;
  }
  /// The block by which alone it is entered; null if there are several.
  Block *getCycleHead(unsigned cycle) const { return cycles[cycle - 1].head; }
  /// True if another iteration of a loop of blocks begins with `block`.
  bool beginsCycle(Block *block) const { return cycleBegins.contains(block); }

private:
  /// A point where control leaves a region, with the terminator.
  using Exit = std::pair<Operation *, unsigned>;

  unsigned addPoint(Operation *op = nullptr);
  void addEdge(unsigned from, Edge edge);
  using BlockEdges = DenseSet<std::pair<Block *, Block *>>;
  static BlockEdges findCycleEdges(Region &region);
  void numberCycles(Region &region, const BlockEdges &cycleEdges);
  unsigned addRegion(Region &region, SmallVectorImpl<Exit> &exits);
  unsigned addOp(Operation *op, unsigned from);
  unsigned addBranchOp(RegionBranchOpInterface op, unsigned from);
  unsigned addUnknownOp(Operation *op, unsigned from);

  std::optional<LaunchSizes> grid;
  llvm::function_ref<bool(Operation *)> isOfInterest;
  std::vector<Point> points;
  DenseMap<Operation *, unsigned> pointOf;
  DenseSet<Operation *> crossedLoops;
  DenseMap<Block *, unsigned> cycleOf;
  DenseSet<Block *> cycleBegins;
  struct Cycle {
    Block *head;
    unsigned around;
  };
  SmallVector<Cycle> cycles;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_PROGRAMGRAPH_H
