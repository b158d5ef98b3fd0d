//===- SomeIterationsTest.cpp - meetings found fast are meetings -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spaces/SomeIterations.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Two accesses of a kernel of 64 threads, at the results of the ops `a` and
/// `b`.
class SomeIterationsTest : public testing::Test {
protected:
  void parse(const std::string &text) {
    source = text;
    module = std::make_unique<TestModule>(
        "func.func @k(%n: index) attributes {gpu.known_block_size = "
        "array<i32: 16, 4, 1>} {\n%c3 = arith.constant 3 : index\n" +
        text + "return\n}");
    ASSERT_TRUE(*module) << source;
    context.emplace(getTestContext(getKernels(**module).front(), 32));
  }
  ElementAccess get(StringRef name, int64_t size) {
    ElementAccess access;
    access.op = module->get(name);
    IndexRange range;
    range.offset = LinearExpr(OpFoldResult(access.op->getResult(0)));
    range.size = LinearExpr(size);
    access.ranges.emplace({range});
    return access;
  }
  bool inThreads(int64_t left = 1, int64_t right = 1) {
    return meetInSomeThreads(get("a", left), get("b", right), *context);
  }
  bool areApart(int64_t left = 1, int64_t right = 1) {
    return areApartInThreads(get("a", left), get("b", right), *context);
  }
  bool inIterations(int64_t left = 1, int64_t right = 1) {
    return meetInSomeIterations(get("a", left), get("b", right),
                                /*areApart=*/true);
  }
  /// What the constraints say.
  bool mayMeet(ExecutionPair pair, int64_t left = 1, int64_t right = 1) {
    ThreadRelations relations(*context);
    return relations.mayOverlap(get("a", left), get("b", right), pair,
                                static_cast<Block *>(nullptr));
  }

  std::string source;
  std::unique_ptr<TestModule> module;
  std::optional<KernelContext> context;
};
} // namespace

/// A forall of `count` iterations, in which `name` is `map` of the iteration.
static std::string getForall(StringRef name, StringRef count, StringRef map,
                             StringRef mapping) {
  return ("scf.forall (%t) in (" + count + ") {\n%i = affine.apply " +
          "affine_map<(t) -> (" + map + ")>(%t) {test.name = \"" + name +
          "\"}\n} {mapping = [#gpu.thread<" + mapping + ">]}\n")
      .str();
}

TEST_F(SomeIterationsTest, firstAndLast) {
  parse(getForall("a", "64", "t * 4", "linear_dim_0") +
        getForall("b", "64", "252 - t * 4", "linear_dim_0"));
  EXPECT_TRUE(inThreads());
  EXPECT_TRUE(inIterations());
  // Not in the same iterations.
  EXPECT_FALSE(
      meetInSomeIterations(get("a", 4), get("b", 4), /*areApart=*/false));
  // The same thread.
  parse(getForall("a", "64", "t * 4", "linear_dim_0") +
        getForall("b", "64", "t * 4", "linear_dim_0"));
  EXPECT_FALSE(inThreads(4, 4));
  EXPECT_TRUE(inIterations());
  // Neighbours; and parts of which the first elements are apart.
  parse(getForall("a", "64", "t mod 63", "linear_dim_0") +
        getForall("b", "64", "t", "linear_dim_0"));
  EXPECT_TRUE(inThreads());
  parse(getForall("a", "64", "t", "linear_dim_0") +
        getForall("b", "64", "62 - t", "linear_dim_0"));
  EXPECT_FALSE(inThreads(1, 1));
  EXPECT_TRUE(inThreads(1, 2));
}

// Iterations of equal numbers have to be by one thread, others by others.
TEST_F(SomeIterationsTest, onlyThreadsThatAreKnown) {
  for (auto [count, left, right] : {std::array<StringRef, 3>{"16", "x", "y"},
                                    {"64", "linear_dim_0", "linear_dim_1"},
                                    {"128", "linear_dim_0", "linear_dim_0"},
                                    {"%n", "linear_dim_0", "linear_dim_0"},
                                    {"1", "linear_dim_0", "linear_dim_0"}}) {
    parse(getForall("a", count, "0", left) + getForall("b", count, "0", right));
    EXPECT_FALSE(inThreads()) << source;
  }
  // One of them may not be executed.
  parse(getForall("a", "64", "0", "linear_dim_0") +
        "%c = arith.cmpi slt, %n, %c3 : index\nscf.if %c {\n" +
        getForall("b", "64", "0", "linear_dim_0") + "}\n");
  EXPECT_FALSE(inThreads());
  EXPECT_TRUE(inIterations());
  // What stands beside a forall all threads execute.
  parse(getForall("a", "64", "t", "linear_dim_0") +
        "%z = affine.apply affine_map<() -> (0)>() {test.name = \"b\"}\n");
  EXPECT_TRUE(inThreads());
  parse(getForall("a", "64", "t + 1", "linear_dim_0") +
        "%z = affine.apply affine_map<() -> (0)>() {test.name = \"b\"}\n");
  EXPECT_FALSE(inThreads());
  EXPECT_TRUE(inThreads(1, 2));
}

