//===- OwnerMaps.h - which thread accesses which element -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For a buffer class, whether all mapped accesses agree on the physical
/// thread that accesses an element (they are *aligned*), and by which slices
/// of which `scf.forall`. Whole-tensor accesses without a mapping of their own
/// adopt that forall (docs/rules.md#aligned).
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_OWNERMAPS_H
#define MEMSPACE_SPACES_OWNERMAPS_H

#include "MemSpace/Spaces/BufferClasses.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace memspace {

/// The slices by which the iterations of a `forall` write a whole buffer:
/// iteration i writes the slice at which `insert` places its result.
struct OwnerMap {
  scf::ForallOp forall;
  tensor::ParallelInsertSliceOp insert;

  /// Elements of one slice; none when it is not static.
  std::optional<int64_t> getSliceElements() const;
  /// Elements that one thread owns: a slice for each of its
  /// iterations; none when it is not static.
  std::optional<int64_t>
  getElementsPerThread(const KernelContext &context) const;
};

/// A write and a read that different threads may execute on one element.
struct UnalignedPair {
  const BufferAccess *write = nullptr;
  const BufferAccess *read = nullptr;
};

class OwnerMaps {
public:
  OwnerMaps(const KernelContext &context, const BufferClasses &classes)
      : classes(classes), relations(context) {}

  /// A distributed write of `cls` and a read that is not aligned with it; none
  /// when every read is proved to happen on the thread that wrote.
  /// `mappedOnly`: reads at the scope of the allocation itself (uniform reads,
  /// whole-tensor copies) are left out.
  std::optional<UnalignedPair> findUnaligned(const BufferClass &cls,
                                             bool mappedOnly) const;

  /// A forall whose iterations write all of `cls`, each its slice: the
  /// forall's iterations times the slice's elements are the buffer's elements,
  /// and iterations are disjoint by promise. None when there is none.
  std::optional<OwnerMap> getOwnerMap(const BufferClass &cls) const;

  /// True when `access` is executed by narrower groups than the one that the
  /// buffer belongs to: each iteration of a forall does its part.
  static bool isMapped(const BufferAccess &access, const BufferClass &cls) {
    return access.scope > cls.scope;
  }
  /// True when each thread writes its part of the buffer.
  static bool isDistributed(const BufferClass &cls) {
    return llvm::any_of(cls.accesses, [&](const BufferAccess &access) {
      return access.write && isMapped(access, cls);
    });
  }

  const ThreadRelations &getRelations() const { return relations; }

private:
  enum class OwnerKind { Any, Certain };
  std::optional<OwnerMap> findOwnerMap(const BufferClass &cls,
                                       OwnerKind kind) const;
  std::optional<UnalignedPair> computeUnaligned(const BufferClass &cls,
                                                bool mappedOnly) const;

  const BufferClasses &classes;
  ThreadRelations relations;
  /// Answers, for the next who asks.
  mutable DenseMap<const BufferClass *, std::optional<OwnerMap>> ownerMaps;
  mutable DenseMap<std::pair<const BufferClass *, unsigned>,
                   std::optional<UnalignedPair>>
      unaligned;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_OWNERMAPS_H
