//===- BarrierVerifier.cpp - is a kernel with barriers free of races? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that all come to a barrier have taken the same path to it, since only
// uniform conditions lie around it. So two accesses can be executed between the
// same two barriers only if a path leads from one to the other without one.
// Where threads take paths of their own, in divergent regions, every two
// accesses of one execution of the region may meet.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/BarrierVerifier.h"
#include "MemSpace/Analysis/Synchronization.h"
#include "ProgramGraph.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::memspace;

StringRef UncutHazard::getKind() const {
  if (!first.writes)
    return "WAR";
  return second.reads ? "RAW" : "WAW";
}

//===----------------------------------------------------------------------===//
// What a path does to an access
//===----------------------------------------------------------------------===//

namespace {
/// How far a copy is: no copy or completed, begun, and committed to a group
/// with `flight - kCommitted` groups after it.
constexpr unsigned kLanded = 0, kBegun = 1, kCommitted = 2;
/// Groups beyond are not counted; only a wait for more of them would tell.
constexpr unsigned kMaxFlight = kCommitted + 8;

/// An access on its way: where it is and what has happened since.
struct Traveller {
  unsigned point;
  /// 0: no loop around the access has begun a next iteration; else 1 + the
  /// nesting depth of the outermost that has.
  unsigned crossed = 0;
  /// A subgroup barrier has followed.
  bool isSubgroupOrdered = false;
  unsigned flight = kLanded;
};

class Verification {
public:
  Verification(FunctionOpInterface kernel, const LaunchShape &shape,
               const TargetInfo &target, unsigned limit);

  void run();

  std::vector<UncutHazard> hazards;
  SmallVector<DivergentBarrier> divergentBarriers;
  SmallVector<Operation *> unknownOps;
  bool complete = true;

private:
  void checkBarriers();
  void checkUnknownOps();
  void checkSameOp();
  void checkDivergentRegions();
  void checkApart(Operation *region, ArrayRef<SmallVector<unsigned>> parts,
                  ExecutionScope scope);
  void follow(unsigned access);
  bool pass(const Barrier &barrier, unsigned access, Traveller &traveller);
  void meet(unsigned first, unsigned second, const Traveller &traveller,
            ArrayRef<Operation *> loops);

  bool mayConflict(unsigned first, unsigned second) const;
  Hazard getHazard(unsigned first, unsigned second, Operation *crossed) const;
  bool mayMeetInOneThread(unsigned first, unsigned second,
                          Operation *crossed) const;
  bool dependOnLoads(unsigned first, unsigned second, Operation *crossed) const;
  Operation *getDivergentRegion(Operation *first, Operation *second,
                                Operation *crossed,
                                const Hazard &threads) const;
  SmallVector<Operation *> getLoopsAround(Operation *op) const;
  void add(UncutHazard::Cause cause, unsigned first, unsigned second,
           Operation *crossed, Hazard threads, Operation *region = nullptr);

  unsigned getForm(const MemoryAccess &access);
  Hazard ask(unsigned first, unsigned second, Operation *crossed) const;

  /// The same of an access as constants, for a first look at a pair.
  struct Summary {
    /// Null: more than one, or unknown.
    const void *root = nullptr;
    std::optional<std::pair<int64_t, int64_t>> bytes;
    bool isWorkgroup = false;
    /// One number for all accesses that no question tells apart.
    unsigned form = 0;
  };

  Operation *kernel;
  ThreadRelations relations;
  Uniformity uniformity;
  HazardAnalysis analysis;
  ArrayRef<MemoryAccess> accesses;
  ProgramGraph graph;
  unsigned limit;
  std::vector<Summary> summaries;
  std::map<std::vector<uintptr_t>, unsigned> forms;
  mutable DenseMap<std::pair<std::pair<unsigned, unsigned>, Operation *>,
                   Hazard>
      answers;
  DenseMap<Operation *, SmallVector<unsigned>> accessesOf;
  DenseSet<Operation *> wrongBarriers;
  std::set<std::tuple<Operation *, Operation *, bool>> known;
};
} // namespace

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Orders accesses, or copies, and is not itself an access.
static bool isSynchronization(Operation *op) {
  return isBarrierLike(op) || commitsAsyncCopies(op) ||
         getGroupsLeftInFlight(op).has_value();
}

