//===- OperatorCostTest.cpp - the cost of fused kernels and windows -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestModule.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/Retile/KernelCost.h"
#include "MemSpace/Transforms/Passes.h"
#include "MemSpace/Transforms/Pipelines.h"
#include "MemSpace/Transforms/TileKernel.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr const char *kConvolution = R"mlir(
func.func @f(%x: tensor<1x18x17x6xf32>, %w: tensor<3x3x6x12xf32>) -> tensor<1x16x15x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x15x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x15x12xf32>) -> tensor<1x16x15x12xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x18x17x6xf32>, tensor<3x3x6x12xf32>)
      outs(%f : tensor<1x16x15x12xf32>) -> tensor<1x16x15x12xf32>
  return %r : tensor<1x16x15x12xf32>
})mlir";

constexpr const char *kAttention = R"mlir(
#q = affine_map<(h, i, j, d) -> (h, i, d)>
#k = affine_map<(h, i, j, d) -> (h, j, d)>
#s = affine_map<(h, i, j, d) -> (h, i, j)>
#hij = affine_map<(h, i, j) -> (h, i, j)>
#hi = affine_map<(h, i, j) -> (h, i)>
#p = affine_map<(h, i, d, j) -> (h, i, j)>
#v = affine_map<(h, i, d, j) -> (h, j, d)>
#o = affine_map<(h, i, d, j) -> (h, i, d)>
func.func @f(%q: tensor<2x22x16xf32>, %k: tensor<2x40x16xf32>, %v: tensor<2x40x16xf32>) -> tensor<2x22x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x22x40xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%es : tensor<2x22x40xf32>) -> tensor<2x22x40xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x22x16xf32>, tensor<2x40x16xf32>) outs(%s0 : tensor<2x22x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %c, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x22x40xf32>
  %er = tensor.empty() : tensor<2x22xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%er : tensor<2x22xf32>) -> tensor<2x22xf32>
  %m = linalg.generic {indexing_maps = [#hij, #hi], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x22x40xf32>) outs(%m0 : tensor<2x22xf32>) {
  ^bb0(%a: f32, %c: f32):
    %t = arith.maximumf %a, %c : f32
    linalg.yield %t : f32
  } -> tensor<2x22xf32>
  %p = linalg.generic {indexing_maps = [#hij, #hi, #hij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<2x22x40xf32>, tensor<2x22xf32>) outs(%es : tensor<2x22x40xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.subf %a, %b : f32
    %u = math.exp %t : f32
    linalg.yield %u : f32
  } -> tensor<2x22x40xf32>
  %eo = tensor.empty() : tensor<2x22x16xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x22x16xf32>) -> tensor<2x22x16xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x22x40xf32>, tensor<2x40x16xf32>) outs(%o0 : tensor<2x22x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %t = arith.mulf %a, %b : f32
    %u = arith.addf %c, %t : f32
    linalg.yield %u : f32
  } -> tensor<2x22x16xf32>
  return %r : tensor<2x22x16xf32>
})mlir";

struct Operator {
  const char *text;
  const char *configuration;
};

class CostOfOperator : public ::testing::TestWithParam<Operator> {};

/// What the cost counts is what the emulator counts.
TEST_P(CostOfOperator, IsWhatIsExecuted) {
  TestModule module(GetParam().text);
  ASSERT_TRUE(module);
  module.getContext()->loadAllAvailableDialects();
  KernelPipelineOptions options;
  options.chip = "gfx942";
  PassManager form(module.getContext());
  form.addPass(createFormKernelsPass({"gfx942"}));
  ASSERT_TRUE(succeeded(form.run(*module)));
  auto kernel = (*module).lookupSymbol<func::FuncOp>("f");
  ASSERT_TRUE(succeeded(
      tileKernel(kernel, *parseTileConfiguration(GetParam().configuration))));
  PassManager pm(module.getContext());
  buildKernelPipeline(pm, options);
  ASSERT_TRUE(succeeded(pm.run(*module)));
  kernel = (*module).lookupSymbol<func::FuncOp>("f");
  FailureOr<KernelContext> context =
      KernelContext::create(kernel, *lookupTarget("gfx942"));
  ASSERT_TRUE(succeeded(context));
  FailureOr<KernelCost> cost = KernelCost::compute(*context);
  ASSERT_TRUE(succeeded(cost));
  EXPECT_TRUE(cost->isExact);

  FailureOr<emulator::Kernel> compiled = emulator::Kernel::compile(*module);
  ASSERT_TRUE(succeeded(compiled));
  std::vector<emulator::HostBuffer> arguments;
  for (Type type : kernel.getArgumentTypes()) {
    auto memref = cast<MemRefType>(type);
    arguments.push_back(emulator::HostBuffer::iota(
        memref.getElementType(), llvm::to_vector(memref.getShape())));
  }
  FailureOr<emulator::Result> result = compiled->run(arguments);
  ASSERT_TRUE(succeeded(result));
  EXPECT_TRUE(result->isClean()) << result->getSummary();
  EXPECT_EQ(cost->globalLoads, result->global.reads);
  EXPECT_EQ(cost->globalStores, result->global.writes);
  EXPECT_EQ(cost->workgroupBytesMoved,
            result->workgroup.bytesRead + result->workgroup.bytesWritten);
  EXPECT_EQ(cost->barriers, result->executedBarriers * cost->workgroups);
}

INSTANTIATE_TEST_SUITE_P(
    KernelCost, CostOfOperator,
    ::testing::Values(
        Operator{kConvolution, "threads=64 block=4x8x0"},
        Operator{kConvolution, "threads=64 block=2x5x4 promote"},
        Operator{kAttention, "threads=64 block=1x4"},
        Operator{kAttention, "threads=64 block=1x4 reduction=8 promote"},
        Operator{kAttention, "threads=64 block=1x8 reduction=8 promote "
                             "stages=2"}));
} // namespace
