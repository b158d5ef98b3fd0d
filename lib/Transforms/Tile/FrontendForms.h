//===- FrontendForms.h - what frontends write otherwise ---------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_FRONTENDFORMS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_FRONTENDFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace memspace {

/// Writes in the forms that tiling takes: one number that an op starts with, as
/// a constant, and `tensor.splat` (`linalg.fill`), `tensor.bitcast` (of each
/// element). What the outputs of a scan were before, which it does not read,
/// goes, and an assertion in the body of an op, which no kernel can make, with
/// a warning.
void replaceFrontendForms(func::FuncOp function);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_FRONTENDFORMS_H
