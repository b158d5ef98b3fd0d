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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
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

/// Makes each of `operands`, which `terminator` passes on to `args`, have the
/// buffer of its argument. True when something was changed.
///
/// Operand i may have the buffer of another argument k, whose operand has the
/// buffer of a third, and so on: a cycle of such operands is one exchange. What
/// is in no cycle is copied.
static bool normalizeOperands(RewriterBase &rewriter, Operation *terminator,
                              MutableOperandRange operands,
                              Block::BlockArgListType args,
                              const OneShotAnalysisState &state) {
  Location loc = terminator->getLoc();
  unsigned n = std::min<unsigned>(operands.size(), args.size());
  auto isTensor = [&](unsigned i) {
    return isa<TensorType>(args[i].getType()) &&
           operands[i].get().getType() == args[i].getType();
  };
  // Which argument's buffer each operand has; n: none.
  SmallVector<unsigned> bufferOf(n, n);
  for (unsigned i = 0; i < n; ++i) {
    if (!isTensor(i))
      continue;
    for (unsigned k = 0; k < n; ++k)
      if (isTensor(k) && bufferOf[i] != i &&
          state.areEquivalentBufferizedValues(operands[i].get(), args[k]))
        bufferOf[i] = k;
  }

  bool changed = false;
  llvm::SmallBitVector done(n);
  rewriter.setInsertionPoint(terminator);
  for (unsigned first = 0; first < n; ++first) {
    if (done.test(first) || !isTensor(first) || bufferOf[first] == first)
      continue;
    SmallVector<unsigned> cycle;
    unsigned i = first;
    for (; i != n && !llvm::is_contained(cycle, i); i = bufferOf[i])
      cycle.push_back(i);
    changed = true;
    if (i != first) {
      done.set(first);
      operands[first].set(linalg::CopyOp::create(
                              rewriter, loc, operands[first].get(), args[first])
                              .getResult(0));
      continue;
    }
    // Input p of the exchange is the value in the buffer of args[cycle[p]],
    // which is the operand before it in the cycle.
    unsigned size = cycle.size();
    SmallVector<Value> inputs(size);
    SmallVector<int64_t> order(size);
    for (unsigned p = 0; p < size; ++p) {
      unsigned q = (p + 1) % size;
      inputs[q] = operands[cycle[p]].get();
      order[p] = q;
    }
    auto exchange = memspace::ExchangeOp::create(
        rewriter, loc, ValueRange(inputs).getTypes(), inputs,
        rewriter.getDenseI64ArrayAttr(order));
    for (unsigned p = 0; p < size; ++p) {
      operands[cycle[p]].set(exchange.getResult(p));
      done.set(cycle[p]);
    }
  }
  return changed;
}

static bool normalizeLoop(RewriterBase &rewriter, Operation *op,
                          const OneShotAnalysisState &state) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return normalizeOperands(
        rewriter, loop.getBody()->getTerminator(),
        cast<scf::YieldOp>(loop.getBody()->getTerminator()).getResultsMutable(),
        loop.getRegionIterArgs(), state);
  auto loop = cast<scf::WhileOp>(op);
  bool changed = normalizeOperands(rewriter, loop.getConditionOp(),
                                   loop.getConditionOp().getArgsMutable(),
                                   loop.getBeforeArguments(), state);
  // The arguments of the second region have the buffers that the condition
  // passes on, which are those of the first.
  return normalizeOperands(rewriter, loop.getYieldOp(),
                           loop.getYieldOp().getResultsMutable(),
                           loop.getAfterArguments(), state) ||
         changed;
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
  // Inner loops first: what an outer loop yields may be the result of an inner
  // one, whose buffer is known once that is normalized.
  SmallVector<Operation *> loops;
  kernel->walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op) &&
        llvm::any_of(op->getResultTypes(),
                     [](Type type) { return isa<TensorType>(type); }))
      loops.push_back(op);
  });
  std::unique_ptr<OneShotAnalysisState> state;
  for (Operation *loop : loops) {
    if (!state) {
      state = std::make_unique<OneShotAnalysisState>(kernel, options);
      if (failed(analyzeKernel(kernel, *state)))
        return failure();
    }
    if (normalizeLoop(rewriter, loop, *state))
      state.reset();
  }
  return success();
}
