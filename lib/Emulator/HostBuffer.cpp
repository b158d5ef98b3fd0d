//===- HostBuffer.cpp - the data of a kernel argument ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/HostBuffer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

int64_t emulator::getElementBytes(Type type) {
  if (isa<IndexType>(type))
    return 8;
  if (type.isIntOrFloat())
    return llvm::PowerOf2Ceil(
        llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable() ||
      !vector.getElementType().isIntOrIndexOrFloat())
    return 0;
  // LLVM: arrays of one-dimensional vectors, whose bits are packed.
  Type element = vector.getElementType();
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  int64_t rows = 1;
  for (int64_t size : vector.getShape().drop_back(vector.getRank() ? 1 : 0))
    rows *= size;
  int64_t columns = vector.getRank() ? vector.getShape().back() : 1;
  return rows * llvm::PowerOf2Ceil(llvm::divideCeil(columns * bits, 8));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

int64_t HostBuffer::getNumElements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

static uint64_t loadBits(const uint8_t *at, int64_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  return bits;
}

int64_t HostBuffer::getInteger(int64_t index) const {
  int64_t size = getElementBytes(elementType);
  uint64_t bits = loadBits(&bytes[index * size], size);
  unsigned width =
      elementType.isIndex() ? 64 : elementType.getIntOrFloatBitWidth();
  if (width == 1)
    return bits & 1;
  return width == 64 ? int64_t(bits) : llvm::SignExtend64(bits, width);
}

llvm::APFloat HostBuffer::getFloat(int64_t index) const {
  auto type = cast<FloatType>(elementType);
  int64_t size = getElementBytes(type);
  return llvm::APFloat(type.getFloatSemantics(),
                       llvm::APInt(type.getWidth(),
                                   loadBits(&bytes[index * size], size),
                                   /*isSigned=*/false, /*implicitTrunc=*/true));
}

void HostBuffer::setInteger(int64_t index, int64_t value) {
  int64_t size = getElementBytes(elementType);
  if (elementType.isInteger(1))
    value &= 1;
  std::memcpy(&bytes[index * size], &value, size);
}

/// Writes `value`, rounded to `type`, at `at`; vectors and complex numbers get
/// it in every part.
static void storeDouble(uint8_t *at, Type type, double value) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    storeDouble(at, complex.getElementType(), value);
    storeDouble(at + getElementBytes(complex.getElementType()),
                complex.getElementType(), value);
    return;
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    int64_t size = getElementBytes(vector.getElementType());
    int64_t columns = vector.getRank() ? vector.getShape().back() : 1;
    int64_t rowBytes =
        getElementBytes(VectorType::get({columns}, vector.getElementType()));
    for (int64_t row = 0; row * rowBytes < getElementBytes(type); ++row)
      for (int64_t i = 0; i < columns && (i + 1) * size <= rowBytes; ++i)
        storeDouble(at + row * rowBytes + i * size, vector.getElementType(),
                    value);
    return;
  }
  int64_t size = getElementBytes(type);
  uint64_t bits;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(floatType.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    bits = number.bitcastToAPInt().getZExtValue();
  } else {
    // Out of range wraps: uint64_t holds what a double beyond int64_t means.
    bits = value < 0 ? uint64_t(int64_t(value)) : uint64_t(value);
    if (type.isInteger(1))
      bits &= 1;
  }
  std::memcpy(at, &bits, size);
}

void HostBuffer::setDouble(int64_t index, double value) {
  storeDouble(&bytes[index * getElementBytes(elementType)], elementType, value);
}

//===----------------------------------------------------------------------===//
// Generated contents
//===----------------------------------------------------------------------===//

HostBuffer HostBuffer::zeros(Type elementType, ArrayRef<int64_t> shape) {
  HostBuffer buffer;
  buffer.elementType = elementType;
  buffer.shape.assign(shape.begin(), shape.end());
  buffer.bytes.resize(buffer.getNumElements() * getElementBytes(elementType));
  return buffer;
}

