//===- SinkGridScope.cpp - ops at grid scope into the block forall -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Works on values, from the uses inside a block forall outward: a slice of a
/// value computed at grid scope becomes the same computation on the slice, with
/// slices of its operands, which are then treated in turn. What is used as a
/// whole is computed anew in each block. Nothing is removed before it has no
/// uses left, so the IR means the same after every step.
///
//===----------------------------------------------------------------------===//

#include "SinkGridScope.h"
#include "DropUnusedResults.h"
#include "ExactTiling.h"
#include "ForallCoverage.h"
#include "KernelVerifier.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Spaces/PayloadUses.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
bool containsBlockForall(Operation *op) {
  return op
      ->walk([](scf::ForallOp forall) {
        return isBlockForall(forall) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<scf::ForallOp> getBlockForalls(Operation *kernel) {
  SmallVector<scf::ForallOp> blocks;
  kernel->walk([&](scf::ForallOp forall) {
    if (isBlockForall(forall))
      blocks.push_back(forall);
  });
  return blocks;
}

/// True for an op whose tensor results are new contents: executed at grid
/// scope, every workgroup would write them.
bool computesTensor(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op) ||
      containsBlockForall(op) ||
      llvm::none_of(op->getResultTypes(),
                    [](Type type) { return isa<TensorType>(type); }))
    return false;
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return static_cast<bool>(alloc.getCopy());
  if (isa<DestinationStyleOpInterface>(op) || op->getNumRegions())
    return true;
  auto bufferizable = dyn_cast<bufferization::BufferizableOpInterface>(op);
  if (!bufferizable)
    return false;
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  for (OpResult result : op->getResults())
    if (isa<TensorType>(result.getType()) &&
        bufferizable.bufferizesToAllocation(result))
      return true;
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isa<TensorType>(operand.get().getType()) && mayWrite(operand, state);
  });
}

/// Sinks into one block forall.
class Sinker {
public:
  Sinker(RewriterBase &rewriter, scf::ForallOp forall)
      : rewriter(rewriter), forall(forall) {}

  void run() {
    cloneEmptyTensors();
    for (OpOperand &output : forall.getOutputsMutable())
      sinkIntoOutput(output);
    collectReads();
    drain();
    cloneWhole();
    drain();
    forwardElements();
  }

  /// Outputs whose initial value could not be sunk, with the reason.
  SmallVector<std::pair<Operation *, StringRef>> kept;

private:
  /// A slice to take apart. `dest` is the block argument in whose buffer the
  /// result belongs, for the initial value of an output.
  struct Item {
    tensor::ExtractSliceOp slice;
    BlockArgument dest;
    Value base;
  };

  bool isInside(Operation *op) { return forall->isProperAncestor(op); }

  /// The op at grid scope that computes `value`; null for views of memory,
  /// empty tensors and what is inside the forall.
  Operation *getGridOp(Value value) {
    Operation *def = value.getDefiningOp();
    return def && !isInside(def) && computesTensor(def) ? def : nullptr;
  }

