//===- SplitGuard.h - make place for a barrier inside a guard -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BARRIERS_SPLITGUARD_H
#define MEMSPACE_LIB_TRANSFORMS_BARRIERS_SPLITGUARD_H

#include "MemSpace/Threads/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// The op around `a` and `b` that not all threads enter together; the outermost
/// one. Null if there is none.
Operation *getDivergentGuard(const Uniformity &uniformity, Operation *a,
                             Operation *b);

/// The innermost op around both.
Operation *getInnermostAround(Operation *a, Operation *b);

/// Splits the innermost `scf.if` around both `a` and `b` between the two, so
/// that `a` is in one and `b` in a later one with the same condition. Values of
/// the first part that the second needs are computed again if nothing but their
/// operands decides them, else they are results of the first. Fails, without
/// any change, if something else than an `scf.if` lies between the two and
/// `guard`, or if a value is neither a number nor can be computed again.
LogicalResult splitGuardBetween(Operation *guard, Operation *a, Operation *b);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BARRIERS_SPLITGUARD_H
