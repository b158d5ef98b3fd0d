//===- RetileDriver.cpp - the best configuration that fits ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Retile/RetileDriver.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::memspace;

llvm::json::Value RetileRecord::toJSON() const {
  llvm::json::Array tried;
  for (const RetileAttempt &attempt : attempts) {
    llvm::json::Object entry{{"configuration", attempt.configuration}};
    if (attempt.cost) {
      entry["cost"] = attempt.cost->toJSON();
      entry["weight"] = attempt.weight;
    } else {
      entry["refusal"] = attempt.refusal;
    }
    tried.push_back(std::move(entry));
  }
  llvm::json::Object result{{"kernel", kernel}, {"chip", chip}};
  if (best)
    result["best"] = attempts[*best].configuration;
  result["attempts"] = std::move(tried);
  return result;
}

/// A module with a copy of `function` and of what it refers to; the copy.
static std::pair<OwningOpRef<ModuleOp>, func::FuncOp>
cloneAlone(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(&function.getBody());
  OwningOpRef<ModuleOp> copy;
  if (uses && uses->empty()) {
    copy = ModuleOp::create(function.getLoc());
    (*copy)->setAttrs(module->getDiscardableAttrDictionary());
    copy->push_back(function->clone());
  } else {
    copy = cast<ModuleOp>(module->clone());
  }
  auto kernel = copy->lookupSymbol<func::FuncOp>(function.getName());
  return {std::move(copy), kernel};
}

/// Makes and finishes one kernel; its cost if it fits.
static FailureOr<KernelCost> tryOne(func::FuncOp function, unsigned number,
                                    MakeKernelFn makeKernel,
                                    const KernelPipelineOptions &options) {
  auto [module, kernel] = cloneAlone(function);
  if (failed(makeKernel(kernel, number)))
    return failure();
  PassManager pm(function.getContext());
  // The one that is chosen is verified on its own way.
  buildUnverifiedKernelPipeline(pm, options);
  if (failed(pm.run(*module)))
    return failure();
  kernel = module->lookupSymbol<func::FuncOp>(function.getName());
  FailureOr<TargetInfo> target =
      resolveTarget(kernel, {options.chip, options.workgroupLimit,
                             options.privateLimit, options.subgroupSize});
  if (failed(target))
    return failure();
  FailureOr<KernelContext> context = KernelContext::create(kernel, *target);
  if (failed(context))
    return failure();
  return KernelCost::compute(*context);
}

FailureOr<RetileRecord> memspace::retile(func::FuncOp function,
                                         ArrayRef<std::string> configurations,
                                         MakeKernelFn makeKernel,
                                         const KernelPipelineOptions &options,
                                         CostObjective objective) {
  FailureOr<TargetInfo> target =
      resolveTarget(function, {options.chip, options.workgroupLimit,
                               options.privateLimit, options.subgroupSize});
  if (failed(target))
    return failure();
  RetileRecord record;
  record.kernel = function.getName().str();
  record.chip = target->chip;
  record.attempts.resize(configurations.size());
  parallelFor(
      function.getContext(), 0, configurations.size(), [&](size_t number) {
        RetileAttempt &attempt = record.attempts[number];
        attempt.configuration = configurations[number];
        // Of this thread, which is at this attempt until it is through.
        ScopedDiagnosticHandler handler(
            function.getContext(),
            [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
              if (llvm::get_threadid() != thread)
                return failure();
              if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                  attempt.refusal.empty()) {
                llvm::raw_string_ostream stream(attempt.refusal);
                stream << diagnostic;
              }
              return success();
            });
        FailureOr<KernelCost> cost =
            tryOne(function, number, makeKernel, options);
        if (failed(cost))
          return;
        attempt.cost = *cost;
        attempt.weight = cost->getWeight(objective);
        attempt.refusal.clear();
      });
  for (auto [number, attempt] : llvm::enumerate(record.attempts))
    if (attempt.cost &&
        (!record.best || attempt.weight < record.attempts[*record.best].weight))
      record.best = number;
  return record;
}
