//===- BranchLoop.h - counted loops made of branches ------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `scf.for` becomes when it is lowered, and how others write it: a number
/// that begins somewhere, is compared with an end before, in or behind each
/// iteration, and grows by a constant in each.
///
/// \code{.mlir}
///     cf.br ^head(%lower)                 scf.while (%i = %lower) {
///   ^head(%i):                              %more = arith.cmpi slt, %i, %upper
///     %more = arith.cmpi slt, %i, %upper    scf.condition(%more) %i
///     cf.cond_br %more, ^body, ^end       } do {
///   ^body:                                ^bb0(%i):
///     %next = arith.addi %i, %step          %next = arith.addi %i, %step
///     cf.br ^head(%next)                    scf.yield %next
/// \endcode
///
/// Other branches may leave the loop, too; this one decides nothing else.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_BRANCHLOOP_H
#define MEMSPACE_LIB_THREADS_BRANCHLOOP_H

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace mlir {
namespace memspace {

struct BranchLoop {
  /// The loop that `decision`, a `cf.cond_br` or an `scf.while`, goes on with
  /// or leaves.
  static std::optional<BranchLoop> get(Operation *decision,
                                       DominanceInfo &dominance);

  /// Comes to the loop: the branch before it, or the `scf.while`. Whoever comes
  /// here begins a loop, and `lower` and `upper` are what they were here.
  Operation *entry;
  BlockArgument counter;
  /// Where it begins, and what it is compared with: below, the loop goes on.
  Value lower, upper;
  /// The counter plus this is what is compared. Not negative.
  int64_t ahead;
  /// Positive.
  int64_t step;
  /// They are compared as numbers without a sign.
  bool isUnsigned;
};

/// What `value` is a name for: an argument that one value is passed to only is
/// that value, which has not changed since.
Value getOrigin(Value value);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_BRANCHLOOP_H
