//===- LaunchKernel.h - the body of a launch as a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels are functions for every analysis. The body of a `gpu.launch` becomes
/// one for as long as a pass looks at it, and goes back afterwards.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_SUPPORT_LAUNCHKERNEL_H
#define MEMSPACE_LIB_TRANSFORMS_SUPPORT_LAUNCHKERNEL_H

#include "MemSpace/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir {
namespace memspace {

class LaunchKernel {
public:
  /// Moves the body of `launch` into a function in its place, with the constant
  /// sizes of the launch. What the body takes from outside become arguments:
  /// memory behind different ones must not overlap, so views, constants and
  /// what else has no effect is computed in the function again. The func
  /// dialect must be loaded.
  explicit LaunchKernel(gpu::LaunchOp launch);
  /// Moves the body back, as it is now. The attributes of our dialect on the
  /// function go to the launch.
  ~LaunchKernel();

  LaunchKernel(const LaunchKernel &) = delete;
  LaunchKernel &operator=(const LaunchKernel &) = delete;

  FunctionOpInterface getKernel() { return func; }

private:
  void nameSizes();
  void nameAttributions();
  void captureOperands();
  void name(BlockArgument arg, Operation *op);

  gpu::LaunchOp launch;
  func::FuncOp func;
  /// Ops that stand for arguments of the launch's body, with their numbers.
  SmallVector<std::pair<Operation *, unsigned>> names;
  /// Ops of the host that are computed in the body again, operands first.
  SmallVector<Operation *> clones;
  /// What arguments of the function and results of `clones` stand for.
  DenseMap<Value, Value> originals;
};

/// The block size of `launch` where its operands are constants; none else.
std::optional<LaunchSizes> getStaticBlockSize(gpu::LaunchOp launch);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_SUPPORT_LAUNCHKERNEL_H
