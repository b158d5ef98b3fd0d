//===- WorkgroupLiveness.cpp - when a buffer holds a value -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Workgroup/WorkgroupLiveness.h"
#include "BufferInstances.h"
#include "LivePoints.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Threads/Uniformity.h"
#include "MemSpace/Workgroup/IterationLocalBuffers.h"
#include "PointGraph.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// What a point does to a buffer.
struct Touch {
  Operation *op;
  unsigned buffer;
  bool reads = false;
  bool writes = false;
};

/// The buffers, by number, with all that touches them.
class Touches {
public:
  Touches(FunctionOpInterface kernel, ArrayRef<Value> buffers);

  ArrayRef<Touch> getTouches() const { return touches; }
  /// Buffers whose uses cannot be followed.
  bool isUnknown(unsigned buffer) const { return unknown.test(buffer); }

  ArrayRef<BufferUses> getUses() const { return uses; }
  /// Those of which one may be used after the iteration that makes it.
  ArrayRef<unsigned> getOutliving() const { return outliving; }

private:
  SmallVector<Touch> touches;
  std::vector<BufferUses> uses;
  SmallVector<unsigned> outliving;
  llvm::BitVector unknown;
};
} // namespace

/// The values that name the memory of `buffer` in `kernel`.
static SmallVector<Value> getNames(FunctionOpInterface kernel, Value buffer) {
  auto get = buffer.getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return {buffer};
  SmallVector<Value> names;
  kernel.getFunctionBody().walk([&](memref::GetGlobalOp other) {
    if (other.getNameAttr() == get.getNameAttr())
      names.push_back(other);
  });
  return names;
}

Touches::Touches(FunctionOpInterface kernel, ArrayRef<Value> buffers)
    : unknown(buffers.size()) {
  // A copy in flight ends at a wait, which is why the waits touch its target.
  SmallVector<Operation *> waits;
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (getGroupsLeftInFlight(op))
      waits.push_back(op);
  });
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    BufferUses all;
    for (Value name : getNames(kernel, buffer)) {
      BufferUses some = collectBufferUses(name);
      llvm::append_range(all.accesses, some.accesses);
      llvm::append_range(all.forwards, some.forwards);
      llvm::append_range(all.escapes, some.escapes);
    }
    bool isAsync = false, isFollowed = all.escapes.empty();
    for (OpOperand *use : all.accesses) {
      Operation *op = use->getOwner();
      BufferTouch touch = getBufferTouch(*use);
      touches.push_back({op, unsigned(number), touch.reads, touch.writes});
      bool isCopy = startsAsyncCopy(op);
      isAsync |= isCopy;
      isFollowed &= (!isCopy || isAwaited(op)) && !startsUngroupedCopy(op);
    }
    if (isAsync)
      for (Operation *wait : waits)
        touches.push_back({wait, unsigned(number), /*reads=*/true, false});
    Operation *definition = buffer.getDefiningOp();
    bool outlives = definition && mayOutliveIteration(definition);
    if (outlives)
      outliving.push_back(number);
    if (!isFollowed || outlives)
      unknown.set(number);
    uses.push_back(std::move(all));
  }
}

//===----------------------------------------------------------------------===//
// Dead stores
//===----------------------------------------------------------------------===//

/// True when erasing `op` loses nothing but writes to memory.
static bool onlyWrites(Operation *op) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() ||
      isControlFlow(op))
    return false;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!isMemoryEffectFree(&inner))
        return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect()) &&
           effect.getValue() &&
           isa<BaseMemRefType>(effect.getValue().getType());
  });
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
/// One kernel while its ranges are computed.
class Analysis {
public:
  Analysis(const KernelContext &context, ArrayRef<Value> buffers)
      : context(context), kernel(context.getKernel()), buffers(buffers),
        relations(context), graph(context, Uniformity(context, relations)),
        touches(kernel, buffers), freshness(context, relations),
        points(graph.getFollowing()), numbers(buffers.size()),
        facts(buffers.size()), ranges(buffers.size()) {
    for (auto [number, touch] : llvm::enumerate(touches.getTouches())) {
      numbers[touch.buffer].push_back(number);
      touchesOf[touch.op].push_back(number);
    }
    isOne.insert(buffers.begin(), buffers.end());
  }

