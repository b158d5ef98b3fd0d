//===- Generator.cpp - random tensor kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "KernelGenerator.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// What is decided before the body.
struct Frame {
  /// 0: no block forall.
  int64_t blocks = 0;
  bool isDynamic = false;
  SmallVector<Kind> inputs, outputs;
  /// An output that is read before it is overwritten.
  SmallVector<bool> isUpdated;
};
} // namespace

static void chooseShape(Random &rng, KernelGenerator &gen, Frame &frame,
                        Extent &extent) {
  static constexpr int64_t blockSizes[] = {32, 64, 128, 256};
  static constexpr int blockWeights[] = {30, 45, 20, 5};
  gen.blockSize = blockSizes[rng.pickWeighted(blockWeights)];
  gen.blockX = gen.blockSize;
  if (rng.chance(30)) {
    gen.blockX = rng.chance(50) ? 8 : gen.blockSize / 4;
    gen.blockY = gen.blockSize / gen.blockX;
  }
  if (rng.chance(40))
    frame.blocks = rng.between(1, 4);
  frame.isDynamic = frame.blocks > 0 && rng.chance(30);
  const int64_t sizes[] = {gen.blockSize,
                           2 * gen.blockSize,
                           4 * gen.blockSize,
                           gen.blockSize / 2,
                           24,
                           48};
  static constexpr int sizeWeights[] = {50, 20, 8, 8, 6, 8};
  extent.size = std::min<int64_t>(
      frame.isDynamic ? gen.blockSize : sizes[rng.pickWeighted(sizeWeights)],
      256);
  for (int64_t n = rng.between(1, 3); n > 0; --n)
    frame.inputs.push_back(gen.pickKind());
  for (int64_t n = rng.chance(30) ? 2 : 1; n > 0; --n) {
    frame.outputs.push_back(rng.chance(60) ? frame.inputs.front()
                                           : gen.pickKind());
    frame.isUpdated.push_back(rng.chance(frame.blocks > 0 ? 25 : 6));
  }
}

static void writeBody(Random &rng, KernelGenerator &gen, const Frame &frame,
                      Extent extent, StringRef wholeExtent) {
  auto wholeType = [&](Kind kind) {
    return (wholeExtent + "x" + getName(kind) + ">").str();
  };
  auto toTensor = [&](StringRef argument, Kind kind, bool isWritable) {
    return gen.define("bufferization.to_tensor " + argument + " restrict" +
                      (isWritable ? " writable" : "") + " : memref<" +
                      wholeType(kind) + " to tensor<" + wholeType(kind));
  };
  Scope scope;
  SmallVector<Tile> inputs, outputs;
  for (auto [i, kind] : llvm::enumerate(frame.inputs))
    inputs.push_back({toTensor("%in" + std::to_string(i), kind, false), kind});
  gen.indexTableSize = 16;
  gen.indexTable = gen.define("bufferization.to_tensor %idx restrict : "
                              "memref<16xi32> to tensor<16xi32>");
  // Uniform values that nobody knows when the kernel is compiled.
  for (int64_t n = rng.below(3); n > 0; --n) {
    std::string position = gen.indexConstant(rng.below(16));
    scope.scalars.push_back(
        {gen.define("tensor.extract " + Twine(gen.indexTable) + "[" + position +
                    "] : tensor<16xi32>"),
         I32});
  }
  extent.value = gen.indexConstant(extent.size);
  auto stages = [&] {
    gen.budget = rng.between(2, rng.chance(30) ? 30 : 14);
    gen.maxDepth = rng.chance(25) ? 3 : 2;
    gen.stages(scope, rng.between(1, 6));
  };
  auto materialize = [&](size_t output, StringRef tile) {
    gen.line("bufferization.materialize_in_destination " + Twine(tile) +
             " in restrict writable %out" + Twine(output) + " : (tensor<" +
             wholeType(frame.outputs[output]) + ", memref<" +
             wholeType(frame.outputs[output]) + ") -> ()");
  };

  // An output is read from before, or begins empty.
  SmallVector<std::string> inits;
  for (auto [i, kind] : llvm::enumerate(frame.outputs)) {
    if (frame.isUpdated[i])
      inits.push_back(toTensor("%out" + std::to_string(i), kind, true));
    else
      inits.push_back("");
  }
  if (frame.blocks == 0) {
    scope.extent = extent;
    scope.tiles = inputs;
    for (auto [i, kind] : llvm::enumerate(frame.outputs))
      if (frame.isUpdated[i])
        scope.tiles.push_back({inits[i], kind});
    stages();
    for (auto [i, kind] : llvm::enumerate(frame.outputs)) {
      if (rng.chance(60))
        gen.forall(scope);
      if (scope.tiles.back().kind != kind)
        gen.elementwise(scope);
    }
    SmallVector<std::string> results;
    for (Kind kind : frame.outputs)
      results.push_back(gen.pickTile(scope, kind).name);
    for (auto [i, result] : llvm::enumerate(results))
      materialize(i, result);
    return;
  }

  // One tile for each block.
  std::string trips = std::to_string(frame.blocks), size;
  if (frame.isDynamic) {
    std::string zero = gen.indexConstant(0);
    size = gen.define("tensor.dim " + Twine(inputs.front().name) + ", " + zero +
                      " : tensor<" + wholeType(inputs.front().kind));
    trips = gen.define("affine.apply affine_map<()[s0] -> (s0 ceildiv " +
                       Twine(extent.size) + ")>()[" + size + "]");
  }
  std::string outs, types;
  SmallVector<std::string> arguments;
  for (auto [i, kind] : llvm::enumerate(frame.outputs)) {
    if (inits[i].empty())
      inits[i] =
          frame.isDynamic
              ? gen.define("tensor.empty(" + Twine(size) + ") : tensor<" +
                           wholeType(kind))
              : gen.define("tensor.empty() : tensor<" + Twine(wholeType(kind)));
    arguments.push_back(gen.fresh());
    outs += (i ? ", " : "") + arguments.back() + " = " + inits[i];
    types += (i ? ", " : "") + ("tensor<" + wholeType(kind));
  }
  std::string result = gen.fresh(), block = gen.fresh();
  std::string count = arguments.size() == 1 ? "" : ":2";
  gen.line(result + count + " = scf.forall (" + block + ") in (" + trips +
           ") shared_outs(" + outs + ") -> (" + types + ") {");
  ++gen.indent;
  std::string base = gen.define("affine.apply affine_map<(d0) -> (d0 * " +
                                Twine(extent.size) + ")>(" + block + ")");
  if (frame.isDynamic) {
    extent.isDynamic = true;
    extent.value =
        gen.define("affine.min affine_map<(d0)[s0] -> (" + Twine(extent.size) +
                   ", s0 - d0 * " + Twine(extent.size) + ")>(" + block + ")[" +
                   size + "]");
  }
  scope.extent = extent;
  scope.scalars.push_back({block, Index});
  std::string slice = "[" + base + "] [" + extent.sizeStr() + "] [1]";
  auto takeTile = [&](StringRef whole, Kind kind) {
    scope.tiles.push_back(
        {gen.define("tensor.extract_slice " + whole + slice + " : tensor<" +
                    wholeType(kind) + " to " + scope.type(kind)),
         kind});
  };
  for (const Tile &input : inputs)
    takeTile(input.name, input.kind);
  for (auto [i, kind] : llvm::enumerate(frame.outputs))
    if (frame.isUpdated[i])
      takeTile(arguments[i], kind);
  stages();
  SmallVector<std::string> inserted;
  for (Kind kind : frame.outputs) {
    if (rng.chance(60))
      gen.forall(scope);
    if (scope.tiles.back().kind != kind)
      gen.elementwise(scope);
    inserted.push_back(gen.pickTile(scope, kind).name);
  }
  gen.line("scf.forall.in_parallel {");
  for (auto [i, kind] : llvm::enumerate(frame.outputs))
    gen.line("  tensor.parallel_insert_slice " + Twine(inserted[i]) + " into " +
             arguments[i] + slice + " : " + scope.type(kind) + " into tensor<" +
             wholeType(kind));
  gen.line("}");
  --gen.indent;
  gen.line("} {mapping = [#gpu.block<x>]}");
  for (size_t i = 0; i < arguments.size(); ++i)
    materialize(i, arguments.size() == 1 ? result
                                         : result + "#" + std::to_string(i));
}

