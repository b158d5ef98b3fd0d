//===- SomeIterations.h - meetings that are easily found -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most accesses that meet do so in the first or the last iterations of the
/// foralls around them, and most that do not meet step by at least what they
/// touch, for which no constraints have to be solved. An answer of false says
/// nothing.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_SPACES_SOMEITERATIONS_H
#define MEMSPACE_LIB_SPACES_SOMEITERATIONS_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"

namespace mlir {
namespace memspace {

/// True when `a` and `b` touch a common element where both are in the first
/// iterations of all foralls around them, or in the last ones, if these are
/// executed; with `areApart` also where one is in the first and the other in
/// the last ones.
bool meetInSomeIterations(const ElementAccess &a, const ElementAccess &b,
                          bool areApart);

/// True when two threads do so: one by an execution of `a` and the other by one
/// of `b`, both in one execution of the block that the foralls over threads
/// around them are in.
bool meetInSomeThreads(const ElementAccess &a, const ElementAccess &b,
                       const KernelContext &context);

/// True when no two threads of a workgroup touch a common element, one by an
/// execution of `a` and the other by one of `b`: both are in foralls with one
/// mapping of their iterations to threads, and from iteration to iteration
/// they step alike, by at least what they touch.
bool areApartInThreads(const ElementAccess &a, const ElementAccess &b,
                       const KernelContext &context);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_SPACES_SOMEITERATIONS_H
