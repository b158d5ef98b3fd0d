//===- InterpretIndexed.cpp - what memspace's gather and scatter do -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Promises that are broken are errors, and so are scatters by several threads
// whose result depends on the order of the updates.
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// An element of what is gathered or of the updates, and the coordinates of its
/// place, in range or not.
struct Element {
  int64_t position;
  SmallVector<int64_t> coordinates;
};
} // namespace

/// All elements of `rows`, in order. `dims` of `rank` dimensions have
/// coordinates in `indices`.
static FailureOr<SmallVector<Element>>
getElements(Operation *op, const Tensor &indices, ArrayRef<int64_t> rows,
            ArrayRef<int64_t> dims, unsigned rank) {
  SmallVector<Element> elements;
  unsigned numPlaceDims = indices.shape.size() - 1;
  auto add = [&](ArrayRef<int64_t> at) -> LogicalResult {
    Element &element = elements.emplace_back();
    element.position = elements.size() - 1;
    element.coordinates.assign(rank, -1);
    SmallVector<int64_t> where(at.take_front(numPlaceDims));
    where.push_back(0);
    for (auto [number, dim] : llvm::enumerate(dims)) {
      where.back() = number;
      std::optional<int64_t> place = linearize(where, indices.shape);
      if (!place)
        return op->emitError("has operands whose shapes do not agree");
      auto index = dyn_cast_if_present<IntegerAttr>(indices.elements[*place]);
      if (!index)
        return op->emitError("depends on an element that nobody has written");
      element.coordinates[dim] = index.getValue().getSExtValue();
    }
    unsigned next = numPlaceDims;
    for (unsigned dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(dims, int64_t(dim)))
        element.coordinates[dim] = at[next++];
    return success();
  };
  if (failed(forEachIndex(rows, add)))
    return failure();
  return elements;
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

static LogicalResult interpretGather(InterpreterState &state, Operation *op) {
  auto gather = cast<GatherOp>(op);
  const Tensor &source = state.getTensor(gather.getSource());
  Tensor output = state.getTensor(gather.getOutput());
  FailureOr<SmallVector<Element>> elements =
      getElements(op, state.getTensor(gather.getIndices()), output.shape,
                  gather.getGatherDims(), source.shape.size());
  if (failed(elements))
    return failure();
  for (Element &element : *elements) {
    std::optional<int64_t> from = linearize(element.coordinates, source.shape);
    if (!from && gather.getInBounds())
      return op->emitError("breaks its promise 'in_bounds'");
    for (int64_t dim : gather.getGatherDims()) {
      int64_t &index = element.coordinates[dim];
      index = std::max<int64_t>(std::min(index, source.shape[dim] - 1), 0);
    }
    from = linearize(element.coordinates, source.shape);
    if (!from)
      return op->emitError("has no element to read");
    output.elements[element.position] = source.elements[*from];
  }
  state.set(op->getResult(0), std::move(output));
  return success();
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

namespace {
/// An element of the updates, and the one that it updates.
struct Update {
  Attribute value;
  int64_t place;
};
} // namespace

static LogicalResult applyUpdates(InterpreterState &state, ScatterOp op,
                                  ArrayRef<Update> updates, Tensor &output) {
  for (const Update &update : updates) {
    Attribute &element = output.elements[update.place];
    if (!op.getCombiner()) {
      element = update.value;
      continue;
    }
    SmallVector<RuntimeValue> yielded;
    if (failed(state.run(op.getCombiner()->front(), {update.value, element},
                         &yielded)))
      return failure();
    element = yielded.front().scalar;
  }
  return success();
}

/// Whether one thread takes the updates in their order.
static bool isOfOneThread(Operation *op) {
  for (auto forall = op->getParentOfType<scf::ForallOp>(); forall;
       forall = forall->getParentOfType<scf::ForallOp>())
    if (ArrayAttr mapping = forall.getMappingAttr())
      if (llvm::any_of(mapping, llvm::IsaPred<gpu::GPUThreadMappingAttr,
                                              gpu::GPULaneMappingAttr>))
        return true;
  return false;
}

/// The updates that are not dropped.
static FailureOr<SmallVector<Update>> getUpdates(InterpreterState &state,
                                                 ScatterOp op) {
  const Tensor &output = state.getTensor(op.getOutput());
  const Tensor &values = state.getTensor(op.getUpdates());
  FailureOr<SmallVector<Element>> elements =
      getElements(op, state.getTensor(op.getIndices()), values.shape,
                  op.getScatterDims(), output.shape.size());
  if (failed(elements))
    return failure();
  SmallVector<Update> updates;
  std::vector<bool> isUpdated(output.elements.size());
  for (const Element &element : *elements) {
    std::optional<int64_t> place = linearize(element.coordinates, output.shape);
    if (!place) {
      if (op.getInBounds())
        return op.emitError("breaks its promise 'in_bounds'");
      continue;
    }
    if (isUpdated[*place] && op.getUniqueIndices())
      return op.emitError("breaks its promise 'unique_indices'");
    isUpdated[*place] = true;
    updates.push_back({values.elements[element.position], *place});
  }
  return updates;
}

static LogicalResult interpretScatter(InterpreterState &state, Operation *op) {
  auto scatter = cast<ScatterOp>(op);
  FailureOr<SmallVector<Update>> updates = getUpdates(state, scatter);
  if (failed(updates))
    return failure();
  Tensor before = state.getTensor(scatter.getOutput()), output = before;
  if (failed(applyUpdates(state, scatter, *updates, output)))
    return failure();
  if (!isOfOneThread(op) && !scatter.getUniqueIndices()) {
    // Backwards, and beginning in the middle.
    SmallVector<Update> reversed(llvm::reverse(*updates)), rotated(*updates);
    std::rotate(rotated.begin(), rotated.begin() + rotated.size() / 2,
                rotated.end());
    for (ArrayRef<Update> order : {reversed, rotated}) {
      Tensor other = before;
      if (failed(applyUpdates(state, scatter, order, other)))
        return failure();
      if (!isSame(output, other))
        return op->emitError("depends on the order of the updates, which is "
                             "any for threads that share it");
    }
  }
  state.set(op->getResult(0), std::move(output));
  return success();
}

InterpreterState::Handler fuzz::getIndexedHandler(Operation *op) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination || !destination.hasPureTensorSemantics())
    return nullptr;
  if (isa<GatherOp>(op))
    return interpretGather;
  return isa<ScatterOp>(op) ? interpretScatter : nullptr;
}

//===----------------------------------------------------------------------===//
// Iterations that scatter into one tensor
//===----------------------------------------------------------------------===//

/// Whether `result` goes into `out`, whole and nowhere else.
static bool goesBack(Value result, Value out) {
  if (!result.hasOneUse() || result.getType() != out.getType())
    return false;
  auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(*result.user_begin());
  return insert && insert.getDest() == out && insert.getSource() == result;
}

bool fuzz::isScatteredTogether(Value out) {
  bool isUpdated = false;
  for (OpOperand &use : out.getUses()) {
    Operation *op = use.getOwner();
    if (isa<tensor::ParallelInsertSliceOp, tensor::DimOp>(op))
      continue;
    Value result;
    if (auto scatter = dyn_cast<ScatterOp>(op)) {
      if (scatter.isDpsInit(&use) &&
          (scatter.getAtomic() || scatter.getUniqueIndices()))
        result = scatter.getResult();
    } else if (auto forall = dyn_cast<scf::ForallOp>(op)) {
      if (isScatteredTogether(forall.getTiedBlockArgument(&use)))
        result = forall.getTiedOpResult(&use);
    }
    if (!result || !goesBack(result, out))
      return false;
    isUpdated = true;
  }
  return isUpdated;
}
