//===- Worker.cpp - GPU threads as fibers --------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// A pair of accesses is one finding, whichever of the two came first.
static ReportSet::Key getKey(const RawReport &report) {
  std::pair<uint32_t, uint32_t> first = {report.site, report.isWrite};
  std::pair<uint32_t, uint32_t> second = {report.otherSite,
                                          report.isOtherWrite};
  if (second < first)
    std::swap(first, second);
  return {uint32_t(report.kind), first.first, second.first, report.bufferSite,
          first.second | second.second << 1 |
              uint32_t(report.dimension + 1) << 2};
}

RawReport &ReportSet::add(const RawReport &report) {
  Key key = getKey(report);
  auto it = reports.find(key);
  if (it != reports.end()) {
    it->second.count += report.count;
    it->second.isSameValue &= report.isSameValue;
    return it->second;
  }
  // A run that is given up says so.
  if (reports.size() < kMaxReports || report.kind == ReportKind::Deadlock)
    return reports.emplace(key, report).first->second;
  isFull = true;
  return unseen;
}

void ReportSet::merge(const ReportSet &other) {
  isFull |= other.isFull;
  for (const auto &[key, report] : other.reports)
    add(report);
}

//===----------------------------------------------------------------------===//
// Worker: setup
//===----------------------------------------------------------------------===//

thread_local Worker *Worker::current = nullptr;

/// Below each stack, so that an overflow ends the process instead of changing
/// the neighbour's. Stacks are as large as their frames need, so none is due.
static constexpr size_t kGuardBytes = 4096;

Worker::Worker(const Launch &launch, Order order, uint64_t seed,
               bool isParallel)
    : launch(launch), isParallel(isParallel), order(order), random(seed) {
  blockThreads = launch.block[0] * launch.block[1] * launch.block[2];
  buffers.assign(launch.globals.begin(), launch.globals.end());
  for (Buffer &buffer : buffers)
    setPlain(buffer);
  fibers = std::vector<Fiber>(blockThreads);
  for (uint32_t i = 0; i < blockThreads; ++i) {
    fibers[i].linear = i;
    fibers[i].id = {int64_t(i) % launch.block[0],
                    int64_t(i) / launch.block[0] % launch.block[1],
                    int64_t(i) / launch.block[0] / launch.block[1]};
  }
}

Stacks::~Stacks() {
  if (memory)
    munmap(memory, count * stride);
}

