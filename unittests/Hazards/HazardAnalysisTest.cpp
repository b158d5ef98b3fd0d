//===- HazardAnalysisTest.cpp - which accesses need an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Threads/Uniformity.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The accesses of a kernel of 256 threads in subgroups of 32, with `%t` the
/// thread id, `%v` an f32, and constants `%c0` ... that tests name.
struct Hazards : public testing::Test {
  void parse(StringRef body, StringRef arguments = "", StringRef grid = "") {
    analysis.reset();
    source = R"(
      #wg = #gpu.address_space<workgroup>
      #global = #gpu.address_space<global>
      memref.global @shared : memref<256xf32, #wg>
      gpu.module @m {
      gpu.func @k()";
    source += arguments.empty() ? "%x: index" : arguments;
    source += ") kernel attributes {known_block_size = array<i32: 256, 1, 1>";
    source += (grid.empty() ? "" : ", " + grid).str();
    source += R"(} {
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c256 = arith.constant 256 : index
      %v = arith.constant 1.0 : f32
    )";
    source += body;
    if (!body.contains("gpu.return"))
      source += "\n gpu.return";
    source += "\n}\n}";
    module = std::make_unique<TestModule>(source);
    ASSERT_TRUE(*module) << source;
    FunctionOpInterface kernel = getKernels(**module).front();
    KernelContext context = getTestContext(kernel, 32);
    relations.emplace(context);
    analysis.emplace(context, *relations);
  }

  /// The first access of the op named `name` that `writes` or not.
  unsigned find(StringRef name, std::optional<bool> writes = std::nullopt) {
    for (unsigned access : analysis->getAccesses(module->get(name)))
      if (!writes || analysis->getAccesses()[access].writes == *writes)
        return access;
    ADD_FAILURE() << "no access of " << name.str();
    return 0;
  }
  Hazard get(StringRef a = "a", StringRef b = "b",
             StringRef carryingLoop = "") {
    Operation *loop =
        carryingLoop.empty() ? nullptr : module->get(carryingLoop);
    return analysis->getHazard(find(a), find(b), loop);
  }
  /// "none", "subgroup" (inside one only) or "workgroup".
  std::string level(StringRef a = "a", StringRef b = "b",
                    StringRef carryingLoop = "") {
    Hazard hazard = get(a, b, carryingLoop);
    if (hazard.acrossSubgroups)
      return "workgroup";
    return hazard.insideSubgroup ? "subgroup" : "none";
  }
  /// The level between a store to and a load from a workgroup buffer of 1024
  /// floats at two indices.
  std::string indices(StringRef body) {
    parse(("%m = memref.alloc() : memref<1024xf32, #wg>\n" + body + R"(
      memref.store %v, %m[%i] {test.name = "a"} : memref<1024xf32, #wg>
      %w = memref.load %m[%j] {test.name = "b"} : memref<1024xf32, #wg>
    )")
              .str());
    return level();
  }

  std::string source;
  std::unique_ptr<TestModule> module;
  TargetInfo target;
  std::optional<ThreadRelations> relations;
  std::optional<HazardAnalysis> analysis;
};
} // namespace

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

TEST_F(Hazards, KindsAndMemory) {
  parse(R"(
    %m = memref.alloc() : memref<256xf32, #wg>
    %r = arith.subi %c256, %t : index
    memref.store %v, %m[%t] {test.name = "store"} : memref<256xf32, #wg>
    %0 = memref.load %m[%r] {test.name = "load"} : memref<256xf32, #wg>
    memref.store %v, %m[%r] {test.name = "again"} : memref<256xf32, #wg>
    memref.store %v, %g[%t] {test.name = "out"} : memref<256xf32>
    %1 = memref.load %g[%r] {test.name = "in"} : memref<256xf32>
    "test.unknown"() {test.name = "call"} : () -> ()
  )",
        "%g: memref<256xf32>");
  EXPECT_EQ(get("store", "load").kind, HazardKind::RAW);
  EXPECT_EQ(get("load", "store").kind, HazardKind::WAR);
  EXPECT_EQ(get("store", "again").kind, HazardKind::WAW);
  EXPECT_EQ(stringifyHazardKind(HazardKind::WAW), "WAW");
  EXPECT_TRUE(get("store", "load").workgroupMemory);
  EXPECT_FALSE(get("store", "load").globalMemory);
  EXPECT_FALSE(get("out", "in").workgroupMemory);
  EXPECT_TRUE(get("out", "in").globalMemory);
  EXPECT_FALSE(get("store", "in"));
  EXPECT_TRUE(get("call", "in").globalMemory);
  EXPECT_FALSE(get("call", "in").workgroupMemory);
  EXPECT_TRUE(get("call", "call").workgroupMemory);
  EXPECT_TRUE(get("call", "call").globalMemory);
}

TEST_F(Hazards, OrderingOpsAreNoAccesses) {
  parse(R"(
    %m = memref.alloc() : memref<256xf32, #wg>
    %n = memref.alloc() : memref<256xf32, #wg>
    gpu.barrier {test.name = "barrier"}
    amdgpu.lds_barrier {test.name = "lds"}
    "nvvm.barrier"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> {test.name = "nvvm"} : () -> ()
    %id = arith.constant 1 : i32
    "nvvm.barrier"(%id, %id) <{operandSegmentSizes = array<i32: 1, 1, 0>}> {test.name = "named"} : (i32, i32) -> ()
    memspace.subgroup_barrier {test.name = "subgroup"}
    %c = nvgpu.device_async_copy %m[%t], %n[%t], 1 {test.name = "copy"}
      : memref<256xf32, #wg> to memref<256xf32, #wg>
    %g = nvgpu.device_async_create_group %c {test.name = "group"}
    nvgpu.device_async_wait %g {numGroups = 1 : i32, test.name = "some"}
    nvgpu.device_async_wait %g {test.name = "wait"}
    "gpu.printf"(%t) <{format = "x"}> {test.name = "print"} : (index) -> ()
  )");
  for (StringRef name : {"barrier", "lds", "nvvm", "named", "subgroup", "group",
                         "some", "wait", "print"})
    EXPECT_TRUE(analysis->getAccesses(module->get(name)).empty()) << name.str();
  // Until the wait both what it reads and what it writes are in use.
  EXPECT_TRUE(analysis->getAccesses()[find("copy", true)].asynchronous);
  EXPECT_TRUE(analysis->getAccesses()[find("copy", false)].asynchronous);
}

TEST_F(Hazards, Atomics) {
  parse(R"(
    %m = memref.alloc() : memref<256xi32, #wg>
    %i = arith.constant 1 : i32
    %0 = memref.atomic_rmw addi %i, %m[%c0] {test.name = "a"} : (i32, memref<256xi32, #wg>) -> i32
    %1 = memref.generic_atomic_rmw %m[%c0] : memref<256xi32, #wg> {
    ^bb0(%old: i32):
      %new = arith.muli %old, %i : i32
      memref.atomic_yield %new : i32
    } {test.name = "b"}
    memref.store %i, %m[%c0] {test.name = "plain"} : memref<256xi32, #wg>
    %2 = memref.generic_atomic_rmw %m[%c1] : memref<256xi32, #wg> {
    ^bb0(%old: i32):
      memref.atomic_yield %old : i32
    } {test.name = "other"}
  )");
  EXPECT_EQ(level("a", "a"), "none");
  EXPECT_EQ(level("a", "b"), "none");
  EXPECT_EQ(level("a", "plain"), "workgroup");
  EXPECT_EQ(level("other", "plain"), "none");
}

