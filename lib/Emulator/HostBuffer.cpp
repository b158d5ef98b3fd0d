//===- HostBuffer.cpp - the data of a kernel argument ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/HostBuffer.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Bits of a scalar; 0 for other types.
static unsigned getScalarBits(Type type) {
  if (type.isIndex())
    return 64;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

int64_t emulator::getElementBytes(Type type) {
  if (unsigned bits = getScalarBits(type))
    return llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable())
    return 0;
  // LLVM: arrays of one-dimensional vectors, whose bits are packed.
  int64_t bits = getScalarBits(vector.getElementType());
  int64_t columns = vector.getRank() ? vector.getShape().back() : 1;
  if (llvm::MulOverflow(columns, bits, bits) || bits > (int64_t(1) << 40))
    return 0;
  int64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
  for (int64_t size : vector.getShape().drop_back(vector.getRank() ? 1 : 0))
    if (llvm::MulOverflow(bytes, size, bytes))
      return 0;
  return bytes;
}

bool emulator::isHostElement(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  else if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  unsigned bits = getScalarBits(type);
  return bits > 0 && bits <= 64;
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

/// What the bits of an integer or index type mean; those above its width are
/// not looked at.
static int64_t extend(uint64_t bits, Type type) {
  unsigned width = getScalarBits(type);
  if (width == 64)
    return int64_t(bits);
  if (width == 1 || type.isUnsignedInteger())
    return int64_t(bits & llvm::maskTrailingOnes<uint64_t>(width));
  return llvm::SignExtend64(bits, width);
}

/// The integer type of which elements have one or two, when it is padded.
static IntegerType getPaddedInteger(Type elementType) {
  // Vectors are packed: they have no bits in between.
  auto complex = dyn_cast<ComplexType>(elementType);
  auto type =
      dyn_cast<IntegerType>(complex ? complex.getElementType() : elementType);
  return type && type.getWidth() != 8 * getElementBytes(type) ? type : nullptr;
}

bool emulator::hasPaddedIntegers(Type elementType) {
  return bool(getPaddedInteger(elementType));
}

/// Replaces each integer of `type` by what `function` makes of its bytes.
static void mapIntegers(std::vector<uint8_t> &bytes, IntegerType type,
                        llvm::function_ref<uint64_t(uint64_t)> function) {
  int64_t size = getElementBytes(type);
  for (size_t at = 0; at < bytes.size(); at += size) {
    uint64_t value = function(loadBits(&bytes[at], size));
    std::memcpy(&bytes[at], &value, size);
  }
}

void HostBuffer::extendIntegers() {
  if (IntegerType type = getPaddedInteger(elementType))
    mapIntegers(bytes, type, [&](uint64_t bits) { return extend(bits, type); });
}

void HostBuffer::zeroExtendIntegers() {
  if (IntegerType type = getPaddedInteger(elementType))
    mapIntegers(bytes, type, [&](uint64_t bits) {
      return bits & llvm::maskTrailingOnes<uint64_t>(type.getWidth());
    });
}

int64_t HostBuffer::getInteger(int64_t index) const {
  int64_t size = getElementBytes(elementType);
  return extend(loadBits(&bytes[index * size], size), elementType);
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
  value = extend(value, elementType);
  std::memcpy(&bytes[index * size], &value, size);
}

/// The bits of `value`, rounded to a scalar type; extended to 64 bits.
static uint64_t toBits(Type type, double value) {
  if (type.isF64())
    return llvm::bit_cast<uint64_t>(value);
  if (type.isF32())
    return llvm::bit_cast<uint32_t>(float(value));
  // Exact in both.
  if (type.isIntOrIndex() && std::abs(value) < double(int64_t(1) << 53))
    return extend(int64_t(value), type);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(floatType.getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return number.bitcastToAPInt().getZExtValue();
  }
  // Modulo the width: 128 bits hold what a double beyond int64_t means.
  llvm::APSInt integer(128, /*isUnsigned=*/false);
  bool isExact;
  if (llvm::APFloat(value).convertToInteger(
          integer, llvm::APFloat::rmTowardZero, &isExact) ==
      llvm::APFloat::opInvalidOp)
    return 0;
  return extend(integer.trunc(64).getZExtValue(), type);
}

/// Writes `value`, rounded to `type` of `size` bytes, at `at`; vectors and
/// complex numbers get it in every part.
static void storeDouble(uint8_t *at, Type type, int64_t size, double value) {
  if (type.isIntOrIndexOrFloat()) {
    uint64_t bits = toBits(type, value);
    std::memcpy(at, &bits, size);
    return;
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    storeDouble(at, complex.getElementType(), size / 2, value);
    storeDouble(at + size / 2, complex.getElementType(), size / 2, value);
    return;
  }
  // Rows of packed bits.
  auto vector = cast<VectorType>(type);
  Type scalar = vector.getElementType();
  uint64_t bits = toBits(scalar, value);
  int64_t width = getScalarBits(scalar);
  int64_t columns = vector.getRank() ? vector.getShape().back() : 1;
  int64_t rowBytes = getElementBytes(VectorType::get({columns}, scalar));
  for (int64_t row = 0; row < size; row += rowBytes) {
    std::memset(at + row, 0, rowBytes);
    if (width % 8 == 0)
      for (int64_t i = 0; i < columns; ++i)
        std::memcpy(at + row + i * width / 8, &bits, width / 8);
    else
      for (int64_t bit = 0; bit < columns * width; ++bit)
        at[row + bit / 8] |= (bits >> bit % width & 1) << bit % 8;
  }
}

void HostBuffer::setDouble(int64_t index, double value) {
  int64_t size = getElementBytes(elementType);
  storeDouble(&bytes[index * size], elementType, size, value);
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
  int64_t size = getElementBytes(elementType);
  // Integers repeat after as many elements as they have values.
  int64_t numDifferent = buffer.getNumElements();
  if (elementType.isInteger() && elementType.getIntOrFloatBitWidth() <= 16)
    numDifferent = std::min<int64_t>(
        numDifferent, int64_t(1) << elementType.getIntOrFloatBitWidth());
  for (int64_t i = 0; i < numDifferent; ++i)
    storeDouble(&buffer.bytes[i * size], elementType, size, double(i));
  for (size_t at = numDifferent * size; at < buffer.bytes.size(); ++at)
    buffer.bytes[at] = buffer.bytes[at - numDifferent * size];
  return buffer;
}

/// Makes all elements what the first one is.
static void repeatFirst(std::vector<uint8_t> &bytes, size_t size) {
  for (size_t at = size; at < bytes.size(); at += size)
    std::memcpy(&bytes[at], bytes.data(), size);
}

HostBuffer HostBuffer::fill(Type elementType, ArrayRef<int64_t> shape,
                            double value) {
  HostBuffer buffer = zeros(elementType, shape);
  if (buffer.bytes.empty())
    return buffer;
  size_t size = getElementBytes(elementType);
  storeDouble(buffer.bytes.data(), elementType, size, value);
  repeatFirst(buffer.bytes, size);
  return buffer;
}

HostBuffer HostBuffer::fillInteger(Type elementType, ArrayRef<int64_t> shape,
                                   int64_t value) {
  unsigned width =
      elementType.isIndex() ? 64 : elementType.getIntOrFloatBitWidth();
  if (width != 64)
    return fill(elementType, shape, double(value));
  HostBuffer buffer = zeros(elementType, shape);
  if (buffer.bytes.empty())
    return buffer;
  std::memcpy(buffer.bytes.data(), &value, sizeof(value));
  repeatFirst(buffer.bytes, sizeof(value));
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
  if (a.elementType.isInteger())
    return a.getInteger(i) == b.getInteger(i);
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