static bool isWorkgroupType(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
                       memref.getMemorySpace());
}

Verification::Verification(FunctionOpInterface kernel, const LaunchShape &shape,
                           const TargetInfo &target, unsigned limit)
    : kernel(kernel), relations(kernel, shape, target.subgroupSize),
      uniformity(kernel, relations), analysis(kernel, relations, target),
      accesses(analysis.getAccesses()),
      graph(kernel,
            [&](Operation *op) {
              return isSynchronization(op) || !analysis.getAccesses(op).empty();
            }),
      limit(limit) {
  for (auto [index, access] : llvm::enumerate(accesses)) {
    Summary &summary = summaries.emplace_back();
    if (access.memref && access.bases.size() == 1) {
      summary.root = access.bases.front().root;
      summary.bytes = access.bases.front().bytes;
    }
    summary.form = getForm(access);
    summary.isWorkgroup =
        access.memref && isWorkgroupType(access.memref.getType());
  }
  kernel->walk([&](Operation *op) {
    if (isControlFlow(op) || isSynchronization(op))
      return;
    SmallVector<unsigned> numbers = analysis.getAccesses(op);
    if (!numbers.empty())
      accessesOf[op] = std::move(numbers);
  });
}

void Verification::run() {
  checkBarriers();
  checkUnknownOps();
  checkSameOp();
  checkDivergentRegions();
  for (unsigned access = 0; access < accesses.size() && complete; ++access)
    if (accessesOf.contains(accesses[access].op))
      follow(access);
}

void Verification::add(UncutHazard::Cause cause, unsigned first,
                       unsigned second, Operation *crossed, Hazard threads,
                       Operation *region) {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  if (!known.insert({a.op, b.op, crossed != nullptr}).second)
    return;
  if (hazards.size() == limit) {
    complete = false;
    return;
  }
  hazards.push_back({cause, a, b, crossed, threads, region});
}

void Verification::checkBarriers() {
  kernel->walk([&](Operation *op) {
    ExecutionScope scope = ExecutionScope::Workgroup;
    if (std::optional<Barrier> barrier = getBarrier(op))
      scope = barrier->scope;
    else if (!isBarrierLike(op) && !isa<gpu::AllReduceOp>(op))
      return;
    Operation *cause = nullptr;
    if (uniformity.getReachScope(op, &cause) <= scope)
      return;
    divergentBarriers.push_back({op, scope, cause});
    wrongBarriers.insert(op);
  });
}

/// Effects of an op with regions are those of what is in them, if it says so.
void Verification::checkUnknownOps() {
  kernel->walk([&](Operation *op) {
    if (isControlFlow(op) && op != kernel &&
        !isa<RegionBranchOpInterface, LoopLikeOpInterface, gpu::AllReduceOp>(
            op) &&
        !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
      unknownOps.push_back(op);
  });
}

//===----------------------------------------------------------------------===//
// Pairs of accesses
//===----------------------------------------------------------------------===//

/// What constants tell at once.
bool Verification::mayConflict(unsigned first, unsigned second) const {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  if ((!a.writes && !b.writes) || (a.atomic && b.atomic))
    return false;
  const Summary &x = summaries[first], &y = summaries[second];
  if (!x.root || !y.root)
    return true;
  if (x.root != y.root)
    return mayShareMemory(a, b);
  return !x.bytes || !y.bytes ||
         (x.bytes->first < y.bytes->second && y.bytes->first < x.bytes->second);
}

/// True when the blocks of a region of `op` form a loop.
static bool hasBlocks(Operation *op) {
  return llvm::any_of(op->getRegions(), [](Region &region) {
    return !region.empty() && !region.hasOneBlock();
  });
}

/// True if what `access` touches, or whether it is executed, depends on a load
/// inside `cycle`.
static bool dependsOnLoads(const MemoryAccess &access, Operation *cycle) {
  SmallVector<Value> work;
  for (Operation *op = access.op; op && op != cycle; op = op->getParentOp())
    for (Value operand : op->getOperands())
      // What is stored does not matter.
      if (op != access.op || isa<IndexType, BaseMemRefType>(operand.getType()))
        work.push_back(operand);
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !cycle->isProperAncestor(op) || !seen.insert(value).second)
      continue;
    if (op->getNumRegions() == 0 && isMemoryEffectFree(op))
      llvm::append_range(work, op->getOperands());
    else if (!isa<BaseMemRefType>(value.getType()))
      return true;
  }
  return false;
}

