//===- FirstGuards.h - conditions on the first iteration -----------*- C++
//-*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For the verifier: a condition that compares the number of an iteration with
/// the first one has one value in that, and the other one in all others,
/// however many there are. Of structured loops and of loops of blocks.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_FIRSTGUARDS_H
#define MEMSPACE_LIB_BARRIERS_FIRSTGUARDS_H

#include "MemSpace/Threads/Uniformity.h"
#include "ProgramGraph.h"

namespace mlir {
namespace memspace {

class FirstGuards {
public:
  /// Of what branches in `kernel` ask, what is one for the workgroup.
  FirstGuards(FunctionOpInterface kernel, const Uniformity &uniformity,
              DominanceInfo &dominance);

  /// Calls `set` for each condition of the loop of which `edge` begins an
  /// iteration, with its value there; none where that is not known.
  void
  forEachBegun(const ProgramGraph::Edge &edge,
               llvm::function_ref<void(Value, std::optional<bool>)> set) const;
  /// True when what is known of `condition` is still known behind `edge`, which
  /// begins an iteration of its structured loop, or leads to a block in its
  /// loop of blocks.
  bool isKept(Value condition, const ProgramGraph::Edge &edge) const;

private:
  void addBlockLoops(FunctionOpInterface kernel, const Uniformity &uniformity,
                     DominanceInfo &dominance);

  /// By structured loop.
  DenseMap<Operation *, SmallVector<Value, 2>> structured;
  struct Guard {
    Value condition;
    bool inFirst;
  };
  struct BlockLoop {
    BlockArgument counter;
    /// Where it begins.
    Value lower;
    SmallVector<Guard, 2> guards;
    DenseSet<Block *> blocks;
  };
  /// By their heads; each has one counter at most whose guards are known.
  DenseMap<Block *, BlockLoop> blockLoops;
  DenseMap<Value, Block *> headOf;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_FIRSTGUARDS_H
