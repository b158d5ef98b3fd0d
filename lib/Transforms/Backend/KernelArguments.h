//===- KernelArguments.h - what a kernel does to its arguments -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which arguments a kernel on memrefs writes, and which of them the backend
/// may take for memory of their own.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_BACKEND_KERNELARGUMENTS_H
#define MEMSPACE_LIB_TRANSFORMS_BACKEND_KERNELARGUMENTS_H

#include "MemSpace/Memory/MemoryAccess.h"

namespace mlir {
namespace memspace {

/// The arguments of a kernel, by number, as its accesses use them.
class KernelArguments {
public:
  /// Without `usesNoAlias`, every argument may overlap every other one.
  KernelArguments(const KernelContext &context, bool usesNoAlias);

  /// The arguments that do not alias each other.
  ArrayRef<int64_t> getRecorded() const { return recorded; }
  bool isRecorded(int64_t number) const {
    return llvm::is_contained(recorded, number);
  }
  /// The argument that `base` is the memory of; none for other memory.
  std::optional<int64_t> getNumber(const MemoryBase &base) const;
  /// True when nothing is written through the argument.
  bool isReadOnly(int64_t number) const { return !written[number]; }
  /// True when what is accessed through the argument and written by the kernel
  /// is accessed through nothing else: not even memory that is no recorded
  /// argument.
  bool isNoAlias(int64_t number) const {
    return isRecorded(number) &&
           (!accessesOthers || (isReadOnly(number) && !writesOthers));
  }
  /// True when the kernel does not change what it reads through the argument.
  bool isInvariant(int64_t number) const {
    return isRecorded(number) && isReadOnly(number) && !writesOthers;
  }

private:
  void add(const MemoryAccess &access);
  void addUnknown(bool writes);
  bool isConstant(const MemoryBase &base) const {
    return constants.contains(base.root);
  }

  const KernelContext &context;
  SmallVector<int64_t> recorded;
  /// By number.
  SmallVector<bool> written;
  /// Roots of global memory that nobody writes.
  llvm::DenseSet<const void *> constants;
  /// Global memory that is no recorded argument is accessed, or written.
  bool accessesOthers = false, writesOthers = false;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_BACKEND_KERNELARGUMENTS_H
