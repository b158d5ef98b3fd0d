//===- VerifierEquations.h - equal numbers of two accesses ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's way to compare numbers of two threads of which a part is not
/// known but the same in both. Placement has Residues, which shares no code
/// with this.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIEREQUATIONS_H
#define MEMSPACE_LIB_BARRIERS_VERIFIEREQUATIONS_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"

namespace mlir {
namespace memspace {

/// Two numbers that are equal exactly when two others are.
struct Equation {
  LinearExpr left, right;
  /// Equal modulo this, if it is not 0.
  int64_t modulus = 0;
};

/// One step towards fewer unknowns; false if there is none. `isSame`: a value
/// is one number on both sides.
bool simplify(Equation &equation, const KernelContext &context,
              llvm::function_ref<bool(Value)> isSame);

/// The constant that a quotient or a remainder is of; 0 if it is none.
int64_t getDivisor(const LinearExpr &number);

/// The number that `high` is the quotient and `low` the remainder of, by one
/// constant; null if there is none.
Value getWhole(const LinearExpr &high, const LinearExpr &low);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIEREQUATIONS_H
