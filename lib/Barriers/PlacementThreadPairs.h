//===- PlacementThreadPairs.h - hazards by trying every thread -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an access touches as a function of nothing but the thread's ids can be
/// calculated for each thread of the workgroup, whatever the arithmetic. That
/// proves what affine constraints cannot say (`t xor 116`).
///
/// The threads are enumerated once for each class of accesses, those whose
/// indices differ by constants only, of whatever buffer: an access touches the
/// places of its class, moved by its constants. Threads that touch the same
/// places are one crowd, and a table has each place of a crowd once: of 256
/// threads that read a row of 16 elements each, 16 rows in all, 256 entries,
/// not 4096. Two accesses are compared by joining the tables of their classes,
/// once for all pairs that are equally far apart.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_PLACEMENTTHREADPAIRS_H
#define MEMSPACE_LIB_BARRIERS_PLACEMENTTHREADPAIRS_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "Threads/OneThreadEvaluator.h"

namespace mlir {
namespace memspace {

class PlacementThreadPairs {
  /// An element or byte, one index for each dimension, without the constants of
  /// the access.
  using Place = SmallVector<int64_t, 2>;
  /// Those threads of a subgroup that touch the same places: the first and the
  /// last of them, by linear id. Without a subgroup size the workgroup is one.
  struct Members {
    int64_t subgroup, first, last;
  };
  /// In ascending order.
  using Crowd = SmallVector<Members, 1>;
  /// A place and the number of a crowd that touches it.
  using Touch = std::pair<Place, unsigned>;
  struct Table {
    std::vector<Crowd> crowds;
    /// In ascending order.
    std::vector<Touch> touches;
  };
  /// None: not known.
  using KnownTable = std::shared_ptr<const std::optional<Table>>;

public:
  /// Which threads touch what, by the number of an access, without its
  /// constants, and whether that is bytes. For copies of one kernel whose
  /// accesses differ in constants only.
  using Tables = std::map<std::pair<unsigned, bool>, KnownTable>;

  /// The arguments must live as long as this. `shared`, if given, has what
  /// others have found, and gets what this finds.
  explicit PlacementThreadPairs(const HazardAnalysis &hazards,
                                Tables *shared = nullptr)
      : hazards(hazards), shared(shared) {}

  /// Takes from `hazard` between two accesses, by their numbers, what no two
  /// threads do, in whatever workgroup and iterations they are. Leaves it as it
  /// is where the accesses depend on more than the ids, or after kMaxJoins
  /// joins.
  void refine(Hazard &hazard, unsigned first, unsigned second);

private:
  static constexpr unsigned kMaxJoins = 4096;
  static constexpr int64_t kMaxThreads = 1024;
  static constexpr size_t kMaxElements = 64;
  /// Touches of all tables together.
  static constexpr size_t kMaxTouches = size_t(1) << 22;

  /// Two classes, whether their places are bytes, and the constants of the
  /// first without those of the second.
  struct Join {
    unsigned classes[2];
    bool areBytes;
    Place distance;

    bool operator<(const Join &other) const {
      return std::tie(classes[0], classes[1], areBytes, distance) <
             std::tie(other.classes[0], other.classes[1], other.areBytes,
                      other.distance);
    }
  };

  /// What each thread computes is kept for all classes.
  struct Thread {
    Thread(const KernelContext &context, int64_t number);

    OverlapWitness::Side side;
    OneThreadEvaluator evaluator;
  };

  ArrayRef<int64_t> getConstants(unsigned access, bool areBytes) const;
  void addThread(int64_t thread, Crowd &crowd) const;
  static void sortTouches(Table &table);
  std::optional<Table> enumerate(ArrayRef<IndexRange> ranges,
                                 ArrayRef<int64_t> constants);
  /// Null: not known.
  const Table *getTable(unsigned access, ArrayRef<IndexRange> ranges,
                        bool areBytes);
  void addPairs(const Crowd &first, const Crowd &second, Hazard &overlap) const;
  Hazard compute(const Table &first, const Table &second,
                 ArrayRef<int64_t> distance) const;

  const HazardAnalysis &hazards;
  /// By linear id, as far as anything was asked of them.
  std::vector<std::unique_ptr<Thread>> threads;
  Tables *shared;
  /// By class and whether places are bytes.
  std::map<std::pair<unsigned, bool>, KnownTable> tables;
  std::map<Join, Hazard> joins;
  size_t numTouches = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_PLACEMENTTHREADPAIRS_H
