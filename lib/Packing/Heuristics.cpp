//===- Heuristics.cpp - first-fit in several orders -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "Sections.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

Solution packing::bump(const Problem &problem) {
  Solution solution;
  for (const Buffer &buffer : problem.buffers) {
    int64_t offset = alignUp(solution.height, buffer.alignment);
    solution.offsets.push_back(offset);
    solution.height = offset + buffer.bytes;
  }
  return solution;
}

namespace {
/// The buffers placed so far, to be asked for those that are live in a span.
/// A segment tree over the sections, so that neither long live ranges nor many
/// buffers make a question cost more than about its answer.
class PlacedBuffers {
public:
  PlacedBuffers(unsigned numSections, unsigned numBuffers)
      : lastQuery(numBuffers, 0) {
    while (leaves < numSections)
      leaves *= 2;
    nodes.resize(2 * leaves);
  }

  void insert(Span span, unsigned buffer) {
    insert(span, buffer, 1, {0, leaves});
  }

  /// Appends each buffer that is live in one of the spans, once.
  void collect(llvm::ArrayRef<Span> spans,
               llvm::SmallVectorImpl<unsigned> &found) {
    ++query;
    for (Span span : spans)
      collect(span, found, 1, {0, leaves});
  }

private:
  struct Node {
    /// Live in all of the node's sections, but not in its parent's.
    llvm::SmallVector<unsigned, 0> throughout;
    /// Live in some of them.
    llvm::SmallVector<unsigned, 0> within;
  };

  void insert(Span span, unsigned buffer, unsigned node, Span of) {
    if (span.end <= of.begin || of.end <= span.begin)
      return;
    if (span.begin <= of.begin && of.end <= span.end) {
      nodes[node].throughout.push_back(buffer);
      return;
    }
    nodes[node].within.push_back(buffer);
    unsigned middle = (of.begin + of.end) / 2;
    insert(span, buffer, 2 * node, {of.begin, middle});
    insert(span, buffer, 2 * node + 1, {middle, of.end});
  }

  void append(llvm::ArrayRef<unsigned> buffers,
              llvm::SmallVectorImpl<unsigned> &found) {
    for (unsigned buffer : buffers) {
      if (lastQuery[buffer] != query)
        found.push_back(buffer);
      lastQuery[buffer] = query;
    }
  }

  void collect(Span span, llvm::SmallVectorImpl<unsigned> &found, unsigned node,
               Span of) {
    if (span.end <= of.begin || of.end <= span.begin)
      return;
    append(nodes[node].throughout, found);
    if (span.begin <= of.begin && of.end <= span.end) {
      append(nodes[node].within, found);
      return;
    }
    unsigned middle = (of.begin + of.end) / 2;
    collect(span, found, 2 * node, {of.begin, middle});
    collect(span, found, 2 * node + 1, {middle, of.end});
  }

  unsigned leaves = 1;
  std::vector<Node> nodes;
  std::vector<unsigned> lastQuery;
  unsigned query = 0;
};
} // namespace

/// Each buffer in `order` at the lowest offset where it fits. `bump` when
/// `isOver` before all are placed.
static Solution placeInOrder(const Problem &problem, const Sections &sections,
                             llvm::ArrayRef<unsigned> order,
                             llvm::function_ref<bool()> isOver = nullptr) {
  Solution solution;
  solution.offsets.assign(problem.buffers.size(), 0);
  PlacedBuffers placed(sections.size(), problem.buffers.size());
  llvm::SmallVector<unsigned> others;
  for (unsigned i : order) {
    if (isOver && isOver())
      return bump(problem);
    const Buffer &buffer = problem.buffers[i];
    others.clear();
    placed.collect(sections.spans[i], others);
    llvm::sort(others, [&](unsigned a, unsigned b) {
      return solution.offsets[a] < solution.offsets[b];
    });
    int64_t offset = 0;
    for (unsigned other : others) {
      if (offset + buffer.bytes <= solution.offsets[other])
        break;
      int64_t top = solution.offsets[other] + problem.buffers[other].bytes;
      if (top > offset)
        offset = alignUp(top, buffer.alignment);
    }
    solution.offsets[i] = offset;
    for (Span span : sections.spans[i])
      placed.insert(span, i);
  }
  solution.height = getHeight(problem, solution.offsets);
  return solution;
}

Solution packing::firstFit(const Problem &problem,
                           llvm::ArrayRef<unsigned> order) {
  return placeInOrder(problem, Sections(problem), order);
}

/// No solution is above the bump layout.
static Solution takeLower(Solution solution, const Problem &problem) {
  Solution other = bump(problem);
  return other.height < solution.height ? other : solution;
}

static std::vector<unsigned> getIndices(const Problem &problem) {
  std::vector<unsigned> order(problem.buffers.size());
  for (unsigned i = 0; i < order.size(); ++i)
    order[i] = i;
  return order;
}

/// How long a buffer is live, from its first to its last point in time. Times
/// may be anywhere in 64 bits.
static uint64_t getDuration(const Buffer &buffer) {
  if (buffer.live.empty())
    return 0;
  return uint64_t(buffer.live.back().end) - uint64_t(buffer.live.front().begin);
}

Solution packing::greedyBySize(const Problem &problem) {
  Sections sections(problem);
  std::vector<unsigned> order = getIndices(problem);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return problem.buffers[a].bytes > problem.buffers[b].bytes;
  });
  return takeLower(placeInOrder(problem, sections, order), problem);
}

Solution packing::bestFit(const Problem &problem,
                          llvm::function_ref<bool()> isOver) {
  Sections sections(problem);
  const std::vector<Buffer> &buffers = problem.buffers;
  // Sizes that are not multiples of the common alignment leave no hole when the
  // buffers that need most of it come first; so alignment is an order too.
  auto getSize = [&](unsigned i) { return double(buffers[i].bytes); };
  auto getTime = [&](unsigned i) { return double(getDuration(buffers[i])); };
  auto getArea = [&](unsigned i) { return getSize(i) * getTime(i); };
  auto getStart = [&](unsigned i) {
    return buffers[i].live.empty() ? 0.0
                                   : -double(buffers[i].live.front().begin);
  };
  auto getAlignment = [&](unsigned i) { return double(buffers[i].alignment); };
  using Key = llvm::function_ref<double(unsigned)>;
  const std::pair<Key, Key> keys[] = {
      {getSize, getTime},  {getArea, getSize},      {getTime, getSize},
      {getStart, getSize}, {getAlignment, getSize}, {getAlignment, getArea}};

  Solution best = bump(problem);
  int64_t bound = getLowerBound(problem);
  for (auto [first, second] : keys) {
    if (best.height == bound || (isOver && isOver()))
      break;
    std::vector<unsigned> order = getIndices(problem);
    llvm::stable_sort(
        order, [&, first = first, second = second](unsigned a, unsigned b) {
          if (first(a) != first(b))
            return first(a) > first(b);
          return second(a) > second(b);
        });
    Solution solution = placeInOrder(problem, sections, order, isOver);
    if (solution.height < best.height)
      best = std::move(solution);
  }
  return best;
}
