//===- MemorySpace.cpp - private, workgroup, global -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/MemorySpace.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::memspace;

StringRef mlir::memspace::stringifyMemorySpace(MemorySpace space) {
  switch (space) {
  case MemorySpace::Private:
    return "private";
  case MemorySpace::Workgroup:
    return "workgroup";
  case MemorySpace::Global:
    return "global";
  }
  llvm_unreachable("unknown memory space");
}

MemorySpaceMapping MemorySpaceMapping::getDefault() {
  MemorySpaceMapping mapping;
  mapping.toAttribute = [](MLIRContext *ctx, MemorySpace space) -> Attribute {
    gpu::AddressSpace value = gpu::AddressSpace::Global;
    if (space == MemorySpace::Private)
      value = gpu::AddressSpace::Private;
    else if (space == MemorySpace::Workgroup)
      value = gpu::AddressSpace::Workgroup;
    return gpu::AddressSpaceAttr::get(ctx, value);
  };
  mapping.fromAttribute = [](Attribute attr) -> std::optional<MemorySpace> {
    if (!attr)
      return MemorySpace::Global;
    auto space = dyn_cast<gpu::AddressSpaceAttr>(attr);
    if (!space)
      return std::nullopt;
    switch (space.getValue()) {
    case gpu::AddressSpace::Private:
      return MemorySpace::Private;
    case gpu::AddressSpace::Workgroup:
      return MemorySpace::Workgroup;
    case gpu::AddressSpace::Global:
      return MemorySpace::Global;
    default:
      return std::nullopt;
    }
  };
  return mapping;
}
