//===- BarrierPlacementTest.cpp - where barriers are to be made -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes do not print; where barriers stand is in test/Barriers.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

/// A loop that decides at its end, and carries two numbers around.
TEST(BarrierPlacement, BetweenTwoBlocks) {
  TestModule module(R"(
    #wg = #gpu.address_space<workgroup>
    func.func @k(%n: index, %v: f32) attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c127 = arith.constant 127 : index
      %t = gpu.thread_id x
      %other = arith.subi %c127, %t : index
      %s = memref.alloc() : memref<128xf32, #wg>
      cf.br ^loop(%v, %c0 : f32, index)
    ^loop(%a: f32, %i: index):
      memref.store %a, %s[%t] : memref<128xf32, #wg>
      %b = memref.load %s[%other] : memref<128xf32, #wg>
      %next = arith.addi %i, %c1 : index
      %more = arith.cmpi slt, %next, %n : index
      cf.cond_br %more, ^loop(%b, %next : f32, index), ^end
    ^end:
      return
    })");
  ASSERT_TRUE(module);
  FunctionOpInterface kernel = getKernels(*module).front();
  KernelContext context = getTestContext(kernel, 1);
  unsigned numEdges = 0;
  {
    BarrierPlacement placement(context, BarrierPlacement::Mode::Insert);
    EXPECT_TRUE(placement.isOptimal());
    EXPECT_TRUE(placement.followsStates());
    ASSERT_EQ(placement.getBarriers().size(), 2u);
    for (const NeededBarrier &barrier : placement.getBarriers()) {
      OpBuilder builder = barrier.getBuilder();
      gpu::BarrierOp::create(builder, barrier.op->getLoc());
      if (!barrier.successor)
        continue;
      ++numEdges;
      // The way back, in a block that hands both numbers on.
      auto branch = cast<cf::CondBranchOp>(barrier.op);
      EXPECT_EQ(*barrier.successor, 0u);
      EXPECT_EQ(branch.getTrueDest(), builder.getBlock());
      EXPECT_TRUE(branch.getTrueDestOperands().empty());
      auto back = cast<cf::BranchOp>(builder.getBlock()->getTerminator());
      EXPECT_EQ(back.getDestOperands().size(), 2u);
      EXPECT_EQ(back.getDest(), branch->getBlock());
    }
  }
  EXPECT_EQ(numEdges, 1u);
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_TRUE(BarrierVerifier(context).isRaceFree());
}

/// Copies that nobody waits for are looked for on paths through all states.
TEST(BarrierPlacement, WithoutStatesWhereTheyAreTooMany) {
  TestModule module(R"(
    #wg = #gpu.address_space<workgroup>
    func.func @k(%in: memref<64xf32>, %out: memref<64xf32>, %n: index)
        attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c10 = arith.constant 10 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %other = arith.subi %c63, %t : index
      %a = memref.alloc() : memref<4x64xf32, #wg>
      %b = memref.alloc() : memref<4x64xf32, #wg>
      %e = scf.for %i = %c0 to %c10 step %c1 iter_args(%p = %c0) -> index {
        %copy = nvgpu.device_async_copy %in[%t], %b[%p, %t], 1 : memref<64xf32> to memref<4x64xf32, #wg>
        %group = nvgpu.device_async_create_group %copy
        %u = memref.load %b[%p, %other] : memref<4x64xf32, #wg>
        memref.store %u, %out[%t] : memref<64xf32>
        %f = scf.for %j = %c0 to %n step %c1 iter_args(%q = %c0) -> index {
          %slot = arith.remui %i, %c4 : index
          %inner = nvgpu.device_async_copy %in[%t], %a[%slot, %t], 1 : memref<64xf32> to memref<4x64xf32, #wg>
          %innerGroup = nvgpu.device_async_create_group %inner
          %w = memref.load %a[%slot, %other] : memref<4x64xf32, #wg>
          memref.store %w, %out[%t] : memref<64xf32>
          %g = scf.for %k = %c0 to %n step %c1 iter_args(%r = %c0) -> index {
            %x = memref.load %a[%p, %other] : memref<4x64xf32, #wg>
            memref.store %x, %out[%t] : memref<64xf32>
            %up = arith.addi %r, %c1 : index
            %wrapped = arith.remui %up, %c4 : index
            scf.yield %wrapped : index
          }
          %y = memref.load %a[%p, %other] : memref<4x64xf32, #wg>
          memref.store %y, %out[%t] : memref<64xf32>
          %up = arith.addi %g, %c1 : index
          %isIn = arith.cmpi ult, %up, %c4 : index
          %wrapped = arith.select %isIn, %up, %c0 : index
          scf.yield %wrapped : index
        }
        %up = arith.addi %f, %c1 : index
        %wrapped = arith.remui %up, %c4 : index
        scf.yield %wrapped : index
      }
      return
    })");
  ASSERT_TRUE(module);
  FunctionOpInterface kernel = getKernels(*module).front();
  BarrierPlacement placement(getTestContext(kernel, 32),
                             BarrierPlacement::Mode::Insert);
  EXPECT_FALSE(placement.followsStates());
  EXPECT_FALSE(placement.isOptimal());
  ASSERT_FALSE(placement.getUnsynchronizable().empty());
  EXPECT_TRUE(placement.getUnsynchronizable().front().inFlight);
}
