//===- BufferSize.h - how many bytes a buffer takes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one size model (docs/workgroup-memory.md#sizes): what the lowering
/// really allocates. Estimator, packer, budget check and report all use it, so
/// that no two of them can disagree.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_BUFFERSIZE_H
#define MEMSPACE_MEMORY_BUFFERSIZE_H

#include "MemSpace/IR/Encodings.h"
#include "MemSpace/Target/TargetInfo.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
namespace memspace {

/// Bytes that one element takes in memory: ceil(bits / 8) for integers and
/// floats (an i1 or i4 takes a byte), LLVM's allocation size for vectors
/// (`vector<3xf32>`: 16), two elements for complex, `target.indexBytes` for
/// index. None for a type without a size.
std::optional<int64_t> getElementBytes(Type elementType,
                                       const TargetInfo &target);

/// Alignment in bytes that accesses to the element type need.
std::optional<int64_t> getElementAlignment(Type elementType,
                                           const TargetInfo &target);

/// Alignment in bytes that MemSpace gives a workgroup buffer of `elementType`:
/// at least 16, so that vector accesses may be used.
int64_t getBufferAlignment(Type elementType, const TargetInfo &target);

/// Bytes of a buffer of `shape`; none on a dynamic extent, an element type
/// without a size or an overflow of 63 bits.
std::optional<int64_t> getBufferBytes(ArrayRef<int64_t> shape, Type elementType,
                                      const TargetInfo &target);

/// Bytes of a memref from its first to one past its last byte, strides
/// included; none as above, and on dynamic strides.
std::optional<int64_t> getBufferBytes(MemRefType type,
                                      const TargetInfo &target);

/// The layout of tensors of `type` on `target`. Failure, with an error by
/// `emitError`, where its encoding has none there, where it cannot be counted
/// in 63 bits, or where the resolver counts other bytes than this size model.
FailureOr<TiledLayout>
getResolvedLayout(RankedTensorType type, const TargetInfo &target,
                  llvm::function_ref<InFlightDiagnostic()> emitError);

/// Bytes of a tensor in the layout that its encoding has on `target`, padding
/// included; none as above, and where the layout is not known. With
/// `boundedShape`, the bytes of the largest one whose extents are not above it.
std::optional<int64_t> getBufferBytes(RankedTensorType type,
                                      const TargetInfo &target,
                                      ArrayRef<int64_t> boundedShape = {});

/// Constant upper bound of `value`'s dimension `dim` (a tensor or memref), or
/// of `value` itself (an index; then `dim` is none): from value bounds and
/// integer ranges. None when there is none or only a trivial one (2^31 or
/// more).
std::optional<int64_t> getConstantUpperBound(Value value,
                                             std::optional<int64_t> dim);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_BUFFERSIZE_H
