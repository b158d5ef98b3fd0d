//===- ImportOps.cpp - ops of IREE that upstream has as well --------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenAttrs.h"
#include "iree/compiler/Codegen/Dialect/Codegen/IR/IREECodegenOps.h"
#include "iree/compiler/Codegen/Dialect/GPU/IR/IREEGPUOps.h"
#include "iree/compiler/Codegen/Dialect/VectorExt/IR/VectorExtOps.h"
#include "iree/compiler/Dialect/LinalgExt/IR/LinalgExtOps.h"
#include "iree/compiler/Dialect/Util/IR/UtilOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::iree_compiler::IREE;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// True for a forall whose iterations follow each other in one worker.
static bool isLocal(scf::ForallOp forall) {
  ArrayAttr mapping = forall.getMapping().value_or(ArrayAttr());
  return mapping && !mapping.empty() &&
         llvm::all_of(mapping, llvm::IsaPred<Codegen::LocalMappingAttr>);
}

/// True when `slice` is where `insertion` puts something.
static bool isSamePlace(tensor::ExtractSliceOp slice,
                        tensor::ParallelInsertSliceOp insertion) {
  return slice.getSource() == insertion.getDest() &&
         slice.getMixedOffsets() == insertion.getMixedOffsets() &&
         slice.getMixedSizes() == insertion.getMixedSizes() &&
         slice.getMixedStrides() == insertion.getMixedStrides();
}

/// A loop nest that carries the shared outputs. An iteration reads what was
/// there before all of them: its own place is what no other has changed, and
/// for the rest of an output it keeps the tensor from before.
static LogicalResult makeLoops(scf::ForallOp forall, IRRewriter &rewriter) {
  SmallVector<tensor::ParallelInsertSliceOp> insertions;
  for (Operation &op : forall.getTerminator().getYieldingOps()) {
    auto insertion = dyn_cast<tensor::ParallelInsertSliceOp>(op);
    if (!insertion)
      return op.emitError("ends an iteration of a loop of one worker; only "
                          "'tensor.parallel_insert_slice' can");
    insertions.push_back(insertion);
  }
  rewriter.setInsertionPoint(forall);
  Location loc = forall.getLoc();
  auto toValues = [&](SmallVector<OpFoldResult> list) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, list);
  };
  SmallVector<Value> lower = toValues(forall.getMixedLowerBound()),
                     upper = toValues(forall.getMixedUpperBound()),
                     steps = toValues(forall.getMixedStep());
  auto getOutput = [&](tensor::ParallelInsertSliceOp insertion) {
    return cast<BlockArgument>(insertion.getDest()).getArgNumber() -
           forall.getRank();
  };
  auto makeBody = [&](OpBuilder &b, Location, ValueRange ids,
                      ValueRange carried) {
    IRMapping mapping;
    mapping.map(forall.getInductionVars(), ids);
    mapping.map(forall.getRegionOutArgs(), forall.getOutputs());
    for (Operation &op : forall.getBody()->without_terminator()) {
      Operation *copy = b.clone(op, mapping);
      auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
      for (tensor::ParallelInsertSliceOp insertion : insertions)
        if (slice && isSamePlace(slice, insertion))
          copy->setOperand(0, carried[getOutput(insertion)]);
    }
    SmallVector<Value> results(carried);
    for (tensor::ParallelInsertSliceOp insertion : insertions) {
      auto map = [&](SmallVector<OpFoldResult> list) {
        for (OpFoldResult &entry : list)
          if (auto value = dyn_cast<Value>(entry))
            entry = mapping.lookupOrDefault(value);
        return list;
      };
      Value &result = results[getOutput(insertion)];
      result = tensor::InsertSliceOp::create(
          b, insertion.getLoc(), mapping.lookupOrDefault(insertion.getSource()),
          result, map(insertion.getMixedOffsets()),
          map(insertion.getMixedSizes()), map(insertion.getMixedStrides()));
    }
    return scf::ValueVector(results.begin(), results.end());
  };
  scf::LoopNest nest = scf::buildLoopNest(rewriter, loc, lower, upper, steps,
                                          forall.getOutputs(), makeBody);
  rewriter.replaceOp(forall, nest.results);
  return success();
}

