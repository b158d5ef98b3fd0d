//===- Distribution.cpp - whole-tensor work onto threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/Memory/MemoryInterfaces.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "Normalization.h"
#include "SharedCopies.h"
#include "ThreadTilings.h"
#include "Transforms/Normalize/SharedEffects.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/ScopeExit.h"
#include <map>

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Which work is distributed
//===----------------------------------------------------------------------===//

/// On an op that has copies of what it may update, while kernels are
/// distributed.
static constexpr StringLiteral kHasCopiesAttr = "memspace.has_copies";

/// The most bytes that one load or store of a thread has.
static constexpr int64_t kWideAccessBytes = 16;

/// True when the caller promises such addresses of all memory that it passes.
static bool areArgumentsAligned(FunctionOpInterface kernel) {
  for (auto [number, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto bytes = kernel.getArgAttrOfType<IntegerAttr>(number, kAlignmentAttr);
    if (isa<BaseMemRefType>(type) &&
        (!bytes || bytes.getInt() < kWideAccessBytes))
      return false;
  }
  return true;
}

namespace {
/// One op to distribute, with the owner maps to try, best first.
struct WorkItem {
  Operation *op;
  ExecutionScope scope;
  SmallVector<OwnerMap> owners;
  /// Shared tensors that an op in no destination style may write.
  SmallVector<OpOperand *> mayUpdate = {};
};

/// The order of the extents.
struct ShapeLess {
  bool operator()(ArrayRef<int64_t> a, ArrayRef<int64_t> b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

class Distributor {
public:
  Distributor(FunctionOpInterface kernel, const MemorySpaceOptions &options)
      : kernel(kernel), oneShotOptions(options.oneShot),
        decisions(MemorySpaceAnalysis::get(kernel, options)),
        analysis(*decisions), scopes(kernel), dominance(kernel),
        spaces(options.spaces), barrierWork(options.barrierWork) {
    kernel->walk([&](Operation *op) {
      std::optional<HardwareId> id = getHardwareId(op);
      isSPMD |= id && id->isOfThread();
      for (Type type : op->getResultTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          addShape(tensor);
    });
    hasWideAccesses = options.target.vendor == TargetVendor::AMD ||
                      areArgumentsAligned(kernel);
    if (!analysis.isValid())
      return;
    kernel->walk([&](linalg::LinalgOp op) { findOneByOne(op); });
    for (const auto &cls : analysis.getBufferClasses(kernel)->getClasses())
      for (const BufferAccess &access : cls->accesses)
        accessing.insert(access.op);
  }

  struct Work {
    Location loc;
    OperationName name;
    /// Nothing was done but that these, of static shapes, copy what was copied.
    SmallVector<Operation *> copies;
    bool isOnlyCopies = true;
  };
  /// Rewrites what one look at the kernel finds; its first op, if there was
  /// any.
  FailureOr<std::optional<Work>> run();

private:
  void collect(Operation *op);
  void widenGuards();
  void remarkCosts();
  bool isGivenShared(const BufferClass &cls) const;
  bool mustDistribute(Value tensor, ExecutionScope scope) const;
  bool mayUpdate(OpOperand &operand, ExecutionScope scope) const;
  std::optional<int64_t> getThreads(ExecutionScope scope) const;
  bool isSlowGuard(const OwnerMap &owner, const WorkItem &item) const;
  void addOwner(WorkItem &item, Value tensor, Value shapedLike) const;
  bool isInPlace(OffsetSizeAndStrideOpInterface insert, Value source,
                 Value dest) const;
  LogicalResult rewrite(const WorkItem &item);
  /// The forall that copies.
  scf::ForallOp rewriteAllocation(RewriterBase &b, const WorkItem &item);
  LogicalResult rewriteSideEffect(RewriterBase &b, const WorkItem &item);
  void rewriteLoop(RewriterBase &b, const WorkItem &item, scf::ForOp loop);
  LogicalResult rewriteDestinationStyle(RewriterBase &b, const WorkItem &item,
                                        DestinationStyleOpInterface op);
  LogicalResult rewriteDoubtful(RewriterBase &b, const WorkItem &item);
  void addShape(RankedTensorType type);
  void findOneByOne(linalg::LinalgOp op);
  int64_t getChunk(Value tensor, ExecutionScope scope) const;
  Tiling getTiling(OpBuilder &b, const WorkItem &item, Value tensor);

  FunctionOpInterface kernel;
  OneShotBufferizationOptions oneShotOptions;
  AnalysisState claims{oneShotOptions};
  /// Code that asks for thread ids says itself which thread does what.
  bool isSPMD = false;
  std::shared_ptr<const MemorySpaceAnalysis> decisions;
  const MemorySpaceAnalysis &analysis;
  ExecutionScopeAnalysis scopes;
  DominanceInfo dominance;
  MemorySpaceMapping spaces;
  int64_t barrierWork;
  SmallVector<WorkItem> items;
  /// Threads can load and store 16 bytes at once: AMD's GPUs do so at any
  /// address of an element.
  bool hasWideAccesses = false;
  /// Tensors of one shape are cut alike, so that what is computed from each
  /// other element by element stays with its thread.
  struct Shape {
    int64_t widestElementBytes = 1;
    bool isOneByOne = false;
  };
  std::map<ArrayRef<int64_t>, Shape, ShapeLess> shapes;
  /// Ops that read or write a buffer.
  DenseSet<Operation *> accessing;
};
} // namespace

/// False for a tensor with an extent of 0: who writes it writes nothing.
static bool hasElements(Value tensor) {
  return !llvm::is_contained(cast<TensorType>(tensor.getType()).getShape(), 0);
}

/// True when the input says that threads share the buffer, needed or not.
bool Distributor::isGivenShared(const BufferClass &cls) const {
  return llvm::any_of(cls.roots, [&](Value root) {
    auto alloc = root.getDefiningOp<AllocTensorOp>();
    return alloc && alloc.getMemorySpace() &&
           spaces.fromAttribute(*alloc.getMemorySpace()) ==
               MemorySpace::Workgroup;
  });
}

/// A write of `tensor` by every thread of `scope` must not be repeated: its
/// buffer is shared, or each thread has its own part.
bool Distributor::mustDistribute(Value tensor, ExecutionScope scope) const {
  const BufferClass *cls = analysis.getBufferClass(tensor);
  const MemorySpaceDecision *decision = analysis.getDecision(tensor);
  if (!cls || !decision || !hasElements(tensor))
    return false;
  if (cls->hasOutsideRoot())
    return true;
  if (cls->scope < scope)
    return true;
  if (decision->space == MemorySpace::Workgroup || isGivenShared(*cls))
    return true;
  // Aligned private: distribute where that lets the buffer shrink.
  return decision->space == MemorySpace::Private && !decision->replicated &&
         analysis.getOwnerMaps(kernel)->getOwnerMap(*cls).has_value();
}

/// True for the map of a guard, by which one thread owns everything, where all
/// threads and a barrier are less work than what that one would do alone.
bool Distributor::isSlowGuard(const OwnerMap &owner,
                              const WorkItem &item) const {
  std::optional<SmallVector<int64_t, 3>> counts =
      getStaticTripCounts(owner.forall);
  std::optional<int64_t> elements = owner.getSliceElements();
  std::optional<int64_t> threads = getThreads(item.scope);
  if (!counts || !elements || !threads ||
      llvm::any_of(*counts, [](int64_t count) { return count != 1; }))
    return false;
  // Loads and stores.
  double accesses = 2.0 * *elements;
  return accesses / *threads + barrierWork < accesses;
}

/// Adds the owner map of `tensor`'s buffer when it fits a tensor shaped like
/// `shapedLike`.
void Distributor::addOwner(WorkItem &item, Value tensor,
                           Value shapedLike) const {
  const BufferClass *cls = analysis.getBufferClass(tensor);
  if (!cls || !analysis.getBufferClasses(kernel)->getView(tensor).isIdentity())
    return;
  std::optional<OwnerMap> owner =
      analysis.getOwnerMaps(kernel)->getOwnerMap(*cls);
  if (!owner ||
      owner->insert.getDestType().getShape() !=
          cast<RankedTensorType>(shapedLike.getType()).getShape() ||
      isSlowGuard(*owner, item))
    return;
  // Where the mapped accesses agree on an owner, the buffer can stay with it.
  bool aligned =
      !analysis.getOwnerMaps(kernel)->findUnaligned(*cls, /*mappedOnly=*/true);
  if (aligned)
    item.owners.insert(item.owners.begin(), *owner);
  else
    item.owners.push_back(*owner);
}

/// True when the op of `operand`, which is in no destination style, may write
/// memory that the threads of `scope` share.
bool Distributor::mayUpdate(OpOperand &operand, ExecutionScope scope) const {
  return isa<RankedTensorType>(operand.get().getType()) &&
         mayWrite(operand, claims) && mustDistribute(operand.get(), scope);
}

bool Distributor::isInPlace(OffsetSizeAndStrideOpInterface insert, Value source,
                            Value dest) const {
  // BufferClasses counts no access for an insertion in place.
  return analysis.getBufferClass(source) == analysis.getBufferClass(dest) &&
         !accessing.contains(insert.getOperation());
}

void Distributor::collect(Operation *op) {
  ExecutionScope scope = scopes.getScope(op);
  if (scope == ExecutionScope::Thread || scope == ExecutionScope::Grid)
    return;
  WorkItem item{op, scope, {}};
  if (auto materialize = dyn_cast<MaterializeInDestinationOp>(op)) {
    if (analysis.getBufferClasses(kernel)->isInPlace(materialize) ||
        !hasElements(materialize.getSource()))
      return;
    addOwner(item, materialize.getSource(), materialize.getSource());
    items.push_back(item);
    return;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (isInPlace(insert, insert.getSource(), insert.getResult()) ||
        !hasElements(insert.getSource()) ||
        !mustDistribute(insert.getResult(), scope))
      return;
    addOwner(item, insert.getSource(), insert.getSource());
    items.push_back(item);
    return;
  }
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    if (isInPlace(insert, insert.getSource(), insert.getDest()) ||
        !hasElements(insert.getSource()))
      return;
    addOwner(item, insert.getSource(), insert.getSource());
    items.push_back(item);
    return;
  }
  if (auto alloc = dyn_cast<AllocTensorOp>(op)) {
    if (!alloc.getCopy() || !mustDistribute(alloc.getResult(), scope))
      return;
    addOwner(item, alloc.getCopy(), alloc.getResult());
    addOwner(item, alloc.getResult(), alloc.getResult());
    items.push_back(item);
    return;
  }
  if (!isSPMD && hasSharedSideEffect(op, *analysis.getContext(kernel))) {
    items.push_back(item);
    return;
  }
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps && !hasTrustedModel(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (mayUpdate(operand, scope))
        item.mayUpdate.push_back(&operand);
    if (!item.mayUpdate.empty())
      items.push_back(item);
    return;
  }
  // A forall is in destination style, too, but is distributed already.
  if (!dps || op->getNumResults() == 0 || isa<scf::ForallOp>(op))
    return;
  bool needed = llvm::any_of(op->getResults(), [&](Value result) {
    return mustDistribute(result, scope);
  });
  if (!needed)
    return;
  Value result = op->getResult(0);
  for (Value input : dps.getDpsInputs())
    if (auto type = dyn_cast<RankedTensorType>(input.getType()))
      if (type.getShape() ==
          cast<RankedTensorType>(result.getType()).getShape())
        addOwner(item, input, result);
  addOwner(item, result, result);
  items.push_back(item);
}

/// Work that can only be guarded is guarded together with the loops around it,
/// where these do nothing else: two barriers instead of two an iteration.
void Distributor::widenGuards() {
  auto canOnlyBeGuarded = [](Operation *op) {
    return isa<DestinationStyleOpInterface>(op) &&
           !isa<tensor::InsertSliceOp>(op) &&
           (cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 0 ||
            !canTileResults(op));
  };
  auto canGuard = [&](scf::ForOp loop) {
    for (OpResult result : loop.getResults())
      if (!isa<RankedTensorType>(result.getType()) && !result.use_empty())
        return false;
    WalkResult walk = loop.getBody()->walk([&](Operation *op) {
      // The results of the guard do not change places as exchanged buffers do.
      bool splits = isa<scf::ForallOp, tensor::InsertSliceOp, ExchangeOp,
                        MaterializeInDestinationOp, AllocTensorOp>(op) ||
                    hasSideEffect(op);
      bool tiles = isa<DestinationStyleOpInterface>(op) &&
                   op->getNumResults() > 0 && !canOnlyBeGuarded(op);
      return splits || tiles ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !walk.wasInterrupted();
  };
  DenseSet<Operation *> seen, guards;
  SmallVector<WorkItem> widened;
  for (WorkItem &item : items) {
    bool guarded = item.op->getNumResults() > 0 && canOnlyBeGuarded(item.op);
    for (auto loop = dyn_cast<scf::ForOp>(item.op->getParentOp());
         guarded && loop && scopes.getScope(loop) == item.scope &&
         canGuard(loop);
         loop = dyn_cast<scf::ForOp>(loop->getParentOp())) {
      item.op = loop;
      guards.insert(loop);
    }
    if (seen.insert(item.op).second)
      widened.push_back(std::move(item));
  }
  // What else is in a guarded loop is guarded with it.
  llvm::erase_if(widened, [&](const WorkItem &item) {
    Operation *around = item.op->getParentOp();
    while (around && !guards.contains(around))
      around = around->getParentOp();
    return around != nullptr;
  });
  items = std::move(widened);
}

/// As many elements as one access may have, where there are enough of them for
/// all threads.
static int64_t getChunk(RankedTensorType type, int64_t widestElementBytes,
                        int64_t threads) {
  int64_t chunk = std::max<int64_t>(kWideAccessBytes / widestElementBytes, 1);
  while (chunk > 1 && (type.getShape().back() % chunk != 0 ||
                       type.getNumElements() / chunk < threads))
    chunk /= 2;
  return chunk;
}

/// Threads of a workgroup or a subgroup.
std::optional<int64_t> Distributor::getThreads(ExecutionScope scope) const {
  const KernelContext &context = *analysis.getContext(kernel);
  return scope == ExecutionScope::Subgroup ? context.getSubgroupSize()
                                           : context.getThreads();
}

int64_t Distributor::getChunk(Value tensor, ExecutionScope scope) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<int64_t> threads = getThreads(scope);
  auto it = shapes.find(type.getShape());
  if (!hasWideAccesses || !threads || it == shapes.end() ||
      it->second.isOneByOne || type.getRank() == 0)
    return 1;
  return ::getChunk(type, it->second.widestElementBytes, *threads);
}

void Distributor::addShape(RankedTensorType type) {
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return;
  int64_t &bytes = shapes[type.getShape()].widestElementBytes;
  bytes = std::max<int64_t>(bytes,
                            llvm::divideCeil(type.getElementTypeBitWidth(), 8));
}

/// Tensors like the result of `op` are taken element by element, if `op`
/// computes each from its indices alone, which is no access to be widened, or
/// from a tensor that would be cut otherwise: that could not be private.
void Distributor::findOneByOne(linalg::LinalgOp op) {
  if (scopes.getScope(op) == ExecutionScope::Thread || op->getNumResults() == 0)
    return;
  auto isShaped = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  Value result = op->getResult(0);
  auto it = shapes.find(cast<RankedTensorType>(result.getType()).getShape());
  if (it == shapes.end())
    return;
  int64_t chunk = getChunk(result, scopes.getScope(op));
  bool isGenerated =
      op.hasIndexSemantics() && llvm::none_of(op.getDpsInputs(), isShaped);
  it->second.isOneByOne |=
      isGenerated ||
      llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
        if (!isShaped(operand->get()) ||
            op.getMatchingIndexingMap(operand).isIdentity())
          return false;
        const BufferClass *cls = analysis.getBufferClass(operand->get());
        return cls && !cls->hasOutsideRoot() && !cls->accesses.empty() &&
               getChunk(operand->get(), scopes.getScope(op)) != chunk;
      });
}

Tiling Distributor::getTiling(OpBuilder &b, const WorkItem &item,
                              Value tensor) {
  for (const OwnerMap &owner : item.owners)
    if (std::optional<Tiling> tiling =
            getOwnerTiling(owner, item.op, item.scope, dominance))
      return *tiling;
  Location loc = item.op->getLoc();
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 0)
    return getGuardTiling(b, item.scope);
  return getChunkTiling(b, loc, tensor::getMixedSizes(b, loc, tensor),
                        getChunk(tensor, item.scope), item.scope);
}

/// The operands in whose buffers the results of `op` are, as it admits; none
/// when it does not say so of each.
static SmallVector<OpOperand *> getUpdated(Operation *op,
                                           const AnalysisState &claims) {
  SmallVector<OpOperand *> updated;
  for (OpResult result : op->getResults()) {
    OpOperand *found = nullptr;
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get().getType() == result.getType() &&
          isa<RankedTensorType>(result.getType()) &&
          claims.bufferizesToMemoryWrite(operand))
        for (const AliasingValue &alias : claims.getAliasingValues(operand))
          if (alias.value == result)
            found = &operand;
    if (!found || llvm::is_contained(updated, found))
      return {};
    updated.push_back(found);
  }
  return updated;
}

