//===- BufferInstances.cpp - one place for what a loop carries ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferInstances.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::memspace;

BufferTouch mlir::memspace::getBufferTouch(OpOperand &use) {
  BufferTouch touch{use.getOwner()};
  auto interface = dyn_cast<MemoryEffectOpInterface>(touch.op);
  if (!interface) {
    touch.reads = touch.writes = true;
    return touch;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffectsOnValue(use.get(), effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    touch.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    touch.writes |= isa<MemoryEffects::Write>(effect.getEffect());
  }
  // It takes the buffer for something, whatever it is.
  if (effects.empty())
    touch.reads = touch.writes = true;
  return touch;
}

bool mlir::memspace::beginsBuffer(Operation *definition) {
  if (auto view = dyn_cast<memref::ViewOp>(definition))
    return isArena(view.getSource());
  return hasEffect<MemoryEffects::Allocate>(definition);
}

/// Calls `visit` with the number of each element of `mask`.
template <typename VisitT> static void forEach(uint64_t mask, VisitT visit) {
  for (; mask; mask &= mask - 1)
    visit(unsigned(llvm::countr_zero(mask)));
}

static uint64_t bit(unsigned number) { return uint64_t(1) << number; }

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The memref of which an op makes `value` a view; null for any other value.
static Value getViewed(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto view = dyn_cast_if_present<ViewLikeOpInterface>(op))
    return view.getViewSource();
  if (auto root = dyn_cast_if_present<MemoryRootOpInterface>(op))
    return root.getNamedMemory(cast<OpResult>(value)).source;
  if (isa_and_present<memref::ExtractStridedMetadataOp>(op))
    return op->getOperand(0);
  return {};
}

/// The names that `value` is a view of when it is made, and still is when it is
/// used, since they are visible there. Several for a select, and for what comes
/// out of an op that not all threads enter together: each may get another one.
BufferInstances::Mask BufferInstances::getNames(Value value) const {
  Mask result = 0;
  SmallVector<Value> work = {value};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    auto it = numbers.find(next);
    if (it != numbers.end())
      result |= bit(it->second);
    else if (!seen.insert(next).second)
      continue;
    else if (Value viewed = getViewed(next))
      work.push_back(viewed);
    else if (std::optional<SmallVector<Value>> passed = getPassedValues(next))
      llvm::append_range(work, *passed);
  }
  return result;
}

bool BufferInstances::addName(Value value) {
  if (!numbers.try_emplace(value, names.size()).second)
    return true;
  names.push_back(value);
  return names.size() <= kMaxNames;
}

/// Adds the names that a buffer may have. Returns false when they are too many.
bool BufferInstances::addNames(unsigned number) {
  if (!addName(buffers[number]))
    return false;
  for (OpOperand *use : uses[number].forwards)
    for (Value target : getPassedTo(*use))
      if (graph.isPassedTogether(target) && !addName(target))
        return false;
  return true;
}

void BufferInstances::findPassings() {
  for (const PointGraph::Way &way : graph.getWays())
    for (auto [from, to] : way.passed)
      if (auto it = numbers.find(to); it != numbers.end())
        passings[{way.from, way.end}].push_back(
            {it->second, from ? getNames(from) : 0});
}

void BufferInstances::findBuffersOfNames() {
  buffersOf.assign(names.size(), 0);
  for (auto [index, number] : llvm::enumerate(tracked))
    buffersOf[numbers.lookup(buffers[number])] = bit(index);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &[way, list] : passings)
      for (const Passing &passing : list) {
        Mask all = buffersOf[passing.to];
        forEach(passing.from, [&](unsigned from) { all |= buffersOf[from]; });
        changed |= all != buffersOf[passing.to];
        buffersOf[passing.to] = all;
      }
  }
}

//===----------------------------------------------------------------------===//
// What points do
//===----------------------------------------------------------------------===//

/// True when the order of two accesses of `op`, or of it and another one, may
/// matter although one buffer would not need it: atomic ones, and those that a
/// promise covers which says nothing of several instances.
static bool isExcused(Operation *op, const KernelContext &context) {
  for (StringRef name :
       {kDisjointAttr, kWorkgroupDisjointAttr, kSubgroupDisjointAttr})
    if (op->hasAttr(name))
      return true;
  std::vector<MemoryAccess> accesses;
  collectAccesses(op, context, accesses);
  return llvm::any_of(accesses,
                      [](const MemoryAccess &access) { return access.atomic; });
}

