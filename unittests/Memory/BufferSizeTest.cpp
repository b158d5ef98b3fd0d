//===- BufferSizeTest.cpp - the size model -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/BufferSize.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

struct BufferSize : public ::testing::Test {
  BufferSize() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  Type type(StringRef text) { return parseType(text, &context); }
  std::optional<int64_t> element(StringRef text) {
    return getElementBytes(type(text), target);
  }
  std::optional<int64_t> buffer(StringRef text) {
    return getBufferBytes(cast<MemRefType>(type(text)), target);
  }

  /// Bound of the value that `body` returns; `dim` of it for a tensor.
  std::optional<int64_t> bound(StringRef body,
                               std::optional<int64_t> dim = std::nullopt) {
    std::string source = "func.func @f(%n: index, %m: index, %i: i32, "
                         "%t: tensor<?x8xf32>) {\n" +
                         body.str() + "\n func.return }";
    module = parseSourceString<ModuleOp>(source, &context);
    Value value;
    module->walk([&](Operation *op) {
      if (op->hasAttr("it"))
        value = op->getResult(0);
    });
    return getConstantUpperBound(value, dim);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  TargetInfo target;
};

using Bytes = std::optional<int64_t>;

TEST_F(BufferSize, Elements) {
  EXPECT_EQ(element("i1"), Bytes(1));
  EXPECT_EQ(element("i4"), Bytes(1));
  EXPECT_EQ(element("i24"), Bytes(4));
  EXPECT_EQ(element("f16"), Bytes(2));
  EXPECT_EQ(element("bf16"), Bytes(2));
  EXPECT_EQ(element("f8E4M3FNUZ"), Bytes(1));
  EXPECT_EQ(element("f64"), Bytes(8));
  EXPECT_EQ(element("f80"), Bytes(16));
  EXPECT_EQ(element("complex<f32>"), Bytes(8));
  EXPECT_EQ(element("vector<4xf32>"), Bytes(16));
  EXPECT_EQ(element("vector<3xf32>"), Bytes(16));
  EXPECT_EQ(element("vector<2x3xf16>"), Bytes(16));
  EXPECT_EQ(element("vector<8xi1>"), Bytes(1));
  EXPECT_EQ(element("vector<f32>"), Bytes(4));
  EXPECT_EQ(element("index"), Bytes(8));
  EXPECT_EQ(element("none"), Bytes());
  EXPECT_EQ(element("vector<[4]xf32>"), Bytes());
  EXPECT_EQ(element("memref<4xf32>"), Bytes());
  target.indexBytes = 4;
  EXPECT_EQ(element("index"), Bytes(4));
}

TEST_F(BufferSize, Alignment) {
  EXPECT_EQ(getElementAlignment(type("f32"), target), Bytes(4));
  EXPECT_EQ(getElementAlignment(type("complex<f64>"), target), Bytes(8));
  EXPECT_EQ(getElementAlignment(type("vector<3xf32>"), target), Bytes(16));
  EXPECT_EQ(getBufferAlignment(type("i8"), target), 16);
  EXPECT_EQ(getBufferAlignment(type("vector<16xf32>"), target), 64);
}

TEST_F(BufferSize, Buffers) {
  EXPECT_EQ(buffer("memref<130xf32>"), Bytes(520));
  EXPECT_EQ(buffer("memref<f32>"), Bytes(4));
  EXPECT_EQ(buffer("memref<0x7xf32>"), Bytes(0));
  EXPECT_EQ(buffer("memref<7xi1>"), Bytes(7));
  EXPECT_EQ(buffer("memref<3xi4>"), Bytes(3));
  // 2^32 bytes are not 0, and what does not fit is not a number.
  EXPECT_EQ(buffer("memref<65536x65536xi8>"), Bytes(int64_t(1) << 32));
  EXPECT_EQ(buffer("memref<4294967296x4294967296xi8>"), Bytes());
  EXPECT_EQ(buffer("memref<2147483648x2147483648x2xf64>"), Bytes());
  EXPECT_EQ(buffer("memref<0x4294967296x4294967296xi8>"), Bytes(0));
  EXPECT_EQ(buffer("memref<?xf32>"), Bytes());
}

TEST_F(BufferSize, Strides) {
  EXPECT_EQ(buffer("memref<32x32xf32, strided<[33, 1]>>"),
            Bytes((31 * 33 + 32) * 4));
  EXPECT_EQ(buffer("memref<4xf32, strided<[0]>>"), Bytes(4));
  EXPECT_EQ(buffer("memref<4x4xf32, strided<[4, 1], offset: 16>>"), Bytes(64));
  EXPECT_EQ(buffer("memref<0x4xf32, strided<[9, 1]>>"), Bytes(0));
  EXPECT_EQ(buffer("memref<4xf32, strided<[?]>>"), Bytes());
}

TEST_F(BufferSize, UnboundedValues) {
  EXPECT_EQ(bound("%r = arith.addi %n, %m {it} : index"), Bytes());
  // All of i32 and a bound of 2^53 are no bounds.
  EXPECT_EQ(bound("%r = arith.index_cast %i {it} : i32 to index"), Bytes());
  EXPECT_EQ(bound("%c = arith.constant 9007199254740991 : index\n"
                  "%r = arith.minsi %n, %c {it} : index"),
            Bytes());
}

TEST_F(BufferSize, Bounds) {
  const char *c = "%c = arith.constant 128 : index\n";
  auto with = [&](const Twine &text) { return bound((c + text).str()); };
  EXPECT_EQ(with("%r = arith.minsi %n, %c {it} : index"), Bytes(128));
  EXPECT_EQ(with("%r = arith.minui %n, %c {it} : index"), Bytes(128));
  EXPECT_EQ(with("%r = arith.remui %n, %c {it} : index"), Bytes(127));
  EXPECT_EQ(with("%r = affine.min affine_map<(d0) -> (128, d0)>(%n) {it}"),
            Bytes(128));
  EXPECT_EQ(with("%b = arith.minui %n, %c : index\n"
                 "%d = arith.constant 32 : index\n"
                 "%r = arith.ceildivui %b, %d {it} : index"),
            Bytes(4));
  // Affine arithmetic over an op that value bounds do not know, and back.
  EXPECT_EQ(with("%b = arith.minui %n, %c : index\n"
                 "%r = affine.apply affine_map<(d0) -> (2 * d0 + 1)>(%b) {it}"),
            Bytes(257));
  EXPECT_EQ(with("%b = arith.minui %n, %c : index\n"
                 "%a = affine.apply affine_map<(d0) -> (2 * d0)>(%b)\n"
                 "%d = arith.constant 3 : index\n"
                 "%r = arith.ceildivui %a, %d {it} : index"),
            Bytes(86));
}

TEST_F(BufferSize, BoundOfDimension) {
  EXPECT_EQ(bound("%c = arith.constant 64 : index\n"
                  "%s = arith.minui %n, %c : index\n"
                  "%r = tensor.empty(%s) {it} : tensor<?x8xf32>",
                  0),
            Bytes(64));
  EXPECT_EQ(bound("%r = tensor.empty(%n) {it} : tensor<?x8xf32>", 1), Bytes(8));
  EXPECT_EQ(bound("%r = tensor.empty(%n) {it} : tensor<?x8xf32>", 0), Bytes());
  EXPECT_EQ(bound("%c = arith.constant 16 : index\n"
                  "%s = arith.minsi %n, %c : index\n"
                  "%r = tensor.extract_slice %t[0, 0] [%s, 8] [1, 1] {it} "
                  ": tensor<?x8xf32> to tensor<?x8xf32>",
                  0),
            Bytes(16));
}

} // namespace
