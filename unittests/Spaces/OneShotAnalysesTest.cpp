//===- OneShotAnalysesTest.cpp - what is kept, and when it is not -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/OneShotAnalyses.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
struct OneShotAnalysesTest : public ::testing::Test {
  FunctionOpInterface get() {
    return *(*module).getOps<FunctionOpInterface>().begin();
  }
  template <typename OpT> OpT find() {
    OpT found;
    get()->walk([&](OpT op) { found = op; });
    return found;
  }
  /// Whether `change` lets the kernel be analyzed once more.
  bool isAnalyzedAfter(function_ref<void()> change) {
    EXPECT_TRUE(analyses.get(get()));
    unsigned before = analyses.getNumAnalyses();
    change();
    EXPECT_TRUE(analyses.get(get()));
    return analyses.getNumAnalyses() != before;
  }

  TestModule module{R"(
    func.func @kernel(%X: memref<64xf32>, %Y: memref<64xf32>, %f: f32) {
      %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
      %y = bufferization.to_tensor %Y restrict writable : memref<64xf32> to tensor<64xf32>
      %e = tensor.empty() : tensor<64xf32>
      %fill = linalg.fill ins(%f : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
      %c = linalg.copy ins(%fill : tensor<64xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
      bufferization.materialize_in_destination %c in restrict writable %Y
          : (tensor<64xf32>, memref<64xf32>) -> ()
      return
    })"};
  OneShotAnalyses analyses{getOneShotOptions()};
};
} // namespace

TEST_F(OneShotAnalysesTest, KeptWhileNothingChanges) {
  std::shared_ptr<OneShotAnalysisState> state = analyses.get(get());
  ASSERT_TRUE(state);
  EXPECT_EQ(analyses.get(get()), state);
  EXPECT_EQ(analyses.getNumAnalyses(), 1u);
  EXPECT_TRUE(state->isInPlace(find<linalg::CopyOp>()->getOpOperand(1)));
  // What is put back as it was is the same kernel.
  EXPECT_FALSE(isAnalyzedAfter([&] {
    OpOperand &input = find<linalg::CopyOp>()->getOpOperand(0);
    Value before = input.get();
    input.set(find<tensor::EmptyOp>());
    input.set(before);
  }));
  analyses.forget(get());
  EXPECT_NE(analyses.get(get()), state);
  // Who holds it still has the old one, with its options.
  EXPECT_TRUE(state->getOptions().allowReturnAllocsFromLoops);
}

TEST_F(OneShotAnalysesTest, MadeAgainAfterAnyChange) {
  EXPECT_TRUE(isAnalyzedAfter(
      [&] { find<linalg::CopyOp>()->setOperand(0, find<tensor::EmptyOp>()); }));
  EXPECT_TRUE(isAnalyzedAfter([&] {
    auto tensor = cast<ToTensorOp>(
        find<linalg::CopyOp>().getOutputs()[0].getDefiningOp());
    tensor.setWritable(false);
  }));
  EXPECT_TRUE(isAnalyzedAfter([&] {
    find<tensor::EmptyOp>()->moveBefore(
        &get().getFunctionBody().front().front());
  }));
  EXPECT_TRUE(isAnalyzedAfter([&] {
    auto layout = RankedTensorType::get(
        {64}, find<tensor::EmptyOp>().getType().getElementType(),
        UnitAttr::get(get().getContext()));
    find<tensor::EmptyOp>()->getResult(0).setType(layout);
    find<linalg::FillOp>()->getResult(0).setType(layout);
  }));
  EXPECT_TRUE(isAnalyzedAfter([&] {
    OpBuilder b(find<linalg::CopyOp>());
    tensor::EmptyOp::create(b, b.getUnknownLoc(), ArrayRef<int64_t>{8},
                            b.getF32Type());
  }));
}
