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

#ifndef MEMSPACE_LIB_ANALYSIS_ACCESSCLASSES_H
#define MEMSPACE_LIB_ANALYSIS_ACCESSCLASSES_H

#include "MemSpace/Analysis/MemoryAccess.h"
#include <map>
#include <vector>

namespace mlir {
namespace memspace {

struct AccessClass {
  unsigned number = 0;
  /// The constants in the offsets of `elements`, then of `byteRange`.
  SmallVector<int64_t, 4> constants;
};

class AccessClasses {
public:
  AccessClass classify(const MemoryAccess &access);

private:
  using Key = std::vector<int64_t>;

  LinearExpr expand(Value value);
  /// Adds all of `range` but the constant of its offset, which is returned.
  int64_t add(const IndexRange &range, Key &key);
  void add(const LinearExpr &expr, Key &key);

  std::map<Key, unsigned> numbers;
  DenseMap<Value, LinearExpr> expanded;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_ANALYSIS_ACCESSCLASSES_H
