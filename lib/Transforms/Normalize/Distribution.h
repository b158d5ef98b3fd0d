//===- Distribution.h - whole-tensor work onto threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites ops that a whole workgroup or subgroup executes redundantly, and
/// that write memory which its threads share, into mapped `scf.forall`s
/// (docs/rules.md#work-without-a-mapping).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DISTRIBUTION_H
#define MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DISTRIBUTION_H

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"

namespace mlir {
namespace memspace {

/// Distributes what must be distributed until nothing is left; whether that
/// changed anything. Failure with a diagnostic at an op that can be neither
/// tiled nor guarded. The first time equal values are merged even where there
/// is nothing to distribute.
FailureOr<bool> distributeToThreads(FunctionOpInterface kernel,
                                    const MemorySpaceOptions &options,
                                    bool isFirst = true);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_NORMALIZE_DISTRIBUTION_H
