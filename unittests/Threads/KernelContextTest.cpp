//===- KernelContextTest.cpp - what all analyses of a kernel share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/KernelContext.h"
#include "MemSpace/Threads/Uniformity.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// The diagnostic with which a kernel of these attributes is refused; empty if
/// it is not.
std::string refuse(StringRef attributes, const LaunchOverrides &launch = {}) {
  TestModule module(
      ("func.func @k() attributes {" + attributes + "} { return }").str());
  std::string text;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    text += diagnostic.str() + "\n";
                                    return success();
                                  });
  if (!module) {
    ADD_FAILURE() << text;
    return text;
  }
  auto kernel = (*module).lookupSymbol<FunctionOpInterface>("k");
  bool ok = succeeded(KernelContext::create(kernel, getTestTarget(), launch));
  EXPECT_EQ(ok, text.empty()) << text;
  return text;
}

bool contains(const std::string &text, StringRef part) {
  return text.find(part.str()) != std::string::npos;
}
} // namespace

TEST(KernelContextTest, LaunchShape) {
  EXPECT_EQ(refuse("gpu.known_block_size = array<i32: 8, 4, 2>"), "");
  EXPECT_TRUE(contains(refuse(""), "has no block size"));
  for (StringRef size : {"array<i32: 64, 0, 1>", "array<i32: 64, -1, 1>"})
    EXPECT_TRUE(contains(refuse(("gpu.known_block_size = " + size).str()),
                         "must be three positive numbers"))
        << size.str();
  EXPECT_TRUE(contains(refuse("gpu.known_block_size = array<i32: 64, 1, 1>, "
                              "gpu.known_grid_size = array<i32: 0, 1, 1>"),
                       "grid size of kernel 'k'"));
}

// 2^30 · 2^30 · 16 threads wrap to 0 in 64 bits.
TEST(KernelContextTest, ProductsDoNotWrap) {
  EXPECT_TRUE(contains(refuse("gpu.known_block_size = array<i32: 1073741824, "
                              "1073741824, 16>"),
                       "with a product below 2^63"));
  EXPECT_TRUE(contains(refuse("gpu.known_block_size = array<i32: 1024, 2, 1>"),
                       "has workgroups of 2048 threads"));
  EXPECT_EQ(multiplySizes({1 << 30, 1 << 30, 4}), int64_t(1) << 62);
  EXPECT_EQ(multiplySizes({1 << 30, 1 << 30, 8}), std::nullopt);
  EXPECT_EQ(multiplySizes({1, 0, 1}), std::nullopt);
}

TEST(KernelContextTest, Overrides) {
  EXPECT_EQ(refuse("", {{32, 1, 1}, {}}), "");
  EXPECT_TRUE(contains(refuse("", {{32, 1}, {}}), "got 32, 1"));
  // What the kernel says counts.
  TestModule module("func.func @k() attributes {gpu.known_block_size = "
                    "array<i32: 8, 1, 1>} { return }");
  auto kernel = (*module).lookupSymbol<FunctionOpInterface>("k");
  FailureOr<KernelContext> context =
      KernelContext::create(kernel, getTestTarget(), {{32, 1, 1}, {5, 1, 1}});
  ASSERT_TRUE(succeeded(context));
  EXPECT_EQ(context->getThreads(), 8);
  EXPECT_EQ(context->getShape().grid, (LaunchSizes{5, 1, 1}));
}

// Without a GPU nobody knows which threads are in one subgroup, so neither a
// lane's number nor a subgroup's is the same in two threads.
TEST(KernelContextTest, WithoutTarget) {
  TestModule module(R"(
    func.func @k() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %lane = gpu.lane_id {test.name = "lane"}
      %group = gpu.subgroup_id {test.name = "group"} : index
      %size = gpu.subgroup_size {test.name = "size"} : index
      return
    })");
  ASSERT_TRUE(module);
  auto kernel = (*module).lookupSymbol<FunctionOpInterface>("k");
  FailureOr<KernelContext> context = KernelContext::createWithoutTarget(kernel);
  ASSERT_TRUE(succeeded(context));
  EXPECT_FALSE(context->hasTarget());
  EXPECT_EQ(context->getSubgroupSize(), std::nullopt);
  EXPECT_EQ(context->getSubgroups(), std::nullopt);
  ThreadRelations relations(*context);
  auto isUniform = [&](StringRef name, ExecutionScope scope) {
    return relations.isUniform(module.get(name)->getResult(0), scope);
  };
  for (ExecutionScope scope :
       {ExecutionScope::Workgroup, ExecutionScope::Subgroup}) {
    EXPECT_FALSE(isUniform("lane", scope));
    EXPECT_FALSE(isUniform("group", scope));
    EXPECT_TRUE(isUniform("size", scope));
  }
}
