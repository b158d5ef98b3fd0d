//===- AnalysisSegments.cpp - One-Shot's analysis in segments -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For each operand One-Shot compares each read with each write of all tensors
/// that share the operand's buffer by then. In a long chain of updates
///
///   %1 = scf.forall … shared_outs(%o = %0)
///   %2 = scf.forall … shared_outs(%o = %1)
///   …
///
/// these are all tensors of the chain, though an update can conflict with none
/// but its neighbours. During the analysis the chain is therefore cut: behind
/// some ops, other ops find another tensor than the result, which comes from
/// outside and is written as well. Nothing is known of the two but that they
/// are apart, so that the analysis of each segment sees the segment only.
///
/// A *family* are the tensors that may share a buffer, were everything in
/// place; and more, where that is easier to say. They are made in one block or
/// below. A result %v of an op P of that block is cut when
/// - no other tensor of the family that is made by then is used behind P: what
///   happens to the family before is over when what happens behind P begins;
/// - P writes it, and nothing else of the family: who reads behind P finds that
///   write, or a later one.
///
/// Of a read and a write on two sides of the cut, the one before it belongs to
/// P or to what P comes after. So either the read happens before the write, or
/// the write happens before the one that the read is to find, and One-Shot sees
/// no conflict. That its other questions, too, are answered in the segment
/// alone needs what `Families` asks of a family and `canCut` of the tensor.
///
/// A tensor that nobody in its family writes is cut as well, between one of its
/// uses and another: there is nothing to conflict with.
///
//===----------------------------------------------------------------------===//

#include "AnalysisSegments.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

namespace {
/// Tensors that may share a buffer.
struct Family {
  /// In program order.
  SmallVector<Value, 4> values;
  /// The innermost block that all of them are made in, or below, and the
  /// control flow that they are passed by is in.
  Block *home = nullptr;
  /// An op writes one of them.
  bool isWritten = false;
  /// One-Shot's questions of a read and a write of two segments have the answer
  /// "no conflict".
  bool canBeCut = true;
};

class Families {
public:
  Families(FunctionOpInterface kernel, const OneShotAnalysisState &state);

  ArrayRef<Family> get() const { return families; }
  /// The results that their op, which is one of the home's block, alone writes
  /// of the family, and that are the only tensor in use of it behind the op; no
  /// two with less than `distance` others between them.
  SmallVector<OpResult> getNarrowPlaces(const Family &family,
                                        unsigned distance) const;

private:
  Family &get(Value value) { return families[sets[ids.lookup(value)]]; }
  void unite(Operation *op);
  void keepPassed(Operation *op);
  static void addToHome(Family &family, Block *block);
  void judge(Operation *op);
  bool isPrivatized(OpOperand &write) const;
  bool isOnlyWrite(OpResult result) const;
  unsigned getPlace(Operation *op, const Family &family) const {
    return ordinals.lookup(family.home->findAncestorOpInBlock(*op));
  }

  const OneShotAnalysisState &state;
  /// Ops and tensors in program order.
  DenseMap<Operation *, unsigned> ordinals;
  SmallVector<Value> values;
  DenseMap<Value, unsigned> ids;
  llvm::IntEqClasses sets;
  SmallVector<Family, 0> families;
};
} // namespace

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

Families::Families(FunctionOpInterface kernel,
                   const OneShotAnalysisState &state)
    : state(state) {
  auto add = [&](Value value) {
    if (!isTensor(value))
      return;
    ids[value] = values.size();
    values.push_back(value);
  };
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ordinals[op] = ordinals.size();
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
  sets.grow(values.size());
  kernel.getFunctionBody().walk([&](Operation *op) { unite(op); });
  sets.compress();
  families.resize(sets.getNumClasses());
  for (Value value : values) {
    Family &family = get(value);
    family.values.push_back(value);
    family.canBeCut &= state.isWritable(value);
    addToHome(family, value.getParentBlock());
  }
  kernel.getFunctionBody().walk([&](Operation *op) {
    judge(op);
    keepPassed(op);
  });
  // A block that branches come back to has no order.
  for (Family &family : families)
    family.canBeCut &= family.home && family.home->getParent()->hasOneBlock();
}

