//===- BudgetReportTest.cpp -----------------------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Report/BudgetReport.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

constexpr StringRef kHeader = R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%v: f32, %n: index, %x: memref<?xf32>)
    attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %i = gpu.thread_id x
)";

class BudgetReportTest : public ::testing::Test {
protected:
  /// The report of a kernel with `body`.
  BudgetReport report(StringRef body, const TargetInfo &target) {
    module.emplace((kHeader + body + "\nreturn }").str());
    if (!*module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    FailureOr<BudgetReport> result = BudgetReport::compute(
        getTestContext(getKernels(**module).front(), target));
    if (failed(result)) {
      ADD_FAILURE() << "no report";
      return {};
    }
    return *result;
  }
  BudgetReport report(StringRef body, StringRef chip) {
    return report(body, *lookupTarget(chip));
  }
  static TargetInfo withLimit(StringRef chip, int64_t bytes) {
    TargetInfo target = *lookupTarget(chip);
    target.workgroupBytes = target.maxWorkgroupBytes = bytes;
    return target;
  }
  static std::vector<const WayOut *> getWays(const BudgetReport &report,
                                             WayOut::Kind kind) {
    std::vector<const WayOut *> ways;
    for (const WayOut &way : report.waysOut)
      if (way.kind == kind)
        ways.push_back(&way);
    return ways;
  }
  static std::string toText(const BudgetReport &report) {
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    return text;
  }

private:
  std::optional<TestModule> module;
};

/// One buffer that threads share, of the given type.
std::string oneTile(StringRef type) {
  return (R"(
  %t = memref.alloc() : )" +
          type + R"(
  %flat = memref.alloca() : memref<f32>
  linalg.fill ins(%v : f32) outs(%t : )" +
          type + R"()
  %y = memref.load %t[%n, %n] : )" +
          type + R"(
  memref.store %y, %x[%i] : memref<?xf32>
)")
      .str();
}

// Case B9: 48 KiB as it is, more as dynamic memory, up to 227 KiB on sm_90.
TEST_F(BudgetReportTest, StaticAndOptIn) {
  BudgetReport small = report(oneTile("memref<96x128xf32, #wg>"), "sm_90");
  EXPECT_EQ(small.packedBytes, 49152);
  EXPECT_EQ(small.staticLimit, 49152);
  EXPECT_EQ(small.optInLimit, 232448);
  EXPECT_TRUE(small.fits);
  EXPECT_FALSE(small.needsOptIn);
  BudgetReport more = report(oneTile("memref<97x128xf32, #wg>"), "sm_90");
  EXPECT_EQ(more.packedBytes, 49664);
  EXPECT_TRUE(more.fits);
  EXPECT_TRUE(more.needsOptIn);
  BudgetReport most = report(oneTile("memref<454x128xf32, #wg>"), "sm_90");
  EXPECT_EQ(most.packedBytes, 232448);
  EXPECT_TRUE(most.fits);
  BudgetReport tooMuch = report(oneTile("memref<455x128xf32, #wg>"), "sm_90");
  EXPECT_FALSE(tooMuch.fits);
  EXPECT_FALSE(tooMuch.needsOptIn);
  EXPECT_EQ(tooMuch.infeasible, std::vector<unsigned>{0});
  // Without an opt-in.
  BudgetReport amd = report(oneTile("memref<97x128xf32, #wg>"), "gfx942");
  EXPECT_TRUE(amd.fits);
  EXPECT_FALSE(amd.needsOptIn);
}

// Case B10: 96 KiB of LDS leave one workgroup of a unit that could hold more.
TEST_F(BudgetReportTest, OccupancyAndNextStep) {
  BudgetReport big = report(oneTile("memref<192x128xf32, #wg>"), "gfx950");
  EXPECT_EQ(big.packedBytes, 98304);
  EXPECT_EQ(big.occupancy.threads, 128);
  EXPECT_EQ(big.occupancy.workgroups, 1);
  EXPECT_EQ(big.occupancy.bounds.memory, 1);
  EXPECT_EQ(big.occupancy.bounds.threads, 16);
  EXPECT_EQ(big.occupancy.bounds.slots, 16);
  EXPECT_EQ(big.occupancy.decidedBy, "workgroup memory");
  // Two workgroups of 80 KiB fill the unit's 160 KiB.
  EXPECT_EQ(big.occupancy.nextStepBytes, 81920);
  // Halving either dimension gets there.
  ASSERT_EQ(big.waysOut.size(), 2u);
  for (const WayOut &way : big.waysOut) {
    EXPECT_EQ(way.kind, WayOut::Kind::Tile);
    EXPECT_EQ(way.bytes, 49152);
    EXPECT_EQ(way.workgroupsPerUnit, 3);
    EXPECT_TRUE(way.fits);
  }
  // Exactly the step, and one more row.
  BudgetReport step = report(oneTile("memref<160x128xf32, #wg>"), "gfx950");
  EXPECT_EQ(step.occupancy.workgroups, 2);
  BudgetReport over = report(oneTile("memref<161x128xf32, #wg>"), "gfx950");
  EXPECT_EQ(over.occupancy.workgroups, 1);
}

