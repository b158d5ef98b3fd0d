//===- Placement.cpp - the cheapest barriers that cut every hazard -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Placement/Placement.h"
#include "MemSpace/Placement/HittingSet.h"
#include "PathSearch.h"
#include "PendingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace mlir::memspace::placement;
using llvm::ArrayRef;

namespace {
/// Beyond as many hazards that no choice cuts, one is given of each access that
/// follows.
constexpr size_t kMaxUncutInAll = 1000;
/// Of all searches for paths.
constexpr int64_t kMaxSteps = 20'000'000;

/// Nodes that are passed one after the other.
struct Block {
  std::vector<unsigned> nodes;
  std::vector<Edge> successors; // To blocks.
};

/// What comes to a block.
struct BlockState {
  bool isVisited = false;
  /// What it was visited with; not kept where it is visited once.
  PendingSet known;
  /// What it is to be visited with.
  PendingSet added;
};

class Placer {
public:
  Placer(const Program &program, HazardQuery getHazard,
         const PlacementOptions &options)
      : program(program), getHazard(getHazard), options(options),
        table(program),
        timings(options.timings ? options.timings : makePathTimings(program)),
        taken(table.elements.size(), false),
        mostOrders(program.getAccesses().size()),
        minimalClauses(table.elements.size()), workLeft(options.maxWork) {
    for (const Element &element : table.elements)
      costs.push_back(getChoice(element).cost);
    makeBlocks();
  }

  Placement run();

private:
  const Choice &getChoice(const Element &element) const {
    return program.getNodes()[element.slot].choices[element.choice];
  }
  void makeBlocks();
  bool check();
  /// What is cut at a node: accesses up to `last`.
  struct Cut {
    Orders orders = 0;
    unsigned last = 0;
  };
  bool isDone(const Pending &pending);
  void order(PendingSet &state, Cut cut);
  void visitBlock(const Block &block, PendingSet &state, bool isFirst);
  void visitAccesses(unsigned node, PendingSet &state, bool isFirst);
  Cut findHazards(unsigned access, const PendingSet &state, Orders cut);
  std::optional<std::vector<unsigned>> findHazard(const PathQuery &query);
  Orders report(const Pending &pending, unsigned second, Orders order);
  bool chooseElements(Placement &placement);
  void take(const HittingSet &set);
  void sink();
  std::vector<bool> getSunk() const;
  void describe(Placement &placement) const;

  const Program &program;
  HazardQuery getHazard;
  const PlacementOptions &options;
  ElementTable table;
  std::shared_ptr<PathTimings> timings;
  std::vector<Cost> costs;
  std::vector<Block> blocks;
  /// Of each block, the last one from which its state may change again.
  std::vector<unsigned> lastUse;
  /// The candidate.
  std::vector<bool> taken;
  /// By access, once it was asked for.
  std::vector<std::optional<Orders>> mostOrders;

  /// All clauses met so far, each with a hazard that it comes from and in the
  /// order of a path.
  struct Origin {
    PathHazard hazard;
    std::vector<unsigned> path;
  };
  std::map<Clause, Origin> clauses;
  /// What is left of them to be solved.
  MinimalClauses minimalClauses;
  /// While a candidate is checked: what is cut at a node as soon as something
  /// there was found uncut, so that one gap is not reported again and again.
  std::vector<Cut> cutAt;
  /// Only what comes before a gap is cut with it. Without a candidate
  /// everything is, as if a barrier stood at its end.
  bool cutsEarlierOnly = false;
  /// While a candidate is checked: so many gaps are reported besides the
  /// nearest of each kind before an access. One by one they would take as many
  /// candidates.
  size_t moreGaps = 0;
  bool foundNew = false;
  int64_t stepsLeft = kMaxSteps;
  int64_t workLeft;
  /// Whatever is placed costs more than is asked for.
  bool isBeyondLimit = false;
  /// After too many candidates: take an element for each clause at once.
  bool completes = false;
  std::set<std::tuple<unsigned, unsigned, unsigned, Orders, bool>> ignored;
  std::vector<UncutHazard> uncut;
};
} // namespace

