//===- SplitGuard.cpp - make place for a barrier inside a guard -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitGuard.h"
#include "MemSpace/Memory/BufferUses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

Operation *mlir::memspace::getDivergentGuard(const Uniformity &uniformity,
                                             Operation *a, Operation *b) {
  Operation *guard = nullptr;
  for (Operation *parent = a->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (parent->isAncestor(b) &&
        uniformity.getEntryScope(parent) > ExecutionScope::Workgroup)
      guard = parent;
  return guard;
}

Operation *mlir::memspace::getInnermostAround(Operation *a, Operation *b) {
  Operation *innermost = a->getParentOp();
  while (!innermost->isAncestor(b))
    innermost = innermost->getParentOp();
  return innermost;
}

namespace {
/// One block of an `scf.if` cut in two.
class Splitter {
public:
  /// What comes before `pivot` in its block goes.
  Splitter(scf::IfOp guard, Operation *pivot)
      : guard(guard), pivot(pivot), block(pivot->getBlock()) {
    for (Operation &op : *block) {
      if (&op == pivot)
        break;
      head.push_back(&op);
    }
  }

  LogicalResult run() {
    for (Operation *op : head)
      for (Value result : op->getResults())
        if (isNeededLater(result) && failed(provide(result)))
          return failure();
    rewrite();
    return success();
  }

private:
  bool isInHead(Operation *op) const {
    return op && op->getBlock() == block && op->isBeforeInBlock(pivot);
  }
  bool isNeededLater(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !isInHead(block->findAncestorOpInBlock(*user));
    });
  }

  /// Makes `value` known to the second part: computed again, or carried.
  LogicalResult provide(Value value) {
    Operation *def = value.getDefiningOp();
    if (!isInHead(def) || again.contains(def) || carried.contains(value))
      return success();
    if (def->getNumRegions() == 0 && isPure(def) &&
        llvm::all_of(def->getOperands(),
                     [&](Value v) { return succeeded(provide(v)); })) {
      again.insert(def);
      return success();
    }
    Type element = getElementTypeOrSelf(value.getType());
    if (!element.isIntOrIndexOrFloat() ||
        isa<ShapedType>(value.getType()) != isa<VectorType>(value.getType()))
      return failure();
    carried.insert(value);
    return success();
  }

  /// In threads that do not pass the first part nobody reads what it gives.
  static SmallVector<Value> getZeros(OpBuilder &builder, Location loc,
                                     TypeRange types) {
    SmallVector<Value> zeros;
    for (Type type : types)
      zeros.push_back(arith::ConstantOp::create(
          builder, loc, type, cast<TypedAttr>(builder.getZeroAttr(type))));
    return zeros;
  }

  /// A buffer of the arena begins to live where its view is taken: that is done
  /// once, in front of both parts.
  void hoistArenaViews() {
    for (Operation *op : SmallVector<Operation *>(head))
      if (auto view = dyn_cast<memref::ViewOp>(op);
          view && isOfArena(view) && canHoist(op))
        hoist(op);
  }
  /// A subgroup's part of a buffer is a view of the buffer's view.
  static bool isOfArena(memref::ViewOp view) {
    Value source = view.getSource();
    while (auto inner = source.getDefiningOp<memref::ViewOp>())
      source = inner.getSource();
    return isArena(source);
  }
  bool canHoist(Operation *op) const {
    return !isInHead(op) ||
           (again.contains(op) &&
            llvm::all_of(op->getOperands(), [&](Value operand) {
              Operation *def = operand.getDefiningOp();
              return !def || canHoist(def);
            }));
  }
  void hoist(Operation *op) {
    if (!isInHead(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        hoist(def);
    op->moveBefore(guard);
    again.erase(op);
    llvm::erase(head, op);
  }

  void rewrite() {
    hoistArenaViews();
    SmallVector<Value> values = carried.takeVector();
    SmallVector<Type> types = llvm::map_to_vector(
        values, [](Value value) { return value.getType(); });
    Location loc = guard.getLoc();
    OpBuilder builder(guard);
    bool isThen = block == guard.thenBlock();
    auto first = scf::IfOp::create(builder, loc, types, guard.getCondition(),
                                   /*addThenBlock=*/true,
                                   /*addElseBlock=*/!isThen || !types.empty());
    Block *own = isThen ? first.thenBlock() : first.elseBlock();
    Block *other = isThen ? first.elseBlock() : first.thenBlock();

    // Copies of what is computed again stay in the second part.
    IRMapping mapping;
    builder.setInsertionPointToStart(block);
    for (Operation *op : head)
      if (again.contains(op))
        builder.clone(*op, mapping);
    if (!own->empty())
      own->getTerminator()->erase();
    for (Operation *op : head)
      op->moveBefore(own, own->end());
    auto isLater = [&](OpOperand &use) {
      return block->findAncestorOpInBlock(*use.getOwner()) != nullptr;
    };
    for (Operation *op : head)
      for (Value result : op->getResults())
        if (Value copy = mapping.lookupOrNull(result))
          result.replaceUsesWithIf(copy, isLater);
    for (auto [value, result] : llvm::zip(values, first.getResults()))
      value.replaceUsesWithIf(result, isLater);
    builder.setInsertionPointToEnd(own);
    scf::YieldOp::create(builder, loc, values);
    if (other) {
      if (!other->empty())
        other->getTerminator()->erase();
      builder.setInsertionPointToEnd(other);
      scf::YieldOp::create(builder, loc, getZeros(builder, loc, types));
    }
  }

  scf::IfOp guard;
  Operation *pivot;
  Block *block;
  SmallVector<Operation *> head;
  DenseSet<Operation *> again;
  SetVector<Value> carried;
};
} // namespace

LogicalResult mlir::memspace::splitGuardBetween(Operation *guard, Operation *a,
                                                Operation *b) {
  Operation *innermost = getInnermostAround(a, b);
  for (Operation *op = innermost; op != guard->getParentOp();
       op = op->getParentOp())
    if (!isa<scf::IfOp>(op))
      return failure();
  auto ifOp = dyn_cast<scf::IfOp>(innermost);
  if (!ifOp)
    return failure();
  Block *block = a->getBlock();
  while (block->getParentOp() != innermost)
    block = block->getParentOp()->getBlock();
  // Between the two branches, or between two ops of one.
  Operation *pivot = block->findAncestorOpInBlock(*b);
  if (!pivot)
    pivot = block->getTerminator();
  if (pivot == block->findAncestorOpInBlock(*a))
    return failure();
  return Splitter(ifOp, pivot).run();
}
