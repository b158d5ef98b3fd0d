//===- BlockCircles.h - loops made of branches ----------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks that branch to each other are loops with iterations that can be
/// counted where each way around leads through a block by which alone the
/// blocks of that way are entered.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_HAZARDS_BLOCKCIRCLES_H
#define MEMSPACE_LIB_HAZARDS_BLOCKCIRCLES_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// The control flow must not change while this is asked.
class BlockCircles {
public:
  /// The innermost loop that `block` lies on: whatever leads from a block of it
  /// to another one, and is not one iteration, enters the header once for each
  /// iteration that begins. Null where `block` is on no loop, or some way
  /// around through blocks that it can go around with is entered by several of
  /// them. Cost: once for each region linear in its blocks and branches.
  const CFGLoop *get(Block *block);
  /// The innermost loop of the blocks of `region` around `op`, and not around
  /// `other`; null where there is none, or one of them is not in the region.
  const CFGLoop *getAroundOnly(Region &region, Operation *op, Operation *other);
  /// True when blocks around `op`, at any level, may be executed again while
  /// `other`, in none of them, is not.
  bool mayRepeatOnly(Operation *op, Operation *other);
  /// True when `op`, in a region of `around`, lies on or in `circle`.
  static bool isOn(const CFGLoop *circle, Operation *op, Operation *around);

private:
  struct Loops {
    std::unique_ptr<CFGLoopInfo> info;
    /// The outermost of those that are no such loops, and the blocks of all
    /// ways around that are none.
    DenseSet<const CFGLoop *> tangled;
    DenseSet<Block *> inTangle;
  };
  const Loops &getLoops(Region &region);

  DominanceInfo dominance;
  DenseMap<Region *, Loops> loops;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_HAZARDS_BLOCKCIRCLES_H
