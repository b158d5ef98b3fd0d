//===- MutationCampaign.cpp - mutants of given programs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationCampaign.h"
#include "Campaign.h"
#include "MutantCheck.h"
#include "Mutations.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// The `.mlir` files in and below `path`, or itself, in one order everywhere.
static std::vector<std::string> findFiles(const std::string &path) {
  std::vector<std::string> files;
  if (!llvm::sys::fs::is_directory(path))
    return {path};
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(path, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  return files;
}

/// Programs; a test file has several, apart by lines.
static bool readInputs(ArrayRef<std::string> paths,
                       std::vector<std::string> &texts) {
  for (const std::string &path : paths)
    for (const std::string &file : findFiles(path)) {
      auto buffer = llvm::MemoryBuffer::getFile(file);
      if (!buffer) {
        llvm::errs() << "error: cannot read '" << file
                     << "': " << buffer.getError().message() << "\n";
        return false;
      }
      SmallVector<StringRef> parts;
      (*buffer)->getBuffer().split(parts, "// -----");
      for (StringRef part : parts)
        if (!part.trim().empty())
          texts.push_back(part.str());
    }
  if (texts.empty())
    llvm::errs() << "error: no '.mlir' files to mutate\n";
  return !texts.empty();
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

/// By its IR, by its text, or by both. A text that cannot be parsed has no IR.
static std::string makeMutant(const DialectRegistry &registry,
                              ArrayRef<std::string> inputs, Random &rng) {
  std::string text = rng.pick(inputs);
  enum { IR, Text, Both };
  static constexpr int weights[] = {60, 30, 10};
  size_t way = rng.pickWeighted(weights);
  if (way != Text) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    ScopedDiagnosticHandler ignore(&context,
                                   [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (module && mutateIR(module, rng)) {
      text.clear();
      llvm::raw_string_ostream os(text);
      module->print(os);
    } else {
      way = Text;
    }
  }
  return way == IR ? text : mutateText(text, inputs, rng);
}

namespace {
class MutationCampaign {
public:
  MutationCampaign(const DialectRegistry &registry,
                   const MutationOptions &options,
                   std::vector<std::string> inputs)
      : registry(registry), options(options), inputs(std::move(inputs)) {}

  std::string getProgram(int64_t i, Random &rng) const;
  CheckResult check(int64_t i, const JobLog &log) const;
  void count(int64_t i, const CheckResult &result);
  int report() const;
  void print() const;
  std::vector<PassToTry> passes;

private:
  const DialectRegistry &registry;
  const MutationOptions &options;
  std::vector<std::string> inputs;
  int64_t mutants = 0, invalid = 0;
  /// What is wrong, and how often.
  std::map<std::string, int64_t> findings;
};
} // namespace

std::string MutationCampaign::getProgram(int64_t i, Random &rng) const {
  return options.isUnchanged ? inputs[i % inputs.size()]
                             : makeMutant(registry, inputs, rng);
}

CheckResult MutationCampaign::check(int64_t i, const JobLog &log) const {
  Random rng(options.seed + i);
  log.enter("mutation");
  std::string text = getProgram(i, rng);
  log.setProgram(text);
  CheckResult result = checkMutant(registry, text, passes, rng, log);
  result.program = std::move(text);
  return result;
}

void MutationCampaign::count(int64_t i, const CheckResult &result) {
  ++mutants;
  invalid += result.verdict == Verdict::NotJudged;
  if (result.verdict == Verdict::Ok || result.verdict == Verdict::NotJudged)
    return;
  auto [part, what] = StringRef(result.detail).split(": ");
  // What kills a verifier of upstream is no program.
  if (result.verdict == Verdict::Crash &&
      (part == "mutation" || part == "parser") &&
      !what.contains("mlir::memspace::")) {
    ++invalid;
    return;
  }
  // Options are numbers and names that say nothing of the fault.
  std::string group = groupMessages(
      (part.take_until([](char c) { return c == '{' || c == ','; }) + ": " +
       what)
          .str());
  if (++findings[group] > 1)
    return;
  std::string name = "mutant-" + std::to_string(options.seed + i);
  llvm::outs() << name << ": " << result.detail << "\n";
  llvm::outs().flush();
  saveText(options.save, name + ".mlir",
           "// " + result.detail + "\n" + result.program);
}

int MutationCampaign::report() const {
  int64_t sum = 0;
  for (const auto &[message, number] : findings) {
    llvm::outs() << "finding " << number << ": " << message << "\n";
    sum += number;
  }
  llvm::outs() << "mutants: " << mutants << ", invalid: " << invalid
               << ", findings: " << sum << " of " << findings.size()
               << " kinds\n";
  return findings.empty() ? 0 : 1;
}

void MutationCampaign::print() const {
  // In processes, since some mutants kill upstream's verifier.
  auto make = [&](int64_t i, const JobLog &) -> CheckResult {
    Random rng(options.seed + i);
    CheckResult result{Verdict::Ok, "", ""};
    result.program = getProgram(i, rng);
    return result;
  };
  std::map<int64_t, CheckResult> mutants;
  runJobs(options.count, options.workers, make,
          [&](int64_t i, const CheckResult &result) { mutants[i] = result; });
  for (const auto &[i, mutant] : mutants)
    llvm::outs() << "// mutant-" << options.seed + i
                 << (mutant.verdict == Verdict::Crash ? ": " : "")
                 << mutant.detail << "\n"
                 << mutant.program << "\n";
}

int fuzz::runMutationCampaign(const DialectRegistry &registry,
                              const MutationOptions &options) {
  std::vector<std::string> inputs;
  if (!readInputs(options.inputs, inputs))
    return 2;
  MutationCampaign campaign(registry, options, std::move(inputs));
  if (options.prints) {
    campaign.print();
    return 0;
  }
  campaign.passes = getPassesToTry();
  runJobs(
      options.count, options.workers,
      [&](int64_t i, const JobLog &log) { return campaign.check(i, log); },
      [&](int64_t i, const CheckResult &result) { campaign.count(i, result); });
  return campaign.report();
}
