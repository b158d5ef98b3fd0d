//===- LoopResults.h - results of one loop are stored together -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_LOOPRESULTS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_LOOPRESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace memspace {

/// Results of one loop or branch of `function` that are stored are copied by
/// one op, if they have one shape: else a kernel for each of them does all that
/// the loop does.
void copyLoopResultsTogether(func::FuncOp function);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_LOOPRESULTS_H
