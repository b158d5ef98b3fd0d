//===- AllowContraction.cpp - multiplications and additions into one -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_ALLOWCONTRACTIONPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct AllowContractionPass
    : public memspace::impl::AllowContractionPassBase<AllowContractionPass> {
  void runOnOperation() override {
    getOperation()->walk([](arith::ArithFastMathInterface op) {
      if (!isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op.getOperation()))
        return;
      arith::FastMathFlags flags = arith::FastMathFlags::contract;
      if (arith::FastMathFlagsAttr given = op.getFastMathFlagsAttr())
        flags = flags | given.getValue();
      op->setAttr(op.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(op.getContext(), flags));
    });
  }
};
} // namespace
