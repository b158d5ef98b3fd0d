//===- KernelCost.h - what a finished kernel costs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel moves, waits for and computes, counted on its IR: the loops
/// and guards that its ids decide are evaluated for each thread of a workgroup.
/// And one number of it all, by which configurations of a kernel are compared.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_RETILE_KERNELCOST_H
#define MEMSPACE_RETILE_KERNELCOST_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Layout/WorkgroupBudget.h"
#include "llvm/Support/JSON.h"

namespace mlir {
namespace memspace {

/// What is to be had for the best kernel.
enum class CostObjective {
  /// The least time.
  Balanced,
  /// The fewest bytes from and to global memory.
  Reuse,
  /// The most threads on a compute unit.
  Occupancy,
  /// The fewest bytes of workgroup memory.
  Bytes
};

/// "balanced", "reuse", "occupancy" or "bytes"; none for another name.
std::optional<CostObjective> parseCostObjective(StringRef name);

struct KernelCost {
  /// Of all workgroups, in bytes and in accesses. Elements of vectors count one
  /// each.
  int64_t globalBytes = 0;
  int64_t globalLoads = 0;
  int64_t globalStores = 0;
  int64_t workgroupBytesMoved = 0;
  /// Executed barriers of the workgroup, of all workgroups.
  int64_t barriers = 0;
  /// Ops of the thread that executes the most, in one workgroup.
  int64_t threadOps = 0;
  int64_t workgroups = 1;
  int64_t threads = 1;
  /// Workgroup memory in bytes; workgroups that a compute unit holds.
  int64_t workgroupBytes = 0;
  int64_t occupancy = 1;
  /// peakBytes <= workgroupBytes <= sumBytes: what is live at once, and one
  /// home for each buffer.
  int64_t peakBytes = 0;
  int64_t sumBytes = 0;
  /// Bytes of a thread's own buffers, which are registers as far as they go:
  /// they bound the occupancy, too.
  int64_t privateBytes = 0;
  /// False where a trip count, a condition or the grid was not known: extents
  /// of arguments and numbers count 1024 then, other loops 8 iterations, and
  /// conditions hold.
  bool isExact = true;

  /// Of a kernel on memrefs with thread ids, packed or not. Failure with a
  /// diagnostic as of WorkgroupBudget::compute().
  static FailureOr<KernelCost> compute(const KernelContext &context);
  /// The same of a kernel whose budget is known.
  static KernelCost compute(const KernelContext &context,
                            const WorkgroupBudget &budget);

  /// Cycles, roughly, of a GPU of 100 compute units: what the slowest thread
  /// executes, for each round of workgroups; traffic to global memory at 2000
  /// bytes a cycle, and to workgroup memory at 128 for each unit; 30 for a
  /// barrier. `objective` puts something else first: lower is better.
  /// docs/budget.md has the formula.
  double getWeight(CostObjective objective) const;

  llvm::json::Object toJSON() const;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_RETILE_KERNELCOST_H
