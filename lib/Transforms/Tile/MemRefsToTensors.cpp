//===- MemRefsToTensors.cpp - functions of ops on whole memrefs -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function whose ops are on whole memrefs becomes one on tensors: what is in
// a memref is a value, another one after each op that writes to it. Arguments
// that are written get their last value at the end. That is the same where
// arguments do not overlap, which somebody must promise.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Transforms/Tile/KernelGroups.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Rewrites one function.
class ContentTracker {
public:
  explicit ContentTracker(func::FuncOp function)
      : function(function), builder(function.getContext()) {}
  LogicalResult run();

private:
  LogicalResult rewrite(Operation *op);
  LogicalResult rewrite(DestinationStyleOpInterface op);
  LogicalResult checkOrder(DestinationStyleOpInterface op) const;
  LogicalResult checkOverlap();
  Value getContent(Value memref);
  void setContent(Value memref, Value tensor);

  func::FuncOp function;
  OpBuilder builder;
  /// What is in memory that is no view.
  DenseMap<Value, Value> contents;
  /// The first op that writes to it.
  DenseMap<Value, Operation *> written;
  Operation *current = nullptr;
};
} // namespace

static RankedTensorType getTensorType(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// A part or another shape of memory, that tensors have as well.
static bool isKnownView(Operation *op) {
  return isa<memref::SubViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
      op);
}

/// `op`, or an op inside of it, reads, writes or makes memory.
static bool usesMemRefs(Operation *op) {
  auto isMemRef = [](Type type) { return isa<BaseMemRefType>(type); };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperandTypes(), isMemRef) ||
                       llvm::any_of(inner->getResultTypes(), isMemRef)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The tensor in `memref`, at this point of the program.
Value ContentTracker::getContent(Value memref) {
  Location loc = memref.getLoc();
  RankedTensorType type = getTensorType(memref);
  if (auto view = memref.getDefiningOp<memref::SubViewOp>())
    return tensor::ExtractSliceOp::create(
        builder, loc, type, getContent(view.getSource()),
        view.getMixedOffsets(), view.getMixedSizes(), view.getMixedStrides());
  if (auto view = memref.getDefiningOp<memref::CollapseShapeOp>())
    return tensor::CollapseShapeOp::create(builder, loc, type,
                                           getContent(view.getSrc()),
                                           view.getReassociationIndices());
  if (auto view = memref.getDefiningOp<memref::ExpandShapeOp>())
    return tensor::ExpandShapeOp::create(
        builder, loc, type, getContent(view.getSrc()),
        view.getReassociationIndices(),
        getMixedValues(view.getStaticOutputShape(), view.getOutputShape(),
                       builder));
  return contents.lookup(memref);
}

void ContentTracker::setContent(Value memref, Value tensor) {
  Location loc = memref.getLoc();
  if (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    Value whole = tensor::InsertSliceOp::create(
        builder, loc, tensor, getContent(view.getSource()),
        view.getMixedOffsets(), view.getMixedSizes(), view.getMixedStrides());
    return setContent(view.getSource(), whole);
  }
  if (auto view = memref.getDefiningOp<memref::CollapseShapeOp>()) {
    Value old = getContent(view.getSrc());
    return setContent(view.getSrc(),
                      tensor::ExpandShapeOp::create(
                          builder, loc, getTensorType(view.getSrc()), tensor,
                          view.getReassociationIndices(),
                          tensor::getMixedSizes(builder, loc, old)));
  }
  if (auto view = memref.getDefiningOp<memref::ExpandShapeOp>())
    return setContent(view.getSrc(),
                      tensor::CollapseShapeOp::create(
                          builder, loc, getTensorType(view.getSrc()), tensor,
                          view.getReassociationIndices()));
  contents[memref] = tensor;
  written.try_emplace(memref, current);
}

/// True where no element is in both.
static bool areApart(Value a, Value b) {
  auto first = a.getDefiningOp<memref::SubViewOp>();
  auto second = b.getDefiningOp<memref::SubViewOp>();
  if (!first || !second || first.getSource() != second.getSource())
    return false;
  FailureOr<bool> overlap = ValueBoundsConstraintSet::areOverlappingSlices(
      a.getContext(), HyperrectangularSlice(first),
      HyperrectangularSlice(second));
  return succeeded(overlap) && !*overlap;
}

/// Reads some memrefs, whole, and writes others: an op of linalg, or of ours
/// that works on rows or at places.
static bool isOnWholeMemRefs(Operation *op) {
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  if (!style || !style.hasPureBufferSemantics())
    return false;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return llvm::none_of(linalgOp.getBlock()->getOperations(),
                         [](Operation &inner) { return usesMemRefs(&inner); });
  return isa<linalg::SoftmaxOp, GatherOp, ScanOp, ScatterOp, SortIndicesOp,
             SortOp, TopKOp>(op);
}

