//===- ReportBudget.cpp - prints budget reports -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Report/BudgetReport.h"
#include "MemSpace/Transforms/Passes.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEREPORTBUDGET
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct ReportBudgetPass
    : public memspace::impl::MemSpaceReportBudgetBase<ReportBudgetPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<BudgetReport> compute(FunctionOpInterface kernel);
};
} // namespace

FailureOr<BudgetReport> ReportBudgetPass::compute(FunctionOpInterface kernel) {
  FailureOr<TargetInfo> target =
      resolveTarget(kernel, {chip, workgroupLimit, privateLimit, subgroupSize});
  if (failed(target))
    return failure();
  return BudgetReport::compute(kernel, *target);
}

void ReportBudgetPass::runOnOperation() {
  markAllAnalysesPreserved();
  if (format != "text" && format != "json") {
    getOperation()->emitError() << "unknown format '" << format
                                << "' of a budget report; use 'text' or 'json'";
    return signalPassFailure();
  }
  llvm::json::Array all;
  bool isFirst = true;
  for (FunctionOpInterface kernel : getKernels(getOperation())) {
    FailureOr<BudgetReport> report = compute(kernel);
    if (failed(report)) {
      signalPassFailure();
      continue;
    }
    if (format == "json") {
      all.push_back(report->toJSON());
      continue;
    }
    if (!isFirst)
      llvm::outs() << "\n";
    isFirst = false;
    report->print(llvm::outs());
  }
  if (format == "json")
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}
