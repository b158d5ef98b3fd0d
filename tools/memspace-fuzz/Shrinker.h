//===- Shrinker.h - the smallest kernel that still fails -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_SHRINKER_H
#define MEMSPACE_FUZZ_SHRINKER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// Cuts ops, loops, branches and arguments out of a copy of `module` while
/// `stillFails` says so of the copy, until nothing more can be cut or `seconds`
/// have passed. Every copy it asks about is valid IR.
OwningOpRef<ModuleOp> shrink(ModuleOp module, int64_t seconds,
                             llvm::function_ref<bool(ModuleOp)> stillFails);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SHRINKER_H
