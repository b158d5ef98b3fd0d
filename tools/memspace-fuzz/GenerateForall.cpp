//===- GenerateForall.cpp - work spread over threads in random kernels -===//
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
/// One `scf.forall` over chunks of the scope's tiles, while it is written.
struct Distribution {
  KernelGenerator &gen;
  Scope &scope;
  /// Elements of a chunk, of which the last may have fewer, and number of
  /// chunks.
  int64_t chunk;
  Extent trips;
  /// Chunk c is every trips-th element from c on instead of neighbours.
  bool isInterleaved;
  /// What an iteration writes.
  Extent own = {chunk, "", false};

  bool isRagged() const {
    return chunk > 1 &&
           (scope.extent.isDynamic || scope.extent.size % chunk != 0);
  }
  std::string getChunkType(Kind kind) const {
    return ("tensor<" + own.str() + "x" + getName(kind) + ">").str();
  }
  /// Offsets, sizes and strides of chunk `index`.
  std::string getSlice(StringRef index) const;
  /// As many elements in a row from `chunk` times the index plus `shift` on, or
  /// the last ones.
  std::string getUnalignedSlice(StringRef index, int64_t shift) const;
  std::string extract(const Tile &tile, StringRef slice) const;
};

struct Destination {
  Kind kind;
  std::string init;
  bool isDefined;
  /// In the body.
  std::string argument, slice, result;
};
} // namespace

std::string Distribution::getSlice(StringRef index) const {
  std::string offset =
      isInterleaved || chunk == 1
          ? index.str()
          : gen.define("affine.apply affine_map<(d0) -> (d0 * " + Twine(chunk) +
                       ")>(" + index + ")");
  return ("[" + Twine(offset) + "] [" + own.sizeStr() + "] [" +
          Twine(isInterleaved ? trips.size : 1) + "]")
      .str();
}

std::string Distribution::getUnalignedSlice(StringRef index,
                                            int64_t shift) const {
  std::string offset =
      gen.define("affine.min affine_map<(d0)[s0, s1] -> (d0 * " + Twine(chunk) +
                 " + " + Twine(shift) + ", s0 - s1)>(" + index + ")[" +
                 scope.extent.value + ", " + own.value + "]");
  return ("[" + Twine(offset) + "] [" + own.sizeStr() + "] [1]").str();
}

std::string Distribution::extract(const Tile &tile, StringRef slice) const {
  return gen.define("tensor.extract_slice " + Twine(tile.name) + slice + " : " +
                    scope.type(tile.kind) + " to " + getChunkType(tile.kind));
}

/// How many elements an iteration takes: most often one iteration for each
/// thread, but fewer and more as well.
static int64_t chooseChunk(KernelGenerator &gen, const Scope &scope) {
  int64_t size = scope.extent.size;
  if (size > 4 && gen.rng.chance(5))
    return gen.rng.between(2, 7); // The last one may be smaller.
  if (scope.extent.isDynamic)
    return 1;
  int64_t threads =
      scope.level == Level::Subgroup ? gen.subgroupSize : gen.blockSize;
  if (size % threads == 0 && gen.rng.chance(60))
    return size / threads;
  SmallVector<int64_t> candidates;
  for (int64_t chunk : {1, 2, 3, 4, 8})
    if (size % chunk == 0 && size / chunk <= 2 * threads)
      candidates.push_back(chunk);
  return candidates.empty() ? 1 : gen.rng.pick(candidates);
}

Scope fuzz::enterForall(const Scope &scope, Level level, const Extent &extent,
                        const Extent &trips, StringRef iv) {
  Scope inner;
  inner.level = level;
  inner.depth = scope.depth;
  inner.repeats = scope.repeats * trips.size;
  inner.extent = extent;
  inner.scalars = scope.scalars;
  inner.scalars.push_back({iv.str(), Index, trips.size});
  inner.outer = scope.outer;
  for (const Tile &tile : scope.tiles)
    inner.outer.push_back({tile, scope.extent});
  return inner;
}

