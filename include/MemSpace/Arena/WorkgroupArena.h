//===- WorkgroupArena.h - buffers become views of one arena -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rewrite of memspace-pack-workgroup-memory. Analyses apply it to copies
/// of a kernel, to see what a layout costs.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ARENA_WORKGROUPARENA_H
#define MEMSPACE_ARENA_WORKGROUPARENA_H

#include "MemSpace/Workgroup/WorkgroupPacking.h"

namespace mlir {
namespace memspace {

/// Erases from the kernel the stores that nobody reads and the deallocations,
/// and returns the packing problem of what is left; the buffers stay the same.
/// Does nothing to a kernel that is packed. Fails where
/// WorkgroupPacking::compute does.
FailureOr<WorkgroupPacking> preparePacking(const KernelContext &context);

/// Replaces `buffers`, all of a kernel from preparePacking(), by views of one
/// arena at the offsets of `solution`. The arith and memref dialects must be
/// loaded. Globals stay, without a use in the kernel.
void moveIntoArena(const KernelContext &context,
                   ArrayRef<WorkgroupBuffer> buffers,
                   const packing::Solution &solution);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ARENA_WORKGROUPARENA_H
