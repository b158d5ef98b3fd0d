//===- HittingSet.cpp - the cheapest set that meets every clause -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Placement/HittingSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace mlir::memspace::placement;
using llvm::ArrayRef;

void MinimalClauses::add(const Clause &clause) {
  std::vector<unsigned> touched, containing;
  bool containsOther = false;
  for (unsigned element : clause)
    for (unsigned number : occurrences[element])
      if (++shared[number] == 1)
        touched.push_back(number);
  for (unsigned number : touched) {
    containsOther |= shared[number] == clauses[number].size();
    if (shared[number] == clause.size())
      containing.push_back(number);
    shared[number] = 0;
  }
  if (containsOther)
    return;
  for (unsigned number : containing)
    remove(number);
  for (unsigned element : clause)
    occurrences[element].push_back(clauses.size());
  clauses.push_back(clause);
  shared.push_back(0);
}

void MinimalClauses::remove(unsigned number) {
  for (unsigned element : clauses[number]) {
    std::vector<unsigned> &in = occurrences[element];
    in.erase(llvm::lower_bound(in, number));
  }
  clauses[number].clear();
}

std::vector<Clause> MinimalClauses::get() const {
  std::vector<Clause> result;
  for (const Clause &clause : clauses)
    if (!clause.empty())
      result.push_back(clause);
  llvm::sort(result);
  return result;
}

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

