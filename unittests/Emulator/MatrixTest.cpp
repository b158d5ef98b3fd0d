//===- MatrixTest.cpp - layouts and products of matrix ops ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lib/Emulator/MatrixUnit.h"
#include "gtest/gtest.h"
#include <map>
#include <tuple>

using namespace mlir::memspace::emulator;

namespace {
using Key = std::tuple<unsigned, unsigned, unsigned, unsigned>;

/// How often `fragment` has each element of the box.
void expectCover(const Fragment &fragment, unsigned numLanes, unsigned m,
                 unsigned n, unsigned k, unsigned blocks, unsigned copies) {
  ASSERT_EQ(fragment.elements.size(), numLanes * fragment.numValues);
  std::map<Key, unsigned> counts;
  for (const MatrixElement &e : fragment.elements) {
    EXPECT_LT(e.m, m);
    EXPECT_LT(e.n, n);
    EXPECT_LT(e.k, k);
    EXPECT_LT(e.block, blocks);
    ++counts[{e.m, e.n, e.k, e.block}];
  }
  EXPECT_EQ(counts.size(), m * n * k * blocks);
  for (const auto &[key, count] : counts)
    EXPECT_EQ(count, copies);
}

void expectCover(const std::optional<MatrixLayout> &layout, unsigned copies) {
  ASSERT_TRUE(layout);
  auto [m, n, k, blocks] = layout->shape;
  expectCover(layout->a, layout->numLanes, m, 1, k, blocks, copies);
  expectCover(layout->b, layout->numLanes, 1, n, k, blocks, copies);
  expectCover(layout->c, layout->numLanes, m, n, 1, blocks, 1);
}

Key at(const Fragment &fragment, unsigned lane, unsigned value) {
  const MatrixElement &e = fragment.at(lane, value);
  return {e.m, e.n, e.k, e.block};
}

MatrixNumber getFloat(const llvm::fltSemantics &semantics) {
  MatrixNumber number;
  number.semantics = &semantics;
  number.bits = llvm::APFloat::getSizeInBits(semantics);
  return number;
}

MatrixNumber getInteger(unsigned bits, bool isUnsigned = false) {
  MatrixNumber number;
  number.bits = bits;
  number.isUnsigned = isUnsigned;
  return number;
}

uint64_t getBits(const MatrixNumber &number, double value) {
  if (!number.semantics)
    return llvm::APInt(number.bits, int64_t(value), true).getZExtValue();
  llvm::APFloat parsed(value);
  bool isLossy;
  parsed.convert(*number.semantics, llvm::APFloat::rmNearestTiesToEven,
                 &isLossy);
  return parsed.bitcastToAPInt().getZExtValue();
}

/// A of ones but for its first column, B of ones but for its first row, C
/// constant: all elements of the result are alike.
struct Uniform {
  double a0 = 1, a = 1, b0 = 1, b = 1, c = 0;
};

std::vector<llvm::SmallVector<uint64_t>> getWords(const MatrixOp &op,
                                                  const Uniform &values) {
  std::vector<llvm::SmallVector<uint64_t>> words(op.layout.numLanes);
  for (unsigned lane = 0; lane < op.layout.numLanes; ++lane) {
    for (unsigned v = 0; v < op.layout.a.numValues; ++v)
      words[lane].push_back(
          getBits(op.a, op.layout.a.at(lane, v).k == 0 ? values.a0 : values.a));
    for (unsigned v = 0; v < op.layout.b.numValues; ++v)
      words[lane].push_back(
          getBits(op.b, op.layout.b.at(lane, v).k == 0 ? values.b0 : values.b));
    words[lane].append(op.layout.c.numValues, getBits(op.c, values.c));
  }
  return words;
}

/// The one word of all results.
uint64_t multiply(const MatrixOp &op, const Uniform &values) {
  MatrixProduct product = multiplyMatrices(op, getWords(op, values), 0);
  EXPECT_EQ(product.error, "");
  for (uint64_t word : product.words)
    EXPECT_EQ(word, product.words.front());
  return product.words.front();
}
} // namespace

