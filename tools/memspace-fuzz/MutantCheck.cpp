//===- MutantCheck.cpp - every pass on a program that nobody wrote -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantCheck.h"
#include "ErrorCollector.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Target/TargetInfo.h"
#include "Mutations.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

//===----------------------------------------------------------------------===//
// What there is to try
//===----------------------------------------------------------------------===//

static bool parses(StringRef pipeline) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  PassManager pm(&context);
  std::string ignored;
  llvm::raw_string_ostream os(ignored);
  return succeeded(parsePassPipeline(pipeline, pm, os));
}

std::vector<PassToTry> fuzz::getPassesToTry() {
  // The registry has no list; its command line parser makes an option of each
  // entry.
  static PassPipelineCLParser entries("", "");
  std::vector<PassToTry> passes;
  for (auto &option : llvm::cl::getRegisteredOptions()) {
    StringRef name = option.first;
    if (!name.starts_with("memspace-") || !parses(name))
      continue;
    passes.push_back({name.str(), parses((name + "{chip=sm_90}").str()),
                      name.contains("rocdl") || name.contains("nvvm")});
  }
  llvm::sort(passes, [](const PassToTry &a, const PassToTry &b) {
    return a.name < b.name;
  });
  return passes;
}

//===----------------------------------------------------------------------===//
// One pass
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kVerified = "verified";

namespace {
/// The first pass of a pipeline that leaves invalid IR though it succeeds.
class InvalidIRFinder : public PassInstrumentation {
public:
  InvalidIRFinder(std::string &culprit) : culprit(culprit) {}
  void runAfterPass(Pass *pass, Operation *op) override {
    if (culprit.empty() && failed(verify(op)))
      culprit = pass->getArgument().str();
  }

private:
  std::string &culprit;
};

class MutantCheck {
public:
  MutantCheck(MLIRContext &context, ArrayRef<PassToTry> passes, Random &rng,
              const JobLog &log)
      : context(context), passes(passes), rng(rng), log(log) {}

  CheckResult run(ModuleOp module);

private:
  /// True when something is wrong; it is in `result` then.
  bool tryPass(ModuleOp module, const PassToTry &pass, bool isFirst);
  bool tryEmulator(ModuleOp module, StringRef claim, StringRef options = "");
  bool tryMeaning(ModuleOp module);
  std::string chooseOptions(const PassToTry &pass);
  bool fail(Verdict verdict, const Twine &detail) {
    result = {verdict, detail.str(), ""};
    return true;
  }

  MLIRContext &context;
  ArrayRef<PassToTry> passes;
  Random &rng;
  const JobLog &log;
  CheckResult result{Verdict::Ok, "", ""};
};
} // namespace

std::string MutantCheck::chooseOptions(const PassToTry &pass) {
  if (!pass.hasTarget)
    return pass.name;
  static constexpr StringRef chips[] = {"gfx942", "sm_90", "gfx1100"};
  StringRef chip = rng.pick(chips);
  // The other backend's chip is a mistake that is found at once.
  if (StringRef(pass.name).contains("rocdl"))
    chip = "gfx942";
  if (StringRef(pass.name).contains("nvvm"))
    chip = "sm_90";
  std::string options = rng.chance(85) ? "chip=" + chip.str() : "";
  static constexpr StringRef limits[] = {"workgroup-limit", "private-limit",
                                         "subgroup-size"};
  if (rng.chance(10))
    options +=
        (" " + rng.pick(limits) + "=" + Twine(pickExtreme(rng, 32))).str();
  return pass.name + "{" + options + "}";
}

/// What is said of a pass behind `name=`; empty when nothing is.
static StringRef getOption(StringRef options, StringRef name) {
  return options.split((name + "=").str()).second.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '-';
  });
}

