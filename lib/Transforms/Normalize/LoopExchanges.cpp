//===- LoopExchanges.cpp - loop-carried buffers that change places -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedBuffers.h"
#include "CarriedSizes.h"
#include "LoopSlots.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "Normalization.h"
#include "OwnBuffers.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Fresh buffers
//===----------------------------------------------------------------------===//

/// A fresh buffer for `value`, in front of `op`.
static Value createFresh(RewriterBase &rewriter, Operation *op, Value value) {
  rewriter.setInsertionPoint(op);
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  dispatchIndexOpFoldResults(
      tensor::getMixedSizes(rewriter, op->getLoc(), value), sizes, shape);
  Type type = cast<RankedTensorType>(value.getType()).clone(shape);
  return AllocTensorOp::create(rewriter, op->getLoc(),
                               cast<RankedTensorType>(type), sizes);
}

//===----------------------------------------------------------------------===//
// Own buffers
//===----------------------------------------------------------------------===//

/// The tensor without contents that `value` is, or a part of; null for none.
static Value getUndefinedBase(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  return isUndefinedTensor(value) ? value : Value();
}

/// Whether `loop` begins with what an iteration of a `forall` has of a shared
/// output, of which it uses nothing else, and its result is put there at the
/// end.
static bool fillsOwnPart(OpOperand &init, CarryingLoop loop) {
  auto slice = init.get().getDefiningOp<tensor::ExtractSliceOp>();
  auto output = slice ? dyn_cast<BlockArgument>(slice.getSource()) : nullptr;
  auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
  if (!output || !counted || !init.get().hasOneUse() ||
      !isa<scf::ForallOp>(output.getOwner()->getParentOp()))
    return false;
  return llvm::all_of(output.getUses(), [&](OpOperand &use) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner());
    return use.getOwner() == slice ||
           (insert && insert.getDest() == output &&
            insert.getSource() == counted.getTiedLoopResult(&init) &&
            cast<OffsetSizeAndStrideOpInterface>(insert.getOperation())
                .isSameAs(slice, [](OpFoldResult a, OpFoldResult b) {
                  return a == b;
                }));
  });
}

/// Gives each slot that begins without contents a tensor of its own. One-Shot
/// finds no conflict between two slots of one such tensor, since nothing that
/// they read is in it, and gives both its buffer:
/// \code{.mlir}
///   %e = tensor.empty()
///   scf.for … iter_args(%next0 = %e, %next1 = %e)
/// \endcode
static bool separateUndefinedInits(RewriterBase &rewriter,
                                   ArrayRef<CarryingLoop> loops) {
  bool changed = false;
  for (CarryingLoop loop : loops)
    for (OpOperand &init : loop.getInits()) {
      if (!isa<RankedTensorType>(init.get().getType()))
        continue;
      Value base = getUndefinedBase(init.get());
      if (!base || (base.hasOneUse() && init.get().hasOneUse()) ||
          fillsOwnPart(init, loop))
        continue;
      init.set(createFresh(rewriter, loop.getOperation(), init.get()));
      changed = true;
    }
  return changed;
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

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
                const OneShotAnalysisState &state,
                const CarriedBuffers &buffers, OwnBuffers &own);

  /// True when something was changed.
  bool normalize(RewriterBase &rewriter);
  /// Puts the contents of all operands that may be in buffers of `loop`'s body
  /// back into the buffers of the arguments, through copies.
  void restore(RewriterBase &rewriter, CarryingLoop loop);