TEST(MatrixLayoutTest, MmaSyncHasEachElementOnce) {
  struct Case {
    unsigned bits;
    MatrixShape shape;
  };
  for (const Case &c :
       {Case{64, {8, 8, 4}}, Case{64, {16, 8, 4}}, Case{64, {16, 8, 8}},
        Case{64, {16, 8, 16}}, Case{32, {16, 8, 4}}, Case{32, {16, 8, 8}},
        Case{16, {16, 8, 8}}, Case{16, {16, 8, 16}}, Case{8, {8, 8, 16}},
        Case{8, {16, 8, 16}}, Case{8, {16, 8, 32}}, Case{4, {8, 8, 32}},
        Case{4, {16, 8, 32}}, Case{4, {16, 8, 64}}}) {
    std::optional<MatrixLayout> layout = getMmaSyncLayout(c.shape, c.bits);
    expectCover(layout, 1);
    EXPECT_EQ(layout->numLanes, 32u);
  }
  EXPECT_FALSE(getMmaSyncLayout({16, 8, 32}, 16));
  EXPECT_FALSE(getMmaSyncLayout({16, 16, 16}, 16));
}

// Figures of the PTX ISA: lane 9 is groupID 2, threadID_in_group 1.
TEST(MatrixLayoutTest, MmaSyncAsInThePTXISA) {
  std::optional<MatrixLayout> layout = getMmaSyncLayout({16, 8, 16}, 16);
  ASSERT_TRUE(layout);
  EXPECT_EQ(at(layout->a, 9, 0), (Key{2, 0, 2, 0}));
  EXPECT_EQ(at(layout->a, 9, 1), (Key{2, 0, 3, 0}));
  EXPECT_EQ(at(layout->a, 9, 2), (Key{10, 0, 2, 0}));
  EXPECT_EQ(at(layout->a, 9, 4), (Key{2, 0, 10, 0}));
  EXPECT_EQ(at(layout->a, 9, 7), (Key{10, 0, 11, 0}));
  EXPECT_EQ(at(layout->b, 9, 1), (Key{0, 2, 3, 0}));
  EXPECT_EQ(at(layout->b, 9, 2), (Key{0, 2, 10, 0}));
  EXPECT_EQ(at(layout->c, 9, 1), (Key{2, 3, 0, 0}));
  EXPECT_EQ(at(layout->c, 9, 2), (Key{10, 2, 0, 0}));
}

TEST(MatrixLayoutTest, MFMAHasEachElementOnce) {
  for (MatrixShape shape :
       {MatrixShape{32, 32, 1, 2}, MatrixShape{16, 16, 1, 4},
        MatrixShape{4, 4, 1, 16}, MatrixShape{32, 32, 2},
        MatrixShape{16, 16, 4}, MatrixShape{32, 32, 4, 2},
        MatrixShape{16, 16, 4, 4}, MatrixShape{4, 4, 4, 16},
        MatrixShape{32, 32, 8}, MatrixShape{16, 16, 16},
        MatrixShape{32, 32, 16}, MatrixShape{16, 16, 32},
        MatrixShape{16, 16, 128}, MatrixShape{32, 32, 64}}) {
    std::optional<MatrixLayout> layout = getMFMALayout(shape, false);
    expectCover(layout, 1);
    EXPECT_EQ(layout->numLanes, 64u);
  }
  expectCover(getMFMALayout({16, 16, 4}, true), 1);
  expectCover(getMFMALayout({4, 4, 4, 4}, true), 1);
  // Fewer elements than lanes.
  EXPECT_FALSE(getMFMALayout({16, 16, 2}, false));
  EXPECT_FALSE(getMFMALayout({4, 4, 1}, false));
  EXPECT_FALSE(getMFMALayout({4, 16, 16, 4}, false));
}

