//===- IntegerOps.h - the table of integer ops ------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one answer to "what does this op on integers compute?", for the arith,
/// the affine and the index dialect: which operation it is, which affine
/// expression of its operands, in which bounds, and which number for numbers.
///
/// Numbers of every width are signed: an i8 of all ones is -1. Arithmetic on
/// `index` and i64 is understood not to wrap in the affine expressions and the
/// bounds: an index that wraps is out of the bounds of any buffer.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_KERNEL_INTEGEROPS_H
#define MEMSPACE_LIB_KERNEL_INTEGEROPS_H

#include "Kernel/Interval.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {

/// What an op computes, whatever its dialect. The suffix is the sign.
enum class IntegerOp {
  None,
  Add,
  Sub,
  Mul,
  MinS,
  MaxS,
  MinU,
  MaxU,
  ShL,
  ShRS,
  ShRU,
  And,
  Or,
  XOr,
  DivS,
  DivU,
  FloorDivS,
  CeilDivS,
  CeilDivU,
  RemS,
  RemU,
  CastS,
  CastU
};
IntegerOp getIntegerOp(Operation *op);

/// The predicate of an op that compares two integers; none for any other op.
std::optional<arith::CmpIPredicate> getPredicate(Operation *op);

//===----------------------------------------------------------------------===//
// The affine meaning
//===----------------------------------------------------------------------===//

/// What the asker knows of operands. Both are asked only where the answer
/// matters, for they may be dear.
struct OperandFacts {
  /// The number of a value that is constant.
  llvm::function_ref<std::optional<int64_t>(Value)> getConstant;
  llvm::function_ref<bool(Value)> isNonNegative;
};

/// A number as an expression of others. For `%i = arith.remui %x, %c8`, with an
/// %x that is not negative: s0 mod 8, and %x.
struct AffineMeaning {
  /// Symbol i is operands[i]; constant operands are in the expression. Not pure
  /// for a product of two symbols.
  AffineExpr expr;
  SmallVector<Value, 2> operands;
  /// The number is `expr` only if that is in the range of the type.
  bool mayWrap = false;
};

/// What `result` is, where it is affine; none where it is not, or `facts` do
/// not suffice.
std::optional<AffineMeaning> getAffineMeaning(OpResult result,
                                              OperandFacts facts);

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The bits of an integer or an index.
unsigned getBitWidth(Type type);

/// True when all of `interval` are numbers of `type`.
bool isInRange(const Interval &interval, Type type);

/// Bounds of `result`, by those of the operands.
Interval getRange(OpResult result,
                  llvm::function_ref<Interval(Value)> getInterval);

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Computes the results of an op for given numbers by the op's own folder, the
/// most frequent ones of the arith and affine dialects by machine arithmetic.
/// Shares nothing with the affine meaning.
class NumberFolder {
public:
  /// `op` must live as long as this, and is left as it is.
  explicit NumberFolder(Operation *op);

  using Number = std::optional<int64_t>;

  /// The number of each result for those of the operands, as far as they are
  /// known; empty if the op does not fold. `getNumber` is asked for a value
  /// that a result is equal to.
  SmallVector<Number> fold(ArrayRef<Number> operands,
                           llvm::function_ref<Number(Value)> getNumber);

private:
  Number computeDirectly(ArrayRef<Number> operands) const;

  Operation *op;
  /// What needs no folder, in so many bits; None for all else.
  IntegerOp kind = IntegerOp::None;
  unsigned width = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_KERNEL_INTEGEROPS_H
