//===- KernelFrame.cpp - a random tensor kernel as a whole -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFrame.h"

using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

//===----------------------------------------------------------------------===//
// What is decided before the body
//===----------------------------------------------------------------------===//

void KernelFrame::chooseShape() {
  static constexpr int64_t blockSizes[] = {32, 64, 128, 256};
  static constexpr int blockWeights[] = {32, 45, 19, 4};
  gen.blockSize = blockSizes[rng.pickWeighted(blockWeights)];
  gen.blockX = gen.blockSize;
  if (rng.chance(30)) {
    gen.blockX = rng.chance(50) ? 8 : gen.blockSize / 4;
    gen.blockY = gen.blockSize / gen.blockX;
  }
  // Threads meet where each has a chunk of a tile.
  bool meets = gen.extras.collectives;
  static constexpr int divisionWeights[] = {53, 34, 5, 8};
  static constexpr int meetingDivisionWeights[] = {60, 40, 0, 0};
  division = Division(
      rng.pickWeighted(meets ? meetingDivisionWeights : divisionWeights));
  const int64_t sizes[] = {gen.blockSize,
                           2 * gen.blockSize,
                           4 * gen.blockSize,
                           gen.blockSize / 2,
                           16,
                           24,
                           48};
  static constexpr int sizeWeights[] = {50, 17, 5, 10, 5, 6, 7};
  static constexpr int meetingSizeWeights[] = {60, 30, 10, 0, 0, 0, 0};
  bool isBounded =
      division == Division::Ragged || division == Division::Dynamic;
  extent.size = std::min<int64_t>(
      isBounded
          ? gen.blockSize
          : sizes[rng.pickWeighted(meets ? meetingSizeWeights : sizeWeights)],
      256);
  extent.isDynamic = isBounded;
  blocks = division == Division::None ? 0 : rng.between(1, 4);
  wholeSize = std::max<int64_t>(blocks, 1) * extent.size;
  if (division == Division::Ragged)
    wholeSize -= rng.between(1, extent.size - 1);
  if (division == Division::Even && blocks % 2 == 0 && rng.chance(30))
    gridX = 2;
  isGridKnown = gridX > 0 || (division != Division::Dynamic && rng.chance(88));
  hasStep = gridX == 0 && division != Division::Dynamic && rng.chance(25);
}

void KernelFrame::chooseArguments() {
  Kind common = gen.pickKind();
  for (int64_t n = rng.between(1, 3); n > 0; --n)
    inputs.push_back(rng.chance(65) ? common : gen.pickKind());
  for (int64_t n = rng.chance(35) ? 2 : 1; n > 0; --n) {
    outputs.push_back(rng.chance(65) ? common : gen.pickKind());
    isUpdated.push_back(rng.chance(blocks > 0 ? 25 : 1));
  }
  for (int64_t n = rng.below(3); n > 0; --n)
    numbers.push_back(rng.chance(60) ? Index : I32);
  if (blocks == 0 || !rng.chance(15))
    return;
  tallyShape = {rng.between(4, 100)};
  if (!extent.isDynamic && rng.chance(40))
    tallyShape = {rng.between(2, 12), rng.between(2, 12)};
  tallyKind = gen.pickAtomicKind();
}

std::string KernelFrame::getTallyMemRef() const {
  return "memref<" +
         tensorType(tallyShape, tallyKind).substr(strlen("tensor<"));
}

std::string KernelFrame::getWholeExtent() const {
  return division == Division::Dynamic ? "?" : std::to_string(wholeSize);
}