  /// True when `value` depends on a tensor computed at grid scope, through
  /// views or as a scalar.
  bool isGridComputed(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || isInside(def))
      return false;
    // What is outside does not change while this forall is treated.
    auto [it, inserted] = gridComputed.try_emplace(value, false);
    if (!inserted)
      return it->second;
    bool result =
        !containsBlockForall(def) &&
        (computesTensor(def) || llvm::any_of(def->getOperands(), [&](Value v) {
           return isGridComputed(v);
         }));
    return gridComputed[value] = result;
  }

  /// Where the chain of updates that ends in `value` starts.
  Value getBase(Value value) {
    while (Operation *def = getGridOp(value)) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(def);
      if (!dps)
        break;
      value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
    }
    return value;
  }

  /// A tensor without contents that the body uses is one of each block.
  void cloneEmptyTensors() {
    SmallVector<OpOperand *> uses;
    forall.getBody()->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands()) {
        Operation *def = operand.get().getDefiningOp();
        if (isa_and_present<tensor::EmptyOp>(def) && !isInside(def))
          uses.push_back(&operand);
      }
    });
    rewriter.setInsertionPointToStart(forall.getBody());
    for (OpOperand *use : uses) {
      Operation *copy = rewriter.clone(*use->get().getDefiningOp());
      rewriter.modifyOpInPlace(use->getOwner(),
                               [&] { use->set(copy->getResult(0)); });
    }
  }

  /// (a) `output` starts from a computation on the whole tensor.
  void sinkIntoOutput(OpOperand &output) {
    Operation *def = getGridOp(output.get());
    if (!def)
      return;
    BlockArgument arg = forall.getTiedBlockArgument(&output);
    Value init = output.get(), base = getBase(init);
    if (!coversTensor(forall, arg)) {
      kept.emplace_back(
          def, "the slices that the block forall writes are not known to cover "
               "the tensor that it initializes");
      return;
    }
    if (getGridOp(base)) {
      // Every element is written by the blocks: they may start from nothing.
      rewriter.setInsertionPoint(forall);
      auto type = cast<RankedTensorType>(base.getType());
      base = tensor::EmptyOp::create(
          rewriter, forall.getLoc(),
          tensor::getMixedSizes(rewriter, forall.getLoc(), base),
          type.getElementType());
    }
    SmallVector<Operation *> combining = forall.getCombiningOps(arg);
    for (OpOperand &use : llvm::make_early_inc_range(arg.getUses())) {
      Operation *user = use.getOwner();
      if (llvm::is_contained(combining, user))
        continue;
      // The argument stands for its initial value.
      rewriter.modifyOpInPlace(user, [&] { use.set(init); });
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
        worklist.push_back({slice, arg, base});
    }
    rewriter.modifyOpInPlace(forall, [&] { output.set(base); });
    drain();
  }

  /// (b) Slices and elements that the body reads.
  void collectReads() {
    SmallVector<tensor::ExtractOp> elements;
    forall.getBody()->walk([&](Operation *op) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
        if (isGridComputed(slice.getSource()))
          worklist.push_back({slice, {}, {}});
      } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
        if (getGridOp(extract.getTensor()))
          elements.push_back(extract);
      }
    });
    for (tensor::ExtractOp extract : elements)
      sliceElement(extract);
  }

  /// An element is a slice of one.
  void sliceElement(tensor::ExtractOp extract) {
    Operation *def = getGridOp(extract.getTensor());
    if (Value element = forwardElement(rewriter, extract)) {
      auto next = element.getDefiningOp<tensor::ExtractOp>();
      rewriter.replaceOp(extract, element);
      if (!next || !isInside(next) || !getGridOp(next.getTensor()))
        return;
      extract = next;
      def = getGridOp(extract.getTensor());
    }
    // A thing that is computed as a whole anyway gains nothing.
    if (!isa<linalg::LinalgOp>(def))
      return;
    rewriter.setInsertionPoint(extract);
    Location loc = extract.getLoc();
    auto type = cast<RankedTensorType>(extract.getTensor().getType());
    SmallVector<OpFoldResult> one(type.getRank(), rewriter.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        rewriter, loc, extract.getTensor(),
        getAsOpFoldResult(extract.getIndices()), one, one);
    SmallVector<Value> zeros;
    if (type.getRank())
      zeros.assign(type.getRank(),
                   arith::ConstantIndexOp::create(rewriter, loc, 0));
    rewriter.modifyOpInPlace(extract, [&] {
      extract.getTensorMutable().set(slice);
      extract.getIndicesMutable().assign(zeros);
    });
    worklist.push_back({slice, {}, {}});
  }

  void drain() {
    while (!worklist.empty()) {
      Item item = worklist.pop_back_val();
      takeApart(item);
    }
  }

  void takeApart(Item item) {
    tensor::ExtractSliceOp slice = item.slice;
    Value source = slice.getSource();
    if (item.dest && source == item.base) {
      rewriter.modifyOpInPlace(
          slice, [&] { slice.getSourceMutable().set(item.dest); });
      return;
    }
    Operation *def = source.getDefiningOp();
    if (!def || isInside(def))
      return;
    if (isa<tensor::EmptyOp>(def)) {
      rewriter.setInsertionPoint(slice);
      SmallVector<OpFoldResult> sizes;
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
        if (!dropped.test(dim))
          sizes.push_back(size);
      rewriter.replaceOpWithNewOp<tensor::EmptyOp>(
          slice, sizes, slice.getType().getElementType());
      return;
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(def)) {
      FailureOr<ForwardedSlice> forwarded =
          forwardSliceOfInsert(rewriter, slice, insert);
      if (failed(forwarded))
        return;
      if (forwarded->ofSource)
        worklist.push_back({forwarded->ofSource, {}, {}});
      if (forwarded->ofDest)
        worklist.push_back({forwarded->ofDest, item.dest, item.base});
      rewriter.replaceOp(slice, forwarded->value);
      return;
    }
    if (auto outer = dyn_cast<tensor::ExtractSliceOp>(def)) {
      if (isGridComputed(source))
        cloneView(slice, outer);
      return;
    }
    // A slice that is the whole is computed once for all threads of the block.
    if (computesTensor(def) && (item.dest || !isWhole(slice)))
      tile(item, cast<OpResult>(source));
  }

  static bool isWhole(tensor::ExtractSliceOp slice) {
    return llvm::all_of(slice.getMixedOffsets(), isZeroInteger) &&
           slice.getSourceType().hasStaticShape() &&
           llvm::equal(slice.getStaticSizes(),
                       slice.getSourceType().getShape());
  }

  /// A slice of a slice at grid scope: brings the outer one inside.
  void cloneView(tensor::ExtractSliceOp slice, tensor::ExtractSliceOp outer) {
    rewriter.setInsertionPointToStart(forall.getBody());
    auto copy = cast<tensor::ExtractSliceOp>(rewriter.clone(*outer));
    rewriter.modifyOpInPlace(slice,
                             [&] { slice.getSourceMutable().set(copy); });
    worklist.push_back({copy, {}, {}});
  }

  /// Computes only the slice, in place of it.
  void tile(Item item, OpResult producer) {
    tensor::ExtractSliceOp slice = item.slice;
    auto tileable = dyn_cast<TilingInterface>(producer.getOwner());
    if (!tileable || !canTileExactly(tileable) ||
        !llvm::all_of(slice.getMixedStrides(), isOneInteger) ||
        !isa<DestinationStyleOpInterface>(producer.getOwner()))
      return;
    auto structured = dyn_cast<linalg::LinalgOp>(producer.getOwner());
    bool isInPayload = slice->getParentOfType<linalg::LinalgOp>() != nullptr;
    // In the payload of another op an index of it would be one of that op: the
    // loops around are those of one element, but for reductions.
    bool hasIndices =
        isInPayload && structured && structured.hasIndexSemantics();
    if (hasIndices &&
        (structured.getNumLoops() != structured.getNumParallelLoops() ||
         !llvm::all_of(slice.getMixedSizes(), isOneInteger)))
      return;
    rewriter.setInsertionPoint(slice);
    FailureOr<TilingResult> tiled = tileable.generateResultTileValue(
        rewriter, producer.getResultNumber(), slice.getMixedOffsets(),
        slice.getMixedSizes());
    if (failed(tiled) || tiled->tiledValues.size() != 1 ||
        tiled->tiledOps.size() != 1)
      return;
    auto tiledOp = dyn_cast<DestinationStyleOpInterface>(tiled->tiledOps[0]);
    if (!tiledOp)
      return;

    if (hasIndices)
      tiledOp->walk([&](linalg::IndexOp index) {
        rewriter.setInsertionPoint(index);
        rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(index, 0);
      });
    OpOperand *init = tiledOp.getDpsInitOperand(producer.getResultNumber());
    for (OpOperand &operand : tiledOp->getOpOperands()) {
      auto part = operand.get().getDefiningOp<tensor::ExtractSliceOp>();
      bool isDest = item.dest && &operand == init;
      if (!isDest && tiledOp.isDpsInit(&operand) &&
          getInitUse(operand) == InitUse::WhollyOverwritten) {
        // Scratch of its own: the destination at grid scope is not this
        // block's to write.
        rewriter.setInsertionPoint(tiledOp);
        auto type = cast<RankedTensorType>(operand.get().getType());
        Value empty = tensor::EmptyOp::create(
            rewriter, tiledOp.getLoc(),
            tensor::getMixedSizes(rewriter, tiledOp.getLoc(), operand.get()),
            type.getElementType());
        rewriter.modifyOpInPlace(tiledOp, [&] { operand.set(empty); });
        if (part && part->use_empty())
          rewriter.eraseOp(part);
        continue;
      }
      // An operand that is used as a whole has no slice.
      if (!part || !isInside(part))
        continue;
      if (isDest)
        worklist.push_back({part, item.dest, item.base});
      else if (isGridComputed(part.getSource()) ||
               part.getSource().getDefiningOp<tensor::EmptyOp>())
        worklist.push_back({part, {}, {}});
    }

    Value value = tiled->tiledValues[0];
    rewriter.setInsertionPoint(slice);
    if (value.getType() != slice.getType()) {
      SmallVector<OpFoldResult> zeros(slice.getMixedOffsets().size(),
                                      rewriter.getIndexAttr(0));
      value = tensor::ExtractSliceOp::create(
          rewriter, slice.getLoc(), slice.getType(), value, zeros,
          slice.getMixedSizes(), slice.getMixedStrides());
    }
    rewriter.replaceOp(slice, value);
  }

  /// What is still used inside as a whole is computed once in each block.
  void cloneWhole() {
    llvm::SetVector<Operation *> needed;
    std::function<void(Value)> add = [&](Value value) {
      Operation *def = value.getDefiningOp();
      // Tensors that are read from memory and other scalars stay.
      if (!def || isInside(def) ||
          !(isGridComputed(value) || isa<tensor::EmptyOp>(def)) ||
          needed.contains(def) || !isMemoryEffectFree(def))
        return;
      def->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (!def->isAncestor(operand.getParentBlock()->getParentOp()))
            add(operand);
      });
      needed.insert(def);
    };
    SmallVector<OpOperand *> uses;
    forall.getBody()->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        if (isGridComputed(operand.get()))
          uses.push_back(&operand);
    });
    for (OpOperand *use : uses)
      add(use->get());

    IRMapping mapping;
    rewriter.setInsertionPointToStart(forall.getBody());
    SmallVector<Operation *> copies;
    for (Operation *op : needed) {
      Operation *copy = rewriter.clone(*op, mapping);
      // As for tiles: a destination that is not read is scratch.
      if (auto dps = dyn_cast<DestinationStyleOpInterface>(copy))
        copies.push_back(copy);
    }
    for (OpOperand *use : uses)
      if (Value copy = mapping.lookupOrNull(use->get()))
        rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(copy); });
    for (Operation *copy : copies)
      for (OpOperand &init :
           cast<DestinationStyleOpInterface>(copy).getDpsInitsMutable()) {
        auto type = dyn_cast<RankedTensorType>(init.get().getType());
        Operation *def = init.get().getDefiningOp();
        if (!type || (def && isInside(def)) ||
            getInitUse(init) != InitUse::WhollyOverwritten)
          continue;
        rewriter.setInsertionPoint(copy);
        Value empty = tensor::EmptyOp::create(
            rewriter, copy->getLoc(),
            tensor::getMixedSizes(rewriter, copy->getLoc(), init.get()),
            type.getElementType());
        rewriter.modifyOpInPlace(copy, [&] { init.set(empty); });
      }
  }

  /// Elements of the small tensors that slices were turned into.
  void forwardElements() {
    SmallVector<tensor::ExtractOp> elements;
    forall.getBody()->walk([&](tensor::ExtractOp extract) {
      if (extract.getTensor().getDefiningOp<tensor::InsertSliceOp>())
        elements.push_back(extract);
    });
    for (tensor::ExtractOp extract : elements)
      if (Value element = forwardElement(rewriter, extract))
        rewriter.replaceOp(extract, element);
  }

  RewriterBase &rewriter;
  scf::ForallOp forall;
  SmallVector<Item> worklist;
  DenseMap<Value, bool> gridComputed;
};

