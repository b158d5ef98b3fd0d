//===- Conditions.h - conditions that are made of others -------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_KERNEL_CONDITIONS_H
#define MEMSPACE_LIB_KERNEL_CONDITIONS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {

/// Calls `visit` with `condition` and whether it holds, and with all that
/// follows of it: the parts of an "and" that holds, of an "or" that does not,
/// what is behind a "not", and both parts of a choice that only one of its
/// sides can have led to. Of these some may be computable where the whole is
/// not. What is behind a long chain is not visited.
void forEachFact(Value condition, bool holds,
                 llvm::function_ref<void(Value, bool)> visit);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_KERNEL_CONDITIONS_H
