//===- Shadow.h - who touched which byte ------------------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The shadow state of one block of emulated memory: for each byte who wrote
/// and who read it last, in as many places as are needed to notice that *some*
/// unordered pair exists, and whether it was written at all.
///
/// Two accesses of different threads are ordered when a workgroup barrier lies
/// between (the epochs differ), or when both threads are of one subgroup and
/// subgroup barriers lead from one to the other. The latter may be of some
/// lanes only, so each lane has a clock of its own and knows those of the
/// others. All this depends on barriers alone, so a pair is found in whatever
/// order the threads ran. The idea of keeping the last write and few reads with
/// epochs is FastTrack's (Flanagan and Freund, PLDI 2009).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_EMULATOR_SHADOW_H
#define MEMSPACE_LIB_EMULATOR_SHADOW_H

#include "MemoryBudget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compiler.h"
#include <cstdint>
#include <cstring>
#include <memory>

namespace mlir {
namespace memspace {
namespace emulator {

/// One access. 16 bytes, as there are several for each byte of memory.
struct Stamp {
  /// Number of the thread among all of the grid, plus 1; 0: no access.
  uint32_t strand = 0;
  uint32_t siteAndFlags = 0;
  /// Workgroup barriers passed.
  uint32_t epoch = 0;
  /// Subgroup barriers that the thread passed.
  uint32_t clock = 0;

  static constexpr uint32_t kAtomic = 1u << 31;
  /// By a copy engine on behalf of the thread: ordered with nothing, not even
  /// the thread's own accesses, until the thread has waited for it.
  static constexpr uint32_t kAsync = 1u << 30;
  static constexpr uint32_t kSiteMask = kAsync - 1;

  explicit operator bool() const { return strand != 0; }
  uint32_t getSite() const { return siteAndFlags & kSiteMask; }
  bool isAtomic() const { return siteAndFlags & kAtomic; }
  bool isAsync() const { return siteAndFlags & kAsync; }
};

/// A stamp with what is needed to compare it: the threads of its workgroup and
/// of its subgroup are ranges of strands.
struct Actor {
  Stamp stamp;
  uint32_t workgroupBegin, workgroupEnd, subgroupBegin, subgroupEnd;
  /// By lane of the subgroup: accesses at smaller clocks are ordered before.
  const uint32_t *clocks;
  /// The kernel has subgroup barriers of some lanes: what AccessSet forgets can
  /// matter, so all accesses of an epoch are kept.
  bool keepsAll = false;

  Stamp getStamp(uint32_t siteAndFlags) const {
    return {stamp.strand, siteAndFlags, stamp.epoch, stamp.clock};
  }
  // One comparison each: what lies below the first wraps around.
  bool isSameWorkgroup(const Stamp &other) const {
    return other.strand - workgroupBegin < workgroupEnd - workgroupBegin;
  }
  bool isSameSubgroup(const Stamp &other) const {
    return other.strand - subgroupBegin < subgroupEnd - subgroupBegin;
  }
  /// `earlier`, which was seen before, happens before this access.
  bool isAfter(const Stamp &earlier) const {
    if (earlier.isAsync())
      return false;
    if (earlier.strand == stamp.strand)
      return true;
    if (!isSameWorkgroup(earlier))
      return false;
    return earlier.epoch < stamp.epoch ||
           (isSameSubgroup(earlier) &&
            earlier.clock < clocks[earlier.strand - subgroupBegin]);
  }
};

/// Accesses that do not conflict among themselves (reads, or atomics). Any
/// later access that conflicts with one of all that were added conflicts with
/// one of those that are kept:
/// a writer in another workgroup with `last` or `foreign`; in another subgroup
/// with `last`; in the subgroup of `last` with `otherSubgroup` when there is
/// one, else only with `last` or `peer` (a reader before the last barrier of
/// the subgroup is ordered; after barriers of some lanes only, one of three
/// readers that are not ordered can be forgotten).
struct AccessSet {
  Stamp last;
  /// Of the subgroup and epoch of `last`, another thread that no barrier
  /// orders.
  Stamp peer;
  /// Of the workgroup and epoch of `last`, another subgroup.
  Stamp otherSubgroup;
  /// Of another workgroup than `last`.
  Stamp foreign;

