//===- ControlSlice.h - which carried values decide places -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which arguments of blocks, and results of ops with regions, the addresses
/// and the control of a kernel hang on in a way that affine constraints do not
/// describe: strides that halve, slots that wrap, exchanged buffers. Placement
/// and verifier follow the numbers of these, each by code of its own. To choose
/// too few or too many is never wrong.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_CONTROLSLICE_H
#define MEMSPACE_LIB_BARRIERS_CONTROLSLICE_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Threads/Uniformity.h"

namespace mlir {
namespace memspace {

class ControlSlice {
public:
  /// So many iterations are looked at together where it does not matter which
  /// of them it is.
  static constexpr int64_t kFewIterations = 64;
  /// Of a loop that need not be executed to know places.
  static constexpr int64_t kFewestIterations = 16;
  /// Iterations in which the body of such a loop, or one inside, is told apart,
  /// altogether.
  static constexpr int64_t kMaxCopies = 256;
  /// A counter of more, which constraints describe, is not followed: each of
  /// its numbers would be a state of its own.
  static constexpr int64_t kManyIterations = 1024;
  /// A counter without end that something is shifted by is followed for so many
  /// iterations: no type has more bits.
  static constexpr unsigned kManyShifts = 72;
  /// Of a number without end so many of the lowest bits are followed, at most.
  static constexpr unsigned kMaxLowBits = 4;

  /// The arguments must live as long as this.
  ControlSlice(const HazardAnalysis &hazards, const Uniformity &uniformity);

  bool isEmpty() const { return chosen.empty(); }
  bool contains(Value value) const { return chosen.contains(value); }

  /// True when an argument of a block of `op` is chosen, or control in `op`
  /// hangs on one.
  bool isChosen(Operation *op) const { return owners.contains(op); }
  /// Where places and control hang on no more than some of the lowest bits of
  /// `value`, apart from what hangs on all of it: how many these are, at most
  /// kMaxLowBits. For a counter of which slots are chosen by `i mod 4`: 2.
  unsigned getLowBits(Value value) const { return lowBits.lookup(value); }
  /// True if places or control hang on something that is shifted by `value`, or
  /// by a number that is computed from it. Where `value` counts without an end,
  /// nothing is left to shift soon: it may be followed for kManyShifts steps.
  bool isShiftAmount(Value value) const { return amounts.contains(value); }

  /// Calls `visit` with the chosen values of which that is not 0, in no order.
  void forEachWithLowBits(llvm::function_ref<void(Value)> visit) const {
    for (auto [value, bits] : lowBits)
      if (contains(value))
        visit(value);
  }

  /// The same for those of them to which a number is passed that is computed
  /// from `value`.
  void forEachFedBy(Value value, llvm::function_ref<void(Value)> visit) const;

  /// Numbers that are one thing for a whole execution of the kernel, and by
  /// which several places or ways are chosen: `src = c ? a : b` and
  /// `dst = c ? b : a`. They are among the chosen values.
  ArrayRef<Value> getRoots() const { return roots; }

  /// Nothing of the blocks of `op`, and no result of it, is chosen any more.
  void drop(Operation *op);
  /// `value` is not chosen any more.
  void drop(Value value) { chosen.erase(value); }
  void clear() {
    chosen.clear();
    owners.clear();
  }

  /// False where nothing behind `op`, as far as values say, hangs on `value`:
  /// neither by itself nor by what is computed from it. Then it need not be
  /// known any more.
  bool isUsedBehind(Value value, Operation *op) const;
  /// The same for all that is executed once `loop` has been entered: what it
  /// carries has begun with what it begins with.
  bool isUsedFrom(Value value, Operation *loop) const;
  /// The same for all that is executed from the begin of `block` on, where that
  /// is no block in which `value` is defined.
  bool isUsedFrom(Value value, Block *block) const;

private:
  /// What a value decides: a place, in which it is affine or not, or control.
  enum Use : unsigned { kAffine, kPlace, kControl };

  void findLastUsers(Operation *kernel);
  static SetVector<Value> getSources(ValueRange values);
  bool isUsedInside(Value value, Operation *loop) const;
  std::optional<DenseSet<Block *>> findLiveIn(Value value) const;
  void findLowBits();
  void findShiftAmounts();
  void visit(Value value, Use use);
  void visitOp(Operation *op, Use use);
  void follow(Operation *kernel);
  std::optional<int64_t> getTrips(Operation *op) const;
  bool haveFewCopies(Operation *loop, int64_t trips, Operation *kernel) const;
  bool mayExecute(const CountedLoop &loop, Operation *kernel) const;
  void chooseCountersOfGuards(ValueRange deciders, Operation *kernel);
  void chooseCountersOfBounds(ArrayRef<Operation *> loops,
                              const KernelContext &context);
  void chooseRoots(Operation *kernel);
  void choose(Value value);

  const Uniformity &uniformity;
  DenseSet<Value> chosen;
  DenseSet<Operation *> owners;
  /// By their terminators.
  DenseMap<Operation *, const DivergentBranch *> divergent;
  /// Of the results of ops in regions with one block: the op of the block
  /// behind which nothing hangs on the result. Null where nothing does at all.
  DenseMap<Value, Operation *> lastUsers;
  mutable DenseMap<std::pair<Value, Operation *>, bool> usedInside;
  /// The blocks at the begin of which a value is live, or something that is
  /// computed from it.
  mutable DenseMap<Value, std::optional<DenseSet<Block *>>> liveIn;
  DenseMap<Value, unsigned> lowBits;
  SmallVector<Value, 1> roots;
  /// What something is shifted by, and what that is computed from.
  DenseSet<Value> amounts;
  /// By what is passed to values with low bits, or is computed from: these.
  DenseMap<Value, SmallVector<Value, 2>> fed;
  /// Of loops whose bounds hang on the counter of another.
  DenseMap<Operation *, int64_t> mostTrips;
  /// Arguments and what else was seen, by its uses.
  DenseSet<Value> seen[3];
  SmallVector<std::pair<Value, Use>> work;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_CONTROLSLICE_H
