//===- VerifierStatePairs.h - who touches which byte, and when --*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The verifier's own answer for accesses where carried values are known: the
/// threads at each byte. And for those where a value is not known, but is one
/// in all threads: numbers are compared without what changes all of them alike.
/// Placement asks PlacementStatePairs; the two share no code but what follows
/// of a condition (Kernel/Conditions) and which way a number chooses
/// (Kernel/ControlChoice).
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_VERIFIERSTATEPAIRS_H
#define MEMSPACE_LIB_BARRIERS_VERIFIERSTATEPAIRS_H

#include "MemSpace/Threads/Uniformity.h"
#include "VerifierStates.h"

namespace mlir {
namespace memspace {

class VerifierStatePairs {
public:
  VerifierStatePairs(const HazardAnalysis &analysis,
                     const Uniformity &uniformity, KnownValues &known)
      : analysis(analysis), uniformity(uniformity), known(known),
        context(analysis.getContext()) {}

  /// Which threads may touch one byte by both accesses, each with what is known
  /// where it is executed.
  struct Answer {
    bool oneThread = true, subgroup = true, subgroups = true;

    Answer intersect(const Answer &other) const {
      return {oneThread && other.oneThread, subgroup && other.subgroup,
              subgroups && other.subgroups};
    }
  };
  Answer ask(unsigned first, unsigned firstKnown, unsigned second,
             unsigned secondKnown, Operation *carryingLoop);

  /// False when no other access in any state touches a byte that another
  /// subgroup touches by `access`, in any of its states, one writing.
  bool mayMeetAcrossSubgroups(unsigned access, const VerifierStates &states);

private:
  static constexpr int64_t kMaxThreads = 1024;
  static constexpr size_t kMaxElementsOfThread = 512;
  /// Of loops of which no iteration is known.
  static constexpr int64_t kMaxIterations = 64;
  static constexpr size_t kMaxEntries = size_t(1) << 23;
  static constexpr size_t kMaxAnswers = size_t(1) << 18;

  /// Bytes of the first element, and from one index to the next.
  struct Origin {
    const void *root;
    int64_t bytes;
    SmallVector<int64_t> pitch;
    /// Where the memory of the memref begins, from the root.
    int64_t pointer;
    /// What each thread adds to both; null for nothing.
    Value ofThread;
  };
  /// Who is at which first byte of an element, from some origin. Accesses of
  /// several buffers, or several ones of one, at the same indices have one.
  struct Places {
    std::vector<std::pair<int64_t, int64_t>> threadsAt;
  };
  /// Who is at which element of the root: the places, and their origin.
  struct Map {
    const void *root;
    int64_t origin = 0, elementBytes = 1;
    const Places *places = nullptr;
  };
  /// Which subgroups are at which byte of the root, in whatever state.
  struct Reach {
    const void *root = nullptr;
    std::vector<std::pair<int64_t, int64_t>> subgroupsAt;
  };
  /// One for each thread, or one for all.
  using ThreadValues = std::optional<SmallVector<int64_t, 0>>;
  using ThreadParts = SmallVector<LowPart, 0>;
  static int64_t at(ArrayRef<int64_t> values, int64_t thread) {
    return values.size() == 1 ? values[0] : values[thread];
  }

