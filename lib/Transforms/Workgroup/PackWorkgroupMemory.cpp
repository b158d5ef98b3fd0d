//===- PackWorkgroupMemory.cpp - one arena per kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWorkgroupMemory.h"
#include "MemSpace/Arena/WorkgroupArena.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Layout/WorkgroupLayout.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/InlineCallees.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_PACKWORKGROUPMEMORYPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

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

static LogicalResult pack(const KernelContext &context,
                          PackingObjective objective, bool reuse) {
  FunctionOpInterface kernel = context.getKernel();
  if (failed(inlineWorkgroupCallees(context)))
    return failure();
  FailureOr<WorkgroupPacking> packing = preparePacking(context);
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
    WorkgroupLayout layout = chooseLayout(context, *packing, objective);
    solution = layout.solution;
    remark::analysis(kernel.getLoc(), remark::RemarkOpts::name("packing")
                                          .category("memspace")
                                          .function(kernel.getName()))
        << layout.explain();
  }
  moveIntoArena(context, buffers, solution);
  eraseUnusedGlobals(kernel, globals);
  return success();
}

LogicalResult mlir::memspace::packWorkgroupMemory(Operation *root,
                                                  KernelSelection selection,
                                                  StringRef objective,
                                                  bool reuse) {
  std::optional<PackingObjective> symbol = symbolizePackingObjective(objective);
  if (!symbol)
    return root->emitError()
           << "unknown objective '" << objective
           << "' of packing; use 'balanced', 'bytes' or 'barriers'";
  selection.pass = "memspace-pack-workgroup-memory";
  selection.targetIsOptional = true;
  return forEachKernel(root, selection, [&](const KernelContext &context) {
    return pack(context, *symbol, reuse);
  });
}

namespace {
struct PackWorkgroupMemoryPass
    : public memspace::impl::PackWorkgroupMemoryPassBase<
          PackWorkgroupMemoryPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.quiet = quiet;
    if (failed(
            packWorkgroupMemory(getOperation(), selection, objective, reuse)))
      signalPassFailure();
  }
};
} // namespace