/// Two atomic updates of one place are no race; what needs their order says
/// AtomicOrder.
TEST_F(Hazards, OrderOfUpdates) {
  parse(R"(
    %m = memref.alloc() : memref<256xi32, #wg>
    %i = arith.constant 1 : i32
    scf.for %k = %c0 to %x step %c1 {
      %0 = memref.atomic_rmw addi %i, %m[%x] {test.name = "sum"} : (i32, memref<256xi32, #wg>) -> i32
      %1 = memref.generic_atomic_rmw %m[%x] : memref<256xi32, #wg> {
      ^bb0(%old: i32):
        %new = arith.addi %i, %old : i32
        memref.atomic_yield %new : i32
      } {test.name = "loop_sum"}
      %2 = memref.generic_atomic_rmw %m[%x] : memref<256xi32, #wg> {
      ^bb0(%old: i32):
        %more = arith.muli %old, %i : i32
        %new = arith.addi %more, %old : i32
        memref.atomic_yield %new : i32
      } {test.name = "unknown"}
      %3 = memref.atomic_rmw maxs %i, %m[%x] {test.name = "most"} : (i32, memref<256xi32, #wg>) -> i32
      %4 = memref.atomic_rmw assign %i, %m[%x] {test.name = "put"} : (i32, memref<256xi32, #wg>) -> i32
      %5 = memref.atomic_rmw addi %i, %m[%x] {test.name = "ticket"} : (i32, memref<256xi32, #wg>) -> i32
      memref.store %5, %m[%c0] : memref<256xi32, #wg>
    } {test.name = "loop"}
  )");
  const char *names[] = {"sum", "loop_sum", "unknown", "most", "put"};
  auto count = [&](StringRef carryingLoop) {
    unsigned ordered = 0;
    for (const char *a : names)
      for (const char *b : names)
        ordered += level(a, b, carryingLoop) != "none";
    return ordered;
  };
  EXPECT_EQ(count("loop"), 0u);
  auto setOrder = [&](AtomicOrder order) {
    analysis.emplace(relations->getContext(), *relations, order);
  };
  setOrder(AtomicOrder::Updates);
  // Sums commute with sums, maxima with maxima; nothing else does.
  EXPECT_EQ(level("sum", "loop_sum", "loop"), "none");
  EXPECT_EQ(level("sum", "sum", "loop"), "none");
  EXPECT_EQ(level("most", "most", "loop"), "none");
  EXPECT_EQ(level("put", "put", "loop"), "workgroup");
  EXPECT_EQ(level("unknown", "unknown", "loop"), "workgroup");
  EXPECT_EQ(level("sum", "most"), "workgroup");
  EXPECT_EQ(level("sum", "unknown"), "workgroup");
  EXPECT_EQ(count("loop"), 25u - 5u);
  // What it returns is used.
  EXPECT_EQ(level("sum", "ticket"), "workgroup");
  EXPECT_EQ(level("ticket", "ticket", "loop"), "none");
  setOrder(AtomicOrder::All);
  EXPECT_EQ(count("loop"), 25u);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

TEST_F(Hazards, AsyncCopies) {
  parse(R"(
    %m = memref.alloc() : memref<64x16xf32, #wg>
    %r = arith.divui %t, %c4 : index
    %c = arith.remui %t, %c4 : index
    %k = arith.muli %c, %c4 : index
    %0 = nvgpu.device_async_copy %g[%r, %k], %m[%r, %k], 4 {test.name = "copy"}
      : memref<64x16xf32> to memref<64x16xf32, #wg>
    %own = vector.load %m[%r, %k] {test.name = "own"} : memref<64x16xf32, #wg>, vector<4xf32>
    %wide = vector.load %m[%r, %k] {test.name = "wide"} : memref<64x16xf32, #wg>, vector<5xf32>
    memref.store %v, %g[%r, %k] {test.name = "source"} : memref<64x16xf32>
    %last = arith.constant 14 : index
    %1 = nvgpu.device_async_copy %g[%r, %c0], %m[%r, %last], 4 {test.name = "rows"}
      : memref<64x16xf32> to memref<64x16xf32, #wg>
    %row = memref.load %m[%r, %c0] {test.name = "row"} : memref<64x16xf32, #wg>
  )",
        "%g: memref<64x16xf32>");
  auto hazard = [&](unsigned a, unsigned b) {
    return static_cast<bool>(analysis->getHazard(a, b, nullptr));
  };
  EXPECT_FALSE(hazard(find("copy", true), find("copy", true)));
  EXPECT_FALSE(hazard(find("copy", true), find("own")));
  EXPECT_TRUE(hazard(find("copy", true), find("wide")));
  EXPECT_FALSE(hazard(find("copy", false), find("source")));
  // The last two elements are in the next row of memory.
  EXPECT_TRUE(hazard(find("rows", true), find("row")));
}

TEST_F(Hazards, LanesOfOneSubgroupShareMatrices) {
  parse(R"(
    %m = memref.alloc() : memref<128x16xf16, #wg>
    %h = arith.constant 1.0 : f16
    %s = arith.divui %t, %c32 : index
    %row = arith.muli %s, %c16 : index
    %lane = arith.remui %t, %c32 : index
    %l = arith.remui %t, %c16 : index
    %own = arith.addi %row, %l : index
    memref.store %h, %m[%own, %c0] {test.name = "store"} : memref<128x16xf16, #wg>
    %0 = gpu.subgroup_mma_load_matrix %m[%row, %c0] {leadDimension = 16 : index, test.name = "load"}
      : memref<128x16xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.subgroup_mma_store_matrix %0, %m[%row, %c0] {leadDimension = 16 : index, test.name = "mma"}
      : !gpu.mma_matrix<16x16xf16, "COp">, memref<128x16xf16, #wg>
    %1 = gpu.subgroup_mma_load_matrix %m[%c0, %c0] {leadDimension = 16 : index, test.name = "first"}
      : memref<128x16xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %2 = nvgpu.ldmatrix %m[%own, %c0] {numTiles = 1 : i32, transpose = false, test.name = "ldmatrix"}
      : memref<128x16xf16, #wg> -> vector<1x2xf16>
    %3 = nvgpu.ldmatrix %m[%own, %c8] {numTiles = 1 : i32, transpose = false, test.name = "right"}
      : memref<128x16xf16, #wg> -> vector<1x2xf16>
    %own4 = vector.load %m[%t, %c0] {test.name = "mine"} : memref<128x16xf16, #wg>, vector<8xf16>
  )");
  EXPECT_EQ(level("store", "load"), "subgroup");
  EXPECT_EQ(level("store", "first"), "workgroup");
  EXPECT_EQ(level("mma", "load"), "subgroup");
  // The row that a lane addresses is read by others.
  EXPECT_EQ(level("store", "ldmatrix"), "subgroup");
  EXPECT_EQ(level("store", "right"), "none");
  EXPECT_EQ(level("mma", "right"), "subgroup");
  EXPECT_EQ(level("load", "ldmatrix"), "none");
}

TEST_F(Hazards, RawBuffers) {
  parse(R"(
    %i = arith.index_cast %t : index to i32
    %four = arith.constant 4 : i32
    %k = arith.muli %i, %four : i32
    %far = arith.constant 1024 : i32
    %vec = arith.constant dense<1.0> : vector<4xf32>
    amdgpu.raw_buffer_store {test.name = "store"} %vec -> %g[%k] : vector<4xf32> -> memref<4096xf32>, i32
    %0 = amdgpu.raw_buffer_load {test.name = "own"} %g[%k] : memref<4096xf32>, i32 -> vector<4xf32>
    %1 = amdgpu.raw_buffer_load {indexOffset = 1 : i32, test.name = "next"} %g[%k] : memref<4096xf32>, i32 -> vector<4xf32>
    %2 = amdgpu.raw_buffer_load {test.name = "far"} %g[%k] sgprOffset %far : memref<4096xf32>, i32 -> vector<4xf32>
    amdgpu.raw_buffer_atomic_fadd {test.name = "atomic"} %v -> %g[%k] : f32 -> memref<4096xf32>, i32
  )",
        "%g: memref<4096xf32>");
  EXPECT_EQ(level("store", "own"), "none");
  EXPECT_EQ(level("store", "next"), "workgroup");
  EXPECT_EQ(level("store", "far"), "none");
  EXPECT_EQ(level("atomic", "atomic"), "none");
  EXPECT_EQ(level("atomic", "next"), "workgroup");
}

TEST_F(Hazards, GatherToLDS) {
  parse(R"(
    %m = memref.alloc() : memref<512xf32, #wg>
    %s = arith.divui %t, %c32 : index
    %base = arith.muli %s, %c32 : index
    amdgpu.gather_to_lds %g[%t], %m[%base] {test.name = "gather"}
      : f32, memref<256xf32>, memref<512xf32, #wg>
    %0 = memref.load %m[%t] {test.name = "own"} : memref<512xf32, #wg>
    %far = arith.addi %t, %c32 : index
    %1 = memref.load %m[%far] {test.name = "far"} : memref<512xf32, #wg>
    %above = arith.addi %t, %c256 : index
    %2 = memref.load %m[%above] {test.name = "above"} : memref<512xf32, #wg>
    memref.store %v, %g[%t] {test.name = "source"} : memref<256xf32>
  )",
        "%g: memref<256xf32>");
  EXPECT_EQ(level("gather", "above"), "none");
  unsigned write = find("gather", true), read = find("gather", false);
  EXPECT_TRUE(analysis->getHazard(write, find("own"), nullptr).insideSubgroup);
  EXPECT_FALSE(
      analysis->getHazard(write, find("own"), nullptr).acrossSubgroups);
  EXPECT_TRUE(analysis->getHazard(write, find("far"), nullptr).acrossSubgroups);
  EXPECT_FALSE(analysis->getHazard(write, find("above"), nullptr));
  EXPECT_FALSE(analysis->getHazard(write, write, nullptr).acrossSubgroups);
  EXPECT_FALSE(analysis->getHazard(read, find("source"), nullptr));
}

