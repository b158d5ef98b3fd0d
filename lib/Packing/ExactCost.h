//===- ExactCost.h - the cost of laying buffers over another ----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_EXACTCOST_H
#define MEMSPACE_LIB_PACKING_EXACTCOST_H

#include "MemSpace/Packing/Solvers.h"

namespace mlir {
namespace memspace {
namespace packing {

/// solveExact for a problem with costs; minimizes.
ExactResult solveWithCosts(const Problem &problem, const ExactOptions &options);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_EXACTCOST_H
