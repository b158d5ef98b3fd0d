//===- ShrinkCuts.cpp - smaller kernels out of one -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShrinkCuts.h"
#include "LieDialect.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::memspace;

static unsigned once(Operation *) { return 1; }

//===----------------------------------------------------------------------===//
// Regions become the code in them
//===----------------------------------------------------------------------===//

/// Puts the ops of `block`, but for the terminator, in front of `op`; returns
/// the values of what the terminator yields.
static SmallVector<Value> copyBlock(Operation *op, Block *block,
                                    ValueRange arguments, IRMapping &mapping) {
  mapping.map(block->getArguments(), arguments);
  OpBuilder builder(op);
  for (Operation &inner : block->without_terminator())
    builder.clone(inner, mapping);
  SmallVector<Value> results;
  for (Value operand : block->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(operand));
  return results;
}

static void inlineBlock(Operation *op, Block *block, ValueRange arguments) {
  IRMapping mapping;
  op->replaceAllUsesWith(copyBlock(op, block, arguments, mapping));
  op->erase();
}

static unsigned countAlternatives(Operation *op) {
  if (!isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
    return 0;
  return op->getNumRegions();
}

static bool takeAlternative(Operation *op, unsigned way) {
  Region &region = op->getRegion(way);
  if (!region.hasOneBlock())
    return false;
  inlineBlock(op, &region.front(), {});
  return true;
}

/// The first iteration of a loop; of a `while` the condition only.
static bool runOnce(Operation *op, unsigned) {
  if (auto forOp = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> arguments{forOp.getLowerBound()};
    llvm::append_range(arguments, forOp.getInitArgs());
    inlineBlock(op, forOp.getBody(), arguments);
    return true;
  }
  auto whileOp = dyn_cast<scf::WhileOp>(op);
  if (!whileOp)
    return false;
  IRMapping mapping;
  SmallVector<Value> results =
      copyBlock(op, whileOp.getBeforeBody(), whileOp.getInits(), mapping);
  op->replaceAllUsesWith(ArrayRef<Value>(results).drop_front());
  op->erase();
  return true;
}

/// The first iteration of a `forall`.
static bool runForallOnce(Operation *op, unsigned) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  if (!forall)
    return false;
  OpBuilder builder(op);
  SmallVector<Value> arguments;
  for (OpFoldResult lower : forall.getMixedLowerBound())
    arguments.push_back(
        getValueOrCreateConstantIndexOp(builder, op->getLoc(), lower));
  llvm::append_range(arguments, forall.getOutputs());
  IRMapping mapping;
  copyBlock(op, forall.getBody(), arguments, mapping);
  SmallVector<Value> results(forall.getOutputs());
  for (Operation &yielding : forall.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insert)
      return false;
    auto lookup = [&](ArrayRef<OpFoldResult> mixed) {
      SmallVector<OpFoldResult> mapped(mixed);
      for (OpFoldResult &value : mapped)
        if (auto given = dyn_cast<Value>(value))
          value = mapping.lookupOrDefault(given);
      return mapped;
    };
    unsigned output =
        cast<BlockArgument>(insert.getDest()).getArgNumber() - forall.getRank();
    results[output] = tensor::InsertSliceOp::create(
        builder, op->getLoc(), mapping.lookupOrDefault(insert.getSource()),
        results[output], lookup(insert.getMixedOffsets()),
        lookup(insert.getMixedSizes()), lookup(insert.getMixedStrides()));
  }
  op->replaceAllUsesWith(results);
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Loops carry less
//===----------------------------------------------------------------------===//

/// Fewer iterations.
static bool shortenLoop(Operation *op, unsigned) {
  auto forOp = dyn_cast<scf::ForOp>(op);
  if (!forOp)
    return false;
  std::optional<int64_t> upper = getConstantIntValue(forOp.getUpperBound());
  if (upper && *upper <= 1)
    return false;
  Type type = forOp.getUpperBound().getType();
  OpBuilder builder(op);
  forOp.setUpperBound(arith::ConstantOp::create(
      builder, op->getLoc(),
      builder.getIntegerAttr(type, upper ? *upper - 1 : 2)));
  return true;
}

