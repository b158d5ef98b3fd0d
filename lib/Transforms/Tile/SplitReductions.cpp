//===- SplitReductions.cpp - reductions in parts --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/SplitReductions.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// So many workgroups keep a GPU busy.
static constexpr int64_t kManyWorkgroups = 256;
/// Results of a contraction that a workgroup computes at a time.
static constexpr int64_t kTileResults = 256;
/// One workgroup is through with so many iterations before a second kernel is
/// launched.
static constexpr int64_t kFewIterations = 1 << 18;
/// The shortest parts that are worth a workgroup.
static constexpr int64_t kShortPart = 1024, kShortContraction = 64;

std::optional<int64_t> memspace::getSplitOutputs(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (llvm::any_of(extents, ShapedType::isDynamic) ||
      op->getNumResults() != 1 || reductions.size() != 1 ||
      op.hasIndexSemantics())
    return std::nullopt;
  // Upstream splits extents of operands, not windows of them; what it makes of
  // a window of other loops beside it is another number of one of them.
  if (llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return map.isFunctionOfDim(reductions.front()) &&
               !llvm::all_of(map.getResults(), llvm::IsaPred<AffineDimExpr>);
      }))
    return std::nullopt;
  int64_t outputs = 1;
  for (auto [type, extent] :
       llvm::zip_equal(op.getIteratorTypesArray(), extents))
    outputs *= type == utils::IteratorType::parallel ? extent : 1;
  return outputs;
}

int64_t memspace::getReductionLength(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return op.getStaticLoopRanges()[reductions.front()];
}

linalg::LinalgOp memspace::splitReduction(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t parts,
                                          bool isOuter) {
  int64_t length = getReductionLength(op);
  int64_t ratio = std::min(parts, length);
  while (ratio > 1 && length % ratio != 0)
    --ratio;
  if (ratio < 2)
    return {};
  auto rank = cast<RankedTensorType>(op->getResultTypes()[0]).getRank();
  rewriter.setInsertionPoint(op);
  // Where the combiner is not known, all stays as it is.
  FailureOr<linalg::SplitReductionResult> split =
      linalg::splitReduction(rewriter, op, [&](linalg::LinalgOp) {
        return linalg::SplitReductionOptions{
            ratio, isOuter ? 0 : static_cast<unsigned>(rank),
            /*innerParallel=*/!isOuter};
      });
  return succeeded(split) ? split->splitLinalgOp : linalg::LinalgOp();
}

//===----------------------------------------------------------------------===//
// Several reductions, several results
//===----------------------------------------------------------------------===//

/// What a reduction in two steps costs beside its iterations: a barrier.
static constexpr int64_t kStepCost = 64;
/// An element, which may be in global memory; a part is in workgroup memory.
static constexpr int64_t kLoadCost = 4;
/// More loops nobody writes, and there would be many ways.
static constexpr unsigned kMostReductions = 6;
/// The extent that an unknown one counts as.
static constexpr int64_t kUnknownExtent = 1024;
/// Partial results for each thread.
static constexpr int64_t kPartsOfThread = 16;

namespace {
/// Which reductions are done at last, and iterations of a thread until then.
struct Steps {
  int64_t cost = 0;
  unsigned last = 0;
  /// Of a single loop: parts that are reduced first, all but a rest.
  int64_t parts = 1;
};
} // namespace

static int64_t getCounted(int64_t extent) {
  return ShapedType::isDynamic(extent) ? kUnknownExtent : extent;
}

