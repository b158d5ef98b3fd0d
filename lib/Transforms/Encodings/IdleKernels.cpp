//===- IdleKernels.cpp - kernels whose encode is gone ---------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdleKernels.h"
#include "HostBuffers.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

//===----------------------------------------------------------------------===//
// On tensors
//===----------------------------------------------------------------------===//

static bool isEffectFree(FunctionOpInterface func) {
  return llvm::all_of(func.getFunctionBody().front(), [](Operation &op) {
    return op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op);
  });
}

/// Gives the callers of `func` what it hands on, and each result once.
static void forwardResults(func::FuncOp func, KnownCalls &calls) {
  if (!func.getBody().hasOneBlock() || func.getNumResults() == 0)
    return;
  auto end = dyn_cast<func::ReturnOp>(func.getBody().front().getTerminator());
  if (!end)
    return;
  for (auto [number, value] : llvm::enumerate(end.getOperands())) {
    auto argument = dyn_cast<BlockArgument>(value);
    unsigned first =
        llvm::find(end.getOperands(), value) - end.getOperands().begin();
    for (Operation *call : calls.getCalls(func)) {
      Value result = call->getResult(number);
      if (argument)
        result.replaceAllUsesWith(
            getPassedArguments(call)[argument.getArgNumber()].get());
      else if (first != number)
        result.replaceAllUsesWith(call->getResult(first));
    }
  }
  if (isEffectFree(func))
    calls.eraseUnusedCalls(func);
  if (calls.getCalls(func).empty())
    return;
  llvm::BitVector unused(func.getNumResults(), true);
  for (Operation *call : calls.getCalls(func))
    for (OpResult result : call->getResults())
      if (!result.use_empty())
        unused.reset(result.getResultNumber());
  if (unused.any())
    calls.eraseResults(func, unused);
}

//===----------------------------------------------------------------------===//
// On memory
//===----------------------------------------------------------------------===//

/// The argument of `func` that `memref` is; none if it is none.
static std::optional<unsigned> getArgument(FunctionOpInterface func,
                                           Value memref) {
  auto argument = dyn_cast<BlockArgument>(memref);
  // Behind the arguments is the workgroup and private memory of a kernel.
  if (!argument || argument.getOwner() != &func.getFunctionBody().front() ||
      argument.getArgNumber() >= func.getNumArguments())
    return std::nullopt;
  return argument.getArgNumber();
}

/// The stores of `func` if it does nothing else; none otherwise.
static std::optional<SmallVector<MaterializeInDestinationOp>>
getStoresAlone(FunctionOpInterface func) {
  SmallVector<MaterializeInDestinationOp> stores;
  if (!func.getFunctionBody().hasOneBlock())
    return std::nullopt;
  for (Operation &op : func.getFunctionBody().front()) {
    if (auto store = dyn_cast<MaterializeInDestinationOp>(op))
      stores.push_back(store);
    else if (!isa<ToTensorOp>(op) && !op.hasTrait<OpTrait::IsTerminator>() &&
             !isPure(&op))
      return std::nullopt;
  }
  return stores;
}

namespace {
/// Works on the kernels of a module and its host.
class StoreMerger {
public:
  explicit StoreMerger(KnownCalls &calls) : calls(calls), buffers(calls) {}

  bool removeCopies(FunctionOpInterface func);
  bool mergeOutputs(FunctionOpInterface func);
  /// Erases the kernels that nobody launches any more.
  void eraseKernels();

private:
  KnownCalls &calls;
  HostBuffers buffers;
  SmallVector<FunctionOpInterface> uncalled;
};
} // namespace

/// Removes the launches of a kernel that only copies an argument to another
/// one, where the host can do with one of the two. True if there was one.
bool StoreMerger::removeCopies(FunctionOpInterface func) {
  auto stores = getStoresAlone(func);
  if (!stores || stores->size() != 1 || func.getNumResults() != 0)
    return false;
  MaterializeInDestinationOp store = stores->front();
  auto read = store.getSource().getDefiningOp<ToTensorOp>();
  std::optional<unsigned> to = getArgument(func, store.getDest()),
                          from = read ? getArgument(func, read.getBuffer())
                                      : std::nullopt;
  if (!from || !to || from == to || !func.getArgument(*to).hasOneUse())
    return false;
  unsigned left = 0;
  for (Operation *launch : calls.getCalls(func)) {
    MutableArrayRef<OpOperand> passed = getPassedArguments(launch);
    if (buffers.merge(launch, passed[*from].get(), passed[*to].get()))
      eraseUnused(launch);
    else
      ++left;
  }
  bool changed = left != calls.getCalls(func).size();
  if (changed && left == 0)
    uncalled.push_back(func);
  return changed;
}

