//===- iree-memspace-opt.cpp - MemSpace's passes on IREE's code -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "MemSpace/InitAll.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenDialect.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUDialect.h"
#include "iree/compiler/Codegen/Dialect/PCF/IR/PCF.h"
#include "iree/compiler/Codegen/Dialect/VectorExt/IR/VectorExtDialect.h"
#include "iree/compiler/Dialect/Encoding/IR/EncodingDialect.h"
#include "iree/compiler/Dialect/HAL/IR/HALDialect.h"
#include "iree/compiler/Dialect/LinalgExt/IR/LinalgExtDialect.h"
#include "iree/compiler/Dialect/Stream/IR/StreamDialect.h"
#include "iree/compiler/Dialect/TensorExt/IR/TensorExtDialect.h"
#include "iree/compiler/Dialect/Util/IR/UtilDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;
using namespace mlir::iree_compiler::IREE;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  memspace::registerAllDialects(registry);
  registry.insert<Codegen::IREECodegenDialect, GPU::IREEGPUDialect,
                  VectorExt::IREEVectorExtDialect, PCF::PCFDialect,
                  Encoding::IREEEncodingDialect, HAL::HALDialect,
                  LinalgExt::IREELinalgExtDialect, Stream::StreamDialect,
                  TensorExt::IREETensorExtDialect, Util::UtilDialect>();
  memspace::iree::registerModels(registry);
  memspace::iree::registerStructuredOps(registry);
  registerAllPasses();
  memspace::registerAllPasses();
  memspace::iree::registerPasses();
  memspace::iree::registerExportPass();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "IREE's dialects with MemSpace\n", registry));
}
