//===- Uniformity.h - what is the same in all threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For SPMD code, over which threads the values and the control flow of a
/// kernel are the same: a barrier may stand only where all threads of a
/// workgroup come together. A load at a uniform address of shared memory is
/// uniform if the kernel is free of races, which placement assumes
/// (docs/rationale.md); private memory is uniform if all that is stored there
/// is.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_THREADS_UNIFORMITY_H
#define MEMSPACE_THREADS_UNIFORMITY_H

#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

/// A branch between blocks at which threads part.
struct DivergentBranch {
  Operation *terminator;
  /// Over which threads they go the same way.
  ExecutionScope scope;
  /// Where they are until they come together again.
  SetVector<Block *> blocks;
};

class Uniformity {
public:
  /// `relations` are of the same kernel and must live as long.
  Uniformity(const KernelContext &context, const ThreadRelations &relations);
  Uniformity(const Uniformity &) = delete;
  Uniformity &operator=(const Uniformity &) = delete;

  /// The largest of workgroup, subgroup and thread over which the value is
  /// known to be the same.
  ExecutionScope getScope(Value value) const;

  /// True when threads of a workgroup in which `equal` are the same, which need
  /// not be uniform, have the same `value`: it is computed from them and from
  /// what is uniform, or read at a place that is.
  bool isSameWhere(Value value, ValueRange equal) const;

  /// Over which threads the regions of `op` are entered together, given that
  /// `op` is: Workgroup for what no thread-dependent condition decides.
  ExecutionScope getEntryScope(Operation *op) const;

  /// The same for all that is in the regions, apart from inner ops with
  /// regions: Thread for a region of several blocks, in which each op has its
  /// own reach scope.
  ExecutionScope getControlScope(Operation *op) const;

  /// Over which threads `block` is reached together, given that its region is.
  /// `cause`, if given, is set to the terminator at which they part.
  ExecutionScope getBlockScope(Block *block, Operation **cause = nullptr) const;

  /// All branches between blocks at which threads part.
  ArrayRef<DivergentBranch> getDivergentBranches() const { return branches; }

  /// Over which threads `op` is reached together: the narrowest of the entry
  /// and block scopes around it. `cause`, if given, is set to the op that
  /// decides: one with regions, or a terminator.
  ExecutionScope getReachScope(Operation *op,
                               Operation **cause = nullptr) const;

private:
  struct BlockScope {
    ExecutionScope scope = ExecutionScope::Workgroup;
    Operation *cause = nullptr;
    /// Some threads may come here again before the others come along.
    bool isRepeated = false;
  };

  /// What an op passes on, and is asked for in each round.
  struct Step {
    Operation *op;
    /// Of its results, whatever the operands are.
    ExecutionScope least = ExecutionScope::Workgroup;
    /// Through these operands it may store into memory of one thread.
    SmallVector<Value, 0> stored = {};
    /// If given, what passes between its several blocks, and not what `op`
    /// does.
    Region *region = nullptr;
    /// It says what its regions pass on; else whether it repeats them.
    bool isBranch = false;
    bool isLoop = false;
  };

  void collectSteps();
  void addStep(Operation *op);
  bool update(const Step &step);
  bool updateBranch(RegionBranchOpInterface op);
  bool updateBlocks(Region &region);
  bool part(Block *block, Block *meeting, ExecutionScope scope);
  bool passArguments(Operation *terminator);
  ExecutionScope getBranchScope(Operation *terminator) const;
  bool dependsOnIteration(Value value) const;
  bool raise(Value value, ExecutionScope scope);
  bool raiseStored(const Step &step, ExecutionScope scope);
  ExecutionScope join(ValueRange values) const;
  bool readsMemory(Value value) const;
  ExecutionScope refine(Value value) const;
  ExecutionScope refineAll(ArrayRef<Value> values) const;
  ExecutionScope refineTrips(Operation *op, ArrayRef<Value> deciding) const;

  bool mayReadPrivate(Operation *op) const;

  FunctionOpInterface kernel;
  KernelContext context;
  const ThreadRelations &relations;
  mutable DominanceInfo dominance;
  PostDominanceInfo postDominance;
  std::vector<Step> steps;
  /// True when a step may hang on a later one.
  bool hasWaysBack = false;
  DenseMap<Value, ExecutionScope> scopes;
  DenseMap<Block *, BlockScope> blockScopes;
  SmallVector<DivergentBranch> branches;
  /// Results that differ from iteration to iteration of a cycle that threads
  /// leave one by one.
  DenseSet<Value> iterationValues;
  mutable DenseMap<Value, bool> reading;
  mutable DenseMap<Value, ExecutionScope> refined;
  mutable DenseMap<Operation *, ExecutionScope> refinedTrips;
  /// Of the running query.
  mutable unsigned depth = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_THREADS_UNIFORMITY_H
