//===- WriteAssembly.cpp - assembly text into files -----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_WRITEASSEMBLYPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

static LogicalResult write(gpu::BinaryOp binary, gpu::ObjectAttr object,
                           StringRef path) {
  if (object.getFormat() != gpu::CompilationTarget::Assembly)
    return binary.emitError()
           << "'" << binary.getName()
           << "' holds no assembly text to write; compile it with "
              "'gpu-module-to-binary{format=isa}'";
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return binary.emitError() << "cannot write the assembly: " << message;
  // Upstream's text of PTX ends in a zero byte.
  file->os() << object.getObject().getValue().rtrim('\0');
  file->keep();
  return success();
}

namespace {
struct WriteAssemblyPass
    : public memspace::impl::WriteAssemblyPassBase<WriteAssemblyPass> {
  using Base::Base;
  void runOnOperation() override {
    if (std::error_code error =
            llvm::sys::fs::create_directories(std::string(directory))) {
      getOperation()->emitError() << "cannot make the directory '" << directory
                                  << "' for assembly: " << error.message();
      return signalPassFailure();
    }
    WalkResult result =
        getOperation()->walk([&](gpu::BinaryOp binary) -> WalkResult {
          bool isOne = binary.getObjects().size() == 1;
          for (auto [index, attr] : llvm::enumerate(binary.getObjects())) {
            auto object = cast<gpu::ObjectAttr>(attr);
            bool isPTX = isa<NVVM::NVVMTargetAttr>(object.getTarget());
            SmallString<128> path(directory);
            llvm::sys::path::append(
                path, binary.getName() + (isOne ? "" : "." + Twine(index)) +
                          (isPTX ? ".ptx" : ".s"));
            if (failed(write(binary, object, path)))
              return failure();
          }
          return success();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
