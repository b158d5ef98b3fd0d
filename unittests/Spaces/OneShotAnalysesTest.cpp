//===- OneShotAnalysesTest.cpp - what is kept, and when it is not -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/OneShotAnalyses.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>
#include <utility>

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

TEST_F(OneShotAnalysesTest, KeepSpacesWhileNothingChanges) {
  FunctionOpInterface kernel = get();
  OpBuilder b(kernel.getContext());
  kernel->setAttr("gpu.known_block_size", b.getDenseI32ArrayAttr({64, 1, 1}));
  MemorySpaceOptions options{TargetInfo()};
  options.analyses = &analyses;
  auto spaces = MemorySpaceAnalysis::get(kernel, options);
  EXPECT_TRUE(spaces->isValid());
  auto isKept = [&] {
    auto before = std::exchange(spaces, analyses.getSpaces(kernel, options));
    return spaces == before;
  };
  EXPECT_TRUE(isKept());
  // Other options, another target.
  options.barrierWork = 0;
  EXPECT_FALSE(isKept());
  EXPECT_TRUE(isKept());
  options.target.subgroupSize = 32;
  EXPECT_FALSE(isKept());
  // Another kernel, also where One-Shot has looked at it already, or was told.
  OpOperand &input = find<linalg::CopyOp>()->getOpOperand(0);
  input.set(find<tensor::EmptyOp>());
  EXPECT_FALSE(isKept());
  kernel->setAttr("gpu.known_block_size", b.getDenseI32ArrayAttr({32, 1, 1}));
  EXPECT_TRUE(analyses.get(kernel));
  EXPECT_FALSE(isKept());
  b.setInsertionPoint(input.getOwner());
  input.set(AllocTensorOp::create(b, b.getUnknownLoc(),
                                  cast<RankedTensorType>(input.get().getType()),
                                  ValueRange(), input.get()));
  analyses.copied(kernel, &input);
  EXPECT_FALSE(isKept());
  EXPECT_TRUE(isKept());
  analyses.forget(kernel);
  EXPECT_FALSE(isKept());
  // What a function that is called does may have changed.
  b.setInsertionPointToStart((*module).getBody());
  auto callee = func::FuncOp::create(b, b.getUnknownLoc(), "callee",
                                     b.getFunctionType({}, {}));
  callee.setPrivate();
  b.setInsertionPointToStart(&kernel.getFunctionBody().front());
  func::CallOp::create(b, b.getUnknownLoc(), callee);
  EXPECT_FALSE(isKept());
  EXPECT_FALSE(isKept());
}

// What is expected is given to who asks for it, until somebody wants to know.
TEST_F(OneShotAnalysesTest, ExpectedIsNoAnalysis) {
  FunctionOpInterface kernel = get();
  OpBuilder b(kernel.getContext());
  kernel->setAttr("gpu.known_block_size", b.getDenseI32ArrayAttr({64, 1, 1}));
  std::shared_ptr<OneShotAnalysisState> state = analyses.getExpected(kernel);
  EXPECT_FALSE(analyses.expects(kernel));
  // The copy reads what it reads by one more copy.
  OpOperand &input = find<linalg::CopyOp>()->getOpOperand(0);
  b.setInsertionPoint(input.getOwner());
  auto type = cast<RankedTensorType>(input.get().getType());
  auto fresh = AllocTensorOp::create(b, b.getUnknownLoc(), type, ValueRange());
  auto copy = linalg::CopyOp::create(b, b.getUnknownLoc(), input.get(),
                                     fresh.getResult());
  input.set(copy.getResult(0));
  Operation *made[] = {fresh, copy};
  expectInPlace(kernel, made, *state);
  analyses.expect(kernel);
  EXPECT_TRUE(analyses.expects(kernel));

  MemorySpaceOptions options{TargetInfo()};
  options.analyses = &analyses;
  options.expects = true;
  auto guess = MemorySpaceAnalysis::get(kernel, options);
  EXPECT_TRUE(guess->isValid());
  EXPECT_EQ(guess->getBufferClass(copy.getResult(0)),
            guess->getBufferClass(fresh.getResult()));
  EXPECT_EQ(MemorySpaceAnalysis::get(kernel, options), guess);
  EXPECT_EQ(analyses.getExpected(kernel), state);
  EXPECT_TRUE(state->isInPlace(copy->getOpOperand(1)));
  EXPECT_EQ(analyses.getNumAnalyses(), 1u);

  options.expects = false;
  EXPECT_NE(MemorySpaceAnalysis::get(kernel, options), guess);
  EXPECT_FALSE(analyses.expects(kernel));
  EXPECT_EQ(analyses.getNumAnalyses(), 2u);
  EXPECT_EQ(analyses.get(kernel), analyses.getExpected(kernel));
  // A kernel that is changed again is not what was expected.
  analyses.expect(kernel);
  copy->setAttr("changed", b.getUnitAttr());
  EXPECT_TRUE(analyses.getExpected(kernel));
  EXPECT_FALSE(analyses.expects(kernel));
  EXPECT_EQ(analyses.getNumAnalyses(), 3u);
}

/// The tensors of `kernel`.
static SmallVector<Value> getTensors(FunctionOpInterface kernel) {
  SmallVector<Value> tensors;
  auto add = [&](Value value) {
    if (isa<TensorType>(value.getType()))
      tensors.push_back(value);
  };
  kernel->walk([&](Operation *op) {
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      llvm::for_each(region.getArguments(), add);
  });
  return tensors;
}

