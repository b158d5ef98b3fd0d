//===- OutputUpdates.h - outputs that are updated in place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel that reads memory which it overwrites says so: what it stores there
/// becomes an update of what was in it.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_OUTPUTUPDATES_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_OUTPUTUPDATES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// Where each workgroup, an iteration of `forall` of `kernel`, reads no more of
/// an output than the tile that it overwrites, the output is updated in place.
/// CSE of `kernel` erases ops.
void updateOutputsInTiles(RewriterBase &rewriter, func::FuncOp kernel,
                          scf::ForallOp forall);

/// Where `kernel`, which one workgroup runs, reads an output that it
/// overwrites, what it stores is an update of the output: whether in place is
/// for bufferization to decide. CSE of `kernel` erases ops.
void updateOutputs(RewriterBase &rewriter, func::FuncOp kernel);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_OUTPUTUPDATES_H
