//===- ForallPlan.h - which ids run a mapped forall -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides for each mapped forall of a kernel which thread or block ids count
/// its dimensions, and refuses what cannot be counted by them.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_MAP_FORALLPLAN_H
#define MEMSPACE_LIB_TRANSFORMS_MAP_FORALLPLAN_H

#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"

namespace mlir {
namespace memspace {

/// One id of the hardware and the dimensions of the forall that it counts.
struct ForallAxis {
  static constexpr int64_t kUnknown = ShapedType::kDynamic;

  /// Over the dims d0, d1, d2 (thread or block ids x, y, z) and, for blocks,
  /// the symbols s0, s1 (grid sizes x, y).
  AffineExpr id;
  /// The id is less than this; kUnknown for a grid that the IR does not give.
  int64_t count;
  /// Dimensions of the forall, the fastest first. None: only id 0 works.
  SmallVector<unsigned, 3> dims;
};

struct ForallPlan {
  scf::ForallOp forall;
  ForallMapping mapping;
  SmallVector<ForallAxis, 3> axes;
  /// The number of the forall in its kernel.
  int64_t id;
  /// Each subgroup of the workgroup executes all iterations.
  bool isRepeated = false;
};

/// Plans all foralls of the kernel, the outer ones before those inside. Failure
/// with a diagnostic at the first that has tensors, no mapping or a wrong one,
/// or that the workgroup cannot run.
FailureOr<SmallVector<ForallPlan>> planForalls(const KernelContext &context);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_MAP_FORALLPLAN_H