std::string KernelFrame::getWholeType(Kind kind) const {
  return getWholeExtent() + "x" + getName(kind).str() + ">";
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

std::string KernelFrame::toTensor(StringRef argument, Kind kind,
                                  bool isWritable) {
  if (gen.extras.lies && !isWritable && rng.chance(30))
    return gen.define("lie.load_binding " + argument +
                      (rng.chance(50) ? " {hides_constness}" : "") +
                      " : memref<" + getWholeType(kind) + " -> tensor<" +
                      getWholeType(kind));
  return gen.define("bufferization.to_tensor " + argument + " restrict" +
                    (isWritable ? " writable" : "") + " : memref<" +
                    getWholeType(kind) + " to tensor<" + getWholeType(kind));
}

/// What nobody knows when the kernel is compiled.
void KernelFrame::makeUniformScalars() {
  // Arguments are in [0, 8), as the emulator makes them.
  for (auto [i, kind] : llvm::enumerate(numbers))
    scope.scalars.push_back({"%n" + std::to_string(i), kind, 8});
  for (int64_t n = rng.below(3); n > 0; --n) {
    std::string position = gen.indexConstant(rng.below(16));
    scope.scalars.push_back(
        {gen.define("tensor.extract " + Twine(gen.indexTable) + "[" + position +
                    "] : tensor<16xi32>"),
         I32, 8});
  }
}

void KernelFrame::makeStages() {
  gen.budget = rng.between(2, rng.chance(30) ? 30 : 14);
  gen.maxDepth = rng.chance(25) ? 3 : 2;
  gen.stages(scope, rng.between(1, 6));
}

Tile KernelFrame::finish(Kind kind) {
  if (rng.chance(50))
    gen.forall(scope);
  if (scope.tiles.back().kind != kind)
    gen.elementwise(scope);
  // What several tiles hold shows, not only the newest.
  SmallVector<Tile> some;
  for (int64_t n = rng.chance(50) ? rng.between(2, 4) : 0; n > 0; --n)
    some.push_back(gen.pickTile(scope, kind));
  return some.empty() ? gen.pickTile(scope, kind) : gen.mix(scope, some);
}

void KernelFrame::materialize(size_t output, StringRef tile) {
  std::string type = getWholeType(outputs[output]);
  gen.line("bufferization.materialize_in_destination " + Twine(tile) +
           " in restrict writable %out" + Twine(output) + " : (tensor<" + type +
           ", memref<" + type + ") -> ()");
}

/// By one workgroup.
void KernelFrame::writeWhole() {
  scope.extent = extent;
  scope.tiles = inputTensors;
  for (auto [i, kind] : llvm::enumerate(outputs))
    if (isUpdated[i])
      scope.tiles.push_back({oldOutputs[i], kind});
  makeStages();
  SmallVector<std::string> results;
  for (Kind kind : outputs)
    results.push_back(finish(kind).name);
  for (auto [i, result] : llvm::enumerate(results))
    materialize(i, result);
}

/// The header of the forall over blocks; returns the block's number, or where
/// its tile begins.
std::string KernelFrame::openBlocks(StringRef outs, StringRef types,
                                    StringRef result) {
  std::string tail = (" shared_outs(" + outs + ") -> (" + types + ") {").str();
  std::string block = gen.fresh();
  if (gridX > 0) {
    std::string y = gen.fresh();
    gen.line(result + " = scf.forall (" + y + ", " + block + ") in (" +
             Twine(blocks / gridX) + ", " + Twine(gridX) + ")" + tail);
    ++gen.indent;
    mapping = "#gpu.block<y>, #gpu.block<x>";
    return gen.define("affine.apply affine_map<(d0, d1) -> (d0 * " +
                      Twine(gridX) + " + d1)>(" + y + ", " + block + ")");
  }
  mapping = rng.chance(85) ? "#gpu.block<x>" : "#gpu.block<linear_dim_0>";
  if (hasStep) {
    gen.line(result + " = scf.forall (" + block + ") = (0) to (" +
             Twine(wholeSize) + ") step (" + Twine(extent.size) + ")" + tail);
    ++gen.indent;
    return block;
  }
  std::string trips = std::to_string(blocks);
  if (division == Division::Dynamic)
    trips = gen.define("affine.apply affine_map<()[s0] -> (s0 ceildiv " +
                       Twine(extent.size) + ")>()[" + wholeValue + "]");
  gen.line(result + " = scf.forall (" + block + ") in (" + trips + ")" + tail);
  ++gen.indent;
  return block;
}

/// Where the tile of `block` is, and how large.
void KernelFrame::enterBlock(StringRef block) {
  std::string base = hasStep
                         ? block.str()
                         : gen.define("affine.apply affine_map<(d0) -> (d0 * " +
                                      Twine(extent.size) + ")>(" + block + ")");
  if (division == Division::Dynamic)
    extent.value =
        gen.define("affine.min affine_map<(d0)[s0] -> (" + Twine(extent.size) +
                   ", s0 - d0 * " + Twine(extent.size) + ")>(" + block + ")[" +
                   wholeValue + "]");
  if (division == Division::Ragged)
    extent.value =
        gen.define("affine.min affine_map<(d0) -> (" + Twine(extent.size) +
                   ", " + Twine(wholeSize) + " - d0)>(" + base + ")");
  scope.extent = extent;
  scope.scalars.push_back({block.str(), Index, hasStep ? wholeSize : blocks});
  slice = "[" + base + "] [" + extent.sizeStr() + "] [1]";
}

void KernelFrame::insertTally(StringRef sums, StringRef tally) {
  std::string type = tensorType(tallyShape, tallyKind), zeros, sizes, ones;
  for (int64_t extent : tallyShape) {
    StringRef separator = zeros.empty() ? "" : ", ";
    zeros += (separator + "0").str();
    sizes += separator.str() + std::to_string(extent);
    ones += (separator + "1").str();
  }
  gen.line("  tensor.parallel_insert_slice " + Twine(sums) + " into " + tally +
           "[" + zeros + "] [" + sizes + "] [" + ones + "] : " + type +
           " into " + type);
}

void KernelFrame::writeBlocks() {
  if (division == Division::Dynamic) {
    std::string zero = gen.indexConstant(0);
    wholeValue = gen.define("tensor.dim " + Twine(inputTensors.front().name) +
                            ", " + zero + " : tensor<" +
                            getWholeType(inputTensors.front().kind));
  }
  std::string outs, types;
  SmallVector<std::string> arguments;
  for (auto [i, kind] : llvm::enumerate(outputs)) {
    std::string init = oldOutputs[i];
    if (init.empty())
      init = gen.define("tensor.empty(" + Twine(wholeValue) + ") : tensor<" +
                        getWholeType(kind));
    arguments.push_back(gen.fresh());
    outs += (i ? ", " : "") + arguments.back() + " = " + init;
    types += (i ? ", " : "") + ("tensor<" + getWholeType(kind));
  }
  std::string result = gen.fresh(), tally = gen.fresh();
  size_t numResults = arguments.size();
  if (hasTally()) {
    std::string type = tensorType(tallyShape, tallyKind);
    outs += ", " + tally + " = " +
            gen.define("bufferization.to_tensor %tally restrict writable : " +
                       getTallyMemRef() + " to " + type);
    types += ", " + type;
    ++numResults;
  }
  enterBlock(openBlocks(
      outs, types,
      numResults == 1 ? result : result + ":" + std::to_string(numResults)));
  auto takeTile = [&](StringRef whole, Kind kind) {
    scope.tiles.push_back(
        {gen.define("tensor.extract_slice " + whole + slice + " : tensor<" +
                    getWholeType(kind) + " to " + scope.type(kind)),
         kind});
  };
  for (const Tile &input : inputTensors)
    takeTile(input.name, input.kind);
  for (auto [i, kind] : llvm::enumerate(outputs)) {
    if (!isUpdated[i] && rng.chance(60))
      continue;
    takeTile(arguments[i], kind);
    // The destination that upstream's tiling takes: nothing is in it yet.
    if (!isUpdated[i])
      scope.scratch.push_back(scope.tiles.pop_back_val());
  }
  // Elements of other blocks' tiles may be read where nobody writes them.
  for (const Tile &input : inputTensors)
    if (division != Division::Dynamic && rng.chance(20))
      scope.outer.push_back(
          {input, {wholeSize, gen.indexConstant(wholeSize), false}});
  makeStages();
  SmallVector<std::string> inserted;
  for (Kind kind : outputs)
    inserted.push_back(finish(kind).name);
  std::string sums;
  if (hasTally())
    sums = gen.scatterIntoWhole(scope, {tally, tallyKind}, tallyShape);
  gen.line("scf.forall.in_parallel {");
  for (auto [i, kind] : llvm::enumerate(outputs))
    gen.line("  tensor.parallel_insert_slice " + Twine(inserted[i]) + " into " +
             arguments[i] + slice + " : " + scope.type(kind) + " into tensor<" +
             getWholeType(kind));
  if (hasTally())
    insertTally(sums, tally);
  gen.line("}");
  --gen.indent;
  gen.line("} {mapping = [" + mapping + "]}");
  for (size_t i = 0; i < arguments.size(); ++i)
    materialize(i, numResults == 1 ? result : result + "#" + std::to_string(i));
  if (hasTally())
    gen.line("bufferization.materialize_in_destination " + Twine(result) + "#" +
             Twine(arguments.size()) + " in restrict writable %tally : (" +
             tensorType(tallyShape, tallyKind) + ", " + getTallyMemRef() +
             ") -> ()");
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

std::string KernelFrame::getSignature(StringRef name) const {
  std::string arguments;
  for (auto [i, kind] : llvm::enumerate(inputs))
    arguments +=
        ("%in" + Twine(i) + ": memref<" + getWholeType(kind) + ", ").str();
  arguments += "%idx: memref<16xi32>";
  for (auto [i, kind] : llvm::enumerate(numbers))
    arguments += (", %n" + Twine(i) + ": " + getName(kind)).str();
  for (auto [i, kind] : llvm::enumerate(outputs))
    arguments += (", %out" + Twine(i) + ": memref<" + getWholeType(kind)).str();
  if (hasTally())
    arguments += ", %tally: " + getTallyMemRef();
  std::string attributes =
      ("gpu.known_block_size = array<i32: " + Twine(gen.blockX) + ", " +
       Twine(gen.blockY) + ", 1>")
          .str();
  if (blocks > 0 && isGridKnown)
    attributes += (", gpu.known_grid_size = array<i32: " +
                   Twine(gridX > 0 ? gridX : blocks) + ", " +
                   Twine(gridX > 0 ? blocks / gridX : 1) + ", 1>")
                      .str();
  return ("func.func @" + name + "(" + arguments + ")\n    attributes {" +
          attributes + "} {\n")
      .str();
}

std::string KernelFrame::write(StringRef name) {
  chooseShape();
  chooseArguments();
  if (division == Division::Dynamic) {
    // Arguments of all kernels have one size.
    if (options.dynamicSize == 0)
      options.dynamicSize = rng.between(1, wholeSize);
    blocks = (options.dynamicSize + extent.size - 1) / extent.size;
  }
  options.grid = std::max(options.grid, blocks);
  for (auto [i, kind] : llvm::enumerate(inputs))
    inputTensors.push_back(
        {toTensor("%in" + std::to_string(i), kind, false), kind});
  gen.indexTableSize = 16;
  gen.indexTable = gen.define("bufferization.to_tensor %idx restrict : "
                              "memref<16xi32> to tensor<16xi32>");
  makeUniformScalars();
  extent.value = gen.indexConstant(extent.size);
  for (auto [i, kind] : llvm::enumerate(outputs))
    oldOutputs.push_back(
        isUpdated[i] ? toTensor("%out" + std::to_string(i), kind, true) : "");
  if (division == Division::None)
    writeWhole();
  else
    writeBlocks();
  return getSignature(name) + gen.text + "  return\n}\n";
}
