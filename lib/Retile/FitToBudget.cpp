//===- FitToBudget.cpp - untiled kernels at their best --------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Retile/RetileDriver.h"
#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Transforms/TileKernel.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_FITTOBUDGETPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// A function that is to become a kernel by tiling.
static bool isUntiled(func::FuncOp function) {
  if (function.isExternal() || isKernel(function))
    return false;
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
      function.getNumResults() != 0)
    return false;
  return llvm::any_of(function.getBody().getOps(),
                      [](Operation &op) { return isTilable(&op); });
}

namespace {
/// One run of the pass.
class BudgetFitter {
public:
  BudgetFitter(ModuleOp module, const KernelPipelineOptions &pipeline,
               CostObjective objective, StringRef record,
               StringRef configuration)
      : module(module), pipeline(pipeline), objective(objective),
        record(record), configuration(configuration) {}
  LogicalResult run();

private:
  LogicalResult readRecord();
  LogicalResult writeRecord();
  FailureOr<TileConfiguration> choose(func::FuncOp function);
  FailureOr<TileConfiguration> tryFirst(func::FuncOp function,
                                        const UntiledKernel &kernel,
                                        const TargetInfo &target,
                                        const TileConfiguration &asked);
  FailureOr<TileConfiguration> search(func::FuncOp function,
                                      const UntiledKernel &kernel,
                                      const TargetInfo &target);

  ModuleOp module;
  const KernelPipelineOptions &pipeline;
  CostObjective objective;
  std::string record, configuration;
  /// Entries of the record as it was read.
  llvm::json::Array chosen;
  std::vector<RetileRecord> records;
};

struct FitToBudgetPass
    : public memspace::impl::FitToBudgetPassBase<FitToBudgetPass> {
  using Base::Base;
  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override;
};
} // namespace

/// Those of the pipeline, too, which runs inside of the pass.
void FitToBudgetPass::getDependentDialects(DialectRegistry &registry) const {
  Base::getDependentDialects(registry);
  OpPassManager pipeline(ModuleOp::getOperationName());
  buildKernelPipeline(pipeline, KernelPipelineOptions());
  pipeline.getDependentDialects(registry);
}

LogicalResult BudgetFitter::readRecord() {
  if (record.empty() || !llvm::sys::fs::exists(record))
    return success();
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(record, &error);
  if (!file)
    return module.emitError()
           << "the record '" << record << "' cannot be read: " << error;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(file->getBuffer());
  llvm::json::Array *kernels = json && json->getAsObject()
                                   ? json->getAsObject()->getArray("kernels")
                                   : nullptr;
  if (!json)
    error = llvm::toString(json.takeError());
  else if (!kernels)
    error = "it has no array 'kernels'";
  if (!kernels)
    return module.emitError() << "the record '" << record
                              << "' is no JSON of this pass: " << error;
  chosen = std::move(*kernels);
  return success();
}

LogicalResult BudgetFitter::writeRecord() {
  if (record.empty())
    return success();
  // What was applied without a try stays as it was.
  llvm::json::Array kernels;
  for (llvm::json::Value &entry : chosen) {
    llvm::json::Object *object = entry.getAsObject();
    bool isNew =
        object && llvm::any_of(records, [&](const RetileRecord &newer) {
          return object->getString("kernel") == newer.kernel &&
                 object->getString("chip") == newer.chip;
        });
    if (!isNew)
      kernels.push_back(std::move(entry));
  }
  for (const RetileRecord &newer : records)
    kernels.push_back(newer.toJSON());
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(record, &error);
  if (!file)
    return module.emitError()
           << "the record '" << record << "' cannot be written: " << error;
  llvm::json::Object all{{"kernels", std::move(kernels)}};
  file->os() << llvm::formatv("{0:2}", llvm::json::Value(std::move(all)))
             << "\n";
  file->keep();
  return success();
}

