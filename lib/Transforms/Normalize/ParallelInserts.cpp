//===- ParallelInserts.cpp - the insertions of an iteration at once -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `scf.forall.in_parallel` is a parallel assignment: what is inserted are the
/// values from before, even where one insertion overwrites the slice that
/// another one inserts. Bufferized, the insertions are copies in order, and
/// One-Shot sees neither that conflict nor that a slice which is updated in
/// place, but not inserted back, changes the result.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Spaces/MemorySpaceAnalysis.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "Normalization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

namespace {
/// What an iteration has in its hands of a shared output: a slice, or all.
struct SharedPart {
  Value value;
  BlockArgument out;

  tensor::ExtractSliceOp getSlice() const {
    return value.getDefiningOp<tensor::ExtractSliceOp>();
  }
};

/// The insertions of one forall and the parts of its shared outputs.
class ParallelInserts {
public:
  ParallelInserts(scf::ForallOp forall, const AnalysisState &state);

  /// The parts that are updated in place, but not inserted back.
  SmallVector<SharedPart> getLostUpdates() const;
  /// The insertions of what another insertion may overwrite.
  SmallVector<tensor::ParallelInsertSliceOp> getOverwrittenSources() const;

private:
  SmallVector<const SharedPart *>
  getParts(tensor::ParallelInsertSliceOp insert) const;

  const AnalysisState &state;
  SmallVector<tensor::ParallelInsertSliceOp> inserts;
  SmallVector<SharedPart> parts;
};
} // namespace

ParallelInserts::ParallelInserts(scf::ForallOp forall,
                                 const AnalysisState &state)
    : state(state) {
  for (Operation &op : forall.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op))
      inserts.push_back(insert);
  for (BlockArgument out : forall.getRegionIterArgs()) {
    parts.push_back({out, out});
    for (Operation *user : out.getUsers())
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
        parts.push_back({slice, out});
  }
}

/// True for a use that takes nothing of a whole shared output in its hands.
static bool isNoUseOfAll(const SharedPart &part, OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::DimOp>(op))
    return true;
  if (part.value != part.out)
    return false;
  if (isa<tensor::ExtractSliceOp>(op))
    return true;
  auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
  return insert && use == insert.getDestMutable();
}

/// True when the buffer of `part` may be written in place.
static bool mayBeUpdated(const SharedPart &part, const AnalysisState &state) {
  SmallVector<Value> worklist = {part.value};
  DenseSet<Value> seen = {part.value};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      if (value == part.value && isNoUseOfAll(part, use))
        continue;
      Operation *op = use.getOwner();
      if (isa<tensor::ParallelInsertSliceOp>(op))
        continue;
      if (mayWrite(use, state))
        return true;
      for (Value alias : getPossibleAliases(use, state))
        if (seen.insert(alias).second)
          worklist.push_back(alias);
      // One-Shot does not know this alias.
      if (auto choice = dyn_cast<scf::IndexSwitchOp>(op->getParentOp());
          choice && isa<scf::YieldOp>(op))
        if (Value result = choice.getResult(use.getOperandNumber());
            seen.insert(result).second)
          worklist.push_back(result);
    }
  }
  return false;
}

/// True when `insert` writes the elements that `part` is.
static bool isPlaceOf(tensor::ParallelInsertSliceOp insert,
                      const SharedPart &part) {
  if (insert.getDest() != part.out)
    return false;
  tensor::ExtractSliceOp slice = part.getSlice();
  if (!slice)
    return insert.getSourceType() == part.out.getType();
  return cast<OffsetSizeAndStrideOpInterface>(insert.getOperation())
      .isSameAs(slice, [](OpFoldResult a, OpFoldResult b) { return a == b; });
}

/// The parts whose buffer the source of `insert` may have.
SmallVector<const SharedPart *>
ParallelInserts::getParts(tensor::ParallelInsertSliceOp insert) const {
  auto find = [&](Value value) {
    return llvm::find_if(
        parts, [&](const SharedPart &part) { return part.value == value; });
  };
  SmallVector<const SharedPart *> found;
  for (Value value :
       findPossibleSources(insert.getSourceMutable(), state, [&](Value value) {
         return find(value) != parts.end();
       }))
    if (auto it = find(value); it != parts.end())
      found.push_back(it);
  return found;
}

SmallVector<SharedPart> ParallelInserts::getLostUpdates() const {
  DenseSet<Value> insertedBack;
  for (tensor::ParallelInsertSliceOp insert : inserts)
    for (const SharedPart *part : getParts(insert))
      if (isPlaceOf(insert, *part))
        insertedBack.insert(part->value);
  SmallVector<SharedPart> lost;
  for (const SharedPart &part : parts)
    if (!insertedBack.contains(part.value) && mayBeUpdated(part, state))
      lost.push_back(part);
  return lost;
}

SmallVector<tensor::ParallelInsertSliceOp>
ParallelInserts::getOverwrittenSources() const {
  SmallVector<tensor::ParallelInsertSliceOp> overwritten;
  for (tensor::ParallelInsertSliceOp insert : inserts) {
    // Where the part's own place gets the same value nothing is lost.
    auto isKept = [&](const SharedPart *part) {
      return llvm::any_of(inserts, [&](tensor::ParallelInsertSliceOp other) {
        return other.getSource() == insert.getSource() &&
               isPlaceOf(other, *part);
      });
    };
    if (!llvm::all_of(getParts(insert), isKept))
      overwritten.push_back(insert);
  }
  return overwritten;
}

LogicalResult mlir::memspace::separateParallelInserts(
    FunctionOpInterface kernel, const OneShotBufferizationOptions &oneShot) {
  AnalysisState state(oneShot);
  IRRewriter rewriter(kernel.getContext());
  SmallVector<scf::ForallOp> foralls;
  kernel->walk([&](scf::ForallOp forall) { foralls.push_back(forall); });
  for (scf::ForallOp forall : foralls) {
    for (const SharedPart &part :
         ParallelInserts(forall, state).getLostUpdates()) {
      rewriter.setInsertionPointAfterValue(part.value);
      Value copy = copyTensor(rewriter, part.value.getLoc(), part.value);
      rewriter.replaceUsesWithIf(part.value, copy, [&](OpOperand &use) {
        return use.getOwner() != copy.getDefiningOp() &&
               !isNoUseOfAll(part, use);
      });
    }
    // What is inserted, but updated elsewhere as well, is inserted as it was:
    // One-Shot takes an insertion where the value comes from for no read.
    for (Operation &op : forall.getTerminator().getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
      Value source = insert ? insert.getSource() : Value();
      Operation *def = source ? source.getDefiningOp() : nullptr;
      if (!def || def->getBlock() != forall.getBody() ||
          !mayBeUpdated({source, BlockArgument()}, state))
        continue;
      rewriter.setInsertionPointAfter(def);
      insert.getSourceMutable().set(
          copyTensor(rewriter, insert.getLoc(), source));
    }
    for (tensor::ParallelInsertSliceOp insert :
         ParallelInserts(forall, state).getOverwrittenSources()) {
      rewriter.setInsertionPoint(forall.getTerminator());
      insert.getSourceMutable().set(
          copyTensor(rewriter, insert.getLoc(), insert.getSource()));
    }
  }
  return success();
}
