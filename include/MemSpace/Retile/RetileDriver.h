//===- RetileDriver.h - the best configuration that fits -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tries configurations of a kernel: a callback makes the kernel of each on a
/// clone, the kernel pipeline decides about its memory and its barriers, and
/// the cheapest of those that fit the target wins. The tiling is anybody's;
/// ours is in MemSpace/Transforms/TileKernel.h.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_RETILE_RETILEDRIVER_H
#define MEMSPACE_RETILE_RETILEDRIVER_H

#include "MemSpace/Retile/KernelCost.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace memspace {

/// What became of one configuration.
struct RetileAttempt {
  /// As the caller named it.
  std::string configuration;
  /// Of a kernel that fits.
  std::optional<KernelCost> cost;
  double weight = 0;
  /// Why there is none: the first error.
  std::string refusal;
  /// The buffers of workgroup memory where most bytes are live, largest first,
  /// as text; also of a kernel that has too many.
  std::vector<std::string> peakBuffers;
  /// No layout can hold what is live at once.
  bool isInfeasible = false;
  /// The attempt, infeasible, for whose sake this one was not made.
  std::optional<unsigned> excludedBy;
};

/// What was tried for a kernel. Says the same in each run.
struct RetileRecord {
  std::string kernel;
  std::string chip;
  /// In the order of the configurations.
  std::vector<RetileAttempt> attempts;
  /// Of the cheapest attempt that fits, the first of equals; none if none fits.
  std::optional<unsigned> best;

  llvm::json::Value toJSON() const;
};

/// Makes a kernel of `function` by configuration `number`, as far as the input
/// of the kernel pipeline. Failure with a diagnostic where that cannot be. Is
/// called by several threads at a time, if the context has threads, each with a
/// function in a module of its own.
using MakeKernelFn =
    llvm::function_ref<LogicalResult(func::FuncOp function, unsigned number)>;

/// The kernel of configuration `larger` holds the buffers of the one of
/// `smaller`, all as large or larger: if no layout holds these, none holds
/// those.
using ContainsFn = llvm::function_ref<bool(unsigned smaller, unsigned larger)>;

/// Tries all `configurations` of `function` on clones, of which nothing
/// remains, several at a time if the context has threads; the record does not
/// depend on that. `options` are those of the kernel pipeline, and name the
/// target unless the IR does. Diagnostics of the attempts go to the record.
/// By `contains`, if given, configurations are not made that an infeasible one
/// excludes, unless nothing else fits. Failure with a diagnostic where the
/// target is not known.
FailureOr<RetileRecord>
retile(func::FuncOp function, ArrayRef<std::string> configurations,
       MakeKernelFn makeKernel, const KernelPipelineOptions &options,
       CostObjective objective, ContainsFn contains = {});

/// The way of an untiled function to kernels on memrefs that fit the target
/// (`memspace-compile-pipeline`).
struct CompilePipelineOptions : public KernelPipelineOptions {
  Option<std::string> fitObjective{
      *this, "fit-objective",
      llvm::cl::desc("What the best configuration of a kernel has: 'balanced', "
                     "'reuse', 'occupancy' or 'bytes'"),
      llvm::cl::init("balanced")};
  Option<std::string> record{
      *this, "record",
      llvm::cl::desc(
          "File of the chosen configurations: applied where it names "
          "a kernel, and written anew")};
};
void buildCompilePipeline(OpPassManager &pm,
                          const CompilePipelineOptions &options);

/// Registers `memspace-compile-pipeline`.
void registerCompilePipeline();

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_RETILE_RETILEDRIVER_H