// Threads that are compared are of one workgroup.
TEST_F(SomeIterationsTest, inOneWorkgroup) {
  auto parseBlocks = [&](StringRef left, StringRef right) {
    auto getPart = [](StringRef name, StringRef map) {
      return ("scf.forall (%t) in (64) {\n%i = affine.apply affine_map<(w, t) "
              "-> (" +
              map + ")>(%w, %t) {test.name = \"" + name +
              "\"}\n} {mapping = [#gpu.thread<linear_dim_0>]}\n")
          .str();
    };
    parse("scf.forall (%w) in (8) {\n" + getPart("a", left) +
          getPart("b", right) + "} {mapping = [#gpu.block<x>]}\n");
  };
  parseBlocks("w * 64 + t", "w * 64 + 63 - t");
  EXPECT_TRUE(inThreads());
  EXPECT_TRUE(mayMeet(ExecutionPair::DifferentThreads));
  // Which they would by other parts of the workgroups.
  parseBlocks("t", "t * 0 + (7 - w) * 64 + 64");
  EXPECT_FALSE(inThreads());
  parseBlocks("w * 64 + t", "t - w * 64 + 385");
  EXPECT_FALSE(inThreads());
}

// Elements that a thread keeps to itself.
TEST_F(SomeIterationsTest, apart) {
  auto parseBoth = [&](StringRef left, StringRef right,
                       StringRef mapping = "linear_dim_0") {
    parse(getForall("a", "64", left, mapping) +
          getForall("b", "64", right, mapping));
  };
  parseBoth("t * 4 + 1", "t * 4 + 1");
  EXPECT_TRUE(areApart(4, 4));
  EXPECT_TRUE(areApart(1, 3));
  EXPECT_FALSE(areApart(5, 4));
  EXPECT_FALSE(areApart(4, 5));
  parseBoth("t * -4 + 252", "252 - t * 4");
  EXPECT_TRUE(areApart(4, 4));
  // Steps or beginnings that differ, and none.
  parseBoth("t * 4", "t * 4 + 1");
  EXPECT_FALSE(areApart(4, 4));
  parseBoth("t * 4", "t * 8");
  EXPECT_FALSE(areApart(4, 4));
  parseBoth("t * 0 + 7", "t * 0 + 7");
  EXPECT_FALSE(areApart());
  parseBoth("t mod 64", "t mod 64");
  EXPECT_FALSE(areApart());
  // Iterations that a thread has not alone, or that are not numbered alike.
  parseBoth("t", "t", "x");
  EXPECT_FALSE(areApart());
  parse(getForall("a", "16", "t", "x") + getForall("b", "16", "t", "x"));
  EXPECT_TRUE(areApart());
  parse(getForall("a", "16", "t", "x") +
        getForall("b", "16", "t", "linear_dim_0"));
  EXPECT_FALSE(areApart());
  parse(getForall("a", "16", "t", "x") + getForall("b", "15", "t", "x"));
  EXPECT_FALSE(areApart());
  parse("scf.forall (%w) in (2) {\n" + getForall("a", "16", "t", "x") +
        getForall("b", "16", "t", "x") + "} {mapping = [#gpu.warp<x>]}\n");
  EXPECT_FALSE(areApart());
  // Steps of the forall count, too; those of a loop inside do not.
  auto parseSteps = [&](StringRef left, StringRef right) {
    auto getPart = [](StringRef name, StringRef range) {
      return ("scf.forall (%t) = " + range +
              " {\nscf.for %j = %c3 to %n step %c3 {\n%i = affine.apply "
              "affine_map<(t) -> (t)>(%t) {test.name = \"" +
              name + "\"}\n}\n} {mapping = [#gpu.thread<x>]}\n")
          .str();
    };
    parse(getPart("a", left) + getPart("b", right));
  };
  parseSteps("(0) to (64) step (4)", "(0) to (64) step (4)");
  EXPECT_TRUE(areApart(4, 4));
  EXPECT_FALSE(areApart(4, 5));
  parseSteps("(0) to (64) step (4)", "(4) to (68) step (4)");
  EXPECT_FALSE(areApart(4, 4));
}

