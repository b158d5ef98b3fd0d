//===- GridLimits.h - the largest grid of a GPU -----------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How many workgroups a launch may have. Larger ones fail when the kernel is
/// launched.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TARGET_GRIDLIMITS_H
#define MEMSPACE_TARGET_GRIDLIMITS_H

#include "MemSpace/Target/TargetInfo.h"
#include <array>

namespace mlir {
namespace memspace {

struct GridLimits {
  /// Workgroups in each dimension.
  std::array<int64_t, 3> workgroups;
  /// Threads along a dimension, of all workgroups together.
  int64_t threads;

  /// Those of `target`; of one that is not known, those that every chip has.
  static GridLimits get(const TargetInfo &target);

  /// The most workgroups along `dimension`, of so many threads each there.
  int64_t getMost(unsigned dimension, int64_t threadsOfEach) const {
    return std::min(workgroups[dimension],
                    threads / std::max<int64_t>(threadsOfEach, 1));
  }
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TARGET_GRIDLIMITS_H
