//===- ExecutionCounts.h - what the threads of a kernel execute -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The figures of a kernel's cost that are counted on its ops.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_RETILE_EXECUTIONCOUNTS_H
#define MEMSPACE_RETILE_EXECUTIONCOUNTS_H

#include <cstdint>

namespace mlir {
namespace memspace {

struct ExecutionCounts {
  /// Of all workgroups, in bytes and in accesses. Elements of vectors count one
  /// each.
  int64_t globalBytes = 0;
  int64_t globalLoads = 0;
  int64_t globalStores = 0;
  int64_t workgroupBytesMoved = 0;
  /// How that falls together, counted for the threads of a subgroup that access
  /// at once: sectors of 32 bytes and lines of 128 bytes of global memory, and
  /// cycles of the 32 banks of workgroup memory. Threads of which it is not
  /// known what they access count as neighbours.
  int64_t globalSectors = 0;
  int64_t globalLines = 0;
  int64_t workgroupBankCycles = 0;
  /// Executed barriers of the workgroup, of all workgroups.
  int64_t barriers = 0;
  /// Ops of the thread that executes the most, in one workgroup.
  int64_t threadOps = 0;
  /// Loads from global memory of the thread that executes the most.
  int64_t threadLoads = 0;
  /// False where a trip count, a condition or the grid was not known: extents
  /// of arguments and numbers count 1024 then, other loops 8 iterations, and
  /// conditions hold.
  bool isExact = true;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_RETILE_EXECUTIONCOUNTS_H
