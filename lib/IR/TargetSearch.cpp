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
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// What is said where
//===----------------------------------------------------------------------===//

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

/// Whether a tensor of `type` has another layout by what `op` says than on
/// `target`; true where it says nothing.
static bool hasOtherLayout(RankedTensorType type, const TargetInfo &target,
                           Operation *op, Attribute attr) {
  std::optional<TargetInfo> named = getNamedTarget(op, attr);
  return !named || !memspace::detail::isSameResolvedLayout(
                       type, *named, type.getEncoding(), target);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static bool isCall(Operation *op) {
  return isa<CallOpInterface, gpu::LaunchFuncOp>(op);
}

/// What `call` passes as the arguments of its callee.
static OperandRange getPassed(Operation *call) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(call))
    return launch.getKernelOperands();
  return cast<CallOpInterface>(call).getArgOperands();
}

TargetSearch::TargetSearch(Operation *op) : module(op) {
  while (module->getParentOp())
    module = module->getParentOp();
}

FunctionOpInterface TargetSearch::getCallee(Operation *call) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(call))
    return tables.lookupNearestSymbolFrom<FunctionOpInterface>(
        call, launch.getKernel());
  return dyn_cast_or_null<FunctionOpInterface>(
      cast<CallOpInterface>(call).resolveCallableInTable(&tables));
}

const TargetSearch::Index &TargetSearch::getIndex() {
  if (index)
    return *index;
  index.emplace();
  module->walk([&](Operation *op) {
    if (isa<FunctionOpInterface>(op) || op->hasTrait<OpTrait::SymbolTable>())
      return;
    if (isCall(op)) {
      if (FunctionOpInterface callee = getCallee(op))
        index->calls[callee].push_back(op);
      return;
    }
    op->getAttrDictionary().walk<WalkOrder::PreOrder>(
        [&](SymbolRefAttr symbol) {
          Operation *named = tables.lookupNearestSymbolFrom(op, symbol);
          if (isa_and_nonnull<FunctionOpInterface>(named))
            index->referred.insert(named);
          else if (named && isa<memref::GetGlobalOp>(op))
            index->globals[named].push_back(op);
          return WalkResult::skip();
        });
  });
  return *index;
}

void TargetSearch::collectTargets() {
  if (std::exchange(areCollected, true))
    return;
  auto addTarget = [&](Attribute attr) {
    if (attr)
      targets.insert(attr);
  };
  Operation *place = nullptr;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isNamed = forEachTarget(op, addTarget);
    auto func = dyn_cast<FunctionOpInterface>(op);
    if (!func)
      return op->hasTrait<OpTrait::SymbolTable>() ? WalkResult::advance()
                                                  : WalkResult::skip();
    for (unsigned number = 0; number < func.getNumArguments(); ++number)
      addTarget(func.getArgAttr(number, kTargetAttr));
    for (unsigned number = 0; number < func.getNumResults(); ++number)
      addTarget(func.getResultAttr(number, kTargetAttr));
    // Functions of one place are next to each other.
    if (!isNamed && std::exchange(place, op->getParentOp()) != place)
      unnamed.insert(op);
    return WalkResult::skip();
  });
}

bool TargetSearch::hasOtherFunction(RankedTensorType type,
                                    const TargetInfo &target) {
  auto [it, isNew] = otherFunctions.try_emplace(
      {type.getAsOpaquePointer(), target.chip}, false);
  if (!isNew)
    return it->second;
  collectTargets();
  it->second = llvm::any_of(targets,
                            [&](Attribute attr) {
                              return hasOtherLayout(type, target, module, attr);
                            }) ||
               llvm::any_of(unnamed, [&](Operation *func) {
                 return hasOtherLayout(type, target, func, {});
               });
  return it->second;
}

//===----------------------------------------------------------------------===//
// One question
//===----------------------------------------------------------------------===//

class TargetSearch::Question {
public:
  Question(TargetSearch &search, Value tensor, const TargetInfo &target)
      : search(search), tensor(tensor),
        type(cast<RankedTensorType>(tensor.getType())), target(target) {}

  Operation *find();
  /// All that live where the tensor does.
  const llvm::SetVector<Value> &getTensors() const { return tensors; }

private:
  void add(ValueRange values);
  void addOp(Operation *op, Value from);
  void addCall(Operation *call, Value from);
  void addReturn(FunctionOpInterface func, Operation *op, Value from);
  void addArgument(FunctionOpInterface func, Value argument);
  void addFunction(FunctionOpInterface func);
  void addGlobal(memref::GetGlobalOp op);
  void state(FunctionOpInterface func, Attribute attr);
  bool isOther(FunctionOpInterface func, Attribute attr) const;
  bool hasOtherModule(FunctionOpInterface func) const;
  /// Without another one nothing is found beyond the function.
  bool followsCalls() { return search.hasOtherFunction(type, target); }

  TargetSearch &search;
  Value tensor;
  RankedTensorType type;
  const TargetInfo &target;
  llvm::SetVector<Value> tensors;
  llvm::SetVector<Operation *> ops;
  /// Who says something of a target, and what; null: what is around says it.
  llvm::SetVector<std::pair<Operation *, Attribute>> stated;
  /// Where a tensor cannot be followed.
  Operation *unknown = nullptr;
};

