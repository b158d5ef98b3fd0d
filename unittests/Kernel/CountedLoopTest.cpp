//===- CountedLoopTest.cpp - tests of CountedLoop -------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/CountedLoop.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A function with one marked op, `loop`.
struct Snippet {
  explicit Snippet(StringRef body)
      : module(("func.func @f(%n: index, %m: index, %x: memref<8xf32>) {\n"
                "%c0 = arith.constant 0 : index\n"
                "%c1 = arith.constant 1 : index\n"
                "%c3 = arith.constant 3 : index\n"
                "%c10 = arith.constant 10 : index\n" +
                body + "return\n}")
                   .str()),
        op(module ? module.get("loop") : nullptr), loop(CountedLoop::get(op)) {
    EXPECT_NE(op, nullptr) << body.str();
  }

  TestModule module;
  Operation *op;
  CountedLoop loop;
};

std::optional<int64_t> getTripCount(StringRef body) {
  Snippet snippet(body);
  EXPECT_TRUE(snippet.loop);
  return snippet.loop ? snippet.loop.getTripCount() : std::nullopt;
}
} // namespace

TEST(CountedLoopTest, BoundsOfForLoops) {
  Snippet scf("scf.for %i = %n to %c10 step %c3 {\n} {test.name = \"loop\"}\n");
  ASSERT_TRUE(scf.loop && scf.loop.hasBounds());
  EXPECT_EQ(scf.loop.getLower().getConstant(), std::nullopt);
  EXPECT_EQ(scf.loop.getUpper().getConstant(), 10);
  EXPECT_EQ(scf.loop.getConstantStep(), 3);
  EXPECT_FALSE(scf.loop.isUnsigned());
  EXPECT_EQ(scf.loop.getControl().size(), 3u);

  Snippet affine("affine.for %i = %n to 10 step 3 {\n} "
                 "{test.name = \"loop\"}\n");
  ASSERT_TRUE(affine.loop && affine.loop.hasBounds());
  EXPECT_TRUE(isa<Value>(affine.loop.getLower().value));
  EXPECT_EQ(affine.loop.getUpper().getConstant(), 10);
  EXPECT_EQ(affine.loop.getConstantStep(), 3);
  EXPECT_EQ(affine.loop.getControl().size(), 1u);

  Snippet maps("affine.for %i = max affine_map<(d0) -> (d0, 2)>(%n) to min "
               "affine_map<(d0)[s0] -> (d0 + s0, 9)>(%n)[%m] {\n} "
               "{test.name = \"loop\"}\n");
  ASSERT_TRUE(maps.loop && maps.loop.hasBounds());
  EXPECT_EQ(maps.loop.getLower().map.getNumResults(), 2u);
  EXPECT_EQ(maps.loop.getUpper().operands.size(), 2u);
  EXPECT_EQ(maps.loop.getUpper().getConstant(), std::nullopt);

  Snippet wrapped("scf.for unsigned %i = %n to %c10 step %c3 {\n} "
                  "{test.name = \"loop\"}\n");
  EXPECT_TRUE(wrapped.loop.isUnsigned());
}

TEST(CountedLoopTest, TripCounts) {
  StringRef end = " {\n} {test.name = \"loop\"}\n";
  auto count = [&](StringRef header) {
    return getTripCount((header + end).str());
  };
  EXPECT_EQ(count("scf.for %i = %c0 to %c10 step %c3"), 4);
  EXPECT_EQ(count("scf.for %i = %c0 to %n step %c3"), std::nullopt);
  EXPECT_EQ(count("affine.for %i = 0 to 10 step 3"), 4);
  EXPECT_EQ(count("affine.for %i = 0 to 9 step 3"), 3);
  EXPECT_EQ(count("affine.for %i = -2 to 1"), 3);
  EXPECT_EQ(count("affine.for %i = 5 to 5"), 0);
  EXPECT_EQ(count("affine.for %i = 7 to 5"), 0);
  EXPECT_EQ(count("affine.for %i = 0 to %n"), std::nullopt);
  EXPECT_EQ(count("affine.for %i = %n to %m"), std::nullopt);
  EXPECT_EQ(count("affine.for %i = affine_map<(d0) -> (d0 * 4)>(%n) to "
                  "affine_map<(d0) -> (d0 * 4 + 4)>(%n) step 2"),
            2);
  EXPECT_EQ(count("affine.for %i = %n to affine_map<(d0) -> (d0 + 5)>(%n)"), 5);
  EXPECT_EQ(count("affine.for %i = 0 to min affine_map<(d0) -> (d0, 8)>(%n)"),
            std::nullopt);
}

