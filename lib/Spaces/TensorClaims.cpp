//===- TensorClaims.cpp - what an op does to its tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/TensorClaims.h"
#include "AnalysisSegments.h"
#include "MemSpace/Spaces/PayloadUses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What is believed
//===----------------------------------------------------------------------===//

/// True when `op` itself, and not a model from outside, declares that it only
/// reads `operand`.
static bool isDeclaredReadOnly(OpOperand &operand) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(operand.getOwner());
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  llvm::erase_if(effects, [&](const MemoryEffects::EffectInstance &effect) {
    return effect.getEffectValue<OpOperand *>() != &operand;
  });
  return !effects.empty() && llvm::all_of(effects, [](const auto &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect());
  });
}

static bool isTensor(OpOperand &operand) {
  return isa<TensorType>(operand.get().getType());
}

static bool isInit(OpOperand &operand) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  return dps && dps.isDpsInit(&operand);
}

bool mlir::memspace::mayRead(OpOperand &operand, const AnalysisState &state) {
  Operation *op = operand.getOwner();
  if (state.bufferizesToMemoryRead(operand))
    return true;
  if (hasTrustedModel(op))
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return isInit(operand) ? getInitUse(operand) != InitUse::WhollyOverwritten
                           : structured.payloadUsesValueFromOperand(&operand);
  return !isInit(operand) || !isUndefinedTensor(operand.get());
}

bool mlir::memspace::mayWrite(OpOperand &operand, const AnalysisState &state) {
  Operation *op = operand.getOwner();
  if (state.bufferizesToMemoryWrite(operand))
    return true;
  if (hasTrustedModel(op))
    return false;
  return isa<DestinationStyleOpInterface>(op) ? isInit(operand)
                                              : !isDeclaredReadOnly(operand);
}

SmallVector<Value>
mlir::memspace::getPossibleAliases(OpOperand &operand,
                                   const AnalysisState &state) {
  SmallVector<Value> aliases;
  for (const AliasingValue &alias : state.getAliasingValues(operand))
    aliases.push_back(alias.value);
  Operation *op = operand.getOwner();
  if (hasTrustedModel(op) || !mayWrite(operand, state))
    return aliases;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpResult result : op->getResults())
    if (isa<TensorType>(result.getType()) &&
        (!dps || dps.getTiedOpOperand(result) == &operand) &&
        !llvm::is_contained(aliases, result))
      aliases.push_back(result);
  return aliases;
}

llvm::SetVector<Value> mlir::memspace::findPossibleSources(
    OpOperand &operand, const AnalysisState &state,
    function_ref<bool(Value)> condition, TraversalConfig config) {
  auto isDoubtful = [](Value value) {
    Operation *def = value.getDefiningOp();
    return def && !hasTrustedModel(def);
  };
  llvm::SetVector<Value> found;
  SmallVector<OpOperand *> worklist = {&operand};
  llvm::DenseSet<OpOperand *> seen = {&operand};
  while (!worklist.empty()) {
    OpOperand *use = worklist.pop_back_val();
    for (Value value : state.findValueInReverseUseDefChain(
             use,
             [&](Value value) { return condition(value) || isDoubtful(value); },
             config)) {
      found.insert(value);
      if (condition(value) || !isDoubtful(value))
        continue;
      for (OpOperand &source : value.getDefiningOp()->getOpOperands())
        if (isTensor(source) &&
            (!config.followInPlaceOnly || state.isInPlace(source)) &&
            llvm::is_contained(getPossibleAliases(source, state), value) &&
            seen.insert(&source).second)
          worklist.push_back(&source);
    }
  }
  return found;
}

bool mlir::memspace::isUndefinedTensor(Value value) {
  while (true) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      value = slice.getSource();
      continue;
    }
    auto arg = dyn_cast<BlockArgument>(value);
    auto forall =
        arg ? dyn_cast<scf::ForallOp>(arg.getOwner()->getParentOp()) : nullptr;
    if (!forall || !llvm::is_contained(forall.getRegionIterArgs(), arg))
      break;
    value = forall.getTiedOpOperand(arg)->get();
  }
  auto alloc = value.getDefiningOp<AllocTensorOp>();
  return value.getDefiningOp<tensor::EmptyOp>() || (alloc && !alloc.getCopy());
}

