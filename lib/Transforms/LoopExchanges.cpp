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
/// sizes are known before the loop. One of another type, of which `yielded` is
/// a reshape, cannot change places with the carried ones.
static tensor::EmptyOp getEscapingEmpty(scf::ForOp loop, Value yielded,
                                        const OneShotAnalysisState &state) {
  for (auto empty : loop.getBody()->getOps<tensor::EmptyOp>())
    if (empty.getType() == yielded.getType() &&
        state.areEquivalentBufferizedValues(empty, yielded) &&
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

/// True when no other value names the buffer that `init` gives to a loop: it is
/// allocated for it, as a whole. The results of exchanged buffers may be in any
/// of them; were these parts of a destination, putting the one result back to
/// its place would overwrite the other.
static bool isOwnBuffer(OpOperand &init, const OneShotAnalysisState &state) {
  if (!state.isInPlace(init))
    return true;
  auto isSlice = [](Value value) {
    return value.getDefiningOp<tensor::ExtractSliceOp>() != nullptr;
  };
  TraversalConfig config;
  config.followInPlaceOnly = true;
  return llvm::all_of(
      state.findValueInReverseUseDefChain(&init, isSlice, config),
      [&](Value value) {
        auto arg = dyn_cast<BlockArgument>(value);
        if (!arg)
          return !isSlice(value) && isAllocatedTensor(value);
        auto outer = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
        return outer && isOwnBuffer(*outer.getTiedLoopInit(arg), state);
      });
}

namespace {
/// The tensors that a terminator passes on to the arguments of a block, each of
/// which is to get the buffer of its argument.
///
/// Operand i may have the buffer of another argument k, whose operand has the
/// buffer of a third, and so on: a cycle of such operands is one exchange, if
/// the loop owns the buffers. What is in no cycle is copied, and before that
/// whatever the copy overwrites.
class PassedTensors {
public:
  PassedTensors(Operation *terminator, MutableOperandRange operands,
                Block::BlockArgListType args, MutableOperandRange inits,
                const OneShotAnalysisState &state);

  /// True when something was changed.
  bool normalize(RewriterBase &rewriter);

private:
  bool isTensor(unsigned i) const {
    return isa<TensorType>(args[i].getType()) &&
           operands[i].get().getType() == args[i].getType();
  }
  SmallVector<unsigned> getCycle(unsigned first) const;
  bool reads(unsigned i, unsigned k) const;
  void copyInto(RewriterBase &rewriter, unsigned i, Value dest) {
    operands[i].set(
        linalg::CopyOp::create(rewriter, loc, operands[i].get(), dest)
            .getResult(0));
  }
  void putAside(RewriterBase &rewriter, unsigned i);
  void copy(RewriterBase &rewriter, SmallVector<unsigned> pending);
  void exchange(RewriterBase &rewriter, ArrayRef<unsigned> cycle);

  Operation *terminator;
  Location loc;
  MutableOperandRange operands;
  Block::BlockArgListType args;
  unsigned n;
  /// Which argument's buffer each operand has; n: none that is known.
  SmallVector<unsigned> bufferOf;
  /// Which arguments' buffers an operand without a known one may have.
  SmallVector<llvm::SmallBitVector> mayHave;
  /// Which arguments have a buffer of the loop's own.
  llvm::SmallBitVector isOwn;
};
} // namespace

PassedTensors::PassedTensors(Operation *terminator,
                             MutableOperandRange operands,
                             Block::BlockArgListType args,
                             MutableOperandRange inits,
                             const OneShotAnalysisState &state)
    : terminator(terminator), loc(terminator->getLoc()), operands(operands),
      args(args), n(std::min<unsigned>(operands.size(), args.size())),
      bufferOf(n, n), mayHave(n, llvm::SmallBitVector(n)), isOwn(n) {
  for (unsigned i = 0; i < n; ++i) {
    if (!isTensor(i))
      continue;
    isOwn[i] = isOwnBuffer(inits[i], state);
    Value operand = operands[i].get();
    for (unsigned k = 0; k < n; ++k) {
      if (!isTensor(k))
        continue;
      if (bufferOf[i] != i &&
          state.areEquivalentBufferizedValues(operand, args[k]))
        bufferOf[i] = k;
    }
    if (bufferOf[i] != n)
      continue;
    TraversalConfig config;
    config.followInPlaceOnly = true;
    for (Value value : state.findValueInReverseUseDefChain(
             &operands[i],
             [&](Value value) { return llvm::is_contained(args, value); },
             config))
      if (auto it = llvm::find(args, value); it != args.end())
        if (unsigned k = std::distance(args.begin(), it); k < n)
          mayHave[i].set(k);
  }
}

/// The operands that `first`'s buffer goes around through; empty for none.
SmallVector<unsigned> PassedTensors::getCycle(unsigned first) const {
  SmallVector<unsigned> cycle;
  unsigned i = first;
  for (; i != n && !llvm::is_contained(cycle, i); i = bufferOf[i])
    cycle.push_back(i);
  if (i != first)
    cycle.clear();
  return cycle;
}

/// True when operand i may have to be read from the buffer of argument k.
bool PassedTensors::reads(unsigned i, unsigned k) const {
  return bufferOf[i] == n ? mayHave[i].test(k) : bufferOf[i] == k;
}

/// Puts a copy of operand i, which no argument's buffer has, in its place.
void PassedTensors::putAside(RewriterBase &rewriter, unsigned i) {
  auto type = cast<RankedTensorType>(args[i].getType());
  copyInto(rewriter, i,
           tensor::EmptyOp::create(
               rewriter, loc, tensor::getMixedSizes(rewriter, loc, args[i]),
               type.getElementType()));
  bufferOf[i] = n;
  mayHave[i].reset();
}

/// Copies `pending` in an order in which none is read that was overwritten by
/// the copy of another one. The copy would then need a buffer of its own, which
/// is allocated once for all iterations and would be passed on to the next one,
/// to be overwritten there while it is still read.
void PassedTensors::copy(RewriterBase &rewriter,
                         SmallVector<unsigned> pending) {
  bool mayChangePlaces = false;
  while (!pending.empty()) {
    auto isUnread = [&](unsigned k) {
      return llvm::none_of(pending,
                           [&](unsigned i) { return i != k && reads(i, k); });
    };
    auto it = llvm::find_if(pending, isUnread);
    if (it == pending.end()) {
      // They may read each other.
      mayChangePlaces = true;
      putAside(rewriter, pending.front());
      continue;
    }
    if (mayChangePlaces && reads(*it, *it))
      putAside(rewriter, *it);
    copyInto(rewriter, *it, args[*it]);
    pending.erase(it);
  }
}

void PassedTensors::exchange(RewriterBase &rewriter, ArrayRef<unsigned> cycle) {
  // Input p of the exchange is the value in the buffer of args[cycle[p]], which
  // is the operand before it in the cycle.
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
  for (unsigned p = 0; p < size; ++p)
    operands[cycle[p]].set(exchange.getResult(p));
}

bool PassedTensors::normalize(RewriterBase &rewriter) {
  SmallVector<unsigned> copies;
  SmallVector<SmallVector<unsigned>> cycles;
  for (unsigned i = 0; i < n; ++i) {
    if (!isTensor(i) || bufferOf[i] == i)
      continue;
    SmallVector<unsigned> cycle = getCycle(i);
    if (cycle.empty() ||
        !llvm::all_of(cycle, [&](unsigned k) { return isOwn.test(k); }))
      copies.push_back(i);
    else if (i == *llvm::min_element(cycle))
      cycles.push_back(cycle);
  }
  rewriter.setInsertionPoint(terminator);
  // What is copied may be in a buffer that is about to be exchanged.
  copy(rewriter, copies);
  for (ArrayRef<unsigned> cycle : cycles)
    exchange(rewriter, cycle);
  return !copies.empty() || !cycles.empty();
}

static bool normalizeLoop(RewriterBase &rewriter, Operation *op,
                          const OneShotAnalysisState &state) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return PassedTensors(loop.getBody()->getTerminator(),
                         cast<scf::YieldOp>(loop.getBody()->getTerminator())
                             .getResultsMutable(),
                         loop.getRegionIterArgs(), loop.getInitArgsMutable(),
                         state)
        .normalize(rewriter);
  auto loop = cast<scf::WhileOp>(op);
  bool changed =
      PassedTensors(loop.getConditionOp(),
                    loop.getConditionOp().getArgsMutable(),
                    loop.getBeforeArguments(), loop.getInitsMutable(), state)
          .normalize(rewriter);
  // The arguments of the second region have the buffers that the condition
  // passes on, which are those of the first.
  return PassedTensors(loop.getYieldOp(), loop.getYieldOp().getResultsMutable(),
                       loop.getAfterArguments(), loop.getInitsMutable(), state)
             .normalize(rewriter) ||
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