/// Begins the loop, up to and including its opening brace, and returns the
/// number of the iteration. `mapping` gets the attributes.
static std::string open(KernelGenerator &gen, Distribution &d,
                        ArrayRef<Destination> destinations, StringRef result,
                        std::string &mapping) {
  std::string outs, types;
  for (const Destination &destination : destinations) {
    outs += (outs.empty() ? "" : ", ") + destination.argument + " = " +
            destination.init;
    types += (types.empty() ? "" : ", ") + d.scope.type(destination.kind);
  }
  std::string tail = " shared_outs(" + outs + ") -> (" + types + ") {";
  std::string count =
      destinations.size() == 1 ? "" : ":" + std::to_string(destinations.size());
  std::string begin = result.str() + count + " = scf.forall (";
  std::string trips =
      d.trips.isDynamic ? d.trips.value : std::to_string(d.trips.size);
  if (d.scope.level == Level::Subgroup) {
    mapping = "#gpu.lane<linear_dim_0>";
  } else if (!d.trips.isDynamic && gen.blockX > 1 &&
             d.trips.size % gen.blockX == 0 &&
             gen.rng.chance(gen.blockY > 1 ? 60 : 10)) {
    // Two dimensions.
    bool isLinear = gen.rng.chance(25);
    mapping = isLinear ? "#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>"
                       : "#gpu.thread<y>, #gpu.thread<x>";
    std::string y = gen.fresh(), x = gen.fresh();
    gen.line(begin + y + ", " + x + ") in (" +
             std::to_string(d.trips.size / gen.blockX) + ", " +
             std::to_string(gen.blockX) + ")" + tail);
    ++gen.indent;
    return gen.define("affine.apply affine_map<(d0, d1) -> (d0 * " +
                      Twine(gen.blockX) + " + d1)>(" + y + ", " + x + ")");
  } else {
    mapping = gen.rng.chance(gen.blockY > 1 ? 80 : 15)
                  ? "#gpu.thread<linear_dim_0>"
                  : "#gpu.thread<x>";
  }
  std::string iv = gen.fresh();
  gen.line(begin + iv + ") in (" + trips + ")" + tail);
  ++gen.indent;
  return iv;
}

/// What an iteration inserts, computed from single elements.
static std::string computeElement(KernelGenerator &gen, Scope &inner,
                                  const Destination &destination,
                                  StringRef slice, StringRef type) {
  SmallVector<Scalar> sources;
  for (int64_t n = gen.rng.between(1, 3); n > 0; --n)
    sources.push_back(!inner.scalars.empty() && gen.rng.chance(20)
                          ? gen.rng.pick(inner.scalars)
                          : gen.extract(inner));
  std::string value = gen.combine(sources, destination.kind);
  if (gen.rng.chance(20))
    return gen.define("tensor.from_elements " + Twine(value) + " : " + type);
  std::string zero = gen.indexConstant(0);
  return gen.define("tensor.insert " + Twine(value) + " into " + slice + "[" +
                    zero + "] : " + type);
}

/// The chunks of a scope's tiles, in some size.
static Distribution distribute(KernelGenerator &gen, Scope &scope) {
  Distribution d{gen, scope, chooseChunk(gen, scope), scope.extent, false};
  d.own.value = gen.indexConstant(d.chunk);
  if (d.isRagged())
    d.trips = {(scope.extent.size + d.chunk - 1) / d.chunk,
               gen.define("affine.apply affine_map<()[s0] -> (s0 ceildiv " +
                          Twine(d.chunk) + ")>()[" + scope.extent.value + "]"),
               scope.extent.isDynamic};
  else if (d.chunk > 1)
    d.trips = {scope.extent.size / d.chunk, "", false};
  if (d.trips.value.empty())
    d.trips.value = gen.indexConstant(d.trips.size);
  d.isInterleaved = d.chunk > 1 && !d.isRagged() && gen.rng.chance(25);
  return d;
}

/// The tiles of an iteration: chunks of `sources` and `destinations`. `place`
/// is the chunk that the iteration writes, where it is one for all of them.
static void takeChunks(KernelGenerator &gen, Distribution &d, Scope &inner,
                       ArrayRef<Tile> sources,
                       llvm::MutableArrayRef<Destination> destinations,
                       const std::string &iv, const std::string &place) {
  Random &rng = gen.rng;
  const Scope &scope = d.scope;
  auto chooseSource = [&]() -> std::string {
    bool isUnaligned = d.chunk > 1 && rng.chance(10) &&
                       (d.isRagged() || scope.extent.size > d.chunk);
    std::string index =
        rng.chance(45) ? iv : gen.permute(iv, d.trips, false, scope);
    if (isUnaligned)
      return d.getUnalignedSlice(index, rng.between(1, 3));
    // A chunk with another number may have another size.
    return d.isRagged() && index != place ? d.getUnalignedSlice(index, 0)
                                          : d.getSlice(index);
  };
  for (const Tile &tile : sources)
    inner.tiles.push_back({d.extract(tile, chooseSource()), tile.kind});
  for (Destination &destination : destinations) {
    std::string index = place;
    if (index.empty())
      index = rng.chance(65) ? iv : gen.permute(iv, d.trips, true, scope);
    destination.slice = d.getSlice(index);
    Tile whole{destination.argument, destination.kind};
    Tile own{d.extract(whole, destination.slice), destination.kind};
    destination.result = own.name;
    if (!destination.isDefined) {
      inner.scratch.push_back(own);
      continue;
    }
    inner.tiles.push_back(own);
    if (rng.chance(25)) // What another iteration overwrites.
      inner.tiles.push_back(
          {d.extract(whole, chooseSource()), destination.kind});
    if (rng.chance(25))
      inner.outer.push_back({whole, scope.extent});
  }
}

