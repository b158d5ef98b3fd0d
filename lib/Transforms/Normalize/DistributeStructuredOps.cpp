//===- DistributeStructuredOps.cpp - sorts and their like over threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Transforms/DistributeStructuredOps.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Normalize/KernelVerifier.h"
#include "Transforms/Normalize/SharedEffects.h"
#include "Transforms/Normalize/StructuredOps.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_DISTRIBUTESTRUCTUREDOPSPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

static bool isStructured(Operation *op) {
  return isa<ScanOp, ScatterOp, SortOp, SortIndicesOp, TopKOp>(op);
}

static SmallVector<Operation *> collectStructuredOps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isStructured(op))
      ops.push_back(op);
  });
  return ops;
}

bool memspace::dropUnusedOutputs(Operation *root) {
  SmallVector<Operation *> ops = collectStructuredOps(root);
  if (ops.empty())
    return false;
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  ScanOp::getCanonicalizationPatterns(patterns, context);
  SortOp::getCanonicalizationPatterns(patterns, context);
  TopKOp::getCanonicalizationPatterns(patterns, context);
  ScatterOp::getCanonicalizationPatterns(patterns, context);
  bool changed = false;
  (void)applyOpPatternsGreedily(ops, std::move(patterns), GreedyRewriteConfig(),
                                &changed);
  return changed;
}

/// No row has more elements; it fits in positions of 64 bits many times over.
static constexpr int64_t kMostElements = int64_t(1) << 48;

/// The dimension whose rows an op works on as a whole.
static int64_t getDimension(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case<ScanOp, SortOp, SortIndicesOp, TopKOp>(
          [](auto row) { return row.getDimension(); });
}

static LogicalResult distribute(Operation *op, const RowLength &length,
                                const Sharing &sharing) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<SortOp, SortIndicesOp>(
          [&](auto sort) { return distributeSort(sort, length, sharing); })
      .Case([&](ScanOp scan) { return distributeScan(scan, length, sharing); })
      .Case([&](TopKOp topK) { return distributeTopK(topK, length, sharing); });
}

/// The same where the rows' length is known when the kernel runs. Rows of no
/// elements leave the outputs as they are.
static LogicalResult distributeRows(Operation *op, const Sharing &sharing) {
  int64_t dimension = getDimension(op);
  Value input = op->getOperand(0);
  auto type = cast<RankedTensorType>(input.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != dimension && type.isDynamicDim(dim))
      return op->emitOpError("cannot take rows of ") << type << " apart";
  if (!type.isDynamicDim(dimension)) {
    int64_t length = type.getDimSize(dimension);
    OpFoldResult size =
        IntegerAttr::get(IndexType::get(op->getContext()), length);
    return distribute(op, {size, length}, sharing);
  }
  std::optional<int64_t> bound = getConstantUpperBound(input, dimension);
  // The first elements of a long row are found in parts: any bound will do.
  if (!bound && isa<TopKOp>(op))
    bound = kMostElements;
  if (!bound)
    return op->emitOpError("of ")
           << type
           << " cannot be shared by the threads: no constant upper bound of "
              "dimension "
           << dimension
           << " is known; make it the result of an 'arith.minsi' with a "
              "constant"
           << (isa<ScanOp>(op)
                   ? ""
                   : ", or pad it to one with a key that comes last");
  IRRewriter rewriter(op);
  Location loc = op->getLoc();
  Value length = rewriter.createOrFold<tensor::DimOp>(loc, input, dimension);
  // Each thread of a scan asks by itself whether it has an element.
  if (isa<ScanOp>(op))
    return distribute(op, {length, *bound}, sharing);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value isSome = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                       length, zero);
  auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(), isSome,
                                  /*withElseRegion=*/true);
  rewriter.replaceAllUsesWith(op->getResults(), branch.getResults());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc,
                       cast<DestinationStyleOpInterface>(op).getDpsInits());
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto yield = scf::YieldOp::create(rewriter, loc, op->getResults());
  rewriter.moveOpBefore(op, yield);
  return distribute(op, {length, *bound}, sharing);
}

