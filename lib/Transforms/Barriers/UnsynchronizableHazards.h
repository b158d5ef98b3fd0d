//===- UnsynchronizableHazards.h - errors for races that no barrier cures -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a pass says about ops by which different threads, or workgroups, touch
/// one byte at once (docs/barriers.md).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BARRIERS_UNSYNCHRONIZABLEHAZARDS_H
#define MEMSPACE_LIB_TRANSFORMS_BARRIERS_UNSYNCHRONIZABLEHAZARDS_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Threads/Uniformity.h"

namespace mlir {
namespace memspace {

/// Reports the self-hazards and the hazards across workgroups of a kernel. A
/// certain one in which the threads store different values is an error at the
/// op, with its witness and its fix: failure. One in which they store an equal
/// value, and one that is not proved, is a remark (category "memspace", name
/// "race"). One that a forall promises not to happen is nothing.
LogicalResult reportUnsynchronizableHazards(const HazardAnalysis &hazards,
                                            const Uniformity &uniformity);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BARRIERS_UNSYNCHRONIZABLEHAZARDS_H
