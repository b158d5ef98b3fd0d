//===- StageIndex.h - indices that go round -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_STAGEINDEX_H
#define MEMSPACE_LIB_REPORT_STAGEINDEX_H

#include "mlir/IR/Value.h"

namespace mlir {
namespace memspace {

/// True when `index` is the slot of a multi-buffered tile with `extent` slots:
/// a remainder by `extent` (`arith.remui`, `arith.remsi`, affine `mod`), or a
/// counter that a loop carries round 0, 1, …, `extent` - 1.
bool isStageIndex(Value index, int64_t extent);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_STAGEINDEX_H