private:
  bool isTensor(unsigned i) const {
    return isa<TensorType>(args[i].getType()) &&
           operands[i].get().getType() == args[i].getType();
  }
  bool repairExchanges(RewriterBase &rewriter);
  bool putOthersAside(RewriterBase &rewriter);
  bool isOnlyFresh(OpOperand &operand) const;
  SmallVector<unsigned> getCycle(unsigned first) const;
  bool reads(unsigned i, unsigned k) const;
  /// A copy of `value` in the buffer of `dest`, whose content is not needed.
  Value copyInto(RewriterBase &rewriter, Value value, Value dest) {
    rewriter.setInsertionPoint(end);
    auto copy = linalg::CopyOp::create(rewriter, loc, value, dest);
    copy->setAttr(kCarriedAttr, rewriter.getUnitAttr());
    return copy.getResult(0);
  }
  /// Where the buffer of argument i is at the end.
  Value getLatest(unsigned i) const {
    return buffers.getLatest(args[i], terminator->getBlock());
  }
  void putAside(RewriterBase &rewriter, unsigned i);
  void copy(RewriterBase &rewriter, SmallVector<unsigned> pending);
  void exchange(RewriterBase &rewriter, ArrayRef<unsigned> cycle);

  Operation *terminator;
  /// The first exchange, or the terminator: nothing is copied after it.
  Operation *end;
  Location loc;
  MutableOperandRange operands;
  Block::BlockArgListType args;
  const OneShotAnalysisState &state;
  const CarriedBuffers &buffers;
  /// Operands from n on have no argument.
  unsigned n;
  /// Which argument's buffer each operand has; n: none that is known.
  SmallVector<unsigned> bufferOf;
  /// Which arguments' buffers an operand without a known one may have.
  SmallVector<llvm::SmallBitVector> mayHave;
  /// Which arguments have a buffer of the loop's own, of those whose operand
  /// has another argument's.
  llvm::SmallBitVector isOwn;
};
} // namespace

PassedTensors::PassedTensors(Operation *terminator,
                             MutableOperandRange operands,
                             Block::BlockArgListType args,
                             MutableOperandRange inits,
                             const OneShotAnalysisState &state,
                             const CarriedBuffers &buffers, OwnBuffers &own)
    : terminator(terminator), end(terminator), loc(terminator->getLoc()),
      operands(operands), args(args), state(state), buffers(buffers),
      n(std::min<unsigned>(operands.size(), args.size())), bufferOf(n, n),
      mayHave(n, llvm::SmallBitVector(n)), isOwn(n) {
  for (Value operand : terminator->getOperands())
    if (auto exchange = operand.getDefiningOp<memspace::ExchangeOp>())
      if (exchange->isBeforeInBlock(end))
        end = exchange;
  for (unsigned i = 0; i < n; ++i) {
    if (!isTensor(i))
      continue;
    Value operand = operands[i].get();
    for (unsigned k = 0; k < n; ++k) {
      if (!isTensor(k))
        continue;
      if (bufferOf[i] != i &&
          state.areEquivalentBufferizedValues(operand, args[k]))
        bufferOf[i] = k;
    }
    if (bufferOf[i] != n) {
      // By a reshape an operand may be in the buffer of an argument of another
      // type, which cannot change places with its own.
      isOwn[i] = bufferOf[i] != i && i < inits.size() &&
                 args[bufferOf[i]].getType() == args[i].getType() &&
                 own.contain(inits[i]);
      continue;
    }
    TraversalConfig config;
    config.followInPlaceOnly = true;
    for (Value value : findPossibleSources(
             operands[i], state,
             [&](Value value) { return llvm::is_contained(args, value); },
             config))
      if (auto it = llvm::find(args, value); it != args.end())
        if (unsigned k = std::distance(args.begin(), it); k < n)
          mayHave[i].set(k);
  }
}

/// A conflict that was resolved since may have moved an input of an exchange
/// out of the buffer of its argument, which the exchange would carry off.
bool PassedTensors::repairExchanges(RewriterBase &rewriter) {
  bool changed = false;
  for (unsigned i = 0; i < n; ++i) {
    auto result = dyn_cast<OpResult>(operands[i].get());
    auto exchange = result ? dyn_cast<memspace::ExchangeOp>(result.getOwner())
                           : memspace::ExchangeOp();
    if (!exchange || !isTensor(i) || bufferOf[i] == i)
      continue;
    OpOperand &input = exchange->getOpOperand(result.getResultNumber());
    input.set(copyInto(rewriter, input.get(), getLatest(i)));
    changed = true;
  }
  return changed;
}

