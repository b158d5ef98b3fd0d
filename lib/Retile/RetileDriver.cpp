//===- RetileDriver.cpp - the best configuration that fits ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Retile/RetileDriver.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Layout/WorkgroupBudget.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

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
    if (attempt.excludedBy)
      entry["excluded-by"] = attempts[*attempt.excludedBy].configuration;
    if (!attempt.peakBuffers.empty())
      entry["peak-buffers"] = llvm::json::Array(attempt.peakBuffers);
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

namespace {
/// All attempts at one kernel.
class RetileRun {
public:
  RetileRun(func::FuncOp function, const TargetInfo &target,
            MakeKernelFn makeKernel, const KernelPipelineOptions &options,
            RetileRecord &record)
      : function(function), target(target), makeKernel(makeKernel),
        options(options), attempts(record.attempts),
        isInfeasible(record.attempts.size()) {}

  /// Tries the configurations `numbers`, unless one that is through by then
  /// excludes it.
  void tryAll(ArrayRef<unsigned> numbers, ContainsFn contains);
  /// What of `numbers` infeasible ones exclude, in whatever order they were
  /// tried.
  SmallVector<unsigned> exclude(ArrayRef<unsigned> numbers,
                                ContainsFn contains);

private:
  FailureOr<KernelCost> tryOne(unsigned number);

  func::FuncOp function;
  const TargetInfo &target;
  MakeKernelFn makeKernel;
  const KernelPipelineOptions &options;
  std::vector<RetileAttempt> &attempts;
  /// Of each attempt, as soon as it is known.
  std::vector<std::atomic<bool>> isInfeasible;
};
} // namespace

/// Makes and finishes one kernel; its cost if it fits.
FailureOr<KernelCost> RetileRun::tryOne(unsigned number) {
  auto [module, kernel] = cloneAlone(function);
  if (failed(makeKernel(kernel, number)))
    return failure();
  PassManager pm(function.getContext());
  // The one that is chosen is verified on its own way.
  buildUnverifiedKernelPipeline(pm, options);
  bool fits = succeeded(pm.run(*module));
  kernel = module->lookupSymbol<func::FuncOp>(function.getName());
  // That pass came to the budget.
  if (!kernel || !kernel->hasAttr(kPeakLiveBytesAttr))
    return failure();
  FailureOr<KernelContext> context = KernelContext::create(kernel, target);
  if (failed(context))
    return failure();
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(*context);
  if (failed(budget))
    return failure();
  RetileAttempt &attempt = attempts[number];
  for (unsigned buffer : budget->getBuffersAtPeak()) {
    llvm::raw_string_ostream stream(attempt.peakBuffers.emplace_back());
    stream << budget->getWorkgroupBuffers()[buffer].getType();
  }
  attempt.isInfeasible = budget->getPeakLiveBytes() > target.maxWorkgroupBytes;
  isInfeasible[number] = attempt.isInfeasible;
  if (!fits)
    return failure();
  return KernelCost::compute(*context, *budget);
}

void RetileRun::tryAll(ArrayRef<unsigned> numbers, ContainsFn contains) {
  MLIRContext *context = function.getContext();
  parallelFor(context, 0, numbers.size(), [&](size_t place) {
    unsigned number = numbers[place];
    for (unsigned smaller = 0; contains && smaller < number; ++smaller)
      if (isInfeasible[smaller] && contains(smaller, number))
        return;
    RetileAttempt &attempt = attempts[number];
    // Of this thread, which is at this attempt until it is through.
    ScopedDiagnosticHandler handler(
        context, [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
          if (llvm::get_threadid() != thread)
            return failure();
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              attempt.refusal.empty()) {
            llvm::raw_string_ostream stream(attempt.refusal);
            stream << diagnostic;
          }
          return success();
        });
    FailureOr<KernelCost> cost = tryOne(number);
    if (failed(cost))
      return;
    attempt.cost = *cost;
    attempt.refusal.clear();
  });
}

SmallVector<unsigned> RetileRun::exclude(ArrayRef<unsigned> numbers,
                                         ContainsFn contains) {
  SmallVector<unsigned> excluded;
  for (unsigned number : numbers) {
    RetileAttempt &attempt = attempts[number];
    for (unsigned smaller = 0; smaller < number; ++smaller) {
      if (attempts[smaller].excludedBy || !attempts[smaller].isInfeasible ||
          !contains(smaller, number))
        continue;
      std::string name = std::move(attempt.configuration);
      attempt = RetileAttempt();
      attempt.configuration = std::move(name);
      attempt.excludedBy = smaller;
      attempt.refusal = "not made: what is live at once in '" +
                        attempts[smaller].configuration +
                        "', which takes no more, does not fit";
      excluded.push_back(number);
      break;
    }
  }
  return excluded;
}

FailureOr<RetileRecord>
memspace::retile(func::FuncOp function, ArrayRef<std::string> configurations,
                 MakeKernelFn makeKernel, const KernelPipelineOptions &options,
                 CostObjective objective, ContainsFn contains) {
  FailureOr<TargetInfo> target =
      resolveTarget(function, {options.chip, options.workgroupLimit,
                               options.privateLimit, options.subgroupSize});
  if (failed(target))
    return failure();
  RetileRecord record;
  record.kernel = function.getName().str();
  record.chip = target->chip;
  record.attempts.resize(configurations.size());
  for (auto [attempt, name] : llvm::zip_equal(record.attempts, configurations))
    attempt.configuration = name;
  RetileRun run(function, *target, makeKernel, options, record);
  auto findBest = [&] {
    for (auto [number, attempt] : llvm::enumerate(record.attempts)) {
      if (!attempt.cost)
        continue;
      attempt.weight = attempt.cost->getWeight(objective);
      if (!record.best || attempt.weight < record.attempts[*record.best].weight)
        record.best = number;
    }
  };
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, configurations.size()));
  run.tryAll(all, contains);
  SmallVector<unsigned> excluded;
  if (contains)
    excluded = run.exclude(all, contains);
  findBest();
  if (record.best || excluded.empty())
    return record;
  // No refusal on a guess.
  for (unsigned number : excluded) {
    record.attempts[number].excludedBy.reset();
    record.attempts[number].refusal.clear();
  }
  run.tryAll(excluded, {});
  findBest();
  return record;
}