TEST_F(Hazards, MaskedVectors) {
  parse(R"(
    %m = memref.alloc() : memref<256x4xf32, #wg>
    %mask = arith.constant dense<true> : vector<4xi1>
    %vec = arith.constant dense<1.0> : vector<4xf32>
    %idx = arith.constant dense<1> : vector<4xi32>
    vector.maskedstore %m[%t, %c0], %mask, %vec {test.name = "masked"} : memref<256x4xf32, #wg>, vector<4xi1>, vector<4xf32>
    vector.compressstore %m[%t, %c0], %mask, %vec {test.name = "compress"} : memref<256x4xf32, #wg>, vector<4xi1>, vector<4xf32>
    vector.scatter %m[%t, %c0] [%idx], %mask, %vec {test.name = "scatter"} : memref<256x4xf32, #wg>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    vector.scatter %m[%c0, %c0] [%idx], %mask, %vec {test.name = "row0"} : memref<256x4xf32, #wg>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %1 = vector.expandload %m[%t, %c0], %mask, %vec {test.name = "expand"} : memref<256x4xf32, #wg>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %2 = vector.gather %m[%t, %c0] [%idx], %mask, %vec {test.name = "gather"} : memref<256x4xf32, #wg>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  )");
  for (StringRef store : {"masked", "compress", "scatter"})
    for (StringRef load : {"expand", "gather"})
      EXPECT_EQ(level(store, load), "none") << store.str() << load.str();
  EXPECT_EQ(level("row0", "gather"), "workgroup");
  EXPECT_EQ(level("row0", "row0"), "workgroup");
}

TEST_F(Hazards, Linalg) {
  parse(R"(
    %m = memref.alloc() : memref<256x8xf32, #wg>
    %n = memref.alloc() : memref<256x8xf32, #wg>
    %row = memref.subview %m[%t, 0] [1, 8] [1, 1] : memref<256x8xf32, #wg> to memref<1x8xf32, strided<[8, 1], offset: ?>, #wg>
    linalg.fill {test.name = "fill"} ins(%v : f32) outs(%row : memref<1x8xf32, strided<[8, 1], offset: ?>, #wg>)
    %0 = memref.load %m[%t, %c1] {test.name = "own"} : memref<256x8xf32, #wg>
    %1 = memref.load %m[%c0, %c1] {test.name = "first"} : memref<256x8xf32, #wg>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (d0, 1)>], iterator_types = ["parallel"]}
      ins(%m : memref<256x8xf32, #wg>) outs(%n : memref<256x8xf32, #wg>) attrs = {test.name = "column"} {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
    }
    %2 = memref.load %n[%t, %c0] {test.name = "column0"} : memref<256x8xf32, #wg>
    %3 = memref.load %n[%t, %c1] {test.name = "column1"} : memref<256x8xf32, #wg>
    memref.copy %m, %n {test.name = "copy"} : memref<256x8xf32, #wg> to memref<256x8xf32, #wg>
  )");
  EXPECT_EQ(level("fill", "own"), "none");
  EXPECT_EQ(level("fill", "first"), "workgroup");
  unsigned write = find("column", true);
  EXPECT_FALSE(analysis->getHazard(write, find("column0"), nullptr));
  EXPECT_TRUE(analysis->getHazard(write, find("column1"), nullptr));
  EXPECT_TRUE(
      analysis->getHazard(find("copy", true), find("column0"), nullptr));
}

TEST_F(Hazards, AffineOps) {
  parse(R"(
    %m = memref.alloc() : memref<256x8xf32, #wg>
    affine.store %v, %m[%t, 3] {test.name = "a"} : memref<256x8xf32, #wg>
    %0 = affine.load %m[%t + 1 - 1, 3] {test.name = "own"} : memref<256x8xf32, #wg>
    %1 = affine.load %m[%t mod 4, 3] {test.name = "mod"} : memref<256x8xf32, #wg>
    %2 = affine.load %m[%t mod 4, 2] {test.name = "other"} : memref<256x8xf32, #wg>
    %3 = affine.vector_load %m[%t, 4] {test.name = "right"} : memref<256x8xf32, #wg>, vector<4xf32>
    %4 = affine.vector_load %m[%t mod 4, 0] {test.name = "left"} : memref<256x8xf32, #wg>, vector<4xf32>
  )");
  EXPECT_EQ(level("a", "own"), "none");
  EXPECT_EQ(level("a", "mod"), "workgroup");
  EXPECT_EQ(level("a", "other"), "none");
  EXPECT_EQ(level("a", "right"), "none");
  EXPECT_EQ(level("a", "left"), "workgroup");
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

TEST_F(Hazards, DisjointViews) {
  parse(R"(
    %m = memref.alloc() : memref<4x256xf32, #wg>
    %a = memref.subview %m[0, 0] [1, 256] [1, 1] : memref<4x256xf32, #wg> to memref<256xf32, strided<[1]>, #wg>
    %b = memref.subview %m[1, 0] [1, 256] [1, 1] : memref<4x256xf32, #wg> to memref<256xf32, strided<[1], offset: 256>, #wg>
    %any = memref.subview %m[%x, 0] [1, 256] [1, 1] : memref<4x256xf32, #wg> to memref<256xf32, strided<[1], offset: ?>, #wg>
    %r = arith.subi %c64, %t : index
    memref.store %v, %a[%t] {test.name = "a"} : memref<256xf32, strided<[1]>, #wg>
    %0 = memref.load %a[%r] {test.name = "same"} : memref<256xf32, strided<[1]>, #wg>
    %1 = memref.load %b[%r] {test.name = "b"} : memref<256xf32, strided<[1], offset: 256>, #wg>
    %2 = memref.load %any[%r] {test.name = "any"} : memref<256xf32, strided<[1], offset: ?>, #wg>
    %3 = memref.load %any[%t] {test.name = "mine"} : memref<256xf32, strided<[1], offset: ?>, #wg>
    %flat = memref.collapse_shape %m [[0, 1]] : memref<4x256xf32, #wg> into memref<1024xf32, #wg>
    %i = arith.addi %t, %c256 : index
    %4 = memref.load %flat[%i] {test.name = "flat"} : memref<1024xf32, #wg>
    %5 = memref.load %flat[%t] {test.name = "flat own"} : memref<1024xf32, #wg>
    %e = memref.expand_shape %flat [[0, 1, 2]] output_shape [4, 64, 4] : memref<1024xf32, #wg> into memref<4x64x4xf32, #wg>
    %q = arith.divui %t, %c4 : index
    %s = arith.remui %t, %c4 : index
    %6 = memref.load %e[%c0, %q, %s] {test.name = "expanded"} : memref<4x64x4xf32, #wg>
    %7 = memref.load %e[%c0, %s, %s] {test.name = "expanded other"} : memref<4x64x4xf32, #wg>
    %tr = memref.transpose %m (i, j) -> (j, i) : memref<4x256xf32, #wg> to memref<256x4xf32, strided<[1, 256]>, #wg>
    %8 = memref.load %tr[%t, %c0] {test.name = "transposed"} : memref<256x4xf32, strided<[1, 256]>, #wg>
    %9 = memref.load %tr[%r, %c0] {test.name = "transposed other"} : memref<256x4xf32, strided<[1, 256]>, #wg>
    %al = memref.assume_alignment %m, 64 : memref<4x256xf32, #wg>
    %10 = memref.load %al[%c0, %t] {test.name = "aligned"} : memref<4x256xf32, #wg>
    %11 = memref.load %al[%c0, %r] {test.name = "aligned other"} : memref<4x256xf32, #wg>
    %ca = memref.memory_space_cast %m : memref<4x256xf32, #wg> to memref<4x256xf32>
    %12 = memref.load %ca[%c0, %r] {test.name = "cast"} : memref<4x256xf32>
  )");
  for (StringRef name :
       {"b", "mine", "flat", "flat own", "expanded", "transposed", "aligned"})
    EXPECT_EQ(level("a", name), "none") << name.str();
  for (StringRef name : {"same", "any", "expanded other", "transposed other",
                         "aligned other", "cast"})
    EXPECT_EQ(level("a", name), "workgroup") << name.str();
}

TEST_F(Hazards, ReinterpretedMemory) {
  parse(R"(
    %m = memref.alloc() : memref<16x64xf32, #wg>
    %0 = memref.reinterpret_cast %m to offset: [0], sizes: [256], strides: [1] : memref<16x64xf32, #wg> to memref<256xf32, strided<[1]>, #wg>
    %1 = memref.reinterpret_cast %m to offset: [256], sizes: [256], strides: [1] : memref<16x64xf32, #wg> to memref<256xf32, strided<[1], offset: 256>, #wg>
    %2 = memref.reinterpret_cast %m to offset: [%x], sizes: [256], strides: [1] : memref<16x64xf32, #wg> to memref<256xf32, strided<[1], offset: ?>, #wg>
    %far = arith.muli %t, %c4 : index
    %3 = memref.reinterpret_cast %m to offset: [%far], sizes: [4], strides: [1] : memref<16x64xf32, #wg> to memref<4xf32, strided<[1], offset: ?>, #wg>
    memref.store %v, %0[%t] {test.name = "a"} : memref<256xf32, strided<[1]>, #wg>
    %l1 = memref.load %1[%t] {test.name = "b"} : memref<256xf32, strided<[1], offset: 256>, #wg>
    %l2 = memref.load %2[%t] {test.name = "any"} : memref<256xf32, strided<[1], offset: ?>, #wg>
    memref.store %v, %3[%c2] {test.name = "own"} : memref<4xf32, strided<[1], offset: ?>, #wg>
    %l3 = memref.load %3[%c1] {test.name = "own too"} : memref<4xf32, strided<[1], offset: ?>, #wg>
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<16x64xf32, #wg> -> memref<f32, #wg>, index, index, index, index, index
    %4 = memref.reinterpret_cast %base to offset: [%x], sizes: [64], strides: [1] : memref<f32, #wg> to memref<64xf32, strided<[1], offset: ?>, #wg>
    %l4 = memref.load %4[%c4] {test.name = "metadata"} : memref<64xf32, strided<[1], offset: ?>, #wg>
    %i = arith.addi %t, %c256 : index
    %q = arith.divui %i, %c64 : index
    %s = arith.remui %i, %c64 : index
    memref.store %v, %m[%q, %s] {test.name = "upper"} : memref<16x64xf32, #wg>
  )");
  EXPECT_EQ(level("a", "b"), "none");
  EXPECT_EQ(level("a", "any"), "workgroup");
  EXPECT_EQ(level("own", "own too"), "none");
  EXPECT_EQ(level("a", "own"), "workgroup");
  // The rank-0 base buffer says nothing of what lies behind it.
  EXPECT_EQ(level("upper", "metadata"), "workgroup");
  EXPECT_EQ(level("upper", "b"), "none");
  EXPECT_EQ(level("upper", "a"), "none");
}

// Both operands of the select point to the same place and differ in offset.
TEST_F(Hazards, SelectedReinterpretations) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %0 = memref.reinterpret_cast %m to offset: [0], sizes: [256], strides: [1] : memref<1024xf32, #wg> to memref<256xf32, strided<[1]>, #wg>
    %1 = memref.reinterpret_cast %m to offset: [512], sizes: [256], strides: [1] : memref<1024xf32, #wg> to memref<256xf32, strided<[1], offset: 512>, #wg>
    %2 = memref.cast %0 : memref<256xf32, strided<[1]>, #wg> to memref<256xf32, strided<[1], offset: ?>, #wg>
    %3 = memref.cast %1 : memref<256xf32, strided<[1], offset: 512>, #wg> to memref<256xf32, strided<[1], offset: ?>, #wg>
    %c = arith.cmpi slt, %x, %c4 : index
    %s = arith.select %c, %2, %3 : memref<256xf32, strided<[1], offset: ?>, #wg>
    memref.store %v, %s[%t] {test.name = "a"} : memref<256xf32, strided<[1], offset: ?>, #wg>
    %r = arith.subi %c64, %t : index
    %4 = memref.load %0[%r] {test.name = "low"} : memref<256xf32, strided<[1]>, #wg>
    %5 = memref.load %1[%r] {test.name = "high"} : memref<256xf32, strided<[1], offset: 512>, #wg>
    %6 = memref.reinterpret_cast %m to offset: [256], sizes: [256], strides: [1] : memref<1024xf32, #wg> to memref<256xf32, strided<[1], offset: 256>, #wg>
    %7 = memref.load %6[%r] {test.name = "middle"} : memref<256xf32, strided<[1], offset: 256>, #wg>
  )");
  EXPECT_EQ(level("a", "low"), "workgroup");
  EXPECT_EQ(level("a", "high"), "workgroup");
  EXPECT_EQ(level("a", "middle"), "none");
}

// H15, and views at a byte shift that is not constant.
TEST_F(Hazards, BytesOfAnArena) {
  parse(R"(
    %m = memref.alloc() {memspace.arena} : memref<4096xi8, #wg>
    %k = arith.constant 1024 : index
    %0 = memref.view %m[%c0][] : memref<4096xi8, #wg> to memref<256xf32, #wg>
    %1 = memref.view %m[%c0][] : memref<4096xi8, #wg> to memref<1024xf8E4M3FN, #wg>
    %2 = memref.view %m[%k][] : memref<4096xi8, #wg> to memref<256xf32, #wg>
    %3 = memref.view %m[%x][] : memref<4096xi8, #wg> to memref<256xf32, #wg>
    %own = arith.muli %t, %c16 : index
    %4 = memref.view %m[%own][] : memref<4096xi8, #wg> to memref<4xf32, #wg>
    %h = arith.constant 1.0 : f8E4M3FN
    memref.store %v, %0[%t] {test.name = "f32"} : memref<256xf32, #wg>
    %i = arith.muli %t, %c4 : index
    memref.store %h, %1[%i] {test.name = "own byte"} : memref<1024xf8E4M3FN, #wg>
    memref.store %h, %1[%t] {test.name = "byte"} : memref<1024xf8E4M3FN, #wg>
    memref.store %v, %2[%t] {test.name = "above"} : memref<256xf32, #wg>
    memref.store %v, %3[%t] {test.name = "any"} : memref<256xf32, #wg>
    memref.store %v, %4[%c1] {test.name = "slice"} : memref<4xf32, #wg>
    memref.store %v, %4[%c2] {test.name = "slice too"} : memref<4xf32, #wg>
  )");
  EXPECT_EQ(level("f32", "own byte"), "none");
  EXPECT_EQ(level("f32", "byte"), "workgroup");
  EXPECT_EQ(level("f32", "above"), "none");
  EXPECT_EQ(level("byte", "above"), "none");
  EXPECT_EQ(level("f32", "any"), "workgroup");
  EXPECT_EQ(level("slice", "slice too"), "none");
  EXPECT_EQ(level("slice", "f32"), "workgroup");
}

TEST_F(Hazards, BuffersThroughControlFlow) {
  parse(R"(
    %m = memref.alloc() : memref<256xf32, #wg>
    %n = memref.alloc() : memref<256xf32, #wg>
    %o = memref.alloc() : memref<256xf32, #wg>
    %c = arith.cmpi slt, %x, %c4 : index
    %r = arith.subi %c64, %t : index
    %if = scf.if %c -> memref<256xf32, #wg> {
      scf.yield %m : memref<256xf32, #wg>
    } else {
      scf.yield %n : memref<256xf32, #wg>
    }
    %while = scf.while (%a = %if) : (memref<256xf32, #wg>) -> memref<256xf32, #wg> {
      scf.condition(%c) %a : memref<256xf32, #wg>
    } do {
    ^bb0(%a: memref<256xf32, #wg>):
      scf.yield %n : memref<256xf32, #wg>
    }
    memref.store %v, %while[%t] {test.name = "a"} : memref<256xf32, #wg>
    %0 = memref.load %m[%r] {test.name = "m"} : memref<256xf32, #wg>
    %1 = memref.load %n[%r] {test.name = "n"} : memref<256xf32, #wg>
    %2 = memref.load %o[%r] {test.name = "o"} : memref<256xf32, #wg>
    cf.cond_br %c, ^bb1(%m : memref<256xf32, #wg>), ^bb1(%o : memref<256xf32, #wg>)
  ^bb1(%p: memref<256xf32, #wg>):
    memref.store %v, %p[%t] {test.name = "block"} : memref<256xf32, #wg>
    gpu.return
  )");
  EXPECT_EQ(level("a", "m"), "workgroup");
  EXPECT_EQ(level("a", "n"), "workgroup");
  EXPECT_EQ(level("a", "o"), "none");
  EXPECT_EQ(level("block", "m"), "workgroup");
  EXPECT_EQ(level("block", "n"), "none");
  EXPECT_EQ(level("block", "o"), "workgroup");
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

TEST_F(Hazards, BitArithmetic) {
  auto own = [&](StringRef op) {
    return indices(("%j0 = arith.muli %t, %c4 : index\n%k0 = arith.constant 3 "
                    ": index\n" +
                    op)
                       .str());
  };
  EXPECT_EQ(own("%i = arith.shli %t, %c2 : index\n"
                "%j = arith.addi %j0, %c0 : index"),
            "none");
  EXPECT_EQ(own("%i = arith.ori %j0, %k0 : index\n"
                "%j = arith.addi %j0, %k0 : index"),
            "none");
  EXPECT_EQ(own("%i = arith.xori %j0, %k0 : index\n"
                "%j = arith.addi %j0, %k0 : index"),
            "none");
  EXPECT_EQ(own("%i = arith.ori %t, %k0 : index\n"
                "%j = arith.addi %t, %k0 : index"),
            "subgroup");
  EXPECT_EQ(own("%i = arith.xori %t, %c1 : index\n"
                "%j = arith.xori %t, %c1 : index"),
            "none");
  EXPECT_EQ(own("%i = arith.xori %t, %c1 : index\n"
                "%j = arith.addi %t, %c0 : index"),
            "subgroup");
  EXPECT_EQ(own("%i = arith.xori %t, %j0 : index\n"
                "%j = arith.addi %t, %c0 : index"),
            "workgroup");
  EXPECT_EQ(own("%s = arith.constant 255 : index\n"
                "%i = arith.xori %t, %s : index\n"
                "%j = arith.subi %s, %t : index"),
            "none");
  EXPECT_EQ(own("%s = arith.constant 252 : index\n"
                "%i = arith.andi %t, %s : index\n"
                "%q = arith.divui %t, %c4 : index\n"
                "%j1 = arith.muli %q, %c4 : index\n"
                "%j = arith.addi %j1, %c256 : index"),
            "none");
  EXPECT_EQ(own("%s = arith.constant -4 : index\n"
                "%i = arith.andi %t, %s : index\n"
                "%j = arith.addi %i, %k0 : index"),
            "none");
  EXPECT_EQ(own("%s = arith.constant 48 : index\n"
                "%a = arith.andi %t, %s : index\n"
                "%i = arith.addi %a, %c0 : index\n"
                "%j = arith.addi %a, %c8 : index"),
            "none");
  EXPECT_EQ(own("%i = arith.shrui %t, %c1 : index\n"
                "%j = arith.divui %t, %c2 : index"),
            "subgroup");
}

TEST_F(Hazards, IndexDialect) {
  EXPECT_EQ(indices(R"(
    %a = index.mul %t, %c4
    %i = index.add %a, %c1
    %b = index.shl %t, %c2
    %d = index.sub %b, %c1
    %j = index.add %d, %c2
  )"),
            "none");
  EXPECT_EQ(indices(R"(
    %q = index.divu %t, %c4
    %r = index.remu %t, %c4
    %a = index.mul %q, %c4
    %i = index.add %a, %r
    %b = index.floordivs %t, %c4
    %h = index.mul %b, %c4
    %e = index.constant 3
    %f = index.and %t, %e
    %j = index.or %h, %f
  )"),
            "none");
  EXPECT_EQ(indices(R"(
    %i = index.add %t, %c0
    %a = index.ceildivs %t, %c1
    %b = index.casts %a : index to i32
    %d = index.casts %b : i32 to index
    %e = index.maxs %d, %c0
    %j = index.mins %e, %c256
  )"),
            "none");
  EXPECT_EQ(indices(R"(
    %i = index.xor %t, %c1
    %j = index.add %t, %c0
  )"),
            "subgroup");
}

TEST_F(Hazards, ConditionsOnThreads) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %below = index.cmp slt(%t, %c32)
    scf.if %below {
      memref.store %v, %m[%t] {test.name = "low"} : memref<1024xf32, #wg>
    }
    %i = arith.addi %t, %c32 : index
    %0 = memref.load %m[%i] {test.name = "next"} : memref<1024xf32, #wg>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %v, %m[%c4] {test.name = "one"} : memref<1024xf32, #wg>
      %1 = memref.load %m[%c4] {test.name = "same"} : memref<1024xf32, #wg>
    }
    scf.index_switch %t
    case 4 {
      memref.store %v, %m[%c4] {test.name = "case"} : memref<1024xf32, #wg>
      scf.yield
    }
    default {
    }
    %2 = memref.load %m[%t] {test.name = "own"} : memref<1024xf32, #wg>
    %u = arith.cmpi ult, %x, %c32 : index
    scf.if %u {
      memref.store %v, %m[%x] {test.name = "unsigned"} : memref<1024xf32, #wg>
    }
  )");
  EXPECT_EQ(level("low", "next"), "none");
  EXPECT_EQ(level("low", "own"), "none");
  EXPECT_EQ(level("one", "same"), "none");
  EXPECT_EQ(level("one", "own"), "subgroup");
  EXPECT_EQ(level("case", "own"), "none");
  EXPECT_EQ(level("unsigned", "next"), "none");
  EXPECT_EQ(level("unsigned", "own"), "workgroup");
}

//===----------------------------------------------------------------------===//
// Which values are the same
//===----------------------------------------------------------------------===//

// Each thread may load another number from its own memory.
TEST_F(Hazards, LoadsOfPrivateMemory) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %s = memref.alloc() : memref<1xindex, #wg>
    %p = memref.alloca() : memref<1xindex>
    %pc = memref.cast %p : memref<1xindex> to memref<?xindex>
    memref.store %t, %p[%c0] : memref<1xindex>
    %0 = memref.load %pc[%c0] : memref<?xindex>
    %1 = memref.load %s[%c0] : memref<1xindex, #wg>
    %i = arith.addi %0, %t : index
    %j = arith.addi %1, %t : index
    memref.store %v, %m[%i] {test.name = "private"} : memref<1024xf32, #wg>
    memref.store %v, %m[%j] {test.name = "shared"} : memref<1024xf32, #wg>
  )");
  EXPECT_EQ(level("private", "private"), "workgroup");
  EXPECT_EQ(level("shared", "shared"), "none");
}

