//===- ThreadTile.h - what a thread takes of a tile -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_THREADTILE_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_THREADTILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
namespace memspace {

/// What each of `threads` takes of the last two loops that have more than one
/// of `extents` iterations: as nearly square as can be, no less high than wide
/// by powers of two. Empty where there is no more than one iteration for each.
SmallVector<int64_t> getThreadTile(ArrayRef<int64_t> extents, int64_t threads);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_THREADTILE_H
