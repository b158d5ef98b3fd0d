//===- EncodingsTest.cpp - encodings and resolvers of other compilers -----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/Encodings.h"
#include "MemSpace/Transforms/Passes.h"
#include "TestModule.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr llvm::StringLiteral kAlias = R"mlir(
  #lhs = #memspace.matmul_operand<lhs, types = [f32, f32, f32], sizes = [32, 16, 64]>
  )mlir";
constexpr llvm::StringLiteral kFunction = R"mlir(
  func.func @f(%a: tensor<32x64xf32>) -> tensor<32x64xf32, #lhs> {
    %e = tensor.empty() : tensor<32x64xf32, #lhs>
    %b = memspace.encode ins(%a : tensor<32x64xf32>) outs(%e : tensor<32x64xf32, #lhs>) {test.name = "it"}
    return %b : tensor<32x64xf32, #lhs>
  })mlir";

std::string getProgram(StringRef target = "") {
  std::string function = kFunction.str();
  if (!target.empty())
    function = ("module attributes {memspace.target = " + target + "} {" +
                function + "}")
                   .str();
  return kAlias.str() + function;
}

/// Runs the pass; the first diagnostic where it fails.
std::string materialize(TestModule &module, StringRef chip) {
  std::string message;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (message.empty())
                                      message = diagnostic.str();
                                    return success();
                                  });
  PassManager passes(module.getContext());
  MaterializeEncodingsPassOptions options;
  options.chip = chip.str();
  passes.addPass(createMaterializeEncodingsPass(options));
  EXPECT_EQ(failed(passes.run(*module)), !message.empty());
  return message;
}

void setResolver(TestModule &module, TiledLayoutParts parts,
                 std::optional<int64_t> bytes) {
  module.getContext()->getLoadedDialect<MemSpaceDialect>()->setLayoutResolver(
      [=](Attribute, RankedTensorType, const TargetInfo &,
          llvm::function_ref<InFlightDiagnostic()>)
          -> FailureOr<ResolvedLayout> {
        return ResolvedLayout{*TiledLayout::create(2, parts), bytes};
      });
}

unsigned count(TestModule &module, StringRef name) {
  unsigned found = 0;
  (*module)->walk(
      [&](Operation *op) { found += op->getName().getStringRef() == name; });
  return found;
}
} // namespace

TEST(Encodings, ResolverOfTheEmbeddingCompiler) {
  TestModule module(getProgram());
  ASSERT_TRUE(module);
  setResolver(module, {{}, {1}, {8}, {1, 0}}, 32 * 64 * 4);
  EXPECT_EQ(materialize(module, "gfx1030"), "");
  EXPECT_EQ(count(module, "linalg.pack"), 1u);
  EXPECT_EQ(count(module, "memspace.encode"), 0u);

  // Another layout that is none of its own.
  TestModule same(getProgram());
  setResolver(same, {{16, 64}, {0, 1}, {4, 64}, {}}, std::nullopt);
  EXPECT_EQ(materialize(same, "gfx942"), "");
  EXPECT_EQ(count(same, "linalg.pack"), 0u);
  EXPECT_EQ(count(same, "tensor.empty"), 0u);
}

TEST(Encodings, LayoutsOfWrongSizes) {
  TestModule module(getProgram());
  setResolver(module, {{}, {1}, {8}, {1, 0}}, 32 * 64 * 2);
  std::string error = materialize(module, "gfx942");
  EXPECT_TRUE(
      StringRef(error).contains("for 'gfx942' returned a layout of 4096 bytes, "
                                "but its elements take 8192 "
                                "with their padding"))
      << error;
  // Nothing was changed.
  EXPECT_EQ(count(module, "memspace.encode"), 1u);
}

// To One-Shot an encode that keeps the layout is its source.
TEST(Encodings, InPlaceWhereTheLayoutStays) {
  auto hasSameBuffer = [](StringRef target, unsigned operand) {
    TestModule module(getProgram(target));
    EXPECT_TRUE(module);
    auto encode = module.get<EncodeOp>("it");
    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    bufferization::OneShotAnalysisState state(*module, options);
    OpOperand &source0 = encode->getOpOperand(operand);
    bufferization::AliasingValueList aliases = state.getAliasingValues(source0);
    bool isSame = aliases.getNumAliases() == 1 &&
                  aliases.getAliases()[0].relation ==
                      bufferization::BufferRelation::Equivalent;
    EXPECT_EQ(state.bufferizesToMemoryRead(source0), operand == 0 && !isSame);
    EXPECT_EQ(state.bufferizesToMemoryWrite(source0), operand == 1 && isSame);
    return isSame;
  };
  EXPECT_TRUE(hasSameBuffer("#rocdl.target<chip = \"gfx1030\">", 0));
  EXPECT_FALSE(hasSameBuffer("#rocdl.target<chip = \"gfx1030\">", 1));
  EXPECT_FALSE(hasSameBuffer("#rocdl.target<chip = \"gfx942\">", 0));
  EXPECT_TRUE(hasSameBuffer("#rocdl.target<chip = \"gfx942\">", 1));
  // Without a target nothing is known.
  EXPECT_FALSE(hasSameBuffer("1", 0));
}
