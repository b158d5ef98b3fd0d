//===- Campaign.cpp - many kernels, and what becomes of them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "BarrierCheck.h"
#include "Shrinker.h"
#include "SpmdCheck.h"
#include "Workers.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

CheckResult fuzz::checkText(const DialectRegistry &registry, StringRef text,
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

std::string fuzz::groupMessages(StringRef diagnostic) {
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

void fuzz::saveText(StringRef folder, StringRef name, StringRef text) {
  if (folder.empty())
    return;
  std::error_code error = llvm::sys::fs::create_directories(folder);
  std::string path = (folder + "/" + name).str();
  if (!error) {
    llvm::raw_fd_ostream file(path, error);
    file << text;
  }
  if (error)
    llvm::errs() << "error: cannot write '" << path << "': " << error.message()
                 << "\n";
}

std::string fuzz::withHeader(StringRef text, const CheckOptions &options,
                             const CheckResult *result) {
  std::string header = "// memspace-fuzz FILE " + options.toString() + "\n";
  if (result)
    header += "// " + fuzz::getName(result->verdict).str() + ": " +
              result->detail + "\n";
  if (result && !result->secondOpinion.empty())
    header += "// upstream: " + result->secondOpinion + "\n";
  return header + text.str();
}

/// A random kernel on memrefs that is no legal program is none to judge by.
static bool isFailure(Verdict verdict, const CheckOptions &options) {
  return verdict != Verdict::Ok && verdict != Verdict::Refused &&
         !(options.isSpmd && verdict == Verdict::NotJudged);
}

/// Whether `now` is the same failure as `then`.
static bool isAlike(const CheckResult &now, const CheckResult &then,
                    const CheckOptions &options) {
  if (now.verdict != then.verdict)
    return false;
  // Messages that say what failed, up to names and numbers.
  if (options.isSpmd && StringRef(now.detail).split(':').first !=
                            StringRef(then.detail).split(':').first)
    return false;
  bool isByMessage =
      now.verdict == Verdict::Crash || now.verdict == Verdict::Refused;
  return !isByMessage ||
         groupMessages(now.detail) == groupMessages(then.detail);
}

/// Cuts `text` down to a kernel that fails in the same way.
std::string Campaign::shrinkText(StringRef text, const CheckOptions &checked,
                                 const CheckResult &result) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return text.str();
  WorkerOptions worker;
  worker.secondsPerJob = options.kernelSeconds;
  OwningOpRef<ModuleOp> small =
      shrink(*module, options.shrinkSeconds, [&](ModuleOp candidate) {
        if (isSynchronized(candidate) != isSynchronized(*module))
          return false;
        CheckResult now = runJob(worker, [&] {
          if (checked.isBarriers)
            return checkBarriersAsTheyAre(candidate, checked);
          return checked.isSpmd ? checkSpmd(candidate, checked)
                                : check(candidate, checked);
        });
        return isAlike(now, result, checked);
      });
  std::string shrunk;
  llvm::raw_string_ostream os(shrunk);
  for (Operation &op : *small->getBody())
    os << op << "\n";
  return shrunk;
}

void Campaign::countAlarm(StringRef name, StringRef kernel,
                          const CheckOptions &checked,
                          const CheckResult &result) {
  ++alarms[groupMessages(result.alarm)];
  ++numAlarms;
  if (!options.saysRefusals)
    return;
  llvm::outs() << name << ": alarm: " << result.alarm << "\n";
  saveText(options.save, name.str() + "-alarm.mlir",
           withHeader(result.program.empty() ? kernel : result.program, checked,
                      nullptr));
}

void Campaign::tellFailure(StringRef name, StringRef text,
                           const CheckOptions &checked,
                           const CheckResult &result) {
  llvm::outs() << name << ": " << fuzz::getName(result.verdict) << ": "
               << result.detail << "\n";
  if (!result.secondOpinion.empty())
    llvm::outs() << "  upstream: " << result.secondOpinion << "\n";
  llvm::outs().flush();
  // One crash in the same place tells as much as many.
  bool isKnownCrash = result.verdict == Verdict::Crash &&
                      ++crashes[groupMessages(result.detail)] > 1;
  std::string file = name.str() + ".mlir";
  if (!options.shrinks || isKnownCrash)
    return saveText(options.save, file, withHeader(text, checked, &result));
  std::string small = shrinkText(text, checked, result);
  WorkerOptions worker;
  worker.secondsPerJob = options.kernelSeconds;
  CheckResult now = runJob(worker, [&] {
    return checkText(registry, small, checked, /*askSecondOpinion=*/false,
                     /*isGiven=*/true);
  });
  llvm::outs() << withHeader(small, checked, &now);
  saveText(options.save, file, withHeader(small, checked, &now));
}

void Campaign::count(StringRef name, StringRef kernel,
                     const CheckOptions &checked, const CheckResult &result) {
  ++kernels;
  ++counts[unsigned(result.verdict)];
  bool isNewRefusal = result.verdict == Verdict::Refused &&
                      ++refusals[groupMessages(result.detail)] == 1;
  if (result.verdict == Verdict::NotJudged)
    ++notJudged[groupMessages(result.detail)];
  reused += result.isReused;
  barriers.add(result.barriers);
  if (!result.alarm.empty())
    countAlarm(name, kernel, checked, result);
  bool upstreamAlone =
      result.verdict == Verdict::Ok && !result.secondOpinion.empty();
  upstreamDisagrees += upstreamAlone;
  if (upstreamAlone)
    llvm::outs() << name << ": ok; upstream: " << result.secondOpinion << "\n";
  bool isItself = result.program.empty() || result.verdict == Verdict::Ok;
  if (isFailure(result.verdict, checked) ||
      (isNewRefusal && options.saysRefusals))
    tellFailure(name, isItself ? kernel : StringRef(result.program), checked,
                result);
}

void Campaign::reportGroups() const {
  auto print = [](StringRef title, const std::map<std::string, int64_t> &map) {
    for (const auto &[message, number] : map)
      llvm::outs() << title << " " << number << ": " << message << "\n";
  };
  print("refused", refusals);
  print("not judged", notJudged);
  print("alarm", alarms);
}

void Campaign::reportBarriers() {
  static constexpr StringRef names[BarrierTally::kNumKinds] = {
      "placed", "placed, in blocks", "mutants", "mutants, in blocks"};
  for (auto [kind, name] : llvm::enumerate(names)) {
    const BarrierTally::Counts &of = barriers.get(kind);
    llvm::outs() << name << ": " << of.programs << ", verified: " << of.verified
                 << ", rejected: " << of.rejected << " (certain " << of.certain
                 << "), alarms: " << of.alarms << ", missed: " << of.missed
                 << "\n";
  }
  llvm::outs() << "barriers eliminated: " << barriers.elimination.erased
               << " in " << barriers.elimination.programs
               << " programs without a race\n";
}

int Campaign::report() {
  if (options.saysRefusals)
    reportGroups();
  if (options.isBarriers)
    reportBarriers();
  if (options.isSpmd && !options.isBarriers)
    llvm::outs() << "with reuse: " << reused << "\n";
  if (!options.isSpmd && !options.isBarriers)
    llvm::outs() << "with a warning: " << numAlarms << "\n";
  if (options.askSecondOpinion)
    llvm::outs() << "upstream alone is wrong: " << upstreamDisagrees << "\n";
  if (int64_t number = get(Verdict::NotJudged))
    llvm::outs() << "not judged: " << number << "\n";
  llvm::outs() << "kernels: " << kernels << ", ok: " << get(Verdict::Ok)
               << ", refused: " << get(Verdict::Refused)
               << ", differences: " << get(Verdict::Difference)
               << ", reports: " << get(Verdict::Reports)
               << ", crashes: " << get(Verdict::Crash) << "\n";
  int64_t good = get(Verdict::Ok) + get(Verdict::Refused);
  if (options.isSpmd)
    good += get(Verdict::NotJudged);
  bool refusesTooMany = get(Verdict::Refused) * 100 >
                        kernels * int64_t(options.maxRefusedPercent);
  if (refusesTooMany)
    llvm::outs() << "more than " << options.maxRefusedPercent
                 << " % are refused\n";
  return good == kernels && !refusesTooMany ? 0 : 1;
}
