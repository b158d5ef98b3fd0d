//===- PrepareFunction.cpp - a function of which kernels are formed -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Normalize/ExactTiling.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/Normalization.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Tile/Divisors.h"
#include "Transforms/Tile/FrontendForms.h"
#include "Transforms/Tile/KernelGroups.h"
#include "Transforms/Tile/LoopLabels.h"
#include "Transforms/Tile/LoopResults.h"
#include "Transforms/Tile/SharedUpdates.h"
#include "Transforms/Tile/SplitReductions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

//===----------------------------------------------------------------------===//
// Arguments and results
//===----------------------------------------------------------------------===//

static MemRefType getMemRefType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
}

LogicalResult memspace::makeMemRefs(func::FuncOp function) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.getEncoding();
  };
  for (Type type : function.getArgumentTypes())
    if (isa<TensorType>(type) && !isPlain(type))
      return function.emitError()
             << "an argument of type " << type
             << " cannot become a memref; give it a rank and no encoding";
  for (Type type : function.getResultTypes())
    if (!isPlain(type))
      return function.emitError()
             << "a result of type " << type
             << " cannot be stored by a kernel; return tensors";
  bool changes =
      function.getNumResults() != 0 ||
      llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<TensorType>);
  if (!changes)
    return success();
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(
      function.getOperation(), function->getParentOp());
  if (uses && !uses->empty()) {
    InFlightDiagnostic diag =
        function.emitError()
        << "'" << function.getName()
        << "' would take memrefs for its tensors, but is referred to; inline "
           "it, or give it memrefs";
    diag.attachNote(uses->begin()->getUser()->getLoc()) << "here";
    return diag;
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    argument.setType(getMemRefType(type));
    auto tensor = ToTensorOp::create(builder, argument.getLoc(), type, argument,
                                     /*restrict=*/true);
    argument.replaceAllUsesExcept(tensor, tensor);
  }
  auto end = cast<func::ReturnOp>(function.front().getTerminator());
  builder.setInsertionPoint(end);
  // What is promised of the arguments says something of the results, too.
  SmallVector<ArrayAttr> bounds;
  for (Value result : end.getOperands()) {
    auto type = getMemRefType(cast<RankedTensorType>(result.getType()));
    BlockArgument output = function.front().addArgument(type, result.getLoc());
    MaterializeInDestinationOp::create(builder, result.getLoc(),
                                       /*result=*/Type(), result, output,
                                       /*restrict=*/true, /*writable=*/true);
    bounds.push_back(hasPromisedBounds(function) ? getKnownBounds(result)
                                                 : ArrayAttr());
  }
  end->setOperands({});
  SmallVector<Attribute> attributes;
  if (ArrayAttr old = function.getAllArgAttrs())
    llvm::append_range(attributes, old);
  function.removeResAttrsAttr();
  function.setType(
      builder.getFunctionType(function.front().getArgumentTypes(), {}));
  if (!attributes.empty()) {
    attributes.resize(function.getNumArguments(),
                      builder.getDictionaryAttr({}));
    function.setAllArgAttrs(attributes);
  }
  unsigned number = function.getNumArguments() - bounds.size();
  for (ArrayAttr known : bounds) {
    if (known)
      function.setArgAttr(number, kBoundsAttr, known);
    ++number;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Simpler ops
//===----------------------------------------------------------------------===//

/// Ops that are computed for each element become generic, so that they can be
/// fused.
static void generalize(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::LinalgOp> ops;
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
        op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
        !isa<linalg::CopyOp>(op.getOperation()))
      ops.push_back(op);
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    // A copy says why it is one, until it is a part of another op.
    Attribute reason = op->getDiscardableAttr(kCopyAttr);
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (succeeded(generic) && reason)
      (*generic)->setDiscardableAttr(kCopyAttr, reason);
  }
}

