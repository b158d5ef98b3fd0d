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

#include "Kernel/Interval.h"
#include "MemSpace/Memory/LinearSum.h"
#include <vector>

namespace mlir {
namespace memspace {

/// Coefficients hold what numbers of 32 bits lose when they become too large.
/// Sums of two constants do not overflow.
inline constexpr int64_t kMaxCoefficient = int64_t(1) << 33;
inline constexpr int64_t kMaxConstant = int64_t(1) << 60;

/// A sum of multiples of columns.
struct LinearForm
    : LinearSum<LinearForm, unsigned, kMaxCoefficient, kMaxConstant> {
  using LinearSum::LinearSum;
};

/// Adds numbers to `key` from which the form can be told.
void addToKey(const LinearForm &form, std::vector<int64_t> &key);

class AffineSystem {
public:
  LinearForm addColumn(Interval interval = {});
  unsigned getNumColumns() const { return columns.size(); }

  /// Bounds of `form` from the intervals of its columns and of remainders.
  Interval getInterval(const LinearForm &form) const;

  /// form >= 0 and form == 0. An invalid form adds nothing.
  void addInequality(LinearForm form);
  void addEquality(LinearForm form);
  /// form != 0. Decided where the point that is found without it is none: less
  /// or more, for up to three of them.
  void addDisequality(LinearForm form);

  /// The least or the greatest of `forms`: one of them, if it is known which,
  /// or a new column and its constraints. Which of them it is follows from
  /// inequalities that are added later, as far as they leave one possible:
  /// 1 <= max(0, x) says that it is x.
  LinearForm addExtremum(llvm::ArrayRef<LinearForm> forms, bool least);

  /// floor(form / divisor), divisor > 0: a new column and its constraints.
  LinearForm addFloorDiv(const LinearForm &form, int64_t divisor);

  /// A multiple of a column, or of the remainder of a division.
  struct Part {
    LinearForm number;
    int64_t factor;
    bool isRemainder = false;
    Interval range = {};
  };
  /// What `form` without its constant is the sum of, as far as quotients that
  /// were added are part of remainders in it; empty if none is.
  llvm::SmallVector<Part> getRemainders(const LinearForm &form) const;

  /// True when it is proved that no integer point satisfies the constraints.
  bool isProvedEmpty() const;

  /// Adds numbers to `key` from which the system can be told: where they are
  /// equal, so are the answers.
  void addToKey(std::vector<int64_t> &key) const;

  /// An integer point that satisfies the constraints, with a number for each
  /// column; none when there is none or the search is over its budget.
  std::optional<llvm::SmallVector<int64_t>> findPoint() const;

private:
  /// Ways through disequalities, which multiply, that are looked at: 2^3.
  static constexpr unsigned kMaxSplits = 3;

  struct Answer {
    bool isProvedEmpty;
    /// Of one that is not, if the search found it.
    std::optional<llvm::SmallVector<int64_t>> point;
  };
  /// Without the disequalities, and with them.
  Answer decide() const;
  Answer decide(unsigned splitsLeft) const;
  std::optional<unsigned> getViolated(llvm::ArrayRef<int64_t> point) const;
  /// With the disequality `number` on one side.
  AffineSystem split(unsigned number, bool isGreater) const;

  struct Quotient {
    LinearForm dividend;
    int64_t divisor;
    LinearForm value;
  };

  struct Extremum {
    unsigned column;
    llvm::SmallVector<LinearForm, 2> forms;
    bool least;
  };

  Interval getColumnInterval(const LinearForm &form) const;
  void chooseExtrema(const LinearForm &nonNegative, unsigned depth);

  llvm::SmallVector<Quotient> quotients;
  /// What follows for those of one number by divisors of which one divides the
  /// other.
  llvm::SmallVector<Quotient> quotientsOfQuotients;
  /// Of which it is not known which form they are.
  llvm::SmallVector<Extremum, 0> extrema;
  llvm::SmallVector<Interval> columns;
  llvm::SmallVector<LinearForm> inequalities;
  llvm::SmallVector<LinearForm> equalities;
  llvm::SmallVector<LinearForm, 0> disequalities;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_THREADS_AFFINESYSTEM_H
