//===- TargetSearch.h - what the IR says of the targets of tensors -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For One-Shot Bufferize, which asks op by op: whether all that is said of the
/// target of one encoded tensor agrees.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_IR_TARGETSEARCH_H
#define MEMSPACE_LIB_IR_TARGETSEARCH_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/Value.h"

namespace mlir {
namespace memspace {

/// What the IR says of the target of `op`, first of all by `attr` if that is
/// not null; none where that is nothing, or wrong, which others report.
std::optional<TargetInfo> getNamedTarget(Operation *op, Attribute attr = {});

/// What a function says of the target of its argument `value`; null if that is
/// nothing, or the value no such argument.
Attribute getTargetOfArgument(Value value);

/// An op that names a target with another layout than `target` has for
/// `tensor`, of ranked type with an encoding, and has an encoded tensor that
/// lives where `tensor` does: tensors that one op has, or that are passed on by
/// control flow, calls and returns, or are in one memory, live on one target.
/// The function, if it says so of an argument or result. Null when there is
/// none.
Operation *findOtherTarget(Value tensor, const TargetInfo &target);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_IR_TARGETSEARCH_H
