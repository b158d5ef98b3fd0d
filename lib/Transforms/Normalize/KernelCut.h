//===- KernelCut.h - where workgroups have to wait for each other ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel of block foralls in a straight line is cut in front of each forall
/// in which a workgroup meets elements that another one accesses in an earlier
/// forall since the last cut, one of the two to write. The foralls between
/// which there must be a cut are intervals, and cutting at the first end of
/// each is the least number of cuts (stabbing of intervals).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KERNELCUT_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KERNELCUT_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Spaces/BufferClasses.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {

/// Puts a tensor into memory.
bool isStore(Operation *op);
/// Can stand in any part of a kernel, and in several.
bool isMovable(Operation *op);
bool hasTensorOperand(Operation *op);

/// The parts of a kernel, and what each of them is made of.
class KernelCut {
public:
  KernelCut(const KernelContext &context, func::FuncOp kernel)
      : context(context), kernel(kernel), body(kernel.front()) {}

  /// Finds the parts. False where there is only one, and, with a remark, where
  /// the later ones would not find what they read, or the caller what is
  /// stored.
  bool cut();

protected:
  /// Says why `op` keeps the kernel whole.
  bool leave(Operation *op, StringRef why);

  const KernelContext &context;
  func::FuncOp kernel;
  Block &body;
  SmallVector<scf::ForallOp> foralls;
  /// The parts that foralls and stores are in.
  DenseMap<Operation *, unsigned> parts;
  unsigned numParts = 1;
  /// What else each part is made of, and the results of other parts in it.
  SmallVector<SetVector<Operation *>> needed;
  SmallVector<SetVector<OpResult>> read;

  /// Adds what `left` is made of to `part`.
  void collectNeeds(unsigned part, SmallVector<Value> left);

private:
  /// What workgroups access of one memory in one forall.
  struct GridAccess {
    Value memory;
    ElementAccess elements;
    bool isWrite;
  };

  bool hasKnownOps();
  void uniteMemories();
  BufferView getView(Value tensor);
  void collectReads(Value tensor, const BufferView &view, Value memory,
                    SmallVectorImpl<GridAccess> &accesses);
  void collectAccesses();
  bool numberParts();
  std::optional<unsigned>
  getSourcePart(bufferization::MaterializeInDestinationOp store) const;
  bool numberStores();
  bool checkStores();
  bool isOverwritten(Value tensor, unsigned part);
  bool checkReads();

  /// From 1 on.
  DenseMap<Operation *, unsigned> positions;
  /// Tensors and memrefs that may be in one memory.
  llvm::EquivalenceClasses<Value> memories;
  /// Values that have other indices than the memory that they are in.
  SmallVector<Value> shifted;
  DenseMap<Operation *, SmallVector<GridAccess>> accesses;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_KERNELCUT_H
