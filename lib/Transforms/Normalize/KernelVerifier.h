//===- KernelVerifier.h - what a tensor kernel must be -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The preconditions of the passes on tensors, each refused with one diagnostic
/// at the op at fault. Everything after may rely on them.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KERNELVERIFIER_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KERNELVERIFIER_H

#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// Finds functions at or below `root` that look like kernels but have no launch
/// shape, or a malformed one; without this they would silently stay as they
/// are.
LogicalResult verifyModuleKernels(Operation *root);

/// Checks one kernel on tensors against the rules below. Stops at the first
/// violation.
///  - it fits the target's threads, returns nothing shaped, takes no tensors;
///  - every forall is mapped, and the mappings nest from the grid inward;
///  - every subgroup is whole where lanes cooperate;
///  - ops on tensors can be bufferized;
///  - no memref is behind two independent tensors when one of them is written;
///  - workgroups of a known grid write different memory.
LogicalResult verifyTensorKernel(const KernelContext &context);

/// A write to memory of the caller that several workgroups execute in the same
/// way.
struct RepeatedWrite {
  Operation *op = nullptr;
  /// What it writes to.
  Value memref;
  /// As far as the grid is known; 1: it is not.
  int64_t workgroups = 1;
  bool hasBlockForall = false;
};
/// "every one of the 4 workgroups", or "every workgroup" of an unknown grid.
std::string describeWorkgroups(const RepeatedWrite &write);
std::optional<RepeatedWrite> findRepeatedWrite(const KernelContext &context);

/// How diagnostics name a forall of that mapping: "block", "thread", "lane".
StringRef getMappingName(const ForallMapping &mapping);

/// The memref that `memref` is a view of.
Value getBaseMemRef(Value memref);

/// True for two views of one memref that are apart in some dimension by their
/// constants.
bool areDisjointViews(Value a, Value b);

/// How diagnostics name that memref: "argument 1 (memref<64xf32>)".
std::string describeMemory(Value memref);

/// True when the tensor `value` is certainly an update of `origin`: each op
/// between passes its destination on.
bool isUpdateOf(Value value, Value origin);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KERNELVERIFIER_H