TEST_F(Hazards, LoopOfBlocks) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %s = memref.alloc() : memref<1xindex, #wg>
    cf.br ^header(%c0 : index)
  ^header(%i: index):
    %more = arith.cmpi slt, %i, %c64 : index
    cf.cond_br %more, ^body, ^exit
  ^body:
    %n = memref.load %s[%c0] : memref<1xindex, #wg>
    %a = arith.addi %t, %i : index
    %b = arith.addi %t, %n : index
    memref.store %v, %m[%a] {test.name = "store"} : memref<1024xf32, #wg>
    %0 = memref.load %m[%a] {test.name = "load"} : memref<1024xf32, #wg>
    memref.store %v, %m[%b] {test.name = "loaded"} : memref<1024xf32, #wg>
    %next = arith.addi %i, %c1 : index
    cf.br ^header(%next : index)
  ^exit:
    %c = arith.addi %t, %i : index
    %1 = memref.load %m[%c] {test.name = "after"} : memref<1024xf32, #wg>
    gpu.return
  )");
  Operation *kernel = module->get("store")->getParentOp();
  auto across = [&](StringRef a, StringRef b) {
    return static_cast<bool>(analysis->getHazard(find(a), find(b), kernel));
  };
  // In one iteration the counter is the same in all threads.
  EXPECT_EQ(level("store", "load"), "none");
  EXPECT_EQ(level("loaded", "loaded"), "none");
  EXPECT_TRUE(across("store", "load"));
  EXPECT_TRUE(across("loaded", "loaded"));
  EXPECT_TRUE(across("store", "store"));
  EXPECT_TRUE(across("store", "after"));
}