/// One thread updates what all share. Where it is not known what is updated,
/// each has a copy.
LogicalResult Distributor::rewriteDoubtful(RewriterBase &b,
                                           const WorkItem &item) {
  Operation *op = item.op;
  SmallVector<OpOperand *> updated = getUpdated(op, claims);
  if (!updated.empty()) {
    b.replaceOp(op, guardOp(b, op, updated, item.scope).getResults());
    return success();
  }
  // A copy that is shared as well is no better.
  if (op->hasAttr(kHasCopiesAttr))
    return op->emitOpError()
           << "may write operand " << item.mayUpdate.front()->getOperandNumber()
           << ", which the threads of a " << stringifyExecutionScope(item.scope)
           << " share; let the op declare that it only reads it "
              "(MemoryEffectsOpInterface), or distribute it by a mapped "
              "scf.forall";
  for (OpOperand *operand : item.mayUpdate)
    operand->set(AllocTensorOp::create(
        b, op->getLoc(), cast<RankedTensorType>(operand->get().getType()),
        ValueRange(), operand->get()));
  op->setAttr(kHasCopiesAttr, b.getUnitAttr());
  return success();
}

/// One thread executes what has an effect that all would repeat.
LogicalResult Distributor::rewriteSideEffect(RewriterBase &b,
                                             const WorkItem &item) {
  Operation *op = item.op;
  if (!op->use_empty())
    return op->emitOpError()
           << "has side effects and a result, and is executed by every "
              "thread of a "
           << stringifyExecutionScope(item.scope)
           << "; put it and what uses its result into a scf.forall of one "
              "iteration";
  if (mayWriteOwnMemory(op, *analysis.getContext(kernel)))
    return op->emitOpError()
           << "is executed by every thread of a "
           << stringifyExecutionScope(item.scope)
           << ", and may write memory that each of them has or memory that "
              "they share; write each of the two by an op of its own";
  scf::ForallOp forall = createForall(
      b, op->getLoc(), getGuardTiling(b, item.scope), ValueRange());
  op->moveBefore(forall.getTerminator());
  return success();
}

