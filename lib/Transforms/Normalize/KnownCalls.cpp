//===- KnownCalls.cpp - functions whose calls are all known -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownCalls.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/IR/GridSize.h"
#include "MemSpace/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

MutableArrayRef<OpOperand> mlir::memspace::getPassedArguments(Operation *call) {
  auto launch = dyn_cast<gpu::LaunchFuncOp>(call);
  OperandRange passed = launch ? launch.getKernelOperands()
                               : cast<func::CallOp>(call).getArgOperands();
  // An empty range does not know where it begins.
  if (passed.empty())
    return {};
  // The mutable ranges of ODS make attributes of their sizes.
  return call->getOpOperands().slice(passed.getBeginOperandIndex(),
                                     passed.size());
}

/// True for a result that only orders asynchronous ops of the host.
static bool isToken(Value value) {
  return isa<gpu::AsyncTokenType>(value.getType());
}

bool mlir::memspace::hasUnusedResults(Operation *op) {
  return llvm::all_of(op->getResults(), [](Value result) {
    return result.use_empty() || isToken(result);
  });
}

void mlir::memspace::eraseUnused(Operation *op) {
  if (auto async = dyn_cast<gpu::AsyncOpInterface>(op)) {
    Value token = async.getAsyncToken();
    auto awaited = llvm::to_vector(async.getAsyncDependencies());
    OpBuilder builder(op);
    if (token && awaited.size() == 1)
      token.replaceAllUsesWith(awaited.front());
    else if (token && !token.use_empty())
      token.replaceAllUsesWith(
          gpu::WaitOp::create(builder, op->getLoc(), token.getType(), awaited)
              .getAsyncToken());
    else if (!token && !awaited.empty())
      gpu::WaitOp::create(builder, op->getLoc(), Type(), awaited);
  }
  op->erase();
}

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// True when nothing outside of the module of the pass can enter `func`.
static bool isInternal(FunctionOpInterface func, ModuleOp module) {
  if (func.isExternal() || !isa<func::FuncOp, gpu::GPUFuncOp>(func))
    return false;
  auto gpuModule = dyn_cast<gpu::GPUModuleOp>(func->getParentOp());
  if (!gpuModule)
    return isa<ModuleOp>(func->getParentOp()) && func.isPrivate();
  // A module around this one may hold launches of its own.
  bool isClosed =
      !module->getParentOp() || SymbolTable::getSymbolVisibility(gpuModule) ==
                                    SymbolTable::Visibility::Private;
  return isClosed && (func.isPrivate() || isKernel(func) ||
                      gpu::GPUDialect::isKernel(func));
}

/// The attribute of `op` that names the function which it enters; null for
/// other ops.
static SymbolRefAttr getCalleeAttr(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return launch.getKernel();
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCalleeAttr();
  return {};
}

KnownCalls::KnownCalls(ModuleOp module) {
  collectFunctions(module);
  SymbolTableCollection tables;
  module->walk([&](Operation *op) { collectUses(op, tables); });
  calls.remove_if([&](auto &entry) {
    auto func = cast<FunctionOpInterface>(entry.first);
    return entry.second.empty() || otherUses.contains(func.getNameAttr());
  });
  dropCycles();
  DenseMap<Operation *, FunctionOpInterface> known;
  for (auto [call, callee] : callees)
    if (calls.contains(callee))
      known[call] = callee;
  callees = std::move(known);
}

void KnownCalls::collectFunctions(ModuleOp module) {
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    if (isInternal(func, module))
      calls[func];
    return WalkResult::skip();
  });
}

void KnownCalls::collectUses(Operation *op, SymbolTableCollection &tables) {
  SymbolRefAttr entered = getCalleeAttr(op);
  auto callee =
      entered ? tables.lookupNearestSymbolFrom<FunctionOpInterface>(op, entered)
              : FunctionOpInterface();
  bool isCall = callee && calls.contains(callee) &&
                getPassedArguments(op).size() == callee.getNumArguments();
  if (isCall) {
    calls[callee].push_back(op);
    callees[op] = callee;
  }
  // Whatever names a symbol in another way may enter the function.
  bool isFirst = true;
  for (NamedAttribute attr : op->getAttrDictionary()) {
    if (isCall && attr.getValue() == entered && std::exchange(isFirst, false))
      continue;
    attr.getValue().walk<WalkOrder::PreOrder>([&](SymbolRefAttr symbol) {
      otherUses.insert(symbol.getRootReference());
      for (FlatSymbolRefAttr nested : symbol.getNestedReferences())
        otherUses.insert(nested.getAttr());
      return WalkResult::skip();
    });
  }
}