/// True when `operand`, and no other one, has a buffer that each iteration
/// allocates.
bool PassedTensors::isOnlyFresh(OpOperand &operand) const {
  bool isFound = false;
  state.applyOnEquivalenceClass(operand.get(), [&](Value value) {
    Operation *def = value.getDefiningOp();
    isFound |=
        isa_and_nonnull<tensor::EmptyOp, AllocTensorOp>(def) &&
        terminator->getParentRegion()->isAncestor(def->getParentRegion());
  });
  return isFound && llvm::none_of(operands, [&](OpOperand &other) {
           return &other != &operand &&
                  isa<TensorType>(other.get().getType()) &&
                  state.areEquivalentBufferizedValues(operand.get(),
                                                      other.get());
         });
}

/// A condition may pass on more than the loop carries. One-Shot does not know
/// the buffers of that by their names in the second region and behind the loop:
/// they must be nobody else's.
bool PassedTensors::putOthersAside(RewriterBase &rewriter) {
  if (!isa<scf::ConditionOp>(terminator))
    return false;
  bool changed = false;
  for (unsigned i = 0; i < operands.size(); ++i) {
    OpOperand &operand = operands[i];
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        (i < n && isTensor(i)) || isOnlyFresh(operand))
      continue;
    Value fresh = createFresh(rewriter, end, operand.get());
    operand.set(copyInto(rewriter, operand.get(), fresh));
    changed = true;
  }
  return changed;
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
  Value fresh = createFresh(rewriter, end, args[i]);
  operands[i].set(copyInto(rewriter, operands[i].get(), fresh));
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
      putAside(rewriter, *llvm::find_if(pending, [&](unsigned i) {
                 return llvm::any_of(pending, [&](unsigned k) {
                   return i != k && reads(i, k);
                 });
               }));
      continue;
    }
    if (mayChangePlaces && reads(*it, *it))
      putAside(rewriter, *it);
    operands[*it].set(copyInto(rewriter, operands[*it].get(), getLatest(*it)));
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

void PassedTensors::restore(RewriterBase &rewriter, CarryingLoop loop) {
  SmallVector<unsigned> moved;
  for (unsigned i = 0; i < n; ++i) {
    if (!isTensor(i))
      continue;
    // What an exchange would do the copies do.
    if (auto result = dyn_cast<OpResult>(operands[i].get()))
      if (auto exchange = dyn_cast<memspace::ExchangeOp>(result.getOwner())) {
        unsigned source = exchange.getPermutation()[result.getResultNumber()];
        operands[i].set(exchange.getInputs()[source]);
        moved.push_back(i);
        continue;
      }
    if (bufferOf[i] != i || buffers.isMixed(operands[i].get(), loop))
      moved.push_back(i);
  }
  // All are read before one is overwritten.
  for (unsigned i : moved)
    putAside(rewriter, i);
  for (unsigned i : moved)
    operands[i].set(copyInto(rewriter, operands[i].get(), args[i]));
  terminator->getBlock()->walk([&](memspace::ExchangeOp exchange) {
    if (exchange->getBlock() == terminator->getBlock() && exchange.use_empty())
      rewriter.eraseOp(exchange);
  });
}

bool PassedTensors::normalize(RewriterBase &rewriter) {
  if (putOthersAside(rewriter) || repairExchanges(rewriter))
    return true;
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
  // What is copied may be in a buffer that is about to be exchanged.
  copy(rewriter, copies);
  rewriter.setInsertionPoint(terminator);
  for (ArrayRef<unsigned> cycle : cycles)
    exchange(rewriter, cycle);
  return !copies.empty() || !cycles.empty();
}

