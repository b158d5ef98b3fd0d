//===- PlacementTest.cpp - placement against a brute force ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The oracle shares nothing with the library but the graph's slots: it runs
/// through all executions of a structured program with up to two iterations of
/// each loop, notes which slots lie between two accesses with a hazard, and
/// tries all sets of slots.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Placement/Placement.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

using namespace mlir::memspace::placement;

namespace {
/// A structured program. A slot stands before each statement and at the end of
/// each block.
struct Statement {
  enum Kind { Read, Write, Loop, MayLoop, If, IfElse } kind;
  std::vector<std::vector<Statement>> bodies;
};
using Body = std::vector<Statement>;

/// The graph, and all that the oracle needs.
struct Built {
  Program program;
  std::vector<unsigned> slots;
  /// Of accesses and slots, in traces.
  struct Step {
    bool isSlot;
    unsigned number;
    std::vector<std::pair<unsigned, unsigned>> iterations; // (loop, iteration)
  };
  std::vector<std::vector<Step>> traces;
};

class Builder {
public:
  /// With `subgroups` a slot also takes a barrier of subgroups.
  Builder(Built &built, bool subgroups) : built(built), subgroups(subgroups) {}

  void build(const Body &body) {
    unsigned entry = built.program.addNode(kNone);
    exit = {entry};
    Traces traces{{}};
    addBody(body, kNone, /*weight=*/64, traces);
    built.traces = traces;
  }

private:
  using Traces = std::vector<std::vector<Built::Step>>;
  static constexpr unsigned kTrips = 4;

  void connect(unsigned node) {
    for (unsigned from : exit)
      built.program.addEdge(from, node);
    exit = {node};
  }

  void addSlot(unsigned loop, int64_t weight, Traces &traces) {
    Choice workgroup{kAllOrders, {weight, 0, 1}};
    Choice subgroup{kSubgroupOrders, {0, weight, 1}};
    unsigned slot = subgroups
                        ? built.program.addSlot(loop, {subgroup, workgroup})
                        : built.program.addSlot(loop, {workgroup});
    connect(slot);
    append(traces, {true, unsigned(built.slots.size()), iterations});
    built.slots.push_back(slot);
  }

  static void append(Traces &traces, const Built::Step &step) {
    for (auto &trace : traces)
      trace.push_back(step);
  }

  /// The traces of the body alone, each appended to each of `traces`.
  void addBody(const Body &body, unsigned loop, int64_t weight,
               Traces &traces) {
    for (const Statement &statement : body) {
      addSlot(loop, weight, traces);
      addStatement(statement, loop, weight, traces);
    }
    addSlot(loop, weight, traces);
  }

  static Traces concat(const Traces &a, const Traces &b) {
    Traces result;
    for (const auto &x : a)
      for (const auto &y : b) {
        result.push_back(x);
        result.back().insert(result.back().end(), y.begin(), y.end());
      }
    return result;
  }

  void addStatement(const Statement &statement, unsigned loop, int64_t weight,
                    Traces &traces) {
    switch (statement.kind) {
    case Statement::Read:
    case Statement::Write: {
      Access access;
      access.writes = statement.kind == Statement::Write;
      unsigned number = built.program.getAccesses().size();
      connect(built.program.addAccesses(loop, {access}));
      append(traces, {false, number, iterations});
      return;
    }
    case Statement::If:
    case Statement::IfElse: {
      std::vector<unsigned> before = exit, after;
      Traces all;
      for (const Body &body : statement.bodies) {
        exit = before;
        Traces branch{{}};
        addBody(body, loop, weight / 2, branch);
        all.insert(all.end(), branch.begin(), branch.end());
        after.insert(after.end(), exit.begin(), exit.end());
      }
      if (statement.kind == Statement::If) {
        after.insert(after.end(), before.begin(), before.end());
        all.push_back({});
      }
      exit = after;
      unsigned join = built.program.addNode(loop);
      connect(join);
      traces = concat(traces, all);
      return;
    }
    case Statement::Loop:
    case Statement::MayLoop: {
      std::vector<unsigned> before = exit;
      unsigned inner = built.program.addLoop(loop);
      unsigned head = built.program.addNode(inner);
      connect(head);
      Traces body{{}};
      iterations.emplace_back(inner, 0);
      addBody(statement.bodies.front(), inner, weight * kTrips, body);
      iterations.pop_back();
      for (unsigned from : exit)
        built.program.addEdge(from, head, inner);
      unsigned done = built.program.addNode(loop);
      if (statement.kind == Statement::MayLoop)
        exit.insert(exit.end(), before.begin(), before.end());
      connect(done);
      // A second iteration, by each way through it.
      Traces second = body;
      for (auto &trace : second)
        for (Built::Step &step : trace)
          for (auto &[number, iteration] : step.iterations)
            if (number == inner)
              iteration = 1;
      Traces all = concat(body, second);
      all.insert(all.end(), body.begin(), body.end());
      if (statement.kind == Statement::MayLoop)
        all.push_back({});
      traces = concat(traces, all);
      return;
    }
    }
  }