/// Moves an elementwise op at grid scope that follows `forall` into it, tile by
/// tile. Returns the forall that replaces it, or null when there is none or it
/// does not fit.
scf::ForallOp fuseConsumer(RewriterBase &rewriter, scf::ForallOp forall) {
  for (OpResult result : forall->getResults()) {
    if (!coversTensor(forall, forall.getTiedBlockArgument(result)))
      continue;
    for (Operation *user : result.getUsers()) {
      auto op = dyn_cast<linalg::LinalgOp>(user);
      // Every element once, at the same place: the tiles cover the result too.
      if (!op || op->use_empty() || op->getBlock() != forall->getBlock() ||
          op.getNumLoops() != op.getNumParallelLoops() ||
          op->getNumResults() != 1 || !op.hasPureTensorSemantics() ||
          !canTileExactly(op) ||
          llvm::any_of(op->getOperands(),
                       [&](Value v) {
                         return v != result && v.getDefiningOp() == forall;
                       }) ||
          llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
            return (operand.get() == result || op.isDpsInit(&operand)) &&
                   !op.getMatchingIndexingMap(&operand).isPermutation();
          }))
        continue;
      SmallVector<LoopLikeOpInterface> loops{forall};
      if (failed(scf::tileAndFuseConsumer(rewriter, op, loops)))
        continue;
      return cast<scf::ForallOp>(loops[0].getOperation());
    }
  }
  return {};
}

