//===- SpmdKnowledge.cpp - what has been written, and who may touch it -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmdGenerator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::memspace::fuzz;

SmallVector<unsigned> SpmdGenerator::getRoots(unsigned buffer) const {
  SmallVector<unsigned> roots;
  if (buffers[buffer].choices.empty())
    return {buffer};
  for (unsigned choice : buffers[buffer].choices)
    for (unsigned root : getRoots(choice))
      if (!llvm::is_contained(roots, root))
        roots.push_back(root);
  return roots;
}

/// A call may touch anything, what a copy is in flight to among it.
bool SpmdGenerator::isAnyLocked() const {
  return llvm::any_of(buffers,
                      [](const SpmdBuffer &buffer) { return buffer.isLocked; });
}

bool SpmdGenerator::isLocked(unsigned buffer) const {
  return llvm::any_of(getRoots(buffer),
                      [&](unsigned root) { return buffers[root].isLocked; });
}

llvm::BitVector SpmdGenerator::getWritten(unsigned buffer) const {
  const SpmdBuffer &it = buffers[buffer];
  if (it.choices.empty())
    return it.written;
  llvm::BitVector all(it.size(), true);
  for (unsigned choice : it.choices)
    all &= getWritten(choice);
  all |= it.written;
  return all;
}

void SpmdGenerator::markWritten(unsigned buffer, const IndexPattern &pattern) {
  int64_t size = buffers[buffer].size();
  if (pattern.isUniformlyMoved()) {
    if (size == threads && here.must.all())
      buffers[buffer].written.set();
    return;
  }
  for (unsigned t : here.must.set_bits())
    buffers[buffer].written.set(evaluate(pattern, size, t));
}

void SpmdGenerator::markAll(unsigned buffer) {
  if (here.must.any())
    buffers[buffer].written.set();
}

/// Among threads that not all come here nothing can be ordered: an element that
/// one of them writes is nobody else's, in either branch.
bool SpmdGenerator::mayUse(unsigned buffer, bool isWrite,
                           const IndexPattern &pattern) {
  if (isLocked(buffer))
    return false;
  if (!here.isDivergent)
    return true;
  int64_t size = buffers[buffer].size();
  // The pattern may come from threads that are not here.
  if (!fits(pattern, size, here.may, /*isInjective=*/false))
    return false;
  if (here.isAlone)
    return true;
  SmallVector<unsigned> roots = getRoots(buffer);
  return llvm::all_of(roots, [&](unsigned root) {
    auto it = here.uses.find(root);
    if (it == here.uses.end())
      return !isWrite || roots.size() == 1;
    const DivergentUse &use = it->second;
    if (!use.pattern)
      return !isWrite;
    llvm::BitVector all = use.threads;
    all |= here.may;
    return *use.pattern == pattern && roots.size() == 1 &&
           fits(pattern, size, all, /*isInjective=*/true);
  });
}

void SpmdGenerator::noteUse(unsigned buffer, bool isWrite,
                            const IndexPattern &pattern) {
  if (!here.isDivergent)
    return;
  DivergentUse use{std::nullopt, here.may};
  if (isWrite)
    use.pattern = pattern;
  for (unsigned root : getRoots(buffer)) {
    auto [it, isNew] = here.uses.try_emplace(root, use);
    if (!isNew)
      it->second.threads |= here.may;
  }
}

/// The newest ones are taken more often.
std::optional<unsigned> SpmdGenerator::pickBuffer() {
  for (int attempt = 0; attempt < 6; ++attempt) {
    unsigned count = buffers.size();
    unsigned number = rng.below(count);
    if (rng.chance(30))
      number = count - 1 - rng.below(std::min(count, 3u));
    if (!isLocked(number))
      return number;
  }
  return std::nullopt;
}
