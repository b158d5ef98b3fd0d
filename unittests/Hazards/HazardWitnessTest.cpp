//===- HazardWitnessTest.cpp - who shows a hazard -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HazardsFixture.h"
#include "MemSpace/Threads/Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>

using namespace mlir;
using namespace mlir::memspace;

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
