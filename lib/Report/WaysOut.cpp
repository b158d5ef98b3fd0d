//===- WaysOut.cpp - what would help a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WaysOut.h"
#include "MemSpace/Packing/Solvers.h"
#include "PrivateBuffers.h"
#include "ResizedBuffers.h"
#include "TileDimensions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

/// A way out is one of many; the best layout that so many nodes find will do.
static constexpr uint64_t kMaxNodes = 20'000;

/// Of more buffers a layout that is not searched for will do, too.
static constexpr size_t kMaxSearched = 256;

/// More ways than this are no help.
static constexpr size_t kMaxWays = 16;

/// Most steps of one way that cuts several dimensions.
static constexpr unsigned kMaxSteps = 24;

/// Most tile dimensions, and most buffers to keep private, that are tried: each
/// is a packing of its own. Of more the largest are.
static constexpr size_t kMaxTried = 32;

/// Most dimensions that the sentence names; `resizes` has all.
static constexpr size_t kMaxNamedDims = 4;

namespace {
struct Candidate {
  WayOut way;
  /// By how much the tiles and stages shrink: the product of from / to.
  double factor = 1;
};

class Finder {
public:
  Finder(const KernelContext &context, const WorkgroupBudget &budget,
         const BudgetReport &report, int64_t goal)
      : context(context), target(this->context.getTarget()), budget(budget),
        report(report), goal(goal) {}

  std::vector<WayOut> run();

private:
  /// The extents of the tile dimensions, by number.
  using Extents = SmallVector<int64_t>;

  void addReuse();
  void addPrivate();
  void addTiles();
  void addCombination();
  void addOtherMemory();
  void add(WayOut way, StringRef what, double factor = 1);

  int64_t repack(const packing::Problem &problem) const;
  /// The problem with other extents; none when its sizes are not known.
  std::optional<packing::Problem> resize(const Extents &extents) const;
  uint64_t getExcess(const packing::Problem &problem) const;
  /// The next smaller extent of a tile dimension; none when it is the smallest.
  std::optional<int64_t> shrink(unsigned tile, int64_t extent) const;
  bool suffices(const WayOut &way) const { return way.bytes <= goal; }
  bool anySuffices() const {
    return llvm::any_of(ways, [&](const Candidate &candidate) {
      return suffices(candidate.way);
    });
  }
  double getFactor(const Extents &extents) const {
    double factor = 1;
    for (auto [tile, extent] : llvm::zip_equal(tiles, extents))
      factor *= double(tile.extent) / double(extent);
    return factor;
  }

  WayOut makeTileWay(const Extents &extents, std::string &what) const;
  std::string describeDims(const TileDimension &tile) const;

  KernelContext context;
  const TargetInfo &target;
  const WorkgroupBudget &budget;
  const BudgetReport &report;
  /// Bytes that suffice.
  int64_t goal;
  std::vector<TileDimension> tiles;
  Extents extentsNow;
  std::vector<Candidate> ways;
};
} // namespace

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

int64_t Finder::repack(const packing::Problem &problem) const {
  if (problem.buffers.size() > kMaxSearched)
    return packing::bestFit(problem).height;
  packing::ExactOptions options;
  options.maxNodes = kMaxNodes;
  return packing::solveExact(problem, options).solution->height;
}

std::optional<packing::Problem> Finder::resize(const Extents &extents) const {
  ArrayRef<BudgetBuffer> buffers = budget.getWorkgroupBuffers();
  DenseMap<unsigned, SmallVector<int64_t>> shapes;
  for (auto [number, tile] : llvm::enumerate(tiles))
    if (extents[number] != tile.extent)
      for (auto [buffer, dim] : tile.dims) {
        auto [it, isNew] = shapes.try_emplace(buffer);
        if (isNew)
          it->second =
              SmallVector<int64_t>(buffers[buffer].getType().getShape());
        it->second[dim] = extents[number];
      }
  packing::Problem problem = budget.getProblem();
  for (auto &[buffer, shape] : shapes) {
    std::optional<int64_t> bytes =
        getResizedBytes(buffers[buffer].getType(), shape, target);
    if (!bytes)
      return std::nullopt;
    problem.buffers[buffer].bytes = *bytes;
  }
  return problem;
}

