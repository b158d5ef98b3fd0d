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
#include "MemSpace/Retile/ExecutionCounts.h"
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

/// What it executes, and what it is launched with and takes.
struct KernelCost : ExecutionCounts {
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

  /// Of a kernel on memrefs with thread ids, packed or not. Failure with a
  /// diagnostic as of WorkgroupBudget::compute().
  static FailureOr<KernelCost> compute(const KernelContext &context);
  /// The same of a kernel whose budget is known.
  static KernelCost compute(const KernelContext &context,
                            const WorkgroupBudget &budget);

  /// Cycles, roughly, of a GPU of 132 compute units: what the slowest thread
  /// executes, loads and waits for, for each round of workgroups; what starting
  /// workgroups, and how their accesses fall together, costs the units; and
  /// what is moved. `objective` puts something else first: lower is better.
  /// docs/budget.md has the formula, docs/performance.md how near it comes.
  double getWeight(CostObjective objective) const;

  llvm::json::Object toJSON() const;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_RETILE_KERNELCOST_H
