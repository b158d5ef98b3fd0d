//===- SplitReductions.cpp - reductions in parts --------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/SplitReductions.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Transforms/Tile/Combination.h"
#include "Transforms/Tile/Divisors.h"
#include "Transforms/Tile/LoopLabels.h"
#include "Transforms/Tile/ReductionParts.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
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
/// Results of a tile in registers, each operand's element for many of them: of
/// a contraction that is long enough for parts of so many iterations each.
static constexpr int64_t kLargeTileResults = 4096, kLongContraction = 4096;
/// One workgroup is through with so many iterations before a second kernel is
/// launched.
static constexpr int64_t kFewIterations = 1 << 18;
/// As many of unknown extents leave most of a GPU idle: a second kernel is
/// worth it even where they turn out to be small.
static constexpr int64_t kFewResults = 4;
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

/// The most parts that divide `length`, up to `parts`.
static int64_t getDividingParts(int64_t length, int64_t parts) {
  int64_t ratio = std::min(parts, length);
  while (ratio > 1 && length % ratio != 0)
    --ratio;
  return ratio;
}

linalg::LinalgOp memspace::splitReduction(RewriterBase &rewriter,
                                          linalg::LinalgOp op, int64_t parts,
                                          bool isOuter) {
  int64_t ratio = getDividingParts(getReductionLength(op), parts);
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
  /// Of a single loop, or the last one of an unknown extent: parts that are
  /// reduced first, all but a rest.
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
  if (llvm::any_of(extents, ShapedType::isDynamic) &&
      (!isOrdered || extents.size() == 1)) {
    // A part for each thread, and what is left for as many.
    int64_t parts = llvm::bit_floor<uint64_t>(threads / outputs);
    int64_t ofEach = length / std::max<int64_t>(parts, 1);
    int64_t steps = isOrdered ? 2 : 1;
    int64_t cost =
        (ofEach + ofEach / 2 + 1) * kLoadCost + steps * (parts + kStepCost);
    if (parts > 1 && cost < best.cost)
      best = {cost, 0, parts};
  }
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

/// The first `length` iterations of the reduction `cut`, which `op` then goes
/// on from.
static linalg::LinalgOp cutRest(RewriterBase &rewriter, linalg::LinalgOp op,
                                unsigned cut, int64_t length) {
  rewriter.setInsertionPoint(op);
  int64_t extent = op.getStaticLoopRanges()[cut];
  linalg::LinalgOp first = takePart(rewriter, op, cut, rewriter.getIndexAttr(0),
                                    rewriter.getIndexAttr(length));
  auto whole = cast<linalg::LinalgOp>(rewriter.clone(*op));
  for (auto [init, result] :
       llvm::zip_equal(whole.getDpsInitsMutable(), first->getResults()))
    init.set(result);
  linalg::LinalgOp rest =
      takePart(rewriter, whole, cut, rewriter.getIndexAttr(length),
               rewriter.getIndexAttr(extent - length));
  rewriter.eraseOp(whole);
  rewriter.replaceOp(op, rest->getResults());
  return first;
}

/// Combines the iterations of `rest` along its reduction `loop`, one each, with
/// the first of `parts`, which have a dimension more than its results, and are
/// put together by `combination`.
static void addToParts(RewriterBase &rewriter, linalg::LinalgOp rest,
                       unsigned loop, const Combination &combination,
                       ArrayRef<OpOperand *> parts) {
  Location loc = rest.getLoc();
  SmallVector<AffineMap> maps = rest.getIndexingMapsArray();
  SmallVector<utils::IteratorType> types = rest.getIteratorTypesArray();
  types[loop] = utils::IteratorType::parallel;
  OpFoldResult count = cast<TilingInterface>(rest.getOperation())
                           .getIterationDomain(rewriter)[loop]
                           .size;
  SmallVector<Value> slices;
  SmallVector<SmallVector<OpFoldResult>> allSizes;
  AffineMap written = maps.back().insertResult(rewriter.getAffineDimExpr(loop),
                                               maps.back().getNumResults());
  maps.resize(rest.getNumDpsInputs());
  for (OpOperand *part : parts) {
    maps.push_back(written);
    SmallVector<OpFoldResult> &sizes = allSizes.emplace_back(
        tensor::getMixedSizes(rewriter, loc, part->get()));
    sizes.back() = count;
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0)),
        ones(sizes.size(), rewriter.getIndexAttr(1));
    slices.push_back(tensor::ExtractSliceOp::create(rewriter, loc, part->get(),
                                                    zeros, sizes, ones));
  }
  auto combined =
      linalg::GenericOp::create(rewriter, loc, TypeRange(ValueRange(slices)),
                                rest.getDpsInputs(), slices, maps, types);
  rewriter.cloneRegionBefore(rest->getRegion(0), combined.getRegion(),
                             combined.getRegion().end());
  if (combination.extend) {
    OpBuilder::InsertionGuard guard(rewriter);
    combination.extend(rewriter, *combined.getBody());
  }
  for (auto [part, sizes, result] :
       llvm::zip_equal(parts, allSizes, combined.getResults())) {
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0)),
        ones(sizes.size(), rewriter.getIndexAttr(1));
    part->set(tensor::InsertSliceOp::create(rewriter, loc, result, part->get(),
                                            zeros, sizes, ones));
  }
}

