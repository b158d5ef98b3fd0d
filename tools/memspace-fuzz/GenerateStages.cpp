//===- GenerateStages.cpp - stages of random kernels on whole tiles -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

static constexpr llvm::StringLiteral identityMap = "affine_map<(d0) -> (d0)>";

Tile KernelGenerator::pickTile(Scope &scope) {
  if (scope.tiles.empty())
    return fill(scope, pickKind());
  // The newest half of the time, else any, so that old values stay in use.
  if (rng.chance(50))
    return scope.tiles.back();
  return rng.pick(scope.tiles);
}

Tile KernelGenerator::pickTile(Scope &scope, Kind kind) {
  SmallVector<Tile> candidates;
  for (const Tile &tile : scope.tiles)
    if (tile.kind == kind)
      candidates.push_back(tile);
  if (candidates.empty())
    return fill(scope, kind);
  return rng.chance(60) ? candidates.back() : rng.pick(candidates);
}

static std::string emptyTensor(KernelGenerator &gen, const Scope &scope,
                               Kind kind) {
  return gen.define("tensor.empty(" +
                    Twine(scope.extent.isDynamic ? scope.extent.value : "") +
                    ") : " + scope.type(kind));
}

Tile KernelGenerator::fill(Scope &scope, Kind kind) {
  std::string type = scope.type(kind);
  Tile tile{"", kind};
  if (!scope.extent.isDynamic && rng.chance(20)) {
    StringRef element = isFloat(kind) ? "0.5" : kind == I1 ? "true" : "3";
    tile.name = define("arith.constant dense<" + element + "> : " + type);
  } else {
    std::string empty = emptyTensor(*this, scope, kind);
    std::string value = constant(kind);
    tile.name =
        define("linalg.fill ins(" + Twine(value) + " : " + getName(kind) +
               ") outs(" + empty + " : " + type + ") -> " + type);
  }
  scope.tiles.push_back(tile);
  return tile;
}

std::string KernelGenerator::chooseInit(Scope &scope, Kind kind,
                                        bool &isDefined) {
  isDefined = true;
  for (size_t i = 0; i < scope.scratch.size(); ++i)
    if (scope.scratch[i].kind == kind && rng.chance(60)) {
      isDefined = false;
      std::string name = scope.scratch[i].name;
      scope.scratch.erase(scope.scratch.begin() + i);
      return name;
    }
  if (rng.chance(45)) {
    isDefined = false;
    return emptyTensor(*this, scope, kind);
  }
  if (rng.chance(15))
    return fill(scope, kind).name;
  return pickTile(scope, kind).name;
}

/// `linalg.generic` over `inputs` and `inits`; the payload sees the elements of
/// the inits that are defined and yields one value for each.
static SmallVector<Tile> generic(KernelGenerator &gen, Scope &scope,
                                 ArrayRef<Tile> inputs, ArrayRef<Tile> inits,
                                 ArrayRef<bool> isDefined) {
  std::string maps, ins, insTypes, outs, outsTypes, arguments;
  auto append = [](std::string &list, const Twine &item) {
    if (!list.empty())
      list += ", ";
    list += item.str();
  };
  SmallVector<Scalar> sources;
  for (const Tile &tile : inputs) {
    Scalar argument{gen.fresh(), tile.kind};
    append(maps, identityMap);
    append(ins, tile.name);
    append(insTypes, scope.type(tile.kind));
    append(arguments, argument.name + ": " + getName(tile.kind));
    sources.push_back(argument);
  }
  SmallVector<Scalar> old;
  for (auto [tile, defined] : llvm::zip(inits, isDefined)) {
    Scalar argument{gen.fresh(), tile.kind};
    append(maps, identityMap);
    append(outs, tile.name);
    append(outsTypes, scope.type(tile.kind));
    append(arguments, argument.name + ": " + getName(tile.kind));
    if (defined && gen.rng.chance(50))
      sources.push_back(argument);
  }
  if (!scope.scalars.empty() && gen.rng.chance(25))
    sources.push_back(gen.rng.pick(scope.scalars));
  std::string name = gen.fresh();
  std::string results =
      inits.size() == 1 ? "" : ":" + std::to_string(inits.size());
  gen.line(name + results + " = linalg.generic {indexing_maps = [" + maps +
           "], iterator_types = [\"parallel\"]}");
  gen.line("    ins(" + ins + " : " + insTypes + ") outs(" + outs + " : " +
           outsTypes + ") {");
  gen.line("^bb0(" + arguments + "):");
  ++gen.indent;
  std::string yielded, yieldedTypes;
  for (const Tile &tile : inits) {
    SmallVector<Scalar> some(sources);
    while (some.size() > 1 && gen.rng.chance(30))
      some.erase(some.begin() + gen.rng.below(some.size()));
    append(yielded, gen.combine(some, tile.kind));
    append(yieldedTypes, getName(tile.kind));
  }
  gen.line("linalg.yield " + yielded + " : " + yieldedTypes);
  --gen.indent;
  gen.line(inits.size() == 1 ? "} -> " + outsTypes
                             : "} -> (" + outsTypes + ")");
  SmallVector<Tile> made;
  for (size_t i = 0; i < inits.size(); ++i)
    made.push_back({inits.size() == 1 ? name : name + "#" + std::to_string(i),
                    inits[i].kind});
  return made;
}

