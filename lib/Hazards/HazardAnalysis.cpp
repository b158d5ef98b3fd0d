//===- HazardAnalysis.cpp - which accesses need an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "AccessClasses.h"
#include "AccessPairs.h"
#include "AtomicUpdates.h"
#include "BlockCircles.h"
#include "ExclusiveBlocks.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/Synchronization.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// By what two accesses are compared.
enum class Comparison { None, Elements, Bytes };
} // namespace
static Comparison getComparison(const MemoryAccess &a, const MemoryAccess &b);

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

/// True for what orders or delays the accesses of a thread: fences, waits,
/// hints to the scheduler. No other thread waits for any of them, so that they
/// order nothing between threads here.
static bool ordersOneThread(Operation *op) {
  return isa<LLVM::FenceOp, amdgpu::SchedBarrierOp, amdgpu::MemoryCounterWaitOp,
             NVVM::FenceProxyOp, NVVM::FenceScClusterOp, NVVM::MembarOp,
             NVVM::NanosleepOp, NVVM::WgmmaFenceAlignedOp, ROCDL::IglpOpt,
             ROCDL::SchedBarrier, ROCDL::SchedGroupBarrier, ROCDL::SetPrioOp,
             ROCDL::SNopOp, ROCDL::SSleepOp, ROCDL::SWaitcntOp,
             ROCDL::WaitDscntOp, ROCDL::WaitExpcntOp, ROCDL::WaitLoadcntOp,
             ROCDL::WaitStorecntOp>(op);
}

/// True for what also only has an effect outside the memory of the kernel, or
/// exchanges values between lanes.
static bool touchesNoMemory(Operation *op) {
  return isOnlySynchronization(op) || ordersOneThread(op) ||
         isa<memref::PrefetchOp, gpu::PrintfOp, vector::PrintOp, cf::AssertOp,
             gpu::SubgroupReduceOp, NVVM::ShflOp, NVVM::VoteSyncOp,
             ROCDL::DsBpermuteOp, ROCDL::BallotOp, ROCDL::ReadlaneOp,
             ROCDL::ReadfirstlaneOp>(op);
}

HazardAnalysis::HazardAnalysis(const KernelContext &context,
                               const ThreadRelations &relations,
                               AtomicOrder atomics, AnswerSharing sharing)
    : context(context), relations(relations), atomics(atomics),
      sharing(sharing), dominance(context.getKernel()),
      exclusiveBlocks(std::make_unique<ExclusiveBlocks>(relations)),
      classes(std::make_unique<AccessClasses>(relations)),
      circles(std::make_unique<BlockCircles>()) {
  FunctionOpInterface kernel = context.getKernel();
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isControlFlow(op))
      return WalkResult::advance();
    unsigned before = accesses.size();
    if (!touchesNoMemory(op))
      collectAccesses(op, context, accesses);
    for (unsigned index = before; index < accesses.size(); ++index)
      accessesOf[op].push_back(index);
    return WalkResult::skip();
  });
  summarize();
}

HazardAnalysis::HazardAnalysis(const HazardAnalysis &other,
                               llvm::function_ref<void(MemoryAccess &)> move)
    : context(other.context), relations(other.relations),
      atomics(other.atomics), sharing(other.sharing),
      dominance(context.getKernel()),
      exclusiveBlocks(std::make_unique<ExclusiveBlocks>(relations)),
      classes(std::make_unique<AccessClasses>(relations)),
      circles(std::make_unique<BlockCircles>()), accesses(other.accesses),
      accessesOf(other.accessesOf) {
  llvm::for_each(accesses, move);
  summarize();
}

HazardAnalysis::~HazardAnalysis() = default;