  std::optional<Origin> locate(Value memref, unsigned where,
                               unsigned depth = 0);
  std::optional<Origin> locateRoot(Value memref);
  const ThreadValues &evaluate(Value value, unsigned where, unsigned depth = 0);
  ThreadValues compute(Value value, unsigned where, unsigned depth);
  /// One way to a block: what it passes to an argument, and the successors that
  /// have to be chosen on it.
  struct Way {
    Value passed;
    SmallVector<std::pair<ControlChoice, unsigned>, 2> choices;
  };
  SmallVector<Way> getWays(BlockArgument arg);
  ThreadValues computeArgument(BlockArgument arg, unsigned where,
                               unsigned depth);
  SmallVector<Value> findSources(SmallVector<Value> work);
  /// None beyond 64 bits, or, with `wraps`, what 64 bits hold of it.
  ThreadValues evaluate(const LinearExpr &expr, unsigned where,
                        bool wraps = false);
  /// The same of an index of `access`.
  ThreadValues evaluateIndex(const MemoryAccess &access,
                             const LinearExpr &offset, unsigned where);
  ThreadValues getWholeParts(Value value, unsigned where, unsigned depth);
  const ThreadParts &evaluateLow(Value value, unsigned where, unsigned depth);
  ThreadParts computeLow(Value value, unsigned where, unsigned depth);
  void visitConditions(Operation *op,
                       llvm::function_ref<void(Value, bool)> visit);
  SmallVector<int64_t> getThreadsAt(Operation *op, unsigned where);
  struct Sources {
    SmallVector<Value> ofIndices, ofMemRef;
  };
  const Sources &getSources(unsigned access);
  using Key = std::vector<
      std::tuple<const void *, int64_t, const void *, unsigned, unsigned>>;
  Key getKey(ArrayRef<Value> sources, unsigned where) const;
  unsigned getShape(unsigned access);
  const Map *getMap(unsigned access, unsigned where);
  std::unique_ptr<Map> makeMap(unsigned access, unsigned where);
  const Places *getPlaces(unsigned access, unsigned where,
                          ArrayRef<int64_t> pitch, Value ofThread);
  std::unique_ptr<Places> makePlaces(unsigned access, unsigned where,
                                     ArrayRef<int64_t> pitch, Value ofThread);
  bool addPlaces(const MemoryAccess &access, unsigned where,
                 ArrayRef<int64_t> pitch, Value ofThread, Places &places);
  Answer compare(const Map &left, const Map &right, int64_t shift) const;
  void meet(int64_t a, int64_t b, Answer &answer) const;

  const Reach *getReach(unsigned access, const VerifierStates &states);
  std::unique_ptr<Reach> makeReach(unsigned access,
                                   const VerifierStates &states);
  static bool mayMeetAcrossSubgroups(const Reach &left, const Reach &right);

  bool isTheSame(Value value, const MemoryAccess &a, const MemoryAccess &b,
                 Operation *carryingLoop, unsigned depth = 0) const;
  Answer askOfThreads(const MemoryAccess &a, unsigned firstKnown,
                      const MemoryAccess &b, unsigned secondKnown);
  std::pair<Value, int64_t> getPartner(const MemoryAccess &access,
                                       unsigned where,
                                       llvm::function_ref<bool(Value)> isSame);
  Answer askOfPartners(const MemoryAccess &a, unsigned firstKnown,
                       const MemoryAccess &b, unsigned secondKnown,
                       Operation *carryingLoop);
  Answer askOfUnknown(unsigned first, unsigned firstKnown, unsigned second,
                      unsigned secondKnown, Operation *carryingLoop);

  const HazardAnalysis &analysis;
  const Uniformity &uniformity;
  KnownValues &known;
  const KernelContext &context;
  DominanceInfo dominance;
  /// Of what is known in one place only, by what is assumed of loops.
  std::map<unsigned, std::map<unsigned, DenseMap<Value, ThreadValues>>> values;
  std::map<std::tuple<const void *, unsigned, unsigned>, ThreadParts> parts;
  /// What loops count, and the number of that; 0: nothing is assumed.
  std::map<std::vector<std::pair<const void *, int64_t>>, unsigned> assumptions;
  unsigned assumption = 0;
  std::map<unsigned, Sources> sources;
  /// Accesses of equal indices, under equal conditions, have one number.
  std::map<std::vector<int64_t>, unsigned> shapes;
  DenseMap<unsigned, unsigned> shapeOf;
  /// One for all where what they depend on is the same. Places by their shape,
  /// and what each thread adds.
  std::map<std::pair<unsigned, Key>, std::unique_ptr<Map>> maps;
  std::map<std::tuple<unsigned, SmallVector<int64_t>, const void *, Key>,
           std::unique_ptr<Places>>
      allPlaces;
  std::map<std::pair<unsigned, unsigned>, const Map *> mapAt;
  size_t numEntries = 0;
  /// Threads and numbers that were tried for partners.
  int64_t numTried = 0;
  /// Null where they are not known.
  std::map<unsigned, std::unique_ptr<Reach>> reaches;
  DenseMap<unsigned, bool> meetsAcross;
  /// By places, elements' bytes, and how far the second origin is behind.
  std::map<
      std::tuple<const Places *, const Places *, int64_t, int64_t, int64_t>,
      Answer>
      comparisons;
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned, Operation *>,
           Answer>
      answers;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_VERIFIERSTATEPAIRS_H