void Placer::makeBlocks() {
  const std::vector<Node> &nodes = program.getNodes();
  std::vector<unsigned> predecessors(nodes.size(), 0);
  std::vector<bool> starts(nodes.size(), false);
  if (!nodes.empty())
    starts[0] = true;
  for (const Node &node : nodes)
    for (const Edge &edge : node.successors) {
      // What has been carried by a loop is not any more behind it.
      if (++predecessors[edge.to] > 1 || node.successors.size() > 1 ||
          edge.crosses != kNone || nodes[edge.to].loop != node.loop)
        starts[edge.to] = true;
    }
  // In the order of a depth-first walk from the entry, so that most of what
  // comes before a block is known when it is visited.
  std::vector<unsigned> postOrder;
  std::vector<char> seen(nodes.size(), false);
  std::vector<std::pair<unsigned, unsigned>> stack;
  if (!nodes.empty()) {
    stack.emplace_back(0, 0);
    seen[0] = true;
  }
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    // The last successor first: it comes last in the reversed order.
    unsigned count = nodes[node].successors.size();
    if (next < count) {
      unsigned to = nodes[node].successors[count - ++next].to;
      if (!seen[to]) {
        seen[to] = true;
        stack.emplace_back(to, 0);
      }
      continue;
    }
    postOrder.push_back(node);
    stack.pop_back();
  }
  std::vector<unsigned> blockOf(nodes.size(), kNone);
  for (unsigned node : llvm::reverse(postOrder)) {
    if (!starts[node])
      continue;
    blockOf[node] = blocks.size();
    Block &block = blocks.emplace_back();
    block.nodes.push_back(node);
    while (true) {
      const Node &last = nodes[block.nodes.back()];
      if (last.successors.size() != 1 || starts[last.successors.front().to])
        break;
      block.nodes.push_back(last.successors.front().to);
    }
  }
  lastUse.resize(blocks.size());
  for (auto [number, block] : llvm::enumerate(blocks))
    for (const Edge &edge : nodes[block.nodes.back()].successors) {
      unsigned to = blockOf[edge.to];
      block.successors.push_back({to, edge.crosses});
      lastUse[to] = std::max<unsigned>(lastUse[to], number);
    }
  // What a block brings back to an earlier one comes to all in between, and
  // from there farther back.
  for (unsigned number = 1; number < blocks.size(); ++number)
    lastUse[number] = std::max(lastUse[number], lastUse[number - 1]);
  for (unsigned number = blocks.size(); number-- > 0;)
    lastUse[number] = std::max(lastUse[number], lastUse[lastUse[number]]);
}

//===----------------------------------------------------------------------===//
// Checking a candidate
//===----------------------------------------------------------------------===//

/// A path on which the hazard of `query` is left, with what it tells of the
/// iterations.
std::optional<std::vector<unsigned>>
Placer::findHazard(const PathQuery &query) {
  const PathHazard &hazard = query.hazard;
  auto accepts = [&](PathTiming timing) {
    return (getHazard(hazard.first, hazard.second, hazard.carryingLoop,
                      timing) &
            hazard.order) != 0;
  };
  int64_t steps = std::min(stepsLeft, workLeft), stepsAtFirst = steps;
  auto path = findPath(program, table, taken, query, accepts, *timings, steps);
  stepsLeft -= stepsAtFirst - steps;
  workLeft -= stepsAtFirst - steps;
  return path;
}

