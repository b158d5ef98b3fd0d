//===- AsyncCopies.cpp - copies that complete later ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// What is kept of a copy, and of a group, until its thread has waited.
static constexpr int64_t kPendingBytes = 64;

void Worker::takePending(uint32_t site) {
  if (!launch.budget.take(kPendingBytes))
    failForMemory(site);
  pendingBytes += kPendingBytes;
}

void Worker::givePendingBack(int64_t bytes) {
  launch.budget.giveBack(bytes);
  pendingBytes -= bytes;
}

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
  withShadow(*buffer->allocation, site, [&](Shadow &shadow) {
    shadow.access(kind, begin, size, actor, [&](const Conflict &conflict) {
      reportConflict(conflict, kind, actor, *buffer);
    });
    checkNoAlias(*buffer, kind, begin, size, site);
  });
}

void Worker::startAsyncCopy(AsyncCopy copy) {
  flushValueChecks();
  fiber->lastSite = copy.site;
  step(getSteps(copy.targetBytes));
  // The source may give less than the target takes, no more.
  if (copy.sourceBytes < 0 || copy.sourceBytes > copy.targetBytes) {
    RawReport report = makeReport(ReportKind::OutOfBounds, copy.site, Buffer());
    report.byte = copy.sourceBytes;
    report.bufferBytes = copy.targetBytes;
    report.detail = "source size";
    result.reports.add(report);
    copy.sourceBytes =
        std::clamp<int64_t>(copy.sourceBytes, 0, copy.targetBytes);
  }
  takePending(copy.site);
  touchPending(AccessKind::Read, copy.source, copy.sourceBytes, copy.site);
  touchPending(AccessKind::Write, copy.target, copy.targetBytes, copy.site);
  fiber->uncommitted.push_back(copy);
}

void Worker::completeAsyncCopy(const AsyncCopy &copy) {
  auto complete = [&](AccessKind kind, uint64_t address, int64_t size) {
    auto [buffer, offset] = resolve(address);
    if (!buffer || offset < 0 || size > buffer->bytes - offset)
      return static_cast<uint8_t *>(nullptr);
    Allocation &allocation = *buffer->allocation;
    uint32_t view = buffer->view;
    int64_t begin = buffer->begin + offset;
    const Actor &actor = getActor(copy.site, allocation);
    withShadow(allocation, copy.site, [&](Shadow &shadow) {
      shadow.complete(kind, begin, size, actor);
    });
    if (kind == AccessKind::Write) {
      allocation.shadow.setInitialized(begin, size);
      if (view)
        allocation.shadow.setView(begin, size, view);
    }
    return allocation.data + begin;
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

void Worker::commitAsyncCopies(uint32_t site) {
  takePending(site);
  fiber->asyncGroups.push_back(std::move(fiber->uncommitted));
  fiber->uncommitted.clear();
}

void Worker::waitForAsyncCopies(uint32_t pendingGroups) {
  flushValueChecks();
  while (fiber->asyncGroups.size() > pendingGroups) {
    for (const AsyncCopy &copy : fiber->asyncGroups.front()) {
      completeAsyncCopy(copy);
      givePendingBack(kPendingBytes);
    }
    fiber->asyncGroups.pop_front();
    givePendingBack(kPendingBytes);
  }
}
