//===- TargetFinder.cpp - the target of each tensor with an encoding ------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorLayouts.h"
#include "Transforms/Normalize/KnownCalls.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::memspace;

namespace mlir {
namespace memspace {
/// Finds the target of each encoded tensor.
class TargetFinder {
public:
  TargetFinder(Operation *root, const TargetOverrides &overrides,
               TensorLayouts &layouts)
      : root(root), overrides(overrides), layouts(layouts) {}
  LogicalResult run();

private:
  /// An encoded tensor, or memory that may hold one.
  struct Node {
    TensorSlot slot;
    /// Null for memory.
    RankedTensorType type;
    /// An op of the tensor, for diagnostics.
    Operation *op;
  };
  /// A target, and the op that names it.
  struct Named {
    TargetInfo target;
    Operation *op = nullptr;
  };

  void add(const TensorSlot &slot, Type type, Operation *op);
  void collect();
  void uniteTensorsOf(Operation *op);
  LogicalResult addNamed(Operation *op);
  LogicalResult addCall(Operation *call);
  FunctionOpInterface getFunction(unsigned node) const;
  LogicalResult addBoundary(unsigned node);
  LogicalResult addFunction(unsigned node);
  LogicalResult setNamed(unsigned node, Named named, FunctionOpInterface func);
  LogicalResult checkTargets(FunctionOpInterface func, unsigned node);
  LogicalResult addSurroundings(unsigned node);
  LogicalResult checkBoundaries();
  LogicalResult checkBoundary(unsigned node, FunctionOpInterface func,
                              ArrayRef<RankedTensorType> types);
  LogicalResult setTarget(std::map<unsigned, Named> &targets, unsigned node,
                          Named named);

  Operation *root;
  const TargetOverrides &overrides;
  TensorLayouts &layouts;
  std::vector<Node> nodes;
  SlotClasses classes;
  /// By class: named at an op, function, or argument or result of one; else by
  /// the rest of the IR.
  std::map<unsigned, Named> named, surrounding;
  /// Classes, and functions where an op, argument or result names the target:
  /// there it is not the function's.
  llvm::DenseSet<std::pair<unsigned, Operation *>> namedInside;
};
} // namespace memspace
} // namespace mlir

void TargetFinder::add(const TensorSlot &slot, Type type, Operation *op) {
  if (!isEncoded(type) && !isa<BaseMemRefType>(type))
    return;
  if (classes.add(slot) == nodes.size())
    nodes.push_back({slot, dyn_cast<RankedTensorType>(type), op});
}

void TargetFinder::collect() {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<FunctionOpInterface>(op)) {
      if (func.isExternal())
        for (auto [number, type] : llvm::enumerate(func.getArgumentTypes()))
          add(TensorSlot::getArgument(func, number), type, op);
      for (auto [number, type] : llvm::enumerate(func.getResultTypes()))
        add(TensorSlot::getResult(func, number), type, op);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          add(TensorSlot::get(argument), argument.getType(), op);
    for (OpResult result : op->getResults())
      add(TensorSlot::get(result), result.getType(), op);
  });
}

