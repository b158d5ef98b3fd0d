//===- InterpreterState.h - the state of a running interpretation -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shared by the files that implement the interpreter, one for each kind of op.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_INTERPRETERSTATE_H
#define MEMSPACE_FUZZ_INTERPRETERSTATE_H

#include "Interpreter.h"
#include "ScalarFolder.h"
#include "TensorValue.h"

namespace mlir {
namespace memspace {
namespace fuzz {

/// The collectives of one `forall`, of which the iterations run one after the
/// other (InterpretForall.cpp).
struct Meetings {
  struct Contribution {
    Operation *op;
    TensorRef init, tensor;
  };

  void beginIteration() {
    next = 0;
    init = nullptr;
    isWaiting = false;
  }
  /// Makes a result of the contributions of all iterations.
  LogicalResult meet();

  /// The results, in the order in which each iteration gets them.
  SmallVector<TensorRef> known;
  /// What iterations that are waiting contribute to the one after.
  SmallVector<Contribution> contributions;

  // Of the iteration that runs.
  /// Results that it has got.
  size_t next = 0;
  /// That of the collective which it is in, or null.
  TensorRef init;
  /// It has come to a result that is not known, and ended there.
  bool isWaiting = false;
};

class InterpreterState {
public:
  using Handler = LogicalResult (*)(InterpreterState &, Operation *);

  InterpreterState(const InterpreterOptions &options) : options(options) {}

  /// Runs the ops of `block` on `arguments`. `terminated` gets the operands of
  /// its terminator.
  LogicalResult run(Block &block, ArrayRef<RuntimeValue> arguments,
                    SmallVectorImpl<RuntimeValue> *terminated = nullptr);

  void set(Value value, RuntimeValue runtimeValue) {
    values[value] = std::move(runtimeValue);
  }
  const RuntimeValue &get(Value value) { return values[value]; }
  const Tensor &getTensor(Value value) { return *values[value].tensor; }
  SmallVector<RuntimeValue> get(ValueRange range);
  SmallVector<Tensor> getTensors(ValueRange range);

  /// An index or integer that `user` needs to go on; an error there when it is
  /// undefined.
  FailureOr<int64_t> getInteger(Value value, Operation *user);
  FailureOr<int64_t> getInteger(OpFoldResult value, Operation *user);
  LogicalResult getIntegers(ArrayRef<OpFoldResult> mixed, Operation *user,
                            SmallVectorImpl<int64_t> &result);
  LogicalResult getIntegers(ValueRange range, Operation *user,
                            SmallVectorImpl<int64_t> &result);
  /// Counts a computation with an undefined element.
  void noteUndefinedUse(Operation *op);

  /// Where the loops of the surrounding `linalg` ops are, for `linalg.index`.
  SmallVector<ArrayRef<int64_t>> loopIndices;
  /// Of the innermost `forall`; null outside of them.
  Meetings *meetings = nullptr;
  Interpretation outcome;

private:
  struct Plan {
    Handler handler = nullptr;
    bool isScalar = false;
  };
  LogicalResult countStep(Operation *op);
  LogicalResult execute(Operation *op);
  LogicalResult executeScalar(Operation *op);

  const InterpreterOptions &options;
  llvm::DenseMap<Value, RuntimeValue> values;
  llvm::DenseMap<Operation *, Plan> plans;
  ScalarFolder folder;
};

/// The handler of an op, if it is of that kind.
InterpreterState::Handler getControlFlowHandler(Operation *op);
InterpreterState::Handler getForallHandler(Operation *op);
InterpreterState::Handler getTensorHandler(Operation *op);
InterpreterState::Handler getMemRefHandler(Operation *op);
InterpreterState::Handler getLinalgHandler(Operation *op);
InterpreterState::Handler getLieHandler(Operation *op);
InterpreterState::Handler getSortHandler(Operation *op);
InterpreterState::Handler getScanHandler(Operation *op);
InterpreterState::Handler getIndexedHandler(Operation *op);

/// Whether the iterations of a `forall`, of which `out` is a shared output,
/// only scatter into it, each what is added to what others have done
/// (InterpretIndexed.cpp).
bool isScatteredTogether(Value out);

/// Evaluates the offsets, sizes and strides of a slice op. All are of full
/// rank: a dimension that the slice drops has size 1.
template <typename SliceOpT>
FailureOr<Slice> getSlice(InterpreterState &state, SliceOpT op) {
  Slice slice;
  if (failed(state.getIntegers(op.getMixedOffsets(), op, slice.offsets)) ||
      failed(state.getIntegers(op.getMixedSizes(), op, slice.sizes)) ||
      failed(state.getIntegers(op.getMixedStrides(), op, slice.strides)))
    return failure();
  return slice;
}

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_INTERPRETERSTATE_H
