//===- GenerateNests.cpp - loops in loops that move tiles around -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"
#include <optional>

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// What a region hands on is a choice among `from`, place by place: a buffer
/// behind a place may be the one behind another place before. `fresh`: what the
/// region has made itself, if it has made something.
static SmallVector<Tile> move(KernelGenerator &gen, ArrayRef<Tile> from,
                              std::optional<Tile> fresh = std::nullopt) {
  Random &rng = gen.rng;
  SmallVector<Tile> to(from.begin(), from.end());
  int64_t count = from.size();
  enum Way { Pass, Shift, Rotate, Swap, Repeat, Any };
  static constexpr int weights[] = {22, 28, 16, 20, 8, 6};
  static constexpr int oldWeights[] = {40, 0, 20, 26, 8, 6};
  switch (rng.pickWeighted(fresh ? weights : oldWeights)) {
  case Pass:
    break;
  case Shift:
    for (int64_t i = 0; i < count; ++i)
      to[i] = i + 1 < count ? from[i + 1] : *fresh;
    if (rng.chance(30))
      std::reverse(to.begin(), to.end());
    return to;
  case Rotate: {
    int64_t by = rng.between(1, std::max<int64_t>(count - 1, 1));
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[(i + by) % count];
    break;
  }
  case Swap: {
    int64_t a = rng.below(count), b = rng.below(count);
    std::swap(to[a], to[a == b ? (a + 1) % count : b]);
    break;
  }
  case Repeat:
    to[rng.below(count)] = to[rng.below(count)];
    break;
  case Any:
    for (Tile &tile : to)
      tile = rng.pick(from);
    break;
  }
  if (fresh && rng.chance(70))
    to[rng.below(count)] = *fresh;
  return to;
}

/// A tile made of those in the scope, in a fresh tensor or in place.
static Tile work(KernelGenerator &gen, Scope &inner, ArrayRef<Tile> carried) {
  Kind kind = carried.front().kind;
  switch (gen.rng.below(12)) {
  case 0:
  case 1:
    gen.stage(inner);
    break;
  case 2: {
    // A copy onto itself, or onto another.
    Tile source = gen.pickTile(inner, kind), dest = gen.pickTile(inner, kind);
    if (gen.rng.chance(60))
      dest = source;
    std::string type = inner.type(kind);
    inner.tiles.push_back(
        {gen.define("linalg.copy ins(" + source.name + " : " + type +
                    ") outs(" + dest.name + " : " + type + ") -> " + type),
         kind});
    break;
  }
  case 3:
    gen.updateElements(inner);
    break;
  case 4:
    if (inner.level != Level::Thread) {
      gen.forall(inner);
      break;
    }
    [[fallthrough]];
  default: {
    // Sums tell the places of the tiles apart.
    SmallVector<Tile> tiles(carried);
    if (gen.rng.chance(40))
      tiles = {gen.pickTile(inner, kind), gen.pickTile(inner, kind)};
    inner.tiles.push_back(gen.mix(inner, tiles, gen.rng.chance(10)));
    break;
  }
  }
  return gen.pickTile(inner, kind);
}

SmallVector<Tile>
KernelGenerator::nestBody(Scope &inner, ArrayRef<Tile> carried, int levels) {
  // What is carried is what the work is about; the rest is seldom seen.
  if (rng.chance(80))
    inner.tiles.assign(carried.begin(), carried.end());
  SmallVector<Tile> current(carried.begin(), carried.end());
  std::optional<Tile> fresh;
  if (levels > 1) {
    if (rng.chance(20)) {
      fresh = work(*this, inner, current);
      current = move(*this, current, fresh);
    }
    current = nestLevel(inner, current, levels - 1);
    inner.tiles.append(current);
    fresh.reset();
  }
  if (rng.chance(levels == 1 ? 90 : 25))
    fresh = work(*this, inner, current);
  return move(*this, current, fresh);
}

SmallVector<Tile> KernelGenerator::nestLevel(const Scope &scope,
                                             ArrayRef<Tile> carried,
                                             int levels) {
  auto body = [&](Scope &inner, ArrayRef<Tile> tiles) {
    return nestBody(inner, tiles, levels);
  };
  auto forward = [&](Scope &, ArrayRef<Tile> tiles) {
    return rng.chance(75) ? SmallVector<Tile>(tiles) : move(*this, tiles);
  };
  static constexpr int weights[] = {70, 12, 12, 6};
  switch (rng.pickWeighted(weights)) {
  case 0:
    return emitFor(scope, carried, pickTrips(scope), body);
  case 1:
    return emitWhile(scope, carried, pickTrips(scope), forward, body);
  case 2: {
    // Often only one of the branches does something.
    bool isOneSided = rng.chance(50);
    int branch = 0;
    return emitIf(scope, carried, [&](Scope &inner, ArrayRef<Tile> tiles) {
      if (isOneSided && branch++ > 0)
        return forward(inner, tiles);
      return body(inner, tiles);
    });
  }
  default:
    return emitIndexSwitch(scope, carried,
                           [&](Scope &inner, ArrayRef<Tile> tiles) {
                             if (rng.chance(40))
                               return forward(inner, tiles);
                             return body(inner, tiles);
                           });
  }
}

void KernelGenerator::nest(Scope &scope) {
  static constexpr int counts[] = {0, 3, 55, 30, 12};
  static constexpr int depths[] = {0, 8, 57, 27, 8};
  int64_t count = rng.pickWeighted(counts);
  Kind kind = pickTile(scope).kind;
  SmallVector<Tile> inits;
  for (int64_t i = 0; i < count; ++i) {
    // One tensor may begin in several places; most are different.
    Tile init = i > 0 && rng.chance(15) ? inits.back() : pickTile(scope, kind);
    if (rng.chance(25)) {
      init = mix(scope, {init}, /*isPlaced=*/true);
      scope.tiles.push_back(init);
    }
    inits.push_back(init);
  }
  SmallVector<Tile> results = nestLevel(scope, inits, rng.pickWeighted(depths));
  scope.tiles.append(results);
  if (!rng.chance(85))
    return;
  // Whatever is wrong with any of them shows.
  scope.tiles.push_back(mix(scope, results));
}