/// A loop over the tiles of a workgroup (`%id * 64 to %n step %count * 64`)
/// that has at most one, as IREE's bounds of ids say, becomes an `scf.if`. What
/// its body writes is written once then, and may be a tensor from before the
/// loop.
static void replaceLoop(scf::ForOp loop, IRRewriter &b) {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  auto compare = ValueBoundsConstraintSet::compare;
  AffineMap sum = AffineMap::get(
      2, 0, b.getAffineDimExpr(0) + b.getAffineDimExpr(1), b.getContext());
  if (!lower.getType().isIndex() || loop.getUnsignedCmp() ||
      !compare({sum, ValueRange{lower, loop.getStep()}},
               ValueBoundsConstraintSet::GE, upper))
    return;
  b.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value runs =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lower, upper);
  auto branch = scf::IfOp::create(b, loc, loop.getResultTypes(), runs,
                                  /*addThenBlock=*/true,
                                  /*addElseBlock=*/loop.getNumResults() > 0);
  SmallVector<Value> args{lower};
  llvm::append_range(args, loop.getInitArgs());
  SmallVector<Value> inits(loop.getInitArgs());
  b.mergeBlocks(loop.getBody(), branch.thenBlock(), args);
  if (Block *otherwise = branch.elseBlock()) {
    b.setInsertionPointToEnd(otherwise);
    scf::YieldOp::create(b, loc, inits);
  }
  b.replaceOp(loop, branch.getResults());
}

//===----------------------------------------------------------------------===//
// Copies by lanes together
//===----------------------------------------------------------------------===//