bool Stacks::make(size_t newCount, size_t newStride) {
  void *fresh = mmap(nullptr, newCount * newStride, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    return false;
  auto *begin = static_cast<char *>(fresh);
  for (size_t i = 0; i < newCount; ++i)
    if (mprotect(begin + i * newStride, kGuardBytes, PROT_NONE) != 0) {
      munmap(fresh, newCount * newStride);
      return false;
    }
  memory = begin;
  count = newCount;
  stride = newStride;
  return true;
}

/// Those of the last run on this OS thread: the next one is often of the same
/// kernel, and to make stacks takes as long as some thousand accesses.
static thread_local Stacks spareStacks;
/// Of addresses; a run touches a few pages of each stack.
static constexpr size_t kMaxSpareBytes = size_t(2) << 30;

LogicalResult Worker::makeStacks() {
  size_t stride = llvm::alignTo(launch.stackBytes, kGuardBytes) + kGuardBytes;
  if (spareStacks.count == blockThreads && spareStacks.stride == stride)
    stacks.swap(spareStacks);
  if (!stacks.memory && !stacks.make(blockThreads, stride)) {
    result.failure = {0, "no memory for the stacks of the threads; use a "
                         "smaller block or fewer 'threads'"};
    return failure();
  }
  for (uint32_t i = 0; i < blockThreads; ++i)
    fibers[i].stack = stacks.memory + i * stride + kGuardBytes;
  return success();
}

Worker::~Worker() {
  releaseBudget();
  if (stacks.memory && stacks.count * stacks.stride <= kMaxSpareBytes)
    stacks.swap(spareStacks);
}

void Worker::fiberMain() {
  Worker &worker = *current;
  worker.launch.entry(worker.launch.slots);
  worker.flushValueChecks();
  worker.fiber->state = FiberState::Done;
  swapcontext(&worker.fiber->context, &worker.scheduler);
  llvm_unreachable("a finished fiber was resumed");
}

void Worker::resume(Fiber &next) {
  fiber = &next;
  // Barriers are passed while the thread waits, so this holds until it does.
  Actor actor;
  uint32_t subgroup = getSubgroup(next);
  actor.stamp.strand = firstStrand + next.linear;
  actor.stamp.clock = next.clocks[getLane(next)];
  actor.clocks = next.clocks.data();
  actor.keepsAll = launch.program.hasPartialBarriers;
  actor.workgroupBegin = firstStrand;
  actor.workgroupEnd = firstStrand + blockThreads;
  actor.subgroupBegin = firstStrand + subgroup * getSubgroupSize();
  actor.subgroupEnd =
      std::min(actor.subgroupBegin + getSubgroupSize(), actor.workgroupEnd);
  workgroupActor = globalActor = actor;
  workgroupActor.stamp.epoch = workgroupEpoch;
  globalActor.stamp.epoch = globalEpoch;
  updatePlainEnd();
  swapcontext(&scheduler, &next.context);
  fiber = nullptr;
}

void Worker::suspend() {
  flushValueChecks();
  swapcontext(&fiber->context, &scheduler);
}

//===----------------------------------------------------------------------===//
// Worker: one workgroup
//===----------------------------------------------------------------------===//

void Worker::startWorkgroup(int64_t linear) {
  workgroup = {linear % launch.grid[0],
               linear / launch.grid[0] % launch.grid[1],
               linear / launch.grid[0] / launch.grid[1]};
  firstStrand = uint32_t(linear * blockThreads) + 1;
  buffers.resize(launch.globals.size());
  freeIds.clear();
  allocations.clear();
  workgroupInstances.clear();
  releaseBudget();
  numViews = 0;
  workgroupEpoch = globalEpoch = 1;
  fullBarriers.assign(getNumSubgroups(), 0);
  isAborted = false;
  valueChecks.clear();
  stepsSinceEvent = stepsTaken = 0;
  sliceEnd = getSlice();
  barriers = subgroupBarriers = 0;
  for (Fiber &f : fibers) {
    f.reset(launch.program.numLoops, getSubgroupSize());
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack;
    f.context.uc_stack.ss_size = stacks.stride - kGuardBytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, fiberMain, 0);
  }
}

void Worker::runWorkgroup(int64_t linear) {
  startWorkgroup(linear);
  std::vector<uint32_t> sequence(blockThreads);
  for (uint32_t i = 0; i < blockThreads; ++i)
    sequence[i] = order == Order::Reverse ? blockThreads - 1 - i : i;
  while (!isAborted) {
    if (order == Order::Shuffled)
      for (uint32_t i = blockThreads - 1; i > 0; --i)
        std::swap(sequence[i], sequence[random() % (i + 1)]);
    for (uint32_t i : sequence)
      if (fibers[i].state == FiberState::Ready && !isAborted)
        resume(fibers[i]);
    // Looking at all threads takes time, too, when few can go on.
    stepsSinceEvent += blockThreads / 4;
    bool isReady = false, isDone = true;
    for (const Fiber &f : fibers) {
      isReady |= f.state == FiberState::Ready;
      isDone &= f.state == FiberState::Done;
    }
    if (isDone || isAborted)
      break;
    bool isReleased = releaseSubgroups();
    if (isReady || isReleased || releaseWorkgroup())
      continue;
    reportDivergence();
    break;
  }
  if (!isAborted)
    takeSteps(fibers.front(), fibers.front().lastSite);
  result.executedBarriers = std::max(result.executedBarriers, barriers);
  result.executedSubgroupBarriers =
      std::max(result.executedSubgroupBarriers, subgroupBarriers);
  int64_t shadow = 0;
  for (const Buffer &buffer : launch.globals)
    shadow += buffer.allocation->shadow.getBytes();
  for (const auto &allocation : allocations)
    if (allocation)
      shadow += allocation->shadow.getBytes();
  result.shadowBytes = std::max(result.shadowBytes, shadow);
}

