//===- VerifierThreadPairsTest.cpp - who touches which place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placement and the verifier each calculate what the ids of threads decide.
// What holds in one workgroup or for one value of an argument is no fact for
// either.
//
//===----------------------------------------------------------------------===//

#include "Barriers/VerifierThreadPairs.h"
#include "Barriers/PlacementThreadPairs.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// "inside", "across", "both" or "none": between which threads a store at `%t`
/// and a load at the index that `body` calls `%i` are, for both calculations,
/// which must agree.
std::string meet(StringRef body, StringRef grid = "",
                 int64_t subgroupSize = 32) {
  std::string source =
      ("func.func @k(%n: index, %v: f32) attributes {gpu.known_block_size = "
       "array<i32: 64, 1, 1>" +
       grid + "} {\n%t = gpu.thread_id x\n%c1 = arith.constant 1 : index\n" +
       "%c5 = arith.constant 5 : index\n%c32 = arith.constant 32 : index\n" +
       "%c64 = arith.constant 64 : index\n" +
       "%a = memref.alloc() : memref<128xf32, "
       "#gpu.address_space<workgroup>>\n" +
       body +
       "memref.store %v, %a[%t] : memref<128xf32, "
       "#gpu.address_space<workgroup>>\n"
       "%x = memref.load %a[%i] : memref<128xf32, "
       "#gpu.address_space<workgroup>>\nreturn\n}")
          .str();
  TestModule module(source);
  if (!module) {
    ADD_FAILURE() << source;
    return "";
  }
  KernelContext context =
      getTestContext(getKernels(*module).front(), subgroupSize);
  ThreadRelations relations(context);
  HazardAnalysis hazards(context, relations);
  EXPECT_EQ(hazards.getAccesses().size(), 2u);
  Hazard table = VerifierThreadPairs(hazards).getOverlap(0, 1);
  Hazard enumerated;
  enumerated.insideSubgroup = enumerated.acrossSubgroups = true;
  PlacementThreadPairs(hazards).refine(enumerated, 0, 1);
  EXPECT_EQ(table.insideSubgroup, enumerated.insideSubgroup) << source;
  EXPECT_EQ(table.acrossSubgroups, enumerated.acrossSubgroups) << source;
  if (table.insideSubgroup)
    return table.acrossSubgroups ? "both" : "inside";
  return table.acrossSubgroups ? "across" : "none";
}
} // namespace

TEST(VerifierThreadPairsTest, ThreadIds) {
  EXPECT_EQ(meet("%i = arith.addi %t, %c64 : index\n"), "none");
  EXPECT_EQ(meet("%i = arith.xori %t, %c5 : index\n"), "inside");
  EXPECT_EQ(meet("%i = arith.xori %t, %c32 : index\n"), "across");
  EXPECT_EQ(meet("%s = arith.addi %t, %c1 : index\n"
                 "%i = arith.remui %s, %c64 : index\n"),
            "both");
  // The own element, and one of another thread of the subgroup.
  EXPECT_EQ(meet("%q = arith.cmpi ult, %t, %c5 : index\n"
                 "%i = scf.if %q -> index {\n scf.yield %t : index\n} else {\n"
                 "%u = arith.xori %t, %c1 : index\n scf.yield %u : index\n}\n"),
            "inside");
  EXPECT_EQ(meet("%l = gpu.lane_id\n%g = gpu.subgroup_id : index\n"
                 "%b = arith.muli %g, %c32 : index\n"
                 "%i = arith.addi %l, %b : index\n"),
            "none");
}

TEST(VerifierThreadPairsTest, OneWorkgroupIsNoFact) {
  StringRef rotated = "%b = gpu.block_id x\n%s = arith.addi %t, %b : index\n"
                      "%i = arith.remui %s, %c64 : index\n";
  EXPECT_EQ(meet(rotated), "both");
  EXPECT_EQ(meet(rotated, ", gpu.known_grid_size = array<i32: 3, 1, 1>"),
            "both");
  EXPECT_EQ(meet(rotated, ", gpu.known_grid_size = array<i32: 1, 3, 1>"),
            "none");
  EXPECT_EQ(meet("%g = gpu.global_id x\n%i = arith.remui %g, %c64 : index\n"),
            "both");
}

TEST(VerifierThreadPairsTest, OneValueIsNoFact) {
  EXPECT_EQ(meet("%s = arith.addi %t, %n : index\n"
                 "%i = arith.remui %s, %c64 : index\n"),
            "both");
}

