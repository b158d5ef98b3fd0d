//===- ShadowTest.cpp - conflicts against their definition ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../lib/Emulator/Shadow.h"
#include "gtest/gtest.h"
#include <random>
#include <tuple>
#include <vector>

using namespace mlir::memspace::emulator;

namespace {
constexpr uint32_t kSubgroup = 4, kBlock = 12;

/// An access with everything that decides whether it conflicts with another.
struct Access {
  AccessKind kind;
  int64_t begin, size;
  uint32_t workgroup, thread, epoch, subEpoch, site;

  bool overlaps(const Access &other) const {
    return begin < other.begin + other.size && other.begin < begin + size;
  }
  /// The definition, for an access that came before.
  bool conflictsWith(const Access &earlier) const {
    if (!overlaps(earlier) ||
        (kind == AccessKind::Read && earlier.kind == AccessKind::Read) ||
        (kind == AccessKind::Atomic && earlier.kind == AccessKind::Atomic))
      return false;
    if (workgroup != earlier.workgroup)
      return true;
    if (thread == earlier.thread || earlier.epoch < epoch)
      return false;
    return thread / kSubgroup != earlier.thread / kSubgroup ||
           earlier.subEpoch == subEpoch;
  }
  Actor getActor() const {
    Actor actor;
    uint32_t base = workgroup * kBlock + 1;
    actor.stamp.strand = base + thread;
    actor.stamp.siteAndFlags =
        site | (kind == AccessKind::Atomic ? Stamp::kAtomic : 0);
    actor.stamp.epoch = epoch;
    actor.stamp.clock = subEpoch;
    // Barriers of all lanes: every lane knows of what came before.
    static thread_local uint32_t clocks[kSubgroup];
    std::fill(std::begin(clocks), std::end(clocks), subEpoch);
    actor.clocks = clocks;
    actor.workgroupBegin = base;
    actor.workgroupEnd = base + kBlock;
    actor.subgroupBegin = base + thread / kSubgroup * kSubgroup;
    actor.subgroupEnd = actor.subgroupBegin + kSubgroup;
    return actor;
  }
};

/// Bytes that accesses may touch, and the sizes that they may have.
struct Shape {
  int64_t bytes;
  std::vector<int64_t> sizes;
};

/// Accesses of two workgroups in turn, each in epochs, each subgroup of them in
/// sub-epochs, the threads in any order.
std::vector<Access> makeAccesses(std::mt19937 &random, const Shape &shape) {
  std::vector<Access> accesses;
  uint32_t site = 0;
  for (uint32_t workgroup = 0; workgroup < 2; ++workgroup) {
    std::vector<uint32_t> subEpochs(kBlock / kSubgroup, 1);
    for (uint32_t epoch = 1; epoch <= 3; ++epoch)
      for (int i = 0, e = random() % 6; i < e; ++i) {
        uint32_t thread = random() % kBlock;
        if (random() % 4 == 0)
          ++subEpochs[thread / kSubgroup];
        int64_t size = shape.sizes[random() % shape.sizes.size()];
        int64_t begin = random() % (shape.bytes / size) * size;
        auto kind = random() % 8 == 0   ? AccessKind::Atomic
                    : random() % 3 == 0 ? AccessKind::Write
                                        : AccessKind::Read;
        accesses.push_back({kind, begin, size, workgroup, thread, epoch,
                            subEpochs[thread / kSubgroup], ++site});
      }
  }
  return accesses;
}

/// Up to the first access in conflict, the shadow must answer as the definition
/// does (afterwards it need not remember what was reported already).
void checkAgainstDefinition(const Shape &shape, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Access> accesses = makeAccesses(random, shape);
  Shadow shadow(shape.bytes, /*isInitialized=*/true, /*checksRaces=*/true);
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access &access = accesses[i];
    bool isConflict = false;
    for (size_t j = 0; j < i; ++j)
      isConflict |= access.conflictsWith(accesses[j]);
    bool isReported = false;
    shadow.access(
        access.kind, access.begin, access.size, access.getActor(),
        [&](const Conflict &conflict) {
          isReported = true;
          const Access &other = accesses[conflict.earlier.getSite() - 1];
          EXPECT_TRUE(access.conflictsWith(other)) << "seed " << seed;
          EXPECT_EQ(conflict.isEarlierWrite, other.kind != AccessKind::Read);
          EXPECT_LE(access.begin, conflict.begin);
          EXPECT_LE(conflict.end, access.begin + access.size);
        });
    ASSERT_EQ(isReported, isConflict) << "seed " << seed << ", access " << i;
    if (isConflict)
      return;
  }
}
} // namespace

TEST(ShadowTest, FindsAConflictExactlyWhereThereIsOne) {
  for (unsigned seed = 0; seed < 50000; ++seed)
    checkAgainstDefinition({8, {4}}, seed);
}

TEST(ShadowTest, AccessesOfSeveralSizesMeetInBytes) {
  for (unsigned seed = 0; seed < 50000; ++seed)
    checkAgainstDefinition({16, {1, 2, 4, 8, 16}}, seed);
}

