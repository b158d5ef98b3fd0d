//===- MemRefStrides.h - strides of memrefs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_MEMORY_MEMREFSTRIDES_H
#define MEMSPACE_LIB_MEMORY_MEMREFSTRIDES_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {

/// What `type.getStridesAndOffset` says, without the affine expressions that it
/// makes of a plain type, too.
inline LogicalResult getStridesAndOffset(MemRefType type,
                                         SmallVectorImpl<int64_t> &strides,
                                         int64_t &offset) {
  auto layout = dyn_cast<AffineMapAttr>(type.getLayout());
  if (!layout || !layout.getAffineMap().isIdentity() || type.getRank() == 0)
    return type.getStridesAndOffset(strides, offset);
  SmallVector<int64_t, 4> plain(type.getRank());
  int64_t stride = 1;
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    plain[dim] = stride;
    int64_t size = type.getDimSize(dim);
    if (size <= 0 || llvm::MulOverflow(stride, size, stride))
      return type.getStridesAndOffset(strides, offset);
  }
  strides.assign(plain);
  offset = 0;
  return success();
}

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_MEMORY_MEMREFSTRIDES_H
