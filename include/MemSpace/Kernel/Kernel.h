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
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_KERNEL_H
#define MEMSPACE_KERNEL_KERNEL_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <array>
#include <optional>

namespace mlir {
namespace memspace {

/// Extents of a block or a grid in the order x, y, z.
using LaunchSizes = std::array<int64_t, 3>;

/// The product of `sizes`; none when one is not positive or it overflows.
std::optional<int64_t> multiplySizes(const LaunchSizes &sizes);

/// Launch shape of a kernel. Every extent is positive. The number of threads in
/// a block fits in 64 bits; of the number of blocks ask
/// multiplySizes().
struct LaunchShape {
  LaunchSizes block = {1, 1, 1};
  /// Absent when the IR does not say.
  std::optional<LaunchSizes> grid;

  /// Threads in one workgroup.
  int64_t getThreads() const { return block[0] * block[1] * block[2]; }
  /// Subgroups of `subgroupSize` threads in one workgroup, the last one perhaps
  /// partial.
  int64_t getSubgroups(int64_t subgroupSize) const {
    return (getThreads() + subgroupSize - 1) / subgroupSize;
  }
};

/// The block size (or grid size) that `func` has as an attribute: the
/// discardable `gpu.known_block_size` or the inherent `known_block_size` of
/// `gpu.func`, whatever it is; null when it has none.
Attribute getBlockSizeAttr(FunctionOpInterface func);
Attribute getGridSizeAttr(FunctionOpInterface func);

/// Sizes of a launch that are given from outside of the IR, by options of a
/// pass. They count where the kernel does not say; empty: not given.
struct LaunchOverrides {
  SmallVector<int64_t> block;
  SmallVector<int64_t> grid;
};

/// The launch shape of `func`. Failure with a diagnostic at `func` when neither
/// it nor `overrides` has a block size, and when a size is malformed: not three
/// extents, one of them not positive, or a product beyond 64 bits.
FailureOr<LaunchShape> getLaunchShape(FunctionOpInterface func,
                                      const LaunchOverrides &overrides = {});

/// True for a function with a body that is a kernel: it has a block size, well
/// or badly formed.
bool isKernel(FunctionOpInterface func);

/// The kernels at or below `root`, outermost first.
SmallVector<FunctionOpInterface> getKernels(Operation *root);

/// Overrides of a target by options of a pass; 0 and "" mean not given.
struct TargetOverrides {
  std::string chip;
  int64_t workgroupLimit = 0;
  int64_t privateLimit = 0;
  int64_t subgroupSize = 0;

  bool isEmpty() const {
    return chip.empty() && !workgroupLimit && !privateLimit && !subgroupSize;
  }
};

/// The target of `kernel`: the chip named in `overrides`, else the target in
/// the IR, else `generic` when at least one number is given; the numbers then
/// override. Failure with a diagnostic at `kernel` when the chip is unknown,
/// when no target is known at all, or when a number is negative.
FailureOr<TargetInfo> resolveTarget(FunctionOpInterface kernel,
                                    const TargetOverrides &overrides);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_KERNEL_H