/// One thread executes a whole loop (widenGuards).
void Distributor::rewriteLoop(RewriterBase &b, const WorkItem &item,
                              scf::ForOp loop) {
  scf::ForallOp forall = guardLoop(b, loop, item.scope);
  unsigned next = 0;
  for (OpResult result : loop.getResults())
    if (isa<TensorType>(result.getType()))
      b.replaceAllUsesWith(result, forall.getResult(next++));
  b.eraseOp(loop);
}

/// The op is tiled over the threads where it can be, else one thread executes
/// it.
LogicalResult
Distributor::rewriteDestinationStyle(RewriterBase &b, const WorkItem &item,
                                     DestinationStyleOpInterface op) {
  if (llvm::any_of(op->getResultTypes(),
                   [](Type type) { return !isa<RankedTensorType>(type); }))
    return op->emitOpError()
           << "writes memory that the threads of a "
           << stringifyExecutionScope(item.scope)
           << " share and has results that are no tensors, so that it can be "
              "neither distributed nor guarded; distribute it by a mapped "
              "scf.forall";
  scf::ForallOp forall;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getRank() > 0 && canTileResults(op)) {
    Tiling tiling = getTiling(b, item, op.getDpsInits()[0]);
    if (tiling.getSlice)
      forall = tileOp(b, op, tiling);
  }
  if (!forall)
    forall = guardOp(b, op,
                     llvm::map_to_vector(op->getResults(),
                                         [&](OpResult result) {
                                           return op.getTiedOpOperand(result);
                                         }),
                     item.scope);
  if (Attribute carried = op->getAttr(kCarriedAttr))
    forall->setAttr(kCarriedAttr, carried);
  b.replaceOp(op, forall.getResults());
  return success();
}

