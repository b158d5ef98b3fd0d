//===- GenerateParts.cpp - stages of random kernels on parts of tiles -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

static std::string insert(KernelGenerator &gen, const Scope &scope, Kind kind,
                          StringRef value, StringRef tile, StringRef index) {
  return gen.define("tensor.insert " + value + " into " + tile + "[" + index +
                    "] : " + scope.type(kind));
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
  std::string index = position(scope, scope.extent);
  scope.tiles.push_back(
      {insert(*this, scope, tile.kind, value, tile.name, index), tile.kind});
}

void KernelGenerator::updateElements(Scope &scope) {
  Tile tile = pickTile(scope);
  std::string before = tile.name, now = tile.name, type = scope.type(tile.kind);
  std::string from, to;
  for (int64_t n = rng.between(1, 3); n > 0; --n) {
    // What the last one wrote is read, or another element.
    from = !to.empty() && rng.chance(25) ? to : position(scope, scope.extent);
    std::string value =
        define("tensor.extract " + Twine(rng.chance(85) ? now : before) + "[" +
               from + "] : " + type);
    if (rng.chance(60)) {
      SmallVector<Scalar> sources{{value, tile.kind}};
      if (!scope.scalars.empty() && rng.chance(40))
        sources.push_back(rng.pick(scope.scalars));
      value = combine(sources, tile.kind);
    }
    to = rng.chance(20) ? from : position(scope, scope.extent);
    before = now;
    now = insert(*this, scope, tile.kind, value, now, to);
  }
  scope.tiles.push_back({now, tile.kind});
}

namespace {
/// How many elements are moved, and in which type.
struct Part {
  int64_t most;
  std::string size, type;
};
} // namespace

/// Half of them, fewer, or as many as somebody says.
static Part choosePart(KernelGenerator &gen, const Scope &scope, Kind kind) {
  Random &rng = gen.rng;
  int64_t half = scope.extent.size / 2;
  if (rng.chance(20)) {
    // At least one; a bound that the sizes of buffers are taken from.
    std::string less = gen.wrap(gen.indexExpression(scope, rng.below(2)).name,
                                {half, gen.indexConstant(half), false});
    return {half,
            gen.define("affine.min affine_map<(d0) -> (d0 + 1, " + Twine(half) +
                       ")>(" + less + ")"),
            ("tensor<?x" + getName(kind) + ">").str()};
  }
  int64_t size = rng.chance(60) ? half : rng.between(1, half);
  return {size, std::to_string(size),
          ("tensor<" + Twine(size) + "x" + getName(kind) + ">").str()};
}

/// Contiguous at any offset, or every second element.
static std::string chooseSlice(KernelGenerator &gen, const Scope &scope,
                               const Part &part) {
  Random &rng = gen.rng;
  int64_t size = scope.extent.size;
  if (rng.chance(35))
    return ("[" + Twine(rng.below(size - 2 * part.most + 2)) + "] [" +
            part.size + "] [2]")
        .str();
  int64_t places = size - part.most + 1;
  std::string offset =
      rng.chance(50)
          ? std::to_string(rng.below(places))
          : gen.position(scope, {places, gen.indexConstant(places), false});
  return ("[" + Twine(offset) + "] [" + part.size + "] [1]").str();
}

/// A slice of one tile, as it is or changed, into a slice of another.
void KernelGenerator::insertPart(Scope &scope) {
  if (scope.extent.isDynamic || scope.extent.size < 2)
    return insertElement(scope);
  Tile source = pickTile(scope);
  Tile dest = pickTile(scope, source.kind);
  Part part = choosePart(*this, scope, source.kind);
  std::string type = scope.type(source.kind);
  std::string taken = define("tensor.extract_slice " + Twine(source.name) +
                             chooseSlice(*this, scope, part) + " : " + type +
                             " to " + part.type);
  scope.tiles.push_back(
      {define("tensor.insert_slice " + Twine(taken) + " into " + dest.name +
              chooseSlice(*this, scope, part) + " : " + part.type + " into " +
              type),
       source.kind});
}

/// The extent as the tiles say it: those that come out of loops, branches and
/// foralls too.
void KernelGenerator::dimension(Scope &scope) {
  bool isOfScratch = !scope.scratch.empty() && rng.chance(30);
  Tile tile = isOfScratch ? rng.pick(scope.scratch) : pickTile(scope);
  std::string zero = indexConstant(0);
  std::string extent = define("tensor.dim " + Twine(tile.name) + ", " + zero +
                              " : " + scope.type(tile.kind));
  if (scope.extent.isDynamic && rng.chance(60))
    scope.extent.value = extent;
  scope.scalars.push_back({extent, Index, scope.extent.size + 1});
}
