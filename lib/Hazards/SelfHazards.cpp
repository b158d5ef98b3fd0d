//===- SelfHazards.cpp - hazards that no barrier cuts -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessPairs.h"
#include "AtomicUpdates.h"
#include "Kernel/HardwareIds.h"
#include "MemSpace/Hazards/HazardAnalysis.h"
#include "MemSpace/IR/AttributeNames.h"
#include "MemSpace/Threads/ThreadRelations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <unordered_set>

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Equal values
//===----------------------------------------------------------------------===//

/// What an op stores, if it is one value; null otherwise.
static Value getStoredValue(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([](memref::StoreOp store) { return store.getValueToStore(); })
      .Case([](affine::AffineStoreOp store) { return store.getValueToStore(); })
      .Case([](vector::StoreOp store) { return store.getValueToStore(); })
      .Case([](vector::TransferWriteOp write) { return write.getVector(); })
      .Case([](linalg::FillOp fill) { return fill.value(); })
      .Default(Value());
}

/// True when all elements of `value` are one number.
static bool isSplat(Value value) {
  DenseElementsAttr elements;
  return !isa<VectorType>(value.getType()) ||
         (matchPattern(value, m_Constant(&elements)) && elements.isSplat()) ||
         (value.getDefiningOp<vector::BroadcastOp>() &&
          !isa<VectorType>(value.getDefiningOp()->getOperand(0).getType()));
}

bool mlir::memspace::storesEqualValues(
    Operation *op, llvm::function_ref<bool(Value, ValueRange)> isSame) {
  auto isUniform = [&](Value value) { return isSame(value, {}); };
  // One element of one memref has one index.
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && store.getMemRefType().getLayout().isIdentity() &&
      isUniform(store.getMemRef()))
    return isSame(store.getValueToStore(), store.getIndices());
  if (Value stored = getStoredValue(op)) {
    if (isSplat(stored)) {
      Operation *broadcast = stored.getDefiningOp<vector::BroadcastOp>();
      return isUniform(broadcast ? broadcast->getOperand(0) : stored);
    }
    // Other elements may meet elsewhere.
    return llvm::all_of(op->getOperands(), isUniform);
  }
  if (isa<memref::CopyOp>(op))
    return llvm::all_of(op->getOperands(), isUniform);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && llvm::all_of(op->getOperands(), isUniform) &&
         llvm::none_of(structured.getDpsInitsMutable(), [&](OpOperand &init) {
           return structured.payloadUsesValueFromOperand(&init);
         });
}

