//===- SpmdCheck.cpp - packed with reuse against every buffer by itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmdCheck.h"
#include "ErrorCollector.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Passes.h"
#include "SpmdGenerator.h"
#include "VerifierRuns.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// What matters to the packing: chosen by the seed, bytes where none is given.
static StringRef getObjective(const CheckOptions &options) {
  static constexpr StringRef objectives[] = {"barriers", "bytes", "balanced"};
  return objectives[options.inputSeed % 3];
}

OwningOpRef<ModuleOp> fuzz::compileSpmd(ModuleOp module, SpmdLayout layout,
                                        const CheckOptions &options) {
  OwningOpRef<ModuleOp> clone(module.clone());
  PassManager pm(module.getContext());
  addPasses(pm, options.canonicalization, [&](OpPassManager &passes) {
    if (layout != SpmdLayout::Unpacked) {
      PackWorkgroupMemoryPassOptions pack;
      pack.reuse = layout == SpmdLayout::Reuse;
      pack.chip = options.chip;
      pack.objective = getObjective(options).str();
      passes.addPass(createPackWorkgroupMemoryPass(pack));
    }
    InsertBarriersPassOptions barriers;
    barriers.chip = options.chip;
    barriers.iterationGuards = options.hasIterationGuards();
    passes.addPass(createInsertBarriersPass(barriers));
    if (layout == SpmdLayout::Reuse) {
      CheckBudgetPassOptions budget;
      budget.chip = options.chip;
      passes.addPass(createCheckBudgetPass(budget));
    }
  });
  if (failed(pm.run(*clone)))
    return nullptr;
  return clone;
}

bool fuzz::hasCalleeBuffers(ModuleOp module) {
  bool found = false;
  module.walk([&](memref::AllocOp alloc) {
    auto function = alloc->getParentOfType<FunctionOpInterface>();
    found |= function && function.isPrivate() &&
             isWorkgroupMemory(alloc.getType(), MemorySpaceMapping());
  });
  return found;
}

/// Seeded contents of every argument.
static SmallVector<emulator::HostBuffer>
makeArguments(const emulator::Kernel &kernel, uint64_t seed) {
  SmallVector<emulator::HostBuffer> arguments;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    SmallVector<int64_t> shape;
    if (auto memref = dyn_cast<MemRefType>(type))
      llvm::append_range(shape, memref.getShape());
    arguments.push_back(emulator::HostBuffer::random(
        getElementTypeOrSelf(type), shape, seed + 0x9E3779B9 * i));
  }
  return arguments;
}

/// Puts what another kernel did behind `all`.
static void append(emulator::Result &all, emulator::Result other) {
  for (unsigned argument : other.orderDependentArguments)
    all.orderDependentArguments.push_back(all.arguments.size() + argument);
  llvm::append_range(all.arguments, other.arguments);
  llvm::append_range(all.reports, other.reports);
}

FailureOr<emulator::Result> fuzz::runSpmd(ModuleOp module,
                                          const CheckOptions &options) {
  emulator::Result all;
  for (FunctionOpInterface function : getKernels(module)) {
    emulator::CompileOptions compile;
    compile.kernel = function.getName().str();
    if (std::optional<TargetInfo> target = lookupTarget(options.chip))
      compile.subgroupSize = target->subgroupSize;
    FailureOr<emulator::Kernel> kernel =
        emulator::Kernel::compile(module, compile);
    if (failed(kernel))
      return failure();
    emulator::LaunchOptions launch;
    launch.orders = options.orders;
    launch.seed = options.inputSeed;
    launch.maxSteps = uint64_t(1) << 24;
    if (kernel->getKnownGrid()[0] == 0)
      launch.grid = {options.grid, 1, 1};
    FailureOr<emulator::Result> result =
        kernel->run(makeArguments(*kernel, options.inputSeed), launch);
    if (failed(result))
      return failure();
    append(all, std::move(*result));
  }
  return all;
}

