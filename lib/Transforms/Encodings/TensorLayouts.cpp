//===- TensorLayouts.cpp - the layout of each tensor with an encoding -----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorLayouts.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "Transforms/Normalize/KnownCalls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// One layout
//===----------------------------------------------------------------------===//

bool TensorLayout::isSame(const TensorLayout &other) const {
  // The memory must be written alike, too.
  return isSameUpToCast(other) &&
         ((isIdentity && other.isIdentity) ||
          memoryType.getShape() == other.memoryType.getShape());
}

bool TensorLayout::isSameUpToCast(const TensorLayout &other) const {
  if (extents.size() != other.extents.size())
    return false;
  if (isIdentity && other.isIdentity)
    return true;
  SmallVector<LayoutExtent> known(extents);
  for (auto [extent, more] : llvm::zip_equal(known, other.extents)) {
    if (!extent.size)
      extent.size = more.size;
    if (int64_t both = std::lcm(extent.divisor, more.divisor); both > 0)
      extent.divisor = both;
  }
  // The same bytes may be seen as arrays of two shapes, of which one dimension
  // has the extent 1.
  auto isSameExtent = [&](auto pair) {
    std::optional<LayoutCount> a = substitute(std::get<0>(pair).extent, known),
                               b = substitute(std::get<1>(pair).extent, known);
    return a && b && *a == *b;
  };
  return axes.size() == other.axes.size() &&
         layout.isSameLayout(other.layout, known) &&
         llvm::all_of(llvm::zip_equal(axes, other.axes), isSameExtent);
}

std::string TensorLayout::describe() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!type.getEncoding())
    stream << "row-major";
  else if (isIdentity)
    stream << type.getEncoding() << " (row-major on '" << target.chip << "')";
  else
    stream << type.getEncoding() << " on '" << target.chip << "'";
  return text;
}

bool memspace::isEncoded(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getEncoding() && hasKnownEncoding(tensor);
}

/// The extent of `axis` in a type.
static int64_t getExtent(const LayoutAxis &axis) {
  return axis.extent.getNumber().value_or(ShapedType::kDynamic);
}

FailureOr<const TensorLayout *>
TensorLayouts::resolve(RankedTensorType type, const TargetInfo &target,
                       llvm::function_ref<InFlightDiagnostic()> emitError) {
  std::unique_ptr<TensorLayout> &known =
      layouts[{type.getAsOpaquePointer(), target.chip}];
  if (known)
    return known.get();
  FailureOr<TiledLayout> layout = getResolvedLayout(type, target, emitError);
  if (failed(layout))
    return failure();
  SmallVector<LayoutExtent> extents = getLayoutExtents(type);
  // Of what cannot be counted without an encoding only the type matters.
  auto axes = layout->getAxes(extents).value_or(
      SmallVector<LayoutAxis, 0>(type.getRank()));
  bool isIdentity = layout->isIdentityLayout(extents);
  RankedTensorType memoryType =
      isIdentity ? type.dropEncoding()
                 : RankedTensorType::get(llvm::map_to_vector(axes, getExtent),
                                         type.getElementType());
  known.reset(new TensorLayout{type, target, *layout, extents, axes, isIdentity,
                               memoryType});
  return known.get();
}

const TensorLayout &TensorLayouts::get(Value value) {
  if (const TensorLayout *known = lookup(TensorSlot::get(value)))
    return *known;
  // Row-major, and what is nobody's to resolve.
  auto type = cast<RankedTensorType>(value.getType());
  TargetInfo any = TargetInfo::getAnyGPU();
  return **resolve(type.dropEncoding(), any,
                   [&] { return mlir::emitError(value.getLoc()); });
}

const TensorLayout *TensorLayouts::lookup(const TensorSlot &slot) const {
  auto it = slots.find(slot.getKey());
  return it == slots.end() ? nullptr : it->second;
}

void TensorLayouts::set(Value value, const TensorLayout &layout) {
  slots[TensorSlot::get(value).getKey()] = &layout;
}

//===----------------------------------------------------------------------===//
// Where tensors go
//===----------------------------------------------------------------------===//