/// What the terminators of `loop` pass on: one for each region.
static std::vector<PassedTensors>
getPassedTensors(CarryingLoop loop, const OneShotAnalysisState &state,
                 const CarriedBuffers &buffers, OwnBuffers &own) {
  std::vector<PassedTensors> passed;
  if (auto forOp = dyn_cast<scf::ForOp>(loop.getOperation())) {
    auto yield = cast<scf::YieldOp>(forOp.getBody()->getTerminator());
    passed.emplace_back(yield, yield.getResultsMutable(),
                        forOp.getRegionIterArgs(), forOp.getInitArgsMutable(),
                        state, buffers, own);
    return passed;
  }
  auto whileOp = cast<scf::WhileOp>(loop.getOperation());
  scf::ConditionOp condition = whileOp.getConditionOp();
  passed.emplace_back(condition, condition.getArgsMutable(),
                      whileOp.getBeforeArguments(), whileOp.getInitsMutable(),
                      state, buffers, own);
  // The arguments of the second region have the buffers that the condition
  // passes on, which are those of the first.
  scf::YieldOp yield = whileOp.getYieldOp();
  passed.emplace_back(yield, yield.getResultsMutable(),
                      whileOp.getAfterArguments(), whileOp.getInitsMutable(),
                      state, buffers, own);
  return passed;
}

//===----------------------------------------------------------------------===//
// Old names
//===----------------------------------------------------------------------===//

/// True when `op` comes after `loop` in one iteration of everything around
/// both.
static bool comesAfter(Operation *op, Operation *loop) {
  for (Operation *before = loop; before; before = before->getParentOp()) {
    if (Operation *other = before->getBlock()->findAncestorOpInBlock(*op))
      return before->isBeforeInBlock(other);
    // Each iteration has names of its own for what it does not carry.
    Operation *parent = before->getParentOp();
    if (isa<LoopLikeOpInterface, FunctionOpInterface>(parent))
      return false;
  }
  return false;
}

/// True when `op` still finds one of `values` needed inside it or behind it.
static bool isNeededFrom(Operation *op, const llvm::DenseSet<Value> &values) {
  return llvm::any_of(values, [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return user != op && (op->isAncestor(user) || comesAfter(user, op));
    });
  });
}

