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
} // namespace

void mlir::memspace::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, MemSpaceDialect *) {
    memspace::ExchangeOp::attachInterface<ExchangeModel>(*ctx);
  });
}
