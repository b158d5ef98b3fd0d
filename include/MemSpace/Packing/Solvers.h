//===- Solvers.h - lower bounds and solvers for Packing -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Solvers are functions from a checked problem to a solution that verify()
/// accepts. All are deterministic, the exact one unless a time limit ends it.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PACKING_SOLVERS_H
#define MEMSPACE_PACKING_SOLVERS_H

#include "MemSpace/Packing/Problem.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
namespace memspace {
namespace packing {

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The largest sum of the bytes of buffers that are live at once.
int64_t getPeakLiveBytes(const Problem &problem);

/// The first point in time where `getPeakLiveBytes` are live; none when nothing
/// is ever live.
std::optional<int64_t> getPeakTime(const Problem &problem);

/// A height that no solution goes below: the peak, with the holes that
/// alignment forces.
int64_t getLowerBound(const Problem &problem);

/// The bump layout: every buffer in its own bytes, in order, with its alignment
/// holes. An upper bound: no solver returns more.
Solution bump(const Problem &problem);

//===----------------------------------------------------------------------===//
// Heuristics
//===----------------------------------------------------------------------===//

/// Each buffer, in `order` (a permutation of the indices), at the lowest offset
/// where it fits. May be above the bump layout.
Solution firstFit(const Problem &problem, llvm::ArrayRef<unsigned> order);

/// Largest first, each at the lowest offset where it fits.
Solution greedyBySize(const Problem &problem);

/// The best of first-fit over several orders (size, area, duration, start, and
/// combinations). Once `isOver` says so no order is gone on with; then it may
/// be `bump`.
Solution bestFit(const Problem &problem,
                 llvm::function_ref<bool()> isOver = nullptr);

struct LocalSearchOptions {
  /// A height that need not be improved.
  int64_t enough = 0;
  /// Steps of placing, in all tries together; the only limit by default. The
  /// default is some seconds.
  uint64_t maxSteps = 300'000'000;
  /// Asked now and then.
  llvm::function_ref<bool()> isOver = nullptr;
};

/// First-fit in the orders of `bestFit`, of which the best are mended: the
/// buffers on which a highest one rests form a chain down to offset 0, and one
/// of them that breaks the chain in time is placed earlier. For thousands of
/// buffers: time and memory are about linear in their number.
///
/// To improve an order of first-fit by exchanging what stands at the top with
/// its neighbours below is known from the HillClimb allocator of Arm's Vela
/// compiler and TVM's USMP; that chains deviate from the peak in few places,
/// and that these are to be moved, is ours.
Solution localSearch(const Problem &problem,
                     const LocalSearchOptions &options = {});

//===----------------------------------------------------------------------===//
// Exact
//===----------------------------------------------------------------------===//

struct ExactOptions {
  // Techniques. All are on; each can be switched off so that its worth can be
  // measured. None changes what is proved, only how soon.

  /// Place buffers only in the order of their offsets, so that each way to lie
  /// is met once.
  bool canonical = true;
  /// Give up when the unplaced buffers of a section exceed what is above its
  /// floor.
  bool sectionInference = true;
  /// Search parts that do not depend on each other any more one by one.
  bool decomposition = true;
  /// The tightest part first.
  bool failFirst = true;
  /// Try the buffers by their lowest possible offset.
  bool dynamicOrdering = true;
  /// Try buffers with the same offset by `orderings`, not by index.
  bool staticPreordering = true;
  /// Do not leave a gap in which an unplaced buffer fits.
  bool dominance = true;
  /// No floor is below the offset that was placed last (with `canonical` and
  /// `dynamicOrdering`).
  bool monotonicFloor = true;
  /// The floor of a section is at least the lowest offset that its unplaced
  /// buffers can have.
  bool unallocatedFloor = true;
  /// A buffer with nothing left to come above it is placed in one way only.
  bool hatless = true;
  /// A buffer that was tried at its lowest offset lies above something that is
  /// not yet placed (with `canonical`).
  bool skippedFloor = true;
  /// Remember what was searched in vain, and do not search it again.
  bool memory = true;
  /// Give up when the unplaced buffers of a section, taken alone, do not fit in
  /// any order because of the holes that their alignments need.
  bool stacking = true;
  /// Search the buffers of the tightest section first, and add others when they
  /// do not fit into what is left.
  bool core = true;
  /// Orders of equal candidates, tried in turn with growing shares of nodes:
  /// largest first by (W) duration, (A) duration × bytes, (T) the most live
  /// bytes that the buffer meets.
  llvm::SmallVector<std::string, 3> orderings = {"WAT", "TAW", "TWA"};
  /// Start from `bestFit`.
  bool heuristics = true;

  /// No solution above this is wanted.
  std::optional<int64_t> capacity;
  /// With no minimization the first solution within the capacity is returned.
  bool minimize = true;
  /// Search nodes (and other work, counted as nodes); the only limit by
  /// default, so that results do not depend on the machine. The default is
  /// about a second.
  uint64_t maxNodes = 200'000;
  /// Wall-clock limit in seconds, if any.
  std::optional<double> maxSeconds;
  /// What to do with Problem::costs: among the solutions within the capacity,
  /// the fewest bytes and then the least cost, or the other way round.
  enum class Objective { Bytes, Cost };
  Objective objective = Objective::Bytes;
};

/// A technique of the exact solver that can be switched off.
struct ExactTechnique {
  /// As in C++, for options of tools: "sectionInference".
  llvm::StringRef name;
  bool ExactOptions::*enabled;
};
llvm::ArrayRef<ExactTechnique> getExactTechniques();

struct ExactResult {
  /// The best that was found; none when there is no solution within the
  /// capacity or none was found before a limit.
  std::optional<Solution> solution;
  /// No solution is lower; the gap is `solution->height - lowerBound`.
  int64_t lowerBound = 0;
  /// What `solution` pays.
  int64_t cost = 0;
  /// Proved: `solution` is best by the objective (without minimization: within
  /// the capacity), or, without a solution, that none exists.
  bool proved = false;
  uint64_t nodes = 0;
};

/// Anytime branch and bound (Moffitt, MiniMalloc, ASPLOS 2023).
ExactResult solveExact(const Problem &problem,
                       const ExactOptions &options = {});

/// Buffers that cannot lie within `capacity` together, while each proper subset
/// can (irreducible). Ascending. Empty when all fit. `proved` (may be null) is
/// false when a limit ended a search, so that a smaller subset may do, or all
/// may fit.
llvm::SmallVector<unsigned>
findInfeasibleSubset(const Problem &problem, int64_t capacity,
                     const ExactOptions &options = {}, bool *proved = nullptr);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PACKING_SOLVERS_H
