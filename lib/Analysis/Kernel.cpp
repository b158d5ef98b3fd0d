//===- Kernel.cpp - what a kernel is -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/Kernel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::memspace;

static std::optional<std::array<int64_t, 3>>
getShape(Operation *op, StringRef discardable, StringRef inherent) {
  auto attr = op->getAttrOfType<DenseI32ArrayAttr>(discardable);
  if (!attr)
    attr = op->getAttrOfType<DenseI32ArrayAttr>(inherent);
  if (!attr || attr.size() != 3)
    return std::nullopt;
  for (int32_t size : attr.asArrayRef())
    if (size <= 0)
      return std::nullopt;
  return std::array<int64_t, 3>{attr[0], attr[1], attr[2]};
}

std::optional<LaunchShape>
mlir::memspace::getLaunchShape(FunctionOpInterface func) {
  auto block = getShape(func, "gpu.known_block_size", "known_block_size");
  if (!block)
    return std::nullopt;
  LaunchShape shape;
  shape.block = *block;
  shape.grid = getShape(func, "gpu.known_grid_size", "known_grid_size");
  return shape;
}

bool mlir::memspace::isKernel(FunctionOpInterface func) {
  return !func.isExternal() && getLaunchShape(func).has_value();
}

SmallVector<FunctionOpInterface> mlir::memspace::getKernels(Operation *root) {
  SmallVector<FunctionOpInterface> kernels;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (isKernel(func))
      kernels.push_back(func);
  });
  return kernels;
}

FailureOr<TargetInfo>
mlir::memspace::resolveTarget(FunctionOpInterface kernel,
                              const TargetOverrides &overrides) {
  std::optional<TargetInfo> target;
  if (!overrides.chip.empty()) {
    target = lookupTarget(overrides.chip);
    if (!target)
      return kernel->emitError() << "unknown chip '" << overrides.chip
                                 << "'; known chips: " << getKnownChips();
  } else {
    FailureOr<std::optional<TargetInfo>> fromIR = getTargetFromIR(kernel);
    if (failed(fromIR))
      return failure();
    target = *fromIR;
  }
  bool anyNumber = overrides.workgroupLimit || overrides.privateLimit ||
                   overrides.subgroupSize;
  if (!target) {
    if (!anyNumber)
      return kernel->emitError()
             << "kernel '" << kernel.getName()
             << "' has no target; give the option 'chip' (for example "
                "chip=gfx942) or attach a target attribute";
    target = TargetInfo();
  }
  if (overrides.workgroupLimit < 0 || overrides.privateLimit < 0 ||
      overrides.subgroupSize < 0)
    return kernel->emitError()
           << "the limits and the subgroup size must not be negative";
  if (overrides.workgroupLimit) {
    target->workgroupBytes =
        std::min(target->workgroupBytes, overrides.workgroupLimit);
    target->maxWorkgroupBytes = overrides.workgroupLimit;
  }
  if (overrides.privateLimit)
    target->privateBytes = overrides.privateLimit;
  if (overrides.subgroupSize)
    target->subgroupSize = overrides.subgroupSize;
  return *target;
}
