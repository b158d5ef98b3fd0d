//===- Passes.h - MemSpace passes and pipelines -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes of MemSpace, in the order in which a kernel meets them, and the
/// pipelines made of them. Passes.td documents each one.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_PASSES_H
#define MEMSPACE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
namespace memspace {

#define GEN_PASS_DECL
#include "MemSpace/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "MemSpace/Transforms/Passes.h.inc"

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_PASSES_H
