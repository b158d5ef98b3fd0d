//===- StateNumbers.h - the numbers of all threads in a state --*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What each thread computes in a state of placement, whatever the arithmetic,
/// and which threads the conditions around an op let through.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_STATENUMBERS_H
#define MEMSPACE_LIB_BARRIERS_STATENUMBERS_H

#include "ControlStates.h"

namespace mlir {
namespace memspace {

class StateNumbers {
public:
  /// `states` must live as long as this.
  StateNumbers(const KernelContext &context, ControlStates &states)
      : context(context), states(states) {}

  /// The number of a value in each thread; one if it is the same in all.
  using Numbers = std::vector<int64_t>;
  static int64_t getNumber(const Numbers &numbers, int64_t thread) {
    return numbers.size() == 1 ? numbers.front() : numbers[thread];
  }
  /// What is known of them, by bits, where numbers are not.
  using Bits = std::vector<llvm::KnownBits>;
  /// What is known in one state.
  struct Memo {
    DenseMap<Value, std::optional<Numbers>> numbers;
    DenseMap<Value, Bits> bits;

    void clear() {
      numbers.clear();
      bits.clear();
    }
  };

  const std::optional<Numbers> &get(Value value, unsigned state, Memo &memo,
                                    unsigned depth = 0);
  std::optional<Numbers> get(const LinearExpr &expr, unsigned state,
                             Memo &memo);
  const Bits &getBits(Value value, unsigned state, Memo &memo,
                      unsigned depth = 0);
  /// Calls `visit` with each condition around `op` and what it has to be for
  /// `op` to be executed.
  void forEachGuard(Operation *op, llvm::function_ref<void(Value, bool)> visit);
  /// By thread, whether the conditions around `op` let it through.
  std::vector<bool> getActive(Operation *op, unsigned state, Memo &memo);
  /// The same for the ops of `block` where `state` alone decides, and `memo`
  /// says no more; computed once for each block and those around it.
  const std::vector<bool> &getActive(Block *block, unsigned state, Memo &memo);
  /// Adds to `key` what a number depends on: values, and what they are in
  /// `state`. Where two keys are equal, so are the numbers. Adds to `unknown`
  /// the arguments of blocks that are not known.
  void addLeaves(Value value, unsigned state, DenseSet<Value> &seen,
                 std::vector<int64_t> &key,
                 SmallVectorImpl<BlockArgument> &unknown);

private:
  using GuardVisitor = llvm::function_ref<void(Value, bool)>;
  /// Those inside the op around `block`, and that of this op.
  void forEachOwnGuard(Block *block, GuardVisitor visit);
  void dropInactive(Value condition, bool holds, unsigned state, Memo &memo,
                    std::vector<bool> &active);
  std::optional<Numbers> compute(Value value, unsigned state, Memo &memo,
                                 unsigned depth);
  using EdgeVisitor = llvm::function_ref<bool(
      Value passed, ArrayRef<std::pair<ControlChoice, unsigned>> taken)>;
  /// Calls `visit`, until it returns false, with what each edge to the block
  /// passes to `arg` and the ways that have been chosen since the edges parted.
  /// False if it was stopped, and where they are not known or come from behind
  /// the block.
  bool forEachEdge(BlockArgument arg, EdgeVisitor visit);
  std::optional<Numbers> computeArgument(BlockArgument arg, unsigned state,
                                         Memo &memo, unsigned depth);
  Bits computeBits(Value value, unsigned state, Memo &memo, unsigned depth);

  KernelContext context;
  ControlStates &states;
  DominanceInfo dominance;
  DenseMap<std::pair<Block *, unsigned>, std::vector<bool>> activeIn;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_STATENUMBERS_H
