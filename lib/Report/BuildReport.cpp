//===- BuildReport.cpp - a budget that explains itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Packing/Solvers.h"
#include "MemSpace/Report/BudgetReport.h"
#include "WaysOut.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace mlir::memspace;

StringRef mlir::memspace::stringifyWayOutKind(WayOut::Kind kind) {
  switch (kind) {
  case WayOut::Kind::Reuse:
    return "reuse";
  case WayOut::Kind::Private:
    return "private";
  case WayOut::Kind::Stages:
    return "stages";
  case WayOut::Kind::Tile:
    return "tile";
  case WayOut::Kind::Limit:
    return "limit";
  case WayOut::Kind::Chip:
    return "chip";
  }
  llvm_unreachable("a kind of its own");
}

std::string mlir::memspace::getSourcePosition(LocationAttr location) {
  auto file =
      location ? location.findInstanceOf<FileLineColLoc>() : FileLineColLoc();
  if (!file)
    return "";
  std::string position;
  llvm::raw_string_ostream(position)
      << file.getFilename().getValue() << ":" << file.getLine() << ":"
      << file.getColumn();
  return position;
}

static ReportBuffer makeBuffer(const WorkgroupBudget &budget, unsigned number,
                               AsmState &state) {
  const BudgetBuffer &buffer = budget.getWorkgroupBuffers()[number];
  ReportBuffer result;
  if (auto global = buffer.value.getDefiningOp<memref::GetGlobalOp>()) {
    result.name = "@" + global.getName().str();
  } else {
    llvm::raw_string_ostream os(result.name);
    buffer.value.printAsOperand(os, state);
  }
  llvm::raw_string_ostream(result.type) << buffer.getType();
  result.bytes = buffer.bytes;
  result.alignment = buffer.alignment;
  result.offset = buffer.offset;
  result.reason = buffer.getReason().str();
  result.location = buffer.value.getLoc();
  auto getLoc = [&](int64_t point) -> LocationAttr {
    if (point >= budget.getNumPoints())
      return {};
    return budget.getOp(point)->getLoc();
  };
  for (packing::Interval interval : budget.getProblem().buffers[number].live)
    result.live.push_back({interval.begin, interval.end, getLoc(interval.begin),
                           getLoc(interval.end - 1)});
  return result;
}

static ReportOccupancy makeOccupancy(int64_t bytes, int64_t threads,
                                     const TargetInfo &target) {
  ReportOccupancy result;
  result.threads = threads;
  result.bounds = target.getOccupancyBounds(bytes, threads);
  result.workgroups = target.getOccupancy(bytes, threads);
  if (result.workgroups == 0)
    return result;
  int64_t more = result.workgroups + 1;
  bool isMemory = result.bounds.memory == result.workgroups;
  result.decidedBy = isMemory ? "workgroup memory"
                     : result.bounds.threads == result.workgroups ? "threads"
                                                                  : "slots";
  int64_t step = target.getMaxBytesForOccupancy(more);
  if (isMemory && step >= 0 && result.bounds.threads >= more &&
      result.bounds.slots.value_or(more) >= more)
    result.nextStepBytes = step;
  return result;
}

BudgetReport BudgetReport::compute(const KernelContext &context,
                                   const WorkgroupBudget &budget) {
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  BudgetReport report;
  report.kernel = kernel.getName().str();
  report.chip = target.chip;
  report.location = kernel.getLoc();
  report.packedBytes = budget.getWorkgroupBytes();
  report.peakLiveBytes = budget.getPeakLiveBytes();
  report.sumBytes = budget.getSumBytes();
  report.privateBytes = budget.getPrivateBytes();
  report.staticLimit = target.workgroupBytes;
  report.optInLimit = target.maxWorkgroupBytes;
  report.privateLimit = target.privateBytes;
  report.fits = report.packedBytes <= report.optInLimit;
  report.needsOptIn = report.fits && report.packedBytes > report.staticLimit;
  report.privateFits = report.privateBytes <= report.privateLimit;
  report.numPoints = budget.getNumPoints();
  report.occupancy =
      makeOccupancy(report.packedBytes, context.getThreads(), target);

  AsmState state(kernel, OpPrintingFlags().useLocalScope());
  for (unsigned number = 0; number < budget.getWorkgroupBuffers().size();
       ++number)
    report.buffers.push_back(makeBuffer(budget, number, state));
  report.atPeak = budget.getBuffersAtPeak();
  std::optional<int64_t> peak = packing::getPeakTime(budget.getProblem());
  if (peak && *peak < budget.getNumPoints())
    report.peakLocation = budget.getOp(*peak)->getLoc();

  if (!report.fits) {
    bool proved = false;
    auto subset = packing::findInfeasibleSubset(budget.getProblem(),
                                                report.optInLimit, {}, &proved);
    if (proved)
      report.infeasible.assign(subset.begin(), subset.end());
  }
  report.waysOut = findWaysOut(context, budget, report);
  return report;
}

FailureOr<BudgetReport> BudgetReport::compute(const KernelContext &context) {
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(context);
  if (failed(budget))
    return failure();
  return compute(context, *budget);
}
