//===- IndexNumbers.h - equal index expressions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Value numbering: values that the same pure ops compute from the same values
/// have one number. Kernels compute the same thread's offsets once for each
/// access.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_REPORT_INDEXNUMBERS_H
#define MEMSPACE_LIB_REPORT_INDEXNUMBERS_H

#include "MemSpace/Threads/ThreadRelations.h"
#include <map>
#include <vector>

namespace mlir {
namespace memspace {

class IndexNumbers {
public:
  /// A number and its coefficient.
  using Term = std::pair<unsigned, int64_t>;

  /// Equal numbers mean equal values in one execution by one thread.
  unsigned getNumber(Value value);
  /// Equal keys mean equal terms; the constant is left out.
  std::vector<Term> getTerms(const LinearExpr &expr);

private:
  DenseMap<Value, unsigned> numbers;
  std::map<std::vector<const void *>, unsigned> known;
  unsigned next = 0;
};

/// True when `value` is the same wherever one thread computes it: made of ids,
/// constants and arguments of the kernel.
bool isThreadConstant(Value value);

/// The region arguments of loops that `value` is computed from, when it is
/// computed from nothing else but constants and arguments of the kernel; empty
/// otherwise.
SmallVector<Value> getLoopArguments(Value value);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_REPORT_INDEXNUMBERS_H
