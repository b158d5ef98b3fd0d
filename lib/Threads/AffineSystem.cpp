//===- AffineSystem.cpp - integer constraints with a budget -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineSystem.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::presburger;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Limits of one emptiness test; beyond them the answer is "not proved".
static constexpr unsigned kMaxSimplexColumns = 40;
static constexpr unsigned kMaxSimplexRows = 160;
static constexpr unsigned kMaxBranches = 48;
//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

LinearForm AffineSystem::addColumn(Interval interval) {
  columns.push_back(interval);
  return LinearForm::getVariable(columns.size() - 1);
}

static bool isTooLarge(int64_t value, int64_t limit) {
  return value > limit || value < -limit;
}

static std::optional<int64_t> scaleBound(std::optional<int64_t> bound,
                                         int64_t factor) {
  int64_t result;
  if (!bound || llvm::MulOverflow(*bound, factor, result) ||
      isTooLarge(result, kMaxConstant))
    return std::nullopt;
  return result;
}

Interval AffineSystem::getColumnInterval(const LinearForm &form) const {
  if (form.invalid)
    return {};
  Interval result{form.constant, form.constant};
  auto accumulate = [](std::optional<int64_t> &sum,
                       std::optional<int64_t> bound) {
    if (!sum || !bound || isTooLarge(*sum + *bound, kMaxConstant))
      sum = std::nullopt;
    else
      *sum += *bound;
  };
  for (auto [column, coefficient] : form.terms) {
    std::optional<int64_t> low = columns[column].lower;
    std::optional<int64_t> high = columns[column].upper;
    if (coefficient < 0)
      std::swap(low, high);
    accumulate(result.lower, scaleBound(low, coefficient));
    accumulate(result.upper, scaleBound(high, coefficient));
  }
  return result;
}

Interval AffineSystem::getInterval(const LinearForm &form) const {
  Interval result = getColumnInterval(form);
  if (form.invalid)
    return result;
  // x - d · floor(x / d) is a remainder, which its parts do not tell.
  for (const Quotient &known : quotients) {
    if (known.dividend.invalid)
      continue;
    unsigned column = known.value.terms.front().first;
    const auto *term = llvm::find_if(
        form.terms, [&](const auto &term) { return term.first == column; });
    if (term == form.terms.end() || term->second % known.divisor != 0)
      continue;
    int64_t factor = -term->second / known.divisor;
    LinearForm remainder =
        (known.dividend - known.value * known.divisor) * factor;
    Interval rest = getColumnInterval(form - remainder);
    if (remainder.invalid)
      continue;
    int64_t most = factor * (known.divisor - 1);
    auto tighten = [](std::optional<int64_t> &bound, std::optional<int64_t> by,
                      int64_t shift, bool lower) {
      if (by &&
          (!bound || (lower ? *bound < *by + shift : *bound > *by + shift)))
        bound = *by + shift;
    };
    tighten(result.lower, rest.lower, std::min<int64_t>(0, most), true);
    tighten(result.upper, rest.upper, std::max<int64_t>(0, most), false);
  }
  return result;
}

SmallVector<AffineSystem::Part>
AffineSystem::getRemainders(const LinearForm &form) const {
  SmallVector<Part> parts;
  LinearForm rest = form;
  auto getFactor = [&](unsigned column) {
    const auto *term = llvm::find_if(
        rest.terms, [&](const auto &term) { return term.first == column; });
    return term == rest.terms.end() ? 0 : term->second;
  };
  auto take = [&](const Quotient &known) {
    if (known.dividend.invalid || known.dividend.constant != 0)
      return;
    int64_t weight = getFactor(known.value.terms.front().first);
    int64_t factor = -weight / known.divisor;
    if (weight == 0 || weight % known.divisor != 0 ||
        !llvm::all_of(known.dividend.terms, [&](const auto &term) {
          return getFactor(term.first) == term.second * factor;
        }))
      return;
    LinearForm remainder = known.dividend - known.value * known.divisor;
    LinearForm other = rest - remainder * factor;
    if (remainder.invalid || other.invalid)
      return;
    parts.push_back({std::move(remainder), factor, /*isRemainder=*/true,
                     Interval{0, known.divisor - 1}});
    rest = std::move(other);
  };
  for (const Quotient &known : quotients)
    take(known);
  for (const Quotient &known : quotientsOfQuotients)
    take(known);
  if (parts.empty())
    return {};
  for (auto [column, coefficient] : rest.terms)
    parts.push_back({LinearForm::getVariable(column), coefficient});
  return parts;
}

