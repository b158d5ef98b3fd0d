//===- iree-tile-and-fuse.cpp - IREE's kernels before bufferization -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the passes that IREE's tile-and-fuse pipeline has before bufferization,
/// in its order, so that MemSpace can be tried on what comes out of them.
/// Without the passes for ukernels and for strategies that a user writes: they
/// do nothing to kernels that have neither. Kernels leave their executables.
///
//===----------------------------------------------------------------------===//

#include "iree/compiler/Codegen/Common/GPU/Passes.h"
#include "iree/compiler/Codegen/Common/Passes.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenDialect.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/GPULoweringConfigUtils.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUAttrs.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUDialect.h"
#include "iree/compiler/Codegen/Dialect/GPU/Transforms/Passes.h"
#include "iree/compiler/Codegen/Dialect/PCF/IR/PCF.h"
#include "iree/compiler/Codegen/Dialect/VectorExt/IR/VectorExtDialect.h"
#include "iree/compiler/Codegen/Dialect/VectorExt/Transforms/Passes.h"
#include "iree/compiler/Codegen/Interfaces/PartitionableLoopsInterface.h"
#include "iree/compiler/Codegen/Interfaces/ProcessorOpInterfaces.h"
#include "iree/compiler/Codegen/Interfaces/TensorMaskingOpInterface.h"
#include "iree/compiler/Codegen/Utils/GPUUtils.h"
#include "iree/compiler/Codegen/Utils/Utils.h"
#include "iree/compiler/Dialect/Encoding/IR/EncodingDialect.h"
#include "iree/compiler/Dialect/HAL/IR/HALDialect.h"
#include "iree/compiler/Dialect/LinalgExt/IR/LinalgExtDialect.h"
#include "iree/compiler/Dialect/LinalgExt/Transforms/Passes.h"
#include "iree/compiler/Dialect/Stream/IR/StreamDialect.h"
#include "iree/compiler/Dialect/TensorExt/IR/TensorExtDialect.h"
#include "iree/compiler/Dialect/Util/IR/UtilDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::iree_compiler;