/// The configuration of `function`: the one that was asked for if it fits, the
/// one of the record, or the best of those worth trying.
FailureOr<TileConfiguration> BudgetFitter::choose(func::FuncOp function) {
  FailureOr<UntiledKernel> kernel = UntiledKernel::get(function);
  if (failed(kernel))
    return failure();
  auto parse = [&](StringRef text) -> FailureOr<TileConfiguration> {
    std::optional<TileConfiguration> result = parseTileConfiguration(text);
    if (result)
      return *result;
    return function.emitError()
           << "'" << text
           << "' is no configuration; write one as 'threads=256 block=64x64 "
              "thread=4x4 subgroup=16x32 reduction=32 promote stages=2'";
  };
  FailureOr<TargetInfo> target =
      resolveTarget(function, {pipeline.chip, pipeline.workgroupLimit,
                               pipeline.privateLimit, pipeline.subgroupSize});
  if (failed(target))
    return failure();
  if (!configuration.empty()) {
    FailureOr<TileConfiguration> asked = parse(configuration);
    if (failed(asked))
      return failure();
    return tryFirst(function, *kernel, *target, *asked);
  }
  for (llvm::json::Value &entry : chosen) {
    llvm::json::Object *object = entry.getAsObject();
    if (object && object->getString("kernel") == function.getName() &&
        object->getString("chip") == target->chip)
      if (std::optional<StringRef> best = object->getString("best"))
        return parse(*best);
  }
  return search(function, *kernel, *target);
}

/// `asked` if it fits, else the best of those worth trying, with a warning.
FailureOr<TileConfiguration>
BudgetFitter::tryFirst(func::FuncOp function, const UntiledKernel &kernel,
                       const TargetInfo &target,
                       const TileConfiguration &asked) {
  bool isTiled = false;
  FailureOr<RetileRecord> first = retile(
      function, asked.str(),
      [&](func::FuncOp clone, unsigned) {
        isTiled = succeeded(tileKernel(clone, asked));
        return success(isTiled);
      },
      pipeline, objective);
  if (failed(first))
    return failure();
  // What cannot be tiled so at all is an error that tiling reports.
  if (!isTiled || first->best) {
    records.push_back(std::move(*first));
    return asked;
  }
  FailureOr<TileConfiguration> best = search(function, kernel, target);
  if (failed(best))
    return failure();
  RetileRecord &all = records.back();
  const RetileAttempt &refused = first->attempts.front();
  InFlightDiagnostic diag = function.emitWarning()
                            << "'" << refused.configuration << "' of '"
                            << function.getName() << "' does not fit "
                            << target.chip << ": " << refused.refusal << "; '"
                            << best->str() << "' is taken, the best of "
                            << all.attempts.size() << " others";
  std::vector<const RetileAttempt *> fitting;
  for (const RetileAttempt &attempt : all.attempts)
    if (attempt.cost)
      fitting.push_back(&attempt);
  llvm::stable_sort(fitting,
                    [](const RetileAttempt *a, const RetileAttempt *b) {
                      return a->weight < b->weight;
                    });
  constexpr size_t kShown = 5;
  for (const RetileAttempt *attempt : ArrayRef(fitting).take_front(kShown))
    diag.attachNote() << attempt->configuration << ": weight "
                      << llvm::formatv("{0:F0}", attempt->weight).str() << ", "
                      << attempt->cost->workgroupBytes
                      << " bytes of workgroup memory";
  diag.attachNote() << fitting.size() << " of " << all.attempts.size()
                    << " fit; a 'record' has all of them";
  all.attempts.insert(all.attempts.begin(), std::move(first->attempts.front()));
  ++*all.best;
  return best;
}

/// The best of the configurations worth trying.
FailureOr<TileConfiguration> BudgetFitter::search(func::FuncOp function,
                                                  const UntiledKernel &kernel,
                                                  const TargetInfo &target) {
  SmallVector<TileConfiguration> space = kernel.getConfigurations(target);
  std::vector<std::string> names;
  for (const TileConfiguration &tiling : space)
    names.push_back(tiling.str());
  FailureOr<RetileRecord> tried = retile(
      function, names,
      [&](func::FuncOp clone, unsigned number) {
        return tileKernel(clone, space[number]);
      },
      pipeline, objective,
      [&](unsigned smaller, unsigned larger) {
        return space[smaller].takesNoMoreThan(space[larger]);
      });
  if (failed(tried))
    return failure();
  std::optional<unsigned> best = tried->best;
  records.push_back(std::move(*tried));
  if (best)
    return space[*best];
  // At the op that is shared out, not where the function begins.
  Location where = kernel.getAnchor().getLoc();
  const std::vector<RetileAttempt> &attempts = records.back().attempts;
  bool isAlwaysTheSame =
      llvm::all_of(attempts, [&](const RetileAttempt &attempt) {
        return attempt.refusal == attempts.front().refusal;
      });
  if (!attempts.empty() && isAlwaysTheSame)
    return emitError(where)
           << "'" << function.getName() << "' does not become a kernel for "
           << target.chip
           << ", however it is tiled: " << attempts.front().refusal;
  InFlightDiagnostic diag =
      emitError(where) << "none of " << space.size() << " configurations of '"
                       << function.getName() << "' fits " << target.chip
                       << "; fuse less into it, or tile it yourself";
  // One note for each reason.
  llvm::StringSet<> seen;
  for (const RetileAttempt &attempt : attempts)
    if (seen.size() < 3 && seen.insert(attempt.refusal).second)
      diag.attachNote() << attempt.configuration << ": " << attempt.refusal;
  return diag;
}

