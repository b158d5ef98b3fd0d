//===- EvidentSlots.cpp - carried buffers that the ops alone show ---------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most loops show what One-Shot's analysis would find: that a fresh tensor
/// becomes what the next iteration begins with, and that nobody needs what the
/// iteration began with any more. Whatever is decided here keeps all values,
/// since what is fresh has no contents: a wrong guess costs a buffer or a copy.
///
//===----------------------------------------------------------------------===//

#include "CarriedBuffers.h"
#include "CarriedSizes.h"
#include "LoopSlots.h"
#include "Normalization.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// True when the op of `use` only reads it, or takes a slice of it.
static bool reads(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::ExtractOp, tensor::DimOp, tensor::ExtractSliceOp>(op))
    return true;
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
    return &use == &insert.getSourceMutable();
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && !dps.isDpsInit(&use);
}

/// True when the ops that use `value` only read it.
static bool isOnlyRead(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
    return reads(use) && (!slice || isOnlyRead(slice.getResult()));
  });
}

/// True when all uses of `value` but `last` come before that, in one iteration
/// of the block that it is in, and only read.
static bool isLastUse(Value value, OpOperand &last) {
  Operation *op = last.getOwner();
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (&use == &last)
      return true;
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
    return user && user != op && user->isBeforeInBlock(op) && reads(use) &&
           (!slice || isLastUse(slice.getResult(), last));
  });
}

/// True when the op of `init`, of a loop's body, may write into `arg`, which is
/// only read, instead of a fresh tensor: what reads `arg` comes before, or is
/// the op itself, which reads an element where it writes it. With `isNext`, the
/// op takes what those before make of it: threads that have to wait for this
/// need not wait once more before they overwrite `arg`.
static bool isFreeFor(Value arg, OpOperand &init, bool isNext = false) {
  Operation *op = init.getOwner();
  BlockArgument out;
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    out = forall.getTiedBlockArgument(&init);
  auto isIdentity = [](OpOperand &operand) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(operand.getOwner());
    return linalgOp && linalg::isElementwise(linalgOp) &&
           linalgOp.getMatchingIndexingMap(&operand).isIdentity();
  };
  auto takesResult = [&](Operation *user) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getDefiningOp() == user;
    });
  };
  return llvm::all_of(arg.getUses(), [&](OpOperand &use) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user == op && out)
      return isOwnSlice(use, out);
    if (user == op)
      return use.getOwner() == op && isIdentity(use) && isIdentity(init);
    if (!user->isBeforeInBlock(op))
      return false;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
      return isFreeFor(slice.getResult(), init, isNext);
    return !isNext || takesResult(user);
  });
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

/// Tensors that a loop inside carries at most, to be looked through.
static constexpr unsigned kMaxSlots = 16;

namespace {
/// In whose buffers a value of the body of a loop may be.
struct Origins {
  /// Arguments of the loop, tensors without contents, and what comes from
  /// before the loop. Several where a loop inside lets its buffers change
  /// places.
  SmallVector<Value, 2> values;
  /// Results of loops inside that are in the others of these buffers.
  SmallVector<Value, 2> companions;
};

/// Adds slots to the loops of a kernel, inner loops first.
class EvidentSlots {
public:
  explicit EvidentSlots(RewriterBase &rewriter) : rewriter(rewriter) {}

  bool addTo(scf::ForOp loop);

private:
  using Reached = SmallVector<unsigned, 2>;

  std::optional<Origins> getOrigins(Value value, scf::ForOp loop);
  std::optional<Origins> getOriginsOfResult(OpResult result, scf::ForOp loop);
  const std::vector<std::optional<Reached>> &getReached(scf::ForOp inner);
  std::optional<SmallVector<Origins>> getYieldedOrigins(scf::ForOp loop);

  bool updateInPlace(scf::ForOp loop);
  bool overwriteUnneeded(scf::ForOp loop);
  std::optional<NewSlot> findSlot(scf::ForOp loop);
  void replaceFresh(Value origin, Value arg);

  RewriterBase &rewriter;
  /// By a loop that gets no more slots, which arguments' buffers each of its
  /// results may be in.
  DenseMap<Operation *, std::vector<std::optional<Reached>>> reached;
};
} // namespace

/// True when a loop inside `op` may let the buffers that it carries change
/// places.
static bool mayMixBuffers(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    if (!CarryingLoop::isOne(inner))
      return WalkResult::advance();
    unsigned numTensors =
        llvm::count_if(CarryingLoop(inner).getInits(), [](OpOperand &init) {
          return isa<TensorType>(init.get().getType());
        });
    return numTensors > 1 ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Follows the updates of one value by ops of the body of `loop`, which leave
/// nobody else who needs what they update. None when it may be in the buffer of
/// something else as well.
std::optional<Origins> EvidentSlots::getOrigins(Value value, scf::ForOp loop) {
  while (true) {
    if (loop.isDefinedOutsideOfLoop(value))
      return Origins{{value}, {}};
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      if (arg.getOwner() != loop.getBody())
        return std::nullopt;
      return Origins{{value}, {}};
    }
    Operation *op = value.getDefiningOp();
    if (isFreshTensor(op))
      return Origins{{value}, {}};
    if (op->getBlock() != loop.getBody())
      return std::nullopt;
    if (isa<scf::ForOp>(op))
      return getOriginsOfResult(cast<OpResult>(value), loop);
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || mayMixBuffers(op))
      return std::nullopt;
    OpOperand &init = *dps.getTiedOpOperand(cast<OpResult>(value));
    value = init.get();
    if (!isLastUse(value, init))
      return std::nullopt;
  }
}

