//===- HostLoops.h - loops around kernels -----------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop or a branch in a function of whole tensors may be part of a kernel,
/// which then has one workgroup. Where that is too much for one, it stays with
/// the host: its body, and what stands before and behind it, become functions
/// that the host calls.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_HOSTLOOPS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_HOSTLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
namespace memspace {

/// Makes `function`, on memrefs, the host of functions on memrefs around its
/// loops and branches that have too much for one workgroup, which may keep
/// `bytes`. Returns these functions, none where there is no such loop or the
/// host cannot execute it: what it depends on must be known to the host, and
/// the extents of what goes in and comes out.
SmallVector<func::FuncOp> makeHostLoops(func::FuncOp function,
                                        SymbolTable &symbols, int64_t bytes);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_HOSTLOOPS_H