LogicalResult BudgetFitter::run() {
  if (failed(readRecord()))
    return failure();
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (isUntiled(function))
      functions.push_back(function);
  for (func::FuncOp function : functions) {
    FailureOr<TileConfiguration> tiling = choose(function);
    if (failed(tiling) || failed(tileKernel(function, *tiling)))
      return failure();
  }
  return writeRecord();
}

void FitToBudgetPass::runOnOperation() {
  std::optional<CostObjective> parsed = parseCostObjective(objective);
  if (!parsed) {
    getOperation().emitError()
        << "objective '" << objective
        << "' is none of 'balanced', 'reuse', 'occupancy' and 'bytes'";
    return signalPassFailure();
  }
  KernelPipelineOptions pipeline;
  std::string error;
  llvm::raw_string_ostream stream(error);
  if (failed(pipeline.parseFromString(kernelOptions, stream))) {
    getOperation().emitError()
        << "'" << kernelOptions
        << "' are no options of memspace-kernel-pipeline: "
        << StringRef(error).trim();
    return signalPassFailure();
  }
  if (!chip.empty())
    pipeline.chip = chip.getValue();
  if (!memorySpaces.empty())
    pipeline.memorySpaces = memorySpaces.getValue();
  if (workgroupLimit)
    pipeline.workgroupLimit = workgroupLimit.getValue();
  if (privateLimit)
    pipeline.privateLimit = privateLimit.getValue();
  if (subgroupSize)
    pipeline.subgroupSize = subgroupSize.getValue();
  if (failed(
          BudgetFitter(getOperation(), pipeline, *parsed, record, configuration)
              .run()))
    signalPassFailure();
}

//===----------------------------------------------------------------------===//
// From untiled functions to finished kernels
//===----------------------------------------------------------------------===//

/// Those of `options` that the kernel pipeline has, as text.
static std::string print(const KernelPipelineOptions &options) {
  KernelPipelineOptions own;
  own.copyOptionValuesFrom(options);
  std::string text;
  llvm::raw_string_ostream stream(text);
  own.print(stream);
  return StringRef(text).ltrim('{').rtrim('}').trim().str();
}

void memspace::buildCompilePipeline(OpPassManager &pm,
                                    const CompilePipelineOptions &options) {
  auto setTarget = [&](auto &pass) {
    pass.chip = options.chip;
    pass.workgroupLimit = options.workgroupLimit;
    pass.privateLimit = options.privateLimit;
    pass.subgroupSize = options.subgroupSize;
  };
  // Frontends have helpers, which become kernels where they are called. What
  // upstream would clean up on the way is left as it is.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  MaterializeEncodingsPassOptions encodings;
  setTarget(encodings);
  pm.addPass(createMaterializeEncodingsPass(encodings));
  FormKernelsPassOptions form;
  setTarget(form);
  pm.addPass(createFormKernelsPass(form));
  SplitLargeSortsPassOptions sorts;
  setTarget(sorts);
  sorts.memorySpaces = options.memorySpaces;
  sorts.quiet = true;
  pm.addPass(createSplitLargeSortsPass(sorts));
  SplitLargeScansPassOptions scans;
  setTarget(scans);
  scans.memorySpaces = options.memorySpaces;
  scans.quiet = true;
  pm.addPass(createSplitLargeScansPass(scans));
  FitToBudgetPassOptions fit;
  fit.kernelOptions = print(options);
  fit.objective = options.fitObjective;
  fit.record = options.record;
  pm.addPass(createFitToBudgetPass(fit));
  buildKernelPipeline(pm, options);
}

void memspace::registerCompilePipeline() {
  PassPipelineRegistration<CompilePipelineOptions>(
      "memspace-compile-pipeline",
      "Untiled tensor functions to race-free kernels that fit",
      buildCompilePipeline);
}
