//===- BufferLayouts.h - another layout for a buffer in use -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Changes the strides of allocations, whose types all uses have to follow.
/// Buffers that loops, branches or selects may put in each other's place change
/// together.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_WORKGROUP_BUFFERLAYOUTS_H
#define MEMSPACE_LIB_TRANSFORMS_WORKGROUP_BUFFERLAYOUTS_H

#include "MemSpace/Target/TargetInfo.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir {
namespace memspace {

/// Allocations of one type that control flow may exchange; mostly one alone.
struct BufferGroup {
  /// In program order.
  SmallVector<memref::AllocOp, 1> allocs;
  /// All values that are one of the buffers as a whole.
  llvm::SetVector<Value> values;
  /// Where something else comes in; null if nothing does.
  Operation *intruder = nullptr;

  MemRefType getType() { return allocs.front().getType(); }
};

/// The groups of the allocations of `kernel` that satisfy `isWanted`.
std::vector<BufferGroup>
collectBufferGroups(FunctionOpInterface kernel,
                    llvm::function_ref<bool(memref::AllocOp)> isWanted);

/// The type of `reshape` (a `memref.collapse_shape` or `memref.expand_shape`)
/// of a buffer of `type`; failure where the strides do not allow it.
FailureOr<MemRefType> inferReshapedType(Operation *reshape, MemRefType type);

class LayoutChange {
public:
  /// Plans to give the buffers `type`, which has the shape and elements of the
  /// old one. Changes nothing.
  LayoutChange(const BufferGroup &group, MemRefType type);

  /// An op that cannot live with the new types; null when all can.
  Operation *getObstacle() const { return obstacle; }

  /// The largest alignment in bytes that an access or an assumption may want of
  /// the rows of a buffer. No access is wider than 16 bytes.
  int64_t getWantedAlignment(const TargetInfo &target) const;

  /// Changes the types. Only without an obstacle.
  void apply();

private:
  bool planTypes(Value value, MemRefType type);
  bool planUser(Operation *user, Value value, MemRefType type);

  const BufferGroup &group;
  llvm::MapVector<Value, MemRefType> types;
  Operation *obstacle = nullptr;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_WORKGROUP_BUFFERLAYOUTS_H
