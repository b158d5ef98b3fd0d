//===- HazardPlacesTest.cpp - which accesses are of one place -===//
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
