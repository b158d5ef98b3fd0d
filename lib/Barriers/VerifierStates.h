//===- VerifierStates.h - the program with numbers carried along -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's paths, with what is known on them: each point of the program
/// once for each set of numbers and memrefs that carried values may have there.
/// Of a counter without end the number modulo 2^k may be known (LowPart). An
/// edge that the numbers do not allow is none. Placement has ControlStates,
/// which shares no code with this.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIERSTATES_H
#define MEMSPACE_LIB_BARRIERS_VERIFIERSTATES_H

#include "ControlSlice.h"
#include "FirstGuards.h"
#include "KnownValues.h"
#include "MemSpace/Threads/Uniformity.h"
#include "ProgramGraph.h"
#include "VerifierDeadEnds.h"
#include "mlir/IR/Dominance.h"

namespace mlir {
namespace memspace {

class VerifierStates {
public:
  struct Edge {
    unsigned target;
    const ProgramGraph::Edge *edge;
  };
  struct Point {
    Operation *op = nullptr;
    /// The known values.
    unsigned known = KnownValues::kNothing;
    bool isReached = false, isJoin = false;
    SmallVector<Edge, 2> next;
  };

  /// The arguments must live as long as this.
  VerifierStates(const KernelContext &context, const HazardAnalysis &analysis,
                 const Uniformity &uniformity, const ProgramGraph &graph);

  ArrayRef<Point> getPoints() const { return points; }
  /// Of an op of interest: none if it is never executed.
  ArrayRef<unsigned> getPoints(Operation *op) const;
  KnownValues &getKnown() { return known; }

private:
  /// Points that the first attempt makes, and attempts with less to follow.
  static constexpr size_t kMaxPoints = size_t(1) << 16;
  static constexpr unsigned kMaxAttempts = 6;
  /// Points behind one edge.
  static constexpr size_t kMaxCases = 64;

  bool expand(const ProgramGraph &graph);
  bool isFollowed(Value value) const;
  bool mayTake(const ProgramGraph::Edge &edge, unsigned where);
  std::optional<int64_t> count(const ProgramGraph::Edge &edge,
                               const CountedLoop &loop, unsigned where);
  unsigned take(const ProgramGraph::Edge &edge, unsigned where);
  SmallVector<unsigned> takeAll(const ProgramGraph::Edge &edge, unsigned where);
  SmallVector<unsigned> enterKernel();
  void reset();
  void dropMost();
  bool limit(Value value);
  bool limitUnknown();

  KernelContext context;
  const Uniformity &uniformity;
  ControlSlice slice;
  DominanceInfo dominance;
  size_t maxPoints = kMaxPoints;
  /// Of chosen loops, the counters that are not followed: they have too many
  /// numbers.
  DenseSet<Value> uncounted;
  /// Counters without an end that something is shifted by, which were followed
  /// in vain.
  DenseSet<Value> endless;
  /// They are known, whatever the induction variable is.
  FirstGuards firstGuards;
  KnownValues known;
  DeadEnds deadEnds;
  std::vector<Point> points;
  DenseMap<Operation *, SmallVector<unsigned, 2>> pointsOf;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIERSTATES_H
