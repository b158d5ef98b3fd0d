//===- Sections.h - time, cut where live ranges begin or end ----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between two neighbouring begins or ends of live ranges the set of live
/// buffers does not change: a section. Solvers count time in sections.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_SECTIONS_H
#define MEMSPACE_LIB_PACKING_SECTIONS_H

#include "MemSpace/Packing/Problem.h"

namespace mlir {
namespace memspace {
namespace packing {

/// Sections [begin, end).
struct Span {
  unsigned begin = 0;
  unsigned end = 0;
};

struct Sections {
  explicit Sections(const Problem &problem);

  /// The first point in time of each section, and the end of the last.
  std::vector<int64_t> times;
  /// By buffer, ascending. None for a buffer without bytes, which restricts
  /// nobody.
  std::vector<llvm::SmallVector<Span, 1>> spans;

  unsigned size() const { return times.empty() ? 0 : times.size() - 1; }
};

/// The smallest multiple of `alignment` that is at least `value`, which is not
/// negative.
inline int64_t alignUp(int64_t value, int64_t alignment) {
  int64_t rest = value % alignment;
  return rest ? value + (alignment - rest) : value;
}

/// The height of a solution with these offsets.
int64_t getHeight(const Problem &problem, llvm::ArrayRef<int64_t> offsets);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_SECTIONS_H
