//===- memspace-mutate.cpp - does the emulator notice? --------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutation testing of the emulator: makes one small mistake after the other in
// a kernel that is right, and runs each mutant. A mutant is killed when the
// emulator reports something or the results differ; it is equivalent when a
// rule says from the IR that it means the same; else it survives, and either
// the emulator missed a mistake or the kernel has something that it does not
// need. A mutant of a barrier that has a race must not be verified.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/Emulator/ArgumentSpec.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Target/TargetInfo.h"
#include "Mutations.h"
#include "ToolOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <map>

using namespace mlir;
using namespace mlir::memspace;
namespace cl = llvm::cl;

static cl::OptionCategory category("memspace-mutate options");
static cl::opt<std::string> inputFile(cl::Positional, cl::init("-"),
                                      cl::desc("<kernel.mlir>"),
                                      cl::cat(category));
static cl::opt<std::string> chip("chip",
                                 cl::desc("Chip that has the subgroup size"),
                                 cl::cat(category));
static cl::opt<std::string> gridText("grid", cl::desc("As of memspace-runner"),
                                     cl::cat(category));
static cl::list<std::string>
    argumentTexts("arg", cl::desc("As of memspace-runner"), cl::cat(category));
static cl::list<std::string>
    shapeTexts("shape", cl::desc("As of memspace-runner"), cl::cat(category));
static cl::list<std::string>
    alternativeTexts("also-arg",
                     cl::desc("Another value of an argument, for one more run"),
                     cl::cat(category));
static cl::opt<bool> verbose("list",
                             cl::desc("Print the killed mutants as well"),
                             cl::cat(category));
static cl::opt<bool> printSurvivors("print-survivors",
                                    cl::desc("Print the IR of survivors"),
                                    cl::cat(category));

/// Exit statuses.
enum Status { kAllKilled = 0, kSurvivors = 1, kBadInput = 2 };

static Status fail(const Twine &message) {
  llvm::errs() << "memspace-mutate: error: " << message << "\n";
  return kBadInput;
}

static std::string printLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto position = loc->findInstanceOf<FileLineColLoc>())
    os << "line " << position.getLine();
  else
    os << loc;
  return text;
}

namespace {
class MutationTest {
public:
  MutationTest(ModuleOp module, const emulator::CompileOptions &compile,
               const emulator::LaunchOptions &launch)
      : module(module), compile(compile), launch(launch) {}

  Status run();

private:
  FunctionOpInterface findKernel(ModuleOp in);
  LogicalResult makeInputs(const emulator::Kernel &kernel);
  /// What the emulator says of the module, empty when it is content. `races`,
  /// if given, is set when that is a race or a divergent barrier.
  std::string getObjection(ModuleOp mutant, bool *races = nullptr);
  /// True when BarrierVerifier says that the mutant has no race.
  bool isVerified(ModuleOp mutant);
  /// Why the mutant means the same for these inputs, from a comparison of all
  /// accesses; empty when that does not show it.
  std::string findEquivalence(const Mutation &mutation, ModuleOp mutant);

  ModuleOp module;
  emulator::CompileOptions compile;
  emulator::LaunchOptions launch;
  /// Sets of arguments, and what the kernel makes of them.
  SmallVector<SmallVector<emulator::HostBuffer>> inputs, expected;
  unsigned killed = 0, equivalent = 0, survived = 0;
  unsigned verified = 0, missed = 0;
  int64_t subgroupSize = 0;
};
} // namespace

FunctionOpInterface MutationTest::findKernel(ModuleOp in) {
  FunctionOpInterface kernel;
  in->walk([&](FunctionOpInterface function) {
    if (function.getName() == compile.kernel)
      kernel = function;
  });
  return kernel;
}

