//===- TileConfigurations.cpp - which tilings are worth trying ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/TileKernel.h"
#include "Transforms/Tile/ThreadTile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

bool TileConfiguration::operator==(const TileConfiguration &other) const {
  return threads == other.threads && block == other.block &&
         thread == other.thread && subgroup == other.subgroup &&
         reduction == other.reduction && promotes == other.promotes &&
         stages == other.stages;
}

bool TileConfiguration::takesNoMoreThan(const TileConfiguration &other) const {
  // 0 is all of a loop.
  auto isAtMost = [](int64_t a, int64_t b) {
    return b == 0 || (a != 0 && a <= b);
  };
  return threads <= other.threads && thread == other.thread &&
         subgroup == other.subgroup && block.size() == other.block.size() &&
         llvm::all_of(llvm::zip_equal(block, other.block),
                      [&](auto pair) {
                        return isAtMost(std::get<0>(pair), std::get<1>(pair));
                      }) &&
         (!promotes || other.promotes) && stages <= other.stages &&
         isAtMost(reduction, other.reduction);
}

static std::string join(ArrayRef<int64_t> sizes) {
  return llvm::join(
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }),
      "x");
}

std::string TileConfiguration::str() const {
  std::string text = "threads=" + std::to_string(threads);
  if (!block.empty())
    text += " block=" + join(block);
  if (!thread.empty())
    text += " thread=" + join(thread);
  if (!subgroup.empty())
    text += " subgroup=" + join(subgroup);
  if (reduction)
    text += " reduction=" + std::to_string(reduction);
  if (promotes)
    text += " promote";
  if (stages != 1)
    text += " stages=" + std::to_string(stages);
  return text;
}

static bool parseSizes(StringRef text, SmallVectorImpl<int64_t> &sizes) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return false;
    sizes.push_back(size);
  }
  return true;
}

