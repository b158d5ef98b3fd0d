//===- InsertCopies.cpp - destinations that are copied -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InsertCopies.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;

bool mlir::memspace::copyDestination(RewriterBase &b,
                                     tensor::InsertSliceOp insert) {
  auto forall = insert.getSource().getDefiningOp<scf::ForallOp>();
  if (!forall)
    return false;
  OpOperand *init = forall.getTiedOpOperand(cast<OpResult>(insert.getSource()));
  auto slice = init->get().getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getSource() != insert.getDest() ||
      !cast<OffsetSizeAndStrideOpInterface>(slice.getOperation())
           .isSameAs(insert,
                     [](OpFoldResult x, OpFoldResult y) { return x == y; }))
    return false;
  b.setInsertionPoint(forall);
  auto copy = bufferization::AllocTensorOp::create(
      b, insert.getLoc(), insert.getDestType(), ValueRange(), insert.getDest());
  auto part = cast<tensor::ExtractSliceOp>(b.clone(*slice));
  part.getSourceMutable().set(copy);
  init->set(part);
  insert.getDestMutable().set(copy);
  return true;
}
