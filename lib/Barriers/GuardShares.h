//===- GuardShares.h - in how many iterations conditions hold ------*- C++
//-*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A condition on the number of an iteration says how often a branch is taken:
/// `if (k == 0)` once in each execution of the loop. What is not said is taken
/// for as often as the other branch. These are guesses, by which places of
/// barriers are weighed; no hazard is decided by them.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_GUARDSHARES_H
#define MEMSPACE_LIB_BARRIERS_GUARDSHARES_H

#include "Threads/BranchLoop.h"

namespace mlir {
namespace memspace {

/// `holding` of `trips` iterations, which are at least one.
struct GuardShare {
  int64_t holding, trips;

  /// Of what is executed `weight` times in all iterations together, what is
  /// executed in these; at least 1.
  int64_t take(int64_t weight, bool holds) const;
};

/// How often the loop goes on at the branch that decides so; a guess where that
/// is not constant.
int64_t getRepeats(const BranchLoop &loop);

/// In how many iterations of the structured loop that counts them `condition`
/// holds; none where it compares no such number, or with one that may be any.
std::optional<GuardShare> getGuardShare(Value condition,
                                        DominanceInfo &dominance);

/// The same for loops of branches, the innermost one first.
std::optional<GuardShare> getGuardShare(Value condition,
                                        ArrayRef<const BranchLoop *> loops);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_GUARDSHARES_H
