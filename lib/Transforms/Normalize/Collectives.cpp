//===- Collectives.cpp - one form of all collectives -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "MemSpace/Spaces/Collectives.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "Normalization.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// All threads together
//===----------------------------------------------------------------------===//

bool memspace::isCollective(Operation *op) {
  if (isa<BeginCollectiveOp, EndCollectiveOp>(op))
    return true;
  return isa<CollectiveOpInterface>(op) &&
         (llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) ||
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>));
}

/// Outside of the forall of the threads `op` stands for what the collectives
/// in there do to the tensor: normalization puts it there.
static bool standsForForall(Operation *op) {
  return isa<BeginCollectiveOp>(op) && op->hasOneUse() &&
         isa<BeginCollectiveOp>(*op->user_begin()) &&
         getThreadForall(*op->user_begin());
}

namespace {
/// Which values are the same in all iterations of a forall, and which ops are
/// entered by all of them alike; without a forall, in all threads of a
/// workgroup. One question to each: the first value that is not the same ends
/// it.
class UniformValues {
public:
  explicit UniformValues(scf::ForallOp forall)
      : forall(forall), scope(forall && getForallMapping(forall)->lane
                                  ? ExecutionScope::Subgroup
                                  : ExecutionScope::Workgroup) {}

  bool contains(Value value) {
    // In a circle of carried values, what comes from outside decides.
    if (!asked.insert(value).second)
      return true;
    auto arg = dyn_cast<BlockArgument>(value);
    Operation *op = arg ? arg.getOwner()->getParentOp() : value.getDefiningOp();
    if (arg && forall && op == forall)
      return false;
    if (arg && !isInside(value)) {
      // Of workgroups, or of the subgroups around lanes.
      bool isOfAll = isa<FunctionOpInterface, scf::ForallOp>(op) &&
                     arg.getOwner()->isEntryBlock();
      if (isOfAll)
        return true;
    }
    if (auto loop = dyn_cast<scf::ForOp>(op);
        loop && arg && arg == loop.getInductionVar())
      return isEnteredTogether(op);
    if (std::optional<SmallVector<Value>> passed = getPassedValues(value))
      return isEnteredTogether(op) && containsAll(*passed);
    if (!arg && !isInside(value) && isa<CollectiveOpInterface>(op))
      return containsAllOf(op);
    return !arg &&
           (isInside(value) ? isComputedInside(op) : isComputedOutside(op));
  }

  /// The regions of `op` are entered, and left, by all iterations alike.
  bool isEnteredTogether(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return contains(loop.getLowerBound()) && contains(loop.getUpperBound()) &&
             contains(loop.getStep());
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return contains(branch.getCondition());
    if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
      return contains(choice.getArg());
    if (isa<arith::SelectOp>(op))
      return contains(op->getOperand(0));
    if (forall && forall->isProperAncestor(op))
      return isa<CollectiveOpInterface>(op);
    // Those around this one are of subgroups and workgroups.
    if (isa<scf::ForallOp>(op))
      return true;
    std::optional<SmallVector<Value>> values = getControlValues(op);
    return values && containsAll(*values);
  }

  /// The operands of `op`, and all that its regions take from outside or make,
  /// are the same.
  bool containsAllOf(Operation *op) {
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    bool isSame = containsAll(op->getOperands()) && containsAll(captured);
    return isSame && !op->walk([&](Operation *inner) {
                          return WalkResult(success(
                              inner == op || inner->getNumResults() == 0 ||
                              getResultScope(inner) <= scope));
                        }).wasInterrupted();
  }

private:
  bool isInside(Value value) {
    return forall && forall.getRegion().isAncestor(value.getParentRegion());
  }

  template <typename RangeT> bool containsAll(const RangeT &values) {
    return llvm::all_of(values, [&](Value value) { return contains(value); });
  }

  bool isComputedInside(Operation *op) {
    bool computes =
        isa<affine::AffineDialect, arith::ArithDialect, index::IndexDialect>(
            op->getDialect()) ||
        isa<gpu::BlockIdOp, gpu::GridDimOp, gpu::BlockDimOp, tensor::DimOp,
            tensor::ExtractOp>(op);
    return computes && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           containsAll(op->getOperands());
  }

  /// A forall of threads makes one tensor of what they differ in.
  bool isComputedOutside(Operation *op) {
    if (isa<memref::AllocaOp>(op) || getResultScope(op) > scope)
      return false;
    if (isa<scf::ForallOp>(op))
      return containsAll(op->getOperands());
    return ignoresOperandScopes(op) || containsAllOf(op);
  }

