//===- ExecutionScope.h - who executes an op -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The smallest group of threads that executes an op once together: grid ⊃
/// workgroup ⊃ warpgroup ⊃ subgroup ⊃ thread. A `scf.forall` moves inward by
/// its mapping.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_EXECUTIONSCOPE_H
#define MEMSPACE_KERNEL_EXECUTIONSCOPE_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// What the iterations of a `scf.forall` are distributed over.
struct ForallMapping {
  /// Scope of one iteration: Workgroup, Warpgroup, Subgroup or Thread.
  ExecutionScope scope = ExecutionScope::Thread;
  /// Ids count the lanes of the enclosing subgroup.
  bool lane = false;
  /// All dimensions form one linear id, dimension 0 fastest.
  bool linear = false;
  /// For each dimension of the forall its mapped dimension (0, 1, 2 for
  /// x, y, z, or N for `linear_dim_N`).
  SmallVector<unsigned, 3> dims;
};

/// The mapping of `forall`; none when it has no mapping, or entries that do
/// not implement `ExecutionMappingAttrInterface`, that mix scopes, or that
/// repeat a dimension.
std::optional<ForallMapping> getForallMapping(scf::ForallOp forall);

/// True when `forall` distributes over threads or lanes.
bool isThreadForall(scf::ForallOp forall);
/// True when `op` is a forall that distributes over workgroups.
bool isBlockForall(Operation *op);

/// Iterations of each dimension of `forall`; none when they are not constant,
/// when a step is not positive, or when a number does not fit in 64 bits.
std::optional<SmallVector<int64_t, 3>>
getStaticTripCounts(scf::ForallOp forall);
/// The same for one dimension.
std::optional<int64_t> getStaticTripCount(scf::ForallOp forall, unsigned dim);

/// True for a forall mapped to workgroups of which no workgroup runs more than
/// one iteration. A grid that is not known (none) has a workgroup for each
/// iteration, as the one that `memspace-map-to-threads` records; with fewer,
/// workgroups would run several, one after the other.
bool runsOnceInWorkgroup(scf::ForallOp forall,
                         const std::optional<LaunchSizes> &grid);

/// Warpgroups are four subgroups, as upstream's mapping has it.
inline constexpr int64_t kSubgroupsPerWarpgroup = 4;

/// Scopes of the ops of one kernel. Can be built by `getAnalysis`.
class ExecutionScopeAnalysis {
public:
  /// `root` is a kernel or an op that contains or is inside one.
  explicit ExecutionScopeAnalysis(Operation *root);

  /// The scope that `op` executes in. A forall itself executes in the scope
  /// around it. A kernel body with a block-mapped forall is at grid scope,
  /// otherwise at workgroup scope.
  ExecutionScope getScope(Operation *op) const;
  /// The scope of the ops in the block that owns or defines `value`.
  ExecutionScope getScope(Value value) const;

private:
  DenseMap<Operation *, ExecutionScope> kernelBodyScope;
  /// Of a forall with this mapping and rank, once it was asked for.
  mutable DenseMap<std::pair<Attribute, int64_t>, std::optional<ExecutionScope>>
      scopeOfMapping;
};

/// The innermost `scf.forall` around `op` whose iterations run in `scope`;
/// null when there is none.
scf::ForallOp getEnclosingForall(Operation *op, ExecutionScope scope);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_EXECUTIONSCOPE_H
