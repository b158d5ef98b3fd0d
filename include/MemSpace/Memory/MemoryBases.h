//===- MemoryBases.h - which memory a memref points into -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Traces a memref through views, selects, branches and loop-carried values to
/// the allocations and arguments behind it.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_MEMORYBASES_H
#define MEMSPACE_MEMORY_MEMORYBASES_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"

namespace mlir {
namespace memspace {

/// One memory that a memref may point into.
struct MemoryBase {
  /// The allocation or argument (a Value) or the symbol of a global (an
  /// Attribute); null when unknown.
  const void *root = nullptr;
  /// The root if it is a value.
  Value rootValue;
  /// The buffer: the view if the root is an arena, else the root, if it is a
  /// value. Null when unknown.
  Value buffer;
  /// Bytes from the start of the root to where the accessed memref points, if
  /// known.
  std::optional<LinearExpr> shiftBytes;
  /// The touched bytes of the root, if bounded by constants: [first, second).
  std::optional<std::pair<int64_t, int64_t>> bytes;
  /// Which memory it may be.
  bool maybeWorkgroup = true;
  bool maybeGlobal = true;
};

/// The memory that `memref` may point into.
SmallVector<MemoryBase, 2> getMemoryBases(Value memref,
                                          const KernelContext &context);

/// True when the bytes of the two may overlap.
bool mayShareBytes(const MemoryBase &a, const MemoryBase &b);

/// True for a memref of the thread's own memory: by its type, or an alloca.
bool isPrivateMemory(Value memref, const MemorySpaceMapping &spaces);

/// True when no memory behind `memref` can be private.
bool isSharedMemory(Value memref, const KernelContext &context);

/// Strides in elements and where in memory the element at index 0 lies.
struct StaticStrides {
  SmallVector<int64_t> strides;
  /// In elements from where the memref points.
  LinearExpr offset;
  int64_t elementBytes;
};
/// The layout of `memref` if its strides are constant; one along an extent of 1
/// that is not counts as 0. The offset may be that
/// of a `memref.reinterpret_cast`, else it is a constant, too.
std::optional<StaticStrides> getStaticStrides(Value memref,
                                              const TargetInfo &target);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_MEMORYBASES_H
