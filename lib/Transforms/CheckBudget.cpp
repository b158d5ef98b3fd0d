//===- CheckBudget.cpp - workgroup and private bytes against the target -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/WorkgroupBudget.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACECHECKBUDGET
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct CheckBudgetPass
    : public memspace::impl::MemSpaceCheckBudgetBase<CheckBudgetPass> {
  using Base::Base;
  void runOnOperation() override {
    bool anyFailed = false;
    for (FunctionOpInterface kernel : getKernels(getOperation()))
      anyFailed |= failed(check(kernel));
    if (anyFailed)
      signalPassFailure();
  }

private:
  LogicalResult check(FunctionOpInterface kernel);
};
} // namespace

/// More notes than this hide the error.
static constexpr unsigned kMaxNotes = 8;

static void noteBuffers(InFlightDiagnostic &diag, StringRef what,
                        ArrayRef<BudgetBuffer> buffers,
                        FunctionOpInterface kernel) {
  for (const BudgetBuffer &buffer : buffers.take_front(kMaxNotes)) {
    Operation *op = buffer.value.getDefiningOp();
    Diagnostic &note = diag.attachNote(op ? op->getLoc() : kernel.getLoc());
    note << buffer.bytes << " bytes " << what << ": " << buffer.value.getType();
    if (!buffer.getReason().empty())
      note << " (" << buffer.getReason() << ")";
  }
  if (buffers.size() > kMaxNotes)
    diag.attachNote(kernel.getLoc())
        << buffers.size() - kMaxNotes << " more buffers";
}

/// One error when the workgroup bytes do not fit.
static LogicalResult checkWorkgroup(FunctionOpInterface kernel,
                                    const WorkgroupBudget &budget,
                                    const TargetInfo &target) {
  int64_t limit = target.maxWorkgroupBytes;
  if (budget.getWorkgroupBytes() <= limit)
    return success();
  auto diag = kernel->emitError()
              << "kernel '" << kernel.getName() << "' needs "
              << budget.getWorkgroupBytes()
              << " bytes of workgroup memory, but a workgroup may use " << limit
              << " on " << target.chip;
  noteBuffers(diag, "live at the peak", budget.getBuffersAtPeak(), kernel);
  Diagnostic &note = diag.attachNote(kernel.getLoc());
  if (budget.getPeakLiveBytes() <= limit)
    note << "at most " << budget.getPeakLiveBytes()
         << " bytes are live at once: buffers that share the bytes of dead "
            "ones would fit";
  else
    note << "at least " << budget.getPeakLiveBytes() - limit
         << " bytes must go: use smaller tiles or fewer stages, or a chip with "
            "more workgroup memory";
  return failure();
}

/// One error when the private bytes do not fit.
static LogicalResult checkPrivate(FunctionOpInterface kernel,
                                  const WorkgroupBudget &budget,
                                  const TargetInfo &target) {
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
  noteBuffers(diag, "in each thread", buffers, kernel);
  diag.attachNote(kernel.getLoc())
      << "use smaller tiles for each thread or more threads, or raise "
         "'private-limit'";
  return failure();
}

static void emitRemarks(FunctionOpInterface kernel,
                        const WorkgroupBudget &budget,
                        const TargetInfo &target) {
  auto options = [&](StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("memspace")
        .function(kernel.getName());
  };
  int64_t threads = getLaunchShape(kernel)->getThreads();
  remark::analysis(kernel.getLoc(), options("Budget"))
      << remark::metric("WorkgroupBytes", budget.getWorkgroupBytes())
      << remark::metric("SumBytes", budget.getSumBytes())
      << remark::metric("PeakLiveBytes", budget.getPeakLiveBytes())
      << remark::metric("PrivateBytes", budget.getPrivateBytes())
      << remark::metric(
             "WorkgroupsPerUnit",
             target.getOccupancy(budget.getWorkgroupBytes(), threads));
  auto emitBuffers = [&](StringRef name, ArrayRef<BudgetBuffer> buffers) {
    for (const BudgetBuffer &buffer : buffers) {
      Operation *op = buffer.value.getDefiningOp();
      remark::analysis(op ? op->getLoc() : kernel.getLoc(), options(name))
          << remark::metric("Bytes", buffer.bytes)
          << remark::metric("Reason", buffer.getReason());
    }
  };
  emitBuffers("WorkgroupBuffer", budget.getWorkgroupBuffers());
  emitBuffers("PrivateBuffer", budget.getPrivateBuffers());
}

LogicalResult CheckBudgetPass::check(FunctionOpInterface kernel) {
  FailureOr<TargetInfo> target =
      resolveTarget(kernel, {chip, workgroupLimit, privateLimit, subgroupSize});
  if (failed(target))
    return failure();
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(kernel, *target);
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
  emitRemarks(kernel, *budget, *target);

  LogicalResult workgroup = checkWorkgroup(kernel, *budget, *target);
  LogicalResult privateMemory = checkPrivate(kernel, *budget, *target);
  return success(succeeded(workgroup) && succeeded(privateMemory));
}
