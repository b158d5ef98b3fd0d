//===- FinishBufferization.h - what One-Shot Bufferize leaves to be done -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What another compiler calls after its own One-Shot Bufferize with the hook
/// (AllocationHook.h). A kernel is not right without it, and needs no
/// canonicalization to be.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   KernelConstants constants(kernel);
///   bufferization::OneShotBufferizationOptions oneShot = options.oneShot;
///   configureBufferization(oneShot, options);
///   bufferization::BufferizationState state;
///   if (failed(bufferization::bufferizeOp(kernel, oneShot, state)))
///     return failure();
///   constants.bringNew();
///   if (failed(finishBufferization(kernel, options.spaces)))
///     return failure(); // a diagnostic was emitted
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_FINISHBUFFERIZATION_H
#define MEMSPACE_TRANSFORMS_FINISHBUFFERIZATION_H

#include "MemSpace/Kernel/MemorySpace.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// The three functions below, in their order: exchanges become permuted yields,
/// copies of a buffer to itself go, one thread does what all would repeat.
/// (`memspace-finish-bufferization`.) Failure with a diagnostic; `kernel` is
/// then valid IR, in part rewritten.
LogicalResult finishBufferization(FunctionOpInterface kernel,
                                  const MemorySpaceMapping &spaces);

/// Replaces each `memspace.exchange` on memrefs by a permuted terminator: the
/// arguments of the loop then name the buffers in turn, and nothing is moved.
///
/// \code{.mlir}
///   memspace.exchange %a, %b [1, 0]
///   scf.yield %a, %b                    // becomes scf.yield %b, %a
/// \endcode
///
/// After a constant number of iterations it is known which buffer each result
/// of a loop is: uses of the result then use the buffer.
///
/// Failure with a diagnostic at an exchange of other values than those that the
/// loop carries on, or before an access of the same iteration.
LogicalResult lowerExchanges(FunctionOpInterface kernel);

/// Erases each `linalg.copy` and `memref.copy` of a buffer to itself, which
/// in-place insertions leave behind: every thread would write what other
/// threads read. Two memrefs are one buffer when they are equal slices of it,
/// however often their offsets are computed, and also through loops and
/// branches that always pass on the same buffer.
void removeSelfCopies(FunctionOpInterface kernel);

/// Puts each structured op outside of thread foralls that writes memory which
/// threads share into a forall of one iteration, so that one thread (one lane,
/// in a subgroup) executes it: of copies only bufferization knows. A kernel
/// that reads thread ids by itself is left as it is. Failure with a diagnostic
/// at a write that every workgroup would repeat.
LogicalResult guardSharedWrites(FunctionOpInterface kernel,
                                const MemorySpaceMapping &spaces);

/// The constants of a kernel in a `gpu.module`: One-Shot puts those that it
/// makes into the `builtin.module`, where the kernel does not find them.
///
/// \code
///   KernelConstants constants(kernel);
///   // bufferize
///   constants.bringNew();
/// \endcode
class KernelConstants {
public:
  /// Remembers the constants that `kernel` has; before it is bufferized.
  explicit KernelConstants(FunctionOpInterface kernel);

  /// Copies the others to where the kernel finds them.
  void bringNew();

private:
  FunctionOpInterface kernel;
  SmallVector<memref::GetGlobalOp> old;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_FINISHBUFFERIZATION_H
