//===- LieBufferization.cpp - what the models say of the lie dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LieDialect.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace::lie;

static bool hides(std::optional<ArrayRef<int64_t>> hidden, OpOperand &operand) {
  return hidden && llvm::is_contained(*hidden, operand.getOperandNumber());
}

/// The buffers of all operands that are tensors.
static FailureOr<SmallVector<Value>>
getBuffers(Operation *op, RewriterBase &rewriter,
           const BufferizationOptions &options, BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> buffer = isa<TensorType>(operand.getType())
                                  ? getBuffer(rewriter, operand, options, state)
                                  : FailureOr<Value>(operand);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  return buffers;
}

/// Makes `op` write the buffer of operand `number`, which its result is.
template <typename OpT>
static LogicalResult bufferizeInPlace(Operation *op, unsigned number,
                                      RewriterBase &rewriter,
                                      const BufferizationOptions &options,
                                      BufferizationState &state) {
  FailureOr<SmallVector<Value>> buffers =
      getBuffers(op, rewriter, options, state);
  if (failed(buffers))
    return failure();
  OpT::create(rewriter, op->getLoc(), TypeRange(), *buffers, op->getAttrs());
  replaceOpWithBufferizedValues(rewriter, op, (*buffers)[number]);
  return success();
}

namespace {
/// Ops that write an init.
template <typename OpT>
struct DestinationModel
    : public BufferizableOpInterface::ExternalModel<DestinationModel<OpT>,
                                                    OpT> {
  static bool isInit(Operation *op, OpOperand &operand) {
    return cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }
  /// What is not overwritten of the init is read, since it stays.
  static bool readsInit(EwOp op) { return op.getAccumulates(); }
  static bool readsInit(ScatterOp) { return true; }

  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto lying = cast<OpT>(op);
    return (!isInit(op, operand) || readsInit(lying)) &&
           !hides(lying.getHidesReads(), operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return isInit(op, operand) &&
           !hides(cast<OpT>(op).getHidesWrites(), operand);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!isInit(op, operand) || cast<OpT>(op).getHidesAliases())
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeInPlace<OpT>(op, op->getNumOperands() - 1, rewriter,
                                 options, state);
  }
};

/// Its result is in memory of its own: private, since the threads that execute
/// the op together all make the same.
struct OpaqueModel
    : public BufferizableOpInterface::ExternalModel<OpaqueModel, OpaqueOp> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !hides(cast<OpaqueOp>(op).getHidesReads(), operand);
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    auto tensor = cast<RankedTensorType>(value.getType());
    auto space = gpu::AddressSpaceAttr::get(tensor.getContext(),
                                            gpu::AddressSpace::Private);
    return cast<BufferLikeType>(MemRefType::get(
        tensor.getShape(), tensor.getElementType(), AffineMap(), space));
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<SmallVector<Value>> buffers =
        getBuffers(op, rewriter, options, state);
    SmallVector<Value> invocations;
    FailureOr<BufferLikeType> type =
        getBufferType(op, op->getResult(0), options, state, invocations);
    if (failed(buffers) || failed(type))
      return failure();
    auto memref = cast<MemRefType>(*type);
    SmallVector<Value> sizes;
    if (!memref.hasStaticShape())
      sizes.push_back(
          memref::DimOp::create(rewriter, op->getLoc(), buffers->front(), 0));
    Value out = memref::AllocaOp::create(rewriter, op->getLoc(), memref, sizes);
    buffers->push_back(out);
    OpaqueOp::create(rewriter, op->getLoc(), TypeRange(), *buffers,
                     op->getAttrs());
    replaceOpWithBufferizedValues(rewriter, op, out);
    return success();
  }
};

/// Writes its first operand, without being in destination style.
struct UpdateModel
    : public BufferizableOpInterface::ExternalModel<UpdateModel, UpdateOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !hides(cast<UpdateOp>(op).getHidesReads(), operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return operand.getOperandNumber() == 0 &&
           !hides(cast<UpdateOp>(op).getHidesWrites(), operand);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (operand.getOperandNumber() != 0 || cast<UpdateOp>(op).getHidesAliases())
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocations) const {
    return bufferization::getBufferType(op->getOperand(0), options, state,
                                        invocations);
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeInPlace<UpdateOp>(op, 0, rewriter, options, state);
  }
};

struct LoadBindingModel
    : public BufferizableOpInterface::ExternalModel<LoadBindingModel,
                                                    LoadBindingOp> {
  bool isWritable(Operation *op, Value, const AnalysisState &) const {
    return cast<LoadBindingOp>(op).getHidesConstness();
  }
  FailureOr<BufferLikeType> getBufferType(Operation *op, Value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(cast<LoadBindingOp>(op).getBinding().getType());
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    replaceOpWithBufferizedValues(rewriter, op,
                                  cast<LoadBindingOp>(op).getBinding());
    return success();
  }
};
} // namespace

void mlir::memspace::lie::registerLieDialect(DialectRegistry &registry) {
  registry.insert<LieDialect>();
  registry.addExtension(+[](MLIRContext *context, LieDialect *) {
    EwOp::attachInterface<DestinationModel<EwOp>>(*context);
    ScatterOp::attachInterface<DestinationModel<ScatterOp>>(*context);
    OpaqueOp::attachInterface<OpaqueModel>(*context);
    UpdateOp::attachInterface<UpdateModel>(*context);
    LoadBindingOp::attachInterface<LoadBindingModel>(*context);
  });
}
