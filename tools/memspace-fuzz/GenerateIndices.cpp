//===- GenerateIndices.cpp - indices of random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

SmallVector<Scalar> Scope::getIndices() const {
  SmallVector<Scalar> indices;
  for (const Scalar &scalar : scalars)
    if (scalar.kind == Index)
      indices.push_back(scalar);
  return indices;
}

/// A number that the scope knows, or a constant.
static Scalar leaf(KernelGenerator &gen, const Scope &scope) {
  SmallVector<Scalar> candidates;
  for (const Scalar &scalar : scope.scalars)
    if (scalar.kind == Index || (scalar.kind == I32 && gen.rng.chance(50)))
      candidates.push_back(scalar);
  if (candidates.empty() || gen.rng.chance(10)) {
    int64_t value = gen.rng.below(9);
    return {gen.indexConstant(value), Index, value + 1};
  }
  Scalar scalar = gen.rng.pick(candidates);
  return {gen.convert(scalar, Index), Index, scalar.bound};
}

/// What is negative or very large is wrapped around by whoever uses it: the
/// bound of such a number is not known.
Scalar KernelGenerator::indexExpression(const Scope &scope, int depth) {
  Scalar a = leaf(*this, scope);
  for (; depth > 0; --depth) {
    int64_t c = rng.between(1, 9);
    Scalar b = rng.chance(55) ? Scalar{indexConstant(c), Index, c + 1}
                              : leaf(*this, scope);
    bool isKnown = a.bound > 0 && b.bound > 0;
    auto apply = [&](StringRef op, int64_t bound) {
      a = {define("arith." + op + " " + a.name + ", " + b.name + " : index"),
           Index, isKnown ? bound : 0};
    };
    int64_t larger = std::max(a.bound, b.bound);
    switch (rng.below(9)) {
    case 0:
    case 1:
    case 2:
      apply("addi", a.bound + b.bound - 1);
      break;
    case 3:
      apply("muli", (a.bound - 1) * (b.bound - 1) + 1);
      break;
    case 4:
      apply("xori", llvm::PowerOf2Ceil(larger));
      break;
    case 5:
      apply("minui", std::min(a.bound, b.bound));
      break;
    case 6:
      apply("maxui", larger);
      break;
    case 7:
      b = {indexConstant(c), Index, c};
      isKnown = true;
      apply("remui", c);
      break;
    default: {
      static constexpr StringRef predicates[] = {"ult", "eq", "ne", "slt"};
      std::string condition =
          define("arith.cmpi " + rng.pick(predicates) + ", " + a.name + ", " +
                 b.name + " : index");
      a = {define("arith.select " + Twine(condition) + ", " + a.name + ", " +
                  b.name + " : index"),
           Index, isKnown ? larger : 0};
      break;
    }
    }
  }
  return a;
}

std::string KernelGenerator::wrap(StringRef index, const Extent &extent) {
  if (!extent.isDynamic && rng.chance(40))
    return define("affine.apply affine_map<(d0) -> (d0 mod " +
                  Twine(extent.size) + ")>(" + index + ")");
  return define("arith.remui " + index + ", " + extent.value + " : index");
}

std::string KernelGenerator::position(const Scope &scope,
                                      const Extent &extent) {
  if (rng.chance(20))
    return indexConstant(extent.isDynamic ? 0 : rng.below(extent.size));
  Scalar index = indexExpression(scope, rng.below(3));
  bool isInRange =
      !extent.isDynamic && index.bound > 0 && index.bound <= extent.size;
  if (isInRange && rng.chance(70))
    return index.name;
  if (rng.chance(20)) {
    std::string last = define("arith.subi " + extent.value + ", " +
                              indexConstant(1) + " : index");
    return define("arith.minui " + Twine(index.name) + ", " + last +
                  " : index");
  }
  return wrap(index.name, extent);
}

/// Different for different `index`; `shift` is the same for all of them.
static std::string permuteBijectively(KernelGenerator &gen, StringRef index,
                                      const Extent &extent,
                                      const Scope &scope) {
  Random &rng = gen.rng;
  bool isPowerOfTwo = !extent.isDynamic && llvm::isPowerOf2_64(extent.size);
  auto shift = [&](StringRef by) {
    return gen.wrap(gen.define("arith.addi " + index + ", " + by + " : index"),
                    extent);
  };
  switch (rng.below(8)) {
  case 0: { // Reversed.
    std::string last = gen.define("arith.subi " + extent.value + ", " +
                                  gen.indexConstant(1) + " : index");
    return gen.define("arith.subi " + last + ", " + index + " : index");
  }
  case 1:
  case 2:
    return shift(gen.indexConstant(rng.between(1, extent.size)));
  case 3: // By what the scope knows: block, iteration, argument.
  case 4:
    return shift(gen.position(scope, extent));
  case 5: // Strided: an odd factor is invertible modulo a power of two.
    if (isPowerOfTwo) {
      std::string factor = gen.indexConstant(1 + 2 * rng.between(1, 3));
      return gen.wrap(
          gen.define("arith.muli " + index + ", " + factor + " : index"),
          extent);
    }
    return index.str();
  case 6:
    if (isPowerOfTwo && extent.size > 1) {
      std::string mask = rng.chance(60)
                             ? gen.indexConstant(rng.below(extent.size))
                             : gen.position(scope, extent);
      return gen.define("arith.xori " + index + ", " + mask + " : index");
    }
    return index.str();
  default:
    return index.str();
  }
}

std::string KernelGenerator::permute(StringRef given, const Extent &extent,
                                     bool isBijective, const Scope &scope) {
  if (isBijective)
    return permuteBijectively(*this, given, extent, scope);
  std::string index = wrap(given, extent);
  switch (rng.below(10)) {
  default:
    return permuteBijectively(*this, index, extent, scope);
  case 0: // Data-dependent.
    if (!indexTable.empty()) {
      std::string place = define("arith.remui " + index + ", " +
                                 indexConstant(indexTableSize) + " : index");
      std::string entry =
          define("tensor.extract " + indexTable + "[" + place + "] : tensor<" +
                 Twine(indexTableSize) + "xi32>");
      std::string cast =
          define("arith.index_cast " + entry + " : i32 to index");
      return wrap(define("arith.addi " + index + ", " + cast + " : index"),
                  extent);
    }
    return index;
  case 1: // Several threads read the same.
    return define("arith.divui " + index + ", " +
                  indexConstant(rng.between(2, 4)) + " : index");
  case 2: // By anything that the place knows.
    return wrap(define("arith.addi " + index + ", " +
                       indexExpression(scope, rng.below(3)).name + " : index"),
                extent);
  }
}
