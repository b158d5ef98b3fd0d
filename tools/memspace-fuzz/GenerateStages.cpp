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

/// Of all sorts in one place together, however they are done.
static constexpr int64_t kMostComparisons = 1 << 16;

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
  if (candidates.empty() && extras.structured && !scope.tiles.empty() &&
      rng.chance(80)) {
    // Different elements, so that there is something to sort.
    Tile from = rng.pick(scope.tiles), init{emptyTensor(scope, kind), kind};
    bool isDefined = false;
    return generic(scope, from, init, isDefined,
                   [&](ArrayRef<Scalar> given, ArrayRef<Scalar>) {
                     return SmallVector<std::string>{
                         convert(given.front(), kind)};
                   })
        .front();
  }
  if (candidates.empty())
    return fill(scope, kind);
  return rng.chance(60) ? candidates.back() : rng.pick(candidates);
}

std::string KernelGenerator::emptyTensor(const Scope &scope, Kind kind) {
  return define("tensor.empty(" +
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
    std::string empty = emptyTensor(scope, kind);
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
  // Updates in place may need copies, see stage().
  if (rng.chance(scope.extent.isDynamic ? 80 : 45)) {
    isDefined = false;
    return emptyTensor(scope, kind);
  }
  if (rng.chance(15))
    return fill(scope, kind).name;
  return pickTile(scope, kind).name;
}

SmallVector<Tile> KernelGenerator::generic(Scope &scope, ArrayRef<Tile> inputs,
                                           ArrayRef<Tile> inits,
                                           ArrayRef<bool> isDefined,
                                           Payload payload) {
  std::string maps, ins, insTypes, outs, outsTypes, arguments;
  auto append = [](std::string &list, const Twine &item) {
    if (!list.empty())
      list += ", ";
    list += item.str();
  };
  auto addOperand = [&](const Tile &tile, std::string &names,
                        std::string &types) {
    Scalar argument{fresh(), tile.kind};
    append(maps, identityMap);
    append(names, tile.name);
    append(types, scope.type(tile.kind));
    append(arguments, argument.name + ": " + getName(tile.kind));
    return argument;
  };
  SmallVector<Scalar> sources, old;
  for (const Tile &tile : inputs)
    sources.push_back(addOperand(tile, ins, insTypes));
  for (auto [tile, defined] : llvm::zip(inits, isDefined)) {
    Scalar argument = addOperand(tile, outs, outsTypes);
    if (defined)
      old.push_back(argument);
  }
  std::string name = fresh();
  std::string results =
      inits.size() == 1 ? "" : ":" + std::to_string(inits.size());
  line(name + results + " = linalg.generic {indexing_maps = [" + maps +
       "], iterator_types = [\"parallel\"]}");
  if (!inputs.empty())
    ins = "ins(" + ins + " : " + insTypes + ") ";
  line("    " + ins + "outs(" + outs + " : " + outsTypes + ") {");
  line("^bb0(" + arguments + "):");
  ++indent;
  std::string yielded, yieldedTypes;
  for (const std::string &value : payload(sources, old))
    append(yielded, value);
  for (const Tile &tile : inits)
    append(yieldedTypes, getName(tile.kind));
  line("linalg.yield " + yielded + " : " + yieldedTypes);
  --indent;
  line(inits.size() == 1 ? "} -> " + outsTypes : "} -> (" + outsTypes + ")");
  SmallVector<Tile> made;
  for (size_t i = 0; i < inits.size(); ++i)
    made.push_back({inits.size() == 1 ? name : name + "#" + std::to_string(i),
                    inits[i].kind});
  return made;
}

SmallVector<Tile> KernelGenerator::generic(Scope &scope, ArrayRef<Tile> inputs,
                                           ArrayRef<Tile> inits,
                                           ArrayRef<bool> isDefined) {
  return generic(
      scope, inputs, inits, isDefined,
      [&](ArrayRef<Scalar> given, ArrayRef<Scalar> old) {
        SmallVector<Scalar> sources(given);
        for (const Scalar &scalar : old)
          if (rng.chance(50))
            sources.push_back(scalar);
        if (!scope.scalars.empty() && rng.chance(25))
          sources.push_back(rng.pick(scope.scalars));
        if (rng.chance(5))
          sources.push_back({define("linalg.index 0 : index"), Index});
        SmallVector<std::string> values;
        for (const Tile &tile : inits) {
          SmallVector<Scalar> some(sources);
          while (some.size() > 1 && rng.chance(30))
            some.erase(some.begin() + rng.below(some.size()));
          values.push_back(combine(some, tile.kind));
        }
        return values;
      });
}

Tile KernelGenerator::mix(Scope &scope, ArrayRef<Tile> inputs, bool isPlaced) {
  Kind kind = inputs.front().kind;
  StringRef type = getName(kind);
  auto apply = [&](StringRef op, StringRef a, StringRef b) {
    return define("arith." + op + " " + a + ", " + b + " : " + type);
  };
  auto number = [&](StringRef text) {
    return define("arith.constant " + text + " : " + type);
  };
  Tile init{emptyTensor(scope, kind), kind};
  bool isDefined = false;
  return generic(
             scope, inputs, init, isDefined,
             [&](ArrayRef<Scalar> given, ArrayRef<Scalar>) {
               SmallVector<Scalar> sources(given);
               if (isPlaced)
                 sources.push_back({define("linalg.index 0 : index"), Index});
               std::string sum = sources.front().name;
               for (const Scalar &source : llvm::drop_begin(sources)) {
                 std::string other = convert(source, kind);
                 if (isFloat(kind))
                   sum = apply("addf", apply("mulf", sum, number("0.75")),
                               apply("mulf", other, number("0.25")));
                 else if (kind == I1)
                   sum = apply("xori", sum, other);
                 else
                   sum = apply("addi", apply("muli", sum, number("3")), other);
               }
               return SmallVector<std::string>{sum};
             })
      .front();
}

void KernelGenerator::elementwise(Scope &scope) {
  SmallVector<Tile> inputs;
  for (int64_t n = rng.between(1, 2); n > 0; --n)
    inputs.push_back(pickTile(scope));
  Kind kind = rng.chance(70) ? inputs.front().kind : pickKind();
  bool isDefined;
  Tile init{chooseInit(scope, kind, isDefined), kind};
  if (rng.chance(25) && inputs.size() == 2 && kind != I1 && kind != Index &&
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
  scope.tiles.push_back(generic(scope, inputs, init, isDefined).front());
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
  SmallVector<Tile> made = generic(scope, inputs, inits, isDefined);
  // An unused result now and then.
  int64_t unused = rng.below(4);
  for (auto [i, tile] : llvm::enumerate(made))
    if (int64_t(i) != unused)
      scope.tiles.push_back(tile);
}

void KernelGenerator::copy(Scope &scope) {
  Tile source = pickTile(scope);
  bool isDefined;
  std::string init = rng.chance(15) ? source.name // Onto itself.
                                    : chooseInit(scope, source.kind, isDefined);
  std::string type = scope.type(source.kind);
  scope.tiles.push_back(
      {define("linalg.copy ins(" + Twine(source.name) + " : " + type +
              ") outs(" + init + " : " + type + ") -> " + type),
       source.kind});
}

void KernelGenerator::stage(Scope &scope) {
  using Stage = void (KernelGenerator::*)(Scope &);
  struct Choice {
    int weight;
    Stage make;
    /// Sorts and their like, which kernels may consist of alone.
    bool isStructured = false;
  };
  --budget;
  bool canDistribute = scope.level != Level::Thread;
  bool canNest = scope.depth < maxDepth && budget > 0;
  // A copy of a dynamic tile is refused where its bound is not known: what
  // often needs one is rare.
  bool isDynamic = scope.extent.isDynamic;
  bool hasSubgroups = scope.level == Level::Workgroup &&
                      !scope.extent.isDynamic && blockSize > 0 &&
                      blockSize % subgroupSize == 0 &&
                      scope.extent.size % blockSize == 0;
  bool canSort =
      scope.repeats * scope.extent.size * scope.extent.size <= kMostComparisons;
  // Of one element there is little to say.
  auto few = [&](int weight) { return scope.extent.size > 1 ? weight : 1; };
  bool canMeet = extras.collectives && !isDynamic &&
                 ((hasSubgroups && scope.level == Level::Workgroup) ||
                  (scope.level == Level::Subgroup &&
                   scope.extent.size % subgroupSize == 0));
  const Choice choices[] = {
      {canDistribute ? 60 : 0, &KernelGenerator::forall},
      {canDistribute ? 8 : 0, &KernelGenerator::matrixForall},
      {hasSubgroups ? 10 : 0, &KernelGenerator::subgroupForall},
      {12, &KernelGenerator::elementwise},
      {6, &KernelGenerator::twoResults},
      {5, &KernelGenerator::copy},
      {isDynamic ? 1 : 4, &KernelGenerator::insertElement},
      {isDynamic ? 1 : 6, &KernelGenerator::updateElements},
      {isDynamic ? 0 : 6, &KernelGenerator::insertPart},
      {isDynamic ? 4 : 2, &KernelGenerator::dimension},
      {isDynamic ? 0 : 2, &KernelGenerator::window},
      {isDynamic ? 0 : 3, &KernelGenerator::pad},
      {isDynamic ? 0 : 3, &KernelGenerator::transpose},
      {5, &KernelGenerator::reduce},
      {canSort ? 4 : 0, &KernelGenerator::sort, true},
      {canSort ? 2 : 0, &KernelGenerator::sortIndices, true},
      {canSort && !isDynamic ? 3 : 0, &KernelGenerator::topK, true},
      // Threads share rows of known lengths only.
      {isDynamic && canDistribute ? 0 : few(5), &KernelGenerator::scan, true},
      {isDynamic ? 2 : few(5), &KernelGenerator::scatter, true},
      {canDistribute && !isDynamic ? 3 : 0, &KernelGenerator::scatterForall,
       true},
      {few(4), &KernelGenerator::gather, true},
      {!canNest    ? 0
       : isDynamic ? 6
                   : 14,
       &KernelGenerator::loop},
      {!canNest                 ? 0
       : scope.extent.isDynamic ? 3
                                : 22,
       &KernelGenerator::nest},
      {!canNest    ? 0
       : isDynamic ? 2
                   : 5,
       &KernelGenerator::whileLoop},
      {!canNest    ? 0
       : isDynamic ? 8
                   : 12,
       &KernelGenerator::branch},
      {!canNest    ? 0
       : isDynamic ? 2
                   : 4,
       &KernelGenerator::indexSwitch},
      {4, &KernelGenerator::select},
      {canMeet ? 70 : 0, &KernelGenerator::collectiveForall},
      {extras.lies ? 6 : 0, &KernelGenerator::elementwiseLie},
      {extras.lies ? 4 : 0, &KernelGenerator::scatterLie},
      {extras.lies ? 4 : 0, &KernelGenerator::opaqueLie},
      {extras.lies ? 4 : 0, &KernelGenerator::updateLie},
  };
  SmallVector<int> weights;
  for (const Choice &choice : choices)
    weights.push_back(
        extras.structured && !choice.isStructured ? 0 : choice.weight);
  (this->*choices[rng.pickWeighted(weights)].make)(scope);
  if (rng.chance(15))
    scope.scalars.push_back(extract(scope));
}

void KernelGenerator::stages(Scope &scope, int count) {
  for (int i = 0; i < count && (i == 0 || budget > 0); ++i)
    stage(scope);
}
