//===- GenerateControlFlow.cpp - loops and branches of random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// What a region yields for carried `tiles`: new ones, old ones, or the carried
/// ones in another order.
static SmallVector<Tile> chooseYields(KernelGenerator &gen, Scope &inner,
                                      ArrayRef<Tile> tiles) {
  SmallVector<Tile> yields;
  int64_t rotation = gen.rng.chance(50) ? gen.rng.below(tiles.size()) : -1;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const Tile &rotated =
        tiles[(i + std::max<int64_t>(rotation, 0)) % tiles.size()];
    // A rotation with the newest value in one place.
    if (rotation >= 0 && rotated.kind == tiles[i].kind &&
        (i != 0 || tiles.size() == 1))
      yields.push_back(gen.rng.chance(20) ? gen.pickTile(inner, tiles[i].kind)
                                          : rotated);
    else
      yields.push_back(gen.pickTile(inner, tiles[i].kind));
  }
  return yields;
}

void KernelGenerator::loop(Scope &scope) {
  SmallVector<Tile> inits{pickTile(scope)};
  Kind kind = inits.front().kind;
  for (int64_t i = 1, n = rng.between(1, rng.chance(30) ? 4 : 2); i < n; ++i)
    inits.push_back(rng.chance(75) ? pickTile(scope, kind) : pickTile(scope));
  // A spare tile to write the newest value to, which takes the place of the
  // current one; that becomes the next to be overwritten.
  bool isPingPong = rng.chance(25);
  if (isPingPong)
    inits.push_back({emptyTensor(scope, kind), kind});
  SmallVector<Tile> results =
      emitFor(scope, inits, pickTrips(scope),
              [&](Scope &inner, ArrayRef<Tile> carried) {
                if (!isPingPong) {
                  stages(inner, rng.between(1, 3));
                  return chooseYields(*this, inner, carried);
                }
                Tile spare = carried.back();
                inner.tiles.pop_back();
                inner.scratch.push_back(spare);
                stages(inner, rng.between(1, 3));
                SmallVector<Tile> yields(carried.begin(), carried.end());
                yields.front() = pickTile(inner, kind);
                bool spareIsFree = !inner.scratch.empty() &&
                                   inner.scratch.back().name == spare.name;
                if (!spareIsFree || !rng.chance(50))
                  yields.back() = carried.front();
                return yields;
              });
  if (isPingPong)
    results.pop_back();
  scope.tiles.append(results);
}

void KernelGenerator::whileLoop(Scope &scope) {
  SmallVector<Tile> inits{pickTile(scope)};
  for (int64_t i = rng.below(3); i > 0; --i)
    inits.push_back(pickTile(scope, inits.front().kind));
  bool worksBefore = rng.chance(50);
  scope.tiles.append(emitWhile(
      scope, inits, pickTrips(scope),
      [&](Scope &inner, ArrayRef<Tile> carried) {
        if (!worksBefore)
          return SmallVector<Tile>(carried);
        stage(inner);
        return chooseYields(*this, inner, carried);
      },
      [&](Scope &inner, ArrayRef<Tile> carried) {
        stages(inner, rng.between(1, 2));
        return chooseYields(*this, inner, carried);
      }));
}

/// One alternative of a branch: some work, then a fresh or an old tile for each
/// kind.
static SmallVector<Tile> alternative(KernelGenerator &gen, Scope &inner,
                                     ArrayRef<Tile> like) {
  if (gen.rng.chance(75))
    gen.stages(inner, gen.rng.between(1, 2));
  SmallVector<Tile> yields;
  for (const Tile &tile : like)
    yields.push_back(gen.pickTile(inner, tile.kind));
  return yields;
}

void KernelGenerator::branch(Scope &scope) {
  SmallVector<Tile> like{pickTile(scope)};
  if (rng.chance(35))
    like.push_back(pickTile(scope));
  scope.tiles.append(
      emitIf(scope, like, [&](Scope &inner, ArrayRef<Tile> tiles) {
        return alternative(*this, inner, tiles);
      }));
}

void KernelGenerator::indexSwitch(Scope &scope) {
  SmallVector<Tile> like{pickTile(scope)};
  if (rng.chance(25))
    like.push_back(pickTile(scope));
  scope.tiles.append(
      emitIndexSwitch(scope, like, [&](Scope &inner, ArrayRef<Tile> tiles) {
        return alternative(*this, inner, tiles);
      }));
}

void KernelGenerator::select(Scope &scope) {
  Tile first = pickTile(scope);
  Tile second = pickTile(scope, first.kind);
  std::string chosen = condition(scope);
  scope.tiles.push_back(
      {define("arith.select " + Twine(chosen) + ", " + first.name + ", " +
              second.name + " : " + scope.type(first.kind)),
       first.kind});
}
