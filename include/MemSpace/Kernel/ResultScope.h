//===- ResultScope.h - which threads get one result -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Over which threads the results of one op are the same.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_RESULTSCOPE_H
#define MEMSPACE_KERNEL_RESULTSCOPE_H

#include "MemSpace/Kernel/ExecutionScope.h"

namespace mlir {
namespace memspace {

/// Over which threads the results of `op` are the same if its operands are:
/// Workgroup for what computes them from its operands alone, Thread for the id
/// of a thread, for what exchanges values between lanes, and for ops of
/// dialects that are not known.
ExecutionScope getResultScope(Operation *op);

/// True for the ops of the nvvm and rocdl dialects that read the id of a block
/// or a size of the launch.
bool isTargetBlockId(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_RESULTSCOPE_H
