//===- AffineSystemKey.cpp - what equal systems have in common -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineSystem.h"

using namespace mlir;
using namespace mlir::memspace;

void memspace::addToKey(const LinearForm &form, std::vector<int64_t> &key) {
  key.push_back(form.invalid ? -1 : int64_t(form.terms.size()));
  if (form.invalid)
    return;
  key.push_back(form.constant);
  for (auto [column, coefficient] : form.terms) {
    key.push_back(column);
    key.push_back(coefficient);
  }
}

void AffineSystem::addToKey(std::vector<int64_t> &key) const {
  llvm::append_values(key, int64_t(columns.size()), int64_t(quotients.size()),
                      int64_t(extrema.size()), int64_t(inequalities.size()),
                      int64_t(equalities.size()),
                      int64_t(disequalities.size()));
  for (const Extremum &extremum : extrema)
    key.push_back(int64_t(extremum.column) * 2 + extremum.least);
  for (const Interval &interval : columns)
    llvm::append_values(
        key,
        int64_t(interval.lower.has_value() + 2 * interval.upper.has_value()),
        interval.lower.value_or(0), interval.upper.value_or(0));
  for (const Quotient &quotient : quotients) {
    memspace::addToKey(quotient.dividend, key);
    memspace::addToKey(quotient.value, key);
    key.push_back(quotient.divisor);
  }
  for (const LinearForm &form : inequalities)
    memspace::addToKey(form, key);
  for (const LinearForm &form : equalities)
    memspace::addToKey(form, key);
  for (const LinearForm &form : disequalities)
    memspace::addToKey(form, key);
}