// In one iteration what comes before both blocks is the same.
TEST_F(Hazards, BlocksOfOneIteration) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %s = memref.alloc() : memref<1xindex, #wg>
    cf.br ^header(%c0 : index)
  ^header(%i: index):
    %n = memref.load %s[%c0] : memref<1xindex, #wg>
    %a = arith.addi %t, %i : index
    %b = arith.addi %t, %n : index
    %c = arith.cmpi slt, %x, %c4 : index
    cf.cond_br %c, ^left, ^right
  ^left:
    memref.store %v, %m[%a] {test.name = "store"} : memref<1024xf32, #wg>
    %l = memref.load %s[%c0] : memref<1xindex, #wg>
    %lt = arith.addi %t, %l : index
    memref.store %v, %m[%b] {test.name = "loaded"} : memref<1024xf32, #wg>
    cf.br ^join(%lt : index)
  ^right:
    cf.br ^join(%t : index)
  ^join(%k: index):
    %0 = memref.load %m[%a] {test.name = "own"} : memref<1024xf32, #wg>
    %1 = memref.load %m[%b] {test.name = "same"} : memref<1024xf32, #wg>
    %2 = memref.load %m[%k] {test.name = "joined"} : memref<1024xf32, #wg>
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %i, %c64 : index
    cf.cond_br %more, ^header(%next : index), ^exit
  ^exit:
    %d = arith.addi %t, %i : index
    %3 = memref.load %m[%d] {test.name = "after"} : memref<1024xf32, #wg>
    gpu.return
  )");
  Operation *kernel = module->get("store")->getParentOp();
  EXPECT_EQ(level("store", "own"), "none");
  EXPECT_EQ(level("loaded", "same"), "none");
  EXPECT_EQ(level("store", "joined"), "workgroup");
  // The last iteration.
  EXPECT_EQ(level("store", "after"), "none");
  for (StringRef name : {"own", "same", "joined", "after"})
    EXPECT_TRUE(analysis->getHazard(find("store"), find(name), kernel))
        << name.str();
}

TEST_F(Hazards, DivergentBlockArguments) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %c = arith.cmpi slt, %t, %c64 : index
    cf.cond_br %c, ^left, ^right
  ^left:
    cf.br ^join(%c0 : index)
  ^right:
    cf.br ^join(%c1 : index)
  ^join(%i: index):
    %a = arith.addi %t, %i : index
    memref.store %v, %m[%a] {test.name = "a"} : memref<1024xf32, #wg>
    cf.br ^header(%c0 : index)
  ^header(%k: index):
    %next = arith.addi %k, %c1 : index
    %more = arith.cmpi slt, %k, %t : index
    cf.cond_br %more, ^header(%next : index), ^exit
  ^exit:
    %b = arith.addi %t, %k : index
    memref.store %v, %m[%b] {test.name = "b"} : memref<1024xf32, #wg>
    gpu.return
  )");
  EXPECT_EQ(level("a", "a"), "workgroup");
  // The number of iterations is another one in each thread.
  EXPECT_EQ(level("b", "b"), "workgroup");
}

TEST_F(Hazards, BranchesToBlocks) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %c = arith.cmpi slt, %t, %c64 : index
    cf.cond_br %c, ^low, ^high
  ^low:
    memref.store %v, %m[%t] {test.name = "low"} : memref<1024xf32, #wg>
    cf.br ^exit
  ^high:
    memref.store %v, %m[%t] {test.name = "high"} : memref<1024xf32, #wg>
    %i = arith.addi %t, %c64 : index
    %0 = memref.load %m[%i] {test.name = "higher"} : memref<1024xf32, #wg>
    %j = arith.subi %t, %c64 : index
    %1 = memref.load %m[%j] {test.name = "shifted"} : memref<1024xf32, #wg>
    cf.br ^exit
  ^exit:
    gpu.return
  )");
  EXPECT_EQ(level("low", "high"), "none");
  EXPECT_EQ(level("low", "higher"), "none");
  EXPECT_EQ(level("low", "shifted"), "workgroup");
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

TEST_F(Hazards, BucketsAndBounds) {
  parse(R"(
    %m = memref.alloc() : memref<256xf32, #wg>
    %n = memref.alloc() : memref<1024xf32, #wg>
    %c = arith.cmpi slt, %x, %c4 : index
    %s = arith.select %c, %m, %n2 : memref<256xf32, #wg>
    memref.store %v, %m[%t] {test.name = "m"} : memref<256xf32, #wg>
    scf.for %i = %c0 to %c16 step %c4 {
      %j = arith.addi %i, %t : index
      memref.store %v, %n[%j] {test.name = "n"} : memref<1024xf32, #wg>
      memref.store %v, %n[%x] {test.name = "any"} : memref<1024xf32, #wg>
    }
    memref.store %v, %s[%t] {test.name = "select"} : memref<256xf32, #wg>
    "test.unknown"() {test.name = "unknown"} : () -> ()
  )",
        "%x: index, %n2: memref<256xf32, #wg>");
  EXPECT_NE(analysis->getBucket(find("m")), analysis->getBucket(find("n")));
  EXPECT_EQ(analysis->getBucket(find("any")), analysis->getBucket(find("n")));
  EXPECT_EQ(analysis->getBucket(find("select")), HazardAnalysis::kAnyBucket);
  EXPECT_EQ(analysis->getBucket(find("unknown")), HazardAnalysis::kAnyBucket);
  EXPECT_EQ(analysis->getBounds(find("m")), std::make_pair(0l, 1024l));
  EXPECT_EQ(analysis->getBounds(find("n")), std::make_pair(0l, 4 * 268l));
  EXPECT_FALSE(analysis->getBounds(find("any")));
  EXPECT_FALSE(analysis->getBounds(find("unknown")));
}