/// A load in a cycle of blocks gives another value in each iteration; the
/// affine questions, which take it as one value, know only loops.
bool Verification::dependOnLoads(unsigned first, unsigned second,
                                 Operation *crossed) const {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  Operation *cycle = crossed && hasBlocks(crossed) ? crossed : nullptr;
  for (Operation *op = a.op; op && op != kernel && !cycle;) {
    op = op->getParentOp();
    if (hasBlocks(op) && op->isProperAncestor(b.op) &&
        uniformity.hasDivergentCycle(op))
      cycle = op;
  }
  return cycle && (dependsOnLoads(a, cycle) || dependsOnLoads(b, cycle));
}

/// Many accesses are alike: the same elements in the same block.
unsigned Verification::getForm(const MemoryAccess &access) {
  std::vector<uintptr_t> key;
  auto add = [&](const auto *pointer) {
    key.push_back(reinterpret_cast<uintptr_t>(pointer));
  };
  auto addExpr = [&](const LinearExpr &expr) {
    key.push_back(expr.constant);
    key.push_back(expr.terms.size());
    for (auto [value, coefficient] : expr.terms) {
      add(value.getAsOpaquePointer());
      key.push_back(coefficient);
    }
  };
  auto addRange = [&](const IndexRange &range) {
    addExpr(range.offset);
    key.push_back(range.stride);
    key.push_back(range.size.has_value());
    if (range.size)
      addExpr(*range.size);
    key.push_back(range.extents.size());
    for (const auto &[size, stride] : range.extents) {
      addExpr(size);
      key.push_back(stride);
    }
  };
  add(access.op->getBlock());
  add(access.memref.getAsOpaquePointer());
  add(access.view.getAsOpaquePointer());
  key.push_back(access.reads + 2 * access.writes + 4 * access.atomic);
  for (StringRef name : {kPromiseAttr, kSubgroupPromiseAttr})
    add(access.op->getAttr(name).getAsOpaquePointer());
  // What else an op does with its memory, only it knows.
  if (!isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp>(
          access.op) ||
      !access.elements)
    add(access.op);
  else
    llvm::for_each(*access.elements, addRange);
  key.push_back(access.byteRange.has_value());
  if (access.byteRange)
    addRange(*access.byteRange);
  return forms.try_emplace(std::move(key), forms.size()).first->second;
}

Hazard Verification::getHazard(unsigned first, unsigned second,
                               Operation *crossed) const {
  if (!mayConflict(first, second))
    return {};
  auto forms = std::make_pair(summaries[first].form, summaries[second].form);
  auto slot = std::make_pair(forms, crossed);
  if (auto it = answers.find(slot); it != answers.end())
    return it->second;
  return answers[slot] = ask(first, second, crossed);
}

Hazard Verification::ask(unsigned first, unsigned second,
                         Operation *crossed) const {
  if (dependOnLoads(first, second, crossed)) {
    bool may = mayShareMemory(accesses[first], accesses[second]);
    return {may, may};
  }
  return analysis.getHazard(first, second, crossed);
}

/// The innermost block around both ops.
static Block *getCommonBlock(Operation *a, Operation *b) {
  Block *block = a->getBlock();
  while (!block->findAncestorOpInBlock(*b) && block->getParentOp()->getBlock())
    block = block->getParentOp()->getBlock();
  return block;
}

/// The same question of one thread that is at both.
bool Verification::mayMeetInOneThread(unsigned first, unsigned second,
                                      Operation *crossed) const {
  if (!mayConflict(first, second))
    return false;
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  if (!mayShareMemory(a, b))
    return false;
  if (dependOnLoads(first, second, crossed))
    return true;
  ElementAccess left{a.op, std::nullopt}, right{b.op, std::nullopt};
  if (haveComparableElements(a, b)) {
    left.ranges = a.elements;
    right.ranges = b.elements;
  } else if (a.byteRange && b.byteRange &&
             a.bases.front().root == b.bases.front().root) {
    left.ranges = SmallVector<IndexRange>{*a.byteRange};
    right.ranges = SmallVector<IndexRange>{*b.byteRange};
  }
  if (crossed)
    return relations.mayMeet(left, right, ExecutionPair::SameThread, crossed);
  return relations.mayMeet(left, right, ExecutionPair::SameThread,
                           getCommonBlock(a.op, b.op));
}

