//===- LayoutBarriers.cpp - the barriers that a layout needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutBarriers.h"
#include "Arena/ScratchKernel.h"
#include "MemSpace/Arena/WorkgroupArena.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::memspace;
using placement::kNone;

BufferPairs mlir::memspace::getSharingPairs(const packing::Problem &problem,
                                            const packing::Solution &solution) {
  unsigned size = problem.buffers.size();
  BufferPairs pairs(size);
  std::vector<unsigned> order;
  for (unsigned i = 0; i < size; ++i)
    if (problem.buffers[i].bytes > 0 && !problem.buffers[i].live.empty())
      order.push_back(i);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return solution.offsets[a] < solution.offsets[b];
  });
  for (auto first = order.begin(); first != order.end(); ++first)
    for (auto second = first + 1; second != order.end(); ++second) {
      if (solution.offsets[*second] >=
          solution.offsets[*first] + problem.buffers[*first].bytes)
        break;
      pairs.insert(*first, *second);
    }
  return pairs;
}

/// `program` with the accesses for which `isMerged` in one bucket.
static placement::Program
mergeBuckets(const placement::Program &program,
             llvm::function_ref<bool(unsigned)> isMerged) {
  placement::Program result;
  for (unsigned loop = 0; loop < program.getNumLoops(); ++loop) {
    // The outer loops of a loop come before it, the innermost of them last.
    unsigned parent = loop;
    do
      parent = parent == 0 ? kNone : parent - 1;
    while (!program.isInLoop(loop, parent));
    result.addLoop(parent, program.getLoopBehind(loop));
  }
  unsigned bucket = 0;
  for (const placement::Access &access : program.getAccesses())
    if (access.bucket != kNone)
      bucket = std::max(bucket, access.bucket + 1);
  for (const placement::Node &node : program.getNodes()) {
    if (!node.choices.empty()) {
      result.addSlot(node.loop, node.choices);
    } else if (node.slot != kNone) {
      // Its costs are those of the slot already.
      auto again = llvm::to_vector(program.getNodes()[node.slot].choices);
      for (placement::Choice &choice : again)
        choice.cost = {};
      result.addSlotAgain(node.loop, node.slot, again);
    } else if (node.commits) {
      result.addCommit(node.loop);
    } else if (node.waitLeaves) {
      result.addWait(node.loop, *node.waitLeaves);
    } else if (node.numAccesses > 0) {
      SmallVector<placement::Access> accesses;
      for (unsigned i = 0; i < node.numAccesses; ++i) {
        unsigned number = node.firstAccess + i;
        accesses.push_back(program.getAccesses()[number]);
        if (isMerged(number) && accesses.back().bucket != kNone)
          accesses.back().bucket = bucket;
      }
      result.addAccesses(node.loop, accesses);
    } else {
      result.addBarrier(node.loop, node.barrier);
    }
  }
  for (auto [number, node] : llvm::enumerate(program.getNodes()))
    for (const placement::Edge &edge : node.successors)
      result.addEdge(number, edge.to, edge.crosses);
  return result;
}

static BarrierCost getBarrierCost(const BarrierPlacement &placement) {
  return {unsigned(placement.getUnsynchronizable().size()),
          placement.getCost()};
}

LayoutBarriers::LayoutBarriers(const KernelContext &context,
                               ArrayRef<WorkgroupBuffer> buffers)
    : context(context), buffers(buffers),
      placement(context, BarrierPlacement::Mode::Insert),
      facts(context, placement.getHazards(), placement.getUniformity(),
            BarrierPlacement::Mode::Insert, BarrierProgram::Kinds::None,
            /*tables=*/nullptr, placement.followsStates()),
      program(facts.getProgram()), least(getBarrierCost(placement)) {
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    numbers[getMemoryBases(buffer.value, context).front().root] = number;
    for (Value follower : buffer.followers)
      numbers[getMemoryBases(follower, context).front().root] = number;
  }
  ArrayRef<MemoryAccess> accesses = placement.getHazards().getAccesses();
  size_t size = program.getProgram().getAccesses().size();
  for (unsigned i = 0; i < size; ++i) {
    SmallVector<unsigned, 1> &numbersOf = touched.emplace_back();
    for (const MemoryBase &base : accesses[program.getAccess(i)].bases)
      if (auto it = numbers.find(base.root); it != numbers.end())
        numbersOf.push_back(it->second);
  }
  merged = mergeBuckets(program.getProgram(),
                        [&](unsigned i) { return !touched[i].empty(); });
  timings = placement::makePathTimings(merged);
}