// Unrolled code asks few questions, and each has its own answer.
TEST_F(Hazards, EqualPairsAreAskedOnce) {
  std::string body = "%m = memref.alloc() : memref<2048xf32, #wg>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i), k = std::to_string(i * 8);
    body += "%k" + n + " = arith.constant " + k + " : index\n%i" + n +
            " = arith.addi %t, %k" + n + " : index\nmemref.store %v, %m[%i" +
            n + "] {test.name = \"" + n + "\"} : memref<2048xf32, #wg>\n";
  }
  parse(body);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j) {
      int distance = std::abs(i - j) * 8;
      std::string expected = distance == 0     ? "none"
                             : distance >= 256 ? "none"
                                               : "workgroup";
      EXPECT_EQ(level(std::to_string(i), std::to_string(j)), expected)
          << i << " " << j;
      EXPECT_EQ(get(std::to_string(i), std::to_string(j)).insideSubgroup,
                distance > 0 && distance < 32)
          << i << " " << j;
    }
  EXPECT_LE(analysis->getNumQuestions(), 32u);
}

// Where all places are data there is nothing to be found out, so that few
// questions are asked; what can be told apart still is.
TEST_F(Hazards, VainQuestionsEnd) {
  std::string body = "%m = memref.alloc() : memref<2048xf32, #wg>\n"
                     "%s = memref.alloc() : memref<64xindex, #wg>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i);
    body += "%k" + n + " = arith.constant " + n + " : index\n%l" + n +
            " = memref.load %s[%k" + n + "] : memref<64xindex, #wg>\n%i" + n +
            " = arith.addi %t, %l" + n + " : index\nmemref.store %v, %m[%i" +
            n + "] {test.name = \"" + n + "\"} : memref<2048xf32, #wg>\n";
  }
  parse(body + "memref.store %v, %m[%t] {test.name = \"own\"} : "
               "memref<2048xf32, #wg>\n"
               "%0 = memref.load %m[%t] {test.name = \"too\"} : "
               "memref<2048xf32, #wg>\n");
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      EXPECT_EQ(level(std::to_string(i), std::to_string(j)),
                i == j ? "none" : "workgroup");
  EXPECT_LE(analysis->getNumQuestions(),
            40 * (HazardAnalysis::kMaxFruitlessQuestions + 1));
  EXPECT_EQ(level("own", "too"), "none");
  EXPECT_TRUE(get("1", "39").workgroupMemory);
  EXPECT_FALSE(get("1", "39").globalMemory);
}

// What tells the places apart in one block does so in all blocks; what does not
// is asked for with what is known of the two executions.
TEST_F(Hazards, BlocksShareQuestions) {
  std::string body = "%m = memref.alloc() : memref<256xf32, #wg>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i);
    body += "%k" + n + " = arith.constant " + n + " : index\n%q" + n +
            " = arith.cmpi eq, %x, %k" + n + " : index\nscf.if %q" + n +
            " {\nmemref.store %v, %m[%t] {test.name = \"" + n +
            "\"} : memref<256xf32, #wg>\n}\n";
  }
  parse(body + "memref.store %v, %m[%x] {test.name = \"any\"} : "
               "memref<256xf32, #wg>\nscf.if %q5 {\nmemref.store %v, %m[%k6] "
               "{test.name = \"other\"} : memref<256xf32, #wg>\n}\n",
        "%x: index");
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      EXPECT_EQ(level(std::to_string(i), std::to_string(j)), "none");
  EXPECT_EQ(analysis->getNumQuestions(), 1u);
  EXPECT_FALSE(analysis->getMeeting(find("3"), find("4")));
  EXPECT_TRUE(analysis->getMeeting(find("3"), find("any")));
  // Only in both places at once: thread 7, where 5 is 7.
  EXPECT_TRUE(analysis->getMeeting(find("7"), find("other")));
  EXPECT_EQ(level("7", "other"), "none");
  EXPECT_EQ(level("5", "other"), "workgroup");
}

// All that an access may meet at all, unless there are too many to ask for.
TEST_F(Hazards, MeetingWithAny) {
  auto getBody = [](unsigned kinds) {
    std::string body = "%m = memref.alloc() : memref<16384xf32, #wg>\n"
                       "%n = memref.alloc() : memref<256xf32, #wg>\n";
    auto add = [&](const std::string &name, const std::string &index) {
      body += "memref.store %v, %m[" + index + "] {test.name = \"" + name +
              "\"} : memref<16384xf32, #wg>\n";
    };
    for (unsigned i = 0; i < kinds; ++i) {
      std::string n = std::to_string(i);
      body += "%k" + n + " = arith.constant " + std::to_string(512 * i) +
              " : index\n%i" + n + " = arith.addi %t, %k" + n + " : index\n";
      add("own" + n, "%i" + n);
    }
    body += "memref.store %v, %n[%t] {test.name = \"apart\"} : "
            "memref<256xf32, #wg>\n";
    return body;
  };
  parse(getBody(4));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("own0")));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("apart")));
  parse(getBody(4) + "%u = arith.constant 5 : index\nmemref.store %v, %m[%u] "
                     "{test.name = \"five\"} : memref<16384xf32, #wg>\n");
  EXPECT_TRUE(analysis->getMeetingWithAny(find("own0")).acrossSubgroups);
  EXPECT_FALSE(analysis->getMeetingWithAny(find("own1")));
  EXPECT_TRUE(analysis->getMeetingWithAny(find("five")).workgroupMemory);
  EXPECT_FALSE(analysis->getMeetingWithAny(find("apart")));
  // Reads need no order among themselves.
  parse("%a = memref.load %x[%t] {test.name = \"one\"} : memref<256xf32>\n"
        "%b = memref.load %x[%c0] {test.name = \"all\"} : memref<256xf32>\n",
        "%x: memref<256xf32>");
  EXPECT_FALSE(analysis->getMeetingWithAny(find("one")));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("all")));
  // Too many kinds of places, and memory that may be any.
  parse(getBody(HazardAnalysis::kMaxKindsOfBucket));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("own0")));
  parse(getBody(HazardAnalysis::kMaxKindsOfBucket + 1));
  EXPECT_TRUE(analysis->getMeetingWithAny(find("own0")));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("apart")));
  parse(getBody(4) + "\"test.unknown\"() : () -> ()\n");
  EXPECT_TRUE(analysis->getMeetingWithAny(find("apart")).acrossSubgroups);
}

// Equal indices into several buffers, each computed by ops of its own, are one
// question; so is an equal shift.
TEST_F(Hazards, BuffersShareQuestions) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    std::string n = std::to_string(i);
    body += "%m" + n + " = memref.alloc() : memref<512xf32, #wg>\n%k" + n +
            " = arith.constant 256 : index\n%i" + n + " = arith.addi %t, %k" +
            n + " : index\nmemref.store %v, %m" + n +
            "[%t] {test.name = \"own" + n +
            "\"} : memref<512xf32, #wg>\nmemref.store %v, %m" + n + "[%i" + n +
            "] {test.name = \"far" + n + "\"} : memref<512xf32, #wg>\n";
  }
  parse(body);
  for (int i = 0; i < 20; ++i) {
    std::string n = std::to_string(i);
    unsigned own = find("own" + n), far = find("far" + n);
    EXPECT_EQ(analysis->getIndices(own), analysis->getIndices(find("own0")));
    EXPECT_EQ(analysis->getIndices(own), analysis->getIndices(far));
    EXPECT_EQ(analysis->getPlaces(own) == analysis->getPlaces(find("own0")),
              i == 0);
    EXPECT_EQ(level("own" + n, "own" + n), "none");
    EXPECT_EQ(level("own" + n, "far" + n), "none");
    EXPECT_EQ(level("own" + n, "far0"), "none");
    // Other buffers are no question of places.
    EXPECT_TRUE(analysis->getMeeting(own, own).workgroupMemory);
  }
  EXPECT_LE(analysis->getNumQuestions(), 2u);
}

// Two executions are in whatever iterations: which of two loops with the same
// constant bounds an index is counted by does not matter, as long as each of
// its induction variables is one number.
TEST_F(Hazards, LoopsShareQuestions) {
  std::string body = "%m = memref.alloc() : memref<2048xf32, #wg>\n"
                     "%c5 = arith.constant 5 : index\n"
                     "%t4 = arith.muli %t, %c4 : index\n";
  auto addLoop = [&](StringRef name, StringRef bounds, StringRef index) {
    body += ("scf.for %i = " + bounds + " {\nscf.for %j = " + bounds + " {\n" +
             index + "\n%at = arith.addi %t4, %k : index\n" +
             "memref.store %v, %m[%at] {test.name = \"" + name +
             "\"} : memref<2048xf32, #wg>\n}\n}\n")
                .str();
  };
  StringRef first = "%c0 to %c4 step %c1";
  StringRef once = "%k = arith.addi %i, %c0 : index";
  StringRef both = "%k = arith.addi %i, %j : index";
  StringRef twice = "%k = arith.addi %i, %i : index";
  StringRef halves = "%h = arith.floordivsi %i, %c2 : index\n"
                     "%k = arith.addi %i, %h : index";
  addLoop("a", first, once);
  addLoop("b", first, once);
  addLoop("far", "%c0 to %c5 step %c1", once);
  addLoop("late", "%c1 to %c4 step %c1", once);
  addLoop("even", "%c0 to %c4 step %c2", once);
  addLoop("both", first, both);
  addLoop("too", first, both);
  addLoop("twice", first, twice);
  addLoop("halves", first, halves);
  addLoop("others", first, halves);
  // The same loop, another one of its induction variables.
  body += "scf.for %i = %c0 to %c4 step %c1 {\nscf.for %j = %c0 to %c4 step "
          "%c1 {\n%ai = arith.addi %t4, %i : index\n%aj = arith.addi %t4, %j "
          ": index\nmemref.store %v, %m[%ai] {test.name = \"x\"} : "
          "memref<2048xf32, #wg>\nmemref.store %v, %m[%aj] {test.name = "
          "\"y\"} : memref<2048xf32, #wg>\n}\n}\n";
  parse(body);
  auto haveOneIndex = [&](StringRef a, StringRef b) {
    return analysis->getIndices(find(a)) == analysis->getIndices(find(b));
  };
  EXPECT_TRUE(haveOneIndex("a", "b"));
  EXPECT_TRUE(haveOneIndex("a", "x"));
  EXPECT_TRUE(haveOneIndex("x", "y"));
  EXPECT_TRUE(haveOneIndex("both", "too"));
  for (StringRef other : {"far", "late", "even", "both", "twice", "halves"})
    EXPECT_FALSE(haveOneIndex("a", other)) << other.str();
  EXPECT_FALSE(haveOneIndex("both", "twice"));
  EXPECT_FALSE(haveOneIndex("halves", "others"));
  // One question is not that of the other all the same.
  EXPECT_NE(analysis->getClass(find("a")), analysis->getClass(find("b")));
  EXPECT_NE(analysis->getClass(find("x")), analysis->getClass(find("y")));
  for (StringRef a : {"a", "b", "late", "even", "x", "y"})
    for (StringRef b : {"a", "b", "late", "even", "x", "y"}) {
      EXPECT_FALSE(analysis->getMeeting(find(a), find(b)));
      EXPECT_EQ(level(a, b), "none") << a.str() << " " << b.str();
    }
  // Element 4 of one thread is the first of the next.
  for (StringRef a : {"a", "b", "x", "y"})
    for (StringRef b : {"far", "both", "too", "twice", "halves", "others"}) {
      EXPECT_TRUE(analysis->getMeeting(find(a), find(b)));
      EXPECT_EQ(level(a, b), "workgroup") << a.str() << " " << b.str();
    }
}

