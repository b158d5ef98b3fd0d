//===- BufferLayouts.cpp - another layout for a buffer in use -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferLayouts.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/ValueFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// Which memrefs control flow passes on as which.
class Flow {
public:
  explicit Flow(FunctionOpInterface kernel) {
    kernel->walk([&](Operation *op) {
      if (auto select = dyn_cast<SelectLikeOpInterface>(op);
          select && op->getNumResults() == 1) {
        pass(select.getTrueValue(), op->getResult(0));
        pass(select.getFalseValue(), op->getResult(0));
      } else if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
        forEachPassedValue(
            branch, [&](Value from, Value to, Operation *) { pass(from, to); });
      }
    });
  }

  /// True when `value` is what control flow passes as it.
  bool isPassed(Value value) const { return sources.contains(value); }
  ArrayRef<Value> getNeighbours(Value value) const {
    auto it = neighbours.find(value);
    return it == neighbours.end() ? ArrayRef<Value>() : it->second;
  }

private:
  void pass(Value from, Value to) {
    if (!isa<BaseMemRefType>(to.getType()))
      return;
    sources.insert(to);
    neighbours[from].push_back(to);
    neighbours[to].push_back(from);
  }

  DenseSet<Value> sources;
  DenseMap<Value, SmallVector<Value>> neighbours;
};
} // namespace

std::vector<BufferGroup> mlir::memspace::collectBufferGroups(
    FunctionOpInterface kernel,
    llvm::function_ref<bool(memref::AllocOp)> isWanted) {
  Flow flow(kernel);
  DenseMap<Value, unsigned> groupOf;
  std::vector<BufferGroup> groups;
  kernel->walk<WalkOrder::PreOrder>([&](memref::AllocOp alloc) {
    if (!isWanted(alloc))
      return;
    auto [it, isNew] = groupOf.try_emplace(alloc, groups.size());
    if (!isNew) {
      groups[it->second].allocs.push_back(alloc);
      return;
    }
    BufferGroup group;
    group.allocs.push_back(alloc);
    group.values.insert(alloc);
    for (unsigned i = 0; i < group.values.size(); ++i) {
      Value value = group.values[i];
      groupOf[value] = groups.size();
      auto other = value.getDefiningOp<memref::AllocOp>();
      bool isBuffer = flow.isPassed(value) || (other && isWanted(other));
      if (!isBuffer || value.getType() != alloc.getType())
        group.intruder = value.getDefiningOp()
                             ? value.getDefiningOp()
                             : value.getParentBlock()->getParentOp();
      for (Value neighbour : flow.getNeighbours(value))
        group.values.insert(neighbour);
    }
    groups.push_back(std::move(group));
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LayoutChange::LayoutChange(const BufferGroup &group, MemRefType type)
    : group(group), obstacle(group.intruder) {
  for (Value value : group.values)
    if (!obstacle)
      planTypes(value, type);
}

FailureOr<MemRefType> mlir::memspace::inferReshapedType(Operation *reshape,
                                                        MemRefType type) {
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(reshape))
    return memref::ExpandShapeOp::computeExpandedType(
        type, expand.getResultType().getShape(),
        expand.getReassociationIndices());
  SmallVector<ReassociationIndices> groups =
      cast<memref::CollapseShapeOp>(reshape).getReassociationIndices();
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
    return failure();
  return memref::CollapseShapeOp::computeCollapsedType(type, groups);
}

bool LayoutChange::planTypes(Value value, MemRefType type) {
  types[value] = type;
  for (Operation *user : value.getUsers())
    if (!planUser(user, value, type)) {
      if (!obstacle)
        obstacle = user;
      return false;
    }
  return true;
}

bool LayoutChange::planUser(Operation *user, Value value, MemRefType type) {
  if (auto view = dyn_cast<memref::SubViewOp>(user)) {
    MemRefType inferred = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), type, view.getMixedOffsets(),
        view.getMixedSizes(), view.getMixedStrides());
    return inferred && planTypes(view, inferred);
  }
  if (auto cast = dyn_cast<memref::CastOp>(user)) {
    // A type without a layout promises rows without gaps.
    auto result = dyn_cast<MemRefType>(cast.getType());
    return result && isa<StridedLayoutAttr>(result.getLayout()) &&
           memref::CastOp::areCastCompatible(type, result) &&
           planTypes(cast, result);
  }
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(user)) {
    FailureOr<MemRefType> reshaped = inferReshapedType(user, type);
    return succeeded(reshaped) && planTypes(user->getResult(0), *reshaped);
  }
  if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(user))
    return planTypes(assume.getResult(), type);
  // What they pass on is in the group, unless it is a view.
  if (isa<SelectLikeOpInterface, RegionBranchOpInterface>(user) ||
      (isa<RegionBranchTerminatorOpInterface>(user) &&
       isa<RegionBranchOpInterface>(user->getParentOp())))
    return group.values.contains(value);
  // These go by the strides of the type. Others may have a row length of their
  // own (gpu.subgroup_mma_load_matrix) or offsets in elements (vector.gather).
  return isa<linalg::LinalgOp, memref::LoadOp, memref::StoreOp,
             memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::CopyOp,
             memref::DimOp, memref::DeallocOp, vector::LoadOp, vector::StoreOp,
             VectorTransferOpInterface, nvgpu::DeviceAsyncCopyOp>(user);
}

void LayoutChange::apply() {
  for (auto [value, type] : types)
    value.setType(type);
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

/// The alignment that `op` may want for what it touches in a row of elements of
/// `elementBytes`.
static int64_t getAccessAlignment(Operation *op, int64_t elementBytes) {
  auto getNatural = [&](uint64_t elements) -> int64_t {
    uint64_t bytes = elements * elementBytes;
    return std::min<uint64_t>(bytes & -bytes, 16);
  };
  auto ofVector = [&](VectorType type, std::optional<int64_t> given) {
    int64_t lanes = type.getRank() == 0 ? 1 : type.getShape().back();
    return std::max(getNatural(lanes), given.value_or(1));
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return ofVector(load.getVectorType(), load.getAlignment());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return ofVector(store.getVectorType(), store.getAlignment());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getAlignment().value_or(1);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getAlignment().value_or(1);
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
    return ofVector(transfer.getVectorType(), std::nullopt);
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
    return getNatural(copy.getDstElements().getZExtValue());
  if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(op))
    return assume.getAlignment();
  return 1;
}

int64_t LayoutChange::getWantedAlignment(const TargetInfo &target) const {
  int64_t alignment = 1;
  for (auto [value, type] : types)
    for (Operation *user : value.getUsers())
      alignment = std::max(
          alignment,
          getAccessAlignment(
              user,
              getElementBytes(type.getElementType(), target).value_or(1)));
  return alignment;
}
