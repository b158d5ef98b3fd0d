//===- GenerateLies.cpp - ops of other dialects in random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// What the model of an op denies, as attributes: half of the time nothing.
/// `reads` are the operands that it reads. `init`: the one that it writes, or
/// -1.
static std::string chooseLies(Random &rng, ArrayRef<int> reads, int init,
                              bool accumulates) {
  SmallVector<std::string> attributes;
  if (accumulates)
    attributes.push_back("accumulates");
  if (rng.chance(50)) {
    int way = rng.below(init < 0 ? 6 : 10);
    if (way < 6) {
      std::string hidden;
      int all = rng.chance(25) ? -1 : rng.pick(reads);
      for (int operand : reads)
        if (all < 0 || operand == all)
          hidden += (hidden.empty() ? "" : ", ") + std::to_string(operand);
      attributes.push_back("hides_reads = array<i64: " + hidden + ">");
    } else if (way < 8) {
      attributes.push_back("hides_writes = array<i64: " + std::to_string(init) +
                           ">");
    } else {
      attributes.push_back("hides_aliases");
    }
  }
  std::string list;
  for (const std::string &attribute : attributes)
    list += (list.empty() ? " {" : ", ") + attribute;
  return list.empty() ? list : list + "}";
}

void KernelGenerator::elementwiseLie(Scope &scope) {
  Tile lhs = pickTile(scope), rhs = pickTile(scope, lhs.kind);
  bool isDefined;
  std::string init = chooseInit(scope, lhs.kind, isDefined);
  bool accumulates = isDefined && rng.chance(40);
  SmallVector<int> reads = {0, 1};
  if (accumulates)
    reads.push_back(2);
  std::string type = scope.type(lhs.kind);
  scope.tiles.push_back(
      {define("lie.ew ins(" + Twine(lhs.name) + ", " + rhs.name + " : " + type +
              ", " + type + ") outs(" + init + " : " + type + ")" +
              chooseLies(rng, reads, 2, accumulates) + " -> " + type),
       lhs.kind});
}

void KernelGenerator::scatterLie(Scope &scope) {
  Tile values = pickTile(scope), indices = pickTile(scope, I32);
  // What is not overwritten stays, so that it must be defined.
  Tile init = pickTile(scope, values.kind);
  std::string type = scope.type(values.kind);
  scope.tiles.push_back(
      {define("lie.scatter ins(" + Twine(values.name) + ", " + indices.name +
              " : " + type + ", " + scope.type(I32) + ") outs(" + init.name +
              " : " + type + ")" +
              chooseLies(rng, {0, 1, 2}, 2, /*accumulates=*/false) + " -> " +
              type),
       values.kind});
}

void KernelGenerator::opaqueLie(Scope &scope) {
  if (scope.extent.isDynamic)
    return elementwiseLie(scope);
  Tile lhs = pickTile(scope), rhs = pickTile(scope, lhs.kind);
  std::string type = scope.type(lhs.kind);
  scope.tiles.push_back(
      {define("lie.opaque " + Twine(lhs.name) + ", " + rhs.name +
              chooseLies(rng, {0, 1}, -1, /*accumulates=*/false) + " : " +
              type + ", " + type + " -> " + type),
       lhs.kind});
}

void KernelGenerator::updateLie(Scope &scope) {
  Tile lhs = pickTile(scope), rhs = pickTile(scope, lhs.kind);
  std::string type = scope.type(lhs.kind);
  scope.tiles.push_back(
      {define("lie.update " + Twine(lhs.name) + ", " + rhs.name +
              chooseLies(rng, {0, 1}, 0, /*accumulates=*/false) + " : " + type +
              ", " + type + " -> " + type),
       lhs.kind});
}