  void run();
  packing::LiveRange getRange(unsigned buffer) const {
    if (touches.isUnknown(buffer))
      return {{0, int64_t(graph.getPoints().size())}};
    return ranges[buffer];
  }
  ArrayRef<Operation *> getDeadStores() const { return order; }
  ArrayRef<Operation *> getPoints() const { return graph.getPoints(); }
  bool isOrdered() const { return graph.isOrdered(); }
  ArrayRef<unsigned> getOutliving() const { return touches.getOutliving(); }
  std::vector<BufferInstances::Succession> getSuccessions() const {
    if (getOutliving().empty())
      return {};
    return BufferInstances(context, relations, graph, buffers,
                           touches.getUses(), getOutliving())
        .getSuccessions()
        .vec();
  }

private:
  /// What matters to dead stores of one point and buffer.
  struct Fact {
    bool isRead, isNeededAfter;
  };

  void solve(unsigned buffer);
  SmallVector<PointEvent> getEvents(unsigned buffer) const;
  bool isDead(Operation *op) const;
  bool writesOthers(Operation *op) const;
  /// Stores among `ops` that nobody reads.
  SmallVector<Operation *> findDeadStores(ArrayRef<Operation *> ops) const;
  /// True when `op` is inside of what is one point.
  bool isContained(Operation *op) const {
    return graph.getPoints()[graph.getPoint(op)] != op;
  }

  KernelContext context;
  FunctionOpInterface kernel;
  ArrayRef<Value> buffers;
  llvm::DenseSet<Value> isOne;
  ThreadRelations relations;
  PointGraph graph;
  Touches touches;
  IterationLocalBuffers freshness;
  LivePoints points;
  /// The touches of each buffer, and of each op, by number.
  std::vector<SmallVector<unsigned>> numbers;
  llvm::MapVector<Operation *, SmallVector<unsigned, 2>> touchesOf;
  /// By buffer, what is known where it is touched.
  std::vector<DenseMap<unsigned, Fact>> facts;
  std::vector<packing::LiveRange> ranges;
  DenseSet<Operation *> dead;
  SmallVector<Operation *> order;
};
} // namespace

/// What the points do to a buffer, dead stores apart.
SmallVector<PointEvent> Analysis::getEvents(unsigned number) const {
  std::map<unsigned, PointEvent> events;
  auto at = [&](unsigned point) -> PointEvent & {
    PointEvent &event = events[point];
    event.point = point;
    return event;
  };
  SmallVector<BufferTouch> left;
  for (unsigned index : numbers[number]) {
    const Touch &touch = touches.getTouches()[index];
    if (dead.contains(touch.op))
      continue;
    PointEvent &event = at(graph.getPoint(touch.op));
    event.touches = true;
    event.reads |= touch.reads;
    event.writes |= touch.writes;
    left.push_back({touch.op, touch.reads, touch.writes});
  }
  Value buffer = buffers[number];
  if (Operation *definition = buffer.getDefiningOp();
      definition && beginsBuffer(definition)) {
    PointEvent &event = at(graph.getPoint(definition));
    event.begins = true;
    // A branch may yield it to what comes after the point.
    event.ends = isContained(definition) &&
                 llvm::all_of(left, [&](const BufferTouch &touch) {
                   return graph.getPoint(touch.op) == event.point;
                 });
  }
  for (const BufferTouch &touch : left)
    if (touch.writes && !isContained(touch.op) &&
        (overwritesAll(touch.op, buffer) ||
         overwriteAllTogether(touch.op, buffer, context, relations)))
      at(graph.getPoint(touch.op)).overwrites = true;
  for (Operation *loop : freshness.getLoops(buffer, left))
    if (std::optional<unsigned> begin = graph.getIterationBegin(loop))
      at(*begin).begins = true;
  return llvm::to_vector(llvm::make_second_range(events));
}

