//===- Pipelines.cpp - the way of a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Pipelines.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
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
  result.memorySpaces = options.memorySpaces;
  return result;
}

/// The same for a pass on kernels. The first one of a pipeline says that there
/// are none.
template <typename PassOptionsT>
static PassOptionsT withLaunch(const KernelPipelineOptions &options,
                               bool isFirst = false) {
  auto result = withTarget<PassOptionsT>(options);
  result.blockSize = llvm::to_vector(options.blockSize);
  result.gridSize = llvm::to_vector(options.gridSize);
  result.quiet = !isFirst;
  return result;
}

/// The same for a pass that decides memory spaces.
template <typename PassOptionsT>
static PassOptionsT withDecisions(const KernelPipelineOptions &options) {
  auto result = withLaunch<PassOptionsT>(options);
  result.replicationBytes = options.replicationBytes;
  result.barrierWork = options.barrierWork;
  return result;
}

void mlir::memspace::buildUnverifiedKernelPipeline(
    OpPassManager &pm, const KernelPipelineOptions &o) {
  // On tensors.
  if (o.workspaces) {
    pm.addPass(createSplitKernelsPass(withLaunch<SplitKernelsPassOptions>(o)));
    pm.addPass(
        createAddWorkspacesPass(withLaunch<AddWorkspacesPassOptions>(o)));
  }
  pm.addPass(createMaterializeEncodingsPass(
      withTarget<MaterializeEncodingsPassOptions>(o)));
  if (o.noAlias)
    pm.addPass(
        createRecordNoAliasPass(withLaunch<RecordNoAliasPassOptions>(o)));
  if (o.argumentAlignment) {
    auto alignment = withLaunch<RecordAlignmentPassOptions>(o);
    alignment.alignment = o.argumentAlignment;
    pm.addPass(createRecordAlignmentPass(alignment));
  }
  auto normalize = withLaunch<NormalizeKernelsPassOptions>(o, /*isFirst=*/true);
  normalize.prepare = true;
  pm.addPass(createNormalizeKernelsPass(normalize));
  pm.addPass(createDistributeToThreadsPass(
      withDecisions<DistributeToThreadsPassOptions>(o)));
  pm.addPass(createInferMemorySpacesPass(
      withDecisions<InferMemorySpacesPassOptions>(o)));
  pm.addPass(createBufferizePass(withLaunch<BufferizePassOptions>(o)));
  // On memrefs. Behind each pass that changes anything all ops are verified:
  // what needs nothing in between is one pass.
  auto map = withLaunch<MapToThreadsPassOptions>(o);
  map.shrinkPrivate = true;
  pm.addPass(createMapToThreadsPass(map));
  if (o.padding)
    pm.addPass(
        createPadBankConflictsPass(withLaunch<PadBankConflictsPassOptions>(o)));
  auto barriers = withLaunch<InsertBarriersPassOptions>(o);
  barriers.pack = o.objective;
  barriers.iterationGuards = o.iterationGuards;
  pm.addPass(createInsertBarriersPass(barriers));
  pm.addPass(createCheckBudgetPass(withLaunch<CheckBudgetPassOptions>(o)));
  auto reductions = withLaunch<ReduceInSubgroupsPassOptions>(o);
  reductions.reassociate = o.reassociate;
  pm.addPass(createReduceInSubgroupsPass(reductions));
  // Plain memref code.
  pm.addPass(createLinalgToLoopsPass());
}

void mlir::memspace::buildKernelPipeline(OpPassManager &pm,
                                         const KernelPipelineOptions &o) {
  buildUnverifiedKernelPipeline(pm, o);
  // What was made is judged by another.
  auto verify = withLaunch<VerifyBarriersPassOptions>(o);
  verify.mayHazards = o.mayHazards;
  verify.workLimit = kVerifierWorkLimit;
  pm.addPass(createVerifyBarriersPass(verify));
}

