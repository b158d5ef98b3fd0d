//===- LiveUses.h - which uses reach a kernel output -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A use is live when the content that it uses can reach a kernel output:
/// memory that outlives the kernel, a side effect, a returned value, or the
/// control of something that does. A destination that is wholly overwritten is
/// a use, but not a live one: what it held before is lost.
///
/// Conservative towards live: an op that the analysis does not understand and
/// that may have side effects keeps all its operands live.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_LIVEUSES_H
#define MEMSPACE_SPACES_LIVEUSES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir {
namespace memspace {

/// Live uses below one op. Can be built by `getAnalysis`.
class LiveUses {
public:
  explicit LiveUses(Operation *root);
  /// The same, where all that ops compute counts as an output: a value is live
  /// when an op reads it, also one that is only left because another op
  /// overwrites what it computes.
  static LiveUses ofAllOps(Operation *root);

  /// True when the content of `value` may reach a kernel output.
  bool isLive(Value value) const { return liveValues.contains(value); }
  /// True when the content may reach a kernel output through this use.
  bool isLive(OpOperand &use) const { return liveUses.contains(&use); }
  /// The live uses of `value`, in use-list order.
  SmallVector<OpOperand *> getLiveUses(Value value) const;
  /// True when nothing needs the content of `result`. The op may still need
  /// the init that belongs to it as scratch.
  bool isUnused(OpResult result) const { return !isLive(result); }
  /// True when `op` has a live effect or a live result, at or below it.
  bool isLive(Operation *op) const { return liveOps.contains(op); }

private:
  struct Builder;
  LiveUses() = default;

  llvm::DenseSet<Value> liveValues;
  llvm::DenseSet<OpOperand *> liveUses;
  llvm::DenseSet<Operation *> liveOps;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_LIVEUSES_H
