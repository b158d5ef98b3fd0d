//===- AccessMeetings.cpp - who may meet, wherever and whenever -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most pairs of accesses are told apart by where they are, whatever is known
/// of their executions. That is asked once for all accesses of two kinds.
///
//===----------------------------------------------------------------------===//

#include "AccessClasses.h"
#include "MemSpace/Hazards/HazardAnalysis.h"

using namespace mlir;
using namespace mlir::memspace;

Hazard HazardAnalysis::getMeeting(unsigned first, unsigned second) const {
  std::pair<unsigned, unsigned> kinds(summaries[first].kind,
                                      summaries[second].kind);
  auto it = meetingsOfKinds.find(kinds);
  if (it != meetingsOfKinds.end())
    return it->second;
  Hazard meeting = computeMeeting(first, second);
  if (meetingsOfKinds.size() < kMaxQuestions)
    meetingsOfKinds[kinds] = meeting;
  return meeting;
}

ArrayRef<unsigned> HazardAnalysis::getKindsOfBucket(unsigned bucket) const {
  kindsOfBucket.resize(accessesOfBucket.size());
  SmallVector<unsigned, 2> &result = kindsOfBucket[bucket];
  if (!result.empty())
    return result;
  for (unsigned access : accessesOfBucket[bucket]) {
    bool isKnown = llvm::any_of(result, [&](unsigned known) {
      return summaries[known].kind == summaries[access].kind &&
             summaries[known].writes == summaries[access].writes;
    });
    if (!isKnown)
      result.push_back(access);
    if (result.size() > kMaxKindsOfBucket && sharing != AnswerSharing::None)
      break;
  }
  return result;
}

Hazard HazardAnalysis::getMeetingWithAny(unsigned access) const {
  const Summary &own = summaries[access];
  auto [it, isNew] =
      meetingsWithAny.try_emplace({own.bucket, own.kind, own.writes});
  if (isNew)
    it->second = computeMeetingWithAny(access);
  return it->second;
}

Hazard HazardAnalysis::computeMeetingWithAny(unsigned access) const {
  Hazard all{/*acrossSubgroups=*/true, /*insideSubgroup=*/true,
             /*workgroupMemory=*/true, /*globalMemory=*/true};
  const Summary &own = summaries[access];
  if (isAnyBucketUsed)
    return all;
  ArrayRef<unsigned> others = getKindsOfBucket(own.bucket);
  if (others.size() > kMaxKindsOfBucket && sharing != AnswerSharing::None)
    return all;
  Hazard result;
  for (unsigned other : others) {
    if (!own.writes && !summaries[other].writes)
      continue;
    Hazard meeting = getMeeting(access, other);
    result.acrossSubgroups |= meeting.acrossSubgroups;
    result.insideSubgroup |= meeting.insideSubgroup;
    // Memory that nothing is known of may be either.
    bool isUnknown = !meeting.workgroupMemory && !meeting.globalMemory;
    result.workgroupMemory |= meeting.workgroupMemory || isUnknown;
    result.globalMemory |= meeting.globalMemory || isUnknown;
  }
  return result;
}

Hazard HazardAnalysis::computeMeeting(unsigned first, unsigned second) const {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  Hazard meeting{/*acrossSubgroups=*/true, /*insideSubgroup=*/true};
  // Accesses with these places may differ in the bytes that they may touch.
  auto mayBothBe = [&](bool MemoryBase::*memory) {
    auto mayBe = [&](const MemoryAccess &access) {
      return access.bases.empty() ||
             llvm::any_of(access.bases,
                          [&](const MemoryBase &base) { return base.*memory; });
    };
    return mayBe(a) && mayBe(b);
  };
  meeting.workgroupMemory = mayBothBe(&MemoryBase::maybeWorkgroup);
  meeting.globalMemory = mayBothBe(&MemoryBase::maybeGlobal);
  if (areFruitless(first, second))
    return meeting;
  Question question = getQuestion(
      first, second, {summaries[first].places, summaries[second].places},
      /*carryingLoop=*/nullptr);
  auto it = meetings.find(question);
  if (it != meetings.end())
    return it->second;
  Hazard who = getIndexMeeting(first, second);
  meeting.insideSubgroup = who.insideSubgroup;
  meeting.acrossSubgroups = who.acrossSubgroups;
  if (meetings.size() < kMaxQuestions)
    meetings.try_emplace(std::move(question), meeting);
  return meeting;
}