  Built &built;
  bool subgroups;
  std::vector<unsigned> exit;
  std::vector<std::pair<unsigned, unsigned>> iterations;
};

unsigned countSlots(const Body &body) {
  unsigned count = 1;
  for (const Statement &statement : body) {
    ++count;
    for (const Body &inner : statement.bodies)
      count += countSlots(inner);
  }
  return count;
}

/// What a pair needs, decided by chance but always alike.
class Hazards {
public:
  Hazards(unsigned seed, unsigned density, bool subgroups)
      : seed(seed), density(density), subgroups(subgroups) {}

  Orders operator()(unsigned a, unsigned b, unsigned carryingLoop) const {
    if (a > b)
      std::swap(a, b);
    std::mt19937 random(seed * 7919u + a * 104729u + b * 1299709u +
                        (carryingLoop + 1) * 15485863u);
    random.discard(3);
    if (random() % 100 >= density)
      return 0;
    if (subgroups && random() % 2)
      return kSubgroupInWorkgroupMemory;
    return kWorkgroupInWorkgroupMemory;
  }

private:
  unsigned seed, density;
  bool subgroups;
};

struct Need {
  uint32_t slots;
  bool ofWorkgroup;
};

/// The outermost loop around both in different iterations of which they are.
unsigned getCrossed(const Built::Step &a, const Built::Step &b) {
  for (unsigned i = 0; i < std::min(a.iterations.size(), b.iterations.size());
       ++i) {
    if (a.iterations[i].first != b.iterations[i].first)
      return kNone;
    if (a.iterations[i].second != b.iterations[i].second)
      return a.iterations[i].first;
  }
  return kNone;
}

/// None if some hazard has no slot on its path.
std::optional<Cost> bruteForce(const Built &built, const Hazards &hazards,
                               bool subgroups) {
  std::set<std::pair<uint32_t, bool>> needs;
  llvm::ArrayRef<Access> accesses = built.program.getAccesses();
  for (const auto &trace : built.traces)
    for (unsigned i = 0; i < trace.size(); ++i) {
      if (trace[i].isSlot)
        continue;
      uint32_t between = 0;
      for (unsigned j = i + 1; j < trace.size(); ++j) {
        if (trace[j].isSlot) {
          between |= 1u << trace[j].number;
          continue;
        }
        unsigned a = trace[i].number, b = trace[j].number;
        if (!accesses[a].writes && !accesses[b].writes)
          continue;
        if (Orders orders = hazards(a, b, getCrossed(trace[i], trace[j])))
          needs.emplace(between, (orders & kWorkgroupInWorkgroupMemory) != 0);
      }
    }
  std::optional<Cost> best;
  unsigned count = built.slots.size();
  auto consider = [&](uint32_t workgroup, uint32_t subgroup) {
    for (auto [slots, ofWorkgroup] : needs)
      if (!(slots & (ofWorkgroup ? workgroup : workgroup | subgroup)))
        return;
    Cost cost;
    for (unsigned slot = 0; slot < count; ++slot) {
      const auto &choices = built.program.getNodes()[built.slots[slot]].choices;
      if (workgroup >> slot & 1)
        cost += choices.back().cost;
      if (subgroup >> slot & 1)
        cost += choices.front().cost;
    }
    if (!best || cost < *best)
      best = cost;
  };
  for (uint32_t workgroup = 0; workgroup < 1u << count; ++workgroup) {
    if (!subgroups) {
      consider(workgroup, 0);
      continue;
    }
    uint32_t free = ~workgroup & ((1u << count) - 1);
    for (uint32_t subgroup = free;; subgroup = (subgroup - 1) & free) {
      consider(workgroup, subgroup);
      if (!subgroup)
        break;
    }
  }
  return best;
}

/// Compares on one program; counts what was decided.
struct Tally {
  unsigned equal = 0, worse = 0, unproved = 0, withBarriers = 0;