std::string MutationTest::getObjection(ModuleOp mutant, bool *races) {
  std::string error;
  ScopedDiagnosticHandler handler(mutant.getContext(), [&](Diagnostic &diag) {
    error = diag.str();
    return success();
  });
  auto kernel = emulator::Kernel::compile(mutant, compile);
  if (failed(kernel))
    return "refused: " + error;
  for (auto [input, wanted] : llvm::zip_equal(inputs, expected)) {
    auto result = kernel->run(input, launch);
    if (failed(result))
      return "refused: " + error;
    if (races)
      *races |= result->getNumRaces() || result->getNumDivergentBarriers();
    if (!result->isClean())
      return result->reports.front().message;
    for (auto [i, got] : llvm::enumerate(result->arguments))
      if (!got.equals(wanted[i]))
        return "argument " + std::to_string(i) + ": " +
               got.describeDifference(wanted[i]);
    if (!result->orderDependentArguments.empty())
      return "argument " +
             std::to_string(result->orderDependentArguments.front()) +
             " depends on the order of threads";
  }
  return "";
}

bool MutationTest::isVerified(ModuleOp mutant) {
  FunctionOpInterface kernel = findKernel(mutant);
  TargetInfo target;
  target.subgroupSize = subgroupSize;
  FailureOr<KernelContext> context = KernelContext::create(kernel, target);
  return succeeded(context) && BarrierVerifier(*context).isRaceFree();
}

/// The definition of a race, for all pairs of accesses to each byte: no code of
/// the emulator's shadow memory, and no memory of what came first.
static bool isRaceFree(ArrayRef<emulator::TracedAccess> accesses) {
  using emulator::TracedAccess;
  std::map<std::pair<uint64_t, int64_t>, std::vector<const TracedAccess *>>
      bytes;
  for (const TracedAccess &access : accesses)
    for (int64_t i = 0; i < access.size; ++i)
      bytes[{access.memory, access.begin + i}].push_back(&access);
  for (const auto &[place, users] : bytes)
    for (const TracedAccess *a : users)
      for (const TracedAccess *b : users) {
        if ((!a->isWrite && !b->isWrite) || (a->isAtomic && b->isAtomic) ||
            (a->workgroup == b->workgroup && a->thread == b->thread))
          continue;
        if (a->workgroup != b->workgroup)
          return false;
        bool isOrdered = a->epoch != b->epoch || (a->subgroup == b->subgroup &&
                                                  a->subEpoch != b->subEpoch);
        if (!isOrdered)
          return false;
      }
  return true;
}

/// No byte of the buffer or view made at `loc` is accessed by two threads.
static bool isOfOneThreadEach(ArrayRef<emulator::TracedAccess> accesses,
                              Location loc) {
  std::map<std::pair<uint64_t, int64_t>, int64_t> threads;
  for (const emulator::TracedAccess &access : accesses)
    for (int64_t i = 0; access.buffer == loc && i < access.size; ++i) {
      auto [it, isNew] =
          threads.try_emplace({access.memory, access.begin + i}, access.thread);
      if (it->second != access.thread)
        return false;
    }
  return true;
}

std::string MutationTest::findEquivalence(const Mutation &mutation,
                                          ModuleOp mutant) {
  bool isPrivate = mutation.kind == MutationKind::WorkgroupToPrivate;
  if (!mutation.isOfBarrier() && !isPrivate)
    return "";
  auto kernel = emulator::Kernel::compile(isPrivate ? module : mutant, compile);
  if (failed(kernel))
    return "";
  for (const auto &input : inputs) {
    std::vector<emulator::TracedAccess> accesses;
    emulator::LaunchOptions traced = launch;
    traced.onAccess = [&](const emulator::TracedAccess &access) {
      accesses.push_back(access);
    };
    if (failed(kernel->run(input, traced)) ||
        !(isPrivate ? isOfOneThreadEach(accesses, mutation.loc)
                    : isRaceFree(accesses)))
      return "";
  }
  return isPrivate
             ? "no two threads access one byte of it (all accesses compared)"
             : "no two accesses need the barrier (all pairs compared)";
}

LogicalResult MutationTest::makeInputs(const emulator::Kernel &kernel) {
  auto add = [&](ArrayRef<std::string> texts) {
    auto made =
        emulator::makeArguments(kernel.getArgumentTypes(), texts, shapeTexts);
    if (!made)
      return (void)fail(llvm::toString(made.takeError())), failure();
    inputs.push_back(std::move(*made));
    return success();
  };
  if (failed(add(argumentTexts)))
    return failure();
  for (const std::string &alternative : alternativeTexts) {
    StringRef number = StringRef(alternative).split(':').first;
    SmallVector<std::string> texts;
    for (const std::string &text : argumentTexts)
      if (StringRef(text).split(':').first != number)
        texts.push_back(text);
    texts.push_back(alternative);
    if (failed(add(texts)))
      return failure();
  }
  return success();
}

