//===- KernelContext.h - what all analyses of a kernel share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kernel, its launch shape, its target and the names of the memory spaces.
/// Every analysis of a kernel is constructed from one context, so that no two
/// of them can assume different threads, subgroups or element sizes.
///
/// \code
///   FailureOr<KernelContext> context = KernelContext::create(func, target);
///   if (failed(context))
///     return failure(); // a diagnostic was emitted at `func`
///   BarrierPlacement placement(*context, BarrierPlacement::Mode::Insert);
/// \endcode
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_KERNEL_KERNELCONTEXT_H
#define MEMSPACE_KERNEL_KERNELCONTEXT_H

#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Kernel/MemorySpace.h"
#include <memory>

namespace mlir {
namespace memspace {

/// A handle, cheap to copy. The kernel may be rewritten while it lives; its
/// launch shape, its target and the spaces stay what they were.
class KernelContext {
public:
  /// The context of `kernel` on `target`. Without `spaces`, the mapping is the
  /// one that the IR names (MemorySpaceMapping::resolve). Failure with a
  /// diagnostic at `kernel` when its launch shape is missing or malformed, when
  /// the target has fewer threads in a workgroup than the block, or when the
  /// mapping in the IR is malformed.
  static FailureOr<KernelContext>
  create(FunctionOpInterface kernel, const TargetInfo &target,
         const LaunchOverrides &launch = {},
         const std::optional<MemorySpaceMapping> &spaces = std::nullopt);

  /// The context of a kernel whose GPU nobody has named. What depends on the
  /// GPU is not known then: hasTarget() is false, getSubgroupSize() none, and
  /// sizes are those of TargetInfo::getAnyGPU(). Failure as above.
  static FailureOr<KernelContext> createWithoutTarget(
      FunctionOpInterface kernel, const LaunchOverrides &launch = {},
      const std::optional<MemorySpaceMapping> &spaces = std::nullopt);

  /// The same for another kernel of the same launch: a copy of this one.
  KernelContext withKernel(FunctionOpInterface other) const;
  /// The same with another grid, of positive extents.
  KernelContext withGrid(const LaunchSizes &grid) const;

  FunctionOpInterface getKernel() const { return data->kernel; }
  const LaunchShape &getShape() const { return data->shape; }
  /// Threads in one workgroup.
  int64_t getThreads() const { return data->shape.getThreads(); }
  const TargetInfo &getTarget() const { return data->target; }
  bool hasTarget() const { return data->hasTarget; }
  const MemorySpaceMapping &getSpaces() const { return data->spaces; }

  /// Threads in one subgroup; none when it is not known.
  std::optional<int64_t> getSubgroupSize() const;
  /// Subgroups in one workgroup; none when it is not known.
  std::optional<int64_t> getSubgroups() const;

private:
  struct Data {
    FunctionOpInterface kernel;
    LaunchShape shape;
    TargetInfo target;
    MemorySpaceMapping spaces;
    bool hasTarget = true;
  };
  explicit KernelContext(Data data)
      : data(std::make_shared<const Data>(std::move(data))) {}

  std::shared_ptr<const Data> data;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_KERNEL_KERNELCONTEXT_H