void HazardAnalysis::summarize() {
  DenseMap<const void *, unsigned> buckets;
  // Accesses of one kind meet the same others, elsewhere than in their blocks.
  // What is not bounded may be fruitless as a class.
  using Kind = std::tuple<unsigned, unsigned, SmallVector<int64_t, 4>>;
  std::map<Kind, unsigned> kinds;
  // Of the accesses at equal indices, without the constant of each.
  DenseMap<unsigned, std::optional<std::pair<int64_t, int64_t>>> bounds;
  unsigned numClasses = 0;
  for (const MemoryAccess &access : accesses) {
    Summary summary;
    summary.writes = access.writes;
    AccessClass kind = classes->classify(access);
    if (sharing == AnswerSharing::None)
      kind.number = kind.places = kind.likes = kind.indices = summaries.size();
    summary.classNumber = kind.number;
    summary.places = kind.places;
    summary.indices = kind.indices;
    if (!access.isUnknown() && !access.bases.empty() &&
        llvm::all_equal(llvm::map_range(
            access.bases, [](const MemoryBase &base) { return base.root; })))
      summary.bucket =
          buckets.try_emplace(access.bases.front().root, buckets.size() + 1)
              .first->second;
    if (access.byteRange) {
      int64_t constant = kind.constants.back();
      auto [it, isNew] = bounds.try_emplace(kind.indices);
      if (isNew)
        if (auto range = relations.getBounds(*access.byteRange))
          it->second = {range->first - constant, range->second - constant};
      if (it->second) {
        summary.bounded = true;
        summary.first = it->second->first + constant;
        summary.second = it->second->second + constant;
      }
    }
    numClasses = std::max(numClasses, kind.number + 1);
    unsigned unbounded = summary.bounded ? 0 : kind.number + 1;
    summary.kind =
        kinds.try_emplace({kind.likes, unbounded, kind.constants}, kinds.size())
            .first->second;
    summaries.push_back(summary);
    constants.push_back(std::move(kind.constants));
  }
  fruitless.resize(numClasses);
  firstOfClass.assign(numClasses, accesses.size());
  accessesOfBucket.resize(buckets.size() + 1);
  for (auto [number, summary] : llvm::enumerate(summaries)) {
    unsigned &first = firstOfClass[summary.classNumber];
    first = std::min<unsigned>(first, number);
    classesOfIndices.resize(
        std::max<size_t>(classesOfIndices.size(), summary.indices + 1));
    classesOfIndices[summary.indices] += first == number;
    accessesOfBucket[summary.bucket].push_back(number);
    isAnyBucketUsed |= summary.bucket == kAnyBucket;
    if (summary.bucket != kAnyBucket)
      accessesOfBucket[kAnyBucket].push_back(number);
  }
}

