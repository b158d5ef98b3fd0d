//===- AddAliasScopes.cpp - tell LLVM which buffers are disjoint -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArenaAccess.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_ADDALIASSCOPESPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct AddAliasScopesPass
    : public memspace::impl::AddAliasScopesPassBase<AddAliasScopesPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](LLVM::LLVMFuncOp func) { addScopes(func); });
  }

private:
  void addScopes(LLVM::LLVMFuncOp func);
};
} // namespace

/// True when all that `op` accesses is in workgroup memory: what its lowering
/// keeps on the stack is none of the arena's.
static bool isWorkgroupAccess(LLVM::AliasAnalysisOpInterface op) {
  // One number on AMD and on NVIDIA.
  unsigned workgroup = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  SmallVector<Value> pointers = op.getAccessedOperands();
  return !pointers.empty() && llvm::all_of(pointers, [&](Value pointer) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
    return type && type.getAddressSpace() == workgroup;
  });
}

void AddAliasScopesPass::addScopes(LLVM::LLVMFuncOp func) {
  MLIRContext *context = func.getContext();
  LLVM::AliasScopeDomainAttr domain;
  DenseMap<int64_t, Attribute> scopes;
  auto getScopes = [&](ArrayRef<int64_t> buffers) {
    SmallVector<Attribute> result;
    for (int64_t buffer : buffers) {
      Attribute &scope = scopes[buffer];
      if (!scope)
        scope = LLVM::AliasScopeAttr::get(
            domain, StringAttr::get(context, "buffer " + Twine(buffer)));
      result.push_back(scope);
    }
    return ArrayAttr::get(context, result);
  };
  func.walk([&](Operation *op) {
    std::optional<ArenaAccess> access = takeArenaAccess(op);
    auto interface = dyn_cast<LLVM::AliasAnalysisOpInterface>(op);
    if (!access || !interface || !isWorkgroupAccess(interface))
      return;
    if (!domain)
      domain = LLVM::AliasScopeDomainAttr::get(
          context, StringAttr::get(context, "arena of " + func.getName()));
    interface.setAliasScopes(getScopes(access->buffers));
    if (!access->disjoint.empty())
      interface.setNoAliasScopes(getScopes(access->disjoint));
  });
}
