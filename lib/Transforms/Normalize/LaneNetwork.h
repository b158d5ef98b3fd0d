//===- LaneNetwork.h - lanes that compare what they have in registers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The network of BitonicNetwork.h, comparison by comparison, for rows that are
/// in the registers of a subgroup's lanes: so both have the same results,
/// whatever the comparator. Two places that are compared differ in some bits of
/// their numbers. The low bits are a slot's, and decided where the code is
/// made; the others are a lane's: both lanes get the other's element by a
/// shuffle, and make the same comparison.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LANENETWORK_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LANENETWORK_H

#include "Transforms/Normalize/LaneRows.h"

namespace mlir {
namespace memspace {

class LaneNetwork {
public:
  using Elements = LaneRows::Elements;
  using Slots = LaneRows::Slots;
  /// Makes code for whether `left` comes before `right`.
  using Comparator =
      llvm::function_ref<Value(const Elements &left, const Elements &right)>;

  /// Places behind the end of a row are compared with nothing if `hasEnd`, else
  /// like any other. `comesBefore` must outlive the network.
  LaneNetwork(RewriterBase &rewriter, Location loc, LaneRows &rows, bool hasEnd,
              Comparator comesBefore)
      : rewriter(rewriter), loc(loc), rows(rows), hasEnd(hasEnd),
        comesBefore(comesBefore) {}

  /// Sorts each block of `size` places, a power of two.
  void sortBlocks(int64_t size, Slots &slots);

  /// Of the first `2 * half` places of a row, a multiple of `2 * size` in
  /// sorted blocks of `size`, puts the first `size` of each two blocks, sorted,
  /// into one, as BitonicNetwork does; until one block is left.
  void keepFirst(int64_t half, int64_t size, Slots &slots);

private:
  Value constant(int64_t value);
  Value shiftedOne(Value bits);
  void compareSlots(int64_t lower, int64_t upper, Slots &slots);
  void stepsInLane(int64_t size, Slots &slots);
  void compareLanes(Value lanes, Value highest, int64_t inSlot, Slots &slots);
  void stepsAmongLanes(Value count, Slots &slots);
  Value isInRow(Value position) {
    return hasEnd ? rows.isInRow(position) : Value();
  }
  void repeat(Value begin, Value end, Slots &slots,
              llvm::function_ref<void(Value number)> body);

  RewriterBase &rewriter;
  Location loc;
  LaneRows &rows;
  bool hasEnd;
  Comparator comesBefore;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LANENETWORK_H