/// What is in `init` before counts for nothing.
static bool overwrites(DestinationStyleOpInterface op, OpOperand &init) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(*op))
    return !linalgOp.payloadUsesValueFromOperand(&init) &&
           linalgOp.getMatchingIndexingMap(&init).isPermutation();
  // A row of fewer elements than are asked for leaves the others.
  if (auto topK = dyn_cast<TopKOp>(*op)) {
    int64_t length = topK.getShapedType().getDimSize(topK.getDimension());
    return !ShapedType::isDynamic(length) &&
           !ShapedType::isDynamic(topK.getCount()) && topK.getCount() <= length;
  }
  return !isa<ScatterOp>(*op);
}

/// In which order an op reads and writes elements linalg leaves open, so what
/// it reads of its output may only be the element that it writes then. Rows are
/// read before they are written.
LogicalResult ContentTracker::checkOrder(DestinationStyleOpInterface op) const {
  auto mayBeOne = [&](OpOperand &init, OpOperand &input) {
    if (init.get() != input.get() || !op.isDpsInput(&input))
      return false;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(*op);
    if (!linalgOp)
      return !isa<GatherOp, ScatterOp>(*op);
    AffineMap map = linalgOp.getMatchingIndexingMap(&init);
    return map == linalgOp.getMatchingIndexingMap(&input) &&
           map.isPermutation();
  };
  for (OpOperand &init : op.getDpsInitsMutable())
    for (OpOperand &other : op->getOpOperands()) {
      if (&init == &other || !isa<MemRefType>(other.get().getType()) ||
          getRootMemory(init.get()) != getRootMemory(other.get()) ||
          areApart(init.get(), other.get()) || mayBeOne(init, other))
        continue;
      return op->emitOpError()
             << "has operands " << other.getOperandNumber() << " and "
             << init.getOperandNumber()
             << " in one memory, of which it writes the second, and in which "
                "order it does so "
             << (isa<linalg::LinalgOp>(*op) ? "linalg" : "it")
             << " does not say; copy one first";
    }
  return success();
}

LogicalResult ContentTracker::rewrite(DestinationStyleOpInterface op) {
  if (failed(checkOrder(op)))
    return failure();
  SmallVector<Value> operands;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType())) {
      operands.push_back(operand.get());
      continue;
    }
    Value content = getContent(operand.get());
    if (op.isDpsInit(&operand)) {
      types.push_back(content.getType());
      if (overwrites(op, operand))
        content = tensor::EmptyOp::create(
            builder, op.getLoc(),
            tensor::getMixedSizes(builder, op.getLoc(), content),
            getTensorType(operand.get()).getElementType());
    }
    operands.push_back(content);
  }
  Operation *made = clone(builder, op, types, operands);
  for (auto [init, result] :
       llvm::zip_equal(op.getDpsInits(), made->getResults()))
    setContent(init, result);
  return success();
}

/// Elements of one memory go to another.
static bool isKnownCopy(Operation *op) {
  auto copy = dyn_cast<memref::CopyOp>(op);
  return copy && isa<MemRefType>(copy.getSource().getType()) &&
         isa<MemRefType>(copy.getTarget().getType()) &&
         getTensorType(copy.getSource()) == getTensorType(copy.getTarget());
}

static bool isKnownAllocation(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp>(op) &&
         cast<MemRefType>(op->getResult(0).getType()).getLayout().isIdentity();
}

LogicalResult ContentTracker::rewrite(Operation *op) {
  if (!usesMemRefs(op))
    return success();
  current = op;
  builder.setInsertionPoint(op);
  if (isOnWholeMemRefs(op))
    return rewrite(cast<DestinationStyleOpInterface>(op));
  if (isKnownCopy(op)) {
    auto copy = cast<memref::CopyOp>(op);
    setContent(copy.getTarget(), getContent(copy.getSource()));
    return success();
  }
  if (isKnownAllocation(op)) {
    auto type = getTensorType(op->getResult(0));
    contents[op->getResult(0)] =
        tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                type.getElementType(), op->getOperands());
    return success();
  }
  if (auto dim = dyn_cast<memref::DimOp>(op);
      dim && isa<MemRefType>(dim.getSource().getType())) {
    dim.replaceAllUsesWith(tensor::DimOp::create(builder, op->getLoc(),
                                                 getContent(dim.getSource()),
                                                 dim.getIndex())
                               .getResult());
    return success();
  }
  if (isKnownView(op) || isa<memref::DeallocOp>(op))
    return success();
  return op->emitOpError()
         << "is between ops on whole memrefs, and '" << function.getName()
         << "' cannot become one of tensors; such a function has linalg ops on "
            "memrefs, copies, allocations, subviews, and other shapes";
}

