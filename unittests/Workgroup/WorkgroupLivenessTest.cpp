//===- WorkgroupLivenessTest.cpp - when a buffer holds a value -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupLivenessFixture.h"

using namespace mlir;
using namespace mlir::memspace;

TEST_F(WorkgroupLivenessTest, StraightLine) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    %d = memref.alloc() {test.name = "d"} : !t
    memref.store %v, %a[%i] {test.name = "first"} : !t
    %0 = memref.load %a[%c0] {test.name = "last"} : !t
    memref.store %0, %b[%i] : !t
    %1 = memref.load %b[%c1] : !t
    // One op that reads one and writes the other.
    memref.copy %b, %c : !t to !t
    %2 = memref.load %c[%c0] : !t
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %x[%i] : memref<?xf32>
    memref.dealloc %a : !t
  )");
  // P4: a deallocation is not a use.
  ASSERT_EQ(range("a").size(), 1u);
  EXPECT_EQ(liveness->getOp(range("a")[0].begin), module->get("first"));
  EXPECT_EQ(liveness->getOp(range("a")[0].end - 1), module->get("last"));
  EXPECT_TRUE(mayShare("a", "b"));
  EXPECT_FALSE(mayShare("b", "c"));
  EXPECT_TRUE(mayShare("a", "c"));
  EXPECT_TRUE(range("d").empty());
}

TEST_F(WorkgroupLivenessTest, TwoRanges) {
  // Dead between its uses: what is stored anew does not depend on the old.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    linalg.fill ins(%v : f32) outs(%a : !t)
    %0 = memref.load %a[%c0] : !t
    memref.store %0, %b[%i] {test.name = "between"} : !t
    %1 = memref.load %b[%c1] : !t
    linalg.fill ins(%1 : f32) outs(%a : !t)
    %2 = memref.load %a[%c0] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_EQ(range("a").size(), 2u);
  EXPECT_TRUE(mayShare("a", "b"));
}

TEST_F(WorkgroupLivenessTest, PartlyOverwrittenStaysLive) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    linalg.fill ins(%v : f32) outs(%a : !t)
    memref.store %v, %b[%i] : !t
    %1 = memref.load %b[%c1] : !t
    memref.store %1, %a[%c1] : !t
    %2 = memref.load %a[%c0] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_FALSE(mayShare("a", "b"));
}

TEST_F(WorkgroupLivenessTest, OverwrittenByAllThreads) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    linalg.fill ins(%v : f32) outs(%a : !t)
    memref.store %v, %b[%i] : !t
    %1 = memref.load %b[%c1] : !t
    memref.store %1, %a[%i] : !t
    %2 = memref.load %a[%c0] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(mayShare("a", "b"));
}

TEST_F(WorkgroupLivenessTest, DeadStores) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    memref.store %v, %b[%i] : !t
    linalg.fill ins(%v : f32) outs(%a : !t)
    linalg.fill ins(%v : f32) outs(%a : !t)
    %0 = memref.load %a[%c0] : !t
    memref.store %0, %x[%i] : memref<?xf32>
    // Nobody reads %c, so %b is not needed for it.
    memref.copy %b, %c : !t to !t
    scf.if %first {
      memref.store %v, %a[%c1] : !t
    }
  )");
  EXPECT_TRUE(range("b").empty());
  EXPECT_TRUE(range("c").empty());
  EXPECT_EQ(liveness->getDeadStores().size(), 4u);
  EXPECT_EQ(range("a")[0].end - range("a")[0].begin, 2);
}

TEST_F(WorkgroupLivenessTest, StoresThatMayNotGo) {
  // An atomic's result is used; what a call does is not known to be a store;
  // a store through a choice of a buffer and memory of the caller.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    %0 = memref.atomic_rmw addf %v, %a[%c0] : (f32, !t) -> f32
    memref.store %0, %x[%i] : memref<?xf32>
    func.call @fill(%b, %v) : (!t, f32) -> ()
    %g = memref.memory_space_cast %c : !t to memref<64xf32>
    %h = memref.alloca() : memref<64xf32>
    %s = arith.select %flag, %g, %h : memref<64xf32>
    memref.store %v, %s[%i] : memref<64xf32>
    %1 = memref.load %h[%c0] : memref<64xf32>
    memref.store %1, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(liveness->getDeadStores().empty());
  EXPECT_EQ(range("a").size(), 1u);
  EXPECT_EQ(range("b").size(), 1u);
  EXPECT_EQ(range("c").size(), 1u);
}

