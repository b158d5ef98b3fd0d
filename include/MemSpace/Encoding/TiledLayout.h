//===- TiledLayout.h - where the elements of a tiled tensor are -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The algebra of layouts (docs/encodings.md), in numbers only: a tensor's
/// dimensions may be padded, cut into tiles, and reordered. The layout says at
/// which byte each element is; two layouts are one when they say the same of
/// every element of a shape and take equally many bytes. What attributes and
/// resolvers look like has no part in it.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ENCODING_TILEDLAYOUT_H
#define MEMSPACE_ENCODING_TILEDLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir {
namespace memspace {

/// The extent of one dimension of a tensor.
struct LayoutExtent {
  /// None: not known before run time.
  std::optional<int64_t> size;
  /// A number that is known to divide the extent; at least 1. Of use where the
  /// extent itself is not known.
  int64_t divisor = 1;

  static LayoutExtent getStatic(int64_t size) { return {size, 1}; }
  static LayoutExtent getDynamic(int64_t divisor = 1) {
    return {std::nullopt, divisor};
  }
};

/// A number that depends on the unknown extent of `dim`: the extent rounded up
/// to a multiple of `multiple`, then divided by `tile`, rounding up. With both
/// 1, the extent itself.
struct UnknownCount {
  unsigned dim;
  int64_t multiple, tile;

  friend bool operator==(const UnknownCount &a, const UnknownCount &b) {
    return a.dim == b.dim && a.multiple == b.multiple && a.tile == b.tile;
  }
};

/// A quotient of numbers times the product of unknown counts: an integer,
/// whatever the extents are. Equal products are equal numbers; different ones
/// may be.
class LayoutCount {
public:
  explicit LayoutCount(int64_t number = 1) : numerator(number) {}

  /// False on an overflow, after which the product says nothing.
  [[nodiscard]] bool multiply(int64_t number);
  [[nodiscard]] bool divide(int64_t number);
  [[nodiscard]] bool multiply(const LayoutCount &other);
  void multiply(UnknownCount count);

  /// None where it depends on an unknown extent.
  std::optional<int64_t> getNumber() const;
  int64_t getNumerator() const { return numerator; }
  int64_t getDenominator() const { return denominator; }
  llvm::ArrayRef<UnknownCount> getUnknowns() const { return unknowns; }

  friend bool operator==(const LayoutCount &a, const LayoutCount &b);
  friend bool operator!=(const LayoutCount &a, const LayoutCount &b) {
    return !(a == b);
  }

private:
  void reduce();

  int64_t numerator, denominator = 1;
  /// Sorted.
  llvm::SmallVector<UnknownCount, 2> unknowns;
};

/// `count` for a tensor of which `shape` is known. None on an overflow.
std::optional<LayoutCount> substitute(const LayoutCount &count,
                                      llvm::ArrayRef<LayoutExtent> shape);

/// One dimension of the memory of a tensor in normal form. At index `i` of
/// dimension `dim` of the tensor it is at `i div tile` (Outer), `i mod tile`
/// (Inner) or `i` (Whole).
struct LayoutAxis {
  enum class Kind { Whole, Outer, Inner, Padding };
  Kind kind = Kind::Padding;
  /// Of no meaning for padding: no element is elsewhere than at 0.
  unsigned dim = 0;
  /// Of Outer and Inner.
  int64_t tile = 1;
  /// May be more than the indices need.
  LayoutCount extent;

