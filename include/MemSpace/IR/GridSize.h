//===- GridSize.h - the grid that a kernel needs -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The workgroups that the block foralls of a kernel need, where the arguments
/// of the launch decide: what `memspace.grid_size` and `memspace.grid_symbols`
/// say. Whoever launches the kernel evaluates it.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_IR_GRIDSIZE_H
#define MEMSPACE_IR_GRIDSIZE_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include <array>

namespace mlir {
namespace memspace {

struct GridSize {
  /// What a symbol of the expressions stands for.
  struct Symbol {
    unsigned argument;
    /// Of a memref argument; kValue: the argument itself, a number.
    int64_t dimension;
    static constexpr int64_t kValue = -1;

    bool operator==(const Symbol &other) const {
      return argument == other.argument && dimension == other.dimension;
    }
  };

  /// Of x, y and z, or, in one map, of all workgroups however they are
  /// arranged. The largest result of a map counts, and at least 1. (For counts
  /// of which two are negative their product is more than is needed.)
  SmallVector<AffineMap, 3> extents;
  SmallVector<Symbol> symbols;

  bool isArranged() const { return extents.size() == 3; }

  /// What the attributes of `kernel` say; none when there are none.
  static std::optional<GridSize> get(Operation *kernel);
  /// Sets the attributes of `kernel`.
  void record(Operation *kernel) const;

  /// The grid for these values of the symbols; all workgroups in x where they
  /// may be arranged. None when an extent cannot be calculated: it overflows or
  /// divides by what is not positive.
  std::optional<std::array<int64_t, 3>>
  evaluate(ArrayRef<int64_t> values) const;
};

/// One error at `kernel` when its attributes are no grid size.
LogicalResult verifyGridSize(Operation *kernel);

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_IR_GRIDSIZE_H
