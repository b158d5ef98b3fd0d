//===- Passes.h - MemSpace passes and pipelines -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes of MemSpace, in the order in which a kernel meets them, and the
/// pipelines made of them. Passes.td documents each one.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_PASSES_H
#define MEMSPACE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
namespace memspace {

#define GEN_PASS_DECL
#include "MemSpace/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "MemSpace/Transforms/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Old names, until the next release
//===----------------------------------------------------------------------===//

#define MEMSPACE_RENAMED_PASS(NAME)                                            \
  template <typename... Args>                                                  \
  [[deprecated("is called create" #NAME "Pass now")]] std::unique_ptr<Pass>    \
      createMemSpace##NAME(Args &&...args) {                                   \
    return create##NAME##Pass(std::forward<Args>(args)...);                    \
  }
#define MEMSPACE_RENAMED_OPTIONS(NAME)                                         \
  using MemSpace##NAME##Options                                                \
      [[deprecated("is called " #NAME "PassOptions now")]] =                   \
          NAME##PassOptions;

MEMSPACE_RENAMED_PASS(DropUnusedResults)
MEMSPACE_RENAMED_PASS(NormalizeKernels)
MEMSPACE_RENAMED_PASS(DistributeToThreads)
MEMSPACE_RENAMED_PASS(InferMemorySpaces)
MEMSPACE_RENAMED_PASS(Bufferize)
MEMSPACE_RENAMED_PASS(MapToThreads)
MEMSPACE_RENAMED_PASS(ShrinkPrivate)
MEMSPACE_RENAMED_PASS(PadBankConflicts)
MEMSPACE_RENAMED_PASS(PackWorkgroupMemory)
MEMSPACE_RENAMED_PASS(InsertBarriers)
MEMSPACE_RENAMED_PASS(EliminateBarriers)
MEMSPACE_RENAMED_PASS(VerifyBarriers)
MEMSPACE_RENAMED_PASS(LinalgToLoops)
MEMSPACE_RENAMED_PASS(CheckBudget)
MEMSPACE_RENAMED_PASS(ReportBudget)
MEMSPACE_RENAMED_PASS(OutlineKernels)
MEMSPACE_RENAMED_PASS(AddAliasScopes)
MEMSPACE_RENAMED_PASS(ExternalDynamicMemory)
MEMSPACE_RENAMED_PASS(LowerSubgroupBarriers)
MEMSPACE_RENAMED_PASS(CheckBackend)
MEMSPACE_RENAMED_PASS(ExpandMath)

MEMSPACE_RENAMED_OPTIONS(Bufferize)
MEMSPACE_RENAMED_OPTIONS(CheckBackend)
MEMSPACE_RENAMED_OPTIONS(CheckBudget)
MEMSPACE_RENAMED_OPTIONS(DistributeToThreads)
MEMSPACE_RENAMED_OPTIONS(EliminateBarriers)
MEMSPACE_RENAMED_OPTIONS(InferMemorySpaces)
MEMSPACE_RENAMED_OPTIONS(InsertBarriers)
MEMSPACE_RENAMED_OPTIONS(MapToThreads)
MEMSPACE_RENAMED_OPTIONS(NormalizeKernels)
MEMSPACE_RENAMED_OPTIONS(OutlineKernels)
MEMSPACE_RENAMED_OPTIONS(PackWorkgroupMemory)
MEMSPACE_RENAMED_OPTIONS(PadBankConflicts)
MEMSPACE_RENAMED_OPTIONS(ReportBudget)
MEMSPACE_RENAMED_OPTIONS(ShrinkPrivate)
MEMSPACE_RENAMED_OPTIONS(VerifyBarriers)

#undef MEMSPACE_RENAMED_OPTIONS
#undef MEMSPACE_RENAMED_PASS

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_PASSES_H
