//===- SharingCosts.h - which sharing costs barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_LAYOUT_SHARINGCOSTS_H
#define MEMSPACE_LIB_LAYOUT_SHARINGCOSTS_H

#include "LayoutBarriers.h"

namespace mlir {
namespace memspace {

/// `problem` with costs for pairs of buffers: a solution that pays nothing
/// needs no barrier more than separate buffers do. Pairs that one barrier
/// orders are in one cost.
///
/// First a set of pairs is grown that are free together: those with a barrier
/// in between, then `wanted`, then the others by the bytes that sharing may
/// save. Halves of the list are tried as a whole, so that few pairs that cost
/// take few placements. Then each of the others joins the first cost that it
/// does not raise.
///
/// The work is bounded: pairs that are left when it is done are in the last
/// cost.
packing::Problem addSharingCosts(const packing::Problem &problem,
                                 const LayoutBarriers &barriers,
                                 const WorkgroupLiveness &liveness,
                                 const BufferPairs &wanted);

/// `problem` with buffers that are live from the last barrier that they need
/// before they begin to the first one after they end. In straight-line code a
/// solution needs no more barriers; in loops it may. This is for kernels with
/// too many pairs for addSharingCosts().
packing::Problem extendToBarriers(const packing::Problem &problem,
                                  const LayoutBarriers &barriers,
                                  const WorkgroupLiveness &liveness);

/// True when addSharingCosts() takes too long.
bool hasManyPairs(const packing::Problem &problem);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_LAYOUT_SHARINGCOSTS_H
