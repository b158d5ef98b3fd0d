//===- ExecutionMapping.cpp - gpu mapping attributes as execution scopes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
template <typename AttrTy, ExecutionScope Scope, bool Lane>
struct GPUMappingModel : public ExecutionMappingAttrInterface::ExternalModel<
                             GPUMappingModel<AttrTy, Scope, Lane>, AttrTy> {
  ExecutionScope getIterationScope(Attribute) const { return Scope; }
  bool isLaneMapping(Attribute) const { return Lane; }
  bool isLinear(Attribute attr) const {
    return cast<DeviceMappingAttrInterface>(attr).isLinearMapping();
  }
  unsigned getDimension(Attribute attr) const {
    return cast<DeviceMappingAttrInterface>(attr).getRelativeIndex();
  }
};
} // namespace

void mlir::memspace::registerExecutionMappingExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *ctx, gpu::GPUDialect *) {
    gpu::GPUBlockMappingAttr::attachInterface<GPUMappingModel<
        gpu::GPUBlockMappingAttr, ExecutionScope::Workgroup, false>>(*ctx);
    gpu::GPUWarpgroupMappingAttr::attachInterface<GPUMappingModel<
        gpu::GPUWarpgroupMappingAttr, ExecutionScope::Warpgroup, false>>(*ctx);
    gpu::GPUWarpMappingAttr::attachInterface<GPUMappingModel<
        gpu::GPUWarpMappingAttr, ExecutionScope::Subgroup, false>>(*ctx);
    gpu::GPUThreadMappingAttr::attachInterface<GPUMappingModel<
        gpu::GPUThreadMappingAttr, ExecutionScope::Thread, false>>(*ctx);
    gpu::GPULaneMappingAttr::attachInterface<
        GPUMappingModel<gpu::GPULaneMappingAttr, ExecutionScope::Thread, true>>(
        *ctx);
  });
}
