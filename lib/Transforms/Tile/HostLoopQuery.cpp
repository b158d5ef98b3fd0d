//===- HostLoopQuery.cpp - which loops stay with the host -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Tile/HostLoopQuery.h"
#include "Transforms/Tile/KernelGroups.h"
#include "Transforms/Tile/LoopLabels.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

/// As many iterations of an op one workgroup may do in an iteration of a loop,
/// rather than that the host launches a kernel for it.
static constexpr int64_t kManyIterations = 1 << 18;
/// And go over so many elements of a tensor.
static constexpr uint64_t kFewElements = 8192;

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

/// Elements of a tensor of `type`; without a bound, all that there are.
static uint64_t getNumElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  uint64_t number = tensor ? 1 : 0;
  if (tensor)
    for (int64_t extent : tensor.getShape())
      number = llvm::SaturatingMultiply<uint64_t>(
          number, ShapedType::isDynamic(extent) ? UINT64_MAX : extent);
  return number;
}

static uint64_t getBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  uint64_t bytes = element.isIntOrFloat()
                       ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                       : 8;
  return llvm::SaturatingMultiply<uint64_t>(bytes, getNumElements(type));
}

bool memspace::isCheap(Operation *op) {
  if (isa<ToTensorOp, tensor::EmptyOp, tensor::ExtractSliceOp,
          tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::SplatOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      !llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
    return true;
  auto fill = dyn_cast<linalg::FillOp>(op);
  return fill && fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
}

/// Whether `op`, of a function of whole tensors, takes more than one workgroup.
static bool isForHost(Operation *op, int64_t bytes) {
  if (!isa<scf::ForOp, scf::IfOp>(op) ||
      !llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return false;
  bool isLarge = false, hasWork = false;
  // What is read stays where it is; an init has no memory of its own.
  uint64_t sum = 0;
  WalkResult understood = op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (!isCheap(inner))
      for (Type type : inner->getResultTypes()) {
        isLarge |= getNumElements(type) > kFewElements;
        sum = llvm::SaturatingAdd<uint64_t>(sum, getBytes(type));
      }
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(inner)) {
      uint64_t iterations = 1;
      for (int64_t extent : linalgOp.getStaticLoopRanges())
        if (!ShapedType::isDynamic(extent))
          iterations = llvm::SaturatingMultiply<uint64_t>(iterations, extent);
      isLarge |= iterations > kManyIterations;
    }
    if (isa<scf::ForOp, scf::IfOp, scf::YieldOp>(inner))
      return WalkResult::advance();
    // Elementwise ops on tensors are no linalg ops yet.
    hasWork |= isTilable(inner) ||
               (OpTrait::hasElementwiseMappableTraits(inner) &&
                isa<RankedTensorType>(inner->getResult(0).getType()));
    return isMemoryEffectFree(inner) && !isa<scf::ForallOp>(inner)
               ? WalkResult::skip()
               : WalkResult::interrupt();
  });
  return !understood.wasInterrupted() && hasWork &&
         (isLarge || sum > uint64_t(bytes));
}

bool memspace::hasHostLoops(func::FuncOp function, int64_t bytes) {
  return llvm::any_of(function.front(),
                      [&](Operation &op) { return isForHost(&op, bytes); });
}

HostLoopQuery::HostLoopQuery(func::FuncOp function, int64_t bytes)
    : function(function) {
  for (Operation &op : function.front())
    if (isForHost(&op, bytes))
      controls.push_back(&op);
  for (auto store : function.front().getOps<MaterializeInDestinationOp>())
    stored.insert(getRootMemory(store.getDest()));
}

tensor::InsertSliceOp memspace::getUpdate(scf::ForOp loop, unsigned number) {
  auto insert =
      loop.getYieldedValues()[number].getDefiningOp<tensor::InsertSliceOp>();
  Value carried = loop.getRegionIterArgs()[number];
  return insert && insert.getDest() == carried && carried.hasOneUse() &&
                 insert->hasOneUse() && insert->getBlock() == loop.getBody()
             ? insert
             : tensor::InsertSliceOp();
}

//===----------------------------------------------------------------------===//
// What the host can do
//===----------------------------------------------------------------------===//

bool HostLoopQuery::isOfArgument(Value tensor) const {
  auto content = tensor.getDefiningOp<ToTensorOp>();
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  // What it takes turns with is of this type.
  return content && type && isa<BlockArgument>(content.getBuffer()) &&
         !stored.contains(content.getBuffer()) &&
         content.getBuffer().getType() ==
             MemRefType::get(type.getShape(), type.getElementType());
}

Value memspace::getWithExtents(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  while (op && OpTrait::hasElementwiseMappableTraits(op) &&
         op->getOperand(0).getType() == tensor.getType()) {
    tensor = op->getOperand(0);
    op = tensor.getDefiningOp();
  }
  return tensor;
}

/// Whether `tensor` begins empty, and the host knows its extents.
bool HostLoopQuery::isEmptyOnHost(Value tensor) const {
  auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
  return empty && llvm::all_of(empty.getDynamicSizes(),
                               [&](Value size) { return isOnHost(size); });
}

