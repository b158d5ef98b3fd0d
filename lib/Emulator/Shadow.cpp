//===- Shadow.cpp - who touched which byte --------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemAlloc.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace mlir::memspace::emulator;
using llvm::ArrayRef;

/// More would be split at once by the first scalar access.
static constexpr int64_t kLargestGranule = 16;

//===----------------------------------------------------------------------===//
// Shadow
//===----------------------------------------------------------------------===//

Shadow::Shadow(int64_t bytes, bool isInitialized, bool checksRaces,
               MemoryBudget *budget)
    : bytes(bytes), checksRaces(checksRaces), budget(budget) {
  if (!isInitialized && take(bytes))
    initialized = std::make_unique<uint8_t[]>(bytes);
}

Shadow::~Shadow() {
  std::free(cells);
  if (budget)
    budget->giveBack(takenBytes);
}

bool Shadow::take(int64_t wantedBytes) {
  if (budget && !budget->take(wantedBytes))
    return false;
  takenBytes += wantedBytes;
  return true;
}

void Shadow::takeMaps() {
  int64_t mapBytes = atomics.getMemorySize() + pending.getMemorySize() +
                     all.getMemorySize() + numStamps * sizeof(Stamp);
  if (mapBytes > takenMapBytes && take(mapBytes - takenMapBytes))
    takenMapBytes = mapBytes;
}

int64_t Shadow::getBytes() const {
  return numCells * int64_t(sizeof(Cell)) + (initialized ? bytes : 0) +
         int64_t(atomics.getMemorySize() + pending.getMemorySize() +
                 all.getMemorySize());
}

/// Makes cells of a granule that divides the access; what was known about a
/// granule holds for its parts.
bool Shadow::splitCells(int64_t begin, int64_t size) {
  int64_t wanted =
      std::min<int64_t>(kLargestGranule, (begin | size) & -(begin | size));
  int64_t count = llvm::divideCeil(bytes, wanted);
  if (!take(count * int64_t(sizeof(Cell))))
    return false;
  // calloc: pages that are never touched cost nothing.
  auto *fresh = static_cast<Cell *>(std::calloc(count, sizeof(Cell)));
  if (!fresh)
    llvm::report_bad_alloc_error("no memory for the emulator's shadow state");
  if (granule) {
    int64_t parts = granule / wanted;
    for (int64_t i = 0; i < count; ++i)
      fresh[i] = cells[i / parts];
    auto split = [&](auto &map) {
      std::decay_t<decltype(map)> old;
      old.swap(map);
      for (auto &[cell, value] : old)
        for (int64_t part = 0; part < parts && cell * parts + part < count;
             ++part)
          map[cell * parts + part] = value;
    };
    split(atomics);
    split(pending);
    split(all);
    numStamps *= parts;
  }
  std::free(cells);
  if (budget)
    budget->giveBack(numCells * int64_t(sizeof(Cell)));
  takenBytes -= numCells * int64_t(sizeof(Cell));
  cells = fresh;
  numCells = count;
  granule = wanted;
  shift = llvm::Log2_64(wanted);
  takeMaps();
  return true;
}

bool Shadow::tryAccess(AccessKind kind, int64_t begin, int64_t size,
                       const Actor &actor, uint32_t site) {
  if (!checksRaces)
    return true;
  // Before the first access the granule is 0, which divides nothing.
  if (size == 0 || ((begin | size) & (granule - 1)))
    return false;
  Cell *first = cells + (begin >> shift);
  Cell *last = cells + ((begin + size - 1) >> shift);
  for (Cell *cell = first; cell <= last; ++cell)
    if (LLVM_UNLIKELY(!cell->isPlainlyAfter(kind, actor)))
      return false;
  for (Cell *cell = first; cell <= last; ++cell)
    cell->addPlain(kind, actor, site);
  return true;
}

bool Shadow::hasConflict(AccessKind kind, int64_t index,
                         const Actor &actor) const {
  const Cell &cell = cells[index];
  if (cell.write && !actor.isAfter(cell.write))
    return true;
  if (LLVM_UNLIKELY(cell.hasAll)) {
    const AllAccesses &accesses = all.find(index)->second;
    auto isUnordered = [&](const Stamp &s) { return !actor.isAfter(s); };
    if ((kind != AccessKind::Read &&
         llvm::any_of(accesses.reads, isUnordered)) ||
        (kind != AccessKind::Atomic &&
         llvm::any_of(accesses.atomics, isUnordered)))
      return true;
  }
  if (kind != AccessKind::Read &&
      (cell.hasPending || cell.reads.hasUnordered(actor)))
    return true;
  return kind != AccessKind::Atomic && cell.hasAtomics &&
         atomics.find(index)->second.hasUnordered(actor);
}

