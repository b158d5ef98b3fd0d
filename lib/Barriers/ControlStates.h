//===- ControlStates.h - control that constants decide, executed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Steps through loops for placement: the numbers that carried values and
/// induction variables have, the same in all threads, and the memrefs that are
/// exchanged. A state is what is known of them at a point; it is a number, so
/// that equal states are one. Of a counter without end the lowest bits are
/// followed, where these decide places: `i mod 4` repeats. The verifier has
/// ProgramStates, which shares no code with this.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_CONTROLSTATES_H
#define MEMSPACE_LIB_BARRIERS_CONTROLSTATES_H

#include "ControlSlice.h"
#include "Kernel/ControlChoice.h"
#include "MemSpace/Threads/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/KnownBits.h"
#include <map>

namespace mlir {
namespace memspace {

class ControlStates {
public:
  /// Nothing is known.
  static constexpr unsigned kNothing = 0;
  static constexpr unsigned kNone = ~0u;
  /// Iterations of one execution of a loop that are told apart, and those of
  /// all loops together.
  static constexpr unsigned kMaxIterations = 1024;
  static constexpr unsigned kMaxSteps = 1 << 14;
  /// Visits of blocks that are made to find out which numbers have no end.
  static constexpr unsigned kMaxVisits = 1 << 13;
  /// Visits that are kept: of all blocks together so many for each, where that
  /// is more than kMaxIterations.
  static constexpr unsigned kMaxVisitsOfBlock = 8;
  /// Followers of one visit on one way.
  static constexpr size_t kMaxSplits = 64;
  /// Numbers of which one is the first that a loop carries.
  static constexpr int64_t kMaxStarts = 4;
  /// States in which control may come behind an op, or to the end of a block.
  static constexpr size_t kMaxEnds = 8;

  /// The arguments must live as long as this. If not `follows`, nothing is
  /// executed by numbers.
  ControlStates(const KernelContext &context, const HazardAnalysis &hazards,
                const Uniformity &uniformity, bool follows);

  /// True if there is something to execute by numbers.
  bool follows() const { return !slice.isEmpty(); }

  /// The states in which the kernel may begin: one for all that the choices of
  /// the slice may be by.
  SmallVector<unsigned> getEntries();

  /// False if something was given up because it has too many states.
  bool isComplete() const { return !isGivenUp && steps <= kMaxSteps; }

  /// The number that all threads compute; none if it is not known.
  std::optional<int64_t> evaluate(Value value, unsigned state);
  /// What is known of the bits of a number.
  llvm::KnownBits evaluateBits(Value value, unsigned state);
  /// True if some numbers are known by their lowest bits only.
  bool hasLowBits() const { return !limited.empty(); }
  /// The memref that is bound to `value`, and the state that it comes from.
  std::optional<std::pair<Value, unsigned>> getMemRef(Value value,
                                                      unsigned state) const;

  /// The end of an iteration, or of the second region of an `scf.while`.
  struct Repeat {
    unsigned state;
    /// The iteration that follows; kNone if none may.
    unsigned next = kNone;
  };
  /// The end of an iteration; of an `scf.while` that of its first region.
  struct End : Repeat {
    /// The loop may be left here, with this state behind the loop.
    bool mayLeave = false;
    unsigned left = kNothing;
    /// Where the second region of an `scf.while` begins, and its ends. None if
    /// it does not.
    unsigned after = kNothing;
    SmallVector<Repeat, 1> repeats;

    bool mayRepeat() const { return next != kNone || !repeats.empty(); }
  };
  /// One iteration of a loop.
  struct Iteration {
    unsigned begin;
    /// Several where loops inside may be left in several states.
    SmallVector<End, 1> ends;
    /// How often it is executed, if that is known.
    std::optional<int64_t> count;

