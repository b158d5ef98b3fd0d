//===- AtomicUpdates.h - which updates may change places --------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_HAZARDS_ATOMICUPDATES_H
#define MEMSPACE_LIB_HAZARDS_ATOMICUPDATES_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// A number of the atomic updates that `op` makes: of two with one number the
/// order does not show in memory (sums, whose rounding it may change, minima,
/// bits). 0: that of `op` and any other update does, as of what overwrites, and
/// of what is not known.
unsigned getCommutingUpdates(Operation *op);

/// Whether anything is done with the number that the update `op` finds.
bool returnsOld(Operation *op);

/// Whether the order of an update by `first` and one by `second` shows neither
/// in memory nor in what they return.
bool mayChangePlaces(Operation *first, Operation *second);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_HAZARDS_ATOMICUPDATES_H
