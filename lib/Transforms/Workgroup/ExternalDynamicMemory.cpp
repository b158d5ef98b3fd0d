//===- ExternalDynamicMemory.cpp - dynamic workgroup memory ---------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_EXTERNALDYNAMICMEMORYPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct ExternalDynamicMemoryPass
    : public memspace::impl::ExternalDynamicMemoryPassBase<
          ExternalDynamicMemoryPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

void ExternalDynamicMemoryPass::runOnOperation() {
  getOperation()->walk([](LLVM::GlobalOp global) {
    auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (!array || array.getNumElements() != 0 ||
        global.getAddrSpace() !=
            static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
      return;
    global.setLinkage(LLVM::Linkage::External);
    global.setDsoLocal(false);
    global.removeValueAttr();
    global.getInitializerRegion().getBlocks().clear();
  });
}
