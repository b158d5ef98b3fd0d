//===- WorkgroupBudgetTest.cpp --------------------------------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Layout/WorkgroupBudget.h"
#include "MemSpace/Packing/Solvers.h"
#include "TestContext.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

class WorkgroupBudgetTest : public ::testing::Test {
protected:
  /// The budget of the only kernel of `source`, which must have one.
  WorkgroupBudget compute(StringRef source) {
    module.emplace(source);
    if (!*module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(
        getTestContext(getKernels(**module).front(), *lookupTarget("sm_90")));
    if (failed(budget)) {
      ADD_FAILURE() << "no budget";
      return {};
    }
    EXPECT_LE(budget->getPeakLiveBytes(), budget->getWorkgroupBytes());
    EXPECT_LE(budget->getWorkgroupBytes(), budget->getSumBytes());
    EXPECT_EQ(budget->getProblem().buffers.size(),
              budget->getWorkgroupBuffers().size());
    return *budget;
  }

private:
  std::optional<TestModule> module;
};

TEST_F(WorkgroupBudgetTest, Unpacked) {
  WorkgroupBudget budget = compute(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%v: f32, %x: memref<32xf32>) attributes {gpu.known_block_size = array<i32: 32, 1, 1>} {
  %i = gpu.thread_id x
  %a = memref.alloc() {memspace.reason = "first"} : memref<32xf32, #wg>
  %b = memref.alloc() : memref<64xf32, #wg>
  %p = memref.alloca() : memref<3xi8>
  memref.store %v, %a[%i] : memref<32xf32, #wg>
  %y = memref.load %a[%i] : memref<32xf32, #wg>
  memref.store %y, %b[%i] : memref<64xf32, #wg>
  %z = memref.load %b[%i] : memref<64xf32, #wg>
  memref.store %z, %x[%i] : memref<32xf32>
  return
})");
  EXPECT_FALSE(budget.isPacked());
  EXPECT_EQ(budget.getWorkgroupBytes(), 256);
  EXPECT_EQ(budget.getPeakLiveBytes(), 256);
  EXPECT_EQ(budget.getSumBytes(), 384);
  EXPECT_EQ(budget.getPrivateBytes(), 3);
  ASSERT_EQ(budget.getWorkgroupBuffers().size(), 2u);
  EXPECT_EQ(budget.getWorkgroupBuffers()[0].getReason(), "first");
  EXPECT_EQ(budget.getWorkgroupBuffers()[1].offset, 0);
  EXPECT_EQ(budget.getBuffersAtPeak(), ArrayRef<unsigned>{1});
  packing::LiveRange live = budget.getProblem().buffers[1].live;
  ASSERT_EQ(live.size(), 1u);
  EXPECT_TRUE(isa<memref::StoreOp>(budget.getOp(live.front().begin)));
  EXPECT_TRUE(isa<memref::LoadOp>(budget.getOp(live.front().end - 1)));
}

// A packed kernel of whoever: the views of its arena are the buffers.
TEST_F(WorkgroupBudgetTest, Packed) {
  WorkgroupBudget budget = compute(R"(
#wg = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @kernel(%v: f32, %x: memref<32xf32>)
      workgroup(%arena: memref<1024xi8, #wg> {memspace.arena, llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %a = memref.view %arena[%c512][] : memref<1024xi8, #wg> to memref<32xf32, #wg>
    %b = memref.view %arena[%c0][] : memref<1024xi8, #wg> to memref<100xf32, #wg>
    memref.store %v, %a[%i] : memref<32xf32, #wg>
    memref.store %v, %b[%i] : memref<100xf32, #wg>
    %y = memref.load %a[%i] : memref<32xf32, #wg>
    %z = memref.load %b[%i] : memref<100xf32, #wg>
    memref.store %y, %x[%i] : memref<32xf32>
    memref.store %z, %x[%i] : memref<32xf32>
    gpu.return
  }
})");
  EXPECT_TRUE(budget.isPacked());
  // What the arena takes, holes and all; one home for each fits in it.
  EXPECT_EQ(budget.getWorkgroupBytes(), 1024);
  EXPECT_EQ(budget.getSumBytes(), 1024);
  EXPECT_EQ(budget.getPeakLiveBytes(), 528);
  ASSERT_EQ(budget.getWorkgroupBuffers().size(), 2u);
  EXPECT_EQ(budget.getWorkgroupBuffers()[0].bytes, 400);
  EXPECT_EQ(budget.getWorkgroupBuffers()[1].offset, 512);
}

