//===- Bufferize.h - from tensors to buffers in memory spaces -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel on tensors becomes a kernel on memrefs in private, workgroup and
/// global memory: by one call, or step by step. Passes of other compilers call
/// these functions as MemSpace's own passes do.
///
/// This header may change from release to release.
///
/// \code
///   MemorySpaceOptions options(target);
///   if (failed(bufferizeKernel(kernel, options)))
///     return failure(); // a diagnostic was emitted; `kernel` is as it was
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_BUFFERIZE_H
#define MEMSPACE_TRANSFORMS_BUFFERIZE_H

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"

namespace mlir {
namespace memspace {

/// Bufferizes `kernel`, which has a launch shape: prepares it, resolves its
/// conflicts, decides the memory spaces, bufferizes, and cleans up. Failure
/// with a diagnostic; `kernel` is then what it was before.
LogicalResult bufferizeKernel(FunctionOpInterface kernel,
                              const MemorySpaceOptions &options);

/// The dialects whose ops bufferizeKernel() and its steps create. They load
/// them, but a pass has to name them in getDependentDialects().
void getBufferizationDialects(DialectRegistry &registry);

//===----------------------------------------------------------------------===//
// The steps of bufferizeKernel(), in their order. Each fails with a diagnostic.
//===----------------------------------------------------------------------===//

/// Brings the kernel of `context` into the form that the analysis answers for:
/// sorts and their like shared by threads, destination style, loop-carried
/// buffers explicit, whole-tensor work on threads. Writes the launch shape and
/// the memory spaces of `context` on the kernel where the IR says otherwise.
/// After failure the kernel is valid IR, in part rewritten.
LogicalResult prepareKernel(const KernelContext &context,
                            const MemorySpaceOptions &options);

/// Makes every copy that One-Shot needs an explicit
/// `bufferization.alloc_tensor` and writes the decided memory space and its
/// reason on each of them. After failure the kernel is valid IR, in part
/// rewritten.
LogicalResult inferMemorySpaces(const KernelContext &context,
                                const MemorySpaceOptions &options);

/// Bufferizes `kernel`, whose allocations have memory spaces and whose
/// conflicts are resolved, with the hook (AllocationHook.h).
/// `memspace.exchange` becomes permuted loop yields; copies of a buffer to
/// itself go. After failure the kernel is what it was before.
LogicalResult bufferizeDecided(FunctionOpInterface kernel,
                               const MemorySpaceOptions &options);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_BUFFERIZE_H
