//===- FusedTiles.h - a tile, and what it is computed from -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_FUSEDTILES_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_FUSEDTILES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {

/// Tiles `anchor` by an `scf.forall`, and computes in each tile what it needs
/// of the results of `ops`, which are in the order of their block: as
/// upstream's tileConsumerAndFuseProducersUsingSCF, which computes a part as
/// often as there are ways to it, and so takes a time that doubles with each op
/// that is used twice. Here an op comes after all its users, and equal parts of
/// it are one. Results that `isStored` become results of the loop, too. All
/// uses of the results of the loop's ops outside of it are replaced. Fails if
/// the anchor cannot be tiled.
FailureOr<scf::ForallOp>
tileWithProducers(RewriterBase &rewriter, TilingInterface anchor,
                  ArrayRef<Operation *> ops,
                  const scf::SCFTilingOptions &options,
                  llvm::function_ref<bool(OpResult)> isStored);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_FUSEDTILES_H
