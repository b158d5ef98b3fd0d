//===- HostLoopQuery.h - which loops stay with the host ---------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loops and branches of a function of whole tensors that are too much for
/// one workgroup, and whether the host can execute them.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_TILE_HOSTLOOPQUERY_H
#define MEMSPACE_LIB_TRANSFORMS_TILE_HOSTLOOPQUERY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace memspace {

/// Whether `function` has such loops or branches. A workgroup may keep `bytes`.
bool hasHostLoops(func::FuncOp function, int64_t bytes);

class HostLoopQuery {
public:
  HostLoopQuery(func::FuncOp function, int64_t bytes);

  /// In program order.
  ArrayRef<Operation *> getControls() const { return controls; }
  bool isControl(Operation *op) const {
    return llvm::is_contained(controls, op);
  }
  /// False, with a warning at the first of them that says why, where the host
  /// cannot execute them all.
  bool check();
  /// Says that it cannot because of `op`, which may be another op. False.
  bool refuse(Operation *op, StringRef why);

  /// True where the caller gives `tensor`, in a memref of no layout and memory
  /// space, and nobody overwrites it.
  bool isOfArgument(Value tensor) const;

private:
  bool checkStores();
  bool checkLoop(scf::ForOp loop);
  bool checkBranch(scf::IfOp branch);
  bool isEmptyOnHost(Value tensor) const;
  bool isOnHost(Value value) const;

  func::FuncOp function;
  SmallVector<Operation *> controls;
  /// Memory that is overwritten.
  DenseSet<Value> stored;
};

/// An op whose result each function can have from its own copy: it reads no
/// more than the memory of what it is a view of.
bool isCheap(Operation *op);

/// What `tensor` has its extents from: ops on whole tensors keep them.
Value getWithExtents(Value tensor);

/// What `loop` yields as its `number`th value is the one that it carries, with
/// a part inserted, and nobody else looks at that one: it is updated in place.
tensor::InsertSliceOp getUpdate(scf::ForOp loop, unsigned number);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_TILE_HOSTLOOPQUERY_H
