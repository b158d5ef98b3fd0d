//===- StructuredOps.cpp - IREE's sorts and their like, in ours -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Adapter.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/IR/StructuredOpInterface.h"
#include "iree/compiler/Dialect/LinalgExt/IR/LinalgExtDialect.h"
#include "iree/compiler/Dialect/LinalgExt/IR/LinalgExtOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using memspace::copyPayload;
using memspace::StructuredOpInterface;
namespace ext = mlir::iree_compiler::IREE::LinalgExt;

namespace {
/// Its outputs are what is sorted.
struct SortModel
    : StructuredOpInterface::ExternalModel<SortModel, ext::SortOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto sort = cast<ext::SortOp>(op);
    if (!sort.getInputs().empty())
      return b.notifyMatchFailure(op, "a sort of inputs has no outputs to "
                                      "sort; give it outputs only");
    auto ours = memspace::SortOp::create(b, op->getLoc(), op->getResultTypes(),
                                         sort.getOutputs(), sort.getOutputs(),
                                         sort.getDimension(), /*stable=*/false);
    if (failed(copyPayload(b, sort.getRegion(), ours.getComparator())))
      return failure();
    return SmallVector<Value>(ours.getResults());
  }
};

/// What `labels` has at `positions`, which are along `dimension`.
Value lookUp(RewriterBase &b, Location loc, Value labels, Value positions,
             int64_t dimension) {
  auto type = cast<RankedTensorType>(positions.getType());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto elementType = cast<RankedTensorType>(labels.getType()).getElementType();
  Value found = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, positions), elementType);
  auto body = [&](OpBuilder &inner, Location at, ValueRange args) {
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      indices.push_back(
          dim == dimension
              ? arith::IndexCastOp::create(inner, at, inner.getIndexType(),
                                           args[0])
                    .getResult()
              : linalg::IndexOp::create(inner, at, dim).getResult());
    Value label = tensor::ExtractOp::create(inner, at, labels, indices);
    linalg::YieldOp::create(inner, at, label);
  };
  return linalg::GenericOp::create(b, loc, found.getType(), positions, found,
                                   maps, iterators, body)
      .getResult(0);
}

/// Without labels the positions along the dimension are the indices.
struct TopKModel
    : StructuredOpInterface::ExternalModel<TopKModel, ext::TopkOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto topK = cast<ext::TopkOp>(op);
    Location loc = op->getLoc();
    std::optional<Value> labels = topK.getIndices();
    Value positions = topK.getOutputs()[1];
    if (labels)
      positions = tensor::EmptyOp::create(
          b, loc, tensor::getMixedSizes(b, loc, positions),
          cast<RankedTensorType>(positions.getType()).getElementType());
    auto ours = memspace::TopKOp::create(b, loc, op->getResultTypes(),
                                         topK.getValues(), topK.getOutputs()[0],
                                         positions, topK.getDimension());
    if (failed(copyPayload(b, topK.getRegion(), ours.getComparator())))
      return failure();
    SmallVector<Value> results(ours.getResults());
    if (!labels)
      return results;
    if (ours.readsOutputs())
      return b.notifyMatchFailure(op,
                                  "labels are not looked up where a row may "
                                  "have fewer elements than are asked for; "
                                  "give it values only, or fewer outputs");
    results[1] = lookUp(b, loc, *labels, results[1], topK.getDimension());
    return results;
  }
};

/// `indices` with a last dimension of one coordinate, which may be left out:
/// the others, of `batchRank`, number the places.
Value addCoordinate(RewriterBase &b, Location loc, Value indices,
                    int64_t batchRank) {
  auto type = cast<RankedTensorType>(indices.getType());
  if (type.getRank() != batchRank)
    return indices;
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    groups.push_back({dim});
  if (!groups.empty())
    groups.back().push_back(type.getRank());
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), indices,
                                       groups);
}

