//===- DirectPath.h - nothing lies between two executions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tells whether two executions are certain to have nothing between them that
/// could order them. The verifier's paths may be ones that no thread takes.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_DIRECTPATH_H
#define MEMSPACE_LIB_BARRIERS_DIRECTPATH_H

#include "Threads/OneThreadEvaluator.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {

class DirectPath {
public:
  /// Between executions in the iterations of `overlap`; `mayOrder` says which
  /// ops, themselves or by what is in them, may order the two.
  DirectPath(const KernelContext &context, const OverlapWitness &overlap,
             llvm::function_ref<bool(Operation *)> mayOrder);

  /// True if no op that may order them is executed from `first` in the
  /// iterations of the one side to `second` in those of the other.
  /// `carryingLoop`: the outermost loop of which the second is in a later
  /// iteration.
  bool exists(Operation *first, Operation *second, Operation *carryingLoop);

private:
  Operation *climbFrom(Operation *op, Block *block);
  Operation *climbTo(Operation *op, Block *block);
  bool isLast(const CountedLoop &loop);
  bool isFirst(const CountedLoop &loop);
  bool areAdjacent(const CountedLoop &loop);
  bool isFree(Block::iterator begin, Block::iterator end);

  OneThreadEvaluator first, second;
  LaunchShape shape;
  llvm::function_ref<bool(Operation *)> mayOrder;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_DIRECTPATH_H