scf::ForallOp Distributor::rewriteAllocation(RewriterBase &b,
                                             const WorkItem &item) {
  auto alloc = cast<AllocTensorOp>(item.op);
  b.setInsertionPoint(alloc);
  return copyAllocated(b, getTiling(b, item, alloc.getCopy()), alloc);
}

LogicalResult Distributor::rewrite(const WorkItem &item) {
  Operation *op = item.op;
  if (item.scope == ExecutionScope::Warpgroup)
    return op->emitOpError()
           << "is executed by all threads of a warpgroup and writes memory "
              "that they share; distribute it over threads, by a forall that "
              "is "
              "mapped to warps and one in it that is mapped to lanes";
  IRRewriter b(op->getContext());
  b.setInsertionPoint(op);

  if (auto materialize = dyn_cast<MaterializeInDestinationOp>(op)) {
    Tiling tiling = getTiling(b, item, materialize.getSource());
    copyToDestination(b, tiling, materialize, dominance);
    return success();
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    // The copy is another buffer, which a branch may choose instead.
    const BufferClasses &classes = *analysis.getBufferClasses(kernel);
    bool isOfCopy =
        classes.getView(insert.getResult()).root == insert.getResult();
    if (isOfCopy && copyDestination(b, insert))
      return success();
    copyInserted(b, getTiling(b, item, insert.getSource()),
                 insert.getSourceMutable(), insert.getDest());
    if (isOfCopy)
      copyDestination(b, insert);
    return success();
  }
  if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
    WorkItem before = item;
    before.op = op->getParentOp();
    b.setInsertionPoint(before.op);
    copyInserted(b, getTiling(b, before, insert.getSource()),
                 insert.getSourceMutable(), insert.getDest());
    return success();
  }
  if (hasSideEffect(op))
    return rewriteSideEffect(b, item);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    rewriteLoop(b, item, loop);
    return success();
  }
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return rewriteDestinationStyle(b, item, dps);
  return rewriteDoubtful(b, item);
}

