//===- AllocationHook.h - the bufferization hook -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What another compiler calls to use MemSpace's decisions in its own One-Shot
/// Bufferize: an allocation callback that never allocates dynamically in a
/// kernel, a copy callback that GPUs can execute, and the options that go with
/// them. MemSpace's own pass calls nothing else.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   bufferization::OneShotBufferizationOptions oneShot = options.oneShot;
///   configureBufferization(oneShot, options);
///   bufferization::BufferizationState state;
///   if (failed(bufferization::bufferizeOp(kernel, oneShot, state)))
///     return failure();
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_ALLOCATIONHOOK_H
#define MEMSPACE_TRANSFORMS_ALLOCATIONHOOK_H

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mlir {
namespace memspace {

/// An allocation callback for kernels whose `bufferization.alloc_tensor`s have
/// a memory space (`memspace-infer-memory-spaces`, or the caller's own).
///  - private: a static `memref.alloca` in the kernel's entry block;
///  - workgroup: a static `memref.alloc`; for dynamic extents with a constant
///    bound, the bound is allocated as bytes and a `memref.view` taken;
///  - once per subgroup (`memspace.per_subgroup` on the alloc_tensor): one
///    allocation of all instances and a `memref.view` of the own one;
///  - global, no space, or an extent without bound: failure with a diagnostic
///    that names the tensor, the rule and the way out.
/// Outside kernels it allocates as upstream's default does.
bufferization::BufferizationOptions::AllocationFn
makeRequireMemSpaceAllocationFn(const MemorySpaceOptions &options);

/// Makes every copy and allocation that `state`, the analysis of `kernel` by
/// analyzeKernel, asks for a `bufferization.alloc_tensor`. As upstream's
/// `insertTensorCopies`, but with the copies that a model of another dialect
/// does not ask for without a proof (TensorClaims.h).
LogicalResult insertNeededCopies(FunctionOpInterface kernel,
                                 bufferization::OneShotAnalysisState &state);

/// Installs the hook in `bufferization`, with a copy callback that emits
/// `linalg.copy` (a `memref.copy` of strided memory becomes a library call that
/// no GPU has) and the settings that the hook relies on.
void configureBufferization(bufferization::BufferizationOptions &bufferization,
                            const MemorySpaceOptions &options);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_ALLOCATIONHOOK_H
