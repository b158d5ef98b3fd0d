//===- Shuffles.cpp - what lanes of a subgroup pass to each other -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Normalize/Shuffles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<int64_t> memspace::getShuffleWords(Type type) {
  if (type.isIndex())
    return 2;
  if (!type.isIntOrFloat() || (type.isInteger() && !type.isSignlessInteger()))
    return std::nullopt;
  unsigned bits = type.getIntOrFloatBitWidth();
  // A float becomes an integer of its width, which must have a register's.
  if (bits > 64 ||
      (isa<FloatType>(type) && (bits < 8 || !llvm::isPowerOf2_32(bits))))
    return std::nullopt;
  return llvm::divideCeil(bits, 32);
}

static Value shuffleWord(OpBuilder &builder, Location loc, Value word,
                         gpu::ShuffleMode mode, Value offset, Value width) {
  return gpu::ShuffleOp::create(builder, loc, word, offset, width, mode)
      .getShuffleResult();
}

Value memspace::shuffle(OpBuilder &builder, Location loc, Value value,
                        gpu::ShuffleMode mode, Value offset, int64_t width) {
  Type type = value.getType(), i32 = builder.getI32Type(),
       i64 = builder.getI64Type();
  if (type.isIndex()) {
    value = arith::IndexCastOp::create(builder, loc, i64, value);
    value = shuffle(builder, loc, value, mode, offset, width);
    return arith::IndexCastOp::create(builder, loc, type, value);
  }
  if (isa<FloatType>(type)) {
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    value = arith::BitcastOp::create(builder, loc, bits, value);
    value = shuffle(builder, loc, value, mode, offset, width);
    return arith::BitcastOp::create(builder, loc, type, value);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  auto extend = [&](Type to, Value from) {
    return builder.createOrFold<arith::ExtUIOp>(loc, to, from);
  };
  auto truncate = [&](Type to, Value from) {
    return builder.createOrFold<arith::TruncIOp>(loc, to, from);
  };
  Value lanes = arith::ConstantIntOp::create(builder, loc, width, 32);
  if (bits <= 32) {
    Value word = bits == 32 ? value : extend(i32, value);
    word = shuffleWord(builder, loc, word, mode, offset, lanes);
    return bits == 32 ? word : truncate(type, word);
  }
  Value whole = bits == 64 ? value : extend(i64, value);
  Value half = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value low = truncate(i32, whole);
  Value high = truncate(i32, arith::ShRUIOp::create(builder, loc, whole, half));
  low = shuffleWord(builder, loc, low, mode, offset, lanes);
  high = shuffleWord(builder, loc, high, mode, offset, lanes);
  whole = arith::OrIOp::create(
      builder, loc, extend(i64, low),
      arith::ShLIOp::create(builder, loc, extend(i64, high), half));
  return bits == 64 ? whole : truncate(type, whole);
}
