//===- OverwrittenReads.cpp - memory that is read and overwritten -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OverwrittenReads.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The elements that an op reads of `tensor`, as many in each dimension, one
/// behind the other, as `sizes` says.
struct Part {
  Value tensor;
  SmallVector<OpFoldResult> offsets;
  SmallVector<int64_t> sizes;
};

/// A forall that begins with an empty tensor, and the reads of another one in
/// it, each with the part of a slice that it is a read of.
struct Update {
  scf::ForallOp forall;
  OpOperand *init;
  SmallVector<std::pair<Operation *, Part>> reads;
};
} // namespace

/// What `op` reads of its first operand; none where that may be anything else.
static std::optional<Part> getPart(Operation *op) {
  Part part{op->getOperand(0), {}, {}};
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.hasUnitStride() ||
        ShapedType::isDynamicShape(slice.getStaticSizes()))
      return std::nullopt;
    part.offsets = slice.getMixedOffsets();
    part.sizes = llvm::to_vector(slice.getStaticSizes());
    return part;
  }
  auto read = dyn_cast<vector::TransferReadOp>(op);
  if (!read || read.hasOutOfBoundsDim())
    return std::nullopt;
  part.offsets = getAsOpFoldResult(read.getIndices());
  part.sizes.assign(part.offsets.size(), 1);
  for (auto [expr, size] :
       llvm::zip_equal(read.getPermutationMap().getResults(),
                       read.getVectorType().getShape()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      part.sizes[dim.getPosition()] = size;
  return part;
}

/// `part` as one of `slice`, which is of the same tensor; none where it is not
/// known to lie in it.
static std::optional<Part> getPartOf(tensor::ExtractSliceOp slice,
                                     const Part &part) {
  if (!slice.hasUnitStride() || !slice.getDroppedDims().none())
    return std::nullopt;
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  Part inner{slice.getResult(), {}, part.sizes};
  Builder builder(slice.getContext());
  for (auto [dim, offset] : llvm::enumerate(part.offsets)) {
    OpFoldResult begin = slice.getMixedOffsets()[dim];
    int64_t size = slice.getStaticSizes()[dim];
    if (isEqualConstantIntOrValue(begin, offset) &&
        !ShapedType::isDynamic(size) && part.sizes[dim] <= size)
      inner.offsets.push_back(builder.getIndexAttr(0));
    else if (isConstantIntValue(begin, 0) && size == shape[dim] &&
             !ShapedType::isDynamic(size))
      inner.offsets.push_back(offset);
    else
      return std::nullopt;
  }
  return inner;
}

/// True where `slice` stands in front of `reader`, or may.
static bool canPrecede(tensor::ExtractSliceOp slice, Operation *reader,
                       DominanceInfo &dominance) {
  return dominance.properlyDominates(slice.getOperation(), reader) ||
         llvm::all_of(slice->getOperands(), [&](Value operand) {
           return dominance.properlyDominates(operand, reader);
         });
}

/// Follows a part into the slices and foralls that `reader` stands behind, as
/// far as there are some; slices are put there. None if that does not end in a
/// slice.
static std::optional<Part> findSlice(Part part, Operation *reader,
                                     DominanceInfo &dominance) {
  for (bool isFurther = true; isFurther;) {
    isFurther = false;
    for (OpOperand &use : part.tensor.getUses()) {
      Operation *user = use.getOwner();
      std::optional<Part> inner;
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
        if (canPrecede(slice, reader, dominance))
          inner = getPartOf(slice, part);
        if (inner && !dominance.properlyDominates(user, reader))
          user->moveBefore(reader);
      } else if (auto forall = dyn_cast<scf::ForallOp>(user)) {
        if (forall->isProperAncestor(reader)) {
          inner = part;
          inner->tensor = forall.getTiedBlockArgument(&use);
        }
      }
      if (!inner)
        continue;
      part = *inner;
      isFurther = true;
      break;
    }
  }
  return part.tensor.getDefiningOp<tensor::ExtractSliceOp>()
             ? std::optional(part)
             : std::nullopt;
}

static std::optional<Update>
findUpdate(bufferization::ToTensorOp tensor,
           bufferization::MaterializeInDestinationOp store) {
  auto result = dyn_cast<OpResult>(store.getSource());
  auto forall =
      result ? dyn_cast<scf::ForallOp>(result.getOwner()) : scf::ForallOp();
  if (!forall || !tensor.getWritable() || tensor.getBuffer() != store.getDest())
    return std::nullopt;
  Update update{forall, forall.getTiedOpOperand(result), {}};
  DominanceInfo dominance;
  if (!update.init->get().getDefiningOp<tensor::EmptyOp>() ||
      tensor.getType() != update.init->get().getType() ||
      !dominance.properlyDominates(tensor.getOperation(), forall))
    return std::nullopt;
  for (OpOperand &use : tensor->getUses()) {
    Operation *reader = use.getOwner();
    if (isa<tensor::DimOp>(reader))
      continue;
    std::optional<Part> part =
        forall->isProperAncestor(reader) && use.getOperandNumber() == 0
            ? getPart(reader)
            : std::nullopt;
    if (!part)
      return std::nullopt;
    part->tensor = forall.getTiedBlockArgument(update.init);
    part = findSlice(*part, reader, dominance);
    if (!part)
      return std::nullopt;
    update.reads.push_back({reader, *part});
  }
  return update;
}

bool mlir::memspace::isUpdateInParts(
    bufferization::ToTensorOp tensor,
    bufferization::MaterializeInDestinationOp store) {
  return findUpdate(tensor, store).has_value();
}

void mlir::memspace::updateOverwrittenReads(FunctionOpInterface kernel) {
  SmallVector<bufferization::ToTensorOp> tensors;
  SmallVector<bufferization::MaterializeInDestinationOp> stores;
  kernel->walk([&](Operation *op) {
    if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
      tensors.push_back(tensor);
    else if (auto store =
                 dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      stores.push_back(store);
  });
  for (bufferization::MaterializeInDestinationOp store : stores)
    for (bufferization::ToTensorOp tensor : tensors) {
      std::optional<Update> update = findUpdate(tensor, store);
      if (!update)
        continue;
      update->init->set(tensor);
      for (auto &[reader, part] : update->reads) {
        OpBuilder builder(reader);
        reader->setOperand(0, part.tensor);
        if (auto slice = dyn_cast<tensor::ExtractSliceOp>(reader)) {
          Value same = tensor::ExtractSliceOp::create(
              builder, slice.getLoc(), slice.getType(), part.tensor,
              part.offsets, slice.getMixedSizes(), slice.getMixedStrides());
          slice.replaceAllUsesWith(same);
          slice.erase();
          continue;
        }
        auto read = cast<vector::TransferReadOp>(reader);
        read.getIndicesMutable().assign(getValueOrCreateConstantIndexOp(
            builder, read.getLoc(), part.offsets));
      }
      break;
    }
}
