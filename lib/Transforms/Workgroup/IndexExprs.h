//===- IndexExprs.h - index values as affine functions -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Equal subscripts are written by different ops: affine.apply chains, arith,
/// delinearize. Here each index becomes one affine expression over leaf values,
/// by the table of integer ops, so that subscripts can be subtracted and
/// bounded.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_WORKGROUP_INDEXEXPRS_H
#define MEMSPACE_LIB_TRANSFORMS_WORKGROUP_INDEXEXPRS_H

#include "Kernel/HardwareIds.h"
#include "Kernel/Interval.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir {
namespace memspace {

/// Appends the terms of the sum `expr`.
void splitSum(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms);

/// x and the factor f of a term x · f.
std::pair<AffineExpr, int64_t> splitFactor(AffineExpr term);

class IndexExprs {
public:
  explicit IndexExprs(const KernelContext &context);

  /// `index` over the leaves: dimension i stands for getLeaves()[i]. Values
  /// that are not affine are leaves themselves. The ids of one thread are one
  /// leaf however often they are read.
  AffineExpr get(OpFoldResult index);
  ArrayRef<Value> getLeaves() const { return leaves; }
  /// Also uses the intervals of the leaves, as for (8 · w + x) mod 8 = x when
  /// x < 8, which upstream's simplification cannot.
  AffineExpr simplify(AffineExpr expr);

  /// True when all leaves of `expr` have one value in a thread's whole run.
  bool isKernelConstant(AffineExpr expr);

  /// Interval that `expr` certainly lies in.
  Interval getInterval(AffineExpr expr);

private:
  AffineExpr translate(Value value);
  AffineExpr build(Value value);
  AffineExpr buildId(OpResult result, HardwareId id);
  AffineExpr getLeaf(Value value);
  AffineExpr getId(Value value, unsigned dim, int64_t size,
                   std::array<AffineExpr, 3> &ids);
  Interval computeInterval(AffineExpr expr);
  Interval getValueInterval(Value value);
  Interval getLeafInterval(Value leaf);
  Interval computeLeafInterval(Value leaf);
  Interval computeInduction(scf::ForOp loop);
  Interval computeMinimum(affine::AffineMinOp min);
  AffineExpr foldDivisions(AffineExpr expr);
  AffineExpr foldDivision(AffineExpr dividend, int64_t divisor, bool modulo);

  KernelContext context;
  FunctionOpInterface kernel;
  SmallVector<Value> leaves;
  /// Null for a number that is no index and not affine in indices: leaves are
  /// indices.
  DenseMap<Value, AffineExpr> exprs;
  unsigned depth = 0;
  DenseMap<Value, Interval> intervals;
  std::array<AffineExpr, 3> threadIds, blockIds;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_WORKGROUP_INDEXEXPRS_H
