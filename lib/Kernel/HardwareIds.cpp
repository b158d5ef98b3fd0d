//===- HardwareIds.cpp - ops that read ids and sizes ----------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HardwareIds.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<HardwareId> mlir::memspace::getHardwareId(Operation *op) {
  using Kind = HardwareId::Kind;
  using Result = std::optional<HardwareId>;
  auto has = [](Kind kind) {
    return [kind](auto op) -> Result {
      return HardwareId{kind, static_cast<unsigned>(op.getDimension())};
    };
  };
  auto is = [](Kind kind) {
    return [kind](auto) -> Result { return HardwareId{kind}; };
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<gpu::ThreadIdOp>(has(Kind::ThreadId))
      .Case<gpu::BlockIdOp>(has(Kind::BlockId))
      .Case<gpu::GlobalIdOp>(has(Kind::GlobalId))
      .Case<gpu::ClusterIdOp>(has(Kind::ClusterId))
      .Case<gpu::ClusterBlockIdOp>(has(Kind::ClusterBlockId))
      .Case<gpu::BlockDimOp>(has(Kind::BlockDim))
      .Case<gpu::GridDimOp>(has(Kind::GridDim))
      .Case<gpu::LaneIdOp>(is(Kind::LaneId))
      .Case<gpu::SubgroupIdOp>(is(Kind::SubgroupId))
      .Case<gpu::SubgroupSizeOp>(is(Kind::SubgroupSize))
      .Case<gpu::NumSubgroupsOp>(is(Kind::NumSubgroups))
      .Default(std::nullopt);
}

std::optional<int64_t> mlir::memspace::getIdNumber(HardwareId id,
                                                   const KernelContext &context,
                                                   const ThreadPlace &place) {
  using Kind = HardwareId::Kind;
  const LaunchShape &shape = context.getShape();
  std::optional<int64_t> subgroupSize = context.getSubgroupSize();
  auto getLinear = [&] {
    return place.thread[0] +
           shape.block[0] *
               (place.thread[1] + shape.block[1] * place.thread[2]);
  };
  // An only workgroup has the id 0.
  std::optional<int64_t> block =
      shape.grid && (*shape.grid)[id.dim] == 1 ? 0 : place.block[id.dim];
  switch (id.kind) {
  case Kind::ThreadId:
    return place.thread[id.dim];
  case Kind::BlockId:
    return block;
  case Kind::GlobalId: {
    int64_t first;
    if (!block || llvm::MulOverflow(*block, shape.block[id.dim], first))
      return std::nullopt;
    return llvm::checkedAdd(first, place.thread[id.dim]);
  }
  case Kind::LaneId:
    return subgroupSize ? std::optional(getLinear() % *subgroupSize)
                        : std::nullopt;
  case Kind::SubgroupId:
    return subgroupSize ? std::optional(getLinear() / *subgroupSize)
                        : std::nullopt;
  case Kind::ClusterId:
  case Kind::ClusterBlockId:
    return std::nullopt;
  case Kind::BlockDim:
    return shape.block[id.dim];
  case Kind::GridDim:
    return shape.grid ? std::optional((*shape.grid)[id.dim]) : std::nullopt;
  case Kind::SubgroupSize:
    return subgroupSize;
  case Kind::NumSubgroups:
    return context.getSubgroups();
  }
  llvm_unreachable("unknown hardware id");
}
