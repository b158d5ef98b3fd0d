//===- VerifyBarriers.cpp - no race, or where -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tells what BarrierVerifier has found.
///
//===----------------------------------------------------------------------===//

#include "BarrierUtils.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_VERIFYBARRIERSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// Further races are only counted.
static constexpr size_t kMaxReports = 10;

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

static std::string describe(const UncutHazard &hazard) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (hazard.certain ? "data race (" : "possible data race (")
     << stringifyHazardKind(hazard.threads.kind);
  if (hazard.carryingLoop)
    os << ", loop-carried";
  if (hazard.threads.insideSubgroup && !hazard.threads.acrossSubgroups)
    os << ", inside a subgroup";
  os << ")";
  if (hazard.second.op == hazard.first.op && !hazard.carryingLoop)
    os << " of threads that execute this '";
  else
    os << " with '";
  os << hazard.second.op->getName() << "'";
  return text;
}

static StringRef getWayOut(const UncutHazard &hazard) {
  switch (hazard.cause) {
  case UncutHazard::NoBarrier:
    return hazard.threads.acrossSubgroups
               ? ": no barrier orders the two on some path; insert "
                 "'gpu.barrier' between them"
               : ": no barrier orders the two on some path; insert "
                 "'memspace.subgroup_barrier' between them";
  case UncutHazard::Divergent:
    return ": both are in a region that not all threads enter, where no "
           "barrier can stand; split the region between the two";
  case UncutHazard::SameOp:
    return " at once, which no barrier orders; give each thread elements of "
           "its own, let one thread execute it, or make it atomic";
  case UncutHazard::InFlight:
    return ": the copy begun here may still be in flight; wait for its group "
           "on every path between the two";
  case UncutHazard::AcrossWorkgroups:
    return " in another workgroup, which no barrier orders; give each "
           "workgroup elements of its own, or use atomics or two kernels";
  }
  return "";
}

/// Emits what is certain as an error, and what could not be excluded as
/// `mayBe` says.
static InFlightDiagnostic emit(Operation *op, bool isCertain,
                               DiagnosticSeverity mayBe) {
  return isCertain || mayBe == DiagnosticSeverity::Error ? op->emitError()
                                                         : op->emitWarning();
}