TEST_F(WorkgroupLivenessTest, ExclusiveBranches) {
  // P3, with nested arms.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    %d = memref.alloc() {test.name = "d"} : !t
    memref.store %v, %d[%i] : !t
    scf.if %flag {
      memref.store %v, %a[%i] : !t
      %0 = memref.load %a[%c0] : !t
      memref.store %0, %x[%i] : memref<?xf32>
    } else {
      %zero = arith.cmpi eq, %n, %c0 : index
      scf.if %zero {
        memref.store %v, %b[%i] : !t
        %0 = memref.load %b[%c0] {test.name = "inner"} : !t
        memref.store %0, %x[%i] : memref<?xf32>
      } else {
        memref.store %v, %c[%i] : !t
        %0 = memref.load %c[%c0] : !t
        %1 = memref.load %d[%c0] : !t
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %x[%i] : memref<?xf32>
      }
    }
  )");
  EXPECT_TRUE(mayShare("a", "b"));
  EXPECT_TRUE(mayShare("a", "c"));
  EXPECT_TRUE(mayShare("b", "c"));
  // Read in one arm: in the others it is dead.
  EXPECT_TRUE(mayShare("d", "a"));
  EXPECT_TRUE(mayShare("d", "b"));
  EXPECT_FALSE(mayShare("d", "c"));
}

TEST_F(WorkgroupLivenessTest, ThreadsInDifferentBranches) {
  // Some threads are in one arm while others are in the other; no barrier can
  // stand between.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    scf.if %first {
      memref.store %v, %a[%i] : !t
      %0 = memref.load %a[%c0] : !t
      memref.store %0, %c[%i] : !t
      %1 = memref.load %c[%i] : !t
      memref.store %1, %x[%i] : memref<?xf32>
    } else {
      memref.store %v, %b[%i] : !t
      %0 = memref.load %b[%c0] : !t
      memref.store %0, %x[%i] : memref<?xf32>
    }
  )");
  EXPECT_FALSE(mayShare("a", "b"));
  EXPECT_FALSE(mayShare("a", "c"));
}

TEST_F(WorkgroupLivenessTest, IterationLocal) {
  // P7: %a and %b may share, but not with %c, which is carried, or %d, which is
  // read in the loop.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    %d = memref.alloc() {test.name = "d"} : !t
    %e = memref.alloc() {test.name = "e"} : !t
    memref.store %v, %c[%i] : !t
    memref.store %v, %d[%i] : !t
    scf.for %k = %c0 to %n step %c1 {
      %b = memref.alloc() {test.name = "b"} : !t
      memref.store %v, %a[%i] : !t
      %0 = memref.load %a[%c0] : !t
      memref.store %0, %b[%i] : !t
      %1 = memref.load %b[%c0] : !t
      %2 = memref.load %c[%c0] : !t
      %3 = memref.load %d[%c0] : !t
      %4 = arith.addf %1, %2 : f32
      %5 = arith.addf %3, %4 : f32
      memref.store %5, %c[%i] : !t
    }
    %6 = memref.load %c[%c0] : !t
    memref.store %6, %e[%i] : !t
    %7 = memref.load %e[%c0] : !t
    memref.store %7, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(mayShare("a", "b"));
  EXPECT_FALSE(mayShare("a", "c"));
  EXPECT_FALSE(mayShare("b", "c"));
  EXPECT_FALSE(mayShare("a", "d"));
  EXPECT_TRUE(mayShare("a", "e"));
  EXPECT_TRUE(mayShare("d", "e"));
  EXPECT_FALSE(mayShare("c", "d"));
}