/// The cheapest way to reduce `extents` to each of `outputs` results. Loops of
/// unknown extents are done first.
static Steps chooseSteps(ArrayRef<int64_t> extents, int64_t outputs,
                         int64_t threads, bool isOrdered = false) {
  int64_t length = 1;
  for (int64_t extent : extents)
    length = llvm::SaturatingMultiply<uint64_t>(length, getCounted(extent)) &
             INT64_MAX;
  int64_t rounds = llvm::divideCeil(outputs, threads);
  Steps best{length * rounds * kLoadCost};
  if (extents.size() == 1) {
    if (ShapedType::isDynamic(extents.front()))
      return best;
    for (int64_t parts = std::min(threads / outputs, length / 2); parts > 1;
         --parts) {
      int64_t rest = length % parts;
      int64_t cost = (length / parts + rest) * kLoadCost + parts +
                     (rest != 0 ? kStepCost : 0);
      if (cost < best.cost)
        best = {cost, 0, parts};
    }
    return best;
  }
  // The last loops go over neighbours: among equals their iterations are side
  // by side.
  for (unsigned mask = (1u << extents.size()) - 2; mask != 0; --mask) {
    // The first loops, in order.
    if (isOrdered && !llvm::isMask_32(mask))
      continue;
    SmallVector<int64_t> first, last;
    int64_t parts = 1;
    bool isKnown = true;
    for (auto [loop, extent] : llvm::enumerate(extents)) {
      bool isLast = mask >> loop & 1;
      (isLast ? last : first).push_back(extent);
      parts *= isLast ? getCounted(extent) : 1;
      isKnown &= !isLast || !ShapedType::isDynamic(extent);
    }
    if (!isKnown || parts > kPartsOfThread * threads / outputs)
      continue;
    int64_t cost =
        chooseSteps(first, outputs * parts, threads, isOrdered).cost +
        chooseSteps(last, outputs, threads, isOrdered).cost + kStepCost;
    if (cost < best.cost)
      best = {cost, mask, 1};
  }
  return best;
}

namespace {
/// How parts of a reduction are put together.
struct Combination {
  /// What the parts begin with: one for each result, and one for what `extend`
  /// adds.
  SmallVector<TypedAttr> neutral;
  /// Makes the body of the parts give a further value beside the results.
  std::function<void(OpBuilder &, Block &)> extend;
  /// In a body: `parts` and `results` together.
  std::function<SmallVector<Value>(OpBuilder &, ValueRange parts,
                                   ValueRange results)>
      combine;
  /// Parts must be of consecutive iterations, and are put together in order.
  bool isOrdered = false;
};
} // namespace

/// One known op for each result, which sees nothing else of the results.
static std::optional<Combination> getCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  Combination combination;
  auto yielded = op.getBlock()->getTerminator()->getOperands();
  for (auto [number, argument] : llvm::enumerate(op.getRegionOutputArgs())) {
    SmallVector<Operation *> chain;
    if (!argument.hasOneUse() || !yielded[number].hasOneUse() ||
        !matchReduction(op.getRegionOutputArgs(), number, chain) ||
        chain.size() != 1)
      return std::nullopt;
    std::optional<TypedAttr> neutral = arith::getNeutralElement(chain.front());
    if (!neutral)
      return std::nullopt;
    combiners.push_back(chain.front());
    combination.neutral.push_back(*neutral);
  }
  combination.combine = [combiners](OpBuilder &builder, ValueRange parts,
                                    ValueRange results) {
    SmallVector<Value> combined;
    for (auto [combiner, part, result] :
         llvm::zip_equal(combiners, parts, results)) {
      Operation *clone = builder.clone(*combiner);
      clone->setOperands({part, result});
      combined.push_back(clone->getResult(0));
    }
    return combined;
  };
  return combination;
}

