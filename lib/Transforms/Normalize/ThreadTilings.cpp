//===- ThreadTilings.cpp - foralls over whole tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadTilings.h"
#include "ExactTiling.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
/// Clones what `value` is computed from as far as it does not dominate `at`.
/// `mapping` holds the new induction variables and what was cloned before.
class Rematerializer {
public:
  Rematerializer(Operation *at, const DominanceInfo &dominance)
      : at(at), dominance(dominance) {}

  /// True when `value` can be computed at `at`, given `ivs`.
  bool canCompute(Value value, ValueRange ivs) const {
    if (llvm::is_contained(ivs, value) ||
        dominance.properlyDominates(value, at))
      return true;
    Operation *def = value.getDefiningOp();
    return def && isPure(def) && def->getNumRegions() == 0 &&
           llvm::all_of(def->getOperands(), [&](Value operand) {
             return canCompute(operand, ivs);
           });
  }

  Value compute(OpBuilder &b, Value value, IRMapping &mapping) const {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    if (dominance.properlyDominates(value, at))
      return value;
    Operation *def = value.getDefiningOp();
    for (Value operand : def->getOperands())
      mapping.map(operand, compute(b, operand, mapping));
    return b.clone(*def, mapping)
        ->getResult(cast<OpResult>(value).getResultNumber());
  }

private:
  Operation *at;
  const DominanceInfo &dominance;
};

} // namespace

std::optional<Tiling>
mlir::memspace::getOwnerTiling(OwnerMap owner, Operation *at,
                               ExecutionScope scope,
                               const DominanceInfo &dominance) {
  std::optional<ForallMapping> mapping = getForallMapping(owner.forall);
  if (mapping->lane != (scope == ExecutionScope::Subgroup) ||
      (!mapping->lane && scope != ExecutionScope::Workgroup))
    return std::nullopt;
  if (!mapping->lane &&
      getEnclosingForall(owner.forall, ExecutionScope::Subgroup))
    return std::nullopt;
  Rematerializer remat(at, dominance);
  SmallVector<Value> ivs = owner.forall.getInductionVars();
  auto canCompute = [&](OpFoldResult ofr) {
    auto value = dyn_cast<Value>(ofr);
    return !value || remat.canCompute(value, ivs);
  };
  SmallVector<OpFoldResult> offsets = owner.insert.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = owner.insert.getMixedSizes();
  if (!llvm::all_of(offsets, canCompute) || !llvm::all_of(sizes, canCompute) ||
      !owner.insert.hasUnitStride())
    return std::nullopt;

  Tiling tiling;
  tiling.lbs = owner.forall.getMixedLowerBound();
  tiling.ubs = owner.forall.getMixedUpperBound();
  tiling.steps = owner.forall.getMixedStep();
  tiling.mapping = owner.forall.getMappingAttr();
  tiling.getSlice = [=](OpBuilder &b, Location loc, ValueRange newIvs,
                        SmallVector<OpFoldResult> &newOffsets,
                        SmallVector<OpFoldResult> &newSizes) {
    IRMapping map;
    map.map(ivs, newIvs);
    auto compute = [&](OpFoldResult ofr) -> OpFoldResult {
      if (auto value = dyn_cast<Value>(ofr))
        return remat.compute(b, value, map);
      return ofr;
    };
    newOffsets = llvm::map_to_vector(offsets, compute);
    newSizes = llvm::map_to_vector(sizes, compute);
  };
  return tiling;
}

static ArrayAttr getLinearMapping(MLIRContext *ctx, ExecutionScope scope) {
  Attribute attr = scope == ExecutionScope::Subgroup
                       ? Attribute(gpu::GPULaneMappingAttr::get(
                             ctx, gpu::MappingId::LinearDim0))
                       : Attribute(gpu::GPUThreadMappingAttr::get(
                             ctx, gpu::MappingId::LinearDim0));
  return ArrayAttr::get(ctx, attr);
}

/// The product of `factors`. Two that upstream would compose into one map are
/// multiplied by arith: a map may multiply symbols, not what they are made of.
static OpFoldResult getProduct(OpBuilder &b, Location loc,
                               ArrayRef<OpFoldResult> factors) {
  auto isValue = [](OpFoldResult factor) { return isa<Value>(factor); };
  bool isComposed = llvm::any_of(factors, [](OpFoldResult factor) {
    auto value = dyn_cast<Value>(factor);
    return value && value.getDefiningOp<affine::AffineApplyOp>();
  });
  if (isComposed && llvm::count_if(factors, isValue) > 1) {
    Value product;
    for (OpFoldResult factor : factors) {
      Value value = getValueOrCreateConstantIndexOp(b, loc, factor);
      product = product
                    ? arith::MulIOp::create(b, loc, product, value).getResult()
                    : value;
    }
    return product;
  }
  AffineExpr product = b.getAffineConstantExpr(1);
  for (unsigned i = 0, e = factors.size(); i < e; ++i)
    product = product * b.getAffineSymbolExpr(i);
  return affine::makeComposedFoldedAffineApply(b, loc, product, factors);
}