TEST_F(WorkgroupLivenessTest, WrittenLaterInTheIteration) {
  // Element 0 is written first in each iteration, element k + 1 later: the next
  // iterations read it. %b is written again where it was written first.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    scf.for %k = %c0 to %n step %c1 {
      memref.store %v, %c[%i] {test.name = "begin"} : !t
      %z = memref.load %c[%c1] : !t
      memref.store %z, %a[%c0] : !t
      memref.store %z, %b[%i] : !t
      %0 = memref.load %a[%k] : !t
      %1 = memref.load %b[%c1] : !t
      %2 = arith.addf %0, %1 : f32
      %next = arith.addi %k, %c1 : index
      memref.store %2, %a[%next] : !t
      scf.if %first {
        memref.store %2, %b[%i] : !t
      }
      %3 = memref.load %b[%c0] : !t
      memref.store %3, %x[%k] : memref<?xf32>
    }
  )");
  EXPECT_TRUE(isLiveAt("a", "begin"));
  EXPECT_FALSE(isLiveAt("b", "begin"));
  EXPECT_FALSE(mayShare("a", "c"));
  EXPECT_TRUE(mayShare("b", "c"));
}

TEST_F(WorkgroupLivenessTest, NotEveryIterationWrites) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    scf.for %k = %c0 to %n step %c1 {
      memref.store %v, %b[%i] : !t
      %0 = memref.load %b[%c1] : !t
      %now = arith.cmpi eq, %k, %c0 : index
      scf.if %now {
        memref.store %0, %a[%i] : !t
      }
      %1 = memref.load %a[%c1] : !t
      memref.store %1, %x[%i] : memref<?xf32>
    }
  )");
  EXPECT_FALSE(mayShare("a", "b"));
}

TEST_F(WorkgroupLivenessTest, Aliases) {
  // P4: as long as any alias is used. %c and %d swap.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    %d = memref.alloc() {test.name = "d"} : !t
    %e = memref.alloc() {test.name = "e"} : !t
    memref.store %v, %a[%i] : !t
    memref.store %v, %b[%i] : !t
    %s = arith.select %flag, %a, %b : !t
    memref.store %v, %c[%i] : !t
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %c, %q = %d) -> (!t, !t) {
      %0 = memref.load %p[%c0] : !t
      memref.store %0, %e[%i] : !t
      %1 = memref.load %e[%c0] : !t
      memref.store %1, %q[%i] : !t
      scf.yield %q, %p : !t, !t
    }
    %sub = memref.subview %s[8] [8] [1] : !t to memref<8xf32, strided<[1], offset: 8>, #wg>
    %2 = memref.load %sub[%c0] {test.name = "end"} : memref<8xf32, strided<[1], offset: 8>, #wg>
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(isLiveAt("a", "end"));
  EXPECT_TRUE(isLiveAt("b", "end"));
  for (StringRef other : {"a", "b", "c", "d"})
    EXPECT_FALSE(mayShare("e", other)) << other.str();
  EXPECT_FALSE(mayShare("c", "d"));
}

TEST_F(WorkgroupLivenessTest, Calls) {
  // A function that only accesses what it is given; one that nobody knows.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    func.call @fill(%a, %v) : (!t, f32) -> ()
    %0 = memref.load %a[%c0] : !t
    memref.store %0, %b[%i] : !t
    %1 = memref.load %b[%c0] : !t
    memref.store %1, %x[%i] : memref<?xf32>
    func.call @external(%c) : (!t) -> ()
  )");
  EXPECT_TRUE(mayShare("a", "b"));
  EXPECT_TRUE(isWhole("c"));
}

TEST_F(WorkgroupLivenessTest, CopiesInFlight) {
  // The copy into %a ends at the wait, also if nobody reads it before.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    %token = nvgpu.device_async_copy %x[%i], %a[%i], 4 : memref<?xf32> to !t
    memref.store %v, %b[%i] : !t
    %0 = memref.load %b[%c0] : !t
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group
    memref.store %0, %c[%i] : !t
    %1 = memref.load %c[%c0] : !t
    memref.store %1, %x[%i] : memref<?xf32>
  )");
  EXPECT_FALSE(mayShare("a", "b"));
  EXPECT_TRUE(mayShare("a", "c"));
  EXPECT_TRUE(liveness->getDeadStores().empty());
}

