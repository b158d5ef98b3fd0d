//===- MergeSort.h - threads that merge sorted runs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A merge sort by the threads of a workgroup. Each sorts a chunk in its
/// registers; then each two runs of sorted chunks become one, chunk by chunk of
/// it: where the elements of a chunk begin in both runs is found by a binary
/// search, the merge path of Green, McColl and Bader ("GPU merge path: a GPU
/// merging algorithm", 2012). A thread reads wherever its elements are, and
/// writes the places of a chunk, which are the same in all rounds. A round goes
/// from one tile to another one, so there is one barrier between two rounds.
///
/// Of two that are equal the left one is first, so all is stable. The threads
/// of a run agree about what is where only if the comparator is an order.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_MERGESORT_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_MERGESORT_H

#include "Transforms/Normalize/LaneRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

class MergeSort {
public:
  /// What is sorted: the elements of `inputs`, or, with a type for them, their
  /// positions only. The extents of the inputs but that of `dimension`, whose
  /// rows have `length`, are static.
  struct Problem {
    ValueRange inputs;
    Type positionType;
    Region &comparator;
    ArrayRef<int64_t> shape;
    uint64_t dimension;
    RowLength length;
  };

  /// The chunks ("slots" of "lanes") if the threads of `sharing` should merge:
  /// the comparator is certainly an order, two tiles fit in workgroup memory,
  /// and a thread has less work than in the network (docs/rules.md, "Sorts").
  static std::optional<LaneLayout>
  getLayout(const Problem &problem, bool isStable, const Sharing &sharing);

  /// Makes code at the rewriter's insertion point, by a layout that
  /// getLayout() gave for `problem`.
  MergeSort(RewriterBase &rewriter, Location loc, const Problem &problem,
            const LaneLayout &layout);

  /// The outputs, sorted.
  SmallVector<Value> sort(ValueRange outputs);

private:
  /// The elements of all inputs at one place, and their position where
  /// positions are sorted. Null is what need not be known.
  using Record = SmallVector<Value, 4>;
  /// A chunk, in the `forall` of all.
  struct Chunk {
    scf::ForallOp forall;
    /// Its number in its row.
    Value number;
    /// Its place in the outputs, and how many elements are written there.
    LaneSlice slice;
    Value count;
  };

  bool isOfPositions() const { return bool(problem.positionType); }
  bool mayEnd() const { return problem.length.mayBeLessThan(tile); }
  Value constant(int64_t value);
  template <typename OpT> Value make(Value left, Value right) {
    return OpT::create(rewriter, loc, left, right);
  }
  Value compareIntegers(arith::CmpIPredicate predicate, Value left,
                        Value right);
  Value clamp(Value position, Value limit);
  SmallVector<Value> makeTiles();
  Chunk begin(ValueRange outputs, bool areTiles);
  SmallVector<Value> end(const Chunk &chunk, ValueRange slices);
  Value extract(Value tensor, const Chunk &chunk, Value position);
  Record readInputs(const Chunk &chunk, Value position);
  Record readTiles(ValueRange tiles, const Chunk &chunk, Value position);
  Value comesBefore(const Record &left, const Record &right);
  SmallVector<Value> sortChunks();
  SmallVector<Value> merge(ValueRange tiles, ValueRange outputs, bool areTiles,
                           Value round);
  Value search(ValueRange tiles, const Chunk &chunk, Value left, Value right,
               Value low, Value high);
  SmallVector<Value> mergeChunk(ValueRange tiles, const Chunk &chunk,
                                ValueRange slices, Value left, Value leftEnd,
                                Value right, Value rightEnd);

  RewriterBase &rewriter;
  Location loc;
  Problem problem;
  LaneLayout layout;
  SmallVector<Type> types;
  /// Whether the comparator needs an input.
  SmallVector<bool> isCompared;
  /// Elements in a row of a tile.
  int64_t tile;
  /// The elements in a row, and the last position.
  Value length, last;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_MERGESORT_H
