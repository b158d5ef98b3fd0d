//===- UnreadMemory.h - memory that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the allocations of a module that are written, but never read, neither
/// where they are allocated nor in a function that they are passed to, and
/// erases them with what writes them.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_UNREADMEMORY_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_UNREADMEMORY_H

#include "KnownCalls.h"

namespace mlir {
namespace memspace {

/// Removes what `func` computes for nobody.
void removeUnusedCode(FunctionOpInterface func);

/// Erases the memory that nobody reads from `module`, with the arguments by
/// which `calls`, those of the module, pass it. True when there was some; the
/// calls have to be collected again then.
bool eraseUnreadMemory(ModuleOp module, const KnownCalls &calls);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_UNREADMEMORY_H
