//===- AddWorkspaces.cpp - memory of the host for temporaries of the grid -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_ADDWORKSPACESPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// The block-mapped forall that `use` is an output of; null for another use.
static scf::ForallOp getBlockForall(OpOperand &use) {
  auto forall = dyn_cast<scf::ForallOp>(use.getOwner());
  if (!forall || use.getOperandNumber() < forall.getNumDynamicControlOperands())
    return {};
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  return mapping && mapping->scope == ExecutionScope::Workgroup
             ? forall
             : scf::ForallOp();
}

/// `tensor`, or what block foralls and changes of its shape make of it, is
/// written to memory of the caller: it needs none of its own.
static bool isStored(Value tensor) {
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (scf::ForallOp forall = getBlockForall(use))
      return isStored(forall.getTiedOpResult(&use));
    if (isa<bufferization::MaterializeInDestinationOp>(user))
      return true;
    return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
               tensor::InsertSliceOp>(user) &&
           isStored(user->getResult(0));
  });
}

/// Outputs of block foralls that begin with nothing and stay in the kernel.
static SmallVector<OpOperand *> getTemporaries(func::FuncOp kernel) {
  SmallVector<OpOperand *> temporaries;
  for (auto empty : kernel.front().getOps<tensor::EmptyOp>())
    for (OpOperand &use : empty->getUses())
      if (scf::ForallOp forall = getBlockForall(use);
          forall && forall->getBlock() == &kernel.front())
        if (Value result = forall.getTiedOpResult(&use);
            !result.use_empty() && !isStored(result))
          temporaries.push_back(&use);
  return temporaries;
}

/// The calls of `kernel`; failure where something else names it.
static FailureOr<SmallVector<func::CallOp>> getCalls(func::FuncOp kernel) {
  SmallVector<func::CallOp> calls;
  Operation *table = SymbolTable::getNearestSymbolTable(kernel->getParentOp());
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(kernel, table);
  for (const SymbolTable::SymbolUse &use :
       uses.value_or(SymbolTable::UseRange({}))) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call)
      return kernel.emitError()
             << "'" << kernel.getName()
             << "' needs a workspace, but is named by '"
             << use.getUser()->getName()
             << "', which cannot be given another operand; add workspaces "
                "before, or give the kernel an output for its temporary";
    calls.push_back(call);
  }
  return calls;
}

/// The bytes of the tensor at `temporary`.
static FailureOr<int64_t> getBytes(OpOperand *temporary,
                                   const KernelContext &context) {
  auto type = cast<RankedTensorType>(temporary->get().getType());
  std::optional<int64_t> bytes = getBufferBytes(
      type.getShape(), type.getElementType(), context.getTarget());
  if (bytes && !type.getEncoding())
    return *bytes;
  return temporary->get().getDefiningOp()->emitOpError()
         << "is a temporary of all workgroups of '"
         << context.getKernel().getName()
         << "', for which the host is to provide memory, but its size in "
            "bytes is not known; give it constant extents, or the kernel "
            "an output for it";
}

static LogicalResult addWorkspaces(const KernelContext &context) {
  auto kernel = dyn_cast<func::FuncOp>(context.getKernel().getOperation());
  if (!kernel || !kernel.getBody().hasOneBlock())
    return success();
  SmallVector<OpOperand *> temporaries = getTemporaries(kernel);
  if (temporaries.empty())
    return success();
  FailureOr<SmallVector<func::CallOp>> calls = getCalls(kernel);
  if (failed(calls))
    return failure();
  SmallVector<int64_t> bytes;
  for (OpOperand *temporary : temporaries) {
    FailureOr<int64_t> size = getBytes(temporary, context);
    if (failed(size))
      return failure();
    bytes.push_back(*size);
  }
  OpBuilder builder(kernel.getContext());
  for (auto [temporary, size] : llvm::zip_equal(temporaries, bytes)) {
    auto type = cast<RankedTensorType>(temporary->get().getType());
    Operation *empty = temporary->get().getDefiningOp();
    auto memref = MemRefType::get(type.getShape(), type.getElementType());
    unsigned number = kernel.getNumArguments();
    NamedAttribute attribute(builder.getStringAttr(kWorkspaceAttr),
                             builder.getI64IntegerAttr(size));
    if (failed(kernel.insertArgument(number, memref,
                                     builder.getDictionaryAttr({attribute}),
                                     empty->getLoc())))
      return failure();
    builder.setInsertionPointToStart(&kernel.front());
    temporary->set(bufferization::ToTensorOp::create(
        builder, empty->getLoc(), type, kernel.getArgument(number),
        /*restrict=*/true, /*writable=*/true));
    for (func::CallOp call : *calls) {
      builder.setInsertionPoint(call);
      Value memory = memref::AllocOp::create(builder, call.getLoc(), memref);
      call.getOperandsMutable().append(memory);
      builder.setInsertionPointAfter(call);
      memref::DeallocOp::create(builder, call.getLoc(), memory);
    }
    if (empty->use_empty())
      empty->erase();
  }
  return success();
}

namespace {
struct AddWorkspacesPass
    : public memspace::impl::AddWorkspacesPassBase<AddWorkspacesPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    if (failed(forEachKernel(getOperation(), selection, addWorkspaces)))
      signalPassFailure();
  }
};
} // namespace
