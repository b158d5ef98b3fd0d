//===- AssumeAlignment.cpp - LLVM learns where arguments begin -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_ASSUMEALIGNMENTPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

static void assumeAlignment(FunctionOpInterface func) {
  if (func.isExternal())
    return;
  OpBuilder b = OpBuilder::atBlockBegin(&func.getFunctionBody().front());
  for (unsigned number = 0; number < func.getNumArguments(); ++number) {
    auto bytes = func.getArgAttrOfType<IntegerAttr>(number, kAlignmentAttr);
    BlockArgument arg = func.getArgument(number);
    if (!bytes || arg.use_empty() || !isa<MemRefType>(arg.getType()))
      continue;
    auto aligned =
        memref::AssumeAlignmentOp::create(b, arg.getLoc(), arg, bytes.getInt());
    arg.replaceAllUsesExcept(aligned, aligned);
  }
}

namespace {
struct AssumeAlignmentPass
    : public memspace::impl::AssumeAlignmentPassBase<AssumeAlignmentPass> {
  void runOnOperation() override { getOperation()->walk(assumeAlignment); }
};
} // namespace