// Equations of AMD's calculator.
TEST(MatrixLayoutTest, MFMAAsInTheCalculator) {
  // A[i][k]: lane 32 * floor(k / 4) + i, value k mod 4; D[i][j]: lane 32 *
  // (floor(i / 4) mod 2) + j, value 4 * floor(i / 8) + i mod 4.
  std::optional<MatrixLayout> layout = getMFMALayout({32, 32, 8}, false);
  ASSERT_TRUE(layout);
  EXPECT_EQ(at(layout->a, 37, 2), (Key{5, 0, 6, 0}));
  EXPECT_EQ(at(layout->b, 37, 2), (Key{0, 5, 6, 0}));
  EXPECT_EQ(at(layout->c, 37, 6), (Key{14, 5, 0, 0}));
  // D[i][j].block: lane 16 * i + 4 * block + j.
  layout = getMFMALayout({4, 4, 4, 4}, true);
  ASSERT_TRUE(layout);
  EXPECT_EQ(at(layout->a, 4 * 3 + 16 * 2 + 1, 0), (Key{1, 0, 2, 3}));
  EXPECT_EQ(at(layout->c, 4 * 3 + 16 * 2 + 1, 0), (Key{2, 1, 0, 3}));
}

TEST(MatrixLayoutTest, WMMAHasCopiesOnRDNA3Only) {
  std::optional<MatrixLayout> wave32 = getWMMALayout({16, 16, 16}, 16, 16, 8);
  expectCover(wave32, 2);
  EXPECT_EQ(at(wave32->a, 19, 5), (Key{3, 0, 5, 0}));
  EXPECT_EQ(at(wave32->c, 19, 5), (Key{11, 3, 0, 0}));
  expectCover(getWMMALayout({16, 16, 16}, 8, 16, 4), 4);
  for (unsigned bits : {16, 8, 4})
    expectCover(getWMMALayout({16, 16, 16}, bits, 8, 8), 1);
  expectCover(getWMMALayout({16, 16, 32}, 4, 16, 8), 1);
  std::optional<MatrixLayout> rdna4 = getWMMALayout({16, 16, 16}, 8, 8, 8);
  ASSERT_TRUE(rdna4);
  EXPECT_EQ(at(rdna4->a, 19, 5), (Key{3, 0, 13, 0}));
  EXPECT_EQ(at(rdna4->c, 19, 5), (Key{13, 3, 0, 0}));
  EXPECT_FALSE(getWMMALayout({16, 16, 16}, 16, 4, 4));
  EXPECT_FALSE(getWMMALayout({16, 16, 32}, 16, 16, 8));
}

TEST(MatrixLayoutTest, AnOpaqueLayoutHasEachElementOnce) {
  for (unsigned lanes : {8, 32, 64})
    expectCover(getOpaqueLayout({16, 8, 24}, lanes), 1);
  // 8 * 4 elements of B for 64 lanes.
  EXPECT_FALSE(getOpaqueLayout({16, 8, 4}, 64));
}

TEST(MatrixUnitTest, HalvesAreSummedInSinglePrecision) {
  MatrixOp op{*getMmaSyncLayout({16, 8, 8}, 16),
              getFloat(llvm::APFloat::IEEEhalf()),
              getFloat(llvm::APFloat::IEEEhalf()),
              getFloat(llvm::APFloat::IEEEsingle())};
  // 300 * 300 is no f16.
  EXPECT_EQ(multiply(op, {300, 0, 300, 0, 1}), getBits(op.c, 90001));
  // 2^24 + 1 + … + 1: each 1 is lost in an f32.
  EXPECT_EQ(multiply(op, {0, 1, 0, 1, 16777216}), getBits(op.c, 16777216));
  // A result of 16 bits is rounded once: 2048 + 7 to 2056. Rounded after each
  // sum it would stay 2048.
  op.c = getFloat(llvm::APFloat::IEEEhalf());
  EXPECT_EQ(multiply(op, {1, 0, 2, 0, 2048}), getBits(op.c, 2050));
  EXPECT_EQ(multiply(op, {0, 1, 0, 1, 2048}), getBits(op.c, 2048 + 8));
}

