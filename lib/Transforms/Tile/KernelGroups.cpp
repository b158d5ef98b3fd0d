//===- KernelGroups.cpp - which ops become one kernel ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the last op to the first: an op that is in no group yet is the anchor of
// a new one, and takes the producers that fit with it. All that reads an op's
// result is then in its group, or in one that was made before and runs later:
// groups do not depend on each other in a circle.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/KernelGroups.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::memspace;

/// Fewer workgroups than these leave a GPU idle.
static constexpr int64_t kFewWorkgroups = 32;
/// A loop of so few iterations may as well be done by one workgroup.
static constexpr int64_t kShortLoop = 256;
/// So many elements one workgroup can well go over alone.
static constexpr int64_t kFewElements = 8192;
/// One workgroup is through with so many iterations of a reduction before a
/// second kernel is launched.
static constexpr int64_t kFewIterations = 1 << 16;
/// The extent that an unknown one counts as.
static constexpr int64_t kUnknownExtent = 1024;

namespace {
class Grouper {
public:
  Grouper(func::FuncOp function, int64_t bytes,
          const DenseSet<Operation *> &partial);
  std::vector<KernelGroup> run();

private:
  bool joins(Operation *op, const KernelGroup &group) const;
  bool isWorthwhile(Operation *op, TilingInterface anchor,
                    const LoopLabels &before, const LoopLabels &after) const;
  bool isShared(const KernelGroup &group, TilingInterface anchor,
                const LoopLabels &before, const LoopLabels &after) const;
  bool fits(const KernelGroup &group, const LoopLabels &labels) const;

  /// All ops that can be tiled, in program order.
  KernelGroup ops;
  DenseMap<Operation *, unsigned> numbers;
  DenseSet<Operation *> isGrouped;
  int64_t bytes;
  const DenseSet<Operation *> &partial;
};
} // namespace

Grouper::Grouper(func::FuncOp function, int64_t bytes,
                 const DenseSet<Operation *> &partial)
    : bytes(bytes), partial(partial) {
  for (Operation &op : function.front())
    if (isTilable(&op))
      numbers[&op] = ops.size(), ops.push_back(&op);
}

static int64_t getExtent(Operation *op, unsigned loop) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return kUnknownExtent;
  int64_t extent = linalgOp.getStaticLoopRanges()[loop];
  return ShapedType::isDynamic(extent) ? kUnknownExtent : extent;
}

/// Iterations of `loops` of `op`.
static int64_t getIterations(Operation *op, ArrayRef<unsigned> loops) {
  int64_t product = 1;
  for (unsigned loop : loops)
    product = llvm::SaturatingMultiply<uint64_t>(product, getExtent(op, loop)) &
              INT64_MAX;
  return product;
}

/// What workgroups could share out without `op` and cannot with it is not too
/// much to give up.
bool Grouper::isWorthwhile(Operation *op, TilingInterface anchor,
                           const LoopLabels &before,
                           const LoopLabels &after) const {
  if (before.getLoops().size() == after.getLoops().size())
    return true;
  int64_t iterations = getIterations(anchor, before.getLoops());
  int64_t left = getIterations(anchor, after.getLoops());
  if (iterations <= kFewElements)
    return true;
  // What a workgroup then does alone.
  int64_t alone = iterations / left;
  if (isContraction(op))
    return left >= kFewWorkgroups && alone <= kShortLoop;
  return left >= kFewWorkgroups || alone <= kFewElements;
}

/// What a workgroup does of a reduction alone, if workgroups share out the
/// loops that have labels.
static int64_t getIterationsAlone(Operation *op, const LoopLabels &labels) {
  int64_t iterations = 1;
  for (auto [loop, label] : llvm::enumerate(labels.get(op)))
    if (label == LoopLabels::kNone ||
        !llvm::is_contained(labels.getLoops(), unsigned(label)))
      iterations =
          llvm::SaturatingMultiply<uint64_t>(iterations, getExtent(op, loop)) &
          INT64_MAX;
  return iterations;
}