namespace {
/// An unknown extent in rounds of so many iterations.
struct CutExtent {
  OpFoldResult extent, rounds, whole, rest;
};
} // namespace

static CutExtent cutExtent(RewriterBase &rewriter, linalg::LinalgOp op,
                           unsigned loop, int64_t atOnce) {
  OpFoldResult extent = cast<TilingInterface>(op.getOperation())
                            .getIterationDomain(rewriter)[loop]
                            .size;
  AffineExpr number = rewriter.getAffineSymbolExpr(0);
  auto compute = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(rewriter, op.getLoc(), expr,
                                                 extent);
  };
  return {extent, compute(number.floorDiv(atOnce)),
          compute(number.floorDiv(atOnce) * atOnce), compute(number % atOnce)};
}

/// The last of `loops` of which `op` has an unknown number of iterations.
static std::optional<unsigned> getLastUnknown(linalg::LinalgOp op,
                                              ArrayRef<unsigned> loops) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (unsigned loop : llvm::reverse(loops))
    if (ShapedType::isDynamic(extents[loop]))
      return loop;
  return std::nullopt;
}

/// Does the reduction `loop` of `op`, of an unknown extent, in `parts`: each
/// combines every so many elements, and some of them one of the rest. Where
/// order matters each combines neighbours, and each of the rest is a part of
/// its own behind those. Returns the reductions of the parts.
static SmallVector<linalg::LinalgOp> shareUnknownExtent(RewriterBase &rewriter,
                                                        linalg::LinalgOp op,
                                                        unsigned loop,
                                                        int64_t parts) {
  rewriter.setInsertionPoint(op);
  CutExtent cut = cutExtent(rewriter, op, loop, parts);
  bool isOrdered = getCombination(op)->isOrdered;
  linalg::LinalgOp rest;
  if (getKnownDivisor(cut.extent) % parts != 0)
    rest = takePart(rewriter, op, loop, cut.whole, cut.rest);
  linalg::LinalgOp main =
      takePart(rewriter, op, loop, rewriter.getIndexAttr(0), cut.whole);
  rewriter.replaceOp(op, main->getResults());
  OpFoldResult count = rewriter.getIndexAttr(parts);
  main = isOrdered ? expandLoop(rewriter, main, loop, count, cut.rounds)
                   : expandLoop(rewriter, main, loop, cut.rounds, count);
  Combination combination = *getCombination(main);
  auto [first, second] =
      *reduceInSteps(rewriter, main, combination, {loop + !isOrdered});
  SmallVector<linalg::LinalgOp> last{second};
  if (!rest)
    return last;
  SmallVector<OpOperand *> others =
      llvm::to_vector(llvm::make_pointer_range(first.getDpsInitsMutable()));
  rewriter.setInsertionPoint(first);
  if (isOrdered) {
    rewriter.setInsertionPointAfter(second);
    auto third = cast<linalg::LinalgOp>(rewriter.clone(*second));
    rewriter.replaceAllUsesWith(second->getResults(), third->getResults());
    third.getDpsInitsMutable().assign(second->getResults());
    others = third.getDpsInputOperands();
    for (auto [input, neutral] : llvm::zip_equal(others, first.getDpsInits()))
      input->set(neutral);
    rewriter.setInsertionPoint(third);
    last.push_back(third);
  }
  addToParts(rewriter, rest, loop, combination, others);
  rewriter.eraseOp(rest);
  return last;
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
    std::optional<unsigned> unknown = getLastUnknown(op, loops);
    if (steps.last == 0 && steps.parts > 1 && unknown) {
      if (canReduceInSteps(op) && canExpandLoop(op, *unknown))
        left.append(shareUnknownExtent(rewriter, op, *unknown, steps.parts));
      continue;
    }
    if (loops.size() == 1 && steps.parts > 1) {
      if (extents.front() % steps.parts != 0)
        op = cutRest(rewriter, op, loops.front(),
                     extents.front() / steps.parts * steps.parts);
      if (getSplitOutputs(op) && !isOrdered) {
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

/// `op`, whose reductions are one loop if they can be, those of neighbours at
/// least.
static linalg::LinalgOp mergeReductions(RewriterBase &rewriter,
                                        linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() < 2 || op.hasIndexSemantics() ||
      !op.hasOnlyProjectedPermutations())
    return op;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<ReassociationIndices> groups{
      ReassociationIndices(reductions.begin(), reductions.end())};
  if (!linalg::areDimSequencesPreserved(maps, groups)) {
    groups.clear();
    for (unsigned loop : reductions) {
      ReassociationIndices longer;
      if (!groups.empty())
        longer = groups.back();
      longer.push_back(loop);
      bool isNext = longer.size() > 1 && longer.end()[-2] + 1 == loop &&
                    linalg::areDimSequencesPreserved(
                        maps, SmallVector<ReassociationIndices>{longer});
      if (isNext)
        groups.back() = longer;
      else
        groups.push_back({loop});
    }
    llvm::erase_if(groups, [](const ReassociationIndices &group) {
      return group.size() < 2;
    });
    if (groups.empty())
      return op;
  }
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

/// True when `op` may have more than `few` iterations for a result: its
/// reductions are of extents without a small bound.
static bool mayBeLong(linalg::LinalgOp op, int64_t few) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  int64_t iterations = 1;
  for (unsigned loop : reductions) {
    int64_t extent = extents[loop];
    Value operand;
    unsigned dim;
    if (ShapedType::isDynamic(extent)) {
      if (failed(op.mapIterationSpaceDimToOperandDim(loop, operand, dim)))
        return true;
      std::optional<int64_t> bound = getConstantUpperBound(operand, dim);
      if (!bound)
        return true;
      extent = *bound;
    }
    iterations =
        llvm::SaturatingMultiply<uint64_t>(iterations, extent) & INT64_MAX;
  }
  return iterations > few;
}

/// True when nothing is computed for `op`, which would have to be kept for it
/// if workgroups took parts.
static bool readsArguments(linalg::LinalgOp op) {
  return llvm::all_of(op.getDpsInputs(), [](Value input) {
    Operation *def = input.getDefiningOp();
    while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                           tensor::CastOp, tensor::ExtractSliceOp>(def))
      def = def->getOperand(0).getDefiningOp();
    return !def || isa<bufferization::ToTensorOp, arith::ConstantOp>(def);
  });
}

/// Does a reduction of unknown extents, which may be long, by `workgroups`
/// first, and their results and what is left by one; the first of these ops, or
/// null.
static linalg::LinalgOp splitUnknownExtent(RewriterBase &rewriter,
                                           linalg::LinalgOp op,
                                           int64_t workgroups) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  std::optional<unsigned> loop = getLastUnknown(op, reductions);
  std::optional<Combination> combination = getCombination(op);
  // Of several unknown extents nobody knows which one is worth it.
  unsigned count = llvm::count_if(reductions, [&](unsigned loop) {
    return ShapedType::isDynamic(extents[loop]);
  });
  if (count != 1 || !combination || !canReduceInSteps(op) ||
      !canExpandLoop(op, *loop))
    return {};
  bool isOrdered = combination->isOrdered;
  if (isOrdered && reductions.size() != 1)
    return {};
  rewriter.setInsertionPoint(op);
  // Neighbours for the threads of a workgroup.
  constexpr int64_t kNeighbours = 256;
  int64_t atOnce = isOrdered ? workgroups : workgroups * kNeighbours;
  CutExtent cut = cutExtent(rewriter, op, *loop, atOnce);
  linalg::LinalgOp main =
      takePart(rewriter, op, *loop, rewriter.getIndexAttr(0), cut.whole);
  auto rest = cast<linalg::LinalgOp>(rewriter.clone(*op));
  for (auto [init, result] :
       llvm::zip_equal(rest.getDpsInitsMutable(), main->getResults()))
    init.set(result);
  linalg::LinalgOp last = takePart(rewriter, rest, *loop, cut.whole, cut.rest);
  rewriter.eraseOp(rest);
  rewriter.replaceOp(op, last->getResults());
  if (isOrdered) {
    main = expandLoop(rewriter, main, *loop, rewriter.getIndexAttr(workgroups),
                      cut.rounds);
  } else {
    main = expandLoop(rewriter, main, *loop, cut.rounds,
                      rewriter.getIndexAttr(atOnce));
    main =
        expandLoop(rewriter, main, *loop + 1, rewriter.getIndexAttr(workgroups),
                   rewriter.getIndexAttr(kNeighbours));
  }
  return reduceInSteps(rewriter, main, *getCombination(main),
                       {*loop + !isOrdered})
      ->first;
}

