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

static std::string list(ArrayRef<std::string> items) {
  std::string result;
  for (const std::string &item : items)
    result += (result.empty() ? "" : ", ") + item;
  return result;
}

/// "%a = %init, …" for the carried values of a loop.
static std::string bindings(ArrayRef<Tile> inner, ArrayRef<Tile> inits) {
  SmallVector<std::string> items;
  for (auto [argument, init] : llvm::zip(inner, inits))
    items.push_back(argument.name + " = " + init.name);
  return list(items);
}

static std::string types(const Scope &scope, ArrayRef<Tile> tiles) {
  SmallVector<std::string> items;
  for (const Tile &tile : tiles)
    items.push_back(scope.type(tile.kind));
  return list(items);
}

static std::string names(ArrayRef<Tile> tiles) {
  SmallVector<std::string> items;
  for (const Tile &tile : tiles)
    items.push_back(tile.name);
  return list(items);
}

static std::string resultName(StringRef name, size_t count, size_t i) {
  return count == 1 ? name.str() : name.str() + "#" + std::to_string(i);
}

static std::string resultBinding(StringRef name, size_t count) {
  return count == 1 ? name.str() : name.str() + ":" + std::to_string(count);
}

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
  SmallVector<Tile> inits, carried;
  Tile first = pickTile(scope);
  int64_t count = rng.between(1, rng.chance(30) ? 4 : 2);
  bool isPingPong = rng.chance(25);
  for (int64_t i = 0; i < count; ++i) {
    inits.push_back(i == 0           ? first
                    : rng.chance(75) ? pickTile(scope, first.kind)
                                     : pickTile(scope));
    carried.push_back({fresh(), inits.back().kind});
  }
  Tile spare, spareInit;
  if (isPingPong) {
    spareInit = {
        define("tensor.empty(" +
               Twine(scope.extent.isDynamic ? scope.extent.value : "") +
               ") : " + scope.type(first.kind)),
        first.kind};
    spare = {fresh(), first.kind};
  }
  SmallVector<Tile> allInits(inits), all(carried);
  if (isPingPong) {
    allInits.push_back(spareInit);
    all.push_back(spare);
  }
  // A bound that is known, or a uniform value that was loaded.
  std::string lower = indexConstant(0), step = indexConstant(1), upper;
  SmallVector<Scalar> bounds;
  for (const Scalar &scalar : scope.scalars)
    if (scalar.kind == I32 || scalar.kind == I64)
      bounds.push_back(scalar);
  if (!bounds.empty() && rng.chance(40)) {
    std::string value = convert(rng.pick(bounds), Index);
    upper =
        define("arith.andi " + value + ", " + indexConstant(3) + " : index");
  } else {
    upper = indexConstant(rng.between(1, 4));
  }
  std::string iv = fresh(), result = fresh();
  line(resultBinding(result, all.size()) + " = scf.for " + iv + " = " + lower +
       " to " + upper + " step " + step + " iter_args(" +
       bindings(all, allInits) + ") -> (" + types(scope, all) + ") {");
  ++indent;
  Scope inner = scope;
  ++inner.depth;
  inner.tiles.append(carried);
  inner.scalars.push_back({iv, Index});
  if (isPingPong)
    inner.scratch.push_back(spare);
  stages(inner, rng.between(1, 3));
  SmallVector<Tile> yields;
  if (isPingPong) {
    // The newest value takes the place of the current one, which becomes the
    // next to be overwritten.
    yields = carried;
    yields.front() = pickTile(inner, first.kind);
    bool spareIsFree =
        !inner.scratch.empty() && inner.scratch.back().name == spare.name;
    yields.push_back(spareIsFree && rng.chance(50) ? spare : carried.front());
  } else {
    yields = chooseYields(*this, inner, carried);
  }
  line("scf.yield " + names(yields) + " : " + types(scope, all));
  --indent;
  line("}");
  for (size_t i = 0; i < carried.size(); ++i)
    scope.tiles.push_back({resultName(result, all.size(), i), carried[i].kind});
}

