//===- CarriedSizes.h - the extents of loop-carried tensors -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A carried tensor has one buffer for all iterations, so its extents must stay
/// what they were. With `?` in its type that has to be proved.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_CARRIEDSIZES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_CARRIEDSIZES_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {

/// Follows extents to where they come from: through updates, views, branches
/// and loops, of which it assumes that they keep the extents of what they
/// carry. Proved for each loop under that assumption, it holds for all, by
/// induction over the iterations.
class CarriedSizes {
public:
  /// True when it is proved that the two, of one rank, have equal extents.
  bool areEqual(Value a, Value b);

private:
  /// A number, or a dimension of a tensor of which no more is known.
  struct Extent {
    OpFoldResult number;
    Value tensor;
    int64_t dim = 0;
  };
  Extent trace(Value tensor, int64_t dim);
  Extent follow(Value tensor, int64_t dim);
  Extent trace(OpFoldResult number);
  /// The tensor that has the extents of `value`, if it is one op away.
  static Value getSameShape(Value value);
  static bool areEqual(const Extent &a, const Extent &b);

  llvm::DenseMap<std::pair<Value, int64_t>, Extent> known;
};

/// Failure, with an error at the loop, where a loop of `kernel` carries a
/// tensor of which an extent is not known to stay the same.
LogicalResult checkCarriedSizes(FunctionOpInterface kernel);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_CARRIEDSIZES_H