TEST_F(WorkgroupLivenessTest, CopiesThatNobodyFollows) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    amdgpu.gather_to_lds %x[%i], %a[%c0] : f32, memref<?xf32>, !t
    memref.store %v, %b[%i] : !t
    %0 = memref.load %b[%c0] : !t
    memref.store %0, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(isWhole("a"));
  // The wait is for groups that the copy is not in.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %group = nvgpu.device_async_create_group {}
    %token = nvgpu.device_async_copy %x[%i], %a[%i], 1 : memref<?xf32> to !t
    nvgpu.device_async_wait %group
  )");
  EXPECT_TRUE(isWhole("a"));
}

TEST_F(WorkgroupLivenessTest, GatherToLDS) {
  // In flight up to the wait; what is written behind it may lie over it.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    amdgpu.gather_to_lds %x[%i], %a[%c0] : f32, memref<?xf32>, !t
    memref.store %v, %b[%i] : !t
    %0 = memref.load %b[%c0] : !t
    amdgpu.memory_counter_wait load(0)
    memref.store %0, %c[%i] : !t
    %1 = memref.load %c[%c0] : !t
    memref.store %1, %x[%i] : memref<?xf32>
  )");
  EXPECT_FALSE(mayShare("a", "b"));
  EXPECT_TRUE(mayShare("a", "c"));
}

TEST_F(WorkgroupLivenessTest, MatrixOps) {
  // A matrix that was loaded is a value, no name of the buffer.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : memref<16x16xf16, #wg>
    %b = memref.alloc() {test.name = "b"} : !t
    %h = arith.constant 1.0 : f16
    memref.store %h, %a[%c0, %c0] : memref<16x16xf16, #wg>
    %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16, #wg> -> !gpu.mma_matrix<16x16xf16, "AOp">
    memref.store %v, %b[%i] : !t
    %0 = memref.load %b[%c0] : !t
    memref.store %0, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(mayShare("a", "b"));
}

TEST_F(WorkgroupLivenessTest, WhileAndSwitch) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    memref.store %v, %a[%i] : !t
    %r = scf.while (%k = %c0) : (index) -> index {
      %go = arith.cmpi ult, %k, %n : index
      scf.condition(%go) %k : index
    } do {
    ^bb0(%k: index):
      scf.index_switch %n
      case 0 {
        memref.store %v, %b[%i] : !t
        %0 = memref.load %b[%c0] : !t
        memref.store %0, %x[%i] : memref<?xf32>
        scf.yield
      }
      default {
        memref.store %v, %c[%i] : !t
        %0 = memref.load %c[%c0] : !t
        %1 = memref.load %a[%c0] : !t
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %x[%i] : memref<?xf32>
      }
      %next = arith.addi %k, %c1 : index
      scf.yield %next : index
    }
  )");
  EXPECT_FALSE(mayShare("a", "b"));
  EXPECT_FALSE(mayShare("a", "c"));
  EXPECT_TRUE(mayShare("b", "c"));
}

TEST_F(WorkgroupLivenessTest, InnerLoopReadsAhead) {
  // Each execution of the inner loop writes %a and %b where the last one did.
  // %a is read one iteration before it is written anew, %b right behind.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    scf.for %k = %c0 to %n step %c1 {
      memref.store %v, %c[%i] {test.name = "begin"} : !t
      %z = memref.load %c[%c1] : !t
      scf.for %l = %c0 to %c8 step %c1 {
        %next = arith.addi %l, %c1 : index
        memref.store %z, %a[%l] : !t
        %0 = memref.load %a[%next] : !t
        memref.store %z, %b[%i] : !t
        %1 = memref.load %b[%c0] : !t
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %x[%i] : memref<?xf32>
      }
    }
  )");
  EXPECT_TRUE(isLiveAt("a", "begin"));
  EXPECT_FALSE(isLiveAt("b", "begin"));
}