void KernelGenerator::elementwise(Scope &scope) {
  SmallVector<Tile> inputs;
  for (int64_t n = rng.between(1, 2); n > 0; --n)
    inputs.push_back(pickTile(scope));
  Kind kind = rng.chance(70) ? inputs.front().kind : pickKind();
  bool isDefined;
  Tile init{chooseInit(scope, kind, isDefined), kind};
  if (rng.chance(25) && inputs.size() == 2 && kind != I1 &&
      inputs[1].kind == kind && inputs[0].kind == kind) {
    // A named op; `max` of floats depends on how zeros are signed.
    static constexpr StringRef names[] = {"add", "sub", "mul", "max"};
    std::string type = scope.type(kind);
    StringRef name = isFloat(kind) ? names[rng.below(3)] : rng.pick(names);
    scope.tiles.push_back(
        {define("linalg." + name + " ins(" + inputs[0].name + ", " +
                inputs[1].name + " : " + type + ", " + type + ") outs(" +
                init.name + " : " + type + ") -> " + type),
         kind});
    return;
  }
  scope.tiles.push_back(generic(*this, scope, inputs, init, isDefined).front());
}

void KernelGenerator::twoResults(Scope &scope) {
  SmallVector<Tile> inputs{pickTile(scope)};
  if (rng.chance(40))
    inputs.push_back(pickTile(scope));
  SmallVector<Tile> inits;
  bool isDefined[2];
  for (bool &defined : isDefined) {
    Kind kind = rng.chance(60) ? inputs.front().kind : pickKind();
    inits.push_back({chooseInit(scope, kind, defined), kind});
  }
  SmallVector<Tile> made = generic(*this, scope, inputs, inits, isDefined);
  // An unused result now and then.
  int64_t unused = rng.below(4);
  for (auto [i, tile] : llvm::enumerate(made))
    if (int64_t(i) != unused)
      scope.tiles.push_back(tile);
}

void KernelGenerator::copy(Scope &scope) {
  Tile source = pickTile(scope);
  bool isDefined;
  std::string init = chooseInit(scope, source.kind, isDefined);
  std::string type = scope.type(source.kind);
  scope.tiles.push_back(
      {define("linalg.copy ins(" + Twine(source.name) + " : " + type +
              ") outs(" + init + " : " + type + ") -> " + type),
       source.kind});
}

void KernelGenerator::insertElement(Scope &scope) {
  Tile tile = pickTile(scope);
  std::string value;
  if (!scope.scalars.empty() && rng.chance(60))
    value = convert(rng.pick(scope.scalars), tile.kind);
  else if (rng.chance(50))
    value = convert(extract(scope), tile.kind);
  else
    value = constant(tile.kind);
  std::string index =
      indexConstant(scope.extent.isDynamic ? 0 : rng.below(scope.extent.size));
  scope.tiles.push_back(
      {define("tensor.insert " + Twine(value) + " into " + tile.name + "[" +
              index + "] : " + scope.type(tile.kind)),
       tile.kind});
}

/// A slice of one tile into a slice of another: halves or every second element.
void KernelGenerator::insertPart(Scope &scope) {
  if (scope.extent.isDynamic || scope.extent.size < 2)
    return insertElement(scope);
  Tile source = pickTile(scope);
  Tile dest = pickTile(scope, source.kind);
  int64_t half = scope.extent.size / 2;
  auto slice = [&] {
    if (rng.chance(50)) // Contiguous, at any offset.
      return "[" + std::to_string(rng.between(0, scope.extent.size - half)) +
             "] [" + std::to_string(half) + "] [1]";
    return "[" + std::to_string(rng.below(2)) + "] [" + std::to_string(half) +
           "] [2]";
  };
  std::string type = scope.type(source.kind);
  std::string part =
      ("tensor<" + Twine(half) + "x" + getName(source.kind) + ">").str();
  std::string taken = define("tensor.extract_slice " + Twine(source.name) +
                             slice() + " : " + type + " to " + part);
  scope.tiles.push_back(
      {define("tensor.insert_slice " + Twine(taken) + " into " + dest.name +
              slice() + " : " + part + " into " + type),
       source.kind});
}

void KernelGenerator::pad(Scope &scope) {
  if (scope.extent.isDynamic || scope.extent.size < 2)
    return copy(scope);
  Tile source = pickTile(scope);
  int64_t size = scope.extent.size, kept = rng.between(1, size - 1);
  int64_t low = rng.between(0, size - kept);
  std::string part =
      ("tensor<" + Twine(kept) + "x" + getName(source.kind) + ">").str();
  std::string value = constant(source.kind);
  std::string taken =
      define("tensor.extract_slice " + Twine(source.name) + "[" +
             Twine(rng.between(0, size - kept)) + "] [" + Twine(kept) +
             "] [1] : " + scope.type(source.kind) + " to " + part);
  std::string result = fresh();
  line(result + " = tensor.pad " + taken + " low[" + Twine(low) + "] high[" +
       Twine(size - kept - low) + "] {");
  line("^bb0(%" + Twine("p") + result.substr(2) + ": index):");
  line("  tensor.yield " + Twine(value) + " : " + getName(source.kind));
  line("} : " + Twine(part) + " to " + scope.type(source.kind));
  scope.tiles.push_back({result, source.kind});
}

