//===- WholeTiles.cpp - tiles at the edge as large as the others ----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/WholeTiles.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Makes the tiles of one workgroup whole.
class TileCompleter {
public:
  TileCompleter(RewriterBase &rewriter, scf::ForallOp workgroup)
      : rewriter(rewriter), workgroup(workgroup) {}
  void complete(linalg::LinalgOp op);
  void fuseCopies(Operation *op);
  void cut(tensor::ParallelInsertSliceOp store, ArrayRef<int64_t> tile);

private:
  SmallVector<int64_t> getExtents(linalg::LinalgOp op) const;
  Value getWhole(Value tensor, ArrayRef<int64_t> shape, bool isRead);

  RewriterBase &rewriter;
  scf::ForallOp workgroup;
};
} // namespace

/// Extent `dim` of `tensor`, as it was made with; null if that is not known.
static OpFoldResult getMadeSize(Value tensor, int64_t dim) {
  while (auto result = dyn_cast<OpResult>(tensor)) {
    if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
      return slice.getSourceType().getRank() == slice.getType().getRank()
                 ? slice.getMixedSizes()[dim]
                 : OpFoldResult();
    if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
      return empty.getMixedSizes()[dim];
    auto style = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    if (!style)
      break;
    tensor = style.getDpsInits()[result.getResultNumber()];
  }
  return {};
}

/// `size` is the least of several numbers, of which the largest possible one
/// that is constant is returned, if each is one at least.
static std::optional<int64_t> getTileSize(OpFoldResult size) {
  auto value = dyn_cast_if_present<Value>(size);
  auto least = value ? value.getDefiningOp<affine::AffineMinOp>()
                     : affine::AffineMinOp();
  if (!least)
    return std::nullopt;
  std::optional<int64_t> bound;
  for (unsigned number = 0; number < least.getMap().getNumResults(); ++number) {
    AffineMap map = least.getMap().getSubMap(number);
    if (auto constant = dyn_cast<AffineConstantExpr>(map.getResult(0)))
      bound = std::min(bound.value_or(INT64_MAX), constant.getValue());
    FailureOr<int64_t> lower = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::LB,
        ValueBoundsConstraintSet::Variable(map, least.getOperands()));
    if (failed(lower) || *lower < 1)
      return std::nullopt;
  }
  return bound;
}

/// The extents that the loops of `op` are to have; kDynamic where they stay
/// what they are. Empty if none is to change.
SmallVector<int64_t> TileCompleter::getExtents(linalg::LinalgOp op) const {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  bool changes = false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || !type.isDynamicDim(dim) ||
          !ShapedType::isDynamic(extents[loop.getPosition()]) ||
          types[loop.getPosition()] != utils::IteratorType::parallel)
        continue;
      // There is no element at the edge of what is empty.
      std::optional<int64_t> size =
          getTileSize(getMadeSize(operand.get(), dim));
      if (!size)
        continue;
      extents[loop.getPosition()] = *size;
      changes = true;
    }
  }
  return changes ? extents : SmallVector<int64_t>();
}

/// The extents of an operand that is read by `map` in loops of `extents`: what
/// windows cover. Kept where nothing is known of it. None where a window is not
/// a sum of loops, or some of its loops have no extent.
static std::optional<SmallVector<int64_t>> getShape(AffineMap map,
                                                    ArrayRef<int64_t> extents,
                                                    ArrayRef<int64_t> loops,
                                                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      result[dim] = extents[loop.getPosition()];
      continue;
    }
    bool changes = false, isKnown = true;
    for (auto [loop, extent] : llvm::enumerate(extents))
      if (expr.isFunctionOfDim(loop)) {
        changes |= extent != loops[loop];
        isKnown &= ShapedType::isStatic(extent);
      }
    if (!changes)
      continue;
    SmallVector<int64_t> factors;
    if (!isKnown ||
        failed(getFlattenedAffineExpr(expr, map.getNumDims(), /*numSymbols=*/0,
                                      &factors)) ||
        factors.size() != map.getNumDims() + 1 ||
        llvm::any_of(factors, [](int64_t factor) { return factor < 0; }))
      return std::nullopt;
    int64_t last = factors.back();
    for (auto [factor, extent] :
         llvm::zip_equal(ArrayRef(factors).drop_back(), extents))
      last += factor == 0 ? 0 : factor * (extent - 1);
    result[dim] = last + 1;
  }
  return result;
}

