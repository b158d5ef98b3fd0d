//===- TiledLayoutTest.cpp - the algebra of layouts by brute force -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Encoding/RandomLayouts.h"
#include <limits>

using namespace mlir::memspace;

namespace {
TiledLayout makeLayout(unsigned rank, TiledLayoutParts parts) {
  std::string reason;
  std::optional<TiledLayout> layout =
      TiledLayout::create(rank, std::move(parts), &reason);
  EXPECT_TRUE(layout) << reason;
  return layout.value_or(TiledLayout::getIdentity(rank));
}
} // namespace

// The answer for static shapes is that of the byte maps, in both directions.
TEST(TiledLayout, StaticShapesAsByteMaps) {
  RandomLayouts random(1);
  unsigned same = 0, identical = 0, different = 0, padded = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    Shape shape = random.makeShape();
    TiledLayout a = random.makeLayout(shape);
    TiledLayout b =
        random.oneOf(2) ? random.change(a, shape) : random.makeLayout(shape);
    int64_t bytes = 1 << random.pick(0, 2);
    std::vector<int64_t> mapA = getByteMap(a, shape, bytes),
                         mapB = getByteMap(b, shape, bytes);
    llvm::SmallVector<LayoutExtent> extents = getStaticExtents(shape);
    ASSERT_EQ(a.isSameLayout(b, extents), mapA == mapB) << "pair " << i;
    ASSERT_EQ(b.isSameLayout(a, extents), mapA == mapB) << "pair " << i;
    std::vector<int64_t> rowMajor(mapA.size());
    std::iota(rowMajor.begin(), rowMajor.end(), 0);
    ASSERT_EQ(*a.getAxes(extents) == *b.getAxes(extents), mapA == mapB)
        << "pair " << i;
    ASSERT_EQ(getByteMap(*a.getAxes(extents), shape, bytes), mapA)
        << "layout " << i;
    bool hasPadding = llvm::is_contained(mapA, -1);
    ASSERT_EQ(a.isIdentityLayout(extents), mapA == rowMajor) << "layout " << i;
    ASSERT_EQ(a.getByteSize(extents, bytes), int64_t(mapA.size()))
        << "layout " << i;
    ASSERT_EQ(a.mayHavePadding(extents), hasPadding) << "layout " << i;
    int64_t places = bytes;
    auto physical = a.getPhysicalShape(extents);
    for (std::optional<int64_t> extent : *physical)
      places *= *extent;
    ASSERT_EQ(places, int64_t(mapA.size())) << "layout " << i;
    same += mapA == mapB && a != b && !mapA.empty();
    different += mapA != mapB;
    identical +=
        mapA == rowMajor && a != TiledLayout::getIdentity(shape.size());
    padded += hasPadding;
  }
  // All kinds of pairs are there often.
  EXPECT_GT(same, 2000u);
  EXPECT_GT(different, 5000u);
  EXPECT_GT(identical, 1000u);
  EXPECT_GT(padded, 2000u);
}