/// Whether the host computes `value`, a scalar.
bool HostLoopQuery::isOnHost(Value value) const {
  if (isa<ShapedType>(value.getType()))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || isControl(op))
    return true;
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    // Of what has its place before.
    Operation *source = getWithExtents(dim.getSource()).getDefiningOp();
    return isOnHost(dim.getIndex()) &&
           (!source || isControl(source) ||
            (isa<ToTensorOp>(source) &&
             isa<BlockArgument>(source->getOperand(0))));
  }
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isOnHost(operand); });
}

static bool hasKnownExtents(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).hasStaticShape();
}

/// What is carried has its extents for good.
bool HostLoopQuery::checkLoop(scf::ForOp loop) {
  if (!isOnHost(loop.getLowerBound()) || !isOnHost(loop.getUpperBound()) ||
      !isOnHost(loop.getStep()))
    return refuse(
        loop,
        "its bounds are in a tensor, or a kernel computes them; pass them as "
        "numbers");
  for (auto [number, init, argument, yielded] :
       llvm::enumerate(loop.getInitArgs(), loop.getRegionIterArgs(),
                       loop.getYieldedValues())) {
    auto type = dyn_cast<RankedTensorType>(init.getType());
    if (!type) {
      if (!isOnHost(init) || !isOnHost(yielded))
        return refuse(loop, "it carries a scalar that a kernel computes; carry "
                            "a tensor of one element");
      continue;
    }
    // What is put together of parts has its memory from the beginning.
    if (type.hasStaticShape() ||
        (getUpdate(loop, number) && isEmptyOnHost(init)))
      continue;
    if (!isOfArgument(init))
      return refuse(loop, "it begins with a tensor of dynamic extents that is "
                          "no argument; make it one");
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim) || getWithExtents(yielded) == argument)
        continue;
      FailureOr<bool> isSame =
          ValueBoundsConstraintSet::areEqual({argument, dim}, {yielded, dim});
      if (failed(isSame) || !*isSame)
        return refuse(loop, "the tensors that it carries may have other "
                            "extents in another iteration; begin each with a "
                            "'tensor.empty' of the extents of the carried one");
    }
  }
  return true;
}

bool HostLoopQuery::checkBranch(scf::IfOp branch) {
  if (!isOnHost(branch.getCondition()))
    return refuse(branch,
                  "its condition depends on what a kernel computes; pass it as "
                  "an argument, or compute both sides and select");
  for (Region &region : branch->getRegions())
    for (Value yielded : region.front().getTerminator()->getOperands()) {
      bool isTensor = isa<RankedTensorType>(yielded.getType());
      if (isTensor && !hasKnownExtents(yielded))
        return refuse(
            branch, "its results have dynamic extents; give them static ones");
      if (!isTensor && !isOnHost(yielded))
        return refuse(branch, "it has a scalar result that a kernel computes; "
                              "make it a tensor of one element");
    }
  return true;
}

/// Results are stored at the end, or into memory that nobody reads: what the
/// caller gives is the same in all parts.
bool HostLoopQuery::checkStores() {
  for (auto store : function.front().getOps<MaterializeInDestinationOp>()) {
    Value memory = getRootMemory(store.getDest());
    bool isRead = llvm::any_of(
        function.front().getOps<ToTensorOp>(), [&](ToTensorOp content) {
          return getRootMemory(content.getBuffer()) == memory;
        });
    if (!isa<BlockArgument>(memory) ||
        (isRead && store->isBeforeInBlock(controls.back())))
      return refuse(controls.back(),
                    "memory that the function reads, too, is overwritten "
                    "before it; store the results behind it");
  }
  return true;
}

/// Says why the first loop becomes part of a kernel all the same.
bool HostLoopQuery::refuse(Operation *op, StringRef why) {
  InFlightDiagnostic diag =
      controls.front()->emitWarning()
      << "'" << controls.front()->getName() << "' of '" << function.getName()
      << "' has more to do than one workgroup should, and the host cannot "
         "execute it: ";
  if (op == controls.front())
    diag << why;
  else
    diag << "for another op, " << why;
  if (op != controls.front())
    diag.attachNote(op->getLoc()) << "the other op";
  return false;
}

bool HostLoopQuery::check() {
  for (Operation &op : function.front()) {
    auto store = dyn_cast<MaterializeInDestinationOp>(op);
    auto assertion = dyn_cast<cf::AssertOp>(op);
    bool isKnown = store       ? isa<MemRefType>(store.getDest().getType())
                   : assertion ? isOnHost(assertion.getArg())
                               : isa<func::ReturnOp, ToTensorOp>(op) ||
                                     isTilable(&op) || isMemoryEffectFree(&op);
    if (!isKnown)
      return refuse(&op, "it is no op on tensors");
  }
  if (!checkStores())
    return false;
  return llvm::all_of(controls, [&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    return loop ? checkLoop(loop) : checkBranch(cast<scf::IfOp>(op));
  });
}
