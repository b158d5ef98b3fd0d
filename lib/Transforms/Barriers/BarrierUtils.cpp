//===- BarrierUtils.cpp - what the passes on barriers share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierUtils.h"
#include "MemSpace/Kernel/UniformityInterface.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Memory/Synchronization.h"

using namespace mlir;
using namespace mlir::memspace;

void mlir::memspace::noteCondition(InFlightDiagnostic &diag, Operation *cause) {
  std::optional<SmallVector<Value>> deciding = getControlValues(cause);
  if (!deciding || deciding->size() != 1)
    return;
  if (Operation *def = deciding->front().getDefiningOp())
    diag.attachNote(def->getLoc()) << "where the condition comes from";
}

LogicalResult
mlir::memspace::checkBarrierControl(FunctionOpInterface kernel,
                                    const Uniformity &uniformity) {
  WalkResult result = kernel->walk([&](Operation *op) {
    if (isUnknownControlFlow(op)) {
      op->emitError() << "'" << op->getName()
                      << "' has regions, and nothing is known of how they are "
                         "run or what it accesses itself; lower it before";
      return WalkResult::interrupt();
    }
    std::optional<Barrier> barrier = getBarrier(op);
    if (!barrier)
      return WalkResult::advance();
    Operation *cause = nullptr;
    ExecutionScope reach = uniformity.getReachScope(op, &cause);
    if (reach <= barrier->scope)
      return WalkResult::advance();
    bool isWorkgroup = barrier->scope == ExecutionScope::Workgroup;
    InFlightDiagnostic diag = op->emitError()
                              << "barrier that only some threads of the "
                              << (isWorkgroup ? "workgroup" : "subgroup")
                              << " reach; move it out of the divergent region";
    diag.attachNote(cause->getLoc())
        << "the condition here differs between threads";
    noteCondition(diag, cause);
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
