//===- OpenAccesses.cpp - accesses that a path may leave unordered -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenAccesses.h"
#include "Hazards/ExclusiveBlocks.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

namespace {
class OpenAccesses {
public:
  OpenAccesses(const HazardAnalysis &analysis, const ProgramGraph &graph,
               unsigned allOrders, const OpenAccessQueries &queries)
      : analysis(analysis), accesses(analysis.getAccesses()),
        points(graph.getPoints()), exclusive(analysis.getExclusiveBlocks()),
        allOrders(allOrders), queries(queries) {
    makeKinds();
    orderPoints();
    propagate();
  }

  bool contains(unsigned access) const {
    return !isReached[access] || kinds[kindOf[access]].isOpen ||
           queries.startsCopy(accesses[access].op);
  }

private:
  struct Kind {
    /// Any access of the kind.
    unsigned access;
    unsigned bucket;
    bool writes;
    std::optional<std::pair<int64_t, int64_t>> bounds;
    bool isOpen = false;
    /// By sets of orders, as bits: whether it was asked if any access meets it
    /// in spite of them, and whether none does.
    unsigned asked = 0, done = 0;
  };
  struct Pending {
    unsigned kind;
    /// On all paths.
    unsigned ordered;
    /// What is known in all executions that come to one of the accesses.
    unsigned facts;
  };
  /// By ascending kind.
  using State = std::vector<Pending>;

  void makeKinds();
  void orderPoints();
  void propagate();
  void visit(Operation *op, State &state);
  bool isDone(const Pending &pending);
  void meet(unsigned access, const State &state);
  bool merge(const State &from, State &into, bool isAgain) const;

  const HazardAnalysis &analysis;
  ArrayRef<MemoryAccess> accesses;
  ArrayRef<ProgramGraph::Point> points;
  ExclusiveBlocks &exclusive;
  unsigned allOrders;
  const OpenAccessQueries &queries;
  /// Those of one bucket stand together, those of any bucket first.
  std::vector<Kind> kinds;
  /// The first kind of each bucket, and the end.
  std::vector<unsigned> firstOfBucket;
  /// By access, and whether the pass has come to it.
  std::vector<unsigned> kindOf;
  std::vector<bool> isReached;
  /// By access: what is known where it is executed.
  std::vector<unsigned> factsOf;
  /// By point: its number in an order in which predecessors come first where
  /// there is no cycle; whether other paths than that of one predecessor with
  /// one successor lead to it.
  std::vector<unsigned> order;
  std::vector<bool> isHead;
};
} // namespace

void OpenAccesses::makeKinds() {
  // The bytes that an access may touch, if it has one base: in an arena those
  // of its buffer.
  auto getBytes = [&](unsigned access) {
    ArrayRef<MemoryBase> bases = accesses[access].bases;
    return bases.size() == 1 ? bases.front().bytes : std::nullopt;
  };
  using Bytes = std::optional<std::pair<int64_t, int64_t>>;
  using Key =
      std::tuple<unsigned, unsigned, bool, Bytes, SmallVector<int64_t, 4>>;
  std::map<Key, SmallVector<unsigned, 1>> accessesOf;
  for (unsigned access = 0; access < accesses.size(); ++access) {
    factsOf.push_back(exclusive.getFacts(accesses[access].op->getBlock()));
    accessesOf[{analysis.getBucket(access), analysis.getPlaces(access),
                accesses[access].writes, getBytes(access),
                SmallVector<int64_t, 4>(analysis.getClassConstants(access))}]
        .push_back(access);
  }
  kindOf.resize(accesses.size());
  isReached.resize(accesses.size(), false);
  for (const auto &[key, numbers] : accessesOf) {
    unsigned bucket = std::get<0>(key), access = numbers.front();
    for (unsigned number : numbers)
      kindOf[number] = kinds.size();
    firstOfBucket.resize(std::max<size_t>(firstOfBucket.size(), bucket + 1),
                         kinds.size());
    kinds.push_back(
        {access, bucket, std::get<2>(key), analysis.getBounds(access)});
  }
  firstOfBucket.push_back(kinds.size());
}

/// Depth first from the entry, in reverse post-order.
void OpenAccesses::orderPoints() {
  order.resize(points.size());
  isHead.resize(points.size(), false);
  std::vector<bool> seen(points.size(), false);
  SmallVector<std::pair<unsigned, unsigned>> path{{0, 0}};
  seen[0] = isHead[0] = true;
  unsigned number = points.size();
  while (!path.empty()) {
    auto &[point, next] = path.back();
    ArrayRef<ProgramGraph::Edge> edges = points[point].next;
    if (next == edges.size()) {
      order[point] = --number;
      path.pop_back();
      continue;
    }
    unsigned target = edges[next++].target;
    if (edges.size() > 1 || points[target].isJoin)
      isHead[target] = true;
    if (seen[target])
      continue;
    seen[target] = true;
    path.push_back({target, 0});
  }
}

