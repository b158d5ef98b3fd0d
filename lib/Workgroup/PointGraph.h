//===- PointGraph.h - where barriers can stand, and what follows what -----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The points of a kernel of one block, see WorkgroupLiveness.h, as a graph.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_WORKGROUP_POINTGRAPH_H
#define MEMSPACE_LIB_WORKGROUP_POINTGRAPH_H

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Threads/Uniformity.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace mlir {
namespace memspace {

/// The points of a kernel and the ways between them.
class PointGraph {
public:
  /// A way from one point to another on which values become others.
  struct Way {
    unsigned from, end;
    /// Pairs of a value and the argument or result that it becomes.
    SmallVector<std::pair<Value, Value>, 2> passed;
  };

  PointGraph(const KernelContext &context, const Uniformity &uniformity);

  /// False for a kernel of several blocks where threads part, or of which is
  /// not known what follows what: it has no points.
  bool isOrdered() const { return ordered; }
  /// By point, its op.
  ArrayRef<Operation *> getPoints() const { return points; }
  /// By point, those that may come next.
  ArrayRef<SmallVector<unsigned, 2>> getFollowing() const { return following; }
  /// The ways on which values are passed, in any order.
  ArrayRef<Way> getWays() const { return ways; }
  /// The point of `op` or of the op that contains it and is one point.
  unsigned getPoint(Operation *op) const {
    for (; op; op = op->getParentOp()) {
      auto it = pointOf.find(op);
      if (it != pointOf.end())
        return it->second;
    }
    llvm_unreachable("an op outside of the kernel");
  }
  /// True when `op` is one point with all that it contains, or in one that is.
  bool isInOnePoint(Operation *op) const {
    return !regionBegins.contains(op->getParentRegion()) &&
           !isa<FunctionOpInterface>(op->getParentOp());
  }
  /// True for an argument of a region or of a block and for a result of an op
  /// with regions that all threads get together.
  bool isPassedTogether(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return blockBegins.contains(argument.getOwner()) ||
             (argument.getOwner()->isEntryBlock() &&
              regionBegins.contains(argument.getOwner()->getParent()));
    return llvm::any_of(
        value.getDefiningOp()->getRegions(),
        [&](Region &region) { return regionBegins.contains(&region); });
  }
  /// Where an iteration of `loop` begins; none for an op that is one point.
  std::optional<unsigned> getIterationBegin(Operation *loop) const {
    auto it = regionBegins.find(&loop->getRegion(0));
    if (it == regionBegins.end())
      return std::nullopt;
    return it->second;
  }

private:
  using Ends = SmallVector<unsigned, 2>;

  unsigned add(Operation *op, ArrayRef<unsigned> from) {
    unsigned number = points.size();
    points.push_back(op);
    following.emplace_back();
    for (unsigned end : from)
      connect(end, number);
    return number;
  }
  void connect(unsigned from, unsigned to) { following[from].push_back(to); }
  void connectBlocks(ArrayRef<Ends> ends, Region &body);
  Ends visit(Block &block, Ends ends, const Uniformity &uniformity);
  Ends visitStructured(RegionBranchOpInterface op, Ends ends,
                       const Uniformity &uniformity);

  std::optional<LaunchSizes> grid;
  bool ordered = true;
  std::vector<Operation *> points;
  std::vector<SmallVector<unsigned, 2>> following;
  std::vector<Way> ways;
  DenseMap<Operation *, unsigned> pointOf;
  DenseMap<Region *, unsigned> regionBegins;
  /// Where the blocks of the kernel begin, if there are several.
  DenseMap<Block *, unsigned> blockBegins;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_WORKGROUP_POINTGRAPH_H