TEST(MatrixUnitTest, TF32IgnoresTheLowerBits) {
  MatrixOp op{*getMmaSyncLayout({16, 8, 8}, 32),
              getFloat(llvm::APFloat::IEEEsingle()),
              getFloat(llvm::APFloat::IEEEsingle()),
              getFloat(llvm::APFloat::IEEEsingle())};
  double fine = 1 + 1.0 / 4096;
  EXPECT_EQ(multiply(op, {fine, 0, 1, 0}), getBits(op.c, fine));
  op.a.ignoredBits = op.b.ignoredBits = 13;
  EXPECT_EQ(multiply(op, {fine, 0, 1, 0}), getBits(op.c, 1));
  EXPECT_EQ(multiply(op, {1, 0, fine, 0}), getBits(op.c, 1));
}

TEST(MatrixUnitTest, NegatedOperands) {
  MatrixNumber f64 = getFloat(llvm::APFloat::IEEEdouble());
  MatrixOp op{*getMFMALayout({16, 16, 4}, true), f64, f64, f64};
  op.a.isNegated = true;
  EXPECT_EQ(multiply(op, {2, 1, 3, 1, 5}), getBits(f64, 5 - 6 - 3));
  op.c.isNegated = true;
  EXPECT_EQ(multiply(op, {2, 1, 3, 1, 5}), getBits(f64, -5 - 6 - 3));
}

TEST(MatrixUnitTest, IntegersWrapOrSaturate) {
  MatrixOp op{*getMmaSyncLayout({16, 8, 16}, 8), getInteger(8), getInteger(8),
              getInteger(32)};
  EXPECT_EQ(multiply(op, {-128, 0, 127, 0, 1}), getBits(op.c, 1 - 128 * 127));
  double top = 2147483647, bottom = -2147483648.0;
  EXPECT_EQ(multiply(op, {1, 0, 1, 0, top}), getBits(op.c, bottom));
  EXPECT_EQ(multiply(op, {-1, 0, 1, 0, bottom}), getBits(op.c, top));
  op.saturates = true;
  EXPECT_EQ(multiply(op, {1, 0, 1, 0, top}), getBits(op.c, top));
  EXPECT_EQ(multiply(op, {-1, 0, 1, 0, bottom}), getBits(op.c, bottom));
  op.a = getInteger(8, /*isUnsigned=*/true);
  EXPECT_EQ(multiply(op, {-1, 0, 1, 0, 0}), 255u);
}

TEST(MatrixUnitTest, CopiesMustAgree) {
  MatrixOp op{*getWMMALayout({16, 16, 16}, 8, 16, 8), getInteger(8),
              getInteger(8), getInteger(32)};
  std::vector<llvm::SmallVector<uint64_t>> words = getWords(op, {});
  EXPECT_EQ(multiplyMatrices(op, words, 0).error, "");
  words[19][op.layout.a.numValues] = 7;
  EXPECT_EQ(multiplyMatrices(op, words, 0).error,
            "needs the same values of B in lanes 3 and 19, which hold copies; "
            "load them alike");
}

// A rotated layout is the same matrix in other lanes.
TEST(MatrixUnitTest, AShiftRotatesTheLanes) {
  MatrixNumber f32 = getFloat(llvm::APFloat::IEEEsingle());
  MatrixOp op{*getOpaqueLayout({8, 8, 8}, 32), f32, f32, f32};
  std::vector<llvm::SmallVector<uint64_t>> words(32), rotated(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned v = 0; v < 6; ++v)
      words[lane].push_back(getBits(f32, (lane * 7 + v * 3) % 11));
  for (unsigned lane = 0; lane < 32; ++lane)
    rotated[lane] = words[(lane + 5) % 32];
  MatrixProduct product = multiplyMatrices(op, words, 0);
  MatrixProduct shifted = multiplyMatrices(op, rotated, 5);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned v = 0; v < 2; ++v)
      EXPECT_EQ(shifted.words[lane * 2 + v],
                product.words[(lane + 5) % 32 * 2 + v]);
}