// What is said of a dynamic shape holds for each of its tensors.
TEST(TiledLayout, DynamicShapesAsByteMaps) {
  RandomLayouts random(2);
  unsigned same = 0, provable = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    Shape shape = random.makeShape();
    TiledLayout a = random.makeLayout(shape);
    TiledLayout b =
        random.oneOf(2) ? random.change(a, shape) : random.makeLayout(shape);
    llvm::SmallVector<LayoutExtent> extents = getStaticExtents(shape);
    for (LayoutExtent &extent : extents)
      if (random.oneOf(2))
        extent = LayoutExtent::getDynamic(random.pick(1, 6));
    bool isAlwaysSame = true, mayBePadded = false;
    bool isDynamic = false;
    for (unsigned run = 0; run < 12; ++run) {
      for (size_t dim = 0; dim < shape.size(); ++dim)
        if (!extents[dim].size) {
          shape[dim] = random.pick(0, 4) * extents[dim].divisor;
          isDynamic = true;
        }
      std::vector<int64_t> mapA = getByteMap(a, shape, 1),
                           mapB = getByteMap(b, shape, 1);
      isAlwaysSame &= mapA == mapB;
      mayBePadded |= llvm::is_contained(mapA, -1);
      ASSERT_EQ(getByteMap(*a.getAxes(extents), shape, 1), mapA)
          << "layout " << i;
    }
    ASSERT_EQ(*a.getAxes(extents) == *b.getAxes(extents),
              a.isSameLayout(b, extents))
        << "pair " << i;
    if (a.isSameLayout(b, extents)) {
      ASSERT_TRUE(isAlwaysSame) << "pair " << i;
      same += isDynamic && a != b;
    }
    provable += isDynamic && a != b && isAlwaysSame;
    if (mayBePadded) {
      ASSERT_TRUE(a.mayHavePadding(extents)) << "layout " << i;
    }
  }
  EXPECT_GT(same, 500u);
  // Not all, but most of what is so can be proved. (Twelve tensors of a shape
  // are too few to say that it is so of all.)
  EXPECT_GT(same * 10, provable * 6);
}

TEST(TiledLayout, WhatDoesNotChangeThePlaces) {
  auto isIdentity = [](std::initializer_list<int64_t> shape,
                       TiledLayoutParts parts) {
    return makeLayout(shape.size(), std::move(parts))
        .isIdentityLayout(getStaticExtents(shape));
  };
  // Tiles of extent 1, in any order; permutations of unit extents; tiles of
  // which one is the whole dimension.
  EXPECT_TRUE(isIdentity({8, 4}, {{}, {1, 0}, {1, 1}, {}}));
  EXPECT_TRUE(isIdentity({8, 1}, {{}, {}, {}, {1, 0}}));
  EXPECT_TRUE(isIdentity({1, 8, 1}, {{}, {}, {}, {2, 1, 0}}));
  EXPECT_TRUE(isIdentity({8, 4}, {{}, {1}, {4}, {}}));
  EXPECT_TRUE(isIdentity({8, 4}, {{}, {0, 1}, {2, 4}, {}}));
  EXPECT_TRUE(isIdentity({8, 4}, {{4, 2}, {}, {}, {}}));
  EXPECT_TRUE(isIdentity({0, 4}, {{}, {}, {}, {1, 0}}));
  EXPECT_TRUE(isIdentity({}, {}));
  // Those that do.
  EXPECT_FALSE(isIdentity({8, 4}, {{}, {}, {}, {1, 0}}));
  EXPECT_FALSE(isIdentity({8, 4}, {{}, {0, 1}, {2, 2}, {}}));
  EXPECT_FALSE(isIdentity({8, 4}, {{}, {1, 0}, {4, 2}, {}}));
}

// Padding at the end moves no element, but the memory has another size.
TEST(TiledLayout, PaddingMakesLayoutsDiffer) {
  TiledLayout cut = makeLayout(2, {{}, {0, 1}, {16, 64}, {}});
  auto whole = getStaticExtents({128, 64}),
       ragged = getStaticExtents({120, 64});
  EXPECT_TRUE(cut.isIdentityLayout(whole));
  EXPECT_FALSE(cut.mayHavePadding(whole));
  EXPECT_FALSE(cut.isIdentityLayout(ragged));
  EXPECT_TRUE(cut.mayHavePadding(ragged));
  EXPECT_EQ(cut.getByteSize(ragged, 4), 128 * 64 * 4);
  // The attributes differ in one number only.
  TiledLayout by8 = makeLayout(2, {{8, 1}, {}, {}, {}}),
              by16 = makeLayout(2, {{16, 1}, {}, {}, {}});
  EXPECT_TRUE(by8.isSameLayout(by16, whole));
  EXPECT_FALSE(by8.isSameLayout(by16, ragged));
  EXPECT_TRUE(by16.isSameLayout(cut, ragged));
}

