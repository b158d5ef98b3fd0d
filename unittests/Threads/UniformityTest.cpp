//===- UniformityTest.cpp - what is the same in all threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Threads/Uniformity.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr ExecutionScope kWorkgroup = ExecutionScope::Workgroup;
constexpr ExecutionScope kSubgroup = ExecutionScope::Subgroup;
constexpr ExecutionScope kThread = ExecutionScope::Thread;

/// A kernel of 128 threads in subgroups of 32.
struct UniformityTest : public testing::Test {
  void parse(StringRef body) {
    source = ("func.func @k(%n: index, %flag: i1, %x: memref<128xindex>, "
              "%g: memref<128xi1>, %slot: memref<1xi32>) attributes "
              "{gpu.known_block_size = "
              "array<i32: 128, 1, 1>} {\n"
              "%t = gpu.thread_id x\n"
              "%c0 = arith.constant 0 : index\n"
              "%c1 = arith.constant 1 : index\n"
              "%c32 = arith.constant 32 : index\n" +
              body + "\n}")
                 .str();
    module = std::make_unique<TestModule>(source);
    ASSERT_TRUE(*module);
    FunctionOpInterface kernel = getKernels(**module).front();
    KernelContext context = getTestContext(kernel, 32);
    relations = std::make_unique<ThreadRelations>(context);
    uniformity = std::make_unique<Uniformity>(context, *relations);
  }
  ExecutionScope value(StringRef name, unsigned result = 0) {
    return uniformity->getScope(module->get(name)->getResult(result));
  }
  ExecutionScope reach(StringRef name, StringRef wantedCause = "") {
    Operation *cause = nullptr;
    ExecutionScope scope = uniformity->getReachScope(module->get(name), &cause);
    if (scope != kWorkgroup) {
      EXPECT_TRUE(cause);
      EXPECT_EQ(cause, module->get(wantedCause)) << name.str();
    }
    return scope;
  }

  std::string source;
  std::unique_ptr<TestModule> module;
  std::unique_ptr<ThreadRelations> relations;
  std::unique_ptr<Uniformity> uniformity;
};
} // namespace

TEST_F(UniformityTest, StructuredValues) {
  parse(R"(
    %w = arith.divui %t, %c32 {test.name = "warp"} : index
    %s = arith.addi %n, %c1 {test.name = "sum"} : index
    %i = scf.if %flag -> index { scf.yield %n : index }
         else { scf.yield %c0 : index } {test.name = "uniformIf"}
    %low = arith.cmpi ult, %t, %c1 {test.name = "low"} : index
    %d = scf.if %low -> index { scf.yield %n : index }
         else { scf.yield %c0 : index } {test.name = "divergentIf"}
    %f = scf.for %k = %c0 to %n step %c1 iter_args(%a = %c0) -> index {
      %b = arith.addi %a, %k : index
      scf.yield %b : index
    } {test.name = "uniformFor"}
    %e = scf.for %k = %c0 to %t step %c1 iter_args(%a = %c0) -> index {
      %b = arith.addi %a, %c1 : index
      scf.yield %b : index
    } {test.name = "ownFor"}
    return)");
  EXPECT_EQ(value("warp"),
            kThread); // As a value; as a condition see Conditions.
  EXPECT_EQ(value("sum"), kWorkgroup);
  EXPECT_EQ(value("uniformIf"), kWorkgroup);
  EXPECT_EQ(value("low"), kThread);
  EXPECT_EQ(value("divergentIf"), kThread);
  EXPECT_EQ(value("uniformFor"), kWorkgroup);
  EXPECT_EQ(value("ownFor"), kThread);
}

