//===- MatrixLayouts.h - which lane holds which element ---------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The layouts of the operands of matrix ops, as the vendors document them. The
/// C operand and the result of an op have one layout.
///
/// All documented layouts are linear in bits: each bit of a lane's number and
/// of the number of one of its values is a bit of the element's row, column,
/// position in the sum or block. So a layout is written as two lists of such
/// bits, lowest first. The A operand of NVIDIA's m16n8k8 with 16-bit values is
///   lanes "k1 k2 m0 m1 m2", values "k0 m3":
/// lane 5 = 0b00101 holds k = 2, 3 of the rows 1 and 9.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_MATRIXLAYOUTS_H
#define MEMSPACE_LIB_EMULATOR_MATRIXLAYOUTS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace mlir {
namespace memspace {
namespace emulator {

/// D[m, n] = C[m, n] + sum of A[m, k] * B[k, n] over k, for each block.
struct MatrixShape {
  unsigned m = 1, n = 1, k = 1, blocks = 1;

  bool operator==(const MatrixShape &other) const {
    return m == other.m && n == other.n && k == other.k &&
           blocks == other.blocks;
  }
};

/// An element of A (which has no n), B (no m) or C (no k).
struct MatrixElement {
  unsigned m = 0, n = 0, k = 0, block = 0;
};

/// The elements of one operand by lane and by value of the lane.
struct Fragment {
  unsigned numValues = 0;
  std::vector<MatrixElement> elements;

  const MatrixElement &at(unsigned lane, unsigned value) const {
    return elements[lane * numValues + value];
  }
};

struct MatrixLayout {
  MatrixShape shape;
  unsigned numLanes = 0;
  Fragment a, b, c;
};

/// nvgpu.mma.sync with elements of `bits` bits in A and B.
std::optional<MatrixLayout> getMmaSyncLayout(const MatrixShape &shape,
                                             unsigned bits);

/// amdgpu.mfma with results of 32 or of 64 bits.
std::optional<MatrixLayout> getMFMALayout(const MatrixShape &shape, bool isF64);

/// amdgpu.wmma with elements of `bits` bits in A and B: `numInputs` values of
/// each in a lane, and `numResults` valid ones of C.
std::optional<MatrixLayout> getWMMALayout(const MatrixShape &shape,
                                          unsigned bits, unsigned numInputs,
                                          unsigned numResults);

/// gpu.subgroup_mma_compute, whose layout is the target's own: element number e
/// of a matrix, by rows, is value e / lanes of lane e mod lanes. None when the
/// lanes would not hold equally many.
std::optional<MatrixLayout> getOpaqueLayout(const MatrixShape &shape,
                                            unsigned numLanes);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_MATRIXLAYOUTS_H
