//===- StructuredToLoops.h - one thread's sort, and its like -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Patterns that lower the dialect's structured ops on memrefs to loops of one
/// thread. They are the sequential reference, too.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BACKEND_STRUCTUREDTOLOOPS_H
#define MEMSPACE_LIB_TRANSFORMS_BACKEND_STRUCTUREDTOLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

void addScanToLoops(RewritePatternSet &patterns);
/// Of `memspace.sort`, `memspace.sort_indices` and `memspace.topk`.
void addSortToLoops(RewritePatternSet &patterns);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BACKEND_STRUCTUREDTOLOOPS_H
