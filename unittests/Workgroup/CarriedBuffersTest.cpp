//===- CarriedBuffersTest.cpp - buffers that loops pass on ----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkgroupLivenessFixture.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class CarriedBuffersTest : public WorkgroupLivenessTest {};
} // namespace

TEST_F(CarriedBuffersTest, AndDeadBeforeTheNext) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    memref.store %v, %a[%i] : !t
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
      %new = memref.alloc() {test.name = "new"} : !t
      %0 = memref.load %m[%c0] : !t
      // Between the two the place is free.
      memref.store %0, %b[%i] {test.name = "between"} : !t
      %1 = memref.load %b[%c1] : !t
      memref.store %1, %new[%i] : !t
      scf.yield %new : !t
    }
    %2 = memref.load %r[%c1] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_FALSE(needsSeveral("new"));
  EXPECT_TRUE(followEachOther("a", "new"));
  EXPECT_EQ(range("a"), range("new"));
  EXPECT_FALSE(isLiveAt("new", "between"));
  EXPECT_TRUE(mayShare("b", "new"));
}

TEST_F(CarriedBuffersTest, AndReadBehindTheNext) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    memref.store %v, %a[%i] : !t
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
      %new = memref.alloc() {test.name = "new"} : !t
      memref.store %v, %new[%i] : !t
      %0 = memref.load %m[%c0] : !t
      memref.store %0, %x[%k] : memref<?xf32>
      scf.yield %new : !t
    }
    %2 = memref.load %r[%c1] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(needsSeveral("new"));
  EXPECT_TRUE(liveness->getSuccessions().empty());
}

TEST_F(CarriedBuffersTest, ByOneOpThatReadsAndWrites) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    memref.store %v, %a[%i] : !t
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
      %new = memref.alloc() {test.name = "new"} : !t
      memref.copy %m, %new : !t to !t
      scf.yield %new : !t
    }
    %2 = memref.load %r[%c1] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(needsSeveral("new"));
}

TEST_F(CarriedBuffersTest, WhileTheInitialOneIsNeeded) {
  // It has a place of its own, those of the iterations have one together.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    memref.store %v, %a[%i] : !t
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
      %new = memref.alloc() {test.name = "new"} : !t
      %0 = memref.load %m[%c0] : !t
      memref.store %0, %new[%i] : !t
      scf.yield %new : !t
    }
    %2 = memref.load %r[%c1] : !t
    %3 = memref.load %a[%c1] : !t
    %4 = arith.addf %2, %3 : f32
    memref.store %4, %x[%i] : memref<?xf32>
  )");
  EXPECT_FALSE(needsSeveral("new"));
  EXPECT_FALSE(followEachOther("a", "new"));
  EXPECT_FALSE(mayShare("a", "new"));
}

TEST_F(CarriedBuffersTest, TwoIterationsFar) {
  // What was new is %m in the next iteration and %p in the one after.
  for (bool isRead : {true, false}) {
    analyze((R"(
      %a = memref.alloc() {test.name = "a"} : !t
      %b = memref.alloc() {test.name = "b"} : !t
      memref.store %v, %a[%i] : !t
      memref.store %v, %b[%i] : !t
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a, %p = %b) -> (!t, !t) {
        %new = memref.alloc() {test.name = "new"} : !t
        %0 = memref.load %m[%c0] : !t
        %1 = memref.load )" +
             Twine(isRead ? "%p" : "%m") + R"([%c1] : !t
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %new[%i] : !t
        scf.yield %new, %m : !t, !t
      }
      %3 = memref.load %r#0[%c1] : !t
      memref.store %3, %x[%i] : memref<?xf32>
    )")
                .str());
    EXPECT_EQ(needsSeveral("new"), isRead);
    EXPECT_EQ(followEachOther("a", "new"), !isRead);
  }
}

