//===- VerifierThreadPairs.h - who touches which place -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's own answer for places that the threads' ids decide alone: a
/// table of the threads at each place, made once for each class of accesses.
/// Placement asks PlacementThreadPairs; the two share no code, so that a
/// mistake in one of them is noticed.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIERTHREADPAIRS_H
#define MEMSPACE_LIB_BARRIERS_VERIFIERTHREADPAIRS_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "Threads/WorkgroupValueSamples.h"

namespace mlir {
namespace memspace {

class VerifierThreadPairs {
public:
  /// `analysis` must live as long as this.
  explicit VerifierThreadPairs(const HazardAnalysis &analysis)
      : analysis(analysis), context(analysis.getContext()), values(context) {}

  /// Which pairs of threads meet at a place of both accesses, given by their
  /// numbers, in any workgroup and any iterations. All pairs where a place
  /// depends on more than the ids of the thread, or is beyond the limits below.
  Hazard getOverlap(unsigned first, unsigned second);

private:
  static constexpr int64_t kMaxThreads = 1024;
  static constexpr size_t kMaxPlacesOfThread = 64;
  /// Places of all tables together.
  static constexpr size_t kMaxPlaces = size_t(1) << 21;

  /// One index for each dimension, or a byte, from the constants of the access.
  using Place = SmallVector<int64_t, 2>;
  /// The threads at each place, by ascending linear id.
  using Table = std::map<Place, SmallVector<int64_t, 2>>;

  const Table *getTable(unsigned access, const ElementAccess &places,
                        bool areBytes);
  std::unique_ptr<Table> computeTable(ArrayRef<IndexRange> ranges,
                                      ArrayRef<int64_t> origin);
  bool addPlaces(Table &table, ArrayRef<IndexRange> ranges,
                 ArrayRef<int64_t> origin, int64_t thread);
  Hazard meet(const Table &first, const Table &second,
              ArrayRef<int64_t> shift) const;
  std::optional<int64_t> evaluate(const LinearExpr &expr, int64_t thread);
  std::optional<SmallVector<int64_t>> getIndices(const IndexRange &range,
                                                 int64_t thread);

  const HazardAnalysis &analysis;
  const KernelContext &context;
  WorkgroupValueSamples values;
  /// By class and whether places are bytes; null: not known.
  std::map<std::pair<unsigned, bool>, std::unique_ptr<Table>> tables;
  size_t numPlaces = 0;
  /// By two classes, whether places are bytes, and how far the origin of the
  /// first is from that of the second.
  std::map<std::tuple<unsigned, unsigned, bool, Place>, Hazard> overlaps;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIERTHREADPAIRS_H
