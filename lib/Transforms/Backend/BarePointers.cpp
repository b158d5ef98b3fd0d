//===- BarePointers.cpp - kernels whose memrefs become pointers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_BAREPOINTERSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct BarePointersPass
    : public memspace::impl::BarePointersPassBase<BarePointersPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult annotate(const KernelContext &context);
};
} // namespace

/// Failure where an argument of `func` needs a descriptor.
static LogicalResult checkArguments(FunctionOpInterface func) {
  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes())) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    if (memref && !LLVMTypeConverter::canConvertToBarePtr(memref))
      return func.emitError()
             << "argument " << number << " of '" << func.getName() << "' is "
             << type
             << ", of which a bare pointer does not tell everything; give it "
                "static extents, strides and offset, or leave out "
                "'bare-pointers'";
  }
  return success();
}

LogicalResult BarePointersPass::annotate(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  KernelArguments arguments(context, noAlias);
  auto unit = UnitAttr::get(kernel.getContext());
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (!isa<BaseMemRefType>(type))
      continue;
    if (arguments.isNoAlias(number))
      kernel.setArgAttr(number, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    if (arguments.isReadOnly(number))
      kernel.setArgAttr(number, LLVM::LLVMDialect::getReadonlyAttrName(), unit);
  }
  return success();
}

void BarePointersPass::runOnOperation() {
  WalkResult result = getOperation()->walk([](FunctionOpInterface func) {
    return failed(checkArguments(func)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
  });
  KernelSelection selection;
  selection.pass = getArgument();
  selection.targetIsOptional = selection.quiet = true;
  if (result.wasInterrupted() ||
      failed(forEachKernel(
          getOperation(), selection,
          [&](const KernelContext &context) { return annotate(context); })))
    signalPassFailure();
}
