# IREEPasses: the passes of IREE's tile-and-fuse pipeline up to bufferization, from
# IREE_SOURCE_DIR, to have its kernels in the form in which MemSpace takes them over.

set(_iree_pass_folders
  Codegen/Common
  Codegen/Common/GPU
  Codegen/Dialect/GPU/Transforms
  Codegen/Dialect/VectorExt/Transforms
  Codegen/LLVMGPU
  Dialect/LinalgExt/Transforms)
set(_iree_pass_sources
  Codegen/Common/CleanupBufferAllocViewPass.cpp
  Codegen/Common/CombineLayoutTransformation.cpp
  Codegen/Common/ConfigTrackingCanonicalizer.cpp
  Codegen/Common/ConvertAccGEMMToGEMMPass.cpp
  Codegen/Common/ConvolutionToIGEMM.cpp
  Codegen/Common/DecomposeConvolutionToLowerDimOps.cpp
  Codegen/Common/DecomposePackUnPackOps.cpp
  Codegen/Common/GPU/GPUApplyTilingLevel.cpp
  Codegen/Common/GPU/GPUBubbleResourceCasts.cpp
  Codegen/Common/GPU/GPUCombineValueBarriers.cpp
  Codegen/Common/GPU/GPUConvertToCoalescedDMA.cpp
  Codegen/Common/GPU/GPUFuseAndHoistParallelLoops.cpp
  Codegen/Common/GPU/GPUGreedilyDistributeToThreads.cpp
  Codegen/Common/GPU/GPUPackToIntrinsics.cpp
  Codegen/Common/GPU/GPUPadConvs.cpp
  Codegen/Common/GPU/GPUPadOperands.cpp
  Codegen/Common/GPU/GPUPromoteMatmulOperands.cpp
  Codegen/Common/GPU/GPUTileAndConvertConvToMatmul.cpp
  Codegen/Common/FoldTensorSubsetIntoVectorTransferOps.cpp
  Codegen/Common/GenericVectorization.cpp
  Codegen/Common/IREELoopInvariantCodeMotion.cpp
  Codegen/Common/NormalizeLoopBounds.cpp
  Codegen/Common/OptimizeTensorInsertExtractSlices.cpp
  Codegen/Common/PropagateDispatchSizeBounds.cpp
  Codegen/Common/PropagateReshapesByExpansion.cpp
  Codegen/Common/ReshapePatterns.cpp
  Codegen/Common/TileAndFuseUtils.cpp
  Codegen/Common/TileDispatchUsingForall.cpp
  Codegen/Common/TileLargeTensors.cpp
  Codegen/Common/Transforms.cpp
  Codegen/Dialect/GPU/TargetUtils/KnownTargets.cpp
  Codegen/Dialect/GPU/Transforms/CombineBarrierRegions.cpp
  Codegen/Dialect/GPU/Transforms/DistributeInnerTiledToLanes.cpp
  Codegen/Dialect/GPU/Transforms/ExpandUndistributedInnerTiles.cpp
  Codegen/Dialect/GPU/Transforms/Transforms.cpp
  Codegen/Dialect/GPU/Transforms/VectorizeIREEGPUOps.cpp
  Codegen/Dialect/VectorExt/Transforms/VectorizeIREEVectorExtOps.cpp
  Codegen/Interfaces/PartitionableLoopsInterface.cpp
  Codegen/Interfaces/ProcessorOpInterfaces.cpp
  Codegen/Interfaces/TensorMaskingOpInterface.cpp
  Codegen/Transforms/Transforms.cpp
  Codegen/Utils/GPUUtils.cpp
  Codegen/Utils/LinalgOpInfo.cpp
  Codegen/Utils/MarkerUtils.cpp
  Codegen/Utils/Utils.cpp
  Dialect/LinalgExt/Transforms/ConvertConvToIm2ColOp.cpp
  Dialect/LinalgExt/Transforms/DecomposeIm2col.cpp
  Dialect/LinalgExt/Transforms/VectorizeIREELinalgExtOps.cpp)

function(iree_cc_library)
endfunction()

set(_iree_interfaces_folder Codegen/Interfaces)
foreach(_iree_folder IN LISTS _iree_pass_folders _iree_interfaces_folder)
  include("${_iree_root}/iree/compiler/${_iree_folder}/CMakeLists.txt")
endforeach()

get_property(_iree_pass_outputs GLOBAL PROPERTY IREE_GENERATED)
list(REMOVE_ITEM _iree_pass_outputs ${_iree_outputs})
add_custom_target(IREEPassesGenerated DEPENDS ${_iree_pass_outputs})
list(TRANSFORM _iree_pass_sources PREPEND "${_iree_root}/iree/compiler/")
add_library(IREEPasses STATIC ${_iree_pass_sources})
add_dependencies(IREEPasses IREEPassesGenerated)
target_include_directories(IREEPasses SYSTEM PUBLIC
  "${IREE_SOURCE_DIR}/llvm-external-projects/iree-dialects/include")
# They run once on some kernels: that they compile soon is of more use.
target_compile_options(IREEPasses PRIVATE -w -O0)
target_link_libraries(IREEPasses PUBLIC IREEDialects)
