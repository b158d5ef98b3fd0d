//===- Shrinker.cpp - the smallest kernel that still fails -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrinker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <chrono>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Cuts. Each changes one op and returns false when it does not apply.
//===----------------------------------------------------------------------===//

/// Puts the ops of `block`, but for the terminator, in place of `op`.
static void inlineBlock(Operation *op, Block *block, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(block->getArguments(), arguments);
  OpBuilder builder(op);
  for (Operation &inner : block->without_terminator())
    builder.clone(inner, mapping);
  SmallVector<Value> results;
  for (Value operand : block->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(operand));
  op->replaceAllUsesWith(results);
  op->erase();
}

static bool takeThen(Operation *op) {
  auto ifOp = dyn_cast<scf::IfOp>(op);
  if (!ifOp)
    return false;
  inlineBlock(op, ifOp.thenBlock(), {});
  return true;
}

static bool takeElse(Operation *op) {
  if (auto ifOp = dyn_cast<scf::IfOp>(op); ifOp && ifOp.elseBlock()) {
    inlineBlock(op, ifOp.elseBlock(), {});
    return true;
  }
  if (auto switchOp = dyn_cast<scf::IndexSwitchOp>(op)) {
    inlineBlock(op, &switchOp.getDefaultBlock(), {});
    return true;
  }
  return false;
}

static bool runOnce(Operation *op) {
  auto forOp = dyn_cast<scf::ForOp>(op);
  if (!forOp)
    return false;
  SmallVector<Value> arguments{forOp.getLowerBound()};
  llvm::append_range(arguments, forOp.getInitArgs());
  inlineBlock(op, forOp.getBody(), arguments);
  return true;
}

/// Fewer iterations.
static bool shortenLoop(Operation *op) {
  auto forOp = dyn_cast<scf::ForOp>(op);
  if (!forOp)
    return false;
  std::optional<int64_t> upper = getConstantIntValue(forOp.getUpperBound());
  if (upper && *upper <= 1)
    return false;
  OpBuilder builder(op);
  forOp.setUpperBound(arith::ConstantIndexOp::create(builder, op->getLoc(),
                                                     upper ? *upper - 1 : 2));
  return true;
}

/// Results become operands of the same types, the inits of loops above all.
static bool replaceByOperands(Operation *op, bool takeLast) {
  if (op->getNumResults() == 0 || op->use_empty())
    return false;
  SmallVector<Value> replacements;
  SmallVector<Value> operands(op->getOperands());
  if (takeLast)
    std::reverse(operands.begin(), operands.end());
  for (Value result : op->getResults()) {
    auto it = llvm::find_if(operands, [&](Value operand) {
      return operand.getType() == result.getType() &&
             !llvm::is_contained(replacements, operand);
    });
    if (it == operands.end())
      it = llvm::find_if(operands, [&](Value operand) {
        return operand.getType() == result.getType();
      });
    if (it == operands.end())
      return false;
    replacements.push_back(*it);
  }
  op->replaceAllUsesWith(replacements);
  return true;
}
static bool replaceByFirst(Operation *op) {
  return replaceByOperands(op, false);
}
static bool replaceByLast(Operation *op) { return replaceByOperands(op, true); }

static bool replaceByConstant(Operation *op) {
  if (op->getNumResults() != 1 || op->use_empty())
    return false;
  Type type = op->getResult(0).getType();
  if (op->hasTrait<OpTrait::ConstantLike>() || !type.isIntOrIndexOrFloat())
    return false;
  OpBuilder builder(op);
  Value zero = arith::ConstantOp::create(
      builder, op->getLoc(), cast<TypedAttr>(builder.getZeroAttr(type)));
  op->replaceAllUsesWith(ValueRange(zero));
  return true;
}

/// Tensors become others that are already there.
static bool replaceByEarlierTensor(Operation *op) {
  if (op->getNumResults() != 1 || op->use_empty() ||
      !isa<TensorType>(op->getResult(0).getType()))
    return false;
  for (Operation &earlier : *op->getBlock()) {
    if (&earlier == op)
      break;
    for (Value result : earlier.getResults())
      if (result.getType() == op->getResult(0).getType()) {
        op->replaceAllUsesWith(ValueRange(result));
        return true;
      }
  }
  return false;
}

static bool erase(Operation *op) {
  if (!op->use_empty() || op->hasTrait<OpTrait::IsTerminator>() ||
      isa<ModuleOp, FunctionOpInterface>(op))
    return false;
  op->erase();
  return true;
}

/// Arguments of the kernel that nobody uses.
static bool dropArguments(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return false;
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  return unused.any() && succeeded(function.eraseArguments(unused));
}

static bool simplify(Operation *op) {
  if (!isa<ModuleOp>(op))
    return false;
  PassManager pm(op->getContext());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return succeeded(pm.run(op));
}

using Cut = bool (*)(Operation *);
static constexpr Cut cuts[] = {simplify,
                               dropArguments,
                               replaceByFirst,
                               replaceByLast,
                               replaceByConstant,
                               replaceByEarlierTensor,
                               takeThen,
                               takeElse,
                               runOnce,
                               shortenLoop,
                               erase};

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

static void eraseDeadOps(ModuleOp module) {
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    SmallVector<Operation *> dead;
    module.walk([&](Operation *op) {
      if (isOpTriviallyDead(op))
        dead.push_back(op);
    });
    // Users come after what they use, and their regions' ops before them.
    for (Operation *op : llvm::reverse(dead))
      if (op->use_empty()) {
        bool isNested = llvm::any_of(dead, [&](Operation *other) {
          return other != op && other->isProperAncestor(op);
        });
        if (isNested)
          continue;
        op->erase();
        hasChanged = true;
        break;
      }
  }
}

static int64_t countOps(ModuleOp module) {
  int64_t count = 0;
  module.walk([&](Operation *) { ++count; });
  return count;
}

static Operation *getOp(ModuleOp module, int64_t position) {
  Operation *found = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (position-- > 0)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

OwningOpRef<ModuleOp>
fuzz::shrink(ModuleOp module, int64_t seconds,
             llvm::function_ref<bool(ModuleOp)> stillFails) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  ScopedDiagnosticHandler ignore(module.getContext(),
                                 [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> best(module.clone());
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    // From the end: what comes last is what the rest is there for.
    for (int64_t position = countOps(*best) - 1; position >= 0; --position) {
      for (Cut cut : cuts) {
        if (std::chrono::steady_clock::now() > end)
          return best;
        OwningOpRef<ModuleOp> candidate(best->clone());
        Operation *op = getOp(*candidate, position);
        if (!op)
          break;
        if (!cut(op))
          continue;
        eraseDeadOps(*candidate);
        // What changes nothing must not go on for ever.
        if (cut == simplify && countOps(*candidate) >= countOps(*best))
          continue;
        if (failed(verify(*candidate)) || !stillFails(*candidate))
          continue;
        best = std::move(candidate);
        hasChanged = true;
      }
    }
  }
  return best;
}
