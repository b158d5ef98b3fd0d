//===- Mutations.h - small mistakes in a right kernel -----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What mutation testing does to a bufferized SPMD kernel: each mutation is one
/// mistake that a compiler can make with barriers, memory spaces or layouts.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TOOLS_MUTATE_MUTATIONS_H
#define MEMSPACE_TOOLS_MUTATE_MUTATIONS_H

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

enum class MutationKind {
  DeleteBarrier,
  /// Over the op before or after it, or out of the region that it begins or
  /// ends.
  MoveBarrierUp,
  MoveBarrierDown,
  /// All threads share what each should have.
  PrivateToWorkgroup,
  /// Each thread has what all should share.
  WorkgroupToPrivate,
  /// One element further, or back, in the memory that it is a view of.
  ShiftViewUp,
  ShiftViewDown,
  /// One element less.
  ShrinkBuffer,
};

/// A mutation of one op of a kernel. It applies to every copy of the kernel:
/// the op is found by its place.
struct Mutation {
  MutationKind kind;
  /// Number of the op in a walk of the kernel.
  unsigned place;
  Location loc;
  /// "delete the barrier" and the like.
  std::string description;
  /// Why the mutant computes the same, found from the IR alone; empty when
  /// nothing says so.
  std::string equivalence;

  bool isOfBarrier() const {
    return kind == MutationKind::DeleteBarrier ||
           kind == MutationKind::MoveBarrierUp ||
           kind == MutationKind::MoveBarrierDown;
  }
};

/// All mutations of the kernel.
SmallVector<Mutation> getMutations(FunctionOpInterface kernel);

/// Changes `kernel`, a copy of the kernel of `getMutations`.
void apply(const Mutation &mutation, FunctionOpInterface kernel);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TOOLS_MUTATE_MUTATIONS_H