//===----------------------------------------------------------------------===//
// Worker: waiting
//===----------------------------------------------------------------------===//

/// The threads wait at one op in the same iteration of all loops around it.
static bool isSameWait(const Fiber &a, const Fiber &b) {
  return a.state == b.state && a.wait.site == b.wait.site &&
         a.wait.iterations == b.wait.iterations;
}

void Worker::waitAt(FiberState state, uint32_t site, uint32_t flags,
                    uint64_t lanes, uint64_t value) {
  fiber->wait.site = site;
  fiber->wait.flags = flags;
  fiber->wait.lanes = lanes;
  fiber->wait.value = value;
  fiber->wait.iterations.clear();
  for (uint32_t loop : launch.program.loopsOfSite[site])
    fiber->wait.iterations.push_back(fiber->loopCounters[loop]);
  fiber->state = state;
  stepsSinceEvent += kStepsPerWait;
  suspend();
}

void Worker::release(ArrayRef<Fiber *> group) {
  bool collects = false;
  for (Fiber *f : group)
    collects |= f->wait.flags & kCollects;
  std::shared_ptr<Snapshot> snapshot;
  if (collects) {
    snapshot = std::make_shared<Snapshot>();
    bool isSubgroup = group.front()->state == FiberState::AtSubgroupOp;
    snapshot->values.resize(isSubgroup ? getSubgroupSize() : blockThreads);
    snapshot->isPresent.resize(snapshot->values.size());
    if (!group.front()->wait.words.empty())
      snapshot->words.resize(snapshot->values.size());
    for (Fiber *f : group) {
      uint32_t slot = isSubgroup ? getLane(*f) : f->linear;
      snapshot->values[slot] = f->wait.value;
      snapshot->isPresent[slot] = true;
      if (!snapshot->words.empty())
        snapshot->words[slot] = std::exchange(f->wait.words, {});
    }
  }
  for (Fiber *f : group) {
    f->snapshot = snapshot;
    f->state = FiberState::Ready;
  }
  takeSteps(*group.front(), group.front()->wait.site);
  stepsSinceEvent = stepsTaken = 0;
  sliceEnd = getSlice();
}

void Worker::synchronizeClocks(ArrayRef<Fiber *> group, bool isFull) {
  SmallVector<uint32_t> known(getSubgroupSize(), 0);
  for (Fiber *f : group)
    for (auto [all, own] : llvm::zip_equal(known, f->clocks))
      all = std::max(all, own);
  // What a lane did at its clock lies before the barrier, so it is known at
  // clocks from the next one on.
  for (Fiber *f : group)
    known[getLane(*f)] = f->clocks[getLane(*f)] + 1;
  for (Fiber *f : group)
    f->clocks = known;
  if (isFull)
    ++fullBarriers[getSubgroup(*group.front())];
}

bool Worker::releaseSubgroups() {
  bool isReleased = false;
  uint32_t size = getSubgroupSize();
  for (uint32_t first = 0; first < blockThreads; first += size) {
    uint32_t last = std::min(first + size, blockThreads);
    bool isReady = false, isWaiting = false;
    for (uint32_t i = first; i < last; ++i) {
      isReady |= fibers[i].state == FiberState::Ready;
      isWaiting |= fibers[i].state == FiberState::AtSubgroupOp;
    }
    // As long as a lane can go on it may still come here.
    if (isReady || !isWaiting)
      continue;
    for (uint32_t i = first; i < last; ++i) {
      if (fibers[i].state != FiberState::AtSubgroupOp)
        continue;
      SmallVector<Fiber *> group;
      uint64_t present = 0, needed = 0;
      for (uint32_t j = first; j < last; ++j)
        // Lanes with different masks do not wait for each other.
        if (isSameWait(fibers[i], fibers[j]) &&
            (!(fibers[i].wait.flags & kOrdersMemory) ||
             fibers[i].wait.lanes == fibers[j].wait.lanes)) {
          group.push_back(&fibers[j]);
          present |= uint64_t(1) << (j - first);
          needed |= fibers[j].wait.lanes;
        }
      uint64_t existing = last - first == 64
                              ? ~uint64_t(0)
                              : (uint64_t(1) << (last - first)) - 1;
      if (needed & existing & ~present)
        continue;
      if (fibers[i].wait.flags & kOrdersMemory) {
        synchronizeClocks(group, present == existing);
        if (first == 0)
          ++subgroupBarriers;
      }
      release(group);
      isReleased = true;
    }
  }
  return isReleased;
}

