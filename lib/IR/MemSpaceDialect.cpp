//===- MemSpaceDialect.cpp - the memspace dialect -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::memspace;

#include "MemSpace/IR/MemSpaceDialect.cpp.inc"

#include "MemSpace/IR/MemSpaceAttrInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "MemSpace/IR/MemSpaceOps.cpp.inc"

void MemSpaceDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "MemSpace/IR/MemSpaceOps.cpp.inc"
      >();
}

StringRef mlir::memspace::stringifyExecutionScope(ExecutionScope scope) {
  switch (scope) {
  case ExecutionScope::Grid:
    return "grid";
  case ExecutionScope::Workgroup:
    return "workgroup";
  case ExecutionScope::Warpgroup:
    return "warpgroup";
  case ExecutionScope::Subgroup:
    return "subgroup";
  case ExecutionScope::Thread:
    return "thread";
  }
  llvm_unreachable("unknown execution scope");
}

LogicalResult ExchangeOp::verify() {
  size_t n = getInputs().size();
  if (n < 2)
    return emitOpError("needs at least two operands");
  if (getPermutation().size() != n)
    return emitOpError("needs one permutation entry for each operand");
  SmallVector<bool> seen(n);
  for (int64_t p : getPermutation()) {
    if (p < 0 || p >= static_cast<int64_t>(n) || seen[p])
      return emitOpError("'permutation' is not a permutation of its operands");
    seen[p] = true;
  }
  for (Type type : getInputs().getTypes())
    if (type != getInputs().front().getType())
      return emitOpError("operands must have one type");
  bool onTensors = isa<TensorType>(getInputs().front().getType());
  if (getResults().size() != (onTensors ? n : 0))
    return emitOpError("has one result for each tensor operand and none for "
                       "memref operands");
  for (Type type : getResultTypes())
    if (type != getInputs().front().getType())
      return emitOpError("results must have the operands' type");
  return success();
}

void ExchangeOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
