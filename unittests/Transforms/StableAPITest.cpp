//===- StableAPITest.cpp - the examples in the stable headers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between `// [Header]` and `// [/Header]` is the example in that
// header (test/Docs/api.test).
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Layout/WorkgroupBudget.h"
#include "MemSpace/Layout/WorkgroupLayout.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Transforms/AllocationHook.h"
#include "MemSpace/Transforms/Bufferize.h"
#include "MemSpace/Transforms/FinishBufferization.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/AnalysisManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// The examples
//===----------------------------------------------------------------------===//

static LogicalResult explainTensor(const KernelContext &context, Value tensor,
                                   raw_ostream &os) {
  // [MemorySpaceAnalysis]
  MemorySpaceAnalysis analysis(context);
  if (!analysis.isValid())
    return failure(); // a diagnostic was emitted
  if (analysis.getMemorySpace(tensor) == MemorySpace::Workgroup)
    os << analysis.explain(tensor);
  // [/MemorySpaceAnalysis]
  return success();
}

static LogicalResult bufferize(FunctionOpInterface kernel,
                               const MemorySpaceOptions &options) {
  // [AllocationHook]
  bufferization::OneShotBufferizationOptions oneShot = options.oneShot;
  configureBufferization(oneShot, options);
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(kernel, oneShot, state)))
    return failure();
  // [/AllocationHook]
  return success();
}

static LogicalResult bufferizeByHand(FunctionOpInterface kernel,
                                     const MemorySpaceOptions &options) {
  // [FinishBufferization]
  KernelConstants constants(kernel);
  bufferization::OneShotBufferizationOptions oneShot = options.oneShot;
  configureBufferization(oneShot, options);
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(kernel, oneShot, state)))
    return failure();
  constants.bringNew();
  if (failed(finishBufferization(kernel, options.spaces)))
    return failure(); // a diagnostic was emitted
  // [/FinishBufferization]
  return success();
}

static void printHazards(const KernelContext &context, raw_ostream &os) {
  // [HazardAnalysis]
  ThreadRelations relations(context);
  HazardAnalysis analysis(context, relations);
  ArrayRef<MemoryAccess> accesses = analysis.getAccesses();
  for (const KernelHazard &hazard : analysis.getHazards())
    os << stringifyHazardKind(hazard.hazard.kind) << ": "
       << *accesses[hazard.first].op << " before "
       << *accesses[hazard.second].op << "\n";
  // [/HazardAnalysis]
}

static void insertBarriers(const KernelContext &context) {
  // [BarrierPlacement]
  BarrierPlacement placement(context, BarrierPlacement::Mode::Insert);
  for (const NeededBarrier &barrier : placement.getBarriers()) {
    OpBuilder builder = barrier.getBuilder();
    if (barrier.scope == ExecutionScope::Workgroup)
      gpu::BarrierOp::create(builder, barrier.op->getLoc());
    else
      SubgroupBarrierOp::create(builder, barrier.op->getLoc());
  }
  // [/BarrierPlacement]
}

static LogicalResult verifyBarriers(const KernelContext &context,
                                    raw_ostream &os) {
  // [BarrierVerifier]
  BarrierVerifier verifier(context);
  for (const UncutHazard &hazard : verifier.getHazards())
    if (hazard.witness)
      os << hazard.witness->str() << "\n";
  return success(verifier.isRaceFree());
  // [/BarrierVerifier]
}

static LogicalResult printLayout(const KernelContext &context,
                                 raw_ostream &os) {
  // [WorkgroupLayout]
  FailureOr<WorkgroupPacking> packing = WorkgroupPacking::compute(context);
  if (failed(packing))
    return failure(); // a diagnostic was emitted
  WorkgroupLayout layout =
      chooseLayout(context, *packing, PackingObjective::Bytes);
  for (auto [buffer, offset] :
       llvm::zip_equal(packing->getBuffers(), layout.solution.offsets))
    os << buffer.getType() << " at byte " << offset << "\n";
  // [/WorkgroupLayout]
  return success();
}

static LogicalResult printBudget(const KernelContext &context,
                                 raw_ostream &os) {
  // [WorkgroupBudget]
  FailureOr<WorkgroupBudget> budget = WorkgroupBudget::compute(context);
  if (failed(budget))
    return failure(); // a diagnostic was emitted
  os << budget->getWorkgroupBytes() << " bytes for each workgroup, "
     << budget->getPrivateBytes() << " for each thread\n";
  // [/WorkgroupBudget]
  return success();
}

//===----------------------------------------------------------------------===//
// What they do
//===----------------------------------------------------------------------===//