bool Worker::releaseWorkgroup() {
  SmallVector<Fiber *> group;
  for (Fiber &f : fibers) {
    if (f.state != FiberState::AtBarrier || !isSameWait(fibers[0], f))
      return false;
    group.push_back(&f);
  }
  uint32_t flags = fibers[0].wait.flags;
  if (!(flags & kCollects))
    ++barriers;
  if (flags & kOrdersWorkgroupMemory)
    ++workgroupEpoch;
  if (flags & kOrdersGlobalMemory)
    ++globalEpoch;
  release(group);
  return true;
}

/// Nobody can go on: tells one thread that waits and one that does not come.
void Worker::reportDivergence() {
  Fiber *waiting = nullptr;
  for (FiberState state : {FiberState::AtSubgroupOp, FiberState::AtBarrier})
    for (Fiber &f : fibers)
      if (!waiting && f.state == state)
        waiting = &f;
  bool isSubgroup = waiting->state == FiberState::AtSubgroupOp;
  Fiber *other = nullptr;
  for (Fiber &f : fibers) {
    if (other || isSameWait(*waiting, f))
      continue;
    if (isSubgroup && (getSubgroup(f) != getSubgroup(*waiting) ||
                       !(waiting->wait.lanes >> getLane(f) & 1)))
      continue;
    other = &f;
  }
  RawReport report;
  report.kind = other && other->state == FiberState::Done
                    ? ReportKind::EarlyExit
                    : ReportKind::DivergentBarrier;
  report.site = waiting->wait.site;
  report.thread = {workgroup, waiting->id};
  report.detail = isSubgroup ? "subgroup op" : "barrier";
  if (other) {
    report.hasOther = true;
    report.otherThread = {workgroup, other->id};
    report.otherSite = other->state == FiberState::Done ? 0 : other->wait.site;
  }
  result.reports.add(report);
}

/// Steps that a thread takes before others may go on.
uint64_t Worker::getSlice() const {
  return std::clamp<uint64_t>(launch.maxSteps / (4 * blockThreads), 1, 1 << 16);
}

bool Worker::takeSteps(const Fiber &current, uint32_t site) {
  uint64_t steps = stepsSinceEvent - stepsTaken;
  stepsTaken = stepsSinceEvent;
  if (launch.steps.fetch_add(steps) + steps <= launch.maxSteps)
    return true;
  RawReport report;
  report.kind = ReportKind::Deadlock;
  report.site = site;
  report.thread = {workgroup, current.id};
  report.size = launch.maxSteps;
  if (stepsSinceEvent <= launch.maxSteps)
    report.detail = "run";
  result.reports.add(report);
  isAborted = true;
  result.isStuck = true;
  return false;
}

void Worker::endSlice() {
  // By another OS thread; this one need not go on.
  if (launch.budget.isExceeded())
    failForMemory(fiber->lastSite);
  takeSteps(*fiber, fiber->lastSite);
  sliceEnd = stepsSinceEvent + getSlice();
  suspend();
}

void Worker::fail(uint32_t site, const Twine &message) {
  result.failure = Failure{site, message.str()};
  isAborted = true;
  result.isStuck = true;
  suspend();
  llvm_unreachable("a fiber of a run that was given up was resumed");
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

WorkerResult emulator::runWorkgroups(const Launch &launch, Order order,
                                     uint64_t seed, int64_t begin,
                                     int64_t step) {
  Worker worker(launch, order, seed, /*isParallel=*/step > 1);
  if (failed(worker.makeStacks()))
    return std::move(worker.result);
  Worker::current = &worker;
  int64_t count = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (int64_t linear = begin; linear < count && !worker.result.isStuck;
       linear += step)
    worker.runWorkgroup(linear);
  Worker::current = nullptr;
  return std::move(worker.result);
}
