//===- ForallCoverage.h - what the iterations of a forall write -----------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_FORALLCOVERAGE_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_FORALLCOVERAGE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
namespace memspace {

/// True when every element of the shared output `arg` is written by some
/// iteration of `forall`. False where it is not known.
///
/// The slices of a forall are in bounds and disjoint, so it is enough to count
/// elements: those of all iterations together must be as many as the tensor
/// has. Sizes may depend on the iteration (`affine.min` at an edge), each on
/// one induction variable.
bool coversTensor(scf::ForallOp forall, BlockArgument arg);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_FORALLCOVERAGE_H
