//===- RandomLayouts.h - layouts and their byte maps by brute force -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_ENCODING_RANDOMLAYOUTS_H
#define MEMSPACE_UNITTESTS_ENCODING_RANDOMLAYOUTS_H

#include "MemSpace/Encoding/TiledLayout.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace mlir {
namespace memspace {

using Shape = std::vector<int64_t>;

/// What each byte of the memory holds: the number of the byte in the row-major
/// tensor without gaps, or -1 for padding. Calculated place by place from what
/// the parts mean, without strides.
inline std::vector<int64_t> getByteMap(const TiledLayout &layout,
                                       const Shape &shape,
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

/// The number that `count` is for a tensor of `shape`.
inline int64_t evaluate(const LayoutCount &count, const Shape &shape) {
  int64_t product = count.getNumerator();
  for (const UnknownCount &unknown : count.getUnknowns()) {
    int64_t padded = (shape[unknown.dim] + unknown.multiple - 1) /
                     unknown.multiple * unknown.multiple;
    product *= (padded + unknown.tile - 1) / unknown.tile;
  }
  EXPECT_EQ(product % count.getDenominator(), 0);
  return product / count.getDenominator();
}

/// The same map by the memory's normal form.
inline std::vector<int64_t> getByteMap(llvm::ArrayRef<LayoutAxis> axes,
                                       const Shape &shape,
                                       int64_t elementBytes) {
  auto getExtent = [&](const LayoutCount &count) {
    return evaluate(count, shape);
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

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_ENCODING_RANDOMLAYOUTS_H