Tiling mlir::memspace::getChunkTiling(OpBuilder &b, Location loc,
                                      ArrayRef<OpFoldResult> shape,
                                      int64_t chunk, ExecutionScope scope) {
  // In chunks, of which each iteration has one.
  SmallVector<OpFoldResult> basis(shape);
  if (chunk > 1)
    basis.back() = b.getIndexAttr(*getConstantIntValue(shape.back()) / chunk);
  Tiling tiling;
  tiling.lbs = {b.getIndexAttr(0)};
  tiling.ubs = {getProduct(b, loc, basis)};
  tiling.steps = {b.getIndexAttr(1)};
  tiling.mapping = getLinearMapping(b.getContext(), scope);
  tiling.getSlice = [basis, chunk](OpBuilder &b, Location loc, ValueRange ivs,
                                   SmallVector<OpFoldResult> &offsets,
                                   SmallVector<OpFoldResult> &sizes) {
    sizes.assign(basis.size(), b.getIndexAttr(1));
    sizes.back() = b.getIndexAttr(chunk);
    // There is one place along a dimension of extent 1.
    offsets.assign(basis.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> others;
    for (OpFoldResult extent : basis)
      if (!isOneInteger(extent))
        others.push_back(extent);
    SmallVector<Value> places{ivs[0]};
    if (others.size() > 1)
      places = affine::AffineDelinearizeIndexOp::create(b, loc, ivs[0], others)
                   .getResults();
    for (unsigned dim = 0, next = 0; dim < basis.size(); ++dim)
      if (!isOneInteger(basis[dim]))
        offsets[dim] = places[next++];
    if (chunk > 1)
      offsets.back() = affine::makeComposedFoldedAffineApply(
          b, loc, b.getAffineDimExpr(0) * chunk, offsets.back());
  };
  return tiling;
}

Tiling mlir::memspace::getGuardTiling(OpBuilder &b, ExecutionScope scope) {
  Tiling tiling;
  tiling.lbs = {b.getIndexAttr(0)};
  tiling.ubs = {b.getIndexAttr(1)};
  tiling.steps = {b.getIndexAttr(1)};
  tiling.mapping = getLinearMapping(b.getContext(), scope);
  return tiling;
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

static SmallVector<OpFoldResult> getUnits(OpBuilder &b, size_t n) {
  return SmallVector<OpFoldResult>(n, b.getIndexAttr(1));
}
static SmallVector<OpFoldResult> getZeros(OpBuilder &b, size_t n) {
  return SmallVector<OpFoldResult>(n, b.getIndexAttr(0));
}

scf::ForallOp mlir::memspace::createForall(OpBuilder &b, Location loc,
                                           const Tiling &tiling,
                                           ValueRange outputs) {
  return scf::ForallOp::create(b, loc, tiling.lbs, tiling.ubs, tiling.steps,
                               outputs, tiling.mapping);
}

static void insertInParallel(OpBuilder &b, Location loc, scf::ForallOp forall,
                             Value source, Value dest,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, source, dest, offsets, sizes,
                                        getUnits(b, offsets.size()));
}

Value mlir::memspace::createCopy(OpBuilder &b, Location loc,
                                 const Tiling &tiling, Value source, Value dest,
                                 Attribute why) {
  scf::ForallOp forall = createForall(b, loc, tiling, dest);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  Value out = forall.getRegionIterArgs()[0];
  SmallVector<OpFoldResult> offsets, sizes;
  if (tiling.getSlice) {
    tiling.getSlice(b, loc, forall.getInductionVars(), offsets, sizes);
  } else {
    sizes = tensor::getMixedSizes(b, loc, source);
    offsets = getZeros(b, sizes.size());
  }
  SmallVector<OpFoldResult> units = getUnits(b, offsets.size());
  Value from =
      tensor::ExtractSliceOp::create(b, loc, source, offsets, sizes, units);
  Value to = tensor::ExtractSliceOp::create(b, loc, out, offsets, sizes, units);
  auto copy = linalg::CopyOp::create(b, loc, from, to);
  if (why)
    copy->setAttr(kCopyAttr, why);
  insertInParallel(b, loc, forall, copy.getResult(0), out, offsets, sizes);
  return forall.getResult(0);
}

/// The loops of `op` of which tiles of `sizes` of the first result have one
/// iteration.
static llvm::SmallBitVector getUnitLoops(Operation *op,
                                         ArrayRef<OpFoldResult> sizes) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return {};
  llvm::SmallBitVector loops(structured.getNumLoops());
  AffineMap map =
      structured.getMatchingIndexingMap(structured.getDpsInitOperand(0));
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), sizes))
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && isOneInteger(size))
      loops.set(dim.getPosition());
  return loops;
}

