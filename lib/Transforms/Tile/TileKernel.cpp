//===- TileKernel.cpp - an untiled function becomes a kernel --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/TileKernel.h"
#include "MemSpace/Target/GridLimits.h"
#include "Transforms/Tile/Divisors.h"
#include "Transforms/Tile/FusedTiles.h"
#include "Transforms/Tile/LoopLabels.h"
#include "Transforms/Tile/OutputUpdates.h"
#include "Transforms/Tile/SplitReductions.h"
#include "Transforms/Tile/ThreadTile.h"
#include "Transforms/Tile/WholeTiles.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What there is to tile
//===----------------------------------------------------------------------===//

/// The ops of `kernel` on whole tensors, in order.
static SmallVector<Operation *> getTilableOps(func::FuncOp kernel) {
  SmallVector<Operation *> ops;
  for (Operation &op : kernel.front())
    if (isTilable(&op))
      ops.push_back(&op);
  return ops;
}

/// `operand` of `op`, whose loops have `labels`, is the same along `loop` of
/// the anchor.
static bool isReusedAlong(linalg::LinalgOp op, OpOperand *operand,
                          unsigned loop, ArrayRef<int> labels) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [own, label] : llvm::enumerate(labels))
    if (label == static_cast<int>(loop) && map.isFunctionOfDim(own))
      return false;
  return map.getNumResults() != 0;
}

/// The iterations of the parallel loops of `op` that workgroups do not share
/// out; of unknown extents one.
static int64_t countInner(linalg::LinalgOp op, const LoopLabels &labels) {
  int64_t count = 1;
  for (auto [type, extent, label] :
       llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges(),
                       labels.get(op)))
    if (type == utils::IteratorType::parallel &&
        !ShapedType::isDynamic(extent) &&
        (label < 0 || !llvm::is_contained(labels.getLoops(), unsigned(label))))
      count = llvm::SaturatingMultiply<uint64_t>(count, extent);
  return count;
}

