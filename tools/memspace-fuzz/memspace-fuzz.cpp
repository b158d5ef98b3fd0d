//===- memspace-fuzz.cpp - random kernels against their meaning -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierCheck.h"
#include "Differential.h"
#include "Generator.h"
#include "MemSpace/InitAll.h"
#include "MemSpace/Target/TargetInfo.h"
#include "Shrinker.h"
#include "SpmdCheck.h"
#include "Workers.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;
namespace cl = llvm::cl;

namespace {
struct CommandLine {
  cl::opt<std::string> file{cl::Positional,
                            cl::desc("<kernel; none: random kernels>")};
  cl::opt<bool> spmd{
      "spmd", cl::desc("Kernels on memrefs without barriers: packed with reuse "
                       "against every buffer by itself")};
  cl::opt<bool> barriers{
      "barriers",
      cl::desc("The same kernels: memspace-verify-barriers against the "
               "emulator, for the barriers that are placed and for random "
               "mistakes in them; a given kernel with the barriers it has")};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::desc("Of the first kernel")};
  cl::opt<int64_t> count{"count", cl::init(100),
                         cl::desc("Kernels, with consecutive seeds")};
  cl::opt<unsigned> jobs{"jobs", cl::init(1), cl::desc("Processes at a time")};
  cl::opt<std::string> chip{"chip",
                            cl::desc("GPU; random kernels choose their own")};
  cl::opt<int64_t> timeLimit{
      "time-limit", cl::init(0),
      cl::desc("Seconds after which no more kernels are begun")};
  cl::opt<unsigned> kernelSeconds{"kernel-time-limit", cl::init(30),
                                  cl::desc("Seconds that a kernel may take")};
  cl::opt<std::string> save{"save",
                            cl::desc("Folder for the kernels that fail")};
  cl::opt<bool> print{"print", cl::desc("Print the kernels and check nothing")};
  cl::opt<bool> refusals{
      "refusals",
      cl::desc(
          "Print what is refused, by diagnostic, and save the first kernel "
          "of each; save false alarms, too")};
  cl::opt<bool> shrink{"shrink", cl::desc("Cut down the kernels that fail")};
  cl::opt<int64_t> shrinkSeconds{"shrink-time-limit", cl::init(60),
                                 cl::desc("Seconds for each of them")};
  cl::opt<bool> secondOpinion{
      "second-opinion",
      cl::desc("Ask upstream's bufferization about every kernel")};
  cl::opt<bool> padding{"padding", cl::desc("As in the kernel pipeline")};
  // For a given file; random kernels choose them.
  cl::opt<int64_t> workgroupLimit{"workgroup-limit", cl::init(0),
                                  cl::desc("As in the kernel pipeline")};
  cl::opt<int64_t> privateLimit{"private-limit", cl::init(0),
                                cl::desc("As in the kernel pipeline")};
  cl::opt<uint64_t> inputSeed{"input-seed", cl::init(1),
                              cl::desc("Of the arguments of a given kernel")};
  cl::opt<int64_t> dynamicSize{
      "dynamic-size", cl::init(100),
      cl::desc("Dynamic extents of the arguments of a given kernel")};
  cl::opt<int64_t> grid{"grid", cl::init(1),
                        cl::desc("Grid of a kernel that does not say")};
};

/// What has been found so far.
struct Tally {
  int64_t counts[6] = {};
  int64_t kernels = 0;
  int64_t upstreamDisagrees = 0;
  int64_t reused = 0;
  BarrierTally barriers;
  std::map<std::string, int64_t> refusals, crashes, notJudged, alarms;

  int64_t get(Verdict verdict) const { return counts[unsigned(verdict)]; }
};
} // namespace

/// `isGiven`: not a random kernel, which has no barriers yet.
static CheckResult checkText(const DialectRegistry &registry, StringRef text,
                             const CheckOptions &options, bool askSecondOpinion,
                             bool isGiven) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string error;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
      return success();
    });
    module = parseSourceString<ModuleOp>(text, &context);
  }
  if (!module)
    return {options.isSpmd ? Verdict::Crash : Verdict::NotJudged,
            "not a valid module: " + error, ""};
  if (options.isBarriers)
    return isGiven ? checkBarriersAsTheyAre(*module, options)
                   : checkBarriers(*module, options);
  return options.isSpmd ? checkSpmd(*module, options)
                        : check(*module, options, askSecondOpinion);
}

/// With a header from which it can be run again.
static std::string withHeader(StringRef text, const CheckOptions &options,
                              const CheckResult *result) {
  std::string header = "// memspace-fuzz FILE " + options.toString() + "\n";
  if (result)
    header += "// " + fuzz::getName(result->verdict).str() + ": " +
              result->detail + "\n";
  if (result && !result->secondOpinion.empty())
    header += "// upstream: " + result->secondOpinion + "\n";
  return header + text.str();
}