/// Threads at one op at once: no barrier is between them.
void Verification::checkSameOp() {
  for (auto &[op, numbers] : accessesOf)
    for (unsigned i = 0; i < numbers.size(); ++i)
      for (unsigned j = i; j < numbers.size(); ++j)
        if (Hazard hazard = getHazard(numbers[i], numbers[j], nullptr))
          add(UncutHazard::SameOp, numbers[i], numbers[j], nullptr, hazard);
}

//===----------------------------------------------------------------------===//
// Divergent regions
//===----------------------------------------------------------------------===//

/// Accesses of different `parts` have no path between them in one execution of
/// `region`, whose parts different threads may enter at once.
void Verification::checkApart(Operation *region,
                              ArrayRef<SmallVector<unsigned>> parts,
                              ExecutionScope scope) {
  for (unsigned i = 0; i < parts.size(); ++i)
    for (unsigned j = i + 1; j < parts.size(); ++j)
      for (unsigned first : parts[i])
        for (unsigned second : parts[j]) {
          Hazard hazard = getHazard(first, second, nullptr);
          // The lanes of a subgroup come together.
          if (scope == ExecutionScope::Subgroup)
            hazard.insideSubgroup = false;
          if (hazard)
            add(UncutHazard::Divergent, first, second, nullptr, hazard, region);
        }
}

void Verification::checkDivergentRegions() {
  kernel->walk([&](Operation *op) {
    if (!isControlFlow(op) && op != kernel)
      return;
    ExecutionScope control = uniformity.getEntryScope(op);
    if (op != kernel && control > ExecutionScope::Workgroup &&
        op->getNumRegions() > 1) {
      SmallVector<SmallVector<unsigned>> parts;
      for (Region &region : op->getRegions()) {
        SmallVector<unsigned> &part = parts.emplace_back();
        for (Operation &inner : region.getOps())
          llvm::append_range(part, analysis.getAccesses(&inner));
      }
      checkApart(op, parts, control);
    }
    for (Region &region : op->getRegions()) {
      if (region.empty() || region.hasOneBlock())
        continue;
      // Blocks that threads of different branches may be in at once; that it is
      // the same branch that they came from is not asked.
      SmallVector<SmallVector<unsigned>> parts;
      ExecutionScope widest = ExecutionScope::Workgroup;
      Operation *branch = nullptr;
      for (Block &block : region) {
        Operation *cause = nullptr;
        ExecutionScope scope = uniformity.getBlockScope(&block, &cause);
        if (scope <= ExecutionScope::Workgroup)
          continue;
        if (scope > widest) {
          widest = scope;
          branch = cause;
        }
        SmallVector<unsigned> &part = parts.emplace_back();
        for (Operation &inner : block)
          llvm::append_range(part, analysis.getAccesses(&inner));
      }
      checkApart(branch, parts, widest);
    }
  });
}

