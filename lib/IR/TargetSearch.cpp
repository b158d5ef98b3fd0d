//===- TargetSearch.cpp - what the IR says of the targets of tensors ------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetSearch.h"
#include "MemSpace/IR/Encodings.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<TargetInfo> mlir::memspace::getNamedTarget(Operation *op,
                                                         Attribute attr) {
  ScopedDiagnosticHandler ignore(op->getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<std::optional<TargetInfo>> target =
      attr ? getTargetFromAttr(op, attr) : getTargetFromIR(op);
  return succeeded(target) ? *target : std::nullopt;
}

/// The function of which `value` is an argument; null for other values.
static FunctionOpInterface getFunctionOfArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto func = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return func && argument.getArgNumber() < func.getNumArguments()
             ? func
             : FunctionOpInterface();
}

Attribute mlir::memspace::getTargetOfArgument(Value value) {
  FunctionOpInterface func = getFunctionOfArgument(value);
  return func ? func.getArgAttr(cast<BlockArgument>(value).getArgNumber(),
                                kTargetAttr)
              : Attribute();
}

static bool isCall(Operation *op) {
  return isa<CallOpInterface, gpu::LaunchFuncOp>(op);
}

/// What `call` passes as the arguments of its callee.
static OperandRange getPassed(Operation *call) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(call))
    return launch.getKernelOperands();
  return cast<CallOpInterface>(call).getArgOperands();
}

static FunctionOpInterface getCallee(Operation *call) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(call))
    return SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        call, launch.getKernel());
  return dyn_cast_or_null<FunctionOpInterface>(
      cast<CallOpInterface>(call).resolveCallable());
}

namespace {
class TargetSearch {
public:
  TargetSearch(Value tensor, const TargetInfo &target)
      : tensor(tensor), target(target) {}
  Operation *run();

private:
  void add(ValueRange values);
  void addOp(Operation *op, Value from);
  void addCall(Operation *call, Value from);
  void addReturn(FunctionOpInterface func, Operation *op, Value from);
  void addCallersOfArgument(FunctionOpInterface func, unsigned number);
  void state(FunctionOpInterface func, Attribute attr);
  bool followsCalls();
  Operation *getModule();
  ArrayRef<Operation *> getCalls(FunctionOpInterface func);
  bool isOther(Operation *op, Attribute attr) const;
  bool hasOtherModule(FunctionOpInterface func) const;

  Value tensor;
  const TargetInfo &target;
  llvm::SetVector<Value> tensors;
  llvm::SetVector<Operation *> ops;
  /// Who says something of a target, and what; null: what is around says it.
  SmallVector<std::pair<FunctionOpInterface, Attribute>> stated;
  /// Functions of the module are for several targets. Else nothing is found
  /// beyond the function.
  std::optional<bool> hasTargets;
  /// Not to be looked up.
  Operation *unknown = nullptr;
  std::optional<DenseMap<Operation *, SmallVector<Operation *>>> calls;
};
} // namespace

bool TargetSearch::isOther(Operation *op, Attribute attr) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<TargetInfo> named = getNamedTarget(op, attr);
  return !named || !memspace::detail::isSameResolvedLayout(
                       type, *named, type.getEncoding(), target);
}

void TargetSearch::add(ValueRange values) {
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        (type && type.getEncoding()) || isa<BaseMemRefType>(value.getType()))
      tensors.insert(value);
}

Operation *TargetSearch::getModule() {
  Operation *module = tensor.getParentBlock()->getParentOp();
  while (module->getParentOp())
    module = module->getParentOp();
  return module;
}

/// Calls `visit` for what `op` says of the target of what is in it; false where
/// that is nothing.
static bool forEachTarget(Operation *op,
                          llvm::function_ref<void(Attribute)> visit) {
  bool hasTarget = false;
  for (StringRef name : {StringRef(kTargetAttr), StringRef("gpu.target"),
                         StringRef("targets")}) {
    Attribute attr = op->getAttr(name);
    hasTarget |= attr != nullptr;
    // A `gpu.module` is for each of its targets.
    if (auto array = dyn_cast_or_null<ArrayAttr>(attr))
      llvm::for_each(array, visit);
    else if (attr)
      visit(attr);
  }
  return hasTarget;
}

/// Whether what a function says, or what is around it, gives the tensor another
/// layout. Asked when the tensor is passed to or from a function. Functions may
/// be many, but what they say is not.
bool TargetSearch::followsCalls() {
  if (hasTargets)
    return *hasTargets;
  llvm::SmallSetVector<Attribute, 4> attrs;
  auto addAttr = [&](Attribute attr) {
    if (attr)
      attrs.insert(attr);
  };
  Operation *unnamed = nullptr;
  auto visit = [&](Operation *op) {
    bool isNamed = forEachTarget(op, addAttr);
    auto func = dyn_cast<FunctionOpInterface>(op);
    if (!func)
      return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::advance()
                                                  : WalkResult::skip();
    for (unsigned number = 0; number < func.getNumArguments(); ++number)
      addAttr(func.getArgAttr(number, kTargetAttr));
    for (unsigned number = 0; number < func.getNumResults(); ++number)
      addAttr(func.getResultAttr(number, kTargetAttr));
    Operation *around = op->getParentOp();
    if (!isNamed && (!around || isa<ModuleOp>(around) ||
                     !forEachTarget(around, [](Attribute) {})))
      unnamed = op;
    return WalkResult::skip();
  };
  getModule()->walk<WalkOrder::PreOrder>(visit);
  hasTargets = (unnamed && isOther(unnamed, {})) ||
               llvm::any_of(attrs, [&](Attribute attr) {
                 return isOther(getModule(), attr);
               });
  return *hasTargets;
}