std::optional<TileConfiguration>
memspace::parseTileConfiguration(StringRef text) {
  TileConfiguration result;
  SmallVector<StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [key, value] = word.split('=');
    SmallVector<int64_t> sizes;
    if (word == "promote") {
      result.promotes = true;
      continue;
    }
    if (!parseSizes(value, sizes))
      return std::nullopt;
    if (key == "block")
      result.block = sizes;
    else if (key == "thread")
      result.thread = sizes;
    else if (key == "subgroup" && sizes.size() == 2 &&
             !llvm::is_contained(sizes, 0))
      result.subgroup = sizes;
    else if (key == "threads" && sizes.size() == 1 && sizes[0] > 0)
      result.threads = sizes[0];
    else if (key == "reduction" && sizes.size() == 1)
      result.reduction = sizes[0];
    else if (key == "stages" && sizes.size() == 1 && sizes[0] > 0)
      result.stages = sizes[0];
    else
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The space
//===----------------------------------------------------------------------===//

/// The elements along a loop that a tile of `tile` covers; an unknown extent is
/// a large one.
static int64_t clip(int64_t tile, int64_t extent) {
  return ShapedType::isDynamic(extent) ? tile : std::min(tile, extent);
}

/// `tile`, or 0 where it is the whole loop.
static int64_t asTile(int64_t tile, int64_t extent) {
  return !ShapedType::isDynamic(extent) && tile >= extent ? 0 : tile;
}

/// The largest number up to `tile` that divides `divisor`.
static int64_t getPart(int64_t tile, int64_t divisor) {
  while (tile > 1 && divisor % tile != 0)
    --tile;
  return tile;
}

SmallVector<int64_t> memspace::getThreadTile(ArrayRef<int64_t> extents,
                                             int64_t threads) {
  SmallVector<int64_t> tile;
  int64_t iterations = 1;
  for (int64_t extent : extents) {
    if (extent == 1)
      continue;
    // Of an unknown extent a thread takes one iteration.
    tile.push_back(ShapedType::isDynamic(extent) ? 1 : extent);
    iterations *= tile.back();
  }
  int64_t area = iterations / threads;
  if (area < 2)
    return {};
  if (tile.size() > 2)
    tile.erase(tile.begin(), tile.end() - 2);
  int64_t width = tile.back();
  if (tile.size() < 2)
    return {std::min(area, width)};
  int64_t height =
      std::min<int64_t>(int64_t(1) << llvm::Log2_64(area) / 2, tile.front());
  return {height, std::min(std::max<int64_t>(area / height, 1), width)};
}

SmallVector<TileConfiguration>
UntiledKernel::getConfigurations(const TargetInfo &target) const {
  SmallVector<TileConfiguration> result;
  auto addOne = [&](const TileConfiguration &configuration) {
    if (configuration.threads <= target.maxThreads &&
        !llvm::is_contained(result, configuration))
      result.push_back(configuration);
  };
  // A tile that divides what is promised has no edge: one nearly as large.
  auto add = [&](TileConfiguration configuration) {
    addOne(configuration);
    for (auto [tile, extent, divisor] :
         llvm::zip_equal(configuration.block, extents, divisors))
      if (int64_t part = getPart(tile, divisor);
          ShapedType::isDynamic(extent) && 2 * part > tile)
        tile = part;
    addOne(configuration);
  };
  unsigned count = extents.size();
  for (int64_t threads : {64, 256}) {
    if (!hasControl)
      break;
    // One workgroup.
    TileConfiguration configuration;
    configuration.threads = threads;
    configuration.block.assign(count, 0);
    addOne(configuration);
  }
  // The loops with tiles of several iterations: the last two, or those that
  // make a contraction reuse what it reads, for each operand one if that makes
  // two (of a convolution filters and columns). Of the others each workgroup
  // takes one.
  SmallVector<unsigned> tiled;
  for (Reuse wanted : {Reuse::Last, Reuse::Other})
    for (unsigned loop = count; loop-- > 0 && tiled.size() < 2;)
      if (contractionLength == 0 ? wanted == Reuse::Last
                                 : reuse[loop] == wanted)
        tiled.push_back(loop);
  llvm::sort(tiled);
  SmallVector<int64_t> ones(count);
  for (auto [tile, extent] : llvm::zip_equal(ones, extents))
    tile = asTile(1, extent);
  int64_t columns = tiled.empty() ? 1 : extents[tiled.back()];
  int64_t rowsOfMatrix = tiled.size() < 2 ? 1 : extents[tiled.front()];
  auto withTiles = [&](int64_t height, int64_t width) {
    SmallVector<int64_t> block(ones);
    if (!tiled.empty())
      block[tiled.back()] = asTile(width, columns);
    if (tiled.size() == 2)
      block[tiled.front()] = asTile(height, rowsOfMatrix);
    return block;
  };
  if (contractionLength != 0) {
    // Of large windows fewer channels fit.
    constexpr int64_t kLargeWindow = 16;
    SmallVector<int64_t, 2> lengths = windowLength < kLargeWindow
                                          ? SmallVector<int64_t, 2>{16, 64}
                                          : SmallVector<int64_t, 2>{4, 16};
    // Tiles that are square, or twice or four times as wide as high.
    for (int64_t threads : {64, 256})
      for (int64_t height : {4, 16, 32, 64, 128})
        for (int64_t width : {height, 2 * height, 4 * height}) {
          int64_t area = clip(height, rowsOfMatrix) * clip(width, columns);
          if (width > 128 || area > 64 * threads ||
              (area < threads / 2 / innerIterations && threads != 64))
            continue;
          TileConfiguration configuration;
          configuration.threads = threads;
          configuration.block = withTiles(height, width);
          add(configuration);
          configuration.promotes = true;
          for (int64_t reduction : lengths) {
            configuration.reduction =
                reduction < contractionLength ? reduction : 0;
            configuration.stages = 1;
            add(configuration);
            // The next part is copied while this one is computed with; the
            // fewer parts, the better.
            bool isLongest = reduction == lengths.back() ||
                             contractionLength <= lengths.back();
            if (configuration.reduction == 0 || !isLongest ||
                contractionLength % reduction != 0)
              continue;
            configuration.stages = 2;
            add(configuration);
          }
        }
    return result;
  }
  for (int64_t threads : {64, 256, 1024}) {
    // For long rows.
    if (threads > 256 && !rows)
      break;
    TileConfiguration configuration;
    configuration.threads = threads;
    if (rows) {
      // Rows of a workgroup.
      for (int64_t height : {1, 2, 4, 16}) {
        configuration.block = withTiles(1, height);
        add(configuration);
      }
      // What is reduced of neighbours, columns or windows: one for each thread,
      // or a few.
      if (threads <= 256 && clip(threads, columns) == threads)
        for (int64_t height : {1, 4}) {
          configuration.block = withTiles(height, threads);
          add(configuration);
        }
      continue;
    }
    for (int64_t height : {1, 4, 16, 32})
      for (int64_t width : {16, 32, 64, 256, 1024}) {
        int64_t area = clip(height, rowsOfMatrix) * clip(width, columns);
        // Of few elements the whole is a tile.
        if (area > 16 * threads || (area < threads && area == height * width))
          continue;
        configuration.block = withTiles(height, width);
        add(configuration);
      }
  }
  return result;
}
