//===- RowTiles.h - rows in the form in which threads work on them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_ROWTILES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_ROWTILES_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// Elements in a row: a number, or at most `bound` if they are an extent that
/// is not static; then there is one at least.
struct RowLength {
  OpFoldResult length;
  int64_t bound;

  /// Whether a row of `extent` elements may be longer.
  bool mayBeLessThan(int64_t extent) const {
    return isa<Value>(length) || bound < extent;
  }
};

/// Tiles whose rows along one dimension hold those of tensors whose other
/// extents are static. Makes code at the rewriter's insertion point.
class RowTiles {
public:
  /// `tile` elements in each row; unless they are given, the next power of two
  /// that holds a row. A row of no elements has a tile of none.
  RowTiles(RewriterBase &rewriter, Location loc, ArrayRef<int64_t> shape,
           unsigned dimension, const RowLength &length,
           std::optional<int64_t> tile = std::nullopt);

  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getTile() const { return shape[dimension]; }

  /// `input` in a tile. What is behind the end of a row is its last element
  /// again.
  Value load(Value input);
  /// The position of each element in its row; behind the end of it the last
  /// one.
  Value makePositions(Type type);
  /// The first elements of each row of `tile` into `output`, or in the first
  /// part of its rows if they are longer.
  Value store(Value tile, Value output);
  /// The same of positions, which become of the type of `output`.
  Value storePositions(Value tile, Value output);

  /// What `getElement` computes at each place, from `begin` in each row on, of
  /// a tile in `init`.
  Value fill(Value init, int64_t begin,
             llvm::function_ref<Value(OpBuilder &, MutableArrayRef<Value>)>
                 getElement);
  Value makeEmpty(Type type);
  /// The last position in a row, or `position` if that is before it.
  Value clamp(OpBuilder &builder, Value position);

private:
  Value store(Value tile, Value output,
              llvm::function_ref<Value(Value, Value)> copy);

  RewriterBase &rewriter;
  Location loc;
  SmallVector<int64_t> shape;
  unsigned dimension;
  RowLength length;
  /// The last position in a row; null where no tile is longer than a row.
  Value last;
};

/// The element of `tensor` at `row`, whose entry for `dimension` is replaced by
/// `position`, an integer or index.
Value extractAt(OpBuilder &builder, Location loc, Value tensor,
                ArrayRef<OpFoldResult> row, unsigned dimension, Value position);

/// `value`, an index, as `type`, an integer type or index.
Value castIndex(OpBuilder &builder, Location loc, Value value, Type type);

/// `value` as `type`, both integer types or index.
Value castInteger(OpBuilder &builder, Location loc, Value value, Type type);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_ROWTILES_H
