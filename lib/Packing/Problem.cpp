//===- Problem.cpp - what is a valid problem, what a valid solution -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here is used by a solver to place buffers, and nothing of a solver is
// used here: verify() is a second opinion.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;
using llvm::Error;
using llvm::Twine;

/// All sizes, offsets and costs stay below this, so that the sum of two of them
/// is an int64_t.
static constexpr int64_t kMaximum = int64_t(1) << 62;

static Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// "buffer 'name'", or "buffer #3" without a name.
static std::string getLabel(const Problem &problem, unsigned index) {
  const std::string &name = problem.buffers[index].name;
  if (name.empty())
    return ("buffer #" + Twine(index)).str();
  return "buffer '" + name + "'";
}

LiveRange packing::normalize(LiveRange range) {
  llvm::erase_if(range, [](const Interval &i) { return i.begin >= i.end; });
  llvm::sort(range, [](const Interval &a, const Interval &b) {
    return a.begin < b.begin;
  });
  LiveRange joined;
  for (const Interval &interval : range) {
    if (!joined.empty() && interval.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, interval.end);
    else
      joined.push_back(interval);
  }
  return joined;
}

bool packing::overlap(const LiveRange &a, const LiveRange &b) {
  const Interval *i = a.begin(), *j = b.begin();
  while (i != a.end() && j != b.end()) {
    if (i->begin < j->end && j->begin < i->end)
      return true;
    if (i->end <= j->end)
      ++i;
    else
      ++j;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// check
//===----------------------------------------------------------------------===//

static Error checkLiveRange(const Problem &problem, unsigned index) {
  const LiveRange &live = problem.buffers[index].live;
  for (size_t i = 0; i < live.size(); ++i) {
    if (live[i].begin >= live[i].end)
      return makeError(getLabel(problem, index) + " has the empty interval [" +
                       Twine(live[i].begin) + ", " + Twine(live[i].end) + ")");
    if (i && live[i].begin < live[i - 1].end)
      return makeError(getLabel(problem, index) + " has the interval [" +
                       Twine(live[i].begin) + ", " + Twine(live[i].end) +
                       ") that begins before the previous one ends; "
                       "'normalize' sorts and joins intervals");
  }
  return Error::success();
}

static Error checkCosts(const Problem &problem) {
  int64_t sum = 0;
  for (const auto &[index, overlay] : llvm::enumerate(problem.costs)) {
    std::string label = ("overlay cost #" + Twine(index)).str();
    if (overlay.cost < 0)
      return makeError(label + " is negative: " + Twine(overlay.cost));
    if (overlay.cost >= kMaximum || (sum += overlay.cost) >= kMaximum)
      return makeError(label + " brings the sum of the costs to 2^62 or more");
    for (auto [a, b] : overlay.pairs) {
      if (a >= problem.buffers.size() || b >= problem.buffers.size())
        return makeError(label + " is about buffer #" + Twine(std::max(a, b)) +
                         " of " + Twine(problem.buffers.size()));
      if (a == b)
        return makeError(label + " is about " + getLabel(problem, a) +
                         " and itself");
      if (overlap(problem.buffers[a].live, problem.buffers[b].live))
        return makeError(label + " is about " + getLabel(problem, a) + " and " +
                         getLabel(problem, b) +
                         ", which are live at once and never share a byte");
    }
  }
  return Error::success();
}

Error Problem::check() const {
  // The end of the bump layout so far.
  int64_t end = 0;
  for (unsigned i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.bytes < 0)
      return makeError(getLabel(*this, i) +
                       " has a negative size: " + Twine(buffer.bytes));
    if (buffer.alignment < 1)
      return makeError(getLabel(*this, i) + " has the alignment " +
                       Twine(buffer.alignment) + "; it must be positive");
    if (Error error = checkLiveRange(*this, i))
      return error;
    bool overflows = buffer.alignment >= kMaximum || buffer.bytes >= kMaximum;
    if (!overflows) {
      int64_t hole =
          (buffer.alignment - end % buffer.alignment) % buffer.alignment;
      overflows =
          (end += hole) >= kMaximum || (end += buffer.bytes) >= kMaximum;
    }
    if (overflows)
      return makeError(getLabel(*this, i) +
                       " brings the sum of the sizes to 2^62 bytes or more");
  }
  return checkCosts(*this);
}

//===----------------------------------------------------------------------===//
// verify
//===----------------------------------------------------------------------===//

/// Goes through time and keeps the buffers that are live, by offset; a buffer
/// that becomes live must not meet its neighbours there.
static Error verifyDisjoint(const Problem &problem, const Solution &solution) {
  struct Event {
    int64_t time;
    bool begins;
    unsigned buffer;
  };
  std::vector<Event> events;
  for (unsigned i = 0; i < problem.buffers.size(); ++i) {
    if (problem.buffers[i].bytes == 0)
      continue;
    for (const Interval &interval : problem.buffers[i].live) {
      events.push_back({interval.begin, true, i});
      events.push_back({interval.end, false, i});
    }
  }
  llvm::sort(events, [](const Event &a, const Event &b) {
    return std::make_tuple(a.time, a.begins, a.buffer) <
           std::make_tuple(b.time, b.begins, b.buffer);
  });
  std::map<int64_t, unsigned> live;
  for (const Event &event : events) {
    int64_t offset = solution.offsets[event.buffer];
    if (!event.begins) {
      live.erase(offset);
      continue;
    }
    auto above = live.lower_bound(offset);
    std::optional<unsigned> other;
    if (above != live.end() &&
        above->first < offset + problem.buffers[event.buffer].bytes)
      other = above->second;
    if (above != live.begin()) {
      auto below = std::prev(above);
      if (below->first + problem.buffers[below->second].bytes > offset)
        other = below->second;
    }
    if (other)
      return makeError(getLabel(problem, event.buffer) + " at offset " +
                       Twine(offset) + " shares bytes with " +
                       getLabel(problem, *other) + " at offset " +
                       Twine(solution.offsets[*other]) +
                       "; both are live at time " + Twine(event.time));
    live.emplace_hint(above, offset, event.buffer);
  }
  return Error::success();
}

Error packing::verify(const Problem &problem, const Solution &solution,
                      std::optional<int64_t> capacity) {
  if (solution.offsets.size() != problem.buffers.size())
    return makeError("there are " + Twine(solution.offsets.size()) +
                     " offsets for " + Twine(problem.buffers.size()) +
                     " buffers");
  int64_t height = 0;
  for (unsigned i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    int64_t offset = solution.offsets[i], top;
    if (offset < 0)
      return makeError(getLabel(problem, i) + " has the negative offset " +
                       Twine(offset));
    if (offset % buffer.alignment)
      return makeError(getLabel(problem, i) + " has the offset " +
                       Twine(offset) + ", which is no multiple of " +
                       Twine(buffer.alignment));
    if (llvm::AddOverflow(offset, buffer.bytes, top))
      return makeError(getLabel(problem, i) + " at offset " + Twine(offset) +
                       " ends beyond 2^63");
    height = std::max(height, top);
  }
  if (Error error = verifyDisjoint(problem, solution))
    return error;
  if (height != solution.height)
    return makeError("the height is said to be " + Twine(solution.height) +
                     ", the buffers take " + Twine(height));
  if (capacity && height > *capacity)
    return makeError("the height " + Twine(height) + " exceeds the capacity " +
                     Twine(*capacity));
  return Error::success();
}

int64_t packing::getOverlayCost(const Problem &problem,
                                const Solution &solution) {
  auto shareBytes = [&](std::pair<unsigned, unsigned> pair) {
    auto [a, b] = pair;
    int64_t begin = std::max(solution.offsets[a], solution.offsets[b]);
    return begin < solution.offsets[a] + problem.buffers[a].bytes &&
           begin < solution.offsets[b] + problem.buffers[b].bytes;
  };
  int64_t sum = 0;
  for (const OverlayCost &overlay : problem.costs)
    if (llvm::any_of(overlay.pairs, shareBytes))
      sum += overlay.cost;
  return sum;
}