void AffineSystem::addInequality(LinearForm form) {
  if (form.invalid)
    return;
  if (!extrema.empty())
    chooseExtrema(form, /*depth=*/0);
  // What bounds one column is known wherever its interval is asked for.
  if (form.terms.size() == 1) {
    auto [column, factor] = form.terms.front();
    Interval &interval = columns[column];
    if (factor == 1) {
      int64_t least = -form.constant;
      interval.lower = std::max(interval.lower.value_or(least), least);
      return;
    }
    if (factor == -1) {
      int64_t most = form.constant;
      interval.upper = std::min(interval.upper.value_or(most), most);
      return;
    }
  }
  inequalities.push_back(std::move(form));
}

LinearForm AffineSystem::addExtremum(llvm::ArrayRef<LinearForm> forms,
                                     bool least) {
  // One that is never beyond another one is the answer.
  if (forms.size() == 2)
    for (unsigned first : {0, 1}) {
      Interval distance =
          getInterval((forms[first] - forms[1 - first]) * (least ? -1 : 1));
      if (distance.isNonNegative())
        return forms[first];
    }
  Interval range = getInterval(forms.front());
  for (const LinearForm &form : forms.drop_front()) {
    // The least is as low as each may be, and as high as all may be.
    Interval other = getInterval(form);
    Interval one = range.unite(other), all = range.intersect(other);
    range =
        least ? Interval{one.lower, all.upper} : Interval{all.lower, one.upper};
  }
  LinearForm result = addColumn(range);
  for (const LinearForm &form : forms)
    addInequality(least ? form - result : result - form);
  bool areKnown =
      llvm::none_of(forms, [](const LinearForm &form) { return form.invalid; });
  if (areKnown)
    extrema.push_back({result.terms.front().first,
                       llvm::SmallVector<LinearForm, 2>(forms), least});
  return result;
}

/// What `nonNegative`, which holds, says of the extrema in it. Where a greatest
/// has to be great, a form that cannot be is not the one. Where it has to be
/// small, all of its forms are: that holds for each of them in its place.
void AffineSystem::chooseExtrema(const LinearForm &nonNegative,
                                 unsigned depth) {
  constexpr unsigned kMaxDepth = 4;
  for (auto [column, factor] : nonNegative.terms) {
    auto *it = llvm::find_if(extrema, [&, number = column](const Extremum &e) {
      return e.column == number;
    });
    if (it == extrema.end())
      continue;
    LinearForm value = LinearForm::getVariable(column);
    LinearForm rest = nonNegative - value * factor;
    bool isChoice = it->least != (factor > 0);
    llvm::SmallVector<LinearForm, 2> possible;
    for (const LinearForm &form : it->forms) {
      Interval range = getInterval(rest + form * factor);
      if (!isChoice || !range.upper || *range.upper >= 0)
        possible.push_back(form);
    }
    if (isChoice && possible.size() != 1)
      continue;
    if (isChoice) {
      extrema.erase(it);
      addEquality(value - possible.front());
    }
    if (depth < kMaxDepth)
      for (const LinearForm &form : possible)
        if (LinearForm instead = rest + form * factor; !instead.invalid)
          chooseExtrema(instead, depth + 1);
  }
}

void AffineSystem::addEquality(LinearForm form) {
  if (!form.invalid)
    equalities.push_back(std::move(form));
}

