//===- ValueFlow.h - what control flow makes a value equal to -----*- C++
//-*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One step along the ways by which a value becomes another one unchanged:
/// between regions (RegionBranchOpInterface), between blocks
/// (BranchOpInterface), and through selects (SelectLikeOpInterface). Who traces
/// a value decides itself what its views, casts and roots are.
///
/// Upstream's BufferViewFlowAnalysis answers a coarser question: it computes
/// the aliases of all values of an op beforehand, without what happens on the
/// way. The tracers here need the shift in bytes that each view adds
/// (MemoryBases), the operands by which a buffer is used (BufferUses), ask for
/// a few values of a kernel that passes change in between, and look through ops
/// of other dialects by MemoryRootOpInterface.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_VALUEFLOW_H
#define MEMSPACE_MEMORY_VALUEFLOW_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace memspace {

/// Calls `visit` for each value `to`, an argument of a region or a result, and
/// each `from` that `branch` passes as it. `terminator`: the end of the region
/// that passes it; null: `branch` does when it begins.
void forEachPassedValue(
    RegionBranchOpInterface branch,
    llvm::function_ref<void(Value from, Value to, Operation *terminator)>
        visit);

/// The values of which `value`, the result of a select or of an op with
/// regions, or an argument of a block, is always one. None when that is not
/// known, among them what an op computes and the arguments of functions.
std::optional<SmallVector<Value>> getPassedValues(Value value);

/// The value from outside of a loop that its `result` is after a constant
/// number of iterations, which only pass it on. None for another op, where the
/// number is not constant, and where an iteration makes the value: outside of
/// the loop nothing would say which one.
///
/// \code{.mlir}
///   // Four iterations: %r#0 is %m, %r#1 is %n.
///   %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %m, %b = %n) {
///     scf.yield %b, %a
///   }
/// \endcode
Value getFinalValue(OpResult result);

/// The values that may be what `use` passes on. Empty for a use that computes,
/// or one of which that is not known.
SmallVector<Value> getPassedTo(OpOperand &use);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_VALUEFLOW_H
