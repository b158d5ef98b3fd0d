//===- BarrierPlacement.cpp - the barriers that a kernel needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/BarrierPlacement.h"
#include "BarrierProgram.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::memspace;

static std::optional<gpu::AddressSpace> getSpace(const MemoryAccess &access) {
  if (!access.memref)
    return std::nullopt;
  Attribute space =
      cast<BaseMemRefType>(access.memref.getType()).getMemorySpace();
  if (auto attr = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return attr.getValue();
  return std::nullopt;
}

placement::Orders
mlir::memspace::getRelevantOrders(const MemoryAccess &access) {
  std::optional<gpu::AddressSpace> space = getSpace(access);
  if (space == gpu::AddressSpace::Workgroup)
    return placement::kSubgroupInWorkgroupMemory |
           placement::kWorkgroupInWorkgroupMemory;
  if (space == gpu::AddressSpace::Global)
    return placement::kSubgroupInGlobalMemory |
           placement::kWorkgroupInGlobalMemory;
  return placement::kAllOrders;
}

// A barrier of the workgroup orders subgroups, too.
placement::Orders mlir::memspace::getHazardOrders(const Hazard &hazard) {
  if (hazard.acrossSubgroups)
    return placement::kWorkgroupInWorkgroupMemory |
           placement::kWorkgroupInGlobalMemory;
  if (hazard.insideSubgroup)
    return placement::kSubgroupOrders;
  return 0;
}

BarrierPlacement::BarrierPlacement(FunctionOpInterface kernel,
                                   const LaunchShape &shape,
                                   const TargetInfo &target, Mode mode)
    : relations(kernel, shape, target.subgroupSize),
      uniformity(kernel, relations), hazards(kernel, relations, target) {
  BarrierProgram program(kernel, hazards, uniformity,
                         shape.getSubgroups(target.subgroupSize) == 1, mode);
  auto query = [&](unsigned first, unsigned second, unsigned crossed) {
    unsigned a = program.getAccess(first), b = program.getAccess(second);
    return getHazardOrders(hazards.getHazard(a, b, program.getLoop(crossed)));
  };
  auto getPath = [&](const placement::PathHazard &hazard) {
    return HazardPath{program.getAccess(hazard.first),
                      program.getAccess(hazard.second),
                      program.getLoop(hazard.crossed)};
  };
  placement::PlacementOptions options;
  options.everyPathCut = mode == Mode::Insert;
  placement::Placement result =
      placement::place(program.getProgram(), query, options);
  cost = result.cost;
  optimal = result.isOptimal;

  DenseSet<unsigned> taken;
  for (const placement::PlacedBarrier &barrier : result.barriers) {
    NeededBarrier &added = needed.emplace_back();
    added.op = program.getOp(barrier.slot);
    added.scope = program.getScope(barrier.slot, barrier.choice);
    if (barrier.cuts.first != placement::kNone)
      added.cuts = getPath(barrier.cuts);
    taken.insert(barrier.slot);
  }
  for (const placement::UncutHazard &hazard : result.uncut) {
    IncurableHazard &added = incurable.emplace_back();
    static_cast<HazardPath &>(added) = getPath(hazard);
    added.inFlight = hazard.inFlight;
  }
  if (mode == Mode::Insert)
    return;
  DenseMap<unsigned, const placement::CoveredChoice *> covered;
  for (const placement::CoveredChoice &choice : result.covered)
    covered.try_emplace(choice.slot, &choice);
  for (auto [number, node] : llvm::enumerate(program.getProgram().getNodes())) {
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
  os << (a.writes ? (b.reads ? "RAW" : "WAW") : "WAR") << " on ";
  if (Value memref = b.memref ? b.memref : a.memref)
    os << memref.getType();
  else
    os << "any memory";
  os << ": '" << a.op->getName() << "' at " << a.op->getLoc() << ", '"
     << b.op->getName() << "' at " << b.op->getLoc();
  return text;
}
