//===- LiveUsesTest.cpp - which uses reach a kernel output -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/LiveUses.h"
#include "MemSpace/InitAll.h"
#include "MemSpace/Spaces/PayloadUses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
class LiveUsesTest : public ::testing::Test {
protected:
  LiveUsesTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    memspace::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Parses the body of a kernel with common arguments.
  void parse(StringRef body) {
    std::string text =
        R"(#id = affine_map<(d0) -> (d0)>
        #none = affine_map<(d0) -> ()>
        func.func @kernel(%x: tensor<8xf32>, %b: tensor<8xf32>, %cond: i1, %n: index,
                          %out: memref<8xf32>, %idx: memref<i64>)
            attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %f0 = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<8xf32>
        )" +
        body.str() + "\nreturn }";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    live.emplace(module.get());
  }

  /// The op with the unit attribute `name`.
  Operation *get(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (op->hasAttr(name))
        found = op;
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<LiveUses> live;
};

// Case S1: one of two results is unused; its init, a read-only argument, has no
// live use.
TEST_F(LiveUsesTest, UnusedResultOfTwo) {
  parse(R"(
    %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%e, %b : tensor<8xf32>, tensor<8xf32>) attrs = {a} {
    ^bb0(%v: f32, %o: f32, %p: f32):
      %q = arith.mulf %v, %v : f32
      linalg.yield %v, %q : f32, f32
    } -> (tensor<8xf32>, tensor<8xf32>)
    bufferization.materialize_in_destination %r#0 in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  Operation *op = get("a");
  EXPECT_FALSE(live->isUnused(op->getResult(0)));
  EXPECT_TRUE(live->isUnused(op->getResult(1)));
  EXPECT_TRUE(live->isLive(op->getOpOperand(0)));
  EXPECT_FALSE(live->isLive(op->getOpOperand(1))); // wholly overwritten
  EXPECT_FALSE(live->isLive(op->getOpOperand(2)));
  EXPECT_FALSE(live->isLive(op->getOperand(2)));
  EXPECT_EQ(getInitUse(op->getOpOperand(1)), InitUse::WhollyOverwritten);
}