/// What is wrong with a result by itself; NotJudged where it has no meaning.
static CheckResult judgeResult(const emulator::Result &result, StringRef what) {
  // A race makes values undefined, too.
  bool isUndefined = !result.isClean() && result.getNumUninitializedReads() ==
                                              int64_t(result.reports.size());
  if (isUndefined)
    return {Verdict::NotJudged, "the kernel reads what nobody has written", ""};
  if (!result.isClean())
    return {Verdict::Reports,
            what.str() + ": " + result.reports.front().message, ""};
  if (!result.orderDependentArguments.empty())
    return {Verdict::NotJudged, "the results depend on the thread order", ""};
  return {Verdict::Ok, "", ""};
}

/// How the arguments after two runs differ; empty when they do not.
static std::string compare(const emulator::Result &now,
                           const emulator::Result &then) {
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip_equal(now.arguments, then.arguments)))
    if (auto &[left, right] = pair; !left.equals(right))
      return "argument " + std::to_string(i) + ": " +
             left.describeDifference(right);
  return "";
}

bool fuzz::isSynchronized(ModuleOp module) {
  bool found = false;
  module.walk([&](Operation *op) { found |= op->hasAttr(kSyncAttr); });
  return found;
}

/// Runs the kernels with the barriers that say what they mean. Nothing when
/// they have none.
static std::optional<emulator::Result>
runSynchronized(ModuleOp module, const CheckOptions &options,
                ErrorCollector &errors, CheckResult &verdict) {
  if (!isSynchronized(module))
    return std::nullopt;
  // The emulator takes no barriers in functions that are called. Upstream does
  // not inline into a gpu.func.
  OwningOpRef<ModuleOp> inlined(module.clone());
  PassManager pm(module.getContext());
  pm.addPass(createInlinerPass());
  if (hasCalleeBuffers(module)) {
    PackWorkgroupMemoryPassOptions pack;
    pack.reuse = false;
    pack.chip = options.chip;
    pm.addPass(createPackWorkgroupMemoryPass(pack));
  }
  if (failed(pm.run(*inlined))) {
    verdict = {Verdict::Refused, errors.take(), ""};
    return std::nullopt;
  }
  FailureOr<emulator::Result> result = runSpmd(*inlined, options);
  if (failed(result)) {
    verdict = {Verdict::Crash,
               "the emulator refuses the kernel: " + errors.take(), ""};
    return std::nullopt;
  }
  verdict = judgeResult(*result, "synchronized");
  // No fault of the library.
  if (verdict.verdict == Verdict::Reports)
    verdict = {Verdict::Crash, "the program itself is wrong, " + verdict.detail,
               ""};
  return std::move(*result);
}

OwningOpRef<ModuleOp> fuzz::withoutSynchronization(ModuleOp module) {
  OwningOpRef<ModuleOp> clone(module.clone());
  clone->walk([](Operation *op) {
    if (op->hasAttr(kSyncAttr))
      op->erase();
  });
  return clone;
}

/// The results without reuse, if there are any to compare with. They must be
/// those of `meaning`, where it is given.
static FailureOr<emulator::Result>
runReference(ModuleOp module, const std::optional<emulator::Result> &meaning,
             const CheckOptions &options, ErrorCollector &errors,
             CheckResult &verdict) {
  for (SpmdLayout layout : {SpmdLayout::Unpacked, SpmdLayout::Bump}) {
    bool isUnpacked = layout == SpmdLayout::Unpacked;
    if (isUnpacked && hasCalleeBuffers(module))
      continue;
    OwningOpRef<ModuleOp> reference = compileSpmd(module, layout, options);
    if (!reference) {
      verdict = {Verdict::Refused, errors.take(), ""};
      continue;
    }
    FailureOr<emulator::Result> result = runSpmd(*reference, options);
    if (failed(result)) {
      verdict = {Verdict::Crash,
                 "the emulator refuses the kernel: " + errors.take(), ""};
      continue;
    }
    StringRef what = isUnpacked ? "not packed" : "without reuse";
    verdict = judgeResult(*result, what);
    if (verdict.verdict != Verdict::Ok)
      return failure();
    if (std::string difference = meaning ? compare(*result, *meaning) : "";
        !difference.empty()) {
      verdict = {Verdict::Difference, what.str() + ": " + difference, ""};
      return failure();
    }
    return result;
  }
  return failure();
}

