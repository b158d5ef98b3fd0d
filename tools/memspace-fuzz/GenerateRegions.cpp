//===- GenerateRegions.cpp - ops with regions in random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static std::string list(ArrayRef<std::string> items) {
  std::string result;
  for (const std::string &item : items)
    result += (result.empty() ? "" : ", ") + item;
  return result;
}

namespace {
/// What a loop carries: tiles, and perhaps a number behind them.
struct Carried {
  SmallVector<std::string> names, types, inits;

  void add(StringRef name, StringRef type, StringRef init) {
    names.push_back(name.str());
    types.push_back(type.str());
    inits.push_back(init.str());
  }
  /// "%a = %init, …".
  std::string bindings() const {
    SmallVector<std::string> items;
    for (auto [name, init] : llvm::zip(names, inits))
      items.push_back(name + " = " + init);
    return list(items);
  }
  /// "%a: type, …".
  std::string arguments() const {
    SmallVector<std::string> items;
    for (auto [name, type] : llvm::zip(names, types))
      items.push_back(name + ": " + type);
    return list(items);
  }
};
} // namespace

static SmallVector<std::string> names(ArrayRef<Tile> tiles) {
  SmallVector<std::string> items;
  for (const Tile &tile : tiles)
    items.push_back(tile.name);
  return items;
}

static std::string types(const Scope &scope, ArrayRef<Tile> tiles) {
  SmallVector<std::string> items;
  for (const Tile &tile : tiles)
    items.push_back(scope.type(tile.kind));
  return list(items);
}

static std::string resultBinding(StringRef name, size_t count) {
  return count == 1 ? name.str() : name.str() + ":" + std::to_string(count);
}

/// The first results of an op with `count` of them, as many as `like`.
static SmallVector<Tile> getResults(StringRef name, size_t count,
                                    ArrayRef<Tile> like) {
  SmallVector<Tile> results;
  for (auto [i, tile] : llvm::enumerate(like))
    results.push_back(
        {count == 1 ? name.str() : name.str() + "#" + std::to_string(i),
         tile.kind});
  return results;
}

/// New names for the arguments of a region.
static SmallVector<Tile> makeArguments(KernelGenerator &gen,
                                       ArrayRef<Tile> like) {
  SmallVector<Tile> arguments;
  for (const Tile &tile : like)
    arguments.push_back({gen.fresh(), tile.kind});
  return arguments;
}

