//===- HazardAnalysis.cpp - which accesses need an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/HazardAnalysis.h"
#include "MemSpace/Analysis/BufferSize.h"
#include "MemSpace/Analysis/Synchronization.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::memspace;

StringRef mlir::memspace::stringifyHazardKind(HazardKind kind) {
  switch (kind) {
  case HazardKind::RAW:
    return "RAW";
  case HazardKind::WAR:
    return "WAR";
  case HazardKind::WAW:
    return "WAW";
  }
  llvm_unreachable("all kinds are covered");
}

/// True for what orders or delays the accesses of a thread, or only has an
/// effect outside the memory of the kernel.
static bool touchesNoMemory(Operation *op) {
  return isBarrierLike(op) || completesAsyncCopies(op) ||
         isa<nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp,
             amdgpu::SchedBarrierOp, amdgpu::MemoryCounterWaitOp,
             memref::PrefetchOp, gpu::PrintfOp, vector::PrintOp, cf::AssertOp>(
             op);
}

HazardAnalysis::HazardAnalysis(FunctionOpInterface kernel,
                               const ThreadRelations &relations,
                               const TargetInfo &target)
    : relations(relations), target(target) {
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isControlFlow(op))
      return WalkResult::advance();
    unsigned before = accesses.size();
    if (!touchesNoMemory(op))
      collectAccesses(op, target, accesses);
    for (unsigned index = before; index < accesses.size(); ++index)
      accessesOf[op].push_back(index);
    return WalkResult::skip();
  });
}

SmallVector<unsigned> HazardAnalysis::getAccesses(Operation *op) const {
  SmallVector<unsigned> result;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    auto it = accessesOf.find(inner);
    if (it != accessesOf.end())
      llvm::append_range(result, it->second);
  });
  return result;
}

Hazard HazardAnalysis::getHazard(unsigned first, unsigned second,
                                 Operation *crossed) const {
  auto slot = std::make_pair(
      std::make_pair(std::min(first, second), std::max(first, second)),
      crossed);
  auto it = cache.find(slot);
  if (it == cache.end())
    it = cache
             .try_emplace(slot,
                          compute(accesses[first], accesses[second], crossed))
             .first;
  Hazard hazard = it->second;
  const MemoryAccess &before = accesses[first], &after = accesses[second];
  if (before.writes && after.reads)
    hazard.kind = HazardKind::RAW;
  else
    hazard.kind = before.writes ? HazardKind::WAW : HazardKind::WAR;
  return hazard;
}

/// The ids of the foralls whose promise `name` covers the access.
static ArrayRef<int64_t> getPromises(Operation *op, StringRef name) {
  if (auto ids = op->getAttrOfType<DenseI64ArrayAttr>(name))
    return ids.asArrayRef();
  return {};
}

/// True when what the accesses share may be two buffers that lie in the same
/// bytes of an arena.
static bool mayMeetAcrossBuffers(const MemoryAccess &a, const MemoryAccess &b) {
  for (const MemoryBase &x : a.bases)
    for (const MemoryBase &y : b.bases)
      if (mayShareBytes(x, y) && x.buffer != y.buffer)
        return true;
  return false;
}

/// True when both accesses carry the promise of one forall and are executed in
/// one instance of it: the loops that are crossed belong to the forall.
static bool isPromised(const MemoryAccess &a, const MemoryAccess &b,
                       StringRef name, Operation *crossed) {
  // It says nothing of what lies over a buffer.
  if (mayMeetAcrossBuffers(a, b))
    return false;
  for (int64_t id : getPromises(a.op, name)) {
    if (!llvm::is_contained(getPromises(b.op, name), id))
      continue;
    bool sameInstance = !crossed;
    for (Operation *loop = crossed; loop && !sameInstance;
         loop = loop->getParentOp()) {
      auto mark = loop->getAttrOfType<IntegerAttr>(kForallLoopAttr);
      // A loop inside an iteration of the forall carries its promise, too.
      sameInstance = (mark && mark.getInt() == id) ||
                     llvm::is_contained(getPromises(loop, name), id);
    }
    if (sameInstance)
      return true;
  }
  return false;
}

