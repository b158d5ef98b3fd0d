//===- KernelCost.cpp - what a finished kernel costs ----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Retile/KernelCost.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/GridSize.h"
#include "WorkgroupCounter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

static LaunchSizes getGrid(const KernelContext &context, bool &isExact) {
  if (context.getShape().grid)
    return *context.getShape().grid;
  isExact = false;
  std::optional<GridSize> size = GridSize::get(context.getKernel());
  if (!size)
    return {1, 1, 1};
  SmallVector<int64_t> numbers;
  for (const GridSize::Symbol &symbol : size->symbols) {
    Attribute bounds =
        context.getKernel().getArgAttr(symbol.argument, kBoundsAttr);
    std::optional<int64_t> dim;
    if (symbol.dimension != GridSize::Symbol::kValue)
      dim = symbol.dimension;
    numbers.push_back(
        getPromisedBounds(bounds, dim).getNearest(kUnknownNumber));
  }
  return size->evaluate(numbers).value_or(LaunchSizes{1, 1, 1});
}

/// Workgroups for which a compute unit has registers: those of a thread's own
/// buffers, and some for addresses and what is computed.
static int64_t getRegisterBound(const TargetInfo &target, int64_t threads,
                                int64_t privateBytes) {
  // CUDA C++ Programming Guide: 65536 registers of 4 bytes in all chips of the
  // table. AMD: 512 registers of 4 SIMDs of 64 lanes (CDNA2 and later), or as
  // many in a WGP.
  constexpr int64_t kOther = 32 * 4, kNVIDIA = 256 << 10, kAMD = 512 << 10;
  int64_t bytes = target.vendor == TargetVendor::NVIDIA ? kNVIDIA : kAMD;
  return std::max<int64_t>(bytes / (threads * (kOther + privateBytes)), 1);
}

FailureOr<KernelCost> KernelCost::compute(const KernelContext &context) {
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(context);
  if (failed(budget))
    return failure();
  return compute(context, *budget);
}

KernelCost KernelCost::compute(const KernelContext &context,
                               const WorkgroupBudget &budget) {
  KernelCost cost;
  cost.threads = context.getThreads();
  cost.workgroupBytes = budget.getWorkgroupBytes();
  cost.peakBytes = budget.getPeakLiveBytes();
  cost.sumBytes = budget.getSumBytes();
  cost.privateBytes = budget.getPrivateBytes();
  const TargetInfo &target = context.getTarget();
  cost.occupancy =
      std::min(target.getOccupancy(cost.workgroupBytes, cost.threads),
               getRegisterBound(target, cost.threads, cost.privateBytes));
  LaunchSizes grid = getGrid(context, cost.isExact);
  cost.workgroups = multiplySizes(grid).value_or(INT32_MAX);
  WorkgroupCounter counter(context, cost);
  if (!counter.dependsOnWorkgroup()) {
    counter.count({0, 0, 0}, cost.workgroups);
  } else {
    // The last workgroup of a dimension may do less than the others.
    for (unsigned corner = 0; corner < 8; ++corner) {
      LaunchSizes block;
      int64_t times = 1;
      for (unsigned dim = 0; dim < 3; ++dim) {
        bool isLast = corner >> dim & 1;
        block[dim] = isLast ? grid[dim] - 1 : 0;
        times *= isLast ? (grid[dim] > 1 ? 1 : 0)
                        : std::max<int64_t>(grid[dim] - 1, 1);
      }
      if (times != 0)
        counter.count(block, times);
    }
  }
  return cost;
}

//===----------------------------------------------------------------------===//
// One number
//===----------------------------------------------------------------------===//

std::optional<CostObjective> memspace::parseCostObjective(StringRef name) {
  return llvm::StringSwitch<std::optional<CostObjective>>(name)
      .Case("balanced", CostObjective::Balanced)
      .Case("reuse", CostObjective::Reuse)
      .Case("occupancy", CostObjective::Occupancy)
      .Case("bytes", CostObjective::Bytes)
      .Default(std::nullopt);
}

double KernelCost::getWeight(CostObjective objective) const {
  // Fitted to the times of some 400 kernels on an NVIDIA H200
  // (docs/performance.md): the sum of all, which overlap in part.
  constexpr double kUnits = 132, kLanes = 128, kIssue = 0.15, kDependent = 0.2,
                   kLoad = 50, kBarrier = 700, kLine = 0.25, kBankCycle = 0.08,
                   kStart = 150, kSectorBytes = 32, kBytes = 8000;
  // Workgroups that run side by side, on a unit and on all of them.
  double resident = std::max<double>(occupancy, 1);
  double rounds = std::ceil(workgroups / (kUnits * resident));
  double onUnit = std::min(resident, std::ceil(workgroups / kUnits));
  double issue = kIssue * std::max(1.0, onUnit * threads / kLanes);
  double perWorkgroup = 1.0 / workgroups;
  double time =
      rounds * (threadOps * (issue + kDependent) + threadLoads * kLoad +
                barriers * perWorkgroup * kBarrier) +
      (workgroups * kStart + globalLines * kLine +
       workgroupBankCycles * kBankCycle) /
          kUnits +
      globalSectors * kSectorBytes / kBytes;
  // Beyond all that time tells apart.
  constexpr double kFirst = 1e9;
  switch (objective) {
  case CostObjective::Balanced:
    return time;
  case CostObjective::Reuse:
    return time + kFirst * globalBytes;
  case CostObjective::Occupancy:
    return time + kFirst / (resident * threads);
  case CostObjective::Bytes:
    return time + kFirst * workgroupBytes;
  }
  llvm_unreachable("an objective");
}

llvm::json::Object KernelCost::toJSON() const {
  return llvm::json::Object{{"barriers", barriers},
                            {"exact", isExact},
                            {"global-bytes", globalBytes},
                            {"global-lines", globalLines},
                            {"global-sectors", globalSectors},
                            {"thread-loads", threadLoads},
                            {"workgroup-bank-cycles", workgroupBankCycles},
                            {"global-loads", globalLoads},
                            {"global-stores", globalStores},
                            {"occupancy", occupancy},
                            {"peak-bytes", peakBytes},
                            {"private-bytes", privateBytes},
                            {"sum-bytes", sumBytes},
                            {"thread-ops", threadOps},
                            {"threads", threads},
                            {"workgroup-bytes", workgroupBytes},
                            {"workgroup-bytes-moved", workgroupBytesMoved},
                            {"workgroups", workgroups}};
}
