//===- RankReduction.cpp - slices without some of their dimensions --------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `memref.subview` may drop some of its dimensions of size 1 and keep others.
// Upstream finds which by comparing the strides of the result with those of the
// source. It has no answer, and reads an object that is not there, where a kept
// dimension has a step; with unknown strides its answer can be the wrong one:
//
//   memref.subview %m[0, 0, 0] [1, %n, 1] [1, 2, 1]
//     : memref<4x8x?xf32> to memref<1x?xf32, strided<[?, ?]>>
//
// Every fold of a `memref.dim` asks. So such a slice becomes one of all
// dimensions, and a cast, about which no pattern of upstream's knows anything,
// until the index checks have seen both.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Attribute of the cast: the dimensions of its source that its result has.
static constexpr llvm::StringLiteral kKeptAttr("msrt.kept");

SmallVector<int64_t> emulator::getKeptDims(memref::SubViewOp slice) {
  ArrayRef<int64_t> shape = slice.getType().getShape();
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes()))
    if (size != 1 || (kept.size() < shape.size() && shape[kept.size()] == 1))
      kept.push_back(dim);
  return kept;
}

/// Drops dimensions of size 1, but not all of them.
static bool dropsSome(memref::SubViewOp slice) {
  int64_t dropped = slice.getSourceType().getRank() - slice.getType().getRank();
  return dropped != 0 && dropped != llvm::count(slice.getStaticSizes(), 1);
}

std::optional<RankReduction> emulator::getRankReduction(Value memref) {
  auto cast = memref.getDefiningOp<UnrealizedConversionCastOp>();
  auto kept = cast ? cast->getAttrOfType<DenseI64ArrayAttr>(kKeptAttr)
                   : DenseI64ArrayAttr();
  if (!kept)
    return std::nullopt;
  return RankReduction{cast.getInputs()[0],
                       SmallVector<int64_t>(kept.asArrayRef())};
}

void emulator::splitRankReductions(ModuleOp module) {
  SmallVector<memref::SubViewOp> slices;
  module.walk([&](memref::SubViewOp slice) {
    if (dropsSome(slice))
      slices.push_back(slice);
  });
  for (memref::SubViewOp slice : slices) {
    OpBuilder builder(slice);
    Value whole = memref::SubViewOp::create(
        builder, slice.getLoc(), slice.getSource(), slice.getMixedOffsets(),
        slice.getMixedSizes(), slice.getMixedStrides());
    auto cast = UnrealizedConversionCastOp::create(builder, slice.getLoc(),
                                                   slice.getType(), whole);
    cast->setAttr(kKeptAttr, builder.getDenseI64ArrayAttr(getKeptDims(slice)));
    slice->replaceAllUsesWith(cast);
    slice->erase();
  }
}

void emulator::lowerRankReductions(ModuleOp module) {
  module.walk([](UnrealizedConversionCastOp cast) {
    auto kept = cast->getAttrOfType<DenseI64ArrayAttr>(kKeptAttr);
    if (!kept)
      return;
    OpBuilder builder(cast);
    auto type = llvm::cast<MemRefType>(cast.getResult(0).getType());
    auto whole = memref::ExtractStridedMetadataOp::create(
        builder, cast.getLoc(), cast.getInputs()[0]);
    auto [knownStrides, knownOffset] = type.getStridesAndOffset();
    auto get = [&](int64_t known, Value value) -> OpFoldResult {
      if (ShapedType::isDynamic(known))
        return value;
      return builder.getIndexAttr(known);
    };
    SmallVector<OpFoldResult> sizes, strides;
    for (auto [dim, source] : llvm::enumerate(kept.asArrayRef())) {
      sizes.push_back(get(type.getDimSize(dim), whole.getSizes()[source]));
      strides.push_back(get(knownStrides[dim], whole.getStrides()[source]));
    }
    cast->replaceAllUsesWith(memref::ReinterpretCastOp::create(
        builder, cast.getLoc(), type, whole.getBaseBuffer(),
        get(knownOffset, whole.getOffset()), sizes, strides));
    cast->erase();
  });
}
