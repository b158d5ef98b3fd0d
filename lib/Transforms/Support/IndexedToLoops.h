//===- IndexedToLoops.h - one thread's gather or scatter -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Patterns that lower gathers and scatters on memrefs to loops of one thread.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_SUPPORT_INDEXEDTOLOOPS_H
#define MEMSPACE_LIB_TRANSFORMS_SUPPORT_INDEXEDTOLOOPS_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace memspace {

/// The analyses see what is atomic only after that: in the loops of a scatter
/// the updates are read, and the output is updated, by an op each.
void addIndexedToLoops(RewritePatternSet &patterns);

/// Of atomic updates whose new value is computed outside of them: they become
/// atomic stores.
void addAtomicOverwrites(RewritePatternSet &patterns);

/// True when what the scatter makes of an element can be lowered as one atomic
/// update.
bool canScatterAtomically(ScatterOp op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_SUPPORT_INDEXEDTOLOOPS_H
