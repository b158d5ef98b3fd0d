//===- Memory.cpp - accesses of emulated threads ------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Unwritten memory reads as NaN or -1, so that a use of it shows in results.
static constexpr uint8_t kPoison = 0xFF;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static std::atomic<uint64_t> numAllocations{0};

/// What a buffer takes besides its bytes: its shadow, its place in tables.
static constexpr int64_t kBufferOverheadBytes = 512;

std::unique_ptr<Allocation> Allocation::create(Space space, int64_t bytes,
                                               bool isInitialized,
                                               MemoryBudget &budget) {
  if (bytes < 0 || bytes > kMaxBufferBytes ||
      !budget.take(bytes + kBufferOverheadBytes))
    return nullptr;
  auto *data = static_cast<uint8_t *>(std::malloc(std::max<int64_t>(bytes, 1)));
  if (!data) {
    budget.giveBack(bytes + kBufferOverheadBytes);
    return nullptr;
  }
  std::unique_ptr<Allocation> allocation(
      new Allocation(space, bytes, isInitialized, budget, data));
  // The shadow has taken its share.
  if (budget.isExceeded())
    allocation.reset();
  return allocation;
}

Allocation::Allocation(Space space, int64_t bytes, bool isInitialized,
                       MemoryBudget &budget, uint8_t *data)
    : space(space), bytes(bytes), data(data), budget(budget),
      serial(numAllocations++),
      shadow(bytes, isInitialized, /*checksRaces=*/space != Space::Private,
             &budget) {
  std::memset(data, kPoison, bytes);
}

Allocation::~Allocation() {
  std::free(data);
  budget.giveBack(bytes + kBufferOverheadBytes);
}

//===----------------------------------------------------------------------===//
// Buffers and accesses
//===----------------------------------------------------------------------===//

void Worker::setPlain(Buffer &buffer) const {
  assert(buffer.allocation && "a buffer has memory");
  const Allocation &allocation = *buffer.allocation;
  // Global memory of several OS threads needs a lock. Between barriers of some
  // lanes all accesses are kept.
  buffer.isPlainlyRead = buffer.view == 0 &&
                         !(allocation.noAlias && buffer.argument >= 0) &&
                         !(isParallel && allocation.space == Space::Global) &&
                         !(launch.program.hasPartialBarriers &&
                           allocation.space != Space::Private);
  buffer.isPlainlyWritten = buffer.isPlainlyRead && !allocation.isConstant;
}

uint64_t Worker::addBuffer(Buffer buffer) {
  setPlain(buffer);
  uint64_t index;
  if (!freeIds.empty()) {
    index = freeIds.back();
    freeIds.pop_back();
    buffers[index] = buffer;
  } else {
    index = buffers.size();
    if (index >= kMaxBuffers)
      failForMemory(buffer.site);
    buffers.push_back(buffer);
  }
  return makeAddress(index);
}

uint64_t Worker::allocateOwn(int64_t bytes, uint32_t site) {
  fiber->lastSite = site;
  step(kStepsPerAllocation);
  uint64_t address = allocate(Space::Private, bytes, site, /*isArena=*/false);
  step(getSteps(bytes));
  return address;
}

/// What a view takes in the tables.
static constexpr int64_t kViewOverheadBytes = 128;

void Worker::releaseBudget() {
  launch.budget.giveBack(int64_t(views.size()) * kViewOverheadBytes);
  views.clear();
  givePendingBack(pendingBytes);
}

uint64_t Worker::allocate(Space space, int64_t bytes, uint32_t site,
                          bool isArena) {
  std::unique_ptr<Allocation> allocation =
      Allocation::create(space, bytes, /*isInitialized=*/false, launch.budget);
  if (!allocation)
    failForMemory(site);
  allocation->isArena = isArena;
  allocation->position = allocations.size();
  allocations.push_back(std::move(allocation));
  return addBuffer({allocations.back().get(), 0, bytes, site, 0});
}

