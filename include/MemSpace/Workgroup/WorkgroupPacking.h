//===- WorkgroupPacking.h - workgroup buffers as a packing problem -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The workgroup buffers of a kernel on memrefs with their bytes, alignments
/// and live ranges, as a static allocation problem, and its solution. Changes
/// nothing; memspace-pack-workgroup-memory does what is planned here.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_WORKGROUP_WORKGROUPPACKING_H
#define MEMSPACE_WORKGROUP_WORKGROUPPACKING_H

#include "MemSpace/Packing/Solvers.h"
#include "MemSpace/Target/TargetInfo.h"
#include "MemSpace/Workgroup/WorkgroupLiveness.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
namespace memspace {

/// Dynamic shared memory begins at a multiple of this after the static one.
inline constexpr int64_t kDynamicAlignment = 16;

/// One buffer in workgroup memory: a `memref.alloc` or `memref.alloca`, a
/// workgroup attribution of a `gpu.func`, or a `memref.global` (then `value` is
/// the first `memref.get_global` of it in the kernel).
struct WorkgroupBuffer {
  Value value;
  int64_t bytes = 0;
  int64_t alignment = 1;
  /// Other buffers that take the same place by turns, as
  /// WorkgroupLiveness::getSuccessions() says.
  SmallVector<Value, 0> followers = {};

  MemRefType getType() const { return cast<MemRefType>(value.getType()); }
};

class WorkgroupPacking {
public:
  /// Failure with a diagnostic at a buffer whose place cannot be fixed: its
  /// size is not static, it is allocated in some other way or initialized, or
  /// one iteration's is needed while another's is in use.
  ///
  /// A function that the kernel calls must not have workgroup buffers of its
  /// own (memspace-pack-workgroup-memory inlines such calls first).
  static FailureOr<WorkgroupPacking> compute(const KernelContext &context);

  /// In program order.
  ArrayRef<WorkgroupBuffer> getBuffers() const { return buffers; }
  const WorkgroupLiveness &getLiveness() const { return liveness; }
  /// One buffer for each of getBuffers(), live in points of getLiveness().
  const packing::Problem &getProblem() const { return problem; }

  /// Every buffer in its own bytes.
  packing::Solution getBumpLayout() const { return packing::bump(problem); }
  /// The fewest bytes. Deterministic; should the search end at its limit, the
  /// best that it has found.
  const packing::ExactResult &getPacked() const;

private:
  WorkgroupPacking(const KernelContext &context,
                   std::vector<WorkgroupBuffer> buffers);
  void joinSuccessions();

  std::vector<WorkgroupBuffer> buffers;
  WorkgroupLiveness liveness;
  packing::Problem problem;
  mutable std::optional<packing::ExactResult> packed;
};

/// By `memspace.buffer` of the views that the buffers become, the index of the
/// buffer: those of `followers` come behind all others.
SmallVector<unsigned> getIndicesOfNumbers(ArrayRef<WorkgroupBuffer> buffers);

/// The name that the IR printer gives `value` in `scope`: for diagnostics.
std::string getPrintedName(Value value, Operation *scope);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_WORKGROUP_WORKGROUPPACKING_H
