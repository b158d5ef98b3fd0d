//===- OpenAccesses.h - accesses that a path may leave unordered -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier follows an access along all paths, with what each path tells of
/// the iterations. Most accesses need not be followed: whatever the iterations
/// are, no access meets them that no barrier has ordered. One pass forward over
/// the program finds those for all accesses at once. The pass keeps, for each
/// kind of access that is on its way, the orders that all paths have in common;
/// an access is of a kind by the places that it touches, in whatever block.
/// With them goes what the conditions around all of these accesses have in
/// common.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_OPENACCESSES_H
#define MEMSPACE_LIB_BARRIERS_OPENACCESSES_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "ProgramGraph.h"

namespace mlir {
namespace memspace {

/// What the pass asks of the verifier.
struct OpenAccessQueries {
  /// The accesses at a point of the program graph.
  llvm::function_ref<ArrayRef<unsigned>(Operation *)> getAccesses;
  /// The orders that an op gives to all that comes before it, as bits.
  llvm::function_ref<unsigned(Operation *)> getOrders;
  /// True when an op begins a copy that runs beside its thread.
  llvm::function_ref<bool(Operation *)> startsCopy;
  /// True when two accesses may meet, in whatever iterations and on whatever
  /// path, in spite of these orders. The answer holds for all accesses of their
  /// kinds.
  llvm::function_ref<bool(unsigned, unsigned, unsigned ordered)> mayMeet;
  /// The same of an access and any other: true unless none meets it.
  llvm::function_ref<bool(unsigned, unsigned ordered)> mayMeetAny;
  /// False when there is no work left to spend.
  llvm::function_ref<bool()> spend;
};

/// The accesses from which a path may lead to another access that they may meet
/// unordered, all if there is no work left: in program order. A copy that may
/// be in flight is one always. `allOrders`: nothing is left to be ordered.
SmallVector<unsigned> findOpenAccesses(const HazardAnalysis &analysis,
                                       const ProgramGraph &graph,
                                       unsigned allOrders,
                                       const OpenAccessQueries &queries);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_OPENACCESSES_H