/// From head to head, to a fixed point.
void OpenAccesses::propagate() {
  DenseMap<unsigned, State> states;
  std::set<std::pair<unsigned, unsigned>> work{{order[0], 0}};
  DenseSet<unsigned> visited;
  while (!work.empty()) {
    unsigned point = work.begin()->second;
    work.erase(work.begin());
    visited.insert(point);
    State state = states[point];
    while (true) {
      if (!queries.spend())
        return isReached.assign(isReached.size(), false);
      if (Operation *op = points[point].op)
        visit(op, state);
      ArrayRef<ProgramGraph::Edge> next = points[point].next;
      if (next.size() != 1 || isHead[next.front().target])
        break;
      point = next.front().target;
    }
    for (const ProgramGraph::Edge &edge : points[point].next) {
      bool isAgain = visited.contains(edge.target);
      if (merge(state, states[edge.target], isAgain) || !isAgain)
        work.insert({order[edge.target], edge.target});
    }
  }
}

void OpenAccesses::visit(Operation *op, State &state) {
  if (unsigned orders = queries.getOrders(op))
    llvm::erase_if(state, [&](Pending &pending) {
      pending.ordered |= orders;
      return pending.ordered == allOrders || isDone(pending);
    });
  ArrayRef<unsigned> numbers = queries.getAccesses(op);
  for (unsigned access : numbers)
    meet(access, state);
  for (unsigned access : numbers) {
    isReached[access] = true;
    Pending added{kindOf[access], 0, factsOf[access]};
    if (kinds[added.kind].isOpen)
      continue;
    auto it =
        llvm::lower_bound(state, added, [](const Pending &a, const Pending &b) {
          return a.kind < b.kind;
        });
    if (it != state.end() && it->kind == added.kind) {
      added.facts = exclusive.getCommonFacts(it->facts, added.facts);
      *it = added;
    } else {
      state.insert(it, added);
    }
  }
}

/// True when no access that a path may lead to meets those of the kind.
bool OpenAccesses::isDone(const Pending &pending) {
  Kind &kind = kinds[pending.kind];
  unsigned bit = 1u << pending.ordered;
  if (!(kind.asked & bit)) {
    kind.asked |= bit;
    if (!queries.mayMeetAny(kind.access, pending.ordered))
      kind.done |= bit;
  }
  return kind.done & bit;
}

/// Opens the kinds that are pending and meet the access.
void OpenAccesses::meet(unsigned access, const State &state) {
  const Kind &own = kinds[kindOf[access]];
  auto mayMeet = [&](const Pending &pending) {
    const Kind &kind = kinds[pending.kind];
    if (kind.isOpen || (!kind.writes && !own.writes))
      return false;
    if (kind.bounds && own.bounds && kind.bucket == own.bucket &&
        (kind.bounds->first >= own.bounds->second ||
         own.bounds->first >= kind.bounds->second))
      return false;
    if (!mayShareMemory(accesses[kind.access], accesses[access]) ||
        exclusive.areExclusive(pending.facts, factsOf[access]))
      return false;
    return !queries.spend() ||
           queries.mayMeet(kind.access, access, pending.ordered);
  };
  auto meetBucket = [&](unsigned bucket) {
    auto it = llvm::lower_bound(state, firstOfBucket[bucket],
                                [](const Pending &pending, unsigned kind) {
                                  return pending.kind < kind;
                                });
    for (; it != state.end() && it->kind < firstOfBucket[bucket + 1]; ++it)
      if (mayMeet(*it))
        kinds[it->kind].isOpen = true;
  };
  if (own.bucket != HazardAnalysis::kAnyBucket) {
    meetBucket(HazardAnalysis::kAnyBucket);
    return meetBucket(own.bucket);
  }
  for (const Pending &pending : state)
    if (mayMeet(pending))
      kinds[pending.kind].isOpen = true;
}

/// True if that adds to `into`. `isAgain`: it was there before; then facts are
/// forgotten that are not those of before, as only few may be tried in turn.
bool OpenAccesses::merge(const State &from, State &into, bool isAgain) const {
  State result;
  result.reserve(from.size() + into.size());
  bool changed = false;
  auto old = into.begin();
  for (const Pending &pending : from) {
    if (kinds[pending.kind].isOpen)
      continue;
    for (; old != into.end() && old->kind < pending.kind; ++old)
      result.push_back(*old);
    result.push_back(pending);
    if (old == into.end() || old->kind != pending.kind) {
      changed = true;
      continue;
    }
    Pending &both = result.back();
    both.ordered &= old->ordered;
    both.facts = exclusive.getCommonFacts(both.facts, old->facts);
    if (isAgain && both.facts != old->facts)
      both.facts = ExclusiveBlocks::kNothing;
    changed |= both.ordered != old->ordered || both.facts != old->facts;
    ++old;
  }
  result.insert(result.end(), old, into.end());
  into = std::move(result);
  return changed;
}

SmallVector<unsigned>
mlir::memspace::findOpenAccesses(const HazardAnalysis &analysis,
                                 const ProgramGraph &graph, unsigned allOrders,
                                 const OpenAccessQueries &queries) {
  OpenAccesses open(analysis, graph, allOrders, queries);
  unsigned count = analysis.getAccesses().size();
  return llvm::filter_to_vector(llvm::seq(0u, count), [&](unsigned access) {
    return open.contains(access);
  });
}
