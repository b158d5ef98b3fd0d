//===- RemainderWalk.h - a stack as a walk over remainders ------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// With mixed alignments the order of a stack decides how many bytes are lost.
/// Only remainders of offsets matter: a piece leads from one to another, a hole
/// to the next one. A stack is a walk that uses each piece once, an Eulerian
/// path of a graph whose vertices are the remainders. Such a path exists when
/// each vertex is left as often as it is entered (but for the ends) and the
/// edges are connected: so not the order is to be searched, but where each
/// piece starts, and there are few choices.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_PACKING_REMAINDERWALK_H
#define MEMSPACE_LIB_PACKING_REMAINDERWALK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <random>

namespace mlir {
namespace memspace {
namespace packing {

class RemainderWalk {
public:
  /// Longer periods are not searched.
  static constexpr int64_t kMaxPeriod = 8;

  struct Piece {
    int64_t size, alignment;
  };

  /// The alignments divide `period`.
  explicit RemainderWalk(int64_t period) : period(period) {}

  enum class Result { Found, None, Limit };
  /// Looks for starts of the pieces, so that they and holes lead from `begin`
  /// to `end`. When there are none, no order stacks the pieces in between; when
  /// there are, makeOrder may.
  Result find(llvm::ArrayRef<Piece> pieces, int64_t begin, int64_t end,
              unsigned maxSteps);
  /// Steps of the last search.
  unsigned getSteps() const { return steps; }

  /// After a walk from 0 was found: the pieces in a random order that has it.
  /// Empty when the edges are not connected.
  llvm::SmallVector<unsigned> makeOrder(llvm::ArrayRef<Piece> pieces,
                                        std::mt19937_64 &engine) const;

private:
  /// What a piece takes of the circle of remainders, besides full turns.
  struct Arc {
    int64_t alignment, length;
    unsigned piece;
  };
  bool place(llvm::ArrayRef<Arc> arcs, int64_t firstStart);
  bool mayStart(llvm::ArrayRef<Arc> arcs) const;

  int64_t period;
  unsigned steps = 0;
  unsigned stepsAllowed = 0;
  /// By remainder: how often the walk may still pass it.
  llvm::SmallVector<int64_t, kMaxPeriod> room;
  llvm::SmallVector<Arc, 32> arcs;
  /// By piece that has an arc.
  llvm::SmallVector<int64_t, 32> starts;
  /// Rooms, by the number of arcs left, in which these have no place.
  llvm::DenseSet<std::pair<uint64_t, unsigned>> noPlace;
};

} // namespace packing
} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_PACKING_REMAINDERWALK_H
