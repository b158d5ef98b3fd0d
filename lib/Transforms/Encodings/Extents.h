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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace mlir {
namespace memspace {

/// A dimension of a tensor whose type has not been converted yet.
struct TensorDim {
  Value tensor;
  unsigned dim;
};

/// The dimensions of operands of `op` whose index is that of loop `loop`.
SmallVector<TensorDim> getDimsOfLoop(linalg::LinalgOp op, unsigned loop);

/// Makes extents. It remembers where it found them, so that a chain of ops is
/// walked once: no op with tensors may be erased while it is used.
class ExtentMaker {
public:
  explicit ExtentMaker(TensorLayouts &layouts) : layouts(layouts) {}

  /// Makes the extent that all of `equal` have. What is made is right after the
  /// conversion. Failure, with an error at `user`, which needs it, where it is
  /// known to nobody.
  FailureOr<Value> make(OpBuilder &builder, Operation *user,
                        ArrayRef<TensorDim> equal);

  /// Makes all extents of a tensor of `type`. Each list has the dimensions that
  /// have one extent.
  FailureOr<SmallVector<OpFoldResult>>
  makeAll(OpBuilder &builder, Operation *user, RankedTensorType type,
          ArrayRef<SmallVector<TensorDim>> equal);
  /// Those of `tensors`, which have the same.
  FailureOr<SmallVector<OpFoldResult>>
  makeAll(OpBuilder &builder, Operation *user, ArrayRef<Value> tensors);

  /// True for a `tensor.dim` that asks for an extent of the tensor; what make()
  /// made may ask for one of its memory, which is another one, and stays with
  /// the layout.
  static bool asksForExtent(Operation *op);
  /// Once no tensor gets another layout any more.
  static void forgetMemory(Operation *root);

  /// Whether make() finds an extent.
  bool isKnown(ArrayRef<TensorDim> equal) { return find(equal).has_value(); }

private:
  struct Place {
    TensorDim at;
    /// The tensor's own memory says it, not what the tensor was made with.
    bool isOwn;
  };
  std::optional<Place> find(ArrayRef<TensorDim> equal);

  TensorLayouts &layouts;
  DenseMap<std::pair<Value, unsigned>, Place> places;
};

/// The dynamic ones of the extents of a memory, for a tensor of these extents.
SmallVector<Value> makeMemoryExtents(OpBuilder &builder, Location loc,
                                     const TensorLayout &layout,
                                     ArrayRef<OpFoldResult> extents);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_EXTENTS_H