TEST_F(CarriedBuffersTest, TwoAtOnce) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    memref.store %v, %a[%i] : !t
    memref.store %v, %b[%i] : !t
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a, %p = %b) -> (!t, !t) {
      %c = memref.alloc() {test.name = "c"} : !t
      %d = memref.alloc() {test.name = "d"} : !t
      %0 = memref.load %m[%c0] : !t
      %1 = memref.load %p[%c1] : !t
      memref.store %0, %c[%i] : !t
      memref.store %1, %d[%i] : !t
      scf.yield %c, %d : !t, !t
    }
    %2 = memref.load %r#0[%c1] : !t
    %3 = memref.load %r#1[%c1] : !t
    %4 = arith.addf %2, %3 : f32
    memref.store %4, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(followEachOther("a", "c"));
  EXPECT_TRUE(followEachOther("b", "d"));
  EXPECT_FALSE(followEachOther("a", "b"));
  EXPECT_FALSE(mayShare("c", "d"));
  // Exchanged, each of the four may be under either name.
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    %b = memref.alloc() {test.name = "b"} : !t
    memref.store %v, %a[%i] : !t
    memref.store %v, %b[%i] : !t
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a, %p = %b) -> (!t, !t) {
      %c = memref.alloc() {test.name = "c"} : !t
      %0 = memref.load %m[%c0] : !t
      %1 = memref.load %p[%c1] : !t
      %5 = arith.addf %0, %1 : f32
      memref.store %5, %c[%i] : !t
      scf.yield %p, %c : !t, !t
    }
    %2 = memref.load %r#0[%c1] : !t
    %3 = memref.load %r#1[%c1] : !t
    %4 = arith.addf %2, %3 : f32
    memref.store %4, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(needsSeveral("c"));
}

TEST_F(CarriedBuffersTest, TwiceIsOneInstance) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    memref.store %v, %a[%i] : !t
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a, %p = %a) -> (!t, !t) {
      %new = memref.alloc() {test.name = "new"} : !t
      %0 = memref.load %m[%c0] : !t
      %1 = memref.load %p[%c1] : !t
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %new[%i] : !t
      scf.yield %new, %new : !t, !t
    }
    %3 = memref.load %r#0[%c1] : !t
    %4 = memref.load %r#1[%c1] : !t
    %5 = arith.addf %3, %4 : f32
    memref.store %5, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(followEachOther("a", "new"));
}

TEST_F(CarriedBuffersTest, UnderACondition) {
  // All threads go one way, or each its own: then some keep the old one.
  for (bool isUniform : {true, false}) {
    analyze((R"(
      %a = memref.alloc() {test.name = "a"} : !t
      memref.store %v, %a[%i] : !t
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
        %new = memref.alloc() {test.name = "new"} : !t
        %0 = memref.load %m[%c0] : !t
        %next = scf.if )" +
             Twine(isUniform ? "%flag" : "%first") + R"( -> (!t) {
          memref.store %0, %new[%i] : !t
          scf.yield %new : !t
        } else {
          scf.yield %m : !t
        }
        scf.yield %next : !t
      }
      %2 = memref.load %r[%c1] : !t
      memref.store %2, %x[%i] : memref<?xf32>
    )")
                .str());
    EXPECT_EQ(needsSeveral("new"), !isUniform);
    EXPECT_EQ(followEachOther("a", "new"), isUniform);
  }
}

TEST_F(CarriedBuffersTest, ThroughAnInnerLoop) {
  for (bool isReadBehind : {true, false}) {
    analyze((R"(
      %a = memref.alloc() {test.name = "a"} : !t
      memref.store %v, %a[%i] : !t
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
        %s = scf.for %l = %c0 to %n step %c1 iter_args(%p = %m) -> (!t) {
          %new = memref.alloc() {test.name = "new"} : !t
          %view = memref.subview %p[0] [8] [1] : !t to memref<8xf32, strided<[1]>, #wg>
          %0 = memref.load %view[%c0] : memref<8xf32, strided<[1]>, #wg>
          memref.store %0, %new[%i] : !t
          scf.yield %new : !t
        }
        %1 = memref.load )" +
             Twine(isReadBehind ? "%m" : "%s") + R"([%c0] : !t
        memref.store %1, %x[%k] : memref<?xf32>
        scf.yield %s : !t
      }
    )")
                .str());
    EXPECT_EQ(needsSeveral("new"), isReadBehind);
    EXPECT_EQ(followEachOther("a", "new"), !isReadBehind);
  }
}

