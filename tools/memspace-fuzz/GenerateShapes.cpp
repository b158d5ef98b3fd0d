//===- GenerateShapes.cpp - stages of random kernels with other shapes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

static constexpr llvm::StringLiteral identityMap = "affine_map<(d0) -> (d0)>";

namespace {
/// How a tile and a shape of as many elements are made of each other.
struct Reshape {
  std::string flat, shaped, groups = "[[0", sizes;

  Reshape(const Scope &scope, Kind kind, ArrayRef<int64_t> shape)
      : shaped(tensorType(shape, kind)) {
    int64_t number = 1;
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      // The others are 1 then.
      bool isUnknown = extent == kUnknown;
      number *= extent;
      groups += dim == 0 ? "" : ", " + std::to_string(dim);
      sizes += (dim == 0 ? "" : ", ") +
               (isUnknown ? scope.extent.value : std::to_string(extent));
    }
    groups += "]]";
    flat = tensorType(number, kind);
  }
};
} // namespace

std::string KernelGenerator::expand(const Scope &scope, const Tile &tile,
                                    ArrayRef<int64_t> shape) {
  if (shape.size() == 1)
    return tile.name;
  Reshape reshape(scope, tile.kind, shape);
  return define("tensor.expand_shape " + Twine(tile.name) + " " +
                reshape.groups + " output_shape [" + reshape.sizes +
                "] : " + reshape.flat + " into " + reshape.shaped);
}

std::string KernelGenerator::collapse(const Scope &scope, const Tile &tile,
                                      ArrayRef<int64_t> shape) {
  if (shape.size() == 1)
    return tile.name;
  Reshape reshape(scope, tile.kind, shape);
  return define("tensor.collapse_shape " + Twine(tile.name) + " " +
                reshape.groups + " : " + reshape.shaped + " into " +
                reshape.flat);
}

void KernelGenerator::pad(Scope &scope) {
  if (scope.extent.isDynamic || scope.extent.size < 2)
    return copy(scope);
  Tile source = pickTile(scope);
  int64_t size = scope.extent.size, kept = rng.between(1, size - 1);
  int64_t low = rng.between(0, size - kept);
  std::string part =
      ("tensor<" + Twine(kept) + "x" + getName(source.kind) + ">").str();
  std::string value = constant(source.kind);
  std::string taken =
      define("tensor.extract_slice " + Twine(source.name) + "[" +
             Twine(rng.between(0, size - kept)) + "] [" + Twine(kept) +
             "] [1] : " + scope.type(source.kind) + " to " + part);
  std::string result = fresh();
  line(result + " = tensor.pad " + taken + " low[" + Twine(low) + "] high[" +
       Twine(size - kept - low) + "] {");
  line("^bb0(%" + Twine("p") + result.substr(2) + ": index):");
  line("  tensor.yield " + Twine(value) + " : " + getName(source.kind));
  line("} : " + Twine(part) + " to " + scope.type(source.kind));
  scope.tiles.push_back({result, source.kind});
}

/// As a matrix, transposed, and back.
void KernelGenerator::transpose(Scope &scope) {
  int64_t size = scope.extent.size;
  if (scope.extent.isDynamic || size % 4 != 0 || size < 8)
    return copy(scope);
  Tile source = pickTile(scope);
  SmallVector<int64_t> from{4, size / 4}, to{size / 4, 4};
  std::string toType = tensorType(to, source.kind);
  std::string expanded = expand(scope, source, from);
  std::string empty = define("tensor.empty() : " + Twine(toType));
  std::string transposed =
      define("linalg.transpose ins(" + Twine(expanded) + " : " +
             tensorType(from, source.kind) + ") outs(" + empty + " : " +
             toType + ") permutation = [1, 0]");
  scope.tiles.push_back(
      {collapse(scope, {transposed, source.kind}, to), source.kind});
}

/// To a scalar, in order.
void KernelGenerator::reduce(Scope &scope) {
  Tile source = pickTile(scope);
  StringRef name = getName(source.kind);
  std::string type = ("tensor<" + name + ">").str();
  std::string empty = define("tensor.empty() : " + Twine(type));
  std::string value = constant(source.kind);
  std::string init = define("linalg.fill ins(" + Twine(value) + " : " + name +
                            ") outs(" + empty + " : " + type + ") -> " + type);
  std::string result = fresh(), element = fresh(), sum = fresh();
  line(result + " = linalg.generic {indexing_maps = [" + identityMap +
       ", affine_map<(d0) -> ()>], iterator_types = [\"reduction\"]}");
  line("    ins(" + Twine(source.name) + " : " + scope.type(source.kind) +
       ") outs(" + init + " : " + type + ") {");
  line("^bb0(" + Twine(element) + ": " + name + ", " + sum + ": " + name +
       "):");
  ++indent;
  std::string yielded = combine(
      {Scalar{sum, source.kind}, Scalar{element, source.kind}}, source.kind);
  line("linalg.yield " + Twine(yielded) + " : " + name);
  --indent;
  line("} -> " + Twine(type));
  scope.scalars.push_back(
      {define("tensor.extract " + Twine(result) + "[] : " + type),
       source.kind});
}

/// The windows that begin at each element, by a named op or as a generic one.
/// Only the shape of the empty tensor is read.
void KernelGenerator::window(Scope &scope) {
  if (scope.extent.isDynamic)
    return copy(scope);
  Tile source = pickTile(scope);
  int64_t size = scope.extent.size, width = rng.between(2, 4);
  StringRef name = getName(source.kind);
  auto type = [&](const Twine &shape) {
    return ("tensor<" + shape + name + ">").str();
  };
  std::string value = constant(source.kind), padded = fresh();
  line(padded + " = tensor.pad " + source.name + " low[0] high[" +
       Twine(width - 1) + "] {");
  line("^bb0(%p" + Twine(padded.substr(2)) + ": index):");
  line("  tensor.yield " + Twine(value) + " : " + name);
  std::string wide = type(Twine(size + width - 1) + "x");
  line("} : " + scope.type(source.kind) + " to " + wide);
  std::string shape = type(Twine(width) + "x");
  std::string empty = define("tensor.empty() : " + Twine(shape));
  std::string out = emptyTensor(scope, source.kind);
  std::string own = scope.type(source.kind);
  std::string init = define("linalg.fill ins(" + Twine(value) + " : " + name +
                            ") outs(" + out + " : " + own + ") -> " + own);
  std::string result = fresh(), element = fresh(), unused = fresh(),
              sum = fresh();
  line(result + " = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> "
                "(d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, "
                "d1) -> (d0)>], iterator_types = [\"parallel\", "
                "\"reduction\"]}");
  line("    ins(" + padded + ", " + empty + " : " + wide + ", " + shape +
       ") outs(" + init + " : " + own + ") {");
  line("^bb0(" + element + ": " + name + ", " + unused + ": " + name + ", " +
       sum + ": " + name + "):");
  ++indent;
  std::string yielded = combine(
      {Scalar{sum, source.kind}, Scalar{element, source.kind}}, source.kind);
  line("linalg.yield " + Twine(yielded) + " : " + name);
  --indent;
  line("} -> " + Twine(own));
  scope.tiles.push_back({result, source.kind});
}