  scf::ForallOp forall;
  /// All of its threads are one of these.
  ExecutionScope scope;
  DenseSet<Value> asked;
};
} // namespace

/// None when `op` has one of the two forms that its interface knows; else what
/// is not so.
static std::optional<StringRef> findFault(Operation *op) {
  if (op->getNumRegions() == 0) {
    if (op->getOperandTypes() != op->getResultTypes())
      return "has operands and results of different types";
    return std::nullopt;
  }
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() ||
      !op->getRegion(0).front().mightHaveTerminator())
    return "has more than one block, or no terminator";
  Block &block = op->getRegion(0).front();
  if (block.getArgumentTypes() != op->getOperandTypes())
    return "has operands and arguments of its region of different types";
  if (block.getTerminator()->getOperandTypes() != op->getResultTypes())
    return "has results and operands of its terminator of different types";
  return std::nullopt;
}

/// Outside of their forall all threads of a workgroup do the same: there is one
/// tensor already, and the collective gives what it gets.
static bool isOfWholeWorkgroup(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (!collective ||
      collective.getCollectiveScope() != ExecutionScope::Workgroup ||
      !UniformValues(nullptr).containsAllOf(op))
    return false;
  for (Operation *around = op->getParentOp(); !isa<FunctionOpInterface>(around);
       around = around->getParentOp()) {
    auto forall = dyn_cast<scf::ForallOp>(around);
    std::optional<ForallMapping> mapping;
    if (forall)
      mapping = getForallMapping(forall);
    bool isTogether =
        forall ? mapping && mapping->scope == ExecutionScope::Workgroup
               : UniformValues(nullptr).isEnteredTogether(around);
    if (!isTogether)
      return false;
  }
  return true;
}

LogicalResult memspace::verifyCollective(Operation *op,
                                         const KernelContext &context) {
  scf::ForallOp forall = getThreadForall(op);
  if (!forall && standsForForall(op))
    return success();
  if (!forall && isOfWholeWorkgroup(op)) {
    if (std::optional<StringRef> fault = findFault(op))
      return op->emitError()
             << "collective '" << op->getName() << "' " << *fault
             << "; see 'CollectiveOpInterface' for its forms";
    return success();
  }
  if (!forall)
    return op->emitError()
           << "collective outside of a forall over threads: '" << op->getName()
           << "' makes one tensor of what each thread contributes; put it into "
              "an 'scf.forall' that is mapped to threads or lanes";
  bool isLane = getForallMapping(forall)->lane;
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
    if (std::optional<StringRef> fault = findFault(op))
      return op->emitError()
             << "collective '" << op->getName() << "' " << *fault
             << "; see 'CollectiveOpInterface' for its forms";
    ExecutionScope scope =
        isLane ? ExecutionScope::Subgroup : ExecutionScope::Workgroup;
    if (collective.getCollectiveScope() != scope)
      return op->emitError()
             << "collective of a "
             << stringifyExecutionScope(collective.getCollectiveScope())
             << " in a forall over the "
             << (isLane ? "lanes of a subgroup" : "threads of a workgroup")
             << "; each iteration of the forall around it must be one thread "
                "of its scope";
  }
  int64_t threads =
      isLane ? context.getTarget().subgroupSize : context.getThreads();
  std::optional<SmallVector<int64_t, 3>> trips = getStaticTripCounts(forall);
  int64_t iterations = 1;
  for (int64_t count : trips.value_or(SmallVector<int64_t, 3>{0}))
    iterations *= count;
  if (iterations != threads) {
    InFlightDiagnostic diag = op->emitError();
    diag << "not all threads come to this collective together: the forall "
            "around it has "
         << (trips ? std::to_string(iterations) : "an unknown number of")
         << " iterations, the " << (isLane ? "subgroup " : "workgroup ")
         << threads << " threads; give it one iteration a thread";
    diag.attachNote(forall.getLoc()) << "the forall around it";
    return diag;
  }
  for (Operation *around = op->getParentOp(); !isa<FunctionOpInterface>(around);
       around = around->getParentOp()) {
    if (around == forall || UniformValues(forall).isEnteredTogether(around))
      continue;
    InFlightDiagnostic diag =
        op->emitError()
        << "not all threads come to this collective together: '"
        << around->getName()
        << "' around it is not known to be entered by all of them alike; "
           "use 'scf.for' or 'scf.if' with bounds or a condition that do not "
           "depend on the thread";
    diag.attachNote(around->getLoc()) << "this op";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

static Value begin(OpBuilder &builder, Location loc, Value init) {
  return BeginCollectiveOp::create(builder, loc, init.getType(), init);
}

static Value end(OpBuilder &builder, Location loc, Value contribution) {
  return EndCollectiveOp::create(builder, loc, contribution.getType(),
                                 contribution);
}

/// The region is executed in place of `op`.
static void inlineCollective(RewriterBase &rewriter, Operation *op) {
  Block &block = op->getRegion(0).front();
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> arguments;
  for (Value operand : op->getOperands())
    arguments.push_back(isa<TensorType>(operand.getType())
                            ? begin(rewriter, loc, operand)
                            : operand);
  Operation *terminator = block.getTerminator();
  rewriter.inlineBlockBefore(&block, op, arguments);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results;
  SetVector<Operation *> replaced;
  for (Value value : terminator->getOperands()) {
    // Slices of what all have contributed.
    SmallVector<tensor::ExtractSliceOp> slices;
    while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      slices.push_back(slice);
      value = slice.getSource();
    }
    if (isa<TensorType>(value.getType()))
      value = end(rewriter, loc, value);
    for (tensor::ExtractSliceOp slice : llvm::reverse(slices)) {
      IRMapping mapping;
      mapping.map(slice.getSource(), value);
      value = rewriter.clone(*slice, mapping)->getResult(0);
    }
    results.push_back(value);
    // They come after the contribution, and do not read before.
    replaced.insert(slices.begin(), slices.end());
  }
  rewriter.eraseOp(terminator);
  SetVector<Operation *> sorted = topologicalSort(replaced);
  for (Operation *slice : llvm::reverse(sorted))
    if (slice->use_empty())
      rewriter.eraseOp(slice);
  rewriter.replaceOp(op, results);
}

