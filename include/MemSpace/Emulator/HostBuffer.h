//===- HostBuffer.h - the data of a kernel argument -------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Dense arrays on the host: what goes into an emulated kernel and what comes
/// out, made from `.npy` files or generated, compared and printed.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_EMULATOR_HOSTBUFFER_H
#define MEMSPACE_EMULATOR_HOSTBUFFER_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace mlir {
namespace memspace {
namespace emulator {

/// Bytes that one element takes in memory: ceil(bits/8) for scalars (8 for
/// `index`), LLVM's allocation size for vectors. 0 for types that have none.
int64_t getElementBytes(Type elementType);

/// Whether arrays of such elements can be made and read: integers, `index` and
/// floats of at most 64 bits, complex numbers and vectors of them.
bool isHostElement(Type elementType);

/// Whether elements have integers whose width is not that of their bytes, as
/// i4, i9 and i24.
bool hasPaddedIntegers(Type elementType);

/// A dense row-major array. A scalar argument is an array of rank 0.
struct HostBuffer {
  /// A type for which `isHostElement` holds.
  Type elementType;
  SmallVector<int64_t> shape;
  /// getNumElements() * getElementBytes(elementType) bytes. Padded integers are
  /// extended to theirs, as NumPy would have them: signless and signed ones by
  /// their sign, unsigned ones and `i1` by zeros.
  std::vector<uint8_t> bytes;
  /// False: the kernel must write an element before it reads it.
  bool isInitialized = true;

  /// Zeros.
  static HostBuffer zeros(Type elementType, ArrayRef<int64_t> shape);
  /// Nothing was written yet; the bytes are 0xFF, a NaN in most float types.
  static HostBuffer uninitialized(Type elementType, ArrayRef<int64_t> shape);
  /// Elements 0, 1, 2, … in the element type (rounded, or modulo its width).
  static HostBuffer iota(Type elementType, ArrayRef<int64_t> shape);
  /// Every element is `value`, rounded to the element type.
  static HostBuffer fill(Type elementType, ArrayRef<int64_t> shape,
                         double value);
  /// The same of integers or `index`, of which not each is a double; modulo the
  /// width of the type.
  static HostBuffer fillInteger(Type elementType, ArrayRef<int64_t> shape,
                                int64_t value);
  /// Seeded, the same on every machine: floats uniform in [-1, 1), `i1` 0 or 1,
  /// other integers and `index` uniform in [0, 8).
  static HostBuffer random(Type elementType, ArrayRef<int64_t> shape,
                           uint64_t seed);

  int64_t getNumElements() const;
  /// Makes `bytes` so, whatever is above the bits of padded integers.
  void extendIntegers();
  /// Makes them as LLVM has them in memory: zeros above the bits.
  void zeroExtendIntegers();
  /// Element `index` (row-major) of an integer or index buffer, sign-extended
  /// (`i1`: 0 or 1).
  int64_t getInteger(int64_t index) const;
  /// Element `index` of a float buffer, exactly.
  llvm::APFloat getFloat(int64_t index) const;
  void setInteger(int64_t index, int64_t value);
  /// Sets an element of any scalar type, rounded to it.
  void setDouble(int64_t index, double value);

  /// Equal in type, shape and the bits of each element; any two NaNs are equal,
  /// and what is above the bits of padded integers counts for nothing.
  bool equals(const HostBuffer &other) const;
  /// How `other` differs, for people: "3 of 64 elements differ, the first at
  /// [2, 1]: 0.5 instead of 1.5"; empty when `equals`.
  std::string describeDifference(const HostBuffer &expected) const;
};

/// Reads NumPy's format, version 1 to 3, little-endian, either order. The
/// element type of the file must have the width of `elementType` and its kind;
/// NumPy has no bf16 and no 8-bit floats, so these come as unsigned or void of
/// that width. Integers that NumPy does not have (i4) come as the next wider
/// one, and must fit their width as signed or as unsigned numbers. Errors name
/// the file and what is wrong.
llvm::Expected<HostBuffer> readNpy(StringRef path, Type elementType);

/// Writes version 1.0; bf16 as `<u2`, 8-bit floats as `|u1`, `i1` as `|b1`,
/// other integers sign-extended (i4 as `|i1`, i24 as `<i4`), unsigned ones
/// zero-extended, `index` as `<i8`, vector elements as further dimensions.
llvm::Error writeNpy(StringRef path, const HostBuffer &buffer);

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_EMULATOR_HOSTBUFFER_H