TEST_F(BudgetReportTest, NoStepBeyondThreads) {
  BudgetReport small = report(oneTile("memref<2x8xf32, #wg>"), "sm_90");
  EXPECT_EQ(small.occupancy.workgroups, 16);
  EXPECT_EQ(small.occupancy.decidedBy, "threads");
  EXPECT_EQ(small.occupancy.nextStepBytes, std::nullopt);
  EXPECT_TRUE(small.waysOut.empty());
  BudgetReport none = report("", "gfx942");
  EXPECT_EQ(none.packedBytes, 0);
  EXPECT_EQ(none.occupancy.bounds.memory, std::nullopt);
  EXPECT_TRUE(none.buffers.empty());
  EXPECT_EQ(none.peakLocation, LocationAttr());
}

// A slice of K of one matmul operand is one of the other's; M and N belong to
// one buffer each.
TEST_F(BudgetReportTest, TileDimensionsOfMatmul) {
  BudgetReport matmul = report(R"(
  %a = memref.alloc() : memref<64x32xf32, #wg>
  %b = memref.alloc() : memref<32x128xf32, #wg>
  %acc = memref.alloca() : memref<4x8xf32, #gpu.address_space<private>>
  linalg.fill ins(%v : f32) outs(%a : memref<64x32xf32, #wg>)
  linalg.fill ins(%v : f32) outs(%b : memref<32x128xf32, #wg>)
  %p = memref.subview %a[%n, 0] [4, 32] [1, 1] : memref<64x32xf32, #wg> to memref<4x32xf32, strided<[32, 1], offset: ?>, #wg>
  %q = memref.subview %b[0, %n] [32, 8] [1, 1] : memref<32x128xf32, #wg> to memref<32x8xf32, strided<[128, 1], offset: ?>, #wg>
  linalg.matmul ins(%p, %q : memref<4x32xf32, strided<[32, 1], offset: ?>, #wg>, memref<32x8xf32, strided<[128, 1], offset: ?>, #wg>)
                outs(%acc : memref<4x8xf32, #gpu.address_space<private>>)
)",
                               withLimit("gfx942", 20000));
  EXPECT_EQ(matmul.packedBytes, 24576);
  EXPECT_EQ(matmul.privateBytes, 128);
  std::vector<const WayOut *> ways = getWays(matmul, WayOut::Kind::Tile);
  ASSERT_EQ(ways.size(), 3u);
  // What suffices comes first, by least change. K are both buffers.
  EXPECT_EQ(ways[0]->text, "halve dimension 1 of '%alloc_0' (128): 24576 -> "
                           "16384 bytes");
  EXPECT_TRUE(ways[0]->fits);
  EXPECT_EQ(ways[1]->text,
            "halve dimension 1 of '%alloc' and dimension 0 of '%alloc_0' (32): "
            "24576 -> 12288 bytes");
  ASSERT_EQ(ways[1]->resizes.size(), 2u);
  EXPECT_EQ(ways[1]->resizes[0].buffer, 0u);
  EXPECT_EQ(ways[1]->resizes[0].dim, 1u);
  EXPECT_EQ(ways[1]->resizes[0].from, 32);
  EXPECT_EQ(ways[1]->resizes[0].to, 16);
  EXPECT_EQ(ways[1]->resizes[1].buffer, 1u);
  EXPECT_EQ(ways[1]->resizes[1].dim, 0u);
  EXPECT_EQ(ways[2]->text,
            "cut dimension 0 of '%alloc' from 64 to 16: 24576 -> 18432 bytes");
  EXPECT_TRUE(ways[2]->fits);
}

/// A matmul of M x K by K x N tiles, whose result goes through private memory
/// into a tile of its own.
std::string matmulThroughPrivate(int64_t m, int64_t n, int64_t k) {
  std::string body = R"(
  %a = memref.alloc() : memref<$Mx$Kxf16, #wg>
  %b = memref.alloc() : memref<$Kx$Nxf16, #wg>
  linalg.fill ins(%h : f16) outs(%a : memref<$Mx$Kxf16, #wg>)
  linalg.fill ins(%h : f16) outs(%b : memref<$Kx$Nxf16, #wg>)
  %acc = memref.alloca() : memref<4x8xf32, #gpu.address_space<private>>
  %p = memref.subview %a[%n, 0] [4, $K] [1, 1] : memref<$Mx$Kxf16, #wg> to memref<4x$Kxf16, strided<[$K, 1], offset: ?>, #wg>
  %q = memref.subview %b[0, %n] [$K, 8] [1, 1] : memref<$Kx$Nxf16, #wg> to memref<$Kx8xf16, strided<[$N, 1], offset: ?>, #wg>
  linalg.matmul ins(%p, %q : memref<4x$Kxf16, strided<[$K, 1], offset: ?>, #wg>, memref<$Kx8xf16, strided<[$N, 1], offset: ?>, #wg>)
                outs(%acc : memref<4x8xf32, #gpu.address_space<private>>)
  %c = memref.alloc() : memref<$Mx$Nxf32, #wg>
  %r = memref.subview %c[%n, %n] [4, 8] [1, 1] : memref<$Mx$Nxf32, #wg> to memref<4x8xf32, strided<[$N, 1], offset: ?>, #wg>
  linalg.copy ins(%acc : memref<4x8xf32, #gpu.address_space<private>>) outs(%r : memref<4x8xf32, strided<[$N, 1], offset: ?>, #wg>)
  %y = memref.load %c[%i, %n] : memref<$Mx$Nxf32, #wg>
  memref.store %y, %x[%i] : memref<?xf32>
)";
  std::string result = "  %h = arith.truncf %v : f32 to f16\n";
  for (size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '$') {
      result += body[at];
      continue;
    }
    ++at;
    result += std::to_string(body[at] == 'M' ? m : body[at] == 'N' ? n : k);
  }
  return result;
}

// What a way out says is what the kernel has after it.
TEST_F(BudgetReportTest, WaysOutAreTrue) {
  TargetInfo target = withLimit("gfx942", 9000);
  BudgetReport before = report(matmulThroughPrivate(48, 32, 64), target);
  EXPECT_EQ(before.packedBytes, (48 + 32) * 64 * 2);
  std::vector<const WayOut *> ways = getWays(before, WayOut::Kind::Tile);
  ASSERT_EQ(ways.size(), 3u);
  for (const WayOut *way : ways) {
    // M and N are dimensions of two buffers each, K as well.
    ASSERT_EQ(way->resizes.size(), 2u);
    int64_t m = 48, n = 32, k = 64;
    for (const Resize &resize : way->resizes) {
      int64_t &extent = resize.from == 48 ? m : resize.from == 32 ? n : k;
      extent = resize.to;
    }
    EXPECT_EQ(report(matmulThroughPrivate(m, n, k), target).packedBytes,
              way->bytes);
  }
}

// Loads that are spread over the threads alike say nothing; data that flows
// does.
TEST_F(BudgetReportTest, EqualIndices) {
  constexpr StringRef body = R"(
  %a = memref.alloc() : memref<128x3xf32, #wg>
  %b = memref.alloc() : memref<128x5xf32, #wg>
  memref.store %v, %a[%i, %c1] : memref<128x3xf32, #wg>
  %w = memref.load %x[%n] : memref<?xf32>
  memref.store %w, %b[%i, %c1] : memref<128x5xf32, #wg>
  %y = memref.load %a[%J, %c1] : memref<128x3xf32, #wg>
  %z = memref.load %b[%n, %c1] : memref<128x5xf32, #wg>
  %s = arith.addf %y, %z : f32
  memref.store %s, %x[%i] : memref<?xf32>
)";
  auto countTogether = [&](StringRef index) {
    std::string source = body.str();
    source.replace(source.find("%J"), 2, index);
    size_t most = 0;
    for (const WayOut &way : report(source, withLimit("gfx942", 2900)).waysOut)
      most = std::max(most, way.resizes.size());
    return most;
  };
  EXPECT_EQ(countTogether("%n"), 2u);
  EXPECT_EQ(countTogether("%c2"), 1u);
}

// Padding between rows stays as wide as it is (case B5).
TEST_F(BudgetReportTest, PaddedRows) {
  BudgetReport padded = report(R"(
  %a = memref.alloc() : memref<32x32xf32, strided<[33, 1]>, #wg>
  linalg.fill ins(%v : f32) outs(%a : memref<32x32xf32, strided<[33, 1]>, #wg>)
  %y = memref.load %a[%n, %c1] : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %y, %x[%i] : memref<?xf32>
)",
                               withLimit("gfx942", 4000));
  EXPECT_EQ(padded.packedBytes, (31 * 33 + 32) * 4);
  std::vector<const WayOut *> ways = getWays(padded, WayOut::Kind::Tile);
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways[0]->resizes.front().dim, 1u);
  EXPECT_EQ(ways[0]->bytes, (31 * 17 + 16) * 4);
  EXPECT_EQ(ways[1]->resizes.front().dim, 0u);
  EXPECT_EQ(ways[1]->bytes, (15 * 33 + 32) * 4);
}

// In an arena a padded buffer is a cast of its view.
TEST_F(BudgetReportTest, PaddedRowsInArena) {
  BudgetReport padded = report(R"(
  %arena = memref.alloc() {memspace.arena} : memref<4224xi8, #wg>
  %view = memref.view %arena[%c0][] {memspace.buffer = 0 : i64} : memref<4224xi8, #wg> to memref<1055xf32, #wg>
  %a = memref.reinterpret_cast %view to offset: [0], sizes: [32, 32], strides: [33, 1] : memref<1055xf32, #wg> to memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %v, %a[%i, %c1] : memref<32x32xf32, strided<[33, 1]>, #wg>
  %y = memref.load %a[%i, %c1] : memref<32x32xf32, strided<[33, 1]>, #wg>
  memref.store %y, %x[%i] : memref<?xf32>
)",
                               withLimit("gfx942", 4000));
  ASSERT_EQ(padded.buffers.size(), 1u);
  EXPECT_EQ(StringRef(padded.buffers[0].type).count("strided<[33, 1]>"), 1u);
  std::vector<const WayOut *> ways = getWays(padded, WayOut::Kind::Tile);
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways[0]->bytes, (31 * 17 + 16) * 4);
  ways = getWays(padded, WayOut::Kind::Private);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->privateBytesPerThread, 4);
}

// Two buffers that a loop swaps have one shape.
TEST_F(BudgetReportTest, SwappedBuffers) {
  BudgetReport swapped = report(R"(
  %a = memref.alloc() : memref<128xf32, #wg>
  %b = memref.alloc() : memref<128xf32, #wg>
  linalg.fill ins(%v : f32) outs(%a : memref<128xf32, #wg>)
  %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (memref<128xf32, #wg>, memref<128xf32, #wg>) {
    %y = memref.load %p[%n] : memref<128xf32, #wg>
    memref.store %y, %q[%i] : memref<128xf32, #wg>
    scf.yield %q, %p : memref<128xf32, #wg>, memref<128xf32, #wg>
  }
  %z = memref.load %r#0[%i] : memref<128xf32, #wg>
  memref.store %z, %x[%i] : memref<?xf32>
)",
                                withLimit("gfx942", 600));
  EXPECT_EQ(swapped.packedBytes, 1024);
  std::vector<const WayOut *> ways = getWays(swapped, WayOut::Kind::Tile);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->resizes.size(), 2u);
  EXPECT_EQ(ways[0]->bytes, 512);
}

