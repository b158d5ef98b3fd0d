//===- ResultScope.cpp - which threads get one result -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/ResultScope.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::memspace;

bool mlir::memspace::isTargetBlockId(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return llvm::any_of(
      ArrayRef<StringRef>{"nvvm.read.ptx.sreg.ctaid.",
                          "nvvm.read.ptx.sreg.nctaid.",
                          "nvvm.read.ptx.sreg.ntid.", "rocdl.workgroup.id.",
                          "rocdl.workgroup.dim.", "rocdl.grid.dim."},
      [&](StringRef prefix) { return name.starts_with(prefix); });
}

ExecutionScope mlir::memspace::getResultScope(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::NumSubgroupsOp,
          gpu::SubgroupSizeOp, gpu::ClusterIdOp, gpu::ClusterBlockIdOp,
          gpu::ClusterDimOp, gpu::ClusterDimBlocksOp, gpu::AllReduceOp,
          gpu::DynamicSharedMemoryOp>(op))
    return ExecutionScope::Workgroup;
  if (isa<gpu::SubgroupIdOp>(op))
    return ExecutionScope::Subgroup;
  if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
    return reduce.getClusterSize() ? ExecutionScope::Thread
                                   : ExecutionScope::Subgroup;
  if (isTargetBlockId(op))
    return ExecutionScope::Workgroup;
  static const llvm::StringSet<> known = {
      "affine",  "arith",    "bufferization", "builtin", "cf",
      "complex", "func",     "index",         "linalg",  "math",
      "memref",  "memspace", "scf",           "tensor",  "ub",
      "vector"};
  return known.contains(op->getName().getDialectNamespace())
             ? ExecutionScope::Workgroup
             : ExecutionScope::Thread;
}
