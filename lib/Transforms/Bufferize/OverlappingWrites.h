//===- OverlappingWrites.h - iterations that write one element -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A mapped `scf.forall` promises that its iterations write different elements,
/// and everything after relies on it. Where the promise is certainly broken,
/// this finds two iterations.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BUFFERIZE_OVERLAPPINGWRITES_H
#define MEMSPACE_LIB_TRANSFORMS_BUFFERIZE_OVERLAPPINGWRITES_H

#include "MemSpace/Kernel/KernelContext.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// Two iterations of `forall` that write one element of `memory`.
struct OverlappingWrites {
  scf::ForallOp forall;
  /// The ops that write; may be the same one.
  Operation *first = nullptr, *second = nullptr;
  /// A shared output of the forall, or a memref.
  Value memory;
  /// Where the iterations stand in the forall, from 0 on.
  SmallVector<int64_t> firstIteration, secondIteration;
  SmallVector<int64_t> element;
};

/// Of the insertions of `forall` into its shared outputs, and of what is
/// materialized inside of it in memory of the caller. Answers only what is
/// certain: places that ids and constants decide, in foralls whose iterations
/// are counted by constants, of which about a thousand are compared.
std::optional<OverlappingWrites>
findOverlappingWrites(const KernelContext &context, scf::ForallOp forall);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BUFFERIZE_OVERLAPPINGWRITES_H
