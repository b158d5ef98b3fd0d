//===- ExactTiling.h - structured ops that tiling gets right -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tile of a structured op reads slices of its inputs that begin where the
/// first iteration reads, and counts on there by the same indexing maps. That
/// is right where a map is a sum of iterators. It is not where one counts
/// downwards, or by "mod" and "floordiv": then the payload reads the element
/// itself.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_EXACTTILING_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_EXACTTILING_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir {
namespace memspace {

/// True when tiles of `op` compute what it computes, or will do once
/// makeExactlyTileable has changed it.
bool canTileExactly(Operation *op);

/// Makes `op`, if need be another op with the same results; returns that. The
/// tiles have the size 1 in `unitLoops`. Null when that cannot be.
Operation *makeExactlyTileable(RewriterBase &rewriter, Operation *op,
                               const llvm::SmallBitVector &unitLoops = {});

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_EXACTTILING_H
