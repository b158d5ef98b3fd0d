//===- LaunchMemory.cpp - the global memory of a launch -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchMemory.h"
#include "Instrumentation.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// None when an element lies before the buffer or at a position that no buffer
/// has.
std::optional<LaunchMemory::Layout>
LaunchMemory::getLayout(MemRefType type, ArrayRef<int64_t> shape) {
  Layout layout;
  std::tie(layout.strides, layout.offset) = type.getStridesAndOffset();
  if (ShapedType::isDynamic(layout.offset))
    layout.offset = 0;
  // Dynamic strides are those of a dense array.
  int64_t dense = 1, first = layout.offset, last = layout.offset;
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    if (ShapedType::isDynamic(layout.strides[d]))
      layout.strides[d] = dense;
    int64_t extent = std::max<int64_t>(shape[d], 1), reach;
    int64_t &end = layout.strides[d] < 0 ? first : last;
    if (llvm::MulOverflow(dense, extent, dense) ||
        llvm::MulOverflow(layout.strides[d], extent - 1, reach) ||
        llvm::AddOverflow(end, reach, end))
      return std::nullopt;
  }
  if (llvm::is_contained(shape, 0))
    return layout;
  if (first < 0 || last >= kMaxBufferBytes)
    return std::nullopt;
  layout.numElements = last + 1;
  return layout;
}

bool LaunchMemory::Layout::isDense(ArrayRef<int64_t> shape) const {
  int64_t dense = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (shape[d] != 1 && strides[d] != dense)
      return false;
    dense *= shape[d];
  }
  return true;
}

template <typename Fn>
void LaunchMemory::forEachRun(ArrayRef<int64_t> shape, const Layout &layout,
                              Fn function) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  if (count == 0)
    return;
  if (layout.isDense(shape))
    return function(0, layout.offset, count);
  SmallVector<int64_t> position(shape.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = layout.offset;
    for (auto [index, stride] : llvm::zip(position, layout.strides))
      at += index * stride;
    function(i, at, 1);
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
      if (++position[d] < shape[d])
        break;
      position[d] = 0;
    }
  }
}

//===----------------------------------------------------------------------===//
// To the kernel
//===----------------------------------------------------------------------===//

void LaunchMemory::addSlot(ArrayRef<uint8_t> value) {
  size_t begin = slots.size();
  slots.resize(begin + llvm::alignTo(value.size(), kSlotBytes));
  llvm::copy(value, slots.begin() + begin);
}

void LaunchMemory::addSlot(int64_t value) {
  addSlot(ArrayRef(reinterpret_cast<const uint8_t *>(&value), sizeof(value)));
}

Allocation *LaunchMemory::allocate(int64_t bytes, bool isInitialized,
                                   Location blamed) {
  allocations.push_back(
      Allocation::create(Space::Global, bytes, isInitialized, budget));
  if (!allocations.back()) {
    emitError(blamed) << kOutOfMemory;
    return nullptr;
  }
  return allocations.back().get();
}

/// The bytes as LLVM has them in memory, in `storage` where they differ.
static ArrayRef<uint8_t> getMemoryBytes(const HostBuffer &argument,
                                        HostBuffer &storage) {
  if (!hasPaddedIntegers(argument.elementType))
    return argument.bytes;
  storage = argument;
  storage.zeroExtendIntegers();
  return storage.bytes;
}

LogicalResult LaunchMemory::addArgument(const HostBuffer &argument,
                                        MemRefType type) {
  std::optional<Layout> layout = getLayout(type, argument.shape);
  int64_t size = getElementBytes(argument.elementType), bytes;
  if (!layout || llvm::MulOverflow(layout->numElements, size, bytes))
    return emitError(loc)
           << "argument " << placed.size() << " of type " << type
           << " has elements before its first byte or too far behind it; use "
              "other strides";
  Allocation *allocation = allocate(bytes, argument.isInitialized, loc);
  if (!allocation)
    return failure();
  HostBuffer storage;
  ArrayRef<uint8_t> contents = getMemoryBytes(argument, storage);
  forEachRun(argument.shape, *layout,
             [&](int64_t i, int64_t at, int64_t count) {
               std::memcpy(allocation->data + at * size, &contents[i * size],
                           count * size);
             });
  int64_t address = makeAddress(buffers.size());
  buffers.push_back({allocation, 0, bytes, 0, 0});
  addSlot(address);
  addSlot(address);
  addSlot(layout->offset);
  for (int64_t extent : argument.shape)
    addSlot(extent);
  for (int64_t stride : layout->strides)
    addSlot(stride);
  placed.push_back({allocation, std::move(*layout)});
  return success();
}

LogicalResult LaunchMemory::addGlobal(const GlobalInfo &global,
                                      const uint8_t *contents) {
  Allocation *allocation =
      allocate(global.bytes, global.isInitialized, program.sites[global.site]);
  if (!allocation)
    return failure();
  if (contents)
    std::memcpy(allocation->data, contents, global.bytes);
  allocation->isConstant = global.isConstant;
  globalIds.back() = buffers.size();
  buffers.push_back({allocation, 0, global.bytes, global.site, 0});
  return success();
}

LogicalResult LaunchMemory::make() {
  for (auto [argument, type] :
       llvm::zip_equal(arguments, program.argumentTypes)) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (failed(addArgument(argument, memref)))
        return failure();
      continue;
    }
    HostBuffer storage;
    addSlot(getMemoryBytes(argument, storage));
    placed.emplace_back();
  }
  for (auto [global, contents] :
       llvm::zip_equal(program.globals, code.globalContents)) {
    globalIds.push_back(-1);
    if (global.space != Space::Workgroup && failed(addGlobal(global, contents)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// From the kernel
//===----------------------------------------------------------------------===//

SmallVector<HostBuffer> LaunchMemory::getArguments() const {
  SmallVector<HostBuffer> results(arguments.begin(), arguments.end());
  for (auto [result, place] : llvm::zip_equal(results, placed)) {
    if (!place.allocation)
      continue;
    int64_t size = getElementBytes(result.elementType);
    const uint8_t *data = place.allocation->data;
    forEachRun(result.shape, place.layout,
               [&, &result = result](int64_t i, int64_t at, int64_t count) {
                 std::memcpy(&result.bytes[i * size], data + at * size,
                             count * size);
               });
    result.extendIntegers();
    result.isInitialized = true;
  }
  return results;
}
