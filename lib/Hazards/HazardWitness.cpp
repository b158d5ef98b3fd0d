//===- HazardWitness.cpp - two executions behind a hazard -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPairs.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "Threads/OneThreadEvaluator.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printIds(llvm::raw_ostream &os, const std::array<int64_t, 3> &ids) {
  os << "(" << ids[0] << ", " << ids[1] << ", " << ids[2] << ")";
}

std::string HazardWitness::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The names that the printed kernel has.
  OpPrintingFlags flags;
  flags.useLocalScope();
  auto print = [&](const OverlapWitness::Side &side) {
    os << "thread ";
    printIds(os, side.thread);
    if (differentWorkgroups) {
      os << " of workgroup ";
      printIds(os, side.block);
    }
    for (auto [index, entry] : llvm::enumerate(side.values)) {
      os << (index ? ", " : " with ");
      entry.first.printAsOperand(os, flags);
      os << " = " << entry.second;
    }
  };
  print(overlap.sides[0]);
  os << " and ";
  print(overlap.sides[1]);
  os << (certain ? " touch " : " may touch ");
  if (byte)
    os << "byte " << *byte;
  else
    os << "the same place";
  if (!root)
    return text;
  os << " of ";
  if (auto symbol = dyn_cast<Attribute>(root))
    os << symbol;
  else
    cast<Value>(root).printAsOperand(os, flags);
  return text;
}

//===----------------------------------------------------------------------===//
// Confirmation
//===----------------------------------------------------------------------===//

/// True when the loops around both ops are in iterations that one path may have
/// in this order: the same, but `carryingLoop` in a later one at the second op.
/// In `unordered`, a forall without a barrier, any two iterations may meet.
static bool areOrdered(Operation *a, Operation *b, Operation *carryingLoop,
                       Operation *unordered, OneThreadEvaluator &first,
                       OneThreadEvaluator &second) {
  if (carryingLoop && !CountedLoop::isOne(carryingLoop))
    return false;
  for (Operation *loop = unordered ? unordered : a->getParentOp(); loop;
       loop = loop->getParentOp()) {
    CountedLoop counted = CountedLoop::get(loop);
    if (!counted || !loop->isProperAncestor(b))
      continue;
    // Inside the carrying loop any two iterations may follow each other.
    if (carryingLoop && carryingLoop->isProperAncestor(loop))
      continue;
    std::optional<int64_t> left = first.evaluate(counted.getInductionVar());
    std::optional<int64_t> right = second.evaluate(counted.getInductionVar());
    if (!left || !right ||
        (loop == carryingLoop ? *left >= *right : *left != *right))
      return false;
  }
  return true;
}

/// The lowest place that is in both.
static std::optional<int64_t> findCommon(const IndexRange &a,
                                         const IndexRange &b,
                                         OneThreadEvaluator &first,
                                         OneThreadEvaluator &second) {
  std::optional<SmallVector<int64_t>> left = first.enumerate(a);
  std::optional<SmallVector<int64_t>> right = second.enumerate(b);
  if (left && right)
    for (int64_t place : *left)
      if (std::binary_search(right->begin(), right->end(), place))
        return place;
  return std::nullopt;
}

/// True for memrefs that are one in all threads: an allocation, a global or an
/// argument of the kernel, and views of it at constant places. What a loop
/// carries or a branch chooses may be another one in each thread.
static bool isOneMemRef(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>()) {
    Value source = op.getViewSource();
    for (Value operand : op->getOperands())
      if (operand != source && !matchPattern(operand, m_Constant()))
        return false;
    view = source;
  }
  if (auto arg = dyn_cast<BlockArgument>(view))
    return arg.getOwner()->isEntryBlock() &&
           isa<FunctionOpInterface>(arg.getOwner()->getParentOp());
  return view.getDefiningOp()->getNumRegions() == 0 &&
         (isa<memref::GetGlobalOp>(view.getDefiningOp()) ||
          hasSingleEffect<MemoryEffects::Allocate>(view.getDefiningOp(), view));
}

/// True when both touch an element that has the same indices in one memref.
static bool haveCommonElement(const MemoryAccess &a, const MemoryAccess &b,
                              OneThreadEvaluator &first,
                              OneThreadEvaluator &second) {
  if (a.view != b.view || !isOneMemRef(a.view) || !a.elements || !b.elements ||
      a.elements->size() != b.elements->size())
    return false;
  return llvm::all_of(llvm::zip(*a.elements, *b.elements), [&](auto ranges) {
    return findCommon(std::get<0>(ranges), std::get<1>(ranges), first, second)
        .has_value();
  });
}