LinearForm AffineSystem::addFloorDiv(const LinearForm &form, int64_t divisor) {
  if (form.isConstant())
    return llvm::divideFloorSigned(form.constant, divisor);
  // What the divisor divides goes around the division, so that only the rest
  // needs a column: (x + 64 y) / 32 and x / 32 + 2 y are the same form.
  LinearForm whole, rest = form;
  if (!form.invalid) {
    std::tie(whole, rest) = form.splitMultiples(divisor);
    if (rest.isConstant())
      return whole;
  }
  // One column for equal quotients, so that they cancel.
  for (const Quotient &known : quotients)
    if (known.divisor == divisor && known.dividend == rest)
      return whole + known.value;
  // A second quotient by one divisor is the first plus a distance: the
  // questions are about distances, and a search that branches on them is short.
  const Quotient *base = nullptr;
  for (const Quotient &known : quotients)
    if (known.divisor == divisor && !known.dividend.invalid && !form.invalid) {
      base = &known;
      break;
    }
  auto divide = [&](Interval range) {
    if (range.lower)
      range.lower = llvm::divideFloorSigned(*range.lower, divisor);
    if (range.upper)
      range.upper = llvm::divideFloorSigned(*range.upper, divisor);
    return range;
  };
  LinearForm distance;
  if (base) {
    Interval range = divide(getInterval(rest - base->dividend));
    if (range.upper)
      ++*range.upper;
    distance = addColumn(range);
  }
  // Its own column keeps its own interval; the equality removes it.
  LinearForm quotient = addColumn(divide(getInterval(rest)));
  if (base)
    addEquality(base->value + distance - quotient);
  LinearForm remainder = rest - quotient * divisor;
  addInequality(remainder);
  addInequality(LinearForm(divisor - 1) - remainder);
  // x / 32 is (x / 16) / 2, which rational numbers do not know.
  for (const Quotient &known : quotients) {
    if (!(known.dividend == rest))
      continue;
    bool isFiner = known.divisor % divisor == 0;
    if (!isFiner && divisor % known.divisor != 0)
      continue;
    int64_t factor =
        isFiner ? known.divisor / divisor : divisor / known.divisor;
    LinearForm inPart = isFiner ? quotient - known.value * factor
                                : known.value - quotient * factor;
    addInequality(inPart);
    addInequality(LinearForm(factor - 1) - inPart);
    quotientsOfQuotients.push_back(
        isFiner ? Quotient{quotient, factor, known.value}
                : Quotient{known.value, factor, quotient});
  }
  quotients.push_back({rest, divisor, quotient});
  return whole + quotient;
}

//===----------------------------------------------------------------------===//
// Emptiness
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites and decides one copy of a system.
class EmptinessTest {
public:
  EmptinessTest(ArrayRef<Interval> columns, ArrayRef<LinearForm> inequalities,
                ArrayRef<LinearForm> equalities)
      : columns(columns), inequalities(inequalities), equalities(equalities),
        numColumns(columns.size()) {
    for (auto [column, interval] : llvm::enumerate(columns)) {
      if (interval.lower) {
        LinearForm &form =
            this->inequalities.emplace_back(LinearForm(*interval.lower) * -1);
        form.terms.emplace_back(column, 1);
      }
      if (interval.upper) {
        LinearForm &form = this->inequalities.emplace_back(*interval.upper);
        form.terms.emplace_back(column, -1);
      }
    }
  }

  bool isProvedEmpty(const AffineSystem &system) {
    // Each round takes at least one inequality away.
    do {
      equalities.append(implied);
      implied.clear();
      if (splitEqualities(system) || substituteEqualities(system))
        return true;
      dropDuplicates();
    } while (!contradiction && !implied.empty());
    return contradiction || searchIsEmpty();
  }

  /// Once it is not proved empty: a point of it, if the search found one.
  std::optional<SmallVector<int64_t>> getPoint() {
    if (!point)
      return std::nullopt;
    // The columns that were removed, the last one first.
    for (const auto &[column, value] : llvm::reverse(substitutions)) {
      std::optional<int64_t> sum = value.evaluate(
          [&](unsigned other) { return std::optional((*point)[other]); });
      if (!sum)
        return std::nullopt;
      (*point)[column] = *sum;
    }
    return point;
  }

private:
  /// Divides by the common factor of the coefficients, which tightens an
  /// inequality. Returns true on a contradiction.
  static bool normalize(LinearForm &form, bool equality) {
    if (form.invalid)
      return false;
    int64_t factor = 0;
    for (auto [column, coefficient] : form.terms)
      factor = std::gcd(factor, coefficient);
    if (factor == 0)
      return equality ? form.constant != 0 : form.constant < 0;
    if (equality && form.constant % factor != 0)
      return true;
    for (auto &[column, coefficient] : form.terms)
      coefficient /= factor;
    form.constant = llvm::divideFloorSigned(form.constant, factor);
    return false;
  }