  friend bool operator==(const LayoutAxis &a, const LayoutAxis &b) {
    return a.kind == b.kind && a.dim == b.dim && a.tile == b.tile &&
           a.extent == b.extent;
  }
};

/// The extents of a shape that is known as a whole.
llvm::SmallVector<LayoutExtent> getStaticExtents(llvm::ArrayRef<int64_t> shape);

/// What a tiled layout is made of. Empty lists say that nothing is done.
struct TiledLayoutParts {
  /// Of each dimension, its extent is rounded up to a multiple of this before
  /// it is cut; one for each dimension, or empty.
  llvm::SmallVector<int64_t> paddingMultiples;
  /// The dimensions that are cut, each once, from the outermost tile dimension
  /// to the innermost, and the extents of the tiles. The last tile of a
  /// dimension is as large as the others.
  llvm::SmallVector<int64_t> tiledDims, innerTiles;
  /// Outer dimension `i` of the memory counts the tiles of dimension
  /// `outerPermutation[i]`; a permutation of all dimensions, or empty.
  llvm::SmallVector<int64_t> outerPermutation;
};

/// A layout of tensors of one rank: a value that can be copied and compared.
class TiledLayout {
public:
  /// None, with the reason in `reason` if that is not null, when `parts` are no
  /// layout of tensors of `rank` dimensions.
  static std::optional<TiledLayout>
  create(unsigned rank, TiledLayoutParts parts, std::string *reason = nullptr);
  /// Row-major without gaps.
  static TiledLayout getIdentity(unsigned rank);

  unsigned getRank() const { return rank; }
  const TiledLayoutParts &getParts() const { return parts; }

  /// The extent of the tiles of `dim`; 1 where it is not cut.
  int64_t getTile(unsigned dim) const;
  /// The multiple that the extent of `dim` is rounded up to.
  int64_t getPaddingMultiple(unsigned dim) const;

  /// True when it is certain that each element of a tensor of `shape` is at the
  /// same byte in both layouts, and that both take equally many bytes. With a
  /// static shape whose bytes can be counted the answer is exact; with a
  /// dynamic one `false` means "not for every tensor of that shape, as far as
  /// is known". Layouts of different ranks are never the same.
  bool isSameLayout(const TiledLayout &other,
                    llvm::ArrayRef<LayoutExtent> shape) const;
  /// The same as the row-major layout.
  bool isIdentityLayout(llvm::ArrayRef<LayoutExtent> shape) const;

  /// Extents of the memory of a tensor of `shape`: outer dimensions, then
  /// tiles; none for each that is not known. Fails (none for all) on an
  /// overflow of 63 bits.
  std::optional<llvm::SmallVector<std::optional<int64_t>>>
  getPhysicalShape(llvm::ArrayRef<LayoutExtent> shape) const;

  /// The memory of a tensor of `shape` in normal form, from the outermost
  /// dimension to the innermost: a row-major array, in which only dimensions
  /// appear that indices of the tensor move along. Two layouts are the same for
  /// a static shape exactly when these are equal; for a dynamic one layouts are
  /// the same if they are equal. Of an empty shape and of what is an identity,
  /// the dimensions of the tensor. None on an overflow of 63 bits.
  std::optional<llvm::SmallVector<LayoutAxis, 0>>
  getAxes(llvm::ArrayRef<LayoutExtent> shape) const;

  /// Bytes of a tensor of `shape` with elements of `elementBytes`, padding
  /// included. None on a dynamic extent or an overflow of 63 bits. How many
  /// bytes an element takes says the size model (getElementBytes), so an i4
  /// takes one.
  std::optional<int64_t> getByteSize(llvm::ArrayRef<LayoutExtent> shape,
                                     int64_t elementBytes) const;

  /// True when a tensor of `shape` may have places that hold no element.
  bool mayHavePadding(llvm::ArrayRef<LayoutExtent> shape) const;

  /// Equality of the parts; layouts that differ in them may still be the same
  /// for every shape.
  friend bool operator==(const TiledLayout &a, const TiledLayout &b);
  friend bool operator!=(const TiledLayout &a, const TiledLayout &b) {
    return !(a == b);
  }

private:
  TiledLayout(unsigned rank, TiledLayoutParts parts)
      : rank(rank), parts(std::move(parts)) {}

  unsigned rank;
  TiledLayoutParts parts;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ENCODING_TILEDLAYOUT_H