TEST_F(WorkgroupLivenessTest, BranchBetweenBlocksWrites) {
  // Which block writes, no operand of the op tells.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    scf.for %k = %c0 to %n step %c1 {
      scf.execute_region {
        %now = arith.cmpi eq, %k, %c0 : index
        cf.cond_br %now, ^write, ^done
      ^write:
        memref.store %v, %a[%i] : !t
        cf.br ^done
      ^done:
        scf.yield
      }
      %0 = memref.load %a[%i] : !t
      memref.store %0, %b[%i] : !t
      %1 = memref.load %b[%c1] : !t
      memref.store %1, %x[%i] : memref<?xf32>
    }
  )");
  EXPECT_FALSE(mayShare("a", "b"));
}

TEST_F(WorkgroupLivenessTest, AllocatedInDivergentBranch) {
  // %a leaves the branch; %c does not, so that %d may lie over it.
  analyze(R"(
    %s = scf.if %first -> (!t) {
      %a = memref.alloc() {test.name = "a"} : !t
      memref.store %v, %a[%i] : !t
      scf.yield %a : !t
    } else {
      %b = memref.alloc() {test.name = "b"} : !t
      memref.store %v, %b[%i] : !t
      scf.yield %b : !t
    }
    scf.if %first {
      %c = memref.alloc() {test.name = "c"} : !t
      memref.store %v, %c[%i] : !t
      %0 = memref.load %c[%i] : !t
      memref.store %0, %x[%i] : memref<?xf32>
    }
    %d = memref.alloc() {test.name = "d"} : !t
    memref.store %v, %d[%i] : !t
    %1 = memref.load %d[%c1] : !t
    %2 = memref.load %s[%i] : !t
    %3 = arith.addf %1, %2 : f32
    memref.store %3, %x[%i] : memref<?xf32>
  )");
  for (StringRef other : {"b", "c", "d"})
    EXPECT_FALSE(mayShare("a", other)) << other.str();
  EXPECT_FALSE(mayShare("b", "d"));
  EXPECT_TRUE(mayShare("c", "d"));
}

TEST_F(WorkgroupLivenessTest, UnsignedLoopsMayNotRun) {
  // -1 is the largest number, so that the first store is what is read.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %from = arith.constant -1 : index
    memref.store %v, %a[%i] : !t
    memref.store %v, %b[%i] : !t
    %0 = memref.load %b[%c1] : !t
    memref.store %0, %x[%i] : memref<?xf32>
    scf.for unsigned %k = %from to %c8 step %c1 {
      linalg.fill ins(%v : f32) outs(%a : !t)
    }
    %1 = memref.load %a[%c1] : !t
    memref.store %1, %x[%i] : memref<?xf32>
  )");
  EXPECT_FALSE(mayShare("a", "b"));
  EXPECT_TRUE(liveness->getDeadStores().empty());
}

TEST_F(WorkgroupLivenessTest, CopiesThatNobodyWaitsFor) {
  // The second copy into %a may arrive at any time. A wait that leaves a group
  // in flight does not help %b, a wait for all after the loop helps %c.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    scf.for %k = %c0 to %n step %c1 {
      %t = nvgpu.device_async_copy %x[%k], %c[%i], 1 : memref<?xf32> to !t
      %g = nvgpu.device_async_create_group %t
    }
    %t0 = nvgpu.device_async_copy %x[%i], %a[%i], 1 : memref<?xf32> to !t
    %g0 = nvgpu.device_async_create_group %t0
    nvgpu.device_async_wait %g0
    %t1 = nvgpu.device_async_copy %x[%i], %a[%i], 1 : memref<?xf32> to !t
    %g1 = nvgpu.device_async_create_group %t1
    %t2 = nvgpu.device_async_copy %x[%i], %b[%i], 1 : memref<?xf32> to !t
    %g2 = nvgpu.device_async_create_group %t2
    nvgpu.device_async_wait %g2 {numGroups = 1 : i32}
  )");
  EXPECT_TRUE(isWhole("a"));
  EXPECT_TRUE(isWhole("b"));
  EXPECT_FALSE(isWhole("c"));

  // A function that begins one and returns.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    func.call @begin(%a, %x) : (!t, memref<?xf32>) -> ()
  )");
  EXPECT_TRUE(isWhole("a"));
}