/// The subgroup size for which a pass was run; 0 when the IR says.
static int64_t getSubgroupSize(StringRef options) {
  int64_t size = 0;
  if (!getOption(options, "subgroup-size").getAsInteger(10, size) && size > 0)
    return size;
  // Numbers without a chip are those of a generic GPU.
  StringRef chip = getOption(options, "chip");
  if (chip.empty() && options.contains("-limit="))
    return TargetInfo().subgroupSize;
  std::optional<TargetInfo> target = lookupTarget(chip);
  return target ? target->subgroupSize : 0;
}

/// What must be true of a claim that a kernel has no race. Promises of the
/// input are believed, and its memory is as it says.
static bool isJudgeable(ModuleOp module) {
  bool hasPromise = false;
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      hasPromise |= attribute.getName().strref().contains("disjoint");
  });
  return !hasPromise;
}

/// Ops that exchange values in a subgroup, which no pass inserts.
static bool hasSubgroupOps(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return WalkResult(failure(
            isa<gpu::ShuffleOp, gpu::RotateOp, gpu::SubgroupReduceOp>(op)));
      })
      .wasInterrupted();
}

/// Workgroup memory in what is a kernel for everybody, though for no pass.
static bool hasForgottenKernel(ModuleOp module) {
  bool found = false;
  module.walk([&](Operation *op) {
    auto function = dyn_cast<gpu::GPUFuncOp>(op);
    if (!isa<gpu::LaunchOp>(op) && !(function && function.isKernel()))
      return;
    if (function && function->hasAttr("gpu.known_block_size"))
      return;
    op->walk([&](Operation *inner) {
      for (Value result : inner->getResults())
        if (auto memref = dyn_cast<MemRefType>(result.getType()))
          found |= isWorkgroupMemory(memref, MemorySpaceMapping());
    });
  });
  return found && getKernels(module).empty();
}

bool MutantCheck::tryPass(ModuleOp module, const PassToTry &pass,
                          bool isFirst) {
  std::string options = chooseOptions(pass);
  log.enter(options);
  OwningOpRef<ModuleOp> clone(module.clone());
  PassManager pm(&context);
  pm.enableVerifier(false);
  std::string culprit, ignored;
  llvm::raw_string_ostream os(ignored);
  if (failed(parsePassPipeline(options, pm, os)))
    return fail(Verdict::Crash, options + ": cannot be parsed: " + ignored);
  pm.addInstrumentation(std::make_unique<InvalidIRFinder>(culprit));
  int64_t errors = 0, others = 0;
  bool succeeds;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      ++(diagnostic.getSeverity() == DiagnosticSeverity::Error ? errors
                                                               : others);
      return success();
    });
    succeeds = succeeded(pm.run(*clone));
    if (!culprit.empty())
      return fail(Verdict::Crash,
                  options + ": " + culprit + " succeeds and leaves invalid IR");
    if (!succeeds && failed(verify(*clone)))
      return fail(Verdict::Crash, options + ": fails and leaves invalid IR");
  }
  if (!succeeds)
    return errors == 0 &&
           fail(Verdict::Crash, options + ": fails and does not say why");
  StringRef name = pass.name;
  bool saysNothing = errors == 0 && others == 0;
  static constexpr StringRef judges[] = {
      "memspace-check-budget", "memspace-insert-barriers",
      "memspace-pack-workgroup-memory", "memspace-verify-barriers"};
  if (saysNothing && llvm::is_contained(judges, name) &&
      hasForgottenKernel(module))
    return fail(Verdict::Reports,
                options + ": succeeds and says nothing of a kernel whose block "
                          "size is not known");
  if (name == "memspace-verify-barriers" && saysNothing)
    return tryEmulator(*clone, kVerified, options);
  if (name == "memspace-insert-barriers" && saysNothing)
    return tryEmulator(*clone, "with barriers", options);
  // What one pass leaves, another one may get.
  if (isFirst && !pass.isBackend && rng.chance(20))
    return tryPass(*clone, rng.pick(passes), /*isFirst=*/false);
  return false;
}

//===----------------------------------------------------------------------===//
// The emulator
//===----------------------------------------------------------------------===//

