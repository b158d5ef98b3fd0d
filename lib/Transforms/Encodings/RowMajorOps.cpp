//===- RowMajorOps.cpp - ops that cannot work on other layouts ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Extents.h"
#include "SimplifyEncodes.h"
#include "TiledLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::memspace;

/// The tensors of `op` that are not row-major.
static SmallVector<Value> getTiledTensors(Operation *op,
                                          TensorLayouts &layouts) {
  SmallVector<Value> tensors;
  auto add = [&](Value value) {
    if (isEncoded(value.getType()) && !layouts.get(value).isIdentity)
      tensors.push_back(value);
  };
  llvm::for_each(op->getOperands(), add);
  llvm::for_each(op->getResults(), add);
  return tensors;
}

/// An op for each element that may as well work on the elements of the memory.
static bool isForEachPlace(Operation *op, ArrayRef<Value> tensors,
                           TensorLayouts &layouts) {
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return false;
  const TensorLayout &layout = layouts.get(tensors.front());
  if (layout.layout.mayHavePadding(layout.extents) && !isPure(op))
    return false;
  auto isSame = [&](Value value) {
    return !isa<TensorType>(value.getType()) ||
           (isa<RankedTensorType>(value.getType()) &&
            layouts.get(value).isSame(layout));
  };
  return llvm::all_of(op->getOperands(), isSame) &&
         llvm::all_of(op->getResults(), isSame);
}

/// Works on the layouts as they are. (A forall is put together from slices.)
static bool takesLayouts(Operation *op, ArrayRef<Value> tensors,
                         TensorLayouts &layouts) {
  if (isa<scf::ForallOp, tensor::ParallelInsertSliceOp>(op))
    return false;
  if (isa<EncodeOp, tensor::EmptyOp, tensor::DimOp, linalg::FillOp,
          bufferization::AllocTensorOp, bufferization::ToTensorOp>(op) ||
      onlyPassesTensors(op) || isForEachPlace(op, tensors, layouts))
    return true;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType()) &&
           isa<RankedTensorType>(cast.getType()) &&
           layouts.get(cast.getSource())
               .isSameUpToCast(layouts.get(cast.getDest()));
  // Into a tensor it copies elements; what a memory holds is known before.
  if (auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return isa<BaseMemRefType>(store.getDest().getType()) ||
           (isa<RankedTensorType>(store.getDest().getType()) &&
            layouts.get(store.getSource())
                .isSame(layouts.get(store.getDest())));
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && TiledLinalg::plan(linalgOp, layouts);
}

/// An op that is defined by the values of its tensors, whatever their types say
/// of layouts.
static bool isDefinedByValues(Operation *op) {
  return isa<DestinationStyleOpInterface, arith::ConstantOp, scf::ForallOp>(
             op) ||
         OpTrait::hasElementwiseMappableTraits(op) ||
         isa<tensor::TensorDialect, linalg::LinalgDialect>(op->getDialect());
}

static Value makeEncode(RewriterBase &rewriter, Operation *user, Value value,
                        RankedTensorType type, ArrayRef<OpFoldResult> extents) {
  SmallVector<Value> dynamic;
  for (auto [size, extent] : llvm::zip_equal(type.getShape(), extents))
    if (ShapedType::isDynamic(size))
      dynamic.push_back(cast<Value>(extent));
  Value dest = tensor::EmptyOp::create(rewriter, user->getLoc(), type, dynamic);
  return EncodeOp::create(rewriter, user->getLoc(), value, dest).getResult();
}

/// Where a row-major copy of `value` is made for `op`: outside of the loops
/// that do not change it, and in no body that an op executes for each element.
static Operation *getPlaceOfCopy(Operation *op, Value value) {
  Operation *place = op, *definition = value.getParentRegion()->getParentOp();
  for (Operation *around = op->getParentOp(); !around->isAncestor(definition);
       around = around->getParentOp())
    if (isa<DestinationStyleOpInterface, tensor::GenerateOp, tensor::PadOp>(
            around) ||
        (isa<LoopLikeOpInterface>(around) && place->getParentOp() == around))
      place = around;
  return place;
}

/// Row-major tensors that the iterations of `forall` insert into. What else
/// they do with these is as before.
static void makeSharedRowMajor(scf::ForallOp forall, RewriterBase &rewriter,
                               TensorLayouts &layouts) {
  for (BlockArgument argument : forall.getRegionIterArgs()) {
    if (!isEncoded(argument.getType()) || layouts.get(argument).isIdentity)
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    const TensorLayout &layout = layouts.get(argument);
    layouts.erase(argument);
    argument.setType(type.dropEncoding());
    rewriter.setInsertionPointToStart(forall.getBody());
    Value encoded =
        makeEncode(rewriter, forall, argument, type,
                   tensor::getMixedSizes(rewriter, forall.getLoc(), argument));
    auto encode = encoded.getDefiningOp<EncodeOp>();
    layouts.set(encoded, layout);
    layouts.set(encode.getDest(), layout);
    argument.replaceUsesWithIf(encoded, [&](OpOperand &use) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner());
      return use.getOwner() != encode &&
             !ExtentMaker::asksForExtent(use.getOwner()) &&
             !(insert && insert.getDest() == argument);
    });
  }
}