static unsigned countYields(Operation *op) {
  if (!isa<scf::YieldOp, scf::ConditionOp>(op) ||
      !isa<LoopLikeOpInterface>(op->getParentOp()))
    return 0;
  return op->getNumOperands();
}

/// A carried value stays what it is; simplification removes it then.
static bool passThrough(Operation *op, unsigned way) {
  unsigned first =
      isa<scf::ConditionOp>(op) || isa<scf::ForOp>(op->getParentOp()) ? 1 : 0;
  // Of a `for`, the first argument is the number of the iteration; of a
  // condition, the first operand is not forwarded.
  unsigned argument = isa<scf::ConditionOp>(op) ? way - first : way + first;
  if (isa<scf::ConditionOp>(op) && way == 0)
    return false;
  Block *block = op->getBlock();
  if (argument >= block->getNumArguments())
    return false;
  Value own = block->getArgument(argument);
  if (own == op->getOperand(way) ||
      own.getType() != op->getOperand(way).getType())
    return false;
  op->setOperand(way, own);
  return true;
}

//===----------------------------------------------------------------------===//
// Results become something else
//===----------------------------------------------------------------------===//

/// Results become operands of the same types, the inits of loops above all.
static bool replaceByOperands(Operation *op, unsigned way) {
  if (op->getNumResults() == 0 || op->use_empty())
    return false;
  SmallVector<Value> replacements;
  SmallVector<Value> operands(op->getOperands());
  if (way == 1)
    std::reverse(operands.begin(), operands.end());
  for (Value result : op->getResults()) {
    auto hasType = [&](Value operand) {
      return operand.getType() == result.getType();
    };
    auto it = llvm::find_if(operands, [&](Value operand) {
      return hasType(operand) && !llvm::is_contained(replacements, operand);
    });
    if (it == operands.end())
      it = llvm::find_if(operands, hasType);
    if (it == operands.end())
      return false;
    replacements.push_back(*it);
  }
  op->replaceAllUsesWith(replacements);
  return true;
}
static unsigned twice(Operation *) { return 2; }

static unsigned countResults(Operation *op) {
  return op->getNumResults() > 1 ? op->getNumResults() : 0;
}

/// One of several results becomes an operand, or an earlier result.
static bool replaceResult(Operation *op, unsigned way) {
  Value result = op->getResult(way);
  if (result.use_empty())
    return false;
  SmallVector<Value> candidates(op->getOperands());
  llvm::append_range(candidates, op->getResults().take_front(way));
  // The init of the same number, if it is a loop.
  if (way < candidates.size())
    std::rotate(candidates.begin(), candidates.begin() + way, candidates.end());
  for (Value candidate : candidates)
    if (candidate.getType() == result.getType()) {
      result.replaceAllUsesWith(candidate);
      return true;
    }
  return false;
}

static bool replaceByConstant(Operation *op, unsigned) {
  if (op->getNumResults() != 1 || op->use_empty())
    return false;
  Type type = op->getResult(0).getType();
  if (!type.isIntOrIndexOrFloat())
    return false;
  OpBuilder builder(op);
  TypedAttr zero = cast<TypedAttr>(builder.getZeroAttr(type));
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (constant.getValue() == zero)
      return false;
    constant.setValueAttr(zero);
    return true;
  }
  if (op->hasTrait<OpTrait::ConstantLike>())
    return false;
  Value constant = arith::ConstantOp::create(builder, op->getLoc(), zero);
  op->replaceAllUsesWith(ValueRange(constant));
  return true;
}