/// Behind `loop` the buffers of mixed slots must not be written by the names
/// that they had before it while something is in them: what is only overwritten
/// there is another buffer.
static bool replaceOldNames(RewriterBase &rewriter, CarryingLoop loop,
                            const OneShotAnalysisState &state,
                            const CarriedBuffers &buffers) {
  SmallVector<OpOperand *> uses;
  MutableOperandRange inits = loop.getInits();
  // What the mixed slots become; asked for where one of them is overwritten.
  std::optional<llvm::DenseSet<Value>> following;
  ArrayRef<unsigned> mixed;
  auto mayBeNeededFrom = [&](Operation *op) {
    if (!following)
      following = buffers.getFollowing(loop, mixed);
    return isNeededFrom(op, *following);
  };
  auto collect = [&](Value name) {
    Operation *def = name.getDefiningOp();
    // Results of the loop and what comes behind it are new names.
    if (def && (loop.getOperation()->isAncestor(def) ||
                comesAfter(def, loop.getOperation())))
      return;
    if (auto arg = dyn_cast<BlockArgument>(name))
      if (loop.getOperation()->isAncestor(arg.getOwner()->getParentOp()) ||
          comesAfter(arg.getOwner()->getParentOp(), loop.getOperation()))
        return;
    for (OpOperand &use : name.getUses())
      if (comesAfter(use.getOwner(), loop.getOperation()) &&
          state.getOptions().dynCastBufferizableOp(use.getOwner()) &&
          mayWrite(use, state) && !mayRead(use, state) &&
          mayBeNeededFrom(use.getOwner()))
        uses.push_back(&use);
  };
  for (ArrayRef<unsigned> slots : buffers.getMixedSlots(loop)) {
    following.reset();
    mixed = slots;
    for (unsigned slot : slots)
      if (state.isInPlace(inits[slot]))
        state.applyOnEquivalenceClass(inits[slot].get(), collect);
  }
  for (OpOperand *use : uses)
    use->set(createFresh(rewriter, use->getOwner(), use->get()));
  return !uses.empty();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Mixed with slots of `loop` by a loop inside, a buffer that `loop` does not
/// carry may leave the iteration by the name of a slot. It becomes a slot as
/// well, or the slots get their contents back.
static bool closeEscape(RewriterBase &rewriter, CarryingLoop loop,
                        const OneShotAnalysisState &state,
                        const CarriedBuffers &buffers, OwnBuffers &own) {
  std::optional<CarriedBuffers::Escape> escape = buffers.findEscape(loop);
  if (!escape)
    return false;
  Operation *inner = escape->inner.getOperation();
  auto forOp = dyn_cast<scf::ForOp>(loop.getOperation());
  if (forOp && inner->getBlock() == forOp.getBody()) {
    OpOperand &init = escape->inner.getInits()[escape->foreign.front()];
    bool isCopy = init.get().getDefiningOp<linalg::CopyOp>() != nullptr;
    if (!state.isInPlace(init) && !isCopy) {
      // A copy that One-Shot would make has no name yet.
      Value copy = createFresh(rewriter, inner, init.get());
      rewriter.setInsertionPoint(inner);
      init.set(
          linalg::CopyOp::create(rewriter, inner->getLoc(), init.get(), copy)
              .getResult(0));
      return true;
    }
    Operation *fresh = state.isInPlace(init)
                           ? getFreshBuffer(forOp, init.get(), state)
                           : nullptr;
    if (fresh)
      if (std::optional<NewSlot> slot =
              findSlot(forOp, fresh, state, buffers)) {
        addSlot(rewriter, *slot);
        return true;
      }
  }
  for (PassedTensors &passed : getPassedTensors(loop, state, buffers, own))
    passed.restore(rewriter, loop);
  return true;
}

/// What changed a loop: nothing, only ops of its body, or more than that. A new
/// slot makes another loop of it, which no analysis knows, and is only found.
enum class LoopChange { None, Body, NewSlot, More };

static LoopChange normalizeLoop(RewriterBase &rewriter, CarryingLoop loop,
                                const OneShotAnalysisState &state,
                                const CarriedBuffers &buffers, OwnBuffers &own,
                                SmallVectorImpl<NewSlot> &newSlots) {
  if (auto forOp = dyn_cast<scf::ForOp>(loop.getOperation()))
    if (std::optional<NewSlot> slot = findYieldedSlot(forOp, state, buffers)) {
      newSlots.push_back(*slot);
      return LoopChange::NewSlot;
    }
  if (closeEscape(rewriter, loop, state, buffers, own))
    return LoopChange::More;
  bool changed = false;
  for (PassedTensors &passed : getPassedTensors(loop, state, buffers, own))
    changed |= passed.normalize(rewriter);
  if (changed)
    return LoopChange::Body;
  return replaceOldNames(rewriter, loop, state, buffers) ? LoopChange::More
                                                         : LoopChange::None;
}

/// Inner loops first: what an outer loop yields may be the result of an inner
/// one, whose buffer is known once that is normalized.
static SmallVector<CarryingLoop> getCarryingLoops(FunctionOpInterface kernel) {
  SmallVector<CarryingLoop> loops;
  kernel->walk([&](Operation *op) {
    if (CarryingLoop::isOne(op))
      loops.push_back(CarryingLoop(op));
  });
  return loops;
}

/// Changes what `state` is enough for, but no loop of `changed`, to which it
/// adds those that it changes: what was changed most.
static LoopChange changeLoops(RewriterBase &rewriter,
                              FunctionOpInterface kernel,
                              const OneShotAnalysisState &state,
                              llvm::DenseSet<Operation *> &changed) {
  SmallVector<CarryingLoop> loops = getCarryingLoops(kernel);
  CarriedBuffers buffers(state);
  OwnBuffers own(state);
  llvm::DenseSet<Operation *> aroundChanges;
  // Each is of another loop, and none of these is inside another: the loops of
  // the state are there until all have been asked.
  SmallVector<NewSlot> newSlots;
  LoopChange most = LoopChange::None;
  for (CarryingLoop loop : loops) {
    if (aroundChanges.contains(loop.getOperation()) ||
        changed.contains(loop.getOperation()))
      continue;
    LoopChange change =
        normalizeLoop(rewriter, loop, state, buffers, own, newSlots);
    most = std::max(most, change);
    if (change == LoopChange::More)
      break;
    if (change == LoopChange::None)
      continue;
    changed.insert(loop.getOperation());
    for (Operation *op = loop.getOperation(); op != kernel;
         op = op->getParentOp())
      aroundChanges.insert(op);
  }
  for (const NewSlot &slot : newSlots)
    addSlot(rewriter, slot);
  return most;
}

namespace {
/// Remembers the ops that are made.
struct MadeOps final : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ops.push_back(op);
  }
  SmallVector<Operation *> ops;
};
} // namespace

