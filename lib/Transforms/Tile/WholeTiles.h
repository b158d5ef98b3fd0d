//===- WholeTiles.h - tiles at the edge as large as the others -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last tile of a dimension may be smaller than the others, and tensors of
/// unknown extents are no registers. A workgroup computes all of such a tile:
/// what lies beyond the edge is computed from elements at the edge, and never
/// stored.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_WHOLETILES_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_WHOLETILES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// True for an op that copies a part of a tensor, with the elements at its edge
/// again beyond the edge.
bool isWholeCopy(Operation *op);

/// Makes the parallel loops of all linalg ops in the body of `workgroup`, a
/// loop over workgroups, constant where their extents have a constant bound and
/// at least one iteration. What they compute is cut where it leaves the loop,
/// in parts of threads whose size `getThreadTile` gives for a shape.
void makeTilesWhole(
    RewriterBase &rewriter, scf::ForallOp workgroup,
    llvm::function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> getThreadTile);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_WHOLETILES_H
