//===- LowerSubgroupBarriers.cpp - order inside a subgroup -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_LOWERSUBGROUPBARRIERSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct LowerSubgroupBarriersPass
    : public memspace::impl::LowerSubgroupBarriersPassBase<
          LowerSubgroupBarriersPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

static void lowerForNVIDIA(OpBuilder &builder, Location loc) {
  Value allLanes = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                            builder.getI32IntegerAttr(-1));
  NVVM::SyncWarpOp::create(builder, loc, allLanes);
}

/// What HIP's __syncwarp does.
static void lowerForAMD(OpBuilder &builder, Location loc) {
  StringRef scope = "wavefront";
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::release, scope);
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.amdgcn.wave.barrier"),
      ValueRange());
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acquire, scope);
}

void LowerSubgroupBarriersPass::runOnOperation() {
  SmallVector<std::pair<SubgroupBarrierOp, TargetVendor>> barriers;
  WalkResult result =
      getOperation()->walk([&](SubgroupBarrierOp barrier) -> WalkResult {
        FailureOr<std::optional<TargetInfo>> target = getTargetFromIR(barrier);
        if (failed(target))
          return failure();
        if (!*target || (*target)->vendor == TargetVendor::Generic)
          return barrier.emitError()
                 << "has no target; run memspace-outline-kernels with the "
                    "option 'chip' or attach a target attribute";
        barriers.push_back({barrier, (*target)->vendor});
        return WalkResult::advance();
      });
  if (result.wasInterrupted())
    return signalPassFailure();
  for (auto [barrier, vendor] : barriers) {
    OpBuilder builder(barrier);
    if (vendor == TargetVendor::NVIDIA)
      lowerForNVIDIA(builder, barrier.getLoc());
    else
      lowerForAMD(builder, barrier.getLoc());
    barrier.erase();
  }
}
