//===- HostBufferTest.cpp - arrays and .npy files -------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace::emulator;

namespace {
class HostBufferTest : public ::testing::Test {
protected:
  MLIRContext context;
  Builder builder{&context};

  SmallVector<Type> getTypes() {
    return {builder.getI1Type(),
            builder.getIntegerType(4),
            builder.getI8Type(),
            builder.getI16Type(),
            builder.getIntegerType(24),
            builder.getI32Type(),
            builder.getI64Type(),
            builder.getIndexType(),
            builder.getF16Type(),
            builder.getBF16Type(),
            builder.getF32Type(),
            builder.getF64Type(),
            builder.getType<Float8E4M3FNType>(),
            ComplexType::get(builder.getF32Type()),
            VectorType::get({4}, builder.getF32Type())};
  }
};

struct TemporaryFile {
  SmallString<64> path;
  TemporaryFile() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("buffer", "npy", path));
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  void write(StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
  }
};

std::string getError(llvm::Expected<HostBuffer> buffer) {
  EXPECT_FALSE(bool(buffer));
  return buffer ? "" : llvm::toString(buffer.takeError());
}
} // namespace

TEST_F(HostBufferTest, ElementSizesAreThoseOfLLVM) {
  EXPECT_EQ(getElementBytes(builder.getI1Type()), 1);
  EXPECT_EQ(getElementBytes(builder.getIntegerType(4)), 1);
  EXPECT_EQ(getElementBytes(builder.getIntegerType(24)), 4);
  EXPECT_EQ(getElementBytes(builder.getIndexType()), 8);
  EXPECT_EQ(getElementBytes(VectorType::get({3}, builder.getF32Type())), 16);
  EXPECT_EQ(getElementBytes(VectorType::get({2, 3}, builder.getF32Type())), 32);
  EXPECT_EQ(getElementBytes(builder.getNoneType()), 0);
}

TEST_F(HostBufferTest, TypesWithoutHostElementsAreTold) {
  EXPECT_TRUE(isHostElement(builder.getIntegerType(64)));
  EXPECT_TRUE(isHostElement(VectorType::get({2, 3}, builder.getF32Type())));
  EXPECT_TRUE(isHostElement(ComplexType::get(builder.getF64Type())));
  EXPECT_FALSE(isHostElement(builder.getIntegerType(65)));
  EXPECT_FALSE(isHostElement(builder.getType<Float80Type>()));
  EXPECT_FALSE(isHostElement(builder.getNoneType()));
  // Larger than 64 bits can say.
  int64_t extent = int64_t(1) << 40;
  EXPECT_EQ(
      getElementBytes(VectorType::get({extent, extent}, builder.getF32Type())),
      0);
}

// Integers of widths that no CPU has are those of the next wider type, by their
// sign: so in memory, so in files, so in messages.
TEST_F(HostBufferTest, PaddedIntegersAreExtended) {
  struct Case {
    Type type;
    int64_t value, extended;
  };
  auto get = [&](unsigned width, IntegerType::SignednessSemantics sign =
                                     IntegerType::Signless) {
    return IntegerType::get(&context, width, sign);
  };
  for (const Case &c :
       std::vector<Case>{{get(1), 1, 1},
                         {get(1), -1, 1},
                         {get(2), 2, -2},
                         {get(4), 13, -3},
                         {get(4), -3, -3},
                         {get(4, IntegerType::Signed), 13, -3},
                         {get(4, IntegerType::Unsigned), 13, 13},
                         {get(4, IntegerType::Unsigned), -3, 13},
                         {get(7), 64, -64},
                         {get(9), 256, -256},
                         {get(24), 0xFFFFFF, -1},
                         {get(33), int64_t(1) << 32, -(int64_t(1) << 32)}}) {
    ASSERT_TRUE(hasPaddedIntegers(c.type));
    HostBuffer set = HostBuffer::zeros(c.type, {1});
    set.setInteger(0, c.value);
    EXPECT_EQ(set.getInteger(0), c.extended);
    EXPECT_TRUE(HostBuffer::fill(c.type, {1}, double(c.value)).equals(set));
    // As LLVM has it in memory, and back.
    HostBuffer memory = set;
    memory.zeroExtendIntegers();
    uint64_t bits = 0;
    std::memcpy(&bits, memory.bytes.data(), memory.bytes.size());
    EXPECT_TRUE(llvm::isUIntN(c.type.getIntOrFloatBitWidth(), bits));
    EXPECT_TRUE(memory.equals(set)) << memory.describeDifference(set);
    memory.extendIntegers();
    EXPECT_EQ(memory.bytes, set.bytes);
    TemporaryFile file;
    ASSERT_FALSE(llvm::errorToBool(writeNpy(file.path, set)));
    llvm::Expected<HostBuffer> read = readNpy(file.path, c.type);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->bytes, set.bytes);
  }
  HostBuffer a = HostBuffer::fill(builder.getIntegerType(4), {1}, -3), b = a;
  b.setInteger(0, 5);
  EXPECT_EQ(a.describeDifference(b),
            "1 of 1 elements differ, the first at [0]: -3 instead of 5");
  EXPECT_FALSE(hasPaddedIntegers(builder.getI8Type()));
  EXPECT_FALSE(hasPaddedIntegers(builder.getIndexType()));
}