/// The scope of a region whose `number` of executions is `counter`.
static Scope enter(const Scope &scope, ArrayRef<Tile> arguments,
                   StringRef counter, const Trips &trips) {
  Scope inner = scope;
  ++inner.depth;
  inner.repeats *= std::max<int64_t>(trips.most, 1);
  inner.tiles.append(arguments.begin(), arguments.end());
  inner.scalars.push_back({counter.str(), Index, trips.most});
  return inner;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Trips KernelGenerator::pickTrips(const Scope &scope) {
  // An element of every tile takes some microseconds to interpret and to run.
  static constexpr int64_t kMostElements = 4096;
  int64_t most =
      std::max<int64_t>(kMostElements / (scope.repeats * scope.extent.size), 1);
  if (most >= 3 && rng.chance(20)) {
    // As often as an unknown value says; the others are read as 0 or 1 time.
    SmallVector<Scalar> unknown;
    for (const Scalar &scalar : scope.scalars)
      if (scalar.kind == I32 || scalar.kind == I64 || scalar.kind == Index)
        unknown.push_back(scalar);
    if (!unknown.empty()) {
      std::string value = convert(rng.pick(unknown), Index);
      return {define("arith.andi " + Twine(value) + ", " + indexConstant(3) +
                     " : index"),
              3};
    }
  }
  static constexpr int weights[] = {2, 7, 62, 21, 8};
  int64_t trips = std::min<int64_t>(rng.pickWeighted(weights), most);
  return {indexConstant(trips), trips};
}

SmallVector<Tile> KernelGenerator::emitFor(const Scope &scope,
                                           ArrayRef<Tile> inits,
                                           const Trips &trips,
                                           RegionBody body) {
  std::string lower = indexConstant(0), step = indexConstant(1);
  SmallVector<Tile> arguments = makeArguments(*this, inits);
  Carried carried;
  for (auto [argument, init] : llvm::zip(arguments, inits))
    carried.add(argument.name, scope.type(init.kind), init.name);
  // A number that goes around in a ring, as a slot of a multiple buffer does.
  int64_t ring = rng.chance(15) ? rng.between(2, 5) : 0;
  std::string slot = fresh();
  if (ring)
    carried.add(slot, "index", indexConstant(rng.below(ring)));
  std::string iv = fresh(), result = fresh();
  std::string header =
      "scf.for " + iv + " = " + lower + " to " + trips.value + " step " + step;
  if (!carried.names.empty())
    header = resultBinding(result, carried.names.size()) + " = " + header +
             " iter_args(" + carried.bindings() + ") -> (" +
             list(carried.types) + ")";
  line(header + " {");
  ++indent;
  Scope inner = enter(scope, arguments, iv, trips);
  if (ring)
    inner.scalars.push_back({slot, Index, ring});
  SmallVector<std::string> yielded = names(body(inner, arguments));
  if (ring)
    yielded.push_back(
        wrap(define("arith.addi " + Twine(slot) + ", " +
                    indexConstant(rng.between(1, 2)) + " : index"),
             {ring, indexConstant(ring), false}));
  if (!yielded.empty())
    line("scf.yield " + list(yielded) + " : " + list(carried.types));
  --indent;
  line("}");
  return getResults(result, carried.names.size(), inits);
}

/// What a condition passes on of `tiles`: mostly all of them; else some are
/// dropped, others of the scope are added, or they change places.
static SmallVector<Tile> choosePassed(KernelGenerator &gen, Scope &inner,
                                      ArrayRef<Tile> tiles) {
  SmallVector<Tile> passed(tiles);
  if (!gen.rng.chance(45))
    return passed;
  if (gen.rng.chance(60))
    llvm::erase_if(passed, [&](const Tile &) { return gen.rng.chance(40); });
  for (int64_t i = gen.rng.below(3); i > 0; --i) {
    Tile more = gen.rng.chance(50) && !tiles.empty() ? gen.rng.pick(tiles)
                                                     : gen.pickTile(inner);
    passed.insert(passed.begin() + gen.rng.below(passed.size() + 1), more);
  }
  return passed;
}

/// For each of `inits` the tile that a condition passed on in its place, one of
/// `arrived`; where none has its kind, the init itself.
static SmallVector<Tile> findArrived(ArrayRef<Tile> inits,
                                     ArrayRef<Tile> arrived) {
  SmallVector<Tile> found;
  for (auto [i, init] : llvm::enumerate(inits)) {
    auto isLike = [kind = init.kind](const Tile &tile) {
      return tile.kind == kind;
    };
    if (i < arrived.size() && isLike(arrived[i])) {
      found.push_back(arrived[i]);
      continue;
    }
    const auto *it = llvm::find_if(arrived, isLike);
    found.push_back(it != arrived.end() ? *it : init);
  }
  return found;
}

SmallVector<Tile> KernelGenerator::emitWhile(const Scope &scope,
                                             ArrayRef<Tile> inits,
                                             const Trips &trips,
                                             RegionBody before,
                                             RegionBody after) {
  std::string zero = indexConstant(0), one = indexConstant(1);
  Carried deciding, doing;
  SmallVector<Tile> first = makeArguments(*this, inits);
  std::string decided = fresh(), done = fresh(), result = fresh();
  for (auto [tile, init] : llvm::zip_equal(first, inits))
    deciding.add(tile.name, scope.type(init.kind), init.name);
  deciding.add(decided, "index", zero);
  // The result types stand before the region that decides what is passed on.
  size_t header = text.size();
  ++indent;
  Scope inner = enter(scope, first, decided, {"", trips.most + 1});
  SmallVector<Tile> forwarded = before(inner, first);
  SmallVector<Tile> passed = choosePassed(*this, inner, forwarded);
  SmallVector<Tile> second = makeArguments(*this, passed);
  for (auto [tile, source] : llvm::zip_equal(second, passed))
    doing.add(tile.name, scope.type(source.kind), source.name);
  doing.add(done, "index", decided);
  std::string goesOn = define("arith.cmpi ult, " + Twine(decided) + ", " +
                              trips.value + " : index");
  SmallVector<std::string> operands = names(passed);
  operands.push_back(decided);
  line("scf.condition(" + Twine(goesOn) + ") " + list(operands) + " : " +
       list(doing.types));
  --indent;
  std::string region = text.substr(header);
  text.resize(header);
  line(resultBinding(result, passed.size() + 1) + " = scf.while (" +
       deciding.bindings() + ") : (" + list(deciding.types) + ") -> (" +
       list(doing.types) + ") {");
  text += region;
  line("} do {");
  line("^bb0(" + doing.arguments() + "):");
  ++indent;
  inner = enter(scope, second, done, trips);
  SmallVector<std::string> yielded =
      names(after(inner, findArrived(inits, second)));
  yielded.push_back(
      define("arith.addi " + Twine(done) + ", " + one + " : index"));
  line("scf.yield " + list(yielded) + " : " + list(deciding.types));
  --indent;
  line("}");
  return findArrived(inits, getResults(result, passed.size() + 1, passed));
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// One of several regions, with what it yields.
static void alternative(KernelGenerator &gen, const Scope &scope,
                        ArrayRef<Tile> like, RegionBody body) {
  ++gen.indent;
  Scope inner = scope;
  ++inner.depth;
  SmallVector<Tile> yields = body(inner, like);
  gen.line("scf.yield " + list(names(yields)) + " : " + types(scope, like));
  --gen.indent;
}

SmallVector<Tile> KernelGenerator::emitIf(const Scope &scope,
                                          ArrayRef<Tile> like,
                                          RegionBody body) {
  std::string chosen = condition(scope), result = fresh();
  line(resultBinding(result, like.size()) + " = scf.if " + chosen + " -> (" +
       types(scope, like) + ") {");
  alternative(*this, scope, like, body);
  line("} else {");
  alternative(*this, scope, like, body);
  line("}");
  return getResults(result, like.size(), like);
}

SmallVector<Tile> KernelGenerator::emitIndexSwitch(const Scope &scope,
                                                   ArrayRef<Tile> like,
                                                   RegionBody body) {
  SmallVector<Scalar> candidates;
  for (const Scalar &scalar : scope.scalars)
    if (scalar.kind == Index || scalar.kind == I32)
      candidates.push_back(scalar);
  std::string value = candidates.empty() ? indexConstant(rng.below(3))
                                         : convert(rng.pick(candidates), Index);
  std::string chosen = define("arith.andi " + Twine(value) + ", " +
                              indexConstant(3) + " : index");
  std::string result = fresh();
  line(resultBinding(result, like.size()) + " = scf.index_switch " + chosen +
       " -> " + types(scope, like));
  for (int64_t i = 0, n = rng.between(1, 2); i < n; ++i) {
    line("case " + Twine(i) + " {");
    alternative(*this, scope, like, body);
    line("}");
  }
  line("default {");
  alternative(*this, scope, like, body);
  line("}");
  return getResults(result, like.size(), like);
}
