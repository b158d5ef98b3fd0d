//===- TiledLayout.cpp - where the elements of a tiled tensor are -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Element (i_0, …) is at the sum of f_d(i_d) over the dimensions, with
/// f_d(i) = (i div t) * outer + (i mod t) * inner for tiles of extent t. As
/// f_d(0) = 0 the sums of two layouts are equal for all elements exactly when
/// every f_d is. And f_d on [0, n) has one normal form: nothing when n < 2, a
/// stride when one tile is enough or tiles follow each other without a jump,
/// else (t, outer, inner), where t is the first place at which the step
/// changes. So comparing normal forms decides.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Encoding/TiledLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace mlir::memspace;

SmallVector<LayoutExtent>
mlir::memspace::getStaticExtents(ArrayRef<int64_t> shape) {
  return map_to_vector(shape, LayoutExtent::getStatic);
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// Why `parts` are no layout; empty if they are one.
static std::string findFault(unsigned rank, const TiledLayoutParts &parts) {
  auto isPositive = [](int64_t number) { return number >= 1; };
  if (!parts.paddingMultiples.empty() && parts.paddingMultiples.size() != rank)
    return "has " + std::to_string(parts.paddingMultiples.size()) +
           " padding multiples for " + std::to_string(rank) + " dimensions";
  if (!all_of(parts.paddingMultiples, isPositive))
    return "has a padding multiple below 1";
  if (parts.tiledDims.size() != parts.innerTiles.size())
    return "has " + std::to_string(parts.innerTiles.size()) +
           " inner tiles for " + std::to_string(parts.tiledDims.size()) +
           " tiled dimensions";
  if (!all_of(parts.innerTiles, isPositive))
    return "has an inner tile below 1";
  SmallVector<bool> isTiled(rank);
  for (int64_t dim : parts.tiledDims) {
    if (dim < 0 || dim >= rank)
      return "tiles dimension " + std::to_string(dim) + " of " +
             std::to_string(rank);
    if (isTiled[dim])
      return "tiles dimension " + std::to_string(dim) + " twice";
    isTiled[dim] = true;
  }
  if (parts.outerPermutation.empty())
    return "";
  SmallVector<int64_t> sorted(parts.outerPermutation);
  sort(sorted);
  if (!equal(sorted, seq<int64_t>(0, rank)))
    return "has an outer permutation that is none of " + std::to_string(rank) +
           " dimensions";
  return "";
}

std::optional<TiledLayout> TiledLayout::create(unsigned rank,
                                               TiledLayoutParts parts,
                                               std::string *reason) {
  std::string fault = findFault(rank, parts);
  if (!fault.empty()) {
    if (reason)
      *reason = fault;
    return std::nullopt;
  }
  return TiledLayout(rank, std::move(parts));
}

TiledLayout TiledLayout::getIdentity(unsigned rank) {
  return TiledLayout(rank, {});
}

int64_t TiledLayout::getTile(unsigned dim) const {
  const auto *it = find(parts.tiledDims, static_cast<int64_t>(dim));
  return it == parts.tiledDims.end()
             ? 1
             : parts.innerTiles[it - parts.tiledDims.begin()];
}

int64_t TiledLayout::getPaddingMultiple(unsigned dim) const {
  return parts.paddingMultiples.empty() ? 1 : parts.paddingMultiples[dim];
}

bool mlir::memspace::operator==(const TiledLayout &a, const TiledLayout &b) {
  return a.rank == b.rank &&
         a.parts.paddingMultiples == b.parts.paddingMultiples &&
         a.parts.tiledDims == b.parts.tiledDims &&
         a.parts.innerTiles == b.parts.innerTiles &&
         a.parts.outerPermutation == b.parts.outerPermutation;
}

//===----------------------------------------------------------------------===//
// Numbers that are products of unknown extents
//===----------------------------------------------------------------------===//

static std::tuple<unsigned, int64_t, int64_t>
getKey(const UnknownCount &count) {
  return {count.dim, count.multiple, count.tile};
}

void LayoutCount::reduce() {
  int64_t common = std::gcd(numerator, denominator);
  if (common > 1) {
    numerator /= common;
    denominator /= common;
  }
}

bool LayoutCount::multiply(int64_t number) {
  // Divided first, so that what is small in the end does not overflow.
  int64_t common = std::gcd(number, denominator);
  if (common > 1) {
    number /= common;
    denominator /= common;
  }
  std::optional<int64_t> result = checkedMul(numerator, number);
  numerator = result.value_or(0);
  reduce();
  return result.has_value();
}

bool LayoutCount::divide(int64_t number) {
  int64_t common = std::gcd(number, numerator);
  if (common > 1) {
    number /= common;
    numerator /= common;
  }
  std::optional<int64_t> result = checkedMul(denominator, number);
  denominator = result.value_or(1);
  reduce();
  return result.has_value();
}

void LayoutCount::multiply(UnknownCount count) {
  unknowns.insert(upper_bound(unknowns, count,
                              [](const UnknownCount &a, const UnknownCount &b) {
                                return getKey(a) < getKey(b);
                              }),
                  count);
}

bool LayoutCount::multiply(const LayoutCount &other) {
  for (const UnknownCount &count : other.unknowns)
    multiply(count);
  return multiply(other.numerator) && divide(other.denominator);
}

bool mlir::memspace::operator==(const LayoutCount &a, const LayoutCount &b) {
  if (a.numerator == 0 || b.numerator == 0)
    return a.numerator == b.numerator;
  return a.numerator == b.numerator && a.denominator == b.denominator &&
         a.unknowns == b.unknowns;
}

std::optional<int64_t> LayoutCount::getNumber() const {
  if (numerator == 0)
    return 0;
  if (!unknowns.empty() || denominator != 1)
    return std::nullopt;
  return numerator;
}

/// Tiles of `tile` that an extent takes; none on an overflow.
static std::optional<LayoutCount> countTiles(unsigned dim,
                                             const LayoutExtent &extent,
                                             int64_t multiple, int64_t tile) {
  if (extent.size) {
    std::optional<int64_t> padded =
        checkedMul<int64_t>(divideCeil(*extent.size, multiple), multiple);
    if (!padded)
      return std::nullopt;
    return LayoutCount(divideCeil(*padded, tile));
  }
  // Rounding that is known to change nothing is none.
  int64_t divisor = std::max<int64_t>(extent.divisor, 1);
  bool isPadded = divisor % multiple != 0;
  int64_t paddedDivisor = isPadded ? multiple : divisor;
  LayoutCount result;
  if (paddedDivisor % tile != 0) {
    result.multiply(UnknownCount{dim, isPadded ? multiple : 1, tile});
    return result;
  }
  result.multiply(UnknownCount{dim, isPadded ? multiple : 1, 1});
  if (!result.divide(tile))
    return std::nullopt;
  return result;
}

std::optional<LayoutCount>
mlir::memspace::substitute(const LayoutCount &count,
                           ArrayRef<LayoutExtent> shape) {
  LayoutCount result(count.getNumerator());
  if (!result.divide(count.getDenominator()))
    return std::nullopt;
  for (const UnknownCount &unknown : count.getUnknowns()) {
    std::optional<LayoutCount> factor = countTiles(
        unknown.dim, shape[unknown.dim], unknown.multiple, unknown.tile);
    if (!factor || !result.multiply(*factor))
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

namespace {
enum class StepKind {
  /// Only index 0, or none.
  None,
  /// Index i is at i * inner.
  Linear,
  /// Index i is at (i div tile) * outer + (i mod tile) * inner.
  Tiled
};

/// f_d in normal form. Strides are elements.
struct Steps {
  StepKind kind = StepKind::None;
  int64_t tile = 1;
  LayoutCount outer, inner;

  bool operator==(const Steps &other) const {
    if (kind != other.kind)
      return false;
    if (kind == StepKind::None)
      return true;
    if (!(inner == other.inner))
      return false;
    return kind == StepKind::Linear ||
           (tile == other.tile && outer == other.outer);
  }
};

/// A dimension of the memory: the tiles of `dim`, or what is in one of them.
struct MemoryDim {
  unsigned dim;
  bool isTile;
  LayoutCount extent;
};

/// The places of all elements of a shape.
struct Places {
  SmallVector<Steps, 0> dims;
  /// Elements with padding.
  LayoutCount size;
  /// From the innermost to the outermost.
  SmallVector<MemoryDim, 0> memory;
};
} // namespace

/// f_d with tiles of `tile`, in normal form; none on an overflow.
static std::optional<Steps> normalize(const LayoutExtent &extent, int64_t tile,
                                      LayoutCount outer, LayoutCount inner) {
  Steps steps;
  if (extent.size && *extent.size < 2)
    return steps;
  steps.kind = StepKind::Linear;
  steps.inner = inner;
  if (tile == 1) {
    steps.inner = outer;
    return steps;
  }
  if (extent.size && *extent.size <= tile)
    return steps;
  LayoutCount next = inner;
  if (!next.multiply(tile))
    return std::nullopt;
  if (next == outer)
    return steps;
  steps.kind = StepKind::Tiled;
  steps.tile = tile;
  steps.outer = outer;
  return steps;
}

/// None on an overflow.
static std::optional<Places> getPlaces(const TiledLayout &layout,
                                       ArrayRef<LayoutExtent> shape) {
  unsigned rank = layout.getRank();
  const TiledLayoutParts &parts = layout.getParts();
  Places places;
  SmallVector<LayoutCount, 0> inner(rank), outer(rank);
  // From the innermost dimension of the memory to the outermost.
  LayoutCount stride;
  for (auto [dim, tile] :
       llvm::reverse(zip_equal(parts.tiledDims, parts.innerTiles))) {
    inner[dim] = stride;
    places.memory.push_back(
        {unsigned(dim), /*isTile=*/true, LayoutCount(tile)});
    if (!stride.multiply(tile))
      return std::nullopt;
  }
  for (unsigned i = rank; i-- > 0;) {
    unsigned dim =
        parts.outerPermutation.empty() ? i : parts.outerPermutation[i];
    outer[dim] = stride;
    std::optional<LayoutCount> count = countTiles(
        dim, shape[dim], layout.getPaddingMultiple(dim), layout.getTile(dim));
    if (!count || !stride.multiply(*count))
      return std::nullopt;
    places.memory.push_back({dim, /*isTile=*/false, *count});
  }
  places.size = stride;
  for (unsigned dim = 0; dim < rank; ++dim) {
    std::optional<Steps> steps =
        normalize(shape[dim], layout.getTile(dim), outer[dim], inner[dim]);
    if (!steps)
      return std::nullopt;
    places.dims.push_back(*steps);
  }
  return places;
}

static bool isEmpty(ArrayRef<LayoutExtent> shape) {
  return any_of(shape,
                [](const LayoutExtent &extent) { return extent.size == 0; });
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool TiledLayout::isSameLayout(const TiledLayout &other,
                               ArrayRef<LayoutExtent> shape) const {
  if (rank != other.rank || shape.size() != rank)
    return false;
  // No element, no byte: also where other extents could not be counted.
  if (*this == other || isEmpty(shape))
    return true;
  std::optional<Places> a = getPlaces(*this, shape),
                        b = getPlaces(other, shape);
  return a && b && a->size == b->size && a->dims == b->dims;
}

bool TiledLayout::isIdentityLayout(ArrayRef<LayoutExtent> shape) const {
  return isSameLayout(getIdentity(rank), shape);
}

/// Which part of an index counts along `memoryDim`, for tiles of `tile` and
/// these steps; Padding where none does.
static LayoutAxis::Kind getKind(const MemoryDim &memoryDim, const Steps &steps,
                                int64_t tile) {
  switch (steps.kind) {
  case StepKind::None:
    return LayoutAxis::Kind::Padding;
  case StepKind::Tiled:
    return memoryDim.isTile ? LayoutAxis::Kind::Inner : LayoutAxis::Kind::Outer;
  case StepKind::Linear:
    // Tiles of one element do not count; of others only what is in them, since
    // there is one tile, or each begins where the one before ends.
    return memoryDim.isTile == (tile != 1) ? LayoutAxis::Kind::Whole
                                           : LayoutAxis::Kind::Padding;
  }
  llvm_unreachable("unknown kind of steps");
}

std::optional<SmallVector<LayoutAxis, 0>>
TiledLayout::getAxes(ArrayRef<LayoutExtent> shape) const {
  if (shape.size() != rank)
    return std::nullopt;
  SmallVector<LayoutAxis, 0> axes;
  if (isIdentityLayout(shape)) {
    for (unsigned dim = 0; dim < rank; ++dim) {
      LayoutAxis axis{LayoutAxis::Kind::Whole, dim, 1, LayoutCount()};
      if (shape[dim].size)
        axis.extent = LayoutCount(*shape[dim].size);
      else
        axis.extent.multiply(UnknownCount{dim, 1, 1});
      axes.push_back(axis);
    }
    return axes;
  }
  std::optional<Places> places = getPlaces(*this, shape);
  if (!places)
    return std::nullopt;
  LayoutAxis axis;
  for (const MemoryDim &memoryDim : llvm::reverse(places->memory)) {
    if (!axis.extent.multiply(memoryDim.extent))
      return std::nullopt;
    unsigned dim = memoryDim.dim;
    axis.kind = getKind(memoryDim, places->dims[dim], getTile(dim));
    if (axis.kind == LayoutAxis::Kind::Padding)
      continue;
    axis.dim = dim;
    if (axis.kind != LayoutAxis::Kind::Whole)
      axis.tile = getTile(dim);
    axes.push_back(axis);
    axis = LayoutAxis();
  }
  // Steps between the places of the last dimension.
  axis.kind = LayoutAxis::Kind::Padding;
  if (axis.extent != LayoutCount(1))
    axes.push_back(axis);
  return axes;
}

std::optional<SmallVector<std::optional<int64_t>>>
TiledLayout::getPhysicalShape(ArrayRef<LayoutExtent> shape) const {
  if (shape.size() != rank)
    return std::nullopt;
  SmallVector<std::optional<int64_t>> result;
  for (unsigned i = 0; i < rank; ++i) {
    unsigned dim =
        parts.outerPermutation.empty() ? i : parts.outerPermutation[i];
    std::optional<LayoutCount> count =
        countTiles(dim, shape[dim], getPaddingMultiple(dim), getTile(dim));
    if (!count)
      return std::nullopt;
    result.push_back(count->getNumber());
  }
  append_range(result, parts.innerTiles);
  return result;
}

std::optional<int64_t> TiledLayout::getByteSize(ArrayRef<LayoutExtent> shape,
                                                int64_t elementBytes) const {
  if (shape.size() != rank)
    return std::nullopt;
  if (isEmpty(shape))
    return 0;
  std::optional<Places> places = getPlaces(*this, shape);
  std::optional<int64_t> elements =
      places ? places->size.getNumber() : std::nullopt;
  return elements ? checkedMul(*elements, elementBytes) : std::nullopt;
}

bool TiledLayout::mayHavePadding(ArrayRef<LayoutExtent> shape) const {
  if (isEmpty(shape))
    return false;
  for (unsigned dim = 0; dim < rank; ++dim) {
    int64_t known = shape[dim].size.value_or(shape[dim].divisor);
    int64_t multiple = getPaddingMultiple(dim);
    if (known % multiple != 0)
      return true;
    if (known % getTile(dim) != 0)
      return true;
  }
  return false;
}