/// A `gpu.module` of several targets is compiled for each of them from one
/// form.
bool TargetSearch::hasOtherModule(FunctionOpInterface func) const {
  Operation *module = func->getParentOp();
  if (!isa_and_nonnull<gpu::GPUModuleOp>(module) ||
      forEachTarget(func, [](Attribute) {}))
    return false;
  bool hasOther = false;
  forEachTarget(module,
                [&](Attribute attr) { hasOther |= isOther(func, attr); });
  return hasOther;
}

void TargetSearch::state(FunctionOpInterface func, Attribute attr) {
  if (attr || followsCalls())
    stated.push_back({func, attr});
}

ArrayRef<Operation *> TargetSearch::getCalls(FunctionOpInterface func) {
  if (!calls) {
    calls.emplace();
    getModule()->walk([&](Operation *op) {
      if (FunctionOpInterface callee =
              isCall(op) ? getCallee(op) : FunctionOpInterface())
        (*calls)[callee].push_back(op);
    });
  }
  return (*calls)[func];
}

void TargetSearch::addCall(Operation *call, Value from) {
  if (!followsCalls())
    return;
  FunctionOpInterface callee = getCallee(call);
  OperandRange passed = getPassed(call);
  if (!callee || passed.size() != callee.getNumArguments()) {
    unknown = call;
    return;
  }
  for (auto [number, value] : llvm::enumerate(passed)) {
    if (value != from)
      continue;
    state(callee, callee.getArgAttr(number, kTargetAttr));
    if (!callee.isExternal())
      add(callee.getArgument(number));
  }
  if (from.getDefiningOp() != call)
    return;
  unsigned number = cast<OpResult>(from).getResultNumber();
  if (call->getNumResults() != callee.getNumResults()) {
    unknown = call;
    return;
  }
  state(callee, callee.getResultAttr(number, kTargetAttr));
  for (Region &region : callee->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator() &&
          block.getTerminator()->hasTrait<OpTrait::ReturnLike>())
        add(block.getTerminator()->getOperand(number));
}

void TargetSearch::addReturn(FunctionOpInterface func, Operation *op,
                             Value from) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (operand.get() != from || number >= func.getNumResults())
      continue;
    // A result that an encode makes which names its target stays as it is.
    auto encode = from.getDefiningOp<EncodeOp>();
    Attribute attr = func.getResultAttr(number, kTargetAttr);
    if (attr || !encode || !encode->hasAttr(kTargetAttr))
      state(func, attr);
    if (followsCalls())
      for (Operation *call : getCalls(func))
        if (number < call->getNumResults())
          add(call->getResult(number));
  }
}

void TargetSearch::addCallersOfArgument(FunctionOpInterface func,
                                        unsigned number) {
  if (!followsCalls())
    return;
  for (Operation *call : getCalls(func))
    if (number < getPassed(call).size())
      add(getPassed(call)[number]);
}

void TargetSearch::addOp(Operation *op, Value from) {
  // An encode is the door to another target.
  auto encode = dyn_cast<EncodeOp>(op);
  if (isa<FunctionOpInterface>(op) ||
      (encode && from != encode.getDest() && from != encode.getResult()))
    return;
  auto func = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
  if (func && op->hasTrait<OpTrait::ReturnLike>())
    addReturn(func, op, from);
  if (isCall(op))
    addCall(op, from);
  if (!ops.insert(op) || isCall(op))
    return;
  if (encode)
    return add({encode.getDest(), encode.getResult()});
  if (!(func && op->hasTrait<OpTrait::ReturnLike>()))
    add(op->getOperands());
  add(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      add(block.getArguments());
      if (block.mightHaveTerminator())
        add(block.getTerminator()->getOperands());
    }
  for (Block *successor : op->getSuccessors())
    add(successor->getArguments());
}

Operation *TargetSearch::run() {
  add(tensor);
  for (unsigned next = 0; next < tensors.size(); ++next) {
    Value value = tensors[next];
    if (FunctionOpInterface func = getFunctionOfArgument(value)) {
      state(func, getTargetOfArgument(value));
      addCallersOfArgument(func, cast<BlockArgument>(value).getArgNumber());
    }
    if (Operation *definition = value.getDefiningOp()) {
      addOp(definition, value);
    } else {
      addOp(value.getParentBlock()->getParentOp(), value);
      for (Block *before : value.getParentBlock()->getPredecessors())
        addOp(before->getTerminator(), value);
    }
    for (Operation *user : value.getUsers()) {
      addOp(user, value);
      if (user->hasTrait<OpTrait::IsTerminator>())
        addOp(user->getParentOp(), value);
    }
  }
  if (unknown)
    return unknown;
  for (Operation *op : ops)
    if (Attribute attr = op->getAttr(kTargetAttr); attr && isOther(op, attr))
      return op;
  for (auto [func, attr] : stated)
    if (isOther(func, attr) || (!attr && hasOtherModule(func)))
      return func;
  Operation *around = tensor.getParentBlock()->getParentOp();
  auto func = dyn_cast<FunctionOpInterface>(around);
  if (!func)
    func = around->getParentOfType<FunctionOpInterface>();
  return func && hasOtherModule(func) ? func.getOperation() : nullptr;
}

Operation *mlir::memspace::findOtherTarget(Value tensor,
                                           const TargetInfo &target) {
  return TargetSearch(tensor, target).run();
}
