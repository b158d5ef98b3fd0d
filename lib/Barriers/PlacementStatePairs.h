//===- PlacementStatePairs.h - who meets in two states ----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Placement's answer for accesses in loops that are executed by numbers: what
/// each thread touches in a state, calculated for all threads, whatever the
/// arithmetic, and the guards around the access. One table is made for all
/// states in which what the places depend on is the same.
///
/// Where a number is not known but is one number in both executions (a uniform
/// unknown), places are compared behind what it does to them: two numbers are
/// equal exactly if both are after `xor u`, `+ u` or `+ u` modulo a constant.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_PLACEMENTSTATEPAIRS_H
#define MEMSPACE_LIB_BARRIERS_PLACEMENTSTATEPAIRS_H

#include "ControlStates.h"
#include "MemSpace/Threads/Uniformity.h"

namespace mlir {
namespace memspace {

/// Between which threads two accesses meet.
struct Meeting {
  bool inOneThread = true;
  bool insideSubgroup = true;
  bool acrossSubgroups = true;

  void restrictTo(const Meeting &other) {
    inOneThread &= other.inOneThread;
    insideSubgroup &= other.insideSubgroup;
    acrossSubgroups &= other.acrossSubgroups;
  }
};

class PlacementStatePairs {
public:
  PlacementStatePairs(const HazardAnalysis &hazards,
                      const Uniformity &uniformity, ControlStates &states)
      : hazards(hazards), uniformity(uniformity), states(states),
        context(hazards.getContext()) {}

  /// Who may touch a common byte by access `first` in one state and `second` in
  /// another; `carryingLoop` as in HazardAnalysis::getHazard. All, where it is
  /// not known.
  Meeting getMeeting(unsigned first, unsigned firstState, unsigned second,
                     unsigned secondState, Operation *carryingLoop);

private:
  static constexpr int64_t kMaxThreads = 1024;
  static constexpr size_t kMaxPlaces = 64;
  /// Of all tables together.
  static constexpr size_t kMaxTouches = size_t(1) << 22;
  static constexpr size_t kMaxJoins = size_t(1) << 16;

  /// The number of a value in each thread; one if it is the same in all.
  using Numbers = std::vector<int64_t>;
  using Memo = DenseMap<Value, std::optional<Numbers>>;

  /// A memref as it is in all threads.
  struct Place {
    const void *root = nullptr;
    /// Bytes from the root to where its elements are counted from.
    int64_t base = 0;
    /// In elements.
    int64_t offset = 0;
    SmallVector<int64_t> strides;
    int64_t elementBytes = 0;
  };
  /// Elements, counted from the root, and who touches them; in order.
  struct Table {
    const void *root = nullptr;
    int64_t elementBytes = 0;
    std::vector<std::pair<int64_t, int64_t>> touches;
  };
  /// A number, taken modulo `modulus` if that is not 0.
  struct Residue {
    LinearExpr number;
    int64_t modulus = 0;
  };

  std::optional<Place> resolve(Value memref, unsigned state,
                               unsigned depth = 0);
  std::optional<Place> resolveRoot(Value memref);
  const std::optional<Numbers> &getNumbers(Value value, unsigned state,
                                           Memo &memo, unsigned depth = 0);
  std::optional<Numbers> computeNumbers(Value value, unsigned state, Memo &memo,
                                        unsigned depth);
  std::optional<Numbers> getNumbers(const LinearExpr &expr, unsigned state,
                                    Memo &memo);
  void forEachGuard(Operation *op, llvm::function_ref<void(Value, bool)> visit);
  /// By thread, whether the conditions around the access let it through.
  std::vector<bool> getActive(Operation *op, unsigned state, Memo &memo);
  void addLeaves(Value value, unsigned state, DenseSet<Value> &seen,
                 std::vector<int64_t> &key);
  unsigned getTable(unsigned access, unsigned state);
  std::optional<Table> makeTable(const MemoryAccess &access, const Place &place,
                                 unsigned state);
  Meeting join(const Table &first, const Table &second) const;
  void addPair(int64_t first, int64_t second, Meeting &meeting) const;

  Meeting compareResidues(unsigned first, unsigned firstState, unsigned second,
                          unsigned secondState, Operation *carryingLoop);
  bool isOneNumber(Value value, Operation *first, Operation *second,
                   Operation *carryingLoop) const;
  bool strip(Residue &left, Residue &right,
             llvm::function_ref<bool(Value)> isOne) const;

  const HazardAnalysis &hazards;
  const Uniformity &uniformity;
  ControlStates &states;
  KernelContext context;
  DominanceInfo dominance;
  /// Table 0: not known.
  std::vector<std::optional<Table>> tables{std::nullopt};
  std::map<std::pair<unsigned, unsigned>, unsigned> tableOf;
  std::map<std::pair<unsigned, std::vector<int64_t>>, unsigned> tableOfKey;
  std::map<std::pair<unsigned, unsigned>, Meeting> joins;
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned, Operation *>,
           Meeting>
      residues;
  size_t numTouches = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_PLACEMENTSTATEPAIRS_H
