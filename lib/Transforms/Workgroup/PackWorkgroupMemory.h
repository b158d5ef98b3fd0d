//===- PackWorkgroupMemory.h - one arena per kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What memspace-pack-workgroup-memory does, for a pass before which it would
/// come.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_WORKGROUP_PACKWORKGROUPMEMORY_H
#define MEMSPACE_LIB_TRANSFORMS_WORKGROUP_PACKWORKGROUPMEMORY_H

#include "Transforms/Support/PassKernels.h"

namespace mlir {
namespace memspace {

/// Puts the workgroup buffers of each kernel at or below `root` into one arena:
/// with `reuse` as `objective` says, else each in a place of its own. Failure
/// with a diagnostic where it is not the name of one, or a kernel is refused.
LogicalResult packWorkgroupMemory(Operation *root, KernelSelection selection,
                                  StringRef objective, bool reuse);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_WORKGROUP_PACKWORKGROUPMEMORY_H
