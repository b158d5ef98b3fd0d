//===- HostLaunches.h - calls of kernels by the host -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function of the host launches a kernel that is still a function by a
/// `func.call`. When the kernel is outlined the call becomes a
/// `gpu.launch_func`.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_HOSTLAUNCHES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_HOSTLAUNCHES_H

#include "MemSpace/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir {
namespace memspace {

/// The calls by which functions of the host launch `kernel`. Failure, with an
/// error at `kernel`, when it is referred to otherwise, or when its grid is not
/// known where it is launched.
FailureOr<SmallVector<func::CallOp>> getLaunches(func::FuncOp kernel,
                                                 const LaunchShape &shape);

/// The calls become launches of `kernel`, which is what their callee was.
void makeLaunches(ArrayRef<func::CallOp> calls, gpu::GPUFuncOp kernel,
                  const LaunchShape &shape);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_HOSTLAUNCHES_H
