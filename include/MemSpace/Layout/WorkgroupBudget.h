//===- WorkgroupBudget.h - what a kernel asks of the GPU -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Workgroup and private bytes of a kernel on memrefs, and which buffers are
/// live where they are most. Works on packed and unpacked kernels, ours or
/// anybody's: a packed one has an arena with views, of any other the figures
/// are those that memspace-pack-workgroup-memory will give it.
///
/// The answers are about the kernel as it was when they were computed: after a
/// change of the kernel, compute them again.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(context);
///   if (failed(budget))
///     return failure(); // a diagnostic was emitted
///   os << budget->getWorkgroupBytes() << " bytes for each workgroup, "
///      << budget->getPrivateBytes() << " for each thread\n";
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LAYOUT_WORKGROUPBUDGET_H
#define MEMSPACE_LAYOUT_WORKGROUPBUDGET_H

#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Workgroup/WorkgroupLiveness.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
namespace memspace {

/// One buffer in workgroup or private memory.
struct BudgetBuffer {
  /// The view of the arena (the first one, when the buffer has several), or the
  /// allocation itself: a result, an attribution, the first
  /// `memref.get_global`.
  Value value;
  int64_t bytes = 0;
  int64_t alignment = 1;
  /// Byte of the workgroup's memory where it begins. 0 for private buffers.
  int64_t offset = 0;
  /// `value` is the only name of this memory; else it has several views, or
  /// several ops give it.
  bool hasOneName = true;
  /// Its `memspace.reason`; empty when it has none.
  StringRef getReason() const;
  /// What gives the buffer its shape: `value`, or the only cast of it, as a
  /// packed buffer with a strided layout has.
  Value getShaped() const;
  MemRefType getType() const { return cast<MemRefType>(getShaped().getType()); }
};

/// The figures of one kernel; they relate as peak <= packed <= sum.
class WorkgroupBudget {
public:
  /// Failure with a diagnostic at an allocation whose size is not static or
  /// that cannot be packed, at dynamic shared memory without
  /// `memspace.dynamic_workgroup_bytes`, and at a call of a function that has
  /// workgroup buffers of its own.
  static FailureOr<WorkgroupBudget> compute(const KernelContext &context);

  /// Bytes that the kernel asks of the GPU for each workgroup: static and
  /// dynamic together, packed.
  int64_t getWorkgroupBytes() const { return workgroupBytes; }
  /// Bytes with one home for each buffer, alignment holes included.
  int64_t getSumBytes() const { return sumBytes; }
  /// Bytes of the largest set of buffers that are live at once.
  int64_t getPeakLiveBytes() const { return peakLiveBytes; }
  /// Bytes of the stack that one thread takes for buffers.
  int64_t getPrivateBytes() const { return privateBytes; }

  /// True when the IR fixes every offset: there is nothing left to pack.
  bool isPacked() const { return packed; }
  ArrayRef<BudgetBuffer> getWorkgroupBuffers() const { return buffers; }
  ArrayRef<BudgetBuffer> getPrivateBuffers() const { return privateBuffers; }
  /// The buffers of one place where most bytes are live, largest first, as
  /// indices of getWorkgroupBuffers().
  ArrayRef<unsigned> getBuffersAtPeak() const { return atPeak; }

  /// The workgroup buffers as a static allocation problem, one for each of
  /// getWorkgroupBuffers(), live in points of the program. A layout that
  /// solves it is legal, be the kernel packed or not.
  const packing::Problem &getProblem() const { return problem; }
  /// The op at a point of the program, see WorkgroupLiveness.
  Operation *getOp(int64_t point) const { return liveness->getOp(point); }
  int64_t getNumPoints() const {
    return liveness ? liveness->getNumPoints() : 0;
  }

private:
  LogicalResult addWorkgroupMemory(const KernelContext &context);
  LogicalResult addPrivateMemory(const KernelContext &context);
  void findPeak();

  int64_t workgroupBytes = 0;
  int64_t sumBytes = 0;
  int64_t peakLiveBytes = 0;
  int64_t privateBytes = 0;
  bool packed = true;
  SmallVector<BudgetBuffer> buffers;
  SmallVector<BudgetBuffer> privateBuffers;
  SmallVector<unsigned> atPeak;
  packing::Problem problem;
  std::optional<WorkgroupLiveness> liveness;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LAYOUT_WORKGROUPBUDGET_H