  void compare(const Body &body, const Hazards &hazards, bool subgroups,
               const PlacementOptions &options = {}) {
    Built built;
    Builder(built, subgroups).build(body);
    ASSERT_LE(built.slots.size(), 20u);
    std::optional<Cost> best = bruteForce(built, hazards, subgroups);
    Placement placement = place(
        built.program,
        [&](unsigned a, unsigned b, unsigned carryingLoop, PathTiming) {
          return hazards(a, b, carryingLoop);
        },
        options);
    // Every statement has a slot before it, so something always cuts.
    ASSERT_TRUE(best.has_value());
    ASSERT_TRUE(placement.uncut.empty());
    ASSERT_FALSE(placement.cost < *best) << "a hazard path is not cut";
    ASSERT_FALSE(*best < placement.lowerBound);
    equal += placement.cost == *best;
    worse += *best < placement.cost;
    unproved += !placement.isOptimal;
    withBarriers += !placement.barriers.empty();
  }
};

/// All bodies with exactly `slots` slots, over reads and writes if `kinds`,
/// else with writes only.
std::vector<Body> getBodies(unsigned slots, bool reads);

std::vector<Statement> getStatements(unsigned slots, bool reads) {
  std::vector<Statement> result;
  if (slots == 0) {
    result.push_back({Statement::Write, {}});
    if (reads)
      result.push_back({Statement::Read, {}});
    return result;
  }
  for (const Body &body : getBodies(slots, reads)) {
    if (body.empty())
      continue;
    result.push_back({Statement::Loop, {body}});
    result.push_back({Statement::MayLoop, {body}});
    result.push_back({Statement::If, {body}});
  }
  for (unsigned left = 1; left < slots; ++left)
    for (const Body &then : getBodies(left, reads))
      for (const Body &other : getBodies(slots - left, reads))
        if (!then.empty() || !other.empty())
          result.push_back({Statement::IfElse, {then, other}});
  return result;
}

std::vector<Body> getBodies(unsigned slots, bool reads) {
  static std::map<std::pair<unsigned, bool>, std::vector<Body>> known;
  auto it = known.find({slots, reads});
  if (it != known.end())
    return it->second;
  std::vector<Body> result;
  if (slots == 1)
    result.push_back({});
  // The first statement and its slot, then the rest.
  for (unsigned inner = 0; inner + 2 <= slots; ++inner)
    for (const Statement &first : getStatements(inner, reads))
      for (const Body &rest : getBodies(slots - 1 - inner, reads)) {
        Body body{first};
        body.insert(body.end(), rest.begin(), rest.end());
        result.push_back(body);
      }
  return known[{slots, reads}] = result;
}

Body getRandomBody(std::mt19937 &random, unsigned slots, unsigned depth) {
  Body body;
  while (slots > 1) {
    unsigned inner = depth < 3 && slots > 3 && random() % 3 == 0
                         ? 2 + random() % (slots - 2 - 1)
                         : 0;
    if (inner == 0) {
      body.push_back({random() % 3 ? Statement::Write : Statement::Read, {}});
    } else {
      switch (random() % (inner > 3 ? 4 : 3)) {
      case 0:
        body.push_back(
            {Statement::Loop, {getRandomBody(random, inner, depth + 1)}});
        break;
      case 1:
        body.push_back(
            {Statement::MayLoop, {getRandomBody(random, inner, depth + 1)}});
        break;
      case 2:
        body.push_back(
            {Statement::If, {getRandomBody(random, inner, depth + 1)}});
        break;
      default: {
        unsigned left = 1 + random() % (inner - 1);
        body.push_back({Statement::IfElse,
                        {getRandomBody(random, left, depth + 1),
                         getRandomBody(random, inner - left, depth + 1)}});
      }
      }
    }
    slots -= 1 + inner;
  }
  return body;
}
} // namespace

