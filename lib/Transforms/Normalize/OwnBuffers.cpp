//===- OwnBuffers.cpp - buffers that only a loop names --------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnBuffers.h"
#include "MemSpace/Spaces/BufferClasses.h"
#include "MemSpace/Spaces/TensorClaims.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::memspace;

bool OwnBuffers::contain(OpOperand &init) {
  bool isOwn = compute(init);
  if (auto loop = dyn_cast<scf::ForOp>(init.getOwner());
      loop && state.isInPlace(init))
    known[loop.getTiedLoopResult(&init)] = isOwn;
  return isOwn;
}

bool OwnBuffers::compute(OpOperand &init) {
  if (!state.isInPlace(init))
    return true;
  auto isSlice = [](Value value) {
    return value.getDefiningOp<tensor::ExtractSliceOp>() != nullptr;
  };
  TraversalConfig config;
  config.followInPlaceOnly = true;
  return llvm::all_of(
      findPossibleSources(
          init, state,
          [&](Value value) { return isSlice(value) || known.contains(value); },
          config),
      [&](Value value) {
        if (auto it = known.find(value); it != known.end())
          return it->second;
        auto arg = dyn_cast<BlockArgument>(value);
        if (!arg)
          return !isSlice(value) && isAllocatedTensor(value);
        auto outer = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
        return outer && contain(*outer.getTiedLoopInit(arg));
      });
}
