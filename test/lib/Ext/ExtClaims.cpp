//===- ExtClaims.cpp - a model that is wrong in every way -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtDialect.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;

/// `input` sorted into `output`, by ascending numbers.
static SmallVector<Value> sort(RewriterBase &b, Location loc, Value input,
                               Value output, int64_t dimension) {
  SmallVector<Type> types;
  if (isa<RankedTensorType>(output.getType()))
    types.push_back(output.getType());
  auto sort = memspace::SortOp::create(b, loc, types, input, output, dimension,
                                       /*stable=*/false);
  OpBuilder::InsertionGuard guard(b);
  Type i32 = b.getI32Type();
  Block *body =
      b.createBlock(&sort.getComparator(), {}, {i32, i32}, {loc, loc});
  Value first =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            body->getArgument(0), body->getArgument(1));
  memspace::YieldOp::create(b, loc, first);
  return SmallVector<Value>(sort.getResults());
}

FailureOr<SmallVector<Value>> ext::ClaimOp::convertToMemSpace(RewriterBase &b) {
  Location loc = getLoc();
  Value input = getInput(), output = getOutput();
  StringRef lie = getLie();
  // The lies about the results.
  if (lie == "none")
    return sort(b, loc, input, output, 0);
  if (lie == "no value")
    return SmallVector<Value>();
  if (lie == "null")
    return SmallVector<Value>{Value()};
  if (lie == "its own result")
    return SmallVector<Value>{getResult()};
  if (lie == "another shape")
    return SmallVector<Value>{
        tensor::EmptyOp::create(b, loc, {3}, b.getI32Type())};
  // About itself.
  if (lie == "erases") {
    b.replaceOp(*this, input);
    return SmallVector<Value>{input};
  }
  if (lie == "uses itself")
    return sort(b, loc, getResult(), output, 0);
  if (lie == "makes itself")
    return SmallVector<Value>(b.clone(**this)->getResults());
  // About what it makes.
  if (lie == "invalid")
    return sort(b, loc, input, output, 7);
  if (lie == "writes its input")
    return sort(b, loc, input, input, 0);
  if (lie == "writes a part of its input") {
    Value half = memref::SubViewOp::create(
        b, loc, input, ArrayRef<OpFoldResult>{b.getIndexAttr(0)},
        ArrayRef<OpFoldResult>{b.getIndexAttr(4)},
        ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
    return sort(b, loc, half, half, 0);
  }
  if (lie == "writes memory of its own") {
    Value copy =
        memref::AllocaOp::create(b, loc, cast<MemRefType>(input.getType()));
    linalg::CopyOp::create(b, loc, input, copy);
    return sort(b, loc, copy, output, 0);
  }
  if (lie == "chooses its input") {
    Value isTrue = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value chosen = arith::SelectOp::create(b, loc, isTrue, input, output);
    return sort(b, loc, chosen, chosen, 0);
  }
  if (lie == "complains") {
    emitError("this is somebody else's error");
    return failure();
  }
  return failure(); // "refuses"
}
