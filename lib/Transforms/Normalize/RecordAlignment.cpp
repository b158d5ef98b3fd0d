//===- RecordAlignment.cpp - where arguments begin -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_RECORDALIGNMENTPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct RecordAlignmentPass
    : public memspace::impl::RecordAlignmentPassBase<RecordAlignmentPass> {
  using Base::Base;
  void runOnOperation() override {
    if (!llvm::isPowerOf2_64(alignment)) {
      getOperation()->emitError()
          << "arguments cannot be aligned to " << int64_t(alignment)
          << " bytes; give a power of two";
      return signalPassFailure();
    }
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    auto record = [&](const KernelContext &context) {
      FunctionOpInterface kernel = context.getKernel();
      Builder builder(kernel.getContext());
      for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes()))
        if (isa<BaseMemRefType>(type) &&
            !kernel.getArgAttr(number, kAlignmentAttr))
          kernel.setArgAttr(number, kAlignmentAttr,
                            builder.getI64IntegerAttr(alignment));
      return success();
    };
    if (failed(forEachKernel(getOperation(), selection, record)))
      signalPassFailure();
  }
};
} // namespace
