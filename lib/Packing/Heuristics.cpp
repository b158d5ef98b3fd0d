//===- Heuristics.cpp - first-fit in several orders -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "Orders.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

Solution packing::bump(const Problem &problem) {
  Solution solution;
  for (const Buffer &buffer : problem.buffers) {
    int64_t offset = alignUp(solution.height, buffer.alignment);
    solution.offsets.push_back(offset);
    solution.height = offset + buffer.bytes;
  }
  return solution;
}

Solution packing::firstFit(const Problem &problem,
                           llvm::ArrayRef<unsigned> order) {
  Sections sections(problem);
  return *OrderPlacer(problem, sections).place(order);
}

/// No solution is above the bump layout.
static Solution takeLower(Solution solution, const Problem &problem) {
  Solution other = bump(problem);
  return other.height < solution.height ? other : solution;
}

Solution packing::greedyBySize(const Problem &problem) {
  std::vector<unsigned> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return problem.buffers[a].bytes > problem.buffers[b].bytes;
  });
  return takeLower(firstFit(problem, order), problem);
}

/// No order is begun after as many.
static constexpr uint64_t kMaxSteps = 300'000'000;

Solution packing::bestFit(const Problem &problem,
                          llvm::function_ref<bool()> isOver) {
  Sections sections(problem);
  Solution best = bump(problem);
  int64_t bound = getLowerBound(problem);
  if (best.height == bound || (isOver && isOver()))
    return best;
  OrderFamily orders(problem, sections);
  OrderPlacer placer(problem, sections);
  for (unsigned k = 0; k < orders.size() && best.height > bound &&
                       placer.getSteps() < kMaxSteps;
       ++k)
    if (std::optional<Solution> solution =
            placer.place(orders.make(k), best.height - 1, isOver))
      best = std::move(*solution);
  return best;
}