TEST_F(SomeIterationsTest, apartInTwoDimensions) {
  auto getPart = [](StringRef name, StringRef map) {
    return ("scf.forall (%t, %u) in (4, 16) {\n%i = affine.apply "
            "affine_map<(t, u) -> (" +
            map + ")>(%t, %u) {test.name = \"" + name +
            "\"}\n} {mapping = [#gpu.thread<y>, #gpu.thread<x>]}\n")
        .str();
  };
  // One number does not part both dimensions, however it is computed.
  parse(getPart("a", "t * 16 + u") + getPart("b", "t * 16 + u"));
  EXPECT_FALSE(areApart());
  auto addRange = [&](ElementAccess access, StringRef of) {
    IndexRange range;
    range.offset = LinearExpr(OpFoldResult(module->get(of)->getResult(0)));
    range.size = LinearExpr(2);
    access.ranges->push_back(range);
    return access;
  };
  parse(getPart("a", "t") + getPart("b", "t"));
  EXPECT_FALSE(areApart());
  parse("scf.forall (%t, %u) in (4, 16) {\n%i = affine.apply affine_map<(t) -> "
        "(t)>(%t) {test.name = \"a\"}\n%k = affine.apply affine_map<(u) -> "
        "(u * 2)>(%u) {test.name = \"c\"}\n} {mapping = [#gpu.thread<y>, "
        "#gpu.thread<x>]}\n");
  EXPECT_TRUE(areApartInThreads(addRange(get("a", 1), "c"),
                                addRange(get("a", 1), "c"), *context));
  EXPECT_FALSE(areApartInThreads(addRange(get("a", 1), "a"),
                                 addRange(get("a", 1), "a"), *context));
  EXPECT_FALSE(areApartInThreads(addRange(get("a", 2), "c"),
                                 addRange(get("a", 2), "c"), *context));
}

// What is found is never what the constraints exclude.
TEST_F(SomeIterationsTest, areMeetings) {
  std::mt19937 random(7);
  auto pick = [&](int64_t first, int64_t last) {
    return std::to_string(first + int64_t(random() % (last - first + 1)));
  };
  auto getMap = [&] {
    std::string sum = "t * " + pick(-3, 3) + " + " + pick(-4, 70);
    switch (random() % 4) {
    case 0:
      return "(" + sum + ") mod " + pick(1, 70);
    case 1:
      return "(" + sum + ") floordiv " + pick(1, 9);
    case 2:
      return "(" + sum + ") ceildiv " + pick(1, 9);
    default:
      return sum;
    }
  };
  unsigned found = 0, meetings = 0, apart = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    bool isLinear = random() % 2 != 0;
    std::string mapping = isLinear ? "linear_dim_0" : random() % 2 ? "x" : "y";
    std::string count = random() % 3 ? (isLinear ? "64" : "4") : pick(1, 70);
    std::string map = getMap();
    parse(getForall("a", count, map, mapping) +
          getForall("b", random() % 5 ? count : pick(1, 20),
                    random() % 4 ? getMap() : map, mapping));
    int64_t left = 1 + random() % 3, right = 1 + random() % 3;
    bool isMeeting = mayMeet(ExecutionPair::DifferentThreads, left, right);
    meetings += isMeeting;
    if (inThreads(left, right)) {
      ++found;
      EXPECT_TRUE(isMeeting) << source;
    }
    if (areApart(left, right)) {
      ++apart;
      EXPECT_FALSE(isMeeting) << source;
    }
    if (inIterations(left, right))
      EXPECT_TRUE(isMeeting || mayMeet(ExecutionPair::SameThread, left, right))
          << source;
    if (HasFailure())
      return;
  }
  EXPECT_GT(found, 50u);
  EXPECT_GT(meetings, 2 * found);
  EXPECT_GT(apart, 20u);
}
