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
#include "RemainderWalk.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {
namespace packing {

/// A function of remainders that grows by at most one per unit. Whoever walks
/// up a stack gains at most what each item can add to it, and the rest must
/// come from holes: a lower bound that is a sum over the items.
using Potential = llvm::SmallVector<int64_t, 8>;

/// Potentials that give good bounds for the sections of an instance. They do
/// not depend on the capacity.
class Potentials {
public:
  explicit Potentials(const ExactInstance &instance);

  /// The least common multiple of the alignments; 0 when it is too large.
  int64_t period = 1;
  /// By section.
  std::vector<llvm::SmallVector<Potential, 2>> best;
};

/// Stacks items of one section. A set of them is a mask over the section's
/// members. Answers are remembered: the search asks again and again.
class SectionStack {
public:
  static constexpr unsigned kDefaultWalkSteps = 2000;

  /// `maxOffsets` by item.
  SectionStack(const ExactInstance &instance, unsigned section,
               llvm::ArrayRef<int64_t> maxOffsets,
               const Potentials &potentials);

  /// False when the order makes no difference, or there are too many items.
  bool isUseful() const { return useful; }

  /// False when the members of `mask` cannot be stacked at or above `floor`, in
  /// no order. Gives up, and says true, after some steps.
  bool fits(uint64_t mask, int64_t floor,
            unsigned maxWalkSteps = kDefaultWalkSteps);
  /// Steps that the last question took.
  unsigned getSteps() const { return steps; }

private:
  struct Member {
    int64_t size, alignment, maxOffset;
    /// By potential: the most that it adds; the least where it can begin.
    llvm::SmallVector<int64_t, 2> gains, starts;
  };
  /// What is known of a mask and a remainder of the offset.
  struct Known {
    int64_t fitsAt = -1;
    int64_t failsAt = std::numeric_limits<int64_t>::max();
  };
  bool search(uint64_t mask, int64_t offset);
  bool mayFit(uint64_t mask, int64_t offset, int64_t total) const;
  bool mayFitWalk(uint64_t mask, int64_t offset, unsigned maxSteps);

  llvm::ArrayRef<Potential> potentials;
  /// The least common multiple of the alignments.
  int64_t period;
  llvm::SmallVector<Member, 0> members;
  bool useful = false;
  unsigned steps = 0;
  unsigned walkSteps = 0;
  llvm::DenseMap<uint64_t, Known> known;
};

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_STACKING_H