/// Changes what one analysis is enough for; false when there is nothing left to
/// change. What comes of a loop whose terminator was changed is not analyzed
/// for the loops around it, but expected: copies and exchanges change no value.
/// With `mayExpect` it is what `analyses` expect of the kernel from then on,
/// and what they expect already is enough.
static FailureOr<bool> changeLoops(FunctionOpInterface kernel,
                                   OneShotAnalyses &analyses, bool mayExpect) {
  if (!hasCarriedTensors(kernel))
    return false;
  std::shared_ptr<OneShotAnalysisState> state =
      mayExpect ? analyses.getExpected(kernel) : analyses.get(kernel);
  if (!state)
    return failure();
  MadeOps made;
  IRRewriter rewriter(kernel.getContext(), &made);
  llvm::DenseSet<Operation *> changed;
  LoopChange change = changeLoops(rewriter, kernel, *state, changed);
  if (change == LoopChange::None)
    return false;
  while (change == LoopChange::Body) {
    expectInPlace(kernel, made.ops, *state);
    made.ops.clear();
    change = changeLoops(rewriter, kernel, *state, changed);
  }
  if (mayExpect && change == LoopChange::None)
    analyses.expect(kernel);
  else
    analyses.forget(kernel);
  return true;
}

static bool hasOp(FunctionOpInterface kernel,
                  function_ref<bool(Operation *)> isOne) {
  return kernel
      ->walk([&](Operation *op) {
        return isOne(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::memspace::hasCarriedTensors(FunctionOpInterface kernel) {
  return hasOp(kernel, CarryingLoop::isOne);
}

FailureOr<bool>
mlir::memspace::makeLoopExchangesExplicit(FunctionOpInterface kernel,
                                          OneShotAnalyses &analyses) {
  // A `while` may hand on tensors that it does not begin with.
  if (!hasOp(kernel, [](Operation *op) {
        return isa<scf::WhileOp>(op) || CarryingLoop::isOne(op);
      }))
    return false;
  if (failed(checkCarriedSizes(kernel)))
    return failure();
  alignWhileLoops(kernel);
  IRRewriter rewriter(kernel.getContext());
  bool anyChanged = separateUndefinedInits(rewriter, getCarryingLoops(kernel));
  anyChanged |= addEvidentSlots(rewriter, kernel);
  // Each change leaves less to do, and what there is to do grows with the
  // carried tensors. Where each copy makes another one needed it never ends.
  size_t rounds = 16;
  for (CarryingLoop loop : getCarryingLoops(kernel))
    rounds += 4 * llvm::count_if(loop.getInits(), [](OpOperand &init) {
                return isa<TensorType>(init.get().getType());
              });
  // A loop that passes on several tensors may be changed in two steps. Guesses
  // that leave more to be done were wrong.
  unsigned guesses = 2;
  for (; rounds > 0; --rounds) {
    bool isGuess = analyses.expects(kernel);
    FailureOr<bool> changed =
        changeLoops(kernel, analyses, /*mayExpect=*/guesses > 0);
    if (failed(changed))
      return failure();
    if (!*changed)
      return anyChanged;
    anyChanged = true;
    if (isGuess && guesses > 0)
      --guesses;
    // What is analyzed last is what comes next: one analysis serves both.
    makeAllocationsExplicit(kernel);
  }
  return kernel->emitError()
         << "the loop-carried tensors of kernel '" << kernel.getName()
         << "' do not come to rest in buffers of their own; copy what a loop "
            "yields (linalg.copy) into a tensor of its own";
}