/// Two reversals in workgroup memory, one after the other.
static constexpr StringLiteral kReversals = R"mlir(
func.func @reverse(%x: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %u = arith.subi %c63, %t : index
  %v = memref.load %x[%t] : memref<64xf32>
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %v, %a[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  %w = memref.load %a[%u] : memref<64xf32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %w, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  %y = memref.load %b[%u] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %x[%t] : memref<64xf32>
  return
}
)mlir";

/// The doubled elements change threads.
static constexpr StringLiteral kMirror = R"mlir(
#reverse = affine_map<(i) -> (63 - i)>
func.func @mirror(%X: memref<64xf32>, %Y: memref<64xf32>) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
  %y = bufferization.to_tensor %Y restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() {test.name = "e"} : tensor<64xf32>
  %doubled = scf.forall (%i) in (64) shared_outs(%all = %e) -> (tensor<64xf32>) {
    %value = tensor.extract %x[%i] : tensor<64xf32>
    %sum = arith.addf %value, %value : f32
    %one = tensor.from_elements %sum : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  %result = scf.forall (%i) in (64) shared_outs(%all = %y) -> (tensor<64xf32>) {
    %from = affine.apply #reverse(%i)
    %value = tensor.extract %doubled[%from] : tensor<64xf32>
    %one = tensor.from_elements %value : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %one into %all[%i] [1] [1] : tensor<1xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.thread<x>]}
  bufferization.materialize_in_destination %result in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
)mlir";

namespace {
struct StableAPITest : public testing::Test {
  KernelContext parse(StringRef source) {
    module = std::make_unique<TestModule>(source);
    return getTestContext(getKernels(**module).front(), 64);
  }
  template <typename OpT> SmallVector<OpT> collect() {
    SmallVector<OpT> ops;
    (**module).walk([&](OpT op) { ops.push_back(op); });
    return ops;
  }

  std::unique_ptr<TestModule> module;
  std::string text;
  llvm::raw_string_ostream os{text};
};
} // namespace

TEST_F(StableAPITest, spaces) {
  KernelContext context = parse(kMirror);
  ASSERT_TRUE(
      succeeded(explainTensor(context, module->get("e")->getResult(0), os)));
  EXPECT_NE(text.find("must-share: an element written by one thread"),
            std::string::npos)
      << text;
}

TEST_F(StableAPITest, hook) {
  KernelContext context = parse(kMirror);
  MemorySpaceOptions options(context);
  ASSERT_TRUE(succeeded(prepareKernel(context, options)));
  ASSERT_TRUE(succeeded(inferMemorySpaces(context, options)));
  ASSERT_TRUE(succeeded(bufferize(context.getKernel(), options)));
  EXPECT_EQ(collect<memref::AllocOp>().size(), 1u);
}

