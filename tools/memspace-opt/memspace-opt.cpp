//===- memspace-opt.cpp - mlir-opt with MemSpace -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/InitAll.h"
#include "ToolOptions.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

/// The arguments, with mlir-opt's dump of the whole op behind each error off
/// unless it is asked for: a kernel is long, and the error says where it is.
static llvm::SmallVector<char *> getArguments(int argc, char **argv) {
  static char noDump[] = "--mlir-print-op-on-diagnostic=false";
  llvm::SmallVector<char *> arguments(argv, argv + argc);
  bool isSaid = llvm::any_of(arguments, [](llvm::StringRef argument) {
    return argument.ltrim('-').starts_with("mlir-print-op-on-diagnostic");
  });
  if (!isSaid)
    arguments.push_back(noDump);
  return arguments;
}

int main(int argc, char **argv) {
  mlir::memspace::hideLLVMOptions();
  mlir::memspace::addVersionPrinter();
  mlir::registerAllPasses();
  mlir::memspace::registerAllPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry);
  mlir::memspace::registerAllDialects(registry);

  llvm::SmallVector<char *> arguments = getArguments(argc, argv);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(arguments.size(), arguments.data(),
                        "MemSpace optimizer driver\n", registry));
}