FailureOr<UntiledKernel> UntiledKernel::get(func::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError()
           << "'" << kernel.getName()
           << "' is to become one kernel, but has several blocks; write its "
              "control flow with ops of scf, or cut it up";
  SmallVector<Operation *> ops = getTilableOps(kernel);
  if (ops.empty())
    return kernel.emitError()
           << "'" << kernel.getName()
           << "' has no op on tensors that can be tiled (TilingInterface)";
  for (Operation *op : ops)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      if (llvm::is_contained(linalgOp.getStaticLoopRanges(), 0))
        return op->emitOpError("has a loop without an iteration, which no "
                               "workgroup can take a part of; replace it by "
                               "what it starts with");
  UntiledKernel result;
  result.kernel = kernel;
  result.anchor = cast<TilingInterface>(ops.back());
  LoopLabels labels(result.anchor, ops);
  SmallVector<LoopExtent> extents = getLoopExtents(result.anchor);
  for (unsigned loop : labels.getLoops()) {
    result.extents.push_back(extents[loop].extent);
    result.divisors.push_back(extents[loop].divisor);
  }
  result.hasControl = llvm::any_of(kernel.front(), [](Operation &op) {
    return isa<LoopLikeOpInterface, scf::IfOp>(op) && op.getNumResults() != 0;
  });
  result.reuse.assign(result.extents.size(), Reuse::None);
  // Sorts, scans and the like take rows.
  result.rows = !isa<linalg::LinalgOp>(ops.back());
  for (Operation *op : ops) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      result.innerIterations =
          std::max(result.innerIterations, countInner(linalgOp, labels));
    if (!isReduction(op))
      continue;
    if (!isContraction(op)) {
      result.rows = true;
      continue;
    }
    auto linalgOp = cast<linalg::LinalgOp>(op);
    int64_t longest = 0, all = 1;
    for (auto [type, extent] : llvm::zip_equal(linalgOp.getIteratorTypesArray(),
                                               linalgOp.getStaticLoopRanges()))
      if (type == utils::IteratorType::reduction) {
        int64_t counted = ShapedType::isDynamic(extent) ? INT32_MAX : extent;
        longest = std::max(longest, counted);
        all = llvm::SaturatingMultiply<uint64_t>(all, counted) & INT64_MAX;
      }
    result.contractionLength = std::max(result.contractionLength, longest);
    result.windowLength =
        std::max(result.windowLength, all / std::max<int64_t>(longest, 1));
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      Reuse reuse = Reuse::Last;
      ArrayRef<unsigned> loops = labels.getLoops();
      for (unsigned number = loops.size(); number-- > 0;) {
        if (result.extents[number] == 1 ||
            !isReusedAlong(linalgOp, operand, loops[number], labels.get(op)))
          continue;
        result.reuse[number] = std::max(result.reuse[number], reuse);
        reuse = Reuse::Other;
      }
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

namespace {
class KernelTiler {
public:
  KernelTiler(func::FuncOp kernel, const TileConfiguration &configuration)
      : kernel(kernel), configuration(configuration),
        rewriter(kernel.getContext()) {}
  LogicalResult run();

private:
  LogicalResult shareOverWorkgroups();
  LogicalResult tileContraction(linalg::LinalgOp op);
  FailureOr<linalg::LinalgOp> loopOverReduction(linalg::LinalgOp op);
  SmallVector<linalg::LinalgOp> promoteOperands(linalg::LinalgOp op);
  bool canCopyAhead(scf::ForOp loop, ArrayRef<linalg::LinalgOp> copies) const;
  void copyAhead(scf::ForOp loop, ArrayRef<linalg::LinalgOp> copies);
  SmallVector<int64_t> getThreadTile(ArrayRef<int64_t> extents);
  LogicalResult shareOverThreads(linalg::LinalgOp op);
  void cleanUp();

  SmallVector<linalg::LinalgOp> getOps();

  func::FuncOp kernel;
  const TileConfiguration &configuration;
  IRRewriter rewriter;
  /// What a workgroup does: the loop over workgroups, or the kernel.
  Operation *workgroup = nullptr;
  /// Some contraction is copied ahead for; is shared by subgroups.
  bool isStaged = false, isArranged = false;
};
} // namespace

/// Ids for `count` loops, of which the last one is the fastest.
template <typename AttrT>
static SmallVector<Attribute> getMapping(MLIRContext *context, unsigned count,
                                         bool isLinear) {
  SmallVector<Attribute> mapping;
  unsigned first =
      unsigned(isLinear ? gpu::MappingId::LinearDim0 : gpu::MappingId::DimX);
  for (unsigned dim = count; dim-- > 0;)
    mapping.push_back(AttrT::get(context, gpu::MappingId(first + dim)));
  return mapping;
}

/// Tiles are numbered through where a grid has not so many dimensions, or not
/// so many workgroups in one but the first, on every chip.
static bool isGridLinear(ArrayRef<int64_t> numTiles) {
  std::array<int64_t, 3> most = GridLimits::get(TargetInfo()).workgroups;
  if (numTiles.size() > most.size())
    return true;
  for (auto [dim, count] : llvm::enumerate(llvm::reverse(numTiles)))
    if (dim != 0 && count > most[dim])
      return true;
  return false;
}

LogicalResult KernelTiler::shareOverWorkgroups() {
  workgroup = kernel;
  SmallVector<Operation *> ops = getTilableOps(kernel);
  auto anchor = cast<TilingInterface>(ops.back());
  LoopLabels labels(anchor, ops);
  ArrayRef<unsigned> loops = labels.getLoops();
  if (configuration.block.size() != loops.size())
    return kernel.emitError()
           << "the configuration '" << configuration.str() << "' has "
           << configuration.block.size() << " tile sizes of a workgroup, but '"
           << kernel.getName() << "' has " << loops.size()
           << " loops for workgroups";
  SmallVector<OpFoldResult> sizes(anchor.getLoopIteratorTypes().size(),
                                  rewriter.getIndexAttr(0));
  SmallVector<LoopExtent> extents = getLoopExtents(anchor);
  // How many tiles each tiled loop has, where that is known.
  SmallVector<int64_t> numTiles;
  for (auto [loop, size] : llvm::zip_equal(loops, configuration.block)) {
    sizes[loop] = rewriter.getIndexAttr(size);
    int64_t extent = extents[loop].extent;
    if (size != 0)
      numTiles.push_back(
          ShapedType::isDynamic(extent) ? 0 : llvm::divideCeil(extent, size));
  }
  unsigned tiled = numTiles.size();
  if (tiled == 0) {
    updateOutputs(rewriter, kernel);
    return success();
  }
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(sizes);
  options.setMapping(getMapping<gpu::GPUBlockMappingAttr>(
      kernel.getContext(), tiled, isGridLinear(numTiles)));
  DenseSet<Operation *> inKernel(ops.begin(), ops.end());
  // Results of the kernel beside the anchor's.
  auto isStored = [&](OpResult producer) {
    return labels.isPartitioned(producer) &&
           llvm::any_of(producer.getUsers(), [&](Operation *user) {
             return user->getBlock() == &kernel.front() &&
                    !inKernel.contains(user) && !isa<tensor::DimOp>(user);
           });
  };
  FailureOr<scf::ForallOp> loop =
      tileWithProducers(rewriter, anchor, ops, options, isStored);
  if (failed(loop))
    return anchor.emitOpError("cannot be tiled");
  workgroup = *loop;
  updateOutputsInTiles(rewriter, kernel, *loop);
  return success();
}

SmallVector<linalg::LinalgOp> KernelTiler::getOps() {
  SmallVector<linalg::LinalgOp> ops;
  workgroup->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  return ops;
}

/// A loop around `op` that takes a part of its longest reduction at a time; the
/// op on a part.
FailureOr<linalg::LinalgOp>
KernelTiler::loopOverReduction(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  auto getLength = [&](unsigned loop) {
    return types[loop] != utils::IteratorType::reduction ? -1
           : ShapedType::isDynamic(extents[loop])        ? INT64_MAX
                                                         : extents[loop];
  };
  unsigned longest = 0;
  for (unsigned loop = 1; loop < extents.size(); ++loop)
    if (getLength(loop) > getLength(longest))
      longest = loop;
  if (configuration.reduction == 0 ||
      getLength(longest) <= configuration.reduction)
    return op;
  SmallVector<OpFoldResult> sizes(extents.size(), rewriter.getIndexAttr(0));
  sizes[longest] = rewriter.getIndexAttr(configuration.reduction);
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  scf::SCFTileAndFuseOptions fusion;
  fusion.setTilingOptions(options);
  // What is computed for each element only, and for this op, is computed for a
  // part, too.
  DenseSet<Operation *> fused;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto elementwise = operand->get().getDefiningOp<linalg::LinalgOp>())
      if (!isReduction(elementwise) && elementwise->hasOneUse())
        fused.insert(elementwise);
  fusion.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (isDestination || !fused.contains(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), fusion);
  if (failed(result))
    return op.emitOpError("cannot be tiled along its reduction");
  for (auto [original, replacement] : result->replacements)
    rewriter.replaceAllUsesWith(original, replacement);
  return cast<linalg::LinalgOp>(result->tiledAndFusedOps.front());
}

