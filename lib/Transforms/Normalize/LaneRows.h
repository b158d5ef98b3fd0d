//===- LaneRows.h - rows in the registers of a subgroup's lanes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LANEROWS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LANEROWS_H

#include "Transforms/Normalize/RowTiles.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace mlir {
namespace memspace {

/// Registers of 32 bits that the elements of a lane may take: as many again are
/// on their way from other lanes.
constexpr int64_t kMaxLaneWords = 16;

/// A lane's part of a tensor: of no elements where its places are behind the
/// end.
struct LaneSlice {
  SmallVector<OpFoldResult> offsets, sizes;

  Value extract(OpBuilder &builder, Location loc, Value tensor) const;
  /// The part becomes `slice` again; for the end of a `forall`.
  void insert(OpBuilder &builder, Location loc, Value slice,
              Value tensor) const;
};

/// Who has which elements of rows that stay in registers. A row has a power of
/// two places, and `lanesPerRow` lanes that follow each other; each of them has
/// `slots` places that follow each other. So 3 rows of 100 elements by 32 lanes
/// are 3 · 128 places: 16 for each lane, 8 lanes for each row, and 8 lanes
/// without elements, which pass values on as all others do. (The threads of a
/// MergeSort are laid out by any numbers.)
struct LaneLayout {
  int64_t lanes;
  int64_t rows;
  int64_t lanesPerRow;
  int64_t slots;

  /// The layout where `sharing` are lanes of one subgroup, and the elements of
  /// `types` (null where they are not known) of a lane fit in its registers.
  static std::optional<LaneLayout> get(ArrayRef<int64_t> shape,
                                       unsigned dimension, int64_t length,
                                       ArrayRef<Type> types,
                                       const Sharing &sharing);

  /// The part that `lane`, an index, has of the elements before `limit` in each
  /// row of a tensor of `shape`.
  LaneSlice getSlice(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                     unsigned dimension, const RowLength &limit,
                     Value lane) const;
};

/// The code of one lane, inside of a `forall` of all of them: loads the
/// elements at its places, and stores what is there at the end. No lane touches
/// a place of another one.
class LaneRows {
public:
  /// Elements of several operands at one place; and those of all slots.
  using Elements = SmallVector<Value, 4>;
  using Slots = SmallVector<Elements>;

  /// Rows of `length` elements. Of the `outputs`, of one shape, the first
  /// `count` elements of each row are written, or all if there are less. The
  /// rewriter then stands in the `forall`.
  LaneRows(RewriterBase &rewriter, Location loc, const LaneLayout &layout,
           unsigned dimension, const RowLength &length, ValueRange outputs,
           const Sharing &sharing, std::optional<int64_t> count = std::nullopt);

  const LaneLayout &getLayout() const { return layout; }

  /// The elements of `inputs`. An input that is an output is read where it is
  /// written. What is behind the end of a row is an element of some row.
  Slots load(ValueRange inputs);
  /// The place in its row, an i32, of a slot.
  Value getPosition(int64_t slot);
  /// The number of the lane, an i32.
  Value getLane() const { return lane; }
  /// Whether the place `position` is in a row; null where all are.
  Value isInRow(Value position);
  /// Stores an element for each output. Ends the `forall` and returns its
  /// results.
  ResultRange store(const Slots &slots);

private:
  bool isFull(const LaneSlice &slice);
  Value isOwn(const LaneSlice &slice, int64_t slot);
  SmallVector<Value> getPlace(int64_t slot);

  RewriterBase &rewriter;
  Location loc;
  LaneLayout layout;
  unsigned dimension;
  RowLength length;
  SmallVector<Value> outputs, tiles;
  scf::ForallOp forall;
  /// Of the inputs, and of the outputs.
  LaneSlice loaded, stored;
  /// i32: the lane's number, its first place in its row, elements in a row
  /// (null where all places have one).
  Value lane, first, end;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LANEROWS_H
