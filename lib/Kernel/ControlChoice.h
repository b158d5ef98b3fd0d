//===- ControlChoice.h - ways that a number chooses ------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_KERNEL_CONTROLCHOICE_H
#define MEMSPACE_LIB_KERNEL_CONTROLCHOICE_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// An op of which one value chooses where control goes: `scf.if` and
/// `scf.index_switch` into one of their regions, `cf.cond_br` and `cf.switch`
/// to one of their successors. Both are ways here, with the number of the
/// region or the successor.
class ControlChoice {
public:
  ControlChoice() = default;
  /// Null for other ops, and for null.
  static ControlChoice get(Operation *op);

  explicit operator bool() const { return op != nullptr; }
  /// The value that chooses.
  Value getDecider() const;
  /// The way that it chooses where it is `number`, sign extended. Its region
  /// may be empty.
  unsigned getWay(int64_t number) const;
  /// Of an op with regions, none of which is empty: what `result` is behind
  /// each.
  SmallVector<Value, 2> getYielded(OpResult result) const;

private:
  explicit ControlChoice(Operation *op) : op(op) {}

  Operation *op = nullptr;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_KERNEL_CONTROLCHOICE_H
