//===- DecomposeOps.cpp - ops that stand for several --------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By upstream's own decompositions, and by other dialects' own models
// (`StructuredOpInterface`). Their results are distributed, placed and
// lowered like whatever the user wrote; the ops themselves have no lowering to
// loops.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "Normalization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;

/// What moves the elements says why, as `reason`, if that is not null, does.
template <typename ResultT>
static LogicalResult keepReason(const FailureOr<ResultT> &lowered,
                                Attribute reason) {
  if (failed(lowered))
    return failure();
  if (reason && lowered->transposeOp)
    lowered->transposeOp->setDiscardableAttr(kCopyAttr, reason);
  return success();
}

/// Replaces `op`; failure where upstream cannot.
static LogicalResult decompose(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Attribute reason = op->getDiscardableAttr(kCopyAttr);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::PackOp pack) -> LogicalResult {
        return keepReason(linalg::lowerPack(rewriter, pack), reason);
      })
      .Case([&](linalg::UnPackOp unpack) -> LogicalResult {
        return keepReason(linalg::lowerUnPack(rewriter, unpack), reason);
      })
      .Case([&](linalg::WinogradFilterTransformOp winograd) -> LogicalResult {
        return linalg::decomposeWinogradFilterTransformOp(rewriter, winograd);
      })
      .Case([&](linalg::WinogradInputTransformOp winograd) -> LogicalResult {
        return linalg::decomposeWinogradInputTransformOp(rewriter, winograd);
      })
      .Case([&](linalg::WinogradOutputTransformOp winograd) -> LogicalResult {
        return linalg::decomposeWinogradOutputTransformOp(rewriter, winograd);
      })
      .Case([&](linalg::AggregatedOpInterface aggregated) -> LogicalResult {
        FailureOr<SmallVector<Value>> values =
            aggregated.decomposeOperation(rewriter);
        if (succeeded(values))
          rewriter.replaceOp(op, *values);
        return values;
      })
      .Default(failure());
}

static bool isDecomposed(Operation *op) {
  return isa<linalg::PackOp, linalg::UnPackOp,
             linalg::WinogradFilterTransformOp,
             linalg::WinogradInputTransformOp,
             linalg::WinogradOutputTransformOp, linalg::AggregatedOpInterface>(
      op);
}

LogicalResult mlir::memspace::decomposeOps(FunctionOpInterface kernel) {
  if (failed(convertStructuredOps(kernel)))
    return failure();
  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) {
    if (isDecomposed(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  for (Operation *op : ops) {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
      return op->emitError()
             << "'" << op->getName()
             << "' has no lowering to loops, and upstream decomposes it on "
                "tensors only; decompose it before bufferization";
    if (succeeded(decompose(rewriter, op)))
      continue;
    return op->emitError()
           << "'" << op->getName()
           << "' has no lowering to loops, and upstream does not decompose "
              "this one; make its tile sizes and shapes static, or write it "
              "with other linalg ops";
  }
  return success();
}