/// By how much the live bytes exceed what suffices, summed over the points
/// where a buffer begins to live. Falls with every cut that helps.
uint64_t Finder::getExcess(const packing::Problem &problem) const {
  // What happens to the live bytes: at a point, as a buffer begins or not.
  std::vector<std::tuple<int64_t, bool, int64_t>> changes;
  for (const packing::Buffer &buffer : problem.buffers)
    for (packing::Interval interval : buffer.live) {
      changes.emplace_back(interval.begin, true, buffer.bytes);
      changes.emplace_back(interval.end, false, -buffer.bytes);
    }
  llvm::sort(changes);
  uint64_t excess = 0;
  int64_t live = 0;
  for (auto it = changes.begin(); it != changes.end();) {
    int64_t point = std::get<0>(*it);
    uint64_t begins = 0;
    for (; it != changes.end() && std::get<0>(*it) == point; ++it) {
      begins += std::get<1>(*it);
      live += std::get<2>(*it);
    }
    excess = llvm::SaturatingMultiplyAdd(
        begins, uint64_t(std::max<int64_t>(live - goal, 0)), excess);
  }
  return excess;
}

std::optional<int64_t> Finder::shrink(unsigned tile, int64_t extent) const {
  if (extent <= 1)
    return std::nullopt;
  if (tiles[tile].isStage)
    return extent - 1;
  // An odd extent has a halo or padding in it, which does not shrink.
  if (extent % 2)
    return std::nullopt;
  return extent / 2;
}

/// Completes `way`, whose bytes are known, and keeps it if it helps.
void Finder::add(WayOut way, StringRef what, double factor) {
  if (way.bytes >= report.packedBytes || (report.fits && !suffices(way)))
    return;
  way.fits = way.bytes <= report.optInLimit;
  way.workgroupsPerUnit =
      target.getOccupancy(way.bytes, report.occupancy.threads);
  way.text = llvm::formatv("{0}: {1} -> {2} bytes", what, report.packedBytes,
                           way.bytes)
                 .str();
  if (!way.fits)
    way.text += ", which is still too much";
  else if (report.fits)
    way.text += llvm::formatv(", {0} workgroups per compute unit",
                              way.workgroupsPerUnit)
                    .str();
  ways.push_back({std::move(way), factor});
}

//===----------------------------------------------------------------------===//
// Kinds of ways
//===----------------------------------------------------------------------===//

/// Leaves those of `all` that have the most bytes, in their order.
template <typename T>
static void keepLargest(std::vector<T> &all,
                        llvm::function_ref<uint64_t(const T &)> getBytes) {
  if (all.size() <= kMaxTried)
    return;
  std::vector<std::pair<uint64_t, size_t>> order;
  for (auto [number, one] : llvm::enumerate(all))
    order.emplace_back(~getBytes(one), number);
  llvm::sort(order);
  order.resize(kMaxTried);
  llvm::sort(order, llvm::less_second());
  std::vector<T> kept;
  for (size_t number : llvm::make_second_range(order))
    kept.push_back(std::move(all[number]));
  all = std::move(kept);
}

void Finder::addReuse() {
  WayOut way;
  way.kind = WayOut::Kind::Reuse;
  way.bytes = repack(budget.getProblem());
  add(std::move(way), "let buffers that are not live at once share bytes");
}

void Finder::addPrivate() {
  int64_t left = target.privateBytes - report.privateBytes;
  std::vector<PrivateCandidate> candidates =
      findPrivateCandidates(context, budget);
  auto tryAll = [&](ArrayRef<PrivateCandidate> some) {
    WayOut way;
    way.kind = WayOut::Kind::Private;
    std::vector<std::string> names;
    packing::Problem problem = budget.getProblem();
    for (const PrivateCandidate &candidate : some) {
      way.buffers.push_back(candidate.buffer);
      if (candidate.bytesPerThread > left - way.privateBytesPerThread)
        return;
      way.privateBytesPerThread += candidate.bytesPerThread;
      names.push_back("'" + report.buffers[candidate.buffer].name + "'");
    }
    for (const PrivateCandidate &candidate : llvm::reverse(some))
      problem.buffers.erase(problem.buffers.begin() + candidate.buffer);
    way.bytes = repack(problem);
    std::string what =
        llvm::formatv("keep {0} in private memory, {1} {2} for each thread, "
                      "since no thread reads there what another one writes",
                      llvm::join(names, " and "), way.privateBytesPerThread,
                      way.privateBytesPerThread == 1 ? "byte" : "bytes")
            .str();
    add(std::move(way), what);
  };
  std::vector<PrivateCandidate> largest = candidates;
  keepLargest<PrivateCandidate>(largest, [&](const PrivateCandidate &one) {
    return budget.getProblem().buffers[one.buffer].bytes;
  });
  for (const PrivateCandidate &candidate : largest)
    tryAll(candidate);
  if (candidates.size() > 1 && !anySuffices())
    tryAll(candidates);
}

