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
/// anybody's.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_WORKGROUPBUDGET_H
#define MEMSPACE_ANALYSIS_WORKGROUPBUDGET_H

#include "MemSpace/Analysis/Kernel.h"

namespace mlir {
namespace memspace {

/// One buffer in workgroup or private memory.
struct BudgetBuffer {
  /// The view of the arena, or the allocation itself.
  Value value;
  int64_t bytes = 0;
  /// Its `memspace.reason`; empty when it has none.
  StringRef getReason() const;
};

/// The figures of one kernel; they relate as peak <= packed <= sum.
class WorkgroupBudget {
public:
  /// Failure with a diagnostic at an allocation whose size is not static.
  static FailureOr<WorkgroupBudget> compute(FunctionOpInterface kernel,
                                            const TargetInfo &target);

  /// Bytes that the kernel asks of the GPU for each workgroup (packed).
  int64_t getWorkgroupBytes() const { return workgroupBytes; }
  /// Bytes with one home for each buffer, alignment holes included.
  int64_t getSumBytes() const { return sumBytes; }
  /// Bytes of the largest set of buffers that are live at once. Live ranges
  /// are closed over loops: a buffer is live in a whole loop unless its first
  /// access in the body writes the same places in every iteration and nothing
  /// outside the loop touches it.
  int64_t getPeakLiveBytes() const { return peakLiveBytes; }
  /// Bytes of the stack that one thread takes for buffers.
  int64_t getPrivateBytes() const { return privateBytes; }

  ArrayRef<BudgetBuffer> getWorkgroupBuffers() const { return buffers; }
  ArrayRef<BudgetBuffer> getPrivateBuffers() const { return privateBuffers; }
  /// The buffers of one place where most bytes are live, largest first.
  SmallVector<BudgetBuffer> getBuffersAtPeak() const;

private:
  int64_t workgroupBytes = 0;
  int64_t sumBytes = 0;
  int64_t peakLiveBytes = 0;
  int64_t privateBytes = 0;
  SmallVector<BudgetBuffer> buffers;
  SmallVector<BudgetBuffer> privateBuffers;
  SmallVector<unsigned> atPeak;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ANALYSIS_WORKGROUPBUDGET_H