void KernelGenerator::forall(Scope &scope) {
  Distribution d = distribute(*this, scope);
  // Sources first, so that there is something to read.
  SmallVector<Tile> sources;
  for (int64_t n = rng.between(1, 3); n > 0; --n)
    sources.push_back(pickTile(scope));
  SmallVector<Destination> destinations;
  for (int64_t n = rng.chance(20) ? 2 : 1; n > 0; --n) {
    Destination destination;
    destination.kind = rng.chance(75) ? sources.front().kind : pickKind();
    destination.init =
        chooseInit(scope, destination.kind, destination.isDefined);
    destination.argument = fresh();
    destinations.push_back(destination);
  }
  std::string result = fresh(), mapping, place;
  std::string iv = open(*this, d, destinations, result, mapping);
  if (d.isRagged()) {
    place = rng.chance(65) ? iv : permute(iv, d.trips, true, scope);
    d.own = {d.chunk,
             define("affine.min affine_map<(d0)[s0] -> (" + Twine(d.chunk) +
                    ", s0 - d0 * " + Twine(d.chunk) + ")>(" + place + ")[" +
                    scope.extent.value + "]"),
             true};
  }
  Scope inner = enterForall(scope, Level::Thread, d.own, d.trips, iv);
  takeChunks(*this, d, inner, sources, destinations, iv, place);
  if (d.chunk > 1 || rng.chance(40))
    stages(inner, rng.between(d.chunk > 1 ? 1 : 0, 2));
  for (Destination &destination : destinations) {
    if (d.chunk == 1 && rng.chance(70)) {
      destination.result =
          computeElement(*this, inner, destination, destination.result,
                         d.getChunkType(destination.kind));
      continue;
    }
    if (inner.tiles.back().kind != destination.kind || rng.chance(30))
      elementwise(inner);
    destination.result = pickTile(inner, destination.kind).name;
  }
  line("scf.forall.in_parallel {");
  for (const Destination &destination : destinations)
    line("  tensor.parallel_insert_slice " + destination.result + " into " +
         destination.argument + destination.slice + " : " +
         d.getChunkType(destination.kind) + " into " +
         scope.type(destination.kind));
  line("}");
  --indent;
  line("} {mapping = [" + mapping + "]}");
  for (size_t i = 0; i < destinations.size(); ++i)
    scope.tiles.push_back(
        {destinations.size() == 1 ? result : result + "#" + std::to_string(i),
         destinations[i].kind});
}

void KernelGenerator::subgroupForall(Scope &scope) {
  int64_t subgroups = blockSize / subgroupSize;
  int64_t chunk = scope.extent.size / subgroups;
  Extent trips{subgroups, indexConstant(subgroups), false};
  std::string chunkValue = indexConstant(chunk);
  Distribution d{*this, scope, chunk, trips, false};
  SmallVector<Tile> sources;
  for (int64_t n = rng.between(1, 2); n > 0; --n)
    sources.push_back(pickTile(scope));
  Kind kind = sources.front().kind;
  bool isDefined;
  std::string init = chooseInit(scope, kind, isDefined);
  std::string result = fresh(), iv = fresh(), argument = fresh();
  line(result + " = scf.forall (" + iv + ") in (" + std::to_string(subgroups) +
       ") shared_outs(" + argument + " = " + init + ") -> (" +
       scope.type(kind) + ") {");
  ++indent;
  Scope inner = enterForall(scope, Level::Subgroup, {chunk, chunkValue, false},
                            trips, iv);
  for (const Tile &tile : sources) {
    std::string index = rng.chance(70) ? iv : permute(iv, trips, false, scope);
    inner.tiles.push_back({d.extract(tile, d.getSlice(index)), tile.kind});
  }
  std::string slice = d.getSlice(iv);
  Tile own{d.extract({argument, kind}, slice), kind};
  (isDefined ? inner.tiles : inner.scratch).push_back(own);
  forall(inner);
  stages(inner, rng.between(1, 2));
  std::string inserted = pickTile(inner, kind).name;
  line("scf.forall.in_parallel {");
  line("  tensor.parallel_insert_slice " + inserted + " into " + argument +
       slice + " : " + d.getChunkType(kind) + " into " + scope.type(kind));
  line("}");
  --indent;
  line("} {mapping = [#gpu.warp<linear_dim_0>]}");
  scope.tiles.push_back({result, kind});
}