/// A program of `least` slots or up to `more` - 1 more.
static Built buildRandom(std::mt19937 &random, unsigned least, unsigned more,
                         bool subgroups = false) {
  Built built;
  Builder(built, subgroups)
      .build(getRandomBody(random, least + random() % more, 0));
  return built;
}

// All shapes of up to 9 slots.
TEST(PlacementTest, allSmallShapes) {
  Tally tally;
  unsigned programs = 0;
  for (unsigned slots = 1; slots <= 9; ++slots)
    for (const Body &body : getBodies(slots, /*reads=*/slots <= 5)) {
      ASSERT_EQ(countSlots(body), slots);
      for (unsigned density : {30, 60, 100}) {
        tally.compare(body, Hazards(++programs, density, false), false);
        if (slots <= 5)
          tally.compare(body, Hazards(++programs, density, true), true);
      }
    }
  EXPECT_GT(programs, 5000u);
  EXPECT_EQ(tally.worse, 0u);
  EXPECT_EQ(tally.unproved, 0u);
  EXPECT_GT(tally.withBarriers, programs / 4);
}

TEST(PlacementTest, randomShapesOfUpTo12Slots) {
  Tally tally;
  std::mt19937 random(1);
  for (unsigned program = 0; program < 3000; ++program) {
    Body body = getRandomBody(random, 8 + random() % 5, 0);
    tally.compare(body, Hazards(program, 10 + random() % 91, false), false);
  }
  EXPECT_EQ(tally.worse, 0u);
  EXPECT_EQ(tally.unproved, 0u);
  EXPECT_GT(tally.withBarriers, 2000u);
}

TEST(PlacementTest, randomShapesWithSubgroupBarriers) {
  Tally tally;
  std::mt19937 random(2);
  for (unsigned program = 0; program < 1000; ++program) {
    Body body = getRandomBody(random, 5 + random() % 4, 0);
    tally.compare(body, Hazards(program, 10 + random() % 91, true), true);
  }
  EXPECT_EQ(tally.worse, 0u);
  EXPECT_EQ(tally.unproved, 0u);
}

// Without candidates or search the answer is not the best, but it is sound.
TEST(PlacementTest, limitsKeepItSound) {
  Tally tally;
  std::mt19937 random(3);
  PlacementOptions options;
  options.maxCandidates = 1;
  options.maxNodes = 0;
  for (unsigned program = 0; program < 1000; ++program) {
    Body body = getRandomBody(random, 6 + random() % 6, 0);
    tally.compare(body, Hazards(program, 10 + random() % 91, false), false,
                  options);
  }
  EXPECT_GT(tally.worse, 0u);
}

// Who gives a limit of the work gets the same placement, or none.
TEST(PlacementTest, maxWorkChangesNothing) {
  std::mt19937 random(5);
  unsigned numGivenUp = 0, numPlaced = 0;
  for (unsigned program = 0; program < 1000; ++program) {
    Built built = buildRandom(random, 6, 6);
    Hazards hazards(program, 10 + random() % 91, /*subgroups=*/false);
    auto query = [&](unsigned a, unsigned b, unsigned loop, PathTiming) {
      return hazards(a, b, loop);
    };
    Placement all = place(built.program, query);
    EXPECT_FALSE(all.isGivenUp);
    PlacementOptions options;
    options.maxWork = random() % 200;
    Placement some = place(built.program, query, options);
    numGivenUp += some.isGivenUp;
    if (some.isGivenUp)
      continue;
    numPlaced += !some.barriers.empty();
    EXPECT_TRUE(some.cost == all.cost);
    EXPECT_EQ(some.isOptimal, all.isOptimal);
  }
  EXPECT_GT(numGivenUp, 50u);
  EXPECT_GT(numPlaced, 50u);
}

