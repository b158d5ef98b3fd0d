//===- BarrierQuery.h - which order two accesses need -----------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All that placement knows of two accesses of a BarrierProgram: affine
/// constraints, places that are calculated for all threads, and the states of
/// what is executed by numbers.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_BARRIERQUERY_H
#define MEMSPACE_LIB_BARRIERS_BARRIERQUERY_H

#include "BarrierProgram.h"
#include "PlacementStatePairs.h"
#include "PlacementThreadPairs.h"

namespace mlir {
namespace memspace {

class BarrierQuery {
public:
  /// The arguments, and what they are of, must live as long as this. `tables`:
  /// what is known of a copy of the kernel. `followsStates`: see ControlStates.
  BarrierQuery(const KernelContext &context, const HazardAnalysis &hazards,
               const Uniformity &uniformity, PlacementMode mode,
               BarrierProgram::Kinds told = BarrierProgram::Kinds::None,
               PlacementThreadPairs::Tables *tables = nullptr,
               bool followsStates = true)
      : hazards(hazards), states(context, hazards, uniformity, followsStates),
        program(context, hazards, uniformity, states, mode, told),
        threadPairs(hazards, tables), statePairs(hazards, uniformity, states) {}
  /// Its parts refer to each other.
  BarrierQuery(const BarrierQuery &) = delete;
  BarrierQuery &operator=(const BarrierQuery &) = delete;

  const BarrierProgram &getProgram() const { return program; }
  bool followsStates() const { return states.follows(); }

  /// False if states, iterations or pairs of accesses were too many to tell
  /// them apart.
  bool isComplete() const {
    return states.isComplete() && statePairs.isComplete() &&
           program.hasAllKinds();
  }

  /// The answer to a placement::HazardQuery.
  placement::Orders getOrders(unsigned first, unsigned second,
                              unsigned carryingLoop,
                              placement::PathTiming timing);

  /// At least what getOrders() says of two accesses that are not in flight,
  /// whatever the iterations are.
  placement::Orders getMostOrders(unsigned first, unsigned second) const;
  /// At least what getMostOrders() says of an access and any other.
  placement::Orders getMostOrdersOf(unsigned access) const;

private:
  const HazardAnalysis &hazards;
  ControlStates states;
  BarrierProgram program;
  PlacementThreadPairs threadPairs;
  PlacementStatePairs statePairs;
  /// What the ids of threads leave of the hazard of two accesses.
  DenseMap<std::pair<unsigned, unsigned>, Hazard> enumerated;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_BARRIERQUERY_H
