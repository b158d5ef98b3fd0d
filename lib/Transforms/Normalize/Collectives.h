//===- Collectives.h - one form of all collectives -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Ops with `CollectiveOpInterface` become `memspace.begin_collective` and
/// `memspace.end_collective`. What threads share is then made outside of their
/// forall, and a thread that writes there without contributing has a copy.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_COLLECTIVES_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_COLLECTIVES_H

#include "MemSpace/Kernel/KernelContext.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"

namespace mlir {
namespace memspace {

/// True for ops with `CollectiveOpInterface` on tensors and for the two ops
/// that they become.
bool isCollective(Operation *op);

/// Checks that the threads of the scope of `op`, a collective, come to it
/// together; an error there otherwise.
LogicalResult verifyCollective(Operation *op, const KernelContext &context);

/// Rewrites the collectives of `context`'s kernel, which are verified.
LogicalResult
normalizeCollectives(const KernelContext &context,
                     const bufferization::OneShotBufferizationOptions &oneShot);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_COLLECTIVES_H
