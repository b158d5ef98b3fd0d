//===- MutationTest.cpp - mutants, and passes that are wrong about them -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierMutations.h"
#include "CrashPlace.h"
#include "MutantCheck.h"
#include "Mutations.h"
#include "TestModule.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace mlir;
using namespace mlir::memspace;
using fuzz::CheckResult;
using fuzz::Verdict;

namespace {
constexpr llvm::StringLiteral kernel = R"(
func.func @kernel(%in: memref<64xf32>, %n: index)
    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %in[%t] : memref<64xf32>
    memref.store %v, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
  }
  return
}
)";

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << module;
  return text;
}
} // namespace

TEST(Mutations, TextsOfASeed) {
  std::vector<std::string> others{kernel.str(), "func.func private @f(i7)\n"};
  unsigned numChanged = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    fuzz::Random first(seed), second(seed);
    std::string mutant = fuzz::mutateText(kernel, others, first);
    EXPECT_EQ(mutant, fuzz::mutateText(kernel, others, second));
    numChanged += mutant != kernel;
  }
  EXPECT_GT(numChanged, 400u);
  // No text is too short to be changed.
  fuzz::Random rng(1);
  for (int i = 0; i < 100; ++i)
    (void)fuzz::mutateText("", {""}, rng);
}

TEST(Mutations, MutantsAreValidIR) {
  unsigned numChanged = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    TestModule module(kernel);
    ASSERT_TRUE(module);
    std::string before = print(*module);
    auto mutate = [&] {
      OwningOpRef<ModuleOp> mutant((*module).clone());
      fuzz::Random rng(seed);
      if (fuzz::mutateIR(mutant, rng))
        EXPECT_TRUE(succeeded(verify(*mutant)));
      return print(*mutant);
    };
    std::string mutant = mutate();
    EXPECT_EQ(mutant, mutate());
    numChanged += mutant != before;
  }
  EXPECT_GT(numChanged, 250u);
}

TEST(Mutations, BarriersAreKnownOps) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    TestModule module(kernel);
    ASSERT_TRUE(module);
    fuzz::Random rng(seed);
    fuzz::mutateBarriers(*module, rng);
    (*module).walk([](Operation *op) {
      EXPECT_TRUE(op->isRegistered()) << op->getName().getStringRef().str();
    });
  }
}

//===----------------------------------------------------------------------===//
// Passes that are wrong
//===----------------------------------------------------------------------===//

namespace {
template <typename PassT>
struct TestPass : PassWrapper<PassT, OperationPass<ModuleOp>> {
  StringRef getArgument() const final { return PassT::name; }
};
struct RightPass : TestPass<RightPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RightPass)
  static constexpr llvm::StringLiteral name = "test-right";
  void runOnOperation() final {}
};
struct RefusingPass : TestPass<RefusingPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RefusingPass)
  static constexpr llvm::StringLiteral name = "test-refusing";
  void runOnOperation() final {
    getOperation().emitError("is not wanted");
    signalPassFailure();
  }
};
struct SilentPass : TestPass<SilentPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SilentPass)
  static constexpr llvm::StringLiteral name = "test-silent";
  void runOnOperation() final { signalPassFailure(); }
};
struct BreakingPass : TestPass<BreakingPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BreakingPass)
  static constexpr llvm::StringLiteral name = "test-breaking";
  void runOnOperation() final {
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      function.getFunctionBody().front().back().erase();
  }
};
struct CrashingPass : TestPass<CrashingPass> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CrashingPass)
  static constexpr llvm::StringLiteral name = "test-crashing";
  void runOnOperation() final { ::raise(SIGSEGV); }
};

CheckResult tryPass(const DialectRegistry &registry, StringRef name) {
  static bool isRegistered = [] {
    PassRegistration<RightPass>();
    PassRegistration<RefusingPass>();
    PassRegistration<SilentPass>();
    PassRegistration<BreakingPass>();
    PassRegistration<CrashingPass>();
    return true;
  }();
  (void)isRegistered;
  fuzz::PassToTry pass{name.str(), /*hasTarget=*/false, /*isBackend=*/false};
  CheckResult found{Verdict::NotJudged, "", ""};
  fuzz::runJobs(
      1, {},
      [&](int64_t, const fuzz::JobLog &log) {
        fuzz::Random rng(1);
        return fuzz::checkMutant(registry, kernel, pass, rng, log);
      },
      [&](int64_t, CheckResult result) { found = std::move(result); });
  return found;
}
} // namespace

TEST(MutantCheck, WhatIsWrongWithAPass) {
  TestModule module(kernel);
  ASSERT_TRUE(module);
  const DialectRegistry &registry = module.getContext()->getDialectRegistry();
  EXPECT_EQ(tryPass(registry, "test-right").verdict, Verdict::Ok);
  EXPECT_EQ(tryPass(registry, "test-refusing").verdict, Verdict::Ok);
  EXPECT_EQ(tryPass(registry, "test-silent").detail,
            "test-silent: fails and does not say why");
  EXPECT_EQ(tryPass(registry, "test-breaking").detail,
            "test-breaking: test-breaking succeeds and leaves invalid IR");
  CheckResult crash = tryPass(registry, "test-crashing");
  EXPECT_EQ(crash.verdict, Verdict::Crash);
  EXPECT_EQ(crash.detail.find("test-crashing: killed by signal"), 0u)
      << crash.detail;
}

TEST(CrashPlace, TheProjectsOwnFunctionFirst) {
  EXPECT_EQ(fuzz::getCrashPlace("raise _ZN4mlir6verifyEPNS_9OperationEb "
                                "_ZN4mlir8memspace10getKernelsEPNS_9OperationE "
                                "main"),
            "mlir::memspace::getKernels");
  EXPECT_EQ(fuzz::getCrashPlace("raise _ZN4mlir6verifyEPNS_9OperationEb"),
            "mlir::verify");
  EXPECT_EQ(fuzz::getCrashPlace(""), "");
}