HostBuffer HostBuffer::uninitialized(Type elementType,
                                     ArrayRef<int64_t> shape) {
  HostBuffer buffer = zeros(elementType, shape);
  std::fill(buffer.bytes.begin(), buffer.bytes.end(), 0xFF);
  buffer.isInitialized = false;
  return buffer;
}

HostBuffer HostBuffer::iota(Type elementType, ArrayRef<int64_t> shape) {
  HostBuffer buffer = zeros(elementType, shape);
  for (int64_t i = 0, e = buffer.getNumElements(); i < e; ++i)
    buffer.setDouble(i, double(i));
  return buffer;
}

HostBuffer HostBuffer::fill(Type elementType, ArrayRef<int64_t> shape,
                            double value) {
  HostBuffer buffer = zeros(elementType, shape);
  for (int64_t i = 0, e = buffer.getNumElements(); i < e; ++i)
    buffer.setDouble(i, value);
  return buffer;
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same on every machine,
/// unlike the distributions of <random>.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

HostBuffer HostBuffer::random(Type elementType, ArrayRef<int64_t> shape,
                              uint64_t seed) {
  HostBuffer buffer = zeros(elementType, shape);
  Type scalar = getElementTypeOrSelf(elementType);
  if (auto complex = dyn_cast<ComplexType>(scalar))
    scalar = complex.getElementType();
  uint64_t state = seed;
  for (int64_t i = 0, e = buffer.getNumElements(); i < e; ++i) {
    uint64_t bits = nextRandom(state) >> 11;
    if (isa<FloatType>(scalar))
      buffer.setDouble(i, double(bits) / double(uint64_t(1) << 52) - 1.0);
    else
      buffer.setDouble(i, double(bits % (scalar.isInteger(1) ? 2 : 8)));
  }
  return buffer;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool isSameElement(const HostBuffer &a, const HostBuffer &b, int64_t i,
                          int64_t size) {
  if (!std::memcmp(&a.bytes[i * size], &b.bytes[i * size], size))
    return true;
  return isa<FloatType>(a.elementType) && a.getFloat(i).isNaN() &&
         b.getFloat(i).isNaN();
}

bool HostBuffer::equals(const HostBuffer &other) const {
  if (elementType != other.elementType || shape != other.shape)
    return false;
  if (bytes == other.bytes)
    return true;
  int64_t size = getElementBytes(elementType);
  for (int64_t i = 0, e = getNumElements(); i < e; ++i)
    if (!isSameElement(*this, other, i, size))
      return false;
  return true;
}

static std::string printElement(const HostBuffer &buffer, int64_t i) {
  if (isa<FloatType>(buffer.elementType)) {
    SmallString<16> text;
    buffer.getFloat(i).toString(text);
    return text.str().str();
  }
  if (buffer.elementType.isIntOrIndex())
    return std::to_string(buffer.getInteger(i));
  int64_t size = getElementBytes(buffer.elementType);
  return "0x" + llvm::toHex(ArrayRef(buffer.bytes).slice(i * size, size));
}

std::string HostBuffer::describeDifference(const HostBuffer &expected) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (elementType != expected.elementType)
    os << "element type " << elementType << " instead of "
       << expected.elementType;
  else if (shape != expected.shape) {
    os << "shape [" << llvm::interleaved(shape) << "] instead of ["
       << llvm::interleaved(expected.shape) << "]";
  } else {
    int64_t size = getElementBytes(elementType), count = 0, first = -1;
    for (int64_t i = 0, e = getNumElements(); i < e; ++i)
      if (!isSameElement(*this, expected, i, size)) {
        first = first < 0 ? i : first;
        ++count;
      }
    if (!count)
      return text;
    SmallVector<int64_t> position(shape.size());
    int64_t rest = first;
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
      position[d] = rest % shape[d];
      rest /= shape[d];
    }
    os << count << " of " << getNumElements()
       << " elements differ, the first at [" << llvm::interleaved(position)
       << "]: " << printElement(*this, first) << " instead of "
       << printElement(expected, first);
  }
  return text;
}
