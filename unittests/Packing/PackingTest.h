//===- PackingTest.h - what the tests of Packing share ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_UNITTESTS_PACKING_PACKINGTEST_H
#define MEMSPACE_UNITTESTS_PACKING_PACKINGTEST_H

#include "MemSpace/Packing/Problem.h"
#include <random>

namespace mlir {
namespace memspace {
namespace packing {

inline Problem makeProblem(std::vector<Buffer> buffers) {
  Problem problem;
  problem.buffers = std::move(buffers);
  return problem;
}

/// Empty when there is no error.
inline std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_UNITTESTS_PACKING_PACKINGTEST_H
