//===- MemorySpaceAnalysisTest.cpp - where every tensor lives -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel template: a producer forall writes %t, a consumer reads it. What
// differs is who writes and who reads.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {

/// A kernel of 64 threads around `body`, with %x, %ot: tensor<64xf32> in
/// global memory and the constants %c0, %c1, %c63, %z.
std::string kernel(const std::string &body) {
  return R"mlir(
#twice = affine_map<(d0) -> (d0 * 2)>
func.func @k(%a: memref<64xf32>, %out: memref<64xf32>, %flag: i1)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %z = arith.constant 0.0 : f32
)mlir" + body +
         R"mlir(
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
})mlir";
}

/// %NAME: thread i writes element i of a copy of %x into INIT.
std::string produce(const std::string &name, const std::string &init,
                    const std::string &mapping = "#gpu.thread<x>") {
  return "  " + name + " = scf.forall (%i) in (64) shared_outs(%o = " + init +
         R"mlir() -> (tensor<64xf32>) {
    %v = tensor.extract %x[%i] : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [)mlir" +
         mapping + "]}\n";
}

/// %r: thread i writes element i of %ot from SOURCE at the index %j, which
/// INDEX computes from %i.
std::string consume(const std::string &source, const std::string &index,
                    const std::string &mapping = "#gpu.thread<x>") {
  return R"mlir(
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    )mlir" +
         index + R"mlir(
    %v = tensor.extract )mlir" +
         source + R"mlir([%j] {test.name = "read"} : tensor<64xf32>
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [)mlir" +
         mapping + "]}\n";
}

const char *const kEmpty =
    "  %e = tensor.empty() {test.name = \"e\"} : tensor<64xf32>\n";
const char *const kOwn = "%j = arith.addi %i, %c0 : index";
const char *const kReversed = "%j = arith.subi %c63, %i : index";

/// The analysis of one snippet, with its module.
struct Analyzed {
  explicit Analyzed(
      const std::string &source,
      MemorySpaceOptions options = MemorySpaceOptions(getTestTarget()))
      : module(source), analysis(*module, options) {}

  Value value(StringRef name) { return module.get(name)->getResult(0); }
  std::optional<MemorySpace> space(StringRef name = "e") {
    return analysis.getMemorySpace(value(name));
  }
  StringRef lastRule(StringRef name = "e") {
    return analysis.getDecision(value(name))->reasons.back().rule;
  }

  TestModule module;
  MemorySpaceAnalysis analysis;
};

TEST(MemorySpaceAnalysisTest, alignedIsPrivate) {
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + consume("%t", kOwn)));
  EXPECT_EQ(a.space(), MemorySpace::Private);
  EXPECT_EQ(a.lastRule(), "aligned");
  EXPECT_EQ(a.analysis.getSharingScope(a.value("e")), ExecutionScope::Thread);
  const MemorySpaceDecision *decision = a.analysis.getDecision(a.value("e"));
  EXPECT_EQ(decision->bytes, 256);
  EXPECT_EQ(decision->bytesPerThread, 4);
}

TEST(MemorySpaceAnalysisTest, reversedIsShared) {
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + consume("%t", kReversed)));
  EXPECT_EQ(a.space(), MemorySpace::Workgroup);
  EXPECT_EQ(a.lastRule(), "must-share");
  EXPECT_EQ(a.analysis.getSharingScope(a.value("e")),
            ExecutionScope::Workgroup);
  // The pair that decides is in the reason.
  EXPECT_EQ(a.analysis.getDecision(a.value("e"))->reasons.back().ops.size(),
            2u);
  EXPECT_NE(a.analysis.explain(a.value("e")).find("must-share: an element"),
            std::string::npos);
}

// S3: who writes and who reads decides, not where the tensor is created.
TEST(MemorySpaceAnalysisTest, threadScopeIsPrivate) {
  Analyzed a(kernel(R"mlir(
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %e = tensor.empty() {test.name = "e"} : tensor<1xf32>
    %v = tensor.extract %x[%i] : tensor<64xf32>
    %s = tensor.insert %v into %e[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
)mlir"));
  EXPECT_EQ(a.space(), MemorySpace::Private);
  EXPECT_EQ(a.lastRule(), "thread-scope");
}

// S5: the destination reaches its forall only through iter_args.
TEST(MemorySpaceAnalysisTest, sharedThroughLoop) {
  std::string loop = R"mlir(
  %t = scf.for %k = %c0 to %c63 step %c1 iter_args(%u = %e) -> (tensor<64xf32>) {
)mlir" + produce("%n", "%u") +
                     R"mlir(
    scf.yield %n : tensor<64xf32>
  }
)mlir";
  Analyzed shared(kernel(kEmpty + loop + consume("%t", kReversed)));
  EXPECT_EQ(shared.space(), MemorySpace::Workgroup);
  Analyzed own(kernel(kEmpty + loop + consume("%t", kOwn)));
  EXPECT_EQ(own.space(), MemorySpace::Private);
}

