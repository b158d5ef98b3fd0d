//===- TiledLayoutTest.cpp - the algebra of layouts by brute force -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Encoding/TiledLayout.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using namespace mlir::memspace;
using Shape = std::vector<int64_t>;

namespace {
/// What each byte of the memory holds: the number of the byte in the row-major
/// tensor without gaps, or -1 for padding. Calculated place by place from what
/// the parts mean, without strides.
std::vector<int64_t> getByteMap(const TiledLayout &layout, const Shape &shape,
                                int64_t elementBytes) {
  const TiledLayoutParts &parts = layout.getParts();
  size_t rank = shape.size();
  std::vector<int64_t> order(rank), tiles(rank, 1);
  std::iota(order.begin(), order.end(), 0);
  if (!parts.outerPermutation.empty())
    order.assign(parts.outerPermutation.begin(), parts.outerPermutation.end());
  for (size_t i = 0; i < parts.tiledDims.size(); ++i)
    tiles[parts.tiledDims[i]] = parts.innerTiles[i];
  // The memory's extents, and which dimension each is a part of.
  std::vector<int64_t> extents, dims;
  for (int64_t dim : order) {
    int64_t padded = shape[dim];
    if (!parts.paddingMultiples.empty())
      while (padded % parts.paddingMultiples[dim] != 0)
        ++padded;
    int64_t count = 0;
    while (count * tiles[dim] < padded)
      ++count;
    extents.push_back(count);
    dims.push_back(dim);
  }
  for (size_t i = 0; i < parts.tiledDims.size(); ++i) {
    extents.push_back(parts.innerTiles[i]);
    dims.push_back(parts.tiledDims[i]);
  }
  std::vector<int64_t> map;
  if (std::count(extents.begin(), extents.end(), 0))
    return map;
  std::vector<int64_t> place(extents.size());
  while (true) {
    std::vector<int64_t> index(rank);
    for (size_t i = 0; i < place.size(); ++i)
      index[dims[i]] += place[i] * (i < rank ? tiles[dims[i]] : 1);
    int64_t element = 0;
    for (size_t dim = 0; dim < rank && element >= 0; ++dim)
      element =
          index[dim] < shape[dim] ? element * shape[dim] + index[dim] : -1;
    for (int64_t byte = 0; byte < elementBytes; ++byte)
      map.push_back(element < 0 ? -1 : element * elementBytes + byte);
    size_t i = place.size();
    while (i > 0 && ++place[i - 1] == extents[i - 1])
      place[--i] = 0;
    if (i == 0)
      return map;
  }
}

/// The same map by the memory's normal form.
std::vector<int64_t> getByteMap(llvm::ArrayRef<LayoutAxis> axes,
                                const Shape &shape, int64_t elementBytes) {
  auto getExtent = [&](const LayoutCount &count) {
    int64_t product = count.getNumerator();
    for (const UnknownCount &unknown : count.getUnknowns()) {
      int64_t padded = (shape[unknown.dim] + unknown.multiple - 1) /
                       unknown.multiple * unknown.multiple;
      product *= (padded + unknown.tile - 1) / unknown.tile;
    }
    EXPECT_EQ(product % count.getDenominator(), 0);
    return product / count.getDenominator();
  };
  int64_t size = elementBytes, elements = 1;
  for (const LayoutAxis &axis : axes)
    size *= getExtent(axis.extent);
  for (int64_t extent : shape)
    elements *= extent;
  std::vector<int64_t> map(size, -1);
  for (int64_t element = 0; element < elements; ++element) {
    Shape index(shape.size());
    int64_t rest = element;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    int64_t place = 0;
    for (const LayoutAxis &axis : axes) {
      int64_t at = 0;
      if (axis.kind != LayoutAxis::Kind::Padding)
        at = index[axis.dim];
      if (axis.kind == LayoutAxis::Kind::Outer)
        at /= axis.tile;
      if (axis.kind == LayoutAxis::Kind::Inner)
        at %= axis.tile;
      EXPECT_LT(at, getExtent(axis.extent));
      place = place * getExtent(axis.extent) + at;
    }
    for (int64_t byte = 0; byte < elementBytes; ++byte)
      map.at(place * elementBytes + byte) = element * elementBytes + byte;
  }
  return map;
}

class RandomLayouts {
public:
  explicit RandomLayouts(unsigned seed) : random(seed) {}

  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % (high - low + 1));
  }
  bool oneOf(int64_t n) { return pick(1, n) == 1; }

  Shape makeShape() {
    Shape shape(pick(0, 3));
    for (int64_t &size : shape)
      size = oneOf(4) ? 1 : pick(oneOf(20) ? 0 : 1, 6);
    return shape;
  }

  TiledLayout makeLayout(const Shape &shape) {
    int64_t rank = shape.size();
    TiledLayoutParts parts;
    llvm::SmallVector<int64_t> dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random);
    for (int64_t dim : dims)
      if (oneOf(2)) {
        parts.tiledDims.push_back(dim);
        // Tiles of one element and of the whole are the interesting ones.
        parts.innerTiles.push_back(oneOf(3)   ? 1
                                   : oneOf(3) ? std::max<int64_t>(1, shape[dim])
                                              : pick(1, 5));
      }
    if (oneOf(2)) {
      std::shuffle(dims.begin(), dims.end(), random);
      parts.outerPermutation = dims;
    }
    if (oneOf(4))
      for (int64_t i = 0; i < rank; ++i)
        parts.paddingMultiples.push_back(oneOf(2) ? 1 : pick(1, 4));
    return *TiledLayout::create(rank, parts);
  }

  /// `layout` with a small change that often makes no difference.
  TiledLayout change(const TiledLayout &layout, const Shape &shape) {
    TiledLayoutParts parts = layout.getParts();
    int64_t rank = shape.size();
    if (rank == 0)
      return layout;
    if (parts.outerPermutation.empty() && oneOf(2)) {
      parts.outerPermutation.resize(rank);
      std::iota(parts.outerPermutation.begin(), parts.outerPermutation.end(),
                0);
    }
    int64_t dim = pick(0, rank - 1);
    if (parts.outerPermutation.size() > 1 && oneOf(2)) {
      int64_t at = pick(0, rank - 2);
      std::swap(parts.outerPermutation[at], parts.outerPermutation[at + 1]);
    } else if (!llvm::is_contained(parts.tiledDims, dim)) {
      int64_t at = pick(0, parts.tiledDims.size());
      parts.tiledDims.insert(parts.tiledDims.begin() + at, dim);
      parts.innerTiles.insert(parts.innerTiles.begin() + at,
                              oneOf(2) ? 1 : std::max<int64_t>(1, shape[dim]));
    } else if (parts.tiledDims.size() > 1 && oneOf(2)) {
      std::swap(parts.tiledDims[0], parts.tiledDims[1]);
      std::swap(parts.innerTiles[0], parts.innerTiles[1]);
    } else {
      parts.paddingMultiples.assign(rank, 1);
      parts.paddingMultiples[dim] = pick(1, 3);
    }
    return *TiledLayout::create(rank, parts);
  }

private:
  std::mt19937 random;
};

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
