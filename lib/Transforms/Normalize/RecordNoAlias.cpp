//===- RecordNoAlias.cpp - what restrict says of arguments -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_RECORDNOALIASPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct RecordNoAliasPass
    : public memspace::impl::RecordNoAliasPassBase<RecordNoAliasPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    // No analysis looks at the attributes that are set.
    markAllAnalysesPreserved();
    if (failed(forEachKernel(getOperation(), selection, record)))
      signalPassFailure();
  }

private:
  static LogicalResult record(const KernelContext &context);
};
} // namespace

/// True for an op by which code on tensors reaches `use`, the only one to reach
/// this memory.
static bool isRestrict(OpOperand &use) {
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(use.getOwner()))
    return tensor.getRestrict();
  auto store =
      dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner());
  return store && store.getRestrict() && use == store.getDestMutable();
}

/// True for an op that does nothing with `use` but name its memory, or a part
/// of it, by its memref results.
static bool isView(OpOperand &use) {
  Operation *op = use.getOwner();
  if (!isMemoryEffectFree(op) || llvm::count(op->getOperands(), use.get()) != 1)
    return false;
  if (isa<memref::ExtractStridedMetadataOp>(op))
    return true;
  if (!llvm::all_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
    return false;
  if (auto root = dyn_cast<MemoryRootOpInterface>(op))
    return llvm::all_of(op->getResults(), [&](OpResult result) {
      return root.getNamedMemory(result).source == use.get();
    });
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  return view && view.getViewSource() == use.get();
}

/// The first use of `arg`, or of a view of it, that `restrict` says nothing of;
/// null when there is none.
static Operation *findOtherUse(BlockArgument arg) {
  SmallVector<Value> worklist = {arg};
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      // No more than the shape of the memref is asked for.
      bool isOfShape = isa<ShapedDimOpInterface, memref::RankOp>(op);
      if (isRestrict(use) || (isOfShape && isMemoryEffectFree(op)))
        continue;
      if (!isView(use))
        return op;
      for (Value result : op->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          worklist.push_back(result);
    }
  return nullptr;
}

LogicalResult RecordNoAliasPass::record(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  // Those behind are attributions of a gpu.func.
  for (BlockArgument arg :
       kernel.getArguments().take_front(kernel.getNumArguments())) {
    if (!isa<BaseMemRefType>(arg.getType()) || arg.use_empty())
      continue;
    if (Operation *other = findOtherUse(arg)) {
      remark::missed(other->getLoc(), remark::RemarkOpts::name("noalias")
                                          .category("memspace")
                                          .function(kernel.getName()))
          << ("argument " + std::to_string(arg.getArgNumber()) +
              " may overlap others: this is no 'restrict' use of it");
      continue;
    }
    kernel.setArgAttr(arg.getArgNumber(), kNoAliasAttr,
                      UnitAttr::get(kernel.getContext()));
  }
  return success();
}