/// False when the execution leaves the bounds of a memref that are constants:
/// it is none of a program with a meaning.
static bool isInBounds(const MemoryAccess &access,
                       OneThreadEvaluator &evaluator) {
  auto type = dyn_cast<MemRefType>(access.view.getType());
  if (!type || !access.elements)
    return true;
  for (auto [range, size] : llvm::zip(*access.elements, type.getShape())) {
    if (!range.size || ShapedType::isDynamic(size))
      continue;
    std::optional<SmallVector<int64_t>> indices = evaluator.enumerate(range);
    if (!indices || (!indices->empty() &&
                     (indices->front() < 0 || indices->back() >= size)))
      return false;
  }
  return true;
}

/// True when each of the two touches all that is known of it, of one memory
/// that `carryingLoop` does not allocate anew.
static bool haveOnePlace(const MemoryAccess &a, const MemoryAccess &b,
                         Operation *carryingLoop) {
  if (!a.exact || !b.exact || a.collective || b.collective ||
      a.bases.size() != 1 || b.bases.size() != 1)
    return false;
  const MemoryBase &base = a.bases.front();
  if (!base.root || base.root != b.bases.front().root)
    return false;
  Operation *allocation =
      base.rootValue ? base.rootValue.getDefiningOp() : nullptr;
  return !carryingLoop || !allocation || !carryingLoop->isAncestor(allocation);
}

std::optional<HazardWitness>
HazardAnalysis::findWitness(const MemoryAccess &a, const MemoryAccess &b,
                            ExecutionPair pair, Operation *carryingLoop,
                            const ThreadRelations &system) const {
  auto [left, right, areBytes] = getComparable(a, b);
  bool haveBytes = a.byteRange && b.byteRange &&
                   a.bases.front().root == b.bases.front().root;
  if (haveBytes) {
    left.ranges = SmallVector<IndexRange>{*a.byteRange};
    right.ranges = SmallVector<IndexRange>{*b.byteRange};
  }
  bool differentWorkgroups = pair == ExecutionPair::DifferentWorkgroups;
  Block *instance = nullptr;
  scf::ForallOp forall = differentWorkgroups
                             ? scf::ForallOp()
                             : getCommonForall(a.op, b.op, carryingLoop);
  if (forall) {
    carryingLoop = nullptr;
    instance = forall->getBlock();
  } else if (!carryingLoop && !differentWorkgroups) {
    instance = getCommonBlock(a.op, b.op, &dominance);
  }
  std::optional<OverlapWitness> overlap =
      system.findOverlap(left, right, pair, carryingLoop, instance);
  if (!overlap)
    return std::nullopt;

  HazardWitness witness;
  witness.overlap = std::move(*overlap);
  witness.differentWorkgroups = differentWorkgroups;
  if (a.bases.size() == 1 && b.bases.size() == 1 && a.bases.front().root &&
      a.bases.front().root == b.bases.front().root) {
    const MemoryBase &base = a.bases.front();
    if (base.rootValue)
      witness.root = base.rootValue;
    else
      witness.root = Attribute::getFromOpaquePointer(base.root);
  }
  const auto &sides = witness.overlap.sides;
  using Facts = OneThreadEvaluator::Facts;
  OneThreadEvaluator first(context, sides[0], Facts::Execution);
  OneThreadEvaluator second(context, sides[1], Facts::Execution);
  bool isPossible =
      first.executes(a.op) && second.executes(b.op) &&
      (differentWorkgroups
           ? sides[0].block != sides[1].block
           : sides[0].thread != sides[1].thread &&
                 areOrdered(a.op, b.op, carryingLoop,
                            forall && isPromising(forall) ? forall : nullptr,
                            first, second));
  if (haveBytes)
    witness.byte = findCommon(*a.byteRange, *b.byteRange, first, second);
  witness.certain = isPossible && haveOnePlace(a, b, carryingLoop) &&
                    isInBounds(a, first) && isInBounds(b, second) &&
                    (haveBytes ? witness.byte.has_value()
                               : haveCommonElement(a, b, first, second));
  if (haveBytes && !witness.byte) {
    OneThreadEvaluator one(context, sides[0], Facts::Assumptions);
    OneThreadEvaluator other(context, sides[1], Facts::Assumptions);
    witness.byte = findCommon(*a.byteRange, *b.byteRange, one, other);
  }
  return witness;
}

std::optional<HazardWitness>
HazardAnalysis::getWitness(unsigned first, unsigned second,
                           Operation *carryingLoop) const {
  return getWitness(first, second, carryingLoop,
                    getHazard(first, second, carryingLoop));
}

std::optional<HazardWitness>
HazardAnalysis::getWitness(unsigned first, unsigned second,
                           Operation *carryingLoop,
                           const Hazard &hazard) const {
  if (!hazard)
    return std::nullopt;
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  ExecutionPair pair = ExecutionPair::DifferentLanes;
  if (hazard.acrossSubgroups)
    pair = ExecutionPair::DifferentSubgroups;
  else if (a.collective || b.collective)
    pair = ExecutionPair::SameSubgroup;
  return findWitness(a, b, pair, carryingLoop, relations);
}
