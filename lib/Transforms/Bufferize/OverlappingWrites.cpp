//===- OverlappingWrites.cpp - iterations that write one element -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OverlappingWrites.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Spaces/BufferClasses.h"
#include "Threads/OneThreadEvaluator.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/Normalization.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::memspace;

/// Iterations of one forall that are compared with each other.
static constexpr int64_t kMaxIterations = 1024;

namespace {
/// The elements that one op writes in one iteration, in one dimension: `rest`
/// is the same in all iterations.
struct Places {
  int64_t offset, size, stride;
  LinearExpr rest;
};

/// One op in one iteration.
struct Write {
  Operation *op;
  SmallVector<int64_t> iteration;
  SmallVector<Places> places;
};

/// What the writes of one memory are, whatever the iteration.
struct WritingOp {
  Operation *op;
  SmallVector<IndexRange> ranges;
};

class Iterations {
public:
  Iterations(const KernelContext &context, scf::ForallOp forall);

  /// False where the iterations are not counted by constants.
  bool isKnown() const { return !numbers.empty(); }
  std::optional<OverlappingWrites> findOverlap(Value memory,
                                               ArrayRef<WritingOp> ops);

private:
  std::optional<SmallVector<Places>> getPlaces(const WritingOp &writing,
                                               ArrayRef<int64_t> iteration);

  KernelContext context;
  scf::ForallOp forall;
  SmallVector<SmallVector<int64_t>> numbers;
};
} // namespace

/// Adds the first iteration of the loop `op` to `values`; false when it is not
/// known that there is one.
static bool
addFirstIteration(Operation *op,
                  SmallVectorImpl<std::pair<Value, int64_t>> &values) {
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    std::optional<SmallVector<int64_t, 3>> counts = getStaticTripCounts(forall);
    if (!counts || llvm::is_contained(*counts, 0))
      return false;
    for (auto [iv, lower] : llvm::zip_equal(forall.getInductionVars(),
                                            forall.getMixedLowerBound()))
      values.emplace_back(iv, *getConstantIntValue(lower));
    return true;
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return false;
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  if (!lower || !upper || *lower >= *upper)
    return false;
  values.emplace_back(loop.getInductionVar(), *lower);
  return true;
}

Iterations::Iterations(const KernelContext &context, scf::ForallOp forall)
    : context(context), forall(forall) {
  std::optional<SmallVector<int64_t, 3>> counts = getStaticTripCounts(forall);
  if (!counts || counts->empty() || llvm::is_contained(*counts, 0))
    return;
  // Of a large forall, a corner with two or more iterations of each dimension.
  int64_t most = kMaxIterations;
  auto countAll = [&] {
    int64_t product = 1;
    for (int64_t count : *counts)
      product *= std::min(count, most);
    return product;
  };
  while (most > 2 && countAll() > kMaxIterations)
    most = llvm::divideCeil(most, 2);
  SmallVector<int64_t> iteration(counts->size(), 0);
  for (int64_t i = 0, e = countAll(); i < e; ++i) {
    numbers.push_back(iteration);
    for (size_t dim = counts->size(); dim-- > 0;) {
      if (++iteration[dim] < std::min((*counts)[dim], most))
        break;
      iteration[dim] = 0;
    }
  }
}

std::optional<SmallVector<Places>>
Iterations::getPlaces(const WritingOp &writing, ArrayRef<int64_t> iteration) {
  OverlapWitness::Side side;
  for (auto [iv, number, lower, step] :
       llvm::zip_equal(forall.getInductionVars(), iteration,
                       forall.getMixedLowerBound(), forall.getMixedStep()))
    side.values.emplace_back(iv, *getConstantIntValue(lower) +
                                     number * *getConstantIntValue(step));
  // All of this is executed by some iteration of the loops around.
  for (Operation *op = writing.op->getParentOp(); op != forall.getOperation();
       op = op->getParentOp())
    if (!isa<scf::InParallelOp>(op) && !addFirstIteration(op, side.values))
      return std::nullopt;
  SmallVector<std::pair<Value, int64_t>> outer;
  bool isOuterKnown = true;
  for (Operation *op = forall->getParentOp(); !isa<FunctionOpInterface>(op);
       op = op->getParentOp())
    isOuterKnown = isOuterKnown && addFirstIteration(op, outer);
  if (isOuterKnown)
    llvm::append_range(side.values, outer);
  OneThreadEvaluator evaluator(context, side,
                               OneThreadEvaluator::Facts::Assumptions);

  SmallVector<Places> places;
  for (const IndexRange &range : writing.ranges) {
    if (range.offset.invalid || !range.size || !range.extents.empty())
      return std::nullopt;
    std::optional<int64_t> size = evaluator.evaluate(*range.size);
    if (!size || *size < 1)
      return std::nullopt;
    Places place{range.offset.constant, *size, range.stride, {}};
    for (auto [value, factor] : range.offset.terms) {
      std::optional<int64_t> number = evaluator.evaluate(value);
      if (number) {
        LinearExpr product(*number);
        product *= factor;
        product += LinearExpr(place.offset);
        std::optional<int64_t> sum = product.getConstant();
        if (!sum)
          return std::nullopt;
        place.offset = *sum;
      } else if (!forall->isAncestor(value.getParentBlock()->getParentOp())) {
        place.rest += LinearExpr::getVariable(value) * factor;
      } else {
        return std::nullopt;
      }
    }
    places.push_back(place);
  }
  return places;
}