static void save(const CommandLine &cli, StringRef name, StringRef text) {
  if (cli.save.empty())
    return;
  std::error_code error = llvm::sys::fs::create_directories(cli.save);
  std::string path = cli.save + "/" + name.str();
  if (!error) {
    llvm::raw_fd_ostream file(path, error);
    file << text;
  }
  if (error)
    llvm::errs() << "error: cannot write '" << path << "': " << error.message()
                 << "\n";
}

/// A random kernel on memrefs that is no legal program is none to judge by.
static bool isFailure(Verdict verdict, const CheckOptions &options) {
  return verdict != Verdict::Ok && verdict != Verdict::Refused &&
         !(options.isSpmd && verdict == Verdict::NotJudged);
}

/// Diagnostics that differ in names and numbers only are one group.
static std::string groupMessages(StringRef diagnostic) {
  std::string group;
  for (char c : diagnostic) {
    if (c >= '0' && c <= '9')
      c = '#';
    if (c == '#' && !group.empty() && group.back() == '#')
      continue;
    group += c;
  }
  return group;
}

/// Cuts `text` down to a kernel that fails in the same way.
static std::string shrinkText(const DialectRegistry &registry,
                              const CommandLine &cli, StringRef text,
                              const CheckOptions &options,
                              const CheckResult &result) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return text.str();
  WorkerOptions worker;
  worker.secondsPerJob = cli.kernelSeconds;
  OwningOpRef<ModuleOp> small =
      shrink(*module, cli.shrinkSeconds, [&](ModuleOp candidate) {
        if (isSynchronized(candidate) != isSynchronized(*module))
          return false;
        CheckResult now = runJob(worker, [&] {
          if (options.isBarriers)
            return checkBarriersAsTheyAre(candidate, options);
          return options.isSpmd ? checkSpmd(candidate, options)
                                : check(candidate, options);
        });
        // Messages that say what failed, up to names and numbers.
        if (options.isSpmd && StringRef(now.detail).split(':').first !=
                                  StringRef(result.detail).split(':').first)
          return false;
        return now.verdict == result.verdict &&
               ((now.verdict != Verdict::Crash &&
                 now.verdict != Verdict::Refused) ||
                groupMessages(now.detail) == groupMessages(result.detail));
      });
  std::string shrunk;
  llvm::raw_string_ostream os(shrunk);
  for (Operation &op : *small->getBody())
    os << op << "\n";
  return shrunk;
}

static void count(Tally &tally, const DialectRegistry &registry,
                  const CommandLine &cli, StringRef name, StringRef kernel,
                  const CheckOptions &options, const CheckResult &result) {
  bool isItself = result.program.empty() || result.verdict == Verdict::Ok;
  StringRef text = isItself ? kernel : StringRef(result.program);
  ++tally.kernels;
  ++tally.counts[unsigned(result.verdict)];
  bool isNewRefusal = result.verdict == Verdict::Refused &&
                      ++tally.refusals[groupMessages(result.detail)] == 1;
  if (result.verdict == Verdict::NotJudged)
    ++tally.notJudged[groupMessages(result.detail)];
  tally.reused += result.isReused;
  tally.barriers.add(result.barriers);
  if (!result.alarm.empty()) {
    ++tally.alarms[groupMessages(result.alarm)];
    if (cli.refusals) {
      llvm::outs() << name << ": alarm: " << result.alarm << "\n";
      save(cli, name.str() + "-alarm.mlir",
           withHeader(result.program, options, nullptr));
    }
  }
  bool upstreamAlone =
      result.verdict == Verdict::Ok && !result.secondOpinion.empty();
  tally.upstreamDisagrees += upstreamAlone;
  if (upstreamAlone)
    llvm::outs() << name << ": ok; upstream: " << result.secondOpinion << "\n";
  if (!isFailure(result.verdict, options) && !(isNewRefusal && cli.refusals))
    return;
  llvm::outs() << name << ": " << fuzz::getName(result.verdict) << ": "
               << result.detail << "\n";
  if (!result.secondOpinion.empty())
    llvm::outs() << "  upstream: " << result.secondOpinion << "\n";
  llvm::outs().flush();
  // One crash in the same place tells as much as many.
  bool isKnownCrash = result.verdict == Verdict::Crash &&
                      ++tally.crashes[groupMessages(result.detail)] > 1;
  if (!cli.shrink || isKnownCrash) {
    save(cli, name.str() + ".mlir", withHeader(text, options, &result));
    return;
  }
  std::string small = shrinkText(registry, cli, text, options, result);
  WorkerOptions worker;
  worker.secondsPerJob = cli.kernelSeconds;
  CheckResult now = runJob(worker, [&] {
    return checkText(registry, small, options, /*askSecondOpinion=*/false,
                     /*isGiven=*/true);
  });
  llvm::outs() << withHeader(small, options, &now);
  save(cli, name.str() + ".mlir", withHeader(small, options, &now));
}

static void report(BarrierTally tally) {
  static constexpr StringRef names[BarrierTally::kNumKinds] = {
      "placed", "placed, in blocks", "mutants", "mutants, in blocks"};
  for (auto [kind, name] : llvm::enumerate(names)) {
    const BarrierTally::Counts &counts = tally.get(kind);
    llvm::outs() << name << ": " << counts.programs
                 << ", verified: " << counts.verified
                 << ", rejected: " << counts.rejected
                 << ", alarms: " << counts.alarms
                 << ", missed: " << counts.missed << "\n";
  }
  llvm::outs() << "barriers eliminated: " << tally.elimination.erased << " in "
               << tally.elimination.programs << " programs without a race\n";
}

