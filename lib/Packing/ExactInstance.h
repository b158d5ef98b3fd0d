//===- ExactInstance.h - a problem as the exact solver sees it --*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Buffers that depend on each other, in units of their common alignment, with
/// sizes rounded up as far as that is harmless, and who is live with whom.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_EXACTINSTANCE_H
#define MEMSPACE_LIB_PACKING_EXACTINSTANCE_H

#include "MemSpace/Packing/Solvers.h"
#include "Sections.h"

namespace mlir {
namespace memspace {
namespace packing {

struct ExactInstance {
  struct Item {
    /// Index in the problem.
    unsigned buffer = 0;
    int64_t bytes = 0;
    int64_t alignmentBytes = 1;
    /// In units: how far above this one's offset the next buffer lies at least.
    int64_t size = 0;
    int64_t alignment = 1;
    double duration = 0;
    llvm::SmallVector<Span, 1> spans;
    /// By section of the spans, in order: the index among its members.
    llvm::SmallVector<unsigned, 0> slots;
    llvm::SmallVector<unsigned, 0> neighbours;

    /// From the first to the last section.
    Span getHull() const { return {spans.front().begin, spans.back().end}; }
  };

  /// `buffers` have bytes and are live at some time. If they are not to be
  /// searched, or too many meet each other, or once `isOver` says so, the items
  /// know of no others and there are no members.
  ExactInstance(const Problem &problem, llvm::ArrayRef<unsigned> buffers,
                bool isSearched, llvm::function_ref<bool()> isOver);

  /// The largest offset in units at which `item` stays within `capacity`;
  /// negative when there is none.
  int64_t getMaxOffset(const Item &item, int64_t capacity) const {
    if (capacity < item.bytes)
      return -1;
    return (capacity - item.bytes) / item.alignmentBytes * item.alignment;
  }

  /// The next height at or above `height` that some item can end at.
  int64_t getNextHeight(int64_t height) const;

  /// The most bytes that the members of one section take.
  int64_t getLowerBound() const;

  /// Bytes; divides every alignment.
  int64_t unit = 1;
  std::vector<Item> items;
  /// By section: the items that are live. Sections whose items are all in a
  /// neighbouring one are left out; cliques, items that meet each other at
  /// different times, stand where the items' hulls meet.
  std::vector<llvm::SmallVector<unsigned, 0>> members;
  bool isSearchable = false;

private:
  bool build(const Sections &sections, llvm::function_ref<bool()> isOver);
  void findNeighbours(const Sections &sections,
                      llvm::function_ref<bool()> isOver);
  void roundSizes();
  void dropSmallSections();
  void addCliques(llvm::function_ref<bool()> isOver);
  void setSpans();
};

/// Splits the buffers that have bytes and are live at some time into groups
/// that do not depend on each other.
std::vector<llvm::SmallVector<unsigned>>
getIndependentGroups(const Problem &problem);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_EXACTINSTANCE_H
