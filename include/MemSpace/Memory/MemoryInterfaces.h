//===- MemoryInterfaces.h - what other dialects' ops do to memory *- C++ -*-==//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interfaces by which a dialect says what its ops synchronize, which elements
/// they touch, and which memory their results name. The models of upstream's
/// dialects are registered by registerMemoryModels, as anybody's would be.
/// docs/embedding.md shows how to write one, MemoryInterfaces.td says what each
/// answer is trusted for.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_MEMORYINTERFACES_H
#define MEMSPACE_MEMORY_MEMORYINTERFACES_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Memory/LinearExpr.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir {
namespace memspace {

/// What a barrier orders: of the threads of `scope` (Workgroup or Subgroup),
/// all accesses before it against all accesses after it.
struct Barrier {
  ExecutionScope scope;
  bool ordersWorkgroupMemory = true;
  bool ordersGlobalMemory = true;
};

/// Elements of a ranked memref.
struct TouchedElements {
  /// The element at `indices`.
  static TouchedElements getElement(ValueRange indices);

  /// One for each dimension of the memref.
  SmallVector<IndexRange> ranges;
  /// Further (count, stride), in elements from the element that `ranges` says,
  /// which follow memory and not the dimensions: + stride · k, 0 <= k < count.
  SmallVector<std::pair<int64_t, int64_t>, 2> run;
  /// The lanes of a subgroup execute the op together: each may touch what any
  /// of them addresses.
  bool collective = false;
  /// A thread that executes the op touches all of it.
  bool exact = false;
};

/// Where a memref points to.
struct NamedMemory {
  /// An operand of the op: into the memory of that. Null: to memory that the
  /// op names.
  Value source;
  /// Where there is a source: the pointer is that of the source (offsets in the
  /// layouts of the two types may differ). Else it may be anywhere in there.
  bool hasSourcePointer = false;
  /// Equal indices of the two are equal elements; the shapes have one rank.
  bool keepsElements = false;
  /// Without a source: equal identities are one memory, others do not overlap.
  /// Null: it may be any memory of `space`.
  Attribute identity;
  /// With an identity: bytes from the beginning of that memory to where the
  /// memref points, a number or an operand of the op. Null: it may point
  /// anywhere in there.
  OpFoldResult byteOffset;
  /// The space, if it is one for certain.
  std::optional<MemorySpace> space;
};

} // namespace memspace
} // namespace mlir

#include "MemSpace/Memory/MemoryInterfaces.h.inc"

namespace mlir {
namespace memspace {

/// The operand whose elements `result` has at equal indices; null if it is no
/// such cast.
Value getCastSource(OpResult result);

/// The models of upstream's dialects.
void registerMemoryModels(DialectRegistry &registry);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_MEMORYINTERFACES_H