/// Deals with a pair that `order` (one bit) is missing for. What the last
/// choice on the path would give; 0 if no choice could cut it.
Orders Placer::report(const Pending &pending, unsigned second, Orders order) {
  PathQuery query;
  query.hazard = {pending.access, second, pending.carryingLoop, order};
  query.needsElement = !options.everyPathCut;
  auto isIgnored = [&](bool inFlight) {
    return ignored.count(
        {pending.access, second, pending.carryingLoop, order, inFlight});
  };
  auto addUncut = [&](bool inFlight) {
    ignored.insert(
        {pending.access, second, pending.carryingLoop, order, inFlight});
    UncutHazard hazard;
    static_cast<PathHazard &>(hazard) = query.hazard;
    hazard.inFlight = inFlight;
    uncut.push_back(hazard);
  };
  if (pending.isInFlight() && options.everyPathCut && !isIgnored(true)) {
    query.inFlight = true;
    if (findHazard(query))
      addUncut(/*inFlight=*/true);
    query.inFlight = false;
  }
  // One hazard of an access says that no choice is there; many hazards of many
  // accesses would take as many searches.
  if (isIgnored(false) ||
      (uncut.size() > kMaxUncutInAll && uncut.back().second == second))
    return 0;
  std::optional<std::vector<unsigned>> path = findHazard(query);
  if (!path)
    return 0;
  if (path->empty()) {
    addUncut(/*inFlight=*/false);
    return 0;
  }
  unsigned last = path->back();
  if (completes)
    taken[last] = true;
  Clause clause = *path;
  llvm::sort(clause);
  Origin origin{query.hazard, std::move(*path)};
  auto [it, isNew] = clauses.try_emplace(std::move(clause), std::move(origin));
  if (isNew)
    minimalClauses.add(it->first);
  foundNew |= isNew || completes;
  return getChoice(table.elements[last]).orders;
}

/// True when all that any hazard with it needs is ordered.
bool Placer::isDone(const Pending &pending) {
  Orders open =
      ~pending.ordered & program.getAccesses()[pending.access].relevant;
  if (open == 0 || pending.ordered == 0 || pending.isInFlight() ||
      !options.getMostOrdersOf)
    return open == 0;
  std::optional<Orders> &most = mostOrders[pending.access];
  if (!most)
    most = options.getMostOrdersOf(pending.access);
  return (open & *most) == 0;
}

void Placer::order(PendingSet &state, Cut cut) {
  llvm::erase_if(state, [&](Pending &pending) {
    if (pending.access > cut.last)
      return false;
    if (!pending.isInFlight())
      pending.ordered |= cut.orders;
    return isDone(pending);
  });
}

/// Reports what `access` is not ordered with, apart from `cut`. What the
/// barriers that are missing would order.
Placer::Cut Placer::findHazards(unsigned access, const PendingSet &state,
                                Orders cut) {
  ArrayRef<Access> accesses = program.getAccesses();
  const Access &own = accesses[access];
  Cut result;
  workLeft -= state.size();
  // The nearest gap of each kind gives the shortest clause.
  std::set<std::pair<unsigned, Orders>> reported;
  for (const Pending &pending : llvm::reverse(state)) {
    if ((!pending.writes && !own.writes) ||
        (pending.bucket != own.bucket && pending.bucket != kNone &&
         own.bucket != kNone))
      continue;
    Orders open =
        ~pending.ordered & accesses[pending.access].relevant & own.relevant;
    if (!options.everyPathCut)
      open &= pending.possible;
    // What is cut here for another pair is cut for this one.
    if (!pending.isInFlight())
      open &= ~cut;
    // Ordered in part, or to be: by what is missing for another pair.
    bool isInPart = (pending.ordered | cut) != 0;
    if (open != 0 && isInPart && !pending.isInFlight() && options.getMostOrders)
      open &= options.getMostOrders(pending.access, access);
    if (open == 0)
      continue;
    PathTiming timing;
    timing.inFlight = pending.isInFlight();
    Orders missing =
        getHazard(pending.access, access, pending.carryingLoop, timing) & open;
    // From the workgroup to the subgroup: what cuts the one cuts the other.
    for (unsigned bit = kNumOrders; bit-- > 0;) {
      Orders single = Orders(1) << bit;
      if (!(missing & single) || (!pending.isInFlight() && (cut & single)))
        continue;
      bool isFirst = !reported.count({pending.carryingLoop, single});
      if (!isFirst && moreGaps == 0)
        continue;
      if (Orders given = report(pending, access, single)) {
        reported.insert({pending.carryingLoop, single});
        moreGaps -= !isFirst;
        if (moreGaps == 0)
          cut |= given;
        result.orders |= given;
        result.last = std::max(result.last, pending.access);
      }
    }
  }
  return result;
}

