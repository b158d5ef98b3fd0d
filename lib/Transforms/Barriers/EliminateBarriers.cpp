//===- EliminateBarriers.cpp - erase barriers that order nothing -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of the barriers of a kernel, whoever put them there, keeps the cheapest that
/// cut every hazard path which all of them cut.
///
//===----------------------------------------------------------------------===//

#include "BarrierUtils.h"
#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_ELIMINATEBARRIERSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

static void eliminate(const BarrierPlacement &placement,
                      FunctionOpInterface kernel) {
  auto remarkAt = [&](Operation *op, StringRef name) {
    return remark::passed(op->getLoc(), remark::RemarkOpts::name(name)
                                            .category("memspace")
                                            .function(kernel.getName()));
  };
  for (const NeededBarrier &needed : placement.getBarriers()) {
    std::string text = placement.describe(needed.cuts);
    needed.op->setAttr(kHazardAttr,
                       StringAttr::get(needed.op->getContext(), text));
    remarkAt(needed.op, "barrier-needed") << text;
  }
  // The texts first: they name ops by their locations.
  for (const RedundantBarrier &redundant : placement.getRedundant()) {
    std::string text = "no hazard lies across it";
    if (redundant.hazard) {
      text.clear();
      llvm::raw_string_ostream(text)
          << placement.describe(*redundant.hazard)
          << " is also cut by the barrier at " << redundant.coveredBy->getLoc();
    }
    remarkAt(redundant.op, "barrier-redundant") << text;
  }
  for (const RedundantBarrier &redundant : placement.getRedundant())
    redundant.op->erase();
}

/// A copy that may be in flight when its memory is accessed; null for none.
/// Where threads have waited for it on one path only, a barrier orders it
/// there, and it counts as a hazard that no barrier cuts.
static Operation *findCopyInFlight(const KernelContext &context) {
  Operation *any = nullptr;
  context.getKernel()->walk([&](Operation *op) {
    if (!startsAsyncCopy(op))
      return WalkResult::advance();
    any = op;
    return WalkResult::interrupt();
  });
  if (!any)
    return nullptr;
  BarrierVerifier verifier(context);
  for (const UncutHazard &hazard : verifier.getHazards())
    if (hazard.cause == UncutHazard::InFlight)
      return hazard.first.op;
  // Behind the hazards that it has listed there may be one.
  return verifier.isComplete() ? nullptr : any;
}

namespace {
struct EliminateBarriersPass
    : public memspace::impl::EliminateBarriersPassBase<EliminateBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.entersLaunches = true;
    if (failed(forEachKernel(getOperation(), selection, run)))
      signalPassFailure();
  }

  static LogicalResult run(const KernelContext &context) {
    BarrierPlacement placement(context, BarrierPlacement::Mode::Eliminate);
    if (failed(checkBarrierControl(context.getKernel(),
                                   placement.getUniformity())))
      return failure();
    if (Operation *copy = findCopyInFlight(context)) {
      remark::missed(copy->getLoc(),
                     remark::RemarkOpts::name("copy-in-flight")
                         .category("memspace")
                         .function(context.getKernel().getName()))
          << "no barrier is erased: this copy may be in flight where its "
             "memory "
             "is accessed; wait for it on every path";
      return success();
    }
    eliminate(placement, context.getKernel());
    return success();
  }
};
} // namespace
