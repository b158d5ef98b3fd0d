//===- Problem.h - static memory allocation as a problem -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The static allocation problem (also: dynamic storage allocation, strip
/// packing with fixed horizontal positions): buffers with known live ranges get
/// offsets in one memory, so that buffers that are live at once share no byte.
/// What a valid problem and a valid solution are is said here, apart from
/// every solver. Nothing here knows MLIR; sizes and offsets are bytes.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_PACKING_PROBLEM_H
#define MEMSPACE_PACKING_PROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
namespace memspace {
namespace packing {

/// Points in time [begin, end).
struct Interval {
  int64_t begin = 0;
  int64_t end = 0;

  bool operator==(const Interval &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// When a buffer is live: disjoint intervals that ascend. Several, since the
/// arms of a branch exclude each other and a buffer may be dead between two
/// uses.
using LiveRange = llvm::SmallVector<Interval, 1>;

/// Sorts intervals and joins those that overlap or touch; empty ones go.
LiveRange normalize(LiveRange range);

/// True when some point lies in both; both are normalized. Linear time.
bool overlap(const LiveRange &a, const LiveRange &b);

struct Buffer {
  /// For messages and files; need not be unique.
  std::string name;
  int64_t bytes = 0;
  /// The offset is a multiple of this. Any positive number.
  int64_t alignment = 1;
  /// A buffer that is never live may lie anywhere.
  LiveRange live;
};

/// Paid once when at least one of the pairs shares a byte; the buffers of a
/// pair are not live at once. (One barrier often orders several pairs.)
struct OverlayCost {
  int64_t cost = 0;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> pairs;
};

/// Buffers to place. Plain data; solvers want it checked.
struct Problem {
  std::vector<Buffer> buffers;
  std::vector<OverlayCost> costs;

  /// An error that names the buffer and the rule when the problem is not valid:
  /// sizes are not negative, alignments positive, intervals not empty,
  /// ascending and disjoint, costs not negative and about pairs of different
  /// buffers that exist, and the bump layout of all buffers has fewer than 2^62
  /// bytes (so that no solver overflows).
  llvm::Error check() const;
};

/// A place for each buffer.
struct Solution {
  /// By buffer.
  std::vector<int64_t> offsets;
  /// One past the last byte.
  int64_t height = 0;
};

/// An error that names the buffers and the rule when `solution` is not one of
/// `problem`: one offset for each buffer, not negative, aligned; buffers that
/// are live at once share no byte; the height is exactly what they take and, if
/// given, at most `capacity`. Shares no code with the solvers.
llvm::Error verify(const Problem &problem, const Solution &solution,
                   std::optional<int64_t> capacity = std::nullopt);

/// The sum of the costs that `solution` pays.
int64_t getOverlayCost(const Problem &problem, const Solution &solution);

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_PACKING_PROBLEM_H