static Sharing getSharing(bool isOfSubgroup, const KernelContext &context) {
  std::optional<int64_t> subgroupSize = context.getSubgroupSize();
  int64_t numThreads = context.getThreads();
  // By an option a subgroup may be a part of the chip's, whose lanes have other
  // numbers.
  std::optional<TargetInfo> chip = lookupTarget(context.getTarget().chip);
  bool mayShuffle = subgroupSize && (numThreads <= *subgroupSize || !chip ||
                                     chip->subgroupSize <= *subgroupSize);
  if (isOfSubgroup && subgroupSize)
    numThreads = std::min(numThreads, *subgroupSize);
  return {isOfSubgroup, mayShuffle, subgroupSize, numThreads,
          context.getTarget()};
}

std::optional<int64_t> Sharing::getLanes() const {
  if (!mayShuffle || numThreads > *subgroupSize ||
      !llvm::isPowerOf2_64(numThreads))
    return std::nullopt;
  return numThreads;
}

std::optional<int64_t> Sharing::getLanesOfEach() const {
  if (mayShuffle && llvm::isPowerOf2_64(*subgroupSize) &&
      numThreads % *subgroupSize == 0)
    return subgroupSize;
  return getLanes();
}

/// Lets `part`, which works on some rows of `operands` in a loop, read those of
/// an operand that is an output, too, where it writes them: no iteration reads
/// the rows of another one, and the loop needs no tensor from before it.
static void readFromOutputs(DestinationStyleOpInterface part,
                            ValueRange operands) {
  for (OpOperand *input : part.getDpsInputOperands())
    for (OpOperand &output : part.getDpsInitsMutable())
      if (operands[input->getOperandNumber()] ==
          operands[output.getOperandNumber()]) {
        input->set(output.get());
        break;
      }
}

/// Asks for the extents of `outputs` before the loops that carry them, which
/// keep them: what is known of an extent is not known of that of a carried
/// tensor.
static void hoistExtents(RewriterBase &rewriter,
                         ArrayRef<LoopLikeOpInterface> loops,
                         ValueRange outputs) {
  for (LoopLikeOpInterface loop : loops)
    for (auto [output, carried] :
         llvm::zip_equal(outputs, loop.getRegionIterArgs()))
      for (Operation *user : llvm::make_early_inc_range(carried.getUsers())) {
        auto extent = dyn_cast<tensor::DimOp>(user);
        if (!extent)
          continue;
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPoint(loops.front());
        rewriter.replaceOp(
            extent, rewriter.createOrFold<tensor::DimOp>(
                        extent.getLoc(), output, *extent.getConstantIndex()));
      }
}

/// A scan of rows whose length nobody bounds.
static bool isScannedInParts(Operation *op) {
  auto scan = dyn_cast<ScanOp>(op);
  return scan && scan.hasPureTensorSemantics() &&
         scan.getShapedType().isDynamicDim(scan.getDimension()) &&
         !getConstantUpperBound(scan.getInputs().front(), scan.getDimension());
}

/// Lets `scan`, whose outputs nobody can hold in a workgroup, write a new
/// tensor that only goes to a memref into what is in the memref, if that is no
/// tensor of the kernel yet.
static void writeWhereStored(ScanOp scan, FunctionOpInterface kernel) {
  DominanceInfo dominance(kernel);
  IRRewriter rewriter(scan);
  for (OpOperand &init : scan.getDpsInitsMutable()) {
    auto empty = init.get().getDefiningOp<tensor::EmptyOp>();
    bufferization::MaterializeInDestinationOp store;
    for (Operation *user : scan.getTiedOpResult(&init).getUsers())
      if (auto other =
              dyn_cast<bufferization::MaterializeInDestinationOp>(user);
          other && !store)
        store = other;
      else if (!isa<tensor::DimOp>(user))
        empty = {};
    if (!empty || !store || !store.getRestrict() ||
        store->getBlock() != scan->getBlock())
      continue;
    auto memref = dyn_cast<TypedValue<MemRefType>>(store.getDest());
    if (!memref || memref.getType().getShape() != empty.getType().getShape() ||
        !dominance.properlyDominates(memref, scan))
      continue;
    Value base = getBaseMemRef(memref);
    WalkResult others = kernel->walk([&](bufferization::ToTensorOp tensor) {
      return getBaseMemRef(tensor.getBuffer()) == base ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    });
    if (others.wasInterrupted())
      continue;
    Value content = bufferization::ToTensorOp::create(
        rewriter, scan.getLoc(), empty.getType(), memref, /*restrict=*/true,
        /*writable=*/true);
    init.set(content);
  }
}