/// True where an op that computes each element of `operand`, which nobody else
/// reads, can become a part of its reader. Upstream forgets what an op reads of
/// its init.
static bool canBeFused(OpOperand *operand) {
  auto readsInit = [](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp &&
           llvm::any_of(linalgOp.getDpsInitsMutable(), [&](OpOperand &init) {
             return linalgOp.payloadUsesValueFromOperand(&init);
           });
  };
  Operation *producer = operand->get().getDefiningOp();
  return producer && operand->get().hasOneUse() && !isReduction(producer) &&
         !readsInit(producer);
}

/// The same where one of the two gives elements another shape. Memory takes no
/// such shape with two unknown extents of one.
static bool canBeReshaped(OpOperand *operand) {
  RankedTensorType type;
  SmallVector<ReassociationIndices> groups;
  if (auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>()) {
    type = collapse.getSrcType();
    groups = collapse.getReassociationIndices();
  } else if (auto expand =
                 dyn_cast<tensor::ExpandShapeOp>(operand->getOwner())) {
    type = expand.getResultType();
    groups = expand.getReassociationIndices();
  }
  return canBeFused(operand) &&
         llvm::all_of(groups, [&](ArrayRef<int64_t> group) {
           return llvm::count_if(group, [&](int64_t dim) {
                    return type.isDynamicDim(dim);
                  }) < 2;
         });
}

/// Somebody stores what `tensor` is of: a kernel that reads it later needs a
/// copy.
static bool isOverwritten(Value tensor) {
  auto content = getRootTensor(tensor).getDefiningOp<ToTensorOp>();
  return content &&
         llvm::any_of(content->getBlock()->getOps<MaterializeInDestinationOp>(),
                      [&](MaterializeInDestinationOp store) {
                        return getRootMemory(store.getDest()) ==
                               getRootMemory(content.getBuffer());
                      });
}

static void simplify(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  // Of other tensors nobody needs one; those that kernels need come later.
  for (auto copy :
       llvm::make_early_inc_range(function.front().getOps<linalg::CopyOp>()))
    if (copy.hasPureTensorSemantics() && !isOverwritten(copy.getInputs()[0]) &&
        copy.getInputs()[0].getType() == copy->getResult(0).getType()) {
      copy->replaceAllUsesWith(ValueRange(copy.getInputs()));
      copy->erase();
    }
  {
    RewritePatternSet patterns(context);
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    populateMovesToGenericPatterns(patterns);
    (void)applyPatternsGreedily(function, std::move(patterns));
  }
  generalize(function);
  dropUnitDimensions(function);
  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, canBeFused);
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, canBeReshaped);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CastOp::getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(function, std::move(patterns));
  IRRewriter rewriter(context);
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