/// What no element is less than, or (`isGreater` is false) greater than, by
/// `compare`, which takes no equal ones; null for another comparison.
static TypedAttr getExtreme(Operation *compare, bool isSwapped,
                            bool &isGreater) {
  Type type = compare->getOperand(0).getType();
  Builder builder(compare->getContext());
  if (auto floats = dyn_cast<arith::CmpFOp>(compare)) {
    if (floats.getPredicate() != arith::CmpFPredicate::OGT &&
        floats.getPredicate() != arith::CmpFPredicate::OLT)
      return {};
    isGreater =
        (floats.getPredicate() == arith::CmpFPredicate::OGT) != isSwapped;
    const llvm::fltSemantics &semantics =
        cast<FloatType>(type).getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics) ||
        bitEnumContainsAny(floats.getFastmath(), arith::FastMathFlags::ninf))
      return {};
    return builder.getFloatAttr(type, APFloat::getInf(semantics, isGreater));
  }
  auto integers = dyn_cast<arith::CmpIOp>(compare);
  if (!integers || !type.isInteger())
    return {};
  unsigned width = type.getIntOrFloatBitWidth();
  switch (integers.getPredicate()) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::slt:
    isGreater =
        (integers.getPredicate() == arith::CmpIPredicate::sgt) != isSwapped;
    return builder.getIntegerAttr(type, isGreater
                                            ? APInt::getSignedMinValue(width)
                                            : APInt::getSignedMaxValue(width));
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::ult:
    isGreater =
        (integers.getPredicate() == arith::CmpIPredicate::ugt) != isSwapped;
    return builder.getIntegerAttr(type, isGreater ? APInt::getMinValue(width)
                                                  : APInt::getMaxValue(width));
  default:
    return {};
  }
}

/// The first of the largest, or smallest, elements, and something of it: its
/// index.
static std::optional<Combination> getChoice(linalg::LinalgOp op) {
  ArrayRef<BlockArgument> outputs = op.getRegionOutputArgs();
  auto yielded = op.getBlock()->getTerminator()->getOperands();
  if (outputs.size() != 2)
    return std::nullopt;
  arith::SelectOp selects[2];
  for (unsigned number : {0, 1}) {
    selects[number] = yielded[number].getDefiningOp<arith::SelectOp>();
    if (!selects[number] || !yielded[number].hasOneUse() ||
        selects[number].getFalseValue() != outputs[number])
      return std::nullopt;
  }
  Value condition = selects[0].getCondition();
  Operation *compare = condition.getDefiningOp();
  if (condition != selects[1].getCondition() || !compare ||
      !condition.hasNUses(2) || compare->getNumOperands() != 2)
    return std::nullopt;
  for (unsigned key : {0, 1}) {
    bool isSwapped = compare->getOperand(0) == outputs[key], isGreater;
    if (compare->getOperand(!isSwapped) != outputs[key] ||
        compare->getOperand(isSwapped) != selects[key].getTrueValue() ||
        !outputs[key].hasNUses(2) || !outputs[1 - key].hasOneUse())
      continue;
    Combination combination;
    combination.neutral.resize(2);
    combination.neutral[key] = getExtreme(compare, isSwapped, isGreater);
    Type other = outputs[1 - key].getType();
    if (!combination.neutral[key] || !other.isIntOrIndexOrFloat())
      return std::nullopt;
    combination.neutral[1 - key] = Builder(op.getContext()).getZeroAttr(other);
    combination.isOrdered = true;
    combination.combine = [compare, key, isSwapped](OpBuilder &builder,
                                                    ValueRange parts,
                                                    ValueRange results) {
      Operation *clone = builder.clone(*compare);
      clone->setOperand(isSwapped, parts[key]);
      clone->setOperand(!isSwapped, results[key]);
      SmallVector<Value> combined;
      for (auto [part, result] : llvm::zip_equal(parts, results))
        combined.push_back(arith::SelectOp::create(
            builder, clone->getLoc(), clone->getResult(0), part, result));
      return combined;
    };
    return combination;
  }
  return std::nullopt;
}

