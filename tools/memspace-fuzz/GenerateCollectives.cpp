//===- GenerateCollectives.cpp - threads that meet in random kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// The threads of a scope, one for each chunk of its tiles, while the
/// `scf.forall` in which they meet is written.
struct Team {
  /// Around the forall.
  Scope &scope;
  /// The thread and how many there are.
  std::string iv;
  Extent threads;
  /// What is one thread's.
  Extent own;
  bool isInterleaved;
};

/// A tile of the scope, which threads share.
struct Shared {
  Tile tile;
  /// It may be read before something is contributed to it.
  bool isDefined;
};

/// Writes what the threads of a team do.
class TeamWork {
public:
  TeamWork(KernelGenerator &gen, Team &team)
      : gen(gen), rng(gen.rng), team(team) {}

  /// A collective with what comes before and after it, perhaps in a loop or in
  /// a branch that all threads take. Returns its result.
  Shared step(Scope &inner, const Shared &init);
  /// Chunks of `tile` that threads choose become tiles of `inner`.
  void read(Scope &inner, const Tile &tile);
  std::string getSlice(StringRef index) const;
  /// A chunk for each thread.
  std::string chooseOwn();
  std::string getType(Kind kind) const { return team.scope.type(kind); }
  std::string extract(StringRef tile, Kind kind, StringRef slice);

private:
  Shared meet(Scope &inner, const Shared &init);
  Shared loop(Scope &inner, const Shared &init);
  Shared branch(Scope &inner, const Shared &init);

  KernelGenerator &gen;
  Random &rng;
  Team &team;
};
} // namespace

std::string TeamWork::getSlice(StringRef index) const {
  std::string offset =
      team.isInterleaved || team.own.size == 1
          ? index.str()
          : gen.define("affine.apply affine_map<(d0) -> (d0 * " +
                       Twine(team.own.size) + ")>(" + index + ")");
  return ("[" + Twine(offset) + "] [" + Twine(team.own.size) + "] [" +
          Twine(team.isInterleaved ? team.threads.size : 1) + "]")
      .str();
}

std::string TeamWork::chooseOwn() {
  return getSlice(rng.chance(65)
                      ? team.iv
                      : gen.permute(team.iv, team.threads, true, team.scope));
}

std::string TeamWork::extract(StringRef tile, Kind kind, StringRef slice) {
  return gen.define("tensor.extract_slice " + Twine(tile) + slice + " : " +
                    getType(kind) + " to " + tensorType(team.own.size, kind));
}

void TeamWork::read(Scope &inner, const Tile &tile) {
  for (int64_t n = rng.between(1, 2); n > 0; --n) {
    std::string index = rng.chance(25)
                            ? team.iv
                            : gen.permute(team.iv, team.threads, false, inner);
    inner.tiles.push_back(
        {extract(tile.name, tile.kind, getSlice(index)), tile.kind});
  }
  inner.outer.push_back({tile, team.scope.extent});
}

Shared TeamWork::meet(Scope &inner, const Shared &init) {
  Kind kind = init.tile.kind;
  std::string type = getType(kind), chunk = tensorType(team.own.size, kind);
  if (rng.chance(40))
    gen.stages(inner, 1);
  std::string part = gen.define("memspace.begin_collective " +
                                Twine(init.tile.name) + " : " + type);
  std::string slice = chooseOwn();
  // As a destination, or for its old value.
  if (rng.chance(40)) {
    Tile old{extract(part, kind, slice), kind};
    (init.isDefined ? inner.tiles : inner.scratch).push_back(old);
  }
  if (rng.chance(60))
    gen.elementwise(inner);
  Tile mine = gen.pickTile(inner, kind);
  std::string made =
      gen.define("tensor.insert_slice " + Twine(mine.name) + " into " + part +
                 slice + " : " + chunk + " into " + type);
  // Its own again, rarely another one's, which is refused.
  if (rng.chance(10))
    inner.tiles.push_back(
        {extract(made, kind,
                 !init.isDefined || rng.chance(80) ? slice : chooseOwn()),
         kind});
  Tile all{gen.define("memspace.end_collective " + Twine(made) + " : " + type),
           kind};
  read(inner, all);
  return {all, true};
}

