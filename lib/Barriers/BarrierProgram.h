//===- BarrierProgram.h - a kernel as a program for placement -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_BARRIERPROGRAM_H
#define MEMSPACE_LIB_BARRIERS_BARRIERPROGRAM_H

#include "ControlStates.h"
#include "MemSpace/Barriers/PlacementMode.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Placement/Placement.h"
#include "MemSpace/Threads/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

namespace mlir {
namespace memspace {

/// The orders that `hazard` needs in each memory that it may be in.
placement::Orders getHazardOrders(const Hazard &hazard);

/// Translates the control flow of a kernel. An op whose regions not all threads
/// enter together has no slots inside; and since threads in its different
/// regions run side by side, there are paths from each region to the later
/// ones. What is executed by numbers (ControlStates) is there once for each
/// state, with the slots of all of them together one slot.
///
/// With guards, iterations of a loop are of different kinds: the first, the
/// last, one that is both, and the inner ones. What is in a loop is there once
/// for each kind, and the slots of each kind are a slot.
class BarrierProgram {
public:
  /// Kinds of iterations of a loop, as bits of a set; Any: not told apart.
  enum Kind : unsigned { First = 1, Inner = 2, Last = 4, Only = 8, Any = 16 };
  /// Which kinds have slots of their own.
  enum class Kinds { None, All, FirstAndOthers, LastAndOthers };

  BarrierProgram(const KernelContext &kernel, const HazardAnalysis &hazards,
                 const Uniformity &uniformity, ControlStates &states,
                 PlacementMode mode, Kinds told);

  const placement::Program &getProgram() const { return program; }
  /// The number in HazardAnalysis of an access of the program.
  unsigned getAccess(unsigned number) const { return accesses[number]; }
  /// The state in which an access of the program is executed.
  unsigned getState(unsigned number) const { return accessStates[number]; }
  /// Null for placement::kNone.
  Operation *getLoop(unsigned number) const {
    return number == placement::kNone ? nullptr : loops[number].op;
  }
  /// What is known of the iterations on a path with the timing from access
  /// `first` on, of which those of `carryingLoop`, by its number, are counted.
  IterationTiming getTiming(unsigned first, unsigned carryingLoop,
                            placement::PathTiming timing) const;
  /// The op before which a slot is, or the barrier that is one.
  Operation *getOp(unsigned slot) const { return slotOps.lookup(slot); }
  /// Of a slot on the way from a branch to one of its successors: which.
  std::optional<unsigned> getSuccessor(unsigned slot) const;
  ExecutionScope getScope(unsigned slot, unsigned choice) const;

  /// False if a loop was left without kinds of iterations, since the program
  /// would have become too long.
  bool hasAllKinds() const { return !isTooLong; }
  /// The kinds of the iterations in which `slot` is.
  unsigned getKinds(unsigned slot) const { return slotKinds.lookup(slot); }
  /// All that are the same place as `slot` in iterations of some kind.
  ArrayRef<unsigned> getSlots(unsigned slot) const {
    return slotsOf.find(commonSlots.lookup(slot))->second;
  }
  /// The same number for all of these.
  unsigned getCommonSlot(unsigned slot) const {
    return commonSlots.lookup(slot);
  }

private:
  /// Where control goes on from, in the region that is being built.
  using Exits = SmallVector<unsigned, 4>;
  /// The same where it has come in several states, each once.
  struct Strand {
    unsigned state;
    Exits exits;
  };
  using Strands = SmallVector<Strand, 1>;

  struct Context {
    unsigned loop = placement::kNone;
    int64_t weight = PlacementCosts::kCostUnit;
    /// Over which threads control is together.
    ExecutionScope level = ExecutionScope::Workgroup;
    /// Of the iterations of the innermost loop.
    unsigned kinds = Any;
    /// How often the code is there by kinds.
    unsigned copies = 1;
  };