GeneratedKernel fuzz::generate(uint64_t seed, StringRef chip) {
  Random rng(seed);
  GeneratedKernel kernel;
  static constexpr llvm::StringLiteral chips[] = {"gfx942", "sm_90", "gfx1100"};
  static constexpr int chipWeights[] = {50, 40, 10};
  kernel.options.chip = chips[rng.pickWeighted(chipWeights)].str();
  if (!chip.empty())
    kernel.options.chip = chip.str();
  // The smallest subgroup is 32 threads, the largest 64.
  KernelGenerator gen(rng, kernel.options.chip == "gfx942" ? 64 : 32);
  if (rng.chance(8))
    kernel.options.workgroupLimit = int64_t(512) << rng.below(5);
  if (rng.chance(8))
    kernel.options.privateLimit = int64_t(32) << rng.below(5);
  kernel.options.inputSeed = rng.next() >> 1;

  Frame frame;
  Extent extent;
  chooseShape(rng, gen, frame, extent);
  int64_t whole = std::max<int64_t>(frame.blocks, 1) * extent.size;
  if (frame.isDynamic) {
    kernel.options.dynamicSize = rng.between(1, whole);
    kernel.options.grid =
        (kernel.options.dynamicSize + extent.size - 1) / extent.size;
  }
  std::string wholeExtent = frame.isDynamic ? "?" : std::to_string(whole);
  writeBody(rng, gen, frame, extent, wholeExtent);

  std::string arguments;
  for (auto [i, kind] : llvm::enumerate(frame.inputs))
    arguments += ("%in" + Twine(i) + ": memref<" + wholeExtent + "x" +
                  getName(kind) + ">, ")
                     .str();
  arguments += "%idx: memref<16xi32>";
  for (auto [i, kind] : llvm::enumerate(frame.outputs))
    arguments += (", %out" + Twine(i) + ": memref<" + wholeExtent + "x" +
                  getName(kind) + ">")
                     .str();
  std::string attributes =
      ("gpu.known_block_size = array<i32: " + Twine(gen.blockX) + ", " +
       Twine(gen.blockY) + ", 1>")
          .str();
  if (frame.blocks > 0 && !frame.isDynamic)
    attributes += (", gpu.known_grid_size = array<i32: " + Twine(frame.blocks) +
                   ", 1, 1>")
                      .str();
  kernel.text = "func.func @kernel(" + arguments + ")\n    attributes {" +
                attributes + "} {\n" + gen.text + "  return\n}\n";
  return kernel;
}

std::string CheckOptions::toString() const {
  if (isSpmd)
    return (Twine(isBarriers ? "--barriers" : "--spmd") +
            " --chip=" + Twine(chip) + " --input-seed=" + Twine(inputSeed))
        .str();
  return ("--chip=" + Twine(chip) + " --workgroup-limit=" +
          Twine(workgroupLimit) + " --private-limit=" + Twine(privateLimit) +
          " --input-seed=" + Twine(inputSeed) +
          " --dynamic-size=" + Twine(dynamicSize) + " --grid=" + Twine(grid) +
          (padding ? " --padding" : ""))
      .str();
}
