//===- Synchronization.cpp - barriers and waits -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/Synchronization.h"
#include "AccessElements.h"
#include "IR/MLIRVersion.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<Barrier> mlir::memspace::getBarrier(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface ? interface.getBarrier() : std::nullopt;
}

bool mlir::memspace::isBarrierLike(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface &&
         (interface.getBarrier() || interface.waitsForSomeThreads());
}

bool mlir::memspace::startsAsyncCopy(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface && interface.startsAsyncCopy();
}

bool mlir::memspace::startsUngroupedCopy(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface && interface.startsUngroupedCopy();
}

bool mlir::memspace::commitsAsyncCopies(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface && interface.commitsAsyncCopies();
}

bool mlir::memspace::isOnlySynchronization(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface &&
         (interface.getBarrier() || interface.waitsForSomeThreads() ||
          interface.getGroupsLeftInFlight() ||
          (interface.commitsAsyncCopies() && !interface.startsAsyncCopy()));
}

std::optional<unsigned> mlir::memspace::getGroupsLeftInFlight(Operation *op) {
  auto interface = dyn_cast<SynchronizationOpInterface>(op);
  return interface ? interface.getGroupsLeftInFlight() : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
template <typename ModelT, typename OpT>
using Model = SynchronizationOpInterface::ExternalModel<ModelT, OpT>;

/// Of all threads of a scope, for the memories that it names.
template <typename OpT, ExecutionScope scope, bool ordersWorkgroupMemory,
          bool ordersGlobalMemory>
struct BarrierModel
    : public Model<
          BarrierModel<OpT, scope, ordersWorkgroupMemory, ordersGlobalMemory>,
          OpT> {
  std::optional<Barrier> getBarrier(Operation *) const {
    return Barrier{scope, ordersWorkgroupMemory, ordersGlobalMemory};
  }
};

struct GPUBarrierModel : public Model<GPUBarrierModel, gpu::BarrierOp> {
  std::optional<Barrier> getBarrier(Operation *op) const {
    BarrierClauses clauses = getBarrierClauses(cast<gpu::BarrierOp>(op));
    if (!clauses.scope)
      return std::nullopt;
    return Barrier{*clauses.scope, clauses.ordersWorkgroupMemory,
                   clauses.ordersGlobalMemory};
  }
  bool waitsForSomeThreads(Operation *) const { return true; }
};

/// A named barrier, or one for fewer threads, is not one of the workgroup.
struct NVVMBarrierModel : public Model<NVVMBarrierModel, NVVM::BarrierOp> {
  std::optional<Barrier> getBarrier(Operation *op) const {
    if (op->getNumOperands() == 0 && op->getNumResults() == 0)
      return Barrier{ExecutionScope::Workgroup};
    return std::nullopt;
  }
  bool waitsForSomeThreads(Operation *) const { return true; }
};

struct SyncWarpModel : public Model<SyncWarpModel, NVVM::SyncWarpOp> {
  std::optional<Barrier> getBarrier(Operation *op) const {
    APInt mask;
    if (matchPattern(cast<NVVM::SyncWarpOp>(op).getMask(),
                     m_ConstantInt(&mask)) &&
        mask.isAllOnes())
      return Barrier{ExecutionScope::Subgroup};
    return std::nullopt;
  }
  bool waitsForSomeThreads(Operation *) const { return true; }
};

struct AsyncCopyModel : public Model<AsyncCopyModel, nvgpu::DeviceAsyncCopyOp> {
  bool startsAsyncCopy(Operation *) const { return true; }
};

template <typename OpT>
struct UngroupedCopyModel : public Model<UngroupedCopyModel<OpT>, OpT> {
  bool startsUngroupedCopy(Operation *) const { return true; }
};

struct AsyncGroupModel
    : public Model<AsyncGroupModel, nvgpu::DeviceAsyncCreateGroupOp> {
  bool commitsAsyncCopies(Operation *) const { return true; }
};

/// The lanes write one behind the other. Each is a group of its own: the
/// hardware counts loads, and they arrive in order.
struct GatherToLDSModel
    : public Model<GatherToLDSModel, amdgpu::GatherToLDSOp> {
  bool startsAsyncCopy(Operation *) const { return true; }
  bool commitsAsyncCopies(Operation *) const { return true; }
};

/// So many loads are left, perhaps not all of them such copies.
struct CounterWaitModel
    : public Model<CounterWaitModel, amdgpu::MemoryCounterWaitOp> {
  std::optional<unsigned> getGroupsLeftInFlight(Operation *op) const {
    std::optional<uint32_t> load =
        cast<amdgpu::MemoryCounterWaitOp>(op).getLoad();
    return load ? std::optional<unsigned>(*load) : std::nullopt;
  }
};

struct AsyncWaitModel : public Model<AsyncWaitModel, nvgpu::DeviceAsyncWaitOp> {
  std::optional<unsigned> getGroupsLeftInFlight(Operation *op) const {
    return std::max(
        cast<nvgpu::DeviceAsyncWaitOp>(op).getNumGroups().value_or(0), 0u);
  }
};
} // namespace

template <ExecutionScope scope, bool ordersWorkgroupMemory,
          bool ordersGlobalMemory, typename OpT>
static void attachBarrier(MLIRContext *context) {
  OpT::template attachInterface<
      BarrierModel<OpT, scope, ordersWorkgroupMemory, ordersGlobalMemory>>(
      *context);
}

template <typename... OpTs>
static void attachUngroupedCopies(MLIRContext *context) {
  (OpTs::template attachInterface<UngroupedCopyModel<OpTs>>(*context), ...);
}

void mlir::memspace::registerSynchronizationModels(DialectRegistry &registry) {
  constexpr ExecutionScope workgroup = ExecutionScope::Workgroup;
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    gpu::BarrierOp::attachInterface<GPUBarrierModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, MemSpaceDialect *) {
    attachBarrier<ExecutionScope::Subgroup, true, true, SubgroupBarrierOp>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, NVVM::NVVMDialect *) {
    attachBarrier<workgroup, true, true, NVVM::Barrier0Op>(context);
    NVVM::BarrierOp::attachInterface<NVVMBarrierModel>(*context);
    NVVM::SyncWarpOp::attachInterface<SyncWarpModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, ROCDL::ROCDLDialect *) {
    attachBarrier<workgroup, true, true, ROCDL::BarrierOp>(context);
    attachBarrier<workgroup, false, false, ROCDL::SBarrierOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, amdgpu::AMDGPUDialect *) {
    attachBarrier<workgroup, true, false, amdgpu::LDSBarrierOp>(context);
    amdgpu::GatherToLDSOp::attachInterface<GatherToLDSModel>(*context);
    amdgpu::MemoryCounterWaitOp::attachInterface<CounterWaitModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, nvgpu::NVGPUDialect *) {
    nvgpu::DeviceAsyncCopyOp::attachInterface<AsyncCopyModel>(*context);
    attachUngroupedCopies<nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp>(
        context);
    nvgpu::DeviceAsyncCreateGroupOp::attachInterface<AsyncGroupModel>(*context);
    nvgpu::DeviceAsyncWaitOp::attachInterface<AsyncWaitModel>(*context);
  });
}