std::string Finder::describeDims(const TileDimension &tile) const {
  std::vector<std::string> parts;
  for (auto [buffer, dim] : ArrayRef(tile.dims).take_front(kMaxNamedDims))
    parts.push_back(llvm::formatv("dimension {0} of '{1}'", dim,
                                  report.buffers[buffer].name));
  if (tile.dims.size() > kMaxNamedDims)
    parts.push_back(
        llvm::formatv("{0} more", tile.dims.size() - kMaxNamedDims));
  return llvm::join(parts, " and ");
}

WayOut Finder::makeTileWay(const Extents &extents, std::string &what) const {
  WayOut way;
  way.kind = WayOut::Kind::Stages;
  std::vector<std::string> parts;
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    int64_t extent = extents[number];
    if (extent == tile.extent)
      continue;
    for (auto [buffer, dim] : tile.dims)
      way.resizes.push_back({buffer, dim, tile.extent, extent});
    if (!tile.isStage)
      way.kind = WayOut::Kind::Tile;
    std::string dims = describeDims(tile);
    if (tile.isStage)
      parts.push_back(llvm::formatv("{0} instead of {1} stages ({2})", extent,
                                    tile.extent, dims));
    else if (extent * 2 == tile.extent)
      parts.push_back(llvm::formatv("halve {0} ({1})", dims, tile.extent));
    else
      parts.push_back(
          llvm::formatv("cut {0} from {1} to {2}", dims, tile.extent, extent));
  }
  what = llvm::join(parts, ", and ");
  return way;
}

void Finder::addTiles() {
  for (unsigned tile = 0; tile < tiles.size(); ++tile) {
    Extents extents = extentsNow;
    std::optional<WayOut> best;
    std::string bestWhat;
    double bestFactor = 1;
    // The first that suffices, else the first.
    while (std::optional<int64_t> next = shrink(tile, extents[tile])) {
      extents[tile] = *next;
      std::optional<packing::Problem> problem = resize(extents);
      if (!problem)
        break;
      std::string what;
      WayOut way = makeTileWay(extents, what);
      way.bytes = repack(*problem);
      if (!best || suffices(way)) {
        best = std::move(way);
        bestWhat = std::move(what);
        bestFactor = getFactor(extents);
      }
      if (suffices(*best))
        break;
    }
    if (best)
      add(std::move(*best), bestWhat, bestFactor);
  }
}

/// Several dimensions, when no single one suffices: always the step that takes
/// most from what is too much.
void Finder::addCombination() {
  Extents extents = extentsNow;
  packing::Problem problem = budget.getProblem();
  uint64_t excess = getExcess(problem);
  for (unsigned step = 0; step < kMaxSteps && excess > 0; ++step) {
    std::optional<Extents> best;
    for (unsigned tile = 0; tile < tiles.size(); ++tile) {
      std::optional<int64_t> next = shrink(tile, extents[tile]);
      if (!next)
        continue;
      Extents candidate = extents;
      candidate[tile] = *next;
      std::optional<packing::Problem> resized = resize(candidate);
      uint64_t left = resized ? getExcess(*resized) : excess;
      if (left >= excess)
        continue;
      excess = left;
      problem = std::move(*resized);
      best = std::move(candidate);
    }
    if (!best)
      return;
    extents = std::move(*best);
  }
  std::string what;
  WayOut way = makeTileWay(extents, what);
  way.bytes = repack(problem);
  if (suffices(way) && !way.resizes.empty())
    add(std::move(way), what, getFactor(extents));
}