  void connect(unsigned node, unsigned crosses = placement::kNone);
  unsigned addJoin(const Context &context);
  unsigned addJoinIfMany(const Context &context) {
    return exits.size() == 1 ? exits.front() : addJoin(context);
  }
  Context enterLoop(Operation *op, const Context &context);
  void addSlot(Operation *before, const Context &context,
               std::optional<unsigned> successor = std::nullopt);
  void addSlot(Operation *op, const Context &context,
               ArrayRef<placement::Choice> choices,
               std::optional<unsigned> successor = std::nullopt);
  void addBarrier(Operation *op, const Barrier &barrier,
                  const Context &context);
  void addAccesses(Operation *op, const Context &context);

  static void addTo(Strands &strands, unsigned state, ArrayRef<unsigned> exits);
  Strands getStrand() { return {{state, exits}}; }
  void continueFrom(const Strand &strand);
  /// In whatever state.
  void continueFrom(const Strands &strands);

  // Each from `exits` and `state`.
  Strands build(Region &region, const Context &context);
  class BlockLoops;
  void buildBlocks(Region &region, const Context &context);
  void buildVisits(Region &region, ArrayRef<ControlStates::BlockVisit> visits,
                   const Context &context);
  Strands build(Block &block, const Context &context, Strands strands);
  Strands build(Operation *op, const Context &context);
  void buildBranches(RegionBranchOpInterface op, const Context &context,
                     bool isDivergent);
  void buildCounted(const CountedLoop &loop, const Context &context);
  unsigned getGroup(unsigned kind) const;
  bool tellsKinds(Operation *loop, const Context &context);
  Strands buildKinds(Operation *loop, const ControlStates::Execution &execution,
                     std::optional<int64_t> trips, const Context &context);
  void buildWhile(scf::WhileOp loop, const Context &context);
  Strands buildExecution(Operation *loop,
                         const ControlStates::Execution &execution,
                         const Context &context);
  Strands leave(Strands strands, const Context &context);
  void buildUnknown(Operation *op, const Context &context);
  /// A block, or one visit of it, and where it is in the program.
  struct PartedBlock {
    Block *block;
    unsigned begin, end;
  };
  void connectParted(MutableArrayRef<PartedBlock> blocks,
                     const BlockLoops &blockLoops);

  const HazardAnalysis &hazards;
  const Uniformity &uniformity;
  ControlStates &states;
  LaunchShape shape;
  DominanceInfo dominance;
  bool hasOneSubgroup;
  PlacementMode mode;
  Kinds told;
  bool isTooLong = false;
  placement::Program program;
  Exits exits;
  /// What is known where the program is being built.
  unsigned state = ControlStates::kNothing;
  SmallVector<unsigned> accesses, accessStates;
  /// An op, or a loop of blocks in a region of it.
  struct Loop {
    Operation *op;
    const CFGLoop *circle;
    /// One iteration of the circle, or of what is around all of them, for what
    /// comes from a loop inside that has been left.
    bool isIteration = false;
    /// Of the circle, in which threads part: what they do side by side.
    bool isMeeting = false;
  };
  unsigned addLoop(const Loop &loop, unsigned parent,
                   unsigned behind = placement::kNone);
  SmallVector<Loop> loops;
  /// Of these, threads may have done iterations in different numbers.
  DenseSet<const CFGLoop *> partedLoops;
  /// Those of them in which threads part themselves.
  DenseSet<const CFGLoop *> unorderedLoops;
  DenseMap<unsigned, Operation *> slotOps;
  DenseMap<unsigned, unsigned> slotSuccessors;
  /// By op, which of its slots it is, and kind.
  DenseMap<std::pair<Operation *, unsigned>, unsigned> slots;
  /// The first one of each op.
  DenseMap<std::pair<Operation *, unsigned>, unsigned> commons;
  DenseMap<unsigned, unsigned> commonSlots, slotKinds;
  DenseMap<unsigned, SmallVector<unsigned, 1>> slotsOf;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_BARRIERPROGRAM_H
