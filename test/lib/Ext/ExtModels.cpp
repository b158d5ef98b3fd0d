//===- ExtModels.cpp - what another dialect's sorts are in ours -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples of docs/embedding.md. All work on tensors and on memrefs.
//
//===----------------------------------------------------------------------===//

#include "ExtDialect.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using memspace::copyPayload;
using memspace::StructuredOpInterface;
namespace ext = memspace::ext;

namespace {
// [sort]
/// Its operands are sorted in place: inputs of ours, and outputs.
struct SortModel
    : StructuredOpInterface::ExternalModel<SortModel, ext::SortOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto sort = cast<ext::SortOp>(op);
    auto ours = memspace::SortOp::create(b, op->getLoc(), op->getResultTypes(),
                                         sort.getOuts(), sort.getOuts(),
                                         sort.getDimension(), /*stable=*/false);
    if (failed(copyPayload(b, sort.getBody(), ours.getComparator())))
      return failure();
    return SmallVector<Value>(ours.getResults());
  }
};
// [/sort]

// [topk]
/// Ours finds positions, in which labels are looked up.
struct TopKModel
    : StructuredOpInterface::ExternalModel<TopKModel, ext::TopKOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto topK = cast<ext::TopKOp>(op);
    Value positions = topK.getIndices(), labels = topK.getLabels();
    if (labels) {
      if (!canLookUp(topK))
        return b.notifyMatchFailure(op, "labels of memrefs, of a dynamic shape "
                                        "or of too short rows are not looked "
                                        "up");
      positions = tensor::EmptyOp::create(
          b, op->getLoc(), cast<ShapedType>(positions.getType()).getShape(),
          b.getI32Type());
    }
    SmallVector<Type> types(op->getResultTypes());
    if (labels)
      types[1] = positions.getType();
    auto ours = memspace::TopKOp::create(b, op->getLoc(), types,
                                         topK.getInput(), topK.getValues(),
                                         positions, topK.getDimension());
    if (failed(copyPayload(b, topK.getBody(), ours.getComparator())))
      return failure();
    SmallVector<Value> values(ours.getResults());
    if (labels)
      values[1] = lookUp(topK, values[1], b);
    return values;
  }
  // [/topk]

  /// True when every position is that of an element.
  static bool canLookUp(ext::TopKOp op) {
    auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto output = cast<ShapedType>(op.getIndices().getType());
    int64_t dimension = op.getDimension();
    return input && input.hasStaticShape() && output.hasStaticShape() &&
           dimension < input.getRank() && dimension < output.getRank() &&
           output.getDimSize(dimension) <= input.getDimSize(dimension);
  }

  static Value lookUp(ext::TopKOp op, Value positions, RewriterBase &b) {
    unsigned rank = cast<ShapedType>(positions.getType()).getRank();
    SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    auto look = [&](OpBuilder &b, Location loc, ValueRange args) {
      SmallVector<Value> place;
      for (unsigned dim = 0; dim < rank; ++dim)
        place.push_back(
            dim == op.getDimension()
                ? arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0])
                      .getResult()
                : linalg::IndexOp::create(b, loc, dim));
      Value label = tensor::ExtractOp::create(b, loc, op.getLabels(), place);
      linalg::YieldOp::create(b, loc, label);
    };
    return linalg::GenericOp::create(b, op.getLoc(), op.getIndices().getType(),
                                     positions, op.getIndices(), maps,
                                     iterators, look)
        .getResult(0);
  }
};

// [scatter]
/// A last dimension of one coordinate may be left out of the indices.
struct ScatterModel
    : StructuredOpInterface::ExternalModel<ScatterModel, ext::ScatterOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto scatter = cast<ext::ScatterOp>(op);
    auto ours = memspace::ScatterOp::create(
        b, op->getLoc(), op->getResultTypes(), scatter.getUpdates(),
        addLastDimension(scatter, b), scatter.getOriginal(),
        scatter.getDimensionMapAttr(), scatter.getUniqueIndicesAttr(),
        /*in_bounds=*/b.getUnitAttr(), /*atomic=*/UnitAttr(),
        /*combinersCount=*/1);
    if (failed(copyPayload(b, scatter.getBody(), *ours.getCombiner())))
      return failure();
    return SmallVector<Value>(ours->getResults());
  }
  // [/scatter]

  static Value addLastDimension(ext::ScatterOp op, RewriterBase &b) {
    Value indices = op.getIndices();
    auto type = cast<ShapedType>(indices.getType());
    int64_t numPlaceDims =
        cast<ShapedType>(op.getUpdates().getType()).getRank() -
        cast<ShapedType>(op.getOriginal().getType()).getRank() +
        op.getDimensionMap().size();
    if (type.getRank() != numPlaceDims || op.getDimensionMap().size() != 1)
      return indices;
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(1);
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      groups.push_back({dim});
    if (!groups.empty())
      groups.back().push_back(type.getRank());
    if (isa<MemRefType>(type))
      return memref::ExpandShapeOp::create(b, op.getLoc(), shape, indices,
                                           groups);
    return tensor::ExpandShapeOp::create(b, op.getLoc(), type.clone(shape),
                                         indices, groups);
  }
};

