//===- BufferizableOpInterfaceImpl.cpp - One-Shot Bufferize on memspace ops
//-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/Encodings.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "TargetSearch.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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

/// The result is the buffer of the operand.
LogicalResult handOnBuffer(Operation *op, RewriterBase &rewriter,
                           const BufferizationOptions &options,
                           BufferizationState &state) {
  FailureOr<Value> buffer =
      getBuffer(rewriter, op->getOperand(0), options, state);
  if (failed(buffer))
    return failure();
  replaceOpWithBufferizedValues(rewriter, op, *buffer);
  return success();
}

/// The begin of a collective reads the tensor, in the forall of the threads
/// where it stands. Its result is where a thread's own values begin: One-Shot
/// would otherwise take what is inserted there for writes of several iterations
/// to a tensor from outside.
///
/// What comes with contents from outside passes two of them. The outer one
/// stands for all that the forall does to the tensor: it reads and writes. The
/// inner one is where the tensor enters the forall, once. To One-Shot it is a
/// tensor of its own, whose contents are from nowhere: the forall is no loop in
/// which an iteration overwrites what the next one reads.
struct BeginCollectiveModel
    : public BufferizableOpInterface::ExternalModel<BeginCollectiveModel,
                                                    BeginCollectiveOp> {
  /// The forall of the threads; null outside of it.
  static Operation *getForall(Operation *op) {
    for (op = op->getParentOp(); op; op = op->getParentOp())
      if (op->hasAttr(kCollectiveAttr))
        return op;
    return nullptr;
  }
  static bool isEntry(Operation *op) {
    auto outer = op->getOperand(0).getDefiningOp<BeginCollectiveOp>();
    return outer && getForall(op) && !getForall(outer);
  }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &,
                              const AnalysisState &) const {
    return !isEntry(op);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &,
                               const AnalysisState &) const {
    return !getForall(op);
  }
  bool resultBufferizesToMemoryWrite(Operation *, OpResult,
                                     const AnalysisState &) const {
    return true;
  }
  bool mustBufferizeInPlace(Operation *op, OpOperand &,
                            const AnalysisState &) const {
    return getForall(op) != nullptr;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    if (isEntry(op))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return handOnBuffer(op, rewriter, options, state);
  }
};

/// The end of a collective hands on the buffer.
struct EndCollectiveModel
    : public BufferizableOpInterface::ExternalModel<EndCollectiveModel,
                                                    EndCollectiveOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return handOnBuffer(op, rewriter, options, state);
  }
};

/// On an encode from the analysis on: it changes nothing. Ops that are made
/// later do not say on which target their tensors are, and buffers cannot.
constexpr StringLiteral kKeepsLayoutAttr = "memspace.keeps_layout";

/// The questions about targets of one analysis.
class TargetSearchExtension : public OneShotAnalysisState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TargetSearchExtension)
  TargetSearchExtension(OneShotAnalysisState &state, Operation *op)
      : Extension(state), search(op) {}
  TargetSearch search;
};

/// Where the layout stays the result is the buffer of the source. An encode
/// that changes it reads the source and writes its destination; it becomes
/// other ops before bufferization.
struct EncodeModel
    : public BufferizableOpInterface::ExternalModel<EncodeModel, EncodeOp> {
  static bool dependsOnTarget(Value tensor) {
    auto layout = dyn_cast_or_null<LayoutEncodingAttrInterface>(
        cast<RankedTensorType>(tensor.getType()).getEncoding());
    return layout && !layout.isTargetIndependent();
  }
  static std::optional<TargetInfo> getSourceTarget(Operation *op) {
    Value source = op->getOperand(0);
    return getNamedTarget(source.getDefiningOp()
                              ? source.getDefiningOp()
                              : source.getParentBlock()->getParentOp(),
                          getTargetOfArgument(source));
  }
  /// As far as the op and the source's say.
  static bool keepsLayout(Operation *op) {
    if (op->hasAttr(kKeepsLayoutAttr))
      return true;
    std::optional<TargetInfo> target = getNamedTarget(op),
                              sourceTarget = getSourceTarget(op);
    if ((!target && dependsOnTarget(op->getResult(0))) ||
        (!sourceTarget && dependsOnTarget(op->getOperand(0))))
      return false;
    TargetInfo any = TargetInfo::getAnyGPU();
    return memspace::detail::isSameResolvedLayout(
        cast<RankedTensorType>(op->getOperand(0).getType()),
        sourceTarget.value_or(any),
        cast<RankedTensorType>(op->getResult(0).getType()).getEncoding(),
        target.value_or(any));
  }
  static LogicalResult reportChange(Operation *op, Operation *named = nullptr) {
    InFlightDiagnostic diag =
        op->emitOpError("moves elements to another layout, from ")
        << op->getOperand(0).getType() << " to " << op->getResult(0).getType()
        << ", which needs ops of its own before bufferization; run "
           "memspace-materialize-encodings";
    if (named)
      diag.attachNote(named->getLoc())
          << "a tensor that lives with its operands is on another target here, "
             "or on one that is not known";
    return diag;
  }
  /// Whether some other op names a target of the two tensors is asked once,
  /// while all tensors are still there.
  LogicalResult verifyAnalysis(Operation *op,
                               const AnalysisState &state) const {
    op->removeAttr(kKeepsLayoutAttr);
    if (!keepsLayout(op))
      return reportChange(op);
    auto &analysis = const_cast<OneShotAnalysisState &>(
        llvm::cast<OneShotAnalysisState>(state));
    auto *extension = analysis.getExtension<TargetSearchExtension>();
    if (!extension)
      extension = &analysis.addExtension<TargetSearchExtension>(op);
    for (auto [tensor, target] :
         {std::pair(op->getOperand(0), getSourceTarget(op)),
          std::pair(Value(op->getResult(0)), getNamedTarget(op))})
      if (dependsOnTarget(tensor))
        if (Operation *named = extension->search.findOther(tensor, *target))
          return reportChange(op, named);
    op->setAttr(kKeepsLayoutAttr, UnitAttr::get(op->getContext()));
    return success();
  }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return operand.getOperandNumber() == 0 && !keepsLayout(op);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return operand.getOperandNumber() == 1 && !keepsLayout(op);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if ((operand.getOperandNumber() == 0) != keepsLayout(op))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    // Without an analysis nobody asked where the tensors are.
    bool isUnknown =
        !op->hasAttr(kKeepsLayoutAttr) && (dependsOnTarget(op->getOperand(0)) ||
                                           dependsOnTarget(op->getResult(0)));
    return isUnknown || !keepsLayout(op)
               ? reportChange(op)
               : handOnBuffer(op, rewriter, options, state);
  }
};

