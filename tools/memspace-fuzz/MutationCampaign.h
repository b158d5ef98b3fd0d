//===- MutationCampaign.h - mutants of given programs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes mutants of files and tries each in a process that may die.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_MUTATIONCAMPAIGN_H
#define MEMSPACE_FUZZ_MUTATIONCAMPAIGN_H

#include "Workers.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir {
namespace memspace {
namespace fuzz {

struct MutationOptions {
  /// Files, and folders with `.mlir` files.
  std::vector<std::string> inputs;
  uint64_t seed = 1;
  int64_t count = 100;
  WorkerOptions workers;
  /// A folder for the mutants with which something is wrong.
  std::string save;
  /// Print the mutants and try nothing.
  bool prints = false;
  /// The inputs as they are, one after the other, again and again.
  bool isUnchanged = false;
};

/// Tries mutants with consecutive seeds; the exit status. A mutant depends on
/// its seed and on the inputs, all of them.
int runMutationCampaign(const DialectRegistry &registry,
                        const MutationOptions &options);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_MUTATIONCAMPAIGN_H