namespace {
void clean(OpPassManager &passes, bool tracking = true) {
  passes.addPass(tracking ? createConfigTrackingCanonicalizerPass()
                          : createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void tile(OpPassManager &passes, IREE::GPU::TilingLevel level, bool normalize) {
  GPUApplyTilingLevelPassOptions options;
  options.tilingLevel = level;
  options.normalizeLoops = normalize;
  if (level != IREE::GPU::TilingLevel::Reduction)
    options.fuseConsumers = false;
  passes.addPass(createGPUApplyTilingLevelPass(options));
}

void foldSlices(OpPassManager &passes) {
  OptimizeTensorInsertExtractSlicesPassOptions options;
  options.foldIdentitySlices = true;
  passes.addPass(createOptimizeTensorInsertExtractSlicesPass(options));
}

void vectorize(OpPassManager &passes) {
  passes.addPass(IREE::LinalgExt::createVectorizeIREELinalgExtOpsPass());
  passes.addPass(IREE::GPU::createVectorizeIREEGPUOpsPass());
  passes.addPass(createDecomposeConvolutionToLowerDimOpsPass());
  passes.addPass(IREE::LinalgExt::createDecomposeIm2colPass());
  clean(passes, /*tracking=*/false);
  passes.addPass(IREE::VectorExt::createVectorizeIREEVectorExtOpsPass());
  GenericVectorizationPassOptions options;
  options.vectorizeCopies = false;
  options.enableCleanup = false;
  options.foldCastIntoContract = true;
  options.enableVectorMasking = true;
  passes.addPass(createGenericVectorizationPass(options));
  clean(passes, /*tracking=*/false);
  foldSlices(passes);
  clean(passes, /*tracking=*/false);
}

void build(OpPassManager &passes, bool igemm) {
  passes.addPass(createGPUPadConvsPass());
  if (igemm)
    passes.addPass(createConvolutionToIGEMMPass());
  passes.addPass(createConvertAccGEMMToGEMMPass());
  passes.addPass(createTileAndDistributeToWorkgroupsUsingForallOpPass());
  clean(passes);
  clean(passes);
  passes.addPass(createGPUPadOperandsPass());
  passes.addPass(createGPUPromoteMatmulOperandsPass());
  passes.addPass(createGPUTileAndConvertConvToMatmulPass());
  passes.addPass(createGPUPackToIntrinsicsPass());
  passes.addPass(createDecomposeBoundaryPackUnPackOpsPass());
  passes.addPass(IREE::GPU::createExpandUndistributedInnerTilesPass());
  passes.addPass(createPropagateReshapesByExpansionPass());
  tile(passes, IREE::GPU::TilingLevel::Reduction, igemm);
  clean(passes);
  passes.addPass(createGPUConvertToCoalescedDMAPass());
  passes.addPass(createDecomposePackUnPackOpsPass(
      DecomposePackUnPackOpsPassOptions{/*tileOuterToOne=*/false,
                                        /*useOnlyReshapes=*/true}));
  passes.addPass(IREE::GPU::createExpandUndistributedInnerTilesPass());
  passes.addPass(createPropagateReshapesByExpansionPass());
  clean(passes);
  tile(passes, IREE::GPU::TilingLevel::Thread, igemm);
  clean(passes);
  tile(passes, IREE::GPU::TilingLevel::Subgroup, /*normalize=*/false);
  passes.addPass(IREE::GPU::createDistributeInnerTiledToLanesPass());
  passes.addPass(createNormalizeLoopBoundsPass(NormalizeLoopBoundsPassOptions{
      /*normalizeFor=*/false, /*normalizeForall=*/true}));
  clean(passes);
  passes.addPass(createIREELoopInvariantCodeMotionPass());
  passes.addPass(createGPUBubbleResourceCastsPass());
  foldSlices(passes);
  passes.addPass(createGPUFuseAndHoistParallelLoopsPass());
  CombineLayoutTransformationPassOptions combine;
  combine.scope = IREE::Codegen::RelayoutCombinationScope::Workgroup;
  passes.addPass(createCombineLayoutTransformationPass(combine));
  passes.addPass(createGPUGreedilyDistributeToThreadsPass());
  passes.addPass(createTileLargeTensorsPass());
  clean(passes, /*tracking=*/false);
  passes.addPass(createPropagateDispatchSizeBoundsPass());
  passes.addPass(createIREELoopInvariantCodeMotionPass());
  passes.addPass(IREE::GPU::createCombineBarrierRegionsPass());
  vectorize(passes);
  passes.addPass(createCleanupBufferAllocViewPass());
  passes.addPass(createGPUCombineValueBarriersPass());
}

struct TileAndFusePass : PassWrapper<TileAndFusePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAndFusePass)
  StringRef getArgument() const final { return "iree-tile-and-fuse"; }
  StringRef getDescription() const final {
    return "IREE's tile-and-fuse pipeline up to bufferization";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager passes(func::FuncOp::getOperationName());
    build(passes, /*igemm=*/true);
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    getOperation().walk([&](func::FuncOp function) {
      if (getTranslationInfo(function))
        kernels.push_back(function);
    });
    for (func::FuncOp kernel : kernels) {
      bool igemm = false;
      if (DictionaryAttr config = getTranslationInfo(kernel).getConfiguration())
        if (auto options = config.getAs<IREE::GPU::GPUPipelineOptionsAttr>(
                IREE::GPU::GPUPipelineOptionsAttr::getDictKeyName()))
          if (BoolAttr given = options.getUseIgemmConvolution())
            igemm = given.getValue();
      OpPassManager passes(func::FuncOp::getOperationName());
      build(passes, igemm);
      if (failed(runPipeline(passes, kernel)))
        return signalPassFailure();
    }
    for (func::FuncOp kernel : kernels)
      kernel->moveBefore(getOperation().getBody(),
                         getOperation().getBody()->end());
    for (Operation &op : llvm::make_early_inc_range(*getOperation().getBody()))
      if (isa<IREE::HAL::ExecutableOp>(op))
        op.erase();
  }
};
} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<
      IREE::Codegen::IREECodegenDialect, IREE::GPU::IREEGPUDialect,
      IREE::VectorExt::IREEVectorExtDialect, IREE::PCF::PCFDialect,
      IREE::Encoding::IREEEncodingDialect, IREE::HAL::HALDialect,
      IREE::LinalgExt::IREELinalgExtDialect, IREE::Stream::StreamDialect,
      IREE::TensorExt::IREETensorExtDialect, IREE::Util::UtilDialect>();
  registerProcessorOpInterfaceExternalModels(registry);
  registerPartitionableLoopsInterfaceModels(registry);
  registerTensorMaskingOpInterface(registry);
  PassRegistration<TileAndFusePass>();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "IREE's tile-and-fuse passes\n", registry));
}
