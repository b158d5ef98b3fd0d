//===- ShrinkerTest.cpp - kernels that become smaller -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrinker.h"
#include "LieDialect.h"
#include "ShrinkCuts.h"
#include "TestModule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr llvm::StringLiteral nest = R"(
  func.func @other(%n: index) { return }
  func.func @kernel(%in: memref<64xf16>, %n: index, %out: memref<64xf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %x = bufferization.to_tensor %in restrict : memref<64xf16> to tensor<64xf16>
    %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %x) -> (tensor<64xf16>, tensor<64xf16>) {
      %w:3 = scf.while (%p = %a, %q = %b, %k = %c0) : (tensor<64xf16>, tensor<64xf16>, index) -> (tensor<64xf16>, tensor<64xf16>, index) {
        %more = arith.cmpi ult, %k, %n : index
        scf.condition(%more) %p, %q, %k : tensor<64xf16>, tensor<64xf16>, index
      } do {
      ^bb0(%p: tensor<64xf16>, %q: tensor<64xf16>, %k: index):
        %s:2 = scf.index_switch %k -> tensor<64xf16>, tensor<64xf16>
        case 1 {
          scf.yield %q, %p : tensor<64xf16>, tensor<64xf16>
        }
        default {
          %d = linalg.copy ins(%p : tensor<64xf16>) outs(%q : tensor<64xf16>) -> tensor<64xf16>
          scf.yield %d, %d : tensor<64xf16>, tensor<64xf16>
        }
        %next = arith.addi %k, %c1 : index
        scf.yield %s#0, %s#1, %next : tensor<64xf16>, tensor<64xf16>, index
      }
      scf.yield %w#1, %w#0 : tensor<64xf16>, tensor<64xf16>
    }
    %z = arith.constant 1.0 : f16
    %f = scf.forall (%t) in (64) shared_outs(%o = %r#0) -> (tensor<64xf16>) {
      %e = tensor.extract_slice %o[%t] [1] [1] : tensor<64xf16> to tensor<1xf16>
      %g = linalg.fill ins(%z : f16) outs(%e : tensor<1xf16>) -> tensor<1xf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %g into %o[%t] [1] [1] : tensor<1xf16> into tensor<64xf16>
      }
    } {mapping = [#gpu.thread<x>]}
    %l = lie.ew ins(%f, %x : tensor<64xf16>, tensor<64xf16>) outs(%f : tensor<64xf16>) {hides_reads = array<i64: 0, 1>} -> tensor<64xf16>
    %m = memspace.scan dimension(0) reverse ins(%l : tensor<64xf16>) outs(%l : tensor<64xf16>) {
    ^bb0(%left: f16, %right: f16):
      %max = arith.maximumf %left, %right : f16
      memspace.yield %max : f16
    } -> tensor<64xf16>
    bufferization.materialize_in_destination %m in restrict writable %out : (tensor<64xf16>, memref<64xf16>) -> ()
    return
  })";
} // namespace

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << module;
  return text;
}

/// Each cut applies somewhere in a kernel that has a bit of everything, and
/// leaves valid IR wherever it does.
TEST(Shrinker, EveryCut) {
  TestModule module(nest, lie::registerLieDialect);
  ASSERT_TRUE(module);
  int64_t numOps = 0;
  (*module).walk([&](Operation *) { ++numOps; });
  for (auto [number, cut] : llvm::enumerate(fuzz::getCuts())) {
    unsigned applied = 0;
    for (int64_t position = 0; position < numOps; ++position)
      for (unsigned way = 0;; ++way) {
        OwningOpRef<ModuleOp> candidate((*module).clone());
        int64_t next = 0;
        Operation *op = nullptr;
        candidate->walk<WalkOrder::PreOrder>([&](Operation *other) {
          if (next++ == position)
            op = other;
        });
        if (way >= cut.count(op))
          break;
        std::string before = print(*candidate);
        if (!cut.apply(op, way))
          continue;
        ++applied;
        EXPECT_NE(print(*candidate), before);
        EXPECT_TRUE(succeeded(verify(*candidate))) << print(*candidate);
      }
    EXPECT_GT(applied, 0u) << "cut " << number;
  }
}

TEST(Shrinker, OtherTexts) {
  SmallVector<std::string> texts = fuzz::getSmallerTexts(
      "memref<8x16xf16> affine_map<(d16) -> (d16 + 8)> 16.0 %16 f16x");
  EXPECT_TRUE(llvm::is_contained(
      texts, "memref<8x4xf16> affine_map<(d16) -> (d16 + 8)> 16.0 %16 f16x"));
  EXPECT_TRUE(llvm::is_contained(
      texts, "memref<2x16xf16> affine_map<(d16) -> (d16 + 2)> 16.0 %16 f16x"));
  EXPECT_TRUE(llvm::is_contained(
      texts, "memref<8x16xf32> affine_map<(d16) -> (d16 + 8)> 16.0 %16 f16x"));
}

TEST(Shrinker, OneOpOfManyRemains) {
  TestModule module(nest, lie::registerLieDialect);
  ASSERT_TRUE(module);
  OwningOpRef<ModuleOp> small =
      fuzz::shrink(*module, 20, [&](ModuleOp candidate) {
        return StringRef(print(candidate)).contains("materialize");
      });
  std::string text = print(*small);
  EXPECT_LE(StringRef(text).count('\n'), 7u) << text;
  EXPECT_FALSE(StringRef(text).contains("@other")) << text;
  EXPECT_TRUE(StringRef(text).contains("memref<2xf32>")) << text;
}

TEST(Shrinker, KeepsWhatTheFailureNeeds) {
  TestModule module(nest, lie::registerLieDialect);
  ASSERT_TRUE(module);
  auto hasFill = [](ModuleOp candidate) {
    bool found = false;
    candidate.walk([&](linalg::FillOp) { found = true; });
    return found;
  };
  OwningOpRef<ModuleOp> small = fuzz::shrink(*module, 20, hasFill);
  ASSERT_TRUE(small);
  EXPECT_TRUE(hasFill(*small));
  int64_t numForalls = 0, numOps = 0;
  small->walk([&](Operation *op) {
    ++numOps;
    numForalls += isa<scf::ForallOp>(op);
  });
  EXPECT_EQ(numForalls, 0);
  EXPECT_LE(numOps, 10);
}
