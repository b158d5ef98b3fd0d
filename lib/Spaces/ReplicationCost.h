//===- ReplicationCost.h - repeated work against distributed work -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What it costs that every thread computes a whole tensor for itself, and what
/// if each computed a part (design section 4).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_SPACES_REPLICATIONCOST_H
#define MEMSPACE_LIB_SPACES_REPLICATIONCOST_H

#include "MemSpace/Spaces/OwnerMaps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

class Extents;

/// The work of one thread in one execution of the kernel, in accesses to
/// memory; an op of the payload counts as one access.
struct ReplicationCost {
  /// Each thread computes the whole tensor.
  double replicated = 0;
  /// Each computes its part, and waits where it reads the parts of others.
  double distributed = 0;

  bool isDistributionCheaper() const { return distributed < replicated; }
};

/// The cost of the tensors that are written by uniform code only. Tensors that
/// are computed from each other element by element are decided together: where
/// each thread has its part of all of them, none waits for the others.
class ReplicationCosts {
public:
  /// A barrier counts as `barrierWork` accesses. There is one each time such a
  /// tensor is written; the one before it is overwritten is often there for
  /// another buffer. A load by all threads at one address of memory that they
  /// share counts once a subgroup.
  ReplicationCosts(const KernelContext &context, const BufferClasses &classes,
                   const OwnerMaps &owners, int64_t barrierWork);

  /// Of `cls` and what is decided with it; none where there is no choice: a
  /// tensor with parts of threads, or written by an op that cannot be
  /// distributed.
  std::optional<ReplicationCost> get(const BufferClass *cls) const;

private:
  bool isAligned(const BufferAccess &access) const;
  void join(const BufferClass &cls);
  ReplicationCost getOwnCost(const BufferClass &cls, Extents &extents) const;

  const KernelContext &context;
  const BufferClasses &classes;
  const OwnerMaps &owners;
  int64_t barrierWork;
  /// Tensors in memory of the caller, or with parts of threads.
  DenseSet<const BufferClass *> shared;
  /// Tensors that may be replicated or distributed.
  llvm::SetVector<const BufferClass *> candidates;
  llvm::EquivalenceClasses<const BufferClass *> groups;
  /// The barriers for other tensors that replication of a tensor forces.
  DenseMap<const BufferClass *, double> forced;
  /// By the leaders of the groups.
  DenseMap<const BufferClass *, ReplicationCost> costs;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_SPACES_REPLICATIONCOST_H