/// Memory of the caller, or a part of it.
static bool isInGlobalMemory(Value tensor) {
  return getRootTensor(tensor).getDefiningOp<bufferization::ToTensorOp>();
}

/// The workgroup reads what comes from global memory once, into a tensor of its
/// own. The copies.
SmallVector<linalg::LinalgOp>
KernelTiler::promoteOperands(linalg::LinalgOp op) {
  SmallVector<linalg::LinalgOp> copies;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    Operation *producer = operand->get().getDefiningOp();
    if (producer && isWholeCopy(producer)) {
      copies.push_back(cast<linalg::LinalgOp>(producer));
      continue;
    }
    if (!type || !isInGlobalMemory(operand->get()) ||
        (type.hasStaticShape() && type.getNumElements() <= 1))
      continue;
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, operand->get()),
        type.getElementType());
    auto copy = linalg::CopyOp::create(rewriter, loc, operand->get(), empty);
    rewriter.modifyOpInPlace(op, [&] { operand->set(copy.getResult(0)); });
    copies.push_back(cast<linalg::LinalgOp>(copy.getOperation()));
  }
  return copies;
}

/// What `op` is computed from inside of `loop`, and itself, in order.
static SmallVector<Operation *> getOpsFor(Operation *op, scf::ForOp loop) {
  DenseSet<Operation *> needed;
  SmallVector<Operation *> left{op};
  while (!left.empty()) {
    Operation *next = left.pop_back_val();
    if (next->getBlock() != loop.getBody() || !needed.insert(next).second)
      continue;
    next->walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          left.push_back(producer);
    });
  }
  SmallVector<Operation *> ops;
  for (Operation &inLoop : *loop.getBody())
    if (needed.contains(&inLoop))
      ops.push_back(&inLoop);
  return ops;
}

