//===- WorkgroupCounter.h - what a workgroup executes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_RETILE_WORKGROUPCOUNTER_H
#define MEMSPACE_LIB_RETILE_WORKGROUPCOUNTER_H

#include "LanePattern.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Retile/ExecutionCounts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// An extent or a number that the caller gives.
inline constexpr int64_t kUnknownNumber = 1024;

/// An integer of each thread of a workgroup: one for all, or one for each; none
/// at all if it is not known.
using Numbers = SmallVector<int64_t, 1>;

/// How often each thread executes something.
using Weights = SmallVector<int64_t>;

/// Executes the control flow of a workgroup, all threads side by side.
class WorkgroupCounter {
public:
  WorkgroupCounter(const KernelContext &context, ExecutionCounts &cost)
      : context(context), cost(cost), threads(context.getThreads()) {}

  /// Counts the workgroup at `block`, `times` times.
  void count(const LaunchSizes &block, int64_t times);
  /// Some loop or guard depends on which workgroup it is.
  bool dependsOnWorkgroup() const;

private:
  /// Where a memref's elements are: the first one's number, and what lies
  /// between neighbours.
  struct Place {
    Numbers offset;
    SmallVector<Numbers> strides;
  };

  void countRegion(Region &region, const Weights &weights);
  void countOp(Operation *op, const Weights &weights);
  void countLoop(const CountedLoop &loop, const Weights &weights);
  void countIf(scf::IfOp op, const Weights &weights);
  void countAccess(Value memref, std::optional<ValueRange> indices,
                   int64_t elements, bool isRead, bool isWrite,
                   const Weights &weights);
  void countPattern(const Numbers &bytes, int64_t width, bool isWorkgroup,
                    int64_t times, const Weights &weights);
  std::optional<Place> getPlace(Value memref) const;
  Numbers getBytes(Value memref, ValueRange indices) const;

  Numbers get(Value value) const;
  Numbers get(OpFoldResult value) const;
  Numbers get(const LoopBound &bound, bool isLower) const;
  Numbers compute(Operation *op) const;
  void delinearize(affine::AffineDelinearizeIndexOp op);
  Numbers computeMap(AffineMap map, ValueRange operands,
                     function_ref<int64_t(ArrayRef<int64_t>)> combine) const;

  KernelContext context;
  ExecutionCounts &cost;
  int64_t threads;
  LaunchSizes block = {0, 0, 0};
  DenseMap<Value, Numbers> values;
  /// Of the workgroup that is counted: ops that each thread has executed, and
  /// loads of global memory among them.
  Weights ops, loads;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_RETILE_WORKGROUPCOUNTER_H
