//===- BarrierPlacement.h - the barriers that a kernel needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where barriers have to stand so that a kernel is free of races, with the
/// fewest executions (docs/barriers.md). A query: the kernel is not changed.
/// The control flow becomes a placement::Program, whose slots are between any
/// two ops that matter where all threads of a workgroup, or of a subgroup, come
/// together; HazardAnalysis answers what needs an order.
///
/// The answers are about the kernel as it was when they were computed: after a
/// change of the kernel, compute them again.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   BarrierPlacement placement(context, BarrierPlacement::Mode::Insert);
///   for (const NeededBarrier &barrier : placement.getBarriers()) {
///     OpBuilder builder = barrier.getBuilder();
///     if (barrier.scope == ExecutionScope::Workgroup)
///       gpu::BarrierOp::create(builder, barrier.op->getLoc());
///     else
///       SubgroupBarrierOp::create(builder, barrier.op->getLoc());
///   }
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_BARRIERS_BARRIERPLACEMENT_H
#define MEMSPACE_BARRIERS_BARRIERPLACEMENT_H

#include "MemSpace/Barriers/PlacementMode.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Placement/Placement.h"
#include "MemSpace/Threads/Uniformity.h"

namespace mlir {
namespace memspace {

/// Two accesses, as numbers of HazardAnalysis::getAccesses(), and the outermost
/// loop around both that begins another iteration in between (null: none).
struct HazardPath {
  unsigned first = 0;
  unsigned second = 0;
  Operation *carryingLoop = nullptr;
};

/// A barrier that is needed.
struct NeededBarrier {
  /// Placement: the barrier stands before this op. Elimination: the barrier.
  Operation *op = nullptr;
  /// Placement: `op` is a branch, and the barrier stands on the way to its
  /// successor of this number, which other branches lead to as well.
  std::optional<unsigned> successor;
  /// Workgroup or Subgroup.
  ExecutionScope scope = ExecutionScope::Workgroup;
  /// Other than None only with `allowsGuards`; then an `scf.for` is the
  /// innermost loop around `op`.
  IterationGuard guard = IterationGuard::None;
  /// A hazard that it cuts; one that no other barrier of the result cuts, if
  /// there is one, which is so where the result is optimal.
  HazardPath cuts;

  /// Placement: where the barrier is to be created, before `op`, in an `scf.if`
  /// that is made here if it has a guard, or in a block that is made here on
  /// the way to `successor`. With a guard the dialects arith and scf are
  /// needed.
  OpBuilder getBuilder() const;
};

/// A barrier of the kernel that is not needed.
struct RedundantBarrier {
  Operation *op = nullptr;
  /// A hazard across it, if there is one, and the barrier that cuts it, too.
  std::optional<HazardPath> hazard;
  Operation *coveredBy = nullptr;
};

/// A hazard that no barrier can cut.
struct UnsynchronizableHazard : HazardPath {
  /// The first access is a copy that may still be in flight at the second: a
  /// wait is missing.
  bool inFlight = false;
};

class BarrierPlacement : public PlacementCosts {
public:
  using Mode = PlacementMode;

  /// Never fails; what is not understood makes more hazards, or hazards that
  /// are unsynchronizable. `allowsGuards`, for placement: a barrier may stand
  /// under a guard that skips the first or the last iteration of its loop, or
  /// all others, where fewer are executed so.
  BarrierPlacement(const KernelContext &context, Mode mode,
                   bool allowsGuards = false);
  /// Its parts refer to each other.
  BarrierPlacement(const BarrierPlacement &) = delete;
  BarrierPlacement &operator=(const BarrierPlacement &) = delete;

  /// In program order.
  ArrayRef<NeededBarrier> getBarriers() const { return needed; }
  /// Elimination only, in program order.
  ArrayRef<RedundantBarrier> getRedundant() const { return redundant; }
  /// Placement only.
  ArrayRef<UnsynchronizableHazard> getUnsynchronizable() const {
    return unsynchronizable;
  }

  /// What getBarriers() costs, in kCostUnit.
  const placement::Cost &getCost() const { return cost; }
  /// No other choice costs less, by what is known of each pair of accesses.
  /// False where the search, or the execution of loops by numbers, ended at a
  /// limit: all hazards are cut, perhaps by more than would do.
  bool isOptimal() const { return optimal; }

  /// False where loops were not executed by numbers, since the search among
  /// their states took too long; isOptimal() is false then, too.
  bool followsStates() const { return withStates; }

  const HazardAnalysis &getHazards() const { return hazards; }
  const Uniformity &getUniformity() const { return uniformity; }

  /// "RAW on memref<…>: 'op' at …, 'op' at …".
  std::string describe(const HazardPath &path) const;
  /// The same for somebody who asks for many.
  std::string describe(const HazardPath &path, AsmState &names) const;

private:
  void guard(const KernelContext &context);

  ThreadRelations relations;
  Uniformity uniformity;
  HazardAnalysis hazards;
  std::vector<NeededBarrier> needed;
  std::vector<RedundantBarrier> redundant;
  std::vector<UnsynchronizableHazard> unsynchronizable;
  placement::Cost cost;
  bool optimal = false;
  bool withStates = true;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_BARRIERS_BARRIERPLACEMENT_H
