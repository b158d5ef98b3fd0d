//===- TensorClaimsTest.cpp - what is believed of other dialects' models -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/TensorClaims.h"
#include "LieDialect.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
/// A kernel on two tensors of which one, %c, is undefined.
struct Claims {
  explicit Claims(StringRef body)
      : module((R"(
          func.func @kernel(%x: memref<4xf32>, %y: memref<4xi32>) {
            %a = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
            %i = bufferization.to_tensor %y restrict : memref<4xi32> to tensor<4xi32>
            %c = tensor.empty() : tensor<4xf32>
          )" + body +
                "return\n}")
                   .str(),
               lie::registerLieDialect) {}

  OpOperand &operand(StringRef name, unsigned number) {
    return module.get(name)->getOpOperand(number);
  }
  bool reads(StringRef name, unsigned number) {
    return mayRead(operand(name, number), state);
  }
  bool writes(StringRef name, unsigned number) {
    return mayWrite(operand(name, number), state);
  }
  bool aliases(StringRef name, unsigned number) {
    return llvm::is_contained(getPossibleAliases(operand(name, number), state),
                              module.get(name)->getResult(0));
  }

  TestModule module;
  OneShotBufferizationOptions options = getOneShotOptions();
  AnalysisState state{options};
};
} // namespace

TEST(TensorClaims, UpstreamIsBelieved) {
  Claims claims(R"(
    %r = linalg.add {test.name = "add"} ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  )");
  ASSERT_TRUE(claims.module);
  EXPECT_TRUE(hasTrustedModel(claims.module.get("add")));
  EXPECT_TRUE(claims.reads("add", 0));
  EXPECT_FALSE(claims.writes("add", 0));
  EXPECT_FALSE(claims.reads("add", 2));
  EXPECT_TRUE(claims.writes("add", 2));
}

TEST(TensorClaims, DeniedReads) {
  Claims claims(R"(
    %r = lie.ew ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>)
        {test.name = "fresh", hides_reads = array<i64: 0, 1>} -> tensor<4xf32>
    %s = lie.scatter ins(%a, %i : tensor<4xf32>, tensor<4xi32>) outs(%r : tensor<4xf32>)
        {test.name = "kept", hides_reads = array<i64: 2>} -> tensor<4xf32>
  )");
  ASSERT_TRUE(claims.module);
  EXPECT_FALSE(hasTrustedModel(claims.module.get("fresh")));
  EXPECT_TRUE(claims.reads("fresh", 0));
  EXPECT_TRUE(claims.reads("kept", 2));
  // Of an init that nobody has written there is nothing to read.
  EXPECT_FALSE(claims.reads("fresh", 2));
}

TEST(TensorClaims, DeniedWritesAndAliases) {
  Claims claims(R"(
    %r = lie.ew ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>)
        {test.name = "write", hides_writes = array<i64: 2>} -> tensor<4xf32>
    %s = lie.ew ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>)
        {test.name = "alias", hides_aliases} -> tensor<4xf32>
    %o = lie.opaque %a, %r {test.name = "opaque"} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  )");
  ASSERT_TRUE(claims.module);
  EXPECT_TRUE(claims.writes("write", 2));
  EXPECT_FALSE(claims.writes("write", 0)) << "an input of a destination style";
  EXPECT_TRUE(claims.aliases("alias", 2));
  EXPECT_FALSE(claims.aliases("alias", 0));
  // Without a destination nothing proves that it only reads.
  EXPECT_TRUE(claims.writes("opaque", 0));
  EXPECT_TRUE(claims.aliases("opaque", 1));
}

TEST(TensorClaims, AnalysisLeavesNothingBehind) {
  Claims claims(R"(
    %k = arith.constant 0 : index
    %r = lie.ew ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>)
        {test.name = "write", hides_writes = array<i64: 2>} -> tensor<4xf32>
    %e = tensor.extract %r[%k] : tensor<4xf32>
  )");
  ASSERT_TRUE(claims.module);
  auto kernel = *(*claims.module).getOps<FunctionOpInterface>().begin();
  auto countOps = [&] {
    int64_t count = 0;
    kernel->walk([&](Operation *) { ++count; });
    return count;
  };
  int64_t before = countOps();
  OneShotAnalysisState state(kernel, claims.options);
  ASSERT_TRUE(succeeded(analyzeWithoutTrust(kernel, state)));
  EXPECT_EQ(countOps(), before);
  OpOperand &init = claims.operand("write", 2);
  EXPECT_TRUE(init.get().getDefiningOp<ToTensorOp>());
  EXPECT_TRUE(llvm::is_contained(getOperandsToCopy(kernel, state), &init))
      << "the memory is read-only";
}
