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
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_MEMORYSPACE_H
#define MEMSPACE_KERNEL_MEMORYSPACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include <array>
#include <optional>

namespace mlir {
namespace memspace {

/// From the narrowest to the widest.
enum class MemorySpace { Private, Workgroup, Global };

/// "private", "workgroup" or "global".
StringRef stringifyMemorySpace(MemorySpace space);

/// How memory spaces are written as attributes: for each space the attribute
/// that MemSpace writes, and the attributes that it reads.
///
/// No attribute is global memory. Integers are compared by value, whatever
/// their type. A `#gpu.address_space` that the mapping does not name keeps its
/// meaning, since ops of the gpu dialect make such memory in any compiler.
///
/// \code
///   Builder b(context);
///   MemorySpaceMapping spaces(/*privateSpace=*/b.getI64IntegerAttr(5),
///                             /*workgroupSpace=*/b.getI64IntegerAttr(3));
///   spaces.setInIR(module); // for passes
/// \endcode
///
/// By name, `memspace.memory_spaces = {private = 5, workgroup = 3}` on the
/// kernel or on an op around it, or the option
/// `memory-spaces="private=5,workgroup=3"` of passes and pipelines.
class MemorySpaceMapping {
public:
  /// `#gpu.address_space<private>`, `<workgroup>` and `<global>`.
  MemorySpaceMapping() = default;
  /// Without `globalSpace`, global memory is written without an attribute.
  MemorySpaceMapping(Attribute privateSpace, Attribute workgroupSpace,
                     Attribute globalSpace = {});
  static MemorySpaceMapping getDefault() { return {}; }

  /// The mapping that `entries` spells: `private`, `workgroup` and, optionally,
  /// `global`, each an attribute or an array of attributes, of which the first
  /// is written and all are read. Failure with a diagnostic.
  static FailureOr<MemorySpaceMapping>
  get(DictionaryAttr entries, function_ref<InFlightDiagnostic()> emitError);
  /// The mapping of `kernel`: of `text`, if not empty, as in the option
  /// `memory-spaces`, else of `memspace.memory_spaces` on `kernel` or the
  /// nearest op around it, else the default. Failure with a diagnostic at
  /// `kernel` or at the op with the attribute.
  static FailureOr<MemorySpaceMapping> resolve(Operation *kernel,
                                               StringRef text = "");

  /// Reads `attribute` as `space`, too.
  void addAlias(MemorySpace space, Attribute attribute);

  /// The attribute that is written for `space`; may be null for global memory.
  Attribute toAttribute(MLIRContext *context, MemorySpace space) const;
  /// The space that `attribute` names; none for one that names no space.
  std::optional<MemorySpace> fromAttribute(Attribute attribute) const;
  /// The space that the type of a memref names; none for no memref, no
  /// attribute, and an attribute that names no space: may be any memory.
  std::optional<MemorySpace> getNamedSpace(Type type) const;

  bool isDefault() const { return names[0].empty(); }
  /// Writes the mapping on `op` as `memspace.memory_spaces`; the default one as
  /// no attribute.
  void setInIR(Operation *op) const;

  bool operator==(const MemorySpaceMapping &other) const {
    return names == other.names;
  }

private:
  /// In the order of MemorySpace, the written name first; all empty for the
  /// default, empty at Global for no attribute.
  std::array<SmallVector<Attribute, 1>, 3> names;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_MEMORYSPACE_H