// Case S10: the sorted values are unused, but the comparator needs them.
TEST_F(LiveUsesTest, PayloadNeedsUnusedResult) {
  parse(R"(
    %m0e = tensor.empty() : tensor<f32>
    %m0 = linalg.fill {fill} ins(%f0 : f32) outs(%m0e : tensor<f32>) -> tensor<f32>
    %z = arith.constant 0 : i64
    %ie = tensor.empty() : tensor<i64>
    %i0 = linalg.fill ins(%z : i64) outs(%ie : tensor<i64>) -> tensor<i64>
    %r:2 = linalg.generic {indexing_maps = [#id, #none, #none], iterator_types = ["reduction"]}
        ins(%x : tensor<8xf32>) outs(%m0, %i0 : tensor<f32>, tensor<i64>) attrs = {a} {
    ^bb0(%v: f32, %m: f32, %i: i64):
      %k = linalg.index 0 : index
      %kk = arith.index_cast %k : index to i64
      %gt = arith.cmpf ogt, %v, %m : f32
      %nm = arith.select %gt, %v, %m : f32
      %ni = arith.select %gt, %kk, %i : i64
      linalg.yield %nm, %ni : f32, i64
    } -> (tensor<f32>, tensor<i64>)
    bufferization.materialize_in_destination %r#1 in writable %idx : (tensor<i64>, memref<i64>) -> ()
  )");
  Operation *op = get("a");
  EXPECT_TRUE(live->isUnused(op->getResult(0)));
  EXPECT_TRUE(live->isLive(op->getOpOperand(1)));
  EXPECT_TRUE(live->isLive(get("fill")->getResult(0)));
  EXPECT_EQ(getInitUse(op->getOpOperand(1)), InitUse::Read);
}

// Case S11: "the payload does not read it" is not "wholly overwritten".
TEST_F(LiveUsesTest, PartlyOverwrittenInitIsLive) {
  parse(R"(
    %f = linalg.fill {fill} ins(%f0 : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %s = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %r = linalg.generic {indexing_maps = [#id, affine_map<(d0) -> (d0 * 2)>], iterator_types = ["parallel"]}
        ins(%s : tensor<4xf32>) outs(%f : tensor<8xf32>) attrs = {a} {
    ^bb0(%v: f32, %o: f32):
      linalg.yield %v : f32
    } -> tensor<8xf32>
    bufferization.materialize_in_destination %r in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  EXPECT_EQ(getInitUse(get("a")->getOpOperand(1)), InitUse::PartlyOverwritten);
  EXPECT_TRUE(live->isLive(get("a")->getOpOperand(1)));
  EXPECT_TRUE(live->isLive(get("fill")->getResult(0)));
}

// A reduction that may run no iteration writes nothing.
TEST_F(LiveUsesTest, DynamicReductionMayKeepInit) {
  parse(R"(
    %d = tensor.empty(%n) : tensor<8x?xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%d : tensor<8x?xf32>) outs(%x : tensor<8xf32>) attrs = {a} {
    ^bb0(%v: f32, %o: f32):
      linalg.yield %v : f32
    } -> tensor<8xf32>
    bufferization.materialize_in_destination %r in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  EXPECT_EQ(getInitUse(get("a")->getOpOperand(1)), InitUse::PartlyOverwritten);
}

// Through a loop: one iter_arg reaches the output, one is only carried. The
// bounds of the loop are live.
TEST_F(LiveUsesTest, LoopCarried) {
  parse(R"(
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x, %q = %b) -> (tensor<8xf32>, tensor<8xf32>) {
      %p1 = linalg.exp {p} ins(%p : tensor<8xf32>) outs(%p : tensor<8xf32>) -> tensor<8xf32>
      %q1 = linalg.exp {q} ins(%q : tensor<8xf32>) outs(%q : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %p1, %q1 : tensor<8xf32>, tensor<8xf32>
    } {a}
    bufferization.materialize_in_destination %r#0 in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  auto loop = cast<scf::ForOp>(get("a"));
  EXPECT_TRUE(live->isLive(loop.getRegionIterArg(0)));
  EXPECT_FALSE(live->isLive(loop.getRegionIterArg(1)));
  EXPECT_TRUE(live->isUnused(loop->getResult(1)));
  EXPECT_TRUE(live->isLive(loop.getUpperBound()));
  EXPECT_TRUE(live->isLive(get("p")));
  EXPECT_FALSE(live->isLive(get("q")));
}

// A swap makes both iter_args live.
TEST_F(LiveUsesTest, LoopCarriedSwap) {
  parse(R"(
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x, %q = %b) -> (tensor<8xf32>, tensor<8xf32>) {
      scf.yield %q, %p : tensor<8xf32>, tensor<8xf32>
    } {a}
    bufferization.materialize_in_destination %r#0 in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  auto loop = cast<scf::ForOp>(get("a"));
  EXPECT_TRUE(live->isLive(loop.getRegionIterArg(0)));
  EXPECT_TRUE(live->isLive(loop.getRegionIterArg(1)));
  EXPECT_TRUE(live->isUnused(loop->getResult(1)));
}

TEST_F(LiveUsesTest, While) {
  parse(R"(
    %r:2 = scf.while (%p = %c0, %q = %x) : (index, tensor<8xf32>) -> (index, tensor<8xf32>) {
      %c = arith.cmpi ult, %p, %n : index
      scf.condition(%c) %p, %q : index, tensor<8xf32>
    } do {
    ^bb0(%p: index, %q: tensor<8xf32>):
      %p1 = arith.addi %p, %c1 {next} : index
      %q1 = linalg.exp {q} ins(%q : tensor<8xf32>) outs(%q : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %p1, %q1 : index, tensor<8xf32>
    } attributes {a}
    bufferization.materialize_in_destination %r#1 in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  // The counter reaches no output, but it controls the loop.
  EXPECT_TRUE(live->isLive(get("next")->getResult(0)));
  EXPECT_TRUE(live->isUnused(get("a")->getResult(0)));
  EXPECT_TRUE(live->isLive(get("q")->getResult(0)));
}

// Per use (case S15): one branch reads the value for a live result, the other
// for an unused one.
TEST_F(LiveUsesTest, IfPerUse) {
  parse(R"(
    %t = linalg.exp {t} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %r:2 = scf.if %cond -> (tensor<8xf32>, tensor<8xf32>) {
      scf.yield %t, %b : tensor<8xf32>, tensor<8xf32>
    } else {
      scf.yield %b, %t : tensor<8xf32>, tensor<8xf32>
    } {a}
    bufferization.materialize_in_destination %r#0 in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  auto branch = cast<scf::IfOp>(get("a"));
  EXPECT_TRUE(live->isLive(branch.thenYield()->getOpOperand(0)));
  EXPECT_FALSE(live->isLive(branch.elseYield()->getOpOperand(1)));
  EXPECT_TRUE(live->isLive(branch.getCondition()));
  EXPECT_EQ(live->getLiveUses(get("t")->getResult(0)).size(), 1u);
}

TEST_F(LiveUsesTest, Forall) {
  parse(R"(
    %r:2 = scf.forall (%i) in (8) shared_outs(%o = %e, %p = %b) -> (tensor<8xf32>, tensor<8xf32>) {
      %v = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
      %d = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
      %s = linalg.exp {s} ins(%v : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
      %w = linalg.exp {w} ins(%v : tensor<1xf32>) outs(%d : tensor<1xf32>) -> tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
        tensor.parallel_insert_slice %w into %p[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
      }
    } {a, mapping = [#gpu.thread<x>]}
    bufferization.materialize_in_destination %r#0 in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  auto forall = cast<scf::ForallOp>(get("a"));
  EXPECT_TRUE(live->isLive(get("s")->getResult(0)));
  EXPECT_FALSE(live->isLive(get("w")->getResult(0)));
  EXPECT_TRUE(live->isUnused(forall->getResult(1)));
  EXPECT_FALSE(live->isLive(forall.getRegionIterArgs()[1]));
  EXPECT_FALSE(live->isLive(forall.getOutputs()[1]));
  EXPECT_TRUE(live->isLive(forall.getInductionVar(0)));
}

// A call may do anything with what it gets.
TEST_F(LiveUsesTest, UnknownEffectKeepsOperands) {
  parse(R"(
    %t = linalg.exp {t} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %u = linalg.exp {u} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    func.call @sink(%t) : (tensor<8xf32>) -> ()
    return
    }
    func.func private @sink(tensor<8xf32>)
    func.func @other() {
  )");
  EXPECT_TRUE(live->isLive(get("t")->getResult(0)));
  EXPECT_FALSE(live->isLive(get("u")->getResult(0)));
}

TEST_F(LiveUsesTest, Blocks) {
  parse(R"(
    cf.cond_br %cond, ^bb1(%x, %b : tensor<8xf32>, tensor<8xf32>), ^bb1(%b, %b : tensor<8xf32>, tensor<8xf32>)
  ^bb1(%p: tensor<8xf32>, %q: tensor<8xf32>):
    bufferization.materialize_in_destination %p in writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  )");
  Block &entry = (*module->getOps<func::FuncOp>().begin()).front();
  Operation *branch = entry.getTerminator();
  EXPECT_TRUE(live->isLive(branch->getOpOperand(0)));  // condition
  EXPECT_TRUE(live->isLive(branch->getOpOperand(1)));  // %x
  EXPECT_FALSE(live->isLive(branch->getOpOperand(2))); // %b for %q
  EXPECT_TRUE(live->isLive(branch->getOpOperand(3)));
}
} // namespace
