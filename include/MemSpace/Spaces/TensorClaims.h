//===- TensorClaims.h - what an op does to its tensors ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an op reads and writes, and which tensors share a buffer because of it,
/// its `BufferizableOpInterface` says. Of the ops that come with MLIR that is
/// believed. Somebody's external model for an op of another dialect may be
/// wrong, mostly by a default that nobody overrode: what it says is believed
/// where it costs something (reads, writes, aliases), and what it denies only
/// with a proof.
///
/// - That an operand is read: of a structured op whose payload does not use it,
///   and of an init that nobody wrote.
/// - That an operand is written: of an input of a destination-style op, and
///   where the op itself declares that it only reads the operand
///   (`MemoryEffectsOpInterface`).
/// - That a result is in an operand's buffer: as for a write.
/// - That memory may not be written: never of what an op without tensor
///   operands returns; `bufferization.to_tensor writable` says so.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_TENSORCLAIMS_H
#define MEMSPACE_SPACES_TENSORCLAIMS_H

#include "MemSpace/Spaces/TrustedModels.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

/// True unless it is proved that the op does not read the tensor `operand`.
bool mayRead(OpOperand &operand, const bufferization::AnalysisState &state);

/// True unless it is proved that the op does not write into the buffer of the
/// tensor `operand`, were it bufferized in place.
bool mayWrite(OpOperand &operand, const bufferization::AnalysisState &state);

/// The tensors that may be in the buffer of `operand` because of its op, were
/// it bufferized in place.
SmallVector<Value>
getPossibleAliases(OpOperand &operand,
                   const bufferization::AnalysisState &state);

/// As `AnalysisState::findValueInReverseUseDefChain`, through every possible
/// alias: the values that satisfy `condition` and may be in the buffer of
/// `operand`, and the leaves.
llvm::SetVector<Value>
findPossibleSources(OpOperand &operand,
                    const bufferization::AnalysisState &state,
                    function_ref<bool(Value)> condition,
                    bufferization::TraversalConfig config = {});

/// True when nobody has written what `value` holds: (a slice of) an allocation,
/// which may be a shared output of a forall.
bool isUndefinedTensor(Value value);

/// True when the buffer behind `use` is allocated in the same block and nothing
/// else names it: every value on the way from the allocation has one use.
bool isOnlyNameOfFreshTensor(OpOperand &use);

/// Runs One-Shot's analysis of `kernel` into `state`, so that it takes into
/// account what models deny without a proof. The ops that tell it are gone
/// afterwards.
LogicalResult analyzeWithoutTrust(FunctionOpInterface kernel,
                                  bufferization::OneShotAnalysisState &state);

/// The operands of `kernel` that `analyzeWithoutTrust` found to need a copy of
/// the tensor, though One-Shot takes them to be in place, or the content to be
/// unread.
SmallVector<OpOperand *>
getOperandsToCopy(FunctionOpInterface kernel,
                  const bufferization::OneShotAnalysisState &state);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_TENSORCLAIMS_H
