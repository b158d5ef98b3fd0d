//===- SharedCopies.h - copies that threads share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Copies of whole tensors, of which each thread takes its part.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHAREDCOPIES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHAREDCOPIES_H

#include "ThreadTilings.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// Copies the source of `op` to its destination, which `op` does no longer.
void copyToDestination(RewriterBase &b, const Tiling &tiling,
                       bufferization::MaterializeInDestinationOp op,
                       const DominanceInfo &dominance);

/// Copies `source`, which an op inserts into `dest`, to where it is inserted;
/// then the insertion copies nothing.
void copyInserted(RewriterBase &b, const Tiling &tiling, OpOperand &source,
                  Value dest);

/// Allocates without a copy, and copies by threads, whose result is used from
/// now on.
scf::ForallOp copyAllocated(RewriterBase &b, const Tiling &tiling,
                            bufferization::AllocTensorOp alloc);

/// Where threads have inserted their parts already, and that was not in place:
/// what `insert` puts its source into is copied as a whole, and the threads
/// insert into the copy. False for another source.
bool copyDestination(RewriterBase &b, tensor::InsertSliceOp insert);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_SHAREDCOPIES_H
