//===- BlockWeights.h - how often blocks are executed, by a guess ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_BLOCKWEIGHTS_H
#define MEMSPACE_LIB_BARRIERS_BLOCKWEIGHTS_H

#include "mlir/IR/Dominance.h"

namespace mlir {
namespace memspace {

/// The product, at most what many can be added of.
int64_t multiplyWeight(int64_t weight, int64_t trips);

/// How often each block of `region` that is reached is executed, at least 1, if
/// the region is entered `weight` times: as structured control flow counts. The
/// ways on from a branch are taken equally often, if it does not ask for the
/// number of an iteration (GuardShare); a loop has the trips that its constant
/// bounds give, or PlacementCosts::kUnknownTrips. Linear in the blocks and
/// branches, times the depth of loops.
DenseMap<Block *, int64_t> getBlockWeights(Region &region, int64_t weight,
                                           DominanceInfo &dominance);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_BLOCKWEIGHTS_H