/// From the id of the thread in steps of the number of threads.
TEST_F(UniformityTest, EqualTrips) {
  parse(R"(
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %c1000 = arith.constant 1000 : index
    %c1024 = arith.constant 1024 : index
    %blocks = arith.muli %n, %c128 : index
    scf.for %k = %t to %c1024 step %c128 {
      "test.full"(%k) {test.name = "full"} : (index) -> ()
    }
    scf.for %k = %t to %blocks step %c128 {
      "test.blocks"(%k) {test.name = "blocks"} : (index) -> ()
    }
    affine.for %k = affine_map<(d0) -> (d0 + 3)>(%t)
        to affine_map<()[s0] -> (s0 * 256 + 3)>()[%n] step 128 {
      "test.affine"(%k) {test.name = "affine"} : (index) -> ()
    }
    scf.for %k = %t to %c1000 step %c128 {
      "test.rest"(%k) {test.name = "rest"} : (index) -> ()
    } {test.name = "restLoop"}
    scf.for %k = %t to %n step %c128 {
      "test.unknown"(%k) {test.name = "unknown"} : (index) -> ()
    } {test.name = "unknownLoop"}
    scf.for %k = %t to %c1024 step %c100 {
      "test.step"(%k) {test.name = "step"} : (index) -> ()
    } {test.name = "stepLoop"}
    // By subgroups of 32.
    %warp = arith.divui %t, %c32 : index
    %lane = arith.remui %t, %c32 : index
    scf.for %k = %lane to %c128 step %c32 {
      "test.lanes"(%k) {test.name = "lanes"} : (index) -> ()
    }
    scf.for %k = %warp to %c100 step %c32 {
      "test.warps"(%k) {test.name = "warps"} : (index) -> ()
    }
    // Bounds that move together.
    %end = arith.addi %t, %n : index
    scf.for %k = %t to %end step %c32 {
      "test.moved"(%k) {test.name = "moved"} : (index) -> ()
    }
    return)");
  EXPECT_EQ(reach("full"), kWorkgroup);
  EXPECT_EQ(reach("blocks"), kWorkgroup);
  EXPECT_EQ(reach("affine"), kWorkgroup);
  EXPECT_EQ(reach("rest", "restLoop"), kThread);
  EXPECT_EQ(reach("unknown", "unknownLoop"), kThread);
  EXPECT_EQ(reach("step", "stepLoop"), kThread);
  EXPECT_EQ(reach("lanes"), kWorkgroup);
  EXPECT_EQ(reach("warps"), kWorkgroup);
  EXPECT_EQ(reach("moved"), kWorkgroup);
  // Each thread has its own number all the same.
  Operation *full = module->get("full");
  EXPECT_EQ(uniformity->getScope(full->getOperand(0)), kThread);
}