/// A kernel that stores one tensor twice stores it once, where the host can do
/// with one of the two memories. True if something changed.
bool StoreMerger::mergeOutputs(FunctionOpInterface func) {
  if (calls.getCalls(func).size() != 1 || !func.getFunctionBody().hasOneBlock())
    return false;
  Operation *call = calls.getCalls(func).front();
  SmallVector<MaterializeInDestinationOp> stores(
      func.getFunctionBody().front().getOps<MaterializeInDestinationOp>());
  if (stores.size() < 2)
    return false;
  FunctionAccesses accesses = buffers.getAccesses(func);
  for (MaterializeInDestinationOp store : stores)
    for (MaterializeInDestinationOp other : stores) {
      std::optional<unsigned> kept = getArgument(func, store.getDest()),
                              dropped = getArgument(func, other.getDest());
      if (store == other || !kept || !dropped || kept == dropped ||
          store.getSource() != other.getSource() || accesses.isOpaque ||
          !func.getArgument(*kept).hasOneUse() ||
          !func.getArgument(*dropped).hasOneUse())
        continue;
      MutableArrayRef<OpOperand> passed = getPassedArguments(call);
      Value keptMemory = passed[*kept].get(),
            droppedMemory = passed[*dropped].get();
      // What else the kernel writes may be one of the two.
      bool isOneOfTwo = false;
      for (unsigned number : accesses.writes.set_bits()) {
        Value memory = passed[number].get();
        isOneOfTwo |= number != *kept && number != *dropped &&
                      (memory == keptMemory || !isAllocation(memory));
      }
      // By another argument it may be read between the two stores.
      for (unsigned number = 0; number < func.getNumArguments(); ++number)
        isOneOfTwo |=
            number != *dropped && passed[number].get() == droppedMemory;
      if (isOneOfTwo || !buffers.merge(call, keptMemory, droppedMemory))
        continue;
      other.erase();
      llvm::BitVector erased(func.getNumArguments());
      erased.set(*dropped);
      calls.eraseArguments(func, erased);
      return true;
    }
  return false;
}

void StoreMerger::eraseKernels() {
  for (FunctionOpInterface func : uncalled) {
    auto kernels = dyn_cast<gpu::GPUModuleOp>(func->getParentOp());
    func->erase();
    if (kernels && kernels.getBody()->empty() &&
        SymbolTable::symbolKnownUseEmpty(kernels, kernels->getParentOp()))
      kernels->erase();
  }
}

void memspace::removeIdleKernels(
    ModuleOp module, const llvm::SetVector<Operation *> &functions) {
  {
    KnownCalls calls(module);
    // What a caller hands on may be what its callee does.
    SmallVector<FunctionOpInterface> all = calls.getFunctions();
    for (FunctionOpInterface known : llvm::reverse(all))
      if (functions.contains(known))
        if (auto func = dyn_cast<func::FuncOp>(known.getOperation()))
          forwardResults(func, calls);
    calls.eraseUncalled();
  }
  // A copy that is gone may be what was in the way of another one.
  bool changed = true;
  while (changed) {
    changed = false;
    KnownCalls calls(module);
    StoreMerger merger(calls);
    for (FunctionOpInterface func : calls.getFunctions())
      if (functions.contains(func))
        changed |= merger.removeCopies(func);
    merger.eraseKernels();
  }
  changed = true;
  while (changed) {
    changed = false;
    KnownCalls calls(module);
    // A kernel that has lost an argument has other accesses.
    for (FunctionOpInterface func : calls.getFunctions())
      if (functions.contains(func))
        changed |= StoreMerger(calls).mergeOutputs(func);
  }
}
