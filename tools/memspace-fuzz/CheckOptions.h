//===- CheckOptions.h - how a kernel is compiled and run to be checked -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_CHECKOPTIONS_H
#define MEMSPACE_FUZZ_CHECKOPTIONS_H

#include "Interleave.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir {
namespace memspace {
namespace fuzz {

using llvm::StringRef;

struct CheckOptions {
  /// A kernel on memrefs, of which the packing is checked.
  bool isSpmd = false;
  /// The same, of which the barriers are.
  bool isBarriers = false;
  /// Options of the kernel pipeline.
  std::string chip = "gfx942";
  int64_t workgroupLimit = 0;
  int64_t privateLimit = 0;
  bool padding = false;
  /// Where the pipeline canonicalizes.
  Canonicalization canonicalization = Canonicalization::AsItIs;
  /// Seed of the arguments' contents and of the thread orders.
  uint64_t inputSeed = 1;
  /// Every dynamic extent of an argument.
  int64_t dynamicSize = 100;
  /// Grid where the kernel does not say.
  int64_t grid = 1;
  /// Thread orders that are run.
  unsigned orders = 3;
  /// Of the interpreter in all, and of a workgroup between two barriers; 0:
  /// their own limits.
  int64_t maxSteps = 0;

  /// The option iteration-guards of the placement: for half of the seeds.
  bool hasIterationGuards() const { return inputSeed / 3 % 2 != 0; }

  /// As command line options.
  std::string toString() const;
};

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_CHECKOPTIONS_H