TEST(TiledLayout, KnownDivisors) {
  TiledLayout cut = makeLayout(2, {{}, {0, 1}, {16, 64}, {}});
  auto rows = [](int64_t divisor) {
    return llvm::SmallVector<LayoutExtent>{LayoutExtent::getDynamic(divisor),
                                           LayoutExtent::getStatic(64)};
  };
  EXPECT_TRUE(cut.isIdentityLayout(rows(128)));
  EXPECT_FALSE(cut.isIdentityLayout(rows(8)));
  // Rounding a multiple of 128 up to one changes nothing, one of 64 perhaps.
  TiledLayout other = makeLayout(2, {{128, 1}, {}, {}, {}});
  EXPECT_TRUE(cut.isSameLayout(other, rows(128)));
  EXPECT_FALSE(cut.isSameLayout(other, rows(64)));
  // Tiles that jump: the same jump, whatever the extent is.
  llvm::SmallVector<LayoutExtent> both = {LayoutExtent::getDynamic(128),
                                          LayoutExtent::getDynamic(128)};
  TiledLayout tiled = makeLayout(2, {{}, {0, 1}, {16, 16}, {}}),
              padded = makeLayout(2, {{64, 32}, {0, 1}, {16, 16}, {0, 1}});
  EXPECT_TRUE(tiled.isSameLayout(padded, both));
  EXPECT_FALSE(tiled.isIdentityLayout(both));
  EXPECT_EQ(tiled.getByteSize(both, 2), std::nullopt);
}

TEST(TiledLayout, Refusals) {
  auto getReason = [](unsigned rank, TiledLayoutParts parts) {
    std::string reason;
    EXPECT_FALSE(TiledLayout::create(rank, std::move(parts), &reason));
    return reason;
  };
  EXPECT_EQ(getReason(2, {{4}, {}, {}, {}}),
            "has 1 padding multiples for 2 dimensions");
  EXPECT_EQ(getReason(1, {{0}, {}, {}, {}}), "has a padding multiple below 1");
  EXPECT_EQ(getReason(2, {{}, {0, 1}, {4}, {}}),
            "has 1 inner tiles for 2 tiled dimensions");
  EXPECT_EQ(getReason(2, {{}, {0}, {0}, {}}), "has an inner tile below 1");
  EXPECT_EQ(getReason(2, {{}, {2}, {4}, {}}), "tiles dimension 2 of 2");
  EXPECT_EQ(getReason(2, {{}, {0, 0}, {4, 4}, {}}), "tiles dimension 0 twice");
  EXPECT_EQ(getReason(2, {{}, {}, {}, {0, 0}}),
            "has an outer permutation that is none of 2 dimensions");
  EXPECT_EQ(getReason(2, {{}, {}, {}, {0}}),
            "has an outer permutation that is none of 2 dimensions");
}

// What cannot be counted is not said to be the same, and has no size.
TEST(TiledLayout, Overflow) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  TiledLayout rows = TiledLayout::getIdentity(2),
              columns = makeLayout(2, {{}, {}, {}, {1, 0}}),
              padded = makeLayout(2, {{most, most}, {}, {}, {}});
  auto huge = getStaticExtents({most, most}), small = getStaticExtents({3, 3});
  EXPECT_FALSE(rows.isSameLayout(columns, huge));
  EXPECT_TRUE(rows.isSameLayout(rows, huge));
  EXPECT_EQ(rows.getByteSize(huge, 1), std::nullopt);
  EXPECT_EQ(rows.getByteSize(getStaticExtents({most, 1}), 2), std::nullopt);
  EXPECT_EQ(padded.getByteSize(small, 1), std::nullopt);
  EXPECT_FALSE(padded.isIdentityLayout(small));
  EXPECT_FALSE(rows.isSameLayout(TiledLayout::getIdentity(1), small));
}
