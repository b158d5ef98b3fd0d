//===- TestCountAnalyses.cpp - how often One-Shot looks at kernels -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/OneShotAnalyses.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct TestCountAnalysesPass
    : public PassWrapper<TestCountAnalysesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestCountAnalysesPass)

  StringRef getArgument() const override { return "test-count-analyses"; }
  StringRef getDescription() const override {
    return "Say how often One-Shot has analyzed the kernels of the module in "
           "the passes so far";
  }
  void runOnOperation() override {
    auto analyses = getCachedAnalysis<OneShotAnalyses>();
    llvm::outs() << "analyses: "
                 << (analyses ? analyses->get().getNumAnalyses() : 0) << "\n";
    markAllAnalysesPreserved();
  }
};
} // namespace

namespace mlir::memspace {
void registerTestCountAnalysesPass() {
  PassRegistration<TestCountAnalysesPass>();
}
} // namespace mlir::memspace
