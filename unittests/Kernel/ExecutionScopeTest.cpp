//===- ExecutionScopeTest.cpp - tests of ExecutionScope -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/ExecutionScope.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

/// A kernel with one empty forall of `rank` dimensions and the given mapping.
std::string forallWithMapping(unsigned rank, StringRef mapping) {
  std::string ids, bounds;
  for (unsigned i = 0; i < rank; ++i) {
    ids += (i ? ", %i" : "%i") + std::to_string(i);
    bounds += i ? ", 4" : "4";
  }
  std::string attrs = "test.name = \"forall\"";
  if (!mapping.empty())
    attrs += ", mapping = [" + mapping.str() + "]";
  return "func.func @k() attributes {gpu.known_block_size = "
         "array<i32: 64, 1, 1>} {\n  scf.forall (" +
         ids + ") in (" + bounds + ") {\n  } {" + attrs + "}\n  return\n}\n";
}

std::optional<ForallMapping> mappingOf(unsigned rank, StringRef mapping) {
  TestModule module(forallWithMapping(rank, mapping));
  if (!module) {
    ADD_FAILURE() << "the snippet does not parse";
    return std::nullopt;
  }
  return getForallMapping(module.get<scf::ForallOp>("forall"));
}

TEST(ForallMappingTest, thread) {
  std::optional<ForallMapping> mapping =
      mappingOf(2, "#gpu.thread<y>, #gpu.thread<x>");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->scope, ExecutionScope::Thread);
  EXPECT_FALSE(mapping->lane);
  EXPECT_FALSE(mapping->linear);
  EXPECT_EQ(mapping->dims, (SmallVector<unsigned, 3>{1, 0}));
}

TEST(ForallMappingTest, linear) {
  std::optional<ForallMapping> mapping =
      mappingOf(2, "#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->scope, ExecutionScope::Thread);
  EXPECT_TRUE(mapping->linear);
  EXPECT_EQ(mapping->dims, (SmallVector<unsigned, 3>{1, 0}));
}

TEST(ForallMappingTest, everyLevel) {
  std::optional<ForallMapping> mapping = mappingOf(1, "#gpu.block<x>");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->scope, ExecutionScope::Workgroup);
  mapping = mappingOf(1, "#gpu.warpgroup<x>");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->scope, ExecutionScope::Warpgroup);
  mapping = mappingOf(1, "#gpu.warp<x>");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->scope, ExecutionScope::Subgroup);
  EXPECT_FALSE(mapping->lane);
  mapping = mappingOf(1, "#gpu.lane<linear_dim_0>");
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->scope, ExecutionScope::Thread);
  EXPECT_TRUE(mapping->lane);
}

TEST(ForallMappingTest, none) { EXPECT_FALSE(mappingOf(1, "")); }

TEST(ForallMappingTest, repeatedDimension) {
  EXPECT_FALSE(mappingOf(2, "#gpu.thread<x>, #gpu.thread<x>"));
}

TEST(ForallMappingTest, mixedLevels) {
  EXPECT_FALSE(mappingOf(2, "#gpu.block<x>, #gpu.thread<y>"));
  EXPECT_FALSE(mappingOf(2, "#gpu.lane<x>, #gpu.thread<y>"));
}

TEST(ForallMappingTest, mixedLinearity) {
  // Upstream's verifier refuses this one already; it must not crash here.
  MLIRContext *context = nullptr;
  TestModule module(forallWithMapping(2, "#gpu.thread<x>, #gpu.thread<y>"));
  ASSERT_TRUE(module);
  context = module.getContext();
  auto forall = module.get<scf::ForallOp>("forall");
  forall.setMappingAttr(ArrayAttr::get(
      context,
      {gpu::GPUThreadMappingAttr::get(context, gpu::MappingId::DimX),
       gpu::GPUThreadMappingAttr::get(context, gpu::MappingId::LinearDim0)}));
  EXPECT_FALSE(getForallMapping(forall));
}

