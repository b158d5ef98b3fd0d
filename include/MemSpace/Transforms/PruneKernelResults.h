//===- PruneKernelResults.h - outputs of kernels that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel computes for nobody can be seen only with all that launches
/// it. This is where a module with a host and kernels loses it, before anything
/// is decided about memory.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_PRUNEKERNELRESULTS_H
#define MEMSPACE_TRANSFORMS_PRUNEKERNELRESULTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace memspace {

/// Removes results of functions that no call uses, and memory that functions
/// write and nobody reads: arguments, what is computed for them only, and their
/// allocations. Goes on until nothing is left to remove; kernels without an
/// effect go with their launches. Only functions of which the module has all
/// `func.call`s and `gpu.launch_func`s change their signatures. The gpu and the
/// tensor dialect must be loaded.
///
/// Failure with a diagnostic where a function has no meaning (checkInput);
/// nothing is changed then. docs/rules.md, "Outputs that nobody reads", says
/// what is kept.
LogicalResult pruneKernelResults(ModuleOp module);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_PRUNEKERNELRESULTS_H
