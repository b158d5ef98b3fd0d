//===- OneThreadEvaluator.h - what one thread computes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes the integer arithmetic of one thread with given ids and iterations,
/// by the folders of the ops. It shares nothing with the affine systems, so
/// that it can confirm what they say.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_ONETHREADEVALUATOR_H
#define MEMSPACE_LIB_THREADS_ONETHREADEVALUATOR_H

#include "Kernel/HardwareIds.h"
#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

class OneThreadEvaluator {
public:
  /// What of a side counts. What is computed from less holds for more
  /// executions.
  enum class Facts {
    /// The thread's ids: what they decide holds in every workgroup and
    /// iteration.
    ThreadIds,
    /// The ids of thread and workgroup, and the induction variables: one
    /// execution.
    Execution,
    /// All values, some of which nobody has proved.
    Assumptions
  };

  /// `side` must live as long as this.
  OneThreadEvaluator(const KernelContext &context,
                     const OverlapWitness::Side &side, Facts facts);

  /// The value of an index or integer; none when it depends on more than the
  /// facts, or is not folded.
  std::optional<int64_t> evaluate(Value value);
  std::optional<int64_t> evaluate(const LinearExpr &expr);

  std::optional<int64_t> evaluateLower(const CountedLoop &loop);
  std::optional<int64_t> evaluateUpper(const CountedLoop &loop);
  std::optional<int64_t> evaluateStep(const CountedLoop &loop);

  /// True when the thread exists and comes to `op` in these iterations.
  bool executes(Operation *op);

  /// All of `range`, each once and in ascending order; none when it cannot be
  /// evaluated or is too large.
  std::optional<SmallVector<int64_t>> enumerate(const IndexRange &range);

private:
  std::optional<int64_t> evaluate(OpFoldResult value);
  std::optional<int64_t> compute(Value value);
  std::optional<int64_t> computeId(HardwareId id) const;
  std::optional<int64_t> fold(OpResult result);
  std::optional<SmallVector<int64_t>> evaluate(AffineMap map,
                                               ValueRange operands);
  std::optional<bool> hold(affine::AffineIfOp op);
  bool runsIteration(const CountedLoop &loop);
  bool runsIteration(scf::ForallOp forall);

  KernelContext context;
  const LaunchShape &shape;
  const OverlapWitness::Side &side;
  Facts facts;
  DenseMap<Value, std::optional<int64_t>> values;
  unsigned depth = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_ONETHREADEVALUATOR_H