/// What `op` may put into one buffer.
void Families::unite(Operation *op) {
  auto unite = [&](Value a, Value b) {
    if (isTensor(a) && isTensor(b))
      sets.join(ids.lookup(a), ids.lookup(b));
  };
  for (OpOperand &operand : op->getOpOperands())
    if (isTensor(operand.get()))
      for (const AliasingValue &alias : state.getAliasingValues(operand))
        unite(operand.get(), alias.value);
  for (OpResult result : op->getResults())
    if (isTensor(result))
      for (const AliasingOpOperand &alias : state.getAliasingOpOperands(result))
        unite(result, alias.opOperand->get());
  auto uniteLists = [&](ValueRange as, ValueRange bs) {
    for (auto [a, b] : llvm::zip(as, bs))
      unite(a, b);
  };
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    uniteLists(loop.getInits(), loop.getRegionIterArgs());
    if (std::optional<ResultRange> results = loop.getLoopResults())
      uniteLists(loop.getInits(), *results);
  }
}

/// What control flow passes into its regions and out of them is compared
/// afterwards: whether an iteration ends with the buffer that it began with.
void Families::keepPassed(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      auto keep = [&](ValueRange passed) {
        for (Value value : passed)
          if (isTensor(value))
            addToHome(get(value), op->getBlock());
      };
      keep(block.getArguments());
      if (block.mightHaveTerminator())
        keep(block.getTerminator()->getOperands());
    }
}

/// True when One-Shot gives an iteration of a parallel loop a buffer of its own
/// for what `write` writes, if anybody reads it: in any segment.
bool Families::isPrivatized(OpOperand &write) const {
  Region *parallel = getParallelRegion(write.getOwner()->getParentRegion(),
                                       state.getOptions());
  if (!parallel)
    return false;
  auto isWrite = [&](Value value) {
    return state.bufferizesToMemoryWrite(value);
  };
  return llvm::any_of(
      state.findValueInReverseUseDefChain(&write, isWrite), [&](Value value) {
        return getParallelRegion(value.getParentRegion(), state.getOptions()) !=
               parallel;
      });
}

void Families::judge(Operation *op) {
  bool isBufferizable =
      static_cast<bool>(state.getOptions().dynCastBufferizableOp(op));
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTensor(operand.get()))
      continue;
    Family &family = get(operand.get());
    family.canBeCut &= isBufferizable;
    if (!isBufferizable || !state.bufferizesToMemoryWrite(operand)) {
      family.isWritten |= !isBufferizable;
      continue;
    }
    family.isWritten = true;
    if (family.canBeCut)
      family.canBeCut = !isPrivatized(operand);
  }
}

void Families::addToHome(Family &family, Block *block) {
  if (!family.home)
    family.home = block;
  while (family.home && family.home != block &&
         !family.home->findAncestorOpInBlock(*block->getParentOp()))
    family.home = family.home->getParentOp()->getBlock();
}

/// True when nobody can tell `value` from another tensor that is written: there
/// is something in it, and no use of it is in place before the analysis.
static bool canCut(Value value, const OneShotAnalysisState &state) {
  return isa<RankedTensorType>(value.getType()) &&
         state.bufferizesToMemoryWrite(value) &&
         llvm::none_of(value.getUses(), [&](OpOperand &use) {
           return use.getOwner()->hasTrait<OpTrait::IsTerminator>() ||
                  state.isInPlace(use);
         });
}

/// True when the op of `result` writes no other tensor of the family, which
/// would come neither before that write nor after it, and hands on no tensor
/// that it neither reads nor writes: who reads the result would read that, too.
bool Families::isOnlyWrite(OpResult result) const {
  unsigned set = sets[ids.lookup(result)], count = 0;
  for (OpOperand &operand : result.getOwner()->getOpOperands()) {
    if (!isTensor(operand.get()) || sets[ids.lookup(operand.get())] != set)
      continue;
    if (++count > 1 || state.bufferizesToAliasOnly(operand))
      return false;
  }
  return true;
}

