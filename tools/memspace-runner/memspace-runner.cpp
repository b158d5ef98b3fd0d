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

#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

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
      "kernel", cl::desc("Kernel to run, when there are several"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> gridText{
      "grid", cl::desc("Workgroups, when the IR does not say"),
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
      cl::desc("Steps from one barrier to the next that count as a deadlock"),
      cl::cat(category)};
  cl::list<std::string> argumentTexts{
      "arg", cl::desc("Contents of argument N; uninitialized without"),
      cl::value_desc("N:npy:FILE|N:random:SEED|N:iota|N:fill:VALUE"),
      cl::cat(category)};
  cl::list<std::string> shapeTexts{
      "shape", cl::desc("Shape of argument N, where the type is dynamic"),
      cl::value_desc("N:300x4"), cl::cat(category)};
  cl::list<std::string> outputTexts{
      "out", cl::desc("Write argument N after the run"),
      cl::value_desc("N:FILE.npy"), cl::cat(category)};
  cl::opt<bool> allowHeap{
      "allow-heap",
      cl::desc("Accept memref.alloc in global memory, for sequential code"),
      cl::cat(category)};
  cl::opt<bool> verbose{
      "verbose", cl::desc("Print executed barriers and accesses as well"),
      cl::cat(category)};
};
} // namespace

static Options *options = nullptr;

/// Prints a mistake on the command line.
static LogicalResult fail(const Twine &message) {
  llvm::errs() << "memspace-runner: error: " << message << "\n";
  return failure();
}

static FailureOr<emulator::Dim3> parseDim3(StringRef text, StringRef option) {
  emulator::Dim3 shape = {0, 0, 0};
  if (text.empty())
    return shape;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  shape = {1, 1, 1};
  for (auto [i, part] : llvm::enumerate(parts))
    if (i > 2 || part.getAsInteger(10, shape[i]) || shape[i] <= 0)
      return fail("--" + option + "=" + text +
                  ": wanted are one to three positive "
                  "numbers, separated by commas");
  return shape;
}

/// Splits "N:rest" and checks N against the kernel's arguments.
static FailureOr<std::pair<unsigned, StringRef>>
parseNumbered(StringRef text, StringRef option, size_t numArguments) {
  auto [numberText, rest] = text.split(':');
  unsigned number;
  if (numberText.getAsInteger(10, number) || rest.empty())
    return fail("--" + option + "=" + text +
                ": wanted is N:…, N being the number "
                "of an argument");
  if (number >= numArguments)
    return fail("--" + option + "=" + text + ": the kernel has " +
                Twine(numArguments) + " arguments, counted from 0");
  return std::make_pair(number, rest);
}

static FailureOr<emulator::HostBuffer> makeBuffer(StringRef what,
                                                  StringRef option,
                                                  Type elementType,
                                                  ArrayRef<int64_t> shape) {
  auto [kind, value] = what.split(':');
  auto bad = [&](const Twine &message) {
    return fail("--arg=" + option + ": " + message);
  };
  if (kind == "npy") {
    auto buffer = emulator::readNpy(value, elementType);
    if (!buffer)
      return bad(llvm::toString(buffer.takeError()));
    return std::move(*buffer);
  }
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return bad("the type has dynamic extents; give --shape=N:…");
  if (kind == "iota" && value.empty())
    return emulator::HostBuffer::iota(elementType, shape);
  if (kind == "uninit" && value.empty())
    return emulator::HostBuffer::uninitialized(elementType, shape);
  if (kind == "random") {
    uint64_t number;
    if (value.getAsInteger(10, number))
      return bad("'random' wants a seed, a number");
    return emulator::HostBuffer::random(elementType, shape, number);
  }
  if (kind == "fill") {
    double number;
    if (value.getAsDouble(number))
      return bad("'fill' wants a number");
    return emulator::HostBuffer::fill(elementType, shape, number);
  }
  return bad("unknown contents '" + kind +
             "'; known are npy:FILE, random:SEED, iota, fill:VALUE and uninit");
}

