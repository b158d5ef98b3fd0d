//===- Extents.h - extents of encoded tensors and of their memory ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The memory of a padded tensor does not say how large the tensor is; where it
/// comes from does.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_EXTENTS_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_EXTENTS_H

#include "TensorLayouts.h"
#include "mlir/IR/Builders.h"

namespace mlir {
namespace memspace {

/// Makes the extents of `tensor`, whose type has not been converted yet. What
/// is made is right after the conversion. Failure, with an error at `user`,
/// which needs them, where one of them is known to nobody.
FailureOr<SmallVector<OpFoldResult>> makeExtents(OpBuilder &builder,
                                                 Operation *user, Value tensor,
                                                 TensorLayouts &layouts);

/// The dynamic ones of the extents of a memory, for a tensor of these extents.
SmallVector<Value> makeMemoryExtents(OpBuilder &builder, Location loc,
                                     const TensorLayout &layout,
                                     ArrayRef<OpFoldResult> extents);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_EXTENTS_H