/// Takes away functions that no other one enters and that enter no other one,
/// until only those are left that call themselves, or stand between such.
void KnownCalls::dropCycles() {
  DenseMap<Operation *, unsigned> numCallers, numCallees;
  DenseMap<Operation *, SmallVector<Operation *>> callers, called;
  for (auto &[func, ops] : calls)
    for (Operation *call : ops) {
      Operation *caller = call->getParentOfType<FunctionOpInterface>();
      if (!calls.contains(caller))
        continue;
      callers[func].push_back(caller);
      called[caller].push_back(func);
      ++numCallers[func];
      ++numCallees[caller];
    }
  llvm::DenseSet<Operation *> peeled;
  SmallVector<Operation *> worklist;
  auto visit = [&](Operation *func) {
    if ((!numCallers[func] || !numCallees[func]) && peeled.insert(func).second)
      worklist.push_back(func);
  };
  for (auto &[func, ops] : calls)
    visit(func);
  while (!worklist.empty()) {
    Operation *func = worklist.pop_back_val();
    for (Operation *callee : called[func]) {
      --numCallers[callee];
      visit(callee);
    }
    for (Operation *caller : callers[func]) {
      --numCallees[caller];
      visit(caller);
    }
  }
  calls.remove_if([&](auto &entry) { return !peeled.contains(entry.first); });
}

SmallVector<FunctionOpInterface> KnownCalls::getFunctions() const {
  SmallVector<FunctionOpInterface> functions;
  for (auto &[func, ops] : calls)
    functions.push_back(cast<FunctionOpInterface>(func));
  return functions;
}

ArrayRef<Operation *> KnownCalls::getCalls(Operation *func) const {
  auto it = calls.find(func);
  return it == calls.end() ? ArrayRef<Operation *>() : it->second;
}

//===----------------------------------------------------------------------===//
// Attributes that say something of arguments by their numbers
//===----------------------------------------------------------------------===//

llvm::BitVector mlir::memspace::getArgumentsOfGrid(FunctionOpInterface func) {
  llvm::BitVector needed(func.getNumArguments());
  if (std::optional<GridSize> grid = GridSize::get(func))
    for (GridSize::Symbol symbol : grid->symbols)
      if (symbol.argument < needed.size())
        needed.set(symbol.argument);
  return needed;
}

/// The number of argument `number` when those of `erased` are gone.
static unsigned renumber(unsigned number, const llvm::BitVector &erased) {
  unsigned before = 0;
  for (unsigned other : erased.set_bits())
    before += other < number;
  return number - before;
}

/// The entry of `func` in the `memspace.kernels` of the module around its own;
/// null when there is none.
static DictionaryAttr getFigures(FunctionOpInterface func, Operation *&module) {
  module = func->getParentOfType<ModuleOp>();
  auto kernels =
      module ? module->getAttrOfType<DictionaryAttr>(kKernelsAttr) : nullptr;
  return kernels ? kernels.getAs<DictionaryAttr>(func.getName()) : nullptr;
}

/// Replaces the entry of `func` there, or removes it.
static void setFigures(FunctionOpInterface func, DictionaryAttr figures) {
  Operation *module;
  if (!getFigures(func, module))
    return;
  NamedAttrList kernels(module->getAttrOfType<DictionaryAttr>(kKernelsAttr));
  if (figures)
    kernels.set(func.getName(), figures);
  else
    kernels.erase(func.getName());
  module->setAttr(kKernelsAttr, kernels.getDictionary(func.getContext()));
}

/// Renumbers the arguments in the entry of `func`.
static void renumberFigures(FunctionOpInterface func,
                            const llvm::BitVector &erased) {
  Operation *module;
  DictionaryAttr known = getFigures(func, module);
  if (!known)
    return;
  NamedAttrList figures(known);
  if (auto attr = known.getAs<DenseI64ArrayAttr>(kNoAliasAttr)) {
    SmallVector<int64_t> numbers;
    for (int64_t number : attr.asArrayRef())
      if (number < 0 || number >= int64_t(erased.size()) ||
          !erased.test(number))
        numbers.push_back(renumber(number, erased));
    figures.set(kNoAliasAttr,
                DenseI64ArrayAttr::get(func.getContext(), numbers));
  }
  if (Attribute symbols = func->getAttr(kGridSymbolsAttr);
      symbols && known.get(kGridSymbolsAttr))
    figures.set(kGridSymbolsAttr, symbols);
  setFigures(func, figures.getDictionary(func.getContext()));
}