/// From kernels on memrefs to gpu.modules that hold nothing but loops and
/// scalar accesses, with the target attached.
static void addOutlining(OpPassManager &pm, const KernelPipelineOptions &o,
                         StringRef backend) {
  pm.addPass(
      createOutlineKernelsPass(withTarget<OutlineKernelsPassOptions>(o)));
  pm.addPass(createCheckBackendPass({backend.str(), o.chip}));
  auto &gpu = pm.nest<gpu::GPUModuleOp>();
  gpu.addPass(createInlinerPass());
  gpu.addPass(createConvertLinalgToLoopsPass());
  gpu.addPass(createLowerSubgroupReductionsPass());
  gpu.addPass(createLowerVectorsPass());
  if (backend == "nvvm")
    gpu.addPass(createUnrollPrivatePass());
  gpu.addPass(createMarkAccessesPass({o.noAlias}));
  if (o.barePointers)
    gpu.addPass(createBarePointersPass({o.noAlias}));
  // Makes intrinsics, of whose effects nobody knows.
  gpu.addPass(createExpandMathPass());
  if (o.contract)
    gpu.addPass(createAllowContractionPass());
  gpu.addPass(createLowerSubgroupBarriersPass());
  gpu.addPass(memref::createExpandStridedMetadataPass());
  // Which would drop the assumptions.
  gpu.addPass(createAssumeAlignmentPass());
  gpu.addPass(createLowerAffinePass());
  gpu.addPass(createSCFToControlFlowPass());
}

/// What upstream's conversions leave behind, then the assembly text.
static void addAssembly(OpPassManager &pm, StringRef backend) {
  auto &gpu = pm.nest<gpu::GPUModuleOp>();
  gpu.addPass(createAddAliasScopesPass());
  gpu.addPass(createCanonicalizerPass());
  gpu.addPass(createCSEPass());
  gpu.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCheckBackendPass({backend.str(), ""}));
  GpuModuleToBinaryPassOptions binary;
  binary.compilationTarget = "isa";
  pm.addPass(createGpuModuleToBinaryPass(binary));
}

/// `o` with a chip when neither the options nor, perhaps, the IR name one.
static void setDefaultChip(KernelPipelineOptions &result,
                           const KernelPipelineOptions &o, StringRef chip) {
  result.copyOptionValuesFrom(o);
  if (result.chip.empty())
    result.chip = chip.str();
}

void mlir::memspace::buildROCDLBackendPipeline(
    OpPassManager &pm, const KernelPipelineOptions &given) {
  KernelPipelineOptions o;
  setDefaultChip(o, given, "gfx942");
  addOutlining(pm, o, "rocdl");
  ConvertGpuOpsToROCDLOpsOptions rocdl;
  rocdl.chipset = StringRef(o.chip).split(':').first.str();
  rocdl.runtime = gpu::amd::Runtime::HIP;
  rocdl.useBarePtrCallConv = o.barePointers;
  pm.addNestedPass<gpu::GPUModuleOp>(createConvertGpuOpsToROCDLOps(rocdl));
  addAssembly(pm, "rocdl");
}

void mlir::memspace::buildNVVMBackendPipeline(
    OpPassManager &pm, const KernelPipelineOptions &given) {
  KernelPipelineOptions o;
  setDefaultChip(o, given, "sm_90");
  addOutlining(pm, o, "nvvm");
  pm.addNestedPass<gpu::GPUModuleOp>(createConvertNVGPUToNVVMPass());
  ConvertGpuOpsToNVVMOpsOptions nvvm;
  nvvm.useBarePtrCallConv = o.barePointers;
  pm.addNestedPass<gpu::GPUModuleOp>(createConvertGpuOpsToNVVMOps(nvvm));
  pm.addPass(createExternalDynamicMemoryPass());
  addAssembly(pm, "nvvm");
}

void mlir::memspace::buildROCDLPipeline(OpPassManager &pm,
                                        const KernelPipelineOptions &given) {
  KernelPipelineOptions o;
  setDefaultChip(o, given, "gfx942");
  pm.addPass(createCheckBackendPass({"rocdl", o.chip}));
  buildKernelPipeline(pm, o);
  buildROCDLBackendPipeline(pm, o);
}

void mlir::memspace::buildNVVMPipeline(OpPassManager &pm,
                                       const KernelPipelineOptions &given) {
  KernelPipelineOptions o;
  setDefaultChip(o, given, "sm_90");
  pm.addPass(createCheckBackendPass({"nvvm", o.chip}));
  buildKernelPipeline(pm, o);
  buildNVVMBackendPipeline(pm, o);
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
  PassPipelineRegistration<KernelPipelineOptions>(
      "memspace-rocdl-backend-pipeline",
      "Packed kernels on memrefs to AMDGPU assembly",
      buildROCDLBackendPipeline);
  PassPipelineRegistration<KernelPipelineOptions>(
      "memspace-nvvm-backend-pipeline", "Packed kernels on memrefs to PTX",
      buildNVVMBackendPipeline);
}
