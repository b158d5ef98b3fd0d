//===- RemainderWalk.cpp - a stack as a walk over remainders --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk from one offset to another passes all remainders about equally often;
// the difference of the offsets says how often each. Each piece passes those of
// its arc, and what is left are holes.
//
//===----------------------------------------------------------------------===//

#include "RemainderWalk.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace::packing;

/// Bits for each remainder in a key.
static constexpr unsigned kRoomBits = 7;

RemainderWalk::Result RemainderWalk::find(llvm::ArrayRef<Piece> pieces,
                                          int64_t begin, int64_t end,
                                          unsigned maxSteps) {
  steps = 0;
  stepsAllowed = maxSteps;
  if (end < begin)
    return Result::None;
  int64_t turns = (end - begin) / period;
  arcs.clear();
  for (auto [index, piece] : llvm::enumerate(pieces)) {
    turns -= piece.size / period;
    if (piece.size % period)
      arcs.push_back({piece.alignment, piece.size % period, unsigned(index)});
  }
  if (turns < 0)
    return Result::None;
  // One more where the walk does not end at the remainder of its begin.
  if (turns + 1 >= int64_t(1) << kRoomBits)
    return Result::Limit;
  room.assign(period, turns);
  for (int64_t r = begin % period, left = (end - begin) % period; left;
       --left, r = (r + 1) % period)
    ++room[r];
  // Least choice first.
  llvm::sort(arcs, [](const Arc &a, const Arc &b) {
    return std::tie(b.alignment, b.length, a.piece) <
           std::tie(a.alignment, a.length, b.piece);
  });
  starts.assign(pieces.size(), 0);
  noPlace.clear();
  if (!place(arcs, 0))
    return Result::None;
  return steps == stepsAllowed ? Result::Limit : Result::Found;
}

/// Where there is more room than at the remainder before, an arc starts, or a
/// hole, which is an arc of length one that may start anywhere. False when the
/// arcs and holes that may start where larger alignments may not are too few.
bool RemainderWalk::mayStart(llvm::ArrayRef<Arc> arcs) const {
  int64_t holes = 0;
  for (int64_t count : room)
    holes += count;
  for (const Arc &arc : arcs)
    holes -= arc.length;
  if (holes < 0)
    return false;
  for (int64_t alignment = 2; alignment <= period; ++alignment) {
    if (period % alignment)
      continue;
    int64_t needed = 0;
    for (int64_t r = 0; r < period; ++r)
      if (r % alignment)
        needed += std::max<int64_t>(0, room[r] - room[r - 1]);
    int64_t able = holes;
    for (const Arc &arc : arcs)
      able += arc.alignment % alignment != 0;
    if (needed > able)
      return false;
  }
  return true;
}

/// Tries to give each arc a start. Equal arcs start in order, from
/// `firstStart`.
bool RemainderWalk::place(llvm::ArrayRef<Arc> arcs, int64_t firstStart) {
  if (arcs.empty() || steps == stepsAllowed)
    return true;
  ++steps;
  uint64_t key = firstStart;
  for (int64_t count : room)
    key = key << kRoomBits | uint64_t(count);
  std::pair<uint64_t, unsigned> entry = {key, unsigned(arcs.size())};
  if (noPlace.contains(entry))
    return false;
  const Arc &arc = arcs.front();
  bool mayFit = mayStart(arcs);
  for (int64_t start = firstStart; mayFit && start < period;
       start += arc.alignment) {
    bool fits = true;
    for (int64_t k = 0; k < arc.length && fits; ++k)
      fits = room[(start + k) % period] > 0;
    if (!fits)
      continue;
    for (int64_t k = 0; k < arc.length; ++k)
      --room[(start + k) % period];
    bool sameNext = arcs.size() > 1 && arcs[1].alignment == arc.alignment &&
                    arcs[1].length == arc.length;
    starts[arc.piece] = start;
    // The room that is left then is that of the holes.
    if (place(arcs.drop_front(), sameNext ? start : 0))
      return true;
    for (int64_t k = 0; k < arc.length; ++k)
      ++room[(start + k) % period];
  }
  noPlace.insert(entry);
  return false;
}

/// Hierholzer's construction of an Eulerian path.
llvm::SmallVector<unsigned>
RemainderWalk::makeOrder(llvm::ArrayRef<Piece> pieces,
                         std::mt19937_64 &engine) const {
  const unsigned hole = pieces.size();
  struct Edge {
    int64_t to;
    unsigned piece;
  };
  llvm::SmallVector<llvm::SmallVector<Edge, 8>, kMaxPeriod> edges(period);
  unsigned numEdges = 0;
  auto add = [&](int64_t from, int64_t length, unsigned piece) {
    edges[from % period].push_back({(from + length) % period, piece});
    ++numEdges;
  };
  for (int64_t r = 0; r < period; ++r)
    for (int64_t k = 0; k < room[r]; ++k)
      add(r, 1, hole);
  for (const Arc &arc : arcs)
    add(starts[arc.piece], arc.length, arc.piece);
  // Full turns may stand wherever the walk comes by.
  llvm::SmallVector<int64_t, kMaxPeriod> visited = {0};
  for (int64_t r = 1; r < period; ++r)
    if (!edges[r].empty())
      visited.push_back(r);
  for (unsigned i = 0; i < pieces.size(); ++i) {
    if (pieces[i].size % period)
      continue;
    int64_t at = visited[engine() % visited.size()];
    add(at % pieces[i].alignment ? 0 : at, 0, i);
  }
  for (auto &list : edges)
    for (size_t k = list.size(); k > 1; --k)
      std::swap(list[k - 1], list[engine() % k]);

  llvm::SmallVector<Edge, 64> stack = {{0, hole}};
  llvm::SmallVector<unsigned> order;
  unsigned numUsed = 0;
  while (!stack.empty()) {
    Edge last = stack.back();
    if (!edges[last.to].empty()) {
      stack.push_back(edges[last.to].pop_back_val());
      continue;
    }
    stack.pop_back();
    ++numUsed;
    if (last.piece != hole)
      order.push_back(last.piece);
  }
  if (numUsed != numEdges + 1)
    return {};
  std::reverse(order.begin(), order.end());
  return order;
}