/// Whether `op` gives the greater, or (`isGreater` is false) the lesser, of its
/// operands, as `compare` has it, and NaN if one of them is NaN.
static bool isExtremeOf(Operation *op, Operation *compare, bool isGreater) {
  if (auto integers = dyn_cast<arith::CmpIOp>(compare)) {
    bool isSigned = llvm::is_contained(
        {arith::CmpIPredicate::sgt, arith::CmpIPredicate::slt},
        integers.getPredicate());
    if (isSigned)
      return isGreater ? isa<arith::MaxSIOp>(op) : isa<arith::MinSIOp>(op);
    return isGreater ? isa<arith::MaxUIOp>(op) : isa<arith::MinUIOp>(op);
  }
  auto floats = dyn_cast<arith::ArithFastMathInterface>(op);
  return floats &&
         !bitEnumContainsAny(floats.getFastMathFlagsAttr().getValue(),
                             arith::FastMathFlags::ninf) &&
         (isGreater ? isa<arith::MaximumFOp>(op) : isa<arith::MinimumFOp>(op));
}

/// The largest, or smallest, element by its own op, and something of the first
/// of those that were greater than all before: its index. Behind a NaN nothing
/// is; so a part has to tell the one that was, besides what the largest is.
/// That a part's element is greater than all of the parts before is the same
/// for this one as for each of its own, since those before it in its part are
/// less.
static std::optional<Combination> getExtremeAndChoice(linalg::LinalgOp op) {
  ArrayRef<BlockArgument> outputs = op.getRegionOutputArgs();
  auto yielded = op.getBlock()->getTerminator()->getOperands();
  if (outputs.size() != 2)
    return std::nullopt;
  for (unsigned key : {0, 1}) {
    Operation *extreme = yielded[key].getDefiningOp();
    auto select = yielded[1 - key].getDefiningOp<arith::SelectOp>();
    Operation *compare =
        select ? select.getCondition().getDefiningOp() : nullptr;
    if (!extreme || extreme->getNumOperands() != 2 || !compare ||
        compare->getNumOperands() != 2 || !yielded[key].hasOneUse() ||
        !yielded[1 - key].hasOneUse() || !compare->hasOneUse() ||
        select.getFalseValue() != outputs[1 - key] ||
        !outputs[key].hasNUses(2) || !outputs[1 - key].hasOneUse())
      continue;
    bool isSwapped = compare->getOperand(0) == outputs[key], isGreater;
    bool isSecond = extreme->getOperand(0) == outputs[key];
    Value element = extreme->getOperand(isSecond);
    if (compare->getOperand(!isSwapped) != outputs[key] ||
        compare->getOperand(isSwapped) != element ||
        extreme->getOperand(!isSecond) != outputs[key])
      continue;
    TypedAttr start = getExtreme(compare, isSwapped, isGreater);
    Type other = outputs[1 - key].getType();
    if (!start || !isExtremeOf(extreme, compare, isGreater) ||
        !other.isIntOrIndexOrFloat())
      return std::nullopt;
    Combination combination;
    combination.neutral.assign(3, start);
    combination.neutral[1 - key] = Builder(op.getContext()).getZeroAttr(other);
    combination.isOrdered = true;
    combination.extend = [key, isSwapped](OpBuilder &builder, Block &body) {
      Operation *yield = body.getTerminator();
      auto select = yield->getOperand(1 - key).getDefiningOp<arith::SelectOp>();
      Value element =
          select.getCondition().getDefiningOp()->getOperand(isSwapped);
      Value before = body.addArgument(element.getType(), yield->getLoc());
      builder.setInsertionPoint(yield);
      Value greatest = arith::SelectOp::create(
          builder, yield->getLoc(), select.getCondition(), element, before);
      yield->insertOperands(2, greatest);
    };
    combination.combine = [=](OpBuilder &builder, ValueRange parts,
                              ValueRange results) {
      Operation *isFirst = builder.clone(*compare),
                *both = builder.clone(*extreme);
      isFirst->setOperand(isSwapped, parts[2]);
      isFirst->setOperand(!isSwapped, results[key]);
      both->setOperand(isSecond, parts[key]);
      both->setOperand(!isSecond, results[key]);
      SmallVector<Value> combined(2);
      combined[key] = both->getResult(0);
      combined[1 - key] = arith::SelectOp::create(
          builder, isFirst->getLoc(), isFirst->getResult(0), parts[1 - key],
          results[1 - key]);
      return combined;
    };
    return combination;
  }
  return std::nullopt;
}

