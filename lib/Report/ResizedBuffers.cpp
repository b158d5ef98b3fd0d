//===- ResizedBuffers.cpp - how many bytes with other extents -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResizedBuffers.h"
#include "MemSpace/Memory/BufferSize.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<int64_t>
mlir::memspace::getResizedBytes(MemRefType type, ArrayRef<int64_t> shape,
                                const TargetInfo &target) {
  if (type.getLayout().isIdentity())
    return getBufferBytes(shape, type.getElementType(), target);
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamicShape(strides))
    return std::nullopt;

  // From the innermost dimension outwards: what a stride exceeds the dimension
  // inside of it by is padding.
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return strides[a] < strides[b]; });
  SmallVector<int64_t> resized = strides;
  for (unsigned i = 1; i < order.size(); ++i) {
    unsigned outer = order[i], inner = order[i - 1];
    int64_t padding = strides[outer] - strides[inner] * type.getDimSize(inner);
    if (padding < 0)
      return std::nullopt;
    resized[outer] = resized[inner] * shape[inner] + padding;
  }
  auto layout = StridedLayoutAttr::get(type.getContext(), offset, resized);
  return getBufferBytes(MemRefType::get(shape, type.getElementType(), layout,
                                        type.getMemorySpace()),
                        target);
}
