//===- ReportBudget.cpp - prints budget reports -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Report/BudgetReport.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_REPORTBUDGETPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct ReportBudgetPass
    : public memspace::impl::ReportBudgetPassBase<ReportBudgetPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ReportBudgetPass::runOnOperation() {
  markAllAnalysesPreserved();
  if (format != "text" && format != "json") {
    getOperation()->emitError() << "unknown format '" << format
                                << "' of a budget report; use 'text' or 'json'";
    return signalPassFailure();
  }
  llvm::json::Array all;
  bool isFirst = true;
  auto report = [&](const KernelContext &context) -> LogicalResult {
    FailureOr<BudgetReport> report = BudgetReport::compute(context);
    if (failed(report))
      return failure();
    if (format == "json") {
      all.push_back(report->toJSON());
      return success();
    }
    if (!isFirst)
      llvm::outs() << "\n";
    isFirst = false;
    report->print(llvm::outs());
    return success();
  };
  KernelSelection selection;
  selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
  selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
  selection.memorySpaces = memorySpaces;
  selection.pass = getArgument();
  selection.quiet = quiet;
  selection.entersLaunches = selection.goesOn = true;
  if (failed(forEachKernel(getOperation(), selection, report)))
    signalPassFailure();
  if (format == "json")
    llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}