/// A tensor with an encoding, or memory that may hold one, or what may hide
/// these.
static bool mayBeEncoded(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getEncoding() != nullptr;
  if (isa<BaseMemRefType>(type))
    return true;
  return !type.isIntOrIndexOrFloat() && !isa<ShapedType>(type) &&
         type.walk([](Type inner) {
               auto tensor = dyn_cast<RankedTensorType>(inner);
               return (tensor && tensor.getEncoding()) ||
                              isa<BaseMemRefType>(inner)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

void TargetSearch::Question::add(ValueRange values) {
  for (Value value : values)
    if (mayBeEncoded(value.getType()))
      tensors.insert(value);
}

void TargetSearch::Question::state(FunctionOpInterface func, Attribute attr) {
  if (attr || followsCalls())
    stated.insert({func, attr});
}

/// What else enters a function passes what is not seen.
void TargetSearch::Question::addFunction(FunctionOpInterface func) {
  if (search.getIndex().referred.contains(func))
    unknown = func;
}

void TargetSearch::Question::addCall(Operation *call, Value from) {
  if (!followsCalls())
    return;
  FunctionOpInterface callee = search.getCallee(call);
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

void TargetSearch::Question::addReturn(FunctionOpInterface func, Operation *op,
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
    if (!followsCalls())
      continue;
    addFunction(func);
    for (Operation *call : search.getIndex().calls.lookup(func))
      if (number < call->getNumResults())
        add(call->getResult(number));
  }
}

void TargetSearch::Question::addArgument(FunctionOpInterface func,
                                         Value argument) {
  state(func, getTargetOfArgument(argument));
  if (!followsCalls())
    return;
  addFunction(func);
  unsigned number = cast<BlockArgument>(argument).getArgNumber();
  for (Operation *call : search.getIndex().calls.lookup(func))
    if (number < getPassed(call).size())
      add(getPassed(call)[number]);
}

void TargetSearch::Question::addGlobal(memref::GetGlobalOp op) {
  Operation *global =
      search.tables.lookupNearestSymbolFrom(op, op.getNameAttr());
  for (Operation *other : search.getIndex().globals.lookup(global))
    add(other->getResults());
}

void TargetSearch::Question::addOp(Operation *op, Value from) {
  // An encode is the door to another target.
  auto encode = dyn_cast<EncodeOp>(op);
  if (isa<FunctionOpInterface>(op) ||
      (encode && from != encode.getDest() && from != encode.getResult()))
    return;
  auto func = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
  bool isReturn = func && op->hasTrait<OpTrait::ReturnLike>();
  if (isReturn)
    addReturn(func, op, from);
  if (isCall(op))
    addCall(op, from);
  if (!ops.insert(op) || isReturn || isCall(op))
    return;
  if (encode)
    return add({encode.getDest(), encode.getResult()});
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    addGlobal(global);
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

/// A `gpu.module` of several targets is compiled for each of them from one
/// form.
bool TargetSearch::Question::hasOtherModule(FunctionOpInterface func) const {
  Operation *around = func->getParentOp();
  if (!isa_and_nonnull<gpu::GPUModuleOp>(around) ||
      forEachTarget(func, [](Attribute) {}))
    return false;
  bool hasOther = false;
  forEachTarget(around, [&](Attribute attr) {
    hasOther |= hasOtherLayout(type, target, func, attr);
  });
  return hasOther;
}

bool TargetSearch::Question::isOther(FunctionOpInterface func,
                                     Attribute attr) const {
  if (attr)
    return hasOtherLayout(type, target, func, attr);
  // A function of which all is seen needs to say nothing.
  if (func.isPrivate() && !func.isExternal() && !getNamedTarget(func))
    return false;
  return hasOtherLayout(type, target, func, {}) || hasOtherModule(func);
}

Operation *TargetSearch::Question::find() {
  add(tensor);
  auto getFunction = [](Value value) {
    Operation *around = value.getParentBlock()->getParentOp();
    auto func = dyn_cast<FunctionOpInterface>(around);
    return func ? func : around->getParentOfType<FunctionOpInterface>();
  };
  FunctionOpInterface own = getFunction(tensor);
  for (unsigned next = 0; next < tensors.size(); ++next) {
    Value value = tensors[next];
    if (FunctionOpInterface func = getFunction(value);
        func && func != own && isa<RankedTensorType>(value.getType()))
      state(func, {});
    if (FunctionOpInterface func = getFunctionOfArgument(value))
      addArgument(func, value);
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
    if (Attribute attr = op->getAttr(kTargetAttr);
        attr && hasOtherLayout(type, target, op, attr))
      return op;
  for (auto [func, attr] : stated)
    if (isOther(cast<FunctionOpInterface>(func), attr))
      return func;
  return own && hasOtherModule(own) ? own.getOperation() : nullptr;
}

Operation *TargetSearch::findOther(Value tensor, const TargetInfo &target) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (const Answer &answer : answers.lookup(tensor))
    if (answer.type == type && answer.chip == target.chip)
      return answer.other;
  Question question(*this, tensor, target);
  Operation *other = question.find();
  // To live where another one does is mutual.
  for (Value value : question.getTensors())
    if (value.getType() == type)
      answers[value].push_back({type, target.chip, other});
  return other;
}