static void report(const UncutHazard &hazard, DiagnosticSeverity mayBe) {
  InFlightDiagnostic diag = emit(hazard.first.op, hazard.certain, mayBe);
  diag << describe(hazard) << getWayOut(hazard);
  bool isSame = hazard.second.op == hazard.first.op;
  if (!isSame || hazard.witness) {
    Diagnostic &note = diag.attachNote(hazard.second.op->getLoc());
    note << (isSame ? "" : "the other access");
    if (hazard.witness)
      note << (isSame ? "" : "; ") << hazard.witness->str();
  }
  if (hazard.carryingLoop)
    diag.attachNote(hazard.carryingLoop->getLoc())
        << "in another iteration of this loop";
  if (hazard.region)
    diag.attachNote(hazard.region->getLoc()) << "threads part here";
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static void report(const DivergentBarrier &divergent,
                   DiagnosticSeverity mayBe) {
  InFlightDiagnostic diag = emit(divergent.barrier, divergent.certain, mayBe);
  if (isBarrierLike(divergent.barrier))
    diag << "barrier";
  else
    diag << "'" << divergent.barrier->getName() << "'";
  diag << " that " << (divergent.certain ? "" : "perhaps ")
       << "only some threads of the "
       << stringifyExecutionScope(divergent.scope)
       << " reach; move it out of the divergent region";
  diag.attachNote(divergent.cause->getLoc())
      << "the condition here " << (divergent.certain ? "differs" : "may differ")
      << " between threads";
  noteCondition(diag, divergent.cause);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Says what the verifier has not looked at.
static void reportGaps(const BarrierVerifier &verifier,
                       FunctionOpInterface kernel, DiagnosticSeverity mayBe) {
  for (Operation *op : verifier.getUnknownOps())
    emit(op, /*isCertain=*/false, mayBe)
        << "nothing is known of when '" << op->getName()
        << "' runs its regions and what it accesses; lower it before barriers "
           "are verified";
  if (verifier.hasGivenUp())
    emit(kernel, /*isCertain=*/false, mayBe)
        << "kernel '" << kernel.getName()
        << "' is too large to be verified within the steps of 'work-limit': "
           "that it has no race is not verified; run memspace-verify-barriers "
           "with a larger one";
}

static void reportHazards(const BarrierVerifier &verifier,
                          FunctionOpInterface kernel,
                          DiagnosticSeverity mayBe) {
  // What is certain is not to be lost among what may be.
  SmallVector<const UncutHazard *> hazards =
      llvm::to_vector(llvm::make_pointer_range(verifier.getHazards()));
  std::stable_partition(
      hazards.begin(), hazards.end(),
      [](const UncutHazard *hazard) { return hazard->certain; });
  for (const UncutHazard *hazard : ArrayRef(hazards).take_front(kMaxReports))
    report(*hazard, mayBe);
  if (hazards.size() <= kMaxReports)
    return;
  auto more = ArrayRef(hazards).drop_front(kMaxReports);
  size_t numCertain = llvm::count_if(
      more, [](const UncutHazard *hazard) { return hazard->certain; });
  auto say = [&](size_t count, bool isCertain) {
    if (count)
      emit(kernel, isCertain, mayBe)
          << (verifier.isComplete() ? "" : "at least ") << count << " more "
          << (isCertain ? "" : "possible ") << "data races in kernel '"
          << kernel.getName() << "'";
  };
  say(numCertain, /*isCertain=*/true);
  say(more.size() - numCertain, /*isCertain=*/false);
}

/// Failure where something is certain, or may be and that is an error.
static LogicalResult verify(const KernelContext &context,
                            const VerifierLimits &limits,
                            DiagnosticSeverity mayBe) {
  FunctionOpInterface kernel = context.getKernel();
  BarrierVerifier verifier(context, limits);
  for (const DivergentBarrier &divergent : verifier.getDivergentBarriers())
    report(divergent, mayBe);
  reportGaps(verifier, kernel, mayBe);
  reportHazards(verifier, kernel, mayBe);
  return success(mayBe == DiagnosticSeverity::Error ? verifier.isRaceFree()
                                                    : !verifier.hasCertain());
}

namespace {
struct VerifyBarriersPass
    : public memspace::impl::VerifyBarriersPassBase<VerifyBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    if (mayHazards != "error" && mayHazards != "warn") {
      getOperation()->emitError()
          << "'" << getArgument() << "' knows no 'may-hazards' named '"
          << mayHazards << "'; use 'error' or 'warn'";
      return signalPassFailure();
    }
    if (workLimit < 0) {
      getOperation()->emitError()
          << "the 'work-limit' of '" << getArgument()
          << "' must not be negative; 0 means that there is none";
      return signalPassFailure();
    }
    markAllAnalysesPreserved();
    if (failed(verifyKernels()))
      signalPassFailure();
  }

private:
  LogicalResult verifyKernels() {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.entersLaunches = true;
    selection.goesOn = true;
    selection.mustSeeAll = mayHazards == "error";
    DiagnosticSeverity mayBe = selection.mustSeeAll
                                   ? DiagnosticSeverity::Error
                                   : DiagnosticSeverity::Warning;
    VerifierLimits limits;
    limits.steps = workLimit;
    limits.allowEqualStores = allowEqualStores;
    if (askEachPair)
      limits.sharing = AnswerSharing::None;
    return forEachKernel(getOperation(), selection,
                         [&](const KernelContext &context) {
                           return verify(context, limits, mayBe);
                         });
  }
};
} // namespace