Value memspace::getRootMemory(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// No other store of the function goes to the memory of `store`.
static bool isOnlyStore(MaterializeInDestinationOp store) {
  Value memory = getRootMemory(store.getDest());
  return llvm::all_of(store->getBlock()->getOps<MaterializeInDestinationOp>(),
                      [&](MaterializeInDestinationOp other) {
                        return other == store ||
                               getRootMemory(other.getDest()) != memory;
                      });
}

/// The tensor is what is in `memref`.
static bool isContentOf(Value tensor, Value memref) {
  auto content = tensor.getDefiningOp<ToTensorOp>();
  return content && content.getBuffer() == memref;
}

/// Where `insert` puts its part, in `memref`.
static Value makePlace(RewriterBase &rewriter, tensor::InsertSliceOp insert,
                       Value memref) {
  auto type = memref::SubViewOp::inferRankReducedResultType(
      insert.getSourceType().getShape(), cast<MemRefType>(memref.getType()),
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
  return memref::SubViewOp::create(
      rewriter, insert.getLoc(), cast<MemRefType>(type), memref,
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
}

/// Writes several parts of an output where they are, each by a store of its
/// own; true if that replaced `store`. Nobody else reads the output, and no
/// part has elements of another one.
static bool storePartsInPlace(MaterializeInDestinationOp store,
                              RewriterBase &rewriter) {
  Value memref = store.getDest(), tensor = store.getSource();
  SmallVector<tensor::InsertSliceOp> inserts;
  while (auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!tensor.hasOneUse() || insert.getSource() == insert.getDest())
      return false;
    inserts.push_back(insert);
    tensor = insert.getDest();
  }
  if (inserts.size() < 2 || !isContentOf(tensor, memref) ||
      !isOnlyStore(store) ||
      !llvm::all_of(tensor.getUsers(), [&](Operation *user) {
        return user == inserts.back() || isa<tensor::DimOp>(user);
      }))
    return false;
  rewriter.setInsertionPoint(store);
  SmallVector<Value> places;
  for (tensor::InsertSliceOp insert : llvm::reverse(inserts))
    places.push_back(makePlace(rewriter, insert, memref));
  for (auto [number, place] : llvm::enumerate(places))
    for (Value other : ArrayRef(places).drop_front(number + 1))
      if (!areDisjointViews(place, other)) {
        for (Value made : places)
          rewriter.eraseOp(made.getDefiningOp());
        return false;
      }
  for (auto [insert, place] : llvm::zip_equal(llvm::reverse(inserts), places))
    MaterializeInDestinationOp::create(
        rewriter, store.getLoc(), /*result=*/Type(), insert.getSource(), place,
        store.getRestrict(), store.getWritable());
  rewriter.eraseOp(store);
  for (tensor::InsertSliceOp insert : inserts)
    rewriter.eraseOp(insert);
  return true;
}

/// Writes a part, or another shape, of an output where it is; true if that
/// changed `store`.
static bool storeInPlace(MaterializeInDestinationOp store,
                         RewriterBase &rewriter) {
  Value memref = store.getDest(), source = store.getSource();
  if (!isa<MemRefType>(memref.getType()) || !source.hasOneUse())
    return false;
  rewriter.setInsertionPoint(store);
  Value place, stored;
  Location loc = store.getLoc();
  if (auto insert = source.getDefiningOp<tensor::InsertSliceOp>()) {
    // All but the part is there already.
    if (!isContentOf(insert.getDest(), memref) || !isOnlyStore(store))
      return false;
    place = makePlace(rewriter, insert, memref);
    stored = insert.getSource();
  } else if (auto collapse = source.getDefiningOp<tensor::CollapseShapeOp>()) {
    auto type = cast<MemRefType>(memref.getType());
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    FailureOr<MemRefType> expanded =
        memref::ExpandShapeOp::computeExpandedType(type, shape, groups);
    if (failed(expanded) || !collapse.getSrcType().hasStaticShape())
      return false;
    place =
        memref::ExpandShapeOp::create(rewriter, loc, *expanded, memref, groups);
    stored = collapse.getSrc();
  } else if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>()) {
    auto type = cast<MemRefType>(memref.getType());
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
      return false;
    place = memref::CollapseShapeOp::create(rewriter, loc, memref, groups);
    stored = expand.getSrc();
  } else if (auto cast = source.getDefiningOp<tensor::CastOp>()) {
    // Frontends forget extents at the end.
    if (!tensor::preservesStaticInformation(cast.getType(),
                                            cast.getSource().getType()))
      return false;
    auto type = mlir::cast<RankedTensorType>(cast.getSource().getType());
    MemRefType known =
        MemRefType::Builder(mlir::cast<MemRefType>(memref.getType()))
            .setShape(type.getShape());
    if (!memref::CastOp::areCastCompatible(memref.getType(), known))
      return false;
    place = memref::CastOp::create(rewriter, loc, known, memref);
    stored = cast.getSource();
  } else {
    return false;
  }
  rewriter.replaceOpWithNewOp<MaterializeInDestinationOp>(
      store, /*result=*/Type(), stored, place, store.getRestrict(),
      store.getWritable());
  if (source.use_empty())
    rewriter.eraseOp(source.getDefiningOp());
  return true;
}

static void storeInPlace(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (auto store : llvm::make_early_inc_range(
           function.front().getOps<MaterializeInDestinationOp>()))
    if (isa<MemRefType>(store.getDest().getType()))
      storePartsInPlace(store, rewriter);
  SmallVector<MaterializeInDestinationOp> left(
      function.front().getOps<MaterializeInDestinationOp>());
  while (!left.empty()) {
    MaterializeInDestinationOp store = left.pop_back_val();
    Operation *next = store->getNextNode();
    if (storeInPlace(store, rewriter))
      left.push_back(cast<MaterializeInDestinationOp>(next->getPrevNode()));
  }
}

/// Each output is stored in place, by an op that can be tiled.
static void prepareStores(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  storeInPlace(function);
  copyLoopResultsTogether(function);
  DenseSet<Value> stored;
  for (auto store : llvm::make_early_inc_range(
           function.front().getOps<MaterializeInDestinationOp>())) {
    Operation *producer = store.getSource().getDefiningOp();
    auto type = dyn_cast<RankedTensorType>(store.getSource().getType());
    if (type && llvm::is_contained(type.getShape(), 0)) {
      store.erase();
      continue;
    }
    // A kernel stores a result once.
    if (!type || (isa_and_nonnull<TilingInterface>(producer) &&
                  stored.insert(store.getSource()).second))
      continue;
    rewriter.setInsertionPoint(store);
    Location loc = store.getLoc();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, store.getSource()),
        type.getElementType());
    Value copy = linalg::CopyOp::create(rewriter, loc, store.getSource(), empty)
                     .getResult(0);
    store.getSourceMutable().assign(copy);
  }
  // Behind all ops, so that one that reads the tensor, too, can be in the same
  // kernel; but not behind another look at the memory.
  SmallVector<MaterializeInDestinationOp> stores(
      function.front().getOps<MaterializeInDestinationOp>());
  for (MaterializeInDestinationOp store : stores) {
    Value memory = getRootMemory(store.getDest());
    bool isReadLater = llvm::any_of(
        function.front().getOps<ToTensorOp>(), [&](ToTensorOp tensor) {
          return getRootMemory(tensor.getBuffer()) == memory &&
                 store->isBeforeInBlock(tensor);
        });
    if (store.getRestrict() && !isReadLater)
      store->moveBefore(function.front().getTerminator());
  }
}