/// For each dimension of an operand of `op` those dimensions of operands that
/// have the same extent when `op` is executed, its own first.
static SmallVector<SmallVector<TensorDim>> getEqualDims(Operation *op,
                                                        OpOperand &operand) {
  int64_t rank = cast<RankedTensorType>(operand.get().getType()).getRank();
  SmallVector<SmallVector<TensorDim>> equal(rank);
  for (auto [dim, dims] : llvm::enumerate(equal)) {
    dims.push_back({operand.get(), unsigned(dim)});
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      if (auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim)))
        llvm::append_range(dims, getDimsOfLoop(linalgOp, loop.getPosition()));
    } else if (OpTrait::hasElementwiseMappableTraits(op)) {
      for (Value other : op->getOperands())
        if (isa<RankedTensorType>(other.getType()))
          dims.push_back({other, unsigned(dim)});
    }
  }
  return equal;
}

/// A row-major copy of `operand` for `op`.
static LogicalResult makeRowMajor(Operation *op, OpOperand &operand,
                                  RewriterBase &rewriter, ExtentMaker &maker) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  auto isKnown = [&](unsigned dim) {
    return maker.isKnown(TensorDim{operand.get(), dim});
  };
  // Other operands tell the extents where the op is executed; a loop around it
  // may have no iteration.
  Operation *place = op;
  if (llvm::all_of(llvm::seq<unsigned>(0, type.getRank()), isKnown))
    place = getPlaceOfCopy(op, operand.get());
  rewriter.setInsertionPoint(place);
  FailureOr<SmallVector<OpFoldResult>> extents =
      place == op ? maker.makeAll(rewriter, op, type, getEqualDims(op, operand))
                  : maker.makeAll(rewriter, op, operand.get());
  if (failed(extents))
    return failure();
  operand.set(
      makeEncode(rewriter, op, operand.get(), type.dropEncoding(), *extents));
  return success();
}

/// Row-major operands and results.
static LogicalResult makeRowMajor(Operation *op, RewriterBase &rewriter,
                                  TensorLayouts &layouts, ExtentMaker &maker) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isEncoded(operand.get().getType()) ||
        layouts.get(operand.get()).isIdentity)
      continue;
    if (failed(makeRowMajor(op, operand, rewriter, maker)))
      return failure();
  }
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    makeSharedRowMajor(forall, rewriter, layouts);
  rewriter.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    if (!isEncoded(result.getType()) || layouts.get(result).isIdentity)
      continue;
    auto type = cast<RankedTensorType>(result.getType());
    const TensorLayout &layout = layouts.get(result);
    layouts.erase(result);
    result.setType(type.dropEncoding());
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto value = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!value)
        return op->emitOpError()
               << "has an encoded value that is not known element by element; "
                  "encode a constant without an encoding";
      constant.setValueAttr(value.reshape(type.dropEncoding()));
    }
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(rewriter, op->getLoc(), result);
    Value encoded = makeEncode(rewriter, op, result, type, extents);
    layouts.set(encoded, layout);
    auto encode = encoded.getDefiningOp<EncodeOp>();
    layouts.set(encode.getDest(), layout);
    result.replaceUsesWithIf(encoded, [&](OpOperand &use) {
      return use.getOwner() != encode &&
             !ExtentMaker::asksForExtent(use.getOwner());
    });
  }
  return success();
}

LogicalResult memspace::makeRowMajor(Operation *root, RewriterBase &rewriter,
                                     TensorLayouts &layouts, bool &changed) {
  SmallVector<std::pair<Operation *, SmallVector<Value>>> ops;
  // A forall before the insertions in it, which are right when it is.
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    SmallVector<Value> tensors = getTiledTensors(op, layouts);
    if (!tensors.empty() && !takesLayouts(op, tensors, layouts))
      ops.push_back({op, tensors});
  });
  ExtentMaker maker(layouts);
  for (auto &[op, tensors] : ops) {
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op)) {
      // Its block has nothing but such ops.
      rewriter.setInsertionPoint(op->getParentOp());
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isEncoded(operand.get().getType()) ||
            layouts.get(operand.get()).isIdentity)
          continue;
        auto type = cast<RankedTensorType>(operand.get().getType());
        FailureOr<SmallVector<OpFoldResult>> extents =
            maker.makeAll(rewriter, op, operand.get());
        if (failed(extents))
          return failure();
        operand.set(makeEncode(rewriter, op, operand.get(), type.dropEncoding(),
                               *extents));
        changed = true;
      }
      continue;
    }
    if (!isDefinedByValues(op))
      return op->emitOpError()
             << "has a tensor of type " << tensors.front().getType()
             << ", which is not row-major on '"
             << layouts.get(tensors.front()).target.chip
             << "', and nobody knows what the op does in another layout; "
                "use memspace.encode to unset the encoding before it, and to "
                "set it behind";
    if (failed(::makeRowMajor(op, rewriter, layouts, maker)))
      return failure();
    changed = true;
  }
  return success();
}