void TargetFinder::uniteTensorsOf(Operation *op) {
  std::optional<unsigned> first;
  auto addValue = [&](Value value) {
    std::optional<unsigned> node = classes.lookup(TensorSlot::get(value));
    classes.unite(first, node);
    if (!first)
      first = node;
  };
  if (auto encode = dyn_cast<EncodeOp>(op)) {
    addValue(encode.getDest());
    addValue(encode.getResult());
    return;
  }
  if (onlyPassesTensors(op))
    return;
  auto addIfTensor = [&](Value value) {
    if (isEncoded(value.getType()))
      addValue(value);
  };
  llvm::for_each(op->getOperands(), addIfTensor);
  llvm::for_each(op->getResults(), addIfTensor);
  // Memory that holds an encoded tensor.
  if (first &&
      isa<bufferization::ToTensorOp, bufferization::MaterializeInDestinationOp>(
          op))
    llvm::for_each(op->getOperands(), addValue);
  // A cast or view, of any dialect, is of the memory that it is made of.
  auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
  if (llvm::any_of(op->getResultTypes(), isMemory))
    for (ValueRange values :
         {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        if (isMemory(value.getType()))
          addValue(value);
}

LogicalResult TargetFinder::setTarget(std::map<unsigned, Named> &targets,
                                      unsigned node, Named target) {
  auto [it, isNew] = targets.insert({classes.find(node), target});
  if (isNew || it->second.target.chip == target.target.chip)
    return success();
  InFlightDiagnostic diag = nodes[node].op->emitOpError()
                            << "has a tensor of type " << nodes[node].type
                            << " that lives on '" << target.target.chip
                            << "' here and on '" << it->second.target.chip
                            << "' elsewhere; put a memspace.encode in between, "
                               "with 'memspace.target'";
  diag.attachNote(it->second.op->getLoc()) << "it is named here";
  return diag;
}

/// A target that an op, argument or result in `func` names.
LogicalResult TargetFinder::setNamed(unsigned node, Named target,
                                     FunctionOpInterface func) {
  namedInside.insert({classes.find(node), func});
  return setTarget(named, node, target);
}

/// A target that the op itself names.
LogicalResult TargetFinder::addNamed(Operation *op) {
  Attribute attr = op->getAttr(kTargetAttr);
  if (!attr || isa<FunctionOpInterface>(op) ||
      op->hasTrait<OpTrait::SymbolTable>())
    return success();
  if (!isa<ROCDL::ROCDLTargetAttr, NVVM::NVVMTargetAttr>(attr))
    return op->emitOpError()
           << "attribute '" << kTargetAttr
           << "' must be '#rocdl.target<…>' or '#nvvm.target<…>'; got " << attr;
  // What it makes; else what it has.
  SmallVector<unsigned> ofOp;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (auto node = classes.lookup(TensorSlot::get(value)))
        ofOp.push_back(*node);
  };
  add(op->getResults());
  if (ofOp.empty() && !isa<EncodeOp>(op))
    add(op->getOperands());
  FailureOr<std::optional<TargetInfo>> target = getTargetFromAttr(op, attr);
  if (failed(target))
    return failure();
  auto func = op->getParentOfType<FunctionOpInterface>();
  for (unsigned node : ofOp)
    if (failed(setNamed(node, {**target, op}, func)))
      return failure();
  return success();
}

/// An argument or result of a function, and whether it is a result; its op is
/// null for other slots.
static TensorSlot getBoundary(const TensorSlot &slot) {
  if (slot.func)
    return slot;
  auto argument = dyn_cast_or_null<BlockArgument>(slot.value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return {};
  auto func = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  // Memory that a kernel has of its own is behind the arguments.
  if (!func || argument.getArgNumber() >= func.getNumArguments())
    return {};
  return TensorSlot::getArgument(func, argument.getArgNumber());
}

/// What an argument or result of a function says of its target; null if
/// nothing.
static Attribute getStatedTarget(const TensorSlot &boundary) {
  auto func = cast<FunctionOpInterface>(boundary.func);
  return boundary.isResult ? func.getResultAttr(boundary.number, kTargetAttr)
                           : func.getArgAttr(boundary.number, kTargetAttr);
}

LogicalResult TargetFinder::addBoundary(unsigned node) {
  TensorSlot boundary = getBoundary(nodes[node].slot);
  Attribute attr = boundary.func ? getStatedTarget(boundary) : Attribute();
  if (!attr)
    return success();
  FailureOr<std::optional<TargetInfo>> target =
      getTargetFromAttr(boundary.func, attr);
  if (failed(target))
    return failure();
  return setNamed(node, {**target, boundary.func},
                  cast<FunctionOpInterface>(boundary.func));
}

FunctionOpInterface TargetFinder::getFunction(unsigned node) const {
  Operation *op = nodes[node].op;
  auto func = dyn_cast<FunctionOpInterface>(op);
  return func ? func : op->getParentOfType<FunctionOpInterface>();
}

/// What a callee says of an argument or result holds for what is passed.
LogicalResult TargetFinder::addCall(Operation *call) {
  FunctionOpInterface callee = getCallee(call, root);
  auto around = call->getParentOfType<FunctionOpInterface>();
  if (!callee || !around)
    return success();
  auto add = [&](Value value, Attribute attr) -> LogicalResult {
    std::optional<unsigned> node = classes.lookup(TensorSlot::get(value));
    if (!node || !attr)
      return success();
    FailureOr<std::optional<TargetInfo>> target =
        getTargetFromAttr(callee, attr);
    if (failed(target))
      return failure();
    return setNamed(*node, {**target, callee}, around);
  };
  for (auto [number, passed] : llvm::enumerate(getPassedArguments(call)))
    if (failed(add(passed.get(), callee.getArgAttr(number, kTargetAttr))))
      return failure();
  if (isa<func::CallOp>(call))
    for (OpResult result : call->getResults())
      if (failed(add(result, callee.getResultAttr(result.getResultNumber(),
                                                  kTargetAttr))))
        return failure();
  return success();
}

/// The function names the target of what is in it, or its `gpu.module` does.
static bool namesTarget(FunctionOpInterface func) {
  bool isNamed = false;
  for (Operation *around : {func.getOperation(), func->getParentOp()})
    for (StringRef name : {StringRef(kTargetAttr), StringRef("gpu.target"),
                           StringRef("targets")})
      isNamed |= around && !isa<ModuleOp>(around) && around->hasAttr(name);
  // Or a device is all that it is for.
  auto module = dyn_cast_or_null<gpu::GPUModuleOp>(func->getParentOp());
  return isNamed ||
         (module && llvm::any_of(module->getAttrs(), [](NamedAttribute named) {
            return isa<TargetSystemSpecInterface>(named.getValue());
          }));
}

/// A target that the function around a tensor names, or its `gpu.module`.
LogicalResult TargetFinder::addFunction(unsigned node) {
  FunctionOpInterface func = getFunction(node);
  if (!func || !overrides.chip.empty() || !namesTarget(func) ||
      namedInside.contains({classes.find(node), func}))
    return success();
  FailureOr<TargetInfo> target = resolveTarget(func, overrides);
  if (failed(target) || failed(setTarget(named, node, {*target, func})))
    return failure();
  return checkTargets(func, node);
}

/// A `gpu.module` of several targets is compiled for each of them from one
/// form: what a tensor is on the first must hold on all.
LogicalResult TargetFinder::checkTargets(FunctionOpInterface func,
                                         unsigned node) {
  auto module = dyn_cast_or_null<gpu::GPUModuleOp>(func->getParentOp());
  ArrayAttr targets = module ? module.getTargetsAttr() : ArrayAttr();
  if (!targets || func->hasAttr(kTargetAttr) || func->hasAttr("gpu.target") ||
      func->hasAttr("targets"))
    return success();
  Operation *op = nodes[node].op;
  RankedTensorType type = nodes[node].type;
  const TensorLayout *first = nullptr;
  for (Attribute attr : targets) {
    FailureOr<std::optional<TargetInfo>> target = getTargetFromAttr(op, attr);
    if (failed(target))
      return failure();
    if (!*target)
      continue;
    FailureOr<const TensorLayout *> layout =
        layouts.resolve(type, **target, [&] { return op->emitOpError(); });
    if (failed(layout))
      return failure();
    if (first && !first->isSame(**layout))
      return op->emitOpError()
             << "has a tensor of type " << type << " that is laid out on '"
             << first->target.chip << "' in another way than on '"
             << (*target)->chip
             << "', and its 'gpu.module' is for both; make one for each";
    first = *layout;
  }
  return success();
}

/// What the rest of the IR names, or the option does.
LogicalResult TargetFinder::addSurroundings(unsigned node) {
  FunctionOpInterface func = getFunction(node);
  if (!func)
    return nodes[node].op->emitOpError(
        "has an encoded tensor, but is in no function");
  // A layout that is the same on all targets needs none.
  if (overrides.isEmpty() &&
      cast<LayoutEncodingAttrInterface>(nodes[node].type.getEncoding())
          .isTargetIndependent()) {
    FailureOr<std::optional<TargetInfo>> known = getTargetFromIR(func);
    if (failed(known))
      return failure();
    if (!*known)
      return success();
  }
  FailureOr<TargetInfo> target = resolveTarget(func, overrides);
  return failed(target) ? failure()
                        : setTarget(surrounding, node, {*target, func});
}

/// All calls of `func`, and its body, are at or below `root`. A kernel of a
/// `gpu.module` is launched from the module around that.
static bool seesAllCallers(Operation *root, FunctionOpInterface func) {
  Operation *around = func->getParentOp();
  bool isKernel = isa_and_nonnull<gpu::GPUModuleOp>(around);
  if (isKernel)
    around = around->getParentOp();
  return around && root->isAncestor(around) && !func.isExternal() &&
         (isKernel || func.isPrivate());
}

/// A result that is always made by an encode which names its target: that stays
/// as it is.
static bool isEncodedForTarget(const TensorSlot &boundary) {
  if (!boundary.isResult || boundary.func->getNumRegions() != 1 ||
      boundary.func->getRegion(0).empty())
    return false;
  return llvm::all_of(boundary.func->getRegion(0), [&](Block &block) {
    Operation *end =
        block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    if (!end || !end->hasTrait<OpTrait::ReturnLike>())
      return true;
    auto encode = end->getOperand(boundary.number).getDefiningOp<EncodeOp>();
    return encode && encode->hasAttr(kTargetAttr);
  });
}

/// Whoever calls a public function, or has the body of a declaration, sees its
/// type and what is said there. That is what its tensors are: an op inside that
/// says something else could go, or come, with any change of the body.
LogicalResult TargetFinder::checkBoundaries() {
  std::map<unsigned, llvm::SmallSetVector<RankedTensorType, 2>> types;
  for (unsigned node = 0; node < nodes.size(); ++node)
    if (nodes[node].type)
      types[classes.find(node)].insert(nodes[node].type);
  for (unsigned node = 0; node < nodes.size(); ++node) {
    TensorSlot boundary = getBoundary(nodes[node].slot);
    auto func = dyn_cast_or_null<FunctionOpInterface>(boundary.func);
    unsigned cls = classes.find(node);
    if (!func || !named.count(cls) || getStatedTarget(boundary))
      continue;
    if (seesAllCallers(root, func) || isEncodedForTarget(boundary))
      continue;
    // What memory holds the tensors say that are read or stored there.
    if (failed(checkBoundary(node, func,
                             nodes[node].type ? ArrayRef(nodes[node].type)
                                              : types[cls].getArrayRef())))
      return failure();
  }
  return success();
}

LogicalResult TargetFinder::checkBoundary(unsigned node,
                                          FunctionOpInterface func,
                                          ArrayRef<RankedTensorType> types) {
  const Named &inside = named[classes.find(node)];
  std::optional<TargetInfo> stated;
  if (overrides.isEmpty()) {
    FailureOr<std::optional<TargetInfo>> known = getTargetFromIR(func);
    if (failed(known))
      return failure();
    stated = *known;
  } else {
    FailureOr<TargetInfo> known = resolveTarget(func, overrides);
    if (failed(known))
      return failure();
    stated = *known;
  }
  for (RankedTensorType type : types) {
    if (cast<LayoutEncodingAttrInterface>(type.getEncoding())
            .isTargetIndependent())
      continue;
    auto emitError = [&] { return func.emitOpError(); };
    FailureOr<const TensorLayout *> there =
        layouts.resolve(type, inside.target, emitError);
    FailureOr<const TensorLayout *> here = there;
    if (succeeded(there) && stated)
      here = layouts.resolve(type, *stated, emitError);
    if (failed(here))
      return failure();
    if (stated && (*here)->isSame(**there))
      continue;
    TensorSlot boundary = getBoundary(nodes[node].slot);
    InFlightDiagnostic diag = func.emitOpError()
                              << (boundary.isResult ? "result " : "argument ")
                              << boundary.number << " has a tensor of type "
                              << type << ", which lives on '"
                              << inside.target.chip << "' inside, but ";
    if (stated)
      diag << "for callers it is one of '" << stated->chip << "'";
    else
      diag << "nothing says so to callers";
    diag << "; give it the attribute '" << kTargetAttr << "' there";
    diag.attachNote(inside.op->getLoc()) << "the target is named here";
    return diag;
  }
  return success();
}

LogicalResult TargetFinder::run() {
  collect();
  forEachPassedShaped(root, [&](Value from, TensorSlot to, Operation *) {
    classes.unite(classes.lookup(TensorSlot::get(from)), classes.lookup(to));
  });
  root->walk([&](Operation *op) { uniteTensorsOf(op); });
  for (unsigned node = 0; node < nodes.size(); ++node)
    if (failed(addBoundary(node)))
      return failure();
  WalkResult result = root->walk([&](Operation *op) {
    return failed(addNamed(op)) || failed(addCall(op)) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (unsigned node = 0; node < nodes.size(); ++node)
    if (nodes[node].type && failed(addFunction(node)))
      return failure();
  for (unsigned node = 0; node < nodes.size(); ++node)
    if (nodes[node].type && !named.count(classes.find(node)) &&
        failed(addSurroundings(node)))
      return failure();
  if (failed(checkBoundaries()))
    return failure();
  for (unsigned node = 0; node < nodes.size(); ++node) {
    if (!nodes[node].type)
      continue;
    unsigned cls = classes.find(node);
    // Without any of these it is all the same.
    const Named &target = named.count(cls) ? named[cls] : surrounding[cls];
    FailureOr<const TensorLayout *> layout =
        layouts.resolve(nodes[node].type, target.target,
                        [&] { return nodes[node].op->emitOpError(); });
    if (failed(layout))
      return failure();
    layouts.slots[nodes[node].slot.getKey()] = *layout;
  }
  return success();
}

FailureOr<TensorLayouts>
TensorLayouts::compute(Operation *root, const TargetOverrides &overrides) {
  TensorLayouts layouts;
  if (failed(TargetFinder(root, overrides, layouts).run()))
    return failure();
  return layouts;
}
