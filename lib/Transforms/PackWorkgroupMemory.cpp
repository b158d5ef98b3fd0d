//===- PackWorkgroupMemory.cpp - one arena per kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCallees.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "MemSpace/Analysis/Kernel.h"
#include "MemSpace/Analysis/WorkgroupArena.h"
#include "MemSpace/Analysis/WorkgroupLayout.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEPACKWORKGROUPMEMORY
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct PackWorkgroupMemoryPass
    : public memspace::impl::MemSpacePackWorkgroupMemoryBase<
          PackWorkgroupMemoryPass> {
  using Base::Base;
  void runOnOperation() override {
    std::optional<PackingObjective> symbol =
        symbolizePackingObjective(objective);
    if (!symbol) {
      getOperation()->emitError()
          << "unknown objective '" << objective
          << "' of packing; use 'balanced', 'bytes' or 'barriers'";
      return signalPassFailure();
    }
    for (FunctionOpInterface kernel : getKernels(getOperation()))
      if (failed(pack(kernel, *symbol)))
        return signalPassFailure();
  }

private:
  /// None when neither the options nor the IR name one.
  FailureOr<std::optional<TargetInfo>> getTarget(FunctionOpInterface kernel);
  LogicalResult pack(FunctionOpInterface kernel, PackingObjective objective);
};
} // namespace

/// Globals in workgroup memory that nobody names any more.
static void eraseUnusedGlobals(FunctionOpInterface kernel,
                               ArrayRef<StringAttr> names) {
  Operation *table = SymbolTable::getNearestSymbolTable(kernel);
  for (StringAttr name : names) {
    auto global =
        SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(kernel, name);
    if (global && global->getParentOp() == table && global.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(global, table))
      global.erase();
  }
}

FailureOr<std::optional<TargetInfo>>
PackWorkgroupMemoryPass::getTarget(FunctionOpInterface kernel) {
  TargetOverrides overrides{chip, workgroupLimit, privateLimit, subgroupSize};
  bool isGiven =
      !chip.empty() || workgroupLimit || privateLimit || subgroupSize;
  FailureOr<std::optional<TargetInfo>> fromIR = getTargetFromIR(kernel);
  if (failed(fromIR))
    return failure();
  if (!isGiven)
    return fromIR;
  FailureOr<TargetInfo> target = resolveTarget(kernel, overrides);
  if (failed(target))
    return failure();
  return std::optional<TargetInfo>(*target);
}

LogicalResult PackWorkgroupMemoryPass::pack(FunctionOpInterface kernel,
                                            PackingObjective objective) {
  FailureOr<std::optional<TargetInfo>> target = getTarget(kernel);
  if (failed(target) || failed(inlineWorkgroupCallees(kernel)))
    return failure();
  // Only the width of an index matters here, so a generic GPU will do.
  FailureOr<WorkgroupPacking> packing =
      preparePacking(kernel, target->value_or(TargetInfo()));
  if (failed(packing))
    return failure();
  ArrayRef<WorkgroupBuffer> buffers = packing->getBuffers();
  bool isPacked = buffers.size() == 1 && isArena(buffers.front().value);
  if (buffers.empty() || isPacked)
    return success();

  SmallVector<StringAttr> globals;
  for (const WorkgroupBuffer &buffer : buffers)
    if (auto get = buffer.value.getDefiningOp<memref::GetGlobalOp>())
      globals.push_back(get.getNameAttr().getAttr());
  packing::Solution solution = packing->getBumpLayout();
  if (reuse) {
    WorkgroupLayout layout =
        chooseLayout(kernel, *packing, {objective, *target});
    solution = layout.solution;
    remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("packing")
                                          .category("memspace")
                                          .function(kernel.getName()))
        << layout.explain();
  }
  moveIntoArena(kernel, buffers, solution);
  eraseUnusedGlobals(kernel, globals);
  return success();
}
