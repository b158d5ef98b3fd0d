//===- GenerateIndexed.cpp - stages that gather and scatter -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements or rows, at places that may repeat or be out of range. Where threads
// share a scatter whose places repeat, the order of the updates does not show.
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// What is gathered from, or scattered into, and where.
struct Places {
  /// Of what is indexed, of the dimensions that number the places, and of
  /// these with what is at each place.
  SmallVector<int64_t> whole, numbers, rows;
  SmallVector<int64_t> dims;
  std::string indices, indicesType;
  bool isInBounds = false;

  std::string getDims() const {
    return dims.size() == 2 ? "[0, 1]" : "[" + std::to_string(dims[0]) + "]";
  }
  /// As operands.
  std::string getIns(StringRef rowsOperand, StringRef rowsType) const {
    return ("ins(" + Twine(rowsOperand) + ", " + indices + " : " + rowsType +
            ", " + indicesType + ")")
        .str();
  }
};
} // namespace

static int64_t count(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Tile KernelGenerator::makeIndices(Scope &scope, const Extent &bound,
                                  bool isUnique, bool isInBounds) {
  static constexpr Kind wide[] = {I16, I32, I32, I64, Index};
  static constexpr Kind any[] = {I1, I8, I16, I32, I32, I64, Index};
  if (!isUnique && !isInBounds && rng.chance(40))
    return pickTile(scope, rng.pick(any));
  Kind kind = bound.size <= 100 && rng.chance(15) ? I8 : rng.pick(wide);
  Tile init{emptyTensor(scope, kind), kind};
  bool isDefined = false;
  SmallVector<Tile> inputs;
  if (!isUnique)
    inputs.push_back(pickTile(scope));
  Tile made = generic(scope, inputs, init, isDefined,
                      [&](ArrayRef<Scalar> given, ArrayRef<Scalar>) {
                        Scalar index{define("linalg.index 0 : index"), Index};
                        auto add = [&](StringRef other) {
                          index.name = define("arith.addi " + index.name +
                                              ", " + other + " : index");
                        };
                        if (isUnique) {
                          index.name = permute(index.name, bound, true, scope);
                        } else {
                          if (rng.chance(50))
                            index.name = convert(given[0], Index);
                          else
                            add(convert(given[0], Index));
                          index.name = wrap(index.name, bound);
                        }
                        // Some are too large, or negative.
                        if (!isInBounds && rng.chance(60))
                          add(indexConstant(rng.between(-3, 3)));
                        return SmallVector<std::string>{convert(index, kind)};
                      })
                  .front();
  if (rng.chance(30))
    scope.tiles.push_back(made);
  return made;
}

/// Elements of `tile`, as a tensor of `shape`.
static std::string take(KernelGenerator &gen, const Scope &scope, Tile tile,
                        ArrayRef<int64_t> shape, bool fromFirst = false) {
  int64_t number = count(shape), size = scope.extent.size;
  if (!scope.extent.isDynamic && number < size)
    tile.name =
        gen.define("tensor.extract_slice " + Twine(tile.name) + "[" +
                   Twine(fromFirst ? 0 : gen.rng.between(0, size - number)) +
                   "] [" + Twine(number) + "] [1] : " + scope.type(tile.kind) +
                   " to " + tensorType(number, tile.kind));
  return gen.expand(scope, tile, shape);
}

/// How what has extent `whole` is seen, so that a tile of the scope has enough
/// elements for one place.
static SmallVector<int64_t> chooseWhole(Random &rng, const Scope &scope,
                                        const Extent &whole) {
  if (whole.isDynamic)
    return {kUnknown};
  SmallVector<int64_t> columns;
  for (int64_t factor : {2, 3, 4, 8, 16})
    if (!scope.extent.isDynamic && whole.size % factor == 0 &&
        factor <= scope.extent.size && whole.size / factor <= scope.extent.size)
      columns.push_back(factor);
  if (columns.empty() || rng.chance(50))
    return {whole.size};
  int64_t length = rng.pick(columns);
  return {whole.size / length, length};
}

/// The places in what has extent `whole`, as many as there are elements in the
/// tiles of the scope or fewer. `shape`: of the whole, if it has one.
static Places choosePlaces(KernelGenerator &gen, Scope &scope,
                           const Extent &whole, bool isUnique,
                           ArrayRef<int64_t> shape = {}) {
  Random &rng = gen.rng;
  Places places;
  places.isInBounds = rng.chance(35);
  places.whole.assign(shape.begin(), shape.end());
  if (shape.empty())
    places.whole = chooseWhole(rng, scope, whole);
  places.dims = {rng.below(places.whole.size())};
  if (places.whole.size() == 2 && scope.extent.size >= 2 && !isUnique &&
      rng.chance(25))
    places.dims = {0, 1};
  Extent bound = whole;
  int64_t numCoordinates = places.dims.size();
  SmallVector<int64_t> rest;
  if (places.whole.size() == 2) {
    bound.size = std::min(places.whole[0], places.whole[1]);
    if (numCoordinates == 1) {
      bound.size = places.whole[places.dims[0]];
      rest = {places.whole[1 - places.dims[0]]};
    }
    bound.value = gen.indexConstant(bound.size);
  }
  Tile indices{gen.indexTable, I32};
  if (scope.extent.isDynamic) {
    places.numbers = {kUnknown};
    indices = gen.makeIndices(scope, bound, isUnique, places.isInBounds);
    places.indices = gen.expand(scope, indices, {kUnknown, 1});
    places.indicesType = tensorType({kUnknown, 1}, indices.kind);
    places.rows = places.numbers;
    return places;
  }
  int64_t most = scope.extent.size / std::max(count(rest), numCoordinates);
  if (isUnique)
    most = std::min(most, bound.size);
  int64_t number = rng.chance(60) ? most : rng.between(1, most);
  // The table holds numbers below 8.
  bool isOfTable = !isUnique && numCoordinates == 1 && most >= 16 &&
                   !whole.isDynamic && rng.chance(20) &&
                   (bound.size >= 8 || !places.isInBounds);
  if (isOfTable)
    number = 16;
  places.numbers = {number};
  if (number % 2 == 0 && rng.chance(15))
    places.numbers = {number / 2, 2};
  places.rows = places.numbers;
  places.rows.append(rest);
  SmallVector<int64_t> coordinates(places.numbers);
  coordinates.push_back(numCoordinates);
  if (isOfTable) {
    places.indices = gen.expand(scope, indices, coordinates);
  } else {
    indices = gen.makeIndices(scope, bound, isUnique, places.isInBounds);
    places.indices =
        take(gen, scope, indices, coordinates, /*fromFirst=*/isUnique);
  }
  places.indicesType = tensorType(coordinates, indices.kind);
  return places;
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

void KernelGenerator::gather(Scope &scope) {
  Tile source = pickTile(scope);
  Extent whole = scope.extent;
  if (!scope.outer.empty() && rng.chance(40))
    std::tie(source, whole) = rng.pick(scope.outer);
  Kind kind = source.kind;
  Places places = choosePlaces(*this, scope, whole,
                               rng.chance(20) && !whole.isDynamic &&
                                   !scope.extent.isDynamic);
  std::string from = source.name;
  if (places.whole.size() > 1)
    from = expand(scope, source, places.whole);
  int64_t number = count(places.rows);
  bool isPart = !scope.extent.isDynamic && number < scope.extent.size;
  bool isDefined;
  std::string type = tensorType(places.rows, kind),
              init = isPart ? define("tensor.empty() : " + Twine(type))
                            : expand(scope,
                                     {chooseInit(scope, kind, isDefined), kind},
                                     places.rows);
  Tile gathered{define("memspace.gather gather_dims(" +
                       Twine(places.getDims()) + ")" +
                       (places.isInBounds ? " in_bounds " : " ") +
                       places.getIns(from, tensorType(places.whole, kind)) +
                       " outs(" + init + " : " + type + ") -> " + type),
                kind};
  gathered.name = collapse(scope, gathered, places.rows);
  if (isPart) {
    // Not often into what has to be copied for that.
    Tile rest = rng.chance(70) ? fill(scope, kind) : pickTile(scope, kind);
    gathered.name = define(
        "tensor.insert_slice " + Twine(gathered.name) + " into " + rest.name +
        "[" + Twine(rng.between(0, scope.extent.size - number)) + "] [" +
        Twine(number) + "] [1] : " + tensorType(number, kind) + " into " +
        scope.type(kind));
  }
  scope.tiles.push_back(gathered);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

Kind KernelGenerator::pickAtomicKind() {
  static constexpr Kind kinds[] = {F16, BF16, F32, F32, F64,
                                   I8,  I16,  I32, I32, I64};
  return rng.pick(kinds);
}

/// The order of several updates does not show.
static std::string commute(KernelGenerator &gen, Kind kind, std::string update,
                           StringRef old) {
  Random &rng = gen.rng;
  static constexpr StringRef integerOps[] = {"addi",  "addi", "muli",  "andi",
                                             "ori",   "xori", "minsi", "maxsi",
                                             "minui", "maxui"};
  static constexpr StringRef floatOps[] = {"minimumf", "maximumf"};
  auto apply = [&](StringRef op, StringRef a, StringRef b) {
    return gen.define("arith." + op + " " + a + ", " + b + " : " +
                      getName(kind));
  };
  if (isFloat(kind))
    return rng.chance(50) ? apply(rng.pick(floatOps), update, old)
                          : apply(rng.pick(floatOps), old, update);
  if (rng.chance(25)) // No instruction does that at once.
    update = rng.chance(50) ? apply("muli", update, gen.constant(kind))
                            : apply("xori", update, gen.constant(kind));
  if (rng.chance(10))
    return apply("subi", old, update);
  return rng.chance(50) ? apply(rng.pick(integerOps), update, old)
                        : apply(rng.pick(integerOps), old, update);
}

std::string KernelGenerator::emitScatter(StringRef head, StringRef output,
                                         StringRef type, Kind kind,
                                         Combiner combiner) {
  std::string result = fresh();
  std::string text = (result + " = memspace.scatter " + head + " outs(" +
                      output + " : " + type + ")")
                         .str();
  if (combiner == Combiner::None) {
    line(text + " -> " + type);
    return result;
  }
  Scalar update{fresh(), kind}, old{fresh(), kind};
  line(text + " {");
  line("^bb0(" + update.name + ": " + getName(kind) + ", " + old.name + ": " +
       getName(kind) + "):");
  ++indent;
  std::string sum;
  if (combiner == Combiner::Commuting)
    sum = commute(*this, kind, update.name, old.name);
  else if (rng.chance(85))
    sum = combine({update, old}, kind);
  else
    sum = combine(update, kind);
  line("memspace.yield " + Twine(sum) + " : " + getName(kind));
  --indent;
  line("} -> " + type);
  return result;
}

void KernelGenerator::scatter(Scope &scope) {
  bool isShared = scope.level != Level::Thread;
  bool isUnique = !scope.extent.isDynamic && rng.chance(30);
  bool isAtomic = isShared && !isUnique;
  Kind kind = isAtomic ? pickAtomicKind() : pickTile(scope).kind;
  Tile dest = pickTile(scope, kind);
  if (rng.chance(25))
    dest = fill(scope, kind);
  Combiner combiner = isAtomic ? Combiner::Commuting : Combiner::Any;
  if (rng.chance(25))
    combiner = Combiner::None;
  // Of several that overwrite one element any is the last.
  Tile updates = combiner == Combiner::None && isAtomic ? fill(scope, kind)
                                                        : pickTile(scope, kind);
  Places places = choosePlaces(*this, scope, scope.extent, isUnique);
  std::string rows = take(*this, scope, updates, places.rows),
              output = expand(scope, dest, places.whole);
  std::string head = "scatter_dims(" + places.getDims() + ")" +
                     (isUnique ? " unique_indices" : "") +
                     (places.isInBounds ? " in_bounds" : "") +
                     (isAtomic && rng.chance(10) ? " atomic " : " ") +
                     places.getIns(rows, tensorType(places.rows, kind));
  std::string result =
      emitScatter(head, output, tensorType(places.whole, kind), kind, combiner);
  scope.tiles.push_back({collapse(scope, {result, kind}, places.whole), kind});
}

/// A part of `tile` for iteration `iv` of the threads.
static std::string takeChunk(KernelGenerator &gen, const Scope &scope,
                             const Tile &tile, StringRef offset,
                             int64_t chunk) {
  return gen.define("tensor.extract_slice " + Twine(tile.name) + "[" + offset +
                    "] [" + Twine(chunk) + "] [1] : " + scope.type(tile.kind) +
                    " to " + tensorType(chunk, tile.kind));
}

std::string KernelGenerator::scatterByThreads(Scope &scope, const Tile &dest,
                                              const Extent &extent,
                                              bool isUnique) {
  Kind kind = dest.kind;
  bool isAtomic = !isUnique || rng.chance(30);
  Combiner combiner = isAtomic ? Combiner::Commuting : Combiner::Any;
  if (rng.chance(20))
    combiner = Combiner::None;
  Tile updates = combiner == Combiner::None && !isUnique
                     ? fill(scope, kind)
                     : pickTile(scope, kind);
  bool isInBounds = rng.chance(35);
  Tile indices = makeIndices(scope, extent, isUnique, isInBounds);
  SmallVector<int64_t> chunks;
  for (int64_t chunk : {1, 1, 2, 3, 4, 8})
    if (scope.extent.size % chunk == 0)
      chunks.push_back(chunk);
  int64_t chunk = rng.pick(chunks);
  std::string iv = fresh(), argument = fresh(), result = fresh(),
              type = tensorType(extent.size, kind);
  line(result + " = scf.forall (" + iv + ") in (" +
       Twine(scope.extent.size / chunk) + ") shared_outs(" + argument + " = " +
       dest.name + ") -> (" + type + ") {");
  ++indent;
  std::string offset = define("affine.apply affine_map<(d0) -> (d0 * " +
                              Twine(chunk) + ")>(" + iv + ")");
  Places places;
  places.indices = expand(
      scope, {takeChunk(*this, scope, indices, offset, chunk), indices.kind},
      {chunk, 1});
  places.indicesType = tensorType({chunk, 1}, indices.kind);
  std::string rows = takeChunk(*this, scope, updates, offset, chunk);
  std::string head =
      (Twine("scatter_dims([0])") + (isUnique ? " unique_indices" : "") +
       (isInBounds ? " in_bounds" : "") + (isAtomic ? " atomic " : " ") +
       places.getIns(rows, tensorType(chunk, kind)))
          .str();
  std::string inserted = emitScatter(head, argument, type, kind, combiner);
  line("scf.forall.in_parallel {");
  line("  tensor.parallel_insert_slice " + inserted + " into " + argument +
       "[0] [" + Twine(extent.size) + "] [1] : " + type + " into " + type);
  line("}");
  --indent;
  line(scope.level == Level::Subgroup
           ? "} {mapping = [#gpu.lane<linear_dim_0>]}"
           : "} {mapping = [#gpu.thread<linear_dim_0>]}");
  return result;
}

void KernelGenerator::scatterForall(Scope &scope) {
  bool isUnique = rng.chance(30);
  Kind kind = pickAtomicKind();
  Tile dest = rng.chance(50) ? fill(scope, kind) : pickTile(scope, kind);
  scope.tiles.push_back(
      {scatterByThreads(scope, dest, scope.extent, isUnique), kind});
}

std::string KernelGenerator::scatterIntoWhole(Scope &scope, const Tile &dest,
                                              ArrayRef<int64_t> shape) {
  int64_t size = count(shape);
  Extent extent{size, indexConstant(size), false};
  if (!scope.extent.isDynamic && shape.size() == 1 && rng.chance(35))
    return scatterByThreads(scope, dest, extent, /*isUnique=*/false);
  Combiner combiner = rng.chance(15) ? Combiner::None : Combiner::Commuting;
  Tile updates = combiner == Combiner::None ? fill(scope, dest.kind)
                                            : pickTile(scope, dest.kind);
  Places places = choosePlaces(*this, scope, extent, /*isUnique=*/false, shape);
  std::string rows = take(*this, scope, updates, places.rows);
  std::string head = "scatter_dims(" + places.getDims() + ")" +
                     (places.isInBounds ? " in_bounds" : "") + " atomic " +
                     places.getIns(rows, tensorType(places.rows, dest.kind));
  return emitScatter(head, dest.name, tensorType(shape, dest.kind), dest.kind,
                     combiner);
}
