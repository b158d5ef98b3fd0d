//===- BufferClasses.h - which tensors share a buffer -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tensor values of a kernel that One-Shot Bufferize puts in one buffer,
/// or in buffers that cannot be told apart (`scf.if`, `arith.select`,
/// exchanged loop values), and every access to the elements of such a buffer.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_SPACES_BUFFERCLASSES_H
#define MEMSPACE_SPACES_BUFFERCLASSES_H

#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"

namespace mlir {
namespace memspace {

/// Where a tensor value lies in the buffer that holds it.
struct BufferView {
  /// The tensor value that is the whole buffer: an allocation, a `to_tensor`,
  /// a constant.
  Value root;
  /// The value may lie in another root of its class instead: merged control
  /// flow.
  bool anyRoot = false;
  /// One entry for each dimension of the root: the root index of value index 0
  /// (`offset`), the root distance of neighbours (`stride`), the extent, and
  /// the dimension of the value, none where the value has rank reduced it.
  struct Dim {
    LinearExpr offset;
    std::optional<LinearExpr> size;
    int64_t stride = 1;
    std::optional<unsigned> valueDim;
  };
  /// None when the mapping is not known (reshapes, dynamic strides, merged
  /// control flow of different views): any element.
  std::optional<SmallVector<Dim>> dims;

  /// True when the value is the whole root, index for index.
  bool isIdentity() const;
  /// True when both values are the same elements of the same buffer.
  bool isSameMemory(const BufferView &other) const;
  /// The root elements of the part `ranges` of the value; of the whole value
  /// when there are none.
  std::optional<SmallVector<IndexRange>>
  getRootRanges(std::optional<ArrayRef<IndexRange>> ranges) const;
};

/// The indices that a slice takes of its source; none on a dynamic stride.
std::optional<SmallVector<IndexRange>>
getSliceRanges(OffsetSizeAndStrideOpInterface slice);

/// The view of `root` that is all of it; without dimensions where `root` has no
/// rank.
BufferView getIdentityView(Value root);

/// The view of a slice of a value with view `source`. `dropped`: dimensions of
/// the source that the slice's value does not have.
BufferView getSliceView(const BufferView &source,
                        OffsetSizeAndStrideOpInterface slice,
                        const llvm::SmallBitVector &dropped);

/// One access to the elements of a buffer.
struct BufferAccess {
  /// The op operand through which it happens; null for the write of an
  /// `alloc_tensor` with a copy.
  OpOperand *operand = nullptr;
  Operation *op = nullptr;
  bool read = false;
  bool write = false;
  /// Elements in root coordinates.
  ElementAccess elements;
  /// The scope that executes `op`.
  ExecutionScope scope = ExecutionScope::Workgroup;
};

/// The values of one buffer, or of buffers that may be confused.
struct BufferClass {
  SmallVector<Value> values;
  /// Roots of the values: allocations and values from outside the kernel.
  SmallVector<Value> roots;
  SmallVector<BufferAccess> accesses;
  /// Widest scope of the allocations among the roots.
  ExecutionScope scope = ExecutionScope::Thread;
  /// All roots are allocated at one scope. Else a buffer of one thread may be
  /// confused with one that threads share, and no space serves both.
  bool hasOneScope = true;

  /// A root comes from outside the kernel: an argument, `to_tensor`, a
  /// constant.
  bool hasOutsideRoot() const;
  /// A root is an allocation of the kernel.
  bool hasAllocatedRoot() const;
};

/// True for a tensor whose buffer the kernel allocates (`tensor.empty`,
/// `bufferization.alloc_tensor`, an op that allocates when bufferized).
bool isAllocatedTensor(Value root);

class BufferClasses {
public:
  /// `state` holds the in-place decisions for `kernel`. Values that are
  /// bufferized out of place start a class of their own.
  BufferClasses(const KernelContext &context,
                const bufferization::OneShotAnalysisState &state);

  /// The class of a tensor value of the kernel; null for other values.
  const BufferClass *getClass(Value tensor) const;
  ArrayRef<std::unique_ptr<BufferClass>> getClasses() const { return classes; }
  /// Where `tensor` lies in its buffer.
  const BufferView &getView(Value tensor) const;
  /// True when the source of `op` is its destination already.
  bool isInPlace(bufferization::MaterializeInDestinationOp op) const;

private:
  const BufferView &computeView(Value tensor);
  bool isExchanged(Value value) const;
  void collectAccesses(Operation *op);

  const bufferization::OneShotAnalysisState &state;
  ExecutionScopeAnalysis scopes;
  DenseMap<Value, std::unique_ptr<BufferView>> views;
  DenseMap<Value, BufferClass *> classOf;
  /// Loops that exchange buffers, with the class of these.
  DenseSet<std::pair<Operation *, const BufferClass *>> exchanging;
  SmallVector<std::unique_ptr<BufferClass>> classes;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_SPACES_BUFFERCLASSES_H
