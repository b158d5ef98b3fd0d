//===- ThreadRelations.cpp - can two accesses meet? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/ThreadRelations.h"

using namespace mlir;
using namespace mlir::memspace;

ThreadRelations::ThreadRelations(FunctionOpInterface kernel,
                                 const LaunchShape &shape, int64_t subgroupSize)
    : kernel(kernel), shape(shape), subgroupSize(subgroupSize) {}

bool ThreadRelations::mayMeet(const ElementAccess &, const ElementAccess &,
                              ExecutionPair, Operation *) const {
  (void)subgroupSize;
  return true;
}

bool ThreadRelations::isContained(const ElementAccess &,
                                  const ElementAccess &) const {
  return false;
}
