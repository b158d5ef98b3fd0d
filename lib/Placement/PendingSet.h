//===- PendingSet.h - accesses that may not be ordered yet ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PLACEMENT_PENDINGSET_H
#define MEMSPACE_LIB_PLACEMENT_PENDINGSET_H

#include "MemSpace/Placement/Program.h"
#include <vector>

namespace mlir {
namespace memspace {
namespace placement {

/// An access that may not be ordered yet, as seen from a later point.
struct Pending {
  unsigned access;
  unsigned carryingLoop;
  /// As those of the access: most pairs are told apart by them.
  unsigned bucket;
  bool writes;
  /// What is ordered on every path, and, where paths without an element do not
  /// count, which orders one that is not taken would have given on some.
  Orders ordered;
  Orders possible;
  Flight flight;

  bool isInFlight() const { return flight != kLanded; }
  bool isBefore(const Pending &other) const {
    return std::tie(access, carryingLoop) <
           std::tie(other.access, other.carryingLoop);
  }
  bool isSameKey(const Pending &other) const {
    return access == other.access && carryingLoop == other.carryingLoop;
  }
  /// Adds what other paths say of the same key; true if that is more.
  bool join(const Pending &other);
};

/// Sorted, one for each (access, carryingLoop).
using PendingSet = std::vector<Pending>;

/// Adds `added` to `set`.
void join(PendingSet &set, PendingSet added);

/// The same; returns what it has changed in `set`.
PendingSet update(PendingSet &set, const PendingSet &added);

/// What becomes of `state`, behind a node, along `edge`.
void carry(const Program &program, const Edge &edge, PendingSet &state);

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PLACEMENT_PENDINGSET_H