// Where no single dimension suffices, several are cut together.
TEST_F(BudgetReportTest, Combination) {
  BudgetReport both = report(R"(
  %a = memref.alloc() : memref<5x32xf32, #wg>
  %b = memref.alloc() : memref<7x64xf32, #wg>
  linalg.fill ins(%v : f32) outs(%a : memref<5x32xf32, #wg>)
  linalg.fill ins(%v : f32) outs(%b : memref<7x64xf32, #wg>)
  %y = memref.load %a[%n, %n] : memref<5x32xf32, #wg>
  %z = memref.load %b[%c1, %n] : memref<7x64xf32, #wg>
)",
                             withLimit("gfx942", 128));
  EXPECT_EQ(both.packedBytes, 5 * 128 + 7 * 256);
  ASSERT_FALSE(both.waysOut.empty());
  const WayOut &way = both.waysOut.front();
  EXPECT_TRUE(way.fits);
  EXPECT_EQ(way.kind, WayOut::Kind::Tile);
  ASSERT_EQ(way.resizes.size(), 2u);
  EXPECT_LE(way.bytes, 128);
  // The figure is that of the packed kernel with these extents.
  EXPECT_EQ(way.bytes, int64_t(llvm::alignTo(5 * 4 * way.resizes[0].to, 16)) +
                           7 * 4 * way.resizes[1].to);
}

// Of many tile dimensions those are tried that have the most bytes.
TEST_F(BudgetReportTest, ManyTiles) {
  std::string body;
  for (int i = 0; i < 100; ++i) {
    std::string n = std::to_string(i),
                type = i == 97 ? "memref<1024xf32, #wg>" : "memref<4xf32, #wg>";
    body += "%m" + n + " = memref.alloc() : " + type +
            "\nlinalg.fill ins(%v : f32) outs(%m" + n + " : " + type + ")\n";
  }
  for (int i = 0; i < 100; ++i) {
    std::string n = std::to_string(i);
    body += "%x" + n + " = memref.load %m" + n + "[%n] : " +
            (i == 97 ? "memref<1024xf32, #wg>" : "memref<4xf32, #wg>") + "\n";
  }
  BudgetReport many = report(body, withLimit("gfx942", 99 * 16 + 2048));
  EXPECT_EQ(many.packedBytes, 99 * 16 + 4096);
  ASSERT_FALSE(many.waysOut.empty());
  const WayOut &way = many.waysOut.front();
  EXPECT_TRUE(way.fits);
  EXPECT_EQ(way.bytes, 99 * 16 + 2048);
  ASSERT_EQ(way.resizes.size(), 1u);
  EXPECT_EQ(way.resizes[0].buffer, 97u);
  EXPECT_EQ(way.resizes[0].to, 512);
}

TEST_F(BudgetReportTest, StagesByRemainder) {
  BudgetReport slots = report(R"(
  %a = memref.alloc() : memref<3x8x33xf32, #wg>
  %b = memref.alloc() : memref<3x33xf32, #wg>
  scf.for %k = %c0 to %c8 step %c1 {
    %next = affine.apply affine_map<(d0) -> ((d0 + 2) mod 3)>(%k)
    %now = arith.remui %k, %c3 : index
    memref.store %v, %a[%next, %i, %n] : memref<3x8x33xf32, #wg>
    memref.store %v, %b[%next, %n] : memref<3x33xf32, #wg>
    %y = memref.load %a[%now, %n, %i] : memref<3x8x33xf32, #wg>
    %z = memref.load %b[%now, %c1] : memref<3x33xf32, #wg>
    memref.store %y, %x[%i] : memref<?xf32>
    memref.store %z, %x[%i] : memref<?xf32>
  }
)",
                              withLimit("gfx942", 3000));
  EXPECT_EQ(slots.packedBytes, 3 * 8 * 33 * 4 + 3 * 33 * 4);
  std::vector<const WayOut *> ways = getWays(slots, WayOut::Kind::Stages);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->text,
            "2 instead of 3 stages (dimension 0 of '%alloc' and dimension 0 of "
            "'%alloc_0'): 3564 -> 2376 bytes");
  EXPECT_TRUE(ways[0]->fits);
}

