//===- InsertBarriers.cpp - barriers between hazards -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A forward walk over structured control flow with the accesses that no
/// barrier has followed yet. A barrier goes as late as possible: before the
/// first op that has a hazard with a pending access, which is optimal in
/// straight-line code. A hazard that only what precedes a loop causes is cut
/// before the loop.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/HazardAnalysis.h"
#include "MemSpace/Analysis/Uniformity.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include <set>
#include <tuple>

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEINSERTBARRIERS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// An access that no workgroup barrier has followed yet.
struct Pending {
  unsigned access;
  /// Number of the outermost loop around it whose back edge lies between it
  /// and here; kNoLoop when there is none.
  unsigned crossed;
  /// A subgroup barrier has followed.
  bool subgroupOrdered;
  /// An asynchronous write without its wait yet: no barrier orders it.
  bool inFlight;

  bool operator<(const Pending &other) const {
    return std::tie(access, crossed, subgroupOrdered, inFlight) <
           std::tie(other.access, other.crossed, other.subgroupOrdered,
                    other.inFlight);
  }
};
constexpr unsigned kNoLoop = ~0u;
using State = std::set<Pending>;

/// What must stand before an op, the strongest last.
enum class Order { None, Subgroup, Workgroup };

struct Need {
  Order order = Order::None;
  unsigned first = 0, second = 0;
};

class BarrierPlacement {
public:
  BarrierPlacement(FunctionOpInterface kernel, const LaunchShape &shape,
                   const TargetInfo &target)
      : kernel(kernel), relations(kernel, shape, target.subgroupSize),
        uniformity(kernel, relations), hazards(kernel, relations, target),
        hasOneSubgroup(shape.getSubgroups(target.subgroupSize) == 1) {
    kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<LoopLikeOpInterface>(op)) {
        loopNumbers[op] = loops.size();
        loops.push_back(op);
      }
    });
  }

  /// Decides; nothing is changed on failure.
  LogicalResult run();
  void insert();