// What an access can need at all ends the search for its hazards earlier, and
// changes nothing else.
TEST(PlacementTest, whatAnAccessNeedsAtMostChangesNothing) {
  std::mt19937 random(4);
  unsigned withSubgroups = 0;
  for (unsigned program = 0; program < 1000; ++program) {
    Built built = buildRandom(random, 6, 10, /*subgroups=*/true);
    Hazards hazards(program, 10 + random() % 91, /*subgroups=*/true);
    unsigned size = built.program.getAccesses().size();
    // Some accesses need barriers of subgroups only.
    auto isOfSubgroups = [&](unsigned a) { return (a + program) % 3 != 0; };
    auto query = [&](unsigned a, unsigned b, unsigned loop, PathTiming) {
      Orders orders = hazards(a, b, loop);
      if (isOfSubgroups(a) || isOfSubgroups(b))
        orders &= kSubgroupOrders;
      return orders;
    };
    auto getMost = [&](unsigned a, unsigned b) {
      Orders most = query(a, b, kNone, {});
      for (unsigned loop = 0; loop < built.program.getNumLoops(); ++loop)
        most |= query(a, b, loop, {});
      return most;
    };
    auto getMostOf = [&](unsigned a) {
      Orders most = 0;
      for (unsigned b = 0; b < size; ++b)
        most |= getMost(a, b);
      return most;
    };
    for (bool everyPathCut : {true, false}) {
      PlacementOptions options;
      options.everyPathCut = everyPathCut;
      Placement plain = place(built.program, query, options);
      options.getMostOrders = getMost;
      options.getMostOrdersOf = getMostOf;
      Placement told = place(built.program, query, options);
      EXPECT_EQ(plain.cost, told.cost);
      EXPECT_EQ(plain.uncut.size(), told.uncut.size());
      ASSERT_EQ(plain.barriers.size(), told.barriers.size());
      for (unsigned i = 0; i < plain.barriers.size(); ++i) {
        EXPECT_EQ(plain.barriers[i].slot, told.barriers[i].slot);
        EXPECT_EQ(plain.barriers[i].choice, told.barriers[i].choice);
      }
      withSubgroups += plain.cost.subgroup > 0;
    }
  }
  EXPECT_GT(withSubgroups, 500u);
}

// What is found out of the paths serves other hazards of the same program, and
// changes nothing.
TEST(PlacementTest, timingsOfOnePlacementServeTheNext) {
  std::mt19937 random(6);
  unsigned numHelped = 0, numPlaced = 0;
  for (unsigned program = 0; program < 100; ++program) {
    Built built = buildRandom(random, 9, 8);
    PlacementOptions shared;
    shared.timings = makePathTimings(built.program);
    for (unsigned round = 0; round < 20; ++round) {
      Hazards hazards(100 * program + round, 10 + random() % 91,
                      /*subgroups=*/false);
      // Some hazards are there in none of the iterations, some in some.
      unsigned numAsked = 0, salt = random(), one = 1 + random() % 20;
      auto query = [&](unsigned a, unsigned b, unsigned loop,
                       PathTiming timing) -> Orders {
        if (!timing.isKnown)
          return hazards(a, b, loop);
        ++numAsked;
        size_t hash =
            llvm::hash_combine(salt, a, b, loop, timing.later, timing.iteration,
                               timing.left, timing.remaining, timing.distance);
        return hash % one == 0 ? hazards(a, b, loop) : 0;
      };
      Placement fresh = place(built.program, query);
      unsigned numFresh = std::exchange(numAsked, 0);
      Placement again = place(built.program, query, shared);
      // Asked of all timings there are, not of those on the way.
      numHelped += numAsked != numFresh;
      numPlaced += !fresh.barriers.empty();
      EXPECT_EQ(fresh.cost, again.cost);
      ASSERT_EQ(fresh.barriers.size(), again.barriers.size());
      for (auto [one, other] : llvm::zip(fresh.barriers, again.barriers)) {
        EXPECT_EQ(one.slot, other.slot);
        EXPECT_EQ(one.choice, other.choice);
      }
    }
  }
  EXPECT_GT(numHelped, 100u);
  EXPECT_GT(numPlaced, 1000u);
}

