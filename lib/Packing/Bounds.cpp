//===- Bounds.cpp - heights that no solution goes below -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "Sections.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

/// Different alignments looked at by the bound; more cost time, and kernels
/// have a handful.
static constexpr size_t kMaxAlignments = 16;

namespace {
/// Buffers that become live, and that cease to be, by section.
struct Events {
  explicit Events(const Sections &sections)
      : begins(sections.size() + 1), ends(sections.size() + 1) {
    for (unsigned i = 0; i < sections.spans.size(); ++i)
      for (Span span : sections.spans[i]) {
        begins[span.begin].push_back(i);
        ends[span.end].push_back(i);
      }
  }

  std::vector<llvm::SmallVector<unsigned, 2>> begins, ends;
};
} // namespace

/// The section with the largest sum of live bytes, and the sum.
static std::pair<unsigned, int64_t> findPeak(const Problem &problem,
                                             const Sections &sections) {
  Events events(sections);
  std::pair<unsigned, int64_t> peak = {0, 0};
  int64_t live = 0;
  for (unsigned section = 0; section < sections.size(); ++section) {
    for (unsigned i : events.ends[section])
      live -= problem.buffers[i].bytes;
    for (unsigned i : events.begins[section])
      live += problem.buffers[i].bytes;
    if (live > peak.second)
      peak = {section, live};
  }
  return peak;
}

int64_t packing::getPeakLiveBytes(const Problem &problem) {
  return findPeak(problem, Sections(problem)).second;
}

std::optional<int64_t> packing::getPeakTime(const Problem &problem) {
  Sections sections(problem);
  if (sections.size() == 0)
    return std::nullopt;
  return sections.times[findPeak(problem, sections).first];
}

/// The largest height that buffers force which are live at once and whose
/// alignments are multiples of `alignment`: each takes its bytes rounded up to
/// `alignment`, except the topmost, which may be the one that gains most.
static int64_t getAlignedPeak(const Problem &problem, const Sections &sections,
                              const Events &events, int64_t alignment) {
  int64_t peak = 0, live = 0;
  std::multiset<int64_t> holes;
  for (unsigned section = 0; section < sections.size(); ++section) {
    auto update = [&](unsigned i, bool begins) {
      if (problem.buffers[i].alignment % alignment)
        return;
      int64_t bytes = problem.buffers[i].bytes;
      int64_t rounded = alignUp(bytes, alignment);
      live += begins ? rounded : -rounded;
      if (begins)
        holes.insert(rounded - bytes);
      else
        holes.erase(holes.find(rounded - bytes));
    };
    for (unsigned i : events.ends[section])
      update(i, /*begins=*/false);
    for (unsigned i : events.begins[section])
      update(i, /*begins=*/true);
    if (!holes.empty())
      peak = std::max(peak, live - *holes.rbegin());
  }
  return peak;
}

int64_t packing::getLowerBound(const Problem &problem) {
  Sections sections(problem);
  int64_t bound = findPeak(problem, sections).second;
  std::set<int64_t> alignments;
  for (const Buffer &buffer : problem.buffers) {
    // A buffer that is never live takes its bytes as well.
    bound = std::max(bound, buffer.bytes);
    if (alignments.size() < kMaxAlignments)
      alignments.insert(buffer.alignment);
  }
  Events events(sections);
  for (int64_t alignment : alignments)
    if (alignment > 1)
      bound =
          std::max(bound, getAlignedPeak(problem, sections, events, alignment));
  return bound;
}
