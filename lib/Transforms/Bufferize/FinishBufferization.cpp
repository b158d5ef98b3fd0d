//===- FinishBufferization.cpp - what One-Shot leaves to be done -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/FinishBufferization.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/MemoryBases.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_FINISHBUFFERIZATIONPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Shared writes
//===----------------------------------------------------------------------===//

/// A write of shared memory by code that no forall distributes would be
/// repeated by every thread: one thread does it. Distribution on tensors leaves
/// none of these but copies that only bufferization shows.
LogicalResult
mlir::memspace::guardSharedWrites(FunctionOpInterface kernel,
                                  const MemorySpaceMapping &spaces) {
  bool isSPMD = false, hasForall = false;
  SmallVector<Operation *> writes;
  ExecutionScopeAnalysis scopes(kernel);
  auto isShared = [&](Value memref) {
    return isa<BaseMemRefType>(memref.getType()) &&
           !isPrivateMemory(getBaseMemRef(memref), spaces);
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    hasForall |= isa<scf::ForallOp>(op);
    auto copy = dyn_cast<linalg::LinalgOp>(op);
    if (!copy)
      return WalkResult::advance();
    if (scopes.getScope(op) != ExecutionScope::Thread &&
        llvm::any_of(copy.getDpsInits(), isShared))
      writes.push_back(op);
    return WalkResult::skip();
  });
  kernel->walk([&](Operation *op) {
    // The hook's subgroup ids are not the code's own.
    std::optional<HardwareId> id = getHardwareId(op);
    isSPMD |= id && id->isOfThread() &&
              (id->kind != HardwareId::Kind::ThreadId || !hasForall);
  });
  if (isSPMD)
    return success();
  MLIRContext *ctx = kernel.getContext();
  for (Operation *op : writes) {
    ExecutionScope scope = scopes.getScope(op);
    if (scope == ExecutionScope::Grid)
      return op->emitOpError(
          "writes memory at grid scope, where every workgroup would repeat it; "
          "move it into the block forall");
    Attribute mapping = scope == ExecutionScope::Subgroup
                            ? Attribute(gpu::GPULaneMappingAttr::get(
                                  ctx, gpu::MappingId::LinearDim0))
                            : Attribute(gpu::GPUThreadMappingAttr::get(
                                  ctx, gpu::MappingId::LinearDim0));
    OpBuilder b(op);
    auto forall = scf::ForallOp::create(
        b, op->getLoc(), ArrayRef<OpFoldResult>{b.getIndexAttr(1)},
        ValueRange(), ArrayAttr::get(ctx, mapping));
    op->moveBefore(forall.getTerminator());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static SmallVector<memref::GetGlobalOp> collectGlobals(Operation *root) {
  SmallVector<memref::GetGlobalOp> uses;
  root->walk([&](memref::GetGlobalOp use) { uses.push_back(use); });
  return uses;
}

/// A global of `symbols` with the contents of `global`; made if there is none.
static StringAttr findOrCopy(SymbolTable &symbols, memref::GlobalOp global) {
  Block &body = symbols.getOp()->getRegion(0).front();
  for (auto other : body.getOps<memref::GlobalOp>())
    if (other.getConstant() && other.getType() == global.getType() &&
        other.getInitialValueAttr() == global.getInitialValueAttr() &&
        other.getAlignment() == global.getAlignment())
      return other.getSymNameAttr();
  return symbols.insert(global.clone(), body.begin());
}

KernelConstants::KernelConstants(FunctionOpInterface kernel)
    : kernel(kernel), old(collectGlobals(kernel)) {}

void KernelConstants::bringNew() {
  auto module = kernel->getParentOfType<ModuleOp>();
  Operation *table = SymbolTable::getNearestSymbolTable(kernel);
  if (!module || table == module)
    return;
  SymbolTable symbols(table);
  for (memref::GetGlobalOp use : collectGlobals(kernel)) {
    auto global = module.lookupSymbol<memref::GlobalOp>(use.getName());
    if (!global || llvm::is_contained(old, use))
      continue;
    use.setName(findOrCopy(symbols, global));
  }
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

LogicalResult
mlir::memspace::finishBufferization(FunctionOpInterface kernel,
                                    const MemorySpaceMapping &spaces) {
  kernel->getContext()->loadDialect<gpu::GPUDialect, scf::SCFDialect>();
  if (failed(lowerExchanges(kernel)))
    return failure();
  removeSelfCopies(kernel);
  return guardSharedWrites(kernel, spaces);
}

namespace {
struct FinishBufferizationPass
    : public memspace::impl::FinishBufferizationPassBase<
          FinishBufferizationPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.targetIsOptional = true;
    selection.quiet = quiet;
    auto finish = [](const KernelContext &context) {
      return finishBufferization(context.getKernel(), context.getSpaces());
    };
    if (failed(forEachKernel(getOperation(), selection, finish)))
      signalPassFailure();
  }
};
} // namespace