// The slice (i + k) mod 64 is written and read textually alike, but by another
// thread in another iteration.
TEST(MemorySpaceAnalysisTest, loopVariablesAreRenamedApart) {
  Analyzed a(kernel(std::string(kEmpty) + R"mlir(
  %c64 = arith.constant 64 : index
  %t = scf.for %k = %c0 to %c63 step %c1 iter_args(%u = %e) -> (tensor<64xf32>) {
    %n = scf.forall (%i) in (64) shared_outs(%o = %u) -> (tensor<64xf32>) {
      %ik = arith.addi %i, %k : index
      %m = arith.remui %ik, %c64 : index
      %d = tensor.extract_slice %o[%m] [1] [1] : tensor<64xf32> to tensor<1xf32>
      %old = tensor.extract %d[%c0] : tensor<1xf32>
      %new = arith.addf %old, %old : f32
      %s = tensor.insert %new into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%m] [1] [1] : tensor<1xf32> into tensor<64xf32>
      }
    } {mapping = [#gpu.thread<x>]}
    scf.yield %n : tensor<64xf32>
  }
)mlir" + consume("%t", kOwn)));
  EXPECT_EQ(a.space(), MemorySpace::Workgroup);
}

// S7: uniform, small enough to be replicated, or not.
TEST(MemorySpaceAnalysisTest, uniformIsReplicatedWithinTheLimit) {
  std::string text =
      kernel(std::string(kEmpty) +
             "  %t = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> "
             "tensor<64xf32>\n" +
             consume("%t", kReversed));
  Analyzed within(text);
  EXPECT_EQ(within.space(), MemorySpace::Private);
  EXPECT_EQ(within.lastRule(), "replicated");
  EXPECT_TRUE(within.analysis.getDecision(within.value("e"))->replicated);

  MemorySpaceOptions options(getTestTarget());
  options.replicationBytes = 255;
  Analyzed beyond(text, options);
  EXPECT_EQ(beyond.space(), MemorySpace::Workgroup);
  EXPECT_EQ(beyond.lastRule(), "replication-limit");
}

// More work for each thread than its part and a barrier; a barrier may cost
// more.
TEST(MemorySpaceAnalysisTest, uniformIsReplicatedByCost) {
  std::string text = kernel(
      std::string(kEmpty) +
      "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> "
      "tensor<64xf32>\n"
      "  %t = linalg.exp ins(%f : tensor<64xf32>) outs(%f : tensor<64xf32>) -> "
      "tensor<64xf32>\n" +
      consume("%t", kReversed));
  Analyzed shared(text);
  EXPECT_EQ(shared.space(), MemorySpace::Workgroup);
  EXPECT_EQ(shared.lastRule(), "replication-cost");
  EXPECT_FALSE(shared.analysis.getDecision(shared.value("e"))->replicated);

  MemorySpaceOptions options(getTestTarget());
  options.barrierWork = 1000;
  Analyzed replicated(text, options);
  EXPECT_EQ(replicated.space(), MemorySpace::Private);
  EXPECT_EQ(replicated.lastRule(), "replicated");
}

TEST(MemorySpaceAnalysisTest, privateLimit) {
  MemorySpaceOptions options(getTestTarget());
  options.target.privateBytes = 3;
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + consume("%t", kOwn)),
             options);
  EXPECT_EQ(a.space(), MemorySpace::Workgroup);
  EXPECT_EQ(a.lastRule(), "private-limit");
}

// B2: too large for either; the reason gives both figures.
TEST(MemorySpaceAnalysisTest, refusedOverBudget) {
  MemorySpaceOptions options(getTestTarget());
  options.target.workgroupBytes = options.target.maxWorkgroupBytes = 255;
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + consume("%t", kReversed)),
             options);
  EXPECT_EQ(a.space(), std::nullopt);
  EXPECT_TRUE(a.analysis.getDecision(a.value("e"))->refused);
  EXPECT_EQ(a.lastRule(), "over-budget");
}

