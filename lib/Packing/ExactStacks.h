//===- ExactStacks.h - the tightest sections as stacks ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_EXACTSTACKS_H
#define MEMSPACE_LIB_PACKING_EXACTSTACKS_H

#include "ExactSearch.h"

namespace mlir {
namespace memspace {
namespace packing {

/// Raises `lowerBound` to the least heights of the tightest sections alone, and
/// lowers `best` by least stacks of these, with the other items in what they
/// leave free. Stops at `enough`. `problem` has the items' buffers.
void solveByStacks(const Problem &problem, const ExactInstance &instance,
                   int64_t enough, SearchBudget &budget, int64_t &lowerBound,
                   Solution &best);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_EXACTSTACKS_H
