//===- LoopExchanges.cpp - loop-carried buffers that change places -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/MemorySpaceAnalysis.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Normalization.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

/// The tensor.empty in the body of `loop` whose buffer `yielded` has, when its
/// sizes are known before the loop.
static tensor::EmptyOp getEscapingEmpty(scf::ForOp loop, Value yielded,
                                        const OneShotAnalysisState &state) {
  for (auto empty : loop.getBody()->getOps<tensor::EmptyOp>())
    if (state.areEquivalentBufferizedValues(empty, yielded) &&
        llvm::all_of(empty.getDynamicSizes(), [&](Value size) {
          return loop.isDefinedOutsideOfLoop(size);
        }))
      return empty;
  return {};
}

/// The iter_arg of `loop` whose buffer no yielded value has, so that it is free
/// for the next iteration; `index` where that is one of them or there is none.
static unsigned getFreeBuffer(scf::ForOp loop, unsigned index,
                              const OneShotAnalysisState &state) {
  auto isFree = [&](BlockArgument arg) {
    return arg.getType() == loop.getRegionIterArgs()[index].getType() &&
           llvm::none_of(loop.getYieldedValues(), [&](Value yielded) {
             return isa<TensorType>(yielded.getType()) &&
                    state.areEquivalentBufferizedValues(yielded, arg);
           });
  };
  if (isFree(loop.getRegionIterArgs()[index]))
    return index;
  for (auto [k, arg] : llvm::enumerate(loop.getRegionIterArgs()))
    if (isFree(arg))
      return k;
  return index;
}

/// One more carried buffer for what was allocated anew in each iteration: the
/// buffer that the iteration gives up is the next one's new one.
static scf::ForOp carryEscapingBuffer(RewriterBase &rewriter, scf::ForOp loop,
                                      tensor::EmptyOp empty, unsigned index,
                                      const OneShotAnalysisState &state) {
  unsigned free = getFreeBuffer(loop, index, state);
  rewriter.setInsertionPoint(loop);
  Value outside = rewriter.clone(*empty)->getResult(0);
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, outside, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> newArgs) {
        return SmallVector<Value>{newArgs.front()};
      });
  auto newLoop = cast<scf::ForOp>(replaced->getOperation());
  rewriter.replaceOp(empty, newLoop.getRegionIterArgs().back());
  auto yield = cast<scf::YieldOp>(newLoop.getBody()->getTerminator());
  yield->setOperand(yield->getNumOperands() - 1,
                    newLoop.getRegionIterArgs()[free]);
  return newLoop;
}

/// `value` copied into the buffer of `buffer`.
static Value copyInto(OpBuilder &b, Location loc, Value value, Value buffer) {
  return MaterializeInDestinationOp::create(b, loc, value, buffer).getResult();
}

/// Makes each yielded value of `loop` have the buffer of its iter_arg.
static void normalizeLoop(RewriterBase &rewriter, scf::ForOp loop,
                          const OneShotAnalysisState &state) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  unsigned n = loop.getNumRegionIterArgs();
  // Which iter_arg's buffer each yielded value has; n: none.
  SmallVector<unsigned> bufferOf(n, n);
  SmallVector<unsigned> moved;
  for (unsigned i = 0; i < n; ++i) {
    BlockArgument arg = loop.getRegionIterArgs()[i];
    if (!isa<TensorType>(arg.getType()))
      continue;
    Value yielded = yield.getOperand(i);
    for (unsigned k = 0; k < n; ++k)
      if (isa<TensorType>(loop.getRegionIterArgs()[k].getType()) &&
          state.areEquivalentBufferizedValues(yielded,
                                              loop.getRegionIterArgs()[k]) &&
          (bufferOf[i] == n || k == i))
        bufferOf[i] = k;
    if (bufferOf[i] != i)
      moved.push_back(i);
  }
  if (moved.empty())
    return;

  // Every moved value must find its buffer given up by another moved value.
  Type type = yield.getOperand(moved.front()).getType();
  llvm::SmallBitVector used(n);
  bool permutation = moved.size() >= 2;
  for (unsigned i : moved) {
    unsigned k = bufferOf[i];
    if (k == n || used.test(k) || !llvm::is_contained(moved, k) ||
        yield.getOperand(i).getType() != type) {
      permutation = false;
      break;
    }
    used.set(k);
  }
  rewriter.setInsertionPoint(yield);
  if (!permutation) {
    for (unsigned i : moved)
      yield->setOperand(i, copyInto(rewriter, loop.getLoc(),
                                    yield.getOperand(i),
                                    loop.getRegionIterArgs()[i]));
    return;
  }
  // Operand p of the exchange is the value in the buffer of iter_arg moved[p].
  SmallVector<Value> inputs(moved.size());
  SmallVector<int64_t> order(moved.size());
  for (auto [p, i] : llvm::enumerate(moved)) {
    unsigned q = llvm::find(moved, bufferOf[i]) - moved.begin();
    inputs[q] = yield.getOperand(i);
    order[p] = q;
  }
  auto exchange = memspace::ExchangeOp::create(
      rewriter, loop.getLoc(), SmallVector<Type>(moved.size(), type), inputs,
      rewriter.getDenseI64ArrayAttr(order));
  for (auto [p, i] : llvm::enumerate(moved))
    yield->setOperand(i, exchange.getResult(p));
}

/// The same for scf.while, without exchanges: what is not in place is copied.
static void normalizeLoop(RewriterBase &rewriter, scf::WhileOp loop,
                          const OneShotAnalysisState &state) {
  auto keep = [&](Operation *terminator, MutableOperandRange operands,
                  Block::BlockArgListType args) {
    rewriter.setInsertionPoint(terminator);
    for (auto [i, operand] : llvm::enumerate(operands)) {
      Value value = operand.get();
      if (i < args.size() && isa<TensorType>(value.getType()) &&
          value.getType() == args[i].getType() &&
          !state.areEquivalentBufferizedValues(value, args[i]))
        operand.set(copyInto(rewriter, loop.getLoc(), value, args[i]));
    }
  };
  keep(loop.getConditionOp(), loop.getConditionOp().getArgsMutable(),
       loop.getBeforeArguments());
  keep(loop.getYieldOp(), loop.getYieldOp().getResultsMutable(),
       loop.getAfterArguments());
}

LogicalResult
mlir::memspace::makeLoopExchangesExplicit(FunctionOpInterface kernel) {
  OneShotBufferizationOptions options = getOneShotOptions();
  IRRewriter rewriter(kernel.getContext());
  // First the escaping buffers, one after the other, since each changes its
  // loop; inner loops first.
  for (bool changed = true; changed;) {
    changed = false;
    OneShotAnalysisState state(kernel, options);
    if (failed(analyzeKernel(kernel, state)))
      return failure();
    kernel->walk([&](scf::ForOp loop) {
      for (auto [i, yielded] : llvm::enumerate(loop.getYieldedValues()))
        if (isa<TensorType>(yielded.getType()))
          if (tensor::EmptyOp empty = getEscapingEmpty(loop, yielded, state)) {
            carryEscapingBuffer(rewriter, loop, empty, i, state);
            changed = true;
            return WalkResult::interrupt();
          }
      return WalkResult::advance();
    });
  }
  OneShotAnalysisState state(kernel, options);
  if (failed(analyzeKernel(kernel, state)))
    return failure();
  kernel->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      normalizeLoop(rewriter, loop, state);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      normalizeLoop(rewriter, loop, state);
  });
  return success();
}
