//===- HazardAnalysisTest.cpp - which accesses need an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HazardsFixture.h"

using namespace mlir;
using namespace mlir::memspace;

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
