//===- InterpretControlFlow.cpp - scf and what ends a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpreterState.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::fuzz;

/// Gives the results of `op` the values of the terminator of the region that
/// was run for it.
static LogicalResult runForResults(InterpreterState &state, Operation *op,
                                   Block &block) {
  SmallVector<RuntimeValue> yielded;
  if (failed(state.run(block, {}, &yielded)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), yielded))
    state.set(result, value);
  return success();
}

static LogicalResult interpretIf(InterpreterState &state, Operation *op) {
  auto ifOp = cast<scf::IfOp>(op);
  FailureOr<int64_t> condition = state.getInteger(ifOp.getCondition(), op);
  if (failed(condition))
    return failure();
  if (*condition)
    return runForResults(state, op, *ifOp.thenBlock());
  if (Block *otherwise = ifOp.elseBlock())
    return runForResults(state, op, *otherwise);
  return success();
}

static LogicalResult interpretIndexSwitch(InterpreterState &state,
                                          Operation *op) {
  auto switchOp = cast<scf::IndexSwitchOp>(op);
  FailureOr<int64_t> chosen = state.getInteger(switchOp.getArg(), op);
  if (failed(chosen))
    return failure();
  for (auto [i, value] : llvm::enumerate(switchOp.getCases()))
    if (value == *chosen)
      return runForResults(state, op, switchOp.getCaseBlock(i));
  return runForResults(state, op, switchOp.getDefaultBlock());
}

static LogicalResult interpretExecuteRegion(InterpreterState &state,
                                            Operation *op) {
  Region &region = cast<scf::ExecuteRegionOp>(op).getRegion();
  if (!region.hasOneBlock())
    return op->emitError("is not supported by the interpreter: it has several "
                         "blocks");
  return runForResults(state, op, region.front());
}

static LogicalResult interpretFor(InterpreterState &state, Operation *op) {
  auto forOp = cast<scf::ForOp>(op);
  SmallVector<int64_t> range;
  if (failed(
          state.getIntegers(ValueRange{forOp.getLowerBound(),
                                       forOp.getUpperBound(), forOp.getStep()},
                            op, range)))
    return failure();
  if (range[2] <= 0)
    return op->emitError("has a step of ") << range[2];
  Type type = forOp.getInductionVar().getType();
  SmallVector<RuntimeValue> carried = state.get(forOp.getInitArgs());
  for (int64_t i = range[0]; i < range[1]; i += range[2]) {
    SmallVector<RuntimeValue> arguments;
    arguments.emplace_back(IntegerAttr::get(type, i));
    llvm::append_range(arguments, carried);
    if (failed(state.run(*forOp.getBody(), arguments, &carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), carried))
    state.set(result, value);
  return success();
}

static LogicalResult interpretWhile(InterpreterState &state, Operation *op) {
  auto whileOp = cast<scf::WhileOp>(op);
  SmallVector<RuntimeValue> carried = state.get(whileOp.getInits()), condition;
  while (true) {
    if (failed(state.run(*whileOp.getBeforeBody(), carried, &condition)))
      return failure();
    FailureOr<int64_t> goesOn = state.getInteger(
        whileOp.getConditionOp().getCondition(), whileOp.getConditionOp());
    if (failed(goesOn))
      return failure();
    auto forwarded = ArrayRef<RuntimeValue>(condition).drop_front();
    if (!*goesOn) {
      for (auto [result, value] : llvm::zip_equal(op->getResults(), forwarded))
        state.set(result, value);
      return success();
    }
    if (failed(state.run(*whileOp.getAfterBody(), forwarded, &carried)))
      return failure();
  }
}

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
      : state(state), op(op), before(state.get(op.getOutputs())),
        insertions(before.size()) {
    for (BlockArgument out : op.getRegionIterArgs())
      isTogether.push_back(isScatteredTogether(out));
  }

  LogicalResult run(bool isReversed);
  /// The tensors behind the last iteration.
  LogicalResult finish(SmallVectorImpl<Tensor> &results);
  bool hasScatters() const { return llvm::is_contained(isTogether, true); }

private:
  LogicalResult runIteration(ArrayRef<int64_t> indices);
  LogicalResult insert(tensor::ParallelInsertSliceOp insert);

  InterpreterState &state;
  scf::ForallOp op;
  SmallVector<int64_t> lower, step;
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
  if (failed(state.run(*op.getBody(), arguments)))
    return failure();
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto insertOp = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insertOp)
      return yielding.emitError("is not supported by the interpreter");
    if (failed(insert(insertOp)))
      return failure();
  }
  ++iteration;
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

InterpreterState::Handler fuzz::getControlFlowHandler(Operation *op) {
  return llvm::TypeSwitch<Operation *, InterpreterState::Handler>(op)
      .Case([](scf::ForOp) { return interpretFor; })
      .Case([](scf::ForallOp) { return interpretForall; })
      .Case([](scf::IfOp) { return interpretIf; })
      .Case([](scf::WhileOp) { return interpretWhile; })
      .Case([](scf::IndexSwitchOp) { return interpretIndexSwitch; })
      .Case([](scf::ExecuteRegionOp) { return interpretExecuteRegion; })
      .Default([](Operation *) { return nullptr; });
}