/// What all threads of the workgroup do alike is what it is without them: there
/// is one tensor.
static void replaceByContents(RewriterBase &rewriter, Operation *op) {
  if (op->getNumRegions() == 0)
    return rewriter.replaceOp(op, op->getOperands());
  Block &block = op->getRegion(0).front();
  Operation *terminator = block.getTerminator();
  rewriter.inlineBlockBefore(&block, op, op->getOperands());
  SmallVector<Value> results(terminator->getOperands());
  rewriter.eraseOp(terminator);
  rewriter.replaceOp(op, results);
}

/// What the operands of `op` are without what the threads inserted begins where
/// the first of it is inserted.
static LogicalResult splitCollective(RewriterBase &rewriter, Operation *op) {
  SmallVector<Value> results;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType())) {
      results.push_back(operand.get());
      continue;
    }
    ContributionSource source = findContributionSource(operand);
    // Where all that is inserted comes after.
    Operation *first = op;
    for (OpOperand *use : source.uses) {
      Operation *user = op->getBlock()->findAncestorOpInBlock(*use->getOwner());
      if (!user || !source.root)
        return op->emitError()
               << "operand " << operand.getOperandNumber()
               << " of this collective is not one tensor with what each thread "
                  "inserted since the last time they met; insert into one "
                  "tensor, by 'tensor.insert_slice' or "
                  "'vector.transfer_write', directly before";
      if (user->isBeforeInBlock(first))
        first = user;
    }
    rewriter.setInsertionPoint(first);
    Value begun = begin(rewriter, op->getLoc(), source.root);
    for (OpOperand *use : source.uses)
      use->set(begun);
    rewriter.setInsertionPoint(op);
    results.push_back(end(rewriter, op->getLoc(), operand.get()));
  }
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// What threads share
//===----------------------------------------------------------------------===//

namespace {
/// Brings the inits of collectives out of the forall of the threads.
class SharedInits {
public:
  SharedInits(RewriterBase &rewriter, scf::ForallOp forall)
      : rewriter(rewriter), forall(forall) {}

  LogicalResult share(BeginCollectiveOp op) {
    SmallVector<Value> worklist = {op.getInit()};
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (!seen.insert(value) || value.getDefiningOp<EndCollectiveOp>())
        continue;
      if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
        seen.insert(value = allocate(empty));
      if (!isInside(value))
        continue;
      auto arg = dyn_cast<BlockArgument>(value);
      if (arg && arg.getOwner() == forall.getBody())
        return refuse(op)
               << "is a shared output of the forall, of which each iteration "
                  "has its own view; contribute to a tensor that is made "
                  "outside, and insert a part of the result";
      if (std::optional<SmallVector<Value>> passed = getPassedValues(value)) {
        llvm::append_range(worklist, *passed);
        continue;
      }
      Operation *def = value.getDefiningOp();
      if (!def || !isSame(def))
        return refuse(op) << "is made by each thread; make it outside of the "
                             "forall, where it is one tensor";
      hoist(def);
    }
    return success();
  }