/// Ops outside of block-mapped foralls become such that tiling them is right.
void makeGridScopeTileable(RewriterBase &rewriter, Operation *kernel) {
  SmallVector<Operation *> ops;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isBlockForall(op))
      return WalkResult::skip();
    if (isa<linalg::LinalgOp>(op))
      ops.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : ops)
    makeExactlyTileable(rewriter, op);
}

/// Tiling computes offsets again; a slice and the insert of its update must use
/// the same ones to be seen as one. (CSE would also merge `tensor.empty` ops.)
void mergeOffsets(RewriterBase &rewriter, Operation *kernel) {
  DominanceInfo dominance(kernel);
  SmallVector<affine::AffineApplyOp> applies;
  kernel->walk([&](affine::AffineApplyOp op) { applies.push_back(op); });
  llvm::MapVector<std::pair<Attribute, SmallVector<Value>>,
                  SmallVector<affine::AffineApplyOp>>
      equal;
  for (affine::AffineApplyOp op : applies) {
    SmallVector<affine::AffineApplyOp> &others =
        equal[{op.getMapAttr(), llvm::to_vector(op.getMapOperands())}];
    auto *other = llvm::find_if(others, [&](affine::AffineApplyOp earlier) {
      return dominance.properlyDominates(earlier.getOperation(), op);
    });
    if (other != others.end())
      rewriter.replaceOp(op, *other);
    else
      others.push_back(op);
  }
}