  void add(const Actor &actor) { add(actor, actor.stamp.siteAndFlags); }
  /// `siteAndFlags` stands for those of the actor's stamp.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void add(const Actor &actor,
                                        uint32_t siteAndFlags) {
    // The same thread between the same barriers: nothing new.
    if (LLVM_UNLIKELY(last.strand != actor.stamp.strand ||
                      last.epoch != actor.stamp.epoch ||
                      last.clock != actor.stamp.clock))
      addLast(actor, siteAndFlags);
  }
  bool hasUnordered(const Actor &actor) const {
    auto isUnordered = [&](const Stamp &stamp) {
      return stamp && !actor.isAfter(stamp);
    };
    return (last || foreign) &&
           (isUnordered(last) || isUnordered(peer) ||
            isUnordered(otherSubgroup) || isUnordered(foreign));
  }
  /// Calls `conflict` with the kept accesses that are not ordered before.
  template <typename Fn>
  void forEachUnordered(const Actor &actor, Fn conflict) const {
    if (!last && !foreign)
      return;
    for (const Stamp *stamp : {&last, &peer, &otherSubgroup, &foreign})
      if (*stamp && !actor.isAfter(*stamp))
        conflict(*stamp);
  }

private:
  LLVM_ATTRIBUTE_ALWAYS_INLINE void addLast(const Actor &actor,
                                            uint32_t siteAndFlags) {
    Stamp old = last;
    last = actor.getStamp(siteAndFlags);
    if (!old)
      return;
    if (LLVM_UNLIKELY(!actor.isSameWorkgroup(old))) {
      foreign = old;
      peer = otherSubgroup = Stamp();
      return;
    }
    if (old.epoch < actor.stamp.epoch) {
      // Ordered before everything that is still to come.
      peer = otherSubgroup = Stamp();
      return;
    }
    if (!actor.isSameSubgroup(old)) {
      otherSubgroup = old;
      peer = Stamp();
      return;
    }
    // A barrier of all lanes orders `old` before what any of them does now.
    if (actor.isAfter(old))
      peer = Stamp();
    else if (old.strand != actor.stamp.strand)
      peer = old;
  }
};

enum class AccessKind { Read, Write, Atomic };

/// What is kept for one granule.
struct Cell {
  /// View of an arena through which it was last written.
  uint32_t view = 0;
  // One byte, so that they are looked at together.
  bool hasAtomics : 1;
  bool hasPending : 1;
  bool hasAll : 1;
  Stamp write;
  AccessSet reads;

  Cell() : hasAtomics(false), hasPending(false), hasAll(false) {}

  /// Nothing but plain accesses was kept, and `actor` comes after all of them
  /// that conflict with a plain access of `kind`.
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool isPlainlyAfter(AccessKind kind,
                                                   const Actor &actor) const {
    if (hasAtomics || hasPending || hasAll)
      return false;
    if (write && !actor.isAfter(write))
      return false;
    return kind == AccessKind::Read || !reads.hasUnordered(actor);
  }
  /// Keeps such an access.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void
  addPlain(AccessKind kind, const Actor &actor, uint32_t site) {
    if (kind == AccessKind::Read) {
      reads.add(actor, site);
      return;
    }
    write = actor.getStamp(site);
    // Without a last read the set is empty.
    if (reads.last)
      reads = AccessSet();
  }
};

/// What is kept of a granule in kernels with subgroup barriers of some lanes:
/// the last read and the last atomic of each thread in the epoch.
struct AllAccesses {
  llvm::SmallVector<Stamp, 4> reads, atomics;
};

/// A conflict: bytes [begin, end) of an access with an earlier one.
struct Conflict {
  Stamp earlier;
  bool isEarlierWrite;
  int64_t begin, end;
};

/// The shadow of one allocation.
class Shadow {
public:
  /// Without `checksRaces` only initialization is kept (private memory). What
  /// is kept is taken from `budget`; once that is exceeded, nothing that the
  /// shadow says means anything, and the caller has to end the run.
  Shadow(int64_t bytes, bool isInitialized, bool checksRaces,
         MemoryBudget *budget = nullptr);
  ~Shadow();
  Shadow(const Shadow &) = delete;

  /// Records an access to [begin, begin + size), which must be in bounds, and
  /// reports each conflict; adjacent granules in conflict with the same access
  /// are reported together.
  void access(AccessKind kind, int64_t begin, int64_t size, const Actor &actor,
              llvm::function_ref<void(const Conflict &)> conflict);

  /// Does what `access` does where that is simple: a plain read or write by an
  /// actor that does not keep all, without conflict, of cells that only plain
  /// reads and writes have touched. Otherwise false, and nothing has changed.
  /// `site` stands for that of the actor's stamp.
  bool tryAccess(AccessKind kind, int64_t begin, int64_t size,
                 const Actor &actor, uint32_t site);