  /// What is handed to collectives in the forall begins in there, so that
  /// One-Shot does not take the forall for a loop in which each iteration
  /// overwrites what the next one reads. Outside it counts as overwritten.
  void enter() {
    SetVector<Value> outside;
    for (Value value : seen)
      if (!isInside(value) && !value.getDefiningOp<BeginCollectiveOp>())
        outside.insert(value);
    for (Value value : outside) {
      SmallVector<OpOperand *> uses;
      bool isUndefined = isUndefinedTensor(value);
      for (OpOperand &use : value.getUses()) {
        bool isHandedOn = llvm::any_of(
            getPassedTo(use), [&](Value to) { return seen.contains(to); });
        if (forall->isProperAncestor(use.getOwner()) &&
            (isHandedOn ||
             (!isUndefined && isa<BeginCollectiveOp>(use.getOwner()))))
          uses.push_back(&use);
      }
      if (uses.empty())
        continue;
      Location loc = uses.front()->getOwner()->getLoc();
      if (!isUndefined) {
        rewriter.setInsertionPoint(forall);
        value = begin(rewriter, loc, value);
      }
      rewriter.setInsertionPointToStart(forall.getBody());
      Value begun = begin(rewriter, loc, value);
      Value entered = end(rewriter, loc, begun);
      for (OpOperand *use : uses)
        use->set(entered);
    }
  }

private:
  InFlightDiagnostic refuse(BeginCollectiveOp op) {
    return op.emitError() << "the tensor that threads contribute to ";
  }

  bool isInside(Value value) {
    return forall.getRegion().isAncestor(value.getParentRegion());
  }

  SetVector<Value> getInputs(Operation *op) {
    SetVector<Value> inputs(llvm::from_range, op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), inputs);
    return inputs;
  }

  /// Where `op` stands it is perhaps not executed, and outside it would be.
  bool isHarmless(Operation *op) {
    if (op->getParentOp() == forall || isa<AllocTensorOp>(op))
      return true;
    // Upstream takes the element or slice at any index for one that is there.
    auto mayMiss = [](Operation *inner) {
      return WalkResult(failure(
          isa<tensor::TensorDialect>(inner->getDialect()) &&
          !isa<tensor::EmptyOp>(inner) &&
          llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<IndexType>)));
    };
    return isSpeculatable(op) && !op->walk(mayMiss).wasInterrupted();
  }

  /// Each thread makes the same of what is outside: by ops of dialects in which
  /// nothing asks for the thread.
  bool isSame(Operation *op) {
    if (!isHarmless(op))
      return false;
    if (!isa<AllocTensorOp>(op) &&
        (!isMemoryEffectFree(op) ||
         op->walk([](Operation *inner) {
             bool isKnown = isa<affine::AffineDialect, arith::ArithDialect,
                                index::IndexDialect, linalg::LinalgDialect,
                                math::MathDialect, tensor::TensorDialect>(
                 inner->getDialect());
             return isKnown ? WalkResult::advance() : WalkResult::interrupt();
           }).wasInterrupted()))
      return false;
    return llvm::all_of(getInputs(op), [&](Value input) {
      if (!isInside(input))
        return UniformValues(forall).contains(input);
      return input.getDefiningOp() && isSame(input.getDefiningOp());
    });
  }

  /// Of two equal `tensor.empty`s one may be left; what threads share is apart
  /// from what each has.
  Value allocate(tensor::EmptyOp empty) {
    rewriter.setInsertionPoint(empty);
    auto alloc = AllocTensorOp::create(
        rewriter, empty.getLoc(), empty.getType(), empty.getDynamicSizes());
    seen.remove(empty);
    rewriter.replaceOp(empty, alloc.getResult());
    return alloc.getResult();
  }

  void hoist(Operation *op) {
    for (Value input : getInputs(op))
      if (isInside(input))
        hoist(input.getDefiningOp());
    rewriter.moveOpBefore(op, forall);
  }

  RewriterBase &rewriter;
  scf::ForallOp forall;
  /// What is, in the forall or outside, the init of a collective.
  SetVector<Value> seen;
};
} // namespace