/// True for values that all workgroups have alike.
static bool isSameInGrid(Value value) {
  if (matchPattern(value, m_Constant()))
    return true;
  auto arg = dyn_cast<BlockArgument>(value);
  return arg && isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
         arg.getOwner()->isEntryBlock();
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

static HazardProof getProof(const std::optional<HazardWitness> &witness) {
  return witness && witness->certain ? HazardProof::Certain
                                     : HazardProof::Unproven;
}

std::vector<SelfHazard> HazardAnalysis::getSelfHazards(
    llvm::function_ref<bool(Value, ValueRange)> isSame) const {
  std::vector<SelfHazard> result;
  unsigned searches = 0;
  // Of one class all or none conflict with themselves.
  DenseMap<unsigned, bool> conflicts;
  for (auto [index, access] : llvm::enumerate(accesses)) {
    if (!access.writes ||
        areAtomic(access, access, context.getTarget(), nullptr))
      continue;
    Hazard hazard = getHazard(index, index, nullptr);
    // The lanes of a subgroup execute a collective op as one.
    if (access.collective)
      hazard.insideSubgroup = false;
    if (hazard) {
      SelfHazard self{static_cast<unsigned>(index), HazardProof::Unproven,
                      storesEqualValues(access.op, isSame), std::nullopt};
      ExecutionPair pair = hazard.acrossSubgroups
                               ? ExecutionPair::DifferentSubgroups
                               : ExecutionPair::DifferentLanes;
      if (++searches <= kMaxWitnesses)
        self.witness = findWitness(access, access, pair, nullptr, relations);
      self.proof = getProof(self.witness);
      result.push_back(std::move(self));
      continue;
    }
    if (!access.op->hasAttr(kDisjointAttr) &&
        !access.op->hasAttr(kSubgroupDisjointAttr))
      continue;
    auto [it, isNew] =
        conflicts.try_emplace(summaries[index].classNumber, false);
    if (isNew) {
      Hazard without = compute(access, access, nullptr, /*promises=*/false);
      it->second = without.acrossSubgroups ||
                   (without.insideSubgroup && !access.collective);
    }
    if (it->second)
      result.push_back({static_cast<unsigned>(index), HazardProof::Promised,
                        storesEqualValues(access.op, isSame), std::nullopt});
  }
  return result;
}

/// True when the access may touch memory that workgroups share: not what the
/// kernel allocates.
static bool isGlobal(const MemoryAccess &access) {
  return llvm::any_of(access.bases, [](const MemoryBase &base) {
    return base.maybeGlobal &&
           !(base.rootValue && base.rootValue.getDefiningOp());
  });
}

/// Workgroups in one dimension.
static constexpr int64_t kMaxGrid = int64_t(1) << 31;

/// The largest grid that the kernel is made for.
static LaunchSizes getLargestGrid(const KernelContext &context) {
  if (context.getShape().grid)
    return *context.getShape().grid;
  LaunchSizes grid = {1, 1, 1};
  FunctionOpInterface kernel = context.getKernel();
  kernel->walk([&](Operation *op) {
    using Kind = HardwareId::Kind;
    if (std::optional<HardwareId> id = getHardwareId(op);
        id && (id->kind == Kind::BlockId || id->kind == Kind::GlobalId))
      grid[id->dim] = kMaxGrid;
    else if (isa<scf::ForallOp>(op))
      grid = {kMaxGrid, kMaxGrid, kMaxGrid};
  });
  return grid;
}

/// True for atomic updates whose order shows, in two foralls over workgroups of
/// which one comes after the other.
static bool areUpdatesInOrder(const MemoryAccess &a, const MemoryAccess &b) {
  auto first = a.op->getAttrOfType<DenseI64ArrayAttr>(kWorkgroupDisjointAttr),
       second = b.op->getAttrOfType<DenseI64ArrayAttr>(kWorkgroupDisjointAttr);
  return first && second &&
         llvm::none_of(first.asArrayRef(),
                       [&](int64_t number) {
                         return llvm::is_contained(second.asArrayRef(), number);
                       }) &&
         !mayChangePlaces(a.op, b.op);
}

std::vector<WorkgroupHazard> HazardAnalysis::getWorkgroupHazards() const {
  std::vector<WorkgroupHazard> result;
  LaunchSizes grid = getLargestGrid(context);
  if (grid == LaunchSizes{1, 1, 1})
    return result;
  ThreadRelations system(context.withGrid(grid));
  std::vector<unsigned> global;
  for (auto [index, access] : llvm::enumerate(accesses))
    if (isGlobal(access))
      global.push_back(index);
  // Alike: of the same classes and equally far apart.
  std::unordered_set<Question, QuestionHash> asked;
  unsigned pairs = 0;
  for (unsigned i = 0; i < global.size(); ++i)
    for (unsigned j = i; j < global.size(); ++j) {
      if (!mayConflict(global[i], global[j]))
        continue;
      const MemoryAccess &a = accesses[global[i]], &b = accesses[global[j]];
      if (++pairs > kMaxWorkgroupPairs) {
        result.push_back(
            {global[i], global[j], HazardProof::Unproven, false, std::nullopt});
        return result;
      }
      bool isExcused = areAtomic(a, b, context.getTarget(), nullptr) &&
                       !areUpdatesInOrder(a, b);
      if (isExcused || !mayShareMemory(a, b) ||
          !asked.insert(getQuestion(global[i], global[j], nullptr)).second)
        continue;
      auto [left, right, areBytes] = getComparable(a, b);
      if (!system.mayOverlap(left, right, ExecutionPair::DifferentWorkgroups,
                             static_cast<Operation *>(nullptr)))
        continue;
      Value stored = getStoredValue(a.op);
      WorkgroupHazard hazard{global[i], global[j], HazardProof::Unproven,
                             a.op == b.op && stored && isSplat(stored) &&
                                 isSameInGrid(stored),
                             std::nullopt};
      if (result.size() < kMaxWitnesses)
        hazard.witness = findWitness(a, b, ExecutionPair::DifferentWorkgroups,
                                     nullptr, system);
      hazard.proof = getProof(hazard.witness);
      // A promise that is broken for certain is none.
      if (hazard.proof == HazardProof::Unproven &&
          isPromised(a, b, kWorkgroupDisjointAttr, /*carryingLoop=*/nullptr,
                     *circles))
        hazard.proof = HazardProof::Promised;
      result.push_back(std::move(hazard));
    }
  return result;
}
