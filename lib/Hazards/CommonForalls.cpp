//===- CommonForalls.cpp - foralls whose iterations are in two threads ----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPairs.h"
#include "MemSpace/Kernel/ExecutionScope.h"

using namespace mlir;
using namespace mlir::memspace;

/// The foralls around both ops and around `carryingLoop`, the inner ones first.
static SmallVector<std::pair<scf::ForallOp, ForallMapping>>
getCommonForalls(Operation *a, Operation *b, Operation *carryingLoop) {
  SmallVector<std::pair<scf::ForallOp, ForallMapping>> foralls;
  for (Operation *op = carryingLoop ? carryingLoop : a; op;
       op = op->getParentOp()) {
    auto forall = dyn_cast<scf::ForallOp>(op);
    std::optional<ForallMapping> mapping =
        forall ? getForallMapping(forall) : std::nullopt;
    if (mapping && mapping->scope != ExecutionScope::Workgroup &&
        forall->isAncestor(a) && forall->isAncestor(b))
      foralls.emplace_back(forall, *mapping);
  }
  return foralls;
}

scf::ForallOp mlir::memspace::getCommonForall(Operation *a, Operation *b,
                                              Operation *carryingLoop) {
  auto foralls = getCommonForalls(a, b, carryingLoop);
  return foralls.empty() ? scf::ForallOp() : foralls.back().first;
}

bool mlir::memspace::arePromisedApart(Operation *a, Operation *b,
                                      Operation *carryingLoop,
                                      ExecutionPair pair) {
  bool isOfSubgroups = pair == ExecutionPair::DifferentSubgroups;
  return llvm::any_of(
      getCommonForalls(a, b, carryingLoop), [&](const auto &entry) {
        const ForallMapping &mapping = entry.second;
        return mapping.scope == ExecutionScope::Thread
                   ? !mapping.lane || !isOfSubgroups
                   : mapping.scope == ExecutionScope::Subgroup && isOfSubgroups;
      });
}