void mlir::memspace::eraseArgumentsOfFunction(FunctionOpInterface func,
                                              const llvm::BitVector &erased) {
  SmallVector<DictionaryAttr> attrs;
  for (unsigned number = 0; number < func.getNumArguments(); ++number)
    if (!erased.test(number))
      attrs.push_back(DictionaryAttr::get(
          func.getContext(), llvm::to_vector(func.getArgAttrs(number))));
  if (std::optional<GridSize> grid = GridSize::get(func)) {
    for (GridSize::Symbol &symbol : grid->symbols)
      symbol.argument = renumber(symbol.argument, erased);
    grid->record(func);
  }
  func.setType(func.getTypeWithoutArgs(erased));
  if (func.getArgAttrsAttr())
    func.setAllArgAttrs(attrs);
  // Behind the arguments of a gpu.func are its attributions.
  func.getFunctionBody().front().eraseArguments([&](BlockArgument arg) {
    return arg.getArgNumber() < erased.size() &&
           erased.test(arg.getArgNumber());
  });
  renumberFigures(func, erased);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// `attrs`, one for each argument (result), without those of `erased`.
static ArrayAttr filter(ArrayAttr attrs, const llvm::BitVector &erased) {
  if (!attrs)
    return {};
  SmallVector<Attribute> kept;
  for (auto [number, attr] : llvm::enumerate(attrs))
    if (number >= erased.size() || !erased.test(number))
      kept.push_back(attr);
  return ArrayAttr::get(attrs.getContext(), kept);
}

void mlir::memspace::erasePassedArguments(Operation *call,
                                          const llvm::BitVector &erased) {
  auto launch = dyn_cast<gpu::LaunchFuncOp>(call);
  MutableOperandRange passed =
      launch ? launch.getKernelOperandsMutable()
             : cast<func::CallOp>(call).getArgOperandsMutable();
  for (unsigned number = erased.size(); number-- > 0;)
    if (erased.test(number))
      passed.erase(number);
  if (auto callOp = dyn_cast<func::CallOp>(call))
    if (ArrayAttr attrs = filter(callOp.getArgAttrsAttr(), erased))
      callOp.setArgAttrsAttr(attrs);
}

SmallVector<Value> KnownCalls::eraseArguments(FunctionOpInterface func,
                                              const llvm::BitVector &erased) {
  SmallVector<Value> values;
  for (Operation *call : calls[func]) {
    for (unsigned number : erased.set_bits())
      values.push_back(getPassedArguments(call)[number].get());
    erasePassedArguments(call, erased);
  }
  eraseArgumentsOfFunction(func, erased);
  return values;
}

void KnownCalls::eraseResults(FunctionOpInterface func,
                              const llvm::BitVector &erased) {
  for (Block &block : func.getFunctionBody())
    if (isa<func::ReturnOp>(block.getTerminator()))
      block.getTerminator()->eraseOperands(erased);
  ArrayAttr resAttrs = filter(func.getResAttrsAttr(), erased);
  func.setType(func.getTypeWithoutResults(erased));
  if (resAttrs)
    func.setResAttrsAttr(resAttrs);

  SmallVector<Operation *> renewed;
  for (Operation *op : calls[func]) {
    auto call = cast<func::CallOp>(op);
    OpBuilder builder(call);
    auto smaller =
        func::CallOp::create(builder, call.getLoc(), call.getCalleeAttr(),
                             func.getResultTypes(), call.getArgOperands());
    smaller->setDiscardableAttrs(call->getDiscardableAttrDictionary());
    smaller.setNoInline(call.getNoInline());
    if (ArrayAttr attrs = call.getArgAttrsAttr())
      smaller.setArgAttrsAttr(attrs);
    if (ArrayAttr attrs = filter(call.getResAttrsAttr(), erased))
      smaller.setResAttrsAttr(attrs);
    unsigned next = 0;
    for (OpResult result : call->getResults())
      if (!erased.test(result.getResultNumber()))
        result.replaceAllUsesWith(smaller.getResult(next++));
    callees.erase(call);
    callees[smaller] = func;
    renewed.push_back(smaller);
    call.erase();
  }
  calls[func] = std::move(renewed);
}

SmallVector<Value> KnownCalls::eraseUnusedCalls(FunctionOpInterface func) {
  SmallVector<Value> values;
  SmallVector<Operation *> erased, left;
  for (Operation *call : calls[func]) {
    if (!hasUnusedResults(call)) {
      left.push_back(call);
      continue;
    }
    erased.push_back(call);
    // A call that waits for another one would name what is erased with that.
    for (Value operand : call->getOperands())
      if (!isToken(operand))
        values.push_back(operand);
  }
  for (Operation *call : erased) {
    callees.erase(call);
    eraseUnused(call);
  }
  calls[func] = std::move(left);
  return values;
}

bool KnownCalls::eraseUncalled() {
  SmallVector<Operation *> worklist;
  DenseMap<Operation *, size_t> numLeft;
  for (auto &[func, ops] : calls) {
    numLeft[func] = ops.size();
    if (ops.empty())
      worklist.push_back(func);
  }
  bool changed = !worklist.empty();
  while (!worklist.empty()) {
    auto func = cast<FunctionOpInterface>(worklist.pop_back_val());
    func->walk([&](Operation *op) {
      if (FunctionOpInterface callee = getCallee(op))
        if (--numLeft[callee] == 0)
          worklist.push_back(callee);
    });
    setFigures(func, {});
    auto gpuModule = dyn_cast<gpu::GPUModuleOp>(func->getParentOp());
    func->erase();
    if (gpuModule && gpuModule.getBody()->empty() &&
        !otherUses.contains(gpuModule.getNameAttr()))
      gpuModule->erase();
  }
  return changed;
}