void Placer::visitAccesses(unsigned number, PendingSet &state, bool isFirst) {
  const Node &node = program.getNodes()[number];
  unsigned end = node.firstAccess + node.numAccesses;
  if (cutAt[number].orders)
    order(state, cutAt[number]);
  Cut found;
  for (unsigned access = node.firstAccess; access < end; ++access) {
    Cut cut = findHazards(access, state, found.orders);
    found.orders |= cut.orders;
    found.last = std::max(found.last, cut.last);
  }
  if (found.orders) {
    Cut &cut = cutAt[number];
    cut.orders |= found.orders;
    cut.last = cutsEarlierOnly ? std::max(cut.last, found.last) : kNone;
    order(state, cut);
  }
  // Not before all accesses of the op were looked at: they are at once. What
  // comes of them has been carried on since the first visit.
  for (unsigned access = node.firstAccess; access < end; ++access) {
    const Access &own = program.getAccesses()[access];
    Pending added{access,         kNone,
                  own.bucket,     own.writes,
                  /*ordered=*/0,
                  /*possible=*/0, own.inFlight ? Flight(0) : kLanded};
    auto it =
        llvm::lower_bound(state, added, [](const Pending &a, const Pending &b) {
          return a.isBefore(b);
        });
    bool isKnown = it != state.end() && it->isSameKey(added);
    if (isFirst && isKnown)
      *it = added;
    else if (isFirst)
      state.insert(it, added);
    else if (isKnown)
      state.erase(it);
  }
}

void Placer::visitBlock(const Block &block, PendingSet &state, bool isFirst) {
  for (unsigned number : block.nodes) {
    const Node &node = program.getNodes()[number];
    if (node.commits || node.waitLeaves)
      for (Pending &pending : state)
        pending.flight = advance(pending.flight, node);
    if (node.barrier)
      order(state, {node.barrier, kNone});
    for (auto [choice, offered] : llvm::enumerate(program.getChoices(number))) {
      Orders orders = offered.orders;
      if (taken[table.firstOf[number] + choice])
        order(state, {orders, kNone});
      else if (!options.everyPathCut)
        for (Pending &pending : state)
          if (!pending.isInFlight())
            pending.possible |= orders;
    }
    if (node.numAccesses)
      visitAccesses(number, state, isFirst);
  }
}