/// Numbers the elements of `clauses` from 0 in their order. By number, what
/// they were.
static std::vector<unsigned> renumber(std::vector<Clause> &clauses) {
  std::vector<unsigned> names;
  llvm::DenseMap<unsigned, unsigned> numbers;
  for (const Clause &clause : clauses)
    for (unsigned element : clause)
      if (numbers.try_emplace(element, 0).second)
        names.push_back(element);
  llvm::sort(names);
  for (auto [number, name] : llvm::enumerate(names))
    numbers[name] = number;
  for (Clause &clause : clauses)
    for (unsigned &element : clause)
      element = numbers.find(element)->second;
  return names;
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
  Reducer(Instance &instance, ArrayRef<Cost> allCosts)
      : instance(instance), clauses(instance.clauses),
        isMet(clauses.size(), false), visitedSizes(clauses.size(), 0) {
    names = renumber(clauses);
    occurrences.resize(names.size());
    testedDegrees.resize(names.size(), 0);
    for (unsigned name : names)
      costs.push_back(allCosts[name]);
    for (auto [number, clause] : llvm::enumerate(clauses))
      for (unsigned element : clause)
        occurrences[element].push_back(number);
  }

  void run() {
    mergeElements();
    for (unsigned number = 0; number < clauses.size(); ++number)
      changedClauses.push_back(number);
    for (unsigned element = 0; element < names.size(); ++element)
      changedElements.push_back(element);
    while (!changedClauses.empty() || !changedElements.empty()) {
      if (!changedClauses.empty()) {
        unsigned number = changedClauses.back();
        changedClauses.pop_back();
        visitClause(number);
        continue;
      }
      unsigned element = changedElements.back();
      changedElements.pop_back();
      if (isDominated(element))
        removeElement(element);
    }
    finish();
  }

private:
  /// Sorted.
  using Occurrences = std::vector<unsigned>;

  static void eraseSorted(std::vector<unsigned> &numbers, unsigned number) {
    numbers.erase(llvm::lower_bound(numbers, number));
  }

  /// True if each of `part` is in `whole`. The ends tell most pairs apart.
  static bool isWithin(ArrayRef<unsigned> part, ArrayRef<unsigned> whole) {
    return part.size() <= whole.size() && whole.front() <= part.front() &&
           part.back() <= whole.back() && llvm::includes(whole, part);
  }

  /// Of elements in the same clauses only the cheapest is of use.
  void mergeElements() {
    std::map<Occurrences, unsigned> best;
    std::vector<char> isDoomed(names.size(), false);
    for (auto [element, in] : llvm::enumerate(occurrences)) {
      auto [it, inserted] = best.try_emplace(in, element);
      if (inserted)
        continue;
      unsigned other = it->second;
      bool isBetter = !(costs[other] < costs[element]);
      isDoomed[isBetter ? other : element] = true;
      if (isBetter)
        it->second = element;
    }
    for (Clause &clause : clauses)
      llvm::erase_if(clause,
                     [&](unsigned element) { return isDoomed[element]; });
    for (unsigned element = 0; element < names.size(); ++element)
      if (isDoomed[element])
        occurrences[element].clear();
  }

  /// A clause of one element takes it; one that contains another is met with
  /// that. Others only shrink, so that a clause which has not done so since it
  /// was visited is in no more of them.
  void visitClause(unsigned number) {
    const Clause &clause = clauses[number];
    if (isMet[number] || clause.size() == visitedSizes[number])
      return;
    visitedSizes[number] = clause.size();
    if (clause.size() == 1) {
      unsigned element = clause.front();
      instance.taken.push_back(names[element]);
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
      if (other != number && isWithin(clause, clauses[other]))
        removeClause(other);
  }

  /// An element is of no use if a cheaper one is in all of its clauses. It may
  /// become so only when it is in fewer clauses.
  bool isDominated(unsigned element) {
    const Occurrences &in = occurrences[element];
    if (in.size() == testedDegrees[element])
      return false;
    testedDegrees[element] = in.size();
    unsigned smallest = *llvm::min_element(in, [&](unsigned a, unsigned b) {
      return clauses[a].size() < clauses[b].size();
    });
    return llvm::any_of(clauses[smallest], [&](unsigned other) {
      const Occurrences &more = occurrences[other];
      // Of two that are alike the one with the higher number stays.
      return !(costs[element] < costs[other]) &&
             (more.size() > in.size() || costs[other] < costs[element] ||
              other > element) &&
             isWithin(in, more);
    });
  }

  void removeElement(unsigned element) {
    for (unsigned number : occurrences[element]) {
      eraseSorted(clauses[number], element);
      changedClauses.push_back(number);
    }
    occurrences[element].clear();
  }

  void removeClause(unsigned number) {
    isMet[number] = true;
    for (unsigned element : clauses[number]) {
      eraseSorted(occurrences[element], number);
      if (!occurrences[element].empty())
        changedElements.push_back(element);
    }
  }

  /// What is left, as the caller numbers it.
  void finish() {
    std::vector<Clause> left;
    for (auto [number, clause] : llvm::enumerate(clauses)) {
      if (isMet[number])
        continue;
      for (unsigned &element : clause)
        element = names[element];
      left.push_back(std::move(clause));
    }
    clauses = std::move(left);
  }

  Instance &instance;
  std::vector<Clause> &clauses;
  std::vector<unsigned> names;
  std::vector<Cost> costs;
  std::vector<char> isMet;
  /// By element, the clauses that it is in; empty if it was removed.
  std::vector<Occurrences> occurrences;
  std::vector<unsigned> changedClauses, changedElements;
  /// How many elements a clause had, and in how many clauses an element was,
  /// when it was looked at last.
  std::vector<size_t> visitedSizes, testedDegrees;
};

/// Branch and bound on what the reductions leave of a component. Clauses and
/// elements are taken away and put back in place, so that a node of the search
/// costs what it changes, and a look at the clauses that are left.
class Search {
public:
  Search(ArrayRef<Clause> clauses, ArrayRef<Cost> allCosts, int64_t &nodesLeft);

  void run();

  /// The best set found, of elements as the caller numbers them.
  std::vector<unsigned> getBest() const {
    std::vector<unsigned> result;
    for (unsigned element : best)
      result.push_back(names[element]);
    return result;
  }
  bool isExhausted() const { return exhausted; }

private:
  /// What is removed: a clause, or an element that is not taken.
  struct Removal {
    bool isClause;
    unsigned number;
  };
  struct Decision {
    unsigned element;
    size_t numRemovals, numTaken;
    Cost cost;
  };

  bool isAlive(unsigned element) const {
    return !isRemoved[element] && degrees[element] > 0;
  }
  void removeClause(unsigned clause);
  void removeElement(unsigned element);
  void take(unsigned element);
  void undo(const Decision &decision);
  void reduce();
  void visitClause(unsigned clause);
  bool isDominated(unsigned element);
  Cost getBound();
  unsigned chooseElement() const;

  /// The elements by ascending number, and their costs.
  std::vector<unsigned> names;
  std::vector<Cost> costs;
  std::vector<Clause> clauses;
  /// By element, the clauses that it is in, sorted.
  std::vector<std::vector<unsigned>> occurrences;
  /// Of a clause, its elements that are left; of an element, its clauses.
  std::vector<unsigned> sizes, degrees;
  std::vector<char> isMet, isRemoved;
  unsigned numLeft;

  std::vector<Removal> removals;
  std::vector<unsigned> taken, best;
  Cost cost, bestCost;
  bool hasBest = false, exhausted = false;
  int64_t &nodesLeft;
  std::vector<unsigned> changedClauses, changedElements;
  /// A clause or element has the current stamp if it is in the set that is
  /// being compared.
  std::vector<unsigned> clauseStamps, elementStamps;
  unsigned stamp = 0;
};
} // namespace

