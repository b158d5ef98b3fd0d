//===- HittingSet.cpp - the cheapest set that meets every clause -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Placement/HittingSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace mlir::memspace::placement;
using llvm::ArrayRef;

namespace {
/// Clauses over elements, and what was taken already.
struct Instance {
  std::vector<Clause> clauses;
  std::vector<unsigned> taken;
};

class Reducer {
public:
  Reducer(Instance &instance, ArrayRef<Cost> costs)
      : instance(instance), costs(costs) {}

  void run() {
    bool changed = true;
    while (changed) {
      index();
      changed = mergeElements();
      changed |= dropClauses();
      changed |= dropElements();
      changed |= takeUnits();
    }
  }

private:
  using Occurrences = std::vector<unsigned>;

  void index() {
    occurrences.clear();
    for (auto [number, clause] : llvm::enumerate(instance.clauses))
      for (unsigned element : clause)
        occurrences[element].push_back(number);
  }

  /// Removes `doomed` (sorted) from all clauses.
  void erase(ArrayRef<unsigned> doomed) {
    for (Clause &clause : instance.clauses)
      llvm::erase_if(clause, [&](unsigned element) {
        return std::binary_search(doomed.begin(), doomed.end(), element);
      });
    for (unsigned element : doomed)
      occurrences.erase(element);
  }

  /// Of elements in the same clauses only the cheapest is of use.
  bool mergeElements() {
    std::map<Occurrences, unsigned> best;
    std::vector<unsigned> doomed;
    for (auto &[element, clauses] : occurrences) {
      auto [it, inserted] = best.try_emplace(clauses, element);
      if (inserted)
        continue;
      unsigned other = it->second;
      bool isBetter = costs[element] < costs[other] ||
                      (costs[element] == costs[other] && element > other);
      doomed.push_back(isBetter ? other : element);
      if (isBetter)
        it->second = element;
    }
    llvm::sort(doomed);
    if (!doomed.empty())
      erase(doomed);
    return !doomed.empty();
  }

  /// A clause that contains another one is met with it.
  bool dropClauses() {
    std::vector<Clause> &clauses = instance.clauses;
    std::vector<bool> dropped(clauses.size(), false);
    bool any = false;
    for (unsigned number = 0; number < clauses.size(); ++number) {
      if (dropped[number])
        continue;
      const Clause &clause = clauses[number];
      unsigned rarest = *llvm::min_element(clause, [&](unsigned a, unsigned b) {
        return occurrences[a].size() < occurrences[b].size();
      });
      for (unsigned other : occurrences[rarest]) {
        if (other == number || dropped[other] ||
            clauses[other].size() < clause.size() ||
            !llvm::includes(clauses[other], clause))
          continue;
        dropped[other] = any = true;
      }
    }
    if (!any)
      return false;
    unsigned next = 0;
    for (unsigned number = 0; number < clauses.size(); ++number)
      if (!dropped[number]) {
        if (next != number)
          clauses[next] = std::move(clauses[number]);
        ++next;
      }
    clauses.resize(next);
    index();
    return true;
  }

  /// An element is of no use if a cheaper one is in all of its clauses.
  bool dropElements() {
    std::vector<unsigned> doomed;
    for (auto &[element, in] : occurrences) {
      unsigned smallest = *llvm::min_element(in, [&](unsigned a, unsigned b) {
        return instance.clauses[a].size() < instance.clauses[b].size();
      });
      for (unsigned other : instance.clauses[smallest]) {
        const Occurrences &more = occurrences[other];
        // Of two that are alike the one with the higher number stays.
        if (costs[element] < costs[other] || !llvm::includes(more, in) ||
            (more.size() == in.size() && costs[element] == costs[other] &&
             other <= element))
          continue;
        doomed.push_back(element);
        break;
      }
    }
    if (!doomed.empty())
      erase(doomed);
    return !doomed.empty();
  }

  bool takeUnits() {
    std::vector<unsigned> units;
    for (const Clause &clause : instance.clauses)
      if (clause.size() == 1)
        units.push_back(clause.front());
    if (units.empty())
      return false;
    llvm::sort(units);
    units.erase(std::unique(units.begin(), units.end()), units.end());
    llvm::append_range(instance.taken, units);
    llvm::erase_if(instance.clauses, [&](const Clause &clause) {
      return llvm::any_of(clause, [&](unsigned element) {
        return std::binary_search(units.begin(), units.end(), element);
      });
    });
    return true;
  }

