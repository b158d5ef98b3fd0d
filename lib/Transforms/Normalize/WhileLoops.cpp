//===- WhileLoops.cpp - loops whose condition passes every tensor on -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::memspace;

/// True when the condition of `loop` passes a tensor of the type of the i-th
/// one that the loop carries at its place, for each of them.
static bool isAligned(scf::WhileOp loop) {
  ValueRange passed = loop.getConditionOp().getArgs();
  return llvm::all_of(loop.getBeforeArguments(), [&](BlockArgument arg) {
    unsigned i = arg.getArgNumber();
    return !isa<TensorType>(arg.getType()) ||
           (i < passed.size() && passed[i].getType() == arg.getType());
  });
}

/// What the condition passes on, aligned; `positions` gets where each operand
/// has gone.
static SmallVector<Value> alignPassed(scf::WhileOp loop,
                                      SmallVectorImpl<unsigned> &positions) {
  ValueRange passed = loop.getConditionOp().getArgs();
  SmallVector<Value> aligned(loop.getBeforeArguments());
  for (auto [i, value] : llvm::enumerate(passed)) {
    if (i < aligned.size() && value.getType() == aligned[i].getType()) {
      aligned[i] = value;
      positions.push_back(i);
      continue;
    }
    positions.push_back(aligned.size());
    aligned.push_back(value);
  }
  return aligned;
}

static void align(RewriterBase &rewriter, scf::WhileOp loop) {
  SmallVector<unsigned> positions;
  SmallVector<Value> passed = alignPassed(loop, positions);
  rewriter.setInsertionPoint(loop);
  auto aligned = scf::WhileOp::create(rewriter, loop.getLoc(),
                                      TypeRange(ValueRange(passed)),
                                      loop.getInits(), loop->getAttrs());
  aligned.getBefore().takeBody(loop.getBefore());
  aligned.getAfter().takeBody(loop.getAfter());
  aligned.getConditionOp().getArgsMutable().assign(passed);
  Block *after = aligned.getAfterBody();
  unsigned numOld = after->getNumArguments();
  for (Value value : passed)
    after->addArgument(value.getType(), value.getLoc());
  for (auto [old, position] : llvm::enumerate(positions)) {
    rewriter.replaceAllUsesWith(after->getArgument(old),
                                after->getArgument(numOld + position));
    rewriter.replaceAllUsesWith(loop.getResult(old),
                                aligned.getResult(position));
  }
  after->eraseArguments(0, numOld);
  rewriter.eraseOp(loop);
}

void mlir::memspace::alignWhileLoops(FunctionOpInterface kernel) {
  SmallVector<scf::WhileOp> loops;
  kernel->walk([&](scf::WhileOp loop) {
    if (!isAligned(loop))
      loops.push_back(loop);
  });
  IRRewriter rewriter(kernel.getContext());
  for (scf::WhileOp loop : loops)
    align(rewriter, loop);
}
