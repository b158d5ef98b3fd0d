//===- ShrinkPlan.h - how private buffers are cut ---------------*- C++ -*-===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which private buffers are cut together, and to what: planned before anything
/// is changed. The plan is applied in ShrinkPrivate.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_WORKGROUP_SHRINKPLAN_H
#define MEMSPACE_LIB_TRANSFORMS_WORKGROUP_SHRINKPLAN_H

#include "IndexExprs.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

namespace mlir {
namespace memspace {

/// One use of a buffer: in dimension d the indices from `offsets[d]` on,
/// `spans[d]` of them; no span where their number has no bound.
struct ShrinkAccess {
  Operation *op;
  Value buffer;
  SmallVector<AffineExpr> offsets;
  SmallVector<std::optional<int64_t>> spans;
};

/// How one dimension is cut: the old offset less `base` is split into
/// `pitch` · wave + rest; the new one is `rests` · wave + rest, both counted
/// from their least values. Without a pitch, all is rest.
struct ShrinkCut {
  AffineExpr base;
  int64_t pitch = 0;
  int64_t leastWave = 0, leastRest = 0;
  int64_t rests = 0;
  int64_t size = 0;
};

/// Private buffers of one type between which values may pass, and what uses
/// them. The same elements are touched of each.
struct ShrinkGroup {
  SmallVector<memref::AllocaOp> allocas;
  /// The buffers, and what may be one of them.
  llvm::SetVector<Value> values;
  SmallVector<ShrinkAccess> accesses;
  /// Copies of a whole tensor into a buffer. What they write outside of the
  /// slice nobody reads.
  SmallVector<Operation *> copies;
};

/// What becomes of one group.
struct ShrinkPlan {
  MemRefType type;
  /// With their new offsets; a null offset stays as it is.
  SmallVector<ShrinkAccess> accesses;
  /// The cuts; none for a dimension that stays.
  SmallVector<std::optional<ShrinkCut>> cuts;
  /// New types of the values of the group and of the views of them.
  llvm::MapVector<Value, MemRefType> types;
};

/// Plans, which changes nothing, then applies the plan, which cannot fail.
class Shrinker {
public:
  explicit Shrinker(const KernelContext &context)
      : exprs(context), dominance(context.getKernel()) {}

  /// The buffers that have to be cut like `alloca`, with all of their uses;
  /// false when one of these cannot follow.
  bool collect(memref::AllocaOp alloca, ShrinkGroup &group);
  /// None where nothing is gained, or not all uses can follow.
  std::optional<ShrinkPlan> plan(const ShrinkGroup &group);
  void apply(const ShrinkGroup &group, const ShrinkPlan &plan);

private:
  bool addUse(OpOperand &use, ShrinkGroup &group);
  bool addCopy(Operation *copy, Value source, Value target, Value value,
               ShrinkGroup &group);
  /// The new offsets, and the new type; false when nothing is gained.
  bool planShape(const ShrinkGroup &group, ShrinkPlan &plan);
  bool planView(const ShrinkAccess &access, ShrinkPlan &plan);
  void moveView(memref::SubViewOp view, const ShrinkAccess &access,
                Value buffer);
  void moveIndices(const ShrinkAccess &access, Value buffer);
  void cutCopy(Operation *copy, const ShrinkPlan &plan);
  std::optional<ShrinkAccess> getAccess(OpOperand &use);
  std::optional<ShrinkCut> planDim(const ShrinkGroup &group, unsigned dim,
                                   int64_t size);
  std::optional<ShrinkCut> tryPlan(const ShrinkGroup &group, unsigned dim,
                                   AffineExpr base, int64_t pitch);
  std::pair<AffineExpr, AffineExpr> split(AffineExpr expr, int64_t pitch);
  AffineExpr rebase(AffineExpr offset, const ShrinkCut &plan);
  bool isAvailable(AffineExpr expr, Operation *op);
  bool planTypes(Value value, MemRefType type, ShrinkPlan &plan);
  bool planUser(Operation *user, Value value, MemRefType type,
                ShrinkPlan &plan);
  OpFoldResult materialize(OpBuilder &b, Location loc, AffineExpr expr);

  IndexExprs exprs;
  DominanceInfo dominance;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_WORKGROUP_SHRINKPLAN_H
