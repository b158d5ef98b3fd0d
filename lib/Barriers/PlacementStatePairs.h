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
/// unknown), places are compared behind what it does to them (Residues).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_PLACEMENTSTATEPAIRS_H
#define MEMSPACE_LIB_BARRIERS_PLACEMENTSTATEPAIRS_H

#include "MemRefPlaces.h"
#include "MemSpace/Threads/Uniformity.h"
#include "Residues.h"
#include "StateNumbers.h"

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
  /// Of one access in one thread.
  static constexpr size_t kMaxPlaces = ControlSlice::kFewIterations;

  PlacementStatePairs(const HazardAnalysis &hazards,
                      const Uniformity &uniformity, ControlStates &states)
      : hazards(hazards), uniformity(uniformity), context(hazards.getContext()),
        places(context, states), numbers(context, states) {}

  /// Who may touch a common byte by access `first` in one state and `second` in
  /// another; `carryingLoop` as in HazardAnalysis::getHazard. All, where it is
  /// not known.
  Meeting getMeeting(unsigned first, unsigned firstState, unsigned second,
                     unsigned secondState, Operation *carryingLoop);

  /// False if some pairs were not compared because there are too many.
  bool isComplete() const { return !isLimited; }

private:
  static constexpr int64_t kMaxThreads = 1024;
  /// Of all tables together.
  static constexpr size_t kMaxTouches = size_t(1) << 22;
  static constexpr size_t kMaxJoins = size_t(1) << 16;
  /// Threads and numbers that are tried for one pair, and for all together, and
  /// bits of a number.
  static constexpr int64_t kMaxPartners = int64_t(1) << 18;
  static constexpr int64_t kMaxAllPartners = int64_t(1) << 22;
  static constexpr unsigned kMaxPartnerBits = 16;

  using Numbers = StateNumbers::Numbers;
  using Memo = StateNumbers::Memo;
  using Place = MemRefPlaces::Place;

  /// Elements, counted from the root, and who touches them; in order.
  struct Table {
    const void *root = nullptr;
    int64_t elementBytes = 0;
    std::vector<std::pair<int64_t, int64_t>> touches;
  };

  bool keepsNobody(Value condition, unsigned state, Value tried);
  std::vector<int64_t> getPlaceKey(const MemoryAccess &access,
                                   const Place &place, unsigned state,
                                   SmallVectorImpl<BlockArgument> &unknown,
                                   Value tried = Value());
  unsigned getTable(unsigned access, unsigned state);
  static SmallVector<CountedLoop> getCounters(ArrayRef<BlockArgument> unknown);
  std::optional<Table> makeTable(const MemoryAccess &access, const Place &place,
                                 unsigned state,
                                 ArrayRef<CountedLoop> counters);
  bool addTouches(const MemoryAccess &access, const Place &place,
                  unsigned state, Memo &memo, Table &table);
  Meeting join(const Table &first, const Table &second) const;
  Meeting join(ArrayRef<std::pair<Residue, Residue>> residues,
               const MemoryAccess &a, unsigned firstState,
               const MemoryAccess &b, unsigned secondState);
  /// An index of `access` in each thread, where it is inside of the buffer.
  std::optional<Numbers> getSlots(const MemoryAccess &access,
                                  const LinearExpr &offset, unsigned state,
                                  Memo &memo);
  /// A number that is one in both executions, and is below `count` wherever an
  /// access is inside of its buffer.
  struct Partner {
    Value unknown;
    int64_t count;
  };
  std::optional<Partner> findPartner(const MemoryAccess &access, unsigned state,
                                     llvm::function_ref<bool(Value)> isOne);
  Meeting joinPartners(unsigned first, unsigned firstState, unsigned second,
                       unsigned secondState, Operation *carryingLoop);
  void addPair(int64_t first, int64_t second, Meeting &meeting) const;

  Memo &getMemo(unsigned state);
  Meeting joinActive(const MemoryAccess &a, unsigned firstState,
                     const MemoryAccess &b, unsigned secondState);
  Meeting compareResidues(unsigned first, unsigned firstState, unsigned second,
                          unsigned secondState, Operation *carryingLoop);
  bool isOneNumber(Value value, Operation *first, Operation *second,
                   Operation *carryingLoop, unsigned depth = 0) const;

  const HazardAnalysis &hazards;
  const Uniformity &uniformity;
  KernelContext context;
  MemRefPlaces places;
  StateNumbers numbers;
  /// Table 0: not known.
  std::vector<std::optional<Table>> tables{std::nullopt};
  std::map<std::pair<unsigned, unsigned>, unsigned> tableOf;
  std::map<std::pair<unsigned, std::vector<int64_t>>, unsigned> tableOfKey;
  std::map<std::pair<unsigned, unsigned>, Meeting> joins;
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned, Operation *>,
           Meeting>
      residues;
  /// Of accesses at places that hang on the ids alone.
  std::map<std::vector<int64_t>, Meeting> meetingOfIndices;
  /// Of pairs whose places hang on a number that is tried, by what else they
  /// hang on.
  std::map<std::vector<int64_t>, Meeting> meetingOfPartners;
  int64_t numPartners = 0;
  Memo lastMemo;
  unsigned lastState = ControlStates::kNothing;
  size_t numTouches = 0;
  bool isLimited = false;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_PLACEMENTSTATEPAIRS_H
