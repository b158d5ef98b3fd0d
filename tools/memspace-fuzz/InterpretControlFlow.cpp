//===- InterpretControlFlow.cpp - scf and what ends a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Gives the results of `op` the values of the terminator of the region that
/// was run for it.
static LogicalResult runForResults(InterpreterState &state, Operation *op,
                                   Block &block) {
  SmallVector<RuntimeValue> yielded;
  if (failed(state.run(block, {}, &yielded)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), yielded))
    state.set(result, value);
  return success();
}

static LogicalResult interpretIf(InterpreterState &state, Operation *op) {
  auto ifOp = cast<scf::IfOp>(op);
  FailureOr<int64_t> condition = state.getInteger(ifOp.getCondition(), op);
  if (failed(condition))
    return failure();
  if (*condition)
    return runForResults(state, op, *ifOp.thenBlock());
  if (Block *otherwise = ifOp.elseBlock())
    return runForResults(state, op, *otherwise);
  return success();
}

static LogicalResult interpretIndexSwitch(InterpreterState &state,
                                          Operation *op) {
  auto switchOp = cast<scf::IndexSwitchOp>(op);
  FailureOr<int64_t> chosen = state.getInteger(switchOp.getArg(), op);
  if (failed(chosen))
    return failure();
  for (auto [i, value] : llvm::enumerate(switchOp.getCases()))
    if (value == *chosen)
      return runForResults(state, op, switchOp.getCaseBlock(i));
  return runForResults(state, op, switchOp.getDefaultBlock());
}

static LogicalResult interpretExecuteRegion(InterpreterState &state,
                                            Operation *op) {
  Region &region = cast<scf::ExecuteRegionOp>(op).getRegion();
  if (!region.hasOneBlock())
    return op->emitError("is not supported by the interpreter: it has several "
                         "blocks");
  return runForResults(state, op, region.front());
}

static LogicalResult interpretFor(InterpreterState &state, Operation *op) {
  auto forOp = cast<scf::ForOp>(op);
  SmallVector<int64_t> range;
  if (failed(
          state.getIntegers(ValueRange{forOp.getLowerBound(),
                                       forOp.getUpperBound(), forOp.getStep()},
                            op, range)))
    return failure();
  if (range[2] <= 0)
    return op->emitError("has a step of ") << range[2];
  Type type = forOp.getInductionVar().getType();
  SmallVector<RuntimeValue> carried = state.get(forOp.getInitArgs());
  for (int64_t i = range[0]; i < range[1]; i += range[2]) {
    SmallVector<RuntimeValue> arguments;
    arguments.emplace_back(IntegerAttr::get(type, i));
    llvm::append_range(arguments, carried);
    if (failed(state.run(*forOp.getBody(), arguments, &carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), carried))
    state.set(result, value);
  return success();
}

static LogicalResult interpretWhile(InterpreterState &state, Operation *op) {
  auto whileOp = cast<scf::WhileOp>(op);
  SmallVector<RuntimeValue> carried = state.get(whileOp.getInits()), condition;
  while (true) {
    if (failed(state.run(*whileOp.getBeforeBody(), carried, &condition)))
      return failure();
    FailureOr<int64_t> goesOn = state.getInteger(
        whileOp.getConditionOp().getCondition(), whileOp.getConditionOp());
    if (failed(goesOn))
      return failure();
    auto forwarded = ArrayRef<RuntimeValue>(condition).drop_front();
    if (!*goesOn) {
      for (auto [result, value] : llvm::zip_equal(op->getResults(), forwarded))
        state.set(result, value);
      return success();
    }
    if (failed(state.run(*whileOp.getAfterBody(), forwarded, &carried)))
      return failure();
  }
}

InterpreterState::Handler fuzz::getControlFlowHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, InterpreterState::Handler>(op)
      .Case([](scf::ForOp) { return interpretFor; })
      .Case([](scf::IfOp) { return interpretIf; })
      .Case([](scf::WhileOp) { return interpretWhile; })
      .Case([](scf::IndexSwitchOp) { return interpretIndexSwitch; })
      .Case([](scf::ExecuteRegionOp) { return interpretExecuteRegion; })
      .Default([](Operation *) { return nullptr; });
}
