//===- TestConformance.cpp - the conformance checks as a pass -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Testing/Conformance.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::memspace;

namespace mlir {
namespace memspace {
void registerTestConformancePass();
} // namespace memspace
} // namespace mlir

namespace {
struct TestConformancePass
    : public PassWrapper<TestConformancePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestConformancePass)

  StringRef getArgument() const override { return "test-conformance"; }
  StringRef getDescription() const override {
    return "Check what ops answer to MemSpace's interfaces";
  }

  void runOnOperation() override {
    ConformanceOptions options;
    options.target.emplace();
    options.target->subgroupSize = 32;
    ConformanceReport report = checkConformance(getOperation(), options);
    llvm::outs() << "// uniformity " << report.uniformity
                 << ", synchronization " << report.synchronization
                 << ", elements " << report.elementAccess << ", roots "
                 << report.memoryRoot << ", collectives " << report.collective
                 << ", structured " << report.structured << ", violations "
                 << report.violations << "\n";
  }
};
} // namespace

void mlir::memspace::registerTestConformancePass() {
  PassRegistration<TestConformancePass>();
}