  using Split = std::pair<LinearForm, LinearForm>;

  static SmallVector<AffineSystem::Part> getTerms(const LinearForm &form) {
    SmallVector<AffineSystem::Part> terms;
    for (auto [column, coefficient] : form.terms)
      terms.push_back({LinearForm::getVariable(column), coefficient});
    return terms;
  }

  /// g·x + rest == 0 means that `rest` is a multiple of g. Where its bounds
  /// leave only one, x and `rest` are known apart: a place in a row and the row
  /// of a linear address. Returns true on a contradiction.
  bool splitEqualities(const AffineSystem &system) {
    for (unsigned i = 0; i < equalities.size(); ++i) {
      if (normalize(equalities[i], /*equality=*/true))
        return true;
      LinearForm form = equalities[i];
      if (form.invalid)
        continue;
      // A remainder has closer bounds than what it is computed from, but terms
      // by themselves may be multiples where it is none.
      SmallVector<AffineSystem::Part> terms = getTerms(form);
      SmallVector<AffineSystem::Part> remainders = system.getRemainders(form);
      std::optional<Split> split;
      for (ArrayRef<AffineSystem::Part> parts :
           {ArrayRef(terms), ArrayRef(remainders)}) {
        if (!split && !parts.empty() &&
            splitEquality(form.constant, parts, system, split))
          return true;
      }
      if (!split)
        continue;
      // Both are looked at again, as new ones.
      equalities.push_back(std::move(split->first));
      equalities.push_back(std::move(split->second));
      equalities.erase(equalities.begin() + i--);
    }
    return false;
  }

  /// The bounds of `form`, also by those of the columns that equalities have
  /// removed from it.
  Interval getInterval(LinearForm form, const AffineSystem &system) const {
    Interval range = system.getInterval(form);
    for (const auto &[column, value] : llvm::reverse(substitutions)) {
      if (value.terms.size() < 2)
        continue;
      auto [first, factor] = value.terms.front();
      const auto *term =
          llvm::find_if(form.terms, [&, number = first](const auto &other) {
            return other.first == number;
          });
      if (term == form.terms.end() || term->second % factor != 0)
        continue;
      LinearForm instead = form + (LinearForm::getVariable(column) - value) *
                                      (term->second / factor);
      if (instead.invalid || instead.terms.size() > form.terms.size())
        continue;
      form = std::move(instead);
      range = range.intersect(system.getInterval(form));
    }
    return range;
  }

  /// The same of one equality, the sum of `parts` and `constant`.
  bool splitEquality(int64_t constant, ArrayRef<AffineSystem::Part> parts,
                     const AffineSystem &system,
                     std::optional<Split> &split) const {
    for (const AffineSystem::Part &part : parts) {
      int64_t factor = std::abs(part.factor);
      if (factor == 1)
        continue;
      LinearForm multiple, rest(constant), columns(constant);
      Interval range{0, 0};
      for (const AffineSystem::Part &other : parts) {
        if (other.factor % factor == 0) {
          multiple += other.number * (other.factor / factor);
          continue;
        }
        rest += other.number * other.factor;
        if (other.isRemainder)
          range = range + other.range * other.factor;
        else
          columns += other.number * other.factor;
      }
      range = range + getInterval(columns, system);
      if (!range.lower || !range.upper || multiple.invalid || rest.invalid)
        continue;
      int64_t first = llvm::divideCeilSigned(*range.lower, factor);
      int64_t last = llvm::divideFloorSigned(*range.upper, factor);
      if (first > last)
        return true;
      if (first < last || rest.isConstant())
        continue;
      multiple += LinearForm(first);
      rest += LinearForm(-first * factor);
      split.emplace(std::move(multiple), std::move(rest));
      return false;
    }
    return false;
  }

