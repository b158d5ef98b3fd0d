//===- DistributeToThreads.cpp - whole-tensor work spread over threads -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribution.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "MemSpace/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MEMSPACEDISTRIBUTETOTHREADS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
struct DistributeToThreadsPass
    : public memspace::impl::MemSpaceDistributeToThreadsBase<
          DistributeToThreadsPass> {
  using Base::Base;
  void runOnOperation() override {
    for (FunctionOpInterface kernel : getKernels(getOperation())) {
      FailureOr<TargetInfo> target = resolveTarget(
          kernel, {chip, workgroupLimit, privateLimit, subgroupSize});
      if (failed(target))
        return signalPassFailure();
      MemorySpaceOptions options;
      options.target = *target;
      if (failed(distributeToThreads(kernel, options)))
        return signalPassFailure();
    }
  }
};
} // namespace