    bool mayLeave() const {
      return llvm::any_of(ends, [](const End &end) { return end.mayLeave; });
    }
    bool mayRepeat() const {
      return llvm::any_of(ends, [](const End &end) { return end.mayRepeat(); });
    }
  };
  struct Execution {
    std::vector<Iteration> iterations;
    /// Of all together, if that is known.
    std::optional<int64_t> trips;
    /// Those that may be the first one.
    SmallVector<unsigned, 1> entries;
    /// The loop may have no iteration, with this state behind it.
    bool maySkip = false;
    unsigned skipped = kNothing;
    /// Behind the loop, by the ways in which it may be left.
    SmallVector<unsigned, 1> behind;
  };
  /// How a loop that is entered in `state` is executed; null where it is not
  /// executed by numbers.
  const Execution *execute(Operation *loop, unsigned state);

  /// What `ends` agree on, if they are too many to be told apart.
  std::optional<unsigned> meetIfTooMany(ArrayRef<unsigned> ends);

  /// `state` without what `op` and its regions compute, which is not known.
  unsigned forget(Operation *op, unsigned state);

  /// One execution of a block of a region with several.
  struct BlockVisit {
    Block *block;
    unsigned begin;
    /// Where its terminator may go: the numbers of the successors, and visits.
    SmallVector<std::pair<unsigned, unsigned>, 2> next;
    /// The number of the visits that lead to it and back; kNone if there is no
    /// way back.
    unsigned circle = kNone;
  };
  /// The visits of the blocks of `region`, the entry's first; empty where they
  /// are not executed by numbers.
  ArrayRef<BlockVisit> visit(Region &region, unsigned state);

private:
  /// A value and its number, or its memref with the state of that.
  struct Binding {
    const void *value;
    const void *memref;
    int64_t number;
    unsigned state;
    /// Not 0: only so many of the lowest bits of the number are known, and
    /// whether it is known not to be negative.
    unsigned lowBits = 0;
    bool isNonNegative = false;

    auto getKey() const {
      return std::tie(value, memref, number, state, lowBits, isNonNegative);
    }
    bool operator<(const Binding &other) const {
      return getKey() < other.getKey();
    }
    bool operator==(const Binding &other) const {
      return getKey() == other.getKey();
    }
  };
  /// In the order of `value`.
  using State = std::vector<Binding>;

  const Binding *find(Value value, unsigned state) const;
  std::optional<int64_t> compute(Value value, unsigned state);
  llvm::KnownBits computeBits(Value value, unsigned state);
  unsigned intern(State state);
  /// `base`, where each target is what its source is in `from`.
  unsigned pass(unsigned base, ValueRange targets, ValueRange sources,
                unsigned from);
  /// What is followed of a number; none where it is not known.
  std::optional<Binding> bind(Value value, const llvm::KnownBits &bits) const;
  unsigned bindAgain(unsigned base, Value value,
                     std::optional<Binding> binding);
  unsigned count(unsigned base, const CountedLoop &loop,
                 const llvm::KnownBits &number);
  /// `state` once for each number that `args` may have which are not known:
  /// the lowest bits of those that are followed by these, and the few numbers
  /// that `sources` may be in `from`, which were passed to `args`.
  SmallVector<unsigned> split(unsigned state, ValueRange args,
                              ValueRange sources, unsigned from);
  SmallVector<int64_t> getNumbersOfRoot(Value value, unsigned state);
  /// None if they are many, or nothing is known of them.
  SmallVector<int64_t> getFewNumbers(Value value, unsigned state);
  /// What `states` agree on.
  unsigned meet(ArrayRef<unsigned> states);
  /// The states behind `block`, entered in `state`.
  SmallVector<unsigned, 1> run(Block &block, unsigned state);
  /// Those behind an op.
  SmallVector<unsigned, 1> run(Operation *op, unsigned state);
  bool follow(Execution &execution, ArrayRef<unsigned> begins,
              std::optional<int64_t> trips,
              llvm::function_ref<void(Iteration &)> executeOne);
  static void countIterations(int64_t trips, Execution &execution);
  void collectFirstGuards();
  void addBlockGuard(Value condition);
  /// `state`, with what conditions on the first iteration of `loop` are in it,
  /// or in those that follow.
  unsigned bindFirstGuards(unsigned state, const CountedLoop &loop,
                           bool isFirst);
  /// The same for a loop of blocks, at whose `head` a branch comes.
  unsigned bindBlockGuards(unsigned state, Block *head, ValueRange args,
                           ValueRange passed);
  bool executeCounted(const CountedLoop &loop, unsigned state,
                      Execution &execution);
  bool findBehind(Operation *op, unsigned state, Execution &execution);
  bool executeWhile(scf::WhileOp loop, unsigned state, Execution &execution);
  /// `state` without the values of which that is not true.
  unsigned keepIf(unsigned state, llvm::function_ref<bool(Value)> isKept);
  unsigned enter(Operation *loop, unsigned state);
  bool visitBlocks(Region &region, unsigned state,
                   std::vector<BlockVisit> &visits);
  unsigned keepDominating(unsigned state, Block *block);
  /// Follows no more of what has had other values again and again; false if
  /// there is nothing like that. `areAll`: it has had all its values.
  bool dropCounters(ArrayRef<unsigned> inStates, bool areAll = false);
  bool limit(Value value);
  bool limitUnknown(ValueRange args, ArrayRef<unsigned> states);
  std::optional<int64_t> evaluate(const LoopBound &bound, bool isLower,
                                  unsigned state);
  llvm::KnownBits evaluateBits(const LoopBound &bound, Type type,
                               unsigned state);
  ArrayRef<Operation *> getInnerOps(Block &block);
  bool spend() { return ++steps <= kMaxSteps; }

