//===- ThreadRelations.h - can two accesses meet? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides whether two accesses, each executed by some thread in some loop and
/// forall iteration, can touch one element: the question behind alignment
/// (docs/rules.md), own slices and hazards (docs/barriers.md). The accesses and
/// the physical threads that execute them become one system of affine
/// constraints for MLIR's Presburger library. Works on tensor IR with mapped
/// `scf.forall`s and on SPMD code with `gpu.thread_id`.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_THREADS_THREADRELATIONS_H
#define MEMSPACE_THREADS_THREADRELATIONS_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"
#include <memory>

namespace mlir {
class CFGLoop;

namespace memspace {

struct BranchLoop;

/// Which two executions are compared.
enum class ExecutionPair {
  /// Both by one thread.
  SameThread,
  /// By different threads of one workgroup.
  DifferentThreads,
  /// By different threads of one subgroup.
  DifferentLanes,
  /// By threads of one subgroup, which may be one thread.
  SameSubgroup,
  /// By threads of different subgroups of one workgroup.
  DifferentSubgroups,
  /// By threads of different workgroups.
  DifferentWorkgroups,
  /// In different iterations of one `scf.forall`, whatever the thread.
  DifferentIterations
};

struct ExecutionContext;
class ExecutionGuards;
class RelatedAnswers;

/// Two executions that the system of constraints allows.
struct OverlapWitness {
  struct Side {
    std::array<int64_t, 3> thread = {0, 0, 0};
    std::array<int64_t, 3> block = {0, 0, 0};
    /// Of induction variables, arguments and what was loaded, as far as the
    /// access depends on them.
    SmallVector<std::pair<Value, int64_t>> values;
  };
  Side sides[2];
};

/// What is known of the iterations in which two executions are, besides the
/// scope outside which all is equal (docs/rationale.md).
struct IterationTiming {
  /// Numbers from here on stand for this one and all that follow.
  static constexpr unsigned kMany = 4;

  /// Whether something is known of the loops around the second that are not
  /// around the first: it is in the first iteration of those outside `later`,
  /// and in number `iteration`, counted from 0, of `later`. Without `later`, in
  /// the first of each.
  bool isKnown = false;
  Operation *later = nullptr;
  unsigned iteration = 0;

  /// A loop around the first that has been left before the second, and how many
  /// of its iterations, up to kMany, come after that of the first; or null.
  Operation *left = nullptr;
  unsigned remaining = 0;

  /// So many iterations of the scope, a loop, lie between that of the first and
  /// that of the second; 0: not known.
  unsigned distance = 0;
  /// If the scope is an op with blocks: the loop of them whose iterations these
  /// are. It is entered by its header alone, as are those around it, and what
  /// is outside of it is the same for both. The first is in it, the second in
  /// it or behind it, with no iteration of those around it in between.
  const CFGLoop *circle = nullptr;

  /// Whether something is known of the loops of blocks of the kernel's body
  /// around the second, and not around the first: it is in the first iteration
  /// of those around `again`, and in number `times` of `again` (0: not known);
  /// without `again`, in the first of each.
  bool isKnownInBlocks = false;
  const CFGLoop *again = nullptr;
  unsigned times = 0;
  /// The innermost of these loops; null for none.
  const CFGLoop *entered = nullptr;
};

class ThreadRelations {
public:
  /// Whether the control flow of the kernel may change between questions. If it
  /// does not, what has to hold for a block to execute is looked up once.
  enum class ControlFlow { MayChange, IsKept };

  explicit ThreadRelations(const KernelContext &context,
                           ControlFlow controlFlow = ControlFlow::MayChange);

  /// False when it is proved that no execution of `a` and of `b`, related as
  /// `pair` says, touch one common element; true when they may.
  ///
  /// Values defined outside `scope` (a loop, forall, function or null for the
  /// kernel) are the same in both executions, among them the induction
  /// variables of the loops around `scope` and, if `scope` is inside a forall,
  /// that forall's; everything inside is renamed apart, so that different loop
  /// iterations are compared. Block ids are equal unless `pair` is
  /// DifferentWorkgroups. For DifferentIterations `scope` is the forall.
  /// Never fails: what is not affine is unconstrained, and a query over its
  /// budget answers true.
  bool mayOverlap(const ElementAccess &a, const ElementAccess &b,
                  ExecutionPair pair, Operation *scope) const;
  /// The same for a buffer that is fresh in each execution of `instance`:
  /// values of that block and of the blocks around it are equal in both
  /// executions. Null: the kernel.
  bool mayOverlap(const ElementAccess &a, const ElementAccess &b,
                  ExecutionPair pair, Block *instance) const;
  /// The answers for several pairs (not DifferentWorkgroups and not
  /// DifferentIterations), which costs less than one by one. `scope` or
  /// `instance` is null.
  SmallVector<bool> mayOverlap(const ElementAccess &a, const ElementAccess &b,
                               ArrayRef<ExecutionPair> pairs, Operation *scope,
                               Block *instance,
                               IterationTiming timing = {}) const;

  /// Two executions behind the answer true, if the search finds them. Where
  /// values are not constrained it assumes any. `scope` or `instance` is null;
  /// if `scope` is a loop, `a` executes in an earlier iteration than `b`.
  std::optional<OverlapWitness>
  findOverlap(const ElementAccess &a, const ElementAccess &b,
              ExecutionPair pair, Operation *scope, Block *instance) const;

  const KernelContext &getContext() const { return context; }

  /// Constant bounds [first, second) of the indices in `range`, whoever
  /// executes it; none when they are not known.
  std::optional<std::pair<int64_t, int64_t>>
  getBounds(const IndexRange &range) const;

  /// True when it is proved that `value` (an index or an i1) is the same in all
  /// threads of a workgroup, or of each of its subgroups, that compute it in
  /// one iteration of the loops around it.
  bool isUniform(Value value, ExecutionScope scope) const;

  /// True when it is proved that `loop` runs equally often in all threads of a
  /// workgroup, or of each of its subgroups, that come to it in one iteration
  /// of the loops around it, though its bounds differ: from the id of the
  /// thread in steps of the number of threads.
  bool hasEqualTrips(const CountedLoop &loop, ExecutionScope scope) const;

  /// The same of a loop made of branches, where nothing else leaves it.
  bool hasEqualTrips(const BranchLoop &loop, ExecutionScope scope) const;

  /// True when it is proved that every element of `inner` (executed in the
  /// same thread and iteration as `outer`, all values equal) is in `outer`.
  bool isContained(const ElementAccess &inner,
                   const ElementAccess &outer) const;

private:
  ExecutionContext getExecutions(ExecutionPair pair, Operation *scope,
                                 Block *instance) const;

  KernelContext context;
  /// Null: not kept.
  std::shared_ptr<ExecutionGuards> guards;
  /// Of the questions that were asked; copies share them.
  std::shared_ptr<RelatedAnswers> answers;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_THREADS_THREADRELATIONS_H
