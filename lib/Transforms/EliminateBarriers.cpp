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
#include "MemSpace/Analysis/BarrierPlacement.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEELIMINATEBARRIERS
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

namespace {
struct EliminateBarriersPass
    : public memspace::impl::MemSpaceEliminateBarriersBase<
          EliminateBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetOverrides overrides{chip, workgroupLimit, privateLimit, subgroupSize};
    for (FunctionOpInterface kernel : getKernels(getOperation())) {
      FailureOr<TargetInfo> target = resolveTarget(kernel, overrides);
      if (failed(target))
        return signalPassFailure();
      BarrierPlacement placement(kernel, *getLaunchShape(kernel), *target,
                                 BarrierPlacement::Mode::Eliminate);
      if (failed(checkBarrierControl(kernel, placement.getUniformity())))
        return signalPassFailure();
      eliminate(placement, kernel);
    }
  }
};
} // namespace