/// What comes from outside of a loop the next iteration reads again: true when
/// a region that may run several times is around `op`, but not `definition`.
static bool isReadAgain(Operation *op, Value definition,
                        const BufferizationOptions &options) {
  for (Region *region = op->getParentRegion();
       region && !region->isAncestor(definition.getParentRegion());
       region = region->getParentRegion()) {
    auto parent = options.dynCastBufferizableOp(region->getParentOp());
    if (parent && parent.isRepetitiveRegion(region->getRegionNumber()))
      return true;
  }
  return false;
}

/// A structured op of ours writes its outputs, each in a buffer of its own.
/// `KIsElementwise`: output `i` may be the buffer of input `i`. The op says by
/// `readsOutputs()` whether their values before count.
template <typename OpT, bool KIsElementwise>
struct StructuredOpModel : public DstBufferizableOpInterfaceExternalModel<
                               StructuredOpModel<OpT, KIsElementwise>, OpT> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return cast<OpT>(op).readsOutputs() || cast<OpT>(op).isDpsInput(&operand);
  }
  bool isNotConflicting(Operation *op, OpOperand *read, OpOperand *write,
                        const AnalysisState &state) const {
    if (!KIsElementwise || read->getOwner() != op || write->getOwner() != op ||
        read->getOperandNumber() + cast<OpT>(op).getNumDpsInputs() !=
            write->getOperandNumber() ||
        read->get() != write->get())
      return false;
    return llvm::none_of(state.findDefinitions(read), [&](Value definition) {
      return isReadAgain(op, definition, state.getOptions());
    });
  }
  /// One tensor as two outputs, of which one is not used, is no conflict for
  /// One-Shot; but each output needs memory of its own.
  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter,
                                 const AnalysisState &analysisState,
                                 const BufferizationState &state) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    DenseSet<Value> seen;
    for (OpOperand &output : cast<OpT>(op).getDpsInitsMutable()) {
      if (!isa<TensorType>(output.get().getType()) ||
          seen.insert(output.get()).second)
        continue;
      FailureOr<Value> own = allocateTensorForShapedValue(
          rewriter, op->getLoc(), output.get(), analysisState.getOptions(),
          state, /*copy=*/cast<OpT>(op).readsOutputs());
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
    if (op->getNumResults() == 0)
      return success();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (isa<TensorType>(operand.getType())) {
        FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
        if (failed(buffer))
          return failure();
        operand = *buffer;
      }
      operands.push_back(operand);
    }
    // The regions are isolated: they move as they are.
    OperationState made(op->getLoc(), op->getName(), operands, TypeRange());
    made.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    made.propertiesAttr = op->getPropertiesAsAttribute();
    for (Region &region : op->getRegions())
      made.addRegion()->takeBody(region);
    auto bufferized = cast<OpT>(rewriter.create(made));
    replaceOpWithBufferizedValues(
        rewriter, op,
        llvm::to_vector(
            llvm::map_range(bufferized.getDpsInitsMutable(),
                            [](OpOperand &output) { return output.get(); })));
    return success();
  }
};
} // namespace

void mlir::memspace::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, MemSpaceDialect *) {
    memspace::ExchangeOp::attachInterface<ExchangeModel>(*ctx);
    EncodeOp::attachInterface<EncodeModel>(*ctx);
    BeginCollectiveOp::attachInterface<BeginCollectiveModel>(*ctx);
    EndCollectiveOp::attachInterface<EndCollectiveModel>(*ctx);
    memspace::ScanOp::attachInterface<
        StructuredOpModel<memspace::ScanOp, /*KIsElementwise=*/true>>(*ctx);
    memspace::SortOp::attachInterface<
        StructuredOpModel<memspace::SortOp, /*KIsElementwise=*/true>>(*ctx);
    memspace::SortIndicesOp::attachInterface<
        StructuredOpModel<memspace::SortIndicesOp, /*KIsElementwise=*/false>>(
        *ctx);
    memspace::TopKOp::attachInterface<
        StructuredOpModel<memspace::TopKOp, /*KIsElementwise=*/false>>(*ctx);
    memspace::GatherOp::attachInterface<
        StructuredOpModel<memspace::GatherOp, /*KIsElementwise=*/false>>(*ctx);
    memspace::ScatterOp::attachInterface<
        StructuredOpModel<memspace::ScatterOp, /*KIsElementwise=*/false>>(*ctx);
  });
}
