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
#include "MemSpace/Analysis/BarrierPlacement.h"
#include "MemSpace/Analysis/Synchronization.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Remarks.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEINSERTBARRIERS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

static void insert(const BarrierPlacement &placement,
                   FunctionOpInterface kernel) {
  for (const NeededBarrier &needed : placement.getBarriers()) {
    OpBuilder builder(needed.op);
    Location loc = needed.op->getLoc();
    Operation *barrier;
    if (needed.scope == ExecutionScope::Workgroup)
      barrier = gpu::BarrierOp::create(builder, loc);
    else
      barrier = SubgroupBarrierOp::create(builder, loc);
    std::string text = placement.describe(*needed.cuts);
    barrier->setAttr(kHazardAttr, builder.getStringAttr(text));
    remark::passed(loc, remark::RemarkOpts::name("barrier")
                            .category("memspace")
                            .function(kernel.getName()))
        << text;
  }
}

/// The outermost op around both that not all threads enter together.
static Operation *getGuard(const Uniformity &uniformity, Operation *a,
                           Operation *b) {
  Operation *guard = nullptr;
  for (Operation *parent = a->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (parent->isAncestor(b) &&
        uniformity.getControlScope(parent) > ExecutionScope::Workgroup)
      guard = parent;
  return guard;
}

static void report(const BarrierPlacement &placement,
                   const IncurableHazard &hazard) {
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
  Operation *guard = getGuard(placement.getUniformity(), a, b);
  InFlightDiagnostic diag =
      a->emitError()
      << "threads may touch the same memory here and in '" << b->getName()
      << "', but both are in a region that not all threads enter, where no "
         "barrier can stand; split the region between the two";
  diag.attachNote(b->getLoc()) << "the other access";
  if (guard)
    diag.attachNote(guard->getLoc()) << "only some threads enter here";
}

namespace {
struct InsertBarriersPass
    : public memspace::impl::MemSpaceInsertBarriersBase<InsertBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetOverrides overrides{chip, workgroupLimit, privateLimit, subgroupSize};
    for (FunctionOpInterface kernel : getKernels(getOperation())) {
      FailureOr<TargetInfo> target = resolveTarget(kernel, overrides);
      if (failed(target))
        return signalPassFailure();
      BarrierPlacement placement(kernel, *getLaunchShape(kernel), *target,
                                 BarrierPlacement::Mode::Insert);
      if (failed(checkBarrierControl(kernel, placement.getUniformity())))
        return signalPassFailure();
      if (!placement.getIncurable().empty()) {
        report(placement, placement.getIncurable().front());
        return signalPassFailure();
      }
      insert(placement, kernel);
    }
  }
};
} // namespace
