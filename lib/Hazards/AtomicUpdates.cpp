//===- AtomicUpdates.cpp - which updates may change places -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicUpdates.h"
#include "IR/Payload.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::memspace;
using Kind = arith::AtomicRMWKind;

/// What is done where `result`, which takes the place of `old`, is computed by
/// one op from it and another number, which does not depend on it.
static std::optional<Kind> getKind(Value result, Value old) {
  Operation *op = result.getDefiningOp();
  bool isOne = op && op->getNumOperands() == 2 && old.hasOneUse() &&
               llvm::is_contained(op->getOperands(), old);
  return isOne ? getUpdateKind(op) : std::nullopt;
}

bool mlir::memspace::returnsOld(Operation *op) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op) &&
         !op->use_empty();
}

unsigned mlir::memspace::getCommutingUpdates(Operation *op) {
  std::optional<Kind> kind;
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op)) {
    if (update.getKind() != Kind::assign)
      kind = update.getKind();
  } else if (auto update = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    auto yield = cast<memref::AtomicYieldOp>(update.getBody()->getTerminator());
    kind = getKind(yield.getResult(), update.getCurrentValue());
  } else if (auto scatter = dyn_cast<ScatterOp>(op);
             scatter && scatter.getCombiner()) {
    Block &body = scatter.getCombiner()->front();
    auto yield = cast<memspace::YieldOp>(body.getTerminator());
    kind = getKind(yield.getValue(), body.getArgument(1));
  }
  return kind ? 1 + unsigned(*kind) : 0;
}

bool mlir::memspace::mayChangePlaces(Operation *first, Operation *second) {
  unsigned updates = getCommutingUpdates(first);
  if (updates == 0 || updates != getCommutingUpdates(second))
    return false;
  // What one thread takes in a loop of its own is in any order; a forall has
  // all of an iteration's before those of the next.
  bool isOwnOrder = first == second && !first->hasAttr(kDisjointAttr) &&
                    !first->hasAttr(kSubgroupDisjointAttr) &&
                    !first->hasAttr(kWorkgroupDisjointAttr);
  return isOwnOrder || (!returnsOld(first) && !returnsOld(second));
}