/// Of a loop inside: it may end before its first iteration, and after any.
std::optional<Origins> EvidentSlots::getOriginsOfResult(OpResult result,
                                                        scf::ForOp loop) {
  auto inner = cast<scf::ForOp>(result.getOwner());
  const std::optional<Reached> &from =
      getReached(inner)[result.getResultNumber()];
  if (!from)
    return std::nullopt;
  Origins origins;
  for (unsigned number : *from) {
    OpOperand &init = inner.getInitArgsMutable()[number];
    std::optional<Origins> some;
    if (isLastUse(init.get(), init))
      some = getOrigins(init.get(), loop);
    if (!some)
      return std::nullopt;
    for (Value value : some->values) {
      if (llvm::is_contained(origins.values, value))
        return std::nullopt;
      origins.values.push_back(value);
    }
    llvm::append_range(origins.companions, some->companions);
    if (number != result.getResultNumber())
      origins.companions.push_back(inner.getResult(number));
  }
  return origins;
}

const std::vector<std::optional<EvidentSlots::Reached>> &
EvidentSlots::getReached(scf::ForOp inner) {
  auto [it, isNew] = reached.try_emplace(inner, inner.getNumResults());
  if (!isNew)
    return it->second;
  std::vector<std::optional<Reached>> result(inner.getNumResults());
  std::vector<std::optional<Reached>> steps(inner.getNumResults());
  unsigned numTensors = 0;
  for (auto [step, yielded] : llvm::zip(steps, inner.getYieldedValues())) {
    if (!isa<TensorType>(yielded.getType()) || ++numTensors > kMaxSlots)
      continue;
    std::optional<Origins> origins = getOrigins(yielded, inner);
    if (!origins)
      continue;
    step.emplace();
    for (Value origin : origins->values) {
      auto arg = dyn_cast<BlockArgument>(origin);
      if (!arg || arg.getOwner() != inner.getBody()) {
        step.reset();
        break;
      }
      step->push_back(arg.getArgNumber() - inner.getNumInductionVars());
    }
  }
  for (auto [first, from] : llvm::enumerate(result)) {
    if (!steps[first])
      continue;
    from = Reached{unsigned(first)};
    for (unsigned i = 0; from && i < from->size(); ++i) {
      const std::optional<Reached> &step = steps[(*from)[i]];
      if (!step)
        from.reset();
      else
        for (unsigned next : *step)
          if (!llvm::is_contained(*from, next))
            from->push_back(next);
    }
  }
  return reached[inner] = std::move(result);
}