/// Tensors become others that are already there: the oldest or the newest.
static bool replaceByEarlierTensor(Operation *op, unsigned way) {
  if (op->getNumResults() != 1 || op->use_empty() ||
      !isa<TensorType>(op->getResult(0).getType()))
    return false;
  Type type = op->getResult(0).getType();
  SmallVector<Value> earlier;
  llvm::append_range(earlier, op->getBlock()->getArguments());
  for (Operation &other : *op->getBlock()) {
    if (&other == op)
      break;
    llvm::append_range(earlier, other.getResults());
  }
  llvm::erase_if(earlier, [&](Value value) { return value.getType() != type; });
  if (earlier.empty())
    return false;
  op->replaceAllUsesWith(
      ValueRange(way == 0 ? earlier.front() : earlier.back()));
  return true;
}

//===----------------------------------------------------------------------===//
// Things go
//===----------------------------------------------------------------------===//

static SmallVector<NamedAttribute> getLies(Operation *op) {
  SmallVector<NamedAttribute> lies;
  if (isa_and_present<lie::LieDialect>(op->getDialect()))
    for (NamedAttribute attribute : op->getAttrs())
      if (attribute.getName().strref().starts_with("hides_"))
        lies.push_back(attribute);
  return lies;
}
static unsigned countLies(Operation *op) { return getLies(op).size(); }

/// One lie less of a model, or of one operand less.
static bool tellTruth(Operation *op, unsigned way) {
  NamedAttribute attribute = getLies(op)[way];
  auto operands = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (operands && operands.size() > 1)
    op->setAttr(attribute.getName(),
                DenseI64ArrayAttr::get(op->getContext(),
                                       operands.asArrayRef().drop_back()));
  else
    op->removeAttr(attribute.getName());
  return true;
}

/// What our ops say by an attribute without a value.
static SmallVector<StringAttr> getFlags(Operation *op) {
  SmallVector<StringAttr> flags;
  if (op->getName().getDialectNamespace() ==
      MemSpaceDialect::getDialectNamespace())
    for (NamedAttribute attribute : op->getAttrs())
      if (isa<UnitAttr>(attribute.getValue()))
        flags.push_back(attribute.getName());
  return flags;
}
static unsigned countFlags(Operation *op) { return getFlags(op).size(); }

/// A scan from the other end, a promise less.
static bool dropFlag(Operation *op, unsigned way) {
  op->removeAttr(getFlags(op)[way]);
  return true;
}

static bool erase(Operation *op, unsigned) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<ModuleOp, FunctionOpInterface>(op))
    return false;
  op->erase();
  return true;
}

/// One kernel of several.
static bool eraseFunction(Operation *op, unsigned) {
  auto module = dyn_cast_or_null<ModuleOp>(op->getParentOp());
  if (!isa<FunctionOpInterface>(op) || !module ||
      llvm::hasSingleElement(module.getOps<FunctionOpInterface>()))
    return false;
  op->erase();
  return true;
}

/// Arguments of the kernel that nobody uses.
static bool dropArguments(Operation *op, unsigned) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return false;
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  return unused.any() && succeeded(function.eraseArguments(unused));
}

bool fuzz::simplify(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return succeeded(pm.run(module));
}

ArrayRef<fuzz::Cut> fuzz::getCuts() {
  static constexpr Cut cuts[] = {
      {once, eraseFunction},
      {once, dropArguments},
      {twice, replaceByOperands},
      {countResults, replaceResult},
      {once, replaceByConstant},
      {twice, replaceByEarlierTensor},
      {countAlternatives, takeAlternative},
      {once, runOnce},
      {once, runForallOnce},
      {once, shortenLoop},
      {countYields, passThrough},
      {countLies, tellTruth},
      {countFlags, dropFlag},
      {once, erase},
  };
  return cuts;
}

ArrayRef<fuzz::Cut> fuzz::getRangeCuts() {
  static constexpr Cut cuts[] = {
      {once, erase}, {twice, replaceByOperands}, {once, replaceByConstant}};
  return cuts;
}