/// Expects of `state` what a new analysis of `kernel` says.
static void expectLikeFresh(FunctionOpInterface kernel,
                            OneShotAnalysisState &state) {
  OneShotAnalyses others(getOneShotOptions());
  std::shared_ptr<OneShotAnalysisState> fresh = others.get(kernel);
  ASSERT_TRUE(fresh);
  kernel->walk([&](Operation *op) {
    if (state.getOptions().dynCastBufferizableOp(op))
      for (OpOperand &operand : op->getOpOperands())
        if (isa<TensorType>(operand.get().getType()))
          EXPECT_EQ(state.isInPlace(operand), fresh->isInPlace(operand));
  });
  SmallVector<Value> tensors = getTensors(kernel);
  for (Value a : tensors)
    for (Value b : tensors) {
      EXPECT_EQ(state.areAliasingBufferizedValues(a, b),
                fresh->areAliasingBufferizedValues(a, b));
      EXPECT_EQ(state.areEquivalentBufferizedValues(a, b),
                fresh->areEquivalentBufferizedValues(a, b));
    }
}

/// Lets the iterations of a forall copy what `alloc`, of one dimension, copies.
static Operation *shareCopy(AllocTensorOp alloc) {
  OpBuilder b(alloc->getContext());
  b.setInsertionPointAfter(alloc);
  Location loc = alloc.getLoc();
  Value source = alloc.getCopy();
  alloc.getCopyMutable().clear();
  SmallVector<OpFoldResult> one{b.getIndexAttr(1)};
  auto forall = scf::ForallOp::create(
      b, loc,
      SmallVector<OpFoldResult>{b.getIndexAttr(alloc.getType().getDimSize(0))},
      alloc->getResults(), std::nullopt);
  alloc->getResult(0).replaceAllUsesExcept(forall.getResult(0), forall);
  b.setInsertionPoint(forall.getTerminator());
  Value out = forall.getRegionIterArgs().front();
  SmallVector<OpFoldResult> offset{forall.getInductionVars().front()};
  auto from = tensor::ExtractSliceOp::create(b, loc, source, offset, one, one);
  auto to = tensor::ExtractSliceOp::create(b, loc, out, offset, one, one);
  auto copy = linalg::CopyOp::create(b, loc, from.getResult(), to.getResult());
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, copy.getResult(0), out, offset,
                                        one, one);
  return forall;
}

// What is kept and knows the copies says what a new analysis would.
TEST(OneShotAnalysesOfCopies, KnowTheCopies) {
  TestModule module(R"(
    func.func @kernel(%X: memref<64xf32>, %Y: memref<64xf32>, %f: f32, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
      %e = tensor.empty() : tensor<64xf32>
      %a = linalg.fill ins(%f : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
      %b = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<64xf32>) {
        %u = tensor.insert %f into %t[%i] : tensor<64xf32>
        scf.yield %u : tensor<64xf32>
      }
      %c = tensor.insert %f into %x[%c0] : tensor<64xf32>
      %d = linalg.add ins(%a, %c : tensor<64xf32>, tensor<64xf32>)
          outs(%b : tensor<64xf32>) -> tensor<64xf32>
      bufferization.materialize_in_destination %d in restrict writable %Y
          : (tensor<64xf32>, memref<64xf32>) -> ()
      return
    })");
  ASSERT_TRUE(module);
  auto kernel = *(*module).getOps<FunctionOpInterface>().begin();
  OneShotAnalyses analyses(getOneShotOptions());
  std::shared_ptr<OneShotAnalysisState> state = analyses.get(kernel);
  ASSERT_TRUE(state);
  SmallVector<OpOperand *> operands;
  kernel->walk([&](Operation *op) {
    if (state->getOptions().dynCastBufferizableOp(op))
      for (OpOperand &operand : op->getOpOperands())
        if (isa<TensorType>(operand.get().getType()) &&
            !state->isInPlace(operand))
          operands.push_back(&operand);
  });
  ASSERT_EQ(operands.size(), 2u);
  for (OpOperand *operand : operands) {
    OpBuilder b(operand->getOwner());
    operand->set(AllocTensorOp::create(
        b, kernel.getLoc(), cast<RankedTensorType>(operand->get().getType()),
        ValueRange(), operand->get()));
  }
  analyses.copied(kernel, operands);
  EXPECT_EQ(analyses.get(kernel), state);
  EXPECT_EQ(analyses.getNumAnalyses(), 1u);

  expectLikeFresh(kernel, *state);

  // So it does when threads share the copies.
  SmallVector<Operation *> foralls;
  for (OpOperand *operand : operands)
    foralls.push_back(shareCopy(operand->get().getDefiningOp<AllocTensorOp>()));
  analyses.distributed(kernel, foralls);
  ASSERT_TRUE(succeeded(verify(*module)));
  EXPECT_EQ(analyses.get(kernel), state);
  EXPECT_EQ(analyses.getNumAnalyses(), 1u);
  for (Operation *forall : foralls)
    EXPECT_TRUE(state->areEquivalentBufferizedValues(forall->getOperand(0),
                                                     forall->getResult(0)));
  expectLikeFresh(kernel, *state);
}
