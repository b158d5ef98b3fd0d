//===- CarriedBuffers.h - which buffers loops exchange -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One-Shot takes every loop-carried tensor to be in the buffer of its initial
/// value. With exchanged buffers that is a name, not a place: after a loop that
/// exchanges its two tensors, the value by the name of `a` may be in the buffer
/// of `b` and the other way round. Names serve as long as the buffers only
/// change places among each other:
///
///   %r:2 = scf.for … iter_args(%a = %x, %b = %y) { …; yield %b, %a }
///
/// %r#0 is called %x and %r#1 %y, and they are two different buffers, whichever
/// they are. Two things are wrong, though: to write to the buffer %x by its old
/// name, for %r#1 may be there; and to let %r#0 leave an iteration of a loop
/// around in which %y is made anew, for it may be in %y's buffer.
///
/// The *slots* of a loop are the positions of its tensors. Slots are *mixed*
/// when their buffers change places, in this loop or in one inside.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_CARRIEDBUFFERS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_CARRIEDBUFFERS_H

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// A `scf.for` or `scf.while` that carries tensors.
class CarryingLoop {
public:
  explicit CarryingLoop(Operation *op) : op(op) {}

  static bool isOne(Operation *op);

  Operation *getOperation() const { return op; }
  /// The arguments that name the slots, by position; those of a `scf.while`
  /// have a name in each region, where the types are equal.
  SmallVector<Block::BlockArgListType, 2> getSlotLists() const;
  /// What each slot holds at first.
  MutableOperandRange getInits() const;
  /// The terminators that hand tensors on.
  SmallVector<Operation *, 2> getTerminators() const;

  friend bool operator==(CarryingLoop a, CarryingLoop b) {
    return a.op == b.op;
  }

private:
  Operation *op;
};

/// Some slots of a loop whose buffers change places among each other.
using MixedSlots = SmallVector<unsigned>;

/// Answers for one state of the IR.
class CarriedBuffers {
public:
  explicit CarriedBuffers(const bufferization::OneShotAnalysisState &state)
      : state(state) {}

  /// The slot whose name `value` has; none if it is no slot's.
  std::optional<unsigned> getSlot(Value value, CarryingLoop loop) const;
  /// The mixed slots of `loop`, in disjoint sets.
  ArrayRef<MixedSlots> getMixedSlots(CarryingLoop loop) const;
  /// The carrying loops inside `loop`, but not those inside of these.
  SmallVector<CarryingLoop> getInnerLoops(CarryingLoop loop) const;

  /// Mixed slots of an inner loop whose contents leave an iteration of the loop
  /// around it, and of whose buffers that one carries some, but not all.
  struct Escape {
    CarryingLoop inner;
    /// The slots of the inner loop whose buffers the outer one does not carry.
    SmallVector<unsigned> foreign;
  };
  /// The first such slots in `loop`, if there are any.
  std::optional<Escape> findEscape(CarryingLoop loop) const;

  /// True when `value` may be in another buffer than its name says, having come
  /// out of mixed slots of a loop inside `loop`.
  bool isMixed(Value value, CarryingLoop loop) const;

  /// The results of `loop` at `slots`, and all that may be in their buffers
  /// behind it.
  llvm::DenseSet<Value> getFollowing(CarryingLoop loop,
                                     ArrayRef<unsigned> slots) const;

  /// The value by the name of `value` that comes last in `block`, before its
  /// exchanges: there the buffer of that name is at the end.
  Value getLatest(Value value, Block *block) const;

private:
  bool leavesIteration(CarryingLoop loop, CarryingLoop inner,
                       ArrayRef<unsigned> slots) const;
  SmallVector<MixedSlots> computeMixedSlots(CarryingLoop loop) const;

  const bufferization::OneShotAnalysisState &state;
  mutable DenseMap<Operation *, SmallVector<MixedSlots>> mixedSlots;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_CARRIEDBUFFERS_H
