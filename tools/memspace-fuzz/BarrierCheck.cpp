//===- BarrierCheck.cpp - the verifier of barriers against the emulator -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierCheck.h"
#include "BarrierMutations.h"
#include "ErrorCollector.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Transforms/Passes.h"
#include "SpmdCheck.h"
#include "VerifierRuns.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Mutants of each kernel.
static constexpr int kMutants = 4;

namespace {
class BarrierCheck {
public:
  BarrierCheck(MLIRContext *context, const CheckOptions &options)
      : options(options), errors(context) {}

  /// Asks both about `program`, and counts; false after a mistake.
  bool judge(ModuleOp program, BarrierTally::Counts &counts, bool isPlaced);
  /// The same with `scf` lowered to blocks.
  bool judgeBlocks(ModuleOp program, BarrierTally::Counts &counts,
                   bool isPlaced);

  /// Of `program`, the one judged last: if the emulator found no race in it,
  /// what memspace-eliminate-barriers leaves of its barriers must do, too.
  bool judgeEliminated(ModuleOp program);

  const CheckOptions &options;
  ErrorCollector errors;
  /// The run of the program judged last, if the emulator finds nothing to
  /// object to in it.
  std::optional<emulator::Result> cleanRun;
  CheckResult result{Verdict::Ok, "", ""};
};
} // namespace

static LogicalResult runPass(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager pm(module.getContext());
  pm.addPass(std::move(pass));
  return pm.run(module);
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << module;
  return text;
}

bool BarrierCheck::judge(ModuleOp program, BarrierTally::Counts &counts,
                         bool isPlaced) {
  errors.take();
  bool isVerified = succeeded(runVerifier(program, options, "error"));
  std::string alarm = errors.take();
  bool isCertain = !isVerified && failed(runVerifier(program, options, "warn"));
  errors.take();
  FailureOr<emulator::Result> run = runSpmd(program, options);
  if (failed(run)) {
    result.verdict = Verdict::Crash;
    result.detail = "the emulator refuses the kernel: " + errors.take();
    return false;
  }
  ++counts.programs;
  // An index that is out of bounds may be anywhere.
  bool isJudged = run->getNumOutOfBounds() == 0;
  bool races = run->getNumRaces() || run->getNumDivergentBarriers();
  cleanRun.reset();
  if (races && (!isVerified || !isJudged)) {
    ++counts.rejected;
    counts.certain += isCertain;
  } else if (races) {
    ++counts.missed;
    result.verdict = Verdict::Reports;
    result.detail = "verified, but " + run->reports.front().message;
    result.program = print(program);
    return false;
  } else if (isVerified) {
    ++counts.verified;
    if (std::string hidden = findHiddenRace(program, options, errors);
        !hidden.empty()) {
      result.verdict = Verdict::Reports;
      result.detail =
          "verified, but not where each pair is asked for: " + hidden;
      result.program = print(program);
      return false;
    }
  } else if (isCertain && isJudged) {
    result.verdict = Verdict::Reports;
    result.detail = "no race, but the verifier is certain of one: " + alarm;
    result.program = print(program);
    return false;
  } else {
    ++counts.alarms;
    if (isPlaced && result.alarm.empty()) {
      result.alarm = alarm;
      result.program = print(program);
    }
  }
  if (isJudged && !races)
    cleanRun = std::move(*run);
  return true;
}

bool BarrierCheck::judgeBlocks(ModuleOp program, BarrierTally::Counts &counts,
                               bool isPlaced) {
  OwningOpRef<ModuleOp> blocks(program.clone());
  if (failed(runPass(*blocks, createSCFToControlFlowPass()))) {
    errors.take();
    return true;
  }
  return judge(*blocks, counts, isPlaced);
}

static int64_t countBarriers(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](Operation *op) { count += getBarrier(op).has_value(); });
  return count;
}

