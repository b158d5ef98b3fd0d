//===- ThreadEvaluator.h - what one thread computes -===//
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

#ifndef MEMSPACE_LIB_ANALYSIS_THREADEVALUATOR_H
#define MEMSPACE_LIB_ANALYSIS_THREADEVALUATOR_H

#include "MemSpace/Analysis/ThreadRelations.h"
#include <set>

namespace mlir {
namespace memspace {

class ThreadEvaluator {
public:
  /// The ids and the induction variables are those of `side`; its other values
  /// are assumptions and only used if `assume`.
  ThreadEvaluator(FunctionOpInterface kernel, const LaunchShape &shape,
                  int64_t subgroupSize, const Meeting::Side &side, bool assume);

  /// The value of an index or integer; none when it depends on anything but the
  /// ids and the induction variables, or is not folded.
  std::optional<int64_t> evaluate(Value value);
  std::optional<int64_t> evaluate(const LinearExpr &expr);

  /// True when the thread exists and comes to `op` in these iterations.
  bool executes(Operation *op);

  /// All of `range`; none when it cannot be evaluated or is too large.
  std::optional<std::set<int64_t>> enumerate(const IndexRange &range);

private:
  std::optional<int64_t> evaluate(OpFoldResult value);
  std::optional<int64_t> compute(Value value);
  std::optional<int64_t> computeId(Operation *op) const;
  std::optional<int64_t> fold(OpResult result);
  bool runsIteration(scf::ForOp loop);

  FunctionOpInterface kernel;
  LaunchShape shape;
  int64_t subgroupSize;
  const Meeting::Side &side;
  DenseMap<Value, std::optional<int64_t>> values;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_ANALYSIS_THREADEVALUATOR_H
