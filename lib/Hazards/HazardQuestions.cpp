//===- HazardQuestions.cpp - which pairs have one answer -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::memspace;

bool HazardAnalysis::Question::operator==(const Question &other) const {
  return classes[0] == other.classes[0] && classes[1] == other.classes[1] &&
         carryingLoop == other.carryingLoop && distances == other.distances;
}

size_t
HazardAnalysis::QuestionHash::operator()(const Question &question) const {
  return llvm::hash_combine(question.classes[0], question.classes[1],
                            question.carryingLoop,
                            llvm::hash_combine_range(question.distances.begin(),
                                                     question.distances.end()));
}

HazardAnalysis::Question
HazardAnalysis::getQuestion(unsigned first, unsigned second,
                            Operation *carryingLoop) const {
  return getQuestion(
      first, second,
      {summaries[first].classNumber, summaries[second].classNumber},
      carryingLoop);
}

/// True when how far the constants of two accesses are apart does not say how
/// far these are: one may be in several memories, and is compared by its bytes
/// in each (mayOverlapByBases), while the constants are those of its indices.
/// Of two such accesses to views of one type equal distances mean equal ones in
/// bytes.
static bool needConstants(const MemoryAccess &a, const MemoryAccess &b) {
  bool isFirstOne = a.bases.size() <= 1, isSecondOne = b.bases.size() <= 1;
  if (isFirstOne || isSecondOne)
    return isFirstOne != isSecondOne;
  return !a.view || !b.view || a.view.getType() != b.view.getType();
}

HazardAnalysis::Question
HazardAnalysis::getQuestion(unsigned first, unsigned second,
                            std::array<unsigned, 2> classes,
                            Operation *carryingLoop) const {
  // The answer is the same both ways.
  if (classes[0] > classes[1]) {
    std::swap(classes[0], classes[1]);
    std::swap(first, second);
  }
  Question question{{classes[0], classes[1]}, carryingLoop, {}};
  // Lists of different lengths are not compared with each other.
  for (auto [left, right] : llvm::zip(constants[first], constants[second]))
    question.distances.push_back(right - left);
  if (constants[first].size() != constants[second].size() ||
      needConstants(accesses[first], accesses[second])) {
    llvm::append_range(question.distances, constants[first]);
    llvm::append_range(question.distances, constants[second]);
  } else if (classes[0] == classes[1]) {
    const int64_t *some =
        llvm::find_if(question.distances, [](int64_t d) { return d != 0; });
    if (some != question.distances.end() && *some < 0)
      for (int64_t &distance : question.distances)
        distance = -distance;
  }
  return question;
}
