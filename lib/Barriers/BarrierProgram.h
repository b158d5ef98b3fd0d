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

namespace mlir {
namespace memspace {

/// The orders that `hazard` needs in each memory that it may be in.
placement::Orders getHazardOrders(const Hazard &hazard);

/// Translates the control flow of a kernel. An op whose regions not all threads
/// enter together has no slots inside; and since threads in its different
/// regions run side by side, there are paths from each region to the later
/// ones. What is executed by numbers (ControlStates) is there once for each
/// state, with the slots of all of them together one slot.
class BarrierProgram {
public:
  BarrierProgram(const KernelContext &kernel, const HazardAnalysis &hazards,
                 const Uniformity &uniformity, ControlStates &states,
                 PlacementMode mode);

  const placement::Program &getProgram() const { return program; }
  /// The number in HazardAnalysis of an access of the program.
  unsigned getAccess(unsigned number) const { return accesses[number]; }
  /// The state in which an access of the program is executed.
  unsigned getState(unsigned number) const { return accessStates[number]; }
  /// Null for placement::kNone.
  Operation *getLoop(unsigned number) const {
    return number == placement::kNone ? nullptr : loops[number];
  }
  IterationTiming getTiming(const placement::PathTiming &timing) const {
    return {timing.isKnown,       getLoop(timing.later), timing.iteration,
            getLoop(timing.left), timing.remaining,      timing.distance};
  }
  /// The op before which a slot is, or the barrier that is one.
  Operation *getOp(unsigned slot) const { return slotOps.lookup(slot); }
  ExecutionScope getScope(unsigned slot, unsigned choice) const;

private:
  /// Where control goes on from, in the region that is being built.
  using Exits = SmallVector<unsigned, 4>;

  struct Context {
    unsigned loop = placement::kNone;
    int64_t weight = PlacementCosts::kCostUnit;
    /// Over which threads control is together.
    ExecutionScope level = ExecutionScope::Workgroup;
  };

  void connect(unsigned node, unsigned crosses = placement::kNone);
  unsigned addJoin(const Context &context);
  unsigned addLoop(Operation *op, const Context &context);
  void addSlot(Operation *before, const Context &context);
  void addSlot(Operation *op, const Context &context,
               ArrayRef<placement::Choice> choices);
  void addBarrier(Operation *op, const Barrier &barrier,
                  const Context &context);
  void addAccesses(Operation *op, const Context &context);

  void build(Region &region, const Context &context);
  void buildBlocks(Region &region, const Context &context);
  void buildVisits(Region &region, ArrayRef<ControlStates::BlockVisit> visits,
                   const Context &context);
  void build(Block &block, const Context &context);
  void build(Operation *op, const Context &context);
  void buildBranches(RegionBranchOpInterface op, const Context &context,
                     bool isDivergent);
  void buildCounted(const CountedLoop &loop, const Context &context);
  void buildWhile(scf::WhileOp loop, const Context &context);
  void buildExecution(Operation *loop,
                      const ControlStates::Execution &execution,
                      const Context &context);
  void buildUnknown(Operation *op, const Context &context);

  const HazardAnalysis &hazards;
  const Uniformity &uniformity;
  ControlStates &states;
  LaunchShape shape;
  bool hasOneSubgroup;
  PlacementMode mode;
  placement::Program program;
  Exits exits;
  /// What is known where the program is being built.
  unsigned state = ControlStates::kNothing;
  SmallVector<unsigned> accesses, accessStates;
  SmallVector<Operation *> loops;
  DenseMap<unsigned, Operation *> slotOps;
  DenseMap<std::pair<Operation *, int64_t>, unsigned> slots;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_BARRIERPROGRAM_H
