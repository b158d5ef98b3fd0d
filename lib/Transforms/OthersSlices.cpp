//===- OthersSlices.cpp - reads of other iterations' slices -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/BufferClasses.h"
#include "MemSpace/Analysis/MemorySpaceAnalysis.h"
#include "Normalization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;

/// What an op that uses a shared output directly reads of it; null when the
/// use reads nothing (a combining op's destination) or is not understood.
static std::optional<ElementAccess> getDirectRead(OpOperand &use) {
  Operation *op = use.getOwner();
  ElementAccess access;
  access.op = op;
  auto addRange = [&](OpFoldResult offset, OpFoldResult size, int64_t stride) {
    IndexRange range;
    range.offset = LinearExpr(offset);
    range.size = LinearExpr(size);
    range.stride = stride;
    access.ranges->push_back(range);
  };
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    access.ranges.emplace();
    Builder b(op->getContext());
    for (Value index : extract.getIndices())
      addRange(index, b.getIndexAttr(1), 1);
    return access;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    access.ranges.emplace();
    for (auto [offset, size, stride] :
         llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes(),
                         slice.getMixedStrides())) {
      std::optional<int64_t> step = getConstantIntValue(stride);
      if (!step) {
        access.ranges = std::nullopt;
        return access;
      }
      addRange(offset, size, *step);
    }
    return access;
  }
  // Any other use may read all of it.
  return access;
}

static std::optional<ElementAccess>
getInsertedElements(tensor::ParallelInsertSliceOp insert) {
  ElementAccess access;
  access.op = insert;
  access.ranges.emplace();
  for (auto [offset, size, stride] :
       llvm::zip_equal(insert.getMixedOffsets(), insert.getMixedSizes(),
                       insert.getMixedStrides())) {
    std::optional<int64_t> step = getConstantIntValue(stride);
    if (!step)
      return std::nullopt;
    IndexRange range;
    range.offset = LinearExpr(offset);
    range.size = LinearExpr(size);
    range.stride = *step;
    access.ranges->push_back(range);
  }
  return access;
}

LogicalResult mlir::memspace::separateReadsOfOthersSlices(
    FunctionOpInterface kernel, const TargetInfo &target) {
  ThreadRelations relations(kernel, *getLaunchShape(kernel),
                            target.subgroupSize);
  kernel->walk([&](scf::ForallOp forall) {
    for (BlockArgument out : forall.getRegionIterArgs()) {
      // The elements that each iteration writes.
      SmallVector<ElementAccess> writes;
      bool known = true;
      for (Operation *user : forall.getCombiningOps(out)) {
        auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user);
        std::optional<ElementAccess> elements;
        if (insert)
          elements = getInsertedElements(insert);
        known &= elements.has_value();
        if (elements)
          writes.push_back(*elements);
      }
      for (OpOperand &use : llvm::make_early_inc_range(out.getUses())) {
        if (isa<tensor::ParallelInsertSliceOp, tensor::DimOp>(use.getOwner()))
          continue;
        ElementAccess read = *getDirectRead(use);
        // Inside its own slice an iteration is alone: the iterations of a
        // forall are disjoint by promise.
        if (known && llvm::any_of(writes, [&](const ElementAccess &write) {
              return relations.isContained(read, write);
            }))
          continue;
        if (known && llvm::none_of(writes, [&](const ElementAccess &write) {
              return relations.mayMeet(read, write,
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