FunctionOpInterface memspace::getCallee(Operation *call, Operation *root) {
  SymbolRefAttr symbol;
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(call))
    symbol = launch.getKernel();
  else if (auto plain = dyn_cast<func::CallOp>(call))
    symbol = plain.getCalleeAttr();
  if (!symbol)
    return {};
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(call, symbol);
  bool matches = callee && root->isAncestor(callee) &&
                 getPassedArguments(call).size() == callee.getNumArguments();
  return matches ? callee : FunctionOpInterface();
}

bool memspace::onlyPassesTensors(Operation *op) {
  // By a tensor it chooses element by element.
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return !isa<ShapedType>(select.getCondition().getType());
  return isa<RegionBranchOpInterface, BranchOpInterface, FunctionOpInterface,
             func::CallOp, gpu::LaunchFuncOp, ub::PoisonOp>(op) ||
         (op->hasTrait<OpTrait::IsTerminator>() && op->getNumRegions() == 0);
}

void memspace::forEachPassedShaped(
    Operation *root,
    llvm::function_ref<void(Value, TensorSlot, Operation *)> visit) {
  auto isShaped = [](Value value) {
    return isa<RankedTensorType, BaseMemRefType>(value.getType());
  };
  auto pass = [&](Value from, Value to, Operation *op) {
    if (isShaped(from))
      visit(from, TensorSlot::get(to), op);
  };
  root->walk([&](Operation *op) {
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      forEachPassedValue(branch, [&](Value from, Value to, Operation *) {
        pass(from, to, op);
      });
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      for (auto [init, arg] :
           llvm::zip(loop.getInits(), loop.getRegionIterArgs()))
        pass(init, arg, op);
      if (std::optional<ResultRange> results = loop.getLoopResults())
        for (auto [init, result] : llvm::zip(loop.getInits(), *results))
          pass(init, result, op);
    }
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      for (unsigned number = 0; number < op->getNumSuccessors(); ++number) {
        Block *block = op->getSuccessor(number);
        SuccessorOperands operands = branch.getSuccessorOperands(number);
        for (unsigned i = 0; i < operands.size(); ++i)
          if (Value value = operands[i])
            pass(value, block->getArgument(i), op);
      }
    if (isa<arith::SelectOp>(op) && onlyPassesTensors(op))
      for (Value operand : llvm::drop_begin(op->getOperands()))
        pass(operand, op->getResult(0), op);
    if (FunctionOpInterface callee = getCallee(op, root)) {
      for (OpOperand &passed : getPassedArguments(op)) {
        unsigned number = passed.getOperandNumber() -
                          getPassedArguments(op)[0].getOperandNumber();
        if (!isShaped(passed.get()))
          continue;
        visit(passed.get(),
              callee.isExternal() ? TensorSlot::getArgument(callee, number)
                                  : TensorSlot::get(callee.getArgument(number)),
              op);
      }
      if (isa<func::CallOp>(op))
        for (OpResult result : op->getResults())
          if (isShaped(result))
            visit(result,
                  TensorSlot::getResult(callee, result.getResultNumber()), op);
    }
    auto func = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
    if (func && op->hasTrait<OpTrait::ReturnLike>())
      for (OpOperand &operand : op->getOpOperands())
        if (isShaped(operand.get()))
          visit(operand.get(),
                TensorSlot::getResult(func, operand.getOperandNumber()), op);
  });
}

unsigned SlotClasses::add(const TensorSlot &slot) {
  auto [it, isNew] = numbers.insert({slot.getKey(), parents.size()});
  if (isNew)
    parents.push_back(it->second);
  return it->second;
}

std::optional<unsigned> SlotClasses::lookup(const TensorSlot &slot) const {
  auto it = numbers.find(slot.getKey());
  return it == numbers.end() ? std::nullopt : std::optional(it->second);
}

unsigned SlotClasses::find(unsigned number) {
  while (parents[number] != number)
    number = parents[number] = parents[parents[number]];
  return number;
}

void SlotClasses::unite(std::optional<unsigned> a, std::optional<unsigned> b) {
  if (!a || !b)
    return;
  unsigned first = find(*a), second = find(*b);
  parents[std::max(first, second)] = std::min(first, second);
}
