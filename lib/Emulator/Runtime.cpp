//===- Runtime.cpp - GPU threads as fibers --------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "llvm/Support/ErrorHandling.h"
#include <atomic>
#include <cstring>
#include <sys/mman.h>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Unwritten memory reads as NaN or -1, so that a use of it shows in results.
static constexpr uint8_t kPoison = 0xFF;

//===----------------------------------------------------------------------===//
// Reports and allocations
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
  auto [it, isNew] = reports.try_emplace(getKey(report), report);
  if (!isNew) {
    it->second.count += report.count;
    it->second.isSameValue &= report.isSameValue;
  }
  return it->second;
}

void ReportSet::merge(const ReportSet &other) {
  for (const auto &[key, report] : other.reports)
    add(report);
}

static std::atomic<uint64_t> numAllocations{0};

Allocation::Allocation(Space space, int64_t bytes, bool isInitialized)
    : space(space), bytes(bytes), data(static_cast<uint8_t *>(llvm::safe_malloc(
                                      std::max<int64_t>(bytes, 1)))),
      serial(numAllocations++),
      shadow(bytes, isInitialized, /*checksRaces=*/space != Space::Private) {
  std::memset(data, kPoison, bytes);
}

Allocation::~Allocation() { std::free(data); }

//===----------------------------------------------------------------------===//
// Worker: setup
//===----------------------------------------------------------------------===//

thread_local Worker *Worker::current = nullptr;

static constexpr size_t kStackBytes = 1024 * 1024;
static constexpr size_t kGuardBytes = 4096;

Worker::Worker(const Launch &launch, Order order, uint64_t seed)
    : launch(launch), order(order), random(seed) {
  blockThreads = launch.block[0] * launch.block[1] * launch.block[2];
  buffers = launch.globals;
  fibers = std::vector<Fiber>(blockThreads);
  stackMemory = mmap(nullptr, blockThreads * (kStackBytes + kGuardBytes),
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stackMemory == MAP_FAILED)
    llvm::report_bad_alloc_error("no memory for the stacks of fibers");
  for (uint32_t i = 0; i < blockThreads; ++i) {
    Fiber &fiber = fibers[i];
    fiber.linear = i;
    fiber.id = {int64_t(i) % launch.block[0],
                int64_t(i) / launch.block[0] % launch.block[1],
                int64_t(i) / launch.block[0] / launch.block[1]};
    fiber.stack = static_cast<char *>(stackMemory) +
                  i * (kStackBytes + kGuardBytes) + kGuardBytes;
    // An overflow stops here instead of in the neighbour's stack.
    mprotect(fiber.stack - kGuardBytes, kGuardBytes, PROT_NONE);
  }
}