void Shadow::reportConflicts(
    AccessKind kind, int64_t begin, int64_t size, const Actor &actor,
    llvm::function_ref<void(const Conflict &)> conflict) const {
  llvm::SmallVector<Conflict, 4> found;
  for (int64_t at = begin; at < begin + size; at += granule) {
    auto add = [&](const Stamp &earlier, bool isWrite) {
      // Adjacent granules in conflict with one op are one conflict.
      for (Conflict &c : found)
        if (c.earlier.siteAndFlags == earlier.siteAndFlags &&
            c.isEarlierWrite == isWrite && c.end == at) {
          c.end = at + granule;
          return;
        }
      found.push_back({earlier, isWrite, at, at + granule});
    };
    const Cell &cell = cells[at >> shift];
    if (cell.write && !actor.isAfter(cell.write))
      add(cell.write, /*isWrite=*/true);
    if (cell.hasAll) {
      const AllAccesses &accesses = all.find(at >> shift)->second;
      auto addUnordered = [&](ArrayRef<Stamp> stamps, bool isWrite) {
        for (const Stamp &stamp : stamps)
          if (!actor.isAfter(stamp))
            add(stamp, isWrite);
      };
      if (kind != AccessKind::Read)
        addUnordered(accesses.reads, /*isWrite=*/false);
      if (kind != AccessKind::Atomic)
        addUnordered(accesses.atomics, /*isWrite=*/true);
    }
    if (kind != AccessKind::Atomic && cell.hasAtomics)
      atomics.find(at >> shift)
          ->second.forEachUnordered(actor,
                                    [&](const Stamp &s) { add(s, true); });
    if (kind == AccessKind::Read)
      continue;
    cell.reads.forEachUnordered(actor, [&](const Stamp &s) { add(s, false); });
    if (cell.hasPending)
      for (const Stamp &stamp : pending.find(at >> shift)->second)
        add(stamp, false);
  }
  for (const Conflict &c : found)
    conflict(c);
}

void Shadow::access(AccessKind kind, int64_t begin, int64_t size,
                    const Actor &actor,
                    llvm::function_ref<void(const Conflict &)> conflict) {
  if (!checksRaces || size == 0 || !ensureCells(begin, size))
    return;
  int64_t first = begin >> shift, last = (begin + size - 1) >> shift;
  for (int64_t index = first; index <= last; ++index)
    if (LLVM_UNLIKELY(hasConflict(kind, index, actor))) {
      reportConflicts(kind, begin, size, actor, conflict);
      break;
    }
  for (int64_t index = first; index <= last; ++index) {
    Cell &cell = cells[index];
    if (LLVM_UNLIKELY(actor.keepsAll))
      keep(kind, index, actor);
    switch (kind) {
    case AccessKind::Read:
      if (LLVM_UNLIKELY(actor.stamp.isAsync())) {
        pending[index].push_back(actor.stamp);
        ++numStamps;
        cell.hasPending = true;
      } else {
        cell.reads.add(actor);
      }
      break;
    case AccessKind::Atomic:
      atomics[index].add(actor);
      cell.hasAtomics = true;
      break;
    case AccessKind::Write:
      // What came before is ordered before this write, or was just reported.
      cell.write = actor.stamp;
      cell.reads = AccessSet();
      if (cell.hasAtomics) {
        atomics.erase(index);
        cell.hasAtomics = false;
      }
      break;
    }
  }
  if (LLVM_UNLIKELY(kind == AccessKind::Atomic || actor.keepsAll ||
                    actor.stamp.isAsync()))
    takeMaps();
}

/// Notes the access among all of the epoch; a write takes their place.
void Shadow::keep(AccessKind kind, int64_t index, const Actor &actor) {
  Cell &cell = cells[index];
  if (kind == AccessKind::Write) {
    if (cell.hasAll) {
      auto it = all.find(index);
      numStamps -= it->second.reads.size() + it->second.atomics.size();
      all.erase(it);
    }
    cell.hasAll = false;
    return;
  }
  if (actor.stamp.isAsync())
    return;
  cell.hasAll = true;
  AllAccesses &accesses = all[index];
  auto &stamps = kind == AccessKind::Read ? accesses.reads : accesses.atomics;
  numStamps -= stamps.size();
  llvm::erase_if(stamps, [&](const Stamp &stamp) {
    return stamp.strand == actor.stamp.strand ||
           (actor.isSameWorkgroup(stamp) && stamp.epoch < actor.stamp.epoch);
  });
  stamps.push_back(actor.stamp);
  numStamps += stamps.size();
}

void Shadow::complete(AccessKind kind, int64_t begin, int64_t size,
                      const Actor &actor) {
  if (!checksRaces || size == 0 || !ensureCells(begin, size))
    return;
  for (int64_t at = begin; at < begin + size; at += granule) {
    Cell &cell = cells[at >> shift];
    if (kind == AccessKind::Write) {
      if (cell.write.isAsync() && cell.write.strand == actor.stamp.strand)
        cell.write = actor.stamp;
      continue;
    }
    if (!cell.hasPending)
      continue;
    auto it = pending.find(at >> shift);
    Stamp *own = llvm::find_if(it->second, [&](const Stamp &stamp) {
      return stamp.strand == actor.stamp.strand;
    });
    if (own == it->second.end())
      continue;
    it->second.erase(own);
    --numStamps;
    if (it->second.empty()) {
      pending.erase(it);
      cell.hasPending = false;
    }
    cell.reads.add(actor);
  }
}

//===----------------------------------------------------------------------===//
// Initialization and views
//===----------------------------------------------------------------------===//

int64_t Shadow::findOtherView(int64_t begin, int64_t size,
                              uint32_t view) const {
  if (!granule)
    return -1;
  int64_t first = begin >> shift, last = (begin + size - 1) >> shift;
  for (int64_t i = first; i <= last; ++i)
    if (cells[i].view != view)
      return std::max(begin, i * granule);
  return -1;
}

void Shadow::setView(int64_t begin, int64_t size, uint32_t view) {
  // Called after `access`, which made the granule divide the range.
  for (int64_t at = begin; at < begin + size; at += granule)
    cells[at >> shift].view = view;
}