private:
  LogicalResult checkControl();

  void visit(Region &region, State &state, ExecutionScope level);
  void visit(Operation *op, State &state, ExecutionScope level);
  void visitStructured(Operation *op, State &state, ExecutionScope level);
  void visitLoop(LoopLikeOpInterface loop, State &state, ExecutionScope level);
  State visitLoopBody(Operation *loop, State &state, ExecutionScope level);
  void visitDivergent(Operation *op, State &state, ExecutionScope level);
  void checkInside(Operation *op, ExecutionScope level);

  void require(Operation *op, ArrayRef<unsigned> accesses, State &state,
               ExecutionScope level);
  void add(ArrayRef<unsigned> accesses, State &state);
  static void order(State &state, Order by);
  State crossBackEdge(const State &state, Operation *loop) const;
  State leaveLoop(const State &state, Operation *loop) const;
  std::string describe(const Need &need) const;

  FunctionOpInterface kernel;
  ThreadRelations relations;
  Uniformity uniformity;
  HazardAnalysis hazards;
  bool hasOneSubgroup;
  SmallVector<Operation *> loops;
  DenseMap<Operation *, unsigned> loopNumbers;
  llvm::MapVector<Operation *, Need> decisions;
  DenseSet<Operation *> checked;
  /// While set, needs are recorded here and not decided.
  Need *trial = nullptr;
  bool failed = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult BarrierPlacement::checkControl() {
  if (!kernel.getFunctionBody().hasOneBlock())
    return kernel->emitError()
           << "unstructured control flow between the blocks of kernel '"
           << kernel.getName()
           << "'; insert barriers before scf is lowered to cf";
  WalkResult result = kernel->walk([&](Operation *op) {
    bool isWorkgroup = isa<gpu::BarrierOp>(op);
    if (!isWorkgroup && !isa<SubgroupBarrierOp>(op))
      return WalkResult::advance();
    Operation *cause = nullptr;
    ExecutionScope reach = uniformity.getReachScope(op, &cause);
    if (reach <=
        (isWorkgroup ? ExecutionScope::Workgroup : ExecutionScope::Subgroup))
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitError()
                              << "barrier that only some threads of the "
                              << (isWorkgroup ? "workgroup" : "subgroup")
                              << " reach; move it out of the divergent region";
    diag.attachNote(cause->getLoc())
        << "the condition here differs between threads";
    if (auto ifOp = dyn_cast<scf::IfOp>(cause))
      if (Operation *def = ifOp.getCondition().getDefiningOp())
        diag.attachNote(def->getLoc()) << "where the condition comes from";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

void BarrierPlacement::visit(Region &region, State &state,
                             ExecutionScope level) {
  for (Block &block : region)
    for (Operation &op : block)
      visit(&op, state, level);
}

/// True for a wait behind which no asynchronous copy is in flight; one that
/// leaves groups in flight may leave any.
static bool completesCopies(Operation *op) {
  auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op);
  return wait && wait.getNumGroups().value_or(0) == 0;
}

void BarrierPlacement::visit(Operation *op, State &state,
                             ExecutionScope level) {
  if (auto it = decisions.find(op); it != decisions.end())
    order(state, it->second.order);
  if (isa<gpu::BarrierOp>(op))
    return order(state, Order::Workgroup);
  if (isa<SubgroupBarrierOp>(op))
    return order(state, Order::Subgroup);
  if (completesCopies(op)) {
    State completed;
    for (Pending pending : state) {
      pending.inFlight = false;
      completed.insert(pending);
    }
    state = std::move(completed);
    return;
  }
  if (isControlFlow(op)) {
    if (uniformity.getControlScope(op) <= level)
      return visitStructured(op, state, level);
    return visitDivergent(op, state, level);
  }
  SmallVector<unsigned> accesses = hazards.getAccesses(op);
  require(op, accesses, state, level);
  add(accesses, state);
}

void BarrierPlacement::visitStructured(Operation *op, State &state,
                                       ExecutionScope level) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return visitLoop(loop, state, level);
  State joined;
  // Without an else the region may be skipped.
  bool maySkip =
      isa<scf::IfOp>(op) && cast<scf::IfOp>(op).getElseRegion().empty();
  if (maySkip)
    joined = state;
  for (Region &region : op->getRegions()) {
    State branch = state;
    visit(region, branch, level);
    joined.insert(branch.begin(), branch.end());
  }
  state = std::move(joined);
}

/// Visits the regions of `loop` once from `state`, which becomes the state at
/// the back edge; returns the state where the loop is left.
State BarrierPlacement::visitLoopBody(Operation *loop, State &state,
                                      ExecutionScope level) {
  if (auto whileOp = dyn_cast<scf::WhileOp>(loop)) {
    visit(whileOp.getBefore(), state, level);
    State exit = state;
    visit(whileOp.getAfter(), state, level);
    return exit;
  }
  for (Region &region : loop->getRegions())
    visit(region, state, level);
  return state;
}

static bool runsAtLeastOnce(Operation *loop) {
  if (isa<scf::WhileOp>(loop))
    return true; // The exit state is that of the condition.
  auto forOp = dyn_cast<scf::ForOp>(loop);
  if (!forOp || forOp.getUnsignedCmp())
    return false;
  std::optional<int64_t> lower = getConstantIntValue(forOp.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(forOp.getUpperBound());
  return lower && upper && *lower < *upper;
}

void BarrierPlacement::visitLoop(LoopLikeOpInterface loop, State &state,
                                 ExecutionScope level) {
  // Returns the exit state; `carried` grows to what the back edge brings.
  auto iterate = [&](const State &entry, State &carried) {
    while (true) {
      State body = entry;
      body.insert(carried.begin(), carried.end());
      State exit = visitLoopBody(loop, body, level);
      size_t size = carried.size();
      State next = crossBackEdge(body, loop);
      carried.insert(next.begin(), next.end());
      if (carried.size() == size)
        return exit;
    }
  };
  // First what the loop needs for itself, then whether that is enough for what
  // comes from before; if not, one barrier before the loop is.
  State carried;
  iterate(State(), carried);
  if (!trial) {
    Need need;
    trial = &need;
    State trialCarried = carried;
    iterate(state, trialCarried);
    trial = nullptr;
    if (need.order != Order::None) {
      decisions[loop] = need;
      order(state, need.order);
    }
  }
  State exit = iterate(state, carried);
  if (!runsAtLeastOnce(loop))
    exit.insert(state.begin(), state.end());
  state = leaveLoop(exit, loop);
}

State BarrierPlacement::crossBackEdge(const State &state,
                                      Operation *loop) const {
  State result;
  for (Pending pending : state) {
    bool isInside =
        loop->isProperAncestor(hazards.getAccesses()[pending.access].op);
    bool isOuter = pending.crossed != kNoLoop &&
                   loops[pending.crossed]->isProperAncestor(loop);
    if (isInside && !isOuter)
      pending.crossed = loopNumbers.lookup(loop);
    result.insert(pending);
  }
  return result;
}

State BarrierPlacement::leaveLoop(const State &state, Operation *loop) const {
  State result;
  for (Pending pending : state) {
    if (pending.crossed != kNoLoop && loop->isAncestor(loops[pending.crossed]))
      pending.crossed = kNoLoop;
    result.insert(pending);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Regions that not all threads enter
//===----------------------------------------------------------------------===//

void BarrierPlacement::visitDivergent(Operation *op, State &state,
                                      ExecutionScope level) {
  SmallVector<unsigned> accesses = hazards.getAccesses(op);
  require(op, accesses, state, level);
  if (!trial && checked.insert(op).second)
    checkInside(op, level);
  // Threads of one subgroup may still come together inside.
  if (!trial && level == ExecutionScope::Workgroup &&
      uniformity.getControlScope(op) == ExecutionScope::Subgroup) {
    State inside;
    visitStructured(op, inside, ExecutionScope::Subgroup);
  }
  add(accesses, state);
  bool waits = false;
  op->walk([&](Operation *inner) { waits |= completesCopies(inner); });
  if (!waits)
    return;
  State completed;
  for (Pending pending : state) {
    pending.inFlight = false;
    completed.insert(pending);
  }
  state = std::move(completed);
}

/// The outermost loop of those in `op` that is around both.
static Operation *getOutermostLoop(Operation *op, Operation *a, Operation *b) {
  Operation *result = nullptr;
  for (Operation *parent = a->getParentOp(); parent && op->isAncestor(parent);
       parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent) && parent->isProperAncestor(b))
      result = parent;
  return result;
}

/// Inside a region that not all threads of `level` enter no barrier orders two
/// accesses, so there may be no hazard between them.
void BarrierPlacement::checkInside(Operation *op, ExecutionScope level) {
  bool subgroupsEnter =
      uniformity.getControlScope(op) == ExecutionScope::Subgroup;
  SmallVector<unsigned> inside = hazards.getAccesses(op);
  for (unsigned i = 0; i < inside.size(); ++i)
    for (unsigned j = i; j < inside.size(); ++j) {
      const MemoryAccess &a = hazards.getAccesses()[inside[i]];
      const MemoryAccess &b = hazards.getAccesses()[inside[j]];
      Operation *loop = getOutermostLoop(op, a.op, b.op);
      // No barrier stands inside an op, but one may between two iterations.
      if (a.op == b.op && !loop)
        continue;
      Hazard hazard = hazards.getHazard(inside[i], inside[j], loop);
      bool bad = level == ExecutionScope::Workgroup && hazard.acrossSubgroups;
      if (!subgroupsEnter)
        bad |= hazard.insideSubgroup;
      if (!bad)
        continue;
      failed = true;
      InFlightDiagnostic diag =
          a.op->emitError()
          << "threads may touch the same memory here and in '"
          << b.op->getName()
          << "', but both are in a region that not all threads enter, where "
             "no barrier can stand; split the region between the two";
      diag.attachNote(b.op->getLoc()) << "the other access";
      diag.attachNote(op->getLoc()) << "only some threads enter here";
      return;
    }
}

//===----------------------------------------------------------------------===//
// Hazards
//===----------------------------------------------------------------------===//

void BarrierPlacement::order(State &state, Order by) {
  State result;
  for (Pending pending : state) {
    if (by == Order::Workgroup && !pending.inFlight)
      continue;
    if (by == Order::Subgroup && !pending.inFlight)
      pending.subgroupOrdered = true;
    result.insert(pending);
  }
  state = std::move(result);
}

void BarrierPlacement::require(Operation *op, ArrayRef<unsigned> accesses,
                               State &state, ExecutionScope level) {
  Need need;
  for (const Pending &pending : state)
    for (unsigned access : accesses) {
      // A loop that is not around both does not matter to the pair.
      Operation *crossed =
          pending.crossed == kNoLoop ? nullptr : loops[pending.crossed];
      Hazard hazard = hazards.getHazard(pending.access, access, crossed);
      Order order = Order::None;
      if (hazard.insideSubgroup && !pending.subgroupOrdered)
        order = hasOneSubgroup && level == ExecutionScope::Workgroup
                    ? Order::Workgroup
                    : Order::Subgroup;
      // Below workgroup level checkInside() has looked at the others.
      if (hazard.acrossSubgroups && level == ExecutionScope::Workgroup)
        order = Order::Workgroup;
      if (order > need.order)
        need = {order, pending.access, access};
    }
  if (need.order == Order::None)
    return;
  if (trial) {
    if (need.order > trial->order)
      *trial = need;
  } else {
    Need &decision = decisions[op];
    if (need.order > decision.order)
      decision = need;
  }
  order(state, need.order);
}

void BarrierPlacement::add(ArrayRef<unsigned> accesses, State &state) {
  for (unsigned access : accesses)
    state.insert({access, kNoLoop, /*subgroupOrdered=*/false,
                  hazards.getAccesses()[access].asynchronous});
}

LogicalResult BarrierPlacement::run() {
  if (mlir::failed(checkControl()))
    return failure();
  State state;
  visit(kernel.getFunctionBody(), state, ExecutionScope::Workgroup);
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Inserting
//===----------------------------------------------------------------------===//

std::string BarrierPlacement::describe(const Need &need) const {
  const MemoryAccess &a = hazards.getAccesses()[need.first];
  const MemoryAccess &b = hazards.getAccesses()[need.second];
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (a.writes ? (b.reads ? "RAW" : "WAW") : "WAR") << " on ";
  if (Value memref = b.memref ? b.memref : a.memref)
    os << memref.getType();
  else
    os << "any memory";
  os << ": '" << a.op->getName() << "' at " << a.op->getLoc() << ", '"
     << b.op->getName() << "' at " << b.op->getLoc();
  return text;
}

void BarrierPlacement::insert() {
  for (auto &[op, need] : decisions) {
    std::string text = describe(need);
    OpBuilder builder(op);
    Operation *barrier;
    if (need.order == Order::Workgroup)
      barrier = gpu::BarrierOp::create(builder, op->getLoc());
    else
      barrier = SubgroupBarrierOp::create(builder, op->getLoc());
    barrier->setAttr(kHazardAttr, builder.getStringAttr(text));
    remark::passed(op->getLoc(), remark::RemarkOpts::name("barrier")
                                     .category("memspace")
                                     .function(kernel.getName()))
        << text;
  }
}

namespace {
struct InsertBarriersPass
    : public memspace::impl::MemSpaceInsertBarriersBase<InsertBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    TargetOverrides overrides{chip, workgroupLimit, privateLimit, subgroupSize};
    for (FunctionOpInterface kernel : getKernels(getOperation())) {
      FailureOr<TargetInfo> target = resolveTarget(kernel, overrides);
      if (failed(target))
        return signalPassFailure();
      BarrierPlacement placement(kernel, *getLaunchShape(kernel), *target);
      if (failed(placement.run()))
        return signalPassFailure();
      placement.insert();
    }
  }
};
} // namespace
