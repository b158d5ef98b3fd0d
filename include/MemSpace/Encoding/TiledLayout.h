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
