//===- InlineCallees.h - callees with workgroup buffers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_SUPPORT_INLINECALLEES_H
#define MEMSPACE_LIB_TRANSFORMS_SUPPORT_INLINECALLEES_H

#include "MemSpace/Kernel/KernelContext.h"

namespace mlir {
namespace memspace {

/// Inlines calls of functions that have workgroup buffers of their own, or call
/// such a function: only the kernel can give them a place. Failure with a
/// diagnostic at a call that cannot be inlined.
LogicalResult inlineWorkgroupCallees(const KernelContext &context);

/// Inlines those to which the kernel passes workgroup memory as well: barriers
/// between the accesses of one call are placed in the kernel or nowhere. Where
/// that cannot be done there is a warning.
LogicalResult inlineSharingCallees(const KernelContext &context);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_SUPPORT_INLINECALLEES_H
