//===- InputChecks.h - numbers that nobody can mean -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_SUPPORT_INPUTCHECKS_H
#define MEMSPACE_LIB_TRANSFORMS_SUPPORT_INPUTCHECKS_H

#include "MemSpace/Kernel/MemorySpace.h"
#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// Failure with a diagnostic at an op at or below `root` that verifies, but has
/// no meaning, and on which upstream's folders or value bounds crash: the
/// extent of a dimension that a shape does not have, a step that is not
/// positive, a slice that begins outside or has the stride 0, a shape that an
/// op and its type contradict, a tensor that fits in no memory, a stack that is
/// not private. Also where the kernel is too large for analyses, ours or
/// upstream's, that take more than linear time.
LogicalResult checkInput(Operation *root);

/// The same, and checks that the stack of `kernel` is private memory, or
/// workgroup memory, which is moved off it. One error otherwise.
/// With `unknownPasses`, an attribute that `spaces` does not name passes: a
/// later pass may have an option that names it. `visit` sees each op before it
/// is checked, since every pass that asks has to look at each.
LogicalResult checkInput(Operation *kernel, const MemorySpaceMapping &spaces,
                         bool unknownPasses = false,
                         llvm::function_ref<void(Operation *)> visit = nullptr);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_SUPPORT_INPUTCHECKS_H
