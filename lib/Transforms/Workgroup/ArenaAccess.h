//===- ArenaAccess.h - marks that outlive the lowering -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which buffers of the arena an op accesses, in its location: of all that an
/// op of memrefs has, only the location reaches the ops of the LLVM dialect
/// that it is lowered to.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_WORKGROUP_ARENAACCESS_H
#define MEMSPACE_LIB_TRANSFORMS_WORKGROUP_ARENAACCESS_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// Buffers are places in the arena, numbered.
struct ArenaAccess {
  /// The access is in one of these.
  SmallVector<int64_t> buffers;
  /// These share no byte with any of `buffers`.
  SmallVector<int64_t> disjoint;
};

/// Puts a mark into the location of `op`.
void markArenaAccess(Operation *op, const ArenaAccess &access);

/// Takes the mark out of the location of `op`; none when there is none.
std::optional<ArenaAccess> takeArenaAccess(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_WORKGROUP_ARENAACCESS_H
