//===- ExecutionGuards.h - what has to hold for a block to execute --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_EXECUTIONGUARDS_H
#define MEMSPACE_LIB_THREADS_EXECUTIONGUARDS_H

#include "BlockWays.h"
#include "BranchLoop.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace mlir {
namespace memspace {

/// What the way to a block tells: the conditions of branches, and the ops
/// around it. Of several comparisons of one value with constants only the
/// strictest is kept, so that blocks which are deep in each other under
/// conditions on one number have few. Calculated once for each block.
class ExecutionGuards {
public:
  struct Guard {
    /// An i1 that holds, or does not; or null.
    Value condition;
    bool holds = false;
    /// Without a condition: an op in whose regions the block is, by one of
    /// their ops; or null.
    Operation *inside = nullptr;
    /// What is told is so of a branch between blocks.
    bool isOfBranch = false;
    /// Without both: an integer, which is `number`.
    Value flag;
    int64_t number = 0;
  };

  /// From the inside outwards.
  void forEach(Block *block, llvm::function_ref<void(const Guard &)> visit);

  BlockWays &getWays() { return ways; }

  /// The loop that `counter`, an argument of its first block, counts up for;
  /// null where it ends in another way.
  const BranchLoop *getLoop(BlockArgument counter);

private:
  /// From the outside inwards; what is farther out is in `outer`.
  struct List {
    SmallVector<Guard, 2> guards;
    const List *outer = nullptr;
  };
  const List &get(Block *block);
  Block *getOuter(Block *block, std::optional<Guard> &guard);
  static void add(List &list, const Guard &guard);

  llvm::DenseMap<Block *, std::unique_ptr<List>> lists;
  /// Made for the first block that several others branch to.
  std::optional<DominanceInfo> dominance;
  BlockWays ways;
  llvm::DenseMap<BlockArgument, std::optional<BranchLoop>> loops;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_EXECUTIONGUARDS_H
