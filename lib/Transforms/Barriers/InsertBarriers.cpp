//===- InsertBarriers.cpp - barriers between hazards -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts the barriers of BarrierPlacement into a kernel. A hazard between two
/// ops under one guard is cut by splitting the guard.
///
//===----------------------------------------------------------------------===//

#include "BarrierUtils.h"
#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "SplitGuard.h"
#include "Transforms/Support/InlineCallees.h"
#include "Transforms/Workgroup/PackWorkgroupMemory.h"
#include "UnsynchronizableHazards.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Remarks.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// The barriers, in their order.
static SmallVector<Operation *> insert(const BarrierPlacement &placement) {
  SmallVector<Operation *> made;
  std::optional<AsmState> names;
  for (const NeededBarrier &needed : placement.getBarriers()) {
    OpBuilder builder = needed.getBuilder();
    if (!names)
      names.emplace(builder.getContext());
    Location loc = needed.op->getLoc();
    if (needed.scope == ExecutionScope::Workgroup)
      made.push_back(gpu::BarrierOp::create(builder, loc));
    else
      made.push_back(SubgroupBarrierOp::create(builder, loc));
    made.back()->setAttr(kHazardAttr, builder.getStringAttr(placement.describe(
                                          needed.cuts, *names)));
  }
  return made;
}

/// Erases barriers with the guards that were made for them.
static void eraseBarriers(const BarrierPlacement &placement,
                          ArrayRef<Operation *> barriers) {
  for (auto [needed, barrier] :
       llvm::zip_equal(placement.getBarriers(), barriers)) {
    unsigned guards = needed.guard == IterationGuard::None    ? 0
                      : needed.guard == IterationGuard::Inner ? 2
                                                              : 1;
    Operation *outermost = barrier;
    for (unsigned i = 0; i < guards; ++i)
      outermost = outermost->getParentOp();
    Operation *condition =
        guards ? outermost->getOperand(0).getDefiningOp() : nullptr;
    outermost->erase();
    if (!condition)
      continue;
    Operation *next = condition->getOperand(0).getDefiningOp();
    condition->erase();
    if (next && next->use_empty())
      next->erase();
  }
}

static bool hasGuards(const BarrierPlacement &placement) {
  return llvm::any_of(placement.getBarriers(), [](const NeededBarrier &needed) {
    return needed.guard != IterationGuard::None;
  });
}

static void remarkOn(const BarrierPlacement &placement,
                     FunctionOpInterface kernel) {
  // What cuts what takes longer to say than to find.
  if (!kernel.getContext()->getRemarkEngine())
    return;
  for (const NeededBarrier &needed : placement.getBarriers())
    remark::passed(needed.op->getLoc(), remark::RemarkOpts::name("barrier")
                                            .category("memspace")
                                            .function(kernel.getName()))
        << placement.describe(needed.cuts);
  if (!placement.isOptimal())
    remark::analysis(kernel->getLoc(),
                     remark::RemarkOpts::name("placement-limit")
                         .category("memspace")
                         .function(kernel.getName()))
        << "the barriers cut all hazards, but the search for the cheapest "
           "ones, "
           "or the execution of loops state by state, ended at its limit";
}

static void report(const BarrierPlacement &placement,
                   const UnsynchronizableHazard &hazard) {
  Operation *a = placement.getHazards().getAccesses()[hazard.first].op;
  Operation *b = placement.getHazards().getAccesses()[hazard.second].op;
  if (hazard.inFlight) {
    InFlightDiagnostic diag =
        b->emitError() << "may touch memory while the copy '" << a->getName()
                       << "' is still in flight there; wait for it before "
                          "(nvgpu.device_async_wait)";
    diag.attachNote(a->getLoc()) << "the copy";
    return;
  }
  Operation *guard = getDivergentGuard(placement.getUniformity(), a, b);
  InFlightDiagnostic diag =
      a->emitError()
      << "threads may touch the same memory here and in '" << b->getName()
      << "', but both are in a region that not all threads enter, where no "
         "barrier can stand; split the region between the two";
  Diagnostic &note = diag.attachNote(b->getLoc()) << "the other access";
  // Two threads and the byte of the value where they meet.
  if (std::optional<HazardWitness> witness = placement.getHazards().getWitness(
          hazard.first, hazard.second, hazard.carryingLoop))
    note << "; " << witness->str();
  if (guard)
    diag.attachNote(guard->getLoc()) << "only some threads enter here";
}

/// Splits guards between the two sides of hazards that they enclose: between
/// those, in the order of the second side, that no split before has separated.
/// Of an op inside a guard one hazard: the next placement tells where the guard
/// itself is to be split, which may separate the others. True if one was split.
static bool splitGuards(const BarrierPlacement &placement,
                        FunctionOpInterface kernel) {
  /// With whether all splits were of the guard itself.
  DenseMap<Operation *, bool> split;
  for (const UnsynchronizableHazard &hazard : placement.getUnsynchronizable()) {
    Operation *a = placement.getHazards().getAccesses()[hazard.first].op;
    Operation *b = placement.getHazards().getAccesses()[hazard.second].op;
    Operation *guard = getDivergentGuard(placement.getUniformity(), a, b);
    if (hazard.inFlight || hazard.carryingLoop || !guard)
      continue;
    bool isOwn = getInnermostAround(a, b) == guard;
    auto it = split.find(guard);
    if ((it != split.end() && !(it->second && isOwn)) ||
        failed(splitGuardBetween(guard, a, b)))
      continue;
    split[guard] = isOwn;
    remark::passed(guard->getLoc(), remark::RemarkOpts::name("guard-split")
                                        .category("memspace")
                                        .function(kernel.getName()))
        << placement.describe(hazard);
  }
  return !split.empty();
}

namespace {
struct InsertBarriersPass
    : public memspace::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    if (!pack.empty() &&
        failed(packWorkgroupMemory(getOperation(), selection, pack,
                                   /*reuse=*/true)))
      return signalPassFailure();
    selection.entersLaunches = true;
    auto runOn = [&](const KernelContext &context) { return run(context); };
    if (failed(forEachKernel(getOperation(), selection, runOn)))
      signalPassFailure();
  }

  LogicalResult run(const KernelContext &context) {
    FunctionOpInterface kernel = context.getKernel();
    if (failed(inlineSharingCallees(context)))
      return failure();
    for (bool isFirst = true;; isFirst = false) {
      BarrierPlacement placement(context, BarrierPlacement::Mode::Insert,
                                 iterationGuards);
      if (failed(checkBarrierControl(kernel, placement.getUniformity())))
        return failure();
      // Splitting guards does not change what these say.
      if (isFirst && failed(reportUnsynchronizableHazards(
                         placement.getHazards(), placement.getUniformity())))
        return failure();
      if (placement.getUnsynchronizable().empty()) {
        SmallVector<Operation *> barriers = insert(placement);
        // Guards that the verifier does not follow are of no use.
        if (hasGuards(placement) && !BarrierVerifier(context).isRaceFree()) {
          eraseBarriers(placement, barriers);
          BarrierPlacement plain(context, BarrierPlacement::Mode::Insert);
          insert(plain);
          remarkOn(plain, kernel);
          return success();
        }
        remarkOn(placement, kernel);
        return success();
      }
      // Each split makes a guard smaller, so this ends.
      if (!splitGuards(placement, kernel)) {
        report(placement, placement.getUnsynchronizable().front());
        return failure();
      }
    }
  }
};
} // namespace