SmallVector<OpResult> Families::getNarrowPlaces(const Family &family,
                                                unsigned distance) const {
  // By the ops of the home, when each tensor is made and used last.
  SmallVector<unsigned> made, lastUse;
  for (Value value : family.values) {
    Block *block = value.getParentBlock();
    Operation *maker = value.getDefiningOp();
    if (!maker && block != family.home)
      maker = block->getParentOp();
    made.push_back(maker ? getPlace(maker, family) : 0);
    unsigned last = made.back();
    for (Operation *user : value.getUsers())
      last = std::max(last, getPlace(user, family));
    lastUse.push_back(last);
  }
  SmallVector<unsigned> ends = lastUse;
  llvm::sort(ends);

  SmallVector<OpResult> narrow;
  unsigned next = 0, ended = 0, lastCut = 0, n = family.values.size();
  while (next < n) {
    unsigned place = made[next];
    OpResult remaining;
    for (; next < n && made[next] == place; ++next)
      if (lastUse[next] > place)
        remaining = dyn_cast<OpResult>(family.values[next]);
    while (ended < n && ends[ended] <= place)
      ++ended;
    if (next - ended != 1 || !remaining || next - lastCut < distance ||
        !canCut(remaining, state) || !isOnlyWrite(remaining))
      continue;
    narrow.push_back(remaining);
    lastCut = next;
  }
  return narrow;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

namespace {
/// Tensors that take the place of others during the analysis. What the state
/// knows of them goes by their addresses: they live as long as the state,
/// afterwards in a module of their own.
class Cuts final : public OneShotAnalysisState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Cuts)

  Cuts(OneShotAnalysisState &state, FunctionOpInterface kernel)
      : Extension(state), builder(kernel.getContext()),
        attic(ModuleOp::create(kernel.getLoc())) {
    builder.setInsertionPointToStart(attic->getBody());
    auto type = MemRefType::get({1}, builder.getI1Type());
    memory = UnrealizedConversionCastOp::create(builder, kernel.getLoc(),
                                                TypeRange(type), ValueRange())
                 .getResult(0);
    Operation *substitute = createSubstitute(
        kernel.getLoc(), RankedTensorType::get({1}, builder.getI1Type()));
    known =
        static_cast<bool>(state.getOptions().dynCastBufferizableOp(substitute));
  }

  /// False when the options leave the substitutes out of bufferization.
  bool areKnown() const { return known; }

  /// Lets `uses` of `value` find another tensor.
  void cut(Value value, ArrayRef<OpOperand *> uses,
           OneShotAnalysisState &state);
  /// Afterwards the two are one.
  void mend(OneShotAnalysisState &state);

private:
  ToTensorOp createSubstitute(Location loc, Type type) {
    return ToTensorOp::create(builder, loc, type, memory, /*restrict=*/true,
                              /*writable=*/true);
  }

  struct Cut {
    Value value;
    ToTensorOp substitute;
    SmallVector<OpOperand *> uses;
  };
  OpBuilder builder;
  OwningOpRef<ModuleOp> attic;
  Value memory;
  bool known = false;
  SmallVector<Cut> cuts;
};
} // namespace

void Cuts::cut(Value value, ArrayRef<OpOperand *> uses,
               OneShotAnalysisState &state) {
  builder.setInsertionPointAfterValue(value);
  ToTensorOp substitute = createSubstitute(value.getLoc(), value.getType());
  state.createAliasInfoEntry(substitute.getResult());
  for (OpOperand *use : uses)
    use->set(substitute.getResult());
  cuts.push_back({value, substitute, llvm::to_vector(uses)});
}

void Cuts::mend(OneShotAnalysisState &state) {
  for (Cut &cut : llvm::reverse(cuts)) {
    // The first use of a list is the one that was added last.
    for (OpOperand *use : llvm::reverse(cut.uses))
      use->set(cut.value);
    state.unionAliasSets(cut.value, cut.substitute.getResult());
    state.unionEquivalenceClasses(cut.value, cut.substitute.getResult());
    cut.substitute->moveBefore(attic->getBody(), attic->getBody()->end());
  }
  state.resetCache();
}

/// True when no other tensor is in the buffer of `use` as a whole, so that none
/// can be found to equal what comes of another use.
static bool makesNoEqual(OpOperand &use, const OneShotAnalysisState &state) {
  return isa<SubsetExtractionOpInterface>(use.getOwner()) ||
         state.getAliasingValues(use).getNumAliases() == 0;
}

