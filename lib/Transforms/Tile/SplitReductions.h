//===- SplitReductions.h - reductions in parts -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A reduction whose results are fewer than what can run side by side is done
/// in parts, and the parts are reduced then. A sum of floats is another one in
/// its last bits.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_SPLITREDUCTIONS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_SPLITREDUCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace memspace {

/// Results that reductions of `op` go into; none where `op` cannot be split: it
/// needs constant extents, one reduction, and no index of its own.
std::optional<int64_t> getSplitOutputs(linalg::LinalgOp op);

/// The iterations of the reduction of `op`, which getSplitOutputs() knows.
int64_t getReductionLength(linalg::LinalgOp op);

/// Reduces parts first, by the op that is returned: as many as divide the
/// reduction, `parts` at most: interleaved ones in the last dimension of the
/// partial results, or
/// (`isOuter`) contiguous ones in the first. Null, and nothing changed, where
/// there are not two, or what combines two elements is not known.
linalg::LinalgOp splitReduction(RewriterBase &rewriter, linalg::LinalgOp op,
                                int64_t parts, bool isOuter);

/// Where `op` has fewer results than there are `threads`, each thread reduces a
/// part first; of an unknown extent, every so many elements.
void shareReduction(RewriterBase &rewriter, linalg::LinalgOp op,
                    int64_t threads);

/// Splits the reductions of `function` that would leave most workgroups idle;
/// the ops that reduce parts, each of which is a kernel of its own.
DenseSet<Operation *> splitLongReductions(func::FuncOp function);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_SPLITREDUCTIONS_H
