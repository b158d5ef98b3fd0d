//===- BarrierQuery.cpp - which order two accesses need -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierQuery.h"

using namespace mlir;
using namespace mlir::memspace;

placement::Orders BarrierQuery::getOrders(unsigned first, unsigned second,
                                          unsigned carryingLoop,
                                          placement::PathTiming timing) {
  unsigned a = program.getAccess(first), b = program.getAccess(second);
  Operation *loop = program.getLoop(carryingLoop);
  IterationTiming iterations = program.getTiming(first, carryingLoop, timing);
  Hazard hazard = hazards.getHazard(a, b, loop);
  if (!hazard && !timing.inFlight)
    return 0;
  // What the affine constraints cannot tell is calculated.
  Meeting meeting = statePairs.getMeeting(a, program.getState(first), b,
                                          program.getState(second), loop);
  if (timing.inFlight && meeting.inOneThread &&
      hazards.mayOverlapInOneThread(a, b, loop, iterations))
    return placement::kAllOrders;
  if (meeting.insideSubgroup || meeting.acrossSubgroups)
    hazard = hazards.getHazard(a, b, loop, iterations);
  hazard.insideSubgroup &= meeting.insideSubgroup;
  hazard.acrossSubgroups &= meeting.acrossSubgroups;
  if (!hazard)
    return 0;
  auto [it, isNew] = enumerated.try_emplace({a, b}, Hazard{true, true});
  if (isNew)
    threadPairs.refine(it->second, a, b);
  hazard.insideSubgroup &= it->second.insideSubgroup;
  hazard.acrossSubgroups &= it->second.acrossSubgroups;
  return getHazardOrders(hazard);
}

placement::Orders BarrierQuery::getMostOrders(unsigned first,
                                              unsigned second) const {
  unsigned a = program.getAccess(first), b = program.getAccess(second);
  if (!hazards.mayConflict(a, b))
    return 0;
  Hazard meeting = hazards.getMeeting(a, b);
  // In whatever memory.
  meeting.workgroupMemory = meeting.globalMemory = true;
  return getHazardOrders(meeting);
}

placement::Orders BarrierQuery::getMostOrdersOf(unsigned access) const {
  Hazard meeting = hazards.getMeetingWithAny(program.getAccess(access));
  meeting.workgroupMemory = meeting.globalMemory = true;
  return getHazardOrders(meeting);
}