TEST_F(CarriedBuffersTest, ByWhile) {
  analyze(R"(
    %a = memref.alloc() {test.name = "a"} : !t
    memref.store %v, %a[%i] : !t
    %r = scf.while (%m = %a) : (!t) -> !t {
      scf.condition(%flag) %m : !t
    } do {
    ^bb0(%m: !t):
      %new = memref.alloc() {test.name = "new"} : !t
      %0 = memref.load %m[%c0] : !t
      memref.store %0, %new[%i] : !t
      scf.yield %new : !t
    }
    %2 = memref.load %r[%c1] : !t
    memref.store %2, %x[%i] : memref<?xf32>
  )");
  EXPECT_TRUE(followEachOther("a", "new"));
}

TEST_F(CarriedBuffersTest, BetweenBlocks) {
  for (bool isReadBehind : {true, false}) {
    analyze((R"(
      %a = memref.alloc() {test.name = "a"} : !t
      memref.store %v, %a[%i] : !t
      cf.br ^head(%c0, %a : index, !t)
    ^head(%k: index, %m: !t):
      %more = arith.cmpi ult, %k, %n : index
      cf.cond_br %more, ^body, ^end
    ^body:
      %new = memref.alloc() {test.name = "new"} : !t
      %0 = memref.load %m[%c0] : !t
      memref.store %0, %new[%i] : !t
      %1 = memref.load )" +
             Twine(isReadBehind ? "%m" : "%new") + R"([%c1] : !t
      memref.store %1, %x[%k] : memref<?xf32>
      %k1 = arith.addi %k, %c1 : index
      cf.cond_br %flag, ^head(%k1, %new : index, !t), ^head(%k, %new : index, !t)
    ^end:
      %2 = memref.load %m[%c1] : !t
      memref.store %2, %x[%i] : memref<?xf32>
    )")
                .str());
    EXPECT_EQ(needsSeveral("new"), isReadBehind);
    EXPECT_EQ(followEachOther("a", "new"), !isReadBehind);
  }
}

TEST_F(CarriedBuffersTest, BehindAGlobal) {
  // Other ops may name a global, which has a place of its own.
  TestModule other(R"(
    #wg = #gpu.address_space<workgroup>
    !t = memref<64xf32, #wg>
    memref.global "private" @g : memref<64xf32, #wg> = uninitialized
    func.func @kernel(%v: f32, %n: index, %i: index)
        attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %g = memref.get_global @g : !t {test.name = "g"}
      memref.store %v, %g[%i] : !t
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %g) -> (!t) {
        %new = memref.alloc() {test.name = "new"} : !t
        %0 = memref.load %m[%c0] : !t
        memref.store %0, %new[%i] : !t
        scf.yield %new : !t
      }
      %1 = memref.load %r[%c1] : !t
      memref.store %1, %r[%c0] : !t
      return
    })");
  ASSERT_TRUE(other);
  Value global = other.get("g")->getResult(0);
  Value carried = other.get("new")->getResult(0);
  WorkgroupLiveness ranges(
      getTestContext((*other).lookupSymbol<FunctionOpInterface>("kernel")),
      {global, carried});
  EXPECT_FALSE(ranges.needsSeveralPlaces(carried));
  ASSERT_EQ(ranges.getSuccessions().size(), 1u);
  EXPECT_EQ(ranges.getSuccessions()[0].size(), 1u);
  EXPECT_TRUE(
      packing::overlap(ranges.getRange(global), ranges.getRange(carried)));
}

TEST_F(CarriedBuffersTest, ButNotFollowed) {
  // A select may give each thread another instance; a call may keep it; an
  // atomic access is ordered by nothing; a copy is in flight.
  for (StringRef use :
       {"%m2 = arith.select %first, %m, %new : !t\n"
        "%1 = memref.load %m2[%c1] : !t",
        "func.call @external(%new) : (memref<64xf32, #wg>) -> ()",
        "%1 = memref.atomic_rmw assign %v, %new[%c0] : (f32, !t) -> f32",
        "func.call @begin(%new, %x) : (memref<64xf32, #wg>, memref<?xf32>) -> "
        "()"}) {
    analyze((R"(
      %a = memref.alloc() {test.name = "a"} : !t
      memref.store %v, %a[%i] : !t
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a) -> (!t) {
        %new = memref.alloc() {test.name = "new"} : !t
        %0 = memref.load %m[%c0] : !t
        memref.store %0, %new[%i] : !t
        )" + use +
             R"(
        scf.yield %new : !t
      }
    )")
                .str());
    EXPECT_TRUE(needsSeveral("new")) << use.str();
  }
}