std::optional<std::pair<int64_t, int64_t>>
HazardAnalysis::getBounds(unsigned access) const {
  const Summary &summary = summaries[access];
  if (!summary.bounded)
    return std::nullopt;
  return std::make_pair(summary.first, summary.second);
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

/// True when what the accesses share may be two buffers that lie in the same
/// bytes of an arena.
static bool mayOverlapAcrossBuffers(const MemoryAccess &a,
                                    const MemoryAccess &b) {
  for (const MemoryBase &x : a.bases)
    for (const MemoryBase &y : b.bases)
      if (mayShareBytes(x, y) && x.buffer != y.buffer)
        return true;
  return false;
}

/// True when `carryingLoop` may allocate what the access touches: another
/// buffer in each iteration. Of an op that is a loop by its blocks, that may be
/// any but the entry, which no cycle has.
static bool isAllocatedInside(const MemoryAccess &access,
                              Operation *carryingLoop) {
  auto isInside = [&](const MemoryBase &base) {
    Operation *def = base.buffer ? base.buffer.getDefiningOp() : nullptr;
    if (!def || !carryingLoop->isProperAncestor(def))
      return false;
    if (isa<LoopLikeOpInterface>(carryingLoop))
      return true;
    while (def->getParentOp() != carryingLoop)
      def = def->getParentOp();
    return !def->getBlock()->hasNoPredecessors();
  };
  return carryingLoop && llvm::any_of(access.bases, isInside);
}

bool mlir::memspace::areAtomic(const MemoryAccess &a, const MemoryAccess &b,
                               const TargetInfo &target,
                               Operation *carryingLoop) {
  if (!a.atomic || !b.atomic || !a.memref || !b.memref ||
      mayOverlapAcrossBuffers(a, b) || isAllocatedInside(a, carryingLoop))
    return false;
  auto getBytes = [&](const MemoryAccess &access) {
    return getElementBytes(getElementTypeOrSelf(access.memref), target);
  };
  return getBytes(a) == getBytes(b);
}

bool HazardAnalysis::mayConflict(unsigned first, unsigned second) const {
  const Summary &left = summaries[first], &right = summaries[second];
  if (!left.writes && !right.writes)
    return false;
  if (left.bucket != right.bucket)
    return left.bucket == kAnyBucket || right.bucket == kAnyBucket;
  return !left.bounded || !right.bounded ||
         (left.first < right.second && right.first < left.second);
}

/// Sets which memory the accesses have in common.
static void setMemory(Hazard &hazard, const MemoryAccess &a,
                      const MemoryAccess &b) {
  const MemoryBase any;
  ArrayRef<MemoryBase> left = a.memref ? ArrayRef(a.bases) : ArrayRef(any);
  ArrayRef<MemoryBase> right = b.memref ? ArrayRef(b.bases) : ArrayRef(any);
  auto isBoth = [&](bool MemoryBase::*maybe) {
    auto is = [&](const MemoryBase &base) { return base.*maybe; };
    return llvm::any_of(left, is) && llvm::any_of(right, is);
  };
  bool maybeWorkgroup = isBoth(&MemoryBase::maybeWorkgroup);
  bool maybeGlobal = isBoth(&MemoryBase::maybeGlobal);
  // A value that loops pass on has many bases: the first that meet settle it.
  for (const MemoryBase &x : left)
    for (const MemoryBase &y : right) {
      if (hazard.workgroupMemory >= maybeWorkgroup &&
          hazard.globalMemory >= maybeGlobal)
        return;
      if (mayShareBytes(x, y)) {
        hazard.workgroupMemory |= x.maybeWorkgroup && y.maybeWorkgroup;
        hazard.globalMemory |= x.maybeGlobal && y.maybeGlobal;
      }
    }
}

bool HazardAnalysis::mayRace(unsigned first, unsigned second,
                             Operation *carryingLoop) const {
  if (!mayConflict(first, second))
    return false;
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  bool isExcused =
      atomics != AtomicOrder::All &&
      areAtomic(a, b, context.getTarget(), carryingLoop) &&
      (atomics == AtomicOrder::None || mayChangePlaces(a.op, b.op));
  return !isExcused && mayShareMemory(a, b);
}

Hazard HazardAnalysis::getIndexMeeting(unsigned first, unsigned second) const {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  Hazard meeting{/*acrossSubgroups=*/true, /*insideSubgroup=*/true};
  Comparison comparison = getComparison(a, b);
  // Without places all may meet.
  if (comparison == Comparison::None)
    return meeting;
  bool isCollective = a.collective || b.collective;
  auto &meetings =
      indexMeetings[(comparison == Comparison::Bytes) + 2 * isCollective];
  Question question = getQuestion(
      first, second, {summaries[first].indices, summaries[second].indices},
      /*carryingLoop=*/nullptr);
  auto it = meetings.find(question);
  if (it != meetings.end())
    return it->second;
  if (meetings.size() >= kMaxQuestions)
    return meeting;
  auto [left, right, areBytes] = getComparable(a, b);
  left.op = right.op = nullptr;
  SmallVector<bool> meets =
      relations.mayOverlap(left, right,
                           {isCollective ? ExecutionPair::SameSubgroup
                                         : ExecutionPair::DifferentLanes,
                            ExecutionPair::DifferentSubgroups},
                           /*scope=*/nullptr, /*instance=*/nullptr);
  meeting.insideSubgroup = meets[0];
  meeting.acrossSubgroups = meets[1];
  meetings.try_emplace(std::move(question), meeting);
  return meeting;
}

Hazard HazardAnalysis::answer(Question question, unsigned first,
                              unsigned second) const {
  auto it = answers.find(question);
  if (it != answers.end())
    return it->second;
  Hazard hazard;
  if (answers.size() >= kMaxQuestions) {
    hazard.acrossSubgroups = hazard.insideSubgroup = true;
    setMemory(hazard, accesses[first], accesses[second]);
    return hazard;
  }
  hazard = compute(accesses[first], accesses[second], question.carryingLoop);
  answers.try_emplace(std::move(question), hazard);
  return hazard;
}

bool HazardAnalysis::computeFruitless(unsigned classNumber) const {
  // Accesses that follow each other are the ones that are told apart, if any
  // are: by one iteration of a loop, or by one unrolled one.
  constexpr unsigned kMaxCandidates = 256;
  unsigned first = firstOfClass[classNumber];
  ArrayRef<unsigned> others = accessesOfBucket[summaries[first].bucket];
  size_t start = llvm::upper_bound(others, first) - others.begin();
  SmallVector<Question, kMaxFruitlessQuestions> asked;
  unsigned numCandidates = std::min<size_t>(others.size(), kMaxCandidates);
  for (unsigned i = 0; i < numCandidates; ++i) {
    unsigned other = others[(start + i) % others.size()];
    if (summaries[other].classNumber == classNumber ||
        !mayRace(first, other, /*carryingLoop=*/nullptr))
      continue;
    Question question = getQuestion(first, other, /*carryingLoop=*/nullptr);
    if (llvm::is_contained(asked, question))
      continue;
    asked.push_back(question);
    Hazard hazard = answer(std::move(question), first, other);
    if (!hazard.acrossSubgroups || !hazard.insideSubgroup)
      return false;
    if (asked.size() == kMaxFruitlessQuestions)
      return true;
  }
  return false;
}

bool HazardAnalysis::isFruitless(unsigned classNumber) const {
  std::optional<bool> &known = fruitless[classNumber];
  if (!known)
    known = computeFruitless(classNumber);
  return *known;
}

bool HazardAnalysis::areFruitless(unsigned first, unsigned second) const {
  const Summary &left = summaries[first], &right = summaries[second];
  return sharing != AnswerSharing::None && !left.bounded && !right.bounded &&
         left.classNumber != right.classNumber &&
         isFruitless(left.classNumber) && isFruitless(right.classNumber);
}

Hazard HazardAnalysis::getHazard(unsigned first, unsigned second,
                                 Operation *carryingLoop) const {
  if (!mayRace(first, second, carryingLoop))
    return {};
  const MemoryAccess &before = accesses[first], &after = accesses[second];
  Hazard meeting{/*acrossSubgroups=*/true, /*insideSubgroup=*/true};
  if (isMeetingShared(first) || isMeetingShared(second))
    meeting = getMeeting(first, second);
  if (!meeting || exclusiveBlocks->areExclusive(before.op->getBlock(),
                                                after.op->getBlock()))
    return {};
  Hazard hazard;
  if (areFruitless(first, second)) {
    hazard.acrossSubgroups = hazard.insideSubgroup = true;
    setMemory(hazard, before, after);
  } else {
    hazard = answer(getQuestion(first, second, carryingLoop), first, second);
  }
  hazard.acrossSubgroups &= meeting.acrossSubgroups;
  hazard.insideSubgroup &= meeting.insideSubgroup;
  if (before.writes && after.reads)
    hazard.kind = HazardKind::RAW;
  else
    hazard.kind = before.writes ? HazardKind::WAW : HazardKind::WAR;
  return hazard;
}

IterationTiming HazardAnalysis::getUsable(unsigned first, unsigned second,
                                          Operation *carryingLoop,
                                          IterationTiming timing) const {
  // What is known of no loop counts is the same question.
  Operation *a = accesses[first].op, *b = accesses[second].op;
  Operation *inner = b->getParentOp();
  while (inner && !CountedLoop::isOne(inner))
    inner = inner->getParentOp();
  if (!inner || inner->isAncestor(a))
    timing.isKnown = false;
  if (!timing.isKnown) {
    timing.later = nullptr;
    timing.iteration = 0;
  }
  timing.entered = nullptr;
  if (timing.isKnownInBlocks)
    timing.entered = circles->getAroundOnly(getKernel()->getRegion(0), b, a);
  if (!timing.entered) {
    timing.isKnownInBlocks = false;
    timing.again = nullptr;
    timing.times = 0;
  }
  // Around both: the iterations that are counted may be those of a loop in it.
  if (!isa_and_nonnull<FunctionOpInterface, scf::ExecuteRegionOp>(carryingLoop))
    timing.circle = nullptr;
  while (timing.circle && !BlockCircles::isOn(timing.circle, a, carryingLoop)) {
    timing.circle = timing.circle->getParentLoop();
    timing.distance = 0;
  }
  // The second may be behind the loop, in one iteration of those around it.
  if (timing.circle && !BlockCircles::isOn(timing.circle, b, carryingLoop))
    timing.distance = 0;
  if (!CountedLoop::isOne(carryingLoop) &&
      !isa_and_nonnull<scf::WhileOp>(carryingLoop) && !timing.circle)
    timing.distance = 0;
  CountedLoop left = CountedLoop::get(timing.left);
  if (!left || !left.getTripCount()) {
    timing.left = nullptr;
    timing.remaining = 0;
  }
  return timing;
}

Hazard HazardAnalysis::getHazard(unsigned first, unsigned second,
                                 Operation *carryingLoop,
                                 IterationTiming timing) const {
  Hazard hazard = getHazard(first, second, carryingLoop);
  if (!hazard)
    return hazard;
  timing = getUsable(first, second, carryingLoop, timing);
  if (!timing.isKnown && !timing.left && timing.distance == 0 &&
      !timing.circle && !timing.isKnownInBlocks)
    return hazard;
  auto [it, inserted] = timedAnswers.try_emplace(
      {first, second, carryingLoop, timing.isKnown, timing.later,
       timing.iteration, timing.left, timing.remaining, timing.distance,
       timing.circle, timing.isKnownInBlocks, timing.again, timing.times});
  if (inserted)
    it->second = compute(accesses[first], accesses[second], carryingLoop,
                         /*promises=*/true, timing);
  Hazard timed = it->second;
  timed.kind = hazard.kind;
  return timed;
}

bool HazardAnalysis::mayOverlapInOneThread(unsigned first, unsigned second,
                                           Operation *carryingLoop,
                                           IterationTiming timing) const {
  const MemoryAccess &a = accesses[first], &b = accesses[second];
  if ((!a.writes && !b.writes) || !mayShareMemory(a, b))
    return false;
  auto [left, right, areBytes] = getComparable(a, b);
  Block *instance = carryingLoop ? nullptr : getCommonBlock(a.op, b.op);
  timing = getUsable(first, second, carryingLoop, timing);
  return relations
      .mayOverlap(left, right, ExecutionPair::SameThread, carryingLoop,
                  instance, timing)
      .front();
}

/// The ids of the foralls whose promise `name` covers the access.
static ArrayRef<int64_t> getPromises(Operation *op, StringRef name) {
  if (auto ids = op->getAttrOfType<DenseI64ArrayAttr>(name))
    return ids.asArrayRef();
  return {};
}

/// True for a loop that is inside of an iteration of the forall, which carries
/// its promise then, and for the one that executes its iterations.
static bool isOfForall(Operation *loop, StringRef name, int64_t id) {
  auto mark = loop->getAttrOfType<IntegerAttr>(kForallLoopAttr);
  return (mark && mark.getInt() == id) ||
         llvm::is_contained(getPromises(loop, name), id);
}

static bool mayRunTwice(Operation *op) {
  CountedLoop loop = CountedLoop::get(op);
  return !loop || loop.getTripCount().value_or(2) > 1;
}

/// False when a loop around `op`, and not around `other`, may execute the
/// forall several times: `other` is a copy then, of another execution.
static bool isInOneExecution(Operation *op, Operation *other, StringRef name,
                             int64_t id, BlockCircles &circles) {
  // Those of workgroups are given only where no loop is around the forall.
  if (name == kWorkgroupDisjointAttr)
    return true;
  for (Operation *around = op->getParentOp();
       around && !around->isAncestor(other); around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around) && !isOfForall(around, name, id) &&
        mayRunTwice(around))
      return false;
  return !circles.mayRepeatOnly(op, other);
}

