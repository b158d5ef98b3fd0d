//===- PlacementNumbers.h - the number of an op -----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The integer arithmetic of placement: calculated here, since it is done for
/// every thread, and by the op's folder where it is not one of the usual ops.
/// The verifier uses the folders only.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_PLACEMENTNUMBERS_H
#define MEMSPACE_LIB_BARRIERS_PLACEMENTNUMBERS_H

#include "Kernel/IntegerOps.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/KnownBits.h"

namespace mlir {
namespace memspace {

/// An index or an integer of at most 64 bits.
bool isNumber(Type type);

/// All bits of a number.
llvm::KnownBits getAllBits(int64_t number, Type type);

/// Computes one result of an op that touches no memory and has no regions.
class NumberOp {
public:
  explicit NumberOp(OpResult result);

  using Number = std::optional<int64_t>;
  /// By the numbers of the operands, of which a select needs only one.
  Number compute(ArrayRef<Number> operands);
  /// By bits of the operands. As everywhere, an index is understood not to
  /// wrap.
  llvm::KnownBits computeBits(ArrayRef<llvm::KnownBits> operands);

private:
  OpResult result;
  IntegerOp kind;
  std::optional<arith::CmpIPredicate> predicate;
  bool isSelect;
  /// Of the result, and of the first operand.
  unsigned width = 0, sourceWidth = 0;
  std::optional<NumberFolder> folder;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_PLACEMENTNUMBERS_H
