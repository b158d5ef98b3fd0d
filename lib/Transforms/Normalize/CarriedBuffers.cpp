//===- CarriedBuffers.cpp - which buffers loops exchange -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedBuffers.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool CarryingLoop::isOne(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp>(op) &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
}

SmallVector<Block::BlockArgListType, 2> CarryingLoop::getSlotLists() const {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getRegionIterArgs()};
  auto loop = cast<scf::WhileOp>(op);
  return {loop.getBeforeArguments(), loop.getAfterArguments()};
}

MutableOperandRange CarryingLoop::getInits() const {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgsMutable();
  return cast<scf::WhileOp>(op).getInitsMutable();
}

SmallVector<Operation *, 2> CarryingLoop::getTerminators() const {
  SmallVector<Operation *, 2> terminators;
  for (Region &region : op->getRegions())
    terminators.push_back(region.front().getTerminator());
  return terminators;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::optional<unsigned> CarriedBuffers::getSlot(Value value,
                                                CarryingLoop loop) const {
  if (!isa<TensorType>(value.getType()))
    return std::nullopt;
  for (Block::BlockArgListType slots : loop.getSlotLists())
    for (auto [index, slot] : llvm::enumerate(slots))
      if (isa<TensorType>(slot.getType()) &&
          state.areEquivalentBufferizedValues(value, slot))
        return index;
  return std::nullopt;
}

Value CarriedBuffers::getLatest(Value value, Block *block) const {
  Value latest = value;
  Operation *last = nullptr;
  state.applyOnEquivalenceClass(value, [&](Value other) {
    Operation *def = other.getDefiningOp();
    if (def && def->getBlock() == block && other.getType() == value.getType() &&
        !isa<memspace::ExchangeOp>(def) &&
        (!last || last->isBeforeInBlock(def))) {
      latest = other;
      last = def;
    }
  });
  return latest;
}

//===----------------------------------------------------------------------===//
// Mixing
//===----------------------------------------------------------------------===//

SmallVector<CarryingLoop>
CarriedBuffers::getInnerLoops(CarryingLoop loop) const {
  SmallVector<CarryingLoop> inner;
  for (Region &region : loop.getOperation()->getRegions())
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!CarryingLoop::isOne(op))
        return WalkResult::advance();
      inner.push_back(CarryingLoop(op));
      return WalkResult::skip();
    });
  return inner;
}

llvm::DenseSet<Value>
CarriedBuffers::getFollowing(CarryingLoop inner,
                             ArrayRef<unsigned> slots) const {
  SmallVector<Value> worklist;
  // What a `scf.while` passes on at the end need not be in the order of what it
  // began with.
  if (isa<scf::WhileOp>(inner.getOperation()))
    llvm::append_range(worklist, inner.getOperation()->getResults());
  else
    for (unsigned slot : slots)
      worklist.push_back(inner.getOperation()->getResult(slot));
  llvm::DenseSet<Value> following(worklist.begin(), worklist.end());
  auto add = [&](Value value) {
    if (following.insert(value).second)
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      Operation *parent = op->getParentOp();
      if (isa<scf::YieldOp>(op) && !isa<LoopLikeOpInterface>(parent))
        add(parent->getResult(use.getOperandNumber()));
      else if (state.getOptions().dynCastBufferizableOp(op) &&
               isa<TensorType>(value.getType()) && state.isInPlace(use))
        for (Value alias : getPossibleAliases(use, state))
          add(alias);
    }
  }
  return following;
}

bool CarriedBuffers::leavesIteration(CarryingLoop loop, CarryingLoop inner,
                                     ArrayRef<unsigned> slots) const {
  llvm::DenseSet<Value> following = getFollowing(inner, slots);
  return llvm::any_of(loop.getTerminators(), [&](Operation *terminator) {
    return llvm::any_of(terminator->getOperands(), [&](Value operand) {
      return following.contains(operand);
    });
  });
}

bool CarriedBuffers::isMixed(Value value, CarryingLoop loop) const {
  return llvm::any_of(getInnerLoops(loop), [&](CarryingLoop inner) {
    return llvm::any_of(getMixedSlots(inner), [&](ArrayRef<unsigned> slots) {
      return getFollowing(inner, slots).contains(value);
    });
  });
}

ArrayRef<MixedSlots> CarriedBuffers::getMixedSlots(CarryingLoop loop) const {
  auto it = mixedSlots.find(loop.getOperation());
  if (it == mixedSlots.end())
    it =
        mixedSlots.insert({loop.getOperation(), computeMixedSlots(loop)}).first;
  return it->second;
}

SmallVector<MixedSlots>
CarriedBuffers::computeMixedSlots(CarryingLoop loop) const {
  llvm::EquivalenceClasses<unsigned> mixed;
  auto unite = [&](ArrayRef<std::optional<unsigned>> slots) {
    std::optional<unsigned> first;
    for (std::optional<unsigned> slot : slots) {
      if (!slot)
        continue;
      first = first.value_or(*slot);
      mixed.unionSets(*first, *slot);
    }
  };
  // By exchanges of its own.
  for (Operation *terminator : loop.getTerminators())
    for (Value operand : terminator->getOperands())
      if (auto exchange = operand.getDefiningOp<memspace::ExchangeOp>())
        unite(llvm::map_to_vector(exchange.getInputs(), [&](Value input) {
          return getSlot(input, loop);
        }));
  // By loops inside.
  for (CarryingLoop inner : getInnerLoops(loop)) {
    MutableOperandRange inits = inner.getInits();
    for (ArrayRef<unsigned> slots : getMixedSlots(inner))
      if (leavesIteration(loop, inner, slots))
        unite(llvm::map_to_vector(slots, [&](unsigned slot) {
          return getSlot(inits[slot].get(), loop);
        }));
  }
  SmallVector<MixedSlots> result;
  for (const auto *cls : mixed)
    if (cls->isLeader())
      result.emplace_back(mixed.member_begin(*cls), mixed.member_end());
  return result;
}

std::optional<CarriedBuffers::Escape>
CarriedBuffers::findEscape(CarryingLoop loop) const {
  for (CarryingLoop inner : getInnerLoops(loop)) {
    MutableOperandRange inits = inner.getInits();
    for (ArrayRef<unsigned> slots : getMixedSlots(inner)) {
      Escape escape{inner, {}};
      for (unsigned slot : slots)
        if (!state.isInPlace(inits[slot]) || !getSlot(inits[slot].get(), loop))
          escape.foreign.push_back(slot);
      bool carriesSome = escape.foreign.size() < slots.size();
      if (!escape.foreign.empty() && carriesSome &&
          leavesIteration(loop, inner, slots))
        return escape;
    }
  }
  return std::nullopt;
}
