//===- Exchanges.cpp - exchanged buffers are permuted yields -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "MemSpace/Transforms/FinishBufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

/// Replaces `memspace.exchange` at the end of a loop body by a terminator that
/// passes on the permuted buffers: the loop's arguments then name the buffers
/// in turn and nothing is moved.
static LogicalResult lowerExchange(memspace::ExchangeOp exchange) {
  Operation *terminator = exchange->getBlock()->getTerminator();
  auto refuse = [&]() {
    return exchange.emitOpError(
        "does not exchange loop-carried buffers at the end of a loop body, "
        "where it would be a permuted yield; copy the values instead "
        "(linalg.copy)");
  };
  if (!isa<scf::ForOp, scf::WhileOp>(exchange->getParentOp()) ||
      !isa<scf::YieldOp, scf::ConditionOp>(terminator))
    return refuse();
  // Which operand of the terminator each buffer is.
  SmallVector<unsigned> position;
  for (Value buffer : exchange.getInputs()) {
    auto it = llvm::find(terminator->getOperands(), buffer);
    if (it == terminator->operand_end())
      return refuse();
    position.push_back(std::distance(terminator->operand_begin(), it));
  }
  // No access may follow the exchange within the iteration.
  for (Operation *op = exchange->getNextNode(); op != terminator;
       op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !isa<memspace::ExchangeOp>(op))
      return refuse();
  SmallVector<Value> operands(terminator->getOperands());
  for (auto [i, source] : llvm::enumerate(exchange.getPermutation()))
    operands[position[i]] = exchange.getInputs()[source];
  terminator->setOperands(operands);
  exchange->erase();
  return success();
}

/// Replaces the results of loops by the buffers that they are after a constant
/// number of iterations, inner loops and earlier ones first. No buffer lives
/// longer than the loop because a result might be it.
static void nameFinalBuffers(FunctionOpInterface kernel) {
  kernel->walk([](scf::ForOp loop) {
    for (OpResult result : loop.getResults())
      if (isa<BaseMemRefType>(result.getType()) && !result.use_empty())
        if (Value buffer = getFinalValue(result))
          result.replaceAllUsesWith(buffer);
  });
}

LogicalResult mlir::memspace::lowerExchanges(FunctionOpInterface kernel) {
  SmallVector<memspace::ExchangeOp> exchanges;
  kernel->walk([&](memspace::ExchangeOp op) { exchanges.push_back(op); });
  for (memspace::ExchangeOp op : exchanges)
    if (failed(lowerExchange(op)))
      return failure();
  nameFinalBuffers(kernel);
  return success();
}
