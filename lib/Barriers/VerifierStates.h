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
#include "MemSpace/Threads/Uniformity.h"
#include "ProgramGraph.h"
#include "VerifierDeadEnds.h"
#include "VerifierLowParts.h"
#include "mlir/IR/Dominance.h"
#include <map>

namespace mlir {
namespace memspace {

/// What carried values are; the same in all threads.
class KnownValues {
public:
  /// A number, or a memref as it was where other things were known.
  struct Known {
    int64_t number = 0;
    Value memref;
    unsigned where = 0;
    /// The number is known modulo 2^bits.
    unsigned bits = LowPart::kWhole;
  };

  KnownValues(const KernelContext &context);

  /// Nothing is known.
  static constexpr unsigned kNothing = 0;

  std::optional<Known> lookup(Value value, unsigned where) const;
  /// The number of `value`, by the folders of ops.
  std::optional<int64_t> evaluate(Value value, unsigned where);
  /// What is known of the number; no more than `evaluate` says unless
  /// hasLowParts().
  LowPart evaluateLow(Value value, unsigned where);
  bool hasLowParts() const { return !lowBits.empty(); }
  /// All that a number that is not known may be, where a mask, a remainder or a
  /// choice makes it one of a few. None if they are many, or not known.
  SmallVector<int64_t> evaluateFew(Value value, unsigned where);
  /// The same by the op of `value` alone.
  SmallVector<int64_t> getFew(Value value, unsigned where);
  std::optional<int64_t> evaluateLower(const CountedLoop &loop, unsigned where);
  std::optional<int64_t> evaluateUpper(const CountedLoop &loop, unsigned where);
  std::optional<int64_t> evaluateStep(const CountedLoop &loop, unsigned where);

  /// Calls `visit`, until it returns false, with each pair of which no value
  /// has two meanings.
  void
  forEachCompatible(ArrayRef<unsigned> first, ArrayRef<unsigned> second,
                    llvm::function_ref<bool(unsigned, unsigned)> visit) const;

private:
  friend class VerifierStates;
  /// By value: Known, with the memref's pointer.
  using Content =
      std::map<const void *,
               std::tuple<int64_t, const void *, unsigned, unsigned>>;
  unsigned add(Content content);
  std::optional<int64_t> fold(Value value, unsigned where);
  LowPart computeLow(Value value, unsigned where);
  std::optional<SmallVector<int64_t>> evaluate(const LoopBound &bound,
                                               unsigned where);

  KernelContext context;
  std::vector<Content> contents;
  std::map<Content, unsigned> numbers;
  DenseMap<std::pair<Value, unsigned>, std::optional<int64_t>> folded;
  /// Values of which only so many of the lowest bits are known, if any.
  DenseMap<Value, unsigned> lowBits;
  DenseMap<std::pair<Value, unsigned>, LowPart> lowParts;
  unsigned depth = 0;
};

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