/// Carries what is pending through the program to a fixed point. A block is
/// visited with what has changed since it was visited before. True if the
/// candidate leaves nothing uncut that a choice could cut.
bool Placer::check() {
  cutAt.assign(program.getNodes().size(), Cut());
  foundNew = false;
  if (blocks.empty())
    return true;
  std::vector<BlockState> states(blocks.size());
  std::set<unsigned> work{0};
  unsigned firstKept = 0;
  while (!work.empty() && workLeft >= 0) {
    unsigned number = *work.begin();
    work.erase(work.begin());
    // The blocks before the first that is to be visited are done, unless a
    // later one leads back to them.
    for (; firstKept < number && lastUse[firstKept] < number; ++firstKept)
      states[firstKept].known = PendingSet();
    BlockState &own = states[number];
    bool isFirst = !own.isVisited;
    own.isVisited = true;
    PendingSet state = std::move(own.added);
    own.added = PendingSet();
    if (isFirst && lastUse[number] >= number)
      own.known = state;
    const Block &block = blocks[number];
    visitBlock(block, state, isFirst);
    auto carryOn = [&](const Edge &edge, PendingSet carried) {
      carry(program, {blocks[edge.to].nodes.front(), edge.crosses}, carried);
      BlockState &next = states[edge.to];
      if (next.isVisited)
        carried = update(next.known, carried);
      if (next.isVisited && carried.empty())
        return;
      join(next.added, std::move(carried));
      work.insert(edge.to);
    };
    ArrayRef<Edge> edges = block.successors;
    if (edges.empty())
      continue;
    for (const Edge &edge : edges.drop_back())
      carryOn(edge, state);
    carryOn(edges.back(), std::move(state));
  }
  return !foundNew;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Takes candidates until one is optimal or the limits are reached. True if
/// what is taken leaves nothing uncut that a choice could cut.
bool Placer::chooseElements(Placement &placement) {
  // A candidate that leaves paths uncut need not be the cheapest one.
  constexpr int64_t kPartOfCandidate = 16;
  constexpr unsigned kFewCandidates = 1;
  HittingSetSolver solver(costs);
  std::optional<HittingSet> cheapest;
  int64_t nodesLeft = options.maxNodes;
  bool isCut = check();
  placement.isOptimal = isCut;
  for (unsigned round = 1;
       !placement.isOptimal && round < options.maxCandidates; ++round) {
    std::vector<Clause> all = minimalClauses.get();
    // One that cuts all is improved with all that is left.
    bool isLast = isCut;
    int64_t maxNodes = isLast ? nodesLeft : nodesLeft / kPartOfCandidate;
    HittingSet candidate = solver.solve(all, maxNodes);
    nodesLeft -= candidate.nodes;
    placement.lowerBound = candidate.lowerBound;
    isBeyondLimit = stepsLeft >= 0 && options.limit &&
                    *options.limit < candidate.lowerBound;
    if (isBeyondLimit)
      return false;
    take(candidate);
    // Where many barriers have to move, all clauses that say so come at once.
    cutsEarlierOnly = stepsLeft > kMaxSteps / 2;
    moreGaps = round > kFewCandidates ? table.elements.size() : 0;
    isCut = check();
    if (workLeft < 0)
      return false;
    if (!isCut)
      continue;
    placement.isOptimal = candidate.isOptimal;
    if (!cheapest || candidate.cost < cheapest->cost)
      cheapest = std::move(candidate);
    if (isLast)
      break;
  }
  if (cheapest)
    take(*cheapest);
  return cheapest || isCut;
}

void Placer::take(const HittingSet &set) {
  std::fill(taken.begin(), taken.end(), false);
  for (unsigned element : set.elements)
    taken[element] = true;
}

Placement Placer::run() {
  Placement placement;
  bool isCut = chooseElements(placement);
  if (isBeyondLimit) {
    placement.cost = placement.lowerBound;
    return placement;
  }
  if (isCut) {
    sink();
  } else {
    completes = true;
    while (!isCut)
      isCut = check();
  }
  // Paths that were taken unseen may have no hazard.
  if (stepsLeft < 0) {
    placement.isOptimal = false;
    placement.lowerBound = {};
  }
  placement.isGivenUp = workLeft < 0;
  describe(placement);
  return placement;
}

/// Each taken element moved as far along the paths that it alone cuts as equal
/// cost and the known clauses allow.
std::vector<bool> Placer::getSunk() const {
  std::vector<bool> sunk = taken;
  std::vector<std::vector<decltype(clauses)::const_iterator>> clausesOf(
      taken.size());
  for (auto it = clauses.begin(), end = clauses.end(); it != end; ++it)
    for (unsigned element : it->first)
      clausesOf[element].push_back(it);
  // From the last to the first, each knowing where the others have gone.
  for (unsigned element = taken.size(); element-- > 0;) {
    if (!sunk[element])
      continue;
    // How far from the ends of the paths, summed up.
    std::map<unsigned, std::pair<unsigned, int64_t>> candidates;
    unsigned numPaths = 0;
    for (auto it : clausesOf[element]) {
      const auto &[clause, origin] = *it;
      if (llvm::any_of(clause, [&](unsigned other) {
            return other != element && sunk[other];
          }))
        continue;
      ++numPaths;
      for (auto [distance, other] : llvm::enumerate(llvm::reverse(origin.path)))
        if (other == element ||
            (!sunk[other] && costs[other] == costs[element])) {
          ++candidates[other].first;
          candidates[other].second += distance;
        }
    }
    unsigned best = element;
    for (const auto &[other, found] : candidates)
      if (found.first == numPaths && found.second < candidates[best].second)
        best = other;
    sunk[element] = false;
    sunk[best] = true;
  }
  return sunk;
}

/// Of equally cheap placements the latest: what is computed before the second
/// access need not wait.
void Placer::sink() {
  constexpr unsigned kMaxAttempts = 20;
  std::vector<bool> found = taken;
  for (unsigned attempt = 0; attempt < kMaxAttempts; ++attempt) {
    taken = getSunk();
    if (taken == found || check())
      return;
    // Sunk too far; the new clauses tell. What was found meets them.
    taken = found;
  }
}

void Placer::describe(Placement &placement) const {
  for (auto [number, element] : llvm::enumerate(table.elements)) {
    if (!taken[number])
      continue;
    placement.barriers.push_back({element.slot, element.choice, {}});
    placement.cost += costs[number];
  }
  std::vector<unsigned> barrierOf(table.elements.size(), kNone);
  unsigned next = 0;
  for (unsigned number = 0; number < taken.size(); ++number)
    if (taken[number])
      barrierOf[number] = next++;

  std::vector<char> isCovered(table.elements.size(), false);
  llvm::SmallVector<bool> cutsAlone(placement.barriers.size(), false);
  for (const auto &[clause, origin] : clauses) {
    const PathHazard &hazard = origin.hazard;
    unsigned meets = 0, barrier = kNone;
    for (unsigned element : clause)
      if (taken[element]) {
        ++meets;
        barrier = barrierOf[element];
      }
    if (barrier == kNone)
      continue;
    // Rather one that no other barrier cuts, and of these the first.
    for (unsigned element : clause) {
      if (!taken[element])
        continue;
      PathHazard &cuts = placement.barriers[barrierOf[element]].cuts;
      bool &isAlone = cutsAlone[barrierOf[element]];
      bool isBetter =
          cuts.first == kNone || (meets == 1) > isAlone ||
          ((meets == 1) == isAlone && std::tie(hazard.second, hazard.first) <
                                          std::tie(cuts.second, cuts.first));
      if (!isBetter)
        continue;
      cuts = hazard;
      isAlone = meets == 1;
    }
    for (unsigned element : clause)
      if (!taken[element] && !isCovered[element]) {
        isCovered[element] = true;
        placement.covered.push_back({table.elements[element].slot,
                                     table.elements[element].choice, hazard,
                                     barrier});
      }
  }
  placement.uncut = uncut;
  // Those of one iteration first: they say most.
  auto key = [](const UncutHazard &hazard) {
    return std::make_tuple(hazard.carryingLoop != kNone, hazard.second,
                           hazard.first, hazard.carryingLoop, hazard.order);
  };
  llvm::sort(placement.uncut, [&](const UncutHazard &a, const UncutHazard &b) {
    return key(a) < key(b);
  });
}

std::shared_ptr<PathTimings>
mlir::memspace::placement::makePathTimings(const Program &program) {
  return std::make_shared<PathTimings>(program);
}

Placement mlir::memspace::placement::place(const Program &program,
                                           HazardQuery getHazard,
                                           const PlacementOptions &options) {
  return Placer(program, getHazard, options).run();
}
