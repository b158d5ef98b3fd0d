//===- SharedCopies.cpp - copies that threads share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedCopies.h"
#include "MemSpace/IR/AttributeNames.h"
#include "Normalization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

void mlir::memspace::copyToDestination(RewriterBase &b, const Tiling &tiling,
                                       MaterializeInDestinationOp op,
                                       const DominanceInfo &dominance) {
  Location loc = op.getLoc();
  Attribute why = op->getAttr(kCopyAttr);
  Value source = op.getSource();
  if (op.getResult()) {
    b.replaceOp(op, createCopy(b, loc, tiling, source, op.getDest(), why));
    return;
  }
  // The destination as a tensor: the one that there is, since two of one
  // memory would not be ordered.
  ToTensorOp dest;
  for (Operation *user : op.getDest().getUsers())
    if (auto toTensor = dyn_cast<ToTensorOp>(user))
      if (dominance.properlyDominates(user, op))
        dest = toTensor;
  if (!dest)
    dest = ToTensorOp::create(b, loc, source.getType(), op.getDest(),
                              /*restrict=*/true);
  dest.setWritable(true);
  op.getSourceMutable().set(createCopy(b, loc, tiling, source, dest, why));
}

void mlir::memspace::copyInserted(RewriterBase &b, const Tiling &tiling,
                                  OpOperand &source, Value dest) {
  auto insert = cast<OffsetSizeAndStrideOpInterface>(source.getOwner());
  Value slice = tensor::ExtractSliceOp::create(
      b, insert.getLoc(), cast<RankedTensorType>(source.get().getType()), dest,
      insert.getMixedOffsets(), insert.getMixedSizes(),
      insert.getMixedStrides());
  source.set(createCopy(b, insert.getLoc(), tiling, source.get(), slice,
                        insert->getAttr(kCopyAttr)));
}

scf::ForallOp mlir::memspace::copyAllocated(RewriterBase &b,
                                            const Tiling &tiling,
                                            AllocTensorOp alloc) {
  Location loc = alloc.getLoc();
  Value source = alloc.getCopy();
  SmallVector<Value> dynamicSizes;
  for (auto [dim, extent] : llvm::enumerate(alloc.getType().getShape()))
    if (ShapedType::isDynamic(extent)) {
      Value size = getGivenExtent(b, source, dim);
      if (!size)
        size = tensor::DimOp::create(b, loc, source, dim);
      dynamicSizes.push_back(size);
    }
  alloc.getSizeHintMutable().clear();
  alloc.getCopyMutable().clear();
  alloc.getDynamicSizesMutable().assign(dynamicSizes);
  b.setInsertionPointAfter(alloc);
  Value copy =
      createCopy(b, loc, tiling, source, alloc, alloc->getAttr(kCopyAttr));
  auto forall = copy.getDefiningOp<scf::ForallOp>();
  b.replaceAllUsesExcept(alloc, copy, forall);
  return forall;
}

bool mlir::memspace::copyDestination(RewriterBase &b,
                                     tensor::InsertSliceOp insert) {
  auto forall = insert.getSource().getDefiningOp<scf::ForallOp>();
  // One in front of a branch would be a copy for the other branches, too.
  if (!forall || forall->getBlock() != insert->getBlock())
    return false;
  OpOperand *init = forall.getTiedOpOperand(cast<OpResult>(insert.getSource()));
  auto slice = init->get().getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getSource() != insert.getDest() ||
      !cast<OffsetSizeAndStrideOpInterface>(slice.getOperation())
           .isSameAs(insert,
                     [](OpFoldResult x, OpFoldResult y) { return x == y; }))
    return false;
  b.setInsertionPoint(forall);
  auto copy = AllocTensorOp::create(b, insert.getLoc(), insert.getDestType(),
                                    ValueRange(), insert.getDest());
  auto part = cast<tensor::ExtractSliceOp>(b.clone(*slice));
  part.getSourceMutable().set(copy);
  init->set(part);
  insert.getDestMutable().set(copy);
  return true;
}
