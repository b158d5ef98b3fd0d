//===- InitAll.h - registration of everything -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registers the dialect, its external models and the passes; what a tool or
/// an embedding compiler calls once.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_INITALL_H
#define MEMSPACE_INITALL_H

#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Retile/RetileDriver.h"
#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Transforms/Pipelines.h"

namespace mlir {
namespace memspace {

/// The dialect and every external model. Upstream's dialects are not
/// registered here.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<MemSpaceDialect>();
  registerExecutionMappingExternalModels(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerArgumentBoundsExternalModels(registry);
  registerUniformityModels(registry);
  registerMemoryModels(registry);
}

/// All passes and pipelines.
inline void registerAllPasses() {
  registerMemSpacePasses();
  registerPipelines();
  registerCompilePipeline();
}

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_INITALL_H
