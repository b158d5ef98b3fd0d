//===- BlockCircles.h - loops made of branches ----------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks that branch to each other are a loop with iterations that can be
/// counted where all ways around lead through one block, the only one by which
/// they are entered.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_HAZARDS_BLOCKCIRCLES_H
#define MEMSPACE_LIB_HAZARDS_BLOCKCIRCLES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {

/// The control flow must not change while this is asked.
class BlockCircles {
public:
  /// The head of the loop that `block` lies on: whatever leads from a block of
  /// the loop to another one, and is not one iteration, enters the head once
  /// for each iteration that begins. Null where `block` is on no loop, or on
  /// one inside of another one of the same region. Cost: once for each region
  /// linear in its blocks and branches.
  Block *getHead(Block *block);
  /// The head of the loop that the two ops, in regions of `around`, lie on or
  /// in; null where that is not one loop.
  Block *getHead(Operation *a, Operation *b, Operation *around);

private:
  using Heads = DenseMap<Block *, Block *>;
  const Heads &getHeads(Region &region);

  DenseMap<Region *, Heads> heads;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_HAZARDS_BLOCKCIRCLES_H
