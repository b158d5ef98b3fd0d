//===- ReplicationCost.cpp - repeated work against distributed work -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReplicationCost.h"
#include "MemSpace/Memory/BufferSize.h"
#include "Memory/AccessElements.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::memspace;

/// Iterations of a loop, elements of an extent of which no bound is known.
static constexpr double kUnknownExtent = 8;

/// Extents of tensors, or their bounds: most partial tiles are whole.
class mlir::memspace::Extents {
public:
  double get(Value tensor, int64_t dim);
  double getElements(Value value);

private:
  DenseMap<std::pair<Value, int64_t>, double> known;
};

namespace {
/// One execution of an op, without the loops around it.
struct OpWork {
  /// Parts that threads can share: elements of the result.
  double parts = 1;
  /// Accesses of one part by a thread that executes it alone, and by all.
  double distributed = 1;
  double replicated = 1;
  bool canDistribute = false;
};
} // namespace

double Extents::get(Value tensor, int64_t dim) {
  auto type = cast<ShapedType>(tensor.getType());
  // What ops update, one after the other, has one shape.
  SmallVector<Value> updates;
  double extent = kUnknownExtent;
  while (true) {
    if (!type.isDynamicDim(dim)) {
      extent = type.getDimSize(dim);
      break;
    }
    if (auto it = known.find({tensor, dim}); it != known.end()) {
      extent = it->second;
      break;
    }
    updates.push_back(tensor);
    auto dps = tensor.getDefiningOp<DestinationStyleOpInterface>();
    if (!dps) {
      if (std::optional<int64_t> bound = getConstantUpperBound(tensor, dim))
        extent = *bound;
      break;
    }
    tensor = dps.getTiedOpOperand(cast<OpResult>(tensor))->get();
    type = cast<ShapedType>(tensor.getType());
  }
  for (Value update : updates)
    known[{update, dim}] = extent;
  return extent;
}

double Extents::getElements(Value value) {
  double elements = 1;
  if (auto shaped = dyn_cast<ShapedType>(value.getType());
      shaped && shaped.hasRank())
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      elements *= get(value, dim);
  return elements;
}

/// How often the loop `number` of `op` runs, whose count is not constant.
static double getRange(linalg::LinalgOp op, unsigned number, Extents &extents) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr);
          loop && loop.getPosition() == number)
        return extents.get(operand.get(), dim);
  }
  return kUnknownExtent;
}

/// Ops of the payload that are executed for each point, but for its end.
static double countPayloadOps(Block &body) {
  return std::distance(body.begin(), body.end()) - 1;
}

static OpWork getStructuredWork(linalg::LinalgOp op, double uniformLoad,
                                function_ref<bool(Value)> isShared,
                                Extents &extents) {
  OpWork work;
  double points = 1;
  for (auto [number, extent, kind] :
       llvm::enumerate(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    double size =
        ShapedType::isDynamic(extent) ? getRange(op, number, extents) : extent;
    points *= size;
    work.canDistribute |= kind == utils::IteratorType::parallel;
    if (kind == utils::IteratorType::parallel)
      work.parts *= size;
  }
  double pointsOfPart = work.parts == 0 ? 0 : points / work.parts;
  double payload = countPayloadOps(*op.getBlock());
  work.distributed = work.replicated = payload + op.getNumDpsInits();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()) ||
        !op.payloadUsesValueFromOperand(&operand))
      continue;
    work.distributed += 1;
    work.replicated +=
        op.isDpsInput(&operand) && isShared(operand.get()) ? uniformLoad : 1;
  }
  work.distributed *= pointsOfPart;
  work.replicated *= pointsOfPart;
  return work;
}

static OpWork getWork(const BufferAccess &access, double uniformLoad,
                      function_ref<bool(Value)> isShared, Extents &extents) {
  if (auto op = dyn_cast<linalg::LinalgOp>(access.op))
    return getStructuredWork(op, uniformLoad, isShared, extents);
  OpWork work;
  // A copy: of the source of an insertion, of that of an allocation.
  auto alloc = dyn_cast<bufferization::AllocTensorOp>(access.op);
  auto insert = dyn_cast<tensor::InsertSliceOp>(access.op);
  if (alloc || insert) {
    Value source = insert ? insert.getSource() : alloc.getCopy();
    work.canDistribute = true;
    work.parts = source ? extents.getElements(source) : 0;
    work.distributed = 2;
    work.replicated = 1 + (source && isShared(source) ? uniformLoad : 1);
    return work;
  }
  if (isa<tensor::InsertOp>(access.op))
    return work;
  work.canDistribute = isa<TilingInterface>(access.op);
  for (Value result : access.op->getResults())
    work.parts = std::max(work.parts, extents.getElements(result));
  work.distributed = work.replicated = 2;
  return work;
}

/// How often the loops around `op` execute it in one execution of the kernel.
static double getExecutions(Operation *op) {
  double executions = 1;
  for (Operation *parent = op->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(parent);
    if (!loop || isa<scf::ForallOp>(parent))
      continue;
    std::optional<APInt> trips = loop.getStaticTripCount();
    executions *= trips ? trips->roundToDouble() : kUnknownExtent;
  }
  return executions;
}