/// The workgroup bytes of all kernels.
static int64_t getWorkgroupBytes(ModuleOp module) {
  int64_t bytes = 0;
  for (FunctionOpInterface kernel : getKernels(module))
    bytes += kernel->getAttrOfType<IntegerAttr>(kWorkgroupBytesAttr).getInt();
  return bytes;
}

/// The bytes that the budget says of the kernels before they are packed; none
/// when it refuses.
static std::optional<int64_t> predictBytes(ModuleOp module,
                                           const CheckOptions &options) {
  OwningOpRef<ModuleOp> clone(module.clone());
  PassManager pm(module.getContext());
  CheckBudgetPassOptions budget;
  budget.chip = options.chip;
  pm.addPass(createCheckBudgetPass(budget));
  if (failed(pm.run(*clone)))
    return std::nullopt;
  return getWorkgroupBytes(*clone);
}

CheckResult fuzz::checkSpmd(ModuleOp given, const CheckOptions &options) {
  ErrorCollector errors(given.getContext());
  if (getKernels(given).empty())
    return {Verdict::NotJudged, "the module has no kernel", ""};
  CheckResult verdict{Verdict::Ok, "", ""};
  std::optional<emulator::Result> meaning =
      runSynchronized(given, options, errors, verdict);
  if (verdict.verdict != Verdict::Ok)
    return verdict;
  OwningOpRef<ModuleOp> owned = withoutSynchronization(given);
  ModuleOp module = *owned;
  FailureOr<emulator::Result> expected =
      runReference(module, meaning, options, errors, verdict);
  if (failed(expected))
    return verdict;

  OwningOpRef<ModuleOp> packed =
      compileSpmd(module, SpmdLayout::Reuse, options);
  if (!packed)
    return {Verdict::Difference, "refused only with reuse: " + errors.take(),
            ""};
  if (std::string bad = findBadFigures(*packed); !bad.empty())
    return {Verdict::Difference, "figures: " + bad, ""};
  // The budget knows nothing of other objectives, inlines nothing, and does not
  // see what canonicalization erases later.
  if (getObjective(options) == "balanced" && !hasCalleeBuffers(module) &&
      options.canonicalization != Canonicalization::Interleaved) {
    int64_t bytes = getWorkgroupBytes(*packed);
    int64_t predicted = predictBytes(module, options).value_or(-1);
    if (predicted != bytes)
      return {Verdict::Difference,
              "figures: packed " + std::to_string(bytes) + ", predicted " +
                  std::to_string(predicted),
              ""};
  }
  FailureOr<emulator::Result> result = runSpmd(*packed, options);
  if (failed(result))
    return {Verdict::Crash, "the emulator refuses the kernel: " + errors.take(),
            ""};
  if (!result->isClean())
    return {Verdict::Reports, "with reuse: " + result->reports.front().message,
            ""};
  if (std::string difference = compare(*result, *expected); !difference.empty())
    return {Verdict::Difference, difference, ""};
  if (std::string hidden = findHiddenRace(*packed, options, errors);
      !hidden.empty())
    return {Verdict::Reports, "where each pair is asked for: " + hidden, ""};
  CheckResult ok{Verdict::Ok, "", ""};
  for (FunctionOpInterface kernel : getKernels(*packed)) {
    auto get = [&](StringRef name) {
      return kernel->getAttrOfType<IntegerAttr>(name).getInt();
    };
    ok.isReused |= get(kWorkgroupBytesAttr) < get(kSumBytesAttr);
  }
  return ok;
}
