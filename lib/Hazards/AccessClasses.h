//===- AccessClasses.h - accesses that differ by constants -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Unrolled code has many accesses that are alike but for constants in their
/// indices. Accesses of one class have the same answer to a question about two
/// accesses whenever their constants are equally far apart, so that one answer
/// serves all.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_HAZARDS_ACCESSCLASSES_H
#define MEMSPACE_LIB_HAZARDS_ACCESSCLASSES_H

#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "llvm/ADT/Hashing.h"
#include <unordered_map>
#include <vector>

namespace mlir {
namespace memspace {

struct AccessClass {
  unsigned number = 0;
  /// Accesses of one number touch places that differ by constants only, in
  /// whatever blocks and iterations they are executed.
  unsigned places = 0;
  /// Accesses of one number can be compared with others by the same, elements
  /// or bytes, and what is compared differs by constants only: buffers that lie
  /// in the same bytes of an arena are one.
  unsigned likes = 0;
  /// The same of indices and bytes, of whatever buffer. Accesses in two loops
  /// from 0 to 4 have one number if both touch element 4 · t + i.
  unsigned indices = 0;
  /// The constants in the offsets of `elements`, then of `byteRange`.
  SmallVector<int64_t, 4> constants;
};

class AccessClasses {
public:
  explicit AccessClasses(const ThreadRelations &relations)
      : relations(relations) {}

  AccessClass classify(const MemoryAccess &access);

  /// A number of `access` and of what stands around it inside of `instance`, a
  /// block that it is in or that an op around it is in. Accesses of one number
  /// have equal answers to every affine question about executions in one
  /// execution of `instance`. None where the answer may depend on which values
  /// say it.
  std::optional<unsigned> getExecution(const ElementAccess &access,
                                       Block *instance);

private:
  using Key = std::vector<int64_t>;
  static int64_t toKey(const void *pointer) {
    return reinterpret_cast<intptr_t>(pointer);
  }
  /// Over numbers that each stand for a value, or for all values that the same
  /// ops compute from the same numbers.
  struct Sum : LinearSum<Sum, unsigned> {
    using LinearSum::LinearSum;
  };

  /// Numbers of values that are taken as they are, and are not fixed, in order.
  using Leaves = SmallVector<unsigned, 4>;

  /// What is known of a number beyond its key.
  struct NumberFacts {
    /// It is computed from nothing but ids, constants and arguments of the
    /// kernel.
    bool isFixed = false;
    /// Of an induction variable with constant bounds, which is not fixed: its
    /// lower and upper bound and its step.
    std::optional<std::array<int64_t, 3>> range = std::nullopt;
    /// Affine constraints say of it whatever its key does: it is one value, an
    /// id, or a quotient of such.
    bool isAffine = false;
    /// What its key is made of.
    Leaves leaves = {};
    /// Of what a loop counts, if it hangs on fixed numbers only: all that
    /// affine constraints know of it in whatever iteration.
    std::optional<Key> iterations = std::nullopt;
    /// The block that it is an argument of.
    const void *counts = nullptr;
  };

  Sum getNumber(Key key, NumberFacts facts);
  /// The number of a value that is taken as it is.
  Sum getLeaf(Value value);
  std::optional<Key> getFixedIterations(BlockArgument arg);
  Leaves getLeaves(const Sum &sum) const;
  static void add(Leaves &leaves, ArrayRef<unsigned> more);
  Sum getSum(Value value);
  Sum getSum(const LinearExpr &expr);
  /// None for a value that is taken as it is.
  std::optional<Sum> compute(Value value);
  std::optional<Sum> computeAffine(OpResult result);
  std::optional<Sum> getSum(AffineExpr expr, ArrayRef<Sum> symbols);
  /// floor(sum / divisor), divisor > 0.
  Sum divide(const Sum &sum, int64_t divisor);
  bool isNonNegative(Value value) const;
  bool isFixed(const Sum &sum) const;
  bool isAffine(const Sum &sum) const;

  static void append(Key &key, const Sum &sum);
  /// Appends all of `range` but the constant of its offset, which is returned:
  /// its sums to `terms`, the rest to `key`.
  int64_t append(Key &key, SmallVectorImpl<Sum> &terms,
                 const IndexRange &range);
  void nameIterations(MutableArrayRef<Sum> terms);
  /// Appends a sum in which `iterations`, by their numbers, stand for induction
  /// variables. False where not all of it is affine.
  bool append(Key &key, const Sum &sum,
              const DenseMap<unsigned, int64_t> &iterations);
  bool appendGuard(Key &key, Value condition, bool holds,
                   const DenseMap<unsigned, int64_t> &iterations);
  /// Appends the conditions and loops around `op` inside of `instance`.
  bool appendAround(Key &key, Operation *op, Block *instance,
                    DenseMap<unsigned, int64_t> &iterations);

  const ThreadRelations &relations;
  /// Of the values, of the indices, of the likes, of the places, of the classes
  /// and of the executions.
  struct KeyHash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.begin(), key.end());
    }
  };
  using Numbers = std::unordered_map<Key, unsigned, KeyHash>;
  Numbers numbers, indices, likes, places, classes, executions;
  /// By number.
  std::vector<NumberFacts> facts;
  DenseMap<Value, Sum> sums;
  unsigned depth = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_HAZARDS_ACCESSCLASSES_H
