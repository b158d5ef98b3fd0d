//===- SpmdCheck.cpp - packed with reuse against every buffer by itself -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpmdCheck.h"
#include "ErrorCollector.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "MemSpace/Analysis/Kernel.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

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
  if (layout != SpmdLayout::Unpacked) {
    MemSpacePackWorkgroupMemoryOptions pack;
    pack.reuse = layout == SpmdLayout::Reuse;
    pack.chip = options.chip;
    pack.objective = getObjective(options).str();
    pm.addPass(createMemSpacePackWorkgroupMemory(pack));
  }
  MemSpaceInsertBarriersOptions barriers;
  barriers.chip = options.chip;
  pm.addPass(createMemSpaceInsertBarriers(barriers));
  if (layout == SpmdLayout::Reuse) {
    MemSpaceCheckBudgetOptions budget;
    budget.chip = options.chip;
    pm.addPass(createMemSpaceCheckBudget(budget));
  }
  if (failed(pm.run(*clone)))
    return nullptr;
  return clone;
}

bool fuzz::hasCalleeBuffers(ModuleOp module) {
  bool found = false;
  module.walk([&](memref::AllocOp alloc) {
    auto function = alloc->getParentOfType<FunctionOpInterface>();
    found |=
        function && function.isPrivate() && isWorkgroupMemory(alloc.getType());
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

FailureOr<emulator::Result> fuzz::runSpmd(ModuleOp module,
                                          const CheckOptions &options) {
  emulator::CompileOptions compile;
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
  return kernel->run(makeArguments(*kernel, options.inputSeed), launch);
}

/// The results without reuse, if there are any to compare with.
static FailureOr<emulator::Result> runReference(ModuleOp module,
                                                const CheckOptions &options,
                                                ErrorCollector &errors,
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
    if (result->isClean() && result->orderDependentArguments.empty())
      return result;
    // A race makes values undefined, too.
    bool isUndefined =
        !result->isClean() &&
        result->getNumUninitializedReads() == int64_t(result->reports.size());
    if (isUndefined)
      verdict = {Verdict::NotJudged, "the kernel reads what nobody has written",
                 ""};
    else if (result->isClean())
      verdict = {Verdict::NotJudged, "the results depend on the thread order",
                 ""};
    else
      verdict = {Verdict::Reports,
                 std::string(isUnpacked ? "not packed" : "without reuse") +
                     ": " + result->reports.front().message,
                 ""};
    return failure();
  }
  return failure();
}

/// The workgroup bytes of the only kernel.
static int64_t getWorkgroupBytes(ModuleOp module) {
  return getKernels(module)
      .front()
      ->getAttrOfType<IntegerAttr>(kWorkgroupBytesAttr)
      .getInt();
}

/// The bytes that the budget says of the kernel before it is packed; none when
/// it refuses.
static std::optional<int64_t> predictBytes(ModuleOp module,
                                           const CheckOptions &options) {
  OwningOpRef<ModuleOp> clone(module.clone());
  PassManager pm(module.getContext());
  MemSpaceCheckBudgetOptions budget;
  budget.chip = options.chip;
  pm.addPass(createMemSpaceCheckBudget(budget));
  if (failed(pm.run(*clone)))
    return std::nullopt;
  return getWorkgroupBytes(*clone);
}

CheckResult fuzz::checkSpmd(ModuleOp module, const CheckOptions &options) {
  ErrorCollector errors(module.getContext());
  if (getKernels(module).size() != 1)
    return {Verdict::NotJudged, "the module must have one kernel", ""};
  CheckResult verdict{Verdict::NotJudged, "", ""};
  FailureOr<emulator::Result> expected =
      runReference(module, options, errors, verdict);
  if (failed(expected))
    return verdict;

  OwningOpRef<ModuleOp> packed =
      compileSpmd(module, SpmdLayout::Reuse, options);
  if (!packed)
    return {Verdict::Difference, "refused only with reuse: " + errors.take(),
            ""};
  if (std::string bad = findBadFigures(*packed); !bad.empty())
    return {Verdict::Difference, "figures: " + bad, ""};
  // The budget knows nothing of other objectives, and inlines nothing.
  if (getObjective(options) == "balanced" && !hasCalleeBuffers(module)) {
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
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip_equal(result->arguments, expected->arguments)))
    if (auto &[now, then] = pair; !now.equals(then))
      return {Verdict::Difference,
              "argument " + std::to_string(i) + ": " +
                  now.describeDifference(then),
              ""};
  CheckResult ok{Verdict::Ok, "", ""};
  for (FunctionOpInterface kernel : getKernels(*packed)) {
    auto get = [&](StringRef name) {
      return kernel->getAttrOfType<IntegerAttr>(name).getInt();
    };
    ok.isReused = get(kWorkgroupBytesAttr) < get(kSumBytesAttr);
  }
  return ok;
}
