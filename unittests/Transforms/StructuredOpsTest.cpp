//===- StructuredOpsTest.cpp - other dialects' sorts in C++ -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtDialect.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

/// 64 threads sort a tensor that they have computed.
static std::string getSort(StringRef sort, StringRef yield) {
  return ("func.func @sort(%X: memref<64xf32>, %Y: memref<64xf32>) attributes "
          "{gpu.known_block_size = array<i32: 64, 1, 1>} {\n"
          "%x = bufferization.to_tensor %X restrict : memref<64xf32> to "
          "tensor<64xf32>\n"
          "%e = tensor.empty() : tensor<64xf32>\n"
          "%d = linalg.add ins(%x, %x : tensor<64xf32>, tensor<64xf32>) "
          "outs(%e : tensor<64xf32>) -> tensor<64xf32>\n"
          "%s = " +
          sort + " {\n^bb0(%a: f32, %b: f32):\n%c = arith.cmpf olt, %a, %b : " +
          "f32\n" + yield +
          " %c : i1\n} -> tensor<64xf32>\n"
          "bufferization.materialize_in_destination %s in restrict writable "
          "%Y : (tensor<64xf32>, memref<64xf32>) -> ()\nreturn\n}\n")
      .str();
}
static std::string getOthers() {
  return getSort("ext.sort dimension(0) outs(%d : tensor<64xf32>)",
                 "ext.yield");
}
static std::string getOurs() {
  return getSort("memspace.sort dimension(0) ins(%d : tensor<64xf32>) "
                 "outs(%d : tensor<64xf32>)",
                 "memspace.yield");
}

static std::string print(TestModule &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  (*module).print(os);
  return text;
}

// The analyses answer before, too: nobody knows then what the op does.
TEST(StructuredOps, AnalysesSeeOurs) {
  TestModule others(getOthers(), ext::registerExtDialect), ours(getOurs());
  MemorySpaceOptions options(getTestTarget(64));
  FunctionOpInterface kernel = getKernels(*others).front();
  { MemorySpaceAnalysis analysis(kernel, options); }
  ASSERT_TRUE(succeeded(convertStructuredOps(kernel)));
  EXPECT_EQ(print(others), print(ours));
  MemorySpaceAnalysis analysis(kernel, options);
  MemorySpaceAnalysis expected(getKernels(*ours).front(), options);
  auto getSort = [](TestModule &module) {
    Value sorted;
    (*module).walk([&](memspace::SortOp op) { sorted = op.getResult(0); });
    return sorted;
  };
  EXPECT_EQ(analysis.getMemorySpace(getSort(others)),
            expected.getMemorySpace(getSort(ours)));
}

// Threads share it, without a pass.
TEST(StructuredOps, BufferizeKernel) {
  TestModule others(getOthers(), ext::registerExtDialect), ours(getOurs());
  MemorySpaceOptions options(getTestTarget(64));
  for (TestModule *module : {&others, &ours})
    ASSERT_TRUE(
        succeeded(bufferizeKernel(getKernels(**module).front(), options)));
  EXPECT_TRUE(succeeded(verify(*others)));
  EXPECT_EQ(print(others), print(ours));
  // The 64 threads are one subgroup.
  unsigned numShared = 0, numShuffles = 0;
  (*others).walk([&](memref::AllocOp op) {
    numShared += gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(op.getType());
  });
  (*others).walk([&](gpu::ShuffleOp) { ++numShuffles; });
  EXPECT_EQ(numShared, 0u) << print(others);
  EXPECT_NE(numShuffles, 0u) << print(others);
  EXPECT_EQ(print(others).find("sort dimension"), std::string::npos);
}

// What a model refuses leaves the kernel as it was.
TEST(StructuredOps, RefusedAsItWas) {
  TestModule others(
      getSort("ext.sort dimension(1) outs(%d : tensor<64xf32>)", "ext.yield"),
      ext::registerExtDialect);
  std::string before = print(others);
  ScopedDiagnosticHandler silence(others.getContext(),
                                  [](Diagnostic &) { return success(); });
  EXPECT_TRUE(failed(convertStructuredOps(getKernels(*others).front())));
  EXPECT_EQ(print(others), before);
}