constexpr StringLiteral kNest = R"mlir(
func.func @grid() attributes {gpu.known_block_size = array<i32: 128, 1, 1>,
                              test.name = "kernel"} {
  %c0 = arith.constant {test.name = "in_kernel"} 0 : index
  scf.forall (%b) in (8) {
    %c1 = arith.constant {test.name = "in_block"} 1 : index
    scf.for %k = %c0 to %c1 step %c1 {
      %c2 = arith.constant {test.name = "in_block_loop"} 2 : index
    }
    scf.forall (%t) in (128) {
      %c3 = arith.constant {test.name = "in_thread"} 3 : index
    } {mapping = [#gpu.thread<x>], test.name = "thread"}
    scf.forall (%w) in (4) {
      %c4 = arith.constant {test.name = "in_warp"} 4 : index
      scf.forall (%l) in (32) {
        %c5 = arith.constant {test.name = "in_lane"} 5 : index
      } {mapping = [#gpu.lane<linear_dim_0>], test.name = "lane"}
    } {mapping = [#gpu.warp<x>], test.name = "warp"}
    scf.forall (%g) in (1) {
      %c6 = arith.constant {test.name = "in_warpgroup"} 6 : index
    } {mapping = [#gpu.warpgroup<x>], test.name = "warpgroup"}
  } {mapping = [#gpu.block<x>], test.name = "block"}
  return
}
func.func @workgroup() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
  %c0 = arith.constant {test.name = "in_small_kernel"} 0 : index
  scf.forall (%t) in (128) {
    scf.forall (%s) in (2) {
      %c1 = arith.constant {test.name = "in_unmapped"} 1 : index
    } {test.name = "unmapped"}
  } {mapping = [#gpu.thread<x>], test.name = "small_thread"}
  return
}
)mlir";

class ExecutionScopeTest : public ::testing::Test {
protected:
  ExecutionScopeTest() : module(kNest) {}
  void SetUp() override { ASSERT_TRUE(module); }
  ExecutionScope scopeOf(StringRef name) {
    Operation *op = module.get(name);
    EXPECT_TRUE(op) << name.str();
    return ExecutionScopeAnalysis(*module).getScope(op);
  }
  TestModule module;
};

TEST_F(ExecutionScopeTest, nest) {
  EXPECT_EQ(scopeOf("in_kernel"), ExecutionScope::Grid);
  EXPECT_EQ(scopeOf("in_block"), ExecutionScope::Workgroup);
  EXPECT_EQ(scopeOf("in_block_loop"), ExecutionScope::Workgroup);
  EXPECT_EQ(scopeOf("in_thread"), ExecutionScope::Thread);
  EXPECT_EQ(scopeOf("in_warp"), ExecutionScope::Subgroup);
  EXPECT_EQ(scopeOf("in_lane"), ExecutionScope::Thread);
  EXPECT_EQ(scopeOf("in_warpgroup"), ExecutionScope::Warpgroup);
}

TEST_F(ExecutionScopeTest, forallRunsInTheScopeAround) {
  EXPECT_EQ(scopeOf("block"), ExecutionScope::Grid);
  EXPECT_EQ(scopeOf("thread"), ExecutionScope::Workgroup);
  EXPECT_EQ(scopeOf("warp"), ExecutionScope::Workgroup);
  EXPECT_EQ(scopeOf("lane"), ExecutionScope::Subgroup);
}

TEST_F(ExecutionScopeTest, kernelWithoutBlockForall) {
  EXPECT_EQ(scopeOf("in_small_kernel"), ExecutionScope::Workgroup);
  EXPECT_EQ(scopeOf("small_thread"), ExecutionScope::Workgroup);
}

TEST_F(ExecutionScopeTest, unmappedForallKeepsTheScope) {
  EXPECT_EQ(scopeOf("in_unmapped"), ExecutionScope::Thread);
}

TEST_F(ExecutionScopeTest, values) {
  ExecutionScopeAnalysis analysis(*module);
  auto warp = module.get<scf::ForallOp>("warp");
  EXPECT_EQ(analysis.getScope(warp.getInductionVar(0)),
            ExecutionScope::Subgroup);
  EXPECT_EQ(analysis.getScope(module.get("in_block")->getResult(0)),
            ExecutionScope::Workgroup);
}

TEST_F(ExecutionScopeTest, rootInsideTheKernel) {
  Operation *inKernel = module.get("in_kernel");
  EXPECT_EQ(ExecutionScopeAnalysis(inKernel).getScope(inKernel),
            ExecutionScope::Grid);
}

TEST_F(ExecutionScopeTest, enclosingForall) {
  Operation *inLane = module.get("in_lane");
  EXPECT_EQ(getEnclosingForall(inLane, ExecutionScope::Thread),
            module.get("lane"));
  EXPECT_EQ(getEnclosingForall(inLane, ExecutionScope::Subgroup),
            module.get("warp"));
  EXPECT_EQ(getEnclosingForall(inLane, ExecutionScope::Workgroup),
            module.get("block"));
  EXPECT_FALSE(getEnclosingForall(inLane, ExecutionScope::Warpgroup));
}

TEST_F(ExecutionScopeTest, isThreadForall) {
  EXPECT_TRUE(isThreadForall(module.get<scf::ForallOp>("thread")));
  EXPECT_TRUE(isThreadForall(module.get<scf::ForallOp>("lane")));
  EXPECT_FALSE(isThreadForall(module.get<scf::ForallOp>("warp")));
  EXPECT_FALSE(isThreadForall(module.get<scf::ForallOp>("block")));
  EXPECT_FALSE(isThreadForall(module.get<scf::ForallOp>("unmapped")));
}

} // namespace
