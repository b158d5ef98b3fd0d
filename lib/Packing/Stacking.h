//===- Stacking.h - one section alone, with alignment holes -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The items of a section lie one above the other. With mixed alignments their
/// order decides how many bytes are lost in between, and the best order is a
/// small problem of its own: which remainders follow each other.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_STACKING_H
#define MEMSPACE_LIB_PACKING_STACKING_H

#include "ExactInstance.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {
namespace packing {

/// Stacks items of one section. A set of them is a mask over the section's
/// members. Answers are remembered: the search asks again and again.
class SectionStack {
public:
  /// `maxOffsets` by item.
  SectionStack(const ExactInstance &instance, unsigned section,
               llvm::ArrayRef<int64_t> maxOffsets);

  /// False when the order makes no difference, or there are too many items.
  bool isUseful() const { return useful; }

  /// False when the members of `mask` cannot be stacked at or above `floor`, in
  /// no order. Gives up, and says true, after some steps.
  bool fits(uint64_t mask, int64_t floor);

private:
  struct Member {
    int64_t size, alignment, maxOffset;
  };
  /// What is known of a mask and a remainder of the offset.
  struct Known {
    int64_t fitsAt = -1;
    int64_t failsAt = std::numeric_limits<int64_t>::max();
  };
  bool search(uint64_t mask, int64_t offset);

  llvm::SmallVector<Member, 0> members;
  bool useful = false;
  /// The least common multiple of the alignments.
  int64_t period = 1;
  unsigned stepsLeft = 0;
  llvm::DenseMap<uint64_t, Known> known;
};

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_STACKING_H
