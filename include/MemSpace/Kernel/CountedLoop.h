//===- CountedLoop.h - loops that count up to a bound -------------*- C++
//-*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One view of `scf.for`, `affine.for` and the loops of other dialects: a
/// sequential loop whose only induction variable goes from a lower bound, in
/// steps, to below an upper one.
///
/// An op is such a loop if it has LoopLikeOpInterface with one induction
/// variable and its step, RegionBranchOpInterface, one region with one block,
/// and not the trait HasParallelRegion. What the interface says of the step is
/// trusted, and that the iterations run one after the other in this order. The
/// bounds are known of `scf.for` and `affine.for` only: the interface does not
/// say whether the upper one belongs to the loop.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_COUNTEDLOOP_H
#define MEMSPACE_KERNEL_COUNTEDLOOP_H

#include "MemSpace/Kernel/Kernel.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir {
namespace memspace {

/// Either `value`, or the largest (of a lower bound) or least (of an upper one)
/// of the results of `map` at `operands`.
struct LoopBound {
  /// Null if the bound is a map.
  OpFoldResult value;
  /// Null if the bound is a value.
  AffineMap map;
  SmallVector<Value, 2> operands;

  explicit operator bool() const { return value || map; }
  std::optional<int64_t> getConstant() const;
  /// What the bound is calculated from.
  SmallVector<Value> getInputs() const;
};

class CountedLoop {
public:
  /// The loop that `op` is; null if it is none, or null.
  static CountedLoop get(Operation *op);
  /// The same question, which costs less.
  static bool isOne(Operation *op);

  CountedLoop() = default;
  explicit operator bool() const { return static_cast<bool>(loop); }
  Operation *getOperation() const { return loop; }

  Block *getBody() const { return &loop->getRegion(0).front(); }
  BlockArgument getInductionVar() const { return inductionVar; }
  /// False if the bounds are not known.
  bool hasBounds() const { return lower && upper; }
  const LoopBound &getLower() const { return lower; }
  const LoopBound &getUpper() const { return upper; }
  OpFoldResult getStep() const { return step; }
  std::optional<int64_t> getConstantStep() const;
  /// The bounds are compared as numbers without a sign.
  bool isUnsigned() const { return hasUnsignedBounds; }
  /// What decides the iterations: the inputs of the bounds, and the step.
  SmallVector<Value> getControl() const;
  /// How often the body runs, if that is constant.
  std::optional<int64_t> getTripCount() const;
  /// How often it runs between these bounds; none for a step that is not
  /// positive, for numbers below 0 that have no sign, and where the distance is
  /// no number of 64 bits.
  std::optional<int64_t> getTripCount(int64_t first, int64_t end,
                                      int64_t by) const;

  /// The values that are carried from one iteration to the next: as many of
  /// each.
  Block::BlockArgListType getIterArgs() const;
  OperandRange getInits() const;
  ValueRange getYieldedValues() const;

private:
  // The methods of interfaces are not const.
  mutable LoopLikeOpInterface loop;
  BlockArgument inductionVar;
  LoopBound lower, upper;
  OpFoldResult step;
  bool hasUnsignedBounds = false;
};

/// True when control may come to several regions of `op`, or to one of them
/// several times, in one execution of `op` by a thread of a kernel with this
/// `shape`; also when that is not known.
bool mayRepeatRegions(Operation *op, const LaunchShape &shape);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_COUNTEDLOOP_H