/// A copy of `init`, made in front of `op`.
static linalg::CopyOp makeCopy(RewriterBase &rewriter, Operation *op,
                               Value init) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init),
      cast<RankedTensorType>(init.getType()).getElementType());
  return linalg::CopyOp::create(rewriter, loc, init, empty);
}

/// `value` is a tensor of what is in memory, or a constant.
static bool isInMemory(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return false;
  Value root = getRootTensor(value);
  return root.getDefiningOp<ToTensorOp>() ||
         root.getDefiningOp<arith::ConstantOp>();
}

void memspace::copyInits(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isInMemory(init.get()) && op.payloadUsesValueFromOperand(&init))
        init.set(makeCopy(rewriter, op, init.get()).getResult(0));
}

/// Some user of `result` stores it in the memory that `init` is of.
static bool isStoredInPlace(OpResult result, Value init) {
  return llvm::any_of(result.getUsers(), [&](Operation *user) {
    auto store = dyn_cast<MaterializeInDestinationOp>(user);
    return store && isContentOf(init, store.getDest());
  });
}

void memspace::copyReadOutputs(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  for (auto scatter : kernel.front().getOps<ScatterOp>()) {
    OpOperand &init = scatter.getOutputMutable();
    if (scatter.readsOutputs() && isInMemory(init.get()) &&
        !isStoredInPlace(cast<OpResult>(scatter.getResult()), init.get()))
      init.set(makeCopy(rewriter, scatter, init.get()).getResult(0));
  }
}