/// A thread that writes into what all share, and contributes nothing by it, has
/// a copy of its own.
static void copyForPrivateWrites(RewriterBase &rewriter,
                                 FunctionOpInterface kernel,
                                 const AnalysisState &state) {
  SmallVector<Value> shared;
  kernel->walk([&](EndCollectiveOp op) { shared.push_back(op.getResult()); });
  SmallVector<OpOperand *> writes;
  followBuffers(shared, state, [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<BeginCollectiveOp>(op))
      return false;
    bool passesOn = !getPassedTo(use).empty() || isa<ExchangeOp>(op);
    if (passesOn || !mayWrite(use, state))
      return true;
    writes.push_back(&use);
    return false;
  });
  for (OpOperand *use : writes) {
    rewriter.setInsertionPoint(use->getOwner());
    auto copy = AllocTensorOp::create(
        rewriter, use->getOwner()->getLoc(),
        cast<RankedTensorType>(use->get().getType()), ValueRange(), use->get());
    copy->setAttr(kCopyAttr, rewriter.getStringAttr(
                                 "for a write of one thread into a tensor that "
                                 "all threads share"));
    use->set(copy.getResult());
  }
}

/// While others contribute, a thread knows only what it inserts itself.
static LogicalResult verifyReads(FunctionOpInterface kernel,
                                 const AnalysisState &state) {
  SmallVector<Value> begun;
  kernel->walk([&](BeginCollectiveOp op) { begun.push_back(op.getResult()); });
  SmallVector<OpOperand *> uses;
  // By what they insert into. Slices of another shape are slices of others.
  llvm::DenseMap<Value, SmallVector<Operation *>> inserts;
  followBuffers(begun, state, [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<EndCollectiveOp>(op))
      return false;
    if (&use == getInsertionDest(op))
      inserts[findContributionSource(use).root].push_back(op);
    uses.push_back(&use);
    return !isa<tensor::ExtractSliceOp>(op);
  });
  // All that this thread inserts is there, and it inserts it whenever it reads.
  auto isOwn = [&](tensor::ExtractSliceOp slice) {
    Value root = findContributionSource(slice.getSourceMutable()).root;
    return root && llvm::all_of(inserts[root], [&](Operation *op) {
             auto insert = dyn_cast<tensor::InsertSliceOp>(op);
             return insert &&
                    insert->getBlock()->findAncestorOpInBlock(*slice) &&
                    cast<OffsetSizeAndStrideOpInterface>(op).isSameAs(
                        cast<OffsetSizeAndStrideOpInterface>(*slice),
                        [](auto a, auto b) { return a == b; });
           });
  };
  for (OpOperand *use : uses) {
    Operation *op = use->getOwner();
    bool passesOn = !getPassedTo(*use).empty();
    bool isDest = use == getInsertionDest(op);
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    if (passesOn || isDest || isa<tensor::DimOp>(op) ||
        (slice ? isOwn(slice) : !mayRead(*use, state)))
      continue;
    return op->emitError()
           << "reads a tensor while threads contribute to it, and not only "
              "what this thread inserts; read it before, or behind the "
              "collective";
  }
  return success();
}

LogicalResult
memspace::normalizeCollectives(const KernelContext &context,
                               const OneShotBufferizationOptions &oneShot) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Operation *> collectives, outside;
  kernel->walk([&](Operation *op) {
    if (!isCollective(op))
      return;
    if (getThreadForall(op))
      collectives.push_back(op);
    else if (isa<CollectiveOpInterface>(op))
      outside.push_back(op);
  });
  IRRewriter rewriter(kernel.getContext());
  for (Operation *op : outside)
    replaceByContents(rewriter, op);
  if (collectives.empty())
    return success();
  for (Operation *op : collectives) {
    op->getParentOfType<scf::ForallOp>()->setAttr(kCollectiveAttr,
                                                  rewriter.getUnitAttr());
    if (!isa<CollectiveOpInterface>(op))
      continue;
    if (op->getNumRegions() != 0)
      inlineCollective(rewriter, op);
    else if (failed(splitCollective(rewriter, op)))
      return failure();
  }
  llvm::MapVector<Operation *, SmallVector<BeginCollectiveOp>> begins;
  kernel->walk([&](BeginCollectiveOp op) {
    if (scf::ForallOp forall = getThreadForall(op))
      begins[forall].push_back(op);
  });
  for (auto &[forall, ops] : begins) {
    SharedInits inits(rewriter, cast<scf::ForallOp>(forall));
    for (BeginCollectiveOp op : ops)
      if (failed(inits.share(op)))
        return failure();
    inits.enter();
  }
  AnalysisState state(oneShot);
  copyForPrivateWrites(rewriter, kernel, state);
  return verifyReads(kernel, state);
}
