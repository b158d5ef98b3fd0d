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
