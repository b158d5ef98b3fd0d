//===- AccessElements.h - which elements of a memref an op touches -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The elements that one op touches through one of its operands: by
/// `ElementAccessOpInterface`, or by an interface of upstream that says it.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_MEMORY_ACCESSELEMENTS_H
#define MEMSPACE_LIB_MEMORY_ACCESSELEMENTS_H

#include "MemSpace/Memory/MemoryInterfaces.h"

namespace mlir {
namespace memspace {

/// What the op of `operand`, a ranked memref, touches through it; none when it
/// may be all of the memref.
std::optional<TouchedElements> getTouchedElements(OpOperand &operand,
                                                  const KernelContext &context);

/// Where the iterations of a structured op find an operand: as
/// `getMatchingIndexingMap`, which makes the maps of all operands anew, and an
/// attribute of them, for each question about a named op.
AffineMap getIndexingMap(OpOperand &operand);

/// Every index of a dimension.
IndexRange getWholeRange(int64_t size);

/// Turns ranges of `view` into ranges of the memref that it is a slice of, as
/// far as possible. Both point to the same byte.
void composeSlices(Value &view, SmallVector<IndexRange> &ranges);

/// The parts of registerMemoryModels.
void registerElementAccessModels(DialectRegistry &registry);
void registerSynchronizationModels(DialectRegistry &registry);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_MEMORY_ACCESSELEMENTS_H