/// The part of `ring` that `slot` is, as a tensor of `type`.
static Value takeSlot(OpBuilder &builder, Location loc, Value ring,
                      OpFoldResult slot, RankedTensorType type) {
  SmallVector<OpFoldResult> offsets(type.getRank() + 1,
                                    builder.getIndexAttr(0)),
      sizes(1, builder.getIndexAttr(1)),
      strides(type.getRank() + 1, builder.getIndexAttr(1));
  offsets.front() = slot;
  for (int64_t size : type.getShape())
    sizes.push_back(builder.getIndexAttr(size));
  return tensor::ExtractSliceOp::create(builder, loc, type, ring, offsets,
                                        sizes, strides);
}

/// `ring`, in whose `slot` is what `copy` makes in the iteration `number` of
/// `loop`.
static Value copyIntoSlot(OpBuilder &builder, linalg::LinalgOp copy,
                          scf::ForOp loop, Value number, Value ring,
                          OpFoldResult slot) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), number);
  for (Operation *op : getOpsFor(copy, loop))
    if (op != copy)
      builder.clone(*op, mapping);
  Location loc = copy.getLoc();
  auto type = cast<RankedTensorType>(copy->getResult(0).getType());
  Value place = takeSlot(builder, loc, ring, slot, type);
  mapping.map(copy.getDpsInits().front(), place);
  Value copied = builder.clone(*copy, mapping)->getResult(0);
  auto part = place.getDefiningOp<tensor::ExtractSliceOp>();
  return tensor::InsertSliceOp::create(
      builder, loc, copied, ring, part.getMixedOffsets(), part.getMixedSizes(),
      part.getMixedStrides());
}

/// The `copies` of `loop` are all of one size, and made more often than ahead.
bool KernelTiler::canCopyAhead(scf::ForOp loop,
                               ArrayRef<linalg::LinalgOp> copies) const {
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  return configuration.stages > 1 && !copies.empty() && trips &&
         trips->sge(configuration.stages) &&
         getConstantIntValue(loop.getLowerBound()) &&
         llvm::all_of(copies, [](linalg::LinalgOp copy) {
           return cast<RankedTensorType>(copy->getResult(0).getType())
               .hasStaticShape();
         });
}

/// An iteration of `loop` makes the `copies` that a later one computes with, in
/// slots that are used in turn.
void KernelTiler::copyAhead(scf::ForOp loop,
                            ArrayRef<linalg::LinalgOp> copies) {
  int64_t stages = configuration.stages, ahead = stages - 1;
  int64_t trips = loop.getStaticTripCount()->getSExtValue();
  int64_t lower = *getConstantIntValue(loop.getLowerBound());
  int64_t step = *getConstantIntValue(loop.getStep());
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  auto getIndex = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  };
  SmallVector<Value> rings;
  for (linalg::LinalgOp copy : copies) {
    auto type = cast<RankedTensorType>(copy->getResult(0).getType());
    SmallVector<int64_t> shape{stages};
    llvm::append_range(shape, type.getShape());
    Value ring =
        tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    for (int64_t slot = 0; slot < ahead; ++slot)
      ring = copyIntoSlot(rewriter, copy, loop, getIndex(lower + slot * step),
                          ring, rewriter.getIndexAttr(slot));
    rings.push_back(ring);
  }
  Value last = getIndex(lower + (trips - ahead) * step);
  FailureOr<LoopLikeOpInterface> replaced =
      cast<LoopLikeOpInterface>(loop.getOperation())
          .replaceWithAdditionalYields(
              rewriter, rings, /*replaceInitOperandUsesInLoop=*/false,
              [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                return SmallVector<Value>(arguments.begin(), arguments.end());
              });
  loop = cast<scf::ForOp>(replaced->getOperation());
  rewriter.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  AffineExpr iteration = (rewriter.getAffineDimExpr(0) - lower).floorDiv(step);
  auto getSlot = [&](int64_t distance) -> Value {
    return affine::AffineApplyOp::create(
        rewriter, loc, (iteration + distance) % stages, ValueRange(number));
  };
  Value now = getSlot(0), later = getSlot(ahead);
  Value hasLater = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, number, last);
  ValueRange carried = loop.getRegionIterArgs().take_back(copies.size());
  auto guard = scf::IfOp::create(rewriter, loc, TypeRange(carried), hasLater,
                                 /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(guard.thenBlock());
  Value laterNumber =
      arith::AddIOp::create(rewriter, loc, number, getIndex(ahead * step));
  SmallVector<Value> filled;
  for (auto [copy, ring] : llvm::zip_equal(copies, carried))
    filled.push_back(
        copyIntoSlot(rewriter, copy, loop, laterNumber, ring, later));
  scf::YieldOp::create(rewriter, loc, filled);
  rewriter.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(rewriter, loc, carried);
  rewriter.setInsertionPointAfter(guard);
  for (auto [copy, ring] : llvm::zip_equal(copies, guard.getResults())) {
    auto type = cast<RankedTensorType>(copy->getResult(0).getType());
    rewriter.replaceOp(copy, takeSlot(rewriter, loc, ring, now, type));
  }
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.modifyOpInPlace(yield, [&] {
    yield->setOperands(yield.getNumOperands() - copies.size(), copies.size(),
                       guard.getResults());
  });
}

