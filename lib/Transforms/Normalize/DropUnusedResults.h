//===- DropUnusedResults.h - results that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DROPUNUSEDRESULTS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DROPUNUSEDRESULTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// Removes the tensor results in `kernel` that reach no kernel output. True
/// when something has changed.
bool dropUnusedResults(RewriterBase &rewriter, Operation *kernel);

/// The same in all kernels at or below `root`, which are checked first; failure
/// with a diagnostic. Whether something has changed.
FailureOr<bool> dropUnusedResultsOfKernels(Operation *root);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DROPUNUSEDRESULTS_H