void eraseDeadOps(RewriterBase &rewriter, Operation *kernel) {
  kernel->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != kernel && isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  });
}

/// True when `value` is a result of a block forall, perhaps through views,
/// branches and loops around it.
bool comesFromBlocks(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (containsBlockForall(def))
      return true;
    if (def->getNumOperands() == 0 || computesTensor(def))
      return false;
    value = def->getOperand(0);
  }
  return false;
}

/// The memory of the caller that `op` writes, or that what it computes is for;
/// null when there is none.
Value getOutput(Operation *op) {
  DenseSet<Operation *> seen;
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(next);
    if (store && isa<BaseMemRefType>(store.getDest().getType()))
      return store.getDest();
    llvm::append_range(worklist, next->getUsers());
  }
  return {};
}

LogicalResult refuse(Operation *op, StringRef why) {
  InFlightDiagnostic diag =
      op->emitError()
      << "op at grid scope would be executed by every workgroup and overwrite "
         "what others have finished; "
      << why;
  if (Value output = getOutput(op))
    diag << "; what it computes is for " << describeMemory(output);
  return diag;
}
} // namespace

LogicalResult mlir::memspace::sinkGridScopeOps(RewriterBase &rewriter,
                                               FunctionOpInterface kernel) {
  SmallVector<tensor::ConcatOp> concats;
  kernel->walk([&](tensor::ConcatOp concat) { concats.push_back(concat); });
  for (tensor::ConcatOp concat : concats) {
    rewriter.setInsertionPoint(concat);
    FailureOr<SmallVector<Value>> parts = concat.decomposeOperation(rewriter);
    if (failed(parts))
      return concat.emitError() << "tensor.concat cannot be decomposed";
    rewriter.replaceOp(concat, *parts);
  }

  // A dimension of an updated tensor is one of its destination.
  kernel->walk([&](tensor::DimOp dim) {
    auto result = dyn_cast<OpResult>(dim.getSource());
    while (result) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
      if (!dps)
        break;
      Value init = dps.getTiedOpOperand(result)->get();
      rewriter.modifyOpInPlace(dim, [&] { dim.getSourceMutable().set(init); });
      result = dyn_cast<OpResult>(init);
    }
  });

  SmallVector<scf::ForallOp> blocks = getBlockForalls(kernel);
  if (blocks.empty())
    return success();

  makeGridScopeTileable(rewriter, kernel);
  DenseMap<Operation *, StringRef> reasons;
  bool fused = false;
  for (scf::ForallOp &forall : blocks)
    while (scf::ForallOp next = fuseConsumer(rewriter, forall)) {
      forall = next;
      fused = true;
    }
  if (fused) {
    // The intermediate results are no longer outputs.
    mergeOffsets(rewriter, kernel);
    dropUnusedResults(rewriter, kernel);
    blocks = getBlockForalls(kernel);
  }
  for (scf::ForallOp forall : blocks) {
    Sinker sinker(rewriter, forall);
    sinker.run();
    for (auto &[op, why] : sinker.kept)
      reasons[op] = why;
  }
  eraseDeadOps(rewriter, kernel);
  mergeOffsets(rewriter, kernel);

  // What is left would be executed by every workgroup.
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isBlockForall(op))
      return WalkResult::skip();
    if (op == kernel.getOperation() || containsBlockForall(op))
      return WalkResult::advance();
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
    if (store && isa<BaseMemRefType>(store.getDest().getType())) {
      if (comesFromBlocks(store.getSource()))
        return WalkResult::skip();
      (void)refuse(op, "materialize a result of a block-mapped forall, or do "
                       "it in a kernel of its own");
      return WalkResult::interrupt();
    }
    if (computesTensor(op)) {
      auto it = reasons.find(op);
      (void)refuse(op, it != reasons.end()
                           ? it->second
                           : StringRef("move it into the block-mapped forall, "
                                       "or to a kernel of its own"));
      return WalkResult::interrupt();
    }
    return op->getNumRegions() ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
