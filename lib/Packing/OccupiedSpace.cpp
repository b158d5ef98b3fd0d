//===- OccupiedSpace.cpp - which bytes are taken, and when ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OccupiedSpace.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

OccupiedSpace::OccupiedSpace(unsigned numSections) {
  while (leaves < numSections)
    leaves *= 2;
  nodes.resize(2 * leaves);
}

void OccupiedSpace::clear() {
  for (unsigned node : used) {
    nodes[node].throughout.clear();
    nodes[node].within.clear();
  }
  used.clear();
}

/// Most often it is one of the next; else it is far away.
void OccupiedSpace::Cursor::skipTo(int64_t offset) {
  for (size_t width = 1;; width *= 2) {
    if (next == end || next->end > offset)
      return;
    const Range *last = next + std::min<size_t>(width, end - next);
    if ((last - 1)->end > offset) {
      next = std::partition_point(
          next, last, [&](const Range &range) { return range.end <= offset; });
      return;
    }
    next = last;
  }
}

void OccupiedSpace::add(Ranges &ranges, int64_t begin, int64_t end) {
  // The first that it touches.
  Range *first = llvm::partition_point(
      ranges, [&](const Range &range) { return range.end < begin; });
  if (first == ranges.end() || first->begin > end) {
    ranges.insert(first, {begin, end});
    return;
  }
  Range *last = first;
  while (last + 1 != ranges.end() && (last + 1)->begin <= end)
    ++last;
  first->begin = std::min(first->begin, begin);
  first->end = std::max(last->end, end);
  ranges.erase(first + 1, last + 1);
}

void OccupiedSpace::insert(Span span, Range range, unsigned node, Span of) {
  if (span.end <= of.begin || of.end <= span.begin)
    return;
  if (nodes[node].within.empty())
    used.push_back(node);
  add(nodes[node].within, range.begin, range.end);
  if (span.begin <= of.begin && of.end <= span.end) {
    add(nodes[node].throughout, range.begin, range.end);
    return;
  }
  unsigned middle = (of.begin + of.end) / 2;
  insert(span, range, 2 * node, {of.begin, middle});
  insert(span, range, 2 * node + 1, {middle, of.end});
}

void OccupiedSpace::insert(llvm::ArrayRef<Span> spans, int64_t begin,
                           int64_t end) {
  for (Span span : spans)
    insert(span, {begin, end}, 1, {0, leaves});
}

void OccupiedSpace::collect(Span span, unsigned node, Span of) {
  if (span.end <= of.begin || of.end <= span.begin ||
      nodes[node].within.empty())
    return;
  if (span.begin <= of.begin && of.end <= span.end) {
    addTaken(nodes[node].within);
    return;
  }
  addTaken(nodes[node].throughout);
  unsigned middle = (of.begin + of.end) / 2;
  collect(span, 2 * node, {of.begin, middle});
  collect(span, 2 * node + 1, {middle, of.end});
}

int64_t OccupiedSpace::findLowest(llvm::ArrayRef<Span> spans, int64_t bytes,
                                  int64_t alignment) {
  taken.clear();
  for (Span span : spans)
    collect(span, 1, {0, leaves});
  // Each list in turn raises the offset, until all agree.
  int64_t offset = 0;
  size_t agreeing = 0, k = 0;
  while (agreeing < taken.size()) {
    Cursor &cursor = taken[k];
    k = k + 1 == taken.size() ? 0 : k + 1;
    cursor.skipTo(offset);
    ++steps;
    ++agreeing;
    for (; cursor.next != cursor.end && cursor.next->begin < offset + bytes;
         ++cursor.next) {
      offset = alignUp(cursor.next->end, alignment);
      agreeing = 1;
      ++steps;
    }
  }
  return offset;
}