/// The same, of blocks and of `scf.while`.
TEST_F(UniformityTest, EqualTripsOfBranches) {
  parse(R"(
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %c1000 = arith.constant 1000 : index
    %c1024 = arith.constant 1024 : index
    %blocks = arith.muli %n, %c128 : index
    scf.while (%i = %t) : (index) -> (index) {
      %more = arith.cmpi slt, %i, %blocks : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      "test.while"() {test.name = "while"} : () -> ()
      %j = arith.addi %i, %c128 : index
      scf.yield %j : index
    }
    scf.while (%i = %t) : (index) -> (index) {
      %more = arith.cmpi slt, %i, %blocks : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      "test.while"() {test.name = "whileStep"} : () -> ()
      %j = arith.addi %i, %c100 : index
      scf.yield %j : index
    } attributes {test.name = "stepWhile"}
    scf.while (%i = %t) : (index) -> (index) {
      "test.while"() {test.name = "doWhile"} : () -> ()
      %j = arith.addi %i, %c128 : index
      %more = arith.cmpi slt, %j, %blocks : index
      scf.condition(%more) %j : index
    } do {
    ^bb0(%i: index):
      scf.yield %i : index
    }
    cf.br ^rotated(%t : index)
  ^rotated(%r: index):
    "test.rotated"() {test.name = "rotated"} : () -> ()
    %q = arith.addi %r, %c128 : index
    %around = arith.cmpi ult, %q, %c1024 : index
    cf.cond_br %around, ^rotated(%q : index), ^enter
  ^enter:
    cf.br ^rest(%t : index)
  ^rest(%s: index):
    "test.rest"() {test.name = "rest"} : () -> ()
    %u = arith.addi %s, %c128 : index
    %over = arith.cmpi ult, %u, %c1000 : index
    cf.cond_br %over, ^rest(%u : index), ^begin {test.name = "restEnd"}
  ^begin:
    cf.br ^head(%t : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %blocks : index
    cf.cond_br %more, ^body, ^next
  ^body:
    "test.body"() {test.name = "body"} : () -> ()
    %j = arith.addi %i, %c128 : index
    cf.br ^head(%j : index)
  ^next:
    "test.next"() {test.name = "next"} : () -> ()
    %lane = arith.remui %t, %c32 : index
    cf.br ^inner(%lane : index)
  ^inner(%k: index):
    // By subgroups, the other way around; with a branch inside.
    %on = arith.cmpi sgt, %c128, %k : index
    cf.cond_br %on, ^choose, ^odd
  ^choose:
    "test.choose"() {test.name = "choose"} : () -> ()
    %low = arith.cmpi slt, %t, %c100 : index
    cf.cond_br %low, ^some, ^latch {test.name = "branch"}
  ^some:
    "test.some"() {test.name = "some"} : () -> ()
    cf.br ^latch
  ^latch:
    "test.latch"() {test.name = "latch"} : () -> ()
    %l = arith.addi %k, %c32 : index
    cf.br ^inner(%l : index)
  ^odd:
    // The end is another one in each iteration.
    cf.br ^moving(%t : index)
  ^moving(%m: index):
    %end = memref.load %x[%m] : memref<128xindex>
    %run = arith.cmpi slt, %m, %end : index
    cf.cond_br %run, ^moved, ^leave {test.name = "movingEnd"}
  ^moved:
    "test.moved"() {test.name = "moved"} : () -> ()
    %o = arith.addi %m, %c128 : index
    cf.br ^moving(%o : index)
  ^leave:
    // Goes on where the comparison says no.
    cf.br ^wrong(%t : index)
  ^wrong(%w: index):
    %small = arith.cmpi slt, %w, %c128 : index
    cf.cond_br %small, ^out, ^again {test.name = "wrongWay"}
  ^again:
    "test.again"() {test.name = "again"} : () -> ()
    %v = arith.addi %w, %c128 : index
    cf.br ^wrong(%v : index)
  ^out:
    return)");
  EXPECT_EQ(reach("while"), kWorkgroup);
  EXPECT_EQ(reach("whileStep", "stepWhile"), kThread);
  EXPECT_EQ(reach("doWhile"), kWorkgroup);
  EXPECT_EQ(reach("rotated"), kWorkgroup);
  EXPECT_EQ(reach("rest", "restEnd"), kThread);
  EXPECT_EQ(reach("body"), kWorkgroup);
  EXPECT_EQ(reach("next"), kWorkgroup);
  EXPECT_EQ(reach("choose"), kWorkgroup);
  EXPECT_EQ(reach("some", "branch"), kThread);
  EXPECT_EQ(reach("latch"), kWorkgroup);
  EXPECT_EQ(reach("moved", "movingEnd"), kThread);
  EXPECT_EQ(reach("again", "wrongWay"), kThread);
}

/// The last number of i8 plus 64 may be a negative one, which goes on.
TEST_F(UniformityTest, EqualTripsWithoutWrap) {
  parse(R"(
    %lane = arith.remui %t, %c32 : index
    %first = arith.index_cast %lane : index to i8
    %c32_i8 = arith.constant 32 : i8
    %c64_i8 = arith.constant 64 : i8
    %c96_i8 = arith.constant 96 : i8
    scf.while (%i = %first) : (i8) -> (i8) {
      %more = arith.cmpi slt, %i, %c64_i8 : i8
      scf.condition(%more) %i : i8
    } do {
    ^bb0(%i: i8):
      "test.in"() {test.name = "in"} : () -> ()
      %j = arith.addi %i, %c32_i8 : i8
      scf.yield %j : i8
    }
    scf.while (%i = %first) : (i8) -> (i8) {
      %more = arith.cmpi slt, %i, %c96_i8 : i8
      scf.condition(%more) %i : i8
    } do {
    ^bb0(%i: i8):
      "test.in"() {test.name = "wraps"} : () -> ()
      %j = arith.addi %i, %c96_i8 : i8
      scf.yield %j : i8
    } attributes {test.name = "wrapping"}
    return)");
  EXPECT_EQ(reach("in"), kWorkgroup);
  EXPECT_EQ(reach("wraps", "wrapping"), kThread);
}

/// Threads that leave an outer loop one by one begin the inner one with what
/// they read in iterations of their own.
TEST_F(UniformityTest, EqualTripsInOwnIterations) {
  parse(R"(
    %c128 = arith.constant 128 : index
    cf.br ^outer(%c0 : index)
  ^outer(%k: index):
    %at = arith.addi %k, %c1 : index
    %last = arith.cmpi eq, %k, %t : index
    %end = memref.load %x[%c0] : memref<128xindex>
    cf.cond_br %last, ^then, ^outer(%at : index) {test.name = "parting"}
  ^then:
    %blocks = arith.muli %end, %c128 : index
    cf.br ^head(%t : index)
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %blocks : index
    cf.cond_br %more, ^body, ^out {test.name = "counting"}
  ^body:
    "test.body"() {test.name = "body"} : () -> ()
    %j = arith.addi %i, %c128 : index
    cf.br ^head(%j : index)
  ^out:
    return)");
  EXPECT_EQ(reach("body", "counting"), kThread);
}

/// What a while passes on beside its counter does not make the counter differ.
TEST_F(UniformityTest, WhilePassesEachValue) {
  parse(R"(
    %r:2 = scf.while (%i = %c0, %a = %t) : (index, index) -> (index, index) {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i, %a : index, index
    } do {
    ^bb0(%i: index, %a: index):
      gpu.barrier {test.name = "inside"}
      %j = arith.addi %i, %c1 : index
      %b = arith.addi %a, %t : index
      scf.yield %j, %b : index, index
    } attributes {test.name = "while"}
    %q:2 = scf.while (%i = %c0, %a = %t) : (index, index) -> (index, index) {
      %more = arith.cmpi ult, %a, %n : index
      scf.condition(%more) %i, %a : index, index
    } do {
    ^bb0(%i: index, %a: index):
      gpu.barrier {test.name = "own"}
      %j = arith.addi %i, %c1 : index
      %b = arith.addi %a, %c1 : index
      scf.yield %j, %b : index, index
    } attributes {test.name = "ownWhile"}
    return)");
  EXPECT_EQ(value("while", 0), kWorkgroup);
  EXPECT_EQ(value("while", 1), kThread);
  EXPECT_EQ(reach("inside"), kWorkgroup);
  EXPECT_EQ(value("ownWhile", 0), kThread);
  EXPECT_EQ(reach("own", "ownWhile"), kThread);
}

TEST_F(UniformityTest, Conditions) {
  parse(R"(
    %w = arith.divui %t, %c32 : index
    %first = arith.cmpi eq, %w, %c0 : index
    %c128 = arith.constant 128 : index
    %always = arith.cmpi ult, %t, %c128 : index
    %low = arith.cmpi ult, %t, %c1 : index
    scf.if %first { gpu.barrier {test.name = "inWarp"} } {test.name = "warp"}
    scf.if %always { gpu.barrier {test.name = "inAll"} }
    scf.if %low {
      scf.if %first { gpu.barrier {test.name = "inOne"} }
    } {test.name = "one"}
    return)");
  EXPECT_EQ(reach("inWarp", "warp"), kSubgroup);
  EXPECT_EQ(reach("inAll"), kWorkgroup);
  EXPECT_EQ(reach("inOne", "one"), kThread);
}

/// From shared memory one address gives one value; from private memory it gives
/// what the thread has stored; an atomic gives each thread another one.
TEST_F(UniformityTest, Loads) {
  parse(R"(
    %a = memref.load %x[%c1] {test.name = "one"} : memref<128xindex>
    %b = memref.load %x[%t] {test.name = "own"} : memref<128xindex>
    %p = memref.alloca() : memref<1xindex, #gpu.address_space<private>>
    memref.store %n, %p[%c0] : memref<1xindex, #gpu.address_space<private>>
    %c = memref.load %p[%c0] {test.name = "same"} : memref<1xindex, #gpu.address_space<private>>
    %q = memref.alloca() : memref<1xindex, #gpu.address_space<private>>
    memref.store %t, %q[%c0] : memref<1xindex, #gpu.address_space<private>>
    %d = memref.load %q[%c0] {test.name = "private"} : memref<1xindex, #gpu.address_space<private>>
    %one = arith.constant 1 : i32
    %e = memref.atomic_rmw addi %one, %slot[%c0] {test.name = "ticket"} : (i32, memref<1xi32>) -> i32
    return)");
  EXPECT_EQ(value("one"), kWorkgroup);
  EXPECT_EQ(value("own"), kThread);
  EXPECT_EQ(value("same"), kWorkgroup);
  EXPECT_EQ(value("private"), kThread);
  EXPECT_EQ(value("ticket"), kThread);
}

/// What a subgroup reads at one place of shared memory is one number.
TEST_F(UniformityTest, LoadedConditions) {
  parse(R"(
    %w = arith.divui %t, %c32 : index
    %a = memref.load %g[%w] : memref<128xi1>
    scf.if %a { gpu.barrier {test.name = "inFlagged"} } {test.name = "flagged"}
    %v = memref.subview %x[%w] [1] [1] : memref<128xindex> to memref<1xindex, strided<[1], offset: ?>>
    %b = memref.load %v[%c0] : memref<1xindex, strided<[1], offset: ?>>
    %few = arith.cmpi ult, %b, %n : index
    %both = arith.andi %few, %flag : i1
    scf.if %both { gpu.barrier {test.name = "inFew"} } {test.name = "few"}
    scf.for %k = %c0 to %b step %c1 {
      gpu.barrier {test.name = "inLoop"}
    } {test.name = "loop"}
    %c = memref.load %g[%t] : memref<128xi1>
    scf.if %c { gpu.barrier {test.name = "inOwn"} } {test.name = "own"}
    %o = memref.subview %x[%t] [1] [1] : memref<128xindex> to memref<1xindex, strided<[1], offset: ?>>
    %d = memref.load %o[%c0] : memref<1xindex, strided<[1], offset: ?>>
    %less = arith.cmpi ult, %d, %n : index
    scf.if %less { gpu.barrier {test.name = "inLess"} } {test.name = "less"}
    %p = memref.alloca() : memref<4xindex, #gpu.address_space<private>>
    memref.store %t, %p[%w] : memref<4xindex, #gpu.address_space<private>>
    %e = memref.load %p[%w] : memref<4xindex, #gpu.address_space<private>>
    %mine = arith.cmpi ult, %e, %n : index
    scf.if %mine { gpu.barrier {test.name = "inPrivate"} } {test.name = "private"}
    %one = arith.constant 1 : i32
    %f = memref.atomic_rmw addi %one, %slot[%c0] : (i32, memref<1xi32>) -> i32
    %first = arith.cmpi ult, %f, %one : i32
    scf.if %first { gpu.barrier {test.name = "inTicket"} } {test.name = "ticket"}
    return)");
  EXPECT_EQ(reach("inFlagged", "flagged"), kSubgroup);
  EXPECT_EQ(reach("inFew", "few"), kSubgroup);
  EXPECT_EQ(reach("inLoop", "loop"), kSubgroup);
  EXPECT_EQ(reach("inOwn", "own"), kThread);
  EXPECT_EQ(reach("inLess", "less"), kThread);
  EXPECT_EQ(reach("inPrivate", "private"), kThread);
  EXPECT_EQ(reach("inTicket", "ticket"), kThread);
}

/// Threads part at a branch and come together at its post-dominator.
TEST_F(UniformityTest, BlocksDiamond) {
  parse(R"(
    %low = arith.cmpi ult, %t, %c1 : index
    cf.cond_br %low, ^then, ^else {test.name = "branch"}
  ^then:
    gpu.barrier {test.name = "inThen"}
    cf.br ^join(%n : index)
  ^else:
    cf.cond_br %flag, ^far, ^join(%c0 : index)
  ^far:
    gpu.barrier {test.name = "inFar"}
    cf.br ^join(%c1 : index)
  ^join(%j: index):
    %r = arith.addi %j, %n {test.name = "joined"} : index
    gpu.barrier {test.name = "atJoin"}
    cf.cond_br %flag, ^last(%c0 : index), ^last(%c1 : index)
  ^last(%l: index):
    %m = arith.addi %l, %n {test.name = "uniformJoin"} : index
    return)");
  EXPECT_EQ(reach("inThen", "branch"), kThread);
  EXPECT_EQ(reach("inFar", "branch"), kThread);
  EXPECT_EQ(reach("atJoin"), kWorkgroup);
  EXPECT_EQ(value("joined"), kThread);
  EXPECT_EQ(value("uniformJoin"), kWorkgroup);
}

/// Whichever way threads come, they bring one value that was there before they
/// parted; not one of the iteration in which each has left a loop.
TEST_F(UniformityTest, BlocksBringOneValue) {
  parse(R"(
    %low = arith.cmpi ult, %t, %c1 : index
    cf.cond_br %low, ^then, ^join(%n, %c0, %n : index, index, index)
  ^then:
    cf.br ^join(%n, %c1, %t : index, index, index)
  ^join(%one: index, %two: index, %own: index):
    %v1 = arith.addi %one, %n {test.name = "one"} : index
    %v2 = arith.addi %two, %n {test.name = "two"} : index
    %v3 = arith.addi %own, %n {test.name = "own"} : index
    cf.cond_br %low, ^both(%c0 : index), ^both(%c1 : index)
  ^both(%d: index):
    %v4 = arith.addi %d, %n {test.name = "both"} : index
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %j, %t : index
    cf.cond_br %more, ^head(%j : index), ^exit(%n, %j : index, index)
  ^exit(%before: index, %last: index):
    %v5 = arith.addi %before, %n {test.name = "before"} : index
    %v6 = arith.addi %last, %n {test.name = "last"} : index
    return)");
  EXPECT_EQ(value("one"), kWorkgroup);
  EXPECT_EQ(value("two"), kThread);
  EXPECT_EQ(value("own"), kThread);
  EXPECT_EQ(value("both"), kThread);
  EXPECT_EQ(value("before"), kWorkgroup);
  EXPECT_EQ(value("last"), kThread);
}

/// On one side of a branch are threads that have all gone there: a loop there
/// counts one number. Where two sides lead to, it is that of its side, and on
/// the way back to the branch that of a thread's iteration.
TEST_F(UniformityTest, BlocksOnOneSide) {
  parse(R"(
    %low = arith.cmpi ult, %t, %c1 : index
    cf.cond_br %low, ^side(%c0 : index), ^other {test.name = "branch"}
  ^side(%i: index):
    %v1 = arith.addi %i, %n {test.name = "counter"} : index
    gpu.barrier {test.name = "inSide"}
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %next, %n : index
    cf.cond_br %more, ^side(%next : index), ^both(%c0 : index)
  ^other:
    cf.cond_br %flag, ^both(%c1 : index), ^last(%c0 : index)
  ^both(%b: index):
    %v2 = arith.addi %b, %n {test.name = "both"} : index
    cf.br ^last(%n : index)
  ^last(%l: index):
    %v3 = arith.addi %l, %n {test.name = "last"} : index
    cf.br ^head(%c0 : index)
  ^head(%j: index):
    %own = arith.cmpi ult, %j, %t : index
    cf.cond_br %own, ^again(%j : index), ^exit
  ^again(%k: index):
    %v4 = arith.addi %k, %c1 {test.name = "again"} : index
    cf.br ^head(%v4 : index)
  ^exit:
    return)");
  EXPECT_EQ(value("counter"), kWorkgroup);
  EXPECT_EQ(reach("inSide", "branch"), kThread);
  EXPECT_EQ(value("both"), kThread);
  EXPECT_EQ(value("last"), kThread);
  EXPECT_EQ(value("again"), kThread);
}

/// Two cases of one branch that lead to one block are two ways.
TEST_F(UniformityTest, BlocksOfTwoCases) {
  parse(R"(
    %f = arith.index_cast %t : index to i32
    cf.switch %f : i32, [
      default: ^other(%c0 : index),
      0: ^two(%c1 : index),
      1: ^two(%n : index)
    ]
  ^two(%i: index):
    %v1 = arith.addi %i, %n {test.name = "two"} : index
    cf.br ^join
  ^other(%j: index):
    %v2 = arith.addi %j, %n {test.name = "one"} : index
    cf.br ^join
  ^join:
    return)");
  EXPECT_EQ(value("two"), kThread);
  EXPECT_EQ(value("one"), kWorkgroup);
}

/// A subgroup goes one way together.
TEST_F(UniformityTest, BlocksBySubgroup) {
  parse(R"(
    %w = arith.divui %t, %c32 : index
    %first = arith.cmpi eq, %w, %c0 : index
    cf.cond_br %first, ^then, ^join(%c0 : index) {test.name = "branch"}
  ^then:
    gpu.barrier {test.name = "inThen"}
    cf.br ^join(%n : index)
  ^join(%j: index):
    %r = arith.addi %j, %n {test.name = "joined"} : index
    return)");
  EXPECT_EQ(reach("inThen", "branch"), kSubgroup);
  EXPECT_EQ(value("joined"), kSubgroup);
}

/// Some have returned: nobody waits for them.
TEST_F(UniformityTest, BlocksReturn) {
  parse(R"(
    %low = arith.cmpi ult, %t, %c1 : index
    cf.cond_br %low, ^done, ^on {test.name = "branch"}
  ^done:
    return
  ^on:
    gpu.barrier {test.name = "on"}
    return)");
  EXPECT_EQ(reach("on", "branch"), kThread);
}

/// A loop that all leave together.
TEST_F(UniformityTest, BlocksLoop) {
  parse(R"(
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %more = arith.cmpi ult, %i, %n {test.name = "more"} : index
    cf.cond_br %more, ^body, ^exit
  ^body:
    gpu.barrier {test.name = "inside"}
    %j = arith.addi %i, %c1 {test.name = "next"} : index
    cf.br ^head(%j : index)
  ^exit:
    gpu.barrier {test.name = "behind"}
    return)");
  EXPECT_EQ(value("more"), kWorkgroup);
  EXPECT_EQ(value("next"), kWorkgroup);
  EXPECT_EQ(reach("inside"), kWorkgroup);
  EXPECT_EQ(reach("behind"), kWorkgroup);
}

/// A loop that each leaves when it likes: what its last iteration has loaded
/// differs behind it, though each iteration loads it from one address.
TEST_F(UniformityTest, BlocksLoopOfOwnLength) {
  parse(R"(
    cf.br ^head(%c0 : index)
  ^head(%i: index):
    %u = memref.load %g[%c1] {test.name = "loaded"} : memref<128xi1>
    %j = arith.addi %i, %c1 {test.name = "next"} : index
    %two = arith.addi %n, %n {test.name = "outside"} : index
    %more = arith.cmpi ult, %j, %t : index
    cf.cond_br %more, ^body, ^exit {test.name = "branch"}
  ^body:
    gpu.barrier {test.name = "inside"}
    cf.br ^head(%j : index)
  ^exit:
    gpu.barrier {test.name = "behind"}
    cf.cond_br %u, ^some, ^end {test.name = "byLoad"}
  ^some:
    gpu.barrier {test.name = "some"}
    cf.br ^end
  ^end:
    return)");
  EXPECT_EQ(value("loaded"), kThread);
  EXPECT_EQ(value("next"), kThread);
  EXPECT_EQ(value("outside"), kWorkgroup);
  EXPECT_EQ(reach("inside", "branch"), kThread);
  EXPECT_EQ(reach("behind"), kWorkgroup);
  EXPECT_EQ(reach("some", "byLoad"), kThread);
}

/// Blocks inside a region: those around it count, too, and so do values that
/// leave it.
TEST_F(UniformityTest, BlocksInRegion) {
  parse(R"(
    %low = arith.cmpi ult, %t, %c1 : index
    %r = scf.execute_region -> index {
      cf.cond_br %flag, ^then, ^join
    ^then:
      gpu.barrier {test.name = "inThen"}
      cf.br ^join
    ^join:
      scf.yield %n : index
    } {test.name = "uniform"}
    %q = scf.execute_region -> index {
      cf.cond_br %low, ^a, ^b {test.name = "branch"}
    ^a:
      gpu.barrier {test.name = "inA"}
      scf.yield %n : index
    ^b:
      scf.yield %c0 : index
    } {test.name = "divergent"}
    gpu.barrier {test.name = "behind"}
    return)");
  EXPECT_EQ(reach("inThen"), kWorkgroup);
  EXPECT_EQ(value("uniform"), kWorkgroup);
  EXPECT_EQ(reach("inA", "branch"), kThread);
  EXPECT_EQ(value("divergent"), kThread);
  EXPECT_EQ(reach("behind"), kWorkgroup);
}
