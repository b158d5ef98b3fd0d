//===- WorkgroupLayout.cpp - bytes against barriers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/WorkgroupLayout.h"
#include "LayoutBarriers.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "SharingCosts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using Bound = WorkgroupLayout::Bound;

std::optional<PackingObjective>
mlir::memspace::symbolizePackingObjective(StringRef name) {
  return llvm::StringSwitch<std::optional<PackingObjective>>(name)
      .Case("balanced", PackingObjective::Balanced)
      .Case("bytes", PackingObjective::Bytes)
      .Case("barriers", PackingObjective::Barriers)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// What bytes are worth
//===----------------------------------------------------------------------===//

/// Sets the most bytes with which the kernel fits as well as with the fewest.
static void setCapacity(WorkgroupLayout &layout, FunctionOpInterface kernel,
                        const TargetInfo &target) {
  // Dynamic memory comes behind the arena.
  int64_t dynamicBytes = 0;
  if (auto attr = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr))
    dynamicBytes = std::max<int64_t>(attr.getInt(), 0);
  auto withoutDynamic = [&](int64_t bytes) -> int64_t {
    if (dynamicBytes == 0)
      return bytes;
    return llvm::alignDown(std::max<int64_t>(bytes - dynamicBytes, 0),
                           kDynamicAlignment);
  };
  auto bind = [&](Bound bound, int64_t bytes) {
    bytes = std::max(withoutDynamic(bytes), layout.fewestBytes);
    if (layout.capacity && *layout.capacity <= bytes)
      return;
    layout.bound = bound;
    layout.capacity = bytes;
  };
  if (layout.fewestBytes > withoutDynamic(target.maxWorkgroupBytes)) {
    layout.bound = Bound::TooMuch;
    layout.capacity = layout.fewestBytes;
    return;
  }
  bool fitsStatically =
      layout.fewestBytes <= withoutDynamic(target.workgroupBytes);
  if (fitsStatically && target.workgroupBytes < target.maxWorkgroupBytes)
    bind(Bound::StaticLimit, target.workgroupBytes);
  else
    bind(Bound::Limit, target.maxWorkgroupBytes);

  int64_t bytes = layout.fewestBytes;
  if (dynamicBytes)
    bytes = llvm::alignTo(bytes, kDynamicAlignment) + dynamicBytes;
  layout.workgroups =
      target.getOccupancy(bytes, getLaunchShape(kernel)->getThreads());
  if (layout.workgroups > 0)
    bind(Bound::Occupancy, target.getMaxBytesForOccupancy(layout.workgroups));
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

WorkgroupLayout mlir::memspace::chooseLayout(FunctionOpInterface kernel,
                                             const WorkgroupPacking &packing,
                                             const LayoutOptions &options) {
  const packing::Problem &problem = packing.getProblem();
  WorkgroupLayout layout;
  layout.solution = *packing.getPacked().solution;
  layout.fewestBytes = layout.solution.height;
  BufferPairs shared = getSharingPairs(problem, layout.solution);
  bool isBytes =
      options.objective == PackingObjective::Bytes ||
      (options.objective == PackingObjective::Balanced && !options.target);
  if (isBytes || shared.empty() || !getLaunchShape(kernel))
    return layout;

  TargetInfo target = options.target.value_or(TargetInfo());
  LayoutBarriers barriers(kernel, packing.getBuffers(), target);
  BarrierPrice least = barriers.getLeast();
  auto getPrice = [&](const packing::Solution &solution) {
    BarrierPrice most = barriers.getMost(getSharingPairs(problem, solution));
    return least < most ? barriers.count(solution) : most;
  };
  layout.leastPrice = least;
  layout.price = layout.fewestBytesPrice = getPrice(layout.solution);
  if (options.objective == PackingObjective::Balanced)
    setCapacity(layout, kernel, target);
  if (!(least < *layout.price))
    return layout;

  auto offer = [&](const packing::Solution &solution,
                   const BarrierPrice &price) {
    if ((layout.capacity && solution.height > *layout.capacity) ||
        *layout.price < price ||
        (*layout.price == price && layout.solution.height <= solution.height))
      return;
    layout.solution = solution;
    layout.price = price;
  };
  offer(packing.getBumpLayout(), least);
  packing::Problem priced =
      hasManyPairs(problem)
          ? extendToBarriers(problem, barriers, packing.getLiveness())
          : addSharingCosts(problem, barriers, packing.getLiveness(), shared);
  packing::ExactOptions exact;
  exact.capacity = layout.capacity;
  exact.objective = packing::ExactOptions::Objective::Cost;
  if (std::optional<packing::Solution> solution =
          packing::solveExact(priced, exact).solution)
    offer(*solution, getPrice(*solution));
  return layout;
}

//===----------------------------------------------------------------------===//
// Explaining
//===----------------------------------------------------------------------===//

/// "1 barrier more", in executions.
static std::string describeExcess(const BarrierPrice &price,
                                  const BarrierPrice &than) {
  placement::Cost more = price.cost;
  more -= than.cost;
  if (price.incurable > than.incurable)
    return "a hazard that no barrier cuts";
  bool isWorkgroup = more.workgroup != 0;
  int64_t cost = isWorkgroup ? more.workgroup : more.subgroup;
  if (cost == 0)
    return llvm::formatv("{0} more place{1} with a barrier", more.placed,
                         more.placed == 1 ? "" : "s");
  double executions = double(cost) / double(BarrierPlacement::kCostUnit);
  return llvm::formatv(
      "{0} more executed {1}barrier{2}", llvm::format("%g", executions),
      isWorkgroup ? "" : "subgroup ", executions == 1 ? "" : "s");
}

std::string WorkgroupLayout::explain() const {
  std::string text = llvm::formatv("{0} bytes", solution.height);
  if (solution.height > fewestBytes) {
    text += llvm::formatv("; {0} bytes would cost {1}", fewestBytes,
                          describeExcess(*fewestBytesPrice, *price));
    if (bound != Bound::None)
      text += ", and no limit or occupancy step asks for so few";
  } else {
    text += ", the fewest";
  }
  if (!price || !(*leastPrice < *price))
    return text;
  text += llvm::formatv(", at the price of {0}",
                        describeExcess(*price, *leastPrice));
  switch (bound) {
  case Bound::None:
    break;
  case Bound::StaticLimit:
    text += llvm::formatv(", since more than {0} would need dynamic memory",
                          *capacity);
    break;
  case Bound::Limit:
    text += llvm::formatv(", since no more than {0} may be used", *capacity);
    break;
  case Bound::TooMuch:
    text += ", which is still more than may be used";
    break;
  case Bound::Occupancy:
    text += llvm::formatv(
        ", since more than {0} would leave a compute unit with fewer than {1} "
        "workgroups",
        *capacity, workgroups);
    break;
  }
  return text;
}
