//===- BarrierVerifierTest.cpp - is a kernel with barriers free of races? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass does not print; the situations H1, H2, … are in
// test/Transforms/verify-barriers.mlir.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierVerifier.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"
#include <chrono>

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// A kernel of 128 threads in subgroups of 32 with a buffer %a.
struct BarrierVerifierTest : public testing::Test {
  void parse(StringRef body, unsigned limit = 100) {
    source = ("func.func @k(%n: index, %flag: i1, %v: f32) attributes "
              "{gpu.known_block_size = array<i32: 128, 1, 1>} {\n"
              "%t = gpu.thread_id x\n"
              "%c0 = arith.constant 0 : index\n"
              "%c1 = arith.constant 1 : index\n"
              "%r = affine.apply affine_map<(d0) -> (127 - d0)>(%t)\n"
              "%a = memref.alloc() : memref<128xf32, "
              "#gpu.address_space<workgroup>>\n" +
              body + "\nreturn\n}")
                 .str();
    module = std::make_unique<TestModule>(source);
    ASSERT_TRUE(*module);
    FunctionOpInterface kernel = getKernels(**module).front();
    verifier = std::make_unique<BarrierVerifier>(getTestContext(kernel, 32),
                                                 VerifierLimits{limit});
  }
  static std::string store(StringRef index, StringRef name = "s") {
    return ("memref.store %v, %a[" + index + "] {test.name = \"" + name +
            "\"} : memref<128xf32, #gpu.address_space<workgroup>>\n")
        .str();
  }
  static std::string load(StringRef index, StringRef name = "l") {
    return ("%" + name + " = memref.load %a[" + index + "] {test.name = \"" +
            name + "\"} : memref<128xf32, #gpu.address_space<workgroup>>\n")
        .str();
  }

  std::string source;
  std::unique_ptr<TestModule> module;
  std::unique_ptr<BarrierVerifier> verifier;
};
} // namespace

TEST_F(BarrierVerifierTest, Hazard) {
  parse(store("%t") + load("%r"));
  ASSERT_EQ(verifier->getHazards().size(), 1u);
  const UncutHazard &hazard = verifier->getHazards().front();
  EXPECT_EQ(hazard.cause, UncutHazard::NoBarrier);
  EXPECT_EQ(stringifyHazardKind(hazard.threads.kind), "RAW");
  EXPECT_EQ(hazard.first.op, module->get("s"));
  EXPECT_EQ(hazard.second.op, module->get("l"));
  EXPECT_FALSE(hazard.carryingLoop);
  EXPECT_TRUE(hazard.threads.acrossSubgroups);
  EXPECT_FALSE(verifier->isRaceFree());
  EXPECT_TRUE(verifier->isComplete());
}

TEST_F(BarrierVerifierTest, Ordered) {
  parse(store("%t") + "gpu.barrier\n" + load("%r"));
  EXPECT_TRUE(verifier->isRaceFree());
}

/// The outermost loop whose next iteration begins on the path is named.
TEST_F(BarrierVerifierTest, Crossed) {
  parse("scf.for %i = %c0 to %n step %c1 {\n" + load("%r") +
        "scf.for %j = %c0 to %n step %c1 {\ngpu.barrier\n" + store("%t") +
        "}\n} {test.name = \"outer\"}");
  // Not the load before the loop in the same iteration, but the one after it.
  ASSERT_FALSE(verifier->getHazards().empty());
  for (const UncutHazard &hazard : verifier->getHazards()) {
    EXPECT_EQ(hazard.first.op, module->get("s"));
    EXPECT_EQ(hazard.second.op, module->get("l"));
    EXPECT_EQ(hazard.carryingLoop, module->get("outer"));
  }
}

/// A loop that runs once brings nothing back.
TEST_F(BarrierVerifierTest, BarrierInLoop) {
  parse(store("%t") +
        "%c4 = arith.constant 4 : index\n"
        "scf.for %i = %c0 to %c4 step %c1 {\ngpu.barrier\n}\n" +
        load("%r"));
  EXPECT_TRUE(verifier->isRaceFree());
  parse(store("%t") + "scf.for %i = %c0 to %n step %c1 {\ngpu.barrier\n}\n" +
        load("%r"));
  EXPECT_FALSE(verifier->isRaceFree());
}