/// Where `group`, which is larger by its first op, leaves a GPU idle, no
/// workgroup has much more to do of a reduction than without that op in it.
bool Grouper::isShared(const KernelGroup &group, TilingInterface anchor,
                       const LoopLabels &before,
                       const LoopLabels &after) const {
  if (getIterations(anchor, after.getLoops()) >= kFewWorkgroups)
    return true;
  return llvm::all_of(group, [&](Operation *op) {
    if (!isReduction(op))
      return true;
    int64_t alone = getIterationsAlone(op, after);
    if (alone <= kFewIterations)
      return true;
    if (op != group.front())
      return alone <= getIterationsAlone(op, before);
    SmallVector<unsigned> reductions;
    cast<linalg::LinalgOp>(op).getReductionDims(reductions);
    return alone <= getIterations(op, reductions);
  });
}

/// A fill that others begin with takes no memory of its own.
static bool isOnlyInit(Operation *op) {
  return isa<linalg::FillOp>(op) &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto style = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
           return style && style.isDpsInit(&use);
         });
}

/// What the group's tensors take for one iteration of the loops over
/// workgroups.
bool Grouper::fits(const KernelGroup &group, const LoopLabels &labels) const {
  uint64_t sum = 0;
  for (Operation *op : ArrayRef(group).drop_back()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || isOnlyInit(op))
      continue;
    for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
      auto type = cast<RankedTensorType>(init.get().getType());
      uint64_t size = type.getElementType().isIntOrFloat()
                          ? llvm::divideCeil(type.getElementTypeBitWidth(), 8)
                          : 8;
      AffineMap map = linalgOp.getMatchingIndexingMap(&init);
      for (auto [expr, extent] :
           llvm::zip_equal(map.getResults(), type.getShape())) {
        auto loop = dyn_cast<AffineDimExpr>(expr);
        if (loop && labels.get(op)[loop.getPosition()] != LoopLabels::kNone)
          continue;
        // No kernel holds what has no bound.
        if (ShapedType::isDynamic(extent))
          return false;
        size = llvm::SaturatingMultiply<uint64_t>(size, extent);
      }
      sum = llvm::SaturatingAdd<uint64_t>(sum, size);
    }
  }
  return sum <= static_cast<uint64_t>(bytes);
}

bool Grouper::joins(Operation *op, const KernelGroup &group) const {
  if (!isa<linalg::LinalgOp>(op) || !isa<linalg::LinalgOp>(group.back()) ||
      partial.contains(op))
    return false;
  bool isStored = false;
  for (Operation *user : op->getUsers()) {
    if (llvm::is_contained(group, user) || isa<tensor::DimOp>(user))
      continue;
    if (!isGrouped.contains(user) &&
        !isa<bufferization::MaterializeInDestinationOp>(user))
      return false;
    isStored = true;
  }
  KernelGroup larger(group);
  larger.insert(larger.begin(), op);
  auto anchor = cast<TilingInterface>(group.back());
  LoopLabels before(anchor, group), after(anchor, larger);
  if (isStored &&
      (op->getNumResults() != 1 || !after.isPartitioned(op->getResult(0))))
    return false;
  return isWorthwhile(op, anchor, before, after) &&
         isShared(larger, anchor, before, after) && fits(larger, after);
}

std::vector<KernelGroup> Grouper::run() {
  std::vector<KernelGroup> groups;
  for (unsigned last = ops.size(); last-- > 0;) {
    if (isGrouped.contains(ops[last]))
      continue;
    KernelGroup group;
    // From the last one on: all users of a producer are seen before it.
    std::set<unsigned> candidates;
    auto add = [&](Operation *op) {
      group.insert(group.begin(), op);
      isGrouped.insert(op);
      for (Value operand : op->getOperands())
        if (auto it = numbers.find(operand.getDefiningOp());
            it != numbers.end() && !isGrouped.contains(it->first))
          candidates.insert(it->second);
    };
    add(ops[last]);
    while (!candidates.empty()) {
      Operation *op = ops[*candidates.rbegin()];
      candidates.erase(std::prev(candidates.end()));
      if (joins(op, group))
        add(op);
    }
    groups.push_back(std::move(group));
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

std::vector<KernelGroup>
memspace::getKernelGroups(func::FuncOp function, int64_t bytes,
                          const DenseSet<Operation *> &partial) {
  return Grouper(function, bytes, partial).run();
}
