//===- MatrixUnit.cpp - products of matrices in lanes ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixUnit.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::memspace;
using namespace mlir::memspace::emulator;
using llvm::APFloat;
using llvm::APInt;

static uint64_t getMask(unsigned bits) {
  return llvm::maskTrailingOnes<uint64_t>(bits);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static void decode(uint64_t word, const MatrixNumber &number, double &value) {
  word &= getMask(number.bits) & ~getMask(number.ignoredBits);
  APFloat parsed(*number.semantics, APInt(number.bits, word));
  bool isLossy;
  parsed.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isLossy);
  value = parsed.convertToDouble();
  if (number.isNegated)
    value = -value;
}

static void decode(uint64_t word, const MatrixNumber &number, int64_t &value) {
  word &= getMask(number.bits);
  value =
      number.isUnsigned ? int64_t(word) : llvm::SignExtend64(word, number.bits);
}

static uint64_t encode(double value, const MatrixOp &op) {
  APFloat rounded(value);
  bool isLossy;
  rounded.convert(*op.c.semantics, APFloat::rmNearestTiesToEven, &isLossy);
  return rounded.bitcastToAPInt().getZExtValue();
}

static uint64_t encode(int64_t value, const MatrixOp &op) {
  if (op.saturates)
    value = std::clamp<int64_t>(value, llvm::minIntN(op.c.bits),
                                llvm::maxIntN(op.c.bits));
  return uint64_t(value) & getMask(op.c.bits);
}

/// sum + a * b, rounded once.
template <typename T> static T addProduct(T sum, T a, T b) {
  return std::fma(a, b, sum);
}
/// Inputs have at most 8 bits and results 32, so that nothing overflows.
template <> int64_t addProduct(int64_t sum, int64_t a, int64_t b) {
  return sum + a * b;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

namespace {
/// The elements of one operand, by row, column and block.
template <typename T> struct Matrix {
  Matrix(unsigned rows, unsigned columns, unsigned blocks)
      : rows(rows), columns(columns), values(rows * columns * blocks),
        lanes(values.size(), -1) {}

  size_t getNumber(unsigned row, unsigned column, unsigned block) const {
    return (size_t(block) * rows + row) * columns + column;
  }
  T get(unsigned row, unsigned column, unsigned block) const {
    return values[getNumber(row, column, block)];
  }

  unsigned rows, columns;
  std::vector<T> values;
  /// The lane that an element came from, or -1.
  std::vector<int> lanes;
};

/// Takes one operand from the lanes.
template <typename T> class Gatherer {
public:
  Gatherer(llvm::ArrayRef<llvm::SmallVector<uint64_t>> words, unsigned shift)
      : words(words), shift(shift) {}

  /// `getPlace` says in which row and column an element of the layout is. The
  /// operand's values come after `first` others of their lane.
  template <typename Fn>
  void gather(Matrix<T> &matrix, const Fragment &fragment,
              const MatrixNumber &number, llvm::ArrayRef<unsigned> sources,
              unsigned first, llvm::StringRef name, Fn getPlace) {
    unsigned numLanes = words.size();
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      unsigned source = sources.empty() ? lane : sources[lane];
      // The kernel's lane that stands for the layout's.
      source = (source + numLanes - shift) % numLanes;
      for (unsigned v = 0; v < fragment.numValues; ++v) {
        const MatrixElement &element = fragment.at(lane, v);
        auto [row, column] = getPlace(element);
        size_t at = matrix.getNumber(row, column, element.block);
        uint64_t word = words[source][first + v];
        if (matrix.lanes[at] < 0) {
          matrix.lanes[at] = source;
          decode(word, number, matrix.values[at]);
          firstWords.resize(std::max(firstWords.size(), at + 1));
          firstWords[at] = word;
        } else if (firstWords[at] != word && error.empty()) {
          error = "needs the same values of " + name.str() + " in lanes " +
                  std::to_string(matrix.lanes[at]) + " and " +
                  std::to_string(source) +
                  ", which hold copies; load them alike";
        }
      }
    }
    firstWords.clear();
  }

  std::string error;

private:
  llvm::ArrayRef<llvm::SmallVector<uint64_t>> words;
  unsigned shift;
  /// Of each element the bits of its first copy.
  std::vector<uint64_t> firstWords;
};
} // namespace

/// T holds elements, SumT what is summed.
template <typename T, typename SumT>
static MatrixProduct multiply(const MatrixOp &op,
                              llvm::ArrayRef<llvm::SmallVector<uint64_t>> words,
                              unsigned shift) {
  const MatrixLayout &layout = op.layout;
  const MatrixShape &shape = layout.shape;
  Matrix<T> a(shape.m, shape.k, shape.blocks),
      b(shape.k, shape.n, shape.blocks), c(shape.m, shape.n, shape.blocks);
  Gatherer<T> gatherer(words, shift);
  gatherer.gather(a, layout.a, op.a, op.sourceLanesA, 0, "A",
                  [](const MatrixElement &e) { return std::pair(e.m, e.k); });
  gatherer.gather(b, layout.b, op.b, op.sourceLanesB, layout.a.numValues, "B",
                  [](const MatrixElement &e) { return std::pair(e.k, e.n); });
  gatherer.gather(c, layout.c, op.c, {},
                  layout.a.numValues + layout.b.numValues, "C",
                  [](const MatrixElement &e) { return std::pair(e.m, e.n); });
  MatrixProduct product;
  product.error = gatherer.error;
  if (!product.error.empty())
    return product;

  for (unsigned block = 0; block < shape.blocks; ++block)
    for (unsigned m = 0; m < shape.m; ++m)
      for (unsigned n = 0; n < shape.n; ++n) {
        SumT sum = SumT(c.get(m, n, block));
        for (unsigned k = 0; k < shape.k; ++k)
          sum = addProduct(sum, SumT(a.get(m, k, block)),
                           SumT(b.get(k, n, block)));
        c.values[c.getNumber(m, n, block)] = T(sum);
      }

  unsigned numLanes = words.size(), numValues = layout.c.numValues;
  product.words.resize(numLanes * numValues);
  for (unsigned lane = 0; lane < numLanes; ++lane)
    for (unsigned v = 0; v < numValues; ++v) {
      const MatrixElement &e = layout.c.at((lane + shift) % numLanes, v);
      product.words[lane * numValues + v] =
          encode(c.get(e.m, e.n, e.block), op);
    }
  return product;
}

MatrixProduct
emulator::multiplyMatrices(const MatrixOp &op,
                           llvm::ArrayRef<llvm::SmallVector<uint64_t>> words,
                           unsigned shift) {
  if (!op.c.semantics)
    return multiply<int64_t, int64_t>(op, words, shift);
  return op.c.bits == 64 ? multiply<double, double>(op, words, shift)
                         : multiply<double, float>(op, words, shift);
}