bool mlir::memspace::isPromised(const MemoryAccess &a, const MemoryAccess &b,
                                StringRef name, Operation *carryingLoop,
                                BlockCircles &circles) {
  // It says nothing of what lies over a buffer.
  if (mayOverlapAcrossBuffers(a, b))
    return false;
  for (int64_t id : getPromises(a.op, name)) {
    if (!llvm::is_contained(getPromises(b.op, name), id))
      continue;
    bool sameInstance = !carryingLoop;
    for (Operation *loop = carryingLoop; loop && !sameInstance;
         loop = loop->getParentOp())
      sameInstance = isOfForall(loop, name, id);
    if (sameInstance && isInOneExecution(a.op, b.op, name, id, circles) &&
        isInOneExecution(b.op, a.op, name, id, circles))
      return true;
  }
  return false;
}

static Block *getBlockAround(Block *block) {
  return block->getParentOp()->getBlock();
}

Block *mlir::memspace::getCommonBlock(Operation *a, Operation *b,
                                      const DominanceInfo *dominance) {
  auto getDepth = [](Block *block) {
    unsigned depth = 0;
    for (; block; block = getBlockAround(block))
      ++depth;
    return depth;
  };
  Block *left = a->getBlock(), *right = b->getBlock();
  unsigned leftDepth = getDepth(left), rightDepth = getDepth(right);
  for (; leftDepth > rightDepth; --leftDepth)
    left = getBlockAround(left);
  for (; rightDepth > leftDepth; --rightDepth)
    right = getBlockAround(right);
  while (left && left->getParent() != right->getParent()) {
    left = getBlockAround(left);
    right = getBlockAround(right);
  }
  if (!left || left == right)
    return left;
  // What nothing leads to has no dominators.
  bool isKnown = dominance && dominance->isReachableFromEntry(left) &&
                 dominance->isReachableFromEntry(right);
  return isKnown ? dominance->findNearestCommonDominator(left, right) : nullptr;
}