TEST(ShadowTest, SizesThatAreNoPowersOfTwo) {
  for (unsigned seed = 0; seed < 20000; ++seed)
    checkAgainstDefinition({24, {1, 3, 6, 12}}, seed);
}

// Barriers of some lanes: lanes know of each other what a chain of barriers
// tells them. The definition has its own clocks, for every pair of lanes.
TEST(ShadowTest, BarriersOfSomeLanes) {
  constexpr uint32_t kLanes = 8;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    std::mt19937 random(seed);
    // known[a][b]: accesses of lane b at smaller clocks happened before a's.
    uint32_t known[kLanes][kLanes] = {};
    struct Past {
      AccessKind kind;
      uint32_t lane, clock;
    };
    std::vector<Past> past;
    Shadow shadow(4, true, true);
    for (int i = 0; i < 40; ++i) {
      if (random() % 4 == 0) {
        uint32_t mask = random() % (1 << kLanes), joined[kLanes] = {};
        for (uint32_t a = 0; a < kLanes; ++a)
          for (uint32_t b = 0; b < kLanes && (mask >> a & 1); ++b)
            joined[b] = std::max(joined[b], known[a][b]);
        for (uint32_t a = 0; a < kLanes; ++a)
          if (mask >> a & 1)
            joined[a] = known[a][a] + 1;
        for (uint32_t a = 0; a < kLanes; ++a)
          if (mask >> a & 1)
            std::copy(std::begin(joined), std::end(joined), known[a]);
        continue;
      }
      uint32_t lane = random() % kLanes;
      auto kind = random() % 8 == 0   ? AccessKind::Write
                  : random() % 8 == 0 ? AccessKind::Atomic
                                      : AccessKind::Read;
      Actor actor;
      actor.stamp.strand = lane + 1;
      actor.stamp.siteAndFlags = i + 1;
      actor.stamp.clock = known[lane][lane];
      actor.workgroupBegin = actor.subgroupBegin = 1;
      actor.workgroupEnd = actor.subgroupEnd = kLanes + 1;
      actor.clocks = known[lane];
      actor.keepsAll = true;
      bool isConflict = false;
      for (const Past &p : past)
        isConflict |= p.lane != lane && p.clock >= known[lane][p.lane] &&
                      (kind == AccessKind::Write ||
                       p.kind == AccessKind::Write || kind != p.kind);
      bool isReported = false;
      shadow.access(kind, 0, 4, actor,
                    [&](const Conflict &) { isReported = true; });
      ASSERT_EQ(isReported, isConflict) << "seed " << seed << ", access " << i;
      if (isConflict)
        break;
      past.push_back({kind, lane, known[lane][lane]});
    }
  }
}

/// Asks as an access of `size` bytes at once does, then as any other.
template <int64_t size>
static bool tryCell(Shadow &shadow, const Access &access, const Actor &actor) {
  return access.size == size &&
         shadow.tryCell<size>(access.kind, access.begin, actor,
                              actor.stamp.siteAndFlags);
}

static bool tryAccess(Shadow &shadow, const Access &access,
                      const Actor &actor) {
  return tryCell<1>(shadow, access, actor) ||
         tryCell<2>(shadow, access, actor) ||
         tryCell<4>(shadow, access, actor) ||
         tryCell<8>(shadow, access, actor) ||
         tryCell<16>(shadow, access, actor) ||
         shadow.tryAccess(access.kind, access.begin, access.size, actor,
                          actor.stamp.siteAndFlags);
}

// Two shadows see the same accesses, conflicts and what follows them included.
// One is always asked in full, the other first whether the access is simple.
TEST(ShadowTest, SimpleAccessesAreReportedAndKeptLikeAllOthers) {
  using Report = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, bool,
                            int64_t, int64_t>;
  int64_t numSimple = 0, numReports = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    std::mt19937 random(seed);
    Shape shape = seed % 3 ? Shape{16, {1, 2, 4, 8, 16}} : Shape{24, {3, 6}};
    Shadow full(shape.bytes, true, true), quick(shape.bytes, true, true);
    for (const Access &access : makeAccesses(random, shape)) {
      Actor actor = access.getActor();
      actor.keepsAll = seed % 5 == 0;
      bool isCopy = random() % 8 == 0 && access.kind != AccessKind::Atomic;
      if (isCopy)
        actor.stamp.siteAndFlags |= Stamp::kAsync;
      bool isPlain =
          !isCopy && !actor.keepsAll && access.kind != AccessKind::Atomic;
      std::vector<Report> reports[2];
      auto reportTo = [&](std::vector<Report> &list) {
        return [&list](const Conflict &c) {
          list.push_back({c.earlier.strand, c.earlier.siteAndFlags,
                          c.earlier.epoch, c.earlier.clock, c.isEarlierWrite,
                          c.begin, c.end});
        };
      };
      full.access(access.kind, access.begin, access.size, actor,
                  reportTo(reports[0]));
      if (isPlain && tryAccess(quick, access, actor))
        ++numSimple;
      else
        quick.access(access.kind, access.begin, access.size, actor,
                     reportTo(reports[1]));
      ASSERT_EQ(reports[0], reports[1]) << "seed " << seed;
      ASSERT_EQ(full.getBytes(), quick.getBytes()) << "seed " << seed;
      numReports += reports[0].size();
      if (!isCopy || random() % 2)
        continue;
      full.complete(access.kind, access.begin, access.size, access.getActor());
      quick.complete(access.kind, access.begin, access.size, access.getActor());
    }
  }
  EXPECT_GT(numSimple, 10000);
  EXPECT_GT(numReports, 10000);
}

