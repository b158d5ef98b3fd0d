//===- WorkgroupLiveness.h - when a buffer holds a value -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Live ranges of buffers as intervals of the structured program order.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_ANALYSIS_WORKGROUPLIVENESS_H
#define MEMSPACE_ANALYSIS_WORKGROUPLIVENESS_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

/// A closed interval of positions; empty when `last < first`.
struct LiveRange {
  int64_t first = 0;
  int64_t last = -1;
  bool isEmpty() const { return last < first; }
  bool contains(int64_t position) const {
    return first <= position && position <= last;
  }
};

class WorkgroupLiveness {
public:
  explicit WorkgroupLiveness(FunctionOpInterface kernel);

  /// Where `buffer` (an allocation or a view of the arena) may hold a value
  /// that is still needed. Empty when nothing accesses it; the whole kernel
  /// when its uses cannot be followed. Errs towards longer ranges, except that
  /// elements which no iteration writes before it reads are taken to be
  /// undefined, not carried over from the iteration before.
  LiveRange getRange(Value buffer) const;

private:
  void number(Region &region);
  /// Positions of an op and everything inside it.
  LiveRange getExtent(Operation *op) const { return extents.lookup(op); }

  FunctionOpInterface kernel;
  DenseMap<Operation *, LiveRange> extents;
  int64_t numPositions = 0;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_ANALYSIS_WORKGROUPLIVENESS_H