/// How many of the rows of `op` are worked on at a time, in each dimension; 0
/// where there is no loop.
static SmallVector<OpFoldResult> getRowsAtATime(Operation *op,
                                                const Sharing &sharing) {
  int64_t dimension = getDimension(op);
  auto shape = cast<ShapedType>(op->getOperand(0).getType()).getShape();
  Builder builder(op->getContext());
  SmallVector<OpFoldResult> sizes(shape.size(), builder.getIndexAttr(0));
  if (isa<ScanOp>(op)) {
    // All that are known, at once, but those that are scanned in parts.
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
      if (dim != dimension && (ShapedType::isDynamic(shape[dim]) ||
                               (shape[dim] > 1 && isScannedInParts(op))))
        sizes[dim] = builder.getIndexAttr(1);
    return sizes;
  }
  int64_t length = shape[dimension];
  if (ShapedType::isDynamic(length))
    length = getConstantUpperBound(op->getOperand(0), dimension)
                 .value_or(isa<TopKOp>(op) ? kMostElements : 1);
  // So many as keep all threads busy: four elements for each thread are two
  // pairs.
  int64_t left = std::max<int64_t>(1, 4 * sharing.numThreads /
                                          std::max<int64_t>(length, 1));
  for (int64_t dim = shape.size(); dim-- > 0;) {
    if (dim == dimension || shape[dim] == 0)
      continue;
    int64_t size = 1;
    if (!ShapedType::isDynamic(shape[dim]))
      for (size = std::min(left, shape[dim]); shape[dim] % size != 0;)
        --size;
    left /= size;
    if (size != shape[dim])
      sizes[dim] = builder.getIndexAttr(size);
  }
  return sizes;
}

/// Loops over the rows of `op`, but those that are worked on at a time. Returns
/// the op in the loops, or `op` itself.
static FailureOr<Operation *> loopOverRows(Operation *op,
                                           const Sharing &sharing) {
  SmallVector<OpFoldResult> sizes = getRowsAtATime(op, sharing);
  if (llvm::all_of(
          sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); }))
    return op;
  IRRewriter rewriter(op);
  scf::SCFTilingOptions options;
  options.setTileSizes(sizes);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(op), options);
  if (failed(tiled))
    return failure();
  Operation *part = tiled->tiledOps.front();
  readFromOutputs(cast<DestinationStyleOpInterface>(part), op->getOperands());
  hoistExtents(rewriter, tiled->loops,
               cast<DestinationStyleOpInterface>(op).getDpsInits());
  rewriter.replaceOp(op, tiled->replacements);
  return part;
}

/// Whether `tensor`, which nothing but the sort `op` uses, is memory of
/// somebody else's in the end: what is sorted in it only goes there.
static bool becomesOthers(Value tensor, Operation *op) {
  for (OpOperand &use : tensor.getUses()) {
    auto sort = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (use.getOwner() != op || !sort || !sort.isDpsInit(&use) ||
        !llvm::all_of(sort.getTiedOpResult(&use).getUsers(),
                      [](Operation *user) {
                        return isa<bufferization::MaterializeInDestinationOp,
                                   tensor::ParallelInsertSliceOp>(user);
                      }))
      return false;
  }
  return true;
}

