//===- SwappedBuffers.cpp - buffers that loops exchange -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPairs.h"
#include "BlockCircles.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A loop with a counter, or one of blocks, and what it carries as arguments of
/// the block where its iterations begin.
class CarryingLoop {
public:
  /// None for an argument that no such loop carries.
  static std::optional<CarryingLoop> get(BlockArgument arg,
                                         BlockCircles &circles);

  /// What one iteration passes on to the next as `arg`, if that is what it has
  /// been passed itself; else null.
  BlockArgument getPassedOn(BlockArgument arg) const;
  /// What `arg` is in the first iteration; null if it may be several values.
  Value getInit(BlockArgument arg) const;
  /// How many iterations of it `timing` says are between the first access and
  /// the second, which `carryingLoop` carries; none where that is not known.
  std::optional<unsigned> getDistance(Operation *carryingLoop,
                                      const IterationTiming &timing) const;

private:
  /// What branches from outside of the circle pass, or those in it.
  Value getFromBlocks(BlockArgument arg, bool fromInside) const;

  mutable LoopLikeOpInterface loop;
  /// Without an op.
  const CFGLoop *circle = nullptr;
};
} // namespace

std::optional<CarryingLoop> CarryingLoop::get(BlockArgument arg,
                                              BlockCircles &circles) {
  CarryingLoop result;
  Block *block = arg.getOwner();
  if (!block->isEntryBlock()) {
    result.circle = circles.get(block);
    if (!result.circle || result.circle->getHeader() != block)
      return std::nullopt;
    return result;
  }
  CountedLoop counted = CountedLoop::get(block->getParentOp());
  if (!counted || arg == counted.getInductionVar())
    return std::nullopt;
  result.loop = cast<LoopLikeOpInterface>(counted.getOperation());
  return result;
}

Value CarryingLoop::getFromBlocks(BlockArgument arg, bool fromInside) const {
  Value value;
  Block *head = arg.getOwner();
  for (auto it = head->pred_begin(); it != head->pred_end(); ++it) {
    if (circle->contains(*it) != fromInside)
      continue;
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value passed = branch ? branch.getSuccessorOperands(
                                it.getSuccessorIndex())[arg.getArgNumber()]
                          : Value();
    if (!passed || (value && value != passed))
      return {};
    value = passed;
  }
  return value;
}

BlockArgument CarryingLoop::getPassedOn(BlockArgument arg) const {
  Value passed;
  if (circle)
    passed = getFromBlocks(arg, /*fromInside=*/true);
  else if (OpOperand *yielded = loop.getTiedLoopYieldedValue(arg))
    passed = yielded->get();
  auto next = dyn_cast_if_present<BlockArgument>(passed);
  return next && next.getOwner() == arg.getOwner() ? next : BlockArgument();
}

Value CarryingLoop::getInit(BlockArgument arg) const {
  return circle ? getFromBlocks(arg, /*fromInside=*/false)
                : loop.getTiedLoopInit(arg)->get();
}

std::optional<unsigned>
CarryingLoop::getDistance(Operation *carryingLoop,
                          const IterationTiming &timing) const {
  if (!carryingLoop)
    return 0;
  if (circle) {
    Operation *around = circle->getHeader()->getParentOp();
    if (carryingLoop != around &&
        BlockCircles::isOn(circle, carryingLoop, around))
      return 0;
    // Which loop of blocks it is says the timing.
    if (timing.circle && timing.circle != circle &&
        circle->contains(timing.circle))
      return 0;
    return timing.circle == circle && timing.distance == 1
               ? std::optional<unsigned>(1)
               : std::nullopt;
  }
  if (carryingLoop == loop.getOperation() && timing.distance == 1)
    return 1;
  return carryingLoop->isAncestor(loop) ? std::nullopt
                                        : std::optional<unsigned>(0);
}

bool mlir::memspace::areSwappedBuffers(const MemoryAccess &a,
                                       const MemoryAccess &b,
                                       Operation *carryingLoop,
                                       const IterationTiming &timing,
                                       BlockCircles &circles,
                                       const KernelContext &context) {
  auto left = dyn_cast_if_present<BlockArgument>(a.view);
  auto right = dyn_cast_if_present<BlockArgument>(b.view);
  if (!left || !right || left.getOwner() != right.getOwner())
    return false;
  std::optional<CarryingLoop> loop = CarryingLoop::get(left, circles);
  if (!loop || !CarryingLoop::get(right, circles))
    return false;
  std::optional<unsigned> distance = loop->getDistance(carryingLoop, timing);
  // What the second is has been passed on by the iteration of the first.
  if (distance == 1u)
    right = loop->getPassedOn(right);
  if (!distance || !right || left == right)
    return false;
  // Followed from any argument, the yields stay among the arguments and no
  // buffer is yielded twice.
  DenseSet<Value> yielded;
  SmallVector<BlockArgument> work{left, right};
  DenseSet<Value> seen{left, right};
  while (!work.empty()) {
    BlockArgument next = loop->getPassedOn(work.pop_back_val());
    if (!next || !yielded.insert(next).second)
      return false;
    if (seen.insert(next).second)
      work.push_back(next);
  }
  std::vector<SmallVector<MemoryBase, 2>> bases;
  for (Value arg : seen) {
    Value init = loop->getInit(cast<BlockArgument>(arg));
    if (!init)
      return false;
    bases.push_back(getMemoryBases(init, context));
  }
  for (unsigned i = 0; i < bases.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      for (const MemoryBase &x : bases[i])
        for (const MemoryBase &y : bases[j])
          if (mayShareBytes(x, y))
            return false;
  return true;
}
