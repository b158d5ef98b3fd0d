//===- Kernel.cpp - what a kernel is -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Launch shape
//===----------------------------------------------------------------------===//

std::optional<int64_t> mlir::memspace::multiplySizes(const LaunchSizes &sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (size <= 0 || llvm::MulOverflow(product, size, product))
      return std::nullopt;
  return product;
}

static Attribute getSizeAttr(FunctionOpInterface func, StringRef discardable,
                             StringRef inherent) {
  if (Attribute attr = func->getAttr(discardable))
    return attr;
  return func->getAttr(inherent);
}

Attribute mlir::memspace::getBlockSizeAttr(FunctionOpInterface func) {
  return getSizeAttr(func, "gpu.known_block_size", "known_block_size");
}

Attribute mlir::memspace::getGridSizeAttr(FunctionOpInterface func) {
  return getSizeAttr(func, "gpu.known_grid_size", "known_grid_size");
}

/// The sizes that `attr` or, where there is none, an option gives; none when
/// neither does. `name`: "block" or "grid".
static FailureOr<std::optional<LaunchSizes>>
readSizes(FunctionOpInterface func, StringRef name, Attribute attr,
          ArrayRef<int64_t> given, StringRef example) {
  SmallVector<int64_t> numbers(given);
  if (attr) {
    auto sizes = dyn_cast<DenseI32ArrayAttr>(attr);
    numbers.assign({0});
    if (sizes)
      numbers.assign(sizes.asArrayRef().begin(), sizes.asArrayRef().end());
  }
  if (!attr && given.empty())
    return std::optional<LaunchSizes>();
  bool arePositive =
      numbers.size() == 3 && llvm::all_of(numbers, [](int64_t size) {
        return size > 0 && size <= std::numeric_limits<int32_t>::max();
      });
  if (arePositive) {
    LaunchSizes sizes{numbers[0], numbers[1], numbers[2]};
    if (multiplySizes(sizes))
      return std::optional<LaunchSizes>(sizes);
  }
  InFlightDiagnostic diag = func->emitError()
                            << name << " size of kernel '" << func.getName()
                            << "' must be three positive numbers";
  if (arePositive)
    diag << " with a product below 2^63";
  diag << ", for example " << example << "; got ";
  if (attr)
    diag << attr;
  else
    llvm::interleaveComma(given, diag);
  return diag;
}

FailureOr<LaunchShape>
mlir::memspace::getLaunchShape(FunctionOpInterface func,
                               const LaunchOverrides &overrides) {
  FailureOr<std::optional<LaunchSizes>> block =
      readSizes(func, "block", getBlockSizeAttr(func), overrides.block,
                "array<i32: 64, 1, 1>");
  FailureOr<std::optional<LaunchSizes>> grid =
      readSizes(func, "grid", getGridSizeAttr(func), overrides.grid,
                "array<i32: 16, 1, 1>");
  if (failed(block) || failed(grid))
    return failure();
  if (!*block)
    return func->emitError()
           << "kernel '" << func.getName()
           << "' has no block size; give it 'gpu.known_block_size = array<i32: "
              "x, y, z>'";
  LaunchShape shape;
  shape.block = **block;
  shape.grid = *grid;
  return shape;
}

bool mlir::memspace::isKernel(FunctionOpInterface func) {
  return !func.isExternal() && getBlockSizeAttr(func);
}

SmallVector<FunctionOpInterface> mlir::memspace::getKernels(Operation *root) {
  SmallVector<FunctionOpInterface> kernels;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (isKernel(func))
      kernels.push_back(func);
  });
  return kernels;
}

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

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
  if (!target) {
    if (overrides.isEmpty())
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
  // More than a chip has is a question of what would be; its backend refuses a
  // kernel that takes it.
  constexpr int64_t maxLimit = std::numeric_limits<int32_t>::max();
  if (overrides.workgroupLimit > maxLimit)
    return kernel->emitError()
           << "the workgroup limit of " << overrides.workgroupLimit
           << " bytes is more than " << maxLimit
           << ", which is all that addresses of workgroup memory reach; give a "
              "smaller one";
  if (overrides.subgroupSize > target->maxThreads)
    return kernel->emitError()
           << "the subgroup size of " << overrides.subgroupSize
           << " is more than the " << target->maxThreads
           << " threads that a workgroup has";
  // Lanes that are no subgroup of the hardware neither wait for each other nor
  // exchange values. AMD's newer chips run subgroups of 32 or of 64.
  int64_t largest = target->vendor == TargetVendor::NVIDIA ? 32
                    : target->vendor == TargetVendor::AMD  ? 64
                                                           : target->maxThreads;
  if (overrides.subgroupSize > largest)
    return kernel->emitError()
           << "the subgroup size of " << overrides.subgroupSize
           << " is more than the " << largest
           << " threads of the largest subgroup of " << target->chip
           << "; leave out 'subgroup-size', or give at most " << largest;
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