/// Two buffers that a loop exchanges, and a constant.
static constexpr StringLiteral kPingPong = R"mlir(
gpu.module @device {
func.func @pingpong(%X: memref<64xf32>, %Y: memref<64xf32>, %n: index) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x = bufferization.to_tensor %X restrict : memref<64xf32> to tensor<64xf32>
  %a = tensor.empty() : tensor<64xf32>
  %b = tensor.empty() : tensor<64xf32>
  %a0 = linalg.copy ins(%x : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  %b0 = linalg.exp ins(%x : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%u = %a0, %v = %b0) -> (tensor<64xf32>, tensor<64xf32>) {
    %first = tensor.extract %u[%c0] : tensor<64xf32>
    %i = arith.remui %k, %c1 : index
    %entry = tensor.extract %table[%i] : tensor<2xf32>
    %sum = arith.addf %first, %entry : f32
    %added = tensor.insert %sum into %v[%c0] : tensor<64xf32>
    %w = linalg.add ins(%u, %added : tensor<64xf32>, tensor<64xf32>) outs(%added : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %w, %u : tensor<64xf32>, tensor<64xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %Y : (tensor<64xf32>, memref<64xf32>) -> ()
  return
}
}
)mlir";

TEST_F(StableAPITest, byHand) {
  KernelContext context = parse(kPingPong);
  MemorySpaceOptions options(context);
  ASSERT_TRUE(succeeded(prepareKernel(context, options)));
  ASSERT_TRUE(succeeded(inferMemorySpaces(context, options)));
  EXPECT_EQ(collect<ExchangeOp>().size(), 1u);
  ASSERT_TRUE(succeeded(bufferizeByHand(context.getKernel(), options)));
  EXPECT_TRUE(succeeded(verify(**module)));
  EXPECT_TRUE(collect<ExchangeOp>().empty());
  // The kernel finds its constant.
  auto uses = collect<memref::GetGlobalOp>();
  ASSERT_FALSE(uses.empty());
  for (memref::GetGlobalOp use : uses)
    EXPECT_TRUE(isa_and_nonnull<memref::GlobalOp>(
        SymbolTable::lookupNearestSymbolFrom(use, use.getNameAttr())));
}

TEST_F(StableAPITest, hazards) {
  printHazards(parse(kReversals), os);
  EXPECT_NE(text.find("RAW: memref.store"), std::string::npos) << text;
}

TEST_F(StableAPITest, barriers) {
  KernelContext context = parse(kReversals);
  EXPECT_TRUE(failed(verifyBarriers(context, os)));
  EXPECT_NE(text.find(" touch "), std::string::npos) << text;
  insertBarriers(context);
  EXPECT_EQ(collect<gpu::BarrierOp>().size(), 2u);
  EXPECT_TRUE(succeeded(verifyBarriers(context, os)));
}

TEST_F(StableAPITest, layout) {
  ASSERT_TRUE(succeeded(printLayout(parse(kReversals), os)));
  // The fewest bytes: one place, which costs a barrier.
  EXPECT_EQ(text, "memref<64xf32, #gpu.address_space<workgroup>> at byte 0\n"
                  "memref<64xf32, #gpu.address_space<workgroup>> at byte 0\n");
}

TEST_F(StableAPITest, budget) {
  ASSERT_TRUE(succeeded(printBudget(parse(kReversals), os)));
  EXPECT_EQ(text, "512 bytes for each workgroup, 0 for each thread\n");
}

//===----------------------------------------------------------------------===//
// What holds for all of them
//===----------------------------------------------------------------------===//

// They refer to their parts and to each other.
static_assert(!std::is_copy_constructible_v<MemorySpaceAnalysis>);
static_assert(!std::is_copy_constructible_v<HazardAnalysis>);
static_assert(!std::is_copy_constructible_v<BarrierPlacement>);
static_assert(!std::is_move_constructible_v<BarrierPlacement>);

// The analysis manager keeps what a pass preserves, and nothing else.
TEST_F(StableAPITest, invalidation) {
  parse(kMirror);
  (**module)->setAttr("dlti.target_system_spec",
                      parseAttribute("#dlti.target_system_spec<\"GPU\" = "
                                     "#dlti.target_device_spec<\"subgroup_"
                                     "size\" = 64 : i64>>",
                                     module->getContext()));
  ModuleAnalysisManager manager((**module), nullptr);
  AnalysisManager analyses = manager;
  analyses.getAnalysis<MemorySpaceAnalysis>();
  AnalysisManager::PreservedAnalyses preserved;
  preserved.preserve<MemorySpaceAnalysis>();
  analyses.invalidate(preserved);
  EXPECT_TRUE(analyses.getCachedAnalysis<MemorySpaceAnalysis>().has_value());
  analyses.invalidate(AnalysisManager::PreservedAnalyses());
  EXPECT_FALSE(analyses.getCachedAnalysis<MemorySpaceAnalysis>().has_value());
}

// The answers do not depend on what was asked before.
TEST_F(StableAPITest, orderOfQuestions) {
  // Places that are data, some of which are told apart.
  std::string source =
      "func.func @k(%p: memref<64xindex>) attributes {gpu.known_block_size = "
      "array<i32: 256, 1, 1>} {\n%t = gpu.thread_id x\n"
      "%v = arith.constant 1.0 : f32\n"
      "%m = memref.alloc() : memref<2048xf32, "
      "#gpu.address_space<workgroup>>\n";
  for (int i = 0; i < 14; ++i) {
    std::string n = std::to_string(i);
    source += "%k" + n + " = arith.constant " + n + " : index\n%l" + n +
              " = memref.load %p[%k" + n + "] : memref<64xindex>\n%i" + n +
              " = arith.addi %t, %l" + n + " : index\n";
    for (StringRef index : {"%i", "%l"})
      source += "memref.store %v, %m[" + index.str() + n +
                "] : memref<2048xf32, #gpu.address_space<workgroup>>\n";
  }
  KernelContext context = parse(source + "return\n}\n");
  ThreadRelations relations(context);
  HazardAnalysis forward(context, relations), backward(context, relations);
  unsigned count = forward.getAccesses().size();
  std::vector<Hazard> answers;
  for (unsigned i = 0; i < count * count; ++i)
    answers.push_back(forward.getHazard(i / count, i % count, nullptr));
  for (unsigned i = count * count; i-- > 0;) {
    Hazard hazard = backward.getHazard(i / count, i % count, nullptr);
    EXPECT_EQ(hazard.acrossSubgroups, answers[i].acrossSubgroups) << i;
    EXPECT_EQ(hazard.insideSubgroup, answers[i].insideSubgroup) << i;
  }
}
