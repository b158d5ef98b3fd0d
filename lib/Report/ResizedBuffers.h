//===- ResizedBuffers.h - how many bytes with other extents -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_RESIZEDBUFFERS_H
#define MEMSPACE_LIB_REPORT_RESIZEDBUFFERS_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
namespace memspace {

/// Bytes of a buffer of `type` with the extents `shape`. Padding between rows
/// keeps its size. None when the layout does not tell what is padding.
std::optional<int64_t> getResizedBytes(MemRefType type, ArrayRef<int64_t> shape,
                                       const TargetInfo &target);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_RESIZEDBUFFERS_H