void KernelGenerator::matrixForall(Scope &scope) {
  // `trips` iterations, each with a vector of `length` elements.
  SmallVector<int64_t> choices;
  for (int64_t length : {2, 4, 8, 16})
    if (!scope.extent.isDynamic && scope.extent.size % length == 0 &&
        scope.extent.size / length > 1)
      choices.push_back(length);
  if (choices.empty())
    return forall(scope);
  int64_t length = rng.pick(choices), trips = scope.extent.size / length;
  Extent tripsExtent{trips, indexConstant(trips), false};
  std::string lengthValue = indexConstant(length);
  struct Matrix {
    std::string name, type;
    bool isByRows;
    Kind kind;
    SmallVector<int64_t> shape;
  };
  auto asMatrix = [&](const Tile &tile) {
    Matrix matrix{"", "", rng.chance(60), tile.kind, {trips, length}};
    if (!matrix.isByRows)
      std::swap(matrix.shape[0], matrix.shape[1]);
    matrix.type = tensorType(matrix.shape, tile.kind);
    matrix.name = expand(scope, tile, matrix.shape);
    return matrix;
  };
  auto vectorType = [&](Kind kind) { return tensorType(length, kind); };
  auto slice = [&](const Matrix &matrix, StringRef index) {
    return matrix.isByRows
               ? ("[" + Twine(index) + ", 0] [1, " + Twine(length) + "] [1, 1]")
                     .str()
               : ("[0, " + Twine(index) + "] [" + Twine(length) + ", 1] [1, 1]")
                     .str();
  };
  auto extract = [&](const Matrix &matrix, StringRef name, StringRef index) {
    return Tile{define("tensor.extract_slice " + Twine(name) +
                       slice(matrix, index) + " : " + matrix.type + " to " +
                       vectorType(matrix.kind)),
                matrix.kind};
  };

  SmallVector<Matrix> sources;
  for (int64_t n = rng.between(1, 2); n > 0; --n)
    sources.push_back(asMatrix(pickTile(scope)));
  Kind kind = sources.front().kind;
  bool isDefined;
  std::string init = chooseInit(scope, kind, isDefined);
  Matrix dest = asMatrix({init, kind});
  std::string result = fresh(), iv = fresh(), argument = fresh();
  line(result + " = scf.forall (" + iv + ") in (" + std::to_string(trips) +
       ") shared_outs(" + argument + " = " + dest.name + ") -> (" + dest.type +
       ") {");
  ++indent;
  Scope inner = enterForall(scope, Level::Thread, {length, lengthValue, false},
                            tripsExtent, iv);
  for (const Matrix &source : sources) {
    std::string index =
        rng.chance(50) ? iv : permute(iv, tripsExtent, false, scope);
    inner.tiles.push_back(extract(source, source.name, index));
  }
  std::string index =
      rng.chance(65) ? iv : permute(iv, tripsExtent, true, scope);
  Tile own = extract(dest, argument, index);
  (isDefined ? inner.tiles : inner.scratch).push_back(own);
  stages(inner, rng.between(1, 2));
  std::string inserted = pickTile(inner, kind).name;
  line("scf.forall.in_parallel {");
  line("  tensor.parallel_insert_slice " + inserted + " into " + argument +
       slice(dest, index) + " : " + vectorType(kind) + " into " + dest.type);
  line("}");
  --indent;
  line(scope.level == Level::Subgroup
           ? "} {mapping = [#gpu.lane<linear_dim_0>]}"
           : "} {mapping = [#gpu.thread<linear_dim_0>]}");
  scope.tiles.push_back({collapse(scope, {result, kind}, dest.shape), kind});
}