/// In a loop of its own length a thread is in another iteration than others.
TEST_F(BarrierVerifierTest, DivergentLoop) {
  parse("scf.for %i = %c0 to %t step %c1 {\n" + load("%r") + store("%t") +
        "} {test.name = \"loop\"}");
  ASSERT_FALSE(verifier->getHazards().empty());
  for (const UncutHazard &hazard : verifier->getHazards()) {
    EXPECT_EQ(hazard.cause, UncutHazard::Divergent);
    EXPECT_EQ(hazard.region, module->get("loop"));
  }
}

TEST_F(BarrierVerifierTest, Limit) {
  std::string body;
  for (int i = 0; i < 10; ++i)
    body += store("%t", "s" + std::to_string(i)) +
            load("%r", "l" + std::to_string(i));
  parse(body, /*limit=*/5);
  EXPECT_EQ(verifier->getHazards().size(), 5u);
  EXPECT_FALSE(verifier->isComplete());
}

/// Straight-line code of many accesses with few barriers.
TEST_F(BarrierVerifierTest, Scale) {
  std::string body;
  for (int i = 0; i < 10000; ++i) {
    body += i % 2 ? load("%t", "l" + std::to_string(i))
                  : store("%t", "s" + std::to_string(i));
    if (i % 2000 == 1999)
      body += "gpu.barrier\n";
  }
  auto begin = std::chrono::steady_clock::now();
  parse(body);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(verifier->isRaceFree());
  EXPECT_LT(seconds.count(), 20.0);
}

// Accesses that meet nobody are not followed one by one: all together they take
// a few steps for each op, also behind loops that may be left out. Those that
// may meet in some iterations are.
TEST_F(BarrierVerifierTest, OnePassForAll) {
  std::string body;
  for (unsigned i = 0; i < 500; ++i) {
    std::string name = "l" + std::to_string(i);
    body += "scf.for %" + name + "i = %c0 to %n step %c1 {\n" + store("%t") +
            load("%t", name) + "}\n";
  }
  auto verify = [&](StringRef end) {
    parse((body + end).str());
    FunctionOpInterface kernel = getKernels(**module).front();
    VerifierLimits limits;
    limits.steps = 20000;
    verifier =
        std::make_unique<BarrierVerifier>(getTestContext(kernel, 32), limits);
  };
  verify("");
  EXPECT_FALSE(verifier->hasGivenUp());
  EXPECT_TRUE(verifier->isRaceFree());
  verify(load("%r", "last"));
  EXPECT_FALSE(verifier->isRaceFree());
}

// Blocks under conditions on one number are told apart in the one pass.
TEST_F(BarrierVerifierTest, ExclusiveBlocksInOnePass) {
  auto branch = [](int64_t bound, unsigned i, StringRef then, StringRef other) {
    std::string name = std::to_string(i);
    return ("%k" + name + " = arith.constant " + std::to_string(bound) +
            " : index\n%p" + name + " = arith.cmpi slt, %n, %k" + name +
            " : index\nscf.if %p" + name + " {\n" + then + "} else {\n" +
            other + "}\n")
        .str();
  };
  auto verify = [&](StringRef body) {
    parse(body);
    FunctionOpInterface kernel = getKernels(**module).front();
    VerifierLimits limits;
    limits.steps = 20000;
    verifier =
        std::make_unique<BarrierVerifier>(getTestContext(kernel, 32), limits);
    EXPECT_EQ(verifier->isRaceFree(), verifier->getHazards().empty());
    return verifier->isRaceFree();
  };
  std::string exchange = store("%t") + "gpu.barrier\n";
  auto getRow = [&](int64_t step) {
    std::string body;
    for (unsigned i = 0; i < 400; ++i)
      body += branch(1000 + step * i, i, exchange, load("%r"));
    return body;
  };
  // Behind the second side of one branch the first of none is taken.
  EXPECT_TRUE(verify(getRow(-1)));
  EXPECT_FALSE(verify(getRow(1)));
  // The first store and the load are in one execution, the second is not.
  std::string stores =
      branch(8, 0, store("%t"), "") + branch(16, 1, "", store("%t"));
  EXPECT_FALSE(verify(stores + branch(4, 2, load("%r"), "")));
  EXPECT_FALSE(verify("scf.for %i = %c0 to %n step %c1 {\n" +
                      branch(4, 2, load("%r"), "") + stores + "}"));
  std::string high =
      branch(24, 0, "", store("%t")) + branch(16, 1, "", store("%t"));
  EXPECT_TRUE(verify(high + branch(16, 2, load("%r"), "")));
  EXPECT_FALSE(verify(high + branch(17, 2, load("%r"), "")));
  EXPECT_TRUE(verify("scf.for %i = %c0 to %n step %c1 {\n" +
                     branch(16, 2, load("%r"), "") + high + "}"));
}