// S4: once per subgroup, and the instances follow the target's width.
TEST(MemorySpaceAnalysisTest, oncePerSubgroup) {
  std::string text = R"mlir(
func.func @k(%out: memref<64xf32>)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %c0 = arith.constant 0 : index
  %c31 = arith.constant 31 : index
  %z = arith.constant 0.0 : f32
  %r = scf.forall (%w) in (2) shared_outs(%ow = %ot) -> (tensor<64xf32>) {
    %e = tensor.empty() {test.name = "e"} : tensor<32xf32>
    %t = scf.forall (%l) in (32) shared_outs(%o = %e) -> (tensor<32xf32>) {
      %d = tensor.extract_slice %o[%l] [1] [1] : tensor<32xf32> to tensor<1xf32>
      %s = tensor.insert %z into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    %base = affine.apply affine_map<(d0) -> (d0 * 32)>(%w)
    %row = tensor.extract_slice %ow[%base] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %u = scf.forall (%l) in (32) shared_outs(%o = %row) -> (tensor<32xf32>) {
      %j = arith.subi %c31, %l : index
      %v = tensor.extract %t[%j] : tensor<32xf32>
      %d = tensor.extract_slice %o[%l] [1] [1] : tensor<32xf32> to tensor<1xf32>
      %s = tensor.insert %v into %d[%c0] : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%l] [1] [1] : tensor<1xf32> into tensor<32xf32>
      }
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %u into %ow[%base] [32] [1] : tensor<32xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<64xf32>, memref<64xf32>) -> ()
  return
})mlir";
  for (int64_t width : {32, 64}) {
    MemorySpaceOptions options(getTestTarget());
    options.target.subgroupSize = width;
    Analyzed a(text, options);
    EXPECT_EQ(a.space(), MemorySpace::Workgroup);
    EXPECT_EQ(a.analysis.getSharingScope(a.value("e")),
              ExecutionScope::Subgroup);
    EXPECT_EQ(a.analysis.getDecision(a.value("e"))->threadsPerInstance, width);
    EXPECT_NE(a.analysis.explain(a.value("e"))
                  .find(std::to_string(64 / width) + " instances"),
              std::string::npos);
  }
}

// S6, P4: what an scf.if chooses between gets one space.
TEST(MemorySpaceAnalysisTest, branchesShareASpace) {
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + R"mlir(
  %e2 = tensor.empty() {test.name = "e2"} : tensor<64xf32>
)mlir" + produce("%t2", "%e2") +
                    R"mlir(
  %sel = scf.if %flag -> (tensor<64xf32>) {
    scf.yield %t : tensor<64xf32>
  } else {
    scf.yield %t2 : tensor<64xf32>
  }
)mlir" + consume("%sel", kReversed)));
  EXPECT_EQ(a.space("e"), MemorySpace::Workgroup);
  EXPECT_EQ(a.space("e2"), MemorySpace::Workgroup);
  EXPECT_EQ(a.analysis.getBufferClass(a.value("e")),
            a.analysis.getBufferClass(a.value("e2")));
}

// S8: the old value is read after the update, so that the update has a buffer
// of its own.
TEST(MemorySpaceAnalysisTest, conflictsAreBuffersOfTheirOwn) {
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + R"mlir(
  %n = scf.forall (%i) in (32) shared_outs(%o = %t) -> (tensor<64xf32>) {
    %p = affine.apply #twice(%i)
    %d = tensor.extract_slice %o[%p] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %z into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%p] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>], test.name = "n"}
  %r = scf.forall (%i) in (64) shared_outs(%o = %ot) -> (tensor<64xf32>) {
    %j = arith.subi %c63, %i : index
    %v = tensor.extract %t[%j] : tensor<64xf32>
    %w = tensor.extract %n[%j] : tensor<64xf32>
    %sum = arith.addf %v, %w : f32
    %d = tensor.extract_slice %o[%i] [1] [1] : tensor<64xf32> to tensor<1xf32>
    %s = tensor.insert %sum into %d[%c0] : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
)mlir"));
  EXPECT_NE(a.analysis.getBufferClass(a.value("e")),
            a.analysis.getBufferClass(a.value("n")));
  EXPECT_EQ(a.space("n"), MemorySpace::Workgroup);
}