  /// The same for `size` bytes that are one cell; also false for all others.
  template <int64_t size>
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool tryCell(AccessKind kind, int64_t begin,
                                            const Actor &actor, uint32_t site) {
    if (!checksRaces)
      return true;
    if (LLVM_UNLIKELY(size != granule || uint64_t(begin) % size != 0))
      return false;
    Cell &cell = cells[uint64_t(begin) / size];
    if (LLVM_UNLIKELY(!cell.isPlainlyAfter(kind, actor)))
      return false;
    cell.addPlain(kind, actor, site);
    return true;
  }

  /// A pending access of `actor` to the range is complete now: it becomes an
  /// ordinary access of `actor`.
  void complete(AccessKind kind, int64_t begin, int64_t size,
                const Actor &actor);

  /// All bytes were written.
  template <int64_t size>
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool isInitialized(int64_t begin) const {
    const uint8_t *first = initialized.get() + begin;
    if constexpr (size == 16)
      return !initialized ||
             (isFilled<uint64_t>(first) && isFilled<uint64_t>(first + 8));
    else if constexpr (size == 8)
      return !initialized || isFilled<uint64_t>(first);
    else if constexpr (size == 4)
      return !initialized || isFilled<uint32_t>(first);
    else if constexpr (size == 2)
      return !initialized || isFilled<uint16_t>(first);
    else
      return !initialized || isFilled<uint8_t>(first);
  }
  /// First byte of the range that nobody wrote, or -1.
  int64_t findUninitialized(int64_t begin, int64_t size) const {
    if (!initialized || size == 0)
      return -1;
    const uint8_t *first = initialized.get() + begin;
    auto *found = static_cast<const uint8_t *>(std::memchr(first, 0, size));
    return found ? begin + (found - first) : -1;
  }
  void setInitialized(int64_t begin, int64_t size) {
    if (!initialized)
      return;
    std::memset(initialized.get() + begin, 1, size);
  }
  /// Sets the flags of the bytes from `begin` on.
  void setInitialized(int64_t begin, llvm::ArrayRef<uint8_t> flags) {
    if (initialized)
      std::memcpy(initialized.get() + begin, flags.data(), flags.size());
  }

  /// First byte of the range last written through another view, or -1.
  int64_t findOtherView(int64_t begin, int64_t size, uint32_t view) const;
  void setView(int64_t begin, int64_t size, uint32_t view);

  /// Bytes of memory that this takes.
  int64_t getBytes() const;

private:
  /// All flags in the word at `first` are set.
  template <typename Word> static bool isFilled(const uint8_t *first) {
    Word flags;
    std::memcpy(&flags, first, sizeof(Word));
    return flags == Word(-1) / 0xFF;
  }
  /// False when there is no memory for the cells.
  bool ensureCells(int64_t begin, int64_t size) {
    // All places and sizes so far are multiples of the granule.
    if (LLVM_LIKELY(granule && !((begin | size) & (granule - 1))))
      return true;
    return splitCells(begin, size);
  }
  bool splitCells(int64_t begin, int64_t size);
  bool take(int64_t wantedBytes);
  /// Takes what the maps have grown by.
  void takeMaps();
  bool hasConflict(AccessKind kind, int64_t index, const Actor &actor) const;
  void keep(AccessKind kind, int64_t index, const Actor &actor);
  void
  reportConflicts(AccessKind kind, int64_t begin, int64_t size,
                  const Actor &actor,
                  llvm::function_ref<void(const Conflict &)> conflict) const;

  int64_t bytes;
  bool checksRaces;
  MemoryBudget *budget;
  /// Taken from the budget: in all, and for the maps.
  int64_t takenBytes = 0, takenMapBytes = 0;
  /// Bytes that share a cell: a power of two that divides all places and sizes
  /// accessed so far; 0 before the first access.
  int64_t granule = 0;
  unsigned shift = 0;
  Cell *cells = nullptr;
  int64_t numCells = 0;
  /// One flag for each byte; null when all are initialized.
  std::unique_ptr<uint8_t[]> initialized;
  /// By cell; all are rare. Pending are reads of copy engines.
  llvm::DenseMap<int64_t, AccessSet> atomics;
  llvm::DenseMap<int64_t, llvm::SmallVector<Stamp, 1>> pending;
  llvm::DenseMap<int64_t, AllAccesses> all;
  /// In the vectors of these maps.
  int64_t numStamps = 0;
};

} // namespace emulator
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_EMULATOR_SHADOW_H