/// What is decided for good shows in the memory spaces; that a tensor could
/// have been each thread's own, but for the work, only here.
void Distributor::remarkCosts() {
  for (const auto &cls : analysis.getBufferClasses(kernel)->getClasses()) {
    const MemorySpaceDecision *decision = analysis.getDecision(cls->roots[0]);
    if (decision && !decision->refused &&
        decision->reasons.front().rule == "replication-cost")
      remark::analysis(cls->roots[0].getLoc(),
                       remark::RemarkOpts::name("Distribution")
                           .category("memspace")
                           .function(kernel.getName()))
          << ("distributed: replication-cost: " +
              decision->reasons.front().text);
  }
}

FailureOr<std::optional<Distributor::Work>> Distributor::run() {
  if (!analysis.isValid())
    return failure();
  remarkCosts();
  kernel->walk([&](Operation *op) { collect(op); });
  widenGuards();
  std::optional<Work> work;
  for (const WorkItem &item : items) {
    if (!work)
      work = Work{item.op->getLoc(), item.op->getName()};
    if (auto alloc = dyn_cast<AllocTensorOp>(item.op);
        alloc && item.scope != ExecutionScope::Warpgroup) {
      IRRewriter b(alloc.getContext());
      work->copies.push_back(rewriteAllocation(b, item));
      work->isOnlyCopies &= alloc.getType().hasStaticShape();
      continue;
    }
    work->isOnlyCopies = false;
    if (failed(rewrite(item)))
      return failure();
  }
  return work;
}

