//===- Payload.h - regions of structured ops -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Comparators and combiners: regions of one block that compute with elements
/// and touch no memory.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_IR_PAYLOAD_H
#define MEMSPACE_LIB_IR_PAYLOAD_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir {
namespace memspace {

/// Failure with an error at an op in `payload` that touches memory; `kind` says
/// what the region is.
LogicalResult verifyTouchesNoMemory(Region &payload, StringRef kind);

/// Copies the ops of `payload`, with `args` for its arguments, to where
/// `builder` stands. Returns what the copy yields. `outside` has what stands
/// for values from outside, if something else does.
SmallVector<Value> inlinePayload(OpBuilder &builder, Region &payload,
                                 ValueRange args, IRMapping outside = {});

/// Whether the elements `left` come before `right`, by a comparator whose
/// arguments are pairs of those.
Value inlineComparator(OpBuilder &builder, Region &comparator, ValueRange left,
                       ValueRange right);

/// The atomic update that does what `op` does with two operands, one of them
/// what is updated, if the order of several such updates does not matter.
std::optional<arith::AtomicRMWKind> getUpdateKind(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_IR_PAYLOAD_H
