//===- AffineSystem.h - integer constraints with a budget -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Linear constraints over integer variables, and a test for emptiness that
/// always ends. MLIR's Presburger library has the Simplex; what is added here
/// is substitution of equalities, which shrinks our systems to a few columns,
/// intervals that decide signs while a system is being built, and a limit on
/// the search, because a compiler pass may not hang on a query.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_THREADS_AFFINESYSTEM_H
#define MEMSPACE_LIB_THREADS_AFFINESYSTEM_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir {
namespace memspace {

/// `constant` + Σ coefficient · column, sorted by column, no zero coefficient.
struct LinearForm {
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;
  int64_t constant = 0;
  /// An overflow happened: the form means nothing.
  bool invalid = false;

  LinearForm() = default;
  /// Invalid beyond kMaxConstant.
  LinearForm(int64_t constant)
      : constant(constant),
        invalid(constant > kMaxConstant || constant < -kMaxConstant) {}

  /// Constants stay small enough that a sum of two does not overflow.
  static constexpr int64_t kMaxConstant = int64_t(1) << 60;

  LinearForm &operator+=(const LinearForm &other);
  LinearForm &operator*=(int64_t factor);
  friend LinearForm operator+(LinearForm lhs, const LinearForm &rhs) {
    return lhs += rhs;
  }
  friend LinearForm operator-(LinearForm lhs, LinearForm rhs) {
    rhs *= -1;
    return lhs += rhs;
  }
  friend LinearForm operator*(LinearForm lhs, int64_t factor) {
    return lhs *= factor;
  }
  bool isConstant() const { return !invalid && terms.empty(); }
};

/// Inclusive bounds; an absent side is unbounded.
struct Interval {
  std::optional<int64_t> lower, upper;

  bool isNonNegative() const { return lower && *lower >= 0; }
};

class AffineSystem {
public:
  LinearForm addColumn(Interval interval = {});
  unsigned getNumColumns() const { return columns.size(); }

  /// Bounds of `form` from the intervals of its columns and of remainders.
  Interval getInterval(const LinearForm &form) const;

  /// form >= 0 and form == 0. An invalid form adds nothing.
  void addInequality(LinearForm form);
  void addEquality(LinearForm form);

  /// floor(form / divisor), divisor > 0: a new column and its constraints.
  LinearForm addFloorDiv(const LinearForm &form, int64_t divisor);

  /// True when it is proved that no integer point satisfies the constraints.
  bool isProvedEmpty() const;

  /// An integer point that satisfies the constraints, with a number for each
  /// column; none when there is none or the search is over its budget.
  std::optional<llvm::SmallVector<int64_t>> findPoint() const;

private:
  bool isRefutedByMultiples(const LinearForm &equality) const;

  struct Quotient {
    LinearForm dividend;
    int64_t divisor;
    LinearForm value;
  };

  Interval getColumnInterval(const LinearForm &form) const;

  llvm::SmallVector<Quotient> quotients;
  llvm::SmallVector<Interval> columns;
  llvm::SmallVector<LinearForm> inequalities;
  llvm::SmallVector<LinearForm> equalities;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_AFFINESYSTEM_H
