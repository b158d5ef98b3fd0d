//===- LinearSum.h - checked sums of multiples of variables -----*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one linear form of the library: over the values of a kernel
/// (`LinearExpr`), over the columns of an affine system (`LinearForm`), or over
/// other numbers. No operation wraps: a sum that leaves its limits is unknown.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_MEMORY_LINEARSUM_H
#define MEMSPACE_MEMORY_LINEARSUM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <optional>
#include <utility>

namespace mlir {
namespace memspace {

/// `constant` + Σ coefficient · variable, without zero coefficients. Unsigned
/// variables ascend, so that equal sums have equal terms; other variables stand
/// in the order in which they were added.
///
/// \code
///   struct LinearForm : LinearSum<LinearForm, unsigned> {
///     using LinearSum::LinearSum;
///   };
/// \endcode
template <typename DerivedT, typename VariableT,
          int64_t maxCoefficient = INT64_MAX, int64_t maxConstant = INT64_MAX>
struct LinearSum {
  using Term = std::pair<VariableT, int64_t>;

  llvm::SmallVector<Term, 2> terms;
  int64_t constant = 0;
  /// A coefficient or the constant has left its limits: the sum may be
  /// anything, whatever `terms` and `constant` are.
  bool invalid = false;

  LinearSum() = default;
  LinearSum(int64_t constant)
      : constant(constant), invalid(isTooLarge(constant, maxConstant)) {}

  static DerivedT getVariable(VariableT variable) {
    DerivedT sum;
    sum.terms.emplace_back(variable, 1);
    return sum;
  }
  static DerivedT getUnknown() {
    DerivedT sum;
    sum.invalid = true;
    return sum;
  }

  DerivedT &operator+=(const DerivedT &other) {
    invalid |= other.invalid;
    if (invalid)
      return derived();
    if constexpr (std::is_unsigned_v<VariableT>) {
      merge(other.terms);
    } else {
      // The copy is for `sum += sum`.
      for (const Term &term : llvm::SmallVector<Term, 2>(other.terms))
        add(term);
    }
    invalid |= bool(llvm::AddOverflow(constant, other.constant, constant)) ||
               isTooLarge(constant, maxConstant);
    return derived();
  }
  DerivedT &operator*=(int64_t factor) {
    // Zero times anything is zero.
    if (factor == 0)
      return derived() = DerivedT();
    auto multiply = [&](int64_t &number, int64_t limit) {
      invalid |= bool(llvm::MulOverflow(number, factor, number)) ||
                 isTooLarge(number, limit);
    };
    for (Term &term : terms)
      multiply(term.second, maxCoefficient);
    multiply(constant, maxConstant);
    return derived();
  }
  DerivedT &operator-=(const DerivedT &other) { return *this += other * -1; }

  friend DerivedT operator+(DerivedT lhs, const DerivedT &rhs) {
    return std::move(lhs += rhs);
  }
  friend DerivedT operator-(DerivedT lhs, const DerivedT &rhs) {
    return std::move(lhs -= rhs);
  }
  friend DerivedT operator*(DerivedT lhs, int64_t factor) {
    return std::move(lhs *= factor);
  }
  /// False where one of the two may be anything.
  friend bool operator==(const DerivedT &lhs, const DerivedT &rhs) {
    return !lhs.invalid && !rhs.invalid && lhs.constant == rhs.constant &&
           lhs.terms == rhs.terms;
  }

  bool isConstant() const { return !invalid && terms.empty(); }
  /// None for a sum that is not constant, or may be anything.
  std::optional<int64_t> getConstant() const {
    return isConstant() ? std::optional(constant) : std::nullopt;
  }

  /// q and r with sum = `divisor` · q + r, where r has the terms that `divisor`
  /// does not divide and a constant in [0, `divisor`). A division of the sum by
  /// `divisor` > 0 is q plus the division of r: (x + 64 y) / 32 = x / 32 + 2 y.
  std::pair<DerivedT, DerivedT> splitMultiples(int64_t divisor) const {
    if (invalid)
      return {getUnknown(), getUnknown()};
    DerivedT whole, rest;
    whole.constant = llvm::divideFloorSigned(constant, divisor);
    rest.constant = constant - whole.constant * divisor;
    for (auto [variable, coefficient] : terms)
      if (coefficient % divisor == 0)
        whole.terms.emplace_back(variable, coefficient / divisor);
      else
        rest.terms.emplace_back(variable, coefficient);
    return {std::move(whole), std::move(rest)};
  }

  /// The number of the sum where `getNumber` gives an optional number for each
  /// variable; none without one, or beyond 64 bits.
  template <typename FunctionT>
  std::optional<int64_t> evaluate(FunctionT getNumber) const {
    if (invalid)
      return std::nullopt;
    int64_t sum = constant;
    for (auto [variable, coefficient] : terms) {
      std::optional<int64_t> number = getNumber(variable);
      int64_t product;
      if (!number || llvm::MulOverflow(*number, coefficient, product) ||
          llvm::AddOverflow(sum, product, sum))
        return std::nullopt;
    }
    return sum;
  }

private:
  DerivedT &derived() { return static_cast<DerivedT &>(*this); }

  static bool isTooLarge(int64_t value, int64_t limit) {
    return value > limit || value < -limit;
  }

  int64_t addCoefficients(int64_t lhs, int64_t rhs) {
    int64_t sum;
    invalid |= bool(llvm::AddOverflow(lhs, rhs, sum)) ||
               isTooLarge(sum, maxCoefficient);
    return sum;
  }

  void add(const Term &term) {
    auto *it = llvm::find_if(
        terms, [&](const Term &mine) { return mine.first == term.first; });
    if (it == terms.end()) {
      terms.push_back(term);
      return;
    }
    it->second = addCoefficients(it->second, term.second);
    if (it->second == 0)
      terms.erase(it);
  }

  /// Both lists ascend.
  void merge(llvm::ArrayRef<Term> others) {
    llvm::SmallVector<Term, 2> sum;
    const Term *mine = terms.begin(), *other = others.begin();
    while (mine != terms.end() || other != others.end()) {
      if (other == others.end() ||
          (mine != terms.end() && mine->first < other->first)) {
        sum.push_back(*mine++);
      } else if (mine == terms.end() || other->first < mine->first) {
        sum.push_back(*other++);
      } else {
        int64_t coefficient = addCoefficients(mine->second, other->second);
        if (coefficient != 0)
          sum.emplace_back(mine->first, coefficient);
        ++mine;
        ++other;
      }
    }
    terms = std::move(sum);
  }
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_MEMORY_LINEARSUM_H
