//===- KnownValues.h - numbers that the verifier carries along -*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the verifier knows of carried values at a point of the program. A set
/// of such is a number, so that equal ones are one.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_BARRIERS_KNOWNVALUES_H
#define MEMSPACE_LIB_BARRIERS_KNOWNVALUES_H

#include "MemSpace/Kernel/CountedLoop.h"
#include "MemSpace/Kernel/KernelContext.h"
#include "VerifierLowParts.h"
#include <map>

namespace mlir {
namespace memspace {

/// What carried values are; the same in all threads.
class KnownValues {
public:
  /// A number, or a memref as it was where other things were known.
  struct Known {
    int64_t number = 0;
    Value memref;
    unsigned where = 0;
    /// The number is known modulo 2^bits.
    unsigned bits = LowPart::kWhole;
  };

  KnownValues(const KernelContext &context);

  /// Nothing is known.
  static constexpr unsigned kNothing = 0;

  std::optional<Known> lookup(Value value, unsigned where) const;
  /// The number of `value`, by the folders of ops.
  std::optional<int64_t> evaluate(Value value, unsigned where);
  /// What is known of the number; no more than `evaluate` says unless
  /// hasLowParts().
  LowPart evaluateLow(Value value, unsigned where);
  bool hasLowParts() const { return !lowBits.empty(); }
  /// All that a number that is not known may be, where a mask, a remainder or a
  /// choice makes it one of a few. None if they are many, or not known.
  SmallVector<int64_t> evaluateFew(Value value, unsigned where);
  /// The same by the op of `value` alone.
  SmallVector<int64_t> getFew(Value value, unsigned where);
  std::optional<int64_t> evaluateLower(const CountedLoop &loop, unsigned where);
  std::optional<int64_t> evaluateUpper(const CountedLoop &loop, unsigned where);
  std::optional<int64_t> evaluateStep(const CountedLoop &loop, unsigned where);

  /// Calls `visit`, until it returns false, with each pair of which no value
  /// has two meanings.
  void
  forEachCompatible(ArrayRef<unsigned> first, ArrayRef<unsigned> second,
                    llvm::function_ref<bool(unsigned, unsigned)> visit) const;

private:
  friend class VerifierStates;
  /// By value: Known, with the memref's pointer.
  using Content =
      std::map<const void *,
               std::tuple<int64_t, const void *, unsigned, unsigned>>;
  unsigned add(Content content);
  std::optional<int64_t> fold(Value value, unsigned where);
  LowPart computeLow(Value value, unsigned where);
  std::optional<SmallVector<int64_t>> evaluate(const LoopBound &bound,
                                               unsigned where);

  KernelContext context;
  std::vector<Content> contents;
  std::map<Content, unsigned> numbers;
  DenseMap<std::pair<Value, unsigned>, std::optional<int64_t>> folded;
  /// Values of which only so many of the lowest bits are known, if any.
  DenseMap<Value, unsigned> lowBits;
  DenseMap<std::pair<Value, unsigned>, LowPart> lowParts;
  unsigned depth = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_BARRIERS_KNOWNVALUES_H
