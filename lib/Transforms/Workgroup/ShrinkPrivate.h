//===- ShrinkPrivate.h - private buffers to their thread's slice -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What memspace-shrink-private does, for a pass after which it would come.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_WORKGROUP_SHRINKPRIVATE_H
#define MEMSPACE_LIB_TRANSFORMS_WORKGROUP_SHRINKPRIVATE_H

#include "Transforms/Support/PassKernels.h"

namespace mlir {
namespace memspace {

/// Cuts the private buffers of the kernels at or below `root` to what a thread
/// touches. Sets `isChanged` where anything has changed.
LogicalResult shrinkPrivateBuffers(Operation *root, KernelSelection selection,
                                   bool &isChanged);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_WORKGROUP_SHRINKPRIVATE_H