Search::Search(ArrayRef<Clause> given, ArrayRef<Cost> allCosts,
               int64_t &nodesLeft)
    : clauses(given.vec()), isMet(given.size(), false), numLeft(given.size()),
      nodesLeft(nodesLeft), clauseStamps(given.size(), 0) {
  names = renumber(clauses);
  for (unsigned name : names)
    costs.push_back(allCosts[name]);
  occurrences.resize(names.size());
  for (auto [number, clause] : llvm::enumerate(clauses)) {
    sizes.push_back(clause.size());
    for (unsigned element : clause)
      occurrences[element].push_back(number);
  }
  for (const std::vector<unsigned> &in : occurrences)
    degrees.push_back(in.size());
  isRemoved.assign(names.size(), false);
  elementStamps.assign(names.size(), 0);
}

void Search::removeClause(unsigned clause) {
  isMet[clause] = true;
  --numLeft;
  removals.push_back({/*isClause=*/true, clause});
  for (unsigned element : clauses[clause])
    if (--degrees[element] > 0)
      changedElements.push_back(element);
}

void Search::removeElement(unsigned element) {
  isRemoved[element] = true;
  removals.push_back({/*isClause=*/false, element});
  for (unsigned clause : occurrences[element]) {
    --sizes[clause];
    if (!isMet[clause])
      changedClauses.push_back(clause);
  }
}

void Search::take(unsigned element) {
  taken.push_back(element);
  cost += costs[element];
  for (unsigned clause : occurrences[element])
    if (!isMet[clause])
      removeClause(clause);
}

/// Back to where the decision was made.
void Search::undo(const Decision &decision) {
  for (; removals.size() > decision.numRemovals; removals.pop_back()) {
    auto [isClause, number] = removals.back();
    if (isClause) {
      isMet[number] = false;
      ++numLeft;
      for (unsigned element : clauses[number])
        ++degrees[element];
      continue;
    }
    isRemoved[number] = false;
    for (unsigned clause : occurrences[number])
      ++sizes[clause];
  }
  taken.resize(decision.numTaken);
  cost = decision.cost;
}

/// As Reducer does, from what has changed.
void Search::reduce() {
  while (!changedClauses.empty() || !changedElements.empty()) {
    if (!changedClauses.empty()) {
      unsigned clause = changedClauses.back();
      changedClauses.pop_back();
      if (!isMet[clause])
        visitClause(clause);
      continue;
    }
    unsigned element = changedElements.back();
    changedElements.pop_back();
    if (isAlive(element) && isDominated(element))
      removeElement(element);
  }
}

void Search::visitClause(unsigned number) {
  ++stamp;
  unsigned rarest = names.size();
  for (unsigned element : clauses[number]) {
    if (isRemoved[element])
      continue;
    elementStamps[element] = stamp;
    if (rarest == names.size() || degrees[element] < degrees[rarest])
      rarest = element;
  }
  if (sizes[number] == 1)
    return take(rarest);
  for (unsigned other : occurrences[rarest])
    if (other != number && !isMet[other] && sizes[other] >= sizes[number] &&
        llvm::count_if(clauses[other], [&](unsigned element) {
          return elementStamps[element] == stamp;
        }) == sizes[number])
      removeClause(other);
}

bool Search::isDominated(unsigned element) {
  ++stamp;
  unsigned smallest = clauses.size();
  for (unsigned clause : occurrences[element]) {
    if (isMet[clause])
      continue;
    clauseStamps[clause] = stamp;
    if (smallest == clauses.size() || sizes[clause] < sizes[smallest])
      smallest = clause;
  }
  return llvm::any_of(clauses[smallest], [&](unsigned other) {
    if (other == element || isRemoved[other] || costs[element] < costs[other] ||
        degrees[other] < degrees[element])
      return false;
    // Of two that are alike the one with the higher number stays.
    return (degrees[other] > degrees[element] ||
            costs[other] < costs[element] || other > element) &&
           llvm::count_if(occurrences[other], [&](unsigned clause) {
             return clauseStamps[clause] == stamp;
           }) == degrees[element];
  });
}

/// What was taken, and the cheapest element of each of disjoint clauses.
Cost Search::getBound() {
  std::vector<unsigned> bySize;
  for (unsigned clause = 0; clause < clauses.size(); ++clause)
    if (!isMet[clause])
      bySize.push_back(clause);
  llvm::stable_sort(
      bySize, [&](unsigned a, unsigned b) { return sizes[a] < sizes[b]; });
  ++stamp;
  Cost bound = cost;
  for (unsigned clause : bySize) {
    std::optional<Cost> least;
    bool isDisjoint = true;
    for (unsigned element : clauses[clause]) {
      if (isRemoved[element])
        continue;
      isDisjoint &= elementStamps[element] != stamp;
      if (!least || costs[element] < *least)
        least = costs[element];
    }
    if (!isDisjoint)
      continue;
    for (unsigned element : clauses[clause])
      elementStamps[element] = stamp;
    bound += *least;
  }
  return bound;
}