FailureOr<bool>
mlir::memspace::distributeToThreads(FunctionOpInterface kernel,
                                    const MemorySpaceOptions &options,
                                    bool isFirst) {
  bool mayHaveCopies = false;
  llvm::scope_exit forgetCopies([&] {
    if (!mayHaveCopies)
      return;
    auto name = StringAttr::get(kernel.getContext(), kHasCopiesAttr);
    kernel->walk([&](Operation *op) { op->removeDiscardableAttr(name); });
  });
  bool changed = makeAllocationsExplicit(kernel);
  // Each round may make buffers shared, whose other writes then follow. Every
  // rewritten op ends at thread scope, so that the rounds end, too.
  std::optional<Distributor::Work> last;
  for (int round = 0; round < 8; ++round) {
    // What is distributed keeps its values, and is judged in the next round or
    // by inference.
    MemorySpaceOptions own = options;
    own.expects = isFirst && round == 0;
    FailureOr<std::optional<Distributor::Work>> work =
        Distributor(kernel, own).run();
    mayHaveCopies |= failed(work) || work->has_value();
    if (failed(work))
      return failure();
    changed |= work->has_value();
    // A slice that is extracted and inserted is known by its equal offsets.
    bool isMerged = isFirst && round == 0 && hasCarriedTensors(kernel);
    if (!isMerged && *work && (*work)->isOnlyCopies && options.analyses)
      options.analyses->distributed(kernel, (*work)->copies);
    else if (*work || isMerged)
      changed |= mergeEqualValues(kernel);
    if (!*work)
      return changed;
    last = **work;
  }
  return emitError(last->loc)
         << "'" << last->name << "' in kernel '" << kernel.getName()
         << "' puts a tensor into another one that is needed elsewhere, or "
            "cannot be written: the copy of the whole does not end in place; "
            "copy the destination into a tensor of its own (linalg.copy), and "
            "insert there";
}