  /// Adds `change`, which is zero, to `form` as often as it has `column`. A
  /// form without is left as it is, normalized. Returns true on a
  /// contradiction.
  static bool substitute(LinearForm &form, unsigned column,
                         const LinearForm &change, bool equality) {
    const auto *term = llvm::find_if(
        form.terms, [&](const auto &other) { return other.first == column; });
    if (term == form.terms.end())
      return false;
    form += change * term->second;
    return normalize(form, equality);
  }

  /// Uses every equality that has a unit coefficient to remove a column:
  /// exact over the integers. Returns true on a contradiction.
  bool substituteEqualities(const AffineSystem &system) {
    for (LinearForm &form : equalities)
      if (normalize(form, /*equality=*/true))
        return true;
    for (LinearForm &form : inequalities)
      if (normalize(form, /*equality=*/false))
        return true;
    bool changed = true;
    while (changed) {
      changed = false;
      for (unsigned i = 0; i < equalities.size(); ++i) {
        LinearForm form = equalities[i];
        // The youngest column: the old ones are what the question is about.
        const std::pair<unsigned, int64_t> *unit = nullptr;
        for (const auto &term : form.terms)
          if ((term.second == 1 || term.second == -1) &&
              (!unit || term.first > unit->first))
            unit = &term;
        if (form.invalid || !unit)
          continue;
        // What others have come to may be split now.
        std::optional<Split> split;
        if (splitEquality(form.constant, getTerms(form), system, split))
          return true;
        if (split) {
          if (normalize(split->first, /*equality=*/true) ||
              normalize(split->second, /*equality=*/true))
            return true;
          equalities[i] = std::move(split->first);
          equalities.push_back(std::move(split->second));
          changed = true;
          break;
        }
        unsigned column = unit->first;
        // c·x + rest == 0 with c = ±1 gives x = -c·rest.
        int64_t sign = unit->second;
        LinearForm value =
            (form - LinearForm::getVariable(column) * sign) * -sign;
        substitutions.emplace_back(column, value);
        equalities.erase(equalities.begin() + i);
        LinearForm change = value - LinearForm::getVariable(column);
        for (LinearForm &other : equalities)
          if (substitute(other, column, change, /*equality=*/true))
            return true;
        for (LinearForm &other : inequalities)
          if (substitute(other, column, change, /*equality=*/false))
            return true;
        changed = true;
        break;
      }
    }
    return false;
  }

  /// Keeps the tightest of the inequalities with equal coefficients, and
  /// notices a pair that contradicts, or leaves one number only: of an equality
  /// more is known, where its terms are multiples of one another.
  void dropDuplicates() {
    auto isTrivial = [](const LinearForm &form) {
      return form.invalid || form.terms.empty();
    };
    llvm::erase_if(inequalities, isTrivial);
    llvm::erase_if(equalities, isTrivial);
    llvm::sort(inequalities, [](const LinearForm &a, const LinearForm &b) {
      if (a.terms != b.terms)
        return a.terms < b.terms;
      return a.constant < b.constant;
    });
    inequalities.erase(
        std::unique(inequalities.begin(), inequalities.end(),
                    [](const LinearForm &a, const LinearForm &b) {
                      return a.terms == b.terms;
                    }),
        inequalities.end());
    for (const LinearForm &form : inequalities) {
      LinearForm opposite = form * -1;
      const auto *it = llvm::lower_bound(
          inequalities, opposite, [](const LinearForm &a, const LinearForm &b) {
            return a.terms < b.terms;
          });
      if (it == inequalities.end() || it->terms != opposite.terms)
        continue;
      if (form.constant + it->constant < 0)
        contradiction = true;
      // Once for the two.
      if (form.constant + it->constant == 0 && &form < &*it)
        implied.push_back(form);
    }
    llvm::erase_if(inequalities, [&](const LinearForm &form) {
      return llvm::any_of(implied, [&](const LinearForm &equality) {
        return equality == form || equality * -1 == form;
      });
    });
  }

