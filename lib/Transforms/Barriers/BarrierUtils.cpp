//===- BarrierUtils.cpp - what the passes on barriers share -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierUtils.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Memory/Synchronization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;

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
    if (auto ifOp = dyn_cast<scf::IfOp>(cause))
      if (Operation *def = ifOp.getCondition().getDefiningOp())
        diag.attachNote(def->getLoc()) << "where the condition comes from";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