/// The tensor that `value` updates, if it is the result of an op in destination
/// style; null otherwise.
static Value getUpdated(Value value) {
  Operation *def = value.getDefiningOp();
  OpOperand *tied = nullptr;
  if (auto forall = dyn_cast_or_null<scf::ForallOp>(def))
    tied = forall.getTiedOpOperand(cast<OpResult>(value));
  else if (auto dps = dyn_cast_or_null<DestinationStyleOpInterface>(def))
    tied = dps.getTiedOpOperand(cast<OpResult>(value));
  return tied ? tied->get() : Value();
}

/// The slice that is taken of `whole`, updated and put back, where nobody else
/// uses either of them; null for none.
static tensor::ExtractSliceOp getPartPutBack(Value whole) {
  tensor::ExtractSliceOp slice;
  tensor::InsertSliceOp insert;
  for (OpOperand &use : whole.getUses())
    if (auto taken = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
      slice = taken;
    else if (auto put = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
             put && &use == &put.getDestMutable())
      insert = put;
  if (!whole.hasNUses(2) || !slice || !insert ||
      slice->getBlock() != insert->getBlock() ||
      !cast<OffsetSizeAndStrideOpInterface>(slice.getOperation())
           .isSameAs(insert,
                     [](OpFoldResult x, OpFoldResult y) { return x == y; }))
    return {};
  Value part = insert.getSource();
  while (part && part.hasOneUse() && part != slice.getResult())
    part = getUpdated(part);
  return part == slice.getResult() && part.hasOneUse()
             ? slice
             : tensor::ExtractSliceOp();
}

bool mlir::memspace::isOnlyNameOfFreshTensor(OpOperand &use) {
  Block *block = use.getOwner()->getBlock();
  Value value = use.get();
  while (value && (value.hasOneUse() || getPartPutBack(value))) {
    Operation *def = value.getDefiningOp();
    if (!def || def->getBlock() != block)
      return false;
    if (isa<tensor::EmptyOp, AllocTensorOp>(def))
      return true;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def))
      value = getPartPutBack(slice.getSource()) == slice ? slice.getSource()
                                                         : Value();
    else
      value = getUpdated(value);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Telling One-Shot
//===----------------------------------------------------------------------===//

namespace {
/// Ops that do, during the analysis, what models deny. What the state knows of
/// them goes by their addresses: they live as long as the state, afterwards in
/// a module of their own.
class Doubts final : public OneShotAnalysisState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Doubts)

  Doubts(OneShotAnalysisState &state, FunctionOpInterface kernel)
      : Extension(state), builder(kernel.getContext()), kernel(kernel),
        attic(ModuleOp::create(kernel.getLoc())) {}

  /// Before and after the analysis.
  void raise(Operation *op, OneShotAnalysisState &state);
  void settle(const OneShotAnalysisState &state);

  ArrayRef<OpOperand *> getOperandsToCopy() const { return toCopy; }

private:
  struct Touched {
    OpOperand *operand;
    tensor::InsertOp touch;
  };

  template <typename OpT, typename... Args>
  OpT create(Location loc, Args &&...args) {
    OpT op = OpT::create(builder, loc, std::forward<Args>(args)...);
    ops.push_back(op);
    return op;
  }
  SmallVector<Value> getFirstIndices(Value tensor);
  void readAround(OpOperand &operand);
  void writeBefore(OpOperand &operand, OneShotAnalysisState &state);
  void forbidWrites(Value value, OneShotAnalysisState &state);

  OpBuilder builder;
  FunctionOpInterface kernel;
  OwningOpRef<ModuleOp> attic;
  Value zero;
  SmallVector<Operation *> ops;
  SmallVector<Touched> touched;
  SmallVector<OpOperand *> operands, toCopy;
};
} // namespace

SmallVector<Value> Doubts::getFirstIndices(Value tensor) {
  if (!zero) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&kernel.getFunctionBody().front());
    zero = create<arith::ConstantIndexOp>(kernel.getLoc(), 0);
  }
  return SmallVector<Value>(cast<RankedTensorType>(tensor.getType()).getRank(),
                            zero);
}

/// A read where the op of `operand` reads: an input is still read when the
/// inits are written.
void Doubts::readAround(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isInit(operand) || op->hasTrait<OpTrait::IsTerminator>())
    builder.setInsertionPoint(op);
  else
    builder.setInsertionPointAfter(op);
  create<tensor::ExtractOp>(op->getLoc(), operand.get(),
                            getFirstIndices(operand.get()));
}

