//===- ControlGuards.cpp - conditions on the first iteration, executed -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the end of a loop is not known, its counter is not followed. That the
/// counter is above its lower bound is known all the same: in each iteration
/// but the first.
///
//===----------------------------------------------------------------------===//

#include "ControlStates.h"
#include "LoopGuards.h"

using namespace mlir;
using namespace mlir::memspace;

void ControlStates::collectFirstGuards() {
  FunctionOpInterface kernel = context.getKernel();
  kernel->walk([&](scf::IfOp ifOp) {
    Value condition = ifOp.getCondition();
    CountedLoop loop = getLoopOfGuard(condition);
    if (!loop || !slice.isChosen(loop.getOperation()) ||
        uniformity.getScope(condition) > ExecutionScope::Workgroup)
      return;
    std::optional<bool> first = getValueIn(0, condition, loop);
    std::optional<bool> later = getValueAfterFirst(condition, loop);
    SmallVector<Value, 1> &guards = firstGuards[loop.getOperation()];
    if (first && later && *first != *later &&
        !llvm::is_contained(guards, condition))
      guards.push_back(condition);
  });
}

unsigned ControlStates::bindFirstGuards(unsigned state, const CountedLoop &loop,
                                        bool isFirst) {
  auto it = firstGuards.find(loop.getOperation());
  if (it == firstGuards.end())
    return state;
  for (Value guard : it->second) {
    bool holds = *getValueAfterFirst(guard, loop) != isFirst;
    // As constants of one bit are numbers.
    state = bindAgain(
        state, guard,
        Binding{guard.getAsOpaquePointer(), nullptr, holds ? -1 : 0, kNothing});
  }
  return state;
}
