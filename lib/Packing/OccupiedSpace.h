//===- OccupiedSpace.h - which bytes are taken, and when --------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bytes that placed buffers take, by time: asked for the lowest gap that
/// is free through a whole live range.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_OCCUPIEDSPACE_H
#define MEMSPACE_LIB_PACKING_OCCUPIEDSPACE_H

#include "Sections.h"

namespace mlir {
namespace memspace {
namespace packing {

/// A segment tree over the sections. Each node knows bytes, not buffers: ranges
/// that touch are one. Placed buffers lie close to each other, so the lists
/// stay short, however many buffers they stand for. With n buffers the tree
/// takes n log n words at most.
class OccupiedSpace {
public:
  explicit OccupiedSpace(unsigned numSections);

  /// The lowest multiple of `alignment` at which `bytes` are free in all of
  /// `spans`.
  int64_t findLowest(llvm::ArrayRef<Span> spans, int64_t bytes,
                     int64_t alignment);

  /// Takes [begin, end) in all of `spans`.
  void insert(llvm::ArrayRef<Span> spans, int64_t begin, int64_t end);

  /// Frees everything.
  void clear();

  /// Ranges looked at since the beginning: a measure of the time that took.
  uint64_t getSteps() const { return steps; }

private:
  struct Range {
    int64_t begin, end;
  };
  /// Ascending; neither overlap nor touch.
  using Ranges = llvm::SmallVector<Range, 0>;
  struct Node {
    /// Taken in all of the node's sections, but not in all of its parent's.
    Ranges throughout;
    /// Taken in some of them.
    Ranges within;
  };

  /// The next of some ranges that a question has not passed.
  struct Cursor {
    const Range *next, *end;
    void skipTo(int64_t offset);
  };

  void addTaken(const Ranges &ranges) {
    if (!ranges.empty())
      taken.push_back({ranges.begin(), ranges.end()});
  }
  static void add(Ranges &ranges, int64_t begin, int64_t end);
  void insert(Span span, Range range, unsigned node, Span of);
  /// Lists, for a question about `span`, the ranges that are not free.
  void collect(Span span, unsigned node, Span of);

  unsigned leaves = 1;
  std::vector<Node> nodes;
  /// Nodes that have ranges.
  std::vector<unsigned> used;
  llvm::SmallVector<Cursor, 64> taken;
  uint64_t steps = 0;
};

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_OCCUPIEDSPACE_H
