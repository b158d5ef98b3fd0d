//===- GenerateScans.cpp - stages that scan tiles or their rows -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Combiners are associative to the last bit: of floats, minima, maxima and what
// chooses one of the two.
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Associative; some are not commutative.
static std::string associate(KernelGenerator &gen, Kind kind, StringRef left,
                             StringRef right) {
  Random &rng = gen.rng;
  static constexpr StringRef integerOps[] = {
      "addi", "addi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui"};
  static constexpr StringRef boolOps[] = {"andi", "ori", "xori"};
  static constexpr StringRef floatOps[] = {"minimumf", "maximumf"};
  StringRef type = getName(kind);
  if (rng.chance(20)) {
    // The last one that is not zero.
    std::string zero =
        isFloat(kind)
            ? gen.define("arith.constant 0.0 : " + Twine(type))
            : gen.define(kind == I1 ? Twine("arith.constant false")
                                    : "arith.constant 0 : " + Twine(type));
    std::string isSome =
        gen.define((isFloat(kind) ? "arith.cmpf une, " : "arith.cmpi ne, ") +
                   Twine(right) + ", " + zero + " : " + type);
    return gen.define("arith.select " + Twine(isSome) + ", " + right + ", " +
                      left + " : " + type);
  }
  if (rng.chance(5))
    return rng.chance(50) ? left.str() : right.str();
  StringRef op = isFloat(kind) ? rng.pick(floatOps)
                 : kind == I1  ? rng.pick(boolOps)
                               : rng.pick(integerOps);
  return gen.define("arith." + Twine(op) + " " + left + ", " + right + " : " +
                    type);
}

/// Of pairs of which the first is an integer: `left` and `right` have both.
static SmallVector<std::string> associatePairs(KernelGenerator &gen,
                                               ArrayRef<Scalar> left,
                                               ArrayRef<Scalar> right) {
  Kind first = left[0].kind, second = left[1].kind;
  StringRef type = getName(first);
  auto apply = [&](StringRef op, StringRef a, StringRef b) {
    return gen.define("arith." + op + " " + a + ", " + b + " : " + type);
  };
  auto choose = [&](StringRef condition, StringRef a, StringRef b, Kind kind) {
    return gen.define("arith.select " + condition + ", " + a + ", " + b +
                      " : " + getName(kind));
  };
  if (first == second && gen.rng.chance(40)) {
    // One affine map after another.
    std::string moved = apply("muli", right[0].name, left[1].name);
    return {apply("muli", left[0].name, right[0].name),
            apply("addi", moved, right[1].name)};
  }
  if (gen.rng.chance(50)) {
    // The larger key, with what belongs to it.
    std::string isLarger =
        gen.define("arith.cmpi sgt, " + right[0].name + ", " + left[0].name +
                   " : " + getName(first));
    return {choose(isLarger, right[0].name, left[0].name, first),
            choose(isLarger, right[1].name, left[1].name, second)};
  }
  // Segments, each of which begins where the first is not zero.
  std::string zero =
      gen.define(first == I1 ? Twine("arith.constant false")
                             : "arith.constant 0 : " + getName(first));
  std::string begins = gen.define("arith.cmpi ne, " + right[0].name + ", " +
                                  zero + " : " + getName(first));
  std::string sum = associate(gen, second, left[1].name, right[1].name);
  return {apply("ori", left[0].name, right[0].name),
          choose(begins, right[1].name, sum, second)};
}

void KernelGenerator::associativeCombiner(ArrayRef<Tile> operands) {
  SmallVector<Scalar> left, right;
  std::string arguments, values, types;
  for (auto *side : {&left, &right})
    for (const Tile &operand : operands) {
      side->push_back({fresh(), operand.kind});
      arguments += (arguments.empty() ? "" : ", ") + side->back().name + ": " +
                   getName(operand.kind).str();
    }
  line("^bb0(" + Twine(arguments) + "):");
  ++indent;
  SmallVector<std::string> sums;
  if (operands.size() == 2 && !isFloat(operands[0].kind) && rng.chance(75))
    sums = associatePairs(*this, left, right);
  else
    for (auto [a, b] : llvm::zip_equal(left, right))
      sums.push_back(associate(*this, a.kind, a.name, b.name));
  for (auto [sum, operand] : llvm::zip_equal(sums, operands)) {
    StringRef separator = values.empty() ? "" : ", ";
    values += separator.str() + sum;
    types += (separator + getName(operand.kind)).str();
  }
  line("memspace.yield " + Twine(values) + " : " + types);
  --indent;
}

/// Of rows along some dimension of up to three, or of the tile as it is.
static SmallVector<int64_t> chooseRows(KernelGenerator &gen,
                                       const Extent &extent) {
  Random &rng = gen.rng;
  if (extent.isDynamic || rng.chance(45))
    return {extent.isDynamic ? kUnknown : extent.size};
  SmallVector<int64_t> factors;
  for (int64_t factor : {1, 2, 3, 4, 8, 16, 32})
    if (extent.size % factor == 0)
      factors.push_back(factor);
  int64_t outer = rng.pick(factors), rest = extent.size / outer;
  if (rest % 2 == 0 && rng.chance(30))
    return {outer, rest / 2, 2};
  return {outer, rest};
}

void KernelGenerator::scan(Scope &scope) {
  SmallVector<Tile> inputs{pickTile(scope)};
  static constexpr Kind keys[] = {I1, I8, I16, I32, I32, I64, Index};
  if (rng.chance(40)) {
    inputs.push_back(pickTile(scope));
    if (rng.chance(60))
      inputs[0] = pickTile(scope, isFloat(inputs[1].kind) || rng.chance(40)
                                      ? rng.pick(keys)
                                      : inputs[1].kind);
  }
  SmallVector<int64_t> shape = chooseRows(*this, scope.extent);
  bool isExclusive = rng.chance(40);
  bool hasInitial = isExclusive || rng.chance(35);
  std::string ins, outs, types, initials, initialTypes;
  for (const Tile &input : inputs) {
    bool isDefined;
    std::string init =
        rng.chance(30) ? input.name : chooseInit(scope, input.kind, isDefined);
    std::string source = expand(scope, input, shape);
    StringRef separator = ins.empty() ? "" : ", ";
    ins += separator.str() + source;
    outs += separator.str() + (init == input.name
                                   ? source
                                   : expand(scope, {init, input.kind}, shape));
    types += separator.str() + tensorType(shape, input.kind);
    if (!hasInitial)
      continue;
    initials +=
        separator.str() + (scope.scalars.empty() || rng.chance(50)
                               ? constant(input.kind)
                               : convert(rng.pick(scope.scalars), input.kind));
    initialTypes += (separator + getName(input.kind)).str();
  }
  std::string name = fresh();
  line(name + (inputs.size() == 1 ? "" : ":2") + " = memspace.scan dimension(" +
       Twine(rng.below(shape.size())) + ")" +
       (isExclusive ? " exclusive" : "") + (rng.chance(35) ? " reverse" : "") +
       " ins(" + ins + " : " + types + ")" +
       (hasInitial ? " initial(" + initials + " : " + initialTypes + ")" : "") +
       " outs(" + outs + " : " + types + ") {");
  associativeCombiner(inputs);
  line("} -> " + types);
  int64_t unused = rng.below(4);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (inputs.size() == 1 || int64_t(i) != unused)
      scope.tiles.push_back(
          {collapse(scope,
                    {inputs.size() == 1 ? name : name + "#" + std::to_string(i),
                     input.kind},
                    shape),
           input.kind});
}