struct GatherModel
    : StructuredOpInterface::ExternalModel<GatherModel, ext::GatherOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto gather = cast<ext::GatherOp>(op);
    if (!isa<RankedTensorType>(gather.getIndicesType()))
      return b.notifyMatchFailure(op, "it is on memrefs; convert it before "
                                      "bufferization");
    Value indices = addCoordinate(b, op->getLoc(), gather.getIndices(),
                                  gather.getBatchRank());
    auto ours = memspace::GatherOp::create(
        b, op->getLoc(), op->getResultTypes(), gather.getSource(), indices,
        gather.getOutput(), gather.getDimensionMap(), /*in_bounds=*/true);
    return SmallVector<Value>(ours->getResults());
  }
};

struct ScatterModel
    : StructuredOpInterface::ExternalModel<ScatterModel, ext::ScatterOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto scatter = cast<ext::ScatterOp>(op);
    if (!isa<RankedTensorType>(scatter.getIndicesType()))
      return b.notifyMatchFailure(op, "it is on memrefs; convert it before "
                                      "bufferization");
    Value indices = addCoordinate(b, op->getLoc(), scatter.getIndices(),
                                  scatter.getBatchRank());
    auto ours = memspace::ScatterOp::create(
        b, op->getLoc(), op->getResultTypes(), scatter.getUpdates(), indices,
        scatter.getOriginal(),
        b.getDenseI64ArrayAttr(scatter.getDimensionMap()),
        scatter.getUniqueIndices() ? b.getUnitAttr() : UnitAttr(),
        /*in_bounds=*/b.getUnitAttr(), /*atomic=*/UnitAttr(),
        /*combinersCount=*/1);
    if (failed(copyPayload(b, scatter.getRegion(), *ours.getCombiner())))
      return failure();
    return SmallVector<Value>(ours->getResults());
  }
};

/// What a scan ends with is an output of its own, and what an exclusive one
/// begins with. A row of one element leaves it as it is.
struct ScanModel
    : StructuredOpInterface::ExternalModel<ScanModel, ext::ScanOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto scan = cast<ext::ScanOp>(op);
    Location loc = op->getLoc();
    auto type = dyn_cast<RankedTensorType>(scan.getInput().getType());
    if (!type || !type.hasStaticShape() || scan.getInputs().size() != 1)
      return b.notifyMatchFailure(op, "only scans of one tensor of a static "
                                      "shape are converted");
    Value end = scan.getAccumulator();
    auto endType = cast<RankedTensorType>(end.getType());
    SmallVector<Value> initial;
    if (!scan.getInclusive()) {
      if (endType.getRank() != 0)
        return b.notifyMatchFailure(
            op, "exclusive scans of several rows begin with a value each");
      initial.push_back(tensor::ExtractOp::create(b, loc, end));
    }
    auto ours = memspace::ScanOp::create(
        b, loc, scan.getOutput().getType(), scan.getInput(), initial,
        scan.getOutput(), scan.getDimension(),
        /*exclusive=*/!scan.getInclusive(), /*reverse=*/false);
    if (failed(copyPayload(b, scan.getRegion(), ours.getCombiner())))
      return failure();
    Value row = ours->getResult(0);
    int64_t length = type.getDimSize(scan.getDimension());
    if (length > 1) {
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
          ones(type.getRank(), b.getIndexAttr(1)),
          sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape());
      offsets[scan.getDimension()] = b.getIndexAttr(length - 1);
      sizes[scan.getDimension()] = b.getIndexAttr(1);
      Value last = tensor::ExtractSliceOp::create(b, loc, endType, row, offsets,
                                                  sizes, ones);
      end = linalg::CopyOp::create(b, loc, last, end).getResult(0);
    }
    return SmallVector<Value>{row, end};
  }
};
} // namespace

void memspace::iree::registerStructuredOps(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ext::IREELinalgExtDialect *) {
    // What the models make ops of.
    context->loadDialect<memspace::MemSpaceDialect, arith::ArithDialect,
                         linalg::LinalgDialect, tensor::TensorDialect>();
    ext::SortOp::attachInterface<SortModel>(*context);
    ext::TopkOp::attachInterface<TopKModel>(*context);
    ext::GatherOp::attachInterface<GatherModel>(*context);
    ext::ScatterOp::attachInterface<ScatterModel>(*context);
    ext::ScanOp::attachInterface<ScanModel>(*context);
  });
}
