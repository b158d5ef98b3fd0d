//===- PassKernels.h - the kernels that a pass works on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the kernels at or below the op of a pass, with the context of each,
/// and says which device code a pass leaves alone. A pass that skipped code
/// silently would seem to have checked it.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_SUPPORT_PASSKERNELS_H
#define MEMSPACE_LIB_TRANSFORMS_SUPPORT_PASSKERNELS_H

#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

/// What the options of a pass say of its kernels, and how it treats them.
struct KernelSelection {
  TargetOverrides target;
  LaunchOverrides launch;
  /// The option `memory-spaces`; empty: as the IR says.
  std::string memorySpaces;
  /// As diagnostics name the pass.
  StringRef pass;
  /// The pass works without a target, too.
  bool targetIsOptional = false;
  /// The pass works on the bodies of `gpu.launch`, too.
  bool entersLaunches = false;
  /// The pass answers for all device code: what it cannot look at is an error,
  /// not a warning.
  bool mustSeeAll = false;
  /// The pass changes nothing that others need: after an error it goes on with
  /// the next kernel.
  bool goesOn = false;
  /// Says nothing where there is no kernel at all: an earlier pass has.
  bool quiet = false;
  /// Says nothing of device code without a block size: the pass does elsewhere.
  bool skipsSilently = false;
  /// If given, is set where attributes get new names (see renameAttributes()).
  bool *renamed = nullptr;
};

/// Gives attributes at or below `root` that still have an old name their new
/// one, with a warning. True when there was one.
bool renameAttributes(Operation *root);

/// Calls `run` for each kernel at or below `root`, in program order, until one
/// fails (unless `goesOn`): functions with a block size; with `launch.block`,
/// kernels without one; with `entersLaunches`, the bodies of `gpu.launch` as
/// functions of their own. Warns (or, with `mustSeeAll`, fails) at each kernel
/// and launch whose block size nobody knows, and warns where there is no kernel
/// at all.
LogicalResult
forEachKernel(Operation *root, const KernelSelection &selection,
              llvm::function_ref<LogicalResult(const KernelContext &)> run);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_SUPPORT_PASSKERNELS_H