/// The part of a thread of the last two of these `extents` that are not 1: as
/// square as can be, and no higher than wide.
SmallVector<int64_t> KernelTiler::getThreadTile(ArrayRef<int64_t> extents) {
  return configuration.thread.empty()
             ? memspace::getThreadTile(extents, configuration.threads)
             : configuration.thread;
}

/// Two loops of tiles as four: over parts of `subgroup` elements, and over the
/// tiles of each, so that the threads of a subgroup have neighbouring tiles.
/// False where the parts are not as many as the subgroups.
static bool arrangeInSubgroups(RewriterBase &rewriter, scf::ForallOp forall,
                               ArrayRef<int64_t> subgroup, int64_t threads) {
  std::optional<SmallVector<int64_t>> begins = getConstantIntValues(
                                          forall.getMixedLowerBound()),
                                      ends = getConstantIntValues(
                                          forall.getMixedUpperBound()),
                                      steps = getConstantIntValues(
                                          forall.getMixedStep());
  if (!begins || !ends || !steps || begins->size() != 2 || subgroup.size() != 2)
    return false;
  SmallVector<int64_t> parts, lanes;
  int64_t numParts = 1, all = 1;
  for (auto [begin, end, step, size] :
       llvm::zip_equal(*begins, *ends, *steps, subgroup)) {
    if (begin != 0 || end % size != 0 || size % step != 0)
      return false;
    parts.push_back(end / size);
    lanes.push_back(size / step);
    numParts *= parts.back();
    all *= parts.back() * lanes.back();
  }
  if (numParts < 2 || all != threads)
    return false;
  Location loc = forall.getLoc();
  MLIRContext *context = forall.getContext();
  rewriter.setInsertionPoint(forall);
  SmallVector<int64_t> extents(parts);
  llvm::append_range(extents, lanes);
  auto arranged = scf::ForallOp::create(
      rewriter, loc, getAsIndexOpFoldResult(context, extents),
      forall.getOutputs(),
      ArrayAttr::get(context, getMapping<gpu::GPUThreadMappingAttr>(
                                  context, 4, /*isLinear=*/true)));
  rewriter.eraseOp(arranged.getTerminator());
  rewriter.setInsertionPointToStart(arranged.getBody());
  SmallVector<Value> replacements;
  for (unsigned dim : {0, 1})
    replacements.push_back(affine::AffineApplyOp::create(
        rewriter, loc,
        rewriter.getAffineDimExpr(0) * subgroup[dim] +
            rewriter.getAffineDimExpr(1) * (*steps)[dim],
        ValueRange{arranged.getInductionVar(dim),
                   arranged.getInductionVar(2 + dim)}));
  llvm::append_range(replacements, arranged.getRegionIterArgs());
  rewriter.mergeBlocks(forall.getBody(), arranged.getBody(), replacements);
  rewriter.replaceOp(forall, arranged.getResults());
  return true;
}

/// Each thread takes a tile.
LogicalResult KernelTiler::shareOverThreads(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges(), shared;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  for (auto [type, extent] : llvm::zip_equal(types, extents))
    if (type == utils::IteratorType::parallel)
      shared.push_back(extent);
  SmallVector<int64_t> tile = getThreadTile(shared);
  if (tile.empty())
    return success();
  SmallVector<OpFoldResult> sizes(extents.size(), rewriter.getIndexAttr(0));
  unsigned tiled = 0;
  ArrayRef<int64_t> left = tile;
  for (unsigned loop = extents.size(); loop-- > 0;) {
    if (types[loop] != utils::IteratorType::parallel || extents[loop] == 1)
      continue;
    int64_t size = left.empty() ? 1 : left.back();
    left = left.drop_back(!left.empty());
    if (size == extents[loop])
      continue;
    sizes[loop] = rewriter.getIndexAttr(size);
    ++tiled;
  }
  if (tiled == 0)
    return success();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(sizes);
  options.setMapping(getMapping<gpu::GPUThreadMappingAttr>(
      kernel.getContext(), tiled, /*isLinear=*/true));
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> result = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(result))
    return op.emitOpError("cannot be tiled for threads");
  rewriter.replaceOp(op, result->replacements);
  if (!configuration.subgroup.empty())
    isArranged |=
        arrangeInSubgroups(rewriter, cast<scf::ForallOp>(result->loops.front()),
                           configuration.subgroup, configuration.threads);
  return success();
}

