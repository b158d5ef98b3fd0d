//===- LoopLabels.h - which loops workgroups may share out -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an op on whole tensors is for tiling, and which of its loops follow
/// those of the op that a kernel ends with.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_LOOPLABELS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_LOOPLABELS_H

#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"

namespace mlir {
namespace memspace {

/// The tensor that `tensor` is a slice, or another shape, of.
Value getRootTensor(Value tensor);

/// How the loops of one op follow those of the op that a kernel ends with.
class LoopLabels {
public:
  /// No loop of the kernel.
  static constexpr int kNone = -1;

  /// Of the ops in `ops`, which all lead to `anchor`, the last of them.
  LoopLabels(TilingInterface anchor, ArrayRef<Operation *> ops);

  /// The loops of the anchor that workgroups may share out: parallel ones, for
  /// which no reduction is done twice.
  ArrayRef<unsigned> getLoops() const { return loops; }
  /// For each loop of `op`: the loop of the anchor that it is a part of, or
  /// kNone.
  ArrayRef<int> get(Operation *op) const;
  /// Workgroups share out `result`, each its own part.
  bool isPartitioned(OpResult result) const;

private:
  bool propagate(TilingInterface anchor, ArrayRef<Operation *> ops);

  SmallVector<unsigned> loops;
  llvm::MapVector<Operation *, SmallVector<int>> labels;
};

/// True for an op on tensors that tiling takes a part of.
bool isTilable(Operation *op);
/// True for an op that combines many elements into one.
bool isReduction(Operation *op);
/// True for a reduction of products (or the like) of two tensors or more, each
/// element of which is used several times.
bool isContraction(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_LOOPLABELS_H