uint64_t Worker::allocateShared(uint64_t key, int64_t bytes, uint32_t site,
                                bool isArena) {
  if (auto it = workgroupInstances.find(key); it != workgroupInstances.end())
    return it->second;
  uint64_t address = allocate(Space::Workgroup, bytes, site, isArena);
  workgroupInstances[key] = address;
  fiber->lastSite = site;
  step(kStepsPerAllocation + getSteps(bytes));
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
    auto forget = [&](uint64_t id) {
      buffers[id] = Buffer();
      freeIds.push_back(id);
    };
    forget(index);
    // Views of it mean nothing any more.
    auto view = views.lower_bound({allocation, INT64_MIN, 0, 0, 0, 0});
    while (view != views.end() && std::get<0>(view->first) == allocation) {
      forget((view->second >> kOffsetBits) - kFirstId);
      launch.budget.giveBack(kViewOverheadBytes);
      view = views.erase(view);
    }
    size_t position = allocation->position;
    std::swap(allocations[position], allocations.back());
    allocations[position]->position = position;
    allocations.pop_back();
  }
}

uint64_t Worker::makeView(uint64_t base, int64_t shift, int64_t bytes,
                          uint32_t site) {
  fiber->lastSite = site;
  step();
  auto [buffer, offset] = resolve(base);
  if (!buffer)
    return base;
  int64_t begin;
  if (llvm::AddOverflow(offset, shift, begin) || begin < 0 || bytes < 0 ||
      begin > buffer->bytes || bytes > buffer->bytes - begin) {
    RawReport report = makeReport(ReportKind::OutOfBounds, site, *buffer);
    report.byte = begin;
    report.size = bytes;
    report.detail = "view";
    result.reports.add(report);
    return base + shift;
  }
  // All threads that take the same view get the same buffer.
  Buffer view = *buffer;
  view.begin += begin;
  view.bytes = bytes;
  view.site = site;
  auto key = std::make_tuple(view.allocation, view.begin, bytes, site,
                             view.argument, view.view);
  if (auto it = views.find(key); it != views.end())
    return it->second;
  if (!launch.budget.take(kViewOverheadBytes))
    failForMemory(site);
  // A view of one is a part of it.
  if (view.allocation->isArena && view.view == 0)
    view.view = ++numViews;
  return views[key] = addBuffer(view);
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
    leavePlainAccesses();
  }
}

void Worker::checkNoAlias(const Buffer &buffer, AccessKind kind, int64_t begin,
                          int64_t size, uint32_t site) {
  Allocation &allocation = *buffer.allocation;
  if (LLVM_LIKELY(!allocation.noAlias || buffer.argument < 0))
    return;
  bool isWrite = kind != AccessKind::Read;
  allocation.noAlias->access(
      buffer.argument, isWrite, begin, size, {site, globalActor.stamp.strand},
      [&](const NoAliasConflict &conflict) {
        RawReport report =
            makeReport(ReportKind::AliasingArguments, site, buffer);
        report.isWrite = isWrite;
        report.isAtomic = kind == AccessKind::Atomic;
        report.otherSite = conflict.earlier.site;
        report.isOtherWrite = conflict.isWrite;
        report.hasOther = true;
        report.otherThread = getThread(conflict.earlier.strand);
        report.byte = conflict.byte - buffer.begin;
        report.argument = buffer.argument;
        report.otherArgument = conflict.argument;
        result.reports.add(report);
      });
}