static int report(const Tally &tally, const CommandLine &cli) {
  if (cli.refusals)
    for (const auto &[diagnostic, number] : tally.refusals)
      llvm::outs() << "refused " << number << ": " << diagnostic << "\n";
  if (cli.refusals)
    for (const auto &[why, number] : tally.notJudged)
      llvm::outs() << "not judged " << number << ": " << why << "\n";
  if (cli.refusals)
    for (const auto &[why, number] : tally.alarms)
      llvm::outs() << "alarm " << number << ": " << why << "\n";
  if (cli.barriers)
    report(tally.barriers);
  if (cli.spmd)
    llvm::outs() << "with reuse: " << tally.reused << "\n";
  if (cli.secondOpinion)
    llvm::outs() << "upstream alone is wrong: " << tally.upstreamDisagrees
                 << "\n";
  if (int64_t number = tally.get(Verdict::NotJudged))
    llvm::outs() << "not judged: " << number << "\n";
  llvm::outs() << "kernels: " << tally.kernels
               << ", ok: " << tally.get(Verdict::Ok)
               << ", refused: " << tally.get(Verdict::Refused)
               << ", differences: " << tally.get(Verdict::Difference)
               << ", reports: " << tally.get(Verdict::Reports)
               << ", crashes: " << tally.get(Verdict::Crash) << "\n";
  int64_t good = tally.get(Verdict::Ok) + tally.get(Verdict::Refused);
  if (cli.spmd || cli.barriers)
    good += tally.get(Verdict::NotJudged);
  return good == tally.kernels ? 0 : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine cli;
  cl::ParseCommandLineOptions(argc, argv,
                              "MemSpace's pipeline against the meaning of "
                              "tensor kernels; with --spmd its packing "
                              "against buffers of their own, with --barriers "
                              "its verifier against the emulator\n");
  if (cli.dynamicSize < 0 || cli.grid < 1 || cli.count < 0) {
    llvm::errs() << "error: --dynamic-size and --count must not be negative, "
                    "and --grid must be positive\n";
    return 2;
  }
  if (!cli.chip.empty() && !lookupTarget(cli.chip)) {
    llvm::errs() << "error: unknown chip '" << cli.chip << "'; known are "
                 << getKnownChips() << "\n";
    return 2;
  }
  bool isSpmd = cli.spmd || cli.barriers;
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  memspace::registerAllDialects(registry);

  WorkerOptions workers;
  workers.processes = std::max(1u, unsigned(cli.jobs));
  workers.secondsPerJob = cli.kernelSeconds;
  workers.secondsInAll = cli.timeLimit;
  Tally tally;
  if (!cli.file.empty()) {
    auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(cli.file);
    if (!buffer) {
      llvm::errs() << "error: cannot read '" << cli.file
                   << "': " << buffer.getError().message() << "\n";
      return 2;
    }
    CheckOptions options;
    options.isSpmd = isSpmd;
    options.isBarriers = cli.barriers;
    if (!cli.chip.empty())
      options.chip = cli.chip;
    options.workgroupLimit = cli.workgroupLimit;
    options.privateLimit = cli.privateLimit;
    options.inputSeed = cli.inputSeed;
    options.dynamicSize = cli.dynamicSize;
    options.grid = cli.grid;
    options.padding = cli.padding;
    StringRef text = (*buffer)->getBuffer();
    CheckResult result = runJob(workers, [&] {
      return checkText(registry, text, options, cli.secondOpinion,
                       /*isGiven=*/true);
    });
    if (result.verdict == Verdict::Refused)
      llvm::outs() << "refused: " << result.detail << "\n";
    count(tally, registry, cli, "kernel", text, options, result);
    return report(tally, cli);
  }

  auto getKernel = [&](int64_t i) {
    GeneratedKernel kernel =
        isSpmd ? generateSpmd(cli.seed + i, cli.chip, cli.barriers)
               : generate(cli.seed + i, cli.chip);
    kernel.options.padding = cli.padding;
    return kernel;
  };
  if (cli.print) {
    for (int64_t i = 0; i < cli.count; ++i) {
      GeneratedKernel kernel = getKernel(i);
      llvm::outs() << withHeader(kernel.text, kernel.options, nullptr);
    }
    return 0;
  }
  runJobs(
      cli.count, workers,
      [&](int64_t i) {
        GeneratedKernel kernel = getKernel(i);
        return checkText(registry, kernel.text, kernel.options,
                         cli.secondOpinion, /*isGiven=*/false);
      },
      [&](int64_t i, const CheckResult &result) {
        GeneratedKernel kernel = getKernel(i);
        count(tally, registry, cli, "seed-" + std::to_string(cli.seed + i),
              kernel.text, kernel.options, result);
      });
  return report(tally, cli);
}
