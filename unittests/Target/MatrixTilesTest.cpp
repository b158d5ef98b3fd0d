//===- MatrixTilesTest.cpp - the table of matrix units ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/MatrixTiles.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct MatrixTiles : public ::testing::Test {
  std::vector<int64_t> tile(StringRef chip, Type factor, Type accumulator) {
    std::optional<MatrixTile> found =
        getMatrixTile(*lookupTarget(chip), factor, factor, accumulator);
    if (!found)
      return {};
    return {found->m, found->n, found->k};
  }
  MLIRContext context;
  Builder b{&context};
};
using Tile = std::vector<int64_t>;
} // namespace

TEST_F(MatrixTiles, Chips) {
  EXPECT_EQ(tile("gfx942", b.getF32Type(), b.getF32Type()), Tile({16, 16, 4}));
  EXPECT_EQ(tile("gfx942", b.getF16Type(), b.getF32Type()), Tile({16, 16, 16}));
  EXPECT_EQ(tile("gfx950", b.getBF16Type(), b.getF32Type()),
            Tile({16, 16, 32}));
  EXPECT_EQ(tile("gfx90a", b.getI8Type(), b.getI32Type()), Tile({16, 16, 16}));
  EXPECT_EQ(tile("gfx1100", b.getF16Type(), b.getF32Type()),
            Tile({16, 16, 16}));
  EXPECT_EQ(tile("sm_90a", b.getF16Type(), b.getF32Type()), Tile({16, 8, 16}));
  EXPECT_EQ(tile("sm_80", b.getF64Type(), b.getF64Type()), Tile({8, 8, 4}));
}

TEST_F(MatrixTiles, None) {
  EXPECT_EQ(tile("gfx906", b.getF16Type(), b.getF32Type()), Tile());
  EXPECT_EQ(tile("gfx1030", b.getF16Type(), b.getF32Type()), Tile());
  // TF32 is another type than f32.
  EXPECT_EQ(tile("sm_90", b.getF32Type(), b.getF32Type()), Tile());
  // It does not add up in this type, nor multiply indices.
  EXPECT_EQ(tile("gfx942", b.getF16Type(), b.getF16Type()), Tile());
  EXPECT_EQ(tile("gfx942", b.getIndexType(), b.getIndexType()), Tile());
  EXPECT_FALSE(getMatrixTile(TargetInfo::getAnyGPU(), b.getF16Type(),
                             b.getF16Type(), b.getF32Type()));
  EXPECT_FALSE(getMatrixTile(*lookupTarget("gfx942"), b.getF16Type(),
                             b.getBF16Type(), b.getF32Type()));
}