static std::optional<Combination> getCombination(linalg::LinalgOp op) {
  std::optional<Combination> combination = getCombiners(op);
  if (!combination)
    combination = getChoice(op);
  return combination ? combination : getExtremeAndChoice(op);
}

/// Does the reductions of `op` that are in `last` in a second op; the two ops.
static std::optional<std::pair<linalg::LinalgOp, linalg::LinalgOp>>
reduceInSteps(RewriterBase &rewriter, linalg::LinalgOp op,
              const Combination &combination, ArrayRef<unsigned> last) {
  // Each dimension of a result is a loop, or kept with extent 1.
  auto isLoopOrZero = [](AffineExpr expr) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return isa<AffineDimExpr>(expr) || (constant && constant.getValue() == 0);
  };
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!llvm::all_of(written.getResults(), isLoopOrZero) ||
      !llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
        return op.getMatchingIndexingMap(&init) == written;
      }))
    return std::nullopt;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned loop : last)
    types[loop] = utils::IteratorType::parallel;
  SmallVector<int64_t> shape(
      cast<ShapedType>(op->getResultTypes()[0]).getShape());
  SmallVector<AffineExpr> exprs(written.getResults());
  for (unsigned loop : last) {
    shape.push_back(extents[loop]);
    exprs.push_back(rewriter.getAffineDimExpr(loop));
  }
  maps.resize(op.getNumDpsInputs());
  maps.append(combination.neutral.size(),
              AffineMap::get(extents.size(), 0, exprs, rewriter.getContext()));
  SmallVector<Value> parts;
  for (TypedAttr start : combination.neutral) {
    Value neutral = arith::ConstantOp::create(rewriter, loc, start);
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, shape, start.getType());
    parts.push_back(
        linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0));
  }
  auto first =
      linalg::GenericOp::create(rewriter, loc, TypeRange(ValueRange(parts)),
                                op.getDpsInputs(), parts, maps, types);
  rewriter.cloneRegionBefore(op->getRegion(0), first.getRegion(),
                             first.getRegion().end());
  if (combination.extend) {
    OpBuilder::InsertionGuard guard(rewriter);
    combination.extend(rewriter, *first.getBody());
  }
  unsigned rank = written.getNumResults(), loops = rank + last.size();
  AffineMap all = rewriter.getMultiDimIdentityMap(loops);
  SmallVector<AffineMap> secondMaps(parts.size(), all);
  secondMaps.append(op->getNumResults(),
                    AffineMap::get(loops, 0, all.getResults().take_front(rank),
                                   rewriter.getContext()));
  SmallVector<utils::IteratorType> secondTypes(rank,
                                               utils::IteratorType::parallel);
  secondTypes.append(last.size(), utils::IteratorType::reduction);
  auto second = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), first.getResults(), op.getDpsInits(),
      secondMaps, secondTypes,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(
            builder, loc,
            combination.combine(builder, arguments.take_front(parts.size()),
                                arguments.drop_front(parts.size())));
      });
  rewriter.replaceOp(op, second.getResults());
  return std::make_pair(cast<linalg::LinalgOp>(first.getOperation()),
                        cast<linalg::LinalgOp>(second.getOperation()));
}