static FailureOr<SmallVector<emulator::HostBuffer>>
makeArguments(const emulator::Kernel &kernel) {
  ArrayRef<Type> types = kernel.getArgumentTypes();
  SmallVector<SmallVector<int64_t>> shapes;
  for (Type type : types) {
    auto memref = dyn_cast<MemRefType>(type);
    shapes.push_back(memref ? llvm::to_vector(memref.getShape())
                            : SmallVector<int64_t>());
  }
  for (const std::string &text : options->shapeTexts) {
    auto parsed = parseNumbered(text, "shape", types.size());
    if (failed(parsed))
      return failure();
    SmallVector<StringRef> parts;
    parsed->second.split(parts, 'x');
    SmallVector<int64_t> shape;
    for (StringRef part : parts)
      if (part.getAsInteger(10, shape.emplace_back()) || shape.back() < 0)
        return fail("--shape=" + Twine(text) + ": wanted is N:300x4");
    shapes[parsed->first] = shape;
  }
  SmallVector<std::optional<emulator::HostBuffer>> given(types.size());
  auto getElement = [&](unsigned number) {
    auto memref = dyn_cast<MemRefType>(types[number]);
    return memref ? memref.getElementType() : types[number];
  };
  for (const std::string &text : options->argumentTexts) {
    auto parsed = parseNumbered(text, "arg", types.size());
    if (failed(parsed))
      return failure();
    auto [number, what] = *parsed;
    auto buffer = makeBuffer(what, text, getElement(number), shapes[number]);
    if (failed(buffer))
      return failure();
    given[number] = std::move(*buffer);
  }
  SmallVector<emulator::HostBuffer> arguments;
  for (auto [number, buffer] : llvm::enumerate(given)) {
    if (!buffer) {
      if (!isa<MemRefType>(types[number]))
        return fail("argument " + Twine(number) + " is a scalar; give --arg=" +
                    Twine(number) + ":fill:VALUE");
      std::string option = std::to_string(number) + ":uninit";
      auto made =
          makeBuffer("uninit", option, getElement(number), shapes[number]);
      if (failed(made))
        return failure();
      buffer = std::move(*made);
    }
    arguments.push_back(std::move(*buffer));
  }
  return arguments;
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

static LogicalResult writeOutputs(const emulator::Result &result) {
  for (const std::string &text : options->outputTexts) {
    auto parsed = parseNumbered(text, "out", result.arguments.size());
    if (failed(parsed))
      return failure();
    if (llvm::Error error =
            emulator::writeNpy(parsed->second, result.arguments[parsed->first]))
      return fail(llvm::toString(std::move(error)));
  }
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  for (StringRef name : {"threads", "seed", "verbose", "kernel", "grid",
                         "block", "orders", "chip", "arg", "shape", "out"})
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
  Options commandLine;
  options = &commandLine;
  cl::HideUnrelatedOptions(options->category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs a bufferized GPU kernel on the CPU, every "
                              "thread a fiber, and reports\n"
                              "data races, divergent barriers, accesses out of "
                              "bounds and uninitialized\n"
                              "reads. Exit status: 0 without findings, 1 with, "
                              "2 when it was not run.\n");

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

  FailureOr<emulator::CompileOptions> compileOptions = getCompileOptions();
  if (failed(compileOptions))
    return kBadInput;
  emulator::LaunchOptions launch;
  FailureOr<emulator::Dim3> grid = parseDim3(options->gridText, "grid");
  FailureOr<emulator::Dim3> block = parseDim3(options->blockText, "block");
  if (failed(grid) || failed(block))
    return kBadInput;
  launch.grid = *grid;
  launch.block = *block;
  launch.orders = options->orders;
  launch.seed = options->seed;
  launch.threads = options->threads;
  launch.maxSteps = options->maxSteps;

  FailureOr<emulator::Kernel> kernel =
      emulator::Kernel::compile(*module, *compileOptions);
  if (failed(kernel))
    return kBadInput;
  FailureOr<SmallVector<emulator::HostBuffer>> arguments =
      makeArguments(*kernel);
  if (failed(arguments))
    return kBadInput;
  FailureOr<emulator::Result> result = kernel->run(*arguments, launch);
  if (failed(result))
    return kBadInput;

  result->emitReports();
  for (unsigned number : result->orderDependentArguments)
    llvm::errs() << "memspace-runner: note: argument " << number
                 << " depends on the order of the threads, though "
                    "without a race\n";
  if (failed(writeOutputs(*result)))
    return kBadInput;
  if (options->verbose)
    llvm::outs() << "executed barriers: " << result->executedBarriers
                 << ", subgroup barriers: " << result->executedSubgroupBarriers
                 << ", accesses: " << result->accesses
                 << ", shadow bytes: " << result->shadowBytes << "\n";
  llvm::outs() << result->getSummary() << "\n";
  return result->isClean() ? kClean : kFindings;
}
