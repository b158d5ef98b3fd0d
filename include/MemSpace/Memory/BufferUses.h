//===- BufferUses.h - who touches a buffer -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows a memref forwards through views, selects, branches and loop-carried
/// values to every op that may access its memory. What cannot be followed is
/// said to escape.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_BUFFERUSES_H
#define MEMSPACE_MEMORY_BUFFERUSES_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/MemorySpace.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir {
namespace memspace {

/// Everything that may happen to the memory of one buffer.
struct BufferUses {
  /// Operands through which an op may read or write the buffer.
  SmallVector<OpOperand *> accesses;
  /// Operands that pass the buffer on to a region argument, a block argument or
  /// a result (terminators and the initial values of loops among them).
  SmallVector<OpOperand *> forwards;
  /// `memref.dealloc`s of the buffer.
  SmallVector<OpOperand *> deallocs;
  /// Uses that cannot be followed: from there on anything may access it.
  SmallVector<OpOperand *> escapes;
};

/// The uses of `buffer` and of everything that may alias it. A call of a
/// function that does nothing but access what it is given, and has done so when
/// it returns, is an access.
BufferUses collectBufferUses(Value buffer);

/// True when memory that `allocation` returns in one iteration of a loop around
/// it may be used in another one or after the loop, so that one buffer for all
/// iterations would be wrong.
bool mayOutliveIteration(Operation *allocation);

/// True when what `copy`, an asynchronous one, writes has arrived for certain
/// before its thread leaves the function: a group is closed behind it and then
/// a wait for all groups follows, in its block or in ones around it.
bool isAwaited(Operation *copy);

/// True for a memref whose type names workgroup memory.
bool isWorkgroupMemory(Type type, const MemorySpaceMapping &spaces);

/// True for the memory that holds all workgroup buffers of its kernel, each of
/// them a view: an allocation or a workgroup attribution with `memspace.arena`.
bool isArena(Value value);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_BUFFERUSES_H
