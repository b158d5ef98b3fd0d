//===- MaterializeEncodings.cpp - tensors get the layouts they ask for ----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// First, with the types as they are: which encodes are needed, and how does
/// each op work on the layouts that are left. Then all types change at once.
///
//===----------------------------------------------------------------------===//

#include "EncodedMemory.h"
#include "Extents.h"
#include "IdleKernels.h"
#include "MemSpace/Transforms/Passes.h"
#include "Relayout.h"
#include "SimplifyEncodes.h"
#include "TiledLinalg.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MATERIALIZEENCODINGSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
class Materializer {
public:
  Materializer(Operation *root, TensorLayouts &layouts,
               const EncodedMemory &memory)
      : root(root), layouts(layouts), memory(memory),
        rewriter(root->getContext()) {}
  LogicalResult run();
  /// Those from which encodes were removed.
  const llvm::SetVector<Operation *> &getFunctions() const { return functions; }

private:
  /// A linalg op on other layouts.
  struct TiledOp {
    TiledLinalg tiled;
    SmallVector<OpFoldResult> extents;
  };
  struct PlannedRelayout {
    Relayout relayout;
    SmallVector<OpFoldResult> extents;
  };

  LogicalResult simplify();
  LogicalResult plan();
  LogicalResult planLinalg(linalg::LinalgOp op, ExtentMaker &maker);
  LogicalResult replaceExtents(tensor::DimOp dim, ExtentMaker &maker);
  void convertAllocation(Operation *op);
  void convertConstant(arith::ConstantOp op);
  void convertSignature(FunctionOpInterface func);
  void convertTypes();
  void eraseUnused();

  Operation *root;
  TensorLayouts &layouts;
  const EncodedMemory &memory;
  IRRewriter rewriter;
  /// Those that ask for extents of tensors. What makeExtents makes asks for
  /// extents of memory.
  SmallVector<tensor::DimOp> dims;
  llvm::SetVector<Operation *> functions;
  std::vector<TiledOp> tiledOps;
  std::vector<PlannedRelayout> relayouts;
};
} // namespace

/// The slot of an argument of `func`.
static TensorSlot getArgumentSlot(FunctionOpInterface func, unsigned number) {
  return func.isExternal() ? TensorSlot::getArgument(func, number)
                           : TensorSlot::get(func.getArgument(number));
}

static bool hasEncodedTensor(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isEncoded) ||
         llvm::any_of(op->getResultTypes(), isEncoded);
}

//===----------------------------------------------------------------------===//
// With the types as they are
//===----------------------------------------------------------------------===//

/// An op that is made row-major stays so: the loop ends.
LogicalResult Materializer::simplify() {
  bool changed = true;
  while (changed) {
    changed = false;
    if (failed(makeRowMajor(root, rewriter, layouts, changed)))
      return failure();
    while (removeIdleEncodes(root, rewriter, layouts, functions))
      changed = true;
  }
  return success();
}

LogicalResult Materializer::planLinalg(linalg::LinalgOp op,
                                       ExtentMaker &maker) {
  auto isTiled = [&](Value value) {
    return isEncoded(value.getType()) && !layouts.get(value).isIdentity;
  };
  // A fill of any memory is a fill.
  if (isa<linalg::FillOp>(op.getOperation()) ||
      (llvm::none_of(op->getOperands(), isTiled)))
    return success();
  TiledOp tiled{*TiledLinalg::plan(op, layouts), {}};
  const llvm::SmallBitVector &masked = tiled.tiled.getMaskedLoops();
  tiled.extents.resize(masked.size());
  rewriter.setInsertionPoint(op);
  for (unsigned loop : masked.set_bits()) {
    FailureOr<Value> extent = maker.make(rewriter, op, getDimsOfLoop(op, loop));
    if (failed(extent))
      return failure();
    tiled.extents[loop] = *extent;
  }
  tiledOps.push_back(std::move(tiled));
  return success();
}

/// The extent of the tensor, not that of its memory.
LogicalResult Materializer::replaceExtents(tensor::DimOp dim,
                                           ExtentMaker &maker) {
  std::optional<int64_t> number = dim.getConstantIndex();
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  if (!type || !isEncoded(type) || layouts.get(dim.getSource()).isIdentity)
    return success();
  if (!number)
    return dim.emitOpError(
        "asks for an extent of an encoded tensor by a number "
        "that is not constant; write a 'tensor.dim' for each "
        "extent");
  if (*number < 0 || *number >= type.getRank())
    return success();
  rewriter.setInsertionPoint(dim);
  FailureOr<Value> extent =
      maker.make(rewriter, dim, TensorDim{dim.getSource(), unsigned(*number)});
  if (failed(extent))
    return failure();
  rewriter.replaceOp(dim, *extent);
  return success();
}