/// The origins of the tensors that `loop` yields, in their order. None where
/// two of them may be in one buffer.
std::optional<SmallVector<Origins>>
EvidentSlots::getYieldedOrigins(scf::ForOp loop) {
  SmallVector<Origins> all;
  DenseMap<Value, unsigned> firstOf, numbersOf;
  DenseSet<Value> yields;
  for (Value yielded : loop.getYieldedValues()) {
    if (!isa<TensorType>(yielded.getType()))
      continue;
    std::optional<Origins> origins = getOrigins(yielded, loop);
    if (!origins || !yields.insert(yielded).second)
      return std::nullopt;
    // Those that change places are as many as there are buffers.
    ArrayRef<Value> values = origins->values;
    unsigned first = all.size();
    for (Value value : values)
      first = firstOf.try_emplace(value, first).first->second;
    auto isOfFirst = [&](Value value) {
      return firstOf.lookup(value) == first;
    };
    if (!llvm::all_of(values, isOfFirst) ||
        ++numbersOf[values.front()] > values.size() ||
        (first != all.size() && all[first].values.size() != values.size()))
      return std::nullopt;
    all.push_back(std::move(*origins));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// In the place of what is not needed
//===----------------------------------------------------------------------===//

/// True for a tensor without contents that ops of the body of `loop` update to
/// `yielded`, and which has its type. Nobody else uses it.
static bool isFreshOrigin(Value origin, Value yielded, scf::ForOp loop) {
  Operation *def = origin ? origin.getDefiningOp() : nullptr;
  return def && isFreshTensor(def) && origin != yielded &&
         (def->getBlock() == loop.getBody() ||
          loop.isDefinedOutsideOfLoop(origin)) &&
         origin.getType() == yielded.getType() &&
         isa<RankedTensorType>(origin.getType()) &&
         llvm::all_of(def->getOperands(), [&](Value size) {
           return loop.isDefinedOutsideOfLoop(size);
         });
}

void EvidentSlots::replaceFresh(Value origin, Value arg) {
  Operation *first = *origin.user_begin();
  rewriter.replaceAllUsesWith(origin, arg);
  rewriter.eraseOp(origin.getDefiningOp());
  if (auto forall = dyn_cast<scf::ForallOp>(first))
    readOwnSlicesByOutputs(forall);
}

/// Lets what `loop` hands on to the next iteration be written where it has come
/// from, once nobody needs that any more: there is neither a fresh tensor nor
/// an exchange. True when anything was changed.
bool EvidentSlots::updateInPlace(scf::ForOp loop) {
  bool changed = false;
  for (auto [arg, yielded] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isa<RankedTensorType>(yielded.getType()))
      continue;
    std::optional<Origins> origins = getOrigins(yielded, loop);
    if (!origins || !llvm::hasSingleElement(origins->values))
      continue;
    Value origin = origins->values.front();
    if (!isFreshOrigin(origin, yielded, loop) || !origin.hasOneUse() ||
        !CarriedSizes().areEqual(arg, origin) || !isOnlyRead(arg) ||
        !isFreeFor(arg, *origin.use_begin()))
      continue;
    replaceFresh(origin, arg);
    changed = true;
  }
  return changed;
}

/// Lets what goes on to another place be written into what nothing is in any
/// more: an exchange is left, and the fresh tensor is not. True when anything
/// was changed.
bool EvidentSlots::overwriteUnneeded(scf::ForOp loop) {
  std::optional<SmallVector<Origins>> all = getYieldedOrigins(loop);
  if (!all)
    return false;
  DenseSet<Value> needed;
  SmallVector<Value> fresh;
  auto yields = llvm::make_filter_range(loop.getYieldedValues(), [](Value v) {
    return isa<TensorType>(v.getType());
  });
  for (auto [origins, yielded] : llvm::zip_equal(*all, yields))
    for (Value origin : origins.values)
      if (needed.insert(origin).second && origin.hasOneUse() &&
          isFreshOrigin(origin, yielded, loop))
        fresh.push_back(origin);
  bool changed = false;
  for (BlockArgument arg : loop.getRegionIterArgs()) {
    if (!isa<RankedTensorType>(arg.getType()) || needed.contains(arg) ||
        !isOnlyRead(arg))
      continue;
    auto it = llvm::find_if(fresh, [&](Value origin) {
      return origin && origin.getType() == arg.getType() &&
             CarriedSizes().areEqual(arg, origin) &&
             isFreeFor(arg, *origin.use_begin(), /*isNext=*/true);
    });
    if (it == fresh.end())
      continue;
    replaceFresh(*it, arg);
    *it = {};
    changed = true;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// The first slot that `loop` evidently needs.
std::optional<NewSlot> EvidentSlots::findSlot(scf::ForOp loop) {
  std::optional<SmallVector<Origins>> all = getYieldedOrigins(loop);
  if (!all)
    return std::nullopt;
  DenseSet<Value> needed;
  Operation *fresh = nullptr;
  ArrayRef<Value> companions;
  auto yields = llvm::make_filter_range(loop.getYieldedValues(), [](Value v) {
    return isa<TensorType>(v.getType());
  });
  for (auto [origins, yielded] : llvm::zip_equal(*all, yields))
    for (Value origin : origins.values) {
      needed.insert(origin);
      if (fresh || !isFreshOrigin(origin, yielded, loop))
        continue;
      fresh = origin.getDefiningOp();
      companions = origins.companions;
    }
  if (!fresh)
    return std::nullopt;
  Value name = fresh->getResult(0);
  auto isLike = [&](Value value) {
    return value.getType() == name.getType() &&
           CarriedSizes().areEqual(value, name);
  };
  for (Value companion : companions)
    if (companion.use_empty() && isLike(companion))
      return NewSlot{loop, fresh, companion};
  for (BlockArgument arg : loop.getRegionIterArgs())
    if (!needed.contains(arg) && isLike(arg)) {
      if (!isOnlyRead(arg))
        return std::nullopt;
      return NewSlot{loop, fresh, arg};
    }
  return std::nullopt;
}

bool EvidentSlots::addTo(scf::ForOp loop) {
  bool changed = updateInPlace(loop);
  changed |= overwriteUnneeded(loop);
  while (std::optional<NewSlot> slot = findSlot(loop)) {
    loop = addSlot(rewriter, *slot);
    changed = true;
  }
  return changed;
}

bool mlir::memspace::addEvidentSlots(RewriterBase &rewriter,
                                     FunctionOpInterface kernel) {
  // Inner loops first: what becomes of them are other loops.
  SmallVector<scf::ForOp> loops;
  kernel->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  EvidentSlots slots(rewriter);
  bool changed = false;
  for (scf::ForOp loop : loops)
    changed |= slots.addTo(loop);
  return changed;
}
