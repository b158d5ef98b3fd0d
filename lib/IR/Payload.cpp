//===- Payload.cpp - regions of structured ops -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;

LogicalResult memspace::verifyTouchesNoMemory(Region &payload, StringRef kind) {
  for (Operation &op : payload.front())
    if (!isMemoryEffectFree(&op))
      return op.emitOpError("touches memory in a ")
             << kind << "; it may only compute with its arguments";
  return success();
}

SmallVector<Value> memspace::inlinePayload(OpBuilder &builder, Region &payload,
                                           ValueRange args, IRMapping mapping) {
  Block &body = payload.front();
  mapping.map(body.getArguments(), args);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

Value memspace::inlineComparator(OpBuilder &builder, Region &comparator,
                                 ValueRange left, ValueRange right) {
  SmallVector<Value> args;
  for (auto [a, b] : llvm::zip_equal(left, right))
    args.append({a, b});
  return inlinePayload(builder, comparator, args).front();
}

std::optional<arith::AtomicRMWKind>
mlir::memspace::getUpdateKind(Operation *op) {
  using Kind = arith::AtomicRMWKind;
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
