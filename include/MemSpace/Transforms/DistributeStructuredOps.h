//===- DistributeStructuredOps.h - sorts and their like over threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The structured ops of the dialect (`memspace.sort`, ...) stand for work that
/// all threads do together. This is where they become code of threads, before
/// anything is decided about memory.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_DISTRIBUTESTRUCTUREDOPS_H
#define MEMSPACE_TRANSFORMS_DISTRIBUTESTRUCTUREDOPS_H

#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

/// Rewrites each structured op of `context`'s kernel that a workgroup or a
/// subgroup executes into `forall`s of its threads or lanes. Those on memrefs
/// become ops on tensors first, or are guarded to one thread; scatters on
/// memrefs are shared as they are. Results that nobody uses are dropped first.
/// An op that one thread executes stays (`memspace-linalg-to-loops` lowers it),
/// but a gather, which becomes a linalg op.
///
/// Failure with a diagnostic at an op that cannot be shared, or that a
/// warpgroup or the grid executes; the kernel is then valid IR, in part
/// rewritten. docs/rules.md, "Sorts" and what follows, says what each becomes.
LogicalResult distributeStructuredOps(const KernelContext &context);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_DISTRIBUTESTRUCTUREDOPS_H
