//===- LoneOps.h - ops that are all that a kernel does -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Several kernels that the host launches one after the other can take the
/// place of one that does nothing but one op, from arguments to arguments.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LONEOPS_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LONEOPS_H

#include "MemSpace/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir {
namespace memspace {

struct LoneOp {
  DestinationStyleOpInterface op;
  func::FuncOp kernel;
  /// The arguments that are read, and those that the results go to; null for
  /// results that nobody uses.
  SmallVector<BlockArgument> inputs, outputs;
  int64_t numThreads = 0;
};

/// `op`, which is in the body of `kernel`. Failure with an error at `op` that
/// begins with `why` if the kernel does something else, too; if `quiet`,
/// without an error.
FailureOr<LoneOp> getLoneOp(DestinationStyleOpInterface op, func::FuncOp kernel,
                            int64_t numThreads, const Twine &why,
                            bool quiet = false);

/// An empty kernel next to `whole`, for workgroups of `block` threads; the
/// builder stands in it. Without `grid` its code says how many there are.
func::FuncOp makePartKernel(OpBuilder &builder, func::FuncOp whole,
                            Location loc, const Twine &suffix,
                            TypeRange arguments, const LaunchSizes &block,
                            const std::optional<LaunchSizes> &grid);

/// The same next to that of `op`, for as many threads; the builder
/// stands in it. `numBlocks`: workgroups, 0 where its code says that itself.
func::FuncOp makePartKernel(OpBuilder &builder, const LoneOp &op,
                            StringRef suffix, TypeRange arguments,
                            int64_t numBlocks = 0);

/// The tensor in `argument`, a memref that is no other argument of its kernel.
Value makeArgumentTensor(OpBuilder &builder, Location loc, Value argument,
                         bool isWritten = false);

/// Stores each of `elements` that has a memref there, at `place`, where no
/// other thread of the grid writes.
void storeApart(OpBuilder &builder, Location loc, ValueRange elements,
                ArrayRef<Value> memrefs, ValueRange place);

/// Empties the kernel of `op`, which becomes a function of the host. The
/// builder stands in it.
void makeHost(OpBuilder &builder, const LoneOp &op);

/// What is said of the launch of a kernel does not hold of its host.
void removeLaunchAttrs(func::FuncOp host);

/// Puts what `host` does where it is called, if only this module can call it:
/// then its caller launches the kernels.
void inlineHost(func::FuncOp host);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_LONEOPS_H