BufferInstances::Mask
BufferInstances::findEvents(const KernelContext &context,
                            const ThreadRelations &relations) {
  Mask known = 0;
  for (unsigned index = 0; index < tracked.size(); ++index) {
    unsigned number = tracked[index];
    bool isKnown = uses[number].escapes.empty();
    for (OpOperand *use : uses[number].accesses) {
      Operation *op = use->getOwner();
      Mask mask = getNames(use->get());
      isKnown &= mask != 0 && !startsAsyncCopy(op) &&
                 !startsUngroupedCopy(op) && !isExcused(op, context);
      BufferTouch touch = getBufferTouch(*use);
      Event &event = events[graph.getPoint(op)];
      event.reads |= touch.reads ? mask : 0;
      event.writes |= touch.writes ? mask : 0;
      auto only = numbers.find(use->get());
      if (touch.writes && only != numbers.end() && !graph.isInOnePoint(op) &&
          (overwritesAll(op, use->get()) ||
           overwriteAllTogether(op, use->get(), context, relations)))
        event.overwrites |= bit(only->second);
    }
    // What only names memory that is there has no point.
    Operation *definition = buffers[number].getDefiningOp();
    if (definition && beginsBuffer(definition))
      events[graph.getPoint(definition)].begins |=
          bit(numbers.lookup(buffers[number]));
    else
      isKnown &= !definition;
    known |= isKnown ? bit(index) : 0;
  }
  return known;
}

//===----------------------------------------------------------------------===//
// Where names are live
//===----------------------------------------------------------------------===//

/// What holds behind `point`, given what does before it.
BufferInstances::State BufferInstances::goForward(unsigned point,
                                                  State state) const {
  auto it = events.find(point);
  if (it == events.end())
    return state;
  forEach(it->second.begins, [&](unsigned name) {
    state.written &= ~bit(name);
    for (SmallVector<Mask, 8> *same : {&state.maybeSame, &state.same}) {
      forEach((*same)[name],
              [&](unsigned other) { (*same)[other] &= ~bit(name); });
      (*same)[name] = 0;
    }
  });
  forEach(it->second.writes, [&](unsigned name) {
    state.written |= bit(name) | state.maybeSame[name];
  });
  return state;
}

/// What holds at the beginning of `to`, given what does at the end of `from`.
BufferInstances::State BufferInstances::pass(unsigned from, unsigned to,
                                             const State &state) const {
  auto it = passings.find({from, to});
  if (it == passings.end())
    return state;
  SmallVector<Mask, 8> sources;
  for (unsigned name = 0; name < names.size(); ++name)
    sources.push_back(bit(name));
  for (const Passing &passing : it->second)
    sources[passing.to] = 0;
  // A branch may have two ways to one block.
  for (const Passing &passing : it->second)
    sources[passing.to] |= passing.from;
  State result;
  result.isReached = true;
  result.maybeSame.assign(names.size(), 0);
  result.same.assign(names.size(), 0);
  for (unsigned name = 0; name < names.size(); ++name) {
    if (sources[name] & state.written)
      result.written |= bit(name);
    Mask maybeSame = sources[name], same = 0;
    forEach(sources[name],
            [&](unsigned source) { maybeSame |= state.maybeSame[source]; });
    if (llvm::has_single_bit(sources[name]))
      same = sources[name] | state.same[llvm::countr_zero(sources[name])];
    for (unsigned other = 0; other < name; ++other) {
      if (sources[other] & maybeSame) {
        result.maybeSame[name] |= bit(other);
        result.maybeSame[other] |= bit(name);
      }
      if (llvm::has_single_bit(sources[other]) && (sources[other] & same)) {
        result.same[name] |= bit(other);
        result.same[other] |= bit(name);
      }
    }
  }
  return result;
}

/// Adds what holds on another way; returns true when that is something new.
bool BufferInstances::merge(State &state, const State &other) {
  if (!state.isReached) {
    state = other;
    return true;
  }
  bool changed = (other.written & ~state.written) != 0;
  state.written |= other.written;
  for (auto [some, more] : llvm::zip_equal(state.maybeSame, other.maybeSame)) {
    changed |= (more & ~some) != 0;
    some |= more;
  }
  for (auto [some, fewer] : llvm::zip_equal(state.same, other.same)) {
    changed |= (some & ~fewer) != 0;
    some &= fewer;
  }
  return changed;
}

void BufferInstances::findStates() {
  unsigned size = graph.getPoints().size();
  states.assign(size, {});
  states.front().isReached = true;
  states.front().maybeSame.assign(names.size(), 0);
  states.front().same.assign(names.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned point = 0; point < size; ++point) {
      if (!states[point].isReached)
        continue;
      State behind = goForward(point, states[point]);
      for (unsigned to : graph.getFollowing()[point])
        changed |= merge(states[to], pass(point, to, behind));
    }
  }
}