TEST_F(BudgetReportTest, StagesCarriedByLoop) {
  constexpr StringRef body = R"(
  %a = memref.alloc() : memref<2x65xf32, #wg>
  scf.for %k = %c0 to %c8 step %c1 iter_args(%slot = %c0) -> (index) {
    %other = arith.subi %c1, %slot : index
    %view = memref.subview %a[%slot, 0] [1, 65] [1, 1] : memref<2x65xf32, #wg> to memref<65xf32, strided<[1], offset: ?>, #wg>
    linalg.fill ins(%v : f32) outs(%view : memref<65xf32, strided<[1], offset: ?>, #wg>)
    %y = memref.load %view[%n] : memref<65xf32, strided<[1], offset: ?>, #wg>
    memref.store %y, %x[%i] : memref<?xf32>
    scf.yield %other : index
  }
)";
  BudgetReport slots = report(body, withLimit("gfx942", 300));
  std::vector<const WayOut *> ways = getWays(slots, WayOut::Kind::Stages);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->bytes, 260);
  // A slot of 3 is no stage of a counter of 2: nothing is said.
  std::string other = body.str();
  for (size_t at; (at = other.find("2x65")) != std::string::npos;)
    other.replace(at, 4, "3x65");
  BudgetReport unknown = report(other, withLimit("gfx942", 300));
  EXPECT_TRUE(getWays(unknown, WayOut::Kind::Stages).empty());
}