Worker::~Worker() {
  munmap(stackMemory, blockThreads * (kStackBytes + kGuardBytes));
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
  views.clear();
  workgroupEpoch = globalEpoch = 1;
  fullBarriers.assign(getNumSubgroups(), 0);
  isAborted = false;
  stepsSinceEvent = 0;
  sliceEnd = getSlice();
  barriers = subgroupBarriers = 0;
  for (Fiber &f : fibers) {
    f.reset(launch.program.numLoops, getSubgroupSize());
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack;
    f.context.uc_stack.ss_size = kStackBytes;
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
    for (Fiber *f : group) {
      uint32_t slot = isSubgroup ? getLane(*f) : f->linear;
      snapshot->values[slot] = f->wait.value;
      snapshot->isPresent[slot] = true;
    }
  }
  for (Fiber *f : group) {
    f->snapshot = snapshot;
    f->state = FiberState::Ready;
  }
  stepsSinceEvent = 0;
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

void Worker::endSlice() {
  sliceEnd = stepsSinceEvent + getSlice();
  if (stepsSinceEvent > launch.maxSteps) {
    RawReport report;
    report.kind = ReportKind::Deadlock;
    report.site = fiber->lastSite;
    report.thread = {workgroup, fiber->id};
    report.size = launch.maxSteps;
    result.reports.add(report);
    isAborted = true;
    result.isStuck = true;
  }
  suspend();
}

//===----------------------------------------------------------------------===//
// Worker: memory
//===----------------------------------------------------------------------===//

uint64_t Worker::addBuffer(const Buffer &buffer) {
  uint64_t index;
  if (!freeIds.empty()) {
    index = freeIds.back();
    freeIds.pop_back();
    buffers[index] = buffer;
  } else {
    index = buffers.size();
    buffers.push_back(buffer);
  }
  return makeAddress(index);
}

uint64_t Worker::allocate(Space space, int64_t bytes, uint32_t site,
                          bool isArena) {
  allocations.push_back(
      std::make_unique<Allocation>(space, bytes, /*isInitialized=*/false));
  allocations.back()->isArena = isArena;
  return addBuffer({allocations.back().get(), 0, bytes, site, 0});
}

uint64_t Worker::allocateShared(uint64_t key, int64_t bytes, uint32_t site,
                                bool isArena) {
  uint64_t &address = workgroupInstances[key];
  if (!address)
    address = allocate(Space::Workgroup, bytes, site, isArena);
  return address;
}

void Worker::pushStack(uint64_t address) {
  fiber->stackObjects.push_back(address);
}

void Worker::popStack(uint64_t size) {
  while (fiber->stackObjects.size() > size) {
    uint64_t index =
        (fiber->stackObjects.pop_back_val() >> kOffsetBits) - kFirstId;
    Allocation *allocation = buffers[index].allocation;
    buffers[index] = Buffer();
    freeIds.push_back(index);
    // Usually among the last.
    for (size_t i = allocations.size(); i-- > 0;)
      if (allocations[i].get() == allocation) {
        std::swap(allocations[i], allocations.back());
        allocations.pop_back();
        break;
      }
  }
}

uint64_t Worker::makeView(uint64_t base, int64_t shift, int64_t bytes,
                          uint32_t site) {
  auto [buffer, offset] = resolve(base);
  if (!buffer)
    return base;
  if (offset + shift < 0 || bytes < 0 ||
      offset + shift + bytes > buffer->bytes) {
    RawReport report = makeReport(ReportKind::OutOfBounds, site, *buffer);
    report.byte = offset + shift;
    report.size = bytes;
    report.detail = "view";
    result.reports.add(report);
    return base + shift;
  }
  // All threads that take the same view get the same buffer.
  Buffer view = *buffer;
  view.begin += offset + shift;
  view.bytes = bytes;
  view.site = site;
  auto key = std::make_tuple(view.allocation, view.begin, bytes, site);
  uint64_t &address = views[key];
  if (!address) {
    if (view.allocation->isArena)
      view.view = views.size();
    address = addBuffer(view);
  }
  return address;
}

RawReport Worker::makeReport(ReportKind kind, uint32_t site,
                             const Buffer &buffer) const {
  RawReport report;
  report.kind = kind;
  report.site = site;
  report.thread = {workgroup, fiber->id};
  report.bufferSite = buffer.site;
  report.bufferBytes = buffer.bytes;
  if (buffer.allocation)
    report.space = buffer.allocation->space;
  return report;
}

ThreadId Worker::getThread(uint32_t strand) const {
  int64_t number = int64_t(strand) - 1;
  int64_t linear = number / blockThreads, t = number % blockThreads;
  const Dim3 &g = launch.grid, &b = launch.block;
  return {{linear % g[0], linear / g[0] % g[1], linear / g[0] / g[1]},
          {t % b[0], t / b[0] % b[1], t / b[0] / b[1]}};
}

void Worker::reportConflict(const Conflict &conflict, AccessKind kind,
                            const Actor &actor, const Buffer &buffer) {
  RawReport report = makeReport(actor.isSameWorkgroup(conflict.earlier)
                                    ? ReportKind::Race
                                    : ReportKind::WorkgroupConflict,
                                actor.stamp.getSite(), buffer);
  report.isWrite = kind != AccessKind::Read;
  report.isAtomic = kind == AccessKind::Atomic;
  report.otherSite = conflict.earlier.getSite();
  report.isOtherWrite = conflict.isEarlierWrite;
  report.isOtherAtomic = conflict.earlier.isAtomic();
  report.hasOther = true;
  report.otherThread = getThread(conflict.earlier.strand);
  report.byte = conflict.begin - buffer.begin;
  report.size = conflict.end - conflict.begin;
  if (conflict.earlier.isAsync())
    report.detail = "pending";
  RawReport &kept = result.reports.add(report);
  if (report.isWrite && report.isOtherWrite && kept.isSameValue) {
    // Whether the values differ shows once the store is done.
    const uint8_t *data = buffer.allocation->data + conflict.begin;
    valueChecks.push_back({&kept, data, {data, data + report.size}});
  }
}

void Worker::compareValues() {
  for (const ValueCheck &check : valueChecks)
    if (std::memcmp(check.data, check.before.data(), check.before.size()))
      check.report->isSameValue = false;
  valueChecks.clear();
}

void *Worker::getSink(int64_t size) {
  // What is read from nowhere is poison; what is written there is lost.
  sink.assign(std::max<size_t>(sink.size(), size + 64), kPoison);
  return sink.data();
}

const Buffer *Worker::checkBounds(uint64_t address, int64_t size, uint32_t site,
                                  bool isWrite, int64_t &begin) {
  auto [buffer, offset] = resolve(address);
  // The index was reported already.
  if (fiber->badIndexSite == site) {
    fiber->badIndexSite = 0;
    return nullptr;
  }
  if (LLVM_LIKELY(buffer && offset >= 0 && offset + size <= buffer->bytes)) {
    if (LLVM_UNLIKELY(isWrite && buffer->allocation->isConstant)) {
      RawReport report = makeReport(ReportKind::ConstantWrite, site, *buffer);
      report.isWrite = true;
      report.byte = offset;
      report.size = size;
      result.reports.add(report);
      return nullptr;
    }
    begin = buffer->begin + offset;
    return buffer;
  }
  RawReport report =
      makeReport(ReportKind::OutOfBounds, site, buffer ? *buffer : Buffer());
  report.isWrite = isWrite;
  report.byte = offset;
  report.size = size;
  if (!buffer)
    report.detail = "no buffer";
  result.reports.add(report);
  return nullptr;
}

void Worker::reportUninitialized(const Buffer &buffer, int64_t at,
                                 uint32_t site, uint32_t storeSite) {
  RawReport report = makeReport(ReportKind::UninitializedRead, site, buffer);
  report.byte = at - buffer.begin;
  report.size = 1;
  if (buffer.allocation->shadow.findUninitialized(at, 1) < 0)
    report.detail = "view";
  if (storeSite) {
    report.hasOther = report.isOtherWrite = true;
    report.otherSite = storeSite;
    report.otherThread = report.thread;
  }
  result.reports.add(report);
}

void Worker::checkInitialized(const Buffer &buffer, int64_t begin, int64_t size,
                              uint32_t site) {
  const Shadow &shadow = buffer.allocation->shadow;
  int64_t at = shadow.findUninitialized(begin, size);
  if (LLVM_LIKELY(at < 0)) {
    if (LLVM_LIKELY(!buffer.view))
      return;
    at = shadow.findOtherView(begin, size, buffer.view);
  }
  if (LLVM_UNLIKELY(at >= 0))
    reportUninitialized(buffer, at, site, /*storeSite=*/0);
}

void *Worker::access(uint64_t address, int64_t size, uint32_t site,
                     AccessKind kind, bool isCopy) {
  flushValueChecks();
  ++result.accesses;
  fiber->lastSite = site;
  step();
  int64_t begin;
  const Buffer *buffer =
      checkBounds(address, size, site, kind != AccessKind::Read, begin);
  if (LLVM_UNLIKELY(!buffer))
    return getSink(size);
  Allocation &allocation = *buffer->allocation;
  bool isLocked = isParallel && allocation.space == Space::Global;
  if (isLocked)
    allocation.mutex.lock();
  if (allocation.space != Space::Private) {
    Actor &actor = getActor(site, allocation);
    if (kind == AccessKind::Atomic)
      actor.stamp.siteAndFlags |= Stamp::kAtomic;
    if (LLVM_UNLIKELY(launch.onAccess))
      (*launch.onAccess)({int64_t(firstStrand - 1) / blockThreads,
                          fiber->linear, getSubgroup(*fiber), actor.stamp.epoch,

                          fullBarriers[getSubgroup(*fiber)], allocation.serial,
                          begin, size, kind != AccessKind::Read,
                          kind == AccessKind::Atomic,
                          launch.program.sites[buffer->site]});
    allocation.shadow.access(kind, begin, size, actor,
                             [&](const Conflict &conflict) {
                               reportConflict(conflict, kind, actor, *buffer);
                             });
  }
  if (kind != AccessKind::Write && !isCopy)
    checkInitialized(*buffer, begin, size, site);
  if (kind != AccessKind::Read) {
    allocation.shadow.setInitialized(begin, size);
    if (buffer->view)
      allocation.shadow.setView(begin, size, buffer->view);
  }
  if (isLocked)
    allocation.mutex.unlock();
  return allocation.data + begin;
}

std::optional<CarriedValue> Worker::getCarried(uint64_t address, int64_t size,
                                               uint32_t site) const {
  auto [buffer, offset] = resolve(address);
  if (!buffer || offset < 0 || offset + size > buffer->bytes)
    return std::nullopt;
  const Shadow &shadow = buffer->allocation->shadow;
  int64_t begin = buffer->begin + offset;
  if (LLVM_LIKELY(shadow.findUninitialized(begin, size) < 0 &&
                  (!buffer->view ||
                   shadow.findOtherView(begin, size, buffer->view) < 0)))
    return std::nullopt;
  CarriedValue value{site, *buffer, begin, {}};
  for (int64_t at = begin; at < begin + size; ++at)
    value.isInitialized.push_back(
        shadow.findUninitialized(at, 1) < 0 &&
        (!buffer->view || shadow.findOtherView(at, 1, buffer->view) < 0));
  return value;
}

void Worker::putCarried(uint64_t to, const CarriedValue &value, uint32_t site) {
  auto [buffer, offset] = resolve(to);
  int64_t size = value.isInitialized.size();
  if (!buffer || offset < 0 || offset + size > buffer->bytes)
    return;
  // Memory of the kernel's caller must not receive garbage.
  if (buffer->allocation->space == Space::Global) {
    int64_t first =
        llvm::find(value.isInitialized, 0) - value.isInitialized.begin();
    return reportUninitialized(value.source, value.begin + first, value.site,
                               /*storeSite=*/site);
  }
  buffer->allocation->shadow.setInitialized(buffer->begin + offset,
                                            value.isInitialized);
}

void *Worker::loadForCopy(uint64_t address, int64_t size, uint32_t site,
                          uint32_t load) {
  void *data = access(address, size, site, AccessKind::Read, /*isCopy=*/true);
  if (std::optional<CarriedValue> value = getCarried(address, size, site))
    fiber->carried[load] = std::move(*value);
  else if (LLVM_UNLIKELY(!fiber->carried.empty()))
    fiber->carried.erase(load);
  return data;
}

void *Worker::storeCopy(uint64_t address, int64_t size, uint32_t site,
                        uint32_t load) {
  void *data = access(address, size, site, AccessKind::Write, /*isCopy=*/false);
  if (LLVM_LIKELY(fiber->carried.empty()))
    return data;
  auto it = fiber->carried.find(load);
  if (it != fiber->carried.end())
    putCarried(address, it->second, site);
  return data;
}

void Worker::copy(uint64_t to, uint64_t from, int64_t size, uint32_t site) {
  if (size == 0)
    return;
  std::optional<CarriedValue> carried = getCarried(from, size, site);
  auto *source = static_cast<uint8_t *>(
      access(from, size, site, AccessKind::Read, /*isCopy=*/true));
  std::vector<uint8_t> data(source, source + size);
  void *target = access(to, size, site, AccessKind::Write, /*isCopy=*/false);
  std::memcpy(target, data.data(), size);
  if (carried)
    putCarried(to, *carried, site);
}

//===----------------------------------------------------------------------===//
// Worker: asynchronous copies
//===----------------------------------------------------------------------===//

void Worker::touchPending(AccessKind kind, uint64_t address, int64_t size,
                          uint32_t site) {
  int64_t begin;
  if (size == 0)
    return;
  const Buffer *buffer =
      checkBounds(address, size, site, kind == AccessKind::Write, begin);
  if (!buffer || buffer->allocation->space == Space::Private)
    return;
  Actor &actor = getActor(site, *buffer->allocation);
  actor.stamp.siteAndFlags |= Stamp::kAsync;
  buffer->allocation->shadow.access(
      kind, begin, size, actor, [&](const Conflict &conflict) {
        reportConflict(conflict, kind, actor, *buffer);
      });
}

void Worker::startAsyncCopy(const AsyncCopy &copy) {
  flushValueChecks();
  touchPending(AccessKind::Read, copy.source, copy.sourceBytes, copy.site);
  touchPending(AccessKind::Write, copy.target, copy.targetBytes, copy.site);
  fiber->uncommitted.push_back(copy);
}

void Worker::completeAsyncCopy(const AsyncCopy &copy) {
  auto complete = [&](AccessKind kind, uint64_t address, int64_t size) {
    auto [buffer, offset] = resolve(address);
    if (!buffer || offset < 0 || offset + size > buffer->bytes)
      return static_cast<uint8_t *>(nullptr);
    buffer->allocation->shadow.complete(
        kind, buffer->begin + offset, size,
        getActor(copy.site, *buffer->allocation));
    if (kind == AccessKind::Write) {
      buffer->allocation->shadow.setInitialized(buffer->begin + offset, size);
      if (buffer->view)
        buffer->allocation->shadow.setView(buffer->begin + offset, size,
                                           buffer->view);
    }
    return buffer->allocation->data + buffer->begin + offset;
  };
  uint8_t *source = complete(AccessKind::Read, copy.source, copy.sourceBytes);
  uint8_t *target = complete(AccessKind::Write, copy.target, copy.targetBytes);
  if (!target)
    return;
  int64_t size = std::min(copy.sourceBytes, copy.targetBytes);
  std::optional<CarriedValue> carried =
      getCarried(copy.source, size, copy.site);
  // What the source does not give is zero.
  std::memset(target, 0, copy.targetBytes);
  if (source)
    std::memmove(target, source, size);
  if (carried)
    putCarried(copy.target, *carried, copy.site);
}

void Worker::waitForAsyncCopies(uint32_t pendingGroups) {
  flushValueChecks();
  while (fiber->asyncGroups.size() > pendingGroups) {
    for (const AsyncCopy &copy : fiber->asyncGroups.front())
      completeAsyncCopy(copy);
    fiber->asyncGroups.erase(fiber->asyncGroups.begin());
  }
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

WorkerResult emulator::runWorkgroups(const Launch &launch, Order order,
                                     uint64_t seed, int64_t begin,
                                     int64_t step) {
  Worker worker(launch, order, seed);
  worker.isParallel = step > 1;
  Worker::current = &worker;
  int64_t count = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (int64_t linear = begin; linear < count && !worker.result.isStuck;
       linear += step)
    worker.runWorkgroup(linear);
  Worker::current = nullptr;
  return std::move(worker.result);
}