/// An element of both; none when there is none, or it is not known.
static std::optional<SmallVector<int64_t>> getCommon(ArrayRef<Places> a,
                                                     ArrayRef<Places> b) {
  SmallVector<int64_t> element;
  for (const auto &[x, y] : llvm::zip_equal(a, b)) {
    if (!(x.rest == y.rest))
      return std::nullopt;
    int64_t distance;
    if (llvm::SubOverflow(y.offset, x.offset, distance))
      return std::nullopt;
    if (distance != 0) {
      if (x.stride != y.stride || x.stride <= 0 || distance % x.stride != 0)
        return std::nullopt;
      int64_t steps = distance / x.stride;
      if (steps > x.size - 1 || steps < -(y.size - 1))
        return std::nullopt;
    }
    element.push_back(std::max(x.offset, y.offset));
  }
  return element;
}

std::optional<OverlappingWrites>
Iterations::findOverlap(Value memory, ArrayRef<WritingOp> ops) {
  SmallVector<Write> writes;
  for (const WritingOp &writing : ops)
    for (const SmallVector<int64_t> &iteration : numbers) {
      std::optional<SmallVector<Places>> places = getPlaces(writing, iteration);
      if (!places)
        break;
      writes.push_back({writing.op, iteration, std::move(*places)});
    }
  for (auto [i, a] : llvm::enumerate(writes))
    for (const Write &b : ArrayRef(writes).drop_front(i + 1)) {
      if (a.iteration == b.iteration)
        continue;
      if (std::optional<SmallVector<int64_t>> element =
              getCommon(a.places, b.places))
        return OverlappingWrites{forall,      a.op,        b.op,    memory,
                                 a.iteration, b.iteration, *element};
    }
  return std::nullopt;
}

/// Each iteration takes its own updates to what is there.
static bool isScattered(tensor::ParallelInsertSliceOp insert) {
  Value source = insert.getSource();
  return llvm::any_of(insert.getDest().getUses(), [&](OpOperand &use) {
    if (!isScatteredInto(use))
      return false;
    Operation *op = use.getOwner();
    if (isa<tensor::ExtractSliceOp>(op))
      op = *op->user_begin();
    return source.getDefiningOp() == op;
  });
}

/// The elements of its memref that `store` writes; none when they are not
/// known.
static std::optional<SmallVector<IndexRange>>
getWritten(bufferization::MaterializeInDestinationOp store, Value base) {
  auto baseType = dyn_cast<MemRefType>(base.getType());
  if (store.getDest() == base && baseType && baseType.hasStaticShape()) {
    SmallVector<IndexRange> ranges(baseType.getRank());
    for (auto [range, extent] : llvm::zip_equal(ranges, baseType.getShape()))
      range.size = LinearExpr(extent);
    return ranges;
  }
  auto view = store.getDest().getDefiningOp<memref::SubViewOp>();
  if (!view || view.getSource() != base)
    return std::nullopt;
  return getSliceRanges(view);
}

std::optional<OverlappingWrites>
mlir::memspace::findOverlappingWrites(const KernelContext &context,
                                      scf::ForallOp forall) {
  Iterations iterations(context, forall);
  if (!iterations.isKnown())
    return std::nullopt;
  for (BlockArgument out : forall.getRegionIterArgs()) {
    SmallVector<WritingOp> ops;
    for (Operation *op : forall.getCombiningOps(out)) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
      std::optional<SmallVector<IndexRange>> ranges;
      if (insert && !isScattered(insert))
        ranges = getSliceRanges(insert);
      if (ranges)
        ops.push_back({op, *ranges});
    }
    if (std::optional<OverlappingWrites> overlap =
            iterations.findOverlap(out, ops))
      return overlap;
  }
  llvm::MapVector<Value, SmallVector<WritingOp>> stores;
  forall->walk([&](bufferization::MaterializeInDestinationOp store) {
    if (!isa<BaseMemRefType>(store.getDest().getType()))
      return;
    Value base = getBaseMemRef(store.getDest());
    auto arg = dyn_cast<BlockArgument>(base);
    if (!arg || !isa<FunctionOpInterface>(arg.getOwner()->getParentOp()))
      return;
    if (std::optional<SmallVector<IndexRange>> ranges = getWritten(store, base))
      stores[base].push_back({store, *ranges});
  });
  for (auto &[base, ops] : stores)
    if (std::optional<OverlappingWrites> overlap =
            iterations.findOverlap(base, ops))
      return overlap;
  return std::nullopt;
}
