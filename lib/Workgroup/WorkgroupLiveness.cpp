//===- WorkgroupLiveness.cpp - when a buffer holds a value -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Workgroup/WorkgroupLiveness.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Threads/Uniformity.h"
#include "MemSpace/Workgroup/IterationLocalBuffers.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

namespace {
/// One point of the program with the points that follow it.
struct Point {
  Operation *op;
  SmallVector<unsigned, 2> next;
  SmallVector<unsigned, 2> previous;
};

/// The points of a kernel and the ways between them.
class PointGraph {
public:
  PointGraph(const KernelContext &context, const Uniformity &uniformity)
      : grid(context.getShape().grid) {
    for (Block &block : context.getKernel().getFunctionBody())
      visit(block, {}, uniformity);
  }

  ArrayRef<Point> getPoints() const { return points; }
  /// The point of `op` or of the op that contains it and is one point.
  unsigned getPoint(Operation *op) const {
    for (; op; op = op->getParentOp()) {
      auto it = pointOf.find(op);
      if (it != pointOf.end())
        return it->second;
    }
    llvm_unreachable("an op outside of the kernel");
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
    points.push_back({op, {}, {}});
    for (unsigned end : from)
      connect(end, number);
    return number;
  }
  void connect(unsigned from, unsigned to) {
    points[from].next.push_back(to);
    points[to].previous.push_back(from);
  }
  Ends visit(Block &block, Ends ends, const Uniformity &uniformity);
  Ends visitStructured(RegionBranchOpInterface op, Ends ends,
                       const Uniformity &uniformity);

  std::optional<LaunchSizes> grid;
  std::vector<Point> points;
  DenseMap<Operation *, unsigned> pointOf;
  DenseMap<Region *, unsigned> regionBegins;
};
} // namespace

/// True when no barrier can stand inside `op`, or nothing is known of the order
/// inside.
static bool isOnePoint(Operation *op, const Uniformity &uniformity) {
  if (!isControlFlow(op))
    return true;
  return !isa<RegionBranchOpInterface>(op) ||
         uniformity.getControlScope(op) > ExecutionScope::Workgroup;
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
  auto connectTo = [&](const Ends &from) {
    for (RegionSuccessor &successor : successors) {
      Region *region = successor.getSuccessor();
      unsigned to = region ? regionBegins.lookup(region) : exit;
      for (unsigned end : from)
        connect(end, to);
    }
  };
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  if (runsAtLeastOnce(op))
    llvm::erase_if(successors, [](RegionSuccessor &successor) {
      return !successor.getSuccessor();
    });
  connectTo({enter});
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    successors.clear();
    // Not each terminator says where it goes: that of a forall does not.
    if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(
            region.front().getTerminator()))
      op.getSuccessorRegions(RegionBranchPoint(terminator), successors);
    else
      op.getSuccessorRegions(region, successors);
    connectTo(regionEnds[&region]);
    if (successors.empty())
      for (unsigned end : regionEnds[&region])
        connect(end, exit);
  }
  return {exit};
}

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
  const BufferUses &getUses(unsigned buffer) const { return uses[buffer]; }

private:
  void addAccess(OpOperand &use, unsigned buffer);

  SmallVector<Touch> touches;
  std::vector<BufferUses> uses;
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

void Touches::addAccess(OpOperand &use, unsigned buffer) {
  Touch touch{use.getOwner(), buffer};
  auto interface = dyn_cast<MemoryEffectOpInterface>(touch.op);
  if (!interface) {
    touch.reads = touch.writes = true;
  } else {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffectsOnValue(use.get(), effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      touch.reads |= isa<MemoryEffects::Read>(effect.getEffect());
      touch.writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
    // It takes the buffer for something, whatever it is.
    if (effects.empty())
      touch.reads = touch.writes = true;
  }
  touches.push_back(touch);
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
      addAccess(*use, number);
      Operation *op = use->getOwner();
      bool isCopy = startsAsyncCopy(op);
      isAsync |= isCopy;
      isFollowed &= (!isCopy || isAwaited(op)) && !startsUngroupedCopy(op);
    }
    if (isAsync)
      for (Operation *wait : waits)
        touches.push_back({wait, unsigned(number), /*reads=*/true, false});
    bool outlives =
        buffer.getDefiningOp() && mayOutliveIteration(buffer.getDefiningOp());
    if (!isFollowed || outlives)
      unknown.set(number);
    uses.push_back(std::move(all));
  }
}

//===----------------------------------------------------------------------===//
// Dataflow
//===----------------------------------------------------------------------===//

