//===- ThreadRelationsTest.cpp - can two accesses meet? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Threads/ThreadRelations.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A kernel whose accesses are `"test.access"(%i, ...) {name}` ops: one element
/// given by the operands, or `sizes` of them in each dimension.
struct Accesses : public testing::Test {
  void parse(StringRef body, StringRef attributes) {
    source = ("func.func @k(%arg0: index, %arg1: memref<?xindex>, %flag: i1) "
              "attributes {" +
              attributes + "} {\n" + body + "\n return\n}")
                 .str();
    module = std::make_unique<TestModule>(source);
    ASSERT_TRUE(*module);
    kernel = getKernels(**module).front();
    shape = *getLaunchShape(kernel);
    kernel->walk([&](Operation *op) {
      if (auto name = op->getAttrOfType<StringAttr>("test.name"))
        named[name.getValue()] = op;
    });
  }

  ElementAccess access(StringRef name) {
    ElementAccess result;
    result.op = named.lookup(name);
    EXPECT_TRUE(result.op) << name.str();
    result.ranges.emplace();
    auto sizes = result.op->getAttrOfType<DenseI64ArrayAttr>("sizes");
    for (auto [index, operand] : llvm::enumerate(result.op->getOperands())) {
      IndexRange range;
      range.offset = LinearExpr(OpFoldResult(operand));
      range.size = LinearExpr(sizes ? sizes[index] : 1);
      if (auto stride = result.op->getAttrOfType<IntegerAttr>("stride"))
        range.stride = stride.getInt();
      result.ranges->push_back(range);
    }
    return result;
  }

  bool mayOverlap(StringRef a, StringRef b,
                  ExecutionPair pair = ExecutionPair::DifferentThreads,
                  StringRef scope = "", int64_t subgroupSize = 32) {
    Operation *scopeOp = scope.empty() ? nullptr : named.lookup(scope);
    return ThreadRelations(getTestContext(kernel, subgroupSize))
        .mayOverlap(access(a), access(b), pair, scopeOp);
  }
  bool isContained(StringRef inner, StringRef outer) {
    return ThreadRelations(getTestContext(kernel, 32))
        .isContained(access(inner), access(outer));
  }

  std::string source;
  std::unique_ptr<TestModule> module;
  FunctionOpInterface kernel;
  LaunchShape shape;
  llvm::StringMap<Operation *> named;
};

constexpr const char *kBlock64 = "gpu.known_block_size = array<i32: 64, 1, 1>";
} // namespace

