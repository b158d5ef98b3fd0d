//===- VerifierRuns.cpp - what memspace-verify-barriers says -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifierRuns.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Of a verifier that asks of each pair of accesses: some seconds.
static constexpr int64_t kMostSteps = int64_t(1) << 23;

static VerifyBarriersPassOptions getOptions(const CheckOptions &options) {
  VerifyBarriersPassOptions result;
  result.chip = options.chip;
  return result;
}

static LogicalResult run(ModuleOp module,
                         const VerifyBarriersPassOptions &options) {
  PassManager pm(module.getContext());
  pm.addPass(createVerifyBarriersPass(options));
  return pm.run(module);
}

LogicalResult fuzz::runVerifier(ModuleOp module, const CheckOptions &options,
                                StringRef mayHazards) {
  VerifyBarriersPassOptions verify = getOptions(options);
  verify.mayHazards = mayHazards.str();
  return run(module, verify);
}

std::string fuzz::findHiddenRace(ModuleOp module, const CheckOptions &options,
                                 ErrorCollector &errors) {
  // That two values are computed alike is known by the classes that are left
  // out here.
  OwningOpRef<ModuleOp> merged(module.clone());
  PassManager pm(module.getContext());
  pm.addPass(createCSEPass());
  bool isAccepted = succeeded(pm.run(*merged)) &&
                    succeeded(runVerifier(*merged, options, "error"));
  errors.take();
  if (!isAccepted)
    return "";
  VerifyBarriersPassOptions verify = getOptions(options);
  verify.askEachPair = true;
  verify.workLimit = kMostSteps;
  if (succeeded(run(*merged, verify)))
    return "";
  std::string alarm = errors.take();
  return StringRef(alarm).contains("'work-limit'") ? "" : alarm;
}
