//===- KernelGroups.h - which ops become one kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cuts the ops of a function of whole tensors into groups, each of which
/// becomes a kernel: an op and the producers that its workgroups can compute,
/// each for its own part, without doing a reduction twice.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_KERNELGROUPS_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_KERNELGROUPS_H

#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
class RewritePatternSet;
namespace memspace {

/// Ops of one kernel, in program order; the last one is the anchor.
using KernelGroup = SmallVector<Operation *>;

/// The groups of `function`, in an order in which each comes behind those whose
/// results it reads. What all of a group's intermediate tensors take for one
/// iteration of the loops over workgroups is at most `bytes`. Each of `partial`
/// ends a kernel.
std::vector<KernelGroup> getKernelGroups(func::FuncOp function, int64_t bytes,
                                         const DenseSet<Operation *> &partial);

/// What `scatter` updates takes more than `bytes`, which a workgroup may keep,
/// or several workgroups share the updates: it is updated in global memory.
bool isUpdatedInPlace(ScatterOp scatter, int64_t bytes);

/// The memory that `memref` is a view of.
Value getRootMemory(Value memref);

/// An op that updates what is in memory updates a copy: each workgroup of its
/// own part.
void copyInits(func::FuncOp function);
/// The same for scatters in a kernel: the copy, which only they know the part
/// of, is in it with them.
void copyReadOutputs(func::FuncOp kernel);

/// Ops that put elements into a larger tensor, or compute them of their place
/// (`tensor.insert_slice`, `pad`, `generate`), become an op for each element of
/// the result.
void populateMovesToGenericPatterns(RewritePatternSet &patterns);

/// Dimensions of one element that no loop leads to, as reductions may keep
/// them, are dropped.
void dropUnitDimensions(func::FuncOp function);

/// The function has linalg ops on memrefs, and no loops around them.
bool worksOnMemRefs(func::FuncOp function);
/// The first op on whole memrefs in a loop or a branch of `function`, if there
/// is one: only straight-line code on memrefs becomes kernels.
Operation *findOpInControlFlow(func::FuncOp function);

/// Makes such a function one of ops on tensors, with the arguments that it has.
/// Failure with a diagnostic at an op that does more than read and write whole
/// memrefs and views of them, and where an argument that is written may overlap
/// another one: the caller promises by attributes that it does not.
LogicalResult makeTensors(func::FuncOp function);

/// Tensors come in and go out as memrefs: results behind the arguments. Failure
/// with a diagnostic at the function where one cannot.
LogicalResult makeMemRefs(func::FuncOp function);

/// Makes the function one of memrefs, with as few ops as the kernels need:
/// tensors that come in or go out become memrefs, parts of outputs are written
/// in place, ops that consist of others become these, and what is computed for
/// each element only is fused. The ops that a kernel must end with: those that
/// do a part of a long reduction, and copies of what is overwritten. Failure
/// with a diagnostic at what cannot become a kernel.
FailureOr<DenseSet<Operation *>> prepareFunction(func::FuncOp function,
                                                 int64_t bytes);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_KERNELGROUPS_H
