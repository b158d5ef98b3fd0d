//===- GenerateSorts.cpp - stages that sort whole tiles -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys are integers: floats may be NaN, and what comes of a comparator that is
// no strict weak order is not said.
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

Tile KernelGenerator::pickKeys(Scope &scope) {
  static constexpr Kind kinds[] = {I8, I16, I32, I32, I64, Index};
  return pickTile(scope, rng.pick(kinds));
}

/// The comparator of keys of `kind`, which come first, and `numPayloads`
/// others.
void KernelGenerator::comparator(Kind kind, ArrayRef<Tile> payloads) {
  std::string arguments;
  Scalar left{fresh(), kind}, right{fresh(), kind};
  arguments = left.name + ": " + getName(kind).str() + ", " + right.name +
              ": " + getName(kind).str();
  for (const Tile &payload : payloads)
    for (int side = 0; side < 2; ++side)
      arguments += ", " + fresh() + ": " + getName(payload.kind).str();
  line("^bb0(" + arguments + "):");
  ++indent;
  static constexpr StringRef predicates[] = {"slt", "sgt", "ult", "ugt"};
  std::string first =
      define("arith.cmpi " + rng.pick(predicates) + ", " + left.name + ", " +
             right.name + " : " + getName(kind));
  line("memspace.yield " + first + " : i1");
  --indent;
}

void KernelGenerator::sort(Scope &scope) {
  Tile keys = pickKeys(scope);
  SmallVector<Tile> inputs{keys};
  if (rng.chance(40))
    inputs.push_back(pickTile(scope));
  // Equal keys with different payloads: only a stable order is one.
  bool isStable = inputs.size() > 1 || rng.chance(30);
  std::string ins, outs, types;
  for (const Tile &input : inputs) {
    bool isDefined;
    std::string init =
        rng.chance(30) ? input.name : chooseInit(scope, input.kind, isDefined);
    StringRef separator = ins.empty() ? "" : ", ";
    ins += separator.str() + input.name;
    outs += separator.str() + init;
    types += separator.str() + scope.type(input.kind);
  }
  std::string name = fresh();
  line(name + (inputs.size() == 1 ? "" : ":2") +
       " = memspace.sort dimension(0) " + (isStable ? "stable " : "") + "ins(" +
       ins + " : " + types + ") outs(" + outs + " : " + types + ") {");
  comparator(keys.kind, ArrayRef(inputs).drop_front());
  line("} -> " + types);
  int64_t unused = rng.below(4);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (inputs.size() == 1 || int64_t(i) != unused)
      scope.tiles.push_back(
          {inputs.size() == 1 ? name : name + "#" + std::to_string(i),
           input.kind});
}

void KernelGenerator::sortIndices(Scope &scope) {
  Tile keys = pickKeys(scope);
  static constexpr Kind kinds[] = {I16, I32, I32, I64, Index};
  Kind kind = rng.pick(kinds);
  bool isDefined;
  std::string init = chooseInit(scope, kind, isDefined),
              type = scope.type(kind);
  std::string name = fresh();
  line(name + " = memspace.sort_indices dimension(0) stable ins(" + keys.name +
       " : " + scope.type(keys.kind) + ") outs(" + init + " : " + type + ") {");
  comparator(keys.kind, {});
  line("} -> " + type);
  scope.tiles.push_back({name, kind});
}

void KernelGenerator::topK(Scope &scope) {
  Tile keys = pickKeys(scope);
  bool hasValues = rng.chance(60), hasIndices = !hasValues || rng.chance(60);
  // The first ones into another tile, which keeps the rest.
  int64_t count = rng.between(1, scope.extent.size);
  SmallVector<Kind> kinds;
  std::string outs, types;
  auto addOutput = [&](StringRef keyword, Kind kind) {
    std::string type =
        ("tensor<" + Twine(count) + "x" + getName(kind) + ">").str();
    std::string init = define("tensor.empty() : " + type);
    outs += (" " + keyword + "(" + init + " : " + type + ")").str();
    types += (types.empty() ? "" : ", ") + type;
    kinds.push_back(kind);
  };
  if (hasValues)
    addOutput("values", keys.kind);
  if (hasIndices)
    addOutput("indices", rng.chance(70) ? I32 : Index);
  std::string name = fresh();
  line(name + (kinds.size() == 1 ? "" : ":2") +
       " = memspace.topk dimension(0) ins(" + keys.name + " : " +
       scope.type(keys.kind) + ")" + outs + " {");
  comparator(keys.kind, {});
  line("} -> " + types);
  int64_t unused = rng.below(4);
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    if (kinds.size() == 2 && int64_t(i) == unused)
      continue;
    std::string result =
        kinds.size() == 1 ? name : name + "#" + std::to_string(i);
    std::string type =
        ("tensor<" + Twine(count) + "x" + getName(kind) + ">").str();
    Tile rest = pickTile(scope, kind);
    scope.tiles.push_back(
        {define("tensor.insert_slice " + Twine(result) + " into " + rest.name +
                "[0] [" + Twine(count) + "] [1] : " + type + " into " +
                scope.type(kind)),
         kind});
  }
}