// Nests of ops that do the same have values of their own. What differs in one
// condition, bound or constant is another question.
TEST_F(Hazards, NestsShareQuestions) {
  std::string body = "%m = memref.alloc() : memref<512xf32, #wg>\n";
  unsigned number = 0;
  auto addNest = [&](StringRef name, int limit, int first, int shift) {
    std::string n = std::to_string(number++);
    auto constant = [&](StringRef prefix, int value) {
      body += "%" + prefix.str() + n + " = arith.constant " +
              std::to_string(value) + " : index\n";
    };
    constant("limit", limit);
    constant("first", first);
    constant("two", 2);
    constant("shift", shift);
    body += "%p" + n + " = arith.cmpi slt, %t, %limit" + n +
            " : index\nscf.if %p" + n + " {\nscf.for %i = %first" + n +
            " to %two" + n + " step %c1 {\n%d = arith.muli %t, %two" + n +
            " : index\n%e = arith.addi %d, %i : index\n%f = arith.addi %e, "
            "%shift" +
            n + " : index\nmemref.store %v, %m[%f] {test.name = \"" +
            name.str() + n + "\"} : memref<512xf32, #wg>\n}\n}\n";
  };
  for (int i = 0; i < 3; ++i) {
    addNest("all", 64, 0, 0);
    addNest("few", 32, 0, 0);
    addNest("odd", 64, 1, 0);
    addNest("far", 64, 0, 1);
  }
  parse(body);
  for (unsigned i = 0; i < number; i += 4) {
    std::string all = "all" + std::to_string(i),
                few = "few" + std::to_string(i + 1),
                odd = "odd" + std::to_string(i + 2),
                far = "far" + std::to_string(i + 3);
    for (unsigned j = 0; j < number; j += 4) {
      std::string other = std::to_string(j), fewOther = std::to_string(j + 1),
                  oddOther = std::to_string(j + 2),
                  farOther = std::to_string(j + 3);
      EXPECT_EQ(level(all, "all" + other), "none");
      EXPECT_EQ(level(few, "all" + other), "none");
      EXPECT_EQ(level(odd, "all" + other), "none");
      // The second of one thread is the first of the next.
      EXPECT_EQ(level(all, "far" + farOther), "workgroup");
      EXPECT_EQ(level(far, "odd" + oddOther), "none");
      EXPECT_EQ(level(far, "far" + farOther), "none");
      // Thread 31 is in, and meets the first of the second subgroup.
      EXPECT_EQ(level(few, "far" + farOther), "subgroup");
      EXPECT_EQ(level(far, "few" + fewOther), "subgroup");
    }
  }
}

//===----------------------------------------------------------------------===//
// Witnesses
//===----------------------------------------------------------------------===//

TEST_F(Hazards, WitnessOfNeighbours) {
  parse(R"(
    %m = memref.alloc() : memref<257xf32, #wg>
    %n = arith.addi %t, %c1 : index
    memref.store %v, %m[%t] {test.name = "a"} : memref<257xf32, #wg>
    %0 = memref.load %m[%n] {test.name = "b"} : memref<257xf32, #wg>
    %1 = memref.load %m[%t] {test.name = "own"} : memref<257xf32, #wg>
  )");
  std::optional<HazardWitness> witness =
      analysis->getWitness(find("a"), find("b"), nullptr);
  ASSERT_TRUE(witness);
  EXPECT_TRUE(witness->certain);
  const auto &sides = witness->overlap.sides;
  EXPECT_EQ(sides[0].thread[0], sides[1].thread[0] + 1);
  EXPECT_EQ(witness->byte, 4 * sides[0].thread[0]);
  EXPECT_EQ(witness->str(), "thread (" + std::to_string(sides[0].thread[0]) +
                                ", 0, 0) and thread (" +
                                std::to_string(sides[1].thread[0]) +
                                ", 0, 0) touch byte " +
                                std::to_string(*witness->byte) + " of %alloc");
  EXPECT_FALSE(analysis->getWitness(find("a"), find("own"), nullptr));
}

TEST_F(Hazards, WitnessAcrossIterations) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    scf.for %i = %c0 to %c8 step %c2 {
      %j = arith.addi %i, %t : index
      memref.store %v, %m[%j] {test.name = "a"} : memref<1024xf32, #wg>
    } {test.name = "loop"}
    scf.for %i = %c0 to %x step %c1 {
      %j = arith.addi %i, %t : index
      memref.store %v, %m[%j] {test.name = "unknown"} : memref<1024xf32, #wg>
    } {test.name = "unknown loop"}
  )");
  Operation *loop = module->get("loop");
  EXPECT_FALSE(analysis->getWitness(find("a"), find("a"), nullptr));
  std::optional<HazardWitness> witness =
      analysis->getWitness(find("a"), find("a"), loop);
  ASSERT_TRUE(witness);
  EXPECT_TRUE(witness->certain);
  const auto &sides = witness->overlap.sides;
  ASSERT_EQ(sides[0].values.size(), 1u);
  int64_t first = sides[0].values[0].second, second = sides[1].values[0].second;
  EXPECT_LT(first, second);
  EXPECT_EQ(first % 2, 0);
  EXPECT_EQ(second % 2, 0);
  EXPECT_EQ(first + sides[0].thread[0], second + sides[1].thread[0]);
  // Whether the loop has a second iteration is not known.
  witness = analysis->getWitness(find("unknown"), find("unknown"),
                                 module->get("unknown loop"));
  ASSERT_TRUE(witness);
  EXPECT_FALSE(witness->certain);
  EXPECT_TRUE(witness->byte);
}

TEST_F(Hazards, WitnessesThatAreNotCertain) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %s = memref.alloc() : memref<256xindex, #wg>
    %idx = memref.load %s[%t] : memref<256xindex, #wg>
    %c = arith.cmpi slt, %x, %c4 : index
    %half = arith.divui %t, %c2 : index
    %bit = arith.xori %half, %x : index
    %mask = arith.constant dense<true> : vector<4xi1>
    %vec = arith.constant dense<1.0> : vector<4xf32>
    memref.store %v, %m[%idx] {test.name = "loaded"} : memref<1024xf32, #wg>
    memref.store %v, %m[%x] {test.name = "argument"} : memref<1024xf32, #wg>
    memref.store %v, %m[%bit] {test.name = "bits"} : memref<1024xf32, #wg>
    scf.if %c {
      memref.store %v, %m[%c0] {test.name = "guarded"} : memref<1024xf32, #wg>
    }
    vector.maskedstore %m[%c0], %mask, %vec {test.name = "masked"} : memref<1024xf32, #wg>, vector<4xi1>, vector<4xf32>
    scf.while : () -> () {
      scf.condition(%c)
    } do {
      memref.store %v, %m[%c0] {test.name = "while"} : memref<1024xf32, #wg>
      scf.yield
    }
    memref.store %v, %m[%c0] {test.name = "certain"} : memref<1024xf32, #wg>
  )");
  for (StringRef name :
       {"loaded", "argument", "bits", "guarded", "masked", "while"}) {
    std::optional<HazardWitness> witness =
        analysis->getWitness(find(name), find(name), nullptr);
    ASSERT_TRUE(witness) << name.str();
    EXPECT_FALSE(witness->certain) << name.str();
  }
  std::optional<HazardWitness> witness =
      analysis->getWitness(find("certain"), find("certain"), nullptr);
  ASSERT_TRUE(witness);
  EXPECT_TRUE(witness->certain);
  EXPECT_EQ(witness->byte, 0);
}

TEST_F(Hazards, WitnessObeysConditions) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %r = arith.remui %t, %c16 : index
    %odd = arith.remui %t, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    scf.if %isOdd {
      memref.store %v, %m[%r] {test.name = "a"} : memref<1024xf32, #wg>
    }
  )");
  std::optional<HazardWitness> witness =
      analysis->getWitness(find("a"), find("a"), nullptr);
  ASSERT_TRUE(witness);
  EXPECT_TRUE(witness->certain);
  const auto &sides = witness->overlap.sides;
  EXPECT_EQ(sides[0].thread[0] % 2, 1);
  EXPECT_EQ((sides[0].thread[0] - sides[1].thread[0]) % 16, 0);
}