Status MutationTest::run() {
  auto kernel = emulator::Kernel::compile(module, compile);
  if (failed(kernel))
    return kBadInput;
  compile.kernel = kernel->getName().str();
  subgroupSize = kernel->getSubgroupSize();
  if (failed(makeInputs(*kernel)))
    return kBadInput;
  for (const auto &input : inputs) {
    auto result = kernel->run(input, launch);
    if (failed(result))
      return kBadInput;
    if (!result->isClean()) {
      result->emitReports();
      return fail("the kernel itself is not right: " + result->getSummary());
    }
    expected.push_back(result->arguments);
  }

  for (const Mutation &mutation : getMutations(findKernel(module))) {
    OwningOpRef<ModuleOp> mutant = module.clone();
    apply(mutation, findKernel(*mutant));
    std::string what =
        printLocation(mutation.loc) + ": " + mutation.description;
    bool races = false;
    std::string objection = getObjection(*mutant, &races);
    // An index that is out of bounds may be anywhere.
    if (mutation.isOfBarrier() && isVerified(*mutant)) {
      ++verified;
      missed += races;
      if (races)
        llvm::outs() << "VERIFIED: " << what << ": " << objection << "\n";
    }
    if (!objection.empty()) {
      ++killed;
      if (verbose)
        llvm::outs() << "killed: " << what << ": " << objection << "\n";
      // A rule that is wrong would excuse what the emulator misses.
      if (!mutation.equivalence.empty())
        return fail(what + ": is equivalent by rule (" + mutation.equivalence +
                    "), but: " + objection);
    } else if (!mutation.equivalence.empty()) {
      ++equivalent;
      llvm::outs() << "equivalent: " << what << ": " << mutation.equivalence
                   << "\n";
    } else if (std::string reason = findEquivalence(mutation, *mutant);
               !reason.empty()) {
      ++equivalent;
      llvm::outs() << "equivalent: " << what << ": " << reason << "\n";
    } else {
      ++survived;
      llvm::outs() << "SURVIVED: " << what << "\n";
      if (printSurvivors)
        llvm::outs() << *mutant << "\n";
    }
  }
  llvm::outs() << "mutants: " << killed + equivalent + survived
               << ", killed: " << killed << ", equivalent: " << equivalent
               << ", survived: " << survived << "\n";
  if (verified)
    llvm::outs() << "verified mutants of barriers: " << verified
                 << ", of them with a race: " << missed << "\n";
  return survived || missed ? kSurvivors : kAllKilled;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  addVersionPrinter();
  cl::ParseCommandLineOptions(argc, argv,
                              "Makes small mistakes in a right kernel and sees "
                              "whether the emulator notices.\n"
                              "Exit status: 0 when all mutants are killed or "
                              "equivalent, 1 when one survives or\n"
                              "memspace-verify-barriers passes one that "
                              "races,\n"
                              "2 for bad input.\n");

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<MemSpaceDialect>();
  memspace::registerUniformityModels(registry);
  memspace::registerMemoryModels(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(inputFile, sources, &context);
  if (!module)
    return kBadInput;

  emulator::CompileOptions compile;
  if (!chip.empty()) {
    std::optional<TargetInfo> target = lookupTarget(chip);
    if (!target)
      return fail("unknown chip '" + chip + "'; known are " + getKnownChips());
    compile.subgroupSize = target->subgroupSize;
  }
  emulator::LaunchOptions launch;
  // Races are found in any order; a second order shows wrong results.
  launch.orders = 2;
  launch.maxSteps = 1 << 26;
  auto grid = emulator::parseDim3(gridText, "grid");
  if (!grid)
    return fail(llvm::toString(grid.takeError()));
  launch.grid = *grid;
  return MutationTest(*module, compile, launch).run();
}
