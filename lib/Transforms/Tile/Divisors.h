//===- Divisors.h - numbers that divide extents -----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_DIVISORS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_DIVISORS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir {
namespace memspace {

/// A number, 1 at least, that certainly divides `number`; 0 of what is 0.
int64_t getKnownDivisor(OpFoldResult number);
/// The same of extent `dim` of a tensor or memref.
int64_t getKnownDivisor(Value shaped, int64_t dim);

/// `memspace.bounds` for an argument that has the extents of `shaped`; null if
/// nothing is known beyond its type.
ArrayAttr getKnownBounds(Value shaped);

/// Some argument of `function` has `memspace.bounds`.
bool hasPromisedBounds(FunctionOpInterface function);

/// The tile at an edge is a whole one where the extent is a multiple of it.
void populateWholeTilePatterns(RewritePatternSet &patterns);

/// How often a loop runs, ShapedType::kDynamic where that is not known, and a
/// number that certainly divides it.
struct LoopExtent {
  int64_t extent = ShapedType::kDynamic, divisor = 1;
};

/// Those of all loops of `op`, which need not be those of its result: a scatter
/// has the loops of its updates.
SmallVector<LoopExtent> getLoopExtents(TilingInterface op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_DIVISORS_H
