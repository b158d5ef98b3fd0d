//===- BufferizableOpInterfaceImpl.cpp - One-Shot Bufferize on memspace ops
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
/// `memspace.exchange` reads and writes every operand; result i lives in the
/// buffer of operand i.
struct ExchangeModel
    : public BufferizableOpInterface::ExternalModel<ExchangeModel,
                                                    memspace::ExchangeOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    return {{op->getResult(operand.getOperandNumber()),
             BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto exchange = cast<memspace::ExchangeOp>(op);
    SmallVector<Value> buffers;
    for (Value input : exchange.getInputs()) {
      FailureOr<Value> buffer = getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    memspace::ExchangeOp::create(rewriter, op->getLoc(), TypeRange(), buffers,
                                 exchange.getPermutationAttr());
    replaceOpWithBufferizedValues(rewriter, op, buffers);
    return success();
  }
};

/// `memspace.sort` overwrites its outputs with the sorted inputs. An output
/// that is its input is sorted in place.
struct SortModel
    : public DstBufferizableOpInterfaceExternalModel<SortModel,
                                                     memspace::SortOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return cast<memspace::SortOp>(op).isDpsInput(&operand);
  }
  bool isNotConflicting(Operation *op, OpOperand *read, OpOperand *write,
                        const AnalysisState &) const {
    auto sort = cast<memspace::SortOp>(op);
    unsigned count = sort.getInputs().size();
    return read->getOwner() == op && write->getOwner() == op &&
           read->getOperandNumber() + count == write->getOperandNumber() &&
           read->get() == write->get();
  }
  /// One tensor as two outputs, of which one is not used, is no conflict for
  /// One-Shot; but each output needs memory of its own.
  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter,
                                 const AnalysisState &analysisState,
                                 const BufferizationState &state) const {
    auto sort = cast<memspace::SortOp>(op);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    DenseSet<Value> seen;
    for (OpOperand &output : sort.getOutputsMutable()) {
      if (!isa<TensorType>(output.get().getType()) ||
          seen.insert(output.get()).second)
        continue;
      FailureOr<Value> own = allocateTensorForShapedValue(
          rewriter, op->getLoc(), output.get(), analysisState.getOptions(),
          state, /*copy=*/false);
      if (failed(own))
        return failure();
      rewriter.modifyOpInPlace(op, [&] { output.set(*own); });
    }
    return llvm::cast<BufferizableOpInterface>(op)
        .resolveTensorOpOperandConflicts(rewriter, analysisState, state);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto sort = cast<memspace::SortOp>(op);
    if (sort.getResults().empty())
      return success();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    auto [inputs, outputs] =
        std::pair(ArrayRef<Value>(buffers).take_front(sort.getInputs().size()),
                  ArrayRef<Value>(buffers).drop_front(sort.getInputs().size()));
    auto bufferized = memspace::SortOp::create(
        rewriter, op->getLoc(), TypeRange(), inputs, outputs,
        sort.getDimensionAttr(), sort.getStableAttr());
    bufferized->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(sort.getComparator(),
                                bufferized.getComparator(),
                                bufferized.getComparator().end());
    replaceOpWithBufferizedValues(rewriter, op, outputs);
    return success();
  }
};
} // namespace

void mlir::memspace::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, MemSpaceDialect *) {
    memspace::ExchangeOp::attachInterface<ExchangeModel>(*ctx);
    memspace::SortOp::attachInterface<SortModel>(*ctx);
  });
}