/// `op` with two loops instead of its loop `cut`, of which the inner one has
/// `ratio` iterations; an operand that is not read tells their extents.
static linalg::LinalgOp cutLoop(RewriterBase &rewriter, linalg::LinalgOp op,
                                unsigned cut, int64_t ratio) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  unsigned loops = op.getNumLoops() + 1;
  AffineExpr outer = rewriter.getAffineDimExpr(cut),
             inner = rewriter.getAffineDimExpr(cut + 1);
  SmallVector<AffineExpr> replacements;
  for (unsigned loop = 0; loop + 1 < loops; ++loop)
    replacements.push_back(
        loop == cut ? outer * ratio + inner
                    : rewriter.getAffineDimExpr(loop + (loop > cut)));
  SmallVector<AffineMap> maps;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(simplifyAffineMap(
        map.replaceDimsAndSymbols(replacements, {}, loops, 0)));
  unsigned place = op.getNumDpsInputs();
  maps.insert(maps.begin() + place,
              AffineMap::get(loops, 0, {outer, inner}, rewriter.getContext()));
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  types.insert(types.begin() + cut, types[cut]);
  SmallVector<Value> inputs(op.getDpsInputs());
  inputs.push_back(tensor::EmptyOp::create(
      rewriter, loc, {op.getStaticLoopRanges()[cut] / ratio, ratio},
      rewriter.getI8Type()));
  auto generic =
      linalg::GenericOp::create(rewriter, loc, op->getResultTypes(), inputs,
                                op.getDpsInits(), maps, types);
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().end());
  generic.getBody()->insertArgument(place, rewriter.getI8Type(), loc);
  SmallVector<linalg::IndexOp> indices;
  generic.getBody()->walk(
      [&](linalg::IndexOp index) { indices.push_back(index); });
  for (linalg::IndexOp index : indices) {
    uint64_t loop = index.getDim();
    if (loop > cut)
      index.setDim(loop + 1);
    if (loop != cut)
      continue;
    rewriter.setInsertionPointAfter(index);
    Value second = linalg::IndexOp::create(rewriter, loc, cut + 1);
    Value whole = affine::AffineApplyOp::create(
        rewriter, loc,
        rewriter.getAffineDimExpr(0) * ratio + rewriter.getAffineDimExpr(1),
        ValueRange{index.getResult(), second});
    rewriter.replaceAllUsesExcept(index, whole, whole.getDefiningOp());
  }
  rewriter.replaceOp(op, generic.getResults());
  return generic;
}

/// The first `length` iterations of the reduction `cut`, which `op` then goes
/// on from.
static linalg::LinalgOp cutRest(RewriterBase &rewriter, linalg::LinalgOp op,
                                unsigned cut, int64_t length) {
  rewriter.setInsertionPoint(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto takePart = [&](Operation *whole, int64_t first, int64_t count) {
    SmallVector<OpFoldResult> offsets(extents.size(), rewriter.getIndexAttr(0)),
        sizes = getAsIndexOpFoldResult(op.getContext(), extents);
    offsets[cut] = rewriter.getIndexAttr(first);
    sizes[cut] = rewriter.getIndexAttr(count);
    return cast<linalg::LinalgOp>(
        cast<TilingInterface>(whole)
            .getTiledImplementation(rewriter, offsets, sizes)
            ->tiledOps.front());
  };
  linalg::LinalgOp first = takePart(op, 0, length);
  auto whole = cast<linalg::LinalgOp>(rewriter.clone(*op));
  for (auto [init, result] :
       llvm::zip_equal(whole.getDpsInitsMutable(), first->getResults()))
    init.set(result);
  linalg::LinalgOp rest = takePart(whole, length, extents[cut] - length);
  rewriter.eraseOp(whole);
  rewriter.replaceOp(op, rest->getResults());
  return first;
}

void memspace::shareReduction(RewriterBase &rewriter, linalg::LinalgOp op,
                              int64_t threads) {
  SmallVector<linalg::LinalgOp> left{op};
  while (!left.empty()) {
    op = left.pop_back_val();
    SmallVector<int64_t> ranges = op.getStaticLoopRanges(), extents;
    SmallVector<unsigned> loops;
    int64_t outputs = 1;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (type == utils::IteratorType::parallel)
        outputs =
            ShapedType::isDynamic(ranges[loop])
                ? 0
                : llvm::SaturatingMultiply<uint64_t>(outputs, ranges[loop]) &
                      INT64_MAX;
      else if (ranges[loop] != 1)
        loops.push_back(loop), extents.push_back(ranges[loop]);
    }
    if (outputs <= 0 || outputs >= threads || loops.empty() ||
        loops.size() > kMostReductions)
      continue;
    std::optional<Combination> combination = getCombination(op);
    if (!combination)
      continue;
    // Each thread a part of a row first, of two elements at least.
    bool isOrdered = combination->isOrdered;
    Steps steps = chooseSteps(extents, outputs, threads, isOrdered);
    SmallVector<unsigned> last;
    if (loops.size() == 1 && steps.parts > 1) {
      if (extents.front() % steps.parts != 0)
        op = cutRest(rewriter, op, loops.front(),
                     extents.front() / steps.parts * steps.parts);
      if (getSplitOutputs(op)) {
        splitReduction(rewriter, op, steps.parts, /*isOuter=*/false);
        continue;
      }
      // An op that upstream does not split.
      op = cutLoop(rewriter, op, loops.front(),
                   isOrdered ? extents.front() / steps.parts : steps.parts);
      combination = getCombination(op);
      last.push_back(loops.front() + !isOrdered);
    }
    for (auto [number, loop] : llvm::enumerate(loops))
      if (steps.last >> number & 1)
        last.push_back(loop);
    if (last.empty())
      continue;
    if (auto both = reduceInSteps(rewriter, op, *combination, last))
      left.append({both->first, both->second});
  }
}