static Comparison getComparison(const MemoryAccess &a, const MemoryAccess &b) {
  bool haveBytes = a.byteRange && b.byteRange &&
                   a.bases.front().root == b.bases.front().root;
  bool preferBytes = haveBytes && (a.followsMemory || b.followsMemory);
  if (!preferBytes && haveComparableElements(a, b))
    return Comparison::Elements;
  return haveBytes ? Comparison::Bytes : Comparison::None;
}

ComparablePlaces mlir::memspace::getComparable(const MemoryAccess &a,
                                               const MemoryAccess &b) {
  ElementAccess left{a.op, std::nullopt}, right{b.op, std::nullopt};
  Comparison comparison = getComparison(a, b);
  if (comparison == Comparison::Elements) {
    left.ranges = a.elements;
    right.ranges = b.elements;
  } else if (comparison == Comparison::Bytes) {
    left.ranges = SmallVector<IndexRange>{*a.byteRange};
    right.ranges = SmallVector<IndexRange>{*b.byteRange};
  }
  return {left, right, comparison == Comparison::Bytes};
}

/// A `forall` promises that its iterations do not touch what another writes,
/// unless its threads wait for each other in it.
bool HazardAnalysis::isPromising(Operation *forall) const {
  auto [it, isNew] = promising.try_emplace(forall, true);
  if (isNew)
    it->second = !forall->hasAttr(kCollectiveAttr) &&
                 !forall
                      ->walk([](Operation *op) {
                        return isBarrierLike(op) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
                      })
                      .wasInterrupted();
  return it->second;
}