/// As a matrix, transposed, and back.
void KernelGenerator::transpose(Scope &scope) {
  int64_t size = scope.extent.size;
  if (scope.extent.isDynamic || size % 4 != 0 || size < 8)
    return copy(scope);
  Tile source = pickTile(scope);
  int64_t rows = 4, columns = size / 4;
  auto matrix = [&](int64_t a, int64_t b) {
    return ("tensor<" + Twine(a) + "x" + Twine(b) + "x" + getName(source.kind) +
            ">")
        .str();
  };
  std::string type = scope.type(source.kind);
  std::string from = matrix(rows, columns), to = matrix(columns, rows);
  std::string expanded = define(
      "tensor.expand_shape " + Twine(source.name) + " [[0, 1]] output_shape [" +
      Twine(rows) + ", " + Twine(columns) + "] : " + type + " into " + from);
  std::string empty = define("tensor.empty() : " + Twine(to));
  std::string transposed =
      define("linalg.transpose ins(" + Twine(expanded) + " : " + from +
             ") outs(" + empty + " : " + to + ") permutation = [1, 0]");
  scope.tiles.push_back({define("tensor.collapse_shape " + Twine(transposed) +
                                " [[0, 1]] : " + to + " into " + type),
                         source.kind});
}

/// To a scalar, in order.
void KernelGenerator::reduce(Scope &scope) {
  Tile source = pickTile(scope);
  StringRef name = getName(source.kind);
  std::string type = ("tensor<" + name + ">").str();
  std::string empty = define("tensor.empty() : " + Twine(type));
  std::string value = constant(source.kind);
  std::string init = define("linalg.fill ins(" + Twine(value) + " : " + name +
                            ") outs(" + empty + " : " + type + ") -> " + type);
  std::string result = fresh(), element = fresh(), sum = fresh();
  line(result + " = linalg.generic {indexing_maps = [" + identityMap +
       ", affine_map<(d0) -> ()>], iterator_types = [\"reduction\"]}");
  line("    ins(" + Twine(source.name) + " : " + scope.type(source.kind) +
       ") outs(" + init + " : " + type + ") {");
  line("^bb0(" + Twine(element) + ": " + name + ", " + sum + ": " + name +
       "):");
  ++indent;
  std::string yielded = combine(
      {Scalar{sum, source.kind}, Scalar{element, source.kind}}, source.kind);
  line("linalg.yield " + Twine(yielded) + " : " + name);
  --indent;
  line("} -> " + Twine(type));
  scope.scalars.push_back(
      {define("tensor.extract " + Twine(result) + "[] : " + type),
       source.kind});
}

void KernelGenerator::stage(Scope &scope) {
  using Stage = void (KernelGenerator::*)(Scope &);
  struct Choice {
    int weight;
    Stage make;
  };
  --budget;
  bool canDistribute = scope.level != Level::Thread;
  bool canNest = scope.depth < maxDepth && budget > 0;
  bool hasSubgroups = scope.level == Level::Workgroup &&
                      !scope.extent.isDynamic && blockSize > 0 &&
                      blockSize % subgroupSize == 0 &&
                      scope.extent.size % blockSize == 0;
  const Choice choices[] = {
      {canDistribute ? 60 : 0, &KernelGenerator::forall},
      {canDistribute ? 8 : 0, &KernelGenerator::matrixForall},
      {hasSubgroups ? 10 : 0, &KernelGenerator::subgroupForall},
      {12, &KernelGenerator::elementwise},
      {6, &KernelGenerator::twoResults},
      {5, &KernelGenerator::copy},
      {6, &KernelGenerator::insertElement},
      {6, &KernelGenerator::insertPart},
      {3, &KernelGenerator::pad},
      {3, &KernelGenerator::transpose},
      {5, &KernelGenerator::reduce},
      {canNest ? 16 : 0, &KernelGenerator::loop},
      {canNest ? 5 : 0, &KernelGenerator::whileLoop},
      {canNest ? 12 : 0, &KernelGenerator::branch},
      {canNest ? 4 : 0, &KernelGenerator::indexSwitch},
      {4, &KernelGenerator::select},
  };
  SmallVector<int> weights;
  for (const Choice &choice : choices)
    weights.push_back(choice.weight);
  (this->*choices[rng.pickWeighted(weights)].make)(scope);
  if (rng.chance(15))
    scope.scalars.push_back(extract(scope));
}

void KernelGenerator::stages(Scope &scope, int count) {
  for (int i = 0; i < count && (i == 0 || budget > 0); ++i)
    stage(scope);
}
