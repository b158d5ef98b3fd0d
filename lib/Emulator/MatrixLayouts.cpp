//===- MatrixLayouts.cpp - which lane holds which element -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <string>

using namespace mlir::memspace;
using namespace mlir::memspace::emulator;
using llvm::StringRef;

/// The lists of bits of one operand.
namespace {
struct OperandBits {
  StringRef lanes, values;
};
} // namespace

/// Sets what `bit`, such as "k2", means. A bit of copies is written "-".
static void setBit(MatrixElement &element, StringRef bit) {
  if (bit == "-")
    return;
  unsigned number = 0;
  bit.drop_front().getAsInteger(10, number);
  unsigned value = 1u << number;
  switch (bit.front()) {
  case 'm':
    element.m |= value;
    break;
  case 'n':
    element.n |= value;
    break;
  case 'k':
    element.k |= value;
    break;
  case 'b':
    element.block |= value;
    break;
  }
}

static Fragment makeFragment(OperandBits bits) {
  llvm::SmallVector<StringRef> lanes, values;
  llvm::SplitString(bits.lanes, lanes);
  llvm::SplitString(bits.values, values);
  Fragment fragment;
  fragment.numValues = 1u << values.size();
  for (unsigned lane = 0; lane < 1u << lanes.size(); ++lane)
    for (unsigned value = 0; value < fragment.numValues; ++value) {
      MatrixElement element;
      for (auto [number, bit] : llvm::enumerate(lanes))
        if (lane >> number & 1)
          setBit(element, bit);
      for (auto [number, bit] : llvm::enumerate(values))
        if (value >> number & 1)
          setBit(element, bit);
      fragment.elements.push_back(element);
    }
  return fragment;
}

static MatrixLayout makeLayout(const MatrixShape &shape, unsigned numLanes,
                               OperandBits a, OperandBits b, OperandBits c) {
  return {shape, numLanes, makeFragment(a), makeFragment(b), makeFragment(c)};
}

//===----------------------------------------------------------------------===//
// NVIDIA
//===----------------------------------------------------------------------===//

namespace {
struct MmaSyncRow {
  MatrixShape shape;
  unsigned bits;
  OperandBits a, b, c;
};
} // namespace

