//===- ShrinkCuts.h - smaller kernels out of one -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// The steps of the shrinker. Each changes one op, and makes the kernel smaller
/// in some sense, so that the steps come to an end.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_FUZZ_SHRINKCUTS_H
#define MEMSPACE_FUZZ_SHRINKCUTS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir {
namespace memspace {
namespace fuzz {

struct Cut {
  /// In how many ways `op` can be cut.
  unsigned (*count)(Operation *op);
  /// Cuts `op` in one of them; false when it does not apply after all.
  bool (*apply)(Operation *op, unsigned way);
};
ArrayRef<Cut> getCuts();
/// Those that can be done to many ops at once, in their first way.
ArrayRef<Cut> getRangeCuts();

/// Runs canonicalization and CSE.
bool simplify(ModuleOp module);

/// Texts of the kernel in which one number, wherever it stands, is smaller, or
/// one element type is a more usual one.
SmallVector<std::string> getSmallerTexts(StringRef text);

} // namespace fuzz
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_FUZZ_SHRINKCUTS_H