/// Where `op` reads elements only where it updates them, `clone` has them from
/// what it updates: by another name nobody would know that they are its own.
static void readUpdated(Operation *op, Operation *clone) {
  auto from = dyn_cast<linalg::LinalgOp>(op);
  if (!from || !linalg::isElementwise(from))
    return;
  for (OpOperand &init : from.getDpsInitsMutable())
    for (OpOperand *input : from.getDpsInputOperands())
      if (input->get() == init.get() && from.getMatchingIndexingMap(input) ==
                                            from.getMatchingIndexingMap(&init))
        clone->setOperand(input->getOperandNumber(),
                          clone->getOperand(init.getOperandNumber()));
}

scf::ForallOp mlir::memspace::tileOp(OpBuilder &b,
                                     DestinationStyleOpInterface op,
                                     const Tiling &tiling) {
  Location loc = op.getLoc();
  SmallVector<Value> inits(op.getDpsInits());
  scf::ForallOp forall = createForall(b, loc, tiling, inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  // The op on the forall's own tensors, to be tiled and thrown away.
  Operation *clone = b.clone(*op);
  auto fail = [&]() {
    clone->erase();
    forall->erase();
    return scf::ForallOp();
  };
  for (auto [i, init] : llvm::enumerate(
           cast<DestinationStyleOpInterface>(clone).getDpsInitsMutable()))
    init.set(forall.getRegionIterArgs()[i]);
  readUpdated(op, clone);
  SmallVector<OpFoldResult> offsets, sizes, iterOffsets, iterSizes;
  tiling.getSlice(b, loc, forall.getInductionVars(), offsets, sizes);
  IRRewriter rewriter(b);
  Operation *exact =
      makeExactlyTileable(rewriter, clone, getUnitLoops(clone, sizes));
  if (!exact)
    return fail();
  clone = exact;
  auto tileable = dyn_cast<TilingInterface>(clone);
  if (!tileable)
    return fail();
  if (failed(tileable.getIterationDomainTileFromResultTile(
          b, 0, offsets, sizes, iterOffsets, iterSizes)))
    return fail();
  FailureOr<TilingResult> tiled =
      tileable.getTiledImplementation(b, iterOffsets, iterSizes);
  if (failed(tiled))
    return fail();
  for (auto [i, value] : llvm::enumerate(tiled->tiledValues)) {
    SmallVector<OpFoldResult> resultOffsets, resultSizes;
    if (failed(tileable.getResultTilePosition(b, i, iterOffsets, iterSizes,
                                              resultOffsets, resultSizes)))
      return fail();
    insertInParallel(b, loc, forall, value, forall.getRegionIterArgs()[i],
                     resultOffsets, resultSizes);
  }
  clone->erase();
  return forall;
}

scf::ForallOp mlir::memspace::guardOp(OpBuilder &b, Operation *op,
                                      ArrayRef<OpOperand *> outputs,
                                      ExecutionScope scope) {
  Location loc = op->getLoc();
  SmallVector<Value> inits;
  for (OpOperand *output : outputs)
    inits.push_back(output->get());
  scf::ForallOp forall = createForall(b, loc, getGuardTiling(b, scope), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  Operation *clone = b.clone(*op);
  for (auto [output, arg] :
       llvm::zip_equal(outputs, forall.getRegionIterArgs()))
    clone->setOperand(output->getOperandNumber(), arg);
  readUpdated(op, clone);
  for (OpResult result : clone->getResults()) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, result);
    insertInParallel(b, loc, forall, result,
                     forall.getRegionIterArgs()[result.getResultNumber()],
                     getZeros(b, sizes.size()), sizes);
  }
  return forall;
}

scf::ForallOp mlir::memspace::guardLoop(OpBuilder &b, scf::ForOp loop,
                                        ExecutionScope scope) {
  Location loc = loop.getLoc();
  SmallVector<Value> outputs;
  for (Value init : loop.getInits())
    if (isa<TensorType>(init.getType()))
      outputs.push_back(init);
  scf::ForallOp forall =
      createForall(b, loc, getGuardTiling(b, scope), outputs);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  auto clone = cast<scf::ForOp>(b.clone(*loop));
  unsigned next = 0;
  for (auto [i, init] : llvm::enumerate(clone.getInitsMutable())) {
    if (!isa<TensorType>(init.get().getType()))
      continue;
    BlockArgument out = forall.getRegionIterArgs()[next++];
    init.set(out);
    Value result = clone.getResult(i);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, result);
    insertInParallel(b, loc, forall, result, out, getZeros(b, sizes.size()),
                     sizes);
  }
  return forall;
}

bool mlir::memspace::canTileResults(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return isa<TilingInterface>(op) && op->getNumResults() == 1;
  auto getLoops = [](AffineMap map) {
    llvm::SmallBitVector loops(map.getNumDims());
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        loops.set(dim.getPosition());
    return loops;
  };
  std::optional<llvm::SmallBitVector> first;
  for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(&init);
    if (!map.isProjectedPermutation())
      return false;
    if (first && *first != getLoops(map))
      return false;
    first = getLoops(map);
  }
  // A payload that indexes its captured tensors stays as it is under tiling.
  return first.has_value() && op->getNumResults() > 0 && canTileExactly(op);
}