TEST(ShadowTest, AWordOfFlagsHasOnlyItsOwnBytes) {
  for (int64_t missing = 0; missing < 16; ++missing) {
    Shadow shadow(16, /*isInitialized=*/false, /*checksRaces=*/false);
    shadow.setInitialized(0, missing);
    shadow.setInitialized(missing + 1, 15 - missing);
    for (int64_t size : {1, 2, 4, 8, 16})
      for (int64_t begin = 0; begin + size <= 16; ++begin)
        EXPECT_EQ(shadow.findUninitialized(begin, size),
                  missing >= begin && missing < begin + size ? missing : -1);
    auto check = [&](int64_t size, auto isInitialized) {
      for (int64_t begin = 0; begin + size <= 16; ++begin)
        EXPECT_EQ(isInitialized(begin),
                  shadow.findUninitialized(begin, size) < 0);
    };
    check(1, [&](int64_t begin) { return shadow.isInitialized<1>(begin); });
    check(2, [&](int64_t begin) { return shadow.isInitialized<2>(begin); });
    check(4, [&](int64_t begin) { return shadow.isInitialized<4>(begin); });
    check(8, [&](int64_t begin) { return shadow.isInitialized<8>(begin); });
    check(16, [&](int64_t begin) { return shadow.isInitialized<16>(begin); });
  }
}

TEST(ShadowTest, ReportsTheBytesInConflict) {
  Shadow shadow(16, true, true);
  Access write{AccessKind::Write, 4, 8, 0, 0, 1, 1, 1};
  Access read{AccessKind::Read, 0, 16, 0, 5, 1, 1, 2};
  auto none = [](const Conflict &) { ADD_FAILURE(); };
  shadow.access(write.kind, write.begin, write.size, write.getActor(), none);
  int count = 0;
  shadow.access(read.kind, read.begin, read.size, read.getActor(),
                [&](const Conflict &conflict) {
                  ++count;
                  EXPECT_EQ(conflict.begin, 4);
                  EXPECT_EQ(conflict.end, 12);
                });
  EXPECT_EQ(count, 1);
}

TEST(ShadowTest, APendingAccessIsOrderedWithNothing) {
  Shadow shadow(4, true, true);
  Access copy{AccessKind::Write, 0, 4, 0, 0, 1, 1, 1};
  Actor engine = copy.getActor();
  engine.stamp.siteAndFlags |= Stamp::kAsync;
  auto none = [](const Conflict &) { ADD_FAILURE(); };
  shadow.access(AccessKind::Write, 0, 4, engine, none);
  // Its own thread reads too early, even after a barrier.
  int count = 0;
  Access early{AccessKind::Read, 0, 4, 0, 0, 2, 1, 2};
  shadow.access(early.kind, 0, 4, early.getActor(),
                [&](const Conflict &) { ++count; });
  EXPECT_EQ(count, 1);
  // After the wait it is the thread's write.
  Access done{AccessKind::Write, 0, 4, 0, 0, 2, 1, 1};
  shadow.complete(AccessKind::Write, 0, 4, done.getActor());
  shadow.access(early.kind, 0, 4, early.getActor(), none);
  Access other{AccessKind::Read, 0, 4, 0, 5, 3, 1, 3};
  shadow.access(other.kind, 0, 4, other.getActor(), none);
}

TEST(ShadowTest, InitializationIsKeptByByte) {
  Shadow shadow(8, /*isInitialized=*/false, /*checksRaces=*/false);
  EXPECT_EQ(shadow.findUninitialized(0, 8), 0);
  shadow.setInitialized(0, 3);
  shadow.setInitialized(4, 4);
  EXPECT_EQ(shadow.findUninitialized(0, 8), 3);
  EXPECT_EQ(shadow.findUninitialized(4, 4), -1);
  Shadow copy(8, false, false);
  copy.setInitialized(0, {1, 0, 1, 1});
  EXPECT_EQ(copy.findUninitialized(0, 4), 1);
  EXPECT_EQ(copy.findUninitialized(2, 2), -1);
}

TEST(ShadowTest, TheSizeFollowsTheBufferNotTheAccesses) {
  Shadow shadow(1024, true, true);
  auto none = [](const Conflict &) {};
  Access write{AccessKind::Write, 0, 4, 0, 0, 1, 1, 1};
  shadow.access(write.kind, 0, 4, write.getActor(), none);
  int64_t bytes = shadow.getBytes();
  for (int i = 0; i < 100000; ++i) {
    write.begin = i % 256 * 4;
    write.epoch = i;
    shadow.access(write.kind, write.begin, 4, write.getActor(), none);
  }
  EXPECT_EQ(shadow.getBytes(), bytes);
}