/// More memory instead of fewer bytes.
void Finder::addOtherMemory() {
  WayOut way;
  way.bytes = report.packedBytes;
  way.fits = true;
  std::vector<std::string> parts;
  if (std::optional<TargetInfo> chip = lookupTarget(target.chip))
    if (chip->maxWorkgroupBytes >= report.packedBytes) {
      WayOut limit = way;
      limit.kind = WayOut::Kind::Limit;
      limit.chips = {target.chip};
      limit.workgroupsPerUnit =
          chip->getOccupancy(report.packedBytes, report.occupancy.threads);
      limit.text =
          llvm::formatv("raise the limit of {0} bytes: {1} has {2}",
                        report.optInLimit, target.chip, chip->maxWorkgroupBytes)
              .str();
      ways.push_back({std::move(limit)});
      return;
    }
  // Code for one vendor's chips does not run on another's.
  SmallVector<TargetInfo> chips = getKnownTargets();
  llvm::erase_if(chips, [&](const TargetInfo &chip) {
    return (target.vendor != TargetVendor::Generic &&
            chip.vendor != target.vendor) ||
           chip.getOccupancy(report.packedBytes, report.occupancy.threads) == 0;
  });
  if (chips.empty())
    return;
  llvm::stable_sort(chips, [](const TargetInfo &a, const TargetInfo &b) {
    return a.maxWorkgroupBytes < b.maxWorkgroupBytes;
  });
  way.kind = WayOut::Kind::Chip;
  for (const TargetInfo &chip : chips) {
    way.chips.push_back(chip.chip);
    parts.push_back(
        llvm::formatv("{0} ({1})", chip.chip, chip.maxWorkgroupBytes));
  }
  way.text =
      "use a chip with more workgroup memory: " + llvm::join(parts, ", ");
  ways.push_back({std::move(way)});
}

//===----------------------------------------------------------------------===//
// Ranking
//===----------------------------------------------------------------------===//

/// How much a way changes: nothing that the kernel computes, its shapes, or
/// what it runs on.
static int getWeight(WayOut::Kind kind) {
  switch (kind) {
  case WayOut::Kind::Reuse:
  case WayOut::Kind::Private:
    return 0;
  case WayOut::Kind::Stages:
  case WayOut::Kind::Tile:
    return 1;
  case WayOut::Kind::Limit:
  case WayOut::Kind::Chip:
    return 2;
  }
  llvm_unreachable("a kind of its own");
}

std::vector<WayOut> Finder::run() {
  tiles = findTileDimensions(context, budget);
  keepLargest<TileDimension>(tiles, [&](const TileDimension &tile) {
    uint64_t bytes = 0;
    for (auto [buffer, dim] : tile.dims)
      bytes = llvm::SaturatingAdd(
          bytes, uint64_t(budget.getProblem().buffers[buffer].bytes));
    return bytes;
  });
  for (const TileDimension &tile : tiles)
    extentsNow.push_back(tile.extent);
  addReuse();
  addPrivate();
  addTiles();
  if (!anySuffices())
    addCombination();
  if (!report.fits)
    addOtherMemory();
  auto helps = [&](const Candidate &candidate) {
    return report.fits ? suffices(candidate.way) : candidate.way.fits;
  };
  llvm::stable_sort(ways, [&](const Candidate &a, const Candidate &b) {
    if (helps(a) != helps(b))
      return helps(a);
    if (getWeight(a.way.kind) != getWeight(b.way.kind))
      return getWeight(a.way.kind) < getWeight(b.way.kind);
    // What is not enough had better be much.
    if (!helps(a))
      return a.way.bytes < b.way.bytes;
    if (a.factor != b.factor)
      return a.factor < b.factor;
    return a.way.bytes > b.way.bytes;
  });
  std::vector<WayOut> result;
  for (const Candidate &candidate : ArrayRef(ways).take_front(kMaxWays))
    result.push_back(candidate.way);
  return result;
}

std::vector<WayOut> mlir::memspace::findWaysOut(const KernelContext &context,
                                                const WorkgroupBudget &budget,
                                                const BudgetReport &report) {
  if (report.fits && !report.occupancy.nextStepBytes)
    return {};
  int64_t goal =
      report.fits ? *report.occupancy.nextStepBytes : report.optInLimit;
  return Finder(context, budget, report, goal).run();
}