/// The reduction of `op`, of known extents, of which workgroups take parts: of
/// several that are not neighbours the first one with iterations for all, or
/// the longest. Where order matters the first is the only one.
static std::optional<unsigned> getLoopToSplit(linalg::LinalgOp op,
                                              int64_t parts) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  std::optional<Combination> combination = getCombination(op);
  if (!combination || (combination->isOrdered && reductions.size() != 1))
    return std::nullopt;
  std::optional<unsigned> longest;
  for (unsigned loop : reductions) {
    if (extents[loop] >= parts)
      return loop;
    if (!longest || extents[loop] > extents[*longest])
      longest = loop;
  }
  return longest;
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
    bool isUnknown = false;
    for (auto [type, extent] : llvm::zip_equal(op.getIteratorTypesArray(),
                                               op.getStaticLoopRanges())) {
      // Of an unknown extent there may be many.
      if (ShapedType::isDynamic(extent))
        iterations = 0;
      isUnknown |= ShapedType::isDynamic(extent) &&
                   type == utils::IteratorType::reduction;
      if (ShapedType::isDynamic(extent) &&
          type == utils::IteratorType::parallel)
        extent = kManyWorkgroups;
      iterations =
          llvm::SaturatingMultiply<uint64_t>(iterations, extent) & INT64_MAX;
      results *= type == utils::IteratorType::parallel ? extent : 1;
    }
    if (isUnknown && results != 0 && results <= kFewResults &&
        readsArguments(op)) {
      op = mergeReductions(rewriter, op);
      int64_t workgroups = llvm::bit_floor<uint64_t>(kManyWorkgroups / results);
      if (mayBeLong(op, kFewIterations))
        if (linalg::LinalgOp part =
                splitUnknownExtent(rewriter, op, workgroups))
          partial.insert(part);
      continue;
    }
    bool isTiled = isContraction(op);
    int64_t workgroups =
        isTiled ? llvm::divideCeil(results, kTileResults) : results;
    int64_t shortest = isTiled ? kShortContraction : kShortPart;
    if (results == 0 ||
        iterations / std::max<int64_t>(workgroups, 1) <= kFewIterations)
      continue;
    int64_t length = iterations / results;
    int64_t parts = std::min(kManyWorkgroups / std::max<int64_t>(workgroups, 1),
                             length / shortest);
    if (isTiled)
      parts = std::max(
          parts,
          std::min<int64_t>(kManyWorkgroups /
                                llvm::divideCeil(results, kLargeTileResults),
                            length / kLongContraction));
    if (parts < 2)
      continue;
    op = mergeReductions(rewriter, op);
    std::optional<Combination> combination = getCombination(op);
    std::optional<unsigned> cut = getLoopToSplit(op, parts);
    // Upstream splits what known ops put together.
    bool isSplit = combination && !combination->isOrdered &&
                   getSplitOutputs(op).has_value();
    if (!combination || !cut ||
        (!isSplit && (!canReduceInSteps(op) || !canExpandLoop(op, *cut))))
      continue;
    // Where few parts divide it the second kernel does what is left, too.
    length = op.getStaticLoopRanges()[*cut];
    parts = std::min(parts, length);
    if (getDividingParts(length, parts) < parts / 2) {
      length -= length % parts;
      op = cutRest(rewriter, op, *cut, length);
    }
    if (isSplit) {
      if (linalg::LinalgOp part =
              splitReduction(rewriter, op, parts, /*isOuter=*/true))
        partial.insert(part);
      continue;
    }
    // An op that upstream does not split.
    int64_t ratio = getDividingParts(length, parts);
    if (ratio < 2)
      continue;
    if (ratio < length)
      op = expandLoop(rewriter, op, *cut, rewriter.getIndexAttr(ratio),
                      rewriter.getIndexAttr(length / ratio));
    partial.insert(
        reduceInSteps(rewriter, op, *getCombination(op), {*cut})->first);
  }
  return partial;
}
