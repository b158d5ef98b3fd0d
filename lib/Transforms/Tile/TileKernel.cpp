//===- TileKernel.cpp - an untiled function becomes a kernel --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/TileKernel.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
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

/// Some operand of `op`, whose loops have `labels`, is the same along `loop` of
/// the anchor.
static bool isReusedAlong(linalg::LinalgOp op, unsigned loop,
                          ArrayRef<int> labels) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [own, label] : llvm::enumerate(labels))
      if (label == static_cast<int>(loop) && map.isFunctionOfDim(own))
        return false;
    return map.getNumResults() != 0;
  });
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
  SmallVector<int64_t> ranges;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(ops.back()))
    ranges = linalgOp.getStaticLoopRanges();
  for (unsigned loop : labels.getLoops()) {
    int64_t extent = ranges.empty() ? ShapedType::kDynamic : ranges[loop];
    if (auto type = dyn_cast<RankedTensorType>(ops.back()->getResultTypes()[0]);
        ranges.empty() && type && loop < type.getRank())
      extent = type.getDimSize(loop);
    result.extents.push_back(extent);
  }
  result.shared.assign(result.extents.size(), false);
  // Sorts, scans and the like take rows.
  result.rows = !isa<linalg::LinalgOp>(ops.back());
  for (Operation *op : ops) {
    if (!isReduction(op))
      continue;
    if (!isContraction(op)) {
      result.rows = true;
      continue;
    }
    auto linalgOp = cast<linalg::LinalgOp>(op);
    for (auto [type, extent] : llvm::zip_equal(linalgOp.getIteratorTypesArray(),
                                               linalgOp.getStaticLoopRanges()))
      if (type == utils::IteratorType::reduction)
        result.contractionLength =
            std::max(result.contractionLength,
                     ShapedType::isDynamic(extent) ? INT32_MAX : extent);
    for (auto [number, loop] : llvm::enumerate(labels.getLoops()))
      if (isReusedAlong(linalgOp, loop, labels.get(op)))
        result.shared[number] = true;
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
  SmallVector<Operation *> promoteOperands(linalg::LinalgOp op);
  LogicalResult copyAhead(scf::ForOp loop, ArrayRef<Operation *> copies);
  SmallVector<int64_t> getThreadTile(linalg::LinalgOp op);
  LogicalResult shareOverThreads(linalg::LinalgOp op);
  void splitReduction(linalg::LinalgOp op);
  void cleanUp();

  SmallVector<linalg::LinalgOp> getOps();

  func::FuncOp kernel;
  const TileConfiguration &configuration;
  IRRewriter rewriter;
  /// What a workgroup does: the loop over workgroups, or the kernel.
  Operation *workgroup = nullptr;
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
  unsigned tiled = 0;
  for (auto [loop, size] : llvm::zip_equal(loops, configuration.block)) {
    sizes[loop] = rewriter.getIndexAttr(size);
    tiled += size != 0;
  }
  if (tiled == 0)
    return success();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(sizes);
  options.setMapping(getMapping<gpu::GPUBlockMappingAttr>(
      kernel.getContext(), tiled, /*isLinear=*/tiled > 3));
  scf::SCFTileAndFuseOptions fusion;
  fusion.setTilingOptions(options);
  DenseSet<Operation *> inKernel(ops.begin(), ops.end());
  fusion.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!inKernel.contains(producer.getOwner()))
          return std::nullopt;
        // Results of the kernel beside the anchor's.
        bool isStored = llvm::any_of(producer.getUsers(), [&](Operation *user) {
          return user->getBlock() == &kernel.front() &&
                 !inKernel.contains(user) && !isa<tensor::DimOp>(user);
        });
        return scf::SCFTileAndFuseOptions::ControlFnResult{
            isStored && labels.isPartitioned(producer)};
      });
  rewriter.setInsertionPoint(anchor);
  FailureOr<scf::SCFTileAndFuseResult> result =
      scf::tileConsumerAndFuseProducersUsingSCF(rewriter, anchor, fusion);
  if (failed(result))
    return anchor.emitOpError("cannot be tiled");
  for (auto [original, replacement] : result->replacements)
    rewriter.replaceAllUsesWith(original, replacement);
  workgroup = result->loops.front();
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
  // What is computed for each element only is computed for a part, too.
  fusion.setFusionControlFn(
      [](tensor::ExtractSliceOp, OpResult producer, bool isDestination)
          -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        auto elementwise = dyn_cast<linalg::LinalgOp>(producer.getOwner());
        if (isDestination || !elementwise || isReduction(elementwise) ||
            !producer.hasOneUse())
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
  while (Operation *op = tensor.getDefiningOp()) {
    if (isa<bufferization::ToTensorOp>(op))
      return true;
    if (!isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp>(op))
      return false;
    tensor = op->getOperand(0);
  }
  return false;
}

/// The workgroup reads what comes from global memory once, into a tensor of its
/// own. The copies.
SmallVector<Operation *> KernelTiler::promoteOperands(linalg::LinalgOp op) {
  SmallVector<Operation *> copies;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type || !isInGlobalMemory(operand->get()) ||
        (type.hasStaticShape() && type.getNumElements() <= 1))
      continue;
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, operand->get()),
        type.getElementType());
    auto copy = linalg::CopyOp::create(rewriter, loc, operand->get(), empty);
    rewriter.modifyOpInPlace(op, [&] { operand->set(copy.getResult(0)); });
    copies.push_back(copy);
  }
  return copies;
}

