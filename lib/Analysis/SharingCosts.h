//===- SharingCosts.h - barriers as costs of a packing problem -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_ANALYSIS_SHARINGCOSTS_H
#define MEMSPACE_LIB_ANALYSIS_SHARINGCOSTS_H

#include "LayoutBarriers.h"

namespace mlir {
namespace memspace {

/// The barriers that sharing costs, for each pair of buffers that may share
/// bytes: a solution that pays nothing needs no barrier more than separate
/// buffers do. Pairs that one barrier orders are in one cost.
///
/// First a set of pairs is grown that are free together, in the order `wanted`
/// pairs, then by the bytes that sharing may save; halves of the list are tried
/// as a whole, so that few pairs that cost take few placements. Then each of
/// the others joins the first cost that it does not raise.
///
/// The work is bounded: pairs that are left when it is done are in the last
/// cost.
std::vector<packing::OverlayCost>
getSharingCosts(const packing::Problem &problem, const LayoutBarriers &barriers,
                const BufferPairs &wanted);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_ANALYSIS_SHARINGCOSTS_H
