//===- Orders.cpp - orders for first-fit, and what they give --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Orders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

std::optional<Solution> OrderPlacer::place(llvm::ArrayRef<unsigned> order,
                                           int64_t limit,
                                           llvm::function_ref<bool()> isOver) {
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), 0);
  space.clear();
  for (unsigned i : order) {
    if (isOver && isOver())
      return std::nullopt;
    const Buffer &buffer = problem.buffers[i];
    llvm::ArrayRef<Span> spans = sections.spans[i];
    ++numPlaced;
    int64_t offset = space.findLowest(spans, buffer.bytes, buffer.alignment);
    int64_t end = offset + buffer.bytes;
    if (end > limit)
      return std::nullopt;
    solution.offsets[i] = offset;
    solution.height = std::max(solution.height, end);
    space.insert(spans, offset, end);
  }
  return solution;
}

/// By section: the bytes that are live.
static std::vector<int64_t> getLoads(const Problem &problem,
                                     const Sections &sections) {
  std::vector<int64_t> loads(sections.size() + 1);
  for (size_t i = 0; i < sections.spans.size(); ++i)
    for (Span span : sections.spans[i]) {
      loads[span.begin] += problem.buffers[i].bytes;
      loads[span.end] -= problem.buffers[i].bytes;
    }
  for (size_t section = 1; section < loads.size(); ++section)
    loads[section] += loads[section - 1];
  return loads;
}

namespace {
/// Answers "the largest in [begin, end)" by two overlapping powers of two.
class RangeMaximum {
public:
  explicit RangeMaximum(std::vector<int64_t> values) {
    levels.push_back(std::move(values));
    for (size_t width = 1; 2 * width <= levels[0].size(); width *= 2) {
      const std::vector<int64_t> &last = levels.back();
      std::vector<int64_t> next(last.size() - width);
      for (size_t i = 0; i < next.size(); ++i)
        next[i] = std::max(last[i], last[i + width]);
      levels.push_back(std::move(next));
    }
  }

  int64_t get(Span span) const {
    unsigned level = llvm::Log2_32(span.end - span.begin);
    return std::max(levels[level][span.begin],
                    levels[level][span.end - (1u << level)]);
  }

private:
  std::vector<std::vector<int64_t>> levels;
};
} // namespace

OrderFamily::OrderFamily(const Problem &problem, const Sections &sections)
    : problem(problem) {
  RangeMaximum maximum(getLoads(problem, sections));
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    int64_t most = 0;
    for (Span span : sections.spans[i])
      most = std::max(most, maximum.get(span));
    mostLive.push_back(double(most));
    bool isLive = !buffer.live.empty();
    // Times may be anywhere in 64 bits.
    duration.push_back(isLive ? double(uint64_t(buffer.live.back().end) -
                                       uint64_t(buffer.live.front().begin))
                              : 0);
    start.push_back(isLive ? double(buffer.live.front().begin) : 0);
    mostBytes = std::max(mostBytes, double(buffer.bytes));
  }
}

/// The power of `base` that a value is in.
static double getClass(double value, double base) {
  return value > 0 ? std::floor(std::log2(value) / std::log2(base)) : -1;
}

namespace {
enum OrderKind {
  // Largest first, by one thing and then another.
  BytesDuration,
  AreaBytes,
  DurationBytes,
  StartBytes,
  // Sizes that are not multiples of the common alignment leave no hole when the
  // buffers that need most of it come first.
  AlignmentBytes,
  AlignmentArea,
  // Buffers of one size that are placed by their start take as few places as
  // are live at once: they color an interval graph. Networks have few sizes,
  // of which most are about powers of two of another.
  BytesStart,
  ClassStart,
  // First what is live at the peak, which leaves no choice.
  MostLiveBytes,
  MostLiveDuration,
  // Large ones by start; small ones fill what is left, the longest first.
  LargeStart16,
  LargeStart64,
  LargeStart256,
  DurationClassStart,
  NumOrders
};
} // namespace

unsigned OrderFamily::size() { return NumOrders; }

OrderFamily::Key OrderFamily::getKey(unsigned order, unsigned buffer) const {
  double bytes = double(problem.buffers[buffer].bytes);
  double alignment = double(problem.buffers[buffer].alignment);
  double time = duration[buffer], first = -start[buffer];
  auto putLargeFirst = [&](double share) {
    return bytes * share >= mostBytes ? Key{1, first, time}
                                      : Key{0, time, first};
  };
  switch (OrderKind(order)) {
  case BytesDuration:
    return {bytes, time};
  case AreaBytes:
    return {bytes * time, bytes};
  case DurationBytes:
    return {time, bytes};
  case StartBytes:
    return {first, bytes};
  case AlignmentBytes:
    return {alignment, bytes};
  case AlignmentArea:
    return {alignment, bytes * time};
  case BytesStart:
    return {bytes, first, time};
  case ClassStart:
    return {getClass(bytes, 4), first, time};
  case MostLiveBytes:
    return {mostLive[buffer], bytes, time};
  case MostLiveDuration:
    return {mostLive[buffer], time, bytes};
  case LargeStart16:
    return putLargeFirst(16);
  case LargeStart64:
    return putLargeFirst(64);
  case LargeStart256:
    return putLargeFirst(256);
  case DurationClassStart:
    return {getClass(time, 2), first, bytes};
  case NumOrders:
    break;
  }
  llvm_unreachable("no such order");
}

std::vector<unsigned> OrderFamily::make(unsigned k) const {
  std::vector<std::pair<Key, unsigned>> entries;
  for (unsigned i = 0; i < problem.buffers.size(); ++i)
    entries.push_back({getKey(k, i), i});
  llvm::sort(entries, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<unsigned> order;
  order.reserve(entries.size());
  for (const auto &entry : entries)
    order.push_back(entry.second);
  return order;
}
