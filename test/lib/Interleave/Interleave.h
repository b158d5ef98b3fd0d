//===- Interleave.h - canonicalization between all passes -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Another compiler canonicalizes where it likes. What one of our passes leaves
/// for the next one must survive that.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TEST_INTERLEAVE_H
#define MEMSPACE_TEST_INTERLEAVE_H

#include "mlir/Pass/PassManager.h"

namespace mlir {
namespace memspace {

/// Where a pipeline canonicalizes.
enum class Canonicalization {
  /// Where its passes do.
  AsItIs,
  /// With `canonicalize` and `cse` before the first pass and after each one,
  /// also after those on nested ops.
  Interleaved,
  /// Not even in `memspace-bufferize`.
  None,
};

/// Adds the passes of `build` to `pm`, canonicalizing as said. They must be
/// registered: they are found by name.
void addPasses(OpPassManager &pm, Canonicalization where,
               function_ref<void(OpPassManager &)> build);

/// The same text of a pipeline, `a,gpu.module(b{x=1,2},c)`, with the two
/// between its passes.
std::string interleave(StringRef pipeline);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TEST_INTERLEAVE_H
