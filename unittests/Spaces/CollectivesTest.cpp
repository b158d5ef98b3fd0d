//===- CollectivesTest.cpp - what threads contribute to one tensor -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/Collectives.h"
#include "MemSpace/InitAll.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class CollectivesTest : public ::testing::Test {
protected:
  CollectivesTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    memspace::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Parses what each of 64 threads does with `%tile`, which they share.
  void parse(StringRef body) {
    std::string text =
        R"(func.func @kernel(%out: memref<64xf32>, %v: f32, %cond: i1)
            attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %o = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
          %tile = bufferization.alloc_tensor() {tile} : tensor<64xf32>
          %r = scf.forall (%t) in (64) shared_outs(%s = %o) -> tensor<64xf32> {
        )" +
        body.str() + R"(
            %p = tensor.extract_slice %all[%c0] [1] [1] : tensor<64xf32> to tensor<1xf32>
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %p into %s[%t] [1] [1] : tensor<1xf32> into tensor<64xf32>
            }
          } {mapping = [#gpu.thread<x>], memspace.collective}
          bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
          return
        })";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }

  /// The op with the unit attribute `name`.
  Operation *get(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (op->hasAttr(name))
        found = op;
    });
    return found;
  }
  FunctionOpInterface getKernel() {
    return *module->getOps<FunctionOpInterface>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(CollectivesTest, FollowsInsertionsThroughControlFlow) {
  parse(R"(
    %part = memspace.begin_collective %tile {begin} : tensor<64xf32>
    %a = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %part) -> tensor<64xf32> {
      %y = scf.if %cond -> tensor<64xf32> {
        %z = tensor.insert %v into %x[%t] : tensor<64xf32>
        scf.yield %z : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      scf.yield %y : tensor<64xf32>
    } {loop}
    %b = tensor.insert %v into %a[%t] : tensor<64xf32>
    %all = memspace.end_collective %b {end} : tensor<64xf32>)");
  ContributionSource source =
      findContributionSource(get("end")->getOpOperand(0));
  EXPECT_EQ(source.root, get("begin")->getResult(0));
  ASSERT_EQ(source.uses.size(), 1u);
  EXPECT_EQ(source.uses[0]->getOwner(), get("loop"));
}

TEST_F(CollectivesTest, StopsAtWhatALoopAroundCarries) {
  parse(R"(
    %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %tile) -> tensor<64xf32> {
      %y = tensor.insert %v into %x[%t] {insert} : tensor<64xf32>
      %z = memspace.end_collective %y {end} : tensor<64xf32>
      scf.yield %z : tensor<64xf32>
    })");
  ContributionSource source =
      findContributionSource(get("end")->getOpOperand(0));
  ASSERT_TRUE(isa<BlockArgument>(source.root));
  ASSERT_EQ(source.uses.size(), 1u);
  EXPECT_EQ(source.uses[0]->getOwner(), get("insert"));
}

TEST_F(CollectivesTest, KnowsNoSourceOfTwoTensors) {
  parse(R"(
    %other = bufferization.alloc_tensor() : tensor<64xf32>
    %x = scf.if %cond -> tensor<64xf32> {
      scf.yield %tile : tensor<64xf32>
    } else {
      scf.yield %other : tensor<64xf32>
    }
    %all = memspace.end_collective %x {end} : tensor<64xf32>)");
  ContributionSource source =
      findContributionSource(get("end")->getOpOperand(0));
  EXPECT_FALSE(source.root);
  EXPECT_EQ(source.uses.size(), 2u);
}

TEST_F(CollectivesTest, FollowsBuffersToWhereItIsTold) {
  parse(R"(
    %part = memspace.begin_collective %tile {begin} : tensor<64xf32>
    %a = tensor.insert %v into %part[%t] {insert} : tensor<64xf32>
    %all = memspace.end_collective %a {end} : tensor<64xf32>)");
  bufferization::OneShotBufferizationOptions options = getOneShotOptions();
  bufferization::AnalysisState state(options);
  Value begun = get("begin")->getResult(0),
        inserted = get("insert")->getResult(0), all = get("end")->getResult(0);
  DenseSet<Value> contributed = followBuffers(begun, state, [](OpOperand &use) {
    return !isa<EndCollectiveOp>(use.getOwner());
  });
  EXPECT_TRUE(contributed.contains(begun) && contributed.contains(inserted));
  EXPECT_FALSE(contributed.contains(all));
  DenseSet<Value> whole =
      followBuffers(begun, state, [](OpOperand &) { return true; });
  EXPECT_TRUE(whole.contains(all));
  // The slice that is inserted into the result is not of the tile.
  EXPECT_FALSE(whole.contains(get("mapping")->getResult(0)));
}

TEST_F(CollectivesTest, IsSharedByTheWorkgroup) {
  parse(R"(
    %part = memspace.begin_collective %tile : tensor<64xf32>
    %a = tensor.insert %v into %part[%t] : tensor<64xf32>
    %all = memspace.end_collective %a : tensor<64xf32>)");
  MemorySpaceAnalysis analysis(getKernel(),
                               MemorySpaceOptions(*lookupTarget("gfx942")));
  ASSERT_TRUE(analysis.isValid());
  Value tile = get("tile")->getResult(0);
  EXPECT_EQ(analysis.getMemorySpace(tile), MemorySpace::Workgroup);
  EXPECT_EQ(analysis.getDecision(tile)->reasons.front().rule, "collective");
  EXPECT_TRUE(succeeded(verifyCollectives(getKernel(), analysis)));
}
} // namespace
