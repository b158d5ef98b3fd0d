//===- AccessMark.h - marks that outlive the lowering -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which memory an op accesses, in its location: of all that an op of memrefs
/// has, only the location reaches the ops of the LLVM dialect that it is
/// lowered to.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BACKEND_ACCESSMARK_H
#define MEMSPACE_LIB_TRANSFORMS_BACKEND_ACCESSMARK_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// Memories of one kind, by number: where an access may be, and which it does
/// not touch.
struct MarkedMemory {
  /// The access is in one of these; none: nothing is known of it.
  SmallVector<int64_t> in;
  /// The access shares no byte with any access to one of these.
  SmallVector<int64_t> apart;
};

/// Where the accesses of an op are.
struct AccessMark {
  /// Of those to workgroup memory; the numbers are places in the arena.
  MarkedMemory buffers;
  /// Of those to other memory; the numbers are arguments of the kernel.
  MarkedMemory arguments;
  /// The kernel does not change what it reads there.
  bool isInvariant = false;
};

/// Puts a mark into the location of `op`.
void markAccess(Operation *op, const AccessMark &mark);

/// Takes the mark out of the location of `op`; none when there is none.
std::optional<AccessMark> takeAccessMark(Operation *op);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BACKEND_ACCESSMARK_H
