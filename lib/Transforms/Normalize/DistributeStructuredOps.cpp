//===- DistributeStructuredOps.cpp - sorts and their like over threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/DistributeStructuredOps.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_DISTRIBUTESTRUCTUREDOPSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

static bool isStructured(Operation *op) { return isa<SortOp>(op); }

static LogicalResult distribute(Operation *op, const Sharing &sharing) {
  return TypeSwitch<Operation *, LogicalResult>(op).Case(
      [&](SortOp sort) { return distributeSort(sort, sharing); });
}

LogicalResult memspace::distributeStructuredOps(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Operation *> ops;
  auto collect = [&] {
    ops.clear();
    kernel.walk([&](Operation *op) {
      if (isStructured(op))
        ops.push_back(op);
    });
  };
  collect();
  if (ops.empty())
    return success();
  // What nobody needs is not computed.
  RewritePatternSet patterns(kernel.getContext());
  SortOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  if (failed(applyOpPatternsGreedily(ops, std::move(patterns))))
    return failure();
  collect();

  ExecutionScopeAnalysis scopes(kernel);
  for (Operation *op : ops) {
    ExecutionScope scope = scopes.getScope(op);
    if (!cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics() ||
        scope == ExecutionScope::Thread)
      continue;
    if (scope == ExecutionScope::Grid || scope == ExecutionScope::Warpgroup)
      return op->emitOpError("is executed by a ")
             << stringifyExecutionScope(scope)
             << ", which cannot share it; put it into a 'scf.forall' of "
                "blocks, or of warps, over its rows";
    Sharing sharing{scope == ExecutionScope::Subgroup,
                    context.getSubgroupSize()};
    if (failed(distribute(op, sharing)))
      return failure();
  }
  return success();
}

namespace {
struct DistributeStructuredOpsPass
    : public memspace::impl::DistributeStructuredOpsPassBase<
          DistributeStructuredOpsPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    if (failed(
            forEachKernel(getOperation(), selection, distributeStructuredOps)))
      signalPassFailure();
  }
};
} // namespace
