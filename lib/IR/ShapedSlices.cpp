//===- ShapedSlices.cpp - parts of tensors and of memrefs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapedSlices.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;

OpFoldResult memspace::getExtent(OpBuilder &builder, Location loc, Value shaped,
                                 int64_t dim) {
  if (isa<MemRefType>(shaped.getType()))
    return memref::getMixedSize(builder, loc, shaped, dim);
  return tensor::getMixedSize(builder, loc, shaped, dim);
}

SmallVector<Range> memspace::getDomain(OpBuilder &builder, Location loc,
                                       Value shaped) {
  int64_t rank = cast<ShapedType>(shaped.getType()).getRank();
  SmallVector<Range> domain;
  for (int64_t dim = 0; dim < rank; ++dim)
    domain.push_back({builder.getIndexAttr(0),
                      getExtent(builder, loc, shaped, dim),
                      builder.getIndexAttr(1)});
  return domain;
}

bool memspace::isWhole(OpFoldResult offset, OpFoldResult size, Value shaped,
                       int64_t dimension) {
  if (!isConstantIntValue(offset, 0))
    return false;
  FailureOr<bool> isAll = ValueBoundsConstraintSet::areEqual(
      size, ValueBoundsConstraintSet::Variable(shaped, dimension));
  return succeeded(isAll) && *isAll;
}

Value memspace::makeSlice(OpBuilder &builder, Location loc, Value shaped,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> ones(offsets.size(), builder.getIndexAttr(1));
  if (isa<MemRefType>(shaped.getType()))
    return memref::SubViewOp::create(builder, loc, shaped, offsets, sizes,
                                     ones);
  return tensor::ExtractSliceOp::create(builder, loc, shaped, offsets, sizes,
                                        ones);
}

llvm::SmallBitVector memspace::getDroppedDims(memref::SubViewOp subview) {
  ArrayRef<int64_t> shape = subview.getType().getShape();
  ArrayRef<int64_t> sizes = subview.getStaticSizes();
  llvm::SmallBitVector dropped(sizes.size());
  unsigned next = 0;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size == 1 && (next == shape.size() || shape[next] != 1))
      dropped.set(dim);
    else
      ++next;
  }
  return dropped;
}

/// Upstream finds the stride of each dimension that is kept, and no other,
/// among those of the result.
static bool isClear(memref::SubViewOp slice) {
  int64_t dropped = slice.getSourceType().getRank() - slice.getType().getRank();
  if (dropped == 0 || dropped == llvm::count(slice.getStaticSizes(), 1))
    return true;
  auto [strides, offset] = slice.getSourceType().getStridesAndOffset();
  llvm::sort(strides);
  return !llvm::is_contained(strides, ShapedType::kDynamic) &&
         std::adjacent_find(strides.begin(), strides.end()) == strides.end() &&
         llvm::all_of(slice.getStaticStrides(),
                      [](int64_t step) { return step == 1; });
}

void memspace::splitUnclearSlices(Operation *root) {
  SmallVector<memref::SubViewOp> slices;
  root->walk([&](memref::SubViewOp slice) {
    if (!isClear(slice))
      slices.push_back(slice);
  });
  for (memref::SubViewOp slice : slices) {
    OpBuilder builder(slice);
    Location loc = slice.getLoc();
    auto whole = memref::ExtractStridedMetadataOp::create(
        builder, loc,
        memref::SubViewOp::create(
            builder, loc, slice.getSource(), slice.getMixedOffsets(),
            slice.getMixedSizes(), slice.getMixedStrides()));
    MemRefType type = slice.getType();
    auto [knownStrides, knownOffset] = type.getStridesAndOffset();
    auto get = [&](int64_t known, Value value) -> OpFoldResult {
      if (ShapedType::isDynamic(known))
        return value;
      return builder.getIndexAttr(known);
    };
    llvm::SmallBitVector dropped = getDroppedDims(slice);
    SmallVector<OpFoldResult> sizes, strides;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      if (dropped.test(dim))
        continue;
      unsigned kept = sizes.size();
      sizes.push_back(get(type.getDimSize(kept), whole.getSizes()[dim]));
      strides.push_back(get(knownStrides[kept], whole.getStrides()[dim]));
    }
    slice->replaceAllUsesWith(memref::ReinterpretCastOp::create(
        builder, loc, type, whole.getBaseBuffer(),
        get(knownOffset, whole.getOffset()), sizes, strides));
    slice->erase();
  }
}