void Analysis::solve(unsigned buffer) {
  // Nobody asks for the points of what cannot be followed.
  if (touches.isUnknown(buffer))
    return;
  SmallVector<PointEvent> events = getEvents(buffer);
  points.solve(events);
  ranges[buffer] = points.getRange();
  facts[buffer].clear();
  for (auto [number, event] : llvm::enumerate(events))
    facts[buffer][event.point] = {event.reads, points.isNeededAfter()[number]};
}

/// True when `op` may write to anything but the buffers.
bool Analysis::writesOthers(Operation *op) const {
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(op).getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      for (const MemoryBase &base : getMemoryBases(effect.getValue(), context))
        if (!base.buffer || !isOne.contains(base.buffer))
          return true;
  return false;
}

/// True when `op` does nothing but write what nobody reads.
bool Analysis::isDead(Operation *op) const {
  bool writes = false;
  unsigned point = graph.getPoint(op);
  for (unsigned number : touchesOf.lookup(op)) {
    const Touch &touch = touches.getTouches()[number];
    if (!touch.writes)
      continue;
    writes = true;
    if (touch.reads || touches.isUnknown(touch.buffer))
      return false;
    Fact fact = facts[touch.buffer].lookup(point);
    if (fact.isNeededAfter || (isContained(op) && fact.isRead))
      return false;
  }
  return writes && onlyWrites(op) && !writesOthers(op);
}

SmallVector<Operation *>
Analysis::findDeadStores(ArrayRef<Operation *> ops) const {
  SmallVector<Operation *> found;
  for (Operation *op : ops)
    if (!dead.contains(op) && isDead(op))
      found.push_back(op);
  return found;
}

void Analysis::run() {
  for (unsigned buffer = 0; buffer < buffers.size(); ++buffer)
    solve(buffer);
  SmallVector<Operation *> ops =
      llvm::to_vector(llvm::make_first_range(touchesOf));
  // A dead store may be the only reader of another buffer.
  while (true) {
    SmallVector<Operation *> found = findDeadStores(ops);
    if (found.empty())
      return;
    dead.insert(found.begin(), found.end());
    llvm::append_range(order, found);
    std::set<unsigned> changed, again;
    for (Operation *op : found)
      for (unsigned number : touchesOf.lookup(op))
        changed.insert(touches.getTouches()[number].buffer);
    for (unsigned buffer : changed) {
      solve(buffer);
      again.insert(numbers[buffer].begin(), numbers[buffer].end());
    }
    llvm::SetVector<Operation *> next;
    for (unsigned number : again)
      next.insert(touches.getTouches()[number].op);
    ops = next.takeVector();
  }
}

WorkgroupLiveness::WorkgroupLiveness(const KernelContext &context,
                                     ArrayRef<Value> buffers) {
  if (buffers.empty())
    return;
  FunctionOpInterface kernel = context.getKernel();
  Analysis analysis(context, buffers);
  for (unsigned number : analysis.getOutliving())
    inSeveralPlaces.insert(buffers[number]);
  if (!analysis.isOrdered()) {
    ops.push_back(kernel);
    for (Value buffer : buffers)
      ranges[buffer] = {{0, 1}};
    return;
  }
  analysis.run();
  ops = analysis.getPoints().vec();
  for (auto [number, buffer] : llvm::enumerate(buffers))
    ranges[buffer] = analysis.getRange(number);
  llvm::append_range(deadStores, analysis.getDeadStores());
  for (const BufferInstances::Succession &succession :
       analysis.getSuccessions()) {
    SmallVector<Value> &values = successions.emplace_back();
    for (unsigned number : succession.buffers) {
      values.push_back(buffers[number]);
      ranges[buffers[number]] = succession.range;
      inSeveralPlaces.erase(buffers[number]);
    }
  }
}

const packing::LiveRange &WorkgroupLiveness::getRange(Value buffer) const {
  auto it = ranges.find(buffer);
  assert(it != ranges.end() && "a buffer that was not asked for");
  return it->second;
}
