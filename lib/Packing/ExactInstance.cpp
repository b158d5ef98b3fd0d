//===- ExactInstance.cpp - a problem as the exact solver sees it ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactInstance.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

ExactInstance::ExactInstance(const Problem &problem,
                             llvm::ArrayRef<unsigned> buffers) {
  Problem part;
  for (unsigned i : buffers)
    part.buffers.push_back(problem.buffers[i]);
  Sections sections(part);

  unit = part.buffers.empty() ? 1 : part.buffers.front().alignment;
  for (const Buffer &buffer : part.buffers)
    unit = std::gcd(unit, buffer.alignment);

  members.resize(sections.size());
  items.resize(buffers.size());
  for (unsigned i = 0; i < items.size(); ++i) {
    const Buffer &buffer = part.buffers[i];
    items[i].buffer = buffers[i];
    items[i].bytes = buffer.bytes;
    items[i].alignmentBytes = buffer.alignment;
    items[i].alignment = buffer.alignment / unit;
    items[i].spans = std::move(sections.spans[i]);
    for (Span span : items[i].spans) {
      items[i].duration +=
          double(sections.times[span.end]) - double(sections.times[span.begin]);
      for (unsigned section = span.begin; section < span.end; ++section) {
        items[i].slots.push_back(members[section].size());
        members[section].push_back(i);
      }
    }
  }

  // Two items that become live in one section meet there; else the later one
  // begins where the other is a member.
  std::vector<unsigned> lastSeenBy(items.size(), ~0u);
  for (unsigned i = 0; i < items.size(); ++i)
    for (Span span : items[i].spans)
      for (unsigned section = span.begin; section < span.end; ++section)
        for (unsigned other : members[section])
          if (other != i && lastSeenBy[other] != i) {
            lastSeenBy[other] = i;
            items[i].neighbours.push_back(other);
          }

  // Two offsets differ by a multiple of the gcd of the alignments, so a size
  // may be rounded up to it; all neighbours must agree.
  for (Item &item : items) {
    int64_t size = alignUp(item.bytes, item.alignmentBytes);
    int64_t lastAlignment = item.alignmentBytes;
    for (unsigned other : item.neighbours) {
      int64_t alignment = items[other].alignmentBytes;
      if (alignment == lastAlignment)
        continue;
      lastAlignment = alignment;
      size = std::min(
          size, alignUp(item.bytes, std::gcd(item.alignmentBytes, alignment)));
    }
    item.size = size / unit;
  }
}

int64_t ExactInstance::getNextHeight(int64_t height) const {
  int64_t next = std::numeric_limits<int64_t>::max();
  for (const Item &item : items)
    next = std::min(next, item.bytes +
                              alignUp(std::max<int64_t>(height - item.bytes, 0),
                                      item.alignmentBytes));
  return next;
}

std::vector<llvm::SmallVector<unsigned>>
packing::getIndependentGroups(const Problem &problem) {
  Sections sections(problem);
  // Sweeps through time; what is live together is one group. The live buffer
  // with the last end stands for all.
  std::vector<std::pair<Span, unsigned>> spans;
  for (unsigned i = 0; i < sections.spans.size(); ++i)
    for (Span span : sections.spans[i])
      spans.push_back({span, i});
  llvm::sort(spans, [](const auto &a, const auto &b) {
    return std::make_pair(a.first.begin, a.second) <
           std::make_pair(b.first.begin, b.second);
  });
  llvm::IntEqClasses classes(problem.buffers.size());
  std::pair<Span, unsigned> last;
  for (const auto &entry : spans) {
    if (last.first.end > entry.first.begin)
      classes.join(last.second, entry.second);
    if (entry.first.end > last.first.end)
      last = entry;
  }
  classes.compress();

  std::vector<llvm::SmallVector<unsigned>> groups(classes.getNumClasses());
  for (unsigned i = 0; i < sections.spans.size(); ++i)
    if (!sections.spans[i].empty())
      groups[classes[i]].push_back(i);
  llvm::erase_if(groups, [](const auto &group) { return group.empty(); });
  return groups;
}
