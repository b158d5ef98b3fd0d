//===- AllocationHookTest.cpp - the hook in another compiler's options -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/AllocationHook.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

/// A kernel (or, without a block size, a host function) that fills a tensor of
/// the given space and stores one of its elements.
std::string functionWithTensor(StringRef space, bool isKernel = true) {
  return "func.func @f(%out: memref<1xf32>, %v: f32)" +
         std::string(isKernel ? " attributes {gpu.known_block_size = "
                                "array<i32: 64, 1, 1>}"
                              : "") +
         " {\n  %c0 = arith.constant 0 : index\n"
         "  %e = bufferization.alloc_tensor()" +
         (space.empty() ? "" : " {memory_space = " + space.str() + "}") +
         " : tensor<4xf32>\n"
         "  %t = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> "
         "tensor<4xf32>\n"
         "  %s = tensor.extract %t[%c0] : tensor<4xf32>\n"
         "  memref.store %s, %out[%c0] : memref<1xf32>\n  return\n}\n";
}

/// Runs all of One-Shot Bufferize with the hook installed, as an embedding
/// compiler does.
LogicalResult bufferizeWithHook(
    TestModule &module,
    const MemorySpaceOptions &options = MemorySpaceOptions(getTestTarget())) {
  bufferization::OneShotBufferizationOptions bufferization;
  configureBufferization(bufferization, options);
  bufferization::BufferizationState state;
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  return bufferization::runOneShotBufferize(*module, bufferization, state);
}

template <typename OpT> SmallVector<OpT> collect(TestModule &module) {
  SmallVector<OpT> ops;
  (*module).walk([&](OpT op) { ops.push_back(op); });
  return ops;
}

TEST(AllocationHookTest, privateIsAnAllocaAtTheEntry) {
  TestModule module(functionWithTensor("#gpu.address_space<private>"));
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(bufferizeWithHook(module)));
  auto allocas = collect<memref::AllocaOp>(module);
  ASSERT_EQ(allocas.size(), 1u);
  EXPECT_TRUE(isa<FunctionOpInterface>(allocas[0]->getParentOp()));
  EXPECT_EQ(allocas[0].getAlignment(), 4u);
  EXPECT_TRUE(collect<memref::AllocOp>(module).empty());
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST(AllocationHookTest, workgroupIsAStaticAlloc) {
  TestModule module(functionWithTensor("#gpu.address_space<workgroup>"));
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(bufferizeWithHook(module)));
  auto allocs = collect<memref::AllocOp>(module);
  ASSERT_EQ(allocs.size(), 1u);
  EXPECT_TRUE(allocs[0].getType().hasStaticShape());
  EXPECT_EQ(allocs[0].getAlignment(), 16u);
}

// S2: a kernel never allocates without a decided space, and never in global
// memory; a host function does what it always did.
TEST(AllocationHookTest, refusesOtherSpacesInKernels) {
  TestModule none(functionWithTensor(""));
  EXPECT_TRUE(failed(bufferizeWithHook(none)));
  TestModule global(functionWithTensor("#gpu.address_space<global>"));
  EXPECT_TRUE(failed(bufferizeWithHook(global)));
  TestModule unknown(functionWithTensor("\"scratch\""));
  EXPECT_TRUE(failed(bufferizeWithHook(unknown)));
  TestModule host(functionWithTensor("", /*isKernel=*/false));
  EXPECT_TRUE(succeeded(bufferizeWithHook(host)));
  EXPECT_EQ(collect<memref::AllocOp>(host).size(), 1u);
}

// A compiler with memory spaces of its own gives the mapping.
TEST(AllocationHookTest, ownMemorySpaces) {
  MemorySpaceOptions options(getTestTarget());
  TestModule module(functionWithTensor("3 : i64"));
  ASSERT_TRUE(module);
  Builder b(module.getContext());
  options.spaces =
      MemorySpaceMapping(b.getI64IntegerAttr(5), b.getI64IntegerAttr(3));
  ASSERT_TRUE(succeeded(bufferizeWithHook(module, options)));
  auto allocs = collect<memref::AllocOp>(module);
  ASSERT_EQ(allocs.size(), 1u);
  EXPECT_EQ(
      allocs[0].getType().getMemorySpace(),
      options.spaces.toAttribute(module.getContext(), MemorySpace::Workgroup));
}

} // namespace