/// A slice whose elements are not one behind the other has no other shape where
/// it is: it is copied first, by a kernel of its own.
static void copyCollapsedSlices(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (auto collapse : function.front().getOps<tensor::CollapseShapeOp>()) {
    auto slice = collapse.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice)
      continue;
    auto place = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        slice.getType().getShape(), getMemRefType(slice.getSourceType()),
        slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides()));
    if (memref::CollapseShapeOp::isGuaranteedCollapsible(
            place, collapse.getReassociationIndices()))
      continue;
    rewriter.setInsertionPoint(collapse);
    Location loc = collapse.getLoc();
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, slice),
        slice.getType().getElementType());
    collapse.getSrcMutable().assign(
        linalg::CopyOp::create(rewriter, loc, slice.getResult(), empty)
            .getResult(0));
  }
}

bool memspace::isUpdatedInPlace(ScatterOp scatter, int64_t bytes) {
  if (hasManyUpdates(scatter))
    return true;
  auto type = dyn_cast<RankedTensorType>(scatter.getOutput().getType());
  if (!type)
    return false;
  uint64_t size = type.getElementType().isIntOrFloat()
                      ? llvm::divideCeil(type.getElementTypeBitWidth(), 8)
                      : 8;
  if (!type.hasStaticShape())
    return true;
  for (int64_t extent : type.getShape())
    size = llvm::SaturatingMultiply<uint64_t>(size, extent);
  return size > static_cast<uint64_t>(bytes);
}

/// What is too large for a workgroup, and is scattered into, is a copy that
/// nobody else needs, unless it is in the memory already that the result goes
/// to. Returns the copies.
static SmallVector<Operation *> copyScatteredInto(func::FuncOp function,
                                                  int64_t bytes) {
  IRRewriter rewriter(function.getContext());
  SmallVector<Operation *> copies;
  for (auto scatter : function.front().getOps<ScatterOp>()) {
    Value init = scatter.getOutput();
    bool isInPlace = isStoredInPlace(cast<OpResult>(scatter.getResult()), init);
    bool isItsOwn = isa_and_nonnull<TilingInterface>(init.getDefiningOp()) &&
                    llvm::all_of(init.getUses(), [&](OpOperand &use) {
                      return use == scatter.getOutputMutable() ||
                             isa<tensor::DimOp>(use.getOwner());
                    });
    if (!isUpdatedInPlace(scatter, bytes) || isInPlace || isItsOwn ||
        init.getDefiningOp<tensor::EmptyOp>())
      continue;
    linalg::CopyOp copy = makeCopy(rewriter, scatter, init);
    scatter.getOutputMutable().assign(copy.getResult(0));
    copies.push_back(copy);
  }
  return copies;
}

/// Each reader has a fill of its own, which costs nothing where it is fused.
static void copyFills(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  SmallVector<linalg::FillOp> fills(function.front().getOps<linalg::FillOp>());
  for (linalg::FillOp fill : fills) {
    if (fill->getNumResults() == 0)
      continue;
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(fill->getUses()))) {
      builder.setInsertionPoint(fill);
      use.set(builder.clone(*fill)->getResult(0));
    }
  }
}

/// Extents of what is computed become those of arguments, which the host knows.
static void resolveExtents(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, function.getContext());
  (void)applyPatternsGreedily(function, std::move(patterns));
}

/// Upstream's fusion gives an op that does not read its init an empty one,
/// whatever it leaves of that.
static LogicalResult checkOutputs(func::FuncOp function) {
  for (auto op : function.front().getOps<linalg::LinalgOp>()) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (OpOperand &init : op.getDpsInitsMutable()) {
      if (!isa<RankedTensorType>(init.get().getType()) ||
          init.get().getDefiningOp<tensor::EmptyOp>() ||
          op.payloadUsesValueFromOperand(&init))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&init);
      bool writesAll = map.isProjectedPermutation();
      for (auto [loop, extent] : llvm::enumerate(extents))
        writesAll &= map.isFunctionOfDim(loop) ||
                     (!ShapedType::isDynamic(extent) && extent > 0);
      if (!writesAll)
        return op.emitOpError()
               << "does not write all of output "
               << init.getOperandNumber() - op.getNumDpsInputs() << " of '"
               << function.getName()
               << "', and what it leaves is lost where it is fused; compute "
                  "the part that it writes, and insert it "
                  "(tensor.insert_slice)";
    }
  }
  return success();
}