/// `tensor` with the extents of `shape`: elements beyond its edge are those at
/// the edge, or anything; all are, unless it `isRead`.
Value TileCompleter::getWhole(Value tensor, ArrayRef<int64_t> shape,
                              bool isRead) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  Location loc = tensor.getLoc();
  auto wholeType = RankedTensorType::get(shape, type.getElementType());
  // What was made whole before.
  if (auto part = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    if (part.getSourceType() == wholeType)
      return part.getSource();
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, extent] : llvm::enumerate(shape))
    sizes.push_back(ShapedType::isDynamic(extent)
                        ? tensor::getMixedSize(rewriter, loc, tensor, dim)
                        : OpFoldResult(rewriter.getIndexAttr(extent)));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  if (!isRead || tensor.getDefiningOp<tensor::EmptyOp>())
    return empty;
  int64_t rank = type.getRank();
  SmallVector<Value> edges(rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (type.getDimSize(dim) != shape[dim])
      edges[dim] = arith::SubIOp::create(
          rewriter, loc,
          getValueOrCreateConstantIndexOp(
              rewriter, loc, tensor::getMixedSize(rewriter, loc, tensor, dim)),
          arith::ConstantIndexOp::create(rewriter, loc, 1));
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value index = linalg::IndexOp::create(builder, loc, dim);
      if (edges[dim])
        index = arith::MinSIOp::create(builder, loc, index, edges[dim]);
      indices.push_back(index);
    }
    Value element = tensor::ExtractOp::create(builder, loc, tensor, indices);
    linalg::YieldOp::create(builder, loc, element);
  };
  return linalg::GenericOp::create(rewriter, loc, wholeType, ValueRange(),
                                   empty, rewriter.getMultiDimIdentityMap(rank),
                                   SmallVector<utils::IteratorType>(
                                       rank, utils::IteratorType::parallel),
                                   body)
      .getResult(0);
}

void TileCompleter::complete(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = getExtents(op);
  // Places are not for reading beyond the edge.
  if (extents.empty() || op.hasIndexSemantics())
    return;
  SmallVector<SmallVector<int64_t>> shapes;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type) {
      shapes.emplace_back();
      continue;
    }
    std::optional<SmallVector<int64_t>> shape =
        getShape(op.getMatchingIndexingMap(&operand), extents,
                 op.getStaticLoopRanges(), type.getShape());
    if (!shape)
      return;
    shapes.push_back(*shape);
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<SmallVector<OpFoldResult>> sizes;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type) {
      operands.push_back(operand.get());
      continue;
    }
    ArrayRef<int64_t> shape = shapes[operand.getOperandNumber()];
    if (op.isDpsInit(&operand)) {
      types.push_back(RankedTensorType::get(shape, type.getElementType()));
      sizes.push_back(
          tensor::getMixedSizes(rewriter, op.getLoc(), operand.get()));
    }
    bool isRead = op.payloadUsesValueFromOperand(&operand);
    operands.push_back(getWhole(operand.get(), shape, isRead));
  }
  Operation *whole = clone(rewriter, op, types, operands);
  SmallVector<Value> parts;
  for (auto [result, size] : llvm::zip_equal(whole->getResults(), sizes)) {
    SmallVector<OpFoldResult> offsets(size.size(), rewriter.getIndexAttr(0)),
        strides(size.size(), rewriter.getIndexAttr(1));
    parts.push_back(tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), result, offsets, size, strides));
  }
  rewriter.replaceOp(op, parts);
  fuseCopies(whole);
}

/// What `op` reads beyond the edge it reads where it is, unless it reads each
/// element several times.
void TileCompleter::fuseCopies(Operation *op) {
  while (isa<linalg::GenericOp>(op) && !isReduction(op)) {
    auto operand = llvm::find_if(op->getOpOperands(), [](OpOperand &operand) {
      Operation *producer = operand.get().getDefiningOp();
      return producer && isWholeCopy(producer) &&
             linalg::areElementwiseOpsFusable(&operand);
    });
    if (operand == op->getOpOperands().end())
      return;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fused))
      return;
    rewriter.replaceOp(
        op, fused->fusedOp->getResults().take_back(op->getNumResults()));
    op = fused->fusedOp;
  }
}

