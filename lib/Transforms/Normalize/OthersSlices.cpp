//===- OthersSlices.cpp - reads of other iterations' slices -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Spaces/BufferClasses.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "Normalization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;

/// What an op that uses a shared output directly reads of it.
static ElementAccess getDirectRead(OpOperand &use) {
  Operation *op = use.getOwner();
  ElementAccess access;
  access.op = op;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    access.ranges.emplace();
    for (Value index : extract.getIndices()) {
      IndexRange range;
      range.offset = LinearExpr(OpFoldResult(index));
      range.size = LinearExpr(1);
      access.ranges->push_back(range);
    }
    return access;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    access.ranges = getSliceRanges(slice);
    return access;
  }
  // Any other use may read all of it.
  return access;
}

/// True when `result` goes, whole and nowhere else, to `dest`, or to where
/// `slice` of it is from.
static bool isGivenBack(Value result, Value dest,
                        tensor::ExtractSliceOp slice = {}) {
  if (!result.hasOneUse())
    return false;
  auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(*result.user_begin());
  if (!insert || insert.getSource() != result || insert.getDest() != dest)
    return false;
  if (!slice)
    return result.getType() == dest.getType();
  return cast<OffsetSizeAndStrideOpInterface>(insert.getOperation())
      .isSameAs(slice, [](OpFoldResult a, OpFoldResult b) { return a == b; });
}

bool mlir::memspace::isScatteredInto(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter.isDpsInit(&use) &&
           isGivenBack(scatter.getResult(), use.get());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice->hasOneUse())
      return false;
    OpOperand &only = *slice->use_begin();
    auto scatter = dyn_cast<ScatterOp>(only.getOwner());
    return scatter && scatter.isDpsInit(&only) &&
           isGivenBack(scatter.getResult(), use.get(), slice);
  }
  auto forall = dyn_cast<scf::ForallOp>(op);
  return forall && isGivenBack(forall.getTiedOpResult(&use), use.get()) &&
         llvm::all_of(
             forall.getTiedBlockArgument(&use).getUses(), [](OpOperand &inner) {
               return isa<tensor::ParallelInsertSliceOp, tensor::DimOp>(
                          inner.getOwner()) ||
                      isScatteredInto(inner);
             });
}

static bool areSameSlices(Operation *a, Operation *b) {
  return cast<OffsetSizeAndStrideOpInterface>(a).isSameAs(
      cast<OffsetSizeAndStrideOpInterface>(b),
      [](OpFoldResult x, OpFoldResult y) { return x == y; });
}

/// True when `insert` puts one element where `extract` takes one.
static bool areSameElements(tensor::ParallelInsertSliceOp insert,
                            tensor::ExtractOp extract) {
  return llvm::all_of(insert.getStaticSizes(),
                      [](int64_t size) { return size == 1; }) &&
         llvm::equal(insert.getMixedOffsets(), extract.getIndices(),
                     [](OpFoldResult offset, Value index) {
                       return isEqualConstantIntOrValue(offset, index);
                     });
}

bool mlir::memspace::isOwnSlice(OpOperand &use, BlockArgument out) {
  Operation *read = use.getOwner();
  auto extract = dyn_cast<tensor::ExtractOp>(read);
  if (!extract && !isa<tensor::ExtractSliceOp>(read))
    return false;
  auto forall = cast<scf::ForallOp>(out.getOwner()->getParentOp());
  return llvm::any_of(forall.getCombiningOps(out), [&](Operation *op) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
    return insert && (extract ? areSameElements(insert, extract)
                              : areSameSlices(insert, read));
  });
}

/// Makes `slice` and an equal one of its block one value.
static void mergeSlice(tensor::ExtractSliceOp slice) {
  for (Operation *user : slice.getSource().getUsers()) {
    auto other = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!other || other == slice || other->getBlock() != slice->getBlock() ||
        other.getType() != slice.getType() || !areSameSlices(other, slice))
      continue;
    bool isLater = other->isBeforeInBlock(slice);
    auto [first, second] =
        isLater ? std::pair(other, slice) : std::pair(slice, other);
    second.replaceAllUsesWith(first.getResult());
    second->erase();
    return;
  }
}

void mlir::memspace::readOwnSlicesByOutputs(scf::ForallOp forall) {
  for (BlockArgument out : forall.getRegionIterArgs()) {
    SmallVector<OpOperand *> own;
    for (OpOperand &use : forall.getTiedOpOperand(out)->get().getUses())
      if (forall->isProperAncestor(use.getOwner()) && isOwnSlice(use, out))
        own.push_back(&use);
    for (OpOperand *use : own) {
      use->set(out);
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use->getOwner()))
        mergeSlice(slice);
    }
  }
}

LogicalResult
mlir::memspace::separateReadsOfOthersSlices(const KernelContext &context) {
  ThreadRelations relations(context);
  context.getKernel()->walk([&](scf::ForallOp forall) {
    readOwnSlicesByOutputs(forall);
    for (BlockArgument out : forall.getRegionIterArgs()) {
      // The elements that each iteration writes.
      SmallVector<ElementAccess> writes;
      bool known = true;
      for (Operation *user : forall.getCombiningOps(out)) {
        auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user);
        std::optional<SmallVector<IndexRange>> ranges;
        if (insert)
          ranges = getSliceRanges(insert);
        known &= ranges.has_value();
        if (ranges)
          writes.push_back({insert, ranges});
      }
      for (OpOperand &use : llvm::make_early_inc_range(out.getUses())) {
        if (isa<tensor::ParallelInsertSliceOp, tensor::DimOp>(use.getOwner()) ||
            isScatteredInto(use))
          continue;
        ElementAccess read = getDirectRead(use);
        // Inside its own slice an iteration is alone: the iterations of a
        // forall are disjoint by promise.
        if (known && llvm::any_of(writes, [&](const ElementAccess &write) {
              return relations.isContained(read, write);
            }))
          continue;
        if (known && llvm::none_of(writes, [&](const ElementAccess &write) {
              return relations.mayOverlap(read, write,
                                          ExecutionPair::DifferentIterations,
                                          forall.getOperation());
            }))
          continue;
        use.set(forall.getTiedOpOperand(out)->get());
      }
    }
  });
  return success();
}