/// The element that meets most clauses, from the shortest one.
unsigned Search::chooseElement() const {
  unsigned shortest = clauses.size();
  for (unsigned clause = 0; clause < clauses.size(); ++clause)
    if (!isMet[clause] &&
        (shortest == clauses.size() || sizes[clause] < sizes[shortest]))
      shortest = clause;
  unsigned branch = names.size();
  for (unsigned element : clauses[shortest])
    if (!isRemoved[element] &&
        (branch == names.size() || degrees[element] >= degrees[branch]))
      branch = element;
  return branch;
}

void Search::run() {
  std::vector<Decision> decisions;
  while (true) {
    reduce();
    bool isDone = numLeft == 0;
    if (isDone && (!hasBest || cost < bestCost)) {
      hasBest = true;
      best = taken;
      bestCost = cost;
    }
    isDone |= hasBest && !(getBound() < bestCost);
    if (!isDone && --nodesLeft < 0) {
      exhausted = true;
      if (hasBest)
        return;
    }
    if (!isDone) {
      unsigned element = chooseElement();
      decisions.push_back({element, removals.size(), taken.size(), cost});
      take(element);
      continue;
    }
    if (decisions.empty())
      return;
    Decision last = decisions.back();
    decisions.pop_back();
    undo(last);
    removeElement(last.element);
  }
}

/// The cost of the cheapest elements of disjoint clauses, the short ones first.
static Cost getLowerBound(ArrayRef<Clause> clauses, ArrayRef<Cost> costs) {
  std::vector<const Clause *> bySize;
  for (const Clause &clause : clauses)
    bySize.push_back(&clause);
  llvm::stable_sort(bySize, [](const Clause *a, const Clause *b) {
    return a->size() < b->size();
  });
  Cost bound;
  llvm::DenseSet<unsigned> used;
  for (const Clause *clause : bySize) {
    if (llvm::any_of(*clause, [&](unsigned e) { return used.contains(e); }))
      continue;
    Cost least = costs[clause->front()];
    for (unsigned element : *clause)
      least = std::min(least, costs[element]);
    used.insert(clause->begin(), clause->end());
    bound += least;
  }
  return bound;
}

HittingSetSolver::Solution
HittingSetSolver::solveComponent(const Component &component,
                                 int64_t &nodesLeft) {
  Instance instance{component, {}};
  Reducer(instance, costs).run();
  Solution solution;
  solution.elements = std::move(instance.taken);
  solution.isOptimal = true;
  auto getCost = [&](ArrayRef<unsigned> elements) {
    Cost cost;
    for (unsigned element : elements)
      cost += costs[element];
    return cost;
  };
  solution.lowerBound = getCost(solution.elements);
  // What is left may have come apart.
  for (const Component &part : split(std::move(instance.clauses))) {
    Search search(part, costs, nodesLeft);
    search.run();
    std::vector<unsigned> best = search.getBest();
    solution.lowerBound +=
        search.isExhausted() ? getLowerBound(part, costs) : getCost(best);
    solution.isOptimal &= !search.isExhausted();
    llvm::append_range(solution.elements, best);
  }
  return solution;
}

HittingSet HittingSetSolver::solve(ArrayRef<Clause> clauses, int64_t maxNodes) {
  // Components are reduced one by one: what changes in one does not matter to
  // the others.
  HittingSet result;
  result.isOptimal = true;
  std::map<Component, Solution> solutions;
  for (Component &component : split(clauses.vec())) {
    auto known = solved.find(component);
    Solution solution;
    if (known != solved.end() &&
        (known->second.isOptimal ||
         maxNodes - result.nodes <= known->second.maxNodes)) {
      solution = std::move(known->second);
    } else {
      int64_t before = maxNodes - result.nodes, nodesLeft = before;
      solution = solveComponent(component, nodesLeft);
      solution.maxNodes = before;
      result.nodes = maxNodes - std::max<int64_t>(nodesLeft, 0);
    }
    for (unsigned element : solution.elements)
      result.cost += costs[element];
    llvm::append_range(result.elements, solution.elements);
    result.lowerBound += solution.lowerBound;
    result.isOptimal &= solution.isOptimal;
    solutions.try_emplace(std::move(component), std::move(solution));
  }
  solved = std::move(solutions);
  llvm::sort(result.elements);
  return result;
}

HittingSet mlir::memspace::placement::findHittingSet(ArrayRef<Clause> clauses,
                                                     ArrayRef<Cost> costs,
                                                     int64_t maxNodes) {
  return HittingSetSolver(costs).solve(clauses, maxNodes);
}
