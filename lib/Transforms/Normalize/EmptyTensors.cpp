//===- EmptyTensors.cpp - results straight into their destination -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel/ChainDepth.h"
#include "KernelVerifier.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Spaces/LiveUses.h"
#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "Normalization.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

/// The values that have (a part of) the buffer of `use`'s value behind `use`,
/// were it bufferized in place.
static void appendTied(OpOperand &use, SmallVectorImpl<Value> &values) {
  Operation *op = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (OpResult result = loop.getTiedLoopResult(&use)) {
      values.push_back(result);
      values.push_back(loop.getTiedLoopRegionIterArg(&use));
    }
  } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    values.push_back(forall.getTiedOpResult(&use));
    values.push_back(forall.getTiedBlockArgument(&use));
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    values.push_back(slice);
  } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
    if (dps.isDpsInit(&use))
      values.push_back(dps.getTiedOpResult(&use));
  } else if (isa<scf::YieldOp>(op)) {
    if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
      values.push_back(branch.getResult(use.getOperandNumber()));
  }
}

/// True when `use` is the tensor that an op puts an element or a part into. Its
/// other elements stay; the op does not look at them.
static bool isInsertedInto(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return use == insert.getDestMutable();
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(op);
  return insertion && use == insertion.getDestinationOperand();
}

/// What `value` was before ops, branches and loops wrote it in place; if
/// `within` is given, before those in this region.
static Value getOriginal(Value value, Region *within = nullptr,
                         unsigned depth = 0) {
  while (auto result = dyn_cast<OpResult>(value)) {
    if ((within && result.getParentRegion() != within) ||
        depth > kMaxChainDepth)
      break;
    Operation *op = result.getOwner();
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
      value = dps.getTiedOpOperand(result)->get();
    } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      value = forall.getTiedOpOperand(result)->get();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      BlockArgument carried = loop.getTiedLoopRegionIterArg(result);
      if (getOriginal(loop.getTiedLoopYieldedValue(carried)->get(),
                      &loop.getRegion(), depth + 1) != carried)
        break;
      value = loop.getTiedLoopInit(result)->get();
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      unsigned number = result.getResultNumber();
      auto getBefore = [&](Region &region, scf::YieldOp yield) {
        return getOriginal(yield.getOperand(number), &region, depth + 1);
      };
      Value before = getBefore(branch.getThenRegion(), branch.thenYield());
      if (getBefore(branch.getElseRegion(), branch.elseYield()) != before)
        break;
      value = before;
    } else {
      break;
    }
  }
  return value;
}

/// True when `use` is what an op puts back to where it was taken from, after
/// it was written in place.
static bool isPutBack(OpOperand &use) {
  auto insertion = dyn_cast<SubsetInsertionOpInterface>(use.getOwner());
  return insertion && use == insertion.getSourceOperand() &&
         insertion.isEquivalentSubset(
             getOriginal(use.get()),
             [](Value left, Value right) { return left == right; });
}

bool mlir::memspace::isLoopAccumulator(Value root, const AnalysisState &state) {
  SmallVector<Value> worklist = {root};
  DenseSet<Value> seen = {root}, carried;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto arg = dyn_cast<BlockArgument>(value);
    if (arg && isa<scf::ForOp>(arg.getOwner()->getParentOp()))
      carried.insert(value);
    for (OpOperand &use : value.getUses()) {
      if (carried.contains(value) &&
          !isa<scf::ForOp, scf::ForallOp, scf::YieldOp>(use.getOwner()) &&
          !isInsertedInto(use) && !isPutBack(use) &&
          state.bufferizesToMemoryRead(use))
        return true;
      SmallVector<Value> tied;
      appendTied(use, tied);
      for (Value next : tied) {
        if (carried.contains(value) && carried.insert(next).second)
          seen.erase(next);
        if (seen.insert(next).second)
          worklist.push_back(next);
      }
    }
  }
  return false;
}

/// True when `insertion` writes the caller's memory in a branch or a loop that
/// `empty` is outside of: the memory would be written where that is not
/// entered.
static bool isConditional(SubsetInsertionOpInterface insertion,
                          tensor::EmptyOp empty) {
  return isa<bufferization::MaterializeInDestinationOp>(
             insertion.getOperation()) &&
         !insertion->getParentRegion()->isAncestor(empty->getParentRegion());
}

