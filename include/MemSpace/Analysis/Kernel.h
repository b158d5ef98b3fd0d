//===- Kernel.h - what a kernel is -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel is a `FunctionOpInterface` op with a body and a launch shape:
/// upstream's `gpu.known_block_size` and, optionally, `gpu.known_grid_size`.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_KERNEL_H
#define MEMSPACE_ANALYSIS_KERNEL_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <array>
#include <optional>

namespace mlir {
namespace memspace {

/// Launch shape of a kernel, dimensions in the order x, y, z.
struct LaunchShape {
  std::array<int64_t, 3> block = {1, 1, 1};
  /// Absent when the IR does not say.
  std::optional<std::array<int64_t, 3>> grid;

  /// Threads in one workgroup.
  int64_t getThreads() const { return block[0] * block[1] * block[2]; }
  /// Subgroups of `subgroupSize` threads in one workgroup, the last one perhaps
  /// partial.
  int64_t getSubgroups(int64_t subgroupSize) const {
    return (getThreads() + subgroupSize - 1) / subgroupSize;
  }
};

/// The launch shape of `func`, or none when it has no block size. Accepts the
/// discardable `gpu.known_block_size` of `func.func` and the inherent
/// `known_block_size` of `gpu.func`.
std::optional<LaunchShape> getLaunchShape(FunctionOpInterface func);

/// True for a function with a body that is a kernel: it has a block size.
bool isKernel(FunctionOpInterface func);

/// The kernels at or below `root`, outermost first.
SmallVector<FunctionOpInterface> getKernels(Operation *root);

/// Overrides of a target by options of a pass; 0 and "" mean not given.
struct TargetOverrides {
  std::string chip;
  int64_t workgroupLimit = 0;
  int64_t privateLimit = 0;
  int64_t subgroupSize = 0;
};

/// The target of `kernel`: the chip named in `overrides`, else the target in
/// the IR, else `generic` when at least one number is given; the numbers then
/// override. Failure with a diagnostic at `kernel` when the chip is unknown,
/// when no target is known at all, or when a number is negative.
FailureOr<TargetInfo> resolveTarget(FunctionOpInterface kernel,
                                    const TargetOverrides &overrides);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ANALYSIS_KERNEL_H
