//===- InfeasibleSubset.cpp - why buffers do not fit ----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace mlir::memspace;
using namespace mlir::memspace::packing;

namespace {
enum class Fit { No, Yes, Unknown };
} // namespace

static Fit fits(const Problem &problem, llvm::ArrayRef<unsigned> subset,
                int64_t capacity, ExactOptions options) {
  Problem part;
  for (unsigned i : subset)
    part.buffers.push_back(problem.buffers[i]);
  // The instance of a search takes a time that grows with the square.
  if (getLowerBound(part) > capacity)
    return Fit::No;
  options.capacity = capacity;
  options.minimize = false;
  ExactResult result = solveExact(part, options);
  if (result.solution)
    return Fit::Yes;
  return result.proved ? Fit::No : Fit::Unknown;
}

llvm::SmallVector<unsigned>
packing::findInfeasibleSubset(const Problem &problem, int64_t capacity,
                              const ExactOptions &options, bool *proved) {
  auto start = std::chrono::steady_clock::now();
  // All searches have the time together.
  auto getRest = [&] {
    ExactOptions rest = options;
    if (rest.maxSeconds)
      *rest.maxSeconds -= std::chrono::duration<double>(
                              std::chrono::steady_clock::now() - start)
                              .count();
    return rest;
  };
  llvm::SmallVector<unsigned> subset;
  for (unsigned i = 0; i < problem.buffers.size(); ++i)
    subset.push_back(i);
  bool allProved = true;
  auto finish = [&](llvm::SmallVector<unsigned> result) {
    if (proved)
      *proved = allProved;
    return result;
  };

  Fit all = fits(problem, subset, capacity, getRest());
  allProved = all != Fit::Unknown;
  if (all != Fit::No)
    return finish({});

  // The buffers that are live at the peak, when these alone are too many: they
  // are easier to search, and easier to understand.
  if (std::optional<int64_t> time = getPeakTime(problem)) {
    llvm::SmallVector<unsigned> atPeak;
    for (unsigned i : subset)
      if (overlap(problem.buffers[i].live, {Interval{*time, *time + 1}}))
        atPeak.push_back(i);
    if (fits(problem, atPeak, capacity, getRest()) == Fit::No)
      subset = std::move(atPeak);
  }

  // Smallest first, so that the large ones, which explain more, stay.
  llvm::SmallVector<unsigned> order = subset;
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return problem.buffers[a].bytes < problem.buffers[b].bytes;
  });
  // Several at once, as long as the rest does not fit: then it does not with
  // some of them either. What one by one leaves is the same.
  size_t count = 1;
  for (size_t first = 0; first < order.size();) {
    if (std::optional<double> seconds = getRest().maxSeconds;
        seconds && *seconds <= 0) {
      allProved = false;
      break;
    }
    count = std::min(count, order.size() - first);
    llvm::DenseSet<unsigned> candidates(order.begin() + first,
                                        order.begin() + first + count);
    llvm::SmallVector<unsigned> rest = subset;
    llvm::erase_if(
        rest, [&](unsigned buffer) { return candidates.contains(buffer); });
    Fit fit = fits(problem, rest, capacity, getRest());
    if (fit == Fit::No) {
      subset = std::move(rest);
      first += count;
      count *= 2;
    } else if (count > 1) {
      count /= 2;
    } else {
      allProved &= fit == Fit::Yes;
      ++first;
    }
  }
  return finish(std::move(subset));
}