void mlir::memspace::dropSelfStores(FunctionOpInterface kernel) {
  SmallVector<MaterializeInDestinationOp> selfStores;
  kernel->walk([&](MaterializeInDestinationOp store) {
    auto tensor = store.getSource().getDefiningOp<ToTensorOp>();
    if (tensor && tensor.getBuffer() == store.getDest() &&
        llvm::all_of(store.getDest().getUsers(), [&](Operation *user) {
          return user == store || isa<ToTensorOp>(user);
        }))
      selfStores.push_back(store);
  });
  for (MaterializeInDestinationOp store : selfStores) {
    for (Operation *user : store.getDest().getUsers())
      if (auto tensor = dyn_cast<ToTensorOp>(user))
        tensor.setWritable(false);
    store.erase();
  }
}

void mlir::memspace::freeOverwrittenMemory(FunctionOpInterface kernel) {
  llvm::MapVector<Value, SmallVector<MaterializeInDestinationOp>> stores;
  kernel->walk([&](MaterializeInDestinationOp store) {
    if (isa<BaseMemRefType>(store.getDest().getType()))
      stores[getBaseMemRef(store.getDest())].push_back(store);
  });
  SmallVector<ToTensorOp> stored, free;
  kernel->walk([&](ToTensorOp tensor) {
    auto it = stores.find(getBaseMemRef(tensor.getBuffer()));
    if (it != stores.end() && isa<RankedTensorType>(tensor.getType()) &&
        !llvm::all_of(it->second, [&](MaterializeInDestinationOp store) {
          return isUpdateOf(store.getSource(), tensor.getResult());
        }))
      stored.push_back(tensor);
  });
  if (stored.empty())
    return;
  // What is computed for nothing must not read memory without contents either.
  LiveUses live = LiveUses::ofAllOps(kernel);
  for (ToTensorOp tensor : stored)
    if (!live.isLive(tensor.getResult()))
      free.push_back(tensor);
  IRRewriter rewriter(kernel.getContext());
  for (ToTensorOp tensor : free) {
    rewriter.setInsertionPointAfter(tensor);
    Value scratch = tensor::EmptyOp::create(
        rewriter, tensor.getLoc(),
        tensor::getMixedSizes(rewriter, tensor.getLoc(), tensor.getResult()),
        cast<RankedTensorType>(tensor.getType()).getElementType());
    rewriter.replaceUsesWithIf(tensor.getResult(), scratch, [](OpOperand &use) {
      return !isa<tensor::DimOp>(use.getOwner());
    });
  }
}

/// True for (a slice of) memory that may only be read.
static bool isReadOnly(Value tensor) {
  while (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = slice.getSource();
  auto read = tensor.getDefiningOp<ToTensorOp>();
  return read && !read.getWritable();
}

static bool hasUnboundedExtent(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) && !getConstantUpperBound(tensor, dim))
      return true;
  return false;
}

void mlir::memspace::copyUnboundedInits(FunctionOpInterface kernel) {
  SmallVector<OpOperand *> inits;
  kernel->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(op);
      if (((dps && dps.isDpsInit(&operand)) || isInsertedInto(operand)) &&
          isReadOnly(operand.get()) && hasUnboundedExtent(operand.get()))
        inits.push_back(&operand);
    }
  });
  IRRewriter rewriter(kernel.getContext());
  for (OpOperand *init : inits) {
    rewriter.setInsertionPoint(init->getOwner());
    init->set(copyTensor(rewriter, init->getOwner()->getLoc(), init->get()));
  }
}

/// The operand that `yielded` began as, before ops in `within` wrote it in
/// place, if it is an empty tensor there; null if it is not.
static OpOperand *findEmpty(OpOperand &yielded, Region &within) {
  OpOperand *start = &yielded;
  while (!start->get().getDefiningOp<tensor::EmptyOp>()) {
    auto result = dyn_cast<OpResult>(start->get());
    if (!result || result.getParentRegion() != &within)
      return nullptr;
    Operation *op = result.getOwner();
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
      start = dps.getTiedOpOperand(result);
    else if (auto forall = dyn_cast<scf::ForallOp>(op))
      start = forall.getTiedOpOperand(result);
    else if (auto loop = dyn_cast<scf::ForOp>(op);
             loop && getOriginal(result, &within) != result)
      start = loop.getTiedLoopInit(result);
    else
      return nullptr;
  }
  return start;
}