Hazard HazardAnalysis::compute(const MemoryAccess &a, const MemoryAccess &b,
                               Operation *carryingLoop, bool promises,
                               IterationTiming timing) const {
  bool isPromisedHere =
      promises && isPromised(a, b, kDisjointAttr, carryingLoop, *circles);
  bool isSelf = &a == &b && !carryingLoop;
  if ((isPromisedHere && !isSelf) ||
      areSwappedBuffers(a, b, carryingLoop, timing, *circles, context))
    return {};

  auto [left, right, areBytes] = getComparable(a, b);
  Block *instance =
      carryingLoop ? nullptr : getCommonBlock(a.op, b.op, &dominance);
  bool collective = a.collective || b.collective;
  SmallVector<ExecutionPair, 2> pairs{
      collective ? ExecutionPair::SameSubgroup : ExecutionPair::DifferentLanes};
  bool areSubgroupsPromised =
      promises &&
      isPromised(a, b, kSubgroupDisjointAttr, carryingLoop, *circles);
  if (!areSubgroupsPromised || isSelf)
    pairs.push_back(ExecutionPair::DifferentSubgroups);
  Operation *loop = carryingLoop;
  scf::ForallOp forall = getCommonForall(a.op, b.op, loop);
  if (forall) {
    carryingLoop = nullptr;
    instance = forall->getBlock();
    timing = {};
  }
  std::optional<SmallVector<bool>> byBases;
  if (!left.ranges)
    byBases = mayOverlapByBases(a, b, pairs, carryingLoop, instance, timing);
  SmallVector<bool> meets =
      byBases ? *byBases
              : mayOverlap(left, right, pairs, carryingLoop, instance, timing);
  // A promise that is broken for certain is none.
  bool isForallPromising = forall && promises && isPromising(forall);
  for (auto [meet, pair] : llvm::zip(meets, pairs))
    if (meet &&
        (isPromisedHere ||
         (areSubgroupsPromised && pair == ExecutionPair::DifferentSubgroups) ||
         (isForallPromising && arePromisedApart(a.op, b.op, loop, pair)))) {
      std::optional<HazardWitness> witness =
          findWitness(a, b, pair, /*carryingLoop=*/nullptr, relations);
      meet = witness && witness->certain;
    }
  Hazard hazard;
  hazard.insideSubgroup = meets[0];
  hazard.acrossSubgroups = meets.size() > 1 && meets[1];
  if (hazard)
    setMemory(hazard, a, b);
  return hazard;
}