/// Refuses a segment for which One-Shot would take long.
static LogicalResult checkSegment(ArrayRef<Value> segment) {
  if (segment.size() <= kMaxSegmentTensors)
    return success();
  return emitError(segment.back().getLoc())
         << "this is the last of " << segment.size()
         << " tensors that may share a buffer, of which more than one is in "
            "use at any time; their analysis would take too long: use loops, "
            "or several kernels";
}

/// True when more than `limit` tensors may be of one family, or a tensor has so
/// many uses: an op puts into one buffer the results and the tensors that it
/// writes as their destinations, or where it does not say so, all that it has
/// to do with.
static bool mayHaveLargeFamily(FunctionOpInterface kernel, unsigned limit) {
  DenseMap<Value, unsigned> ids;
  llvm::IntEqClasses sets;
  auto getId = [&](Value value) {
    auto [it, isNew] = ids.try_emplace(value, ids.size());
    if (isNew)
      sets.grow(ids.size());
    return it->second;
  };
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op);
        dps && op->getNumResults() != 0) {
      for (OpOperand &init : dps.getDpsInitsMutable())
        if (isTensor(init.get()))
          sets.join(getId(init.get()), getId(dps.getTiedOpResult(&init)));
      return;
    }
    std::optional<unsigned> first;
    auto unite = [&](ValueRange values) {
      for (Value value : values)
        if (isTensor(value))
          first = sets.join(first ? *first : getId(value), getId(value));
    };
    unite(op->getOperands());
    unite(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        unite(block.getArguments());
        if (block.mightHaveTerminator())
          unite(block.getTerminator()->getOperands());
      }
  });
  sets.compress();
  SmallVector<unsigned> sizes(sets.getNumClasses());
  // What only reads a tensor makes no family larger, but has no end of uses.
  bool isMuchRead = false;
  kernel->walk([&](Operation *op) {
    for (Value result : op->getResults())
      isMuchRead |=
          isTensor(result) && llvm::hasNItemsOrMore(result.getUses(), limit);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument arg : block.getArguments())
          isMuchRead |=
              isTensor(arg) && llvm::hasNItemsOrMore(arg.getUses(), limit);
  });
  return isMuchRead || llvm::any_of(ids, [&](auto entry) {
           return ++sizes[sets[entry.second]] > limit;
         });
}

LogicalResult mlir::memspace::analyzeInSegments(FunctionOpInterface kernel,
                                                OneShotAnalysisState &state,
                                                unsigned segmentTensors) {
  if (!mayHaveLargeFamily(kernel, 2 * segmentTensors))
    return analyzeOp(kernel, state);
  auto &cuts = state.addExtension<Cuts>(kernel);
  // All uses are found before the first is another tensor's.
  std::vector<std::pair<Value, SmallVector<OpOperand *>>> found;
  auto getUses = [](Value value) {
    return llvm::map_to_vector(value.getUses(),
                               [](OpOperand &use) { return &use; });
  };
  Families families(kernel, state);
  for (const Family &family : families.get()) {
    if (family.isWritten) {
      ArrayRef<Value> rest = family.values;
      if (family.canBeCut && cuts.areKnown())
        for (OpResult result :
             families.getNarrowPlaces(family, segmentTensors)) {
          found.emplace_back(result, getUses(result));
          const Value *end = llvm::find(rest, Value(result)) + 1;
          if (failed(checkSegment(ArrayRef(rest.begin(), end))))
            return failure();
          rest = ArrayRef(end, rest.end());
        }
      if (failed(checkSegment(rest)))
        return failure();
      continue;
    }
    for (Value value : family.values) {
      if (!llvm::hasNItemsOrMore(value.getUses(), 2 * segmentTensors) ||
          !canCut(value, state) || !cuts.areKnown())
        continue;
      SmallVector<OpOperand *> uses = getUses(value);
      llvm::erase_if(
          uses, [&](OpOperand *use) { return !makesNoEqual(*use, state); });
      for (ArrayRef<OpOperand *> rest = uses; !rest.empty();) {
        unsigned size = std::min<size_t>(rest.size(), segmentTensors);
        found.emplace_back(value,
                           SmallVector<OpOperand *>(rest.take_front(size)));
        rest = rest.drop_front(size);
      }
    }
  }
  for (auto &[value, uses] : found)
    cuts.cut(value, uses, state);
  LogicalResult result = analyzeOp(kernel, state);
  cuts.mend(state);
  return result;
}