/// The innermost op around both accesses, and around the crossed loop, that
/// threads do not enter together; null where they come together.
Operation *Verification::getDivergentRegion(Operation *first, Operation *second,
                                            Operation *crossed,
                                            const Hazard &threads) const {
  ExecutionScope wanted = threads.acrossSubgroups ? ExecutionScope::Workgroup
                                                  : ExecutionScope::Subgroup;
  for (Operation *op = first->getParentOp(); op && op != kernel;
       op = op->getParentOp())
    if (op->isProperAncestor(second) && (!crossed || op->isAncestor(crossed)) &&
        uniformity.getEntryScope(op) > wanted)
      return op;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// The loops around `op`, outermost first, as far as they matter: those that
/// may run more than once.
SmallVector<Operation *> Verification::getLoopsAround(Operation *op) const {
  SmallVector<Operation *> loops;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (graph.isCrossed(parent))
      loops.push_back(parent);
    if (parent == kernel)
      break;
  }
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// False when the barrier ends the traveller's way.
bool Verification::pass(const Barrier &barrier, unsigned access,
                        Traveller &traveller) {
  // What is in flight arrives when it likes.
  if (traveller.flight != kLanded)
    return true;
  bool orders = barrier.ordersWorkgroupMemory &&
                (barrier.ordersGlobalMemory || summaries[access].isWorkgroup);
  if (!orders)
    return true;
  if (barrier.scope == ExecutionScope::Workgroup)
    return false;
  traveller.isSubgroupOrdered = true;
  return true;
}

void Verification::meet(unsigned first, unsigned second,
                        const Traveller &traveller,
                        ArrayRef<Operation *> loops) {
  Operation *crossed =
      traveller.crossed ? loops[traveller.crossed - 1] : nullptr;
  bool isInFlight = traveller.flight != kLanded;
  Hazard hazard = getHazard(first, second, crossed);
  if (traveller.isSubgroupOrdered)
    hazard.insideSubgroup = false;
  if (isInFlight && (hazard || mayMeetInOneThread(first, second, crossed)))
    return add(UncutHazard::InFlight, first, second, crossed, hazard);
  if (!hazard)
    return;
  Operation *region = getDivergentRegion(accesses[first].op,
                                         accesses[second].op, crossed, hazard);
  add(region ? UncutHazard::Divergent : UncutHazard::NoBarrier, first, second,
      crossed, hazard, region);
}

/// Follows `access` along all paths, as its thread goes on.
void Verification::follow(unsigned access) {
  Operation *source = accesses[access].op;
  SmallVector<Operation *> loops = getLoopsAround(source);
  auto getDepth = [&](Operation *loop) -> unsigned {
    return llvm::find(loops, loop) - loops.begin();
  };
  // A cycle of blocks that the access is not on is no loop around it.
  auto isOn = [&](const ProgramGraph::Edge &edge) {
    for (Operation *op = source; edge.cycle && op != kernel;
         op = op->getParentOp())
      if (op->getParentOp() == edge.crosses)
        return graph.getCycle(op->getBlock()) == edge.cycle;
    return true;
  };
  std::set<std::tuple<unsigned, unsigned, bool, unsigned>> seen;
  SmallVector<Traveller> work;

  auto leave = [&](const Traveller &from) {
    for (const ProgramGraph::Edge &edge : graph.getPoints()[from.point].next) {
      Traveller next = from;
      next.point = edge.target;
      if (edge.crosses && isOn(edge))
        if (unsigned depth = getDepth(edge.crosses); depth < loops.size())
          next.crossed =
              next.crossed ? std::min(next.crossed, depth + 1) : depth + 1;
      if (edge.leaves)
        if (unsigned depth = getDepth(edge.leaves);
            depth < loops.size() && next.crossed > depth)
          next.crossed = 0;
      if (graph.getPoints()[next.point].isJoin &&
          !seen.insert({next.point, next.crossed, next.isSubgroupOrdered,
                        next.flight})
               .second)
        continue;
      work.push_back(next);
    }
  };
  Traveller start{graph.getPoint(source)};
  if (startsAsyncCopy(source))
    start.flight = kBegun;
  leave(start);
  while (!work.empty() && complete) {
    Traveller traveller = work.pop_back_val();
    Operation *op = graph.getPoints()[traveller.point].op;
    if (!op) {
      leave(traveller);
      continue;
    }
    std::optional<Barrier> barrier = getBarrier(op);
    if (barrier && !wrongBarriers.contains(op) &&
        !pass(*barrier, access, traveller))
      continue;
    if (traveller.flight != kLanded && commitsAsyncCopies(op))
      traveller.flight = std::min(traveller.flight + 1, kMaxFlight);
    // A wait leaves the newest groups in flight, and what is in none.
    if (std::optional<unsigned> left = getGroupsLeftInFlight(op))
      if (traveller.flight >= kCommitted + *left)
        traveller.flight = kLanded;
    if (auto it = accessesOf.find(op); it != accessesOf.end())
      for (unsigned other : it->second)
        meet(access, other, traveller, loops);
    leave(traveller);
  }
}

BarrierVerifier::BarrierVerifier(FunctionOpInterface kernel,
                                 const LaunchShape &shape,
                                 const TargetInfo &target, unsigned limit) {
  Verification verification(kernel, shape, target, limit);
  verification.run();
  hazards = std::move(verification.hazards);
  divergentBarriers = std::move(verification.divergentBarriers);
  unknownOps = std::move(verification.unknownOps);
  complete = verification.complete;
}