/// Where `user` is in a branch that now yields `destination` for an empty
/// tensor, the other branch does so, too, if `mayGo` says so of its tensor.
/// Upstream looks for one tensor, and would leave the branches with two buffers
/// for one result.
static void followInOtherBranch(Operation *user, Value destination,
                                llvm::function_ref<bool(Value)> mayGo) {
  for (auto branch = user->getParentOfType<scf::IfOp>();
       branch &&
       destination.getParentRegion()->isAncestor(branch->getParentRegion());
       branch = branch->getParentOfType<scf::IfOp>()) {
    if (branch.getNumResults() == 0)
      continue;
    Region *own = &branch.getThenRegion(), *other = &branch.getElseRegion();
    if (!own->isAncestor(user->getParentRegion()))
      std::swap(own, other);
    auto yield = cast<scf::YieldOp>(own->front().getTerminator()),
         otherYield = cast<scf::YieldOp>(other->front().getTerminator());
    for (auto [value, operand] :
         llvm::zip_equal(yield.getOperands(), otherYield->getOpOperands())) {
      if (getOriginal(value, own) != destination)
        continue;
      OpOperand *start = findEmpty(operand, *other);
      if (start && start->get().getType() == destination.getType() &&
          mayGo(start->get()) &&
          DominanceInfo().properlyDominates(destination, start->getOwner()))
        start->set(destination);
    }
  }
}

/// What elimination asks One-Shot, where no analysis is needed for that: it
/// follows tensors to the ops that made them, and what is inserted is read
/// only, which is in place. An iteration ends with the buffer that it began
/// with if all that it does is in place; where it is not, a result goes into
/// its destination all the same. Null where other loops and branches are asked
/// about, of which only an analysis knows what comes out.
static std::shared_ptr<OneShotAnalysisState>
getStateWithoutAnalysis(FunctionOpInterface kernel,
                        const OneShotBufferizationOptions &options) {
  WalkResult trusted = kernel->walk([&](Operation *op) {
    return WalkResult(
        success(hasTrustedModel(op) || !options.dynCastBufferizableOp(op)));
  });
  if (trusted.wasInterrupted())
    return nullptr;
  auto state = std::make_shared<OneShotAnalysisState>(kernel, options);
  auto isOfControlFlow = [](Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      op = cast<BlockArgument>(value).getOwner()->getParentOp();
    return isa<RegionBranchOpInterface, LoopLikeOpInterface>(op) &&
           !isa<scf::ForallOp, scf::ForOp, scf::IfOp>(op);
  };
  kernel->walk([&](scf::ForOp loop) {
    for (auto [arg, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (isa<TensorType>(arg.getType()) &&
          getOriginal(yielded, &loop.getRegion()) == arg)
        state->unionEquivalenceClasses(arg, yielded);
  });
  TraversalConfig config;
  config.alwaysIncludeLeaves = false;
  config.followEquivalentOnly = true;
  WalkResult known = kernel->walk([&](SubsetInsertionOpInterface insertion) {
    OpOperand &source = insertion.getSourceOperand();
    // A vector goes in by a write.
    if (!isa<TensorType>(source.get().getType()))
      return WalkResult::advance();
    state->bufferizeInPlace(source);
    return WalkResult(success(
        state->findValueInReverseUseDefChain(&source, isOfControlFlow, config)
            .empty()));
  });
  return known.wasInterrupted() ? nullptr : state;
}

LogicalResult
mlir::memspace::eliminateEmptyTensorsSelectively(FunctionOpInterface kernel,
                                                 OneShotAnalyses &analyses) {
  std::shared_ptr<OneShotAnalysisState> state =
      getStateWithoutAnalysis(kernel, analyses.getOptions());
  if (!state)
    state = analyses.get(kernel);
  if (!state)
    return failure();
  ExecutionScopeAnalysis scopes(kernel);
  IRRewriter rewriter(kernel.getContext());
  // At grid scope there is no other place for it.
  auto mayGo = [&](Value empty) {
    return scopes.getScope(empty.getDefiningOp()) == ExecutionScope::Grid ||
           !isLoopAccumulator(empty, *state);
  };
  SmallVector<std::pair<Operation *, Value>> replaced;
  LogicalResult eliminated = eliminateEmptyTensors(
      rewriter, kernel, *state,
      [&](RewriterBase &b, SubsetInsertionOpInterface insertion,
          tensor::EmptyOp empty, Operation *user) -> Value {
        if (isConditional(insertion, empty) || !mayGo(empty))
          return {};
        Value destination = buildSubsetExtraction(b, insertion, empty, user);
        // Upstream also offers the result of the very branch that yields the
        // empty tensor, when an op copies that result to itself.
        if (destination &&
            !DominanceInfo().properlyDominates(destination, user))
          return {};
        if (destination)
          replaced.push_back({user, destination});
        return destination;
      });
  for (auto [user, destination] : replaced)
    followInOtherBranch(user, destination, mayGo);
  return eliminated;
}