/// Bytes of workgroup memory that are left for tiles of `op` whatever else in
/// the kernel is there at the same time, without an opt-in for more; less than
/// none where there is one already. Tiles of other ops of the dialect, which
/// are not there yet, are not needed at the same time.
static std::optional<int64_t> getFreeBytes(Operation *op,
                                           const KernelContext &context) {
  if (!context.hasTarget())
    return std::nullopt;
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  int64_t bytes = target.workgroupBytes;
  if (auto dynamic = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr))
    bytes -= dynamic.getInt();
  WalkResult walk = kernel->walk([&](Operation *other) {
    if (!isa<tensor::EmptyOp, bufferization::AllocTensorOp, memref::AllocOp>(
            other) ||
        (isa<tensor::EmptyOp>(other) && becomesOthers(other->getResult(0), op)))
      return WalkResult::advance();
    auto type = cast<ShapedType>(other->getResult(0).getType());
    std::optional<int64_t> own =
        getBufferBytes(type.getShape(), type.getElementType(), target);
    if (!own)
      return WalkResult::interrupt();
    bytes -=
        llvm::alignTo(*own, getBufferAlignment(type.getElementType(), target));
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return std::nullopt;
  return bytes;
}

/// Failure with an error at a sort `op` whose row does not fit in a workgroup's
/// memory: other ops take long rows in parts.
static LogicalResult checkRowFits(Operation *op, const KernelContext &context) {
  if (!isa<SortOp, SortIndicesOp>(op) || !context.hasTarget())
    return success();
  auto sort = cast<DestinationStyleOpInterface>(op);
  std::optional<int64_t> bytes =
      getSortBytesPerElement(sort, context.getTarget());
  int64_t length = cast<ShapedType>(sort.getDpsInits().front().getType())
                       .getDimSize(getDimension(op));
  int64_t limit = context.getTarget().maxWorkgroupBytes;
  if (!bytes || ShapedType::isDynamic(length) ||
      int64_t(llvm::PowerOf2Ceil(length)) <=
          limit / std::max<int64_t>(*bytes, 1))
    return success();
  return op->emitOpError("of rows of ")
         << length << " elements needs " << llvm::PowerOf2Ceil(length) * *bytes
         << " bytes of workgroup memory for a row; the limit of "
         << context.getTarget().chip << " is " << limit
         << "; run 'memspace-split-large-sorts' before, which lets several "
            "workgroups sort a row";
}

/// An op that has no elements to write, or none to write from, leaves its
/// outputs as they are.
static void eraseEmptyOps(FunctionOpInterface kernel) {
  auto hasNoElements = [](Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type && llvm::is_contained(type.getShape(), 0);
  };
  kernel->walk([&](DestinationStyleOpInterface op) {
    bool isGather = isa<GatherOp>(*op);
    if (!isGather && !isStructured(op))
      return;
    // The first operand is what is worked on, but that of a gather is a table.
    if (llvm::none_of(op.getDpsInits(), hasNoElements) &&
        (isGather || !hasNoElements(op->getOperand(0))))
      return;
    IRRewriter rewriter(op);
    if (op->getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, op.getDpsInits());
  });
}

/// Failure with an error at an op on memrefs that threads execute together and
/// that nobody can do: all threads have to write their own memory, and one of
/// them what they share.
static LogicalResult verifyOutputs(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  if (saysWhichThread(kernel))
    return success();
  ExecutionScopeAnalysis scopes(kernel);
  WalkResult walk = kernel->walk([&](DestinationStyleOpInterface op) {
    if ((!isStructured(op) && !isa<GatherOp>(*op)) ||
        !op.hasPureBufferSemantics() ||
        scopes.getScope(op) == ExecutionScope::Thread ||
        !hasSharedSideEffect(op, context) || !mayWriteOwnMemory(op, context))
      return WalkResult::advance();
    op->emitOpError("is executed by all threads of a ")
        << stringifyExecutionScope(scopes.getScope(op))
        << ", and writes memory that each of them has and memory that they "
           "share; write the one, and copy it to the other";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Gathers become linalg ops, upstream's scatters ours.
static void convertIndexedOps(FunctionOpInterface kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<GatherOp, tensor::GatherOp, tensor::ScatterOp>(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  RewritePatternSet patterns(kernel.getContext());
  addGatherPatterns(patterns);
  (void)applyOpPatternsGreedily(ops, std::move(patterns));
}

/// True when there is anything to do for distributeStructuredOps().
static bool hasWork(Operation *kernel) {
  return kernel
      ->walk([](Operation *op) {
        return WalkResult(failure(
            isStructured(op) || isa<StructuredOpInterface, GatherOp,
                                    tensor::GatherOp, tensor::ScatterOp>(op)));
      })
      .wasInterrupted();
}

LogicalResult memspace::distributeStructuredOps(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  if (!hasWork(kernel))
    return success();
  if (failed(convertStructuredOps(kernel)))
    return failure();
  eraseEmptyOps(kernel);
  if (failed(verifyOutputs(context)))
    return failure();
  raiseStructuredOps(context);
  convertIndexedOps(kernel);
  SmallVector<Operation *> ops = collectStructuredOps(kernel);
  if (ops.empty())
    return success();
  // What nobody needs is not computed.
  dropUnusedOutputs(kernel);
  ops = collectStructuredOps(kernel);

  bool isSPMD = saysWhichThread(kernel);
  ExecutionScopeAnalysis scopes(kernel);
  auto freeBytes = llvm::map_to_vector(
      ops, [&](Operation *op) { return getFreeBytes(op, context); });
  for (auto [op, bytes] : llvm::zip_equal(ops, freeBytes)) {
    ExecutionScope scope = scopes.getScope(op);
    auto scatter = dyn_cast<ScatterOp>(op);
    if (scatter && scatter.getAtomic() && failed(verifyAtomic(scatter)))
      return failure();
    bool isOfTensors =
        cast<DestinationStyleOpInterface>(op).hasPureTensorSemantics();
    if ((!isOfTensors && (isSPMD || !hasSharedSideEffect(op, context))) ||
        scope == ExecutionScope::Thread)
      continue;
    if (scope == ExecutionScope::Grid || scope == ExecutionScope::Warpgroup)
      return op->emitOpError("is executed by a ")
             << stringifyExecutionScope(scope)
             << ", which cannot share it; put it"
             << (isa<ScatterOp>(op) ? ", 'atomic'," : "")
             << " into a 'scf.forall' of blocks, or of warps, over its "
             << (isa<ScatterOp>(op) ? "updates" : "rows");
    Sharing sharing = getSharing(scope == ExecutionScope::Subgroup, context);
    if (scatter) {
      if (failed(distributeScatter(scatter, sharing)))
        return failure();
      continue;
    }
    sharing.freeBytes = bytes;
    if (isScannedInParts(op))
      writeWhereStored(cast<ScanOp>(op), kernel);
    FailureOr<Operation *> part = loopOverRows(op, sharing);
    if (failed(part) || failed(checkRowFits(*part, context)))
      return failure();
    if (!isScannedInParts(*part)) {
      if (failed(distributeRows(*part, sharing)))
        return failure();
      continue;
    }
    for (ScanOp inPart :
         scanInParts(cast<ScanOp>(*part), 4 * sharing.numThreads))
      if (failed(distributeRows(inPart, sharing)))
        return failure();
  }
  return success();
}

namespace {
struct DistributeStructuredOpsPass
    : public memspace::impl::DistributeStructuredOpsPassBase<
          DistributeStructuredOpsPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.target = {chip, workgroupLimit, privateLimit, subgroupSize};
    selection.launch = {llvm::to_vector(blockSize), llvm::to_vector(gridSize)};
    selection.memorySpaces = memorySpaces;
    selection.pass = getArgument();
    selection.quiet = quiet;
    selection.targetIsOptional = true;
    bool isChanged = false;
    selection.renamed = &isChanged;
    auto distribute = [&](const KernelContext &context) {
      isChanged |= hasWork(context.getKernel());
      return distributeStructuredOps(context);
    };
    if (failed(forEachKernel(getOperation(), selection, distribute)))
      return signalPassFailure();
    // Then nothing needs to be verified again.
    if (!isChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