  /// True if `holds` for each thread of the workgroup.
  bool isEverywhere(llvm::function_ref<bool(int64_t thread)> holds) const;
  /// The way that all threads go in `state`; none if that is not known.
  std::optional<unsigned> chooseAlike(ControlChoice choice, unsigned state);
  /// True if no thread that executes `op`, or comes to the end of `block`, in
  /// `state` can go on: what it does there is not defined.
  bool isDeadEnd(Operation *op, unsigned state);
  bool isDeadEnd(Block &block, unsigned state);

  bool isFollowed(Value value) const;

  KernelContext context;
  const Uniformity &uniformity;
  ControlSlice slice;
  /// Of these, which have had too many numbers, so many of the lowest bits are
  /// followed.
  DenseMap<Value, unsigned> limited;
  DominanceInfo dominance;
  /// By loop, the conditions that are one thing in its first iteration and the
  /// opposite in the others.
  DenseMap<Operation *, SmallVector<Value, 1>> firstGuards;
  struct BlockGuard {
    Value condition;
    BlockArgument counter;
    /// What the counter begins with.
    Value first;
    /// What the condition is from then on.
    bool later;
  };
  /// By the head of a loop of blocks.
  DenseMap<Block *, SmallVector<BlockGuard, 1>> blockGuards;
  /// The blocks of its loop, in which the condition is known.
  DenseMap<Value, DenseSet<Block *>> guardedBlocks;
  std::vector<State> states;
  std::map<State, unsigned> numbers;
  DenseMap<std::pair<Value, unsigned>, std::optional<int64_t>> values;
  DenseMap<std::pair<Value, unsigned>, llvm::KnownBits> bitsOf;
  std::map<std::pair<Operation *, unsigned>, std::unique_ptr<Execution>>
      executions;
  std::map<std::pair<Region *, unsigned>, std::vector<BlockVisit>> visited;
  /// Those with regions.
  DenseMap<Block *, SmallVector<Operation *, 2>> innerOps;
  /// Those at which threads may end.
  DenseMap<Block *, SmallVector<Operation *, 2>> endingOps;
  unsigned depth = 0;
  unsigned steps = 0;
  /// Loops, and regions of blocks, that are being executed.
  unsigned nesting = 0;
  bool isGivenUp = false;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_CONTROLSTATES_H
