//===- ImportSignature.cpp - kernels with tensors as arguments and results ===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// What `value`, which a kernel returns, is in memory; null for a type that has
/// no place there.
static RankedTensorType getTensorType(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor;
  if (auto vector = dyn_cast<VectorType>(type); vector && !vector.isScalable())
    return RankedTensorType::get(vector.getShape(), vector.getElementType());
  if (type.isIntOrIndexOrFloat())
    return RankedTensorType::get({}, type);
  return {};
}

static MemRefType getMemRefType(RankedTensorType type) {
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// `value` in `destination`, a new argument of the kernel.
static void materialize(OpBuilder &b, Location loc, Value value,
                        Value destination) {
  if (!isa<TensorType>(value.getType())) {
    RankedTensorType type = getTensorType(value.getType());
    Value old = bufferization::ToTensorOp::create(
        b, loc, type, destination, /*restrict=*/true, /*writable=*/true);
    if (isa<VectorType>(value.getType())) {
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      SmallVector<Value> start(type.getRank(), zero);
      SmallVector<bool> inBounds(type.getRank(), true);
      value = vector::TransferWriteOp::create(b, loc, value, old, start,
                                              ArrayRef<bool>(inBounds))
                  .getResult();
    } else {
      value = tensor::InsertOp::create(b, loc, value, old, ValueRange());
    }
  }
  auto store = bufferization::MaterializeInDestinationOp::create(b, loc, value,
                                                                 destination);
  store.setRestrict(true);
  store.setWritable(true);
}

template <typename TypeT> static bool hasValues(func::FuncOp func) {
  return llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<TypeT>) ||
         func.walk([](Operation *op) {
               return WalkResult(success(
                   llvm::none_of(op->getResultTypes(), llvm::IsaPred<TypeT>)));
             })
             .wasInterrupted();
}

/// There each thread returns what it has.
static bool isOnMemRefs(func::FuncOp func) {
  return hasValues<BaseMemRefType>(func) && !hasValues<TensorType>(func);
}

LogicalResult memspace::iree::importSignature(FunctionOpInterface kernel) {
  auto func = dyn_cast<func::FuncOp>(kernel.getOperation());
  if (!func || func.isExternal() || isOnMemRefs(func))
    return success();
  Block &entry = func.getBody().front();
  OpBuilder b(func.getContext());
  for (BlockArgument arg : entry.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type)
      continue;
    b.setInsertionPointToStart(&entry);
    arg.setType(getMemRefType(type));
    auto tensor = bufferization::ToTensorOp::create(b, arg.getLoc(), type, arg,
                                                    /*restrict=*/true,
                                                    /*writable=*/false);
    arg.replaceAllUsesExcept(tensor, tensor);
  }
  if (func.getNumResults() != 0) {
    auto end = dyn_cast<func::ReturnOp>(entry.getTerminator());
    if (!end || !func.getBody().hasOneBlock())
      return func.emitError("returns values from several places; return them "
                            "from one");
    for (Type type : func.getResultTypes())
      if (!getTensorType(type))
        return func.emitError("returns a value of type ")
               << type << ", which has no place in memory";
    SmallVector<Value> values(end.getOperands());
    b.setInsertionPoint(end);
    for (Value value : values) {
      MemRefType type = getMemRefType(getTensorType(value.getType()));
      materialize(b, end.getLoc(), value,
                  entry.addArgument(type, value.getLoc()));
    }
    end.getOperandsMutable().clear();
    func.removeResAttrsAttr();
  }
  func.setType(FunctionType::get(func.getContext(), entry.getArgumentTypes(),
                                 TypeRange()));
  if (ArrayAttr attrs = func.getArgAttrsAttr();
      attrs && attrs.size() != entry.getNumArguments()) {
    SmallVector<Attribute> padded(attrs.begin(), attrs.end());
    padded.resize(entry.getNumArguments(), b.getDictionaryAttr({}));
    func.setArgAttrsAttr(b.getArrayAttr(padded));
  }
  return success();
}