// What is computed from data or by thread is a table, not a pipeline.
TEST_F(BudgetReportTest, NotStages) {
  constexpr StringRef body = R"(
  %a = memref.alloc() : memref<3x65xf32, #wg>
  scf.for %k = %c0 to %c8 step %c1 {
    %slot = arith.remui %INDEX, %c3 : index
    memref.store %v, %a[%slot, %n] : memref<3x65xf32, #wg>
    %y = memref.load %a[%slot, %i] : memref<3x65xf32, #wg>
    memref.store %y, %x[%i] : memref<?xf32>
  }
)";
  auto countStages = [&](StringRef index) {
    std::string source = body.str();
    source.replace(source.find("%INDEX"), 6, index);
    BudgetReport slots = report(source, withLimit("gfx942", 600));
    EXPECT_EQ(slots.packedBytes, 780);
    return getWays(slots, WayOut::Kind::Stages).size();
  };
  EXPECT_EQ(countStages("%k"), 1u);
  EXPECT_EQ(countStages("%i"), 0u);
  EXPECT_EQ(countStages("%n"), 0u);
}

// Alignment, not live bytes, is too much: three buffers that fit in pairs.
TEST_F(BudgetReportTest, InfeasibleBelowTheLimit) {
  constexpr StringRef body = R"(
  %a = memref.alloc() : memref<7xi8, #wg>
  %b = memref.alloc() : memref<7xi8, #wg>
  %c = memref.alloc() : memref<7xf64, #wg>
  %e = arith.constant 1 : i8
  %d = arith.extf %v : f32 to f64
  memref.store %e, %a[%n] : memref<7xi8, #wg>
  memref.store %e, %b[%n] : memref<7xi8, #wg>
  memref.store %d, %c[%n] : memref<7xf64, #wg>
  %y = memref.load %a[%i] : memref<7xi8, #wg>
  %z = memref.load %b[%i] : memref<7xi8, #wg>
  %w = memref.load %c[%i] : memref<7xf64, #wg>
)";
  BudgetReport tight = report(body, withLimit("gfx942", 80));
  EXPECT_EQ(tight.peakLiveBytes, 70);
  EXPECT_EQ(tight.packedBytes, 87);
  EXPECT_EQ(tight.infeasible, (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(tight.atPeak, (std::vector<unsigned>{2, 0, 1}));
}

TEST_F(BudgetReportTest, PrivateInArena) {
  BudgetReport packed = report(R"(
  %arena = memref.alloc() {memspace.arena} : memref<4096xi8, #wg>
  %c2048 = arith.constant 2048 : index
  %a = memref.view %arena[%c0][] {memspace.buffer = 0 : i64} : memref<4096xi8, #wg> to memref<128x4xf32, #wg>
  %b = memref.view %arena[%c2048][] {memspace.buffer = 1 : i64} : memref<4096xi8, #wg> to memref<128x4xf32, #wg>
  memref.store %v, %a[%i, %c1] : memref<128x4xf32, #wg>
  memref.store %v, %b[%i, %c1] : memref<128x4xf32, #wg>
  gpu.barrier
  %y = memref.load %a[%i, %c1] : memref<128x4xf32, #wg>
  %z = memref.load %b[%n, %c1] : memref<128x4xf32, #wg>
  memref.store %y, %x[%i] : memref<?xf32>
  memref.store %z, %x[%i] : memref<?xf32>
)",
                               withLimit("gfx942", 2048));
  EXPECT_EQ(packed.packedBytes, 4096);
  std::vector<const WayOut *> ways = getWays(packed, WayOut::Kind::Private);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->buffers, std::vector<unsigned>{0});
  EXPECT_EQ(ways[0]->privateBytesPerThread, 4);
  EXPECT_EQ(ways[0]->bytes, 2048);
}

