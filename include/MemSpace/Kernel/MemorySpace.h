//===- MemorySpace.h - private, workgroup, global -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The memory spaces that MemSpace decides between, and how an embedding
/// compiler names them in the IR.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_MEMORYSPACE_H
#define MEMSPACE_KERNEL_MEMORYSPACE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/MLIRContext.h"
#include <functional>
#include <optional>

namespace mlir {
namespace memspace {

/// From the narrowest to the widest.
enum class MemorySpace { Private, Workgroup, Global };

/// "private", "workgroup" or "global".
StringRef stringifyMemorySpace(MemorySpace space);

/// How memory spaces are written as attributes. An embedding compiler replaces
/// both functions to use attributes of its own.
struct MemorySpaceMapping {
  std::function<Attribute(MLIRContext *, MemorySpace)> toAttribute;
  /// None for an attribute that names no space; no attribute is global memory.
  std::function<std::optional<MemorySpace>(Attribute)> fromAttribute;

  /// `#gpu.address_space<private>`, `<workgroup>` and `<global>`.
  static MemorySpaceMapping getDefault();
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_MEMORYSPACE_H