void BufferInstances::findNeeded() {
  unsigned size = graph.getPoints().size();
  neededBefore.assign(size, 0);
  neededBehind.assign(size, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned point = size; point-- > 0;) {
      Mask behind = 0;
      for (unsigned to : graph.getFollowing()[point]) {
        Mask needed = neededBefore[to];
        auto it = passings.find({point, to});
        if (it == passings.end()) {
          behind |= needed;
          continue;
        }
        Mask left = needed;
        for (const Passing &passing : it->second) {
          left &= ~bit(passing.to);
          behind |= needed & bit(passing.to) ? passing.from : 0;
        }
        behind |= left;
      }
      Event event = events.lookup(point);
      Mask before =
          ((behind & ~event.overwrites) | event.reads) & ~event.begins;
      changed |= before != neededBefore[point] || behind != neededBehind[point];
      neededBefore[point] = before;
      neededBehind[point] = behind;
    }
  }
}

BufferInstances::Mask BufferInstances::getLive(unsigned point) const {
  if (!states[point].isReached)
    return 0;
  Event event = events.lookup(point);
  return event.reads | event.writes |
         (states[point].written & neededBefore[point]) |
         (goForward(point, states[point]).written & neededBehind[point]);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void BufferInstances::findConflicts() {
  conflicts.assign(tracked.size(), 0);
  for (unsigned point = 0; point < graph.getPoints().size(); ++point) {
    Mask live = getLive(point);
    if (llvm::popcount(live) < 2)
      continue;
    State behind = goForward(point, states[point]);
    forEach(live, [&](unsigned name) {
      Mask others = 0;
      forEach(live & ~bit(name) & ~behind.same[name],
              [&](unsigned other) { others |= buffersOf[other]; });
      forEach(buffersOf[name],
              [&](unsigned buffer) { conflicts[buffer] |= others; });
    });
  }
}

void BufferInstances::group(ArrayRef<unsigned> outliving, Mask known) {
  Mask several = 0, done = 0;
  for (auto [index, number] : llvm::enumerate(tracked))
    if (llvm::is_contained(outliving, number) &&
        ((conflicts[index] & bit(index)) ||
         graph.isInOnePoint(buffers[number].getDefiningOp())))
      several |= bit(index);
  for (auto [index, number] : llvm::enumerate(tracked)) {
    bool isOne = llvm::is_contained(outliving, number) &&
                 (known & ~several & ~done & bit(index));
    if (!isOne)
      continue;
    // What a name may be besides, as far as it does not conflict.
    Mask members = bit(index), conflicting = conflicts[index], live = 0;
    for (Mask added = members; added;) {
      Mask others = 0;
      for (Mask mask : buffersOf)
        others |= mask & members ? mask : 0;
      added = 0;
      forEach(others & known & ~several & ~done & ~members,
              [&](unsigned other) {
                if ((conflicting & bit(other)) || (conflicts[other] & members))
                  return;
                added |= bit(other);
                members |= bit(other);
                conflicting |= conflicts[other];
              });
    }
    done |= members;
    for (auto [name, mask] : llvm::enumerate(buffersOf))
      live |= mask & members ? bit(name) : 0;
    Succession &succession = successions.emplace_back();
    forEach(members, [&](unsigned member) {
      succession.buffers.push_back(tracked[member]);
    });
    for (unsigned point = 0; point < graph.getPoints().size(); ++point)
      if (getLive(point) & live)
        succession.range.push_back({point, point + 1});
    succession.range = packing::normalize(std::move(succession.range));
  }
}

BufferInstances::BufferInstances(const KernelContext &context,
                                 const ThreadRelations &relations,
                                 const PointGraph &graph,
                                 ArrayRef<Value> buffers,
                                 ArrayRef<BufferUses> uses,
                                 ArrayRef<unsigned> outliving)
    : graph(graph), buffers(buffers), uses(uses) {
  for (unsigned number : outliving)
    if (!addNames(number))
      return;
  // And the buffers that share a name with one of these.
  auto isNamed = [&](OpOperand *use) {
    return llvm::any_of(getPassedTo(*use),
                        [&](Value target) { return numbers.contains(target); });
  };
  SmallVector<unsigned> others;
  for (auto [number, use] : llvm::enumerate(uses)) {
    if (llvm::is_contained(outliving, number))
      tracked.push_back(number);
    else if (llvm::any_of(use.forwards, isNamed))
      others.push_back(number);
  }
  for (unsigned number : others) {
    tracked.push_back(number);
    if (!addNames(number))
      return;
  }
  llvm::sort(tracked);
  findPassings();
  findBuffersOfNames();
  Mask known = findEvents(context, relations);
  findStates();
  findNeeded();
  findConflicts();
  group(outliving, known);
}
