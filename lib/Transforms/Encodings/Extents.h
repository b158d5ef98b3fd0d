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

/// A dimension of a tensor whose type has not been converted yet.
struct TensorDim {
  Value tensor;
  unsigned dim;
};

/// Makes the extent that all of `equal` have. What is made is right after the
/// conversion. Failure, with an error at `user`, which needs it, where it is
/// known to nobody.
FailureOr<Value> makeExtent(OpBuilder &builder, Operation *user,
                            ArrayRef<TensorDim> equal, TensorLayouts &layouts);

/// Makes all extents of `tensors`, which have the same, in the same way.
FailureOr<SmallVector<OpFoldResult>> makeExtents(OpBuilder &builder,
                                                 Operation *user,
                                                 ArrayRef<Value> tensors,
                                                 TensorLayouts &layouts);

/// The dynamic ones of the extents of a memory, for a tensor of these extents.
SmallVector<Value> makeMemoryExtents(OpBuilder &builder, Location loc,
                                     const TensorLayout &layout,
                                     ArrayRef<OpFoldResult> extents);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_EXTENTS_H