/// Iteration `i` of `loop` makes the `copies` that a later one computes with.
LogicalResult KernelTiler::copyAhead(scf::ForOp loop,
                                     ArrayRef<Operation *> copies) {
  // What the copies need comes with them.
  DenseSet<Operation *> early;
  SmallVector<Operation *> left(copies);
  while (!left.empty()) {
    Operation *op = left.pop_back_val();
    if (op->getBlock() != loop.getBody() || !early.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        left.push_back(producer);
  }
  unsigned ahead = configuration.stages - 1;
  scf::PipeliningOption options;
  options.getScheduleFn =
      [&](scf::ForOp loop,
          std::vector<std::pair<Operation *, unsigned>> &schedule) {
        for (Operation &op : loop.getBody()->without_terminator())
          if (early.contains(&op))
            schedule.push_back({&op, 0});
        for (Operation &op : loop.getBody()->without_terminator())
          if (!early.contains(&op))
            schedule.push_back({&op, ahead});
      };
  rewriter.setInsertionPoint(loop);
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->sle(ahead) ||
      failed(scf::pipelineForLoop(rewriter, loop, options)))
    return loop.emitOpError("cannot be ")
           << "copied ahead for in " << configuration.stages
           << " stages; its bounds must be constants, and it must have more "
              "iterations than are copied ahead";
  return success();
}

/// The part of a thread of the last two loops of `op` with several iterations:
/// as square as can be, and no higher than wide.
SmallVector<int64_t> KernelTiler::getThreadTile(linalg::LinalgOp op) {
  if (!configuration.thread.empty())
    return configuration.thread;
  SmallVector<int64_t> tile;
  int64_t iterations = 1;
  for (auto [type, extent] :
       llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges())) {
    if (type != utils::IteratorType::parallel || extent == 1)
      continue;
    // Of an unknown extent a thread takes one iteration.
    tile.push_back(ShapedType::isDynamic(extent) ? 1 : extent);
    iterations *= tile.back();
  }
  int64_t area = iterations / configuration.threads;
  if (area < 2)
    return {};
  if (tile.size() > 2)
    tile.erase(tile.begin(), tile.end() - 2);
  int64_t width = tile.back();
  if (tile.size() < 2)
    return {std::min(area, width)};
  int64_t height =
      std::min<int64_t>(int64_t(1) << llvm::Log2_64(area) / 2, tile.front());
  return {height, std::min(std::max<int64_t>(area / height, 1), width)};
}

/// Each thread takes a tile.
LogicalResult KernelTiler::shareOverThreads(linalg::LinalgOp op) {
  SmallVector<int64_t> tile = getThreadTile(op);
  if (tile.empty())
    return success();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<OpFoldResult> sizes(extents.size(), rewriter.getIndexAttr(0));
  ArrayRef<int64_t> left = tile;
  unsigned tiled = 0;
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
  return success();
}

LogicalResult KernelTiler::tileContraction(linalg::LinalgOp op) {
  FailureOr<linalg::LinalgOp> part = loopOverReduction(op);
  if (failed(part))
    return failure();
  auto loop = part->getOperation()->getParentOfType<scf::ForOp>();
  SmallVector<Operation *> copies;
  if (configuration.promotes)
    copies = promoteOperands(*part);
  if (failed(shareOverThreads(*part)))
    return failure();
  if (configuration.stages == 1)
    return success();
  if (*part == op || copies.empty())
    return op.emitOpError("has no copies to make ahead; give a 'reduction' "
                          "that is shorter than its own, and 'promote'");
  return copyAhead(loop, copies);
}

/// Where a workgroup reduces fewer rows than it has threads: each thread a part
/// of a row first, then the parts. The sum is another one in its last bits.
void KernelTiler::splitReduction(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (llvm::any_of(extents, ShapedType::isDynamic) || op->getNumResults() != 1)
    return;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  int64_t outputs = 1;
  for (auto [type, extent] : llvm::zip_equal(types, extents))
    outputs *= type == utils::IteratorType::parallel ? extent : 1;
  // Upstream splits extents of operands, not windows of them, and leaves
  // linalg.index behind.
  auto isWindow = [&](AffineExpr expr) {
    return !isa<AffineDimExpr>(expr) &&
           expr.isFunctionOfDim(reductions.front());
  };
  if (reductions.size() != 1 || outputs == 0 || op.hasIndexSemantics() ||
      llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return llvm::any_of(map.getResults(), isWindow);
      }))
    return;
  int64_t length = extents[reductions.front()];
  int64_t ratio = std::min(configuration.threads / outputs, length / 2);
  while (ratio > 1 && length % ratio != 0)
    --ratio;
  if (ratio < 2)
    return;
  auto rank = cast<RankedTensorType>(op->getResultTypes()[0]).getRank();
  rewriter.setInsertionPoint(op);
  // Where the combiner is not known, all stays as it is.
  (void)linalg::splitReduction(rewriter, op, [&](linalg::LinalgOp) {
    return linalg::SplitReductionOptions{ratio, static_cast<unsigned>(rank),
                                         /*innerParallel=*/true};
  });
}

void KernelTiler::cleanUp() {
  RewritePatternSet patterns(kernel.getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
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
}

LogicalResult KernelTiler::run() {
  if (failed(UntiledKernel::get(kernel)) || failed(shareOverWorkgroups()))
    return failure();
  cleanUp();
  // Cleaning up keeps the loop, or the kernel has one workgroup.
  workgroup = kernel;
  for (auto forall : kernel.front().getOps<scf::ForallOp>())
    workgroup = forall;
  for (linalg::LinalgOp op : getOps()) {
    if (isContraction(op)) {
      if (failed(tileContraction(op)))
        return failure();
    } else if (isReduction(op)) {
      splitReduction(op);
    }
  }
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
