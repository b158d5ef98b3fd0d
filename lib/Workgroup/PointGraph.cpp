//===- PointGraph.cpp - where barriers can stand, and what follows what ---===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointGraph.h"
#include "IR/MLIRVersion.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

/// True when no barrier can stand inside `op`, or nothing is known of the order
/// inside.
static bool isOnePoint(Operation *op, const Uniformity &uniformity) {
  if (!isControlFlow(op))
    return true;
  return !isa<RegionBranchOpInterface>(op) ||
         uniformity.getControlScope(op) > ExecutionScope::Workgroup;
}

/// True when all threads go the same way at each branch between the blocks of
/// `body`.
static bool areBranchesUniform(Region &body, const Uniformity &uniformity) {
  bool areKnown = llvm::all_of(body, [](Block &block) {
    return block.getNumSuccessors() == 0 ||
           isa<BranchOpInterface>(block.getTerminator());
  });
  return areKnown &&
         llvm::none_of(uniformity.getDivergentBranches(),
                       [&](const DivergentBranch &branch) {
                         return branch.terminator->getParentRegion() == &body;
                       });
}

PointGraph::PointGraph(const KernelContext &context,
                       const Uniformity &uniformity)
    : grid(context.getShape().grid) {
  Region &body = context.getKernel().getFunctionBody();
  if (body.hasOneBlock()) {
    visit(body.front(), {}, uniformity);
    return;
  }
  ordered = areBranchesUniform(body, uniformity);
  if (!ordered)
    return;
  SmallVector<Ends> ends;
  for (Block &block : body) {
    unsigned begin = add(&block.front(), {});
    blockBegins[&block] = begin;
    ends.push_back(visit(block, {begin}, uniformity));
  }
  connectBlocks(ends, body);
}

void PointGraph::connectBlocks(ArrayRef<Ends> ends, Region &body) {
  for (auto [block, from] : llvm::zip_equal(body, ends)) {
    auto branch = dyn_cast<BranchOpInterface>(block.getTerminator());
    if (!branch)
      continue;
    for (auto [number, next] : llvm::enumerate(block.getSuccessors())) {
      SuccessorOperands operands = branch.getSuccessorOperands(number);
      for (unsigned end : from) {
        Way way{end, blockBegins.lookup(next), {}};
        for (BlockArgument argument : next->getArguments())
          way.passed.push_back({operands[argument.getArgNumber()], argument});
        connect(way.from, way.end);
        ways.push_back(std::move(way));
      }
    }
  }
}

PointGraph::Ends PointGraph::visit(Block &block, Ends ends,
                                   const Uniformity &uniformity) {
  for (Operation &op : block) {
    if (isOnePoint(&op, uniformity)) {
      // What has no effect and takes no buffer is passed by.
      if (isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
          !isa<memref::ViewOp>(op))
        continue;
      unsigned number = add(&op, ends);
      pointOf[&op] = number;
      ends = {number};
      continue;
    }
    ends = visitStructured(cast<RegionBranchOpInterface>(&op), std::move(ends),
                           uniformity);
  }
  return ends;
}

/// True when the body of a loop runs at least once.
static bool runsAtLeastOnce(Operation *op) {
  CountedLoop loop = CountedLoop::get(op);
  if (!loop || loop.isUnsigned())
    return false;
  std::optional<int64_t> lower = loop.getLower().getConstant();
  std::optional<int64_t> upper = loop.getUpper().getConstant();
  return lower && upper && *lower < *upper;
}

PointGraph::Ends PointGraph::visitStructured(RegionBranchOpInterface op,
                                             Ends ends,
                                             const Uniformity &uniformity) {
  unsigned enter = add(op, ends);
  pointOf[op] = enter;
  // One point at the beginning of each region, which branches lead to.
  DenseMap<Region *, Ends> regionEnds;
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    unsigned begin = add(op, {});
    regionBegins[&region] = begin;
    regionEnds[&region] = visit(region.front(), {begin}, uniformity);
  }
  unsigned exit = add(op, {});
  // A workgroup may have no iteration, and several if the grid is too small.
  if (auto forall = dyn_cast<scf::ForallOp>(op.getOperation())) {
    connect(enter, exit);
    if (!runsOnceInWorkgroup(forall, grid))
      for (unsigned end : regionEnds[&forall.getRegion()])
        connect(end, regionBegins[&forall.getRegion()]);
  }
  SmallVector<RegionSuccessor> successors;
  auto connectTo = [&](const Ends &from,
                       RegionBranchTerminatorOpInterface terminator) {
    for (RegionSuccessor &successor : successors) {
      Region *region = successor.getSuccessor();
      unsigned to = region ? regionBegins.lookup(region) : exit;
      OperandRange operands = terminator
                                  ? terminator.getSuccessorOperands(successor)
                                  : op.getEntrySuccessorOperands(successor);
      for (unsigned end : from) {
        Way way{end, to, {}};
        for (auto [value, input] :
             llvm::zip_first(operands, getSuccessorInputs(op, successor)))
          way.passed.push_back({value, input});
        connect(end, to);
        ways.push_back(std::move(way));
      }
    }
  };
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  if (runsAtLeastOnce(op))
    llvm::erase_if(successors, [](RegionSuccessor &successor) {
      return !successor.getSuccessor();
    });
  connectTo({enter}, {});
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    successors.clear();
    // Not each terminator says where it goes: that of a forall does not.
    auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(
        region.front().getTerminator());
    if (terminator)
      op.getSuccessorRegions(RegionBranchPoint(terminator), successors);
    else
      op.getSuccessorRegions(region, successors);
    connectTo(regionEnds[&region], terminator);
    if (successors.empty())
      for (unsigned end : regionEnds[&region])
        connect(end, exit);
  }
  return {exit};
}
