//===- AffineDisequalities.cpp - integer constraints that are not convex --===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is not equal is less or greater. A system is split only where the point
/// that is found without the disequality violates it, so that those which do
/// not matter cost nothing (as branch and bound does with integrality).
///
//===----------------------------------------------------------------------===//

#include "AffineSystem.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace;

void AffineSystem::addDisequality(LinearForm form) {
  if (!form.invalid)
    disequalities.push_back(std::move(form));
}

AffineSystem AffineSystem::split(unsigned number, bool isGreater) const {
  AffineSystem side = *this;
  LinearForm form = disequalities[number];
  side.disequalities.erase(side.disequalities.begin() + number);
  side.addInequality((isGreater ? form : form * -1) - LinearForm(1));
  return side;
}

std::optional<unsigned>
AffineSystem::getViolated(llvm::ArrayRef<int64_t> point) const {
  for (auto [number, form] : llvm::enumerate(disequalities))
    if (form.evaluate(
            [&](unsigned column) { return std::optional(point[column]); }) == 0)
      return number;
  return std::nullopt;
}

AffineSystem::Answer AffineSystem::decide(unsigned splitsLeft) const {
  Answer answer = decide();
  std::optional<unsigned> violated =
      answer.point ? getViolated(*answer.point) : std::nullopt;
  if (!violated)
    return answer;
  answer.point = std::nullopt;
  if (splitsLeft == 0)
    return answer;
  answer.isProvedEmpty = true;
  for (bool isGreater : {true, false}) {
    Answer side = split(*violated, isGreater).decide(splitsLeft - 1);
    if (side.point)
      return side;
    answer.isProvedEmpty &= side.isProvedEmpty;
  }
  return answer;
}

bool AffineSystem::isProvedEmpty() const {
  return decide(kMaxSplits).isProvedEmpty;
}

std::optional<llvm::SmallVector<int64_t>> AffineSystem::findPoint() const {
  return decide(kMaxSplits).point;
}
