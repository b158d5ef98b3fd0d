//===- ExclusiveBlocks.h - blocks that one execution does not come to -----===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A number that is computed at the begin of a kernel and is the same in all
/// threads decides for all of them, whenever they come to a condition on it. So
/// a block under `n < 8` and one under `n >= 12` are never executed in one
/// execution of the kernel by one workgroup. A row of branches has many pairs
/// of such blocks; intervals tell them apart in nanoseconds, an affine question
/// in microseconds.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_HAZARDS_EXCLUSIVEBLOCKS_H
#define MEMSPACE_LIB_HAZARDS_EXCLUSIVEBLOCKS_H

#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/IR/Dominance.h"
#include <map>

namespace mlir {
namespace memspace {

class ExclusiveBlocks {
public:
  /// `relations` must live as long as this.
  explicit ExclusiveBlocks(const ThreadRelations &relations)
      : relations(relations) {}

  /// True if no workgroup executes ops of both blocks. Conditions of `scf.if`s
  /// around them are looked at, and of branches that alone lead to them.
  bool areExclusive(Block *a, Block *b) {
    return a != b && areExclusive(getFacts(a), getFacts(b));
  }

  /// Facts have numbers. Nothing is known:
  static constexpr unsigned kNothing = 0;
  /// What is known in an execution of the kernel that comes to `block`.
  unsigned getFacts(Block *block);
  /// What is known if the one or the other is.
  unsigned getCommonFacts(unsigned a, unsigned b);
  /// True if both are not so in one execution.
  bool areExclusive(unsigned a, unsigned b) const;

private:
  /// A number that is the same in all threads, and between which bounds it is.
  /// Of a number without a sign these are in the order of such numbers: of 64
  /// bits, with the highest bit inverted.
  struct Fact {
    Value value;
    int64_t least, most;
    bool isUnsigned = false;

    std::pair<const void *, bool> getKey() const {
      return {value.getAsOpaquePointer(), isUnsigned};
    }
    bool operator<(const Fact &other) const {
      return std::make_tuple(getKey(), least, most) <
             std::make_tuple(other.getKey(), other.least, other.most);
    }
  };
  /// One for each value with and without a sign, in the order of the keys.
  using Facts = std::vector<Fact>;
  static constexpr size_t kMaxFacts = 16;

  /// From a block outwards.
  struct Step {
    /// Null outside of all.
    Block *outer = nullptr;
    /// What holds, or does not, wherever control goes on to the block; or null.
    Value condition;
    bool holds = false;
  };
  Step getOuter(Block *block);
  unsigned getNumber(Facts known);
  SmallVector<Fact, 3> getFacts(Value condition, bool holds);
  bool isFixed(Value value);
  static void add(Facts &facts, const Fact &fact);

  const ThreadRelations &relations;
  DominanceInfo dominance;
  /// By number.
  std::vector<Facts> facts{{}};
  std::map<Facts, unsigned> numbers{{{}, kNothing}};
  DenseMap<Block *, unsigned> factsOf;
  DenseMap<std::pair<unsigned, unsigned>, unsigned> commonFacts;
  DenseMap<Value, bool> fixed;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_HAZARDS_EXCLUSIVEBLOCKS_H