// A limit ends the search where no placement is within it, and nowhere else.
TEST(PlacementTest, endsBeyondALimit) {
  std::mt19937 random(5);
  unsigned beyond = 0;
  for (unsigned program = 0; program < 500; ++program) {
    Built built = buildRandom(random, 5, 6, /*subgroups=*/true);
    Hazards hazards(program, 10 + random() % 91, /*subgroups=*/true);
    auto query = [&](unsigned a, unsigned b, unsigned loop, PathTiming) {
      return hazards(a, b, loop);
    };
    PlacementOptions options;
    Placement best = place(built.program, query, options);
    ASSERT_TRUE(best.isOptimal);
    options.limit = best.cost;
    EXPECT_EQ(place(built.program, query, options).cost, best.cost);
    EXPECT_EQ(place(built.program, query, options).barriers.size(),
              best.barriers.size());
    if (best.barriers.empty())
      continue;
    --options.limit->placed;
    Placement ended = place(built.program, query, options);
    EXPECT_EQ(ended.cost, ended.lowerBound);
    EXPECT_TRUE(*options.limit < ended.cost);
    EXPECT_FALSE(best.cost < ended.cost);
    ++beyond;
  }
  EXPECT_GT(beyond, 300u);
}

namespace {
/// Branches in a row, each with two accesses on either side, of which one
/// buffer in `kBuffers` is common to those of other branches.
struct Branches {
  static constexpr unsigned kBuffers = 10;
  Program program;
  /// By access: its element is that of the thread itself; it stands in the
  /// first branch.
  std::vector<bool> isOwn, isFirst;

  explicit Branches(unsigned count) {
    unsigned at = program.addNode(kNone);
    for (unsigned number = 0; number < count; ++number) {
      unsigned before = addSlot(at, 64);
      unsigned join = program.addNode(kNone);
      for (bool first : {true, false}) {
        unsigned end = addSlot(before, 32);
        end = addAccess(end, /*writes=*/true, number + !first, first, first);
        end = addSlot(end, 32);
        end = addAccess(end, /*writes=*/false, number + first, false, first);
        program.addEdge(addSlot(end, 32), join);
      }
      at = join;
    }
  }

  unsigned addSlot(unsigned from, int64_t weight) {
    unsigned slot = program.addSlot(kNone, {{kAllOrders, {weight, 0, 1}}});
    program.addEdge(from, slot);
    return slot;
  }
  unsigned addAccess(unsigned from, bool writes, unsigned number, bool own,
                     bool first) {
    Access access;
    access.writes = writes;
    access.bucket = number % kBuffers;
    isOwn.push_back(own);
    isFirst.push_back(first);
    unsigned node = program.addAccesses(kNone, {access});
    program.addEdge(from, node);
    return node;
  }
};
} // namespace

// A barrier that has to move makes the next one move. All are found in one
// candidate, not each in its own.
TEST(PlacementTest, movingBarriersTakeFewCandidates) {
  Branches branches(60);
  auto getHazard = [&](unsigned first, unsigned second, unsigned,
                       PathTiming) -> Orders {
    bool meets = branches.isOwn[first] != branches.isOwn[second] &&
                 branches.isFirst[first] >= branches.isFirst[second];
    return meets ? kAllOrders : Orders(0);
  };
  PlacementOptions options;
  options.maxCandidates = 4;
  Placement placement = place(branches.program, getHazard, options);
  EXPECT_TRUE(placement.isOptimal);
  EXPECT_EQ(placement.barriers.size(), 59u);
}
