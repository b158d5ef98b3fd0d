//===- Residues.h - numbers, without what all threads share -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Placement compares two numbers of threads without the unknown that is one
/// number in both: two numbers are equal exactly if both are after `xor u`,
/// `+ u` or `+ u` modulo a constant.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_RESIDUES_H
#define MEMSPACE_LIB_BARRIERS_RESIDUES_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"

namespace mlir {
namespace memspace {

/// A number, taken modulo `modulus` if that is not 0.
struct Residue {
  LinearExpr number;
  int64_t modulus = 0;
};

/// Takes from both sides what keeps equal numbers equal and different ones
/// different. `isOne`: a value is one number on both sides. False if nothing
/// was found.
bool strip(Residue &left, Residue &right, const KernelContext &context,
           llvm::function_ref<bool(Value)> isOne);

/// Puts both digits of one number together: they are equal exactly if the
/// number is.
void joinDigits(SmallVectorImpl<LinearExpr> &left,
                SmallVectorImpl<LinearExpr> &right);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_RESIDUES_H
