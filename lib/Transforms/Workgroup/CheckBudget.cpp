//===- CheckBudget.cpp - workgroup and private bytes against the target -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Layout/WorkgroupBudget.h"
#include "MemSpace/Report/BudgetReport.h"
#include "MemSpace/Target/GridLimits.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_CHECKBUDGETPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct CheckBudgetPass
    : public memspace::impl::CheckBudgetPassBase<CheckBudgetPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.entersLaunches = selection.goesOn = true;
    // No analysis looks at the attributes that are set.
    markAllAnalysesPreserved();
    if (failed(forEachKernel(getOperation(), selection, check)))
      signalPassFailure();
  }

private:
  static LogicalResult check(const KernelContext &context);
};
} // namespace

/// More notes than this hide the error.
static constexpr size_t kMaxNotes = 8;

/// Ways out that the error names; the report has them all.
static constexpr size_t kMaxWaysOut = 3;

static void noteMore(Diagnostic &note, size_t number) {
  note << number << (number == 1 ? " more buffer" : " more buffers");
}

/// The buffers that cannot be in workgroup memory together.
static void noteInfeasible(InFlightDiagnostic &diag,
                           const BudgetReport &report) {
  if (report.infeasible.empty())
    return;
  Diagnostic &note = diag.attachNote(report.location);
  if (report.infeasible.size() == 1)
    note << "one buffer alone is more than " << report.optInLimit << " bytes: ";
  else
    note << "no layout holds these " << report.infeasible.size()
         << " buffers in " << report.optInLimit << " bytes: ";
  ArrayRef<unsigned> named = report.infeasible;
  llvm::interleaveComma(named.take_front(kMaxNotes), note, [&](unsigned i) {
    note << "'" << report.buffers[i].name << "'";
  });
  if (named.size() > kMaxNotes) {
    note << " and ";
    noteMore(note, named.size() - kMaxNotes);
  }
}

/// One error when the workgroup bytes do not fit.
static LogicalResult checkWorkgroup(const KernelContext &context,
                                    const WorkgroupBudget &budget) {
  FunctionOpInterface kernel = context.getKernel();
  if (budget.getWorkgroupBytes() <= context.getTarget().maxWorkgroupBytes)
    return success();
  BudgetReport report = BudgetReport::compute(context, budget);
  auto diag = kernel->emitError()
              << "kernel '" << report.kernel << "' needs " << report.packedBytes
              << " bytes of workgroup memory, but a workgroup may use "
              << report.optInLimit << " on " << report.chip;
  ArrayRef<unsigned> atPeak = report.atPeak;
  for (unsigned number : atPeak.take_front(kMaxNotes)) {
    const ReportBuffer &buffer = report.buffers[number];
    Diagnostic &note = diag.attachNote(buffer.location);
    note << buffer.bytes << " bytes live at the peak: '" << buffer.name
         << "' of type '" << buffer.type << "'";
    if (!buffer.reason.empty())
      note << " (" << buffer.reason << ")";
  }
  if (atPeak.size() > kMaxNotes)
    noteMore(diag.attachNote(report.location), atPeak.size() - kMaxNotes);
  noteInfeasible(diag, report);
  if (report.peakLiveBytes > report.optInLimit)
    diag.attachNote(report.location)
        << "at least " << report.peakLiveBytes - report.optInLimit << " of the "
        << report.peakLiveBytes << " bytes that are live at once must go";
  ArrayRef<WayOut> ways = report.waysOut;
  for (const WayOut &way : ways.take_front(kMaxWaysOut))
    diag.attachNote(report.location) << "way out: " << way.text;
  return failure();
}

