//===- BitonicNetwork.h - threads that compare pairs of elements -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Batcher's bitonic network ("Sorting networks and their applications", 1968),
/// in the form in which every comparison puts the smaller element first: the
/// first step of a merge compares an element with its mirror image in the
/// block, the later ones with the one a power of two away. So what lies behind
/// the end of a row may be anything: it is compared with nothing, and stays
/// there.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_BITONICNETWORK_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_BITONICNETWORK_H

#include "Transforms/Normalize/RowTiles.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// Works on tiles: tensors of one static shape whose rows along one dimension
/// have a power of two elements. What is at one place of all tiles stays
/// together. Makes code at the rewriter's insertion point: loops around
/// `forall`s, in each of which a thread compares pairs, of all rows at once.
class BitonicNetwork {
public:
  /// The elements of all tiles at one place.
  using Elements = SmallVector<Value, 4>;
  /// Makes code for whether `left` comes before `right`; both are in the row
  /// of `place`, whose entry for the sorted dimension says nothing.
  using Comparator = llvm::function_ref<Value(
      const Elements &left, const Elements &right, ArrayRef<OpFoldResult> row)>;

  /// Accesses of a thread of the workgroup `sharing`, which sorts `rows` of
  /// `length` elements of `numTiles` tiles and looks up `lookups` others for
  /// each to compare it; a barrier of the workgroup counts as `barrierWork`.
  static int64_t getWork(int64_t rows, int64_t length, int64_t numTiles,
                         int64_t lookups, int64_t barrierWork,
                         const Sharing &sharing);

  /// Elements from `length` on in a row are compared with nothing.
  /// `comesBefore` must outlive the network.
  BitonicNetwork(RewriterBase &rewriter, Location loc, ArrayRef<int64_t> shape,
                 unsigned dimension, const RowLength &length,
                 const Sharing &sharing, Comparator comesBefore);

  /// Sorts each block of `size` elements, a power of two.
  SmallVector<Value> sortBlocks(int64_t size, SmallVector<Value> tiles);

  /// Of the first `2 * half` elements, a multiple of `2 * size` in sorted
  /// blocks of `size`, puts the first `size` of each two blocks, sorted, into
  /// one: of blocks `i` and `half / size + i` into `i`.
  SmallVector<Value> keepHalf(int64_t half, int64_t size,
                              SmallVector<Value> tiles);

private:
  Value constant(int64_t value);
  template <typename OpT> Value make(Value left, Value right) {
    return OpT::create(rewriter, loc, left, right);
  }
  SmallVector<Value> merges(int64_t begin, int64_t end, int64_t local,
                            SmallVector<Value> tiles);
  SmallVector<Value> steps(Value merge, Value begin, Value end,
                           ValueRange tiles);
  using PairMaker =
      llvm::function_ref<std::pair<Value, Value>(Value numberInRow)>;
  SmallVector<Value> comparePairs(int64_t pairsPerRow, ValueRange tiles,
                                  PairMaker getPair);
  std::pair<Value, Value> getPair(Value merge, Value number, Value pair);
  void compare(Value row, Value lower, Value upper, ValueRange tiles);
  SmallVector<OpFoldResult> getPlace(Value row, Value position);

  RewriterBase &rewriter;
  Location loc;
  SmallVector<int64_t> shape;
  unsigned dimension;
  RowLength length;
  Sharing sharing;
  Comparator comesBefore;
  /// Elements that take part, of each row; and rows.
  int64_t active, rows = 1;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_BITONICNETWORK_H