// Vectors of them are packed.
TEST_F(HostBufferTest, PackedVectorsAreFilled) {
  Type i1 = builder.getI1Type();
  HostBuffer ones = HostBuffer::fill(VectorType::get({2, 12}, i1), {1}, 1);
  EXPECT_EQ(ones.bytes, (std::vector<uint8_t>{0xFF, 0x0F, 0xFF, 0x0F}));
  HostBuffer threes =
      HostBuffer::fill(VectorType::get({3}, builder.getIntegerType(4)), {1}, 3);
  EXPECT_EQ(threes.bytes, (std::vector<uint8_t>{0x33, 0x03}));
}

TEST_F(HostBufferTest, NpyRoundTrip) {
  for (Type type : getTypes())
    for (const SmallVector<int64_t> &shape :
         std::vector<SmallVector<int64_t>>{{}, {5}, {2, 3}, {2, 0, 3}}) {
      TemporaryFile file;
      HostBuffer buffer = HostBuffer::random(type, shape, 7);
      ASSERT_FALSE(llvm::errorToBool(writeNpy(file.path, buffer)));
      llvm::Expected<HostBuffer> read = readNpy(file.path, type);
      ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
      EXPECT_TRUE(read->equals(buffer)) << read->describeDifference(buffer);
    }
}

TEST_F(HostBufferTest, FortranOrder) {
  TemporaryFile file;
  std::string header =
      "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }";
  header.append(118 - 1 - header.size(), ' ');
  header.push_back('\n');
  // Columns first: (0,0), (1,0), (0,1), …
  file.write("\x93NUMPY" + std::string("\x01\0\x76\0", 4) + header +
             "\1\4\2\5\3\6");
  llvm::Expected<HostBuffer> buffer = readNpy(file.path, builder.getI8Type());
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(buffer->getInteger(i), i + 1);
}

TEST_F(HostBufferTest, BadFilesAreRefused) {
  TemporaryFile file;
  EXPECT_NE(
      getError(readNpy("/nowhere/x.npy", builder.getF32Type())).find("No such"),
      std::string::npos);
  file.write("no array");
  EXPECT_NE(
      getError(readNpy(file.path, builder.getF32Type())).find("not an .npy"),
      std::string::npos);
  file.write(std::string("\x93NUMPY\x01\0\xFF\x7F{}", 12));
  EXPECT_NE(
      getError(readNpy(file.path, builder.getF32Type())).find("cut short"),
      std::string::npos);
  auto writeHeader = [&](std::string header, StringRef data, Type type = {}) {
    header.push_back('\n');
    std::string text("\x93NUMPY\x01\0", 8);
    text.push_back(char(header.size()));
    text.push_back(0);
    file.write(text + header + data.str());
    return getError(readNpy(file.path, type ? type : builder.getF32Type()));
  };
  EXPECT_NE(
      writeHeader("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
                  "1234")
          .find("wanted are elements for f32"),
      std::string::npos);
  EXPECT_NE(
      writeHeader("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
                  "1234")
          .find("big-endian"),
      std::string::npos);
  EXPECT_NE(
      writeHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                  "1234")
          .find("another number"),
      std::string::npos);
  EXPECT_NE(writeHeader("{'descr': '<f4', 'fortran_order': False, 'shape': "
                        "(4294967296, 4294967296, 4294967296), }",
                        "1234")
                .find("another number"),
            std::string::npos);
  EXPECT_NE(
      writeHeader("{'descr': '<f4', 'shape': (1,), }", "1234").find("lacks"),
      std::string::npos);
  // Fewer dimensions than the vectors have.
  EXPECT_NE(
      writeHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
                  "1234", VectorType::get({1, 1}, builder.getF32Type()))
          .find("does not end in the dimensions"),
      std::string::npos);
  EXPECT_NE(
      writeHeader("{'descr': '|i1', 'fortran_order': False, 'shape': (4,), }",
                  "\x7\xF\x10\xF8", builder.getIntegerType(4))
          .find("element 2 (row-major) does not fit i4"),
      std::string::npos);
}

