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
/// which different threads may touch one byte (design section 8). The buffers
/// behind different kernel arguments do not overlap: that is what `restrict`
/// says of the tensors that they came from.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_HAZARDANALYSIS_H
#define MEMSPACE_ANALYSIS_HAZARDANALYSIS_H

#include "MemSpace/Analysis/MemoryAccess.h"
#include <unordered_map>
#include <vector>

namespace mlir {
namespace memspace {

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

class HazardAnalysis {
public:
  HazardAnalysis(FunctionOpInterface kernel, const ThreadRelations &relations,
                 const TargetInfo &target);

  ArrayRef<MemoryAccess> getAccesses() const { return accesses; }
  /// The accesses of `op` and of the ops inside it, as numbers.
  SmallVector<unsigned> getAccesses(Operation *op) const;

  /// The hazard between two accesses, `first` before `second`. `crossed` is the
  /// outermost loop around both of which the executions may be in different
  /// iterations; null when they are in one iteration of all of them. For a loop
  /// of blocks it is the op that has the blocks, for example the function: what
  /// is computed in blocks on a cycle may then differ.
  ///
  /// Cost: nanoseconds where both only read, or their buckets or constant
  /// bounds tell them apart; else a look-up, and once for all pairs that are
  /// alike but for an equal shift an affine question, some hundred
  /// microseconds.
  Hazard getHazard(unsigned first, unsigned second, Operation *crossed) const;

  /// Accesses in different buckets never have a hazard; one in kAnyBucket may
  /// have one with any other.
  static constexpr unsigned kAnyBucket = 0;
  unsigned getBucket(unsigned access) const { return summaries[access].bucket; }

  /// The bytes [first, second) of the only root that an access may touch,
  /// whoever executes it, if they are bounded by constants.
  std::optional<std::pair<int64_t, int64_t>> getBounds(unsigned access) const;

  /// Affine questions asked so far.
  unsigned getNumQuestions() const { return answers.size(); }

private:
  /// What the cheap tests need of an access.
  struct Summary {
    bool writes = false;
    bool bounded = false;
    unsigned bucket = kAnyBucket;
    unsigned classNumber = 0;
    int64_t first = 0, second = 0;
  };
  struct Question {
    unsigned classes[2];
    Operation *crossed;
    /// Between the constants of the two accesses.
    SmallVector<int64_t, 4> distances;

    bool operator==(const Question &other) const;
  };
  struct QuestionHash {
    size_t operator()(const Question &question) const;
  };

  void summarize();
  Question getQuestion(unsigned first, unsigned second,
                       Operation *crossed) const;
  Hazard compute(const MemoryAccess &a, const MemoryAccess &b,
                 Operation *crossed) const;

  const ThreadRelations &relations;
  TargetInfo target;
  std::vector<MemoryAccess> accesses;
  std::vector<Summary> summaries;
  /// The constants that accesses of one class do not share.
  std::vector<SmallVector<int64_t, 4>> constants;
  DenseMap<Operation *, SmallVector<unsigned>> accessesOf;
  mutable std::unordered_map<Question, Hazard, QuestionHash> answers;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ANALYSIS_HAZARDANALYSIS_H
