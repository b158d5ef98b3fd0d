//===- VerifierPaths.h - what a path does to an access ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An access on its way through the kernel, as the verifier follows it: the
/// iterations that loops have begun since, what barriers have ordered, and how
/// far a copy is.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIERPATHS_H
#define MEMSPACE_LIB_BARRIERS_VERIFIERPATHS_H

#include "Hazards/BlockCircles.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "MemSpace/Threads/Uniformity.h"
#include "ProgramGraph.h"
#include "llvm/ADT/Hashing.h"

namespace mlir {
namespace memspace {

/// How far a copy is: no copy or completed, begun, and committed to a group
/// with `flight - kCommitted` groups after it.
inline constexpr unsigned kLanded = 0, kBegun = 1, kCommitted = 2;

/// An access on its way: where it is and what has happened since.
struct PathState {
  unsigned point;
  /// 0: no loop around the access has begun a next iteration; else 1 + the
  /// nesting depth of the outermost that has.
  unsigned carryingDepth = 0;
  /// How many that loop has begun; kFar: so many or more.
  unsigned distance = 0;
  /// The innermost loop around the access whose last iteration it is, as
  /// `carryingDepth`; 0: of none that is known.
  unsigned inLast = 0;
  /// What conditions on the way have told of the iteration of one loop.
  enum Fact : unsigned { IsFirst = 1, NotFirst = 2, IsLast = 4, NotLast = 8 };
  Operation *told = nullptr;
  unsigned facts = 0;
  /// The outermost loop that it has come to since and whose first iteration it
  /// is not in any more.
  Operation *later = nullptr;
  /// How many iterations of that loop have begun after the first.
  unsigned iteration = 0;
  /// The outermost loop around the access that it has left, and how many of its
  /// iterations came after that of the access.
  Operation *left = nullptr;
  unsigned remaining = 0;
  /// As `later` and `iteration`, of cycles of blocks; kUnknown: of none it is
  /// known.
  static constexpr unsigned kUnknown = ~0u;
  unsigned laterCycle = 0;
  unsigned cycleIteration = 0;
  /// What barriers have ordered since.
  unsigned ordered = 0;
  unsigned flight = kLanded;

  auto getKey() const {
    return std::tie(point, carryingDepth, distance, inLast, told, facts, later,
                    iteration, left, remaining, laterCycle, cycleIteration,
                    ordered, flight);
  }
  bool operator==(const PathState &other) const {
    return getKey() == other.getKey();
  }
};

struct PathStateHash {
  size_t operator()(const PathState &state) const {
    return std::apply(
        [](const auto &...fields) { return llvm::hash_combine(fields...); },
        state.getKey());
  }
};

/// Cycles of blocks in an iteration of which threads part, and some begin
/// another one before they come together.
class PartedCycles {
public:
  PartedCycles(ArrayRef<DivergentBranch> branches, const ProgramGraph &graph);
  /// True when threads may have gone in different numbers around `cycle`, or
  /// one around that.
  bool contain(unsigned cycle) const;

private:
  const ProgramGraph &graph;
  DenseSet<unsigned> cycles;
};

/// The loops around one access that may run more than once, outermost first,
/// and what a path from it has been through. Each loop that the path enters,
/// repeats or leaves changes the state by a rule of its own.
class PathHistory {
public:
  PathHistory(Operation *source, const ProgramGraph &graph);

  /// An op, or a cycle of blocks in a region of it, by its number.
  struct Loop {
    Operation *op = nullptr;
    unsigned cycle = 0;
    bool operator==(const Loop &other) const {
      return op == other.op && cycle == other.cycle;
    }
  };
  ArrayRef<Loop> getLoops() const { return loops; }
  /// The loop around the access that has begun another iteration; none if its
  /// op is null.
  Loop getCarryingLoop(const PathState &state) const {
    return state.carryingDepth ? loops[state.carryingDepth - 1] : Loop();
  }

  /// What the path to `state` tells of iterations. Of `parted` cycles threads
  /// are in no order inside, but in one iteration of what is around.
  IterationTiming getTiming(const PathState &state, const PartedCycles &parted,
                            BlockCircles &circles) const;

  /// Another iteration of `edge.crosses` begins. False if it has none.
  bool repeat(const ProgramGraph::Edge &edge, PathState &state) const;
  /// The path takes `edge`, whose condition tells something of the iteration of
  /// `loop`, in which all threads are together. False if that contradicts what
  /// is known of it; else it is known from here on.
  bool passGuard(const ProgramGraph::Edge &edge, const CountedLoop &loop,
                 PathState &state) const;
  /// Which cycles of blocks begin another iteration, or are left.
  void goAround(const ProgramGraph::Edge &edge, PathState &state) const;
  /// `loop` is left. False if that cannot be now.
  bool leave(Operation *loop, PathState &state) const;

private:
  /// Of the outermost loop that `op` is, or that is in its regions.
  unsigned getDepth(Operation *op) const {
    return llvm::find_if(loops,
                         [&](const Loop &loop) { return loop.op == op; }) -
           loops.begin();
  }
  /// The iteration of `loop` that a path inside of it is in, counted from 0, up
  /// to IterationTiming::kMany; none where it is not known.
  std::optional<unsigned> getIteration(Operation *loop,
                                       const PathState &state) const;
  void repeatAround(unsigned depth, PathState &state) const;
  void repeatElsewhere(Operation *loop, PathState &state) const;

  const ProgramGraph &graph;
  SmallVector<Loop> loops;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIERPATHS_H