Shared TeamWork::loop(Scope &inner, const Shared &init) {
  Kind kind = init.tile.kind;
  bool carries = rng.chance(60);
  Tile sum = gen.pickTile(inner);
  Trips trips = gen.pickTrips(team.scope);
  std::string zero = gen.indexConstant(0), one = gen.indexConstant(1);
  std::string result = gen.fresh(), iv = gen.fresh(), carriedSum = gen.fresh(),
              carried = gen.fresh();
  std::string sumType = tensorType(team.own.size, sum.kind);
  gen.line(result + (carries ? ":2" : "") + " = scf.for " + iv + " = " + zero +
           " to " + trips.value + " step " + one + " iter_args(" + carriedSum +
           " = " + sum.name +
           (carries ? ", " + carried + " = " + init.tile.name : "") + ") -> (" +
           sumType + (carries ? ", " + getType(kind) : "") + ") {");
  ++gen.indent;
  Scope body = inner;
  body.repeats *= std::max<int64_t>(trips.most, 1);
  ++body.depth;
  body.scalars.push_back({iv, Index, std::max<int64_t>(trips.most, 1)});
  body.tiles.push_back({carriedSum, sum.kind});
  Shared before = init;
  if (carries)
    before.tile.name = carried;
  Shared after = meet(body, before);
  if (rng.chance(60))
    gen.elementwise(body);
  Tile next = gen.pickTile(body, sum.kind);
  gen.line("scf.yield " + next.name + (carries ? ", " + after.tile.name : "") +
           " : " + sumType + (carries ? ", " + getType(kind) : ""));
  --gen.indent;
  gen.line("}");
  inner.tiles.push_back({carries ? result + "#0" : result, sum.kind});
  if (!carries)
    return init;
  Shared made{{result + "#1", kind}, init.isDefined};
  if (made.isDefined)
    read(inner, made.tile);
  return made;
}

Shared TeamWork::branch(Scope &inner, const Shared &init) {
  Kind kind = init.tile.kind;
  std::string condition = gen.condition(team.scope), result = gen.fresh();
  gen.line(result + " = scf.if " + condition + " -> (" + getType(kind) + ") {");
  ++gen.indent;
  Scope body = inner;
  ++body.depth;
  Shared made = meet(body, init);
  gen.line("scf.yield " + made.tile.name + " : " + getType(kind));
  --gen.indent;
  gen.line("} else {");
  gen.line("  scf.yield " + init.tile.name + " : " + getType(kind));
  gen.line("}");
  Shared all{{result, kind}, init.isDefined};
  if (all.isDefined)
    read(inner, all.tile);
  return all;
}

Shared TeamWork::step(Scope &inner, const Shared &init) {
  switch (rng.below(10)) {
  case 0:
  case 1:
  case 2:
    return loop(inner, init);
  case 3:
    return branch(inner, init);
  default:
    return meet(inner, init);
  }
}

void KernelGenerator::collectiveForall(Scope &scope) {
  int64_t count = scope.level == Level::Subgroup ? subgroupSize : blockSize;
  int64_t size = scope.extent.size / count;
  Team team{scope,
            "",
            {count, indexConstant(count), false},
            {size, indexConstant(size), false},
            size > 1 && rng.chance(25)};
  TeamWork work(*this, team);
  SmallVector<Tile> sources;
  for (int64_t n = rng.between(1, 3); n > 0; --n)
    sources.push_back(pickTile(scope));
  // What they share: a new tensor, or one that has been computed.
  SmallVector<Shared> shared;
  for (int64_t n = rng.chance(25) ? 2 : 1; n > 0; --n) {
    Kind kind = rng.chance(75) ? sources.front().kind : pickKind();
    bool isDefined = rng.chance(40);
    Tile tile = isDefined ? pickTile(scope, kind)
                          : Tile{emptyTensor(scope, kind), kind};
    shared.push_back({tile, isDefined});
  }
  Kind kind = rng.chance(75) ? sources.front().kind : pickKind();
  bool isDefined;
  std::string init = chooseInit(scope, kind, isDefined);
  std::string result = fresh(), argument = fresh();
  team.iv = fresh();
  line(result + " = scf.forall (" + team.iv + ") in (" + Twine(count) +
       ") shared_outs(" + argument + " = " + init + ") -> (" +
       scope.type(kind) + ") {");
  ++indent;
  Scope inner =
      enterForall(scope, Level::Thread, team.own, team.threads, team.iv);
  for (const Tile &source : sources)
    work.read(inner, source);
  // A tensor may be shared by one collective after the other.
  for (int64_t n = rng.between(1, 3); n > 0; --n) {
    Shared &tensor = shared[rng.below(shared.size())];
    tensor = work.step(inner, tensor);
  }
  if (rng.chance(50))
    stages(inner, 1);
  Tile made = pickTile(inner, kind);
  std::string slice = work.chooseOwn();
  line("scf.forall.in_parallel {");
  line("  tensor.parallel_insert_slice " + made.name + " into " + argument +
       slice + " : " + tensorType(size, kind) + " into " + scope.type(kind));
  line("}");
  --indent;
  line(Twine("} {mapping = [") +
       (scope.level == Level::Subgroup ? "#gpu.lane<linear_dim_0>"
                                       : "#gpu.thread<linear_dim_0>") +
       "]}");
  scope.tiles.push_back({result, kind});
}
