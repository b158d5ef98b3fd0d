//===- InsertCopies.h - destinations that are copied -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_INSERTCOPIES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_INSERTCOPIES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// Where threads have inserted their parts already, and that was not in place:
/// what `insert` puts its source into is copied as a whole, and the threads
/// insert into the copy. False for another source.
bool copyDestination(RewriterBase &b, tensor::InsertSliceOp insert);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_INSERTCOPIES_H