/// Seeded arguments; nothing when they are too large to be tried.
static std::optional<SmallVector<emulator::HostBuffer>>
makeArguments(ArrayRef<Type> types, uint64_t seed) {
  static constexpr int64_t kMostElements = 1 << 18;
  SmallVector<emulator::HostBuffer> arguments;
  for (Type type : types) {
    SmallVector<int64_t> shape;
    int64_t elements = 1;
    if (auto shaped = dyn_cast<ShapedType>(type))
      for (int64_t extent : shaped.getShape()) {
        shape.push_back(ShapedType::isDynamic(extent) ? 16 : extent);
        if (shape.back() > kMostElements ||
            (elements *= shape.back()) > kMostElements)
          return std::nullopt;
      }
    arguments.push_back(emulator::HostBuffer::random(
        getElementTypeOrSelf(type), shape, seed + arguments.size()));
  }
  return arguments;
}

/// `claim`: what has been said of the kernel for `chip`; empty when nothing
/// has.
bool MutantCheck::tryEmulator(ModuleOp module, StringRef claim,
                              StringRef options) {
  log.enter(claim.empty() ? StringRef("emulator")
                          : StringRef("emulator, of what is verified"));
  ErrorCollector errors(&context);
  // A kernel of several is one of them.
  emulator::CompileOptions compile;
  SmallVector<FunctionOpInterface> kernels = getKernels(module);
  if (!kernels.empty())
    compile.kernel = kernels[rng.below(kernels.size())].getName().str();
  // The IR does not repeat the options.
  compile.subgroupSize = std::min<int64_t>(getSubgroupSize(options), 1024);
  FailureOr<emulator::Kernel> kernel =
      emulator::Kernel::compile(module, compile);
  if (failed(kernel))
    return errors.take().empty() &&
           fail(Verdict::Crash, "emulator: refuses and does not say why");
  emulator::LaunchOptions launch;
  launch.maxSteps = 1 << 18;
  launch.orders = 2;
  if (kernel->getKnownBlock()[0] == 0)
    launch.block = {64, 1, 1};
  auto isSmall = [](emulator::Dim3 dims, int64_t most) {
    return dims[0] <= most && dims[1] <= most && dims[2] <= most &&
           dims[0] * dims[1] * dims[2] <= most;
  };
  auto arguments = makeArguments(kernel->getArgumentTypes(), rng.next());
  if (!arguments || !isSmall(kernel->getKnownBlock(), 1024) ||
      !isSmall(kernel->getKnownGrid(), 64))
    return false;
  FailureOr<emulator::Result> run = kernel->run(*arguments, launch);
  if (failed(run) || claim.empty() || run->getNumOutOfBounds() > 0 ||
      !isJudgeable(module))
    return false;
  for (const emulator::Report &report : run->reports) {
    // Placement may leave threads alone that execute one op at once, and ops of
    // the input that all threads of a subgroup must reach.
    bool isOneOp = report.other && report.at.loc == report.other->loc;
    bool isSubgroupOp = hasSubgroupOps(module) &&
                        StringRef(report.message).contains("subgroup op");
    if ((report.kind == emulator::ReportKind::Race &&
         (claim == kVerified || !isOneOp)) ||
        (report.kind == emulator::ReportKind::DivergentBarrier &&
         (claim == kVerified || !isSubgroupOp)))
      return fail(Verdict::Reports, claim + ", but " + report.message);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The meaning of tensor kernels
//===----------------------------------------------------------------------===//

/// True when `op` stands where each execution of `kernel` comes by.
static bool isUnconditional(Operation *op, FunctionOpInterface kernel) {
  return op->getBlock() == &kernel.getFunctionBody().front();
}

/// Whether all that `restrict` says is true: one tensor for each memref, which
/// is updated or not. What is updated must be written at the end, since in
/// place it is written before.
static bool keepsRestrict(ModuleOp module) {
  bool isTrue = true;
  module.walk([&](FunctionOpInterface kernel) {
    for (BlockArgument argument : kernel.getArguments()) {
      int64_t readers = 0, updaters = 0, writers = 0;
      bool isWritten = false;
      for (Operation *user : argument.getUsers())
        if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(user))
          ++(toTensor.getWritable() ? updaters : readers);
        else {
          ++writers;
          isWritten |= isUnconditional(user, kernel);
        }
      isTrue &= updaters == 0 || isWritten;
      isTrue &= readers + updaters <= 1 && writers <= 1 &&
                (readers == 0 || writers == 0);
    }
  });
  return isTrue;
}

/// More threads than the emulator runs in the steps that a mutant gets.
static bool hasManyThreads(FunctionOpInterface kernel) {
  static constexpr int64_t kMostThreads = 2048;
  int64_t threads = 1;
  for (StringRef name : {"gpu.known_block_size", "gpu.known_grid_size"})
    if (auto sizes = kernel->getAttrOfType<DenseI32ArrayAttr>(name))
      for (int64_t size : sizes.asArrayRef())
        if (llvm::MulOverflow(threads, size, threads))
          return true;
  return threads > kMostThreads;
}

/// True when a kernel spreads work over blocks and does not say over how many.
static bool hasUnknownGrid(ModuleOp module) {
  bool isUnknown = false;
  module.walk([&](scf::ForallOp forall) {
    std::optional<ForallMapping> mapping = getForallMapping(forall);
    auto kernel = forall->getParentOfType<FunctionOpInterface>();
    isUnknown |= mapping && mapping->scope == ExecutionScope::Workgroup &&
                 kernel && !kernel->hasAttr("gpu.known_grid_size");
  });
  return isUnknown;
}

/// A function that is no kernel any more stays on tensors, which nothing runs.
static bool hasOnlyKernels(ModuleOp module) {
  size_t functions = 0;
  module.walk([&](FunctionOpInterface function) {
    functions += !function.isExternal();
  });
  return functions != 0 && functions == getKernels(module).size();
}

bool MutantCheck::tryMeaning(ModuleOp module) {
  bool hasTensors = false;
  module.walk([&](bufferization::ToTensorOp) { hasTensors = true; });
  if (!hasTensors || !keepsRestrict(module) || !hasOnlyKernels(module) ||
      hasUnknownGrid(module))
    return false;
  for (auto kernel : module.getOps<FunctionOpInterface>())
    if (!makeArguments(kernel.getArgumentTypes(), 1) || hasManyThreads(kernel))
      return false;
  static constexpr StringRef chips[] = {"gfx942", "sm_90", "gfx1100"};
  CheckOptions options;
  options.chip = rng.pick(chips).str();
  options.inputSeed = rng.next() >> 1;
  options.dynamicSize = 16;
  options.maxSteps = 1 << 18;
  log.enter("meaning, " + options.toString());
  CheckResult found = check(module, options);
  // A mutant may read what nobody has written, and not use it.
  StringRef detail = found.detail;
  if (found.verdict == Verdict::Reports && !detail.contains("differ") &&
      detail.starts_with("uninitialized read"))
    return false;
  if (found.verdict == Verdict::Difference ||
      found.verdict == Verdict::Reports || found.verdict == Verdict::Crash)
    return fail(found.verdict, "meaning: " + found.detail);
  return false;
}

CheckResult MutantCheck::run(ModuleOp module) {
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < passes.size(); ++i)
    order.insert(order.begin() + rng.below(order.size() + 1), i);
  for (unsigned i : order)
    if ((!passes[i].isBackend || rng.chance(6)) &&
        tryPass(module, passes[i], /*isFirst=*/true))
      return result;
  if ((rng.chance(50) && tryEmulator(module, "")) ||
      (rng.chance(40) && tryMeaning(module)))
    return result;
  return result;
}

CheckResult fuzz::checkMutant(const DialectRegistry &registry, StringRef text,
                              ArrayRef<PassToTry> passes, Random &rng,
                              const JobLog &log) {
  log.enter("parser");
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module;
  {
    ErrorCollector errors(&context);
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {Verdict::NotJudged, errors.take(), ""};
  }
  return MutantCheck(context, passes, rng, log).run(*module);
}
