//===- Uniformity.h - what is the same in all threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For SPMD code, over which threads the values and the control flow of a
/// kernel are the same: a barrier may stand only where all threads of a
/// workgroup come together. A load at a uniform address of shared memory is
/// uniform if the kernel is free of races, which placement assumes (design
/// section 8); private memory is uniform if all that is stored there is.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_UNIFORMITY_H
#define MEMSPACE_ANALYSIS_UNIFORMITY_H

#include "MemSpace/Analysis/ThreadRelations.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir {
namespace memspace {

class Uniformity {
public:
  Uniformity(FunctionOpInterface kernel, const ThreadRelations &relations);

  /// The largest of workgroup, subgroup and thread over which the value is
  /// known to be the same.
  ExecutionScope getScope(Value value) const;

  /// Over which threads the regions of `op` are entered together, given that
  /// `op` is: Workgroup for what no thread-dependent condition decides.
  ExecutionScope getControlScope(Operation *op) const;

  /// Over which threads `op` is reached together: the narrowest of the control
  /// scopes around it. `cause`, if given, is set to the op that decides.
  ExecutionScope getReachScope(Operation *op,
                               Operation **cause = nullptr) const;

private:
  bool update(Operation *op);
  bool raise(Value value, ExecutionScope scope);
  bool raiseStored(Operation *op, ExecutionScope scope);
  ExecutionScope join(ValueRange values) const;
  ExecutionScope refine(Value value) const;

  FunctionOpInterface kernel;
  const ThreadRelations &relations;
  DenseMap<Value, ExecutionScope> scopes;
  mutable DenseMap<Value, ExecutionScope> refined;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ANALYSIS_UNIFORMITY_H
