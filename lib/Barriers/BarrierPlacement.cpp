//===- BarrierPlacement.cpp - the barriers that a kernel needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "BarrierQuery.h"

using namespace mlir;
using namespace mlir::memspace;

// A barrier of the workgroup orders subgroups, too.
placement::Orders mlir::memspace::getHazardOrders(const Hazard &hazard) {
  // Both, although a barrier of the workgroup gives both: with more known of
  // the iterations one of them may be left.
  placement::Orders orders = 0;
  if (hazard.acrossSubgroups)
    orders |= placement::kAllOrders & ~placement::kSubgroupOrders;
  if (hazard.insideSubgroup)
    orders |= placement::kSubgroupOrders;
  // Memory that nothing is known of may be either.
  if (!hazard.workgroupMemory && hazard.globalMemory)
    orders &= ~placement::kInWorkgroupMemory;
  if (!hazard.globalMemory && hazard.workgroupMemory)
    orders &= ~placement::kInGlobalMemory;
  return orders;
}

BarrierPlacement::BarrierPlacement(const KernelContext &context, Mode mode)
    : relations(context), uniformity(context, relations),
      // What a barrier of the kernel orders stays ordered, atomics as well.
      hazards(context, relations,
              /*ordersAtomics=*/mode == Mode::Eliminate) {
  relations.keepGuards();
  BarrierQuery facts(context, hazards, uniformity, mode);
  const BarrierProgram &program = facts.getProgram();
  auto query = [&](unsigned first, unsigned second, unsigned carryingLoop,
                   placement::PathTiming timing) {
    return facts.getOrders(first, second, carryingLoop, timing);
  };
  auto getPath = [&](const placement::PathHazard &hazard) {
    return HazardPath{program.getAccess(hazard.first),
                      program.getAccess(hazard.second),
                      program.getLoop(hazard.carryingLoop)};
  };
  auto getMost = [&](unsigned first, unsigned second) {
    return facts.getMostOrders(first, second);
  };
  auto getMostOf = [&](unsigned access) {
    return facts.getMostOrdersOf(access);
  };
  placement::PlacementOptions options;
  options.everyPathCut = mode == Mode::Insert;
  options.getMostOrders = getMost;
  options.getMostOrdersOf = getMostOf;
  placement::Placement result =
      placement::place(program.getProgram(), query, options);
  cost = result.cost;
  optimal = result.isOptimal && facts.isComplete();

  DenseSet<unsigned> taken;
  for (const placement::PlacedBarrier &barrier : result.barriers) {
    NeededBarrier &added = needed.emplace_back();
    added.op = program.getOp(barrier.slot);
    added.scope = program.getScope(barrier.slot, barrier.choice);
    added.cuts = getPath(barrier.cuts);
    taken.insert(barrier.slot);
  }
  for (const placement::UncutHazard &hazard : result.uncut) {
    UnsynchronizableHazard &added = unsynchronizable.emplace_back();
    static_cast<HazardPath &>(added) = getPath(hazard);
    added.inFlight = hazard.inFlight;
  }
  if (mode == Mode::Insert)
    return;
  DenseMap<unsigned, const placement::CoveredChoice *> covered;
  for (const placement::CoveredChoice &choice : result.covered)
    covered.try_emplace(choice.slot, &choice);
  for (auto [number, node] : llvm::enumerate(program.getProgram().getNodes())) {
    // Once for each slot.
    if (node.choices.empty() || taken.contains(number))
      continue;
    RedundantBarrier &added = redundant.emplace_back();
    added.op = program.getOp(number);
    if (const placement::CoveredChoice *choice = covered.lookup(number)) {
      added.hazard = getPath(choice->hazard);
      added.coveredBy = needed[choice->coveredBy].op;
    }
  }
}

std::string BarrierPlacement::describe(const HazardPath &path) const {
  const MemoryAccess &a = hazards.getAccesses()[path.first];
  const MemoryAccess &b = hazards.getAccesses()[path.second];
  std::string text;
  llvm::raw_string_ostream os(text);
  // Whatever the memory, the kind is that of the two accesses.
  os << stringifyHazardKind(
            hazards.getHazard(path.first, path.second, path.carryingLoop).kind)
     << " on ";
  if (Value memref = b.memref ? b.memref : a.memref)
    os << memref.getType();
  else
    os << "any memory";
  os << ": '" << a.op->getName() << "' at " << a.op->getLoc() << ", '"
     << b.op->getName() << "' at " << b.op->getLoc();
  return text;
}
