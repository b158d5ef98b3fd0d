//===- LivePointsTest.cpp - against dataflow point by point ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Workgroup/LivePoints.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::memspace;

namespace {
using Graph = std::vector<llvm::SmallVector<unsigned, 2>>;

/// The two dataflows by rounds over all points.
struct Dense {
  Dense(const Graph &next, llvm::ArrayRef<PointEvent> given)
      : next(next), events(next.size()), written(next.size()),
        writtenAfter(next.size()), needed(next.size()),
        neededAfter(next.size()) {
    for (const PointEvent &event : given)
      events[event.point] = event;
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned point = 0; point < next.size(); ++point) {
        const PointEvent &event = events[point];
        bool after =
            (written[point] && !event.begins) || (event.writes && !event.ends);
        changed |= after != writtenAfter[point];
        writtenAfter[point] = after;
        for (unsigned to : next[point]) {
          changed |= after && !written[to];
          written[to] = written[to] || after;
          neededAfter[point] = neededAfter[point] || needed[to];
        }
        bool before =
            ((neededAfter[point] && !event.overwrites) || event.reads) &&
            !event.begins;
        changed |= before != needed[point];
        needed[point] = before;
      }
    }
  }

  bool isLive(unsigned point) const {
    return events[point].touches || (written[point] && needed[point]) ||
           (writtenAfter[point] && neededAfter[point]);
  }

  const Graph &next;
  std::vector<PointEvent> events;
  std::vector<bool> written, writtenAfter, needed, neededAfter;
};
} // namespace

/// Mostly straight lines, with branches and ways back.
static Graph makeGraph(std::mt19937 &random) {
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  Graph next(1 + below(24));
  for (unsigned point = 0; point + 1 < next.size(); ++point) {
    if (below(8) != 0)
      next[point].push_back(point + 1);
    if (below(5) == 0)
      next[point].push_back(below(next.size()));
  }
  return next;
}

static std::vector<PointEvent> makeEvents(std::mt19937 &random,
                                          unsigned numPoints) {
  auto chance = [&](unsigned n) { return random() % n == 0; };
  std::vector<PointEvent> events;
  for (unsigned point = 0; point < numPoints; ++point) {
    if (!chance(3))
      continue;
    PointEvent event;
    event.point = point;
    event.reads = chance(3);
    event.writes = chance(3);
    event.touches = event.reads || event.writes || chance(4);
    event.begins = chance(6);
    event.ends = event.begins && chance(3);
    event.overwrites = event.writes && !event.ends && chance(2);
    events.push_back(event);
  }
  return events;
}

TEST(LivePoints, agreesWithDataflowPointByPoint) {
  std::mt19937 random(1);
  unsigned numLive = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    Graph next = makeGraph(random);
    LivePoints points(next);
    for (unsigned buffer = 0; buffer < 4; ++buffer) {
      std::vector<PointEvent> events = makeEvents(random, next.size());
      points.solve(events);
      Dense dense(next, events);
      packing::LiveRange expected;
      for (unsigned point = 0; point < next.size(); ++point)
        if (dense.isLive(point))
          expected.push_back({point, point + 1});
      numLive += expected.size();
      ASSERT_EQ(points.getRange(), packing::normalize(expected))
          << "round " << round;
      for (unsigned number = 0; number < events.size(); ++number)
        if (events[number].writes) {
          ASSERT_EQ(points.isNeededAfter()[number],
                    dense.neededAfter[events[number].point])
              << "round " << round;
        }
    }
  }
  EXPECT_GT(numLive, 10000u);
}
