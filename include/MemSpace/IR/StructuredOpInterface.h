//===- StructuredOpInterface.h - other dialects' sorts ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interface by which the sort, top-k, scan, gather or scatter of another
/// dialect says what it is in ops of the memspace dialect. docs/embedding.md
/// has an example for each.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_STRUCTUREDOPINTERFACE_H
#define MEMSPACE_IR_STRUCTUREDOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

#include "MemSpace/IR/StructuredOpInterface.h.inc"

namespace mlir {
namespace memspace {

/// For models: fills `region` of an op of ours with a copy of `payload`, a
/// region of one block. Argument `i` of the copy is argument `order[i]` of the
/// payload, or argument `i` without an `order`; the terminator becomes a
/// `memspace.yield` of its operands. Constants from outside are copied, too.
/// Failure, of which the rewriter is notified, where the payload uses another
/// value from outside, or an argument that is not in `order`.
LogicalResult copyPayload(RewriterBase &rewriter, Region &payload,
                          Region &region, ArrayRef<unsigned> order = {});

/// Replaces `op` by what its model makes of it. Failure with one error at `op`,
/// which then stays as it is, where the model refuses it, or contradicts it: by
/// values that do not stand for its results, by ops that are not valid, or by
/// accesses to memory that the op's effects deny.
LogicalResult convertStructuredOp(StructuredOpInterface op);

/// The same for all ops at and below `root` that have a model.
LogicalResult convertStructuredOps(Operation *root);

/// For tests of models: as `convertStructuredOp`, of a copy of `op` that is
/// gone afterwards. What the model refuses is no failure.
LogicalResult checkStructuredOp(StructuredOpInterface op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_IR_STRUCTUREDOPINTERFACE_H
