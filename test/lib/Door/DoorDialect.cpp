//===- DoorDialect.cpp - a dialect that uses every door -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoorDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::door;

#include "DoorDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "DoorAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "DoorOps.cpp.inc"

void DoorDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "DoorAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "DoorOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Mappings
//===----------------------------------------------------------------------===//

int64_t LaneAttr::getMappingId() const { return getDim(); }
bool LaneAttr::isLinearMapping() const { return true; }
int64_t LaneAttr::getRelativeIndex() const { return getDim(); }
ExecutionScope LaneAttr::getIterationScope() const {
  return ExecutionScope::Thread;
}
bool LaneAttr::isLaneMapping() const { return true; }
bool LaneAttr::isLinear() const { return true; }
unsigned LaneAttr::getDimension() const { return getDim(); }

int64_t GroupAttr::getMappingId() const { return getDim(); }
bool GroupAttr::isLinearMapping() const { return false; }
int64_t GroupAttr::getRelativeIndex() const { return getDim(); }
ExecutionScope GroupAttr::getIterationScope() const {
  return ExecutionScope::Workgroup;
}
bool GroupAttr::isLaneMapping() const { return false; }
bool GroupAttr::isLinear() const { return false; }
unsigned GroupAttr::getDimension() const { return getDim(); }

//===----------------------------------------------------------------------===//
// ThroughOp
//===----------------------------------------------------------------------===//

SmallVector<Region *> ThroughOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> ThroughOp::getLoopInductionVars() {
  return SmallVector<Value>{getBody().getArgument(0)};
}

std::optional<SmallVector<OpFoldResult>> ThroughOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>{getLower()};
}

std::optional<SmallVector<OpFoldResult>> ThroughOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>{getUpper()};
}

std::optional<SmallVector<OpFoldResult>> ThroughOp::getLoopSteps() {
  return SmallVector<OpFoldResult>{Builder(getContext()).getIndexAttr(1)};
}

void ThroughOp::getSuccessorRegions(
    RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getBody());
  successors.emplace_back(getOperation(), getOperation()->getResults());
}

//===----------------------------------------------------------------------===//
// What the ops say
//===----------------------------------------------------------------------===//

ExecutionScope WorkgroupNumberOp::getResultScope() {
  return ExecutionScope::Workgroup;
}

ExecutionScope ThreadNumberOp::getResultScope() {
  return ExecutionScope::Thread;
}

std::optional<Barrier> FenceOp::getBarrier() {
  return Barrier{ExecutionScope::Workgroup, getWorkgroup(), getGlobal()};
}

NamedMemory BindingOp::getNamedMemory(OpResult) {
  NamedMemory named;
  named.identity = getNumberAttr();
  if (getOffset())
    named.byteOffset = getOffset();
  else
    named.byteOffset = Builder(getContext()).getIndexAttr(0);
  named.space = MemorySpace::Global;
  return named;
}

NamedMemory RenameOp::getNamedMemory(OpResult) {
  NamedMemory named;
  named.source = getSource();
  named.hasSourcePointer = true;
  named.keepsElements = true;
  return named;
}

std::optional<TouchedElements>
LoadPairOp::getTouchedElements(OpOperand &, const KernelContext &) {
  TouchedElements touched = TouchedElements::getElement(getIndex());
  touched.ranges.front().size = LinearExpr(2);
  touched.exact = true;
  return touched;
}

std::optional<TouchedElements>
StoreOp::getTouchedElements(OpOperand &, const KernelContext &) {
  TouchedElements touched = TouchedElements::getElement(getIndex());
  touched.exact = true;
  return touched;
}

ExecutionScope MeetOp::getCollectiveScope() {
  return ExecutionScope::Workgroup;
}

ExecutionScope LaneMeetOp::getCollectiveScope() {
  return ExecutionScope::Subgroup;
}

ExecutionScope TogetherOp::getCollectiveScope() {
  return ExecutionScope::Workgroup;
}

std::optional<SmallVector<Value>> TwiceOp::getControlValues() {
  return SmallVector<Value>{getCondition()};
}

//===----------------------------------------------------------------------===//
// What they do
//===----------------------------------------------------------------------===//

namespace {
struct DoorToUpstreamPass
    : public PassWrapper<DoorToUpstreamPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DoorToUpstreamPass)

  StringRef getArgument() const override { return "door-to-upstream"; }
  StringRef getDescription() const override {
    return "Replace the ops of the door dialect by those of upstream";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect,
                    scf::SCFDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      llvm::TypeSwitch<Operation *>(op)
          .Case<WorkgroupNumberOp, ThreadNumberOp, FenceOp, BindingOp, RenameOp,
                LoadPairOp, StoreOp, TwiceOp>(
              [&](auto doorOp) { replace(rewriter, doorOp); });
    }
  }

private:
  void replace(RewriterBase &b, WorkgroupNumberOp op) {
    b.replaceOpWithNewOp<gpu::BlockIdOp>(op, gpu::Dimension::x);
  }
  void replace(RewriterBase &b, ThreadNumberOp op) {
    b.replaceOpWithNewOp<gpu::ThreadIdOp>(op, gpu::Dimension::x);
  }
  void replace(RewriterBase &b, FenceOp op) {
    b.replaceOpWithNewOp<gpu::BarrierOp>(op);
  }
  void replace(RewriterBase &b, BindingOp op) {
    // Upstream has no word for a part of an argument.
    if (op.getOffset())
      return;
    auto kernel = op->getParentOfType<FunctionOpInterface>();
    b.replaceOp(op, kernel.getArgument(op.getNumber()));
  }
  void replace(RewriterBase &b, RenameOp op) {
    b.replaceOpWithNewOp<memref::CastOp>(op, op.getType(), op.getSource());
  }
  void replace(RewriterBase &b, LoadPairOp op) {
    Location loc = op.getLoc();
    Value first = memref::LoadOp::create(b, loc, op.getMemref(), op.getIndex());
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value next = arith::AddIOp::create(b, loc, op.getIndex(), one);
    Value second = memref::LoadOp::create(b, loc, op.getMemref(), next);
    b.replaceOpWithNewOp<arith::AddIOp>(op, first, second);
  }
  void replace(RewriterBase &b, StoreOp op) {
    b.replaceOpWithNewOp<memref::StoreOp>(op, op.getValue(), op.getMemref(),
                                          op.getIndex());
  }
  void replace(RewriterBase &b, TwiceOp op) {
    Location loc = op.getLoc();
    auto guard = scf::IfOp::create(b, loc, op.getCondition(),
                                   /*withElseRegion=*/false);
    b.setInsertionPointToStart(guard.thenBlock());
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value two = arith::ConstantIndexOp::create(b, loc, 2);
    auto loop = scf::ForOp::create(b, loc, zero, two, one);
    Block *body = loop.getBody();
    body->getOperations().splice(body->begin(),
                                 op.getBody().front().getOperations());
    b.eraseOp(op);
  }
};
} // namespace

std::unique_ptr<Pass> door::createDoorToUpstreamPass() {
  return std::make_unique<DoorToUpstreamPass>();
}

void door::registerDoorToUpstreamPass() {
  PassRegistration<DoorToUpstreamPass>();
}