/// Each thread stores what of its `tile` is not beyond the edge.
void TileCompleter::cut(tensor::ParallelInsertSliceOp store,
                        ArrayRef<int64_t> tile) {
  auto part = store.getSource().getDefiningOp<tensor::ExtractSliceOp>();
  Value whole = part.getSource();
  ArrayRef<int64_t> shape = part.getSourceType().getShape();
  int64_t rank = shape.size();
  Location loc = store.getLoc();
  rewriter.setInsertionPoint(workgroup.getTerminator());
  Value place = tensor::ExtractSliceOp::create(
      rewriter, loc, part.getType(), store.getDest(), store.getMixedOffsets(),
      store.getMixedSizes(), store.getMixedStrides());
  // The last dimensions have tiles of several elements, the others of one.
  SmallVector<OpFoldResult> lower(rank, rewriter.getIndexAttr(0)), upper, step;
  SmallVector<Attribute> mapping;
  int64_t ones = rank - tile.size();
  for (int64_t dim = 0; dim < rank; ++dim) {
    upper.push_back(rewriter.getIndexAttr(shape[dim]));
    step.push_back(rewriter.getIndexAttr(dim < ones ? 1 : tile[dim - ones]));
    mapping.push_back(gpu::GPUThreadMappingAttr::get(
        rewriter.getContext(),
        gpu::MappingId(int64_t(gpu::MappingId::LinearDim0) + rank - 1 - dim)));
  }
  auto threads = scf::ForallOp::create(rewriter, loc, lower, upper, step, place,
                                       rewriter.getArrayAttr(mapping));
  rewriter.setInsertionPointToStart(threads.getBody());
  MLIRContext *context = rewriter.getContext();
  AffineExpr first, second;
  bindDims(context, first, second);
  SmallVector<OpFoldResult> sources, targets, sizes,
      strides(rank, rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> limits = part.getMixedSizes();
  for (int64_t dim = 0; dim < rank; ++dim) {
    OpFoldResult begin = threads.getInductionVar(dim);
    int64_t extent = *getConstantIntValue(step[dim]);
    sources.push_back(begin);
    // Nothing is behind the edge of a whole number of tiles.
    if (getConstantIntValue(limits[dim]) == shape[dim] &&
        shape[dim] % extent == 0) {
      targets.push_back(begin);
      sizes.push_back(step[dim]);
      continue;
    }
    // None are left behind the edge; there, a place is none of the next thread.
    OpFoldResult place = affine::makeComposedFoldedAffineMin(
        rewriter, loc, AffineMap::get(2, 0, {first, second}, context),
        {begin, limits[dim]});
    targets.push_back(place);
    sizes.push_back(affine::makeComposedFoldedAffineMin(
        rewriter, loc,
        AffineMap::get(2, 0,
                       {second - first, getAffineConstantExpr(extent, context)},
                       context),
        {place, limits[dim]}));
  }
  Value own = tensor::ExtractSliceOp::create(rewriter, loc, whole, sources,
                                             sizes, strides);
  rewriter.setInsertionPointToStart(threads.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, own,
                                        threads.getRegionIterArgs().front(),
                                        targets, sizes, strides);
  rewriter.modifyOpInPlace(
      store, [&] { store.getSourceMutable().assign(threads.getResult(0)); });
}

bool memspace::isWholeCopy(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !generic.getInputs().empty() ||
      generic.getNumReductionLoops() != 0 || generic->getNumResults() != 1)
    return false;
  Operation *yield = generic.getBody()->getTerminator();
  return yield->getOperand(0).getDefiningOp<tensor::ExtractOp>() != nullptr;
}

void memspace::makeTilesWhole(
    RewriterBase &rewriter, scf::ForallOp workgroup,
    llvm::function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> getThreadTile) {
  TileCompleter completer(rewriter, workgroup);
  SmallVector<linalg::LinalgOp> ops(workgroup.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : ops)
    if (op.hasPureTensorSemantics())
      completer.complete(op);
  SmallVector<tensor::ParallelInsertSliceOp> stores(
      workgroup.getTerminator().getOps<tensor::ParallelInsertSliceOp>());
  for (tensor::ParallelInsertSliceOp store : stores) {
    auto part = store.getSource().getDefiningOp<tensor::ExtractSliceOp>();
    if (!part || part->getBlock() != workgroup.getBody() ||
        part.getType().hasStaticShape() ||
        !part.getSourceType().hasStaticShape() ||
        part.getSourceType().getRank() != part.getType().getRank() ||
        store.getSourceType().getRank() != store.getDestType().getRank() ||
        !llvm::all_of(part.getMixedOffsets(), [](OpFoldResult offset) {
          return isConstantIntValue(offset, 0);
        }))
      continue;
    completer.cut(store, getThreadTile(part.getSourceType().getShape()));
  }
}