// A global has one memory, however often it is named. An attribution beside it
// is packed with it.
TEST_F(WorkgroupBudgetTest, GlobalsAndAttributions) {
  WorkgroupBudget budget = compute(R"(
#wg = #gpu.address_space<workgroup>
gpu.module @m {
  memref.global "private" @g : memref<32xf32, #wg>
  gpu.func @kernel(%v: f32, %x: memref<32xf32>) workgroup(%a: memref<8xf32, #wg>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %v, %a[%i] : memref<8xf32, #wg>
    %one = memref.get_global @g : memref<32xf32, #wg>
    memref.store %v, %one[%i] : memref<32xf32, #wg>
    %two = memref.get_global @g : memref<32xf32, #wg>
    %y = memref.load %two[%i] : memref<32xf32, #wg>
    %z = memref.load %a[%i] : memref<8xf32, #wg>
    memref.store %y, %x[%i] : memref<32xf32>
    memref.store %z, %x[%i] : memref<32xf32>
    gpu.return
  }
})");
  EXPECT_EQ(budget.getWorkgroupBuffers().size(), 2u);
  EXPECT_EQ(budget.getWorkgroupBytes(), 160);
  EXPECT_EQ(budget.getPeakLiveBytes(), 160);
}

// Case B8. The dynamic part begins at a multiple of 16 after the static one.
TEST_F(WorkgroupBudgetTest, StaticAndDynamic) {
  constexpr StringRef source = R"(
#wg = #gpu.address_space<workgroup>
gpu.module @m {
  gpu.func @kernel(%v: f32, %x: memref<32xf32>) workgroup(%a: memref<9xf32, #wg>) kernel
      attributes {known_block_size = array<i32: 8, 1, 1>, memspace.dynamic_workgroup_bytes = 512 : i64} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    memref.store %v, %a[%i] : memref<9xf32, #wg>
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %b = memref.view %bytes[%c0][] : memref<?xi8, #wg> to memref<100xf32, #wg>
    memref.store %v, %b[%i] : memref<100xf32, #wg>
    %y = memref.load %a[%i] : memref<9xf32, #wg>
    %z = memref.load %b[%i] : memref<100xf32, #wg>
    memref.store %y, %x[%i] : memref<32xf32>
    memref.store %z, %x[%i] : memref<32xf32>
    gpu.return
  }
})";
  WorkgroupBudget budget = compute(source);
  EXPECT_EQ(budget.getWorkgroupBytes(), 48 + 512);
  EXPECT_EQ(budget.getPeakLiveBytes(), 36 + 400);
  ASSERT_EQ(budget.getWorkgroupBuffers().size(), 2u);
  EXPECT_EQ(budget.getWorkgroupBuffers()[1].offset, 48);
  EXPECT_EQ(budget.getWorkgroupBuffers()[1].bytes, 400);
}

// Bytes that several ops name are one buffer, needed all the time.
TEST_F(WorkgroupBudgetTest, DynamicWithSeveralNames) {
  WorkgroupBudget budget = compute(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel(%v: i8, %x: memref<32xi8>, %n: index)
    attributes {gpu.known_block_size = array<i32: 8, 1, 1>, memspace.dynamic_workgroup_bytes = 512 : i64} {
  %one = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  %two = gpu.dynamic_shared_memory : memref<?xi8, #wg>
  memref.store %v, %one[%n] : memref<?xi8, #wg>
  %y = memref.load %two[%n] : memref<?xi8, #wg>
  memref.store %y, %x[%n] : memref<32xi8>
  return
})");
  ASSERT_EQ(budget.getWorkgroupBuffers().size(), 1u);
  EXPECT_FALSE(budget.getWorkgroupBuffers()[0].hasOneName);
  EXPECT_EQ(budget.getWorkgroupBytes(), 512);
  EXPECT_EQ(budget.getPeakLiveBytes(), 512);
}

// Case B4: the width of an index is the target's.
TEST_F(WorkgroupBudgetTest, IndexBytes) {
  TestModule module(R"(
#wg = #gpu.address_space<workgroup>
func.func @kernel() attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
  %t = memref.alloc() : memref<10xindex, #wg>
  return
})");
  ASSERT_TRUE(static_cast<bool>(module));
  TargetInfo target = *lookupTarget("gfx942");
  for (int64_t bytes : {4, 8}) {
    target.indexBytes = bytes;
    FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(
        getTestContext(getKernels(*module).front(), target));
    ASSERT_TRUE(succeeded(budget));
    EXPECT_EQ(budget->getWorkgroupBytes(), 10 * bytes);
  }
}

} // namespace
