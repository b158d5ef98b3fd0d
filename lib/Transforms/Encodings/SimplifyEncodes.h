//===- SimplifyEncodes.h - which encodes are needed -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Adds encodes where an op cannot work on the layouts of its operands, and
/// removes those that move nothing. Types keep their encodings: only ops whose
/// layouts are known to be one may have other types afterwards than they
/// should.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_SIMPLIFYENCODES_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_SIMPLIFYENCODES_H

#include "TensorLayouts.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

/// Lets the ops below `root` that cannot work on the layouts of their operands
/// work on row-major tensors. Failure with an error at an op that cannot.
/// `changed`: there was one.
LogicalResult makeRowMajor(Operation *root, RewriterBase &rewriter,
                           TensorLayouts &layouts, bool &changed);

/// Removes the encodes below `root` that move nothing, and all but one of those
/// that make the same of a tensor. True when something changed. `functions`
/// gets those that had one.
bool removeIdleEncodes(Operation *root, RewriterBase &rewriter,
                       TensorLayouts &layouts,
                       llvm::SetVector<Operation *> &functions);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_SIMPLIFYENCODES_H
