//===- PayloadUses.h - what a payload needs of its operands -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one structured op needs of its operands: of the old content of its
/// inits, and of each operand for one of its results.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_PAYLOADUSES_H
#define MEMSPACE_SPACES_PAYLOADUSES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
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

#endif // MEMSPACE_SPACES_PAYLOADUSES_H
