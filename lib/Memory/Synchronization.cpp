//===- Synchronization.cpp - what orders the accesses of threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Memory/Synchronization.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::memspace;

/// A named barrier, or one for fewer threads, is not one of the workgroup.
static bool isOfAllThreads(Operation *op) {
  return op->getNumOperands() == 0 && op->getNumResults() == 0;
}

std::optional<Barrier> mlir::memspace::getBarrier(Operation *op) {
  if (isa<gpu::BarrierOp, NVVM::Barrier0Op, ROCDL::BarrierOp>(op))
    return Barrier{ExecutionScope::Workgroup};
  if (isa<NVVM::BarrierOp>(op) && isOfAllThreads(op))
    return Barrier{ExecutionScope::Workgroup};
  if (isa<amdgpu::LDSBarrierOp>(op))
    return Barrier{ExecutionScope::Workgroup, /*ordersWorkgroupMemory=*/true,
                   /*ordersGlobalMemory=*/false};
  if (isa<ROCDL::SBarrierOp>(op))
    return Barrier{ExecutionScope::Workgroup, /*ordersWorkgroupMemory=*/false,
                   /*ordersGlobalMemory=*/false};
  if (isa<SubgroupBarrierOp>(op))
    return Barrier{ExecutionScope::Subgroup};
  if (auto sync = dyn_cast<NVVM::SyncWarpOp>(op)) {
    APInt mask;
    if (matchPattern(sync.getMask(), m_ConstantInt(&mask)) && mask.isAllOnes())
      return Barrier{ExecutionScope::Subgroup};
  }
  return std::nullopt;
}

bool mlir::memspace::isBarrierLike(Operation *op) {
  return getBarrier(op) || isa<NVVM::BarrierOp, NVVM::SyncWarpOp>(op);
}

bool mlir::memspace::startsAsyncCopy(Operation *op) {
  return isa<nvgpu::DeviceAsyncCopyOp>(op);
}

bool mlir::memspace::commitsAsyncCopies(Operation *op) {
  return isa<nvgpu::DeviceAsyncCreateGroupOp>(op);
}

std::optional<unsigned> mlir::memspace::getGroupsLeftInFlight(Operation *op) {
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op))
    return std::max(wait.getNumGroups().value_or(0), 0u);
  return std::nullopt;
}