// NumPy has arrays of scalars: vectors become dimensions unless LLVM pads them.
TEST_F(HostBufferTest, VectorsWithoutArrayFormAreRefused) {
  TemporaryFile file;
  Type f32 = builder.getF32Type(), padded = VectorType::get({3}, f32);
  std::string wanted =
      "elements of type vector<3xf32> have no .npy form; use a memref of "
      "scalars";
  llvm::Error error = writeNpy(file.path, HostBuffer::zeros(padded, {2}));
  EXPECT_NE(llvm::toString(std::move(error)).find(wanted), std::string::npos);
  ASSERT_FALSE(
      llvm::errorToBool(writeNpy(file.path, HostBuffer::zeros(f32, {2, 3}))));
  EXPECT_NE(getError(readNpy(file.path, padded)).find(wanted),
            std::string::npos);
  EXPECT_NE(getError(readNpy(file.path, VectorType::get({2}, f32)))
                .find("shape (2, 3) does not end in the dimensions of "
                      "vector<2xf32>; reshape the array"),
            std::string::npos);
}

TEST_F(HostBufferTest, GeneratedContents) {
  HostBuffer iota = HostBuffer::iota(builder.getI8Type(), {300});
  EXPECT_EQ(iota.getInteger(127), 127);
  EXPECT_EQ(iota.getInteger(128), -128);
  EXPECT_EQ(iota.getInteger(256), 0);
  HostBuffer fill = HostBuffer::fill(builder.getBF16Type(), {2}, 1.0 / 3);
  EXPECT_EQ(fill.getFloat(1).convertToFloat(), 0.333984375f);
  EXPECT_EQ(HostBuffer::fill(builder.getI32Type(), {1}, -3).getInteger(0), -3);
  for (Type type : getTypes()) {
    HostBuffer a = HostBuffer::random(type, {100}, 1);
    EXPECT_TRUE(a.equals(HostBuffer::random(type, {100}, 1)));
    EXPECT_FALSE(a.equals(HostBuffer::random(type, {100}, 2)));
  }
  HostBuffer floats = HostBuffer::random(builder.getF32Type(), {1000}, 3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_GE(floats.getFloat(i).convertToFloat(), -1.0f);
    EXPECT_LE(floats.getFloat(i).convertToFloat(), 1.0f);
  }
}

TEST_F(HostBufferTest, DifferencesAreDescribed) {
  HostBuffer a = HostBuffer::zeros(builder.getF32Type(), {2, 2}), b = a;
  EXPECT_EQ(a.describeDifference(b), "");
  b.setDouble(2, 0.5);
  EXPECT_EQ(a.describeDifference(b),
            "1 of 4 elements differ, the first at [1, 0]: "
            "0 instead of 0.5");
  // Any two NaNs are the same result.
  a = HostBuffer::fill(builder.getF32Type(), {1}, std::nan("1"));
  b = HostBuffer::fill(builder.getF32Type(), {1}, -std::nan("2"));
  EXPECT_TRUE(a.equals(b));
  EXPECT_NE(a.describeDifference(HostBuffer::zeros(builder.getF32Type(), {2})),
            "");
}
