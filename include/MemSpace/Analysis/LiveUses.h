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
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_LIVEUSES_H
#define MEMSPACE_ANALYSIS_LIVEUSES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class DestinationStyleOpInterface;
namespace linalg {
class GenericOp;
} // namespace linalg

namespace memspace {

/// What happens to the old content of a destination operand. These are kept
/// apart because merging them loses data or makes needless copies.
enum class InitUse {
  /// The op reads it.
  Read,
  /// The op does not read it, and elements that the op does not write keep it.
  PartlyOverwritten,
  /// The op does not read it and writes every element.
  WhollyOverwritten
};

/// How `init`, a destination of a destination-style op, uses its old content.
/// "Wholly overwritten" is proved from the indexing maps; a payload that does
/// not read its init is not enough.
InitUse getInitUse(OpOperand &init);

/// Live uses below one op. Can be built by `getAnalysis`.
class LiveUses {
public:
  explicit LiveUses(Operation *root);

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

  llvm::DenseSet<Value> liveValues;
  llvm::DenseSet<OpOperand *> liveUses;
  llvm::DenseSet<Operation *> liveOps;
};

/// The operands that the payload of a `linalg` op needs to compute result
/// `resultNumber`: body arguments by operand number into `operands`, uses of
/// values from outside the body into `captured`. False when the payload cannot
/// be taken apart; then every operand is needed.
bool getPayloadOperands(Operation *linalgOp, unsigned resultNumber,
                        llvm::DenseSet<OpOperand *> &operands,
                        SmallVectorImpl<OpOperand *> &captured);

/// The operands that the generic op `op` can do without, where only those of
/// its results are needed of which `isNeeded` is true: outputs that the payload
/// does not need for the others, and inputs that it does not read for those
/// that are left. An output that has to stay is still computed, from its init.
SmallVector<OpOperand *>
findOperandsToDrop(linalg::GenericOp op,
                   llvm::function_ref<bool(OpResult)> isNeeded);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ANALYSIS_LIVEUSES_H
