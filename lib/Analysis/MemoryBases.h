//===- MemoryBases.h - which memory a memref points into -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Traces a memref through views, selects, branches and loop-carried values to
/// the allocations and arguments behind it.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_ANALYSIS_MEMORYBASES_H
#define MEMSPACE_LIB_ANALYSIS_MEMORYBASES_H

#include "MemSpace/Analysis/MemoryAccess.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir {
namespace memspace {

/// The space that a memref type names, if it is one of the gpu dialect.
std::optional<gpu::AddressSpace> getAddressSpace(Type type);

/// True for a memref of the thread's own memory: by its type, or an alloca.
bool isPrivateMemory(Value memref);

/// True when no memory behind `memref` can be private.
bool isSharedMemory(Value memref, const KernelContext &context);

/// Strides in elements and where in memory the element at index 0 lies.
struct StaticStrides {
  SmallVector<int64_t> strides;
  /// In elements from where the memref points.
  LinearExpr offset;
  int64_t elementBytes;
};
/// The layout of `memref` if its strides are constant. The offset may be that
/// of a `memref.reinterpret_cast`, else it is a constant, too.
std::optional<StaticStrides> getStaticStrides(Value memref,
                                              const TargetInfo &target);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_ANALYSIS_MEMORYBASES_H
