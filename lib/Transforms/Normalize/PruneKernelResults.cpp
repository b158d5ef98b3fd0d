//===- PruneKernelResults.cpp - outputs of kernels that nobody reads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Upstream's `remove-dead-values` drops results of calls, too. It knows
/// neither launches nor memory, keeps the destinations of a linalg op with an
/// unused result, and crashes where a function is used by another op than a
/// call.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/PruneKernelResults.h"
#include "KnownCalls.h"
#include "MemSpace/Kernel/Kernel.h"
#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/InputChecks.h"
#include "UnreadMemory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_PRUNEKERNELRESULTSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

/// True unless executing `op` alone, without its regions, is seen by nobody.
static bool mayHaveEffect(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::any_of(effects, [](const auto &effect) {
    return !isa<MemoryEffects::Read, MemoryEffects::Allocate>(
        effect.getEffect());
  });
}

/// True unless nobody sees whether `func` was executed, results apart. The
/// barriers of a kernel order what the kernel does; those of a function also
/// what its callers do.
static bool mayHaveEffect(FunctionOpInterface func) {
  bool ownsBarriers = isKernel(func) || gpu::GPUDialect::isKernel(func);
  WalkResult result = func.getFunctionBody().walk([&](Operation *op) {
    if (ownsBarriers && isBarrierLike(op))
      return WalkResult::advance();
    return mayHaveEffect(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// Signatures and calls, with what is computed only for what is passed.
class SignaturePruner {
public:
  explicit SignaturePruner(KnownCalls &calls) : calls(calls) {}

  bool run();

private:
  bool dropResults(FunctionOpInterface func);
  bool dropArguments(FunctionOpInterface func);
  bool dropCalls(FunctionOpInterface func);
  void addCallers(FunctionOpInterface func);
  void addCallees(FunctionOpInterface func);
  void removeProducers(SmallVector<Value> values);

  KnownCalls &calls;
  /// Functions of which something may not be needed any more.
  llvm::SetVector<Operation *> worklist;
  /// Functions with calls that have changed.
  llvm::SetVector<Operation *> callers;
};
} // namespace

bool SignaturePruner::run() {
  for (FunctionOpInterface func : calls.getFunctions())
    worklist.insert(func);
  bool changed = false;
  while (!worklist.empty()) {
    auto func = cast<FunctionOpInterface>(worklist.pop_back_val());
    if (calls.getCalls(func).empty())
      continue;
    changed |= dropResults(func);
    changed |= dropArguments(func);
    changed |= dropCalls(func);
  }
  for (Operation *caller : callers)
    removeUnusedCode(cast<FunctionOpInterface>(caller));
  return changed;
}

void SignaturePruner::addCallers(FunctionOpInterface func) {
  for (Operation *call : calls.getCalls(func)) {
    auto caller = call->getParentOfType<FunctionOpInterface>();
    if (!caller)
      continue;
    callers.insert(caller);
    if (calls.isKnown(caller))
      worklist.insert(caller);
  }
}

void SignaturePruner::addCallees(FunctionOpInterface func) {
  func->walk([&](Operation *op) {
    if (FunctionOpInterface callee = calls.getCallee(op))
      worklist.insert(callee);
  });
}

/// True when only a `func.return` may pass results to the callers of `func`.
static bool hasKnownReturns(FunctionOpInterface func) {
  return isa<func::FuncOp>(func) &&
         llvm::all_of(func.getFunctionBody(), [](Block &block) {
           Operation *end = block.getTerminator();
           return isa<func::ReturnOp>(end) || end->getNumSuccessors() ||
                  !end->getNumOperands();
         });
}

bool SignaturePruner::dropResults(FunctionOpInterface func) {
  if (!hasKnownReturns(func))
    return false;
  llvm::BitVector unused(func.getNumResults(), true);
  for (Operation *call : calls.getCalls(func))
    for (OpResult result : call->getResults())
      if (!result.use_empty())
        unused.reset(result.getResultNumber());
  if (unused.none())
    return false;
  calls.eraseResults(func, unused);
  removeUnusedCode(func);
  addCallers(func);
  addCallees(func);
  return true;
}

bool SignaturePruner::dropArguments(FunctionOpInterface func) {
  llvm::BitVector unused = getArgumentsOfGrid(func).flip();
  for (unsigned number : unused.set_bits())
    if (!func.getArgument(number).use_empty())
      unused.reset(number);
  if (unused.none())
    return false;
  addCallers(func);
  removeProducers(calls.eraseArguments(func, unused));
  return true;
}

bool SignaturePruner::dropCalls(FunctionOpInterface func) {
  if (mayHaveEffect(func) ||
      llvm::none_of(calls.getCalls(func), hasUnusedResults))
    return false;
  addCallers(func);
  removeProducers(calls.eraseUnusedCalls(func));
  return true;
}

/// Removes what `values` were computed by, as far as nobody else uses it.
void SignaturePruner::removeProducers(SmallVector<Value> values) {
  llvm::SetVector<Operation *> producers;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      producers.insert(op);
    else if (Operation *parent = value.getParentBlock()->getParentOp();
             calls.isKnown(parent))
      worklist.insert(parent);
  };
  llvm::for_each(values, add);
  while (!producers.empty()) {
    Operation *op = producers.pop_back_val();
    if (FunctionOpInterface callee = calls.getCallee(op)) {
      worklist.insert(callee);
    } else if (isOpTriviallyDead(op)) {
      SmallVector<Value> operands(op->getOperands());
      op->erase();
      llvm::for_each(operands, add);
    }
  }
}

/// Known functions and those that call them.
static llvm::SetVector<Operation *> collectInvolved(ModuleOp module) {
  KnownCalls calls(module);
  llvm::SetVector<Operation *> functions;
  for (FunctionOpInterface func : calls.getFunctions()) {
    functions.insert(func);
    for (Operation *call : calls.getCalls(func))
      if (auto caller = call->getParentOfType<FunctionOpInterface>())
        functions.insert(caller);
  }
  return functions;
}

LogicalResult mlir::memspace::pruneKernelResults(ModuleOp module) {
  llvm::SetVector<Operation *> involved = collectInvolved(module);
  for (Operation *func : involved)
    if (failed(checkInput(func)))
      return failure();
  // What only passes an unused result on is no use of it.
  for (Operation *func : involved)
    removeUnusedCode(cast<FunctionOpInterface>(func));
  bool changed = true;
  while (changed) {
    KnownCalls calls(module);
    changed = SignaturePruner(calls).run();
    changed |= calls.eraseUncalled();
    if (!changed)
      changed = eraseUnreadMemory(module, calls);
  }
  return success();
}

namespace {
struct PruneKernelResultsPass
    : public memspace::impl::PruneKernelResultsPassBase<
          PruneKernelResultsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(pruneKernelResults(getOperation())))
      signalPassFailure();
  }
};
} // namespace
