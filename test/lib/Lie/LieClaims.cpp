//===- LieClaims.cpp - wrong answers to MemSpace's interfaces -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LieDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::lie;

/// An argument of the function around `op`, which is no operand of it.
static Value getStranger(ClaimOp op) {
  return op->getParentOfType<FunctionOpInterface>().getArguments().back();
}

void ClaimOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getValuesMutable()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (getEffects().contains("read"))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (getEffects().contains("write"))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
  if (getLie() == "effect on a global")
    effects.emplace_back(MemoryEffects::Write::get(),
                         SymbolRefAttr::get(getContext(), "other"));
  if (getLie() == "allocated view")
    effects.emplace_back(MemoryEffects::Allocate::get(),
                         getOperation()->getResult(0));
}

//===----------------------------------------------------------------------===//
// Uniformity
//===----------------------------------------------------------------------===//

ExecutionScope ClaimOp::getResultScope() {
  return llvm::StringSwitch<ExecutionScope>(getLie())
      .Case("uniform", ExecutionScope::Workgroup)
      .Case("combines the grid", ExecutionScope::Grid)
      .Default(ExecutionScope::Thread);
}

bool ClaimOp::ignoresOperandScopes() { return getLie() == "combines the grid"; }

std::optional<SmallVector<Value>> ClaimOp::getControlValues() {
  if (getLie() == "control by a stranger")
    return SmallVector<Value>{getStranger(*this)};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Synchronization
//===----------------------------------------------------------------------===//

std::optional<Barrier> ClaimOp::getBarrier() {
  if (getLie() == "barrier of a thread")
    return Barrier{ExecutionScope::Thread};
  if (getLie() == "barrier")
    return Barrier{ExecutionScope::Workgroup};
  return std::nullopt;
}

bool ClaimOp::startsAsyncCopy() {
  return getLie() == "begins a copy" || getLie() == "begins and waits";
}

std::optional<unsigned> ClaimOp::getGroupsLeftInFlight() {
  return getLie() == "begins and waits" ? std::optional<unsigned>(0)
                                        : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<TouchedElements>
ClaimOp::getTouchedElements(OpOperand &operand, const KernelContext &) {
  auto type = cast<MemRefType>(operand.get().getType());
  TouchedElements touched;
  touched.exact = true;
  if (getLie() == "no ranges")
    return touched;
  touched.ranges.resize(type.getRank());
  for (IndexRange &range : touched.ranges)
    range.size = LinearExpr(1);
  if (getLie() == "first element")
    return touched;
  IndexRange &last = touched.ranges.back();
  if (getLie() == "behind the end")
    last.offset = LinearExpr(type.getShape().back());
  else if (getLie() == "before the start")
    last.offset = LinearExpr(-1);
  else if (getLie() == "too many")
    std::tie(last.offset, last.size) =
        std::make_pair(LinearExpr(OpFoldResult(getStranger(*this))),
                       LinearExpr(type.getShape().back() + 1));
  else if (getLie() == "too far apart")
    std::tie(last.size, last.stride) =
        std::make_pair(LinearExpr(2), type.getShape().back());
  else if (getLie() == "negative run")
    touched.run.emplace_back(-1, 1);
  else if (getLie() == "long run")
    touched.run.emplace_back(type.getNumElements() + 1, 1);
  else if (getLie() == "inner index")
    last.offset =
        LinearExpr(OpFoldResult(getBody().front().front().getResult(0)));
  else
    return std::nullopt;
  return touched;
}

bool ClaimOp::isAtomic() { return getLie() == "atomic"; }

bool ClaimOp::touchesOperandsOnly() { return getLie() == "effect on a global"; }

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

NamedMemory ClaimOp::getNamedMemory(OpResult) {
  NamedMemory named;
  StringRef lie = getLie();
  if (lie == "view of a stranger")
    named.source = getStranger(*this);
  else if (lie.contains("view"))
    named.source = getValues().front();
  named.keepsElements = lie == "view of all elements";
  named.hasSourcePointer = lie == "pointer of nothing";
  if (lie == "view and root")
    named.identity = getLieAttr();
  if (lie.starts_with("pool"))
    named.identity = StringAttr::get(getContext(), "pool");
  if (lie.ends_with("in global memory"))
    named.space = MemorySpace::Global;
  if (lie.ends_with("in workgroup memory"))
    named.space = MemorySpace::Workgroup;
  return named;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

ExecutionScope ClaimOp::getCollectiveScope() {
  return getLie() == "collective of the grid" ? ExecutionScope::Grid
                                              : ExecutionScope::Workgroup;
}

OpOperand &ClaimOp::getContributedInit(OpResult result) {
  if (getLie() == "init of another op")
    return getOperation()->getNextNode()->getOpOperand(0);
  if (getLie() == "one init")
    return getOperation()->getOpOperand(0);
  return getOperation()->getOpOperand(result.getResultNumber());
}
