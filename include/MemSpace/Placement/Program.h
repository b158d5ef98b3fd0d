//===- Program.h - where barriers may stand and what needs them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The control flow of a kernel as placement sees it: a graph of points, each
/// an access, a fixed barrier, a wait for copies, or a slot where a barrier may
/// stand at a cost. Free of MLIR, so that placement can be compared with a
/// brute force on any program, and can serve other IRs.
///
/// Two accesses are ordered in one of four ways, each a bit: between the
/// threads of a workgroup or only of a subgroup, and in workgroup or in global
/// memory. A hazard needs some of the bits; a barrier gives some.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PLACEMENT_PROGRAM_H
#define MEMSPACE_PLACEMENT_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace mlir {
namespace memspace {
namespace placement {

/// A set of the ways to order two accesses.
using Orders = uint8_t;
inline constexpr Orders kSubgroupInWorkgroupMemory = 1;
inline constexpr Orders kSubgroupInGlobalMemory = 2;
inline constexpr Orders kWorkgroupInWorkgroupMemory = 4;
inline constexpr Orders kWorkgroupInGlobalMemory = 8;
inline constexpr Orders kInWorkgroupMemory =
    kSubgroupInWorkgroupMemory | kWorkgroupInWorkgroupMemory;
inline constexpr Orders kInGlobalMemory =
    kSubgroupInGlobalMemory | kWorkgroupInGlobalMemory;
/// What a barrier of a subgroup, and one of a workgroup, gives.
inline constexpr Orders kSubgroupOrders = 3;
inline constexpr Orders kAllOrders = 15;
inline constexpr unsigned kNumOrders = 4;

inline constexpr unsigned kNone = ~0u;
/// Iterations are counted up to here; this many stands for all that follow.
inline constexpr unsigned kMany = 4;

/// What barriers cost, compared from left to right: how often barriers of the
/// workgroup and of subgroups are executed (in the unit that the program
/// chooses), and how many stand in the code. Sums saturate.
struct Cost {
  int64_t workgroup = 0;
  int64_t subgroup = 0;
  int64_t placed = 0;

  Cost &operator+=(const Cost &other);
  Cost &operator-=(const Cost &other);
  friend Cost operator+(Cost a, const Cost &b) { return a += b; }
  bool operator==(const Cost &other) const {
    return std::tie(workgroup, subgroup, placed) ==
           std::tie(other.workgroup, other.subgroup, other.placed);
  }
  bool operator<(const Cost &other) const {
    return std::tie(workgroup, subgroup, placed) <
           std::tie(other.workgroup, other.subgroup, other.placed);
  }
};

/// One barrier that may stand at a slot.
struct Choice {
  Orders orders = kAllOrders;
  Cost cost;
};

/// One access; accesses are numbered from 0 in program order.
struct Access {
  bool writes = true;
  /// The orders that a hazard with it can need: of the memories that it may
  /// touch.
  Orders relevant = kAllOrders;
  /// Accesses of different buckets never have a hazard; kNone: with any.
  unsigned bucket = kNone;
  /// A copy that runs beside the thread: it belongs to the group that the next
  /// commit closes, and no barrier orders it before a wait has completed it.
  bool inFlight = false;
  unsigned node = kNone;
};

struct Edge {
  unsigned to;
  /// The loop whose next iteration begins along the edge, or kNone.
  unsigned crosses = kNone;
};

struct Node {
  /// The innermost loop around the node, or kNone.
  unsigned loop = kNone;
  /// A slot has choices.
  llvm::SmallVector<Choice, 2> choices;
  /// The node with the choices, of a slot that control comes to at several
  /// points of the program: its first one. A barrier there stands at all.
  unsigned slot = kNone;
  /// What a barrier that stands here orders.
  Orders barrier = 0;
  /// Closes the group of the copies begun since the last commit.
  bool commits = false;
  /// A wait: all groups but the last so many are complete.
  std::optional<unsigned> waitLeaves;
  unsigned firstAccess = 0;
  unsigned numAccesses = 0;
  llvm::SmallVector<Edge, 2> successors;
};

/// How far the copy of an access is from being complete: kLanded, or the number
/// of commits since it began, at most kMaxCommits.
using Flight = uint8_t;
inline constexpr Flight kLanded = 0xff;
inline constexpr Flight kMaxCommits = 31;

/// What becomes of a flight at a node.
Flight advance(Flight flight, const Node &node);

class Program {
public:
  /// A loop inside `parent` (kNone: inside none); parents come first. What it
  /// carries is carried by `behind`, a loop around it, once it is left; kNone:
  /// iterations of a loop that has been left do not matter any more.
  unsigned addLoop(unsigned parent, unsigned behind = kNone);

  /// Node 0 is the entry. A node is one of: a join, a slot (with choices), a
  /// barrier, a commit, a wait, accesses that execute at once.
  unsigned addNode(unsigned loop);
  unsigned addSlot(unsigned loop, llvm::ArrayRef<Choice> choices);
  /// The slot of node `slot` once more: its choices cost so much more.
  unsigned addSlotAgain(unsigned loop, unsigned slot,
                        llvm::ArrayRef<Choice> choices);
  unsigned addBarrier(unsigned loop, Orders orders);
  unsigned addCommit(unsigned loop);
  /// A wait that leaves the last `groups` groups in flight, and what has not
  /// been committed to one.
  unsigned addWait(unsigned loop, unsigned groups);
  unsigned addAccesses(unsigned loop, llvm::ArrayRef<Access> accesses);

  void addEdge(unsigned from, unsigned to, unsigned crosses = kNone);

  const std::vector<Node> &getNodes() const { return nodes; }
  /// What may stand at a node; empty if it is no slot.
  llvm::ArrayRef<Choice> getChoices(unsigned node) const {
    unsigned slot = nodes[node].slot;
    return slot == kNone ? llvm::ArrayRef<Choice>() : nodes[slot].choices;
  }
  const std::vector<Access> &getAccesses() const { return accesses; }
  unsigned getNumLoops() const { return parents.size(); }
  unsigned getLoopBehind(unsigned loop) const { return loopsBehind[loop]; }

  /// True when `inner` is `outer` or inside it; kNone is around all loops.
  bool isInLoop(unsigned inner, unsigned outer) const;

  /// `carryingLoop` is the outermost loop around `access` that has begun
  /// another iteration since, or the one behind that; this is what becomes of
  /// it along an edge.
  unsigned cross(unsigned access, unsigned carryingLoop,
                 const Edge &edge) const;

private:
  std::vector<Node> nodes;
  std::vector<Access> accesses;
  std::vector<unsigned> parents;
  std::vector<unsigned> depths;
  std::vector<unsigned> loopsBehind;
};

} // namespace placement
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PLACEMENT_PROGRAM_H