void KernelGenerator::whileLoop(Scope &scope) {
  Tile init = pickTile(scope);
  SmallVector<Tile> inits{init}, before, after;
  if (rng.chance(50))
    inits.push_back(pickTile(scope, init.kind));
  SmallVector<std::string> afterArguments;
  for (const Tile &tile : inits) {
    before.push_back({fresh(), tile.kind});
    after.push_back({fresh(), tile.kind});
    afterArguments.push_back(after.back().name + ": " + scope.type(tile.kind));
  }
  std::string counter = fresh(), counterInit = indexConstant(0);
  std::string limit = indexConstant(rng.between(0, 3)), one = indexConstant(1);
  std::string result = fresh(), afterCounter = fresh();
  std::string tileTypes = types(scope, inits);
  line(result + ":" + std::to_string(inits.size() + 1) + " = scf.while (" +
       bindings(before, inits) + ", " + counter + " = " + counterInit +
       ") : (" + tileTypes + ", index) -> (" + tileTypes + ", index) {");
  ++indent;
  SmallVector<Tile> forwarded = before;
  if (rng.chance(30)) {
    // Work in the region that decides.
    Scope inner = scope;
    ++inner.depth;
    inner.tiles.append(before);
    inner.scalars.push_back({counter, Index});
    stage(inner);
    forwarded = chooseYields(*this, inner, before);
  }
  std::string goesOn =
      define("arith.cmpi ult, " + Twine(counter) + ", " + limit + " : index");
  line("scf.condition(" + Twine(goesOn) + ") " + names(forwarded) + ", " +
       counter + " : " + tileTypes + ", index");
  --indent;
  line("} do {");
  line("^bb0(" + list(afterArguments) + ", " + afterCounter + ": index):");
  ++indent;
  Scope inner = scope;
  ++inner.depth;
  inner.tiles.append(after);
  inner.scalars.push_back({afterCounter, Index});
  stages(inner, rng.between(1, 2));
  std::string next =
      define("arith.addi " + Twine(afterCounter) + ", " + one + " : index");
  SmallVector<Tile> yields = chooseYields(*this, inner, after);
  line("scf.yield " + Twine(names(yields)) + ", " + next + " : " + tileTypes +
       ", index");
  --indent;
  line("}");
  for (size_t i = 0; i < inits.size(); ++i)
    scope.tiles.push_back(
        {resultName(result, inits.size() + 1, i), inits[i].kind});
}

/// One alternative of a branch: some work, then a fresh or an old tile for each
/// kind.
static void alternative(KernelGenerator &gen, const Scope &scope,
                        ArrayRef<Tile> results) {
  ++gen.indent;
  Scope inner = scope;
  ++inner.depth;
  if (gen.rng.chance(75))
    gen.stages(inner, gen.rng.between(1, 2));
  SmallVector<Tile> yields;
  for (const Tile &tile : results)
    yields.push_back(gen.pickTile(inner, tile.kind));
  gen.line("scf.yield " + names(yields) + " : " + types(scope, results));
  --gen.indent;
}

void KernelGenerator::branch(Scope &scope) {
  SmallVector<Tile> results{pickTile(scope)};
  if (rng.chance(35))
    results.push_back(pickTile(scope));
  std::string chosen = condition(scope), result = fresh();
  line(resultBinding(result, results.size()) + " = scf.if " + chosen + " -> (" +
       types(scope, results) + ") {");
  alternative(*this, scope, results);
  line("} else {");
  alternative(*this, scope, results);
  line("}");
  for (size_t i = 0; i < results.size(); ++i)
    scope.tiles.push_back(
        {resultName(result, results.size(), i), results[i].kind});
}

void KernelGenerator::indexSwitch(Scope &scope) {
  SmallVector<Tile> results{pickTile(scope)};
  SmallVector<Scalar> candidates;
  for (const Scalar &scalar : scope.scalars)
    if (scalar.kind == Index || scalar.kind == I32)
      candidates.push_back(scalar);
  std::string value = candidates.empty() ? indexConstant(rng.below(3))
                                         : convert(rng.pick(candidates), Index);
  std::string chosen = define("arith.andi " + Twine(value) + ", " +
                              indexConstant(3) + " : index");
  std::string result = fresh();
  line(result + " = scf.index_switch " + chosen + " -> " +
       types(scope, results));
  for (int64_t i = 0, n = rng.between(1, 2); i < n; ++i) {
    line("case " + Twine(i) + " {");
    alternative(*this, scope, results);
    line("}");
  }
  line("default {");
  alternative(*this, scope, results);
  line("}");
  scope.tiles.push_back({result, results.front().kind});
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