/// One error when the private bytes do not fit.
static LogicalResult checkPrivate(const KernelContext &context,
                                  const WorkgroupBudget &budget) {
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  if (budget.getPrivateBytes() <= target.privateBytes)
    return success();
  auto diag = kernel->emitError()
              << "kernel '" << kernel.getName() << "' needs "
              << budget.getPrivateBytes()
              << " bytes of private memory for each thread, but the limit is "
              << target.privateBytes;
  SmallVector<BudgetBuffer> buffers(budget.getPrivateBuffers());
  llvm::stable_sort(buffers, [](const BudgetBuffer &a, const BudgetBuffer &b) {
    return a.bytes > b.bytes;
  });
  for (const BudgetBuffer &buffer :
       ArrayRef<BudgetBuffer>(buffers).take_front(kMaxNotes)) {
    Diagnostic &note = diag.attachNote(buffer.value.getLoc());
    note << buffer.bytes << " bytes in each thread: " << buffer.getType();
    if (!buffer.getReason().empty())
      note << " (" << buffer.getReason() << ")";
  }
  if (buffers.size() > kMaxNotes)
    noteMore(diag.attachNote(kernel.getLoc()), buffers.size() - kMaxNotes);
  diag.attachNote(kernel.getLoc())
      << "use smaller tiles for each thread or more threads, or raise "
         "'private-limit'";
  return failure();
}

/// One error when the chip launches no such grid.
static LogicalResult checkGrid(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  const LaunchShape &shape = context.getShape();
  if (!shape.grid)
    return success();
  GridLimits limits = GridLimits::get(target);
  for (unsigned dim = 0; dim < 3; ++dim) {
    int64_t most = limits.getMost(dim, shape.block[dim]);
    if ((*shape.grid)[dim] <= most)
      continue;
    auto diag = kernel->emitError()
                << "kernel '" << kernel.getName() << "' needs a grid of "
                << (*shape.grid)[dim] << " workgroups in dimension "
                << "xyz"[dim] << ", but " << target.chip << " launches " << most
                << " at most";
    diag.attachNote(kernel.getLoc())
        << (dim == 0 ? "use larger tiles for each workgroup"
                     : "map the 'forall' to '#gpu.block<linear_dim_0>' and so "
                       "on, or use larger tiles for each workgroup");
    return diag;
  }
  return success();
}

static void emitRemarks(const KernelContext &context,
                        const WorkgroupBudget &budget) {
  FunctionOpInterface kernel = context.getKernel();
  auto options = [&](StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("memspace")
        .function(kernel.getName());
  };
  remark::analysis(kernel.getLoc(), options("Budget"))
      << remark::metric("WorkgroupBytes", budget.getWorkgroupBytes())
      << remark::metric("SumBytes", budget.getSumBytes())
      << remark::metric("PeakLiveBytes", budget.getPeakLiveBytes())
      << remark::metric("PrivateBytes", budget.getPrivateBytes())
      << remark::metric("WorkgroupsPerUnit",
                        context.getTarget().getOccupancy(
                            budget.getWorkgroupBytes(), context.getThreads()));
  auto emitBuffers = [&](StringRef name, ArrayRef<BudgetBuffer> buffers) {
    for (const BudgetBuffer &buffer : buffers) {
      remark::analysis(buffer.value.getLoc(), options(name))
          << remark::metric("Bytes", buffer.bytes)
          << remark::metric("Reason", buffer.getReason());
    }
  };
  emitBuffers("WorkgroupBuffer", budget.getWorkgroupBuffers());
  emitBuffers("PrivateBuffer", budget.getPrivateBuffers());
}

LogicalResult CheckBudgetPass::check(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(context);
  if (failed(budget))
    return failure();

  Builder builder(kernel.getContext());
  auto set = [&](StringRef name, int64_t bytes) {
    kernel->setAttr(name, builder.getI64IntegerAttr(bytes));
  };
  set(kWorkgroupBytesAttr, budget->getWorkgroupBytes());
  set(kSumBytesAttr, budget->getSumBytes());
  set(kPeakLiveBytesAttr, budget->getPeakLiveBytes());
  set(kPrivateBytesAttr, budget->getPrivateBytes());
  emitRemarks(context, *budget);

  LogicalResult workgroup = checkWorkgroup(context, *budget);
  LogicalResult privateMemory = checkPrivate(context, *budget);
  LogicalResult grid = checkGrid(context);
  return success(succeeded(workgroup) && succeeded(privateMemory) &&
                 succeeded(grid));
}
