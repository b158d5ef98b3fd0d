//===- TensorValue.cpp - what an SSA value is while it is interpreted -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorValue.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

static int64_t product(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

bool fuzz::isInterpretable(ArrayRef<int64_t> shape) {
  static constexpr int64_t kMostElements = int64_t(1) << 24;
  int64_t elements = 1;
  for (int64_t extent : shape)
    if (extent > kMostElements || (elements *= extent) > kMostElements)
      return false;
  return true;
}

Tensor Tensor::undefined(Type elementType, ArrayRef<int64_t> shape) {
  return {elementType, llvm::to_vector(shape),
          std::vector<Attribute>(product(shape))};
}

MemRefView MemRefView::whole(std::shared_ptr<Tensor> memory) {
  MemRefView view;
  view.sizes = memory->shape;
  view.strides.resize(view.sizes.size());
  int64_t stride = 1;
  for (int64_t dim = view.sizes.size() - 1; dim >= 0; --dim) {
    view.strides[dim] = stride;
    stride *= view.sizes[dim];
  }
  view.memory = std::move(memory);
  return view;
}

/// Position in the memory of the element at `indices` of `view`.
static int64_t getPosition(const MemRefView &view, ArrayRef<int64_t> indices) {
  int64_t position = view.offset;
  for (auto [index, stride] : llvm::zip_equal(indices, view.strides))
    position += index * stride;
  return position;
}

Tensor MemRefView::read() const {
  Tensor result = Tensor::undefined(memory->elementType, sizes);
  int64_t next = 0;
  (void)forEachIndex(sizes, [&](ArrayRef<int64_t> indices) {
    result.elements[next++] = memory->elements[getPosition(*this, indices)];
    return success();
  });
  return result;
}

void MemRefView::write(const Tensor &tensor) const {
  int64_t next = 0;
  (void)forEachIndex(sizes, [&](ArrayRef<int64_t> indices) {
    memory->elements[getPosition(*this, indices)] = tensor.elements[next++];
    return success();
  });
}

int64_t Slice::getNumElements() const { return product(sizes); }

LogicalResult Slice::forEach(ArrayRef<int64_t> shape,
                             llvm::function_ref<void(int64_t)> body) const {
  if (getNumElements() == 0)
    return success();
  for (auto [offset, size, stride, extent] :
       llvm::zip_equal(offsets, sizes, strides, shape))
    if (size < 0 || offset < 0 || offset >= extent ||
        offset + (size - 1) * stride < 0 ||
        offset + (size - 1) * stride >= extent)
      return failure();
  return forEachIndex(sizes, [&](ArrayRef<int64_t> indices) {
    int64_t index = 0;
    for (auto [i, offset, stride, extent] :
         llvm::zip_equal(indices, offsets, strides, shape))
      index = index * extent + offset + i * stride;
    body(index);
    return success();
  });
}

std::optional<int64_t> fuzz::linearize(ArrayRef<int64_t> indices,
                                       ArrayRef<int64_t> shape) {
  int64_t result = 0;
  for (auto [index, extent] : llvm::zip_equal(indices, shape)) {
    if (index < 0 || index >= extent)
      return std::nullopt;
    result = result * extent + index;
  }
  return result;
}

SmallVector<int64_t> fuzz::getRow(ArrayRef<int64_t> shape, int64_t dimension,
                                  ArrayRef<int64_t> first) {
  SmallVector<int64_t> row, place(first);
  for (place[dimension] = 0; place[dimension] < shape[dimension];
       ++place[dimension])
    row.push_back(*linearize(place, shape));
  return row;
}

bool fuzz::isSameNumber(Attribute left, Attribute right) {
  auto a = dyn_cast_if_present<FloatAttr>(left),
       b = dyn_cast_if_present<FloatAttr>(right);
  return left == right ||
         (a && b && a.getValue().isNaN() && b.getValue().isNaN());
}

bool fuzz::isSame(const Tensor &left, const Tensor &right) {
  return llvm::equal(left.elements, right.elements, isSameNumber);
}

LogicalResult
fuzz::forEachIndex(ArrayRef<int64_t> shape,
                   llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> body) {
  if (llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }))
    return success();
  SmallVector<int64_t> indices(shape.size(), 0);
  while (true) {
    if (failed(body(indices)))
      return failure();
    int64_t dim = shape.size() - 1;
    for (; dim >= 0 && ++indices[dim] == shape[dim]; --dim)
      indices[dim] = 0;
    if (dim < 0)
      return success();
  }
}

Tensor fuzz::readHostBuffer(const emulator::HostBuffer &buffer) {
  Tensor tensor = Tensor::undefined(buffer.elementType, buffer.shape);
  if (!buffer.isInitialized)
    return tensor;
  for (auto [i, element] : llvm::enumerate(tensor.elements)) {
    if (isa<FloatType>(buffer.elementType))
      element = FloatAttr::get(buffer.elementType, buffer.getFloat(i));
    else if (isa<IndexType>(buffer.elementType))
      element = IntegerAttr::get(buffer.elementType, buffer.getInteger(i));
    else if (auto type = dyn_cast<IntegerType>(buffer.elementType))
      // `i1` comes as 0 or 1, the others sign-extended.
      element = IntegerAttr::get(
          type, APInt(type.getWidth(), buffer.getInteger(i),
                      /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  return tensor;
}

std::vector<bool> fuzz::writeHostBuffer(const Tensor &tensor,
                                        emulator::HostBuffer &buffer) {
  std::vector<bool> isUndefined(tensor.elements.size());
  int64_t elementBytes = emulator::getElementBytes(tensor.elementType);
  for (auto [i, element] : llvm::enumerate(tensor.elements)) {
    if (!element) {
      isUndefined[i] = true;
      continue;
    }
    APInt bits = isa<FloatAttr>(element)
                     ? cast<FloatAttr>(element).getValue().bitcastToAPInt()
                     : cast<IntegerAttr>(element).getValue();
    // Little-endian, as everywhere in the emulator.
    for (int64_t byte = 0; byte < elementBytes; ++byte) {
      unsigned low = byte * 8, width = bits.getBitWidth();
      buffer.bytes[i * elementBytes + byte] =
          low < width
              ? bits.extractBitsAsZExtValue(std::min(8u, width - low), low)
              : 0;
    }
  }
  return isUndefined;
}