/// A forall of lanes that only copies a tensor by `coalesced_gather_dma` is the
/// copy, which MemSpace shares among lanes.
static LogicalResult replaceCopies(scf::ForallOp forall, IRRewriter &rewriter) {
  Block &ends = *forall.getTerminator().getBody();
  auto copies = ends.getOps<GPU::CoalescedGatherDMAOp>();
  if (copies.empty())
    return success();
  GPU::CoalescedGatherDMAOp copy = *copies.begin();
  bool isCopy =
      llvm::hasSingleElement(ends) && forall.getOutputs().size() == 1 &&
      copy.getIndices().empty() &&
      copy.getInit() == forall.getRegionOutArgs().front() &&
      copy.getSource().getType() == copy.getInit().getType() &&
      !forall.getRegion().isAncestor(copy.getSource().getParentRegion());
  if (!isCopy)
    return copy.emitError("gathers rows, or is not alone in its forall; lower "
                          "it to reads and writes of vectors before");
  rewriter.setInsertionPoint(forall);
  rewriter.replaceOpWithNewOp<linalg::CopyOp>(forall, copy.getSource(),
                                              forall.getOutputs().front());
  return success();
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// Reads of more parts than this are no code that anyone wants.
static constexpr int64_t kMaxGatheredParts = 4096;

namespace {
/// Writes a gather as reads of elements, or of rows where its last dimension is
/// not gathered.
class GatherParts {
public:
  GatherParts(VectorExt::TransferGatherOp gather, IRRewriter &rewriter)
      : gather(gather), b(rewriter), loc(gather.getLoc()),
        type(cast<VectorType>(gather.getVector().getType())),
        permutation(gather.getPermutationMap()),
        isIndexed(gather.getIndexed().getAsValueRange<BoolAttr>()) {}

  LogicalResult replace();

private:
  bool hasRows();
  SmallVector<Value> getPlace(ArrayRef<int64_t> position);
  Value read(ValueRange place, VectorType part);

  VectorExt::TransferGatherOp gather;
  IRRewriter &b;
  Location loc;
  VectorType type;
  AffineMap permutation;
  SmallVector<bool> isIndexed;
};
} // namespace

/// The last dimension of the vector is that of the memory, and its elements are
/// neighbours.
bool GatherParts::hasRows() {
  unsigned last = permutation.getNumDims() - 1;
  return !isIndexed.back() && type.getRank() > 1 &&
         permutation.getResults().back() == b.getAffineDimExpr(last) &&
         llvm::none_of(gather.getIndexedMapsArray(), [&](AffineMap map) {
           return map.isFunctionOfDim(last);
         });
}

/// Where the element of `position` in the vector is in the memory.
SmallVector<Value> GatherParts::getPlace(ArrayRef<int64_t> position) {
  SmallVector<int64_t> slice(permutation.getNumDims(), 0);
  for (auto [expr, number] : llvm::zip(permutation.getResults(), position))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      slice[dim.getPosition()] = number;
  SmallVector<Value> place(gather.getIndices());
  unsigned vectors = 0;
  for (auto [dim, index] : llvm::enumerate(place)) {
    Value offset;
    if (isIndexed[dim]) {
      AffineMap map = gather.getIndexedMapsArray()[vectors];
      offset = vector::ExtractOp::create(
          b, loc, gather.getIndexVecs()[vectors++], map.compose(slice));
    } else if (slice[dim] != 0) {
      offset = arith::ConstantIndexOp::create(b, loc, slice[dim]);
    }
    if (offset)
      index = arith::AddIOp::create(b, loc, index, offset);
  }
  return place;
}

/// `part`: of a row; null for an element.
Value GatherParts::read(ValueRange place, VectorType part) {
  Value base = gather.getBase();
  if (part)
    return vector::TransferReadOp::create(
        b, loc, part, base, place, gather.getPadding(),
        ArrayRef<bool>{cast<BoolAttr>(gather.getInBounds()[type.getRank() - 1])
                           .getValue()});
  if (isa<TensorType>(base.getType()))
    return tensor::ExtractOp::create(b, loc, base, place);
  return memref::LoadOp::create(b, loc, base, place);
}

LogicalResult GatherParts::replace() {
  auto refuse = [&](StringRef what) {
    return gather.emitError("gathers ")
           << what
           << "; make it reads of vectors first (IREE: lower "
              "'iree_vector_ext')";
  };
  Type element = cast<ShapedType>(gather.getBase().getType()).getElementType();
  if (gather.getMask())
    return refuse("with a mask");
  if (type.isScalable() || element != type.getElementType())
    return refuse("elements that are vectors, or a scalable vector");
  bool rows = hasRows();
  // Of what is gathered every index is one of the memory.
  SmallVector<bool> inBounds(gather.getInBounds().getAsValueRange<BoolAttr>());
  for (unsigned i = 0, end = inBounds.size() - rows; i < end; ++i)
    if (auto dim = dyn_cast<AffineDimExpr>(permutation.getResult(i));
        dim && !inBounds[i] && !isIndexed[dim.getPosition()])
      return refuse("what may be out of bounds");
  VectorType part =
      rows ? VectorType::get(type.getShape().back(), element) : VectorType();
  SmallVector<int64_t> shape(type.getShape());
  if (rows)
    shape.pop_back();
  if (ShapedType::getNumElements(shape) > kMaxGatheredParts)
    return refuse("more than " + std::to_string(kMaxGatheredParts) + " parts");
  b.setInsertionPoint(gather);
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  SmallVector<int64_t> ones(shape.size(), 1);
  for (SmallVector<int64_t> position : StaticTileOffsetRange(shape, ones))
    result = vector::InsertOp::create(b, loc, read(getPlace(position), part),
                                      result, position);
  b.replaceOp(gather, result);
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters by a function of the index
//===----------------------------------------------------------------------===//

/// True inside of a forall of threads or lanes.
static bool isOfOneThread(Operation *op) {
  for (auto forall = op->getParentOfType<scf::ForallOp>(); forall;
       forall = forall->getParentOfType<scf::ForallOp>())
    if (std::optional<memspace::ForallMapping> mapping =
            memspace::getForallMapping(forall);
        mapping && mapping->scope == memspace::ExecutionScope::Thread)
      return true;
  return false;
}

/// The vector that is scattered becomes a tensor of the thread's own.
static RankedTensorType writeToTensor(LinalgExt::MapScatterOp scatter,
                                      IRRewriter &b) {
  Location loc = scatter.getLoc();
  auto vector = cast<VectorType>(scatter.getInput().getType());
  Value empty = tensor::EmptyOp::create(b, loc, vector.getShape(),
                                        vector.getElementType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> zeros(vector.getRank(), zero);
  Value written = vector::TransferWriteOp::create(
                      b, loc, scatter.getInput(), empty, zeros,
                      SmallVector<bool>(vector.getRank(), /*inBounds=*/true))
                      .getResult();
  scatter.getInputMutable().assign(written);
  return cast<RankedTensorType>(written.getType());
}

/// One iteration of the threads, or of the thread, for each element: the op
/// says that no two go to one place.
static LogicalResult makeForall(LinalgExt::MapScatterOp scatter,
                                IRRewriter &b) {
  auto inputType = dyn_cast<RankedTensorType>(scatter.getInput().getType());
  auto outputType = dyn_cast<RankedTensorType>(scatter.getOutput().getType());
  if (!outputType)
    return success();
  if (!inputType) {
    if (!isOfOneThread(scatter))
      return scatter.emitError(
          "scatters a vector of all threads into a tensor; "
          "give it the tensor, or decompose it before");
    inputType = writeToTensor(scatter, b);
  }
  Location loc = scatter.getLoc();
  int64_t rank = inputType.getRank();
  // A forall needs a dimension, as many as there are names at most.
  if (rank == 0 || rank > 10)
    return scatter.emitError("scatters a tensor of ")
           << rank << " dimensions; it needs 1 to 10 of them";
  bool local = isOfOneThread(scatter);
  SmallVector<Attribute> mapping;
  for (int64_t dim = rank - 1; dim >= 0; --dim)
    mapping.push_back(
        local ? Attribute(Codegen::LocalMappingAttr::get(b.getContext(), dim))
              : gpu::GPUThreadMappingAttr::get(
                    b.getContext(),
                    static_cast<gpu::MappingId>(
                        int64_t(gpu::MappingId::LinearDim0) + dim)));
  auto forall = scf::ForallOp::create(
      b, loc, tensor::getMixedSizes(b, loc, scatter.getInput()),
      scatter.getOutput(), b.getArrayAttr(mapping));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forall.getBody());
  auto insert = [&](OpBuilder &, Location, ArrayRef<Value> place) {
    // One element or none.
    Value mask = place.back();
    OpFoldResult count = b.getIndexAttr(1);
    if (!matchPattern(mask, m_One()))
      count = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), mask)
                  .getResult();
    auto getSizes = [&](int64_t rank) {
      SmallVector<OpFoldResult> sizes(rank, b.getIndexAttr(1));
      sizes.front() = count;
      return sizes;
    };
    SmallVector<OpFoldResult> ones(std::max(rank, outputType.getRank()),
                                   b.getIndexAttr(1));
    auto type =
        RankedTensorType::get(isa<Attribute>(count) ? 1 : ShapedType::kDynamic,
                              inputType.getElementType());
    Value element = tensor::ExtractSliceOp::create(
        b, loc, type, scatter.getInput(),
        getAsOpFoldResult(forall.getInductionVars()), getSizes(rank),
        ArrayRef(ones).take_front(rank));
    b.setInsertionPointToEnd(forall.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(
        b, loc, element, forall.getRegionOutArgs().front(),
        getAsOpFoldResult(ValueRange(place.drop_back())),
        getSizes(outputType.getRank()),
        ArrayRef(ones).take_front(outputType.getRank()));
  };
  scatter.inlineMapScatterBody(b, loc, forall.getInductionVars(), insert);
  b.replaceOp(scatter, forall.getResults());
  return local ? makeLoops(forall, b) : success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The online form, from sums of nothing, and divided by the sums at the end.
/// What IREE decomposes the op to itself divides the sums by the elements.
static LogicalResult makeOnline(LinalgExt::AttentionOp op, IRRewriter &b) {
  if (op->getNumResults() != 1)
    return success();
  Location loc = op.getLoc();
  Type f32 = b.getF32Type();
  auto outputType = cast<RankedTensorType>(op.getOutput().getType());
  AffineMap query = op.getQueryMap(), output = op.getOutputMap();
  // A row of scores has one maximum and one sum; in the output it is where its
  // dimensions are.
  SmallVector<AffineExpr> rows, rowsInOutput;
  for (auto [position, expr] : llvm::enumerate(output.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return op.emitError("has an output that is indexed by more than loops");
    if (!query.isFunctionOfDim(dim.getPosition()))
      continue;
    rows.push_back(expr);
    rowsInOutput.push_back(b.getAffineDimExpr(position));
  }
  AffineMap rowMap =
      AffineMap::get(query.getNumDims(), 0, rows, b.getContext());
  auto sizes = llvm::map_to_vector(
      op.getIterationDomain(b), [](const Range &range) { return range.size; });
  auto fill = [&](AffineMap map, APFloat number) {
    Value value =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(f32, number));
    Value empty = tensor::EmptyOp::create(
        b, loc, applyPermutationMap<OpFoldResult>(map, sizes), f32);
    return linalg::FillOp::create(b, loc, value, empty).getResult(0);
  };
  APFloat zero(0.0f);
  Value acc = fill(output, zero), sum = fill(rowMap, zero),
        max = fill(rowMap, APFloat::getLargest(zero.getSemantics(),
                                               /*Negative=*/true));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.append({rowMap, rowMap});
  auto online = LinalgExt::OnlineAttentionOp::create(
      b, loc, TypeRange{acc.getType(), max.getType(), sum.getType()},
      op.getQuery(), op.getKey(), op.getValue(), op.getScale(), op.getMask(),
      acc, max, sum, b.getAffineMapArrayAttr(maps),
      op.getDecompositionConfigAttr());
  b.inlineRegionBefore(op.getRegion(), online.getRegion(),
                       online.getRegion().begin());
  int64_t rank = outputType.getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  auto divide = [&](OpBuilder &body, Location loc, ValueRange args) {
    Value part = arith::DivFOp::create(body, loc, args[0], args[1]);
    linalg::YieldOp::create(body, loc,
                            convertScalarToDtype(body, loc, part,
                                                 outputType.getElementType(),
                                                 /*isUnsignedCast=*/false));
  };
  b.replaceOpWithNewOp<linalg::GenericOp>(
      op, outputType, ValueRange{online.getResult(0), online.getResult(2)},
      op.getOutput(),
      ArrayRef<AffineMap>{identity,
                          AffineMap::get(rank, 0, rowsInOutput, b.getContext()),
                          identity},
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      divide);
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles of matrix units
//===----------------------------------------------------------------------===//

/// Reads, the op on vectors, and a write, as IREE vectorizes it. What a
/// subgroup does together is no op of a thread.
static LogicalResult vectorize(Codegen::InnerTiledOp op, IRRewriter &b) {
  auto semantics = dyn_cast<GPU::InnerTiledSemanticsAttr>(op.getSemantics());
  if (!semantics || !semantics.getDistributed())
    return op.emitError("is of a whole subgroup or workgroup; distribute it to "
                        "lanes before (IREE: 'distribute_inner_tiled')");
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  SmallVector<Type> types;
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    if (!type.hasStaticShape())
      return op.emitError("has tensors of unknown extents; tile it before");
    auto vector = VectorType::get(type.getShape(), type.getElementType());
    Value padding =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
    SmallVector<bool> inBounds(type.getRank(), true);
    operands.push_back(vector::TransferReadOp::create(
        b, loc, vector, operand.get(), SmallVector<Value>(type.getRank(), zero),
        padding, ArrayRef<bool>(inBounds)));
    if (op.isDpsInit(&operand))
      types.push_back(vector);
  }
  Operation *onVectors = clone(b, op, types, operands);
  SmallVector<Value> results;
  for (auto [value, init] :
       llvm::zip(onVectors->getResults(), op.getOutputs())) {
    int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
    SmallVector<bool> inBounds(rank, true);
    results.push_back(vector::TransferWriteOp::create(
                          b, loc, value, init, SmallVector<Value>(rank, zero),
                          ArrayRef<bool>(inBounds))
                          .getResult());
  }
  b.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// True where an op has a result of the type, or the kernel an argument.
template <typename TypeT> static bool hasValues(FunctionOpInterface kernel) {
  return llvm::any_of(kernel.getArgumentTypes(), llvm::IsaPred<TypeT>) ||
         kernel
             ->walk([](Operation *op) {
               return WalkResult(success(
                   llvm::none_of(op->getResultTypes(), llvm::IsaPred<TypeT>)));
             })
             .wasInterrupted();
}

/// In place of `op`, if it has another form; failure after a diagnostic.
static LogicalResult replaceOp(Operation *op, FunctionOpInterface kernel,
                               IRRewriter &b) {
  b.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForallOp forall) {
        return isLocal(forall) ? makeLoops(forall, b)
                               : replaceCopies(forall, b);
      })
      .Case([&](scf::ForOp loop) {
        replaceLoop(loop, b);
        return success();
      })
      .Case([&](VectorExt::TransferGatherOp gather) {
        return GatherParts(gather, b).replace();
      })
      .Case([&](LinalgExt::AttentionOp attention) {
        return makeOnline(attention, b);
      })
      .Case([&](LinalgExt::MapScatterOp scatter) {
        return makeForall(scatter, b);
      })
      .Case([&](Codegen::InnerTiledOp tiled) {
        return tiled.hasTensorSemantics() ? vectorize(tiled, b) : success();
      })
      .Case<Codegen::FusionBarrierOp, Codegen::IndexHintOp,
            Codegen::SwizzleHintOp, Util::OptimizationBarrierOp>(
          [&](Operation *hint) {
            b.replaceOp(hint, hint->getOperands());
            return success();
          })
      .Case([&](Util::UnfoldableConstantOp constant) {
        auto value = dyn_cast<TypedAttr>(constant.getValue());
        if (value && value.getType().isIntOrIndexOrFloat())
          b.replaceOpWithNewOp<arith::ConstantOp>(constant, value);
        return success();
      })
      .Case([&](GPU::BufferResourceCastOp cast) {
        b.replaceOp(cast, cast.getInput());
        return success();
      })
      .Case([&](GPU::ValueBarrierOp barrier) {
        if (barrier.hasTensorSemantics())
          return success();
        // Vectors are each thread's own. What they were read from is for those
        // to say who place barriers, unless it is memory already.
        if (hasValues<BaseMemRefType>(kernel) && !hasValues<TensorType>(kernel))
          gpu::BarrierOp::create(b, barrier.getLoc());
        b.replaceOp(barrier, barrier.getInputs());
        return success();
      })
      .Case([&](LinalgExt::PackOp pack) {
        if (pack->getNumResults() != 1)
          return success();
        std::optional<Value> padding;
        if (Value value = pack.getPaddingValue())
          padding = value;
        b.replaceOpWithNewOp<linalg::PackOp>(
            pack, pack.getInput(), pack.getOutput(), pack.getInnerDimsPos(),
            pack.getMixedTiles(), padding, pack.getOuterDimsPerm());
        return success();
      })
      .Case([&](LinalgExt::UnPackOp unpack) {
        if (unpack->getNumResults() != 1)
          return success();
        b.replaceOpWithNewOp<linalg::UnPackOp>(
            unpack, unpack.getInput(), unpack.getOutput(),
            unpack.getInnerDimsPos(), unpack.getMixedTiles(),
            unpack.getOuterDimsPerm());
        return success();
      })
      .Default(success());
}

LogicalResult memspace::iree::importOps(FunctionOpInterface kernel) {
  IRRewriter rewriter(kernel.getContext());
  SmallVector<Operation *> ops;
  // What is inside of an op comes before it: loops are made of copies.
  kernel->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (failed(replaceOp(op, kernel, rewriter)))
      return failure();
  return success();
}
