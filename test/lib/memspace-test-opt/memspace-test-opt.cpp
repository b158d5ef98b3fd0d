//===- memspace-test-opt.cpp - memspace-opt with dialects for tests -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoorDialect.h"
#include "ExtDialect.h"
#include "LieDialect.h"
#include "MemSpace/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace mlir {
namespace memspace {
void registerInterleavedPipelines();
void registerTestConformancePass();
void registerTestCountAnalysesPass();
void registerTileAndFusePass();
} // namespace memspace
} // namespace mlir

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  mlir::memspace::registerAllPasses();
  mlir::memspace::lie::registerLieToLoopsPass();
  mlir::memspace::door::registerDoorToUpstreamPass();
  mlir::memspace::registerInterleavedPipelines();
  mlir::memspace::registerTestConformancePass();
  mlir::memspace::registerTestCountAnalysesPass();
  mlir::memspace::registerTileAndFusePass();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::memspace::registerAllDialects(registry);
  mlir::memspace::lie::registerLieDialect(registry);
  mlir::memspace::ext::registerExtDialect(registry);
  registry.insert<mlir::memspace::door::DoorDialect>();

  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "MemSpace optimizer driver for tests\n", registry));
}