/// True when the work of `op` can be given to threads, whole or in parts
/// (Distribution.cpp).
static bool canDistribute(Operation *op) {
  return isa<DestinationStyleOpInterface, tensor::InsertSliceOp,
             bufferization::AllocTensorOp>(op);
}

//===----------------------------------------------------------------------===//
// ReplicationCosts
//===----------------------------------------------------------------------===//

ReplicationCosts::ReplicationCosts(const KernelContext &context,
                                   const BufferClasses &classes,
                                   const OwnerMaps &owners, int64_t barrierWork)
    : context(context), classes(classes), owners(owners),
      barrierWork(barrierWork) {
  for (const auto &cls : classes.getClasses()) {
    if (cls->hasOutsideRoot() || OwnerMaps::isDistributed(*cls))
      shared.insert(cls.get());
    bool canChoose =
        !cls->hasOutsideRoot() && cls->hasOneScope &&
        // Work is not distributed over a warpgroup.
        (cls->scope == ExecutionScope::Workgroup ||
         cls->scope == ExecutionScope::Subgroup) &&
        llvm::all_of(cls->accesses, [&](const BufferAccess &access) {
          return !access.write || (!OwnerMaps::isMapped(access, *cls) &&
                                   canDistribute(access.op));
        });
    if (canChoose)
      candidates.insert(cls.get());
  }
  for (const auto &cls : classes.getClasses())
    join(*cls);
  Extents extents;
  for (const BufferClass *cls : candidates) {
    groups.insert(cls);
    ReplicationCost own = getOwnCost(*cls, extents);
    ReplicationCost &sum = costs[groups.getLeaderValue(cls)];
    sum.replicated += own.replicated + forced.lookup(cls);
    sum.distributed += own.distributed;
  }
}

std::optional<ReplicationCost>
ReplicationCosts::get(const BufferClass *cls) const {
  if (!candidates.contains(cls))
    return std::nullopt;
  return costs.lookup(groups.getLeaderValue(cls));
}

/// True when each thread reads its part only, were the work of the uniform op
/// distributed: what is written at an index is computed of what is read there.
bool ReplicationCosts::isAligned(const BufferAccess &access) const {
  if (!access.operand)
    return true;
  if (auto op = dyn_cast<linalg::LinalgOp>(access.op)) {
    AffineMap map = getIndexingMap(*access.operand);
    return op.getNumDpsInits() > 0 && map.isProjectedPermutation() &&
           llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
             return getIndexingMap(init) == map;
           });
  }
  // Copies of a whole tensor.
  return isa<bufferization::MaterializeInDestinationOp,
             bufferization::AllocTensorOp, tensor::InsertSliceOp,
             tensor::ParallelInsertSliceOp>(access.op);
}

/// Puts `cls` into one group with what is computed of it element by element.
void ReplicationCosts::join(const BufferClass &cls) {
  bool isCandidate = candidates.contains(&cls);
  // Parts that stay with their threads, unless uniform code reads them whole.
  bool mayStay = !cls.hasOutsideRoot() && shared.contains(&cls);
  const BufferClass *joined = nullptr;
  double executions = 0;
  for (const BufferAccess &access : cls.accesses) {
    if (!access.read || OwnerMaps::isMapped(access, cls))
      continue;
    if (!isAligned(access)) {
      mayStay = false;
      continue;
    }
    for (Value result : access.op->getResults()) {
      const BufferClass *other = classes.getClass(result);
      if (!other || other == &cls || other->scope != cls.scope ||
          !candidates.contains(other))
        continue;
      if (isCandidate)
        groups.unionSets(&cls, other);
      joined = other;
      executions = std::max(executions, getExecutions(access.op));
    }
  }
  // Whoever repeats the work makes them shared.
  if (mayStay && joined && !owners.findUnaligned(cls, /*mappedOnly=*/true))
    forced[joined] += executions * barrierWork;
}

/// What the ops that write `cls` cost.
ReplicationCost ReplicationCosts::getOwnCost(const BufferClass &cls,
                                             Extents &extents) const {
  auto isShared = [&](Value tensor) {
    return shared.contains(classes.getClass(tensor));
  };
  int64_t subgroup =
      std::min(context.getSubgroupSize().value_or(1), context.getThreads());
  int64_t threads =
      cls.scope == ExecutionScope::Subgroup ? subgroup : context.getThreads();
  ReplicationCost cost;
  double waits = 0;
  bool isExchanged = false;
  DenseSet<Operation *> counted;
  for (const BufferAccess &access : cls.accesses) {
    if (!access.write || !counted.insert(access.op).second)
      continue;
    double executions = getExecutions(access.op);
    OpWork work = getWork(access, 1.0 / subgroup, isShared, extents);
    cost.replicated += executions * work.parts * work.replicated;
    double parts =
        work.canDistribute ? std::ceil(work.parts / threads) : work.parts;
    cost.distributed += executions * parts * work.distributed;
    waits = std::max(waits, executions);
    // One thread writes what others read.
    isExchanged |= !work.canDistribute;
  }
  isExchanged |= llvm::any_of(cls.accesses, [&](const BufferAccess &access) {
    return access.read &&
           (OwnerMaps::isMapped(access, cls) || !isAligned(access));
  });
  if (isExchanged)
    cost.distributed += waits * barrierWork;
  return cost;
}