BarrierCost LayoutBarriers::getMost(const BufferPairs &pairs) const {
  return place(pairs, std::nullopt);
}

std::optional<BarrierCost>
LayoutBarriers::getMostIfLeast(const BufferPairs &pairs) const {
  // Where hazards are left uncut their number comes first.
  std::optional<placement::Cost> limit;
  if (least.unsynchronizable == 0)
    limit = least.executions;
  BarrierCost most = place(pairs, limit);
  if (least < most)
    return std::nullopt;
  return most;
}

/// What a placement costs; with `limit`, what it costs at least once that is
/// more.
BarrierCost LayoutBarriers::place(const BufferPairs &pairs,
                                  std::optional<placement::Cost> limit) const {
  // What follows from the layout alone; none where the accesses decide.
  auto getLayoutOrders =
      [&](unsigned first, unsigned second) -> std::optional<placement::Orders> {
    switch (share(first, second, pairs)) {
    case Shared::Yes:
      return placement::kInWorkgroupMemory;
    case Shared::No:
      return 0;
    case Shared::Same:
      return std::nullopt;
    }
    llvm_unreachable("unknown answer");
  };
  auto query = [&](unsigned first, unsigned second, unsigned carryingLoop,
                   placement::PathTiming timing) {
    std::optional<placement::Orders> orders = getLayoutOrders(first, second);
    return orders ? *orders
                  : facts.getOrders(first, second, carryingLoop, timing);
  };
  auto getMost = [&](unsigned first, unsigned second) {
    std::optional<placement::Orders> orders = getLayoutOrders(first, second);
    return orders ? *orders : facts.getMostOrders(first, second);
  };
  placement::PlacementOptions options;
  options.getMostOrders = getMost;
  options.limit = limit;
  options.timings = timings;
  placement::Placement result = placement::place(merged, query, options);
  return {unsigned(result.uncut.size()), result.cost};
}

/// Whether two accesses of the program may touch bytes that buffers share, by
/// the layout alone; `Same`: nothing that the layout decides.
LayoutBarriers::Shared LayoutBarriers::share(unsigned first, unsigned second,
                                             const BufferPairs &pairs) const {
  for (unsigned a : touched[first])
    for (unsigned b : touched[second])
      if (pairs.contains(a, b))
        return Shared::Yes;
  ArrayRef<placement::Access> apart = program.getProgram().getAccesses();
  bool areApart = apart[first].bucket != kNone &&
                  apart[second].bucket != kNone &&
                  apart[first].bucket != apart[second].bucket;
  return areApart ? Shared::No : Shared::Same;
}

/// True when two programs have the same accesses, in the same order.
static bool haveSameAccesses(const BarrierProgram &a, const BarrierProgram &b) {
  size_t size = a.getProgram().getAccesses().size();
  if (b.getProgram().getAccesses().size() != size ||
      a.getProgram().getNumLoops() != b.getProgram().getNumLoops())
    return false;
  for (size_t i = 0; i < size; ++i)
    if (a.getAccess(i) != b.getAccess(i) || a.getState(i) != b.getState(i))
      return false;
  return true;
}

/// True when where a buffer lies moves the accesses to it, and changes nothing
/// else that is asked about them.
bool LayoutBarriers::areMovable() const {
  auto isPlain = [](const WorkgroupBuffer &buffer) {
    return buffer.followers.empty() &&
           buffer.value.getDefiningOp<memref::AllocOp>() &&
           buffer.getType().getLayout().isIdentity() &&
           llvm::none_of(buffer.value.getUsers(),
                         llvm::IsaPred<memref::ViewOp>);
  };
  auto isBuffer = [&](const MemoryBase &base) {
    return base.root && numbers.contains(base.root);
  };
  auto isMovable = [&](const MemoryAccess &access) {
    return llvm::none_of(access.bases, isBuffer) ||
           (access.bases.size() == 1 && access.bases.front().bytes &&
            access.view == access.bases.front().rootValue);
  };
  return !facts.followsStates() && llvm::all_of(buffers, isPlain) &&
         llvm::all_of(placement.getHazards().getAccesses(), isMovable);
}

