//===- SharedUpdates.h - a scatter by several workgroups --------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loops of a scatter over its updates are no loops for workgroups, since
/// two updates may be of one place. Where they can be atomic, and are many,
/// each workgroup takes a part of them all the same.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_SHAREDUPDATES_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_SHAREDUPDATES_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace memspace {

/// True for more updates than one workgroup should take, at more places than
/// there are elements at each, so that several should take parts of the places.
bool hasManyUpdates(ScatterOp scatter);

/// Makes a kernel for workgroups of `numThreads` of a function that does
/// nothing but such a scatter, in place. False where it does something else.
bool shareUpdates(func::FuncOp function, int64_t numThreads);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_SHAREDUPDATES_H