/// `op`, whose reductions are one loop if they can be.
static linalg::LinalgOp mergeReductions(RewriterBase &rewriter,
                                        linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() < 2 || op.hasDynamicShape() || op.hasIndexSemantics() ||
      op->getNumResults() != 1)
    return op;
  ReassociationIndices merged(reductions.begin(), reductions.end());
  SmallVector<ReassociationIndices> groups{merged};
  if (!op.hasOnlyProjectedPermutations() ||
      !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), groups))
    return op;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      isa<linalg::GenericOp>(op.getOperation())
          ? cast<linalg::GenericOp>(op.getOperation())
          : linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return op;
  rewriter.setInsertionPoint(*generic);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(*generic, groups, rewriter);
  if (failed(collapsed))
    return *generic;
  rewriter.replaceOp(*generic, collapsed->results);
  return collapsed->collapsedOp;
}

DenseSet<Operation *> memspace::splitLongReductions(func::FuncOp function) {
  DenseSet<Operation *> partial;
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::LinalgOp> ops;
  for (auto op : function.front().getOps<linalg::LinalgOp>())
    if (op.hasPureTensorSemantics() && isReduction(op))
      ops.push_back(op);
  for (linalg::LinalgOp op : ops) {
    int64_t iterations = 1, results = 1;
    for (auto [type, extent] : llvm::zip_equal(op.getIteratorTypesArray(),
                                               op.getStaticLoopRanges())) {
      // Of an unknown extent there may be many.
      if (ShapedType::isDynamic(extent))
        iterations = 0;
      iterations =
          llvm::SaturatingMultiply<uint64_t>(iterations, extent) & INT64_MAX;
      results *= type == utils::IteratorType::parallel ? extent : 1;
    }
    bool isTiled = isContraction(op);
    int64_t workgroups =
        isTiled ? llvm::divideCeil(results, kTileResults) : results;
    int64_t shortest = isTiled ? kShortContraction : kShortPart;
    if (results == 0 ||
        iterations / std::max<int64_t>(workgroups, 1) <= kFewIterations)
      continue;
    int64_t parts = std::min(kManyWorkgroups / std::max<int64_t>(workgroups, 1),
                             iterations / results / shortest);
    if (parts < 2)
      continue;
    op = mergeReductions(rewriter, op);
    if (!getSplitOutputs(op))
      continue;
    if (linalg::LinalgOp part =
            splitReduction(rewriter, op, parts, /*isOuter=*/true))
      partial.insert(part);
  }
  return partial;
}
