//===- LanePattern.h - what the threads of a subgroup access at once -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_RETILE_LANEPATTERN_H
#define MEMSPACE_LIB_RETILE_LANEPATTERN_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir {
namespace memspace {

/// What one access of a subgroup touches.
struct LanePattern {
  /// Sectors of 32 bytes and lines of 128 bytes of global memory. NVIDIA,
  /// Kernel Profiling Guide: a line takes the L1 cache one cycle, and sectors
  /// are what moves. The lines of AMD's caches have 64 or 128 bytes.
  int64_t sectors = 0;
  int64_t lines = 0;
  /// Cycles of workgroup memory: the most words of 4 bytes that lie in one of
  /// its 32 banks. What several threads read of one word counts once.
  int64_t bankCycles = 0;

  /// Of threads that access `width` bytes each, from these bytes on.
  static LanePattern get(ArrayRef<int64_t> begins, int64_t width);
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_RETILE_LANEPATTERN_H
