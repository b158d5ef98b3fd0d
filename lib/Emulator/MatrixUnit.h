//===- MatrixUnit.h - products of matrices in lanes -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a matrix op computes from the values that the lanes of a subgroup
/// bring.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_MATRIXUNIT_H
#define MEMSPACE_LIB_EMULATOR_MATRIXUNIT_H

#include "MatrixLayouts.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir {
namespace memspace {
namespace emulator {

/// How the elements of an operand are written in bits.
struct MatrixNumber {
  /// Null for integers.
  const llvm::fltSemantics *semantics = nullptr;
  unsigned bits = 0;
  bool isUnsigned = false;
  /// Lower bits that the unit does not look at, as of a tf32 in 32 bits.
  unsigned ignoredBits = 0;
  bool isNegated = false;
};

/// A matrix op of the kernel.
struct MatrixOp {
  MatrixLayout layout;
  MatrixNumber a, b, c;
  /// Integer results stay at the ends of their range instead of wrapping.
  bool saturates = false;
  /// By lane: from which lane the unit takes its values of A and of B.
  llvm::SmallVector<unsigned, 0> sourceLanesA, sourceLanesB;
  /// The layout is the target's own. Each order of threads uses another one.
  bool isOpaque = false;
};

/// What the lanes of a subgroup get: `numValues` words each; or why they get
/// nothing.
struct MatrixProduct {
  std::vector<uint64_t> words;
  std::string error;
};

/// `words` are those of each lane: its values of A, B and C, one after the
/// other. Lane l stands for the layout's lane (l + shift) mod lanes.
///
/// Sums: k upwards, from C on, each product exact and each sum rounded once, to
/// f64 for f64 results, else to f32 (integers: exact). A result of 16 bits is
/// rounded once more, at the end. The vendors leave the order open.
MatrixProduct
multiplyMatrices(const MatrixOp &op,
                 llvm::ArrayRef<llvm::SmallVector<uint64_t>> words,
                 unsigned shift);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_MATRIXUNIT_H
