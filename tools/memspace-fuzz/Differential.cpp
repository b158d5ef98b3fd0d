//===- Differential.cpp - the pipeline's kernel against the tensor program
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Differential.h"
#include "ErrorCollector.h"
#include "Interpreter.h"
#include "LieDialect.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "SecondOpinion.h"
#include "VerifierRuns.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

StringRef fuzz::getName(Verdict verdict) {
  static constexpr llvm::StringLiteral names[] = {
      "ok", "refused", "difference", "reports", "crash", "not judged"};
  return names[unsigned(verdict)];
}

/// Whether the kernel only writes `argument`, as a whole or in part.
static bool isOutput(BlockArgument argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(), [&](Operation *user) {
           auto op = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
           return op && op.getDest() == argument;
         });
}

/// Seeded contents. What the kernel only writes stays uninitialized for half of
/// the seeds: then the kernel must not read it, and otherwise what it does not
/// write must stay.
static SmallVector<emulator::HostBuffer>
makeArguments(FunctionOpInterface kernel, const CheckOptions &options) {
  SmallVector<emulator::HostBuffer> arguments;
  for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
    Type type = argument.getType();
    SmallVector<int64_t> shape;
    if (auto shaped = dyn_cast<ShapedType>(type))
      for (int64_t extent : shaped.getShape())
        shape.push_back(ShapedType::isDynamic(extent) ? options.dynamicSize
                                                      : extent);
    Type elementType = getElementTypeOrSelf(type);
    if (isOutput(argument) && options.inputSeed % 2 == 0)
      arguments.push_back(
          emulator::HostBuffer::uninitialized(elementType, shape));
    else
      arguments.push_back(emulator::HostBuffer::random(
          elementType, shape, options.inputSeed + 0x9E3779B9 * i));
  }
  return arguments;
}

static void buildPipeline(PassManager &pm, const CheckOptions &options) {
  KernelPipelineOptions pipeline;
  pipeline.chip = options.chip;
  pipeline.workgroupLimit = options.workgroupLimit;
  pipeline.privateLimit = options.privateLimit;
  pipeline.padding = options.padding;
  pipeline.iterationGuards = options.hasIterationGuards();
  addPasses(pm, options.canonicalization, [&](OpPassManager &passes) {
    buildKernelPipeline(passes, pipeline);
    passes.addPass(lie::createLieToLoopsPass());
  });
}

namespace {
/// Verifies what each pass that says it succeeded leaves behind.
class PassVerifier : public PassInstrumentation {
public:
  PassVerifier(std::string &culprit) : culprit(culprit) {}
  void runAfterPass(Pass *pass, Operation *op) override {
    if (culprit.empty() && failed(verify(op)))
      culprit = pass->getArgument().str();
  }

private:
  std::string &culprit;
};
} // namespace

/// A refusal is a pass that fails. The pass manager does not tell it from a
/// pass that leaves invalid IR: names that pass, if there is one.
static std::string findPassThatBreaks(ModuleOp module,
                                      const CheckOptions &options) {
  OwningOpRef<ModuleOp> clone(module.clone());
  std::string culprit;
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addInstrumentation(std::make_unique<PassVerifier>(culprit));
  buildPipeline(pm, options);
  (void)pm.run(*clone);
  return culprit;
}

/// Without one, the kernel is written for one workgroup.
static bool hasBlockForall(FunctionOpInterface kernel) {
  bool found = false;
  kernel->walk([&](scf::ForallOp forall) {
    if (ArrayAttr mapping = forall.getMappingAttr())
      found |= llvm::any_of(mapping, llvm::IsaPred<gpu::GPUBlockMappingAttr>);
  });
  return found;
}

std::string fuzz::findBadFigures(ModuleOp module) {
  std::string message;
  for (FunctionOpInterface kernel : getKernels(module)) {
    auto get = [&](StringRef name) {
      auto attr = kernel->getAttrOfType<IntegerAttr>(name);
      return attr ? attr.getInt() : -1;
    };
    int64_t peak = get(kPeakLiveBytesAttr), packed = get(kWorkgroupBytesAttr),
            sum = get(kSumBytesAttr);
    if (0 <= peak && peak <= packed && packed <= sum)
      continue;
    llvm::raw_string_ostream(message)
        << "peak " << peak << ", packed " << packed << " and sum " << sum
        << " bytes do not ascend";
  }
  return message;
}

namespace {
/// One kernel of a module, what it is given and what it must compute.
struct Judged {
  StringRef name;
  SmallVector<emulator::HostBuffer> arguments;
  Interpretation expected;
  /// The kernel says which blocks there are.
  bool hasBlocks;
};
} // namespace

/// Interprets every kernel of `module`; the verdict on a program that has no
/// meaning goes to `verdict`.
static FailureOr<std::vector<Judged>>
interpretKernels(ModuleOp module, const CheckOptions &options,
                 ErrorCollector &errors, CheckResult &verdict) {
  verdict.verdict = Verdict::NotJudged;
  std::vector<Judged> kernels;
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    SmallVector<emulator::HostBuffer> arguments =
        makeArguments(kernel, options);
    InterpreterOptions limits;
    if (options.maxSteps > 0)
      limits.maxSteps = options.maxSteps;
    FailureOr<Interpretation> expected = interpret(kernel, arguments, limits);
    if (failed(expected)) {
      verdict.detail = errors.take();
      return failure();
    }
    if (expected->undefinedUses > 0) {
      verdict.detail =
          "the program computes with elements that nobody has written";
      return failure();
    }
    kernels.push_back({kernel.getName(), std::move(arguments),
                       std::move(*expected), hasBlockForall(kernel)});
  }
  if (kernels.empty()) {
    verdict.detail = "the module has no kernel";
    return failure();
  }
  return kernels;
}

