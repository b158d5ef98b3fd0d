//===- PendingSet.cpp - accesses that may not be ordered yet --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PendingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace mlir::memspace::placement;

static bool isBefore(const Pending &a, const Pending &b) {
  return a.isBefore(b);
}

bool Pending::join(const Pending &other) {
  Orders bothOrdered = ordered & other.ordered;
  Orders bothPossible = possible | other.possible;
  // A copy that has landed on one path only is in flight.
  Flight bothFlight = std::min(flight, other.flight);
  bool changed = bothOrdered != ordered || bothPossible != possible ||
                 bothFlight != flight;
  ordered = bothOrdered;
  possible = bothPossible;
  flight = bothFlight;
  return changed;
}

/// Appends what does not come before the last of `set`.
static void append(PendingSet &set, const Pending &pending) {
  if (!set.empty() && set.back().isSameKey(pending))
    set.back().join(pending);
  else
    set.push_back(pending);
}

static void normalize(PendingSet &set) {
  llvm::stable_sort(set, isBefore);
  PendingSet result;
  result.reserve(set.size());
  for (const Pending &pending : set)
    append(result, pending);
  set = std::move(result);
}

void mlir::memspace::placement::join(PendingSet &set, PendingSet added) {
  if (set.empty()) {
    set = std::move(added);
    return;
  }
  PendingSet result;
  result.reserve(set.size() + added.size());
  auto known = set.begin();
  for (const Pending &pending : added) {
    for (; known != set.end() && !pending.isBefore(*known); ++known)
      result.push_back(*known);
    append(result, pending);
  }
  result.insert(result.end(), known, set.end());
  set = std::move(result);
}

PendingSet mlir::memspace::placement::update(PendingSet &set,
                                             const PendingSet &added) {
  PendingSet changed, missing;
  auto known = set.begin();
  for (const Pending &pending : added) {
    known = std::lower_bound(known, set.end(), pending, isBefore);
    bool isKnown = known != set.end() && known->isSameKey(pending);
    if (!isKnown)
      missing.push_back(pending);
    if (!isKnown || known->join(pending))
      changed.push_back(isKnown ? *known : pending);
  }
  size_t size = set.size();
  set.insert(set.end(), missing.begin(), missing.end());
  std::inplace_merge(set.begin(), set.begin() + size, set.end(), isBefore);
  return changed;
}

void mlir::memspace::placement::carry(const Program &program, const Edge &edge,
                                      PendingSet &state) {
  bool isSame = true;
  for (Pending &pending : state) {
    if (edge.crosses == kNone && pending.carryingLoop == kNone)
      continue;
    unsigned carryingLoop =
        program.cross(pending.access, pending.carryingLoop, edge);
    isSame &= carryingLoop == pending.carryingLoop;
    pending.carryingLoop = carryingLoop;
  }
  if (!isSame)
    normalize(state);
}