/// True when `a` and `b` are different iter_args of one loop that only
/// exchanges distinct buffers, in one iteration of it.
static bool areSwappedBuffers(const MemoryAccess &a, const MemoryAccess &b,
                              Operation *crossed, const TargetInfo &target) {
  auto left = dyn_cast_if_present<BlockArgument>(a.view);
  auto right = dyn_cast_if_present<BlockArgument>(b.view);
  if (!left || !right || left == right || left.getOwner() != right.getOwner())
    return false;
  auto loop = dyn_cast<scf::ForOp>(left.getOwner()->getParentOp());
  if (!loop || (crossed && crossed->isAncestor(loop)))
    return false;
  // Followed from any argument, the yields stay among the arguments and no
  // buffer is yielded twice.
  DenseSet<Value> yielded;
  SmallVector<BlockArgument> work{left, right};
  DenseSet<Value> seen{left, right};
  while (!work.empty()) {
    BlockArgument arg = work.pop_back_val();
    auto next =
        dyn_cast<BlockArgument>(loop.getTiedLoopYieldedValue(arg)->get());
    if (!next || next.getOwner() != arg.getOwner() ||
        !yielded.insert(next).second)
      return false;
    if (seen.insert(next).second)
      work.push_back(next);
  }
  SmallVector<SmallVector<MemoryBase, 2>> bases;
  for (Value arg : seen) {
    Value init = loop.getTiedLoopInit(cast<BlockArgument>(arg))->get();
    bases.push_back(getMemoryBases(init, target));
  }
  for (unsigned i = 0; i < bases.size(); ++i)
    for (unsigned j = 0; j < i; ++j)
      for (const MemoryBase &x : bases[i])
        for (const MemoryBase &y : bases[j])
          if (mayShareBytes(x, y))
            return false;
  return true;
}

/// The innermost block around both ops.
static Block *getCommonBlock(Operation *a, Operation *b) {
  Block *block = a->getBlock();
  while (!block->findAncestorOpInBlock(*b) && block->getParentOp()->getBlock())
    block = block->getParentOp()->getBlock();
  return block;
}

/// True when both are atomic operations on places of one size.
static bool areAtomic(const MemoryAccess &a, const MemoryAccess &b,
                      const TargetInfo &target) {
  if (!a.atomic || !b.atomic || !a.memref || !b.memref)
    return false;
  auto getBytes = [&](const MemoryAccess &access) {
    return getElementBytes(getElementTypeOrSelf(access.memref), target);
  };
  return getBytes(a) == getBytes(b);
}

/// Sets which memory the accesses have in common.
static void setMemory(Hazard &hazard, const MemoryAccess &a,
                      const MemoryAccess &b) {
  const MemoryBase any;
  ArrayRef<MemoryBase> left = a.memref ? ArrayRef(a.bases) : ArrayRef(any);
  ArrayRef<MemoryBase> right = b.memref ? ArrayRef(b.bases) : ArrayRef(any);
  for (const MemoryBase &x : left)
    for (const MemoryBase &y : right)
      if (mayShareBytes(x, y)) {
        hazard.workgroupMemory |= x.maybeWorkgroup && y.maybeWorkgroup;
        hazard.globalMemory |= x.maybeGlobal && y.maybeGlobal;
      }
}

Hazard HazardAnalysis::compute(const MemoryAccess &a, const MemoryAccess &b,
                               Operation *crossed) const {
  if ((!a.writes && !b.writes) || areAtomic(a, b, target) ||
      !mayShareMemory(a, b) || isPromised(a, b, kPromiseAttr, crossed) ||
      areSwappedBuffers(a, b, crossed, target))
    return {};

  ElementAccess left{a.op, std::nullopt}, right{b.op, std::nullopt};
  bool haveBytes = a.byteRange && b.byteRange &&
                   a.bases.front().root == b.bases.front().root;
  bool preferBytes = haveBytes && (a.followsMemory || b.followsMemory);
  if (!preferBytes && haveComparableElements(a, b)) {
    left.ranges = a.elements;
    right.ranges = b.elements;
  } else if (haveBytes) {
    left.ranges = SmallVector<IndexRange>{*a.byteRange};
    right.ranges = SmallVector<IndexRange>{*b.byteRange};
  }
  auto mayMeet = [&](ExecutionPair pair) {
    if (crossed)
      return relations.mayMeet(left, right, pair, crossed);
    return relations.mayMeet(left, right, pair, getCommonBlock(a.op, b.op));
  };
  Hazard hazard;
  if (!isPromised(a, b, kSubgroupPromiseAttr, crossed))
    hazard.acrossSubgroups = mayMeet(ExecutionPair::DifferentSubgroups);
  hazard.insideSubgroup =
      mayMeet(a.collective || b.collective ? ExecutionPair::SameSubgroup
                                           : ExecutionPair::DifferentLanes);
  if (hazard)
    setMemory(hazard, a, b);
  return hazard;
}
