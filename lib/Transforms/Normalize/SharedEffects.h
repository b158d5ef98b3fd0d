//===- SharedEffects.h - ops that threads must not repeat -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one thread has to do, where several execute an op together.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHAREDEFFECTS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHAREDEFFECTS_H

#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

/// True for an op with an effect by itself, on memory, not on tensors: a
/// store, an atomic, a call; false for control flow around such ops.
bool hasSideEffect(Operation *op);

/// True where such an op must not be repeated by every thread: it may write
/// other memory than each thread's own.
bool hasSharedSideEffect(Operation *op, const KernelContext &context);

/// True where it may write each thread's own memory, too.
bool mayWriteOwnMemory(Operation *op, const KernelContext &context);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHAREDEFFECTS_H