/// The op gets a tensor of which one element was written, by its old value.
void Doubts::writeBefore(OpOperand &operand, OneShotAnalysisState &state) {
  builder.setInsertionPoint(operand.getOwner());
  Location loc = operand.getOwner()->getLoc();
  SmallVector<Value> indices = getFirstIndices(operand.get());
  auto element = create<tensor::ExtractOp>(loc, operand.get(), indices);
  auto touch = create<tensor::InsertOp>(loc, element.getResult(), operand.get(),
                                        indices);
  state.createAliasInfoEntry(touch.getResult());
  operand.set(touch.getResult());
  touched.push_back({&operand, touch});
}

/// `value` is as good as a constant.
void Doubts::forbidWrites(Value value, OneShotAnalysisState &state) {
  builder.setInsertionPointToStart(&kernel.getFunctionBody().front());
  auto type = RankedTensorType::get({1}, builder.getI1Type());
  auto constant = create<arith::ConstantOp>(
      value.getLoc(), DenseElementsAttr::get(type, false));
  state.createAliasInfoEntry(constant.getResult());
  state.unionAliasSets(value, constant.getResult());
}

void Doubts::raise(Operation *op, OneShotAnalysisState &state) {
  if (llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
    for (OpResult result : op->getResults())
      if (isa<TensorType>(result.getType()) &&
          !state.getOptions().dynCastBufferizableOp(op).bufferizesToAllocation(
              result))
        forbidWrites(result, state);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    operands.push_back(&operand);
    bool hidesRead =
        mayRead(operand, state) && !state.bufferizesToMemoryRead(operand);
    bool hidesWrite =
        mayWrite(operand, state) && !state.bufferizesToMemoryWrite(operand);
    if (!isa<DestinationStyleOpInterface>(op) &&
        !isOnlyNameOfFreshTensor(operand))
      for (Value alias : getPossibleAliases(operand, state))
        state.unionAliasSets(operand.get(), alias);
    if (hidesWrite)
      writeBefore(operand, state);
    else if (hidesRead)
      readAround(operand);
  }
}

void Doubts::settle(const OneShotAnalysisState &state) {
  for (auto &[operand, touch] : llvm::reverse(touched)) {
    operand->set(touch.getDest());
    if (!state.isInPlace(touch.getDestMutable()))
      toCopy.push_back(operand);
  }
  for (OpOperand *operand : operands)
    if (!state.isInPlace(*operand) && !llvm::is_contained(toCopy, operand))
      toCopy.push_back(operand);
  for (Operation *op : ops) {
    op->dropAllReferences();
    op->moveBefore(attic->getBody(), attic->getBody()->end());
  }
}

LogicalResult mlir::memspace::analyzeWithoutTrust(FunctionOpInterface kernel,
                                                  OneShotAnalysisState &state) {
  SmallVector<Operation *> doubtful;
  kernel->walk([&](Operation *op) {
    if (!hasTrustedModel(op) && state.getOptions().dynCastBufferizableOp(op))
      doubtful.push_back(op);
  });
  if (doubtful.empty())
    return analyzeInSegments(kernel, state);
  auto &doubts = state.addExtension<Doubts>(kernel);
  for (Operation *op : doubtful)
    doubts.raise(op, state);
  LogicalResult result = analyzeOp(kernel, state);
  doubts.settle(state);
  return result;
}

/// True when something may read what `use` finds, or hands on.
static bool mayBeRead(OpOperand &use, const AnalysisState &state) {
  SmallVector<OpOperand *> worklist = {&use};
  llvm::DenseSet<Value> seen;
  while (!worklist.empty()) {
    OpOperand *operand = worklist.pop_back_val();
    Operation *op = operand->getOwner();
    // Control flow: what reads inside, or behind, may deny it.
    bool isStructured = op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op);
    if (mayRead(*operand, state) || isStructured ||
        op->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (mayWrite(*operand, state))
      continue;
    for (Value alias : getPossibleAliases(*operand, state))
      if (seen.insert(alias).second)
        for (OpOperand &next : alias.getUses())
          worklist.push_back(&next);
  }
  return false;
}

SmallVector<OpOperand *>
mlir::memspace::getOperandsToCopy(FunctionOpInterface kernel,
                                  const OneShotAnalysisState &state) {
  const Doubts *doubts = state.getExtension<Doubts>();
  if (!doubts)
    return {};
  SmallVector<OpOperand *> toCopy(doubts->getOperandsToCopy());
  // The copy is left out whose reader denies that it reads.
  kernel->walk([&](Operation *op) {
    if (!hasTrustedModel(op) || !state.getOptions().dynCastBufferizableOp(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          !state.isInPlace(operand) && !isUndefinedTensor(operand.get()) &&
          state.canOmitTensorCopy(operand) && mayBeRead(operand, state))
        toCopy.push_back(&operand);
  });
  return toCopy;
}