// [scan]
/// What a scan ends with is an output of its own, and what an exclusive one
/// begins with. Its combiner has the new element first.
struct ScanModel
    : StructuredOpInterface::ExternalModel<ScanModel, ext::ScanOp> {
  FailureOr<SmallVector<Value>> convertToMemSpace(Operation *op,
                                                  RewriterBase &b) const {
    auto scan = cast<ext::ScanOp>(op);
    Location loc = op->getLoc();
    Value end = scan.getAccumulator();
    SmallVector<Type> types(op->getResultTypes());
    SmallVector<Value> initial;
    if (!scan.getInclusive()) {
      if (cast<ShapedType>(end.getType()).getRank() != 0)
        return b.notifyMatchFailure(
            op, "exclusive scans of several rows begin with a value each");
      initial.push_back(types.empty()
                            ? memref::LoadOp::create(b, loc, end).getResult()
                            : tensor::ExtractOp::create(b, loc, end));
    }
    types.resize(std::min<size_t>(types.size(), 1));
    auto ours = memspace::ScanOp::create(
        b, loc, types, scan.getInput(), initial, scan.getOutput(),
        scan.getDimension(),
        /*exclusive=*/!scan.getInclusive(), /*reverse=*/false);
    if (failed(copyPayload(b, scan.getBody(), ours.getCombiner(), {1, 0})))
      return failure();
    return copyLast(scan, ours, b);
  }
  // [/scan]

  /// The last element of each row goes to the accumulator. One without
  /// elements ends with what is there.
  static FailureOr<SmallVector<Value>>
  copyLast(ext::ScanOp op, memspace::ScanOp scan, RewriterBase &b) {
    auto type = cast<ShapedType>(op.getInput().getType());
    if (!type.hasStaticShape())
      return b.notifyMatchFailure(op, "the length of a row is not known");
    SmallVector<Value> values(scan.getResults());
    int64_t length = type.getDimSize(op.getDimension());
    Value end = op.getAccumulator();
    if (length != 0) {
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
          ones(type.getRank(), b.getIndexAttr(1)), sizes;
      for (int64_t extent : type.getShape())
        sizes.push_back(b.getIndexAttr(extent));
      offsets[op.getDimension()] = b.getIndexAttr(length - 1);
      sizes[op.getDimension()] = b.getIndexAttr(1);
      Location loc = op.getLoc();
      auto endType = cast<ShapedType>(end.getType());
      if (values.empty()) {
        auto row =
            cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
                endType.getShape(), cast<MemRefType>(op.getOutput().getType()),
                offsets, sizes, ones));
        Value last = memref::SubViewOp::create(b, loc, row, op.getOutput(),
                                               offsets, sizes, ones);
        linalg::CopyOp::create(b, loc, last, end);
        return values;
      }
      Value last = tensor::ExtractSliceOp::create(
          b, loc, cast<RankedTensorType>(endType), values[0], offsets, sizes,
          ones);
      end = linalg::CopyOp::create(b, loc, last, end).getResult(0);
    }
    if (!values.empty())
      values.push_back(end);
    return values;
  }
};
} // namespace

void ext::registerExtDialect(DialectRegistry &registry) {
  registry.insert<ExtDialect>();
  // [attach]
  registry.addExtension(+[](MLIRContext *context, ext::ExtDialect *) {
    // What the models make ops of.
    context->loadDialect<memspace::MemSpaceDialect, arith::ArithDialect,
                         linalg::LinalgDialect, memref::MemRefDialect,
                         tensor::TensorDialect>();
    ext::SortOp::attachInterface<SortModel>(*context);
    ext::TopKOp::attachInterface<TopKModel>(*context);
    ext::ScatterOp::attachInterface<ScatterModel>(*context);
    ext::ScanOp::attachInterface<ScanModel>(*context);
  });
  // [/attach]
}
