//===- ForallPromises.h - what a forall promises of its accesses -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A `scf.forall` promises that its iterations write disjoint elements, also
/// where the offsets are data. Once it is thread ids and guards that knowledge
/// is gone, so it is recorded on the accesses before (docs/barriers.md).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_MAP_FORALLPROMISES_H
#define MEMSPACE_LIB_TRANSFORMS_MAP_FORALLPROMISES_H

#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

/// A mapped forall and its number in the kernel.
struct NumberedForall {
  scf::ForallOp forall;
  ExecutionScope scope;
  int64_t id;
};

/// Sets the promise attributes on the accesses inside `foralls`, the mapped
/// foralls of `kernel`.
void recordPromises(const KernelContext &context,
                    ArrayRef<NumberedForall> foralls);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_MAP_FORALLPROMISES_H
