//===- AddAliasScopes.cpp - tell LLVM which memory is disjoint -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessMark.h"
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

/// Which memory all pointers of an access point to.
enum class PointedMemory { Workgroup, Other, Unknown };

/// True for memory that lowering keeps on the stack.
static bool isStack(Value pointer) {
  while (Operation *op = pointer.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(op))
      return true;
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      return false;
    pointer = op->getOperand(0);
  }
  return false;
}

static PointedMemory getPointedMemory(LLVM::AliasAnalysisOpInterface op) {
  // One number on AMD and on NVIDIA.
  unsigned workgroup = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  SmallVector<Value> pointers = op.getAccessedOperands();
  auto isWorkgroup = [&](Value pointer) {
    auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
    return type && type.getAddressSpace() == workgroup;
  };
  if (pointers.empty() || llvm::any_of(pointers, isStack))
    return PointedMemory::Unknown;
  if (llvm::all_of(pointers, isWorkgroup))
    return PointedMemory::Workgroup;
  return llvm::any_of(pointers, isWorkgroup) ? PointedMemory::Unknown
                                             : PointedMemory::Other;
}

namespace {
/// The scopes of the memories of one kind in one kernel. LLVM compares two
/// accesses by the scopes of each domain apart.
class Scopes {
public:
  Scopes(const Twine &domain, StringRef memory, MLIRContext *context)
      : domain(domain.str()), memory(memory), context(context) {}

  void set(LLVM::AliasAnalysisOpInterface op, const MarkedMemory &marked) {
    op.setAliasScopes(get(marked.in));
    if (!marked.apart.empty())
      op.setNoAliasScopes(get(marked.apart));
  }

private:
  ArrayAttr get(ArrayRef<int64_t> numbers) {
    if (!domainAttr)
      domainAttr = LLVM::AliasScopeDomainAttr::get(
          context, StringAttr::get(context, domain));
    SmallVector<Attribute> result;
    for (int64_t number : numbers) {
      Attribute &scope = scopes[number];
      if (!scope)
        scope = LLVM::AliasScopeAttr::get(
            domainAttr, StringAttr::get(context, memory + " " + Twine(number)));
      result.push_back(scope);
    }
    return ArrayAttr::get(context, result);
  }

  std::string domain;
  StringRef memory;
  MLIRContext *context;
  LLVM::AliasScopeDomainAttr domainAttr;
  DenseMap<int64_t, Attribute> scopes;
};
} // namespace

void AddAliasScopesPass::addScopes(LLVM::LLVMFuncOp func) {
  MLIRContext *context = func.getContext();
  Scopes buffers("arena of " + func.getName(), "buffer", context);
  Scopes arguments("arguments of " + func.getName(), "argument", context);
  func.walk([&](Operation *op) {
    std::optional<AccessMark> mark = takeAccessMark(op);
    auto interface = dyn_cast<LLVM::AliasAnalysisOpInterface>(op);
    if (!mark || !interface)
      return;
    PointedMemory memory = getPointedMemory(interface);
    if (memory == PointedMemory::Workgroup && !mark->buffers.in.empty())
      buffers.set(interface, mark->buffers);
    if (memory != PointedMemory::Other || mark->arguments.in.empty())
      return;
    arguments.set(interface, mark->arguments);
    auto load = dyn_cast<LLVM::LoadOp>(op);
    if (load && mark->isInvariant && !load.getVolatile_() &&
        load.getOrdering() == LLVM::AtomicOrdering::not_atomic)
      load.setInvariant(true);
  });
}