/// Runs the kernel of that name as the pipeline has made it.
static CheckResult checkCompiled(ModuleOp module, const Judged &kernel,
                                 const CheckOptions &options,
                                 ErrorCollector &errors) {
  // The pipeline knows the target from an option that the IR does not repeat.
  emulator::CompileOptions compile;
  compile.kernel = kernel.name.str();
  if (std::optional<TargetInfo> target = lookupTarget(options.chip))
    compile.subgroupSize = target->subgroupSize;
  FailureOr<emulator::Kernel> compiled =
      emulator::Kernel::compile(module, compile);
  if (failed(compiled))
    return {Verdict::Crash, "the emulator refuses the kernel: " + errors.take(),
            ""};
  emulator::LaunchOptions launch;
  launch.orders = options.orders;
  launch.seed = options.inputSeed;
  launch.maxSteps =
      options.maxSteps > 0 ? uint64_t(options.maxSteps) : uint64_t(1) << 28;
  if (compiled->getKnownGrid()[0] == 0 && kernel.hasBlocks)
    launch.grid = {options.grid, 1, 1};
  FailureOr<emulator::Result> result = compiled->run(kernel.arguments, launch);
  if (failed(result))
    return {Verdict::Crash,
            "the emulator refuses to run the kernel: " + errors.take(), ""};
  if (llvm::any_of(result->reports, [&](const emulator::Report &report) {
        return options.maxSteps > 0 &&
               report.kind == emulator::ReportKind::Deadlock &&
               StringRef(report.message).contains("steps");
      }))
    return {Verdict::NotJudged, "the kernel takes too many steps", ""};
  std::string difference =
      describeDifference(result->arguments, kernel.expected);
  // What is undefined in the program may be so in the kernel.
  // A mutant, of limited steps, may also race for it.
  if (kernel.expected.undefinedWrites > 0 && !result->isClean() &&
      (options.maxSteps > 0 ||
       result->getNumUninitializedReads() == int64_t(result->reports.size())))
    return {Verdict::NotJudged,
            "the program writes elements that nobody has written to memory",
            ""};
  CheckResult verdict{Verdict::Ok, "", ""};
  if (!result->isClean())
    verdict = {Verdict::Reports, result->reports.front().message, ""};
  if (!difference.empty()) {
    verdict.verdict =
        result->isClean() ? Verdict::Difference : Verdict::Reports;
    verdict.detail += (verdict.detail.empty() ? "" : "; ") + difference;
  }
  return verdict;
}

/// What upstream makes of the kernel of that name, forwards and backwards.
static std::string askUpstream(ModuleOp module, const Judged &kernel) {
  std::string opinions;
  for (bool isReversed : {false, true}) {
    std::string opinion = getSecondOpinion(
        module, kernel.name, kernel.arguments, kernel.expected, isReversed);
    if (!opinion.empty())
      opinions += std::string(opinions.empty() ? "" : "; ") +
                  (isReversed ? "reversed: " : "forwards: ") + opinion;
  }
  return opinions;
}

CheckResult fuzz::check(ModuleOp module, const CheckOptions &options,
                        bool askSecondOpinion) {
  ErrorCollector errors(module.getContext());
  CheckResult verdict{Verdict::Ok, "", ""};
  FailureOr<std::vector<Judged>> kernels =
      interpretKernels(module, options, errors, verdict);
  if (failed(kernels))
    return verdict;

  OwningOpRef<ModuleOp> clone(module.clone());
  PassManager pm(module.getContext());
  buildPipeline(pm, options);
  if (failed(pm.run(*clone))) {
    std::string diagnostic = errors.take();
    std::string culprit = findPassThatBreaks(module, options);
    // The kernel was right until the pipeline made it a wrong one.
    if (StringRef(diagnostic).starts_with("data race") ||
        StringRef(diagnostic).contains(" that only some threads "))
      return {Verdict::Reports, "the pipeline makes a " + diagnostic, ""};
    if (culprit.empty())
      return {Verdict::Refused, diagnostic, ""};
    return {Verdict::Crash, culprit + " leaves invalid IR: " + diagnostic, ""};
  }
  if (std::string bad = findBadFigures(*clone); !bad.empty())
    return {Verdict::Difference, bad, ""};
  std::string warning = errors.takeWarning();
  if (std::string hidden = findHiddenRace(*clone, options, errors);
      !hidden.empty())
    return {Verdict::Reports, "where each pair is asked for: " + hidden, ""};
  for (const Judged &kernel : *kernels) {
    verdict = checkCompiled(*clone, kernel, options, errors);
    bool isOk = verdict.verdict == Verdict::Ok;
    if (!isOk && kernels->size() > 1)
      verdict.detail = kernel.name.str() + ": " + verdict.detail;
    if (!isOk || askSecondOpinion)
      verdict.secondOpinion = askUpstream(module, kernel);
    if (!isOk || !verdict.secondOpinion.empty())
      break;
  }
  verdict.alarm = std::move(warning);
  return verdict;
}
