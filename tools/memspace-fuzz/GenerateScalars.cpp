//===- GenerateScalars.cpp - scalar code of random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

StringRef fuzz::getName(Kind kind) {
  static constexpr llvm::StringLiteral names[] = {
      "f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "index"};
  return names[kind];
}

std::string fuzz::tensorType(ArrayRef<int64_t> shape, Kind kind) {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += (extent == kUnknown ? "?" : std::to_string(extent)) + "x";
  return type + getName(kind).str() + ">";
}

std::string Scope::type(Kind kind) const {
  return ("tensor<" + extent.str() + "x" + getName(kind) + ">").str();
}

void KernelGenerator::line(const Twine &added) {
  text.append(2 * indent, ' ');
  text += added.str();
  text += '\n';
}

std::string KernelGenerator::define(const Twine &op) {
  std::string body = op.str(), name = fresh();
  line(name + " = " + body);
  return name;
}

std::string KernelGenerator::indexConstant(int64_t value) {
  return define("arith.constant " + Twine(value) + " : index");
}

Kind KernelGenerator::pickKind() {
  static constexpr Kind kinds[] = {F16, BF16, F32, F64, I1, I8, I16, I32, I64};
  static constexpr int weights[] = {12, 6, 34, 6, 4, 7, 5, 18, 8};
  return kinds[rng.pickWeighted(weights)];
}

std::string KernelGenerator::constant(Kind kind) {
  static constexpr StringRef floats[] = {"0.0", "1.0",  "-1.0", "0.5",
                                         "2.0", "0.25", "-3.0"};
  if (isFloat(kind))
    return define("arith.constant " + rng.pick(floats) + " : " + getName(kind));
  if (kind == I1)
    return define(rng.chance(50) ? "arith.constant true"
                                 : "arith.constant false");
  return define("arith.constant " + Twine(rng.between(-4, 9)) + " : " +
                getName(kind));
}

static int getWidth(Kind kind) {
  static constexpr int widths[] = {16, 16, 32, 64, 1, 8, 16, 32, 64, 64};
  return widths[kind];
}

/// Only conversions that have one result: integers are made small before they
/// become floats, and floats are compared before they become integers.
std::string KernelGenerator::convert(const Scalar &scalar, Kind kind) {
  Kind from = scalar.kind;
  if (from == kind)
    return scalar.name;
  auto cast = [&](StringRef op, StringRef value, Kind a, Kind b) {
    return define("arith." + op + " " + value + " : " + getName(a) + " to " +
                  getName(b));
  };
  if (isFloat(from) && isFloat(kind)) {
    // The two halves and the pair f64/f16 go by way of f32.
    if (from != F32 && kind != F32)
      return convert({convert(scalar, F32), F32}, kind);
    return cast(getWidth(from) < getWidth(kind) ? "extf" : "truncf",
                scalar.name, from, kind);
  }
  if (isFloat(from)) {
    std::string zero =
        define(llvm::Twine("arith.constant 0.0 : ") + getName(from));
    std::string isPositive = define("arith.cmpf ogt, " + scalar.name + ", " +
                                    zero + " : " + getName(from));
    return convert({isPositive, I1}, kind);
  }
  if (from == Index)
    return convert({cast("index_cast", scalar.name, Index, I32), I32}, kind);
  if (isFloat(kind)) {
    if (from == I1)
      return cast("uitofp", scalar.name, I1, kind);
    std::string mask =
        define(llvm::Twine("arith.constant 15 : ") + getName(from));
    std::string small = define("arith.andi " + scalar.name + ", " + mask +
                               " : " + getName(from));
    return cast("sitofp", small, from, kind);
  }
  if (kind == Index)
    return from == I1 ? cast("index_castui", scalar.name, I1, Index)
                      : cast("index_cast", scalar.name, from, Index);
  if (getWidth(kind) < getWidth(from))
    return cast("trunci", scalar.name, from, kind);
  return cast(from == I1 ? "extui" : "extsi", scalar.name, from, kind);
}

std::string KernelGenerator::combine(ArrayRef<Scalar> sources, Kind kind) {
  // No minimumf and maximumf: expansions disagree about signed zeros.
  static constexpr StringRef floatOps[] = {"arith.addf", "arith.subf",
                                           "arith.mulf"};
  static constexpr StringRef integerOps[] = {
      "arith.addi", "arith.subi",  "arith.muli",  "arith.xori",
      "arith.andi", "arith.maxsi", "arith.minsi", "arith.ori"};
  static constexpr StringRef boolOps[] = {"arith.andi", "arith.ori",
                                          "arith.xori"};
  StringRef typeName = getName(kind);
  std::string value = convert(sources.front(), kind);
  auto apply = [&](StringRef other) {
    if (kind != I1 && rng.chance(12)) {
      std::string less = isFloat(kind)
                             ? define("arith.cmpf olt, " + value + ", " +
                                      other + " : " + typeName)
                             : define("arith.cmpi slt, " + value + ", " +
                                      other + " : " + typeName);
      value = define("arith.select " + less + ", " + value + ", " + other +
                     " : " + typeName);
      return;
    }
    StringRef op = isFloat(kind) ? rng.pick(floatOps)
                   : kind == I1  ? rng.pick(boolOps)
                                 : rng.pick(integerOps);
    value = rng.chance(30)
                ? define(op + " " + other + ", " + value + " : " + typeName)
                : define(op + " " + value + ", " + other + " : " + typeName);
  };
  for (const Scalar &source : sources.drop_front())
    apply(convert(source, kind));
  if (sources.size() == 1 || rng.chance(25))
    apply(constant(kind));
  return value;
}

std::string KernelGenerator::condition(const Scope &scope) {
  if (scope.scalars.empty())
    return convert({constant(I32), I32}, I1);
  Scalar scalar = rng.pick(scope.scalars);
  if (scalar.kind == Index) {
    int64_t limit = rng.between(1, 40);
    if (rng.chance(50)) {
      static constexpr StringRef predicates[] = {"ult", "uge", "eq", "ne"};
      return define("arith.cmpi " + rng.pick(predicates) + ", " + scalar.name +
                    ", " + indexConstant(limit % 4 == 0 ? 0 : limit) +
                    " : index");
    }
    std::string parity = define("arith.remui " + scalar.name + ", " +
                                indexConstant(2) + " : index");
    return define("arith.cmpi eq, " + parity + ", " + indexConstant(0) +
                  " : index");
  }
  std::string other = constant(scalar.kind);
  if (isFloat(scalar.kind))
    return define("arith.cmpf ogt, " + scalar.name + ", " + other + " : " +
                  getName(scalar.kind));
  return define("arith.cmpi ne, " + scalar.name + ", " + other + " : " +
                getName(scalar.kind));
}

Scalar KernelGenerator::extract(Scope &scope) {
  bool takeOuter =
      !scope.outer.empty() && (scope.tiles.empty() || rng.chance(60));
  Tile tile;
  Extent extent;
  if (takeOuter) {
    auto &[outerTile, outerExtent] = rng.pick(scope.outer);
    tile = outerTile;
    extent = outerExtent;
  } else {
    tile = pickTile(scope);
    extent = scope.extent;
  }
  SmallVector<Scalar> indices = scope.getIndices();
  std::string index =
      !indices.empty() && rng.chance(60)
          ? permute(rng.pick(indices).name, extent, false, scope)
          : position(scope, extent);
  std::string value =
      define("tensor.extract " + tile.name + "[" + index + "] : tensor<" +
             extent.str() + "x" + getName(tile.kind) + ">");
  return {value, tile.kind};
}