/// What `run` shows that `before` does not: other values, or values that depend
/// on the order of the threads; empty for nothing.
static std::string findOtherValues(const emulator::Result &run,
                                   const emulator::Result &before) {
  for (unsigned i = 0; i < run.arguments.size(); ++i) {
    if (llvm::is_contained(before.orderDependentArguments, i))
      continue;
    if (llvm::is_contained(run.orderDependentArguments, i))
      return ("argument " + Twine(i) + " depends on the order of the threads")
          .str();
    if (run.arguments[i].bytes != before.arguments[i].bytes)
      return ("argument " + Twine(i) + " has other values").str();
  }
  return "";
}

bool BarrierCheck::judgeEliminated(ModuleOp program) {
  if (!cleanRun)
    return true;
  OwningOpRef<ModuleOp> eliminated(program.clone());
  EliminateBarriersPassOptions eliminate;
  eliminate.chip = options.chip;
  if (failed(runPass(*eliminated, createEliminateBarriersPass(eliminate)))) {
    // A barrier that only some threads reach, for what the pass knows.
    errors.take();
    return true;
  }
  BarrierTally::Elimination &tally = result.barriers.elimination;
  int64_t erased = countBarriers(program) - countBarriers(*eliminated);
  ++tally.programs;
  tally.erased += erased;
  if (erased == 0)
    return true;
  FailureOr<emulator::Result> run = runSpmd(*eliminated, options);
  if (failed(run)) {
    result.verdict = Verdict::Crash;
    result.detail = "the emulator refuses the kernel: " + errors.take();
    return false;
  }
  std::string fault;
  if (run->getNumRaces() || run->getNumDivergentBarriers())
    fault = run->reports.front().message;
  else
    fault = findOtherValues(*run, *cleanRun);
  if (fault.empty())
    return true;
  result.verdict = Verdict::Reports;
  result.detail = "a needed barrier is eliminated: " + fault;
  result.program = print(program);
  return false;
}

CheckResult fuzz::checkBarriersAsTheyAre(ModuleOp module,
                                         const CheckOptions &options) {
  BarrierCheck check(module.getContext(), options);
  if (getKernels(module).empty())
    return {Verdict::NotJudged, "the module has no kernel", ""};
  if (check.judge(module, check.result.barriers.mutants, /*isPlaced=*/true))
    check.judgeEliminated(module);
  return check.result;
}

CheckResult fuzz::checkBarriers(ModuleOp module, const CheckOptions &options) {
  BarrierCheck check(module.getContext(), options);
  Random rng(options.inputSeed);
  if (getKernels(module).empty())
    return {Verdict::NotJudged, "the module has no kernel", ""};
  SpmdLayout layout = rng.chance(60) ? SpmdLayout::Reuse : SpmdLayout::Bump;
  // What a call does, nobody knows.
  OwningOpRef<ModuleOp> inlined = withoutSynchronization(module);
  if (rng.chance(95) && failed(runPass(*inlined, createInlinerPass())))
    return {Verdict::Crash, check.errors.take(), ""};
  OwningOpRef<ModuleOp> placed = compileSpmd(*inlined, layout, options);
  if (!placed)
    return {Verdict::Refused, check.errors.take(), ""};
  BarrierTally &tally = check.result.barriers;
  if (!check.judge(*placed, tally.placed, /*isPlaced=*/true) ||
      !check.judgeEliminated(*placed) ||
      (rng.chance(30) && !check.judgeBlocks(*placed, tally.blocks, true)))
    return check.result;
  for (int i = 0; i < kMutants; ++i) {
    OwningOpRef<ModuleOp> mutant(placed->clone());
    mutateBarriers(*mutant, rng);
    if (failed(verify(*mutant))) {
      check.errors.take();
      continue;
    }
    if (!check.judge(*mutant, tally.mutants, /*isPlaced=*/false) ||
        !check.judgeEliminated(*mutant) ||
        (rng.chance(20) &&
         !check.judgeBlocks(*mutant, tally.mutantBlocks, false)))
      return check.result;
  }
  return check.result;
}