/// A tile of an op reads slices of its inputs that begin where its first
/// iteration reads. Where indices go another way, its body reads the elements.
static LogicalResult readInexactInputs(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : ops)
    if (op.hasPureTensorSemantics() &&
        !memspace::makeExactlyTileable(rewriter, op))
      return op.emitOpError() << "reads an input in an order of which tiles "
                                 "are no slices; write "
                                 "it as a 'linalg.generic'";
  return success();
}

/// Upstream's gathers and scatters, which cannot be tiled, become ours.
static void convertUpstreamGathers(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  addUpstreamGatherPatterns(patterns);
  walkAndApplyPatterns(function, std::move(patterns));
}

/// A top-k of more elements than a row has is one of all that it has, put into
/// what the outputs were: that moves with what made them, and the top-k needs
/// no copy of it.
static void insertShortRows(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  for (auto op :
       llvm::make_early_inc_range(function.front().getOps<TopKOp>())) {
    unsigned dimension = op.getDimension();
    int64_t length = op.getShapedType().getDimSize(dimension);
    if (op->getNumResults() == 0 || ShapedType::isDynamic(length) ||
        ShapedType::isDynamic(op.getCount()) || length >= op.getCount())
      continue;
    if (length == 0) {
      rewriter.replaceOp(op, op.getDpsInits());
      continue;
    }
    rewriter.setInsertionPoint(op);
    Location loc = op.getLoc();
    SmallVector<Value> operands{op.getInput()};
    SmallVector<Type> types;
    SmallVector<OpFoldResult> sizes;
    for (Value init : op.getDpsInits()) {
      sizes = tensor::getMixedSizes(rewriter, loc, init);
      sizes[dimension] = rewriter.getIndexAttr(length);
      operands.push_back(tensor::EmptyOp::create(
          rewriter, loc, sizes, getElementTypeOrSelf(init.getType())));
      types.push_back(operands.back().getType());
    }
    Operation *whole =
        mlir::clone(rewriter, op.getOperation(), types, operands);
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
    SmallVector<Value> results;
    for (auto [part, init] :
         llvm::zip_equal(whole->getResults(), op.getDpsInits()))
      results.push_back(tensor::InsertSliceOp::create(rewriter, loc, part, init,
                                                      zeros, sizes, ones));
    rewriter.replaceOp(op, results);
  }
}

FailureOr<DenseSet<Operation *>>
memspace::prepareFunction(func::FuncOp function, int64_t bytes) {
  if (failed(checkOutputs(function)) || failed(makeMemRefs(function)) ||
      failed(decomposeOps(function)))
    return failure();
  replaceFrontendForms(function);
  dropIdleOps(function);
  normalizeSteps(function);
  convertUpstreamGathers(function);
  insertShortRows(function);
  // What is stored in place needs no op.
  storeInPlace(function);
  simplify(function);
  if (failed(readInexactInputs(function)))
    return failure();
  DenseSet<Operation *> partial = splitLongReductions(function);
  // What is copied before it is overwritten is not read again later.
  for (auto copy : function.front().getOps<linalg::CopyOp>())
    if (copy.hasPureTensorSemantics() && isOverwritten(copy.getInputs()[0]))
      partial.insert(copy);
  prepareStores(function);
  copyInits(function);
  copyCollapsedSlices(function);
  copyFills(function);
  for (Operation *copy : copyScatteredInto(function, bytes))
    partial.insert(copy);
  resolveExtents(function);
  return partial;
}