TEST_F(BudgetReportTest, Private) {
  constexpr StringRef body = R"(
  %a = memref.alloc() : memref<128x4xf32, #wg>
  memref.store %v, %a[%i, %c1] : memref<128x4xf32, #wg>
  memref.store %v, %a[%i, %c2] : memref<128x4xf32, #wg>
  gpu.barrier
  %y = memref.load %a[%INDEX, %c2] : memref<128x4xf32, #wg>
  memref.store %y, %x[%i] : memref<?xf32>
)";
  auto withIndex = [&](StringRef index) {
    std::string result = body.str();
    result.replace(result.find("INDEX"), 5, index);
    return result;
  };
  BudgetReport own = report(withIndex("i"), withLimit("gfx942", 1000));
  std::vector<const WayOut *> ways = getWays(own, WayOut::Kind::Private);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->buffers, std::vector<unsigned>{0});
  // Columns 1 and 2 of its own row.
  EXPECT_EQ(ways[0]->privateBytesPerThread, 8);
  EXPECT_EQ(ways[0]->bytes, 0);
  EXPECT_EQ(own.waysOut.front().kind, WayOut::Kind::Private);
  // Another thread's row.
  BudgetReport others = report(withIndex("n"), withLimit("gfx942", 1000));
  EXPECT_TRUE(getWays(others, WayOut::Kind::Private).empty());
  // No room in private memory.
  TargetInfo cramped = withLimit("gfx942", 1000);
  cramped.privateBytes = 7;
  EXPECT_TRUE(
      getWays(report(withIndex("i"), cramped), WayOut::Kind::Private).empty());
}

