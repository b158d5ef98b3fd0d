//===- MatrixTiles.h - what the matrix units of GPUs multiply ---*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tiles of the matrix units, as layouts of operands want them. The table
/// (with the source of each number) is in MatrixTiles.cpp.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TARGET_MATRIXTILES_H
#define MEMSPACE_TARGET_MATRIXTILES_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/Types.h"

namespace mlir {
namespace memspace {

/// One instruction multiplies M by K with K by N elements.
struct MatrixTile {
  int64_t m, n, k;
};

/// The tile of the instruction of `target` for factors of these types that adds
/// up in `accumulator`; none where it has no such instruction, or is no chip of
/// the table.
std::optional<MatrixTile> getMatrixTile(const TargetInfo &target, Type lhs,
                                        Type rhs, Type accumulator);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TARGET_MATRIXTILES_H