  /// Branch and bound on the rational relaxation.
  bool searchIsEmpty() {
    llvm::BitVector used(numColumns);
    for (ArrayRef<LinearForm> forms :
         {ArrayRef<LinearForm>(inequalities), ArrayRef<LinearForm>(equalities)})
      for (const LinearForm &form : forms)
        for (auto [column, coefficient] : form.terms)
          used.set(column);
    unsigned size = used.count();
    if (size == 0) {
      point.emplace(numColumns, 0);
      return false;
    }
    if (size > kMaxSimplexColumns ||
        inequalities.size() + equalities.size() > kMaxSimplexRows)
      return false;
    SmallVector<unsigned> position(numColumns, 0);
    for (auto [index, column] : llvm::enumerate(used.set_bits())) {
      position[column] = index;
      auto [lower, upper] = columns[column];
      int64_t width;
      if (!lower || !upper || llvm::SubOverflow(*upper, *lower, width))
        width = std::numeric_limits<int64_t>::max();
      widths.push_back(width);
    }

    Simplex simplex(size);
    auto toRow = [&](const LinearForm &form) {
      SmallVector<int64_t, 16> row(size + 1, 0);
      for (auto [column, coefficient] : form.terms)
        row[position[column]] = coefficient;
      row.back() = form.constant;
      return row;
    };
    for (const LinearForm &form : equalities) {
      simplex.addEquality(getDynamicAPIntVec(toRow(form)));
      if (simplex.isEmpty())
        return true;
    }
    for (const LinearForm &form : inequalities) {
      simplex.addInequality(getDynamicAPIntVec(toRow(form)));
      if (simplex.isEmpty())
        return true;
    }
    unsigned branches = 0;
    if (isEmptyBelow(simplex, size, branches, /*depth=*/0))
      return true;
    if (!sample)
      return false;
    point.emplace(numColumns, 0);
    for (unsigned column : used.set_bits()) {
      const Fraction &value = (*sample)[position[column]];
      (*point)[column] = int64_t(value.num / value.den);
    }
    return false;
  }

  bool isEmptyBelow(Simplex &simplex, unsigned size, unsigned &branches,
                    unsigned depth) {
    if (simplex.isEmpty())
      return true;
    if (++branches > kMaxBranches || depth > 16)
      return false;
    std::optional<SmallVector<Fraction, 8>> rational =
        simplex.getRationalSample();
    if (!rational)
      return false;
    // Of a few numbers, as distances of quotients are, each branch leaves
    // fewer.
    std::optional<unsigned> chosen;
    for (unsigned column = 0; column < size; ++column) {
      const Fraction &value = (*rational)[column];
      if (value.num % value.den != 0 &&
          (!chosen || widths[column] < widths[*chosen]))
        chosen = column;
    }
    if (!chosen) {
      sample = std::move(rational);
      return false;
    }
    llvm::DynamicAPInt below = floor((*rational)[*chosen]);
    for (bool upper : {true, false}) {
      SmallVector<llvm::DynamicAPInt, 16> row(size + 1, llvm::DynamicAPInt(0));
      row[*chosen] = upper ? -1 : 1;
      row.back() = upper ? below : -(below + 1);
      unsigned snapshot = simplex.getSnapshot();
      simplex.addInequality(row);
      bool empty = isEmptyBelow(simplex, size, branches, depth + 1);
      simplex.rollback(snapshot);
      if (!empty)
        return false;
    }
    return true;
  }

  ArrayRef<Interval> columns;
  SmallVector<LinearForm> inequalities;
  SmallVector<LinearForm> equalities;
  unsigned numColumns;
  /// Of the columns of the search, how far apart their bounds are.
  SmallVector<int64_t> widths;
  bool contradiction = false;
  /// Equalities that pairs of inequalities are, and that are not looked at yet.
  SmallVector<LinearForm> implied;
  /// Columns that equalities removed, and what they equal.
  SmallVector<std::pair<unsigned, LinearForm>> substitutions;
  /// An integer point of the search, and the same for all columns.
  std::optional<SmallVector<Fraction, 8>> sample;
  std::optional<SmallVector<int64_t>> point;
};
} // namespace

AffineSystem::Answer AffineSystem::decide() const {
  EmptinessTest test(columns, inequalities, equalities);
  if (test.isProvedEmpty(*this))
    return {/*isProvedEmpty=*/true, std::nullopt};
  return {/*isProvedEmpty=*/false, test.getPoint()};
}
