//===- memspace-fuzz.cpp - random kernels against their meaning -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Generator.h"
#include "LieDialect.h"
#include "MemSpace/InitAll.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MutationCampaign.h"
#include "ToolOptions.h"
#include "Workers.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;
namespace cl = llvm::cl;

namespace {
struct CommandLine {
  cl::OptionCategory category{"memspace-fuzz options"};
  cl::opt<std::string> file{cl::Positional,
                            cl::desc("<kernel; none: random kernels>"),
                            cl::cat(category)};
  cl::opt<bool> spmd{
      "spmd",
      cl::desc("Kernels on memrefs without barriers: packed with reuse "
               "against every buffer by itself"),
      cl::cat(category)};
  cl::opt<bool> barriers{
      "barriers",
      cl::desc("The same kernels: memspace-verify-barriers against the "
               "emulator, for the barriers that are placed and for random "
               "mistakes in them; a given kernel with the barriers it has"),
      cl::cat(category)};
  cl::opt<bool> lies{
      "lies",
      cl::desc("Tensor kernels with ops of another dialect, of which "
               "some models deny what they read, write or alias"),
      cl::cat(category)};
  cl::opt<bool> collectives{
      "collectives",
      cl::desc("Tensor kernels whose threads meet in collectives"),
      cl::cat(category)};
  cl::opt<bool> structured{
      "structured",
      cl::desc("Tensor kernels of sorts, top-k, scans, scatters and gathers "
               "alone"),
      cl::cat(category)};
  cl::list<std::string> mutateInput{
      "mutate-input", cl::CommaSeparated,
      cl::desc("Files, and folders of files, of which mutants go through every "
               "pass and pipeline, each in a process of its own"),
      cl::cat(category)};
  cl::opt<bool> unchanged{"unchanged",
                          cl::desc("The inputs of --mutate-input as they are"),
                          cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::desc("Of the first kernel"),
                         cl::cat(category)};
  cl::opt<int64_t> count{"count", cl::init(100),
                         cl::desc("Kernels, with consecutive seeds"),
                         cl::cat(category)};
  cl::opt<unsigned> jobs{"jobs", cl::init(1), cl::desc("Processes at a time"),
                         cl::cat(category)};
  cl::opt<std::string> chip{"chip",
                            cl::desc("GPU; random kernels choose their own"),
                            cl::cat(category)};
  cl::opt<int64_t> timeLimit{
      "time-limit", cl::init(0),
      cl::desc("Seconds after which no more kernels are begun"),
      cl::cat(category)};
  cl::opt<unsigned> kernelSeconds{
      "kernel-time-limit", cl::init(30),
      cl::desc("Seconds that a kernel may take, or a pass "
               "with --mutate-input (5)"),
      cl::cat(category)};
  cl::opt<std::string> save{
      "save", cl::desc("Folder for the kernels that fail"), cl::cat(category)};
  cl::opt<bool> print{"print", cl::desc("Print the kernels and check nothing"),
                      cl::cat(category)};
  cl::opt<unsigned> maxRefused{
      "max-refused", cl::init(100),
      cl::desc("Percent of the kernels that may be refused; more is a failure"),
      cl::cat(category)};
  cl::opt<bool> refusals{
      "refusals",
      cl::desc(
          "Print what is refused, by diagnostic, and save the first kernel "
          "of each; save false alarms, too"),
      cl::cat(category)};
  cl::opt<bool> shrink{"shrink", cl::desc("Cut down the kernels that fail"),
                       cl::cat(category)};
  cl::opt<int64_t> shrinkSeconds{"shrink-time-limit", cl::init(60),
                                 cl::desc("Seconds for each of them"),
                                 cl::cat(category)};
  cl::opt<bool> secondOpinion{
      "second-opinion",
      cl::desc("Ask upstream's bufferization about every kernel"),
      cl::cat(category)};
  cl::opt<bool> padding{"padding", cl::desc("As in the kernel pipeline"),
                        cl::cat(category)};
  cl::opt<Canonicalization> canonicalization{
      cl::init(Canonicalization::AsItIs),
      cl::desc("Where the pipeline canonicalizes:"),
      cl::values(clEnumValN(Canonicalization::Interleaved, "interleave",
                            "canonicalize and cse between all passes"),
                 clEnumValN(Canonicalization::None, "no-clean-up",
                            "not even in memspace-bufferize")),
      cl::cat(category)};
  // For a given file; random kernels choose them.
  cl::opt<int64_t> workgroupLimit{"workgroup-limit", cl::init(0),
                                  cl::desc("As in the kernel pipeline"),
                                  cl::cat(category)};
  cl::opt<int64_t> privateLimit{"private-limit", cl::init(0),
                                cl::desc("As in the kernel pipeline"),
                                cl::cat(category)};
  cl::opt<uint64_t> inputSeed{"input-seed", cl::init(1),
                              cl::desc("Of the arguments of a given kernel"),
                              cl::cat(category)};
  cl::opt<int64_t> dynamicSize{
      "dynamic-size", cl::init(100),
      cl::desc("Dynamic extents of the arguments of a given kernel"),
      cl::cat(category)};
  cl::opt<int64_t> grid{"grid", cl::init(1),
                        cl::desc("Grid of a kernel that does not say"),
                        cl::cat(category)};
};

} // namespace