LayoutBarriers::Count LayoutBarriers::count(const packing::Solution &solution,
                                            const BufferPairs &pairs) const {
  if (areMovable()) {
    HazardAnalysis hazards(placement.getHazards(), [&](MemoryAccess &access) {
      for (MemoryBase &base : access.bases) {
        auto it = base.root ? numbers.find(base.root) : numbers.end();
        if (it == numbers.end())
          continue;
        int64_t offset = solution.offsets[it->second];
        // All are in one memory.
        base.root = &solution;
        base.bytes->first += offset;
        base.bytes->second += offset;
        if (base.shiftBytes)
          *base.shiftBytes += LinearExpr(offset);
        if (access.byteRange)
          access.byteRange->offset += LinearExpr(offset);
      }
    });
    BarrierQuery arena(context, hazards, placement.getUniformity(),
                       BarrierPlacement::Mode::Insert,
                       BarrierProgram::Kinds::None, &tables,
                       /*followsStates=*/false);
    return count(arena, pairs);
  }
  // Passes that come here have loaded these before they run.
  FunctionOpInterface kernel = context.getKernel();
  kernel->getContext()
      ->loadDialect<arith::ArithDialect, memref::MemRefDialect>();
  ScratchKernel scratch(kernel);
  std::vector<WorkgroupBuffer> copies(buffers.begin(), buffers.end());
  for (WorkgroupBuffer &buffer : copies) {
    buffer.value = scratch.lookup(buffer.value);
    for (Value &follower : buffer.followers)
      follower = scratch.lookup(follower);
  }
  KernelContext copy = context.withKernel(scratch.getKernel());
  moveIntoArena(copy, copies, solution);
  ThreadRelations relations(copy, ThreadRelations::ControlFlow::IsKept);
  Uniformity uniformity(copy, relations);
  HazardAnalysis hazards(copy, relations, AtomicOrder::Updates);
  BarrierQuery arena(copy, hazards, uniformity, BarrierPlacement::Mode::Insert,
                     BarrierProgram::Kinds::None, &tables,
                     placement.followsStates());
  return count(arena, pairs);
}

/// The same of accesses that are where the layout has them.
LayoutBarriers::Count LayoutBarriers::count(BarrierQuery &arena,
                                            const BufferPairs &pairs) const {
  // What no two buffers have in common stays what it was.
  bool isKnown = haveSameAccesses(program, arena.getProgram());
  auto query = [&](unsigned first, unsigned second, unsigned carryingLoop,
                   placement::PathTiming timing) -> placement::Orders {
    Shared shared = isKnown ? share(first, second, pairs) : Shared::Yes;
    if (shared == Shared::No)
      return 0;
    BarrierQuery &asked = shared == Shared::Yes ? arena : facts;
    return asked.getOrders(first, second, carryingLoop, timing);
  };
  auto getMost = [&](unsigned first, unsigned second) -> placement::Orders {
    Shared shared = isKnown ? share(first, second, pairs) : Shared::Yes;
    if (shared == Shared::No)
      return 0;
    return (shared == Shared::Yes ? arena : facts).getMostOrders(first, second);
  };
  auto getMostOf = [&](unsigned access) -> placement::Orders {
    placement::Orders most = arena.getMostOrdersOf(access);
    return isKnown ? most | facts.getMostOrdersOf(access) : most;
  };
  placement::PlacementOptions options;
  options.everyPathCut = true;
  options.getMostOrders = getMost;
  options.getMostOrdersOf = getMostOf;
  placement::Placement placed =
      placement::place(arena.getProgram().getProgram(), query, options);
  Count result{{unsigned(placed.uncut.size()), placed.cost}, {}};
  for (const placement::PlacedBarrier &barrier : placed.barriers)
    for (unsigned a : touched[barrier.cuts.first])
      for (unsigned b : touched[barrier.cuts.second])
        if (isKnown && pairs.contains(a, b))
          result.blamed.push_back(std::minmax(a, b));
  return result;
}
