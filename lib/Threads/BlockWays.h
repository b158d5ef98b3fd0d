//===- BlockWays.h - which way threads come to a block ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_BLOCKWAYS_H
#define MEMSPACE_LIB_THREADS_BLOCKWAYS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace mlir {
namespace memspace {

/// The ways between the blocks of a region. Each answer is calculated once.
class BlockWays {
public:
  /// Where all ways from the end of `block` to the end of its region come
  /// together first; null where they do not, or that is not known.
  Block *getJoin(Block *block);

  /// False when `block` cannot execute again before its region is left.
  bool isOnCycle(Block *block);

  /// The conditions and numbers by which branches choose the edge that leads to
  /// `block`, not the entry of its region. Threads for which each of these has
  /// one value come to it by the same edge. None where something else chooses,
  /// or it is too much to find out.
  using Decisions = std::optional<SmallVector<Value>>;
  const Decisions &getDecisions(Block *block);

private:
  Decisions findDecisions(Block *block);

  std::optional<DominanceInfo> dominance;
  std::optional<PostDominanceInfo> postDominance;
  /// Of each region that was asked for: the blocks that are on no cycle.
  llvm::DenseMap<Region *, llvm::DenseSet<Block *>> once;
  llvm::DenseMap<Block *, std::unique_ptr<Decisions>> decisions;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_BLOCKWAYS_H
