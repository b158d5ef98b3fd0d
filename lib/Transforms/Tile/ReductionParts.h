//===- ReductionParts.h - parts of loops and of reductions ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_REDUCTIONPARTS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_REDUCTIONPARTS_H

#include "Transforms/Tile/Combination.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// True when the results of `op` have one place: each dimension is a loop, or
/// kept with extent 1.
bool canReduceInSteps(linalg::LinalgOp op);

/// Does the reductions of `op` that are in `last` in a second op; the two ops.
/// None where it cannot be done in steps.
std::optional<std::pair<linalg::LinalgOp, linalg::LinalgOp>>
reduceInSteps(RewriterBase &rewriter, linalg::LinalgOp op,
              const Combination &combination, ArrayRef<unsigned> last);

/// `op` with two loops instead of its loop `cut`, of which the inner one has
/// `ratio` iterations; an operand that is not read tells their extents.
linalg::LinalgOp cutLoop(RewriterBase &rewriter, linalg::LinalgOp op,
                         unsigned cut, int64_t ratio);

/// True when `op` reads along `loop` in whole dimensions of its inputs, and
/// along nothing else with it.
bool canExpandLoop(linalg::LinalgOp op, unsigned loop);

/// The same as cutLoop for an extent of `count` times `ratio`, of which one may
/// be unknown, by dimensions of the inputs that become two.
linalg::LinalgOp expandLoop(RewriterBase &rewriter, linalg::LinalgOp op,
                            unsigned cut, OpFoldResult count,
                            OpFoldResult ratio);

/// The `count` iterations of the loop `cut` of `op` from `first` on.
linalg::LinalgOp takePart(RewriterBase &rewriter, linalg::LinalgOp op,
                          unsigned cut, OpFoldResult first, OpFoldResult count);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_REDUCTIONPARTS_H