//===----------------------------------------------------------------------===//
// What no barrier cures
//===----------------------------------------------------------------------===//

TEST_F(Hazards, SelfHazards) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %s = memref.alloc() : memref<256xindex, #wg>
    %idx = memref.load %s[%t] : memref<256xindex, #wg>
    %ti = arith.index_cast %t : index to i32
    %tf = arith.sitofp %ti : i32 to f32
    %bits = arith.shli %t, %c2 : index
    %low = arith.andi %bits, %c8 : index
    %swizzle = arith.xori %bits, %low : index
    memref.store %tf, %m[%t] {test.name = "own"} : memref<1024xf32, #wg>
    memref.store %tf, %m[%c0] {test.name = "certain"} : memref<1024xf32, #wg>
    memref.store %v, %m[%c0] {test.name = "equal"} : memref<1024xf32, #wg>
    memref.store %tf, %m[%idx] {test.name = "scatter"} : memref<1024xf32, #wg>
    memref.store %tf, %m[%idx] {test.name = "promised", memspace.disjoint = array<i64: 1>} : memref<1024xf32, #wg>
    memref.store %tf, %m[%swizzle] {test.name = "swizzle"} : memref<1024xf32, #wg>
    memref.store %tf, %m[%swizzle] {test.name = "promised swizzle", memspace.disjoint = array<i64: 1>} : memref<1024xf32, #wg>
    %0 = memref.atomic_rmw addf %tf, %m[%c0] {test.name = "atomic"} : (f32, memref<1024xf32, #wg>) -> f32
    linalg.fill {test.name = "fill"} ins(%v : f32) outs(%m : memref<1024xf32, #wg>)
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%m : memref<1024xf32, #wg>) attrs = {test.name = "accumulate"} {
      ^bb0(%b: f32):
        %1 = arith.addf %b, %v : f32
        linalg.yield %1 : f32
    }
  )");
  auto isSame = [&](Value value, ValueRange) {
    return !value.getDefiningOp<arith::SIToFPOp>();
  };
  std::map<std::string, SelfHazard> found;
  for (SelfHazard &self : analysis->getSelfHazards(isSame))
    found.emplace(analysis->getAccesses()[self.access]
                      .op->getAttrOfType<StringAttr>("test.name")
                      .str(),
                  self);
  EXPECT_FALSE(found.count("own"));
  EXPECT_FALSE(found.count("atomic"));
  auto check = [&](const char *name, HazardProof proof, bool idempotent) {
    ASSERT_TRUE(found.count(name)) << name;
    EXPECT_TRUE(found.at(name).proof == proof) << name;
    EXPECT_EQ(found.at(name).idempotent, idempotent) << name;
  };
  check("certain", HazardProof::Certain, false);
  check("equal", HazardProof::Certain, true);
  check("scatter", HazardProof::Unproven, false);
  check("promised", HazardProof::Promised, false);
  check("swizzle", HazardProof::Unproven, false);
  check("promised swizzle", HazardProof::Promised, false);
  check("fill", HazardProof::Certain, true);
  check("accumulate", HazardProof::Certain, false);
  EXPECT_EQ(found.size(), 8u);
}

TEST_F(Hazards, EqualStores) {
  parse(R"(
    %m = memref.alloc() : memref<1024xf32, #wg>
    %s = memref.alloc() : memref<256xf32, #wg>
    %p = memref.alloca() : memref<256xf32, #gpu.address_space<private>>
    %strided = memref.alloc() : memref<16x16xf32, strided<[0, 1]>, #wg>
    %lane = arith.remui %t, %c16 : index
    %double = arith.muli %lane, %c2 : index
    %ti = arith.index_cast %lane : index to i32
    %tf = arith.sitofp %ti : i32 to f32
    %u = memref.load %s[%lane] : memref<256xf32, #wg>
    %w = arith.mulf %u, %tf : f32
    %z = memref.load %p[%lane] : memref<256xf32, #gpu.address_space<private>>
    %own = memref.load %s[%t] : memref<256xf32, #wg>
    %part = memref.subview %m[%t] [64] [1] : memref<1024xf32, #wg> to memref<64xf32, strided<[1], offset: ?>, #wg>
    %four = vector.broadcast %tf : f32 to vector<4xf32>
    memref.store %tf, %m[%lane] {test.name = "computed"} : memref<1024xf32, #wg>
    memref.store %w, %m[%lane] {test.name = "read"} : memref<1024xf32, #wg>
    memref.store %w, %m[%double] {test.name = "other index"} : memref<1024xf32, #wg>
    memref.store %z, %m[%lane] {test.name = "private"} : memref<1024xf32, #wg>
    memref.store %own, %m[%lane] {test.name = "own"} : memref<1024xf32, #wg>
    memref.store %tf, %part[%lane] {test.name = "view"} : memref<64xf32, strided<[1], offset: ?>, #wg>
    memref.store %tf, %strided[%lane, %c0] {test.name = "strided"} : memref<16x16xf32, strided<[0, 1]>, #wg>
    vector.store %four, %m[%lane] {test.name = "vector"} : memref<1024xf32, #wg>, vector<4xf32>
  )");
  KernelContext context =
      getTestContext(getKernels(**module).front(), /*subgroupSize=*/32);
  Uniformity uniformity(context, *relations);
  std::map<std::string, bool> found;
  for (SelfHazard &self :
       analysis->getSelfHazards([&](Value value, ValueRange equal) {
         return uniformity.isSameWhere(value, equal);
       }))
    if (auto name =
            analysis->getAccesses()[self.access].op->getAttrOfType<StringAttr>(
                "test.name"))
      found[name.str()] = self.idempotent;
  std::map<std::string, bool> expected = {
      {"computed", true}, {"read", true},   {"other index", false},
      {"private", false}, {"own", false},   {"view", false},
      {"strided", false}, {"vector", false}};
  EXPECT_EQ(found, expected);
}

TEST_F(Hazards, WorkgroupHazards) {
  auto run = [&](StringRef grid) {
    parse(R"(
      %b = gpu.block_id x
      %i = gpu.global_id x
      %next = arith.addi %i, %c1 : index
      memref.store %v, %g[%i] {test.name = "own"} : memref<?xf32>
      %ti = arith.index_cast %t : index to i32
      %tf = arith.sitofp %ti : i32 to f32
      memref.store %tf, %h[%t] {test.name = "same"} : memref<?xf32>
      memref.store %v, %c[%c0] {test.name = "equal"} : memref<?xf32>
      %0 = memref.load %g[%next] {test.name = "next"} : memref<?xf32>
      %m = memref.alloc() : memref<256xf32, #wg>
      memref.store %v, %m[%t] {test.name = "workgroup"} : memref<256xf32, #wg>
      %1 = memref.atomic_rmw addf %tf, %a[%c0] {test.name = "atomic"} : (f32, memref<?xf32>) -> f32
    )",
          "%g: memref<?xf32>, %h: memref<?xf32>, %c: memref<?xf32>, %a: "
          "memref<?xf32>",
          grid);
    std::map<std::string, WorkgroupHazard> found;
    for (WorkgroupHazard &hazard : analysis->getWorkgroupHazards()) {
      auto getName = [&](unsigned access) {
        return analysis->getAccesses()[access]
            .op->getAttrOfType<StringAttr>("test.name")
            .str();
      };
      found.emplace(getName(hazard.first) + "-" + getName(hazard.second),
                    hazard);
    }
    return found;
  };
  auto found = run("known_grid_size = array<i32: 4, 1, 1>");
  ASSERT_TRUE(found.count("own-next"));
  EXPECT_TRUE(found.at("own-next").proof == HazardProof::Certain);
  ASSERT_TRUE(found.count("same-same"));
  EXPECT_TRUE(found.at("same-same").proof == HazardProof::Certain);
  EXPECT_FALSE(found.at("same-same").idempotent);
  ASSERT_TRUE(found.count("equal-equal"));
  EXPECT_TRUE(found.at("equal-equal").idempotent);
  EXPECT_EQ(found.size(), 3u);

  found = run("");
  EXPECT_EQ(found.size(), 3u);
  for (auto &[name, hazard] : found)
    EXPECT_TRUE(hazard.proof == HazardProof::Unproven) << name;

  EXPECT_TRUE(run("known_grid_size = array<i32: 1, 1, 1>").empty());
}

TEST_F(Hazards, AllOfAKernel) {
  parse(R"(
    %m = memref.alloc() : memref<512xf32, #wg>
    %r = arith.subi %c256, %t : index
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %v, %m[%t] {test.name = "store"} : memref<512xf32, #wg>
      %0 = memref.load %m[%r] {test.name = "load"} : memref<512xf32, #wg>
    } {test.name = "loop"}
    %1 = memref.load %m[%c4] {test.name = "after"} : memref<512xf32, #wg>
  )");
  std::vector<std::string> found;
  for (const KernelHazard &hazard : analysis->getHazards()) {
    auto getName = [&](unsigned access) {
      return analysis->getAccesses()[access]
          .op->getAttrOfType<StringAttr>("test.name")
          .str();
    };
    EXPECT_TRUE(hazard.hazard.acrossSubgroups);
    EXPECT_TRUE(!hazard.carryingLoop ||
                hazard.carryingLoop == module->get("loop"));
    found.push_back(getName(hazard.first) + " " + getName(hazard.second) + " " +
                    stringifyHazardKind(hazard.hazard.kind).str() +
                    (hazard.isLoopCarried() ? " carried" : ""));
  }
  EXPECT_EQ(found, (std::vector<std::string>{
                       "store load RAW", "store load RAW carried",
                       "load store WAR carried", "store after RAW"}));
}
