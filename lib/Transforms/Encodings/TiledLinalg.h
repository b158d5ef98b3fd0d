//===- TiledLinalg.h - linalg ops on tensors in other layouts -------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop over an index that is cut into tiles becomes one over the tiles and
/// one over what is in a tile; by more tiles, more loops. Each operand's memory
/// is looked at as an array with a dimension for each of these loops, which
/// moves nothing.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_TILEDLINALG_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_TILEDLINALG_H

#include "TensorLayouts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace memspace {

/// How a linalg op goes over the memories of its operands.
class TiledLinalg {
public:
  /// None where the op cannot: an access that is not by loops alone, tiles that
  /// do not divide each other, operands padded differently, or elements of
  /// padding that must not be computed.
  static std::optional<TiledLinalg> plan(linalg::LinalgOp op,
                                         TensorLayouts &layouts);

  /// The loops whose extents `rewrite` needs.
  const llvm::SmallBitVector &getMaskedLoops() const { return masked; }

  /// Replaces the op, whose operands' types have been converted. `extents`: of
  /// its loops; of those that are not masked they are not looked at.
  void rewrite(RewriterBase &rewriter, ArrayRef<OpFoldResult> extents,
               TensorLayouts &layouts);

private:
  explicit TiledLinalg(linalg::LinalgOp op) : op(op) {}

  /// A loop of the new op: over a part of the index of a loop of the old one,
  /// which counts `stride`.
  struct Digit {
    unsigned loop;
    int64_t stride;
    /// None for the outermost of its loop.
    std::optional<int64_t> radix;
    unsigned number = 0;
  };
  /// How an operand is looked at.
  struct View {
    /// Of each dimension of its memory, the dimensions that it becomes.
    SmallVector<ReassociationIndices> groups;
    /// Their extents, dynamic ones included, and the loops that they belong to.
    SmallVector<int64_t> shape;
    SmallVector<unsigned> loops;
    bool isReshaped() const { return groups.size() != shape.size(); }
  };

  bool collectDigits(TensorLayouts &layouts);
  bool makeView(OpOperand &operand, const TensorLayout &layout);
  bool checkPadding();
  AffineExpr getIndex(unsigned loop) const;
  void makeBody(OpBuilder &builder, Location loc, ValueRange arguments,
                ArrayRef<OpFoldResult> extents);

  linalg::LinalgOp op;
  /// The digits of each loop, from the innermost to the outermost.
  SmallVector<SmallVector<Digit>> digits;
  /// The extent of the outermost digit of each loop, in extents of loops.
  SmallVector<std::optional<LayoutCount>> outermost;
  /// Of each loop, what it runs to without padding.
  SmallVector<std::optional<LayoutCount>> logical;
  SmallVector<View> views;
  unsigned numLoops = 0;
  /// Reductions that would go over padding.
  llvm::SmallBitVector masked;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_TILEDLINALG_H
