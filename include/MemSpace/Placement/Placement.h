//===- Placement.h - the cheapest barriers that cut every hazard -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Chooses barriers such that on every path from one access to another with
/// which it has a hazard stands one. That is a hitting set over paths: each
/// path is a clause, the slots on it are its elements. Clauses are made only
/// when a candidate leaves a path uncut (implicit hitting sets, Moreno-Centeno
/// and Karp, "The implicit hitting set approach to solve combinatorial
/// optimization problems", 2013), and hazards are asked for only between
/// accesses that a candidate leaves unordered; so straight-line code, where the
/// first candidate is optimal (interval stabbing), takes two passes
/// (docs/rationale.md).
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PLACEMENT_PLACEMENT_H
#define MEMSPACE_PLACEMENT_PLACEMENT_H

#include "MemSpace/Placement/Paths.h"
#include <limits>
#include <memory>

namespace mlir {
namespace memspace {
namespace placement {

/// A hazard that no choice cuts.
struct UncutHazard : PathHazard {
  /// `first` may still be in flight: a wait is missing, not a barrier.
  bool inFlight = false;
};

/// One barrier of a placement.
struct PlacedBarrier {
  /// The node of the slot, and the number of the choice there.
  unsigned slot = kNone;
  unsigned choice = 0;
  /// A hazard that it cuts; one that no other barrier cuts, if there is one,
  /// which is so in an optimal placement.
  PathHazard cuts;
};

/// A choice that is not in a placement, though hazards lie across it.
struct CoveredChoice {
  unsigned slot = kNone;
  unsigned choice = 0;
  PathHazard hazard;
  /// The barrier of the placement that cuts `hazard`.
  unsigned coveredBy = kNone;
};

/// What is found out, while a program's barriers are placed, of the paths from
/// its accesses, whatever the hazards are.
class PathTimings;
std::shared_ptr<PathTimings> makePathTimings(const Program &program);

struct PlacementOptions {
  /// Paths on which no slot lies are errors; otherwise they are left as they
  /// are (for the elimination of barriers from a program, whose hazards may be
  /// ordered by what is not known here).
  bool everyPathCut = true;
  /// After so many candidates, the last one is completed greedily.
  unsigned maxCandidates = 200;
  /// Search nodes of all hitting sets together. Candidates that leave paths
  /// uncut take a small part of them.
  int64_t maxNodes = 20000;
  /// At least the orders that any query about two accesses gives, where that
  /// costs less to say. Asked for pairs that are ordered in part, for example
  /// between the lanes of a subgroup: most need no more. Null: not known.
  llvm::function_ref<Orders(unsigned first, unsigned second)> getMostOrders =
      nullptr;
  /// At least what `getMostOrders` says of an access, as the first, and any
  /// other. One that barriers have ordered so far is done with. Null: not
  /// known.
  llvm::function_ref<Orders(unsigned access)> getMostOrdersOf = nullptr;
  /// Once every placement is known to cost more, the search ends: of the result
  /// only `lowerBound` counts, which is then `cost`, too.
  std::optional<Cost> limit;
  /// Pairs of accesses that are compared, and nodes that searches for paths
  /// visit, for who can do without a placement: after so many there is none.
  int64_t maxWork = std::numeric_limits<int64_t>::max();
  /// Of the same program, for who places its barriers for other hazards, too.
  /// Null: found out anew.
  std::shared_ptr<PathTimings> timings;
};

struct Placement {
  /// By slot.
  std::vector<PlacedBarrier> barriers;
  std::vector<CoveredChoice> covered;
  std::vector<UncutHazard> uncut;
  Cost cost;
  /// No placement costs less.
  Cost lowerBound;
  bool isOptimal = false;
  /// `maxWork` was not enough; nothing else counts.
  bool isGivenUp = false;
};

/// The cheapest placement. Whatever the limits, every hazard path on which a
/// slot lies is cut. Deterministic.
Placement place(const Program &program, HazardQuery getHazard,
                const PlacementOptions &options = {});

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PLACEMENT_PLACEMENT_H
