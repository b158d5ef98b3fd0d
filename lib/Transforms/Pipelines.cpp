//===- Pipelines.cpp - the way of a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Pipelines.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memspace;

/// Fills in the target options that most passes have.
template <typename PassOptionsT>
static PassOptionsT withTarget(const KernelPipelineOptions &options) {
  PassOptionsT result;
  result.chip = options.chip;
  result.workgroupLimit = options.workgroupLimit;
  result.privateLimit = options.privateLimit;
  result.subgroupSize = options.subgroupSize;
  return result;
}

void mlir::memspace::buildKernelPipeline(OpPassManager &pm,
                                         const KernelPipelineOptions &o) {
  // On tensors.
  pm.addPass(createMemSpaceDropUnusedResults());
  pm.addPass(createMemSpaceNormalizeKernels(
      withTarget<MemSpaceNormalizeKernelsOptions>(o)));
  pm.addPass(createMemSpaceDistributeToThreads(
      withTarget<MemSpaceDistributeToThreadsOptions>(o)));
  pm.addPass(createMemSpaceInferMemorySpaces(
      withTarget<MemSpaceInferMemorySpacesOptions>(o)));
  pm.addPass(createMemSpaceBufferize(withTarget<MemSpaceBufferizeOptions>(o)));
  // On memrefs.
  pm.addPass(
      createMemSpaceMapToThreads(withTarget<MemSpaceMapToThreadsOptions>(o)));
  pm.addPass(createMemSpaceShrinkPrivate());
  pm.addPass(createMemSpacePackWorkgroupMemory());
  pm.addPass(createMemSpaceInsertBarriers(
      withTarget<MemSpaceInsertBarriersOptions>(o)));
  pm.addPass(
      createMemSpaceCheckBudget(withTarget<MemSpaceCheckBudgetOptions>(o)));
}

void mlir::memspace::buildROCDLPipeline(OpPassManager &pm,
                                        const KernelPipelineOptions &o) {
  buildKernelPipeline(pm, o);
}

void mlir::memspace::buildNVVMPipeline(OpPassManager &pm,
                                       const KernelPipelineOptions &o) {
  buildKernelPipeline(pm, o);
}

void mlir::memspace::registerPipelines() {
  PassPipelineRegistration<KernelPipelineOptions>(
      "memspace-kernel-pipeline",
      "Tensor kernels to bufferized, race-free GPU code within budget",
      buildKernelPipeline);
  PassPipelineRegistration<KernelPipelineOptions>(
      "memspace-rocdl-pipeline", "Tensor kernels to AMDGPU assembly",
      buildROCDLPipeline);
  PassPipelineRegistration<KernelPipelineOptions>(
      "memspace-nvvm-pipeline", "Tensor kernels to PTX", buildNVVMPipeline);
}