TEST_F(BudgetReportTest, LimitAndChips) {
  // The option, not the chip, is too small.
  BudgetReport limited =
      report(oneTile("memref<3x333xf32, #wg>"), withLimit("gfx942", 1000));
  std::vector<const WayOut *> ways = getWays(limited, WayOut::Kind::Limit);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->text, "raise the limit of 1000 bytes: gfx942 has 65536");
  EXPECT_TRUE(getWays(limited, WayOut::Kind::Chip).empty());
  // 99 KiB are too few on sm_86, not on these.
  BudgetReport tooMuch = report(oneTile("memref<3x9999xf32, #wg>"), "sm_86");
  EXPECT_EQ(tooMuch.packedBytes, 119988);
  ways = getWays(tooMuch, WayOut::Kind::Chip);
  ASSERT_EQ(ways.size(), 1u);
  EXPECT_EQ(ways[0]->chips,
            (std::vector<std::string>{"sm_80", "sm_90", "sm_100"}));
}

TEST_F(BudgetReportTest, JSONParses) {
  BudgetReport some =
      report(oneTile("memref<3x333xf32, #wg>"), withLimit("gfx942", 1000));
  std::string text;
  llvm::raw_string_ostream(text) << some.toJSON();
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed));
  EXPECT_EQ(*parsed, some.toJSON());
  const llvm::json::Object *object = parsed->getAsObject();
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(object->getInteger("packed_bytes"), some.packedBytes);
  EXPECT_EQ(object->getBoolean("fits"), false);
  ASSERT_EQ(object->getArray("buffers")->size(), 1u);
  const llvm::json::Object *buffer =
      object->getArray("buffers")->front().getAsObject();
  EXPECT_EQ(buffer->getString("name"), "%alloc");
  EXPECT_EQ(object->getArray("ways_out")->size(), some.waysOut.size());
}

/// Rows and columns of the map are limited, and no cell is lost.
TEST_F(BudgetReportTest, MemoryMapOfManyBuffers) {
  std::string body;
  for (int k = 0; k < 80; ++k)
    body += llvm::formatv(R"(
  %b{0} = memref.alloc() : memref<{1}xf32, #wg>
  memref.store %v, %b{0}[%n] : memref<{1}xf32, #wg>
)",
                          k, k + 5)
                .str();
  for (int k = 0; k < 80; ++k)
    body += llvm::formatv(R"(
  %y{0} = memref.load %b{0}[%n] : memref<{1}xf32, #wg>
  memref.store %y{0}, %x[%i] : memref<?xf32>
)",
                          k, k + 5)
                .str();
  BudgetReport many = report(body, "gfx942");
  std::string text = toText(many);
  EXPECT_EQ(text, toText(many));
  size_t rows = 0;
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  for (StringRef line : lines) {
    if (!line.contains(" .. "))
      continue;
    ++rows;
    auto cells = line.split('|').second;
    EXPECT_EQ(cells.size(), 65u);
  }
  EXPECT_EQ(rows, 24u);
  EXPECT_NE(text.find("'+' more than one"), std::string::npos);
}

} // namespace