static CampaignOptions getCampaignOptions(const CommandLine &cli) {
  CampaignOptions options;
  options.isSpmd = cli.spmd || cli.barriers;
  options.isBarriers = cli.barriers;
  options.askSecondOpinion = cli.secondOpinion;
  options.saysRefusals = cli.refusals;
  options.maxRefusedPercent = cli.maxRefused;
  options.shrinks = cli.shrink;
  options.shrinkSeconds = cli.shrinkSeconds;
  options.kernelSeconds = cli.kernelSeconds;
  options.save = cli.save;
  return options;
}

static WorkerOptions getWorkerOptions(const CommandLine &cli) {
  WorkerOptions workers;
  workers.processes = std::max(1u, unsigned(cli.jobs));
  workers.secondsPerJob = cli.kernelSeconds;
  workers.secondsInAll = cli.timeLimit;
  return workers;
}

/// Checks the kernels of a file.
static int checkFile(const CommandLine &cli, const DialectRegistry &registry) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(cli.file);
  if (!buffer) {
    llvm::errs() << "error: cannot read '" << cli.file
                 << "': " << buffer.getError().message() << "\n";
    return 2;
  }
  CheckOptions options;
  options.isSpmd = cli.spmd || cli.barriers;
  options.isBarriers = cli.barriers;
  if (!cli.chip.empty())
    options.chip = cli.chip;
  options.workgroupLimit = cli.workgroupLimit;
  options.privateLimit = cli.privateLimit;
  options.inputSeed = cli.inputSeed;
  options.dynamicSize = cli.dynamicSize;
  options.grid = cli.grid;
  options.padding = cli.padding;
  options.canonicalization = cli.canonicalization;
  StringRef text = (*buffer)->getBuffer();
  CheckResult result = runJob(getWorkerOptions(cli), [&] {
    return checkText(registry, text, options, cli.secondOpinion,
                     /*isGiven=*/true);
  });
  if (result.verdict == Verdict::Refused)
    llvm::outs() << "refused: " << result.detail << "\n";
  Campaign campaign(registry, getCampaignOptions(cli));
  campaign.count("kernel", text, options, result);
  return campaign.report();
}

static GeneratedKernel getKernel(const CommandLine &cli, int64_t i) {
  GeneratedKernel kernel =
      cli.spmd || cli.barriers
          ? generateSpmd(cli.seed + i, cli.chip, cli.barriers)
          : generate(cli.seed + i, cli.chip,
                     Extras{cli.lies, cli.collectives, cli.structured});
  kernel.options.padding = cli.padding;
  kernel.options.canonicalization = cli.canonicalization;
  return kernel;
}

static void printKernels(const CommandLine &cli) {
  for (int64_t i = 0; i < cli.count; ++i) {
    GeneratedKernel kernel = getKernel(cli, i);
    llvm::outs() << withHeader(kernel.text, kernel.options, nullptr);
  }
}

static int checkRandomKernels(const CommandLine &cli,
                              const DialectRegistry &registry) {
  Campaign campaign(registry, getCampaignOptions(cli));
  WorkerOptions workers = getWorkerOptions(cli);
  runJobs(
      cli.count, workers,
      [&](int64_t i) {
        GeneratedKernel kernel = getKernel(cli, i);
        return checkText(registry, kernel.text, kernel.options,
                         cli.secondOpinion, /*isGiven=*/false);
      },
      [&](int64_t i, const CheckResult &result) {
        std::string name = "seed-" + std::to_string(cli.seed + i);
        // What crashes may be the generator.
        GeneratedKernel kernel;
        if (result.verdict != Verdict::Crash ||
            runJob(workers, [&]() -> CheckResult {
              (void)getKernel(cli, i);
              return {Verdict::Ok, "", ""};
            }).verdict == Verdict::Ok)
          kernel = getKernel(cli, i);
        campaign.count(name, kernel.text, kernel.options, result);
      });
  return campaign.report();
}

static int tryMutants(const CommandLine &cli, const DialectRegistry &registry) {
  MutationOptions options;
  options.inputs.assign(cli.mutateInput.begin(), cli.mutateInput.end());
  options.seed = cli.seed;
  options.count = cli.count;
  options.workers = getWorkerOptions(cli);
  options.save = cli.save;
  options.prints = cli.print;
  options.isUnchanged = cli.unchanged;
  if (cli.kernelSeconds.getNumOccurrences() == 0)
    options.workers.secondsPerJob = 5;
  return runMutationCampaign(registry, options);
}

/// What is wrong with the command line; empty when nothing is.
static std::string findMistake(const CommandLine &cli) {
  if (cli.dynamicSize < 0 || cli.grid < 1 || cli.count < 0)
    return "--dynamic-size and --count must not be negative, and --grid must "
           "be positive";
  if (!cli.chip.empty() && !lookupTarget(cli.chip))
    return "unknown chip '" + cli.chip + "'; known are " + getKnownChips();
  return "";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine cli;
  cl::HideUnrelatedOptions(cli.category);
  addVersionPrinter();
  cl::ParseCommandLineOptions(argc, argv,
                              "MemSpace's pipeline against the meaning of "
                              "tensor kernels; with --spmd its packing "
                              "against buffers of their own, with --barriers "
                              "its verifier against the emulator\n");
  if (std::string mistake = findMistake(cli); !mistake.empty()) {
    llvm::errs() << "error: " << mistake << "\n";
    return 2;
  }
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  memspace::registerAllDialects(registry);
  memspace::registerAllPasses();
  lie::registerLieDialect(registry);
  lie::registerLieToLoopsPass();
  if (!cli.mutateInput.empty())
    return tryMutants(cli, registry);
  if (!cli.file.empty())
    return checkFile(cli, registry);
  if (!cli.print)
    return checkRandomKernels(cli, registry);
  printKernels(cli);
  return 0;
}
