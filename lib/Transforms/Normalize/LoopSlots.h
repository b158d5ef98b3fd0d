//===- LoopSlots.h - carried buffers for fresh tensors ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop that yields a tensor which each iteration makes anew would need an
/// allocation in each. It carries one more buffer instead: the one that an
/// iteration gives up is the next one's new one.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LOOPSLOTS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LOOPSLOTS_H

#include "CarriedBuffers.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// True for an allocation whose content is not defined.
bool isFreshTensor(Operation *op);

/// One more slot for what a loop would allocate anew in each iteration.
struct NewSlot {
  scf::ForOp loop;
  Operation *fresh;
  /// What the slot holds at the end of an iteration.
  Value unneeded;
};

/// Makes another loop, which it returns, of that of `newSlot`. What the slot
/// holds when an iteration begins is no more defined than `fresh` was: it may
/// be anything.
scf::ForOp addSlot(RewriterBase &rewriter, NewSlot newSlot);

/// The fresh buffer by whose name `value` goes, if it could be allocated before
/// `loop` and comes into the body by that name. One of another type, of which
/// `value` is a reshape, cannot change places with the carried ones.
Operation *getFreshBuffer(scf::ForOp loop, Value value,
                          const bufferization::OneShotAnalysisState &state);
/// None where `loop` cannot carry the buffer of `fresh`.
std::optional<NewSlot>
findSlot(scf::ForOp loop, Operation *fresh,
         const bufferization::OneShotAnalysisState &state,
         const CarriedBuffers &buffers);
/// A fresh buffer of the body that leaves an iteration by its own name becomes
/// a slot.
std::optional<NewSlot>
findYieldedSlot(scf::ForOp loop,
                const bufferization::OneShotAnalysisState &state,
                const CarriedBuffers &buffers);

/// Adds the slots that the ops alone show to be needed, without an analysis:
/// each op from the fresh tensor to the yielded one writes the result of the
/// one before, which nobody needs behind it, and a carried tensor is only read.
/// Loops inside are looked through, and may let their buffers change places.
/// Where a carried tensor is not needed any more, or each element is read only
/// where it is written, it takes the place of the fresh one, and there is no
/// slot. True when anything was changed.
bool addEvidentSlots(RewriterBase &rewriter, FunctionOpInterface kernel);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LOOPSLOTS_H
