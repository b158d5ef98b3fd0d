//===- VerifierLowParts.h - numbers modulo a power of two -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the verifier knows of a counter without end: its number modulo 2^k, and
/// what ops make of that. Overflow changes nothing of it. Placement calculates
/// with bits (PlacementNumbers), which shares no code with this.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIERLOWPARTS_H
#define MEMSPACE_LIB_BARRIERS_VERIFIERLOWPARTS_H

#include "mlir/IR/Value.h"

namespace mlir {
namespace memspace {

/// A number modulo 2^bits.
struct LowPart {
  static constexpr unsigned kWhole = 64;

  int64_t number = 0;
  unsigned bits = 0;

  /// All of a number; `number` has its sign.
  static LowPart whole(int64_t number) { return {number, kWhole}; }
  bool isWhole() const { return bits == kWhole; }
  /// `count` of the bits, if so many are known.
  LowPart take(unsigned count) const;
};

/// What is known of `result`, by what is known of the operands of its op, which
/// has no regions.
LowPart computeLowPart(OpResult result, ArrayRef<LowPart> operands);

/// What is known of a number that is one of two.
LowPart getCommonPart(const LowPart &a, const LowPart &b);

/// True if the number is proved to be never negative, whatever loops and
/// branches make of it.
bool isNeverNegative(Value value);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIERLOWPARTS_H
