//===- InterpretForall.cpp - iterations that are threads or workgroups -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Iterations run one after the other, although they meet in collectives. An
/// iteration that comes to a collective of which the result is not known yet
/// ends there; when all have, the result is known, and all begin anew.
///
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

namespace {
/// What the iterations of a `forall` insert into one of its results.
struct Insertion {
  tensor::ParallelInsertSliceOp op;
  int64_t iteration;
  TensorRef source;
  Slice slice;
};
} // namespace

/// Applies the insertions of some iterations to `tensor`.
static LogicalResult apply(ArrayRef<Insertion> insertions, Tensor &tensor) {
  // Which iteration wrote an element last: two may not write the same.
  std::vector<int64_t> writers(tensor.elements.size(), -1);
  for (const Insertion &insertion : insertions) {
    tensor::ParallelInsertSliceOp op = insertion.op;
    if (insertion.slice.getNumElements() != insertion.source->getNumElements())
      return op.emitError("inserts a tensor of another size than its slice");
    int64_t next = 0;
    bool isDisjoint = true;
    if (failed(insertion.slice.forEach(tensor.shape, [&](int64_t index) {
          isDisjoint &=
              writers[index] == -1 || writers[index] == insertion.iteration;
          writers[index] = insertion.iteration;
          tensor.elements[index] = insertion.source->elements[next++];
        })))
      return op.emitError("inserts out of range");
    if (!isDisjoint)
      return op.emitError("writes an element that another iteration of the "
                          "'scf.forall' writes too");
  }
  return success();
}

namespace {
/// One `forall`, in the order of its iterations or backwards.
class ForallRun {
public:
  ForallRun(InterpreterState &state, scf::ForallOp op)
      : state(state), op(op), outerMeetings(state.meetings),
        inits(state.get(op.getOutputs())) {
    state.meetings = &meetings;
    for (BlockArgument out : op.getRegionIterArgs())
      isTogether.push_back(isScatteredTogether(out));
  }

  ~ForallRun() { state.meetings = outerMeetings; }

  LogicalResult run(bool isReversed);
  /// The tensors behind the last iteration.
  LogicalResult finish(SmallVectorImpl<Tensor> &results);
  bool hasScatters() const { return llvm::is_contained(isTogether, true); }

private:
  /// Begins all iterations, in the order of `isReversed`.
  LogicalResult runAll(ArrayRef<int64_t> trips, bool isReversed);
  LogicalResult runIteration(ArrayRef<int64_t> indices);
  LogicalResult insert(tensor::ParallelInsertSliceOp insert);

  InterpreterState &state;
  scf::ForallOp op;
  Meetings meetings;
  Meetings *outerMeetings;
  SmallVector<int64_t> lower, step;
  SmallVector<RuntimeValue> inits;
  /// Every iteration sees the tensors from before the loop, but for those that
  /// all of them scatter into.
  SmallVector<RuntimeValue> before;
  SmallVector<bool> isTogether;
  SmallVector<SmallVector<Insertion>> insertions;
  int64_t iteration = 0;
};
} // namespace

LogicalResult ForallRun::insert(tensor::ParallelInsertSliceOp insert) {
  FailureOr<Slice> slice = getSlice(state, insert);
  if (failed(slice))
    return failure();
  unsigned output =
      cast<BlockArgument>(insert.getDest()).getArgNumber() - op.getRank();
  Insertion made{insert, iteration, state.get(insert.getSource()).tensor,
                 std::move(*slice)};
  if (!isTogether[output]) {
    insertions[output].push_back(std::move(made));
    return success();
  }
  Tensor tensor = *before[output].tensor;
  if (failed(apply(made, tensor)))
    return failure();
  before[output] = std::move(tensor);
  return success();
}

LogicalResult ForallRun::runIteration(ArrayRef<int64_t> indices) {
  SmallVector<RuntimeValue> arguments;
  Type indexType = IndexType::get(op->getContext());
  for (auto [i, from, by] : llvm::zip_equal(indices, lower, step))
    arguments.emplace_back(IntegerAttr::get(indexType, from + i * by));
  llvm::append_range(arguments, before);
  meetings.beginIteration();
  if (failed(state.run(*op.getBody(), arguments)))
    return success(meetings.isWaiting);
  ++iteration;
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto insertOp = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insertOp)
      return yielding.emitError("is not supported by the interpreter");
    if (failed(insert(insertOp)))
      return failure();
  }
  return success();
}

