//===- HazardAnalysis.h - which accesses need an order -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A hazard is a pair of accesses, at least one a write, not both atomic, by
/// which different threads may touch one byte (docs/barriers.md). The buffers
/// behind different kernel arguments do not overlap: that is what `restrict`
/// says of the tensors that they came from.
///
/// The answers are about the kernel as it was when they were computed: after a
/// change of the kernel, compute them again.
///
/// Stable API: it changes only with a note in CHANGELOG.md, a release ahead.
///
/// \code
///   ThreadRelations relations(context);
///   HazardAnalysis analysis(context, relations);
///   ArrayRef<MemoryAccess> accesses = analysis.getAccesses();
///   for (const KernelHazard &hazard : analysis.getHazards())
///     os << stringifyHazardKind(hazard.hazard.kind) << ": "
///        << *accesses[hazard.first].op << " before "
///        << *accesses[hazard.second].op << "\n";
/// \endcode
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_HAZARDS_HAZARDANALYSIS_H
#define MEMSPACE_HAZARDS_HAZARDANALYSIS_H

#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/IR/Dominance.h"
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace mlir {
namespace memspace {

class AccessClasses;
class BlockCircles;
class ExclusiveBlocks;

/// What the first access does before the second: read after write, write after
/// read, write after write.
enum class HazardKind { RAW, WAR, WAW };

/// "RAW", "WAR" or "WAW".
StringRef stringifyHazardKind(HazardKind kind);

/// Between whom two accesses need an order.
struct Hazard {
  bool acrossSubgroups = false;
  bool insideSubgroup = false;
  /// Which memory the common byte may be in. A barrier that orders only the
  /// other one does not cut the hazard.
  bool workgroupMemory = false;
  bool globalMemory = false;
  HazardKind kind = HazardKind::RAW;

  explicit operator bool() const { return acrossSubgroups || insideSubgroup; }
};

/// Two executions that touch a common byte.
struct HazardWitness {
  /// By what the affine constraints allow; what they do not constrain is
  /// assumed, for example a number that was loaded.
  OverlapWitness overlap;
  /// The common byte, from the start of `root`, if known.
  std::optional<int64_t> byte;
  /// The allocation, argument or (symbol of a) global that it lies in, if
  /// known.
  PointerUnion<Value, Attribute> root;
  bool differentWorkgroups = false;
  /// Both executions happen whenever the kernel is launched: ids and iterations
  /// decide all. Confirmed by executing the arithmetic of both threads.
  bool certain = false;

  /// "thread (1, 0, 0) with %i = 3 and thread (0, 0, 0) touch byte 4 of %a";
  /// "may touch" where it is not certain.
  std::string str() const;
};

/// What is known of a hazard that no barrier cuts.
enum class HazardProof {
  /// The forall that the op comes from promises that it does not happen.
  Promised,
  /// It may happen.
  Unproven,
  /// It happens whenever the kernel is launched; there is a witness.
  Certain
};

/// One op by which different threads may touch one byte at once, so that no
/// barrier can stand in between.
struct SelfHazard {
  unsigned access;
  HazardProof proof;
  /// The threads store an equal value.
  bool idempotent = false;
  /// None for a promised one.
  std::optional<HazardWitness> witness;
};

/// Two accesses, perhaps one, by threads of different workgroups, which no
/// barrier orders.
struct WorkgroupHazard {
  unsigned first, second;
  HazardProof proof;
  bool idempotent = false;
  std::optional<HazardWitness> witness;
};

/// One hazard of a kernel: `second` may follow `first`.
struct KernelHazard {
  unsigned first, second;
  /// Between threads of one subgroup only unless `hazard.acrossSubgroups`.
  Hazard hazard;
  /// The outermost loop around both that begins another iteration in between
  /// (the op around a cycle of blocks); null: none has to.
  Operation *carryingLoop = nullptr;

  bool isLoopCarried() const { return carryingLoop != nullptr; }
};

/// True when two threads that execute `op` leave the same in the bytes that
/// both of them write. `isSame` tells whether a value is the same in those
/// threads of the workgroup in which the others are; without others, in all.
bool storesEqualValues(Operation *op,
                       llvm::function_ref<bool(Value, ValueRange)> isSame);

/// Which two atomic accesses of one place need an order, although they are no
/// race.
enum class AtomicOrder {
  None,
  /// Those that leave another number in another order: of a sum and a maximum
  /// after it, or of two that overwrite.
  Updates,
  /// All: what the first one returns may be used.
  All
};

/// Which pairs of accesses have one answer.
enum class AnswerSharing {
  /// Those that differ by constants, equally far apart.
  AmongAlike,
  /// None, to check the other one: each pair is asked for by itself, and no
  /// class is fruitless. What two ops compute alike are two values then.
  /// Thousands of accesses take hours.
  None
};

class HazardAnalysis {
public:
  /// `relations` are of the same kernel and must live as long. Of two atomic
  /// accesses of one place `atomics` says whether they are a hazard.
  HazardAnalysis(const KernelContext &context, const ThreadRelations &relations,
                 AtomicOrder atomics = AtomicOrder::None,
                 AnswerSharing sharing = AnswerSharing::AmongAlike);
  /// The accesses of `other`, each moved by `move`: another layout of the same
  /// memory, without a kernel that has it. `move` changes nothing but `bases`
  /// and `byteRange`. The relations of `other` must live as long.
  HazardAnalysis(const HazardAnalysis &other,
                 llvm::function_ref<void(MemoryAccess &)> move);
  ~HazardAnalysis();
  HazardAnalysis(const HazardAnalysis &) = delete;
  HazardAnalysis &operator=(const HazardAnalysis &) = delete;

  ArrayRef<MemoryAccess> getAccesses() const { return accesses; }
  /// The accesses of `op` and of the ops inside it, as numbers.
  SmallVector<unsigned> getAccesses(Operation *op) const;

  /// The hazard between two accesses, `first` before `second`. `carryingLoop`
  /// is the outermost loop around both of which the executions may be in
  /// different iterations; null when they are in one iteration of all of them.
  /// For a loop of blocks it is the op that has the blocks, for example the
  /// function, whenever a block that comes before both may be executed again in
  /// between (a back edge is taken): what is computed on a cycle may then
  /// differ.
  ///
  /// Cost: nanoseconds where both only read, or their buckets or constant
  /// bounds tell them apart; else a look-up, and once for all pairs that are
  /// alike but for an equal shift an affine question, some hundred
  /// microseconds. Places that several blocks touch are first compared as if
  /// nothing were known of the executions, once for all blocks. After
  /// kMaxQuestions of them the answer is that they may meet. So it is between
  /// two accesses at places without bounds whose classes are both fruitless:
  /// the next kMaxFruitlessQuestions different questions of the class, in
  /// program order, do not tell its first access apart. Which classes are does
  /// not depend on what was asked before.
  static constexpr unsigned kMaxQuestions = 1 << 17;
  static constexpr unsigned kMaxFruitlessQuestions = 8;
  Hazard getHazard(unsigned first, unsigned second,
                   Operation *carryingLoop) const;
  /// The same where more is known of the iterations: at most what getHazard()
  /// says without.
  Hazard getHazard(unsigned first, unsigned second, Operation *carryingLoop,
                   IterationTiming timing) const;
  /// The same question for one thread that executes both, which matters where
  /// the first is a copy in flight.
  bool mayOverlapInOneThread(unsigned first, unsigned second,
                             Operation *carryingLoop,
                             IterationTiming timing) const;

  /// All hazards of the kernel as if it had no barriers, by their places in the
  /// program: for each two accesses those in one iteration, and for each order
  /// of the two those across iterations. Cost: all pairs are asked for, several
  /// seconds for 10,000 accesses.
  std::vector<KernelHazard> getHazards() const;

  /// Two executions behind the hazard between two accesses; `first` is executed
  /// by the first one. None when there is no hazard, or no witness was found.
  /// Cost: as getHazard, and a search; not cached.
  std::optional<HazardWitness> getWitness(unsigned first, unsigned second,
                                          Operation *carryingLoop) const;
  /// The same between the threads that are left in `hazard`.
  std::optional<HazardWitness> getWitness(unsigned first, unsigned second,
                                          Operation *carryingLoop,
                                          const Hazard &hazard) const;

  /// The ops that conflict with themselves, in program order: a write, not
  /// atomic. Of `isSame` see storesEqualValues(). Cost: a question for each
  /// class of accesses, and a search for a witness of each of the first
  /// kMaxWitnesses hazards; later ones count as unproven.
  static constexpr unsigned kMaxWitnesses = 256;
  std::vector<SelfHazard>
  getSelfHazards(llvm::function_ref<bool(Value, ValueRange)> isSame) const;

  /// The accesses to global memory that conflict with those of another
  /// workgroup, but for ops whose effects are not known. A grid that is not
  /// known is taken to have one workgroup in each dimension whose block id the
  /// kernel does not read. Of pairs that are alike the first is given, and
  /// beyond kMaxWorkgroupPairs pairs that the cheap tests leave one unproven
  /// hazard stands for all others.
  static constexpr unsigned kMaxWorkgroupPairs = 1 << 20;
  std::vector<WorkgroupHazard> getWorkgroupHazards() const;

  FunctionOpInterface getKernel() const { return context.getKernel(); }
  const KernelContext &getContext() const { return context; }

  /// Accesses in different buckets never have a hazard; one in kAnyBucket may
  /// have one with any other.
  static constexpr unsigned kAnyBucket = 0;
  unsigned getBucket(unsigned access) const { return summaries[access].bucket; }

  /// The bytes [first, second) of the only root that an access may touch,
  /// whoever executes it, if they are bounded by constants.
  std::optional<std::pair<int64_t, int64_t>> getBounds(unsigned access) const;

  /// Accesses of one class touch places that differ by constants only, whoever
  /// executes them.
  unsigned getClass(unsigned access) const {
    return summaries[access].classNumber;
  }
  /// These constants: one for each dimension of MemoryAccess::elements, then
  /// one for MemoryAccess::byteRange, if the access has them.
  ArrayRef<int64_t> getClassConstants(unsigned access) const {
    return constants[access];
  }

  /// Accesses of one number touch places that differ by the constants of their
  /// classes only, in whatever block they are executed.
  unsigned getPlaces(unsigned access) const { return summaries[access].places; }
  /// Accesses of one number have indices that differ by these constants only,
  /// and likewise the bytes, whichever buffer they are of.
  unsigned getIndices(unsigned access) const {
    return summaries[access].indices;
  }

  /// False when both only read, or when the buckets or constant bounds tell the
  /// accesses apart: they have no hazard.
  bool mayConflict(unsigned first, unsigned second) const;

  /// Between whom two accesses may meet, wherever and whenever they are
  /// executed: at least what getHazard() says of them. Both answers are for all
  /// accesses with these places and distances between their constants.
  Hazard getMeeting(unsigned first, unsigned second) const;

  /// Between whom an access may meet any access that it may conflict with: at
  /// least what getMeeting() says of it, as the first, and each of them. In a
  /// bucket of more than kMaxKindsOfBucket kinds of places the answer is that
  /// all may meet, and so it is where an access may be in any bucket.
  static constexpr unsigned kMaxKindsOfBucket = 16;
  Hazard getMeetingWithAny(unsigned access) const;

  /// Conditions by which one execution does not come to both of two blocks:
  /// getHazard() is none then.
  ExclusiveBlocks &getExclusiveBlocks() const { return *exclusiveBlocks; }

  /// Of the kernel.
  BlockCircles &getBlockCircles() const { return *circles; }

  /// Affine questions asked so far.
  unsigned getNumQuestions() const {
    unsigned number = answers.size() + timedAnswers.size();
    for (const auto &questions : indexMeetings)
      number += questions.size();
    return number;
  }

private:
  /// What the cheap tests need of an access.
  struct Summary {
    bool writes = false;
    bool bounded = false;
    unsigned bucket = kAnyBucket;
    unsigned classNumber = 0;
    unsigned places = 0;
    unsigned indices = 0;
    unsigned kind = 0;
    int64_t first = 0, second = 0;
  };
  struct Question {
    /// Or the numbers of places or of indices.
    unsigned classes[2];
    Operation *carryingLoop;
    /// Between the constants of the two accesses.
    SmallVector<int64_t, 4> distances;

    bool operator==(const Question &other) const;
  };
  struct QuestionHash {
    size_t operator()(const Question &question) const;
  };

  void summarize();
  /// True when getMeeting() may answer for several classes.
  bool isMeetingShared(unsigned access) const {
    return classesOfIndices[summaries[access].indices] > 1;
  }
  /// True when to ask is not worth its cost.
  bool areFruitless(unsigned first, unsigned second) const;
  /// True when a sample of the questions of a class at places without bounds
  /// does not tell it apart from any other.
  bool isFruitless(unsigned classNumber) const;
  bool computeFruitless(unsigned classNumber) const;
  Hazard computeMeeting(unsigned first, unsigned second) const;
  Hazard computeMeetingWithAny(unsigned access) const;
  /// An access of each kind that writes, and of each that only reads; one more
  /// than kMaxKindsOfBucket at most.
  ArrayRef<unsigned> getKindsOfBucket(unsigned bucket) const;
  /// Who touches a common index or byte by two accesses that can be compared.
  Hazard getIndexMeeting(unsigned first, unsigned second) const;
  /// False when what the accesses are excludes a hazard, whatever they touch.
  bool mayRace(unsigned first, unsigned second, Operation *carryingLoop) const;
  /// The cached answer to `question`, which is about the two accesses.
  Hazard answer(Question question, unsigned first, unsigned second) const;
  Question getQuestion(unsigned first, unsigned second,
                       Operation *carryingLoop) const;
  /// The question about two numbers of classes, places or indices.
  Question getQuestion(unsigned first, unsigned second,
                       std::array<unsigned, 2> numbers,
                       Operation *carryingLoop) const;
  /// Of `timing` what can be used. Of iterations of blocks: where both accesses
  /// are in that loop.
  IterationTiming getUsable(unsigned first, unsigned second,
                            Operation *carryingLoop,
                            IterationTiming timing) const;
  bool isPromising(Operation *forall) const;
  /// `promises`: those of foralls count.
  Hazard compute(const MemoryAccess &a, const MemoryAccess &b,
                 Operation *carryingLoop, bool promises = true,
                 IterationTiming timing = {}) const;
  /// ThreadRelations::mayOverlap(), asked once for accesses that are executed
  /// alike in one instance.
  SmallVector<bool> mayOverlap(const ElementAccess &a, const ElementAccess &b,
                               ArrayRef<ExecutionPair> pairs,
                               Operation *carryingLoop, Block *instance,
                               IterationTiming timing) const;
  /// The same of memrefs that may be one of several, by the bytes of each; none
  /// where these are not known.
  std::optional<SmallVector<bool>>
  mayOverlapByBases(const MemoryAccess &a, const MemoryAccess &b,
                    ArrayRef<ExecutionPair> pairs, Operation *carryingLoop,
                    Block *instance, IterationTiming timing) const;
  /// `system`: the relations to search in.
  std::optional<HazardWitness>
  findWitness(const MemoryAccess &a, const MemoryAccess &b, ExecutionPair pair,
              Operation *carryingLoop, const ThreadRelations &system) const;

  KernelContext context;
  const ThreadRelations &relations;
  AtomicOrder atomics;
  AnswerSharing sharing;
  DominanceInfo dominance;
  std::unique_ptr<ExclusiveBlocks> exclusiveBlocks;
  std::unique_ptr<AccessClasses> classes;
  std::unique_ptr<BlockCircles> circles;
  std::vector<MemoryAccess> accesses;
  std::vector<Summary> summaries;
  /// The constants that accesses of one class do not share.
  std::vector<SmallVector<int64_t, 4>> constants;
  DenseMap<Operation *, SmallVector<unsigned>> accessesOf;
  mutable std::unordered_map<Question, Hazard, QuestionHash> answers;
  /// Answers of getMeeting(), by the kinds of both accesses.
  mutable DenseMap<std::pair<unsigned, unsigned>, Hazard> meetingsOfKinds;
  /// The same by places.
  mutable std::unordered_map<Question, Hazard, QuestionHash> meetings;
  /// By indices: those of elements, those of bytes, and both for an access that
  /// a subgroup does together. Only who meets is set.
  mutable std::unordered_map<Question, Hazard, QuestionHash> indexMeetings[4];
  /// Of each class, in program order: its first access.
  std::vector<unsigned> firstOfClass;
  /// Of each number of indices, the classes.
  std::vector<unsigned> classesOfIndices;
  /// Of each bucket its accesses, of kAnyBucket all, in program order.
  std::vector<std::vector<unsigned>> accessesOfBucket;
  /// Some access is in kAnyBucket.
  bool isAnyBucketUsed = false;
  /// Of getKindsOfBucket(), once it was asked for.
  mutable std::vector<SmallVector<unsigned, 2>> kindsOfBucket;
  /// Answers of getMeetingWithAny(), by the bucket, the kind, and whether the
  /// access writes.
  mutable std::map<std::tuple<unsigned, unsigned, bool>, Hazard>
      meetingsWithAny;
  /// Of each class, once it was asked for.
  mutable std::vector<std::optional<bool>> fruitless;
  using TimedPair =
      std::tuple<unsigned, unsigned, Operation *, bool, Operation *, unsigned,
                 Operation *, unsigned, unsigned, const CFGLoop *, bool,
                 const CFGLoop *, unsigned>;
  mutable std::map<TimedPair, Hazard> timedAnswers;
  /// Of mayOverlap(), by the numbers of two executions, the pairs and the
  /// timing.
  mutable std::map<std::vector<int64_t>, SmallVector<bool>> overlaps;
  /// Answers of isPromising().
  mutable DenseMap<Operation *, bool> promising;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_HAZARDS_HAZARDANALYSIS_H