TEST(CountedLoopTest, CarriedValues) {
  for (StringRef loop :
       {"%r = scf.for %i = %c0 to %c10 step %c3 iter_args(%s = %n) -> (index) "
        "{\n%t = arith.addi %s, %i : index\nscf.yield %t : index\n} "
        "{test.name = \"loop\"}\n",
        "%r = affine.for %i = 0 to 10 step 3 iter_args(%s = %n) -> (index) "
        "{\n%t = arith.addi %s, %i : index\naffine.yield %t : index\n} "
        "{test.name = \"loop\"}\n"}) {
    Snippet snippet(loop);
    ASSERT_TRUE(snippet.loop);
    ASSERT_EQ(snippet.loop.getIterArgs().size(), 1u);
    ASSERT_EQ(snippet.loop.getInits().size(), 1u);
    ASSERT_EQ(snippet.loop.getYieldedValues().size(), 1u);
    EXPECT_TRUE(isa<BlockArgument>(snippet.loop.getInits()[0]));
    EXPECT_TRUE(snippet.loop.getYieldedValues()[0].getDefiningOp());
    EXPECT_NE(snippet.loop.getInductionVar(), snippet.loop.getIterArgs()[0]);
  }
}

TEST(CountedLoopTest, WhatIsNoCountedLoop) {
  EXPECT_FALSE(CountedLoop::get(nullptr));
  EXPECT_FALSE(CountedLoop::isOne(nullptr));
  for (StringRef loop :
       {"affine.parallel (%i) = (0) to (10) {\n} {test.name = \"loop\"}\n",
        "scf.parallel (%i) = (%c0) to (%c10) step (%c1) {\n} "
        "{test.name = \"loop\"}\n",
        "scf.forall (%i) in (10) {\n} {test.name = \"loop\"}\n",
        "scf.while : () -> () {\n%p = arith.cmpi ult, %n, %m : index\n"
        "scf.condition(%p)\n} do {\nscf.yield\n} attributes "
        "{test.name = \"loop\"}\n"}) {
    Snippet snippet(loop);
    EXPECT_FALSE(snippet.loop) << loop.str();
    EXPECT_TRUE(mayRepeatRegions(snippet.op, LaunchShape())) << loop.str();
  }
}

TEST(CountedLoopTest, RegionsThatRunOnce) {
  for (StringRef op :
       {"%p = arith.cmpi ult, %n, %m : index\nscf.if %p {\n} else {\n} "
        "{test.name = \"loop\"}\n",
        "affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) {\n} "
        "{test.name = \"loop\"}\n",
        "memref.alloca_scope {\n} {test.name = \"loop\"}\n",
        "scf.execute_region {\nscf.yield\n} {test.name = \"loop\"}\n",
        "scf.index_switch %n {test.name = \"loop\"}\ncase 2 {\nscf.yield\n}\n"
        "default {\nscf.yield\n}\n"}) {
    Snippet snippet(op);
    EXPECT_FALSE(snippet.loop) << op.str();
    EXPECT_FALSE(mayRepeatRegions(snippet.op, LaunchShape())) << op.str();
  }
}

TEST(CountedLoopTest, ForallOfWorkgroups) {
  Snippet snippet("scf.forall (%i, %j) in (2, 3) {\n} {mapping = "
                  "[#gpu.block<y>, #gpu.block<x>], test.name = \"loop\"}\n");
  LaunchShape shape;
  EXPECT_FALSE(mayRepeatRegions(snippet.op, shape))
      << "a workgroup for each iteration";
  shape.grid = {3, 2, 1};
  EXPECT_FALSE(mayRepeatRegions(snippet.op, shape));
  shape.grid = {2, 3, 1};
  EXPECT_TRUE(mayRepeatRegions(snippet.op, shape)) << "the sizes are swapped";
}
