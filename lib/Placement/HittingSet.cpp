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

namespace {
/// Clauses over elements, and what was taken already.
struct Instance {
  std::vector<Clause> clauses;
  std::vector<unsigned> taken;
};

/// Applies the reductions until none is left, each again only where something
/// has changed.
class Reducer {
public:
  Reducer(Instance &instance, ArrayRef<Cost> costs)
      : instance(instance), costs(costs), clauses(instance.clauses),
        alive(clauses.size(), true) {
    for (unsigned number = 0; number < clauses.size(); ++number)
      for (unsigned element : clauses[number])
        occurrences[element].push_back(number);
  }

  void run() {
    mergeElements();
    for (unsigned number = 0; number < clauses.size(); ++number)
      changedClauses.push_back(number);
    for (const auto &[element, in] : occurrences)
      changedElements.push_back(element);
    while (!changedClauses.empty() || !changedElements.empty()) {
      if (!changedClauses.empty()) {
        unsigned number = changedClauses.back();
        changedClauses.pop_back();
        if (alive[number])
          visitClause(number);
        continue;
      }
      unsigned element = changedElements.back();
      changedElements.pop_back();
      auto it = occurrences.find(element);
      if (it != occurrences.end() && isDominated(element, it->second))
        removeElement(element);
    }
    unsigned next = 0;
    for (unsigned number = 0; number < clauses.size(); ++number)
      if (alive[number]) {
        if (next != number)
          clauses[next] = std::move(clauses[number]);
        ++next;
      }
    clauses.resize(next);
  }

private:
  using Occurrences = std::vector<unsigned>;

  /// Of elements in the same clauses only the cheapest is of use.
  void mergeElements() {
    std::map<Occurrences, unsigned> best;
    std::vector<unsigned> doomed;
    for (auto &[element, in] : occurrences) {
      auto [it, inserted] = best.try_emplace(in, element);
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
    for (Clause &clause : clauses)
      llvm::erase_if(clause, [&](unsigned element) {
        return std::binary_search(doomed.begin(), doomed.end(), element);
      });
    for (unsigned element : doomed)
      occurrences.erase(element);
  }

  /// A clause of one element takes it; one that contains another is met with
  /// that.
  void visitClause(unsigned number) {
    const Clause &clause = clauses[number];
    if (clause.size() == 1) {
      unsigned element = clause.front();
      instance.taken.push_back(element);
      Occurrences met = occurrences[element];
      for (unsigned other : met)
        removeClause(other);
      return;
    }
    unsigned rarest = *llvm::min_element(clause, [&](unsigned a, unsigned b) {
      return occurrences[a].size() < occurrences[b].size();
    });
    Occurrences candidates = occurrences[rarest];
    for (unsigned other : candidates)
      if (other != number && clauses[other].size() >= clause.size() &&
          llvm::includes(clauses[other], clause))
        removeClause(other);
  }

  /// An element is of no use if a cheaper one is in all of its clauses.
  bool isDominated(unsigned element, const Occurrences &in) {
    unsigned smallest = *llvm::min_element(in, [&](unsigned a, unsigned b) {
      return clauses[a].size() < clauses[b].size();
    });
    return llvm::any_of(clauses[smallest], [&](unsigned other) {
      const Occurrences &more = occurrences[other];
      // Of two that are alike the one with the higher number stays.
      return !(costs[element] < costs[other]) && llvm::includes(more, in) &&
             (more.size() > in.size() || costs[other] < costs[element] ||
              other > element);
    });
  }

  void removeElement(unsigned element) {
    for (unsigned number : occurrences[element]) {
      llvm::erase(clauses[number], element);
      changedClauses.push_back(number);
    }
    occurrences.erase(element);
  }

  void removeClause(unsigned number) {
    alive[number] = false;
    for (unsigned element : clauses[number]) {
      Occurrences &in = occurrences[element];
      llvm::erase(in, number);
      if (in.empty())
        occurrences.erase(element);
      else
        changedElements.push_back(element);
    }
  }

  Instance &instance;
  ArrayRef<Cost> costs;
  std::vector<Clause> &clauses;
  std::vector<bool> alive;
  /// By element, the clauses that it is in, sorted.
  std::map<unsigned, Occurrences> occurrences;
  std::vector<unsigned> changedClauses, changedElements;
};

/// Branch and bound on one connected component.
class Search {
public:
  Search(ArrayRef<Cost> costs, int64_t &nodesLeft)
      : costs(costs), nodesLeft(nodesLeft) {}

  void run(Instance instance) {
    Reducer(instance, costs).run();
    rootBound = getBound(instance);
    // What is left may have come apart.
    std::vector<std::vector<Clause>> parts = split(std::move(instance.clauses));
    if (parts.size() <= 1) {
      visit({parts.empty() ? std::vector<Clause>() : std::move(parts.front()),
             std::move(instance.taken)});
      return;
    }
    std::vector<unsigned> all = std::move(instance.taken);
    for (std::vector<Clause> &part : parts) {
      hasBest = false;
      visit({std::move(part), {}});
      llvm::append_range(all, best);
    }
    best = std::move(all);
    bestCost = getCost(best);
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

HittingSet mlir::memspace::placement::findHittingSet(ArrayRef<Clause> clauses,
                                                     ArrayRef<Cost> costs,
                                                     int64_t maxNodes) {
  // Components are reduced one by one: what changes in one does not matter to
  // the others.
  HittingSet result;
  result.isOptimal = true;
  for (std::vector<Clause> &component : split(clauses.vec())) {
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