  Instance &instance;
  ArrayRef<Cost> costs;
  /// By element, sorted.
  std::map<unsigned, Occurrences> occurrences;
};

/// Branch and bound on one connected component.
class Search {
public:
  Search(ArrayRef<Cost> costs, int64_t &nodesLeft)
      : costs(costs), nodesLeft(nodesLeft) {}

  void run(Instance instance) {
    rootBound = getBound(instance);
    visit(std::move(instance));
  }

  std::vector<unsigned> best;
  Cost bestCost;
  /// Of the whole component.
  Cost rootBound;
  bool exhausted = false;

private:
  Cost getCost(ArrayRef<unsigned> elements) const {
    Cost cost;
    for (unsigned element : elements)
      cost += costs[element];
    return cost;
  }

  /// What was taken, and the cheapest element of each of disjoint clauses.
  Cost getBound(const Instance &instance) const {
    Cost bound = getCost(instance.taken);
    std::vector<const Clause *> bySize;
    for (const Clause &clause : instance.clauses)
      bySize.push_back(&clause);
    llvm::stable_sort(bySize, [](const Clause *a, const Clause *b) {
      return a->size() < b->size();
    });
    llvm::DenseMap<unsigned, bool> used;
    for (const Clause *clause : bySize) {
      if (llvm::any_of(*clause, [&](unsigned e) { return used.count(e); }))
        continue;
      Cost least = costs[clause->front()];
      for (unsigned element : *clause) {
        used[element] = true;
        if (costs[element] < least)
          least = costs[element];
      }
      bound += least;
    }
    return bound;
  }

  void visit(Instance instance) {
    Reducer(instance, costs).run();
    if (instance.clauses.empty()) {
      Cost cost = getCost(instance.taken);
      if (!hasBest || cost < bestCost) {
        hasBest = true;
        best = instance.taken;
        bestCost = cost;
      }
      return;
    }
    if (hasBest && !(getBound(instance) < bestCost))
      return;
    if (--nodesLeft < 0) {
      exhausted = true;
      if (hasBest)
        return;
    }
    // The element that meets most clauses, from the shortest one.
    llvm::DenseMap<unsigned, unsigned> meets;
    for (const Clause &clause : instance.clauses)
      for (unsigned element : clause)
        ++meets[element];
    const Clause &shortest = *llvm::min_element(
        instance.clauses,
        [](const Clause &a, const Clause &b) { return a.size() < b.size(); });
    unsigned branch = shortest.front();
    for (unsigned element : shortest)
      if (meets[element] >= meets[branch])
        branch = element;

    Instance with{{}, instance.taken}, without{{}, instance.taken};
    with.taken.push_back(branch);
    for (const Clause &clause : instance.clauses) {
      Clause rest = clause;
      llvm::erase(rest, branch);
      if (rest.size() == clause.size())
        with.clauses.push_back(clause);
      without.clauses.push_back(std::move(rest));
    }
    visit(std::move(with));
    visit(std::move(without));
  }

  ArrayRef<Cost> costs;
  int64_t &nodesLeft;
  bool hasBest = false;
};
} // namespace

/// The connected components: clauses that share elements.
static std::vector<std::vector<Clause>> split(std::vector<Clause> clauses) {
  llvm::IntEqClasses classes(clauses.size());
  llvm::DenseMap<unsigned, unsigned> firstWith;
  for (auto [number, clause] : llvm::enumerate(clauses))
    for (unsigned element : clause) {
      auto [it, inserted] = firstWith.try_emplace(element, number);
      if (!inserted)
        classes.join(it->second, number);
    }
  classes.compress();
  std::vector<std::vector<Clause>> components(classes.getNumClasses());
  for (auto [number, clause] : llvm::enumerate(clauses))
    components[classes[number]].push_back(std::move(clause));
  return components;
}

HittingSet mlir::memspace::placement::findHittingSet(ArrayRef<Clause> clauses,
                                                     ArrayRef<Cost> costs,
                                                     int64_t maxNodes) {
  Instance instance{clauses.vec(), {}};
  Reducer(instance, costs).run();
  HittingSet result;
  result.elements = instance.taken;
  result.isOptimal = true;
  for (unsigned element : instance.taken)
    result.cost += costs[element];
  result.lowerBound = result.cost;
  for (std::vector<Clause> &component : split(std::move(instance.clauses))) {
    Search search(costs, maxNodes);
    search.run({std::move(component), {}});
    llvm::append_range(result.elements, search.best);
    result.cost += search.bestCost;
    result.lowerBound += search.exhausted ? search.rootBound : search.bestCost;
    result.isOptimal &= !search.exhausted;
  }
  llvm::sort(result.elements);
  return result;
}