TEST_F(WorkgroupLivenessTest, UnstructuredKernel) {
  // The ways between blocks are followed where all threads go them together.
  for (bool isUniform : {true, false}) {
    analyze((R"(
      %a = memref.alloc() {test.name = "a"} : !t
      %b = memref.alloc() {test.name = "b"} : !t
      %c = memref.alloc() {test.name = "c"} : !t
      memref.store %v, %a[%i] : !t
      cf.cond_br )" +
             Twine(isUniform ? "%flag" : "%first") + R"(, ^yes, ^no
    ^yes:
      %0 = memref.load %a[%c0] : !t
      memref.store %0, %b[%i] : !t
      %1 = memref.load %b[%c0] : !t
      cf.br ^end(%1 : f32)
    ^no:
      memref.store %v, %c[%i] : !t
      %2 = memref.load %c[%c0] : !t
      %3 = memref.load %a[%c0] : !t
      %4 = arith.addf %2, %3 : f32
      cf.br ^end(%4 : f32)
    ^end(%5: f32):
      memref.store %5, %x[%i] : memref<?xf32>
    )")
                .str());
    EXPECT_EQ(mayShare("a", "b"), isUniform);
    EXPECT_EQ(mayShare("b", "c"), isUniform);
    EXPECT_FALSE(mayShare("a", "c"));
  }
}

TEST_F(WorkgroupLivenessTest, UnstructuredLoop) {
  // %a is read in each iteration, %b in the one that writes it; the blocks of
  // the loop are not in the order of its iterations.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    %c = memref.alloc() {test.name = "c"} : !t
    memref.store %v, %a[%i] : !t
    cf.br ^body(%c0 : index)
  ^end:
    memref.store %v, %c[%i] : !t
    %2 = memref.load %c[%c0] : !t
    memref.store %2, %x[%i] : memref<?xf32>
    return
  ^body(%k: index):
    %0 = memref.load %a[%c0] : !t
    memref.store %0, %b[%i] : !t
    %1 = memref.load %b[%c0] : !t
    memref.store %1, %x[%k] : memref<?xf32>
    cf.br ^next(%k : index)
  ^next(%l: index):
    %n1 = arith.addi %l, %c1 : index
    %more = arith.cmpi ult, %n1, %n : index
    cf.cond_br %more, ^body(%n1 : index), ^leave
  ^leave:
    cf.br ^end
  )",
          /*returns=*/false);
  EXPECT_FALSE(mayShare("a", "b"));
  EXPECT_TRUE(mayShare("a", "c"));
  EXPECT_TRUE(mayShare("b", "c"));
}

TEST_F(WorkgroupLivenessTest, ViewsOfOtherMemory) {
  // A view of an arena begins a buffer in each iteration, one of bytes of
  // another compiler only names what the iteration before has written.
  for (StringRef attributes : {"{}", "{memspace.arena}"}) {
    std::string text = (R"(
      #wg = #gpu.address_space<workgroup>
      func.func @kernel(%x: memref<?xf32>, %n: index)
          attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %bytes = memref.alloc() )" +
                        attributes + R"( : memref<512xi8, #wg>
        scf.for %k = %c0 to %n step %c1 {
          %t = memref.view %bytes[%c0][] {test.name = "t"} : memref<512xi8, #wg> to memref<64xf32, #wg>
          %0 = memref.load %x[%k] {test.name = "before"} : memref<?xf32>
          %1 = memref.load %t[%c0] : memref<64xf32, #wg>
          %2 = arith.addf %0, %1 : f32
          memref.store %2, %t[%c0] : memref<64xf32, #wg>
          memref.store %2, %x[%k] {test.name = "after"} : memref<?xf32>
        }
        return
      })")
                           .str();
    TestModule other(text);
    ASSERT_TRUE(other);
    Value view = other.get("t")->getResult(0);
    WorkgroupLiveness ranges(
        getTestContext((*other).lookupSymbol<FunctionOpInterface>("kernel")),
        {view});
    bool isCarried = false;
    for (const packing::Interval &interval : ranges.getRange(view))
      for (int64_t point = interval.begin; point < interval.end; ++point)
        isCarried |= ranges.getOp(point) == other.get("after");
    EXPECT_EQ(isCarried, attributes == "{}") << attributes.str();
  }
}