LogicalResult ForallRun::run(bool isReversed) {
  SmallVector<int64_t> upper, trips;
  if (failed(state.getIntegers(op.getMixedLowerBound(), op, lower)) ||
      failed(state.getIntegers(op.getMixedUpperBound(), op, upper)) ||
      failed(state.getIntegers(op.getMixedStep(), op, step)))
    return failure();
  for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
    if (by <= 0)
      return op.emitError("has a step of ") << by;
    trips.push_back(to <= from ? 0 : llvm::divideCeil(to - from, by));
  }
  while (true) {
    if (failed(runAll(trips, isReversed)))
      return failure();
    if (meetings.contributions.empty())
      return success();
    if (iteration != 0)
      return meetings.contributions.front().op->emitError(
          "is not reached by all iterations of the 'scf.forall'");
    if (failed(meetings.meet()))
      return failure();
  }
}

LogicalResult ForallRun::runAll(ArrayRef<int64_t> trips, bool isReversed) {
  before = inits;
  insertions.assign(before.size(), {});
  iteration = 0;
  return forEachIndex(trips, [&](ArrayRef<int64_t> indices) {
    if (!isReversed)
      return runIteration(indices);
    SmallVector<int64_t> others;
    for (auto [index, count] : llvm::zip_equal(indices, trips))
      others.push_back(count - 1 - index);
    return runIteration(others);
  });
}

LogicalResult ForallRun::finish(SmallVectorImpl<Tensor> &results) {
  for (auto [value, inserted] : llvm::zip_equal(before, insertions)) {
    results.push_back(*value.tensor);
    if (failed(apply(inserted, results.back())))
      return failure();
  }
  return success();
}

static LogicalResult interpretForall(InterpreterState &state, Operation *op) {
  auto forallOp = cast<scf::ForallOp>(op);
  ForallRun run(state, forallOp);
  SmallVector<Tensor> results;
  if (failed(run.run(/*isReversed=*/false)) || failed(run.finish(results)))
    return failure();
  if (run.hasScatters()) {
    ForallRun again(state, forallOp);
    SmallVector<Tensor> others;
    if (failed(again.run(/*isReversed=*/true)) || failed(again.finish(others)))
      return failure();
    if (!llvm::equal(results, others, isSame))
      return op->emitError("has iterations that scatter into one tensor, whose "
                           "order shows in the result");
  }
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    state.set(result, std::move(tensor));
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult Meetings::meet() {
  const Contribution &first = contributions.front();
  Tensor result = *first.init;
  std::vector<bool> isContributed(result.elements.size());
  for (const Contribution &contribution : contributions) {
    Operation *op = contribution.op;
    if (op != first.op)
      return op->emitError("is reached by some iterations of the "
                           "'scf.forall' while others reach another");
    if (!isSame(*contribution.init, *first.init))
      return op->emitError("has an init that is not the same in all "
                           "iterations of the 'scf.forall'");
    // To contribute what is there already is to contribute nothing.
    for (size_t i = 0; i < isContributed.size(); ++i) {
      Attribute element = contribution.tensor->elements[i];
      if (element == first.init->elements[i])
        continue;
      if (isContributed[i])
        return op->emitError("gets an element from several iterations of the "
                             "'scf.forall'");
      isContributed[i] = true;
      result.elements[i] = element;
    }
  }
  known.push_back(std::make_shared<const Tensor>(std::move(result)));
  contributions.clear();
  return success();
}

static LogicalResult interpretBegin(InterpreterState &state, Operation *op) {
  auto begin = cast<BeginCollectiveOp>(op);
  if (!state.meetings)
    return op->emitError("is outside of an 'scf.forall'");
  if (state.meetings->init)
    return op->emitError("is not supported by the interpreter: it begins in "
                         "another collective");
  state.meetings->init = state.get(begin.getInit()).tensor;
  state.set(begin.getResult(), state.meetings->init);
  return success();
}

static LogicalResult interpretEnd(InterpreterState &state, Operation *op) {
  auto end = cast<EndCollectiveOp>(op);
  Meetings *meetings = state.meetings;
  if (!meetings || !meetings->init)
    return op->emitError("ends no collective");
  TensorRef init = std::move(meetings->init);
  meetings->init = nullptr;
  if (meetings->next < meetings->known.size()) {
    state.set(end.getResult(), meetings->known[meetings->next++]);
    return success();
  }
  meetings->contributions.push_back(
      {op, std::move(init), state.get(end.getContribution()).tensor});
  meetings->isWaiting = true;
  return failure();
}

InterpreterState::Handler fuzz::getForallHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, InterpreterState::Handler>(op)
      .Case([](scf::ForallOp) { return interpretForall; })
      .Case([](BeginCollectiveOp) { return interpretBegin; })
      .Case([](EndCollectiveOp) { return interpretEnd; })
      .Default([](Operation *) { return nullptr; });
}
