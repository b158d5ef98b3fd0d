//===- Program.cpp - where barriers may stand and what needs them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Placement/Program.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir::memspace::placement;
using llvm::ArrayRef;

static int64_t addSaturating(int64_t a, int64_t b) {
  int64_t sum;
  if (llvm::AddOverflow(a, b, sum))
    return std::numeric_limits<int64_t>::max();
  return sum;
}

Cost &Cost::operator+=(const Cost &other) {
  workgroup = addSaturating(workgroup, other.workgroup);
  subgroup = addSaturating(subgroup, other.subgroup);
  placed = addSaturating(placed, other.placed);
  return *this;
}

Cost &Cost::operator-=(const Cost &other) {
  workgroup -= other.workgroup;
  subgroup -= other.subgroup;
  placed -= other.placed;
  return *this;
}

Flight mlir::memspace::placement::advance(Flight flight, const Node &node) {
  if (flight == kLanded)
    return flight;
  if (node.commits)
    return std::min<Flight>(flight + 1, kMaxCommits);
  // Groups complete in order: that of the copy and the younger ones are as many
  // as there were commits. What is in no group yet is not waited for.
  if (node.waitLeaves && flight > *node.waitLeaves)
    return kLanded;
  return flight;
}

unsigned Program::addLoop(unsigned parent, unsigned behind) {
  parents.push_back(parent);
  loopsBehind.push_back(behind);
  depths.push_back(parent == kNone ? 0 : depths[parent] + 1);
  return parents.size() - 1;
}

unsigned Program::addNode(unsigned loop) {
  nodes.emplace_back();
  nodes.back().loop = loop;
  return nodes.size() - 1;
}

unsigned Program::addSlot(unsigned loop, ArrayRef<Choice> choices) {
  unsigned node = addNode(loop);
  nodes[node].choices.assign(choices.begin(), choices.end());
  nodes[node].slot = node;
  return node;
}

unsigned Program::addSlotAgain(unsigned loop, unsigned slot,
                               ArrayRef<Choice> choices) {
  unsigned node = addNode(loop);
  nodes[node].slot = slot;
  for (auto [known, added] : llvm::zip_equal(nodes[slot].choices, choices)) {
    int64_t placed = known.cost.placed;
    known.cost += added.cost;
    known.cost.placed = placed;
  }
  return node;
}

unsigned Program::addBarrier(unsigned loop, Orders orders) {
  unsigned node = addNode(loop);
  nodes[node].barrier = orders;
  return node;
}

unsigned Program::addCommit(unsigned loop) {
  unsigned node = addNode(loop);
  nodes[node].commits = true;
  return node;
}

unsigned Program::addWait(unsigned loop, unsigned groups) {
  unsigned node = addNode(loop);
  nodes[node].waitLeaves = groups;
  return node;
}

unsigned Program::addAccesses(unsigned loop, ArrayRef<Access> added) {
  unsigned node = addNode(loop);
  nodes[node].firstAccess = accesses.size();
  nodes[node].numAccesses = added.size();
  for (Access access : added) {
    access.node = node;
    accesses.push_back(access);
  }
  return node;
}

void Program::addEdge(unsigned from, unsigned to, unsigned crosses) {
  nodes[from].successors.push_back({to, crosses});
}

bool Program::isInLoop(unsigned inner, unsigned outer) const {
  if (outer == kNone)
    return true;
  while (inner != kNone && depths[inner] > depths[outer])
    inner = parents[inner];
  return inner == outer;
}

unsigned Program::cross(unsigned access, unsigned carryingLoop,
                        const Edge &edge) const {
  unsigned target = nodes[edge.to].loop;
  while (carryingLoop != kNone && !isInLoop(target, carryingLoop))
    carryingLoop = loopsBehind[carryingLoop];
  if (edge.crosses == kNone ||
      !isInLoop(nodes[accesses[access].node].loop, edge.crosses))
    return carryingLoop;
  if (carryingLoop == kNone || isInLoop(carryingLoop, edge.crosses))
    return edge.crosses;
  return carryingLoop;
}