/// PTX ISA 8.5, 9.7.14.5 "Matrix multiply-accumulate operation using mma
/// instruction", "Matrix Fragments for mma.m…n…k…". Its groupID is lane / 4,
/// its threadID_in_group lane mod 4, its a_i, b_i and c_i are the values of a
/// lane.
static const MmaSyncRow kMmaSync[] = {
    // .f64
    {{8, 8, 4},
     64,
     {"k0 k1 m0 m1 m2", ""},
     {"k0 k1 n0 n1 n2", ""},
     {"n1 n2 m0 m1 m2", "n0"}},
    {{16, 8, 4},
     64,
     {"k0 k1 m0 m1 m2", "m3"},
     {"k0 k1 n0 n1 n2", ""},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    {{16, 8, 8},
     64,
     {"k0 k1 m0 m1 m2", "m3 k2"},
     {"k0 k1 n0 n1 n2", "k2"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    {{16, 8, 16},
     64,
     {"k0 k1 m0 m1 m2", "m3 k2 k3"},
     {"k0 k1 n0 n1 n2", "k2 k3"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    // .tf32
    {{16, 8, 4},
     32,
     {"k0 k1 m0 m1 m2", "m3"},
     {"k0 k1 n0 n1 n2", ""},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    {{16, 8, 8},
     32,
     {"k0 k1 m0 m1 m2", "m3 k2"},
     {"k0 k1 n0 n1 n2", "k2"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    // .f16, .bf16
    {{16, 8, 8},
     16,
     {"k1 k2 m0 m1 m2", "k0 m3"},
     {"k1 k2 n0 n1 n2", "k0"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    {{16, 8, 16},
     16,
     {"k1 k2 m0 m1 m2", "k0 m3 k3"},
     {"k1 k2 n0 n1 n2", "k0 k3"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    // .s8
    {{8, 8, 16},
     8,
     {"k2 k3 m0 m1 m2", "k0 k1"},
     {"k2 k3 n0 n1 n2", "k0 k1"},
     {"n1 n2 m0 m1 m2", "n0"}},
    {{16, 8, 16},
     8,
     {"k2 k3 m0 m1 m2", "k0 k1 m3"},
     {"k2 k3 n0 n1 n2", "k0 k1"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    {{16, 8, 32},
     8,
     {"k2 k3 m0 m1 m2", "k0 k1 m3 k4"},
     {"k2 k3 n0 n1 n2", "k0 k1 k4"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    // .s4
    {{8, 8, 32},
     4,
     {"k3 k4 m0 m1 m2", "k0 k1 k2"},
     {"k3 k4 n0 n1 n2", "k0 k1 k2"},
     {"n1 n2 m0 m1 m2", "n0"}},
    {{16, 8, 32},
     4,
     {"k3 k4 m0 m1 m2", "k0 k1 k2 m3"},
     {"k3 k4 n0 n1 n2", "k0 k1 k2"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
    {{16, 8, 64},
     4,
     {"k3 k4 m0 m1 m2", "k0 k1 k2 m3 k5"},
     {"k3 k4 n0 n1 n2", "k0 k1 k2 k5"},
     {"n1 n2 m0 m1 m2", "n0 m3"}},
};

std::optional<MatrixLayout> emulator::getMmaSyncLayout(const MatrixShape &shape,
                                                       unsigned bits) {
  for (const MmaSyncRow &row : kMmaSync)
    if (row.shape == shape && row.bits == bits)
      return makeLayout(shape, 32, row.a, row.b, row.c);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// AMD: CDNA
//===----------------------------------------------------------------------===//

static constexpr unsigned kWaveBits = 6;

namespace {
/// Takes the bits of coordinates one after the other, lowest first.
class BitList {
public:
  explicit BitList(unsigned capacity = ~0u) : capacity(capacity) {}

  /// As many of the bits from `next` to `end` of a coordinate as there is room
  /// for; `next` is the first that is left.
  void take(char coordinate, unsigned &next, unsigned end) {
    for (; next < end && size < capacity; ++next, ++size)
      text += std::string(1, coordinate) + std::to_string(next) + " ";
  }
  bool isFull() const { return size == capacity; }
  StringRef str() const { return text; }

private:
  std::string text;
  unsigned capacity, size = 0;
};
} // namespace

/// The lanes of A are m, then the block, then the upper bits of k, whose lower
/// ones are the lane's values. B is the same with n.
static std::optional<Fragment>
getMFMAInput(char side, unsigned sideBits, unsigned kBits, unsigned blockBits) {
  if (sideBits + blockBits > kWaveBits ||
      sideBits + blockBits + kBits < kWaveBits)
    return std::nullopt;
  BitList lanes(kWaveBits), values;
  unsigned nextSide = 0, nextBlock = 0, nextK = 0;
  unsigned laneK = kBits - (kWaveBits - sideBits - blockBits);
  values.take('k', nextK, laneK);
  lanes.take(side, nextSide, sideBits);
  lanes.take('b', nextBlock, blockBits);
  lanes.take('k', nextK, kBits);
  return makeFragment({lanes.str(), values.str()});
}

/// AMD's "CDNA 3 ISA" (7.1.4) and the equations of its matrix instruction
/// calculator (github.com/ROCm/amd_matrix_instruction_calculator). Results of
/// 32 bits lie in groups of four rows: lanes are n, then m from the third bit
/// on, then the block; the values of a lane are the two lower bits of m, then
/// what is left of m and of the block. Results of 64 bits have no groups: lanes
/// are n, then the block, then m.
std::optional<MatrixLayout> emulator::getMFMALayout(const MatrixShape &shape,
                                                    bool isF64) {
  for (unsigned extent : {shape.m, shape.n, shape.k, shape.blocks})
    if (!llvm::isPowerOf2_32(extent))
      return std::nullopt;
  if (shape.m != shape.n)
    return std::nullopt;
  unsigned mBits = llvm::Log2_32(shape.m), nBits = llvm::Log2_32(shape.n);
  unsigned kBits = llvm::Log2_32(shape.k);
  unsigned blockBits = llvm::Log2_32(shape.blocks);
  std::optional<Fragment> a = getMFMAInput('m', mBits, kBits, blockBits);
  std::optional<Fragment> b = getMFMAInput('n', nBits, kBits, blockBits);
  if (!a || !b)
    return std::nullopt;
  BitList lanes(kWaveBits), values;
  unsigned nextM = 0, nextN = 0, nextBlock = 0;
  if (!isF64)
    values.take('m', nextM, 2);
  lanes.take('n', nextN, nBits);
  if (isF64)
    lanes.take('b', nextBlock, blockBits);
  lanes.take('m', nextM, mBits);
  lanes.take('b', nextBlock, blockBits);
  if (!lanes.isFull())
    return std::nullopt;
  values.take('m', nextM, mBits);
  values.take('b', nextBlock, blockBits);
  return MatrixLayout{shape, 1u << kWaveBits, *a, *b,
                      makeFragment({lanes.str(), values.str()})};
}

//===----------------------------------------------------------------------===//
// AMD: RDNA
//===----------------------------------------------------------------------===//

namespace {
struct WMMARow {
  MatrixShape shape;
  unsigned numLanes;
  /// Of an element of A and of B; 0 for all.
  unsigned bits;
  OperandBits a, b, c;
};
} // namespace

/// AMD's "RDNA3 ISA" (7.9), "RDNA4 ISA" (7.12) and the calculator. On RDNA3 the
/// lanes from 16 on hold copies of A and of B. On RDNA4 they hold the other
/// half of k, and of the rows of C.
static const WMMARow kWMMA[] = {
    // RDNA3, wave32 and wave64.
    {{16, 16, 16},
     32,
     0,
     {"m0 m1 m2 m3 -", "k0 k1 k2 k3"},
     {"n0 n1 n2 n3 -", "k0 k1 k2 k3"},
     {"n0 n1 n2 n3 m0", "m1 m2 m3"}},
    {{16, 16, 16},
     64,
     0,
     {"m0 m1 m2 m3 - -", "k0 k1 k2 k3"},
     {"n0 n1 n2 n3 - -", "k0 k1 k2 k3"},
     {"n0 n1 n2 n3 m0 m1", "m2 m3"}},
    // RDNA4, wave32.
    {{16, 16, 16},
     32,
     16,
     {"m0 m1 m2 m3 k2", "k0 k1 k3"},
     {"n0 n1 n2 n3 k2", "k0 k1 k3"},
     {"n0 n1 n2 n3 m3", "m0 m1 m2"}},
    {{16, 16, 16},
     32,
     8,
     {"m0 m1 m2 m3 k3", "k0 k1 k2"},
     {"n0 n1 n2 n3 k3", "k0 k1 k2"},
     {"n0 n1 n2 n3 m3", "m0 m1 m2"}},
    {{16, 16, 16},
     32,
     4,
     {"m0 m1 m2 m3 k3", "k0 k1 k2"},
     {"n0 n1 n2 n3 k3", "k0 k1 k2"},
     {"n0 n1 n2 n3 m3", "m0 m1 m2"}},
    {{16, 16, 32},
     32,
     4,
     {"m0 m1 m2 m3 k4", "k0 k1 k2 k3"},
     {"n0 n1 n2 n3 k4", "k0 k1 k2 k3"},
     {"n0 n1 n2 n3 m3", "m0 m1 m2"}},
};

std::optional<MatrixLayout> emulator::getWMMALayout(const MatrixShape &shape,
                                                    unsigned bits,
                                                    unsigned numInputs,
                                                    unsigned numResults) {
  for (const WMMARow &row : kWMMA) {
    if (!(row.shape == shape) || (row.bits && row.bits != bits))
      continue;
    MatrixLayout layout = makeLayout(shape, row.numLanes, row.a, row.b, row.c);
    if (layout.a.numValues == numInputs && layout.c.numValues == numResults)
      return layout;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The target's own
//===----------------------------------------------------------------------===//

std::optional<MatrixLayout> emulator::getOpaqueLayout(const MatrixShape &shape,
                                                      unsigned numLanes) {
  MatrixLayout layout;
  layout.shape = shape;
  layout.numLanes = numLanes;
  auto fill = [&](Fragment &fragment, unsigned rows, unsigned columns,
                  auto makeElement) {
    if (rows * columns % numLanes)
      return false;
    fragment.numValues = rows * columns / numLanes;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      for (unsigned value = 0; value < fragment.numValues; ++value) {
        unsigned number = value * numLanes + lane;
        fragment.elements.push_back(
            makeElement(number / columns, number % columns));
      }
    return true;
  };
  if (!fill(layout.a, shape.m, shape.k,
            [](unsigned row, unsigned column) {
              return MatrixElement{row, 0, column, 0};
            }) ||
      !fill(layout.b, shape.k, shape.n,
            [](unsigned row, unsigned column) {
              return MatrixElement{0, column, row, 0};
            }) ||
      !fill(layout.c, shape.m, shape.n, [](unsigned row, unsigned column) {
        return MatrixElement{row, column, 0, 0};
      }))
    return std::nullopt;
  return layout;
}