LogicalResult Materializer::plan() {
  WalkResult result = root->walk([&](arith::ConstantOp op) {
    if (!isEncoded(op.getType()) ||
        isa<DenseElementsAttr, DenseResourceElementsAttr>(op.getValue()))
      return WalkResult::advance();
    op.emitOpError("has an encoded value that is not known element by element; "
                   "encode a constant without an encoding");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  // First: what is planned below keeps extents, which may be such values.
  ExtentMaker maker(layouts);
  for (tensor::DimOp dim : dims)
    if (failed(replaceExtents(dim, maker)))
      return failure();
  SmallVector<EncodeOp> encodes;
  root->walk([&](EncodeOp encode) { encodes.push_back(encode); });
  for (EncodeOp encode : encodes)
    if (std::optional<Relayout> relayout =
            Relayout::plan(encode, rewriter, layouts))
      relayouts.push_back({*relayout, {}});
  // Copies by tiles took the place of some.
  ExtentMaker later(layouts);
  for (PlannedRelayout &planned : relayouts) {
    if (failed(planned.relayout.check()))
      return failure();
    if (!planned.relayout.needsExtents())
      continue;
    EncodeOp encode = planned.relayout.getOp();
    rewriter.setInsertionPoint(encode);
    FailureOr<SmallVector<OpFoldResult>> extents =
        later.makeAll(rewriter, encode, {encode.getSource(), encode.getDest()});
    if (failed(extents))
      return failure();
    planned.extents = *extents;
  }
  SmallVector<linalg::LinalgOp> linalgOps;
  root->walk([&](linalg::LinalgOp op) { linalgOps.push_back(op); });
  for (linalg::LinalgOp op : linalgOps)
    if (failed(planLinalg(op, later)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// An op whose dynamic extents are operands.
void Materializer::convertAllocation(Operation *op) {
  const TensorLayout &layout = layouts.get(op->getResult(0));
  if (layout.isIdentity || layout.memoryType.hasStaticShape() ||
      layout.type.hasStaticShape())
    return;
  rewriter.setInsertionPoint(op);
  auto extents = [&](ValueRange dynamic) {
    return makeMemoryExtents(
        rewriter, op->getLoc(), layout,
        getMixedValues(layout.type.getShape(), dynamic, rewriter));
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    empty.getDynamicSizesMutable().assign(extents(empty.getDynamicSizes()));
    return;
  }
  auto alloc = cast<bufferization::AllocTensorOp>(op);
  if (!alloc.getCopy())
    alloc.getDynamicSizesMutable().assign(extents(alloc.getDynamicSizes()));
}

void Materializer::convertConstant(arith::ConstantOp op) {
  RankedTensorType type = layouts.get(op.getResult()).memoryType;
  if (auto splat = dyn_cast<SplatElementsAttr>(op.getValue()))
    op.setValueAttr(splat.resizeSplat(type));
  else if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
    op.setValueAttr(dense.reshape(type));
  else
    op.setValueAttr(DenseResourceElementsAttr::get(
        type, cast<DenseResourceElementsAttr>(op.getValue()).getRawHandle()));
}

void Materializer::convertSignature(FunctionOpInterface func) {
  SmallVector<Type> arguments(func.getArgumentTypes()),
      results(func.getResultTypes());
  auto convert = [&](const TensorSlot &slot, Type &type) {
    type = memory.convert(slot, type);
    if (const TensorLayout *layout = layouts.lookup(slot);
        layout && isEncoded(type))
      type = layout->memoryType;
  };
  for (auto [number, type] : llvm::enumerate(arguments))
    convert(getArgumentSlot(func, number), type);
  for (auto [number, type] : llvm::enumerate(results))
    convert(TensorSlot::getResult(func, number), type);
  // A type that changed says it all now.
  StringAttr target = rewriter.getStringAttr(kTargetAttr);
  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes()))
    if (type != arguments[number])
      func.removeArgAttr(number, target);
  for (auto [number, type] : llvm::enumerate(func.getResultTypes()))
    if (type != results[number])
      func.removeResultAttr(number, target);
  func.setType(func.cloneTypeWith(arguments, results));
}

void Materializer::convertTypes() {
  SmallVector<FunctionOpInterface> functions;
  root->walk([&](Operation *op) {
    if (auto func = dyn_cast<FunctionOpInterface>(op))
      functions.push_back(func);
    if (llvm::none_of(op->getResultTypes(), isEncoded))
      return;
    if (isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op))
      convertAllocation(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      convertConstant(constant);
  });
  for (FunctionOpInterface func : functions)
    convertSignature(func);
  memory.convertValues(rewriter);
  auto convert = [&](Value value) {
    if (isEncoded(value.getType()))
      value.setType(layouts.get(value).memoryType);
  };
  root->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), convert);
    llvm::for_each(op->getResults(), convert);
  });
}

