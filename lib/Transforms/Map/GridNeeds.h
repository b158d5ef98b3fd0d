//===- GridNeeds.h - the grid that block foralls need -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts the workgroups that the block foralls of a kernel need, as a number
/// or as an expression of the kernel's arguments.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_MAP_GRIDNEEDS_H
#define MEMSPACE_LIB_TRANSFORMS_MAP_GRIDNEEDS_H

#include "MemSpace/IR/GridSize.h"
#include "MemSpace/Kernel/ExecutionScope.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace memspace {

class GridNeeds {
public:
  explicit GridNeeds(FunctionOpInterface kernel) : kernel(kernel) {}

  /// Adds what one block-mapped forall needs.
  void add(scf::ForallOp forall, const ForallMapping &mapping);

  /// What all of them need together, or more where it is the lesser of two
  /// numbers; none when an extent is computed from more than arguments, when
  /// the kernel asks for block ids by itself, when there is no block forall,
  /// and when some count x, y and z and others all workgroups.
  std::optional<GridSize> get() const;
  /// The same as numbers, where no argument decides; also when some foralls
  /// count x, y and z and others all workgroups.
  std::optional<LaunchSizes> getStatic() const;

private:
  AffineMap getMap(ArrayRef<AffineExpr> exprs) const;
  /// The needs of the foralls over x, y and z.
  GridSize getArranged() const;
  /// The needs of those over all workgroups.
  GridSize getTogether() const;
  AffineExpr getTripCount(scf::ForallOp forall, unsigned dim);
  AffineExpr translate(OpFoldResult value);
  AffineExpr translate(Value value, unsigned depth);
  AffineExpr translateAtMost(Value value, unsigned depth);
  AffineExpr compute(Value value, unsigned depth);
  /// That of `dimension` of `memref`.
  AffineExpr computeExtent(Value memref, int64_t dimension, unsigned depth);
  AffineExpr getSymbol(Value argument, int64_t dimension);
  bool isNonNegative(AffineExpr expr) const;

  FunctionOpInterface kernel;
  SmallVector<GridSize::Symbol> symbols;
  DenseMap<Value, AffineExpr> known;
  /// Of x, y and z, and of all together for a linear mapping.
  SmallVector<AffineExpr> extents[3], totals;
  bool isKnown = true;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_MAP_GRIDNEEDS_H
