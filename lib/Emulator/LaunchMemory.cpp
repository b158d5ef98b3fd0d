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
#include "llvm/ADT/DenseSet.h"
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

LogicalResult LaunchMemory::layOut(unsigned number, MemRefType type) {
  const HostBuffer &argument = arguments[number];
  std::optional<Layout> layout = getLayout(type, argument.shape);
  Placed &place = placed[number];
  if (!layout ||
      llvm::MulOverflow(layout->numElements,
                        getElementBytes(argument.elementType), place.bytes))
    return emitError(loc)
           << "argument " << number << " of type " << type
           << " has elements before its first byte or too far behind it; use "
              "other strides";
  place.layout = std::move(*layout);
  return success();
}

LogicalResult LaunchMemory::allocateArgument(unsigned number) {
  const HostBuffer &argument = arguments[number];
  Placed &place = placed[number];
  place.allocation = allocate(place.bytes, argument.isInitialized, loc);
  if (!place.allocation)
    return failure();
  HostBuffer storage;
  ArrayRef<uint8_t> contents = getMemoryBytes(argument, storage);
  int64_t size = getElementBytes(argument.elementType);
  forEachRun(argument.shape, place.layout,
             [&](int64_t i, int64_t at, int64_t count) {
               std::memcpy(place.allocation->data + at * size,
                           &contents[i * size], count * size);
             });
  return success();
}

LogicalResult LaunchMemory::addAlias(const ArgumentAlias &alias) {
  const Placed &outer = placed[alias.in];
  Placed &inner = placed[alias.argument];
  int64_t size = getElementBytes(arguments[alias.argument].elementType);
  if (alias.byte % size != 0)
    return emitError(loc) << "argument " << alias.argument
                          << " cannot begin at byte " << alias.byte
                          << " of argument " << alias.in
                          << "; give a multiple of the " << size
                          << " bytes of its elements";
  if (alias.byte > outer.bytes || inner.bytes > outer.bytes - alias.byte)
    return emitError(loc) << "argument " << alias.argument << " takes "
                          << inner.bytes << " bytes, but argument " << alias.in
                          << " has " << outer.bytes
                          << ", and it begins at byte " << alias.byte
                          << "; put it into a larger one";
  inner.allocation = outer.allocation;
  inner.begin = alias.byte;
  return success();
}

LogicalResult LaunchMemory::addNoAliasShadows() {
  for (const ArgumentAlias &alias : aliases) {
    Allocation &allocation = *placed[alias.in].allocation;
    SmallVector<unsigned> inside;
    for (auto [number, place] : llvm::enumerate(placed))
      if (place.allocation == &allocation && program.isNoAlias[number])
        inside.push_back(number);
    if (inside.size() < 2 || allocation.noAlias)
      continue;
    allocation.noAlias =
        NoAliasShadow::create(allocation.bytes, inside, budget);
    if (!allocation.noAlias)
      return emitError(loc) << kOutOfMemory;
  }
  return success();
}

/// What the kernel reads of a memref argument: its descriptor.
void LaunchMemory::addSlots(unsigned number) {
  const Placed &place = placed[number];
  int64_t address = makeAddress(buffers.size());
  buffers.push_back({place.allocation, place.begin, place.bytes, 0, 0,
                     program.isNoAlias[number] ? int32_t(number) : -1});
  addSlot(address);
  addSlot(address);
  addSlot(place.layout.offset);
  for (int64_t extent : arguments[number].shape)
    addSlot(extent);
  for (int64_t stride : place.layout.strides)
    addSlot(stride);
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
  placed.resize(arguments.size());
  llvm::DenseSet<unsigned> inOthers;
  for (const ArgumentAlias &alias : aliases)
    inOthers.insert(alias.argument);
  for (auto [number, type] : llvm::enumerate(program.argumentTypes))
    if (auto memref = dyn_cast<MemRefType>(type))
      if (failed(layOut(number, memref)) ||
          (!inOthers.contains(number) && failed(allocateArgument(number))))
        return failure();
  for (const ArgumentAlias &alias : aliases)
    if (failed(addAlias(alias)))
      return failure();
  if (failed(addNoAliasShadows()))
    return failure();
  for (auto [number, type] : llvm::enumerate(program.argumentTypes)) {
    if (isa<MemRefType>(type)) {
      addSlots(number);
      continue;
    }
    HostBuffer storage;
    addSlot(getMemoryBytes(arguments[number], storage));
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
    const uint8_t *data = place.allocation->data + place.begin;
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
