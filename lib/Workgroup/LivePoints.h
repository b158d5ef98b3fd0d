//===- LivePoints.h - the points where one buffer is live -----------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two dataflows of liveness on a graph of numbers, for one buffer after
/// the other: forward, where it may have been written; backward, where it may
/// still be read. A buffer costs what it does and the stretches of straight
/// line that it is live on, however many points these have.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_WORKGROUP_LIVEPOINTS_H
#define MEMSPACE_LIB_WORKGROUP_LIVEPOINTS_H

#include "MemSpace/Packing/Problem.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace mlir {
namespace memspace {

/// What a point does to a buffer.
struct PointEvent {
  unsigned point = 0;
  /// An op there accesses it.
  bool touches = false;
  bool reads = false;
  bool writes = false;
  /// The buffer is new where the point begins, and, if `ends`, gone where it
  /// ends.
  bool begins = false;
  bool ends = false;
  /// Every element is overwritten, so that what was there is not needed. It
  /// writes, too.
  bool overwrites = false;
};

class LivePoints {
public:
  /// By point, those that may follow.
  explicit LivePoints(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> next);

  /// Takes the next buffer. Points of `events` ascend.
  void solve(llvm::ArrayRef<PointEvent> events);

  /// Of the last buffer: where it is accessed, or was written and may be read.
  const packing::LiveRange &getRange() const { return range; }
  /// By event, whether what is in the buffer behind it may be read; not told
  /// where the buffer cannot have been written yet.
  const std::vector<bool> &isNeededAfter() const { return neededAfter; }

private:
  /// Points from `begin` to `end`, of which each but the last is followed by
  /// the next one only.
  struct Stretch {
    unsigned begin, end;
    llvm::SmallVector<unsigned, 2> next, previous; // Stretches.
    /// Of the stretches from which control may come back to one before, and
    /// those in between: where the first of them begins. Otherwise `begin`.
    unsigned lowest;
  };
  /// The events of a stretch.
  struct Events {
    unsigned stretch, first, last;
  };

  void findLoops();
  /// What is known before `events`, of what is known behind them.
  bool goBack(Events some, bool needed);
  bool goForward(Events some, bool written) const;
  void followReads();
  void followWrites();
  void collect(Events some);
  bool has(const std::vector<unsigned> &stamps, unsigned stretch) const {
    return stamps[stretch] == stamp;
  }

  std::vector<Stretch> stretches;
  std::vector<unsigned> stretchOf;

  llvm::ArrayRef<PointEvent> events;
  std::vector<Events> byStretch;
  /// By stretch, where its events are in `byStretch`, if it has any.
  std::vector<unsigned> eventsOf;
  /// By stretch, what holds for the buffer: `stamp` where it does.
  std::vector<unsigned> hasEvents, neededBefore, neededBehind, writtenBefore,
      writtenBehind;
  unsigned stamp = 0;
  std::vector<bool> neededAfter;
  packing::LiveRange range;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_WORKGROUP_LIVEPOINTS_H