LogicalResult KernelTiler::tileContraction(linalg::LinalgOp op) {
  FailureOr<linalg::LinalgOp> part = loopOverReduction(op);
  if (failed(part))
    return failure();
  auto loop = part->getOperation()->getParentOfType<scf::ForOp>();
  SmallVector<linalg::LinalgOp> copies;
  if (configuration.promotes)
    copies = promoteOperands(*part);
  if (failed(shareOverThreads(*part)))
    return failure();
  if (*part != op && canCopyAhead(loop, copies)) {
    copyAhead(loop, copies);
    isStaged = true;
  }
  return success();
}

void KernelTiler::cleanUp() {
  RewritePatternSet patterns(kernel.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  populateWholeTilePatterns(patterns);
  // The extent of a grid is to be known from the arguments.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  for (Dialect *dialect : kernel.getContext()->getLoadedDialects())
    if (isa<tensor::TensorDialect, affine::AffineDialect, scf::SCFDialect,
            arith::ArithDialect, linalg::LinalgDialect>(dialect))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op :
       kernel.getContext()->getRegisteredOperations())
    if (llvm::is_contained({"tensor", "affine", "scf", "arith"},
                           op.getDialectNamespace()))
      op.getCanonicalizationPatterns(patterns, kernel.getContext());
  (void)applyPatternsGreedily(kernel, std::move(patterns));
  DominanceInfo dominance(kernel);
  eliminateCommonSubExpressions(rewriter, dominance, kernel);
  // Cleaning up keeps the loop, or the kernel has one workgroup.
  workgroup = kernel;
  for (auto forall : kernel.front().getOps<scf::ForallOp>())
    workgroup = forall;
}

LogicalResult KernelTiler::run() {
  if (failed(UntiledKernel::get(kernel)) || failed(shareOverWorkgroups()))
    return failure();
  cleanUp();
  if (auto forall = dyn_cast<scf::ForallOp>(workgroup);
      forall && configuration.promotes) {
    makeTilesWhole(rewriter, forall, [&](ArrayRef<int64_t> extents) {
      return getThreadTile(extents);
    });
    cleanUp();
  }
  for (linalg::LinalgOp op : getOps()) {
    if (isContraction(op)) {
      if (failed(tileContraction(op)))
        return failure();
    } else if (isReduction(op)) {
      shareReduction(rewriter, op, configuration.threads);
    }
  }
  if (!configuration.subgroup.empty() && !isArranged)
    return kernel.emitError()
           << "nothing of '" << kernel.getName()
           << "' can be shared by subgroups that take "
           << configuration.subgroup[0] << "x" << configuration.subgroup[1]
           << "; give sizes that divide the tile of a contraction and are "
              "multiples of a thread's, in as many parts as there are "
              "subgroups, or leave out 'subgroup'";
  if (configuration.stages > 1 && !isStaged)
    return kernel.emitError()
           << "nothing can be copied ahead in " << configuration.stages
           << " stages for '" << kernel.getName()
           << "'; give 'promote' and a 'reduction' that cuts a contraction "
              "into as many parts or more, of one constant size";
  cleanUp();
  auto toInt32 = [](int64_t size) { return static_cast<int32_t>(size); };
  kernel->setAttr(
      "gpu.known_block_size",
      rewriter.getDenseI32ArrayAttr({toInt32(configuration.threads), 1, 1}));
  if (workgroup == kernel)
    kernel->setAttr("gpu.known_grid_size",
                    rewriter.getDenseI32ArrayAttr({1, 1, 1}));
  return success();
}

LogicalResult memspace::tileKernel(func::FuncOp kernel,
                                   const TileConfiguration &configuration) {
  return KernelTiler(kernel, configuration).run();
}
