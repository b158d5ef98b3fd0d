//===- VerifierSubgroups.cpp - what subgroups touch in all states ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierStatePairs.h"

using namespace mlir;
using namespace mlir::memspace;

std::unique_ptr<VerifierStatePairs::Reach>
VerifierStatePairs::makeReach(unsigned number, const VerifierStates &states) {
  constexpr size_t kMaxBytes = size_t(1) << 21;
  const MemoryAccess &access = analysis.getAccesses()[number];
  std::optional<int64_t> size = context.getSubgroupSize();
  if (!access.memref || access.collective || !size ||
      context.getThreads() > kMaxThreads)
    return nullptr;
  auto reach = std::make_unique<Reach>();
  // States in which the places are the same have one map.
  DenseSet<const Map *> seen;
  for (unsigned point : states.getPoints(access.op)) {
    const Map *map = getMap(number, states.getPoints()[point].known);
    if (!map || (reach->root && reach->root != map->root))
      return nullptr;
    reach->root = map->root;
    if (!seen.insert(map).second)
      continue;
    for (auto [place, thread] : map->places->threadsAt)
      for (int64_t k = 0; k < map->elementBytes; ++k) {
        int64_t byte;
        if (llvm::AddOverflow(place, map->origin, byte) ||
            llvm::AddOverflow(byte, k, byte))
          return nullptr;
        reach->subgroupsAt.push_back({byte, thread / *size});
      }
    if (reach->subgroupsAt.size() > kMaxBytes)
      return nullptr;
  }
  if (!reach->root)
    return nullptr;
  llvm::sort(reach->subgroupsAt);
  reach->subgroupsAt.erase(llvm::unique(reach->subgroupsAt),
                           reach->subgroupsAt.end());
  return reach;
}

const VerifierStatePairs::Reach *
VerifierStatePairs::getReach(unsigned access, const VerifierStates &states) {
  auto [it, isNew] = reaches.try_emplace(access);
  if (isNew)
    it->second = makeReach(access, states);
  return it->second.get();
}

/// True when some byte is touched by one subgroup and by another one.
bool VerifierStatePairs::mayMeetAcrossSubgroups(const Reach &left,
                                                const Reach &right) {
  if (left.root != right.root)
    return false;
  const auto &mine = left.subgroupsAt, &others = right.subgroupsAt;
  size_t next = 0;
  for (const auto &[byte, subgroup] : mine) {
    while (next < others.size() && others[next].first < byte)
      ++next;
    for (size_t k = next; k < others.size() && others[k].first == byte; ++k)
      if (others[k].second != subgroup)
        return true;
  }
  return false;
}

bool VerifierStatePairs::mayMeetAcrossSubgroups(unsigned access,
                                                const VerifierStates &states) {
  constexpr size_t kMaxAccesses = 256;
  size_t count = analysis.getAccesses().size();
  if (count > kMaxAccesses)
    return true;
  auto [it, isNew] = meetsAcross.try_emplace(access, true);
  if (!isNew)
    return it->second;
  const Reach *mine = getReach(access, states);
  if (!mine)
    return true;
  for (unsigned other = 0; other < count; ++other) {
    if (!analysis.getMeeting(access, other).acrossSubgroups)
      continue;
    const Reach *reach = getReach(other, states);
    if (!reach || mayMeetAcrossSubgroups(*mine, *reach))
      return true;
  }
  return meetsAcross[access] = false;
}