TEST_F(Accesses, ReversedAndAlignedForalls) {
  parse(R"(
    scf.forall (%i) in (64) {
      "test.access"(%i) {test.name = "write"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (64) {
      %r = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
      "test.access"(%r) {test.name = "reversed"} : (index) -> ()
      "test.access"(%i) {test.name = "own"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (64) {
      "test.access"(%i) {test.name = "linear"} : (index) -> ()
    } {mapping = [#gpu.thread<linear_dim_0>]})",
        kBlock64);
  EXPECT_TRUE(mayOverlap("write", "reversed"));
  EXPECT_FALSE(mayOverlap("write", "own"));
  EXPECT_FALSE(mayOverlap("write", "linear"));
  EXPECT_FALSE(mayOverlap("write", "write"));
}

TEST_F(Accesses, SwappedMapping) {
  parse(R"(
    scf.forall (%i, %j) in (8, 8) {
      "test.access"(%i, %j) {test.name = "write"} : (index, index) -> ()
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.forall (%i, %j) in (8, 8) {
      "test.access"(%i, %j) {test.name = "swapped"} : (index, index) -> ()
    } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
    scf.forall (%i) in (64) {
      %r, %c = "affine.delinearize_index"(%i) <{static_basis = array<i64: 8, 8>}> : (index) -> (index, index)
      "test.access"(%r, %c) {test.name = "delinearized"} : (index, index) -> ()
    } {mapping = [#gpu.thread<linear_dim_0>]})",
        "gpu.known_block_size = array<i32: 8, 8, 1>");
  EXPECT_TRUE(mayOverlap("write", "swapped"));
  EXPECT_FALSE(mayOverlap("write", "write"));
  EXPECT_FALSE(mayOverlap("write", "delinearized"));
}

TEST_F(Accesses, RepartitionedSlices) {
  parse(R"(
    scf.forall (%i) in (64) {
      "test.access"(%i) {test.name = "one"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (32) {
      %p = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
      "test.access"(%p) {test.name = "two", sizes = array<i64: 2>} : (index) -> ()
    } {mapping = [#gpu.thread<x>]})",
        kBlock64);
  EXPECT_TRUE(mayOverlap("one", "two"));
  EXPECT_FALSE(mayOverlap("two", "two"));
}

// A slice that moves with a loop is aligned in one iteration only.
TEST_F(Accesses, RotatingSlice) {
  parse(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    scf.for %k = %c0 to %c6 step %c1 {
      scf.forall (%i) in (64) {
        %s = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 64)>(%i, %k)
        "test.access"(%s) {test.name = "a"} : (index) -> ()
      } {mapping = [#gpu.thread<x>], test.name = "forall"}
      scf.forall (%i) in (64) {
        %0 = arith.addi %k, %i : index
        %c64 = arith.constant 64 : index
        %s = arith.remui %0, %c64 : index
        "test.access"(%s) {test.name = "b"} : (index) -> ()
      } {mapping = [#gpu.thread<x>]}
    } {test.name = "loop"})",
        kBlock64);
  EXPECT_TRUE(mayOverlap("a", "b"));
  EXPECT_TRUE(mayOverlap("a", "b", ExecutionPair::DifferentThreads, "loop"));
  EXPECT_FALSE(
      mayOverlap("a", "a", ExecutionPair::DifferentIterations, "forall"));
}

TEST_F(Accesses, WrappedIterations) {
  parse(R"(
    scf.forall (%i) in (100) {
      "test.access"(%i) {test.name = "wrapped"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (100) {
      %s = affine.apply affine_map<(d0) -> ((d0 + 64) mod 128)>(%i)
      "test.access"(%s) {test.name = "shifted"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) = (10) to (74) step (2) {
      "test.access"(%i) {test.name = "stepped"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]})",
        kBlock64);
  EXPECT_FALSE(mayOverlap("wrapped", "wrapped"));
  EXPECT_FALSE(mayOverlap("wrapped", "shifted"));
  EXPECT_TRUE(mayOverlap("wrapped", "stepped"));
  EXPECT_FALSE(mayOverlap("stepped", "stepped"));
}

TEST_F(Accesses, OwnSlices) {
  parse(R"(
    scf.forall (%i) in (16) {
      %even = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
      %odd = affine.apply affine_map<(d0) -> (2 * d0 + 1)>(%i)
      %next = affine.apply affine_map<(d0) -> (2 * d0 + 2)>(%i)
      "test.access"(%even) {test.name = "both", sizes = array<i64: 2>} : (index) -> ()
      "test.access"(%odd) {test.name = "odd"} : (index) -> ()
      "test.access"(%odd) {test.name = "across", sizes = array<i64: 2>} : (index) -> ()
      "test.access"(%next) {test.name = "next"} : (index) -> ()
      "test.access"(%even) {test.name = "strided", sizes = array<i64: 8>, stride = 2} : (index) -> ()
    } {mapping = [#gpu.thread<x>], test.name = "forall"})",
        kBlock64);
  auto pair = ExecutionPair::DifferentIterations;
  EXPECT_FALSE(mayOverlap("both", "both", pair, "forall"));
  EXPECT_FALSE(mayOverlap("both", "odd", pair, "forall"));
  EXPECT_TRUE(mayOverlap("both", "across", pair, "forall"));
  EXPECT_TRUE(mayOverlap("both", "next", pair, "forall"));
  EXPECT_FALSE(mayOverlap("odd", "strided", pair, "forall"));
  EXPECT_TRUE(isContained("odd", "both"));
  EXPECT_FALSE(isContained("across", "both"));
  EXPECT_FALSE(isContained("next", "both"));
  EXPECT_TRUE(isContained("next", "strided"));
  EXPECT_FALSE(isContained("odd", "strided"));
}

TEST_F(Accesses, SubgroupsAndLanes) {
  parse(R"(
    scf.forall (%w) in (4) {
      scf.forall (%l) in (32) {
        "test.access"(%w, %l) {test.name = "lane"} : (index, index) -> ()
        %n = affine.apply affine_map<(d0) -> ((d0 + 1) mod 32)>(%l)
        "test.access"(%w, %n) {test.name = "next"} : (index, index) -> ()
        "test.access"(%l) {test.name = "flat"} : (index) -> ()
      } {mapping = [#gpu.lane<linear_dim_0>]}
    } {mapping = [#gpu.warp<linear_dim_0>]}
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %w = arith.divui %t, %c32 : index
    %l = arith.remui %t, %c32 : index
    "test.access"(%w, %l) {test.name = "spmd"} : (index, index) -> ())",
        "gpu.known_block_size = array<i32: 128, 1, 1>");
  EXPECT_FALSE(mayOverlap("lane", "lane"));
  EXPECT_TRUE(mayOverlap("lane", "next"));
  EXPECT_TRUE(mayOverlap("lane", "next", ExecutionPair::DifferentLanes));
  EXPECT_FALSE(mayOverlap("lane", "next", ExecutionPair::DifferentSubgroups));
  EXPECT_TRUE(mayOverlap("flat", "flat", ExecutionPair::DifferentSubgroups));
  EXPECT_FALSE(mayOverlap("flat", "flat", ExecutionPair::DifferentLanes));
  EXPECT_FALSE(mayOverlap("lane", "spmd"));
}

TEST_F(Accesses, SPMDGuards) {
  parse(R"(
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %n = arith.addi %t, %c1 : index
    %first = arith.cmpi eq, %t, %c0 : index
    %few = arith.cmpi ult, %t, %c8 : index
    "test.access"(%t) {test.name = "own"} : (index) -> ()
    "test.access"(%n) {test.name = "neighbour"} : (index) -> ()
    "test.access"(%c0) {test.name = "zero"} : (index) -> ()
    scf.if %first {
      "test.access"(%c0) {test.name = "guarded"} : (index) -> ()
      "test.access"(%arg0) {test.name = "anywhere"} : (index) -> ()
    }
    scf.if %few {
      "test.access"(%t) {test.name = "low"} : (index) -> ()
    } else {
      "test.access"(%t) {test.name = "high"} : (index) -> ()
      "test.access"(%c8) {test.name = "eight"} : (index) -> ()
    })",
        kBlock64);
  EXPECT_FALSE(mayOverlap("own", "own"));
  EXPECT_TRUE(mayOverlap("own", "neighbour"));
  EXPECT_TRUE(mayOverlap("zero", "zero"));
  EXPECT_FALSE(mayOverlap("guarded", "guarded"));
  EXPECT_FALSE(mayOverlap("anywhere", "anywhere"));
  EXPECT_FALSE(mayOverlap("own", "guarded"));
  EXPECT_FALSE(mayOverlap("low", "eight"));
  EXPECT_TRUE(mayOverlap("high", "eight"));
}

// Of bounds of one number the strictest stands for all, wherever it stands.
TEST_F(Accesses, BoundsInEachOther) {
  parse(R"(
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    %below20 = arith.cmpi slt, %t, %c20 : index
    %below8 = arith.cmpi slt, %t, %c8 : index
    %from4 = arith.cmpi sge, %t, %c4 : index
    scf.if %below8 {
      scf.if %below20 {
        scf.if %from4 {
          "test.access"(%arg0) {test.name = "4 to 7"} : (index) -> ()
        } else {
          "test.access"(%arg0) {test.name = "to 3"} : (index) -> ()
        }
        "test.access"(%t) {test.name = "to 7"} : (index) -> ()
      }
    } else {
      scf.if %below20 {
        "test.access"(%t) {test.name = "8 to 19"} : (index) -> ()
      }
      "test.access"(%t) {test.name = "from 8"} : (index) -> ()
    }
    "test.access"(%c4) {test.name = "four"} : (index) -> ()
    "test.access"(%c8) {test.name = "eight"} : (index) -> ()
    "test.access"(%c20) {test.name = "twenty"} : (index) -> ())",
        kBlock64);
  EXPECT_TRUE(mayOverlap("to 7", "four"));
  EXPECT_FALSE(mayOverlap("to 7", "eight"));
  EXPECT_FALSE(mayOverlap("8 to 19", "four"));
  EXPECT_TRUE(mayOverlap("8 to 19", "eight"));
  EXPECT_FALSE(mayOverlap("8 to 19", "twenty"));
  EXPECT_TRUE(mayOverlap("from 8", "twenty"));
  for (StringRef some : {"4 to 7", "to 3"})
    EXPECT_TRUE(mayOverlap(some, "4 to 7", ExecutionPair::DifferentThreads));
  // Kept or not, the answers are the same.
  ThreadRelations relations(getTestContext(kernel, 32),
                            ThreadRelations::ControlFlow::IsKept);
  std::vector<StringRef> names = {"4 to 7", "to 3", "to 7",  "8 to 19",
                                  "from 8", "four", "eight", "twenty"};
  for (StringRef a : names)
    for (StringRef b : names)
      for (ExecutionPair pair :
           {ExecutionPair::SameThread, ExecutionPair::DifferentThreads})
        EXPECT_EQ(relations.mayOverlap(access(a), access(b), pair,
                                       static_cast<Operation *>(nullptr)),
                  mayOverlap(a, b, pair))
            << a.str() << ", " << b.str();
}

// More conditions than one list of them holds.
TEST_F(Accesses, ManyConditionsInEachOther) {
  constexpr int kDepth = 150;
  std::string body = "%t = gpu.thread_id x\n%c0 = arith.constant 0 : index\n"
                     "%zero = arith.cmpi eq, %t, %c0 : index\n"
                     "scf.if %zero {\n";
  for (int i = 0; i < kDepth; ++i)
    body += "%p" + std::to_string(i) +
            " = memref.load %flags[%c0] : memref<1xi1>\nscf.if %p" +
            std::to_string(i) + " {\n";
  body += "\"test.access\"(%arg0) {test.name = \"inside\"} : (index) -> ()\n";
  for (int i = 0; i <= kDepth; ++i)
    body += "}\n";
  parse("%flags = memref.alloc() : memref<1xi1>\n" + body +
            "\"test.access\"(%arg0) {test.name = \"outside\"} : (index) -> ()",
        kBlock64);
  // One thread only, by the outermost condition.
  EXPECT_FALSE(mayOverlap("inside", "inside"));
  EXPECT_TRUE(mayOverlap("inside", "outside"));
}

// Thread ids differ although they are defined outside the scope; so does what
// is computed from them, and what a thread finds in its private memory.
TEST_F(Accesses, WhatIsSharedInALoop) {
  parse(R"(
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %p = memref.alloca() : memref<1xindex, #gpu.address_space<private>>
    %mine = memref.load %p[%c0] : memref<1xindex, #gpu.address_space<private>>
    %ours = memref.load %arg1[%c0] : memref<?xindex>
    %theirs = memref.load %arg1[%t] : memref<?xindex>
    scf.for %k = %c0 to %c9 step %c1 {
      %s = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%t)[%ours]
      %r = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%t)[%mine]
      %d = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%t)[%theirs]
      %v = memref.load %arg1[%c1] : memref<?xindex>
      %e = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%t)[%v]
      "test.access"(%s) {test.name = "ours"} : (index) -> ()
      "test.access"(%r) {test.name = "mine"} : (index) -> ()
      "test.access"(%d) {test.name = "theirs"} : (index) -> ()
      "test.access"(%e) {test.name = "varying"} : (index) -> ()
      "test.access"(%arg0, %t) {test.name = "argument"} : (index, index) -> ()
      scf.if %flag {
        "test.access"(%k, %t) {test.name = "iteration"} : (index, index) -> ()
      } {test.name = "body"}
    } {test.name = "loop"})",
        kBlock64);
  auto threads = ExecutionPair::DifferentThreads;
  EXPECT_FALSE(mayOverlap("ours", "ours", threads, "loop"));
  EXPECT_FALSE(mayOverlap("ours", "ours"));
  EXPECT_TRUE(mayOverlap("mine", "mine", threads, "loop"));
  EXPECT_TRUE(mayOverlap("theirs", "theirs", threads, "loop"));
  EXPECT_TRUE(mayOverlap("varying", "varying", threads, "loop"));
  EXPECT_FALSE(mayOverlap("argument", "argument", threads, "loop"));
  EXPECT_FALSE(mayOverlap("iteration", "iteration", threads, "body"));
}

TEST_F(Accesses, Workgroups) {
  parse(R"(
    scf.forall (%b) in (4) {
      scf.forall (%i) in (64) {
        %g = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%b, %i)
        "test.access"(%g) {test.name = "own"} : (index) -> ()
        "test.access"(%i) {test.name = "same"} : (index) -> ()
        %h = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1 + 1)>(%b, %i)
        "test.access"(%h) {test.name = "halo"} : (index) -> ()
      } {mapping = [#gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]})",
        "gpu.known_block_size = array<i32: 64, 1, 1>, "
        "gpu.known_grid_size = array<i32: 4, 1, 1>");
  auto pair = ExecutionPair::DifferentWorkgroups;
  EXPECT_FALSE(mayOverlap("own", "own", pair));
  EXPECT_TRUE(mayOverlap("same", "same", pair));
  EXPECT_TRUE(mayOverlap("own", "halo", pair));
  EXPECT_FALSE(mayOverlap("own", "own"));
}

// H4: slots of a rotating buffer, in one iteration of the loop.
TEST_F(Accesses, RotatingSlots) {
  parse(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %arg0 step %c1 {
      scf.if %flag {
        %w = affine.apply affine_map<(d0) -> ((d0 + 2) mod 3)>(%i)
        %r = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
        %f = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
        "test.access"(%w) {test.name = "write"} : (index) -> ()
        "test.access"(%r) {test.name = "read"} : (index) -> ()
        "test.access"(%f) {test.name = "four"} : (index) -> ()
      } {test.name = "body"}
    } {test.name = "loop"})",
        kBlock64);
  auto threads = ExecutionPair::DifferentThreads;
  EXPECT_FALSE(mayOverlap("write", "read", threads, "body"));
  EXPECT_TRUE(mayOverlap("write", "read", threads, "loop"));
  EXPECT_TRUE(mayOverlap("write", "four", threads, "body"));
}

TEST_F(Accesses, RegionsInTheBlockOfTheBuffer) {
  // A buffer that is fresh in each execution of a block is one buffer for all
  // iterations of what stands in that block.
  parse(R"(
    scf.forall (%i) in (64) {
      %c3 = arith.constant 3 : index
      %j = arith.addi %i, %c3 : index
      "test.access"(%i) {test.name = "own"} : (index) -> ()
      "test.access"(%j) {test.name = "shifted"} : (index) -> ()
    } {mapping = [#gpu.thread<x>]}
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %k = %c0 to %c8 step %c1 {
      scf.forall (%i) in (64) {
        %j = arith.addi %i, %k : index
        "test.access"(%j) {test.name = "moving"} : (index) -> ()
      } {mapping = [#gpu.thread<x>]}
    }
  )",
        kBlock64);
  ThreadRelations relations(getTestContext(kernel, 32));
  Block *block = &kernel.getFunctionBody().front();
  auto mayOverlapIn = [&](StringRef a, StringRef b, Block *instance) {
    return relations.mayOverlap(access(a), access(b),
                                ExecutionPair::DifferentThreads, instance);
  };
  EXPECT_FALSE(mayOverlapIn("own", "own", block));
  EXPECT_TRUE(mayOverlapIn("own", "shifted", block));
  EXPECT_TRUE(mayOverlapIn("moving", "moving", block));
  Block *body = &named.lookup("moving")
                     ->getParentOfType<scf::ForOp>()
                     .getRegion()
                     .front();
  EXPECT_FALSE(mayOverlapIn("moving", "moving", body));
}

namespace {
/// Ops on numbers of 8 bits, by the compiler's own arithmetic.
struct NarrowOp {
  const char *name;
  uint8_t (*compute)(uint8_t, uint8_t);
};
const NarrowOp kNarrowOps[] = {
    {"addi", [](uint8_t a, uint8_t b) { return uint8_t(a + b); }},
    {"subi", [](uint8_t a, uint8_t b) { return uint8_t(a - b); }},
    {"minui", [](uint8_t a, uint8_t b) { return std::min(a, b); }},
    {"maxui", [](uint8_t a, uint8_t b) { return std::max(a, b); }},
    {"minsi",
     [](uint8_t a, uint8_t b) {
       return uint8_t(std::min<int8_t>(int8_t(a), int8_t(b)));
     }},
};
struct NarrowPredicate {
  const char *name;
  bool (*holds)(uint8_t, uint8_t);
};
const NarrowPredicate kNarrowPredicates[] = {
    {"ult", [](uint8_t a, uint8_t b) { return a < b; }},
    {"uge", [](uint8_t a, uint8_t b) { return a >= b; }},
    {"ugt", [](uint8_t a, uint8_t b) { return a > b; }},
    {"slt", [](uint8_t a, uint8_t b) { return int8_t(a) < int8_t(b); }},
    {"ne", [](uint8_t a, uint8_t b) { return a != b; }},
};

/// A random access under a random condition, as text and as a function.
struct NarrowAccess {
  static constexpr unsigned kOps = 2;
  struct Step {
    unsigned op, lhs, rhs;
  };
  Step steps[kOps];
  unsigned predicate, lhs, rhs, index;
  bool isUnsigned;

  explicit NarrowAccess(std::mt19937 &random) {
    auto pick = [&](unsigned end) { return unsigned(random() % end); };
    for (unsigned i = 0; i < kOps; ++i)
      steps[i] = {pick(std::size(kNarrowOps)), pick(3 + i), pick(3 + i)};
    predicate = pick(std::size(kNarrowPredicates));
    lhs = pick(3 + kOps), rhs = pick(3 + kOps), index = pick(3 + kOps);
    isUnsigned = pick(2);
  }

  /// Values 0, 1 and 2 are the thread, the argument and a constant.
  std::string getText(const std::string &name) const {
    auto value = [&](unsigned number) {
      const char *given[] = {"%t", "%u", "%c"};
      return number < 3 ? std::string(given[number])
                        : "%" + name + std::to_string(number);
    };
    std::string text;
    for (unsigned i = 0; i < kOps; ++i)
      text += value(3 + i) + " = arith." + kNarrowOps[steps[i].op].name + " " +
              value(steps[i].lhs) + ", " + value(steps[i].rhs) + " : i8\n";
    return text + "%" + name + "if = arith.cmpi " +
           kNarrowPredicates[predicate].name + ", " + value(lhs) + ", " +
           value(rhs) + " : i8\nscf.if %" + name + "if {\n%" + name +
           "at = arith.index_cast" + (isUnsigned ? "ui " : " ") + value(index) +
           " : i8 to index\n\"test.access\"(%" + name + "at) {test.name = \"" +
           name + "\"} : (index) -> ()\n}\n";
  }

  /// The place that thread `t` touches, if it does.
  std::optional<int> getPlace(uint8_t t, uint8_t u, uint8_t c) const {
    uint8_t values[3 + kOps] = {t, u, c};
    for (unsigned i = 0; i < kOps; ++i)
      values[3 + i] = kNarrowOps[steps[i].op].compute(values[steps[i].lhs],
                                                      values[steps[i].rhs]);
    if (!kNarrowPredicates[predicate].holds(values[lhs], values[rhs]))
      return std::nullopt;
    return isUnsigned ? int(values[index]) : int(int8_t(values[index]));
  }
};
} // namespace

// Against all arguments and all pairs of threads.
TEST_F(Accesses, NarrowNumbersWithAndWithoutSign) {
  constexpr unsigned kThreads = 8;
  std::mt19937 random(8);
  unsigned apart = 0, proved = 0;
  for (unsigned number = 0; number < 1500; ++number) {
    NarrowAccess a(random), b(random);
    int c = int(random() % 256) - 128;
    parse("%tid = gpu.thread_id x\n%t = arith.index_cast %tid : index to i8\n"
          "%u = arith.index_cast %arg0 : index to i8\n%c = arith.constant " +
              std::to_string(c) + " : i8\n" + a.getText("a") + b.getText("b"),
          "gpu.known_block_size = array<i32: 8, 1, 1>");
    bool meet = false;
    for (unsigned u = 0; u < 256 && !meet; ++u)
      for (unsigned t = 0; t < kThreads; ++t)
        for (unsigned other = 0; other < kThreads; ++other) {
          std::optional<int> place = a.getPlace(t, u, c);
          meet |= t != other && place && place == b.getPlace(other, u, c);
        }
    bool may = mayOverlap("a", "b");
    EXPECT_TRUE(may || !meet) << source;
    apart += !meet;
    proved += !may;
  }
  // Nearly all that never meet are known to.
  EXPECT_GT(proved * 10, apart * 9) << proved << " of " << apart;
}
