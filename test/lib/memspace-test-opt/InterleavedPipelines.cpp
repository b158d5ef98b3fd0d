//===- InterleavedPipelines.cpp - canonicalization between all passes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interleave.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::memspace;

using PipelineBuilder = void (*)(OpPassManager &,
                                 const KernelPipelineOptions &);

template <PipelineBuilder build>
static void registerInterleaved(StringRef name, StringRef description) {
  PassPipelineRegistration<KernelPipelineOptions>(
      name, description,
      [](OpPassManager &pm, const KernelPipelineOptions &options) {
        addPasses(pm, Canonicalization::Interleaved,
                  [&](OpPassManager &passes) { build(passes, options); });
      });
}

namespace mlir::memspace {
void registerInterleavedPipelines() {
  registerInterleaved<buildKernelPipeline>(
      "test-interleaved-kernel-pipeline",
      "memspace-kernel-pipeline with canonicalization between all passes");
  registerInterleaved<buildROCDLPipeline>(
      "test-interleaved-rocdl-pipeline",
      "memspace-rocdl-pipeline with canonicalization between all passes");
  registerInterleaved<buildNVVMPipeline>(
      "test-interleaved-nvvm-pipeline",
      "memspace-nvvm-pipeline with canonicalization between all passes");
}
} // namespace mlir::memspace
