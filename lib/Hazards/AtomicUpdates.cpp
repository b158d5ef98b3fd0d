//===- AtomicUpdates.cpp - which updates may change places -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicUpdates.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using Kind = arith::AtomicRMWKind;

/// What `op` does with two operands, if the order of several such does not
/// matter.
static std::optional<Kind> getKind(Operation *op) {
  return TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case([](arith::AddFOp) { return Kind::addf; })
      .Case([](arith::AddIOp) { return Kind::addi; })
      .Case([](arith::MulFOp) { return Kind::mulf; })
      .Case([](arith::MulIOp) { return Kind::muli; })
      .Case([](arith::AndIOp) { return Kind::andi; })
      .Case([](arith::OrIOp) { return Kind::ori; })
      .Case([](arith::XOrIOp) { return Kind::xori; })
      .Case([](arith::MaxSIOp) { return Kind::maxs; })
      .Case([](arith::MaxUIOp) { return Kind::maxu; })
      .Case([](arith::MinSIOp) { return Kind::mins; })
      .Case([](arith::MinUIOp) { return Kind::minu; })
      .Case([](arith::MaximumFOp) { return Kind::maximumf; })
      .Case([](arith::MinimumFOp) { return Kind::minimumf; })
      .Case([](arith::MaxNumFOp) { return Kind::maxnumf; })
      .Case([](arith::MinNumFOp) { return Kind::minnumf; })
      .Default(std::nullopt);
}

/// The same where `result`, which takes the place of `old`, is computed by one
/// op from it and another number, which does not depend on it.
static std::optional<Kind> getKind(Value result, Value old) {
  Operation *op = result.getDefiningOp();
  bool isOne = op && op->getNumOperands() == 2 && old.hasOneUse() &&
               llvm::is_contained(op->getOperands(), old);
  return isOne ? getKind(op) : std::nullopt;
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