void Worker::compareValues() {
  for (const ValueCheck &check : valueChecks)
    if (std::memcmp(check.data, check.before.data(), check.before.size()) != 0)
      check.report->isSameValue = false;
  valueChecks.clear();
  updatePlainEnd();
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
    updatePlainEnd();
    return nullptr;
  }
  if (LLVM_LIKELY(buffer && offset >= 0 && size <= buffer->bytes - offset)) {
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

/// A GPU has no atomics that straddle words, and a CPU only slow ones.
RawReport Worker::makeMisalignedReport(const Buffer &buffer, int64_t begin,
                                       int64_t size, uint32_t site) const {
  RawReport report = makeReport(ReportKind::OutOfBounds, site, buffer);
  report.byte = begin - buffer.begin;
  report.size = size;
  report.detail = "alignment";
  return report;
}

RawReport Worker::makeUninitializedReport(const Buffer &buffer, int64_t at,
                                          uint32_t site) const {
  RawReport report = makeReport(ReportKind::UninitializedRead, site, buffer);
  report.byte = at - buffer.begin;
  report.size = 1;
  if (buffer.allocation->shadow.findUninitialized(at, 1) < 0)
    report.detail = "view";
  return report;
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
    result.reports.add(makeUninitializedReport(buffer, at, site));
}

void *Worker::access(uint64_t address, int64_t size, uint32_t site,
                     AccessKind kind, bool isCopy) {
  if (void *data = tryAccess(address, size, site, kind))
    return data;
  return accessAnyhow(address, size, site, kind, isCopy);
}

void *Worker::tryAccess(uint64_t address, int64_t size, uint32_t site,
                        AccessKind kind) {
  if (kind == AccessKind::Atomic)
    return nullptr;
  int64_t begin;
  uint64_t steps;
  const Buffer *buffer = findPlain(address, size, kind, begin, steps);
  if (!buffer)
    return nullptr;
  Allocation &allocation = *buffer->allocation;
  if ((kind == AccessKind::Read &&
       allocation.shadow.findUninitialized(begin, size) >= 0) ||
      !allocation.shadow.tryAccess(kind, begin, size, getPlainActor(allocation),
                                   site))
    return nullptr;
  if (kind == AccessKind::Write)
    allocation.shadow.setInitialized(begin, size);
  return finishPlain(allocation, begin, size, kind, site, steps);
}

void *Worker::accessAnyhow(uint64_t address, int64_t size, uint32_t site,
                           AccessKind kind, bool isCopy) {
  flushValueChecks();
  fiber->lastSite = site;
  step(getSteps(size));
  int64_t begin;
  const Buffer *buffer =
      checkBounds(address, size, site, kind != AccessKind::Read, begin);
  if (LLVM_UNLIKELY(!buffer)) {
    ++result.outOfBounds;
    return getSink(size);
  }
  if (LLVM_UNLIKELY(kind == AccessKind::Atomic && begin % size)) {
    RawReport report = makeMisalignedReport(*buffer, begin, size, site);
    report.isWrite = report.isAtomic = true;
    result.reports.add(report);
    return getSink(size);
  }
  Allocation &allocation = *buffer->allocation;
  count(allocation, kind, size);
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
    checkNoAlias(*buffer, kind, begin, size, site);
    if (LLVM_UNLIKELY(launch.budget.isExceeded())) {
      if (isLocked)
        allocation.mutex.unlock();
      failForMemory(site);
    }
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
  if (!buffer || offset < 0 || size > buffer->bytes - offset)
    return std::nullopt;
  const Shadow &shadow = buffer->allocation->shadow;
  int64_t begin = buffer->begin + offset;
  if (LLVM_LIKELY(shadow.findUninitialized(begin, size) < 0 &&
                  (!buffer->view ||
                   shadow.findOtherView(begin, size, buffer->view) < 0)))
    return std::nullopt;
  CarriedValue value;
  for (int64_t at = begin; at < begin + size; ++at)
    value.isInitialized.push_back(
        shadow.findUninitialized(at, 1) < 0 &&
        (!buffer->view || shadow.findOtherView(at, 1, buffer->view) < 0));
  int64_t first =
      llvm::find(value.isInitialized, 0) - value.isInitialized.begin();
  value.report = makeUninitializedReport(*buffer, begin + first, site);
  return value;
}

void Worker::putCarried(uint64_t to, const CarriedValue &value, uint32_t site) {
  auto [buffer, offset] = resolve(to);
  int64_t size = value.isInitialized.size();
  if (!buffer || offset < 0 || size > buffer->bytes - offset)
    return;
  // Memory of the kernel's caller must not receive garbage.
  if (buffer->allocation->space == Space::Global) {
    RawReport report = value.report;
    report.hasOther = report.isOtherWrite = true;
    report.otherSite = site;
    report.otherThread = report.thread = {workgroup, fiber->id};
    result.reports.add(report);
    return;
  }
  buffer->allocation->shadow.setInitialized(buffer->begin + offset,
                                            value.isInitialized);
}

void *Worker::loadForCopy(uint64_t address, int64_t size, uint32_t site,
                          uint32_t load) {
  // All that `tryAccess` reads is initialized.
  if (void *data = tryAccess(address, size, site, AccessKind::Read)) {
    if (LLVM_UNLIKELY(!fiber->carried.empty()))
      fiber->carried.erase(load);
    return data;
  }
  void *data =
      accessAnyhow(address, size, site, AccessKind::Read, /*isCopy=*/true);
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
