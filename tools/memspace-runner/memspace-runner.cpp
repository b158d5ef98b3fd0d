//===- memspace-runner.cpp - run a GPU kernel on the CPU and judge it -----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of MemSpace/Emulator/Emulator.h; docs/emulator.md is its
// manual.
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "LaunchTrace.h"
#include "MemSpace/Emulator/ArgumentSpec.h"
#include "MemSpace/Emulator/HostProgram.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Target/TargetInfo.h"
#include "ToolOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::memspace;
namespace cl = llvm::cl;

/// Exit statuses: 1 means that the kernel has an error, 2 that it was not run.
enum Status { kClean = 0, kFindings = 1, kBadInput = 2 };

namespace {
/// The command line. Built in `main`, because libLLVM has options of the same
/// names, which must go first.
struct Options {
  cl::OptionCategory category{"memspace-runner options"};
  cl::opt<std::string> inputFile{cl::Positional, cl::init("-"),
                                 cl::desc("<kernel.mlir>"), cl::cat(category)};
  cl::opt<std::string> kernelName{
      "kernel",
      cl::desc("Kernel, or function of the host that launches some, to run, "
               "when there are several"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> gridText{
      "grid",
      cl::desc(
          "Workgroups, when the IR does not say, not even by an expression "
          "of the arguments; needed when the kernel reads block ids"),
      cl::value_desc("x[,y[,z]]"), cl::cat(category)};
  cl::opt<std::string> blockText{
      "block", cl::desc("Threads of a workgroup, when the IR does not say"),
      cl::value_desc("x[,y[,z]]"), cl::cat(category)};
  cl::opt<unsigned> orders{
      "orders", cl::init(3),
      cl::desc("Thread orders to run: forward, reverse, then shuffled"),
      cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::init(1),
                         cl::desc("Seed of the shuffled orders"),
                         cl::cat(category)};
  cl::opt<unsigned> threads{
      "threads", cl::init(1),
      cl::desc("OS threads over which workgroups are spread"),
      cl::cat(category)};
  cl::opt<unsigned> subgroupSize{"subgroup-size", cl::init(0),
                                 cl::desc("Threads of a subgroup"),
                                 cl::cat(category)};
  cl::opt<std::string> chip{"chip", cl::desc("Chip that has the subgroup size"),
                            cl::value_desc("name"), cl::cat(category)};
  cl::opt<int64_t> dynamicBytes{
      "dynamic-workgroup-bytes", cl::init(-1),
      cl::desc("Bytes behind gpu.dynamic_shared_memory"), cl::cat(category)};
  cl::opt<uint64_t> maxSteps{
      "max-steps", cl::init(emulator::LaunchOptions().maxSteps),
      cl::desc("Steps (accesses, iterations) after which a run is given up"),
      cl::cat(category)};
  cl::opt<int64_t> maxMemory{
      "max-memory", cl::init(emulator::LaunchOptions().maxMemoryBytes),
      cl::desc("Bytes of buffers and of what is known of them"),
      cl::cat(category)};
  cl::list<std::string> argumentTexts{
      "arg", cl::desc("Contents of argument N; uninitialized without"),
      cl::value_desc("N:npy:FILE|N:random:SEED|N:iota|N:fill:VALUE"),
      cl::cat(category)};
  cl::list<std::string> shapeTexts{
      "shape", cl::desc("Shape of argument N, where the type is dynamic"),
      cl::value_desc("N:300x4"), cl::cat(category)};
  cl::list<std::string> aliasTexts{
      "alias",
      cl::desc("Put argument J into the memory of argument I, from byte BYTES "
               "on, and report where that breaks 'memspace.noalias'"),
      cl::value_desc("I:J[:BYTES]"), cl::cat(category)};
  cl::list<std::string> outputTexts{
      "out", cl::desc("Write argument N after the run"),
      cl::value_desc("N:FILE.npy"), cl::cat(category)};
  cl::opt<std::string> launchesFile{
      "launches",
      cl::desc("Run no kernel; write the launch, or those of the function of "
               "the host, as JSON"),
      cl::value_desc("FILE"), cl::cat(category)};
  cl::opt<bool> allowHeap{
      "allow-heap",
      cl::desc("Accept memref.alloc in global memory, for sequential code"),
      cl::cat(category)};
  cl::opt<bool> verbose{
      "verbose",
      cl::desc(
          "Print executed barriers, and accesses by memory space, as well"),
      cl::cat(category)};
};
} // namespace

static Options *options = nullptr;

/// Prints a mistake on the command line.
static LogicalResult fail(const Twine &message) {
  llvm::errs() << "memspace-runner: error: " << message << "\n";
  return failure();
}

/// A zero that is given is no default.
static LogicalResult checkOptions() {
  auto check = [](const auto &option, bool isGood,
                  StringRef wanted = "a positive number") {
    if (option.getNumOccurrences() == 0 || isGood)
      return success();
    return fail("--" + option.ArgStr + ": wanted is " + wanted);
  };
  return success(
      succeeded(check(options->orders, options->orders > 0)) &&
      succeeded(check(options->threads, options->threads > 0)) &&
      succeeded(check(options->subgroupSize, options->subgroupSize > 0)) &&
      succeeded(check(options->maxSteps, options->maxSteps > 0)) &&
      succeeded(check(options->maxMemory, options->maxMemory > 0)) &&
      succeeded(check(options->dynamicBytes, options->dynamicBytes >= 0,
                      "a number of bytes from 0 on")));
}

static FailureOr<emulator::CompileOptions> getCompileOptions() {
  emulator::CompileOptions result;
  result.kernel = options->kernelName;
  result.subgroupSize = options->subgroupSize;
  result.dynamicWorkgroupBytes = options->dynamicBytes;
  result.allowHeap = options->allowHeap;
  if (!options->chip.empty() && !options->subgroupSize) {
    std::optional<TargetInfo> target = lookupTarget(options->chip);
    if (!target)
      return fail("--chip=" + options->chip + ": unknown chip; known are " +
                  getKnownChips());
    result.subgroupSize = target->subgroupSize;
  }
  return result;
}

/// The arguments of `program` (a kernel or a function of the host) that the
/// command line gives.
template <typename ProgramT>
static FailureOr<SmallVector<emulator::HostBuffer>>
getArguments(const ProgramT &program) {
  SmallVector<Type> types = llvm::to_vector(program.getArgumentTypes());
  auto arguments = emulator::makeArguments(
      types, options->argumentTexts, options->shapeTexts, options->maxMemory);
  if (!arguments)
    return fail(llvm::toString(arguments.takeError()));
  return std::move(*arguments);
}

template <typename ProgramT>
static FailureOr<emulator::Result> run(const ProgramT &program,
                                       emulator::LaunchOptions &launch) {
  FailureOr<SmallVector<emulator::HostBuffer>> arguments =
      getArguments(program);
  if (failed(arguments))
    return failure();
  auto aliases = emulator::parseAliases(arguments->size(), options->aliasTexts,
                                        options->argumentTexts);
  if (!aliases)
    return fail(llvm::toString(aliases.takeError()));
  launch.aliases = std::move(*aliases);
  return program.run(*arguments, launch);
}

/// Writes `program`'s launches by `write`, a function of arguments and stream.
template <typename ProgramT, typename WriteT>
static LogicalResult writeTrace(const ProgramT &program, WriteT write) {
  FailureOr<SmallVector<emulator::HostBuffer>> arguments =
      getArguments(program);
  if (failed(arguments))
    return failure();
  std::error_code error;
  llvm::ToolOutputFile file(options->launchesFile, error,
                            llvm::sys::fs::OF_Text);
  if (error)
    return fail(options->launchesFile + ": " + error.message());
  if (failed(write(*arguments, file.os())))
    return failure();
  file.keep();
  return success();
}

static LogicalResult traceLaunches(ModuleOp module,
                                   const emulator::CompileOptions &compile,
                                   const emulator::LaunchOptions &launch) {
  using Arguments = ArrayRef<emulator::HostBuffer>;
  if (func::FuncOp host = emulator::HostProgram::find(module, compile.kernel)) {
    FailureOr<emulator::HostProgram> program =
        emulator::HostProgram::compile(host, compile);
    return failed(program)
               ? failure()
               : writeTrace(
                     *program, [&](Arguments arguments, raw_ostream &os) {
                       return writeLaunches(*program, arguments, launch, os);
                     });
  }
  FailureOr<emulator::Kernel> kernel =
      emulator::Kernel::compile(module, compile);
  if (failed(kernel))
    return failure();
  FunctionOpInterface function;
  module->walk([&](FunctionOpInterface candidate) {
    if (candidate.getName() == kernel->getName())
      function = candidate;
  });
  return writeTrace(*kernel, [&](Arguments arguments, raw_ostream &os) {
    return writeLaunch(function, *kernel, arguments, launch, os);
  });
}

static FailureOr<emulator::Result>
compileAndRun(ModuleOp module, const emulator::CompileOptions &compileOptions,
              emulator::LaunchOptions &launch) {
  if (func::FuncOp host =
          emulator::HostProgram::find(module, compileOptions.kernel)) {
    FailureOr<emulator::HostProgram> program =
        emulator::HostProgram::compile(host, compileOptions);
    if (failed(program))
      return failure();
    return run(*program, launch);
  }
  FailureOr<emulator::Kernel> kernel =
      emulator::Kernel::compile(module, compileOptions);
  if (failed(kernel))
    return failure();
  return run(*kernel, launch);
}

static LogicalResult writeOutputs(const emulator::Result &result) {
  for (const std::string &text : options->outputTexts) {
    auto parsed = emulator::parseNumbered(text, "out", result.arguments.size());
    if (!parsed)
      return fail(llvm::toString(parsed.takeError()));
    if (llvm::Error error =
            emulator::writeNpy(parsed->second, result.arguments[parsed->first]))
      return fail(llvm::toString(std::move(error)));
  }
  return success();
}

/// LLVM ends the process when its code generator cannot go on. Nothing was run
/// then.
static void handleFatalError(void *, const char *reason, bool) {
  llvm::errs() << "memspace-runner: error: LLVM cannot compile the kernel: "
               << reason << "\n";
  llvm::errs().flush();
  std::_Exit(kBadInput);
}

static void printCounts(StringRef space, const emulator::AccessCounts &counts) {
  llvm::outs() << space << " memory: " << counts.reads << " reads of "
               << counts.bytesRead << " bytes, " << counts.writes
               << " writes of " << counts.bytesWritten << " bytes, "
               << counts.atomics << " atomic updates\n";
}

int main(int argc, char **argv) {
  if (std::optional<int> status = waitForChild(kBadInput))
    return *status;
  llvm::InitLLVM init(argc, argv);
  llvm::install_fatal_error_handler(handleFatalError);
  for (StringRef name : {"threads", "seed", "verbose", "kernel", "grid",
                         "block", "orders", "chip", "arg", "shape", "out"})
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
  Options commandLine;
  options = &commandLine;
  cl::HideUnrelatedOptions(options->category);
  addVersionPrinter();
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Runs a bufferized GPU kernel on the CPU, every "
          "thread a fiber, and reports\n"
          "data races, divergent barriers, accesses out of "
          "bounds and uninitialized\n"
          "reads. Exit status: 0 without findings, 1 with, "
          "2 when it was not run.\n",
          &llvm::errs()))
    return kBadInput;

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<MemSpaceDialect>();
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options->inputFile, sources, &context);
  if (!module)
    return kBadInput;

  if (failed(checkOptions()))
    return kBadInput;
  FailureOr<emulator::CompileOptions> compileOptions = getCompileOptions();
  if (failed(compileOptions))
    return kBadInput;
  emulator::LaunchOptions launch;
  auto grid = emulator::parseDim3(options->gridText, "grid");
  if (!grid)
    return (void)fail(llvm::toString(grid.takeError())), kBadInput;
  auto block = emulator::parseDim3(options->blockText, "block");
  if (!block)
    return (void)fail(llvm::toString(block.takeError())), kBadInput;
  launch.grid = *grid;
  launch.block = *block;
  launch.orders = options->orders;
  launch.seed = options->seed;
  launch.threads = options->threads;
  launch.maxSteps = options->maxSteps;
  launch.maxMemoryBytes = options->maxMemory;

  if (!options->launchesFile.empty())
    return succeeded(traceLaunches(*module, *compileOptions, launch))
               ? kClean
               : kBadInput;
  FailureOr<emulator::Result> result =
      compileAndRun(*module, *compileOptions, launch);
  if (failed(result))
    return kBadInput;

  result->emitReports();
  if (result->hasMoreReports)
    llvm::errs() << "memspace-runner: note: there is more than these "
                 << result->reports.size() << " findings\n";
  for (unsigned number : result->orderDependentArguments)
    llvm::errs() << "memspace-runner: note: argument " << number
                 << " depends on the order of the threads, though "
                    "without a race\n";
  if (failed(writeOutputs(*result)))
    return kBadInput;
  if (options->verbose) {
    llvm::outs() << "executed barriers: " << result->executedBarriers
                 << ", subgroup barriers: " << result->executedSubgroupBarriers
                 << ", accesses: " << result->accesses
                 << ", shadow bytes: " << result->shadowBytes << "\n";
    printCounts("global", result->global);
    printCounts("workgroup", result->workgroup);
    printCounts("private", result->privateMemory);
  }
  llvm::outs() << result->getSummary() << "\n";
  return result->isClean() ? kClean : kFindings;
}
