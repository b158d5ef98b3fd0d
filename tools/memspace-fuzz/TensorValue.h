//===- TensorValue.h - what an SSA value is while it is interpreted -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The interpreter's data: immutable tensors whose elements are attributes, so
/// that a scalar op is evaluated by its own `fold`, and views of the kernel's
/// memref arguments. An element that nobody has written is a null attribute.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_TENSORVALUE_H
#define MEMSPACE_FUZZ_TENSORVALUE_H

#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <memory>

namespace mlir {
namespace memspace {
namespace fuzz {

/// Dense, row-major. Shared by all values that are equal; copied on a write.
struct Tensor {
  Type elementType;
  SmallVector<int64_t> shape;
  std::vector<Attribute> elements;

  /// Every element is undefined.
  static Tensor undefined(Type elementType, ArrayRef<int64_t> shape);
  int64_t getNumElements() const { return elements.size(); }
};
using TensorRef = std::shared_ptr<const Tensor>;

/// A strided window of a kernel argument's memory.
struct MemRefView {
  std::shared_ptr<Tensor> memory;
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;

  /// The memory of an argument as a whole.
  static MemRefView whole(std::shared_ptr<Tensor> memory);
  /// Elements in row-major order.
  Tensor read() const;
  void write(const Tensor &tensor) const;
};

/// One of the three.
struct RuntimeValue {
  Attribute scalar;
  TensorRef tensor;
  std::shared_ptr<const MemRefView> memref;

  RuntimeValue() = default;
  RuntimeValue(Attribute scalar) : scalar(scalar) {}
  RuntimeValue(TensorRef tensor) : tensor(std::move(tensor)) {}
  RuntimeValue(Tensor tensor)
      : tensor(std::make_shared<const Tensor>(std::move(tensor))) {}
  RuntimeValue(MemRefView view)
      : memref(std::make_shared<const MemRefView>(std::move(view))) {}
};

/// Offsets, sizes and strides of a slice with no dimension dropped.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides;

  int64_t getNumElements() const;
  /// Calls `body` with the row-major index, in `shape`, of each element of the
  /// slice, in order. Fails when some element is outside of `shape`.
  LogicalResult forEach(ArrayRef<int64_t> shape,
                        llvm::function_ref<void(int64_t)> body) const;
};

/// Whether a tensor of that shape is small enough to be interpreted.
bool isInterpretable(ArrayRef<int64_t> shape);

/// Row-major index of `indices`; nothing when they are out of range.
std::optional<int64_t> linearize(ArrayRef<int64_t> indices,
                                 ArrayRef<int64_t> shape);

/// The places of one row along `dimension`, which begins at `first`.
SmallVector<int64_t> getRow(ArrayRef<int64_t> shape, int64_t dimension,
                            ArrayRef<int64_t> first);

/// One NaN is like another.
bool isSameNumber(Attribute left, Attribute right);
bool isSame(const Tensor &left, const Tensor &right);

/// Calls `body` with all indices of `shape` in row-major order while it
/// succeeds.
LogicalResult
forEachIndex(ArrayRef<int64_t> shape,
             llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> body);

/// Bytes to attributes; every element is undefined in an uninitialized buffer.
Tensor readHostBuffer(const emulator::HostBuffer &buffer);
/// Attributes to bytes. Undefined elements keep the bytes of `buffer`, and
/// their bit is set in the result.
std::vector<bool> writeHostBuffer(const Tensor &tensor,
                                  emulator::HostBuffer &buffer);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_TENSORVALUE_H