namespace {
/// Where the buffers may have been written and may still be read.
class Dataflow {
public:
  Dataflow(const PointGraph &graph, unsigned numBuffers)
      : graph(graph), numBuffers(numBuffers), facts(graph.getPoints().size()) {
    for (Facts &fact : facts)
      for (llvm::BitVector *bits :
           {&fact.reads, &fact.writes, &fact.touched, &fact.fresh,
            &fact.overwritten, &fact.written, &fact.needed})
        bits->resize(numBuffers);
  }

  void addTouch(const Touch &touch) {
    Facts &fact = facts[graph.getPoint(touch.op)];
    fact.touched.set(touch.buffer);
    if (touch.reads)
      fact.reads.set(touch.buffer);
    if (touch.writes)
      fact.writes.set(touch.buffer);
  }
  /// The buffer is new where the point begins (and, if the point contains it,
  /// gone where it ends).
  void addFresh(unsigned point, unsigned buffer, bool contained) {
    facts[point].fresh.set(buffer);
    if (contained)
      facts[point].writes.reset(buffer);
  }
  /// Every element is overwritten and none is read.
  void addOverwrite(unsigned point, unsigned buffer) {
    facts[point].overwritten.set(buffer);
  }

  void solve();

  /// True when a value that is in the buffer after the point may be read.
  bool isNeededAfter(unsigned point, unsigned buffer) const {
    return llvm::any_of(graph.getPoints()[point].next, [&](unsigned next) {
      return facts[next].needed.test(buffer);
    });
  }
  bool isRead(unsigned point, unsigned buffer) const {
    return facts[point].reads.test(buffer);
  }
  bool isOccupied(unsigned point, unsigned buffer) const {
    const Facts &fact = facts[point];
    if (fact.touched.test(buffer))
      return true;
    bool isWrittenBefore =
        llvm::any_of(graph.getPoints()[point].previous, [&](unsigned previous) {
          return facts[previous].written.test(buffer);
        });
    return (isWrittenBefore && fact.needed.test(buffer)) ||
           (fact.written.test(buffer) && isNeededAfter(point, buffer));
  }

private:
  struct Facts {
    // What the point does.
    llvm::BitVector reads, writes, touched, fresh, overwritten;
    /// May have been written, after the point.
    llvm::BitVector written;
    /// May be read, before the point.
    llvm::BitVector needed;
  };
  const PointGraph &graph;
  unsigned numBuffers;
  std::vector<Facts> facts;
};
} // namespace

void Dataflow::solve() {
  ArrayRef<Point> points = graph.getPoints();
  // Points are in program order, so that few rounds do: one for each level of
  // loops.
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned point = 0; point < points.size(); ++point) {
      llvm::BitVector out(numBuffers);
      for (unsigned previous : points[point].previous)
        out |= facts[previous].written;
      out.reset(facts[point].fresh);
      out |= facts[point].writes;
      changed |= out != facts[point].written;
      facts[point].written = std::move(out);
    }
    for (unsigned point = points.size(); point-- > 0;) {
      llvm::BitVector in(numBuffers);
      for (unsigned next : points[point].next)
        in |= facts[next].needed;
      in.reset(facts[point].overwritten);
      in |= facts[point].reads;
      in.reset(facts[point].fresh);
      changed |= in != facts[point].needed;
      facts[point].needed = std::move(in);
    }
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
        touches(kernel, buffers), freshness(context, relations) {}

  void run();
  packing::LiveRange getRange(unsigned buffer) const;
  ArrayRef<Operation *> getDeadStores() const { return order; }
  ArrayRef<Point> getPoints() const { return graph.getPoints(); }

private:
  Dataflow solve() const;
  bool isDead(Operation *op, ArrayRef<const Touch *> some) const;
  bool findDeadStores();
  /// True when `op` is inside of what is one point.
  bool isContained(Operation *op) const {
    return graph.getPoints()[graph.getPoint(op)].op != op;
  }

  KernelContext context;
  FunctionOpInterface kernel;
  ArrayRef<Value> buffers;
  ThreadRelations relations;
  PointGraph graph;
  Touches touches;
  IterationLocalBuffers freshness;
  std::optional<Dataflow> dataflow;
  DenseSet<Operation *> dead;
  SmallVector<Operation *> order;
};
} // namespace

/// True when each execution of `definition` makes another buffer. A view of
/// other memory than an arena of ours only names what is there.
static bool beginsBuffer(Operation *definition) {
  if (auto view = dyn_cast<memref::ViewOp>(definition))
    return isArena(view.getSource());
  return hasEffect<MemoryEffects::Allocate>(definition);
}