/// What only removed ops needed.
void Materializer::eraseUnused() {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<tensor::EmptyOp, tensor::DimOp, linalg::FillOp, arith::ConstantOp,
            affine::AffineApplyOp, arith::MulIOp, arith::DivSIOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

LogicalResult Materializer::run() {
  root->walk([&](tensor::DimOp dim) { dims.push_back(dim); });
  if (failed(simplify()) || failed(plan()))
    return failure();
  ExtentMaker::forgetMemory(root);
  convertTypes();
  for (TiledOp &op : tiledOps)
    op.tiled.rewrite(rewriter, op.extents, layouts);
  for (PlannedRelayout &planned : relayouts)
    planned.relayout.rewrite(rewriter, planned.extents, layouts);
  eraseUnused();
  return success();
}

//===----------------------------------------------------------------------===//
// What is not looked into
//===----------------------------------------------------------------------===//

/// An encoded tensor in another type, as that of a function that is a value.
static bool hidesEncodedTensor(Type type) {
  if (isa<RankedTensorType>(type))
    return false;
  return type
      .walk([](RankedTensorType tensor) {
        return isEncoded(tensor) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult checkHiddenTensors(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    if (auto func = dyn_cast<FunctionOpInterface>(op))
      llvm::append_range(types, func.getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    for (Type type : types)
      if (hidesEncodedTensor(type)) {
        op->emitOpError()
            << "has a value of type " << type
            << ", and the layout of what is in it cannot be changed; pass the "
               "tensor itself, or unset its encoding first";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Where nothing leads to, encodes may go round in a circle; no value counts.
static void removeUnreachableEncodes(Operation *root) {
  DominanceInfo dominance(root);
  root->walk([&](EncodeOp encode) {
    if (dominance.isReachableFromEntry(encode->getBlock()) ||
        encode.getDest() == encode.getResult())
      return;
    encode.getResult().replaceAllUsesWith(encode.getDest());
    encode.erase();
  });
}

/// An op below `root`, a function or an argument or result of one names a
/// target of its own.
static bool namesTarget(Operation *root, Operation *op) {
  if (auto func = dyn_cast<FunctionOpInterface>(op)) {
    for (unsigned number = 0; number < func.getNumArguments(); ++number)
      if (func.getArgAttr(number, kTargetAttr))
        return true;
    for (unsigned number = 0; number < func.getNumResults(); ++number)
      if (func.getResultAttr(number, kTargetAttr))
        return true;
  }
  // As getTargetFromIR looks for it.
  return op != root && (op->hasAttr(kTargetAttr) || op->hasAttr("gpu.target") ||
                        op->hasAttr("targets"));
}

namespace {
/// Functions at or below `root` change with their calls there. What else refers
/// to one that changes, or is called from there and is outside, is refused: the
/// one is not known to follow, the other is not looked at, since another thread
/// may be changing it.
class CallChecker {
public:
  CallChecker(Operation *root, const EncodedMemory &memory)
      : root(root), memory(memory) {}
  LogicalResult run();

private:
  bool changes(FunctionOpInterface func) const;
  LogicalResult checkOp(Operation *op);
  LogicalResult checkFunction(FunctionOpInterface func) const;

  Operation *root;
  const EncodedMemory &memory;
  SymbolTableCollection tables;
};
} // namespace

bool CallChecker::changes(FunctionOpInterface func) const {
  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes()))
    if (isEncoded(type) || memory.lookup(getArgumentSlot(func, number)))
      return true;
  for (auto [number, type] : llvm::enumerate(func.getResultTypes()))
    if (isEncoded(type) || memory.lookup(TensorSlot::getResult(func, number)))
      return true;
  return false;
}

LogicalResult CallChecker::checkOp(Operation *op) {
  auto isChanged = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !isEncoded(type))
      return memory.lookup(TensorSlot::get(value)) != nullptr;
    // Without a target it is the same in all functions that are run on; a
    // kernel is not where its host is.
    return isa<gpu::LaunchFuncOp>(op) ||
           !cast<LayoutEncodingAttrInterface>(type.getEncoding())
                .isTargetIndependent();
  };
  bool isCall = true;
  SmallVector<SymbolRefAttr> symbols;
  if (auto call = dyn_cast<func::CallOp>(op)) {
    symbols.push_back(call.getCalleeAttr());
  } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
    symbols.push_back(launch.getKernel());
  } else {
    isCall = false;
    auto attrs = op->getAttrDictionary();
    attrs.walk<WalkOrder::PreOrder>([&](SymbolRefAttr symbol) {
      symbols.push_back(symbol);
      return WalkResult::skip();
    });
  }
  for (SymbolRefAttr symbol : symbols) {
    Operation *named = tables.lookupNearestSymbolFrom(op, symbol);
    auto func = dyn_cast_or_null<FunctionOpInterface>(named);
    if (func && root->isAncestor(func)) {
      if (isCall || !changes(func))
        continue;
      InFlightDiagnostic diag =
          op->emitOpError()
          << "refers to the function " << symbol
          << ", which has an encoded tensor, or memory that holds one, as an "
             "argument or result; only func.call and gpu.launch_func follow "
             "when that gets its layout; call it by one of these, or pass it "
             "what has no encoding";
      diag.attachNote(func.getLoc()) << "it is here";
      return diag;
    }
    if ((isCall || func) && (llvm::any_of(op->getOperands(), isChanged) ||
                             llvm::any_of(op->getResults(), isChanged)))
      return op->emitOpError()
             << "passes an encoded tensor, or memory that holds one, to or "
                "from the function "
             << symbol
             << ", which is outside of what the pass runs on and may name "
                "another target; run it on the module";
  }
  return success();
}

/// Whoever passes memory to `func` from outside does not know that it changes.
LogicalResult CallChecker::checkFunction(FunctionOpInterface func) const {
  if (isa<ModuleOp>(root) || (func.isPrivate() && func != root))
    return success();
  auto check = [&](const TensorSlot &slot, StringRef what) -> LogicalResult {
    const TensorLayout *layout = memory.lookup(slot);
    if (!layout)
      return success();
    return func.emitOpError()
           << what << " is memory that holds a tensor of type " << layout->type
           << ", and its callers are outside of what the pass runs on; run it "
              "on the module";
  };
  for (unsigned number = 0; number < func.getNumArguments(); ++number)
    if (failed(check(getArgumentSlot(func, number),
                     "argument " + std::to_string(number))))
      return failure();
  for (unsigned number = 0; number < func.getNumResults(); ++number)
    if (failed(check(TensorSlot::getResult(func, number),
                     "result " + std::to_string(number))))
      return failure();
  return success();
}

LogicalResult CallChecker::run() {
  WalkResult result = root->walk([&](Operation *op) {
    auto func = dyn_cast<FunctionOpInterface>(op);
    LogicalResult check = func ? checkFunction(func)
                          : op->hasTrait<OpTrait::SymbolTable>() ? success()
                                                                 : checkOp(op);
    return failed(check) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Where there may be several targets, gives each use an empty tensor, constant
/// or fill of its own: one that two targets share is none of the program, but
/// of a CSE.
static void separateTargets(Operation *root) {
  bool hasTargets = false;
  SmallVector<OpOperand *> worklist;
  root->walk([&](Operation *op) {
    hasTargets |= namesTarget(root, op);
    for (OpOperand &operand : op->getOpOperands())
      worklist.push_back(&operand);
  });
  while (hasTargets && !worklist.empty()) {
    OpOperand *operand = worklist.pop_back_val();
    Value value = operand->get();
    if (!isEncoded(value.getType()) || value.hasOneUse() ||
        !isa_and_nonnull<tensor::EmptyOp, arith::ConstantOp, linalg::FillOp>(
            value.getDefiningOp()))
      continue;
    OpBuilder builder(operand->getOwner());
    Operation *clone = builder.clone(*value.getDefiningOp());
    operand->set(clone->getResult(0));
    for (OpOperand &inner : clone->getOpOperands())
      worklist.push_back(&inner);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct MaterializeEncodingsPass
    : public memspace::impl::MaterializeEncodingsPassBase<
          MaterializeEncodingsPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void MaterializeEncodingsPass::runOnOperation() {
  Operation *root = getOperation();
  bool hasEncodings = false;
  root->walk([&](Operation *op) {
    hasEncodings |= hasEncodedTensor(op) || isa<EncodeOp>(op);
    if (auto func = dyn_cast<FunctionOpInterface>(op))
      hasEncodings |= llvm::any_of(func.getArgumentTypes(), isEncoded) ||
                      llvm::any_of(func.getResultTypes(), isEncoded);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        hasEncodings |= llvm::any_of(block.getArgumentTypes(), isEncoded);
  });
  if (!hasEncodings)
    return markAllAnalysesPreserved();
  if (failed(checkHiddenTensors(root)))
    return signalPassFailure();
  removeUnreachableEncodes(root);
  separateTargets(root);
  FailureOr<TensorLayouts> layouts = TensorLayouts::compute(
      root, {chip, workgroupLimit, privateLimit, subgroupSize});
  if (failed(layouts))
    return signalPassFailure();
  FailureOr<EncodedMemory> memory = EncodedMemory::find(root, *layouts);
  if (failed(memory) || failed(CallChecker(root, *memory).run()))
    return signalPassFailure();
  Materializer materializer(root, *layouts, *memory);
  if (failed(materializer.run()))
    return signalPassFailure();
  if (auto module = dyn_cast<ModuleOp>(root))
    removeIdleKernels(module, materializer.getFunctions());
}
