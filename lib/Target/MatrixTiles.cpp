//===- MatrixTiles.cpp - what the matrix units of GPUs multiply -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Target/MatrixTiles.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// What the two factors are.
enum class Factors { F64, F32, F16, BF16, F8, I8, I4 };

/// One instruction of a chip; the columns are those of MatrixTile.
struct TileRow {
  llvm::StringLiteral chip;
  Factors factors;
  int64_t m, n, k;
};
} // namespace

// Of the instructions of a chip for one type, the one with square tiles of 16
// (or the only one): its operands are the smallest, so that the least is
// padded.
//
// AMD: LLVM, VOP3PInstructions.td: v_mfma_*_16x16x* (gfx90a: AMD Instinct MI200
// ISA, 7; gfx942: MI300 ISA, 7; gfx950: CDNA4 ISA, 7); v_wmma_*_16x16x16_*
// (RDNA3 ISA, 7.9; RDNA4 ISA, 7.9). gfx906 and gfx1030 have none.
//
// NVIDIA: PTX ISA, "Matrix Fragments for mma": mma.sync.m16n8k* (m8n8k4 of f16
// on sm_70 and of f64). Of f32 there is TF32 only, which is another type.
static const TileRow tileTable[] = {
    // chip  factors  m  n  k
    {"gfx90a", Factors::F64, 16, 16, 4},
    {"gfx90a", Factors::F32, 16, 16, 4},
    {"gfx90a", Factors::F16, 16, 16, 16},
    {"gfx90a", Factors::BF16, 16, 16, 16},
    {"gfx90a", Factors::I8, 16, 16, 16},
    {"gfx942", Factors::F64, 16, 16, 4},
    {"gfx942", Factors::F32, 16, 16, 4},
    {"gfx942", Factors::F16, 16, 16, 16},
    {"gfx942", Factors::BF16, 16, 16, 16},
    {"gfx942", Factors::F8, 16, 16, 32},
    {"gfx942", Factors::I8, 16, 16, 32},
    {"gfx950", Factors::F64, 16, 16, 4},
    {"gfx950", Factors::F32, 16, 16, 4},
    {"gfx950", Factors::F16, 16, 16, 32},
    {"gfx950", Factors::BF16, 16, 16, 32},
    {"gfx950", Factors::F8, 16, 16, 32},
    {"gfx950", Factors::I8, 16, 16, 64},
    {"gfx1100", Factors::F16, 16, 16, 16},
    {"gfx1100", Factors::BF16, 16, 16, 16},
    {"gfx1100", Factors::I8, 16, 16, 16},
    {"gfx1100", Factors::I4, 16, 16, 16},
    {"gfx1200", Factors::F16, 16, 16, 16},
    {"gfx1200", Factors::BF16, 16, 16, 16},
    {"gfx1200", Factors::F8, 16, 16, 16},
    {"gfx1200", Factors::I8, 16, 16, 16},
    {"gfx1200", Factors::I4, 16, 16, 32},
    {"sm_70", Factors::F16, 8, 8, 4},
    {"sm_75", Factors::F16, 16, 8, 8},
    {"sm_75", Factors::I8, 8, 8, 16},
    {"sm_75", Factors::I4, 8, 8, 32},
    {"sm_80", Factors::F64, 8, 8, 4},
    {"sm_80", Factors::F16, 16, 8, 16},
    {"sm_80", Factors::BF16, 16, 8, 16},
    {"sm_80", Factors::I8, 16, 8, 32},
    {"sm_80", Factors::I4, 16, 8, 64},
    {"sm_86", Factors::F64, 8, 8, 4},
    {"sm_86", Factors::F16, 16, 8, 16},
    {"sm_86", Factors::BF16, 16, 8, 16},
    {"sm_86", Factors::I8, 16, 8, 32},
    {"sm_86", Factors::I4, 16, 8, 64},
    {"sm_89", Factors::F64, 8, 8, 4},
    {"sm_89", Factors::F16, 16, 8, 16},
    {"sm_89", Factors::BF16, 16, 8, 16},
    {"sm_89", Factors::F8, 16, 8, 32},
    {"sm_89", Factors::I8, 16, 8, 32},
    {"sm_89", Factors::I4, 16, 8, 64},
    {"sm_90", Factors::F64, 8, 8, 4},
    {"sm_90", Factors::F16, 16, 8, 16},
    {"sm_90", Factors::BF16, 16, 8, 16},
    {"sm_90", Factors::F8, 16, 8, 32},
    {"sm_90", Factors::I8, 16, 8, 32},
    {"sm_90", Factors::I4, 16, 8, 64},
    {"sm_100", Factors::F64, 8, 8, 4},
    {"sm_100", Factors::F16, 16, 8, 16},
    {"sm_100", Factors::BF16, 16, 8, 16},
    {"sm_100", Factors::F8, 16, 8, 32},
    {"sm_100", Factors::I8, 16, 8, 32},
    {"sm_120", Factors::F64, 8, 8, 4},
    {"sm_120", Factors::F16, 16, 8, 16},
    {"sm_120", Factors::BF16, 16, 8, 16},
    {"sm_120", Factors::F8, 16, 8, 32},
    {"sm_120", Factors::I8, 16, 8, 32},
};

static std::optional<Factors> getFactors(Type lhs, Type rhs) {
  auto isF8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  if (isF8(lhs) && isF8(rhs))
    return Factors::F8;
  if (lhs != rhs)
    return std::nullopt;
  if (lhs.isF64())
    return Factors::F64;
  if (lhs.isF32())
    return Factors::F32;
  if (lhs.isF16())
    return Factors::F16;
  if (lhs.isBF16())
    return Factors::BF16;
  if (lhs.isInteger(8))
    return Factors::I8;
  if (lhs.isInteger(4))
    return Factors::I4;
  return std::nullopt;
}

/// What the units add up in.
static bool isAccumulator(Factors factors, Type type) {
  switch (factors) {
  case Factors::F64:
    return type.isF64();
  case Factors::I8:
  case Factors::I4:
    return type.isInteger(32);
  default:
    return type.isF32();
  }
}

/// A name without what selects a variant of the chip.
static StringRef getBaseChip(StringRef chip) {
  chip = chip.split(':').first;
  return chip.starts_with("sm_") ? chip.rtrim("af") : chip;
}

std::optional<MatrixTile> memspace::getMatrixTile(const TargetInfo &target,
                                                  Type lhs, Type rhs,
                                                  Type accumulator) {
  std::optional<Factors> factors = getFactors(lhs, rhs);
  if (!factors || !isAccumulator(*factors, accumulator))
    return std::nullopt;
  StringRef chip = getBaseChip(target.chip);
  for (const TileRow &row : tileTable)
    if (row.chip == chip && row.factors == *factors)
      return MatrixTile{row.m, row.n, row.k};
  return std::nullopt;
}