// S15: queries by value and by use.
TEST(MemorySpaceAnalysisTest, queries) {
  Analyzed a(kernel(kEmpty + produce("%t", "%e") + consume("%t", kOwn)));
  Operation *read = a.module.get("read");
  EXPECT_EQ(a.analysis.getScope(read->getOpOperand(0)), ExecutionScope::Thread);
  Value t = read->getOperand(0);
  EXPECT_EQ(a.analysis.getMemorySpace(t), MemorySpace::Private);
  SmallVector<OpOperand *> uses = a.analysis.getLiveUses(t);
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses.front()->getOwner(), read);
  // Values that are no tensors have no answer.
  EXPECT_EQ(a.analysis.getDecision(read->getOperand(1)), nullptr);
  EXPECT_EQ(a.analysis.explain(read->getOperand(1)), "");
  // Memory of the caller.
  auto dest = (*a.module)->walk([&](bufferization::ToTensorOp op) {
    EXPECT_EQ(a.analysis.getMemorySpace(op.getResult()), MemorySpace::Global);
    return WalkResult::advance();
  });
  EXPECT_FALSE(dest.wasInterrupted());
}

TEST(MemorySpaceAnalysisTest, worksAsAnAnalysis) {
  TestModule module(
      kernel(kEmpty + produce("%t", "%e") + consume("%t", kReversed)));
  (*module)->setAttr(
      "gpu.target",
      parseAttribute("#rocdl.target<chip = \"gfx942\">", module.getContext()));
  ModuleAnalysisManager manager(*module, nullptr);
  AnalysisManager analyses = manager;
  auto &analysis = analyses.getAnalysis<MemorySpaceAnalysis>();
  EXPECT_EQ(analysis.getMemorySpace(module.get("e")->getResult(0)),
            MemorySpace::Workgroup);
}

// No analysis assumes a GPU.
TEST(MemorySpaceAnalysisTest, noAnswersWithoutTarget) {
  TestModule module(
      kernel(kEmpty + produce("%t", "%e") + consume("%t", kReversed)));
  std::string text;
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    text += diagnostic.str();
                                    return success();
                                  });
  MemorySpaceAnalysis analysis(*module);
  EXPECT_FALSE(analysis.isValid());
  EXPECT_NE(text.find("has no target"), std::string::npos) << text;
  EXPECT_EQ(analysis.getMemorySpace(module.get("e")->getResult(0)),
            std::nullopt);
}

// Subscripts alike, mappings not: another thread reads.
TEST(MemorySpaceAnalysisTest, mappingsAreCompared) {
  std::string text = R"mlir(
func.func @k(%out: memref<8x8xf32>)
    attributes {gpu.known_block_size = array<i32: 8, 8, 1>} {
  %ot = bufferization.to_tensor %out restrict writable : memref<8x8xf32> to tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() {test.name = "e"} : tensor<8x8xf32>
  %t = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %e) -> (tensor<8x8xf32>) {
    %d = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    %s = tensor.insert %z into %d[%c0, %c0] : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  %r = scf.forall (%i, %j) in (8, 8) shared_outs(%o = %ot) -> (tensor<8x8xf32>) {
    %v = tensor.extract %t[%i, %j] : tensor<8x8xf32>
    %d = tensor.extract_slice %o[%i, %j] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
    %s = tensor.insert %v into %d[%c0, %c0] : tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
    }
  } {mapping = [MAPPING]}
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
})mlir";
  auto withMapping = [&](const std::string &mapping) {
    std::string result = text;
    result.replace(result.find("MAPPING"), 7, mapping);
    return result;
  };
  Analyzed same(withMapping("#gpu.thread<y>, #gpu.thread<x>"));
  EXPECT_EQ(same.space(), MemorySpace::Private);
  // [y, x] on 8 x 8 threads is the linear id with x fastest.
  Analyzed linear(
      withMapping("#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>"));
  EXPECT_EQ(linear.space(), MemorySpace::Private);
  Analyzed swapped(withMapping("#gpu.thread<x>, #gpu.thread<y>"));
  EXPECT_EQ(swapped.space(), MemorySpace::Workgroup);
}

// The owner of the elements is in a branch that is never taken: it proves
// nothing of the other branch, whose reads cross threads (found by fuzzing).
TEST(MemorySpaceAnalysisTest, deadOwnersProveNothing) {
  Analyzed a(kernel(R"mlir(
  %never = arith.cmpi slt, %c1, %c0 : index
  %sel = scf.if %never -> (tensor<64xf32>) {
    %e1 = tensor.empty() : tensor<64xf32>
)mlir" + produce("%t1", "%e1") +
                    R"mlir(
    scf.yield %t1 : tensor<64xf32>
  } else {
    %e = tensor.empty() {test.name = "e"} : tensor<64xf32>
)mlir" + produce("%t2", "%e", "#gpu.thread<linear_dim_0>") +
                    R"mlir(
    scf.yield %t2 : tensor<64xf32>
  }
)mlir" + consume("%sel", kReversed)));
  EXPECT_EQ(a.space(), MemorySpace::Workgroup);
}

} // namespace
