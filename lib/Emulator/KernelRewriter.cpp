//===- KernelRewriter.cpp - ops become calls of the runtime ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRewriter.h"
#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

void KernelRewriter::startAt(Operation *op) {
  loc = op->getLoc();
  site = getSite(loc);
  builder.setInsertionPoint(op);
}

Value KernelRewriter::call(StringRef name, ValueRange arguments, Type result) {
  if (!module.lookupSymbol<func::FuncOp>(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = builder.getFunctionType(
        arguments.getTypes(), result ? TypeRange(result) : TypeRange());
    func::FuncOp::create(builder, loc, name, type).setPrivate();
  }
  auto callOp = func::CallOp::create(
      builder, loc, name, result ? TypeRange(result) : TypeRange(), arguments);
  return result ? callOp.getResult(0) : Value();
}

Value KernelRewriter::i32(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}
Value KernelRewriter::i64(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}
Value KernelRewriter::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value KernelRewriter::toI64(Value value) {
  Type i64Type = builder.getI64Type();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, i64Type, value);
  if (value.getType() == i64Type)
    return value;
  return arith::ExtUIOp::create(builder, loc, i64Type, value);
}

Value KernelRewriter::toWord(Value value) {
  Type type = value.getType();
  if (auto floatType = dyn_cast<FloatType>(type))
    value = arith::BitcastOp::create(
        builder, loc, builder.getIntegerType(floatType.getWidth()), value);
  return toI64(value);
}

Value KernelRewriter::fromWord(Value word, Type type) {
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, word);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    word = arith::TruncIOp::create(builder, loc, builder.getIntegerType(width),
                                   word);
  if (isa<FloatType>(type))
    word = arith::BitcastOp::create(builder, loc, type, word);
  return word;
}

bool emulator::hasWords(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto vector = dyn_cast<VectorType>(type);
  return (element.isIndex() ||
          (element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 64)) &&
         (!vector || (vector.getRank() == 1 && !vector.isScalable()));
}

Value KernelRewriter::mapScalars(Value value,
                                 llvm::function_ref<Value(Value)> function) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector)
    return function(value);
  Value result = value;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    Value element = vector::ExtractOp::create(builder, loc, value, i);
    result =
        vector::InsertOp::create(builder, loc, function(element), result, i);
  }
  return result;
}

Value KernelRewriter::mapWords(Value value,
                               llvm::function_ref<Value(Value)> function) {
  return mapScalars(value, [&](Value scalar) {
    return fromWord(function(toWord(scalar)), scalar.getType());
  });
}

void KernelRewriter::replace(Operation *op, ValueRange values) {
  op->replaceAllUsesWith(values);
  op->erase();
}

void KernelRewriter::recordLoops(Operation *op) {
  SmallVector<uint32_t, 2> around;
  OpBuilder::InsertionGuard guard(builder);
  for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp()) {
    if (!isa<LoopLikeOpInterface>(loop))
      continue;
    auto [it, isNew] = loops.try_emplace(loop, program.numLoops);
    around.push_back(it->second);
    if (!isNew)
      continue;
    ++program.numLoops;
    builder.setInsertionPoint(loop);
    call(rt::kEnterLoop, i32(it->second), Type());
    // An iteration of scf.while begins with its condition.
    builder.setInsertionPointToStart(&loop->getRegion(0).front());
    call(rt::kEnterIteration, i32(it->second), Type());
  }
  program.loopsOfSite[site] = around;
}
