//===- IdleKernels.h - kernels whose encode is gone -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A function that only set an encoding hands on its argument once the encode
/// is removed, or copies it to another memory. Two of its results may have
/// become one. On tensors that is seen through all calls. On memory two buffers
/// become one, where neither is written while the other is needed.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_IDLEKERNELS_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_IDLEKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

/// Removes what `functions`, from which encodes were removed, do for nothing:
/// results, copies, launches, and the buffers of the host. Only of functions of
/// which `module` has all calls.
void removeIdleKernels(ModuleOp module,
                       const llvm::SetVector<Operation *> &functions);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_IDLEKERNELS_H