/// No argument that is written overlaps another one: kernels come in another
/// order than the ops.
LogicalResult ContentTracker::checkOverlap() {
  auto has = [&](BlockArgument argument, StringRef name) {
    return bool(function.getArgAttr(argument.getArgNumber(), name));
  };
  for (BlockArgument argument : function.getArguments()) {
    auto it = written.find(argument);
    if (it == written.end() ||
        has(argument, LLVM::LLVMDialect::getNoAliasAttrName()))
      continue;
    for (BlockArgument other : function.getArguments())
      if (other != argument && isa<BaseMemRefType>(other.getType()) &&
          !(has(argument, kNoAliasAttr) && has(other, kNoAliasAttr)))
        return it->second->emitOpError()
               << "writes to argument " << argument.getArgNumber() << " of '"
               << function.getName() << "', which argument "
               << other.getArgNumber()
               << " may overlap; promise that they do not, with '"
               << kNoAliasAttr << "' on both";
  }
  return success();
}

LogicalResult ContentTracker::run() {
  Block &body = function.front();
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    old.push_back(&op);
  builder.setInsertionPointToStart(&body);
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      contents[argument] = bufferization::ToTensorOp::create(
          builder, argument.getLoc(), getTensorType(argument), argument,
          /*restrict=*/true, /*writable=*/true);
  for (Operation *op : old)
    if (failed(rewrite(op)))
      return failure();
  if (usesMemRefs(body.getTerminator()))
    return body.getTerminator()->emitOpError()
           << "gives memory to the caller of '" << function.getName()
           << "', which becomes kernels; write to an argument";
  if (failed(checkOverlap()))
    return failure();
  builder.setInsertionPoint(body.getTerminator());
  for (BlockArgument argument : function.getArguments())
    if (written.contains(argument))
      bufferization::MaterializeInDestinationOp::create(
          builder, argument.getLoc(), /*result=*/Type(),
          contents.lookup(argument), argument, /*restrict=*/true,
          /*writable=*/true);
  for (Operation *op : llvm::reverse(old))
    if (usesMemRefs(op))
      op->erase();
  return success();
}

/// Nothing but copies, and what they need: a host that calls others keeps its
/// own.
static bool onlyCopies(Block &body) {
  return llvm::any_of(body, [](Operation &op) { return isKnownCopy(&op); }) &&
         llvm::all_of(body, [](Operation &op) {
           return isKnownCopy(&op) || isKnownAllocation(&op) ||
                  isKnownView(&op) || isPure(&op) ||
                  isa<memref::DeallocOp, memref::DimOp, func::ReturnOp>(op);
         });
}

static bool isInKnownMemory(Operation &op) {
  return llvm::none_of(op.getOperands(), [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return type && type.getMemorySpace();
  });
}

static bool isOnMemRefs(Operation &op) {
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  return style && (isa<linalg::LinalgOp>(op) || isOnWholeMemRefs(&op)) &&
         style.hasPureBufferSemantics();
}

/// An op on whole memrefs in memory that the host knows.
static bool isOnKnownMemRefs(Operation &op) {
  return isOnMemRefs(op) && isInKnownMemory(op);
}

/// No control flow.
static bool isInLine(Operation &op) {
  return op.getNumRegions() == 0 || isa<linalg::LinalgOp>(op) ||
         isOnMemRefs(op);
}

bool memspace::worksOnMemRefs(func::FuncOp function) {
  Block &body = function.front();
  if (onlyCopies(body))
    return llvm::all_of(body, isInKnownMemory);
  return llvm::any_of(body, isOnKnownMemRefs) && llvm::all_of(body, isInLine);
}

Operation *memspace::findOpInControlFlow(func::FuncOp function) {
  Operation *found = nullptr;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    // Whoever maps, or launches, makes kernels.
    if (isa<gpu::LaunchOp>(op) || (forall && forall.getMapping()))
      return WalkResult::skip();
    if (!isOnKnownMemRefs(*op))
      return WalkResult::advance();
    if (op->getBlock() != &function.front()) {
      found = op;
      return WalkResult::interrupt();
    }
    return WalkResult::skip();
  });
  return found;
}

LogicalResult memspace::makeTensors(func::FuncOp function) {
  return ContentTracker(function).run();
}
