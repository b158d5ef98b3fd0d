//===- BarrierVerifier.h - is a kernel with barriers free of races? -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Judges the barriers of an SPMD kernel, whoever placed them
/// (docs/verification.md): from every access it follows all paths until a
/// barrier ends them, and asks of each access on the way whether different
/// threads may meet there. It shares with placement the question, not the way
/// to the answer.
///
/// The answers are about the kernel as it was when they were computed: after a
/// change of the kernel, compute them again.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   BarrierVerifier verifier(context);
///   for (const UncutHazard &hazard : verifier.getHazards())
///     if (hazard.witness)
///       os << hazard.witness->str() << "\n";
///   return success(verifier.isRaceFree());
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_BARRIERS_BARRIERVERIFIER_H
#define MEMSPACE_BARRIERS_BARRIERVERIFIER_H

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/Threads/Uniformity.h"

namespace mlir {
namespace memspace {

/// Two accesses by which threads may race.
struct UncutHazard {
  enum Cause {
    /// Some path from the first to the second has no barrier for them.
    NoBarrier,
    /// Both lie where not all threads that a barrier would order come together
    /// since they part at `region`; threads may be at both at once.
    Divergent,
    /// Different threads touch one byte by one execution of one op.
    SameOp,
    /// The first begins a copy that no wait has completed on some path to the
    /// second; it races with its own thread, too.
    InFlight,
    /// By threads of different workgroups.
    AcrossWorkgroups
  };
  Cause cause;
  /// In the order of the path.
  MemoryAccess first, second;
  /// The outermost loop whose next iteration begins on the path; null if both
  /// may be in one iteration of all loops around them.
  Operation *carryingLoop = nullptr;
  /// Between whom no barrier orders them; meaningless across workgroups.
  Hazard threads;
  /// For Divergent: the op or terminator where the threads part.
  Operation *region = nullptr;
  /// Two executions that touch a common byte; of the first hazards only, and
  /// where one was found.
  std::optional<HazardWitness> witness;
  /// The two executions of the witness happen whenever the kernel is launched,
  /// and nothing orders them. Otherwise the hazard is what could not be
  /// excluded.
  bool certain = false;
};

/// A barrier, or an exchange between lanes, that not all threads of the group
/// that it is for reach together.
struct DivergentBarrier {
  Operation *barrier;
  /// Workgroup or Subgroup.
  ExecutionScope scope;
  /// The op or terminator whose condition differs between the threads.
  Operation *cause;
  /// Two threads that come to the cause together go different ways for certain.
  bool certain = false;
};

/// What the verifier may spend, and what is no race.
struct VerifierLimits {
  /// Hazards after which it stops.
  unsigned hazards = 100;
  /// Steps after which it stops; 0: none. A step is one op on one path of one
  /// access, or two accesses that are compared; an affine question counts as
  /// kStepsOfQuestion.
  uint64_t steps = 0;
  static constexpr uint64_t kStepsOfQuestion = 1000;
  /// Threads may write one value to one place by one execution of one op, if
  /// that is proved.
  bool allowEqualStores = false;
  /// Whether one answer serves all pairs that are alike.
  AnswerSharing sharing = AnswerSharing::AmongAlike;
};

class BarrierVerifier {
public:
  /// Verifies at once.
  explicit BarrierVerifier(const KernelContext &context,
                           const VerifierLimits &limits = {});

  /// True if no execution of the kernel has a race: given that what foralls
  /// promise of their accesses (`memspace.disjoint`) is true, that memory
  /// behind different arguments does not overlap, and that no index is out of
  /// bounds. Of pairs in different workgroups see
  /// HazardAnalysis::getWorkgroupHazards.
  bool isRaceFree() const {
    return hazards.empty() && divergentBarriers.empty() && unknownOps.empty() &&
           !gaveUp;
  }

  /// True if some execution of the kernel is certain to go wrong.
  bool hasCertain() const;

  ArrayRef<UncutHazard> getHazards() const { return hazards; }
  ArrayRef<DivergentBarrier> getDivergentBarriers() const {
    return divergentBarriers;
  }
  /// Ops whose regions and effects nothing is known of.
  ArrayRef<Operation *> getUnknownOps() const { return unknownOps; }
  /// False if there may be more hazards than were listed.
  bool isComplete() const { return complete; }
  /// True if the steps did not suffice.
  bool hasGivenUp() const { return gaveUp; }

private:
  std::vector<UncutHazard> hazards;
  SmallVector<DivergentBarrier> divergentBarriers;
  SmallVector<Operation *> unknownOps;
  bool complete = true;
  bool gaveUp = false;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_BARRIERS_BARRIERVERIFIER_H
