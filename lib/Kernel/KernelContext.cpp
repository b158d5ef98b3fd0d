//===- KernelContext.cpp - what all analyses of a kernel share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/KernelContext.h"

using namespace mlir;
using namespace mlir::memspace;

FailureOr<KernelContext>
KernelContext::create(FunctionOpInterface kernel, const TargetInfo &target,
                      const LaunchOverrides &launch,
                      const std::optional<MemorySpaceMapping> &spaces) {
  FailureOr<LaunchShape> shape = getLaunchShape(kernel, launch);
  if (failed(shape))
    return failure();
  if (shape->getThreads() > target.maxThreads)
    return kernel->emitError()
           << "kernel '" << kernel.getName() << "' has workgroups of "
           << shape->getThreads() << " threads; '" << target.chip
           << "' has at most " << target.maxThreads;
  FailureOr<MemorySpaceMapping> mapping =
      spaces ? FailureOr<MemorySpaceMapping>(*spaces)
             : MemorySpaceMapping::resolve(kernel);
  if (failed(mapping))
    return failure();
  return KernelContext(Data{kernel, *shape, target, *mapping, true});
}

FailureOr<KernelContext> KernelContext::createWithoutTarget(
    FunctionOpInterface kernel, const LaunchOverrides &launch,
    const std::optional<MemorySpaceMapping> &spaces) {
  FailureOr<KernelContext> context =
      create(kernel, TargetInfo::getAnyGPU(), launch, spaces);
  if (failed(context))
    return failure();
  Data data = *context->data;
  data.hasTarget = false;
  return KernelContext(std::move(data));
}

KernelContext KernelContext::withKernel(FunctionOpInterface other) const {
  Data copy = *data;
  copy.kernel = other;
  return KernelContext(std::move(copy));
}

KernelContext KernelContext::withGrid(const LaunchSizes &grid) const {
  Data copy = *data;
  copy.shape.grid = grid;
  return KernelContext(std::move(copy));
}

std::optional<int64_t> KernelContext::getSubgroupSize() const {
  if (data->target.subgroupSize <= 0)
    return std::nullopt;
  return data->target.subgroupSize;
}

std::optional<int64_t> KernelContext::getSubgroups() const {
  if (std::optional<int64_t> size = getSubgroupSize())
    return data->shape.getSubgroups(*size);
  return std::nullopt;
}