// One table serves all accesses of a class: the answers are those of tables
// that were made for the pair.
TEST(VerifierThreadPairsTest, TablesOfClasses) {
  std::string source =
      "func.func @k(%v: f32) attributes {gpu.known_block_size = "
      "array<i32: 64, 1, 1>} {\n%t = gpu.thread_id x\n"
      "%c5 = arith.constant 5 : index\n%x = arith.xori %t, %c5 : index\n"
      "%a = memref.alloc() : memref<2x256xf32, "
      "#gpu.address_space<workgroup>>\n";
  llvm::raw_string_ostream os(source);
  unsigned count = 0;
  for (StringRef index : {"%t", "%x"})
    for (int64_t offset : {0, 0, 1, 31, 32, 64, 100}) {
      os << "%o" << count << " = arith.constant " << offset << " : index\n"
         << "%r" << count << " = arith.constant " << offset / 32 % 2
         << " : index\n%i" << count << " = arith.addi " << index << ", %o"
         << count << " : index\nmemref.store %v, %a[%r" << count << ", %i"
         << count << "] : memref<2x256xf32, #gpu.address_space<workgroup>>\n";
      ++count;
    }
  os << "return\n}";
  TestModule module(source);
  ASSERT_TRUE(module) << source;
  KernelContext context = getTestContext(getKernels(*module).front(), 32);
  ThreadRelations relations(context);
  HazardAnalysis hazards(context, relations);
  ASSERT_EQ(hazards.getAccesses().size(), count);
  EXPECT_EQ(hazards.getClass(0), hazards.getClass(4));
  EXPECT_NE(hazards.getClass(0), hazards.getClass(count - 1));

  VerifierThreadPairs tables(hazards);
  PlacementThreadPairs enumeration(hazards);
  auto refine = [](PlacementThreadPairs &pairs, unsigned i, unsigned j) {
    Hazard hazard{/*acrossSubgroups=*/true, /*insideSubgroup=*/true};
    pairs.refine(hazard, i, j);
    return hazard;
  };
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = 0; j < count; ++j) {
      VerifierThreadPairs ownTables(hazards);
      PlacementThreadPairs ownEnumeration(hazards);
      Hazard own = ownTables.getOverlap(i, j);
      for (const Hazard &hazard :
           {tables.getOverlap(i, j), refine(enumeration, i, j),
            refine(ownEnumeration, i, j)}) {
        EXPECT_EQ(hazard.insideSubgroup, own.insideSubgroup) << i << " " << j;
        EXPECT_EQ(hazard.acrossSubgroups, own.acrossSubgroups) << i << " " << j;
      }
    }
}

// Threads that touch the same elements: by the row of a matrix that a thread of
// 8 x 16 reads, by its column, by both, by slices that overlap.
TEST(VerifierThreadPairsTest, SlicesOfManyThreads) {
  struct Slice {
    StringRef offset, size;
    int64_t (*getFirst)(int64_t x, int64_t y);
    int64_t count;
  };
  const Slice slices[] = {
      {"%x", "1", [](int64_t x, int64_t) { return x; }, 1},
      {"%y4", "4", [](int64_t, int64_t y) { return 4 * y; }, 4},
      {"%y4", "6", [](int64_t, int64_t y) { return 4 * y; }, 6},
      {"%xy", "2", [](int64_t x, int64_t y) { return x + 8 * y; }, 2},
      {"%both", "1", [](int64_t x, int64_t y) { return x & y; }, 1},
      {"0", "8", [](int64_t, int64_t) { return int64_t(0); }, 8}};
  std::string source =
      "#w = #gpu.address_space<workgroup>\n"
      "func.func @k(%v: f32) attributes {gpu.known_block_size = "
      "array<i32: 8, 16, 1>} {\n%x = gpu.thread_id x\n%y = gpu.thread_id y\n"
      "%c4 = arith.constant 4 : index\n%c8 = arith.constant 8 : index\n"
      "%y4 = arith.muli %y, %c4 : index\n%y8 = arith.muli %y, %c8 : index\n"
      "%xy = arith.addi %x, %y8 : index\n%both = arith.andi %x, %y : index\n"
      "%a = memref.alloc() : memref<256xf32, #w>\n";
  llvm::raw_string_ostream os(source);
  for (auto [i, slice] : llvm::enumerate(slices))
    os << "%s" << i << " = memref.subview %a[" << slice.offset << "] ["
       << slice.size << "] [1] : memref<256xf32, #w> to memref<" << slice.size
       << "xf32, strided<[1], offset: " << (slice.offset == "0" ? "0" : "?")
       << ">, #w>\n"
       << "linalg.fill ins(%v : f32) outs(%s" << i << " : memref<" << slice.size
       << "xf32, strided<[1], offset: " << (slice.offset == "0" ? "0" : "?")
       << ">, #w>)\n";
  os << "return\n}";
  TestModule module(source);
  ASSERT_TRUE(module) << source;

  for (int64_t subgroupSize : {0, 8, 32, 48}) {
    KernelContext context =
        getTestContext(getKernels(*module).front(), subgroupSize);
    ThreadRelations relations(context);
    HazardAnalysis hazards(context, relations);
    ASSERT_EQ(hazards.getAccesses().size(), std::size(slices));
    VerifierThreadPairs tables(hazards);
    PlacementThreadPairs enumeration(hazards);
    for (unsigned i = 0; i < std::size(slices); ++i)
      for (unsigned j = 0; j < std::size(slices); ++j) {
        Hazard expected;
        for (int64_t mine = 0; mine < 128; ++mine)
          for (int64_t other = 0; other < 128; ++other) {
            int64_t from = slices[i].getFirst(mine % 8, mine / 8);
            int64_t to = slices[j].getFirst(other % 8, other / 8);
            if (mine == other || from + slices[i].count <= to ||
                to + slices[j].count <= from)
              continue;
            bool isInside =
                !subgroupSize || mine / subgroupSize == other / subgroupSize;
            expected.insideSubgroup |= isInside;
            expected.acrossSubgroups |= !subgroupSize || !isInside;
          }
        Hazard refined{/*acrossSubgroups=*/true, /*insideSubgroup=*/true};
        enumeration.refine(refined, i, j);
        for (const Hazard &hazard : {refined, tables.getOverlap(i, j)}) {
          EXPECT_EQ(hazard.insideSubgroup, expected.insideSubgroup)
              << i << " " << j << " " << subgroupSize;
          EXPECT_EQ(hazard.acrossSubgroups, expected.acrossSubgroups)
              << i << " " << j << " " << subgroupSize;
        }
      }
  }
}