Dataflow Analysis::solve() const {
  Dataflow result(graph, buffers.size());
  std::vector<SmallVector<BufferTouch>> byBuffer(buffers.size());
  for (const Touch &touch : touches.getTouches())
    if (!dead.contains(touch.op)) {
      result.addTouch(touch);
      byBuffer[touch.buffer].push_back({touch.op, touch.reads, touch.writes});
    }
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    if (touches.isUnknown(number))
      continue;
    if (Operation *definition = buffer.getDefiningOp();
        definition && beginsBuffer(definition)) {
      // A branch may yield it to what comes after the point.
      unsigned point = graph.getPoint(definition);
      bool staysInside =
          isContained(definition) &&
          llvm::all_of(byBuffer[number], [&](const BufferTouch &touch) {
            return graph.getPoint(touch.op) == point;
          });
      result.addFresh(point, number, staysInside);
    }
    for (const BufferTouch &touch : byBuffer[number])
      if (touch.writes && !isContained(touch.op) &&
          (overwritesAll(touch.op, buffer) ||
           overwriteAllTogether(touch.op, buffer, context, relations)))
        result.addOverwrite(graph.getPoint(touch.op), number);
    for (Operation *loop : freshness.getLoops(buffer, byBuffer[number]))
      if (std::optional<unsigned> begin = graph.getIterationBegin(loop))
        result.addFresh(*begin, number, /*contained=*/false);
  }
  result.solve();
  return result;
}

/// True when `op` does nothing but write what nobody reads.
bool Analysis::isDead(Operation *op, ArrayRef<const Touch *> some) const {
  if (!onlyWrites(op))
    return false;
  // What it writes must be nothing but these buffers.
  SmallVector<MemoryEffects::EffectInstance> effects;
  cast<MemoryEffectOpInterface>(op).getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Write>(effect.getEffect()))
      for (const MemoryBase &base : getMemoryBases(effect.getValue(), context))
        if (!base.buffer || !llvm::is_contained(buffers, base.buffer))
          return false;
  bool writes = false;
  for (const Touch *touch : some) {
    if (!touch->writes)
      continue;
    writes = true;
    unsigned point = graph.getPoint(op);
    bool isNeeded = dataflow->isNeededAfter(point, touch->buffer) ||
                    (isContained(op) && dataflow->isRead(point, touch->buffer));
    if (touch->reads || touches.isUnknown(touch->buffer) || isNeeded)
      return false;
  }
  return writes;
}

/// Finds stores that nobody reads; false when there are no more of them.
bool Analysis::findDeadStores() {
  llvm::MapVector<Operation *, SmallVector<const Touch *>> byOp;
  for (const Touch &touch : touches.getTouches())
    if (!dead.contains(touch.op))
      byOp[touch.op].push_back(&touch);
  bool found = false;
  for (auto &[op, some] : byOp)
    if (isDead(op, some)) {
      dead.insert(op);
      order.push_back(op);
      found = true;
    }
  return found;
}

void Analysis::run() {
  // A dead store may be the only reader of another buffer.
  do
    dataflow.emplace(solve());
  while (findDeadStores());
}

packing::LiveRange Analysis::getRange(unsigned buffer) const {
  packing::LiveRange range;
  int64_t numPoints = graph.getPoints().size();
  if (touches.isUnknown(buffer))
    return {{0, numPoints}};
  for (int64_t point = 0; point < numPoints; ++point)
    if (dataflow->isOccupied(point, buffer))
      range.push_back({point, point + 1});
  return packing::normalize(std::move(range));
}

WorkgroupLiveness::WorkgroupLiveness(const KernelContext &context,
                                     ArrayRef<Value> buffers) {
  if (buffers.empty())
    return;
  FunctionOpInterface kernel = context.getKernel();
  // Between blocks that branch to each other there is no order to be had.
  if (!kernel.getFunctionBody().hasOneBlock()) {
    ops.push_back(kernel);
    for (Value buffer : buffers)
      ranges[buffer] = {{0, 1}};
    return;
  }
  Analysis analysis(context, buffers);
  analysis.run();
  for (const Point &point : analysis.getPoints())
    ops.push_back(point.op);
  for (auto [number, buffer] : llvm::enumerate(buffers))
    ranges[buffer] = analysis.getRange(number);
  llvm::append_range(deadStores, analysis.getDeadStores());
}

const packing::LiveRange &WorkgroupLiveness::getRange(Value buffer) const {
  auto it = ranges.find(buffer);
  assert(it != ranges.end() && "a buffer that was not asked for");
  return it->second;
}
