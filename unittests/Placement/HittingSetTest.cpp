//===- HittingSetTest.cpp - hitting sets against a brute force --*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Placement/HittingSet.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir::memspace::placement;

namespace {
constexpr unsigned kNumElements = 12;

std::vector<Cost> getRandomCosts(std::mt19937 &random) {
  std::vector<Cost> costs;
  for (unsigned i = 0; i < kNumElements; ++i)
    costs.push_back({int64_t(random() % 4), int64_t(random() % 2), 1});
  return costs;
}

Clause getRandomClause(std::mt19937 &random, unsigned numElements) {
  std::set<unsigned> elements;
  for (unsigned size = 1 + random() % 4; elements.size() < size;)
    elements.insert(random() % numElements);
  return Clause(elements.begin(), elements.end());
}

bool meetsAll(const std::vector<Clause> &clauses,
              const std::vector<unsigned> &elements) {
  return llvm::all_of(clauses, [&](const Clause &clause) {
    return llvm::any_of(clause, [&](unsigned element) {
      return llvm::is_contained(elements, element);
    });
  });
}

Cost getCost(const std::vector<unsigned> &elements,
             const std::vector<Cost> &costs) {
  Cost cost;
  for (unsigned element : elements)
    cost += costs[element];
  return cost;
}

Cost getCheapest(const std::vector<Clause> &clauses,
                 const std::vector<Cost> &costs) {
  std::optional<Cost> cheapest;
  for (unsigned set = 0; set < 1u << kNumElements; ++set) {
    std::vector<unsigned> elements;
    for (unsigned element = 0; element < kNumElements; ++element)
      if (set & 1u << element)
        elements.push_back(element);
    Cost cost = getCost(elements, costs);
    if ((!cheapest || cost < *cheapest) && meetsAll(clauses, elements))
      cheapest = cost;
  }
  return *cheapest;
}

// One solver for all sets that a set of clauses goes through while it grows.
TEST(HittingSetTest, growingSetsAreSolvedOptimally) {
  std::mt19937 random(1);
  for (unsigned instance = 0; instance < 100; ++instance) {
    std::vector<Cost> costs = getRandomCosts(random);
    HittingSetSolver solver(costs);
    std::vector<Clause> clauses;
    for (unsigned round = 0; round < 5; ++round) {
      for (unsigned count = 1 + random() % 4; count-- > 0;)
        clauses.push_back(getRandomClause(random, kNumElements));
      HittingSet found = solver.solve(clauses, /*maxNodes=*/1000);
      ASSERT_TRUE(found.isOptimal);
      EXPECT_TRUE(meetsAll(clauses, found.elements));
      EXPECT_TRUE(found.cost == getCost(found.elements, costs));
      EXPECT_TRUE(found.cost == getCheapest(clauses, costs));
      EXPECT_TRUE(found.lowerBound == found.cost);
    }
  }
}

// Without nodes the set meets all clauses; the bound is below the optimum. With
// nodes again the solver improves what it remembers.
TEST(HittingSetTest, minimalClausesContainNoOther) {
  std::mt19937 random(7);
  for (unsigned test = 0; test < 2000; ++test) {
    MinimalClauses minimal(kNumElements);
    std::set<Clause> all;
    for (unsigned count = random() % 12; count > 0; --count) {
      Clause clause = getRandomClause(random, 6);
      all.insert(clause);
      minimal.add(clause);
      std::vector<Clause> expected;
      for (const Clause &whole : all)
        if (llvm::none_of(all, [&](const Clause &part) {
              return part != whole && llvm::includes(whole, part);
            }))
          expected.push_back(whole);
      EXPECT_EQ(minimal.get(), expected) << "test " << test;
    }
  }
}

TEST(HittingSetTest, limitsKeepItSound) {
  std::mt19937 random(2);
  unsigned worse = 0;
  for (unsigned instance = 0; instance < 200; ++instance) {
    std::vector<Cost> costs = getRandomCosts(random);
    std::vector<Clause> clauses;
    for (unsigned count = 0; count < 16; ++count)
      clauses.push_back(getRandomClause(random, kNumElements));
    HittingSetSolver solver(costs);
    HittingSet greedy = solver.solve(clauses, /*maxNodes=*/0);
    EXPECT_EQ(greedy.nodes, 0);
    EXPECT_TRUE(meetsAll(clauses, greedy.elements));
    Cost cheapest = getCheapest(clauses, costs);
    EXPECT_FALSE(greedy.cost < cheapest);
    EXPECT_FALSE(cheapest < greedy.lowerBound);
    worse += cheapest < greedy.cost;
    HittingSet best = solver.solve(clauses, /*maxNodes=*/1000);
    EXPECT_TRUE(best.isOptimal);
    EXPECT_TRUE(best.cost == cheapest);
    EXPECT_LE(best.nodes, 1000);
  }
  EXPECT_GT(worse, 0u);
}

// Thousands of clauses that hang together: the first set is found by going down
// once, and the search ends with its nodes.
TEST(HittingSetTest, manyClausesEnd) {
  std::mt19937 random(3);
  constexpr unsigned kMany = 3000;
  std::vector<Cost> costs(kMany, {1, 0, 1});
  std::vector<Clause> clauses;
  for (unsigned count = 0; count < kMany; ++count)
    clauses.push_back(getRandomClause(random, kMany));
  HittingSet found = findHittingSet(clauses, costs, /*maxNodes=*/100);
  EXPECT_TRUE(meetsAll(clauses, found.elements));
  EXPECT_LE(found.nodes, 100);
  EXPECT_FALSE(found.cost < found.lowerBound);
}
} // namespace
