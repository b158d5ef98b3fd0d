//===- ExecutionScope.cpp - who executes an op -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/ExecutionScope.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

std::optional<ForallMapping>
mlir::memspace::getForallMapping(scf::ForallOp forall) {
  std::optional<ArrayAttr> attrs = forall.getMapping();
  if (!attrs || attrs->empty() ||
      attrs->size() != static_cast<size_t>(forall.getRank()))
    return std::nullopt;
  ForallMapping mapping;
  for (auto [index, attr] : llvm::enumerate(*attrs)) {
    auto entry = dyn_cast<ExecutionMappingAttrInterface>(attr);
    if (!entry)
      return std::nullopt;
    if (index == 0) {
      mapping.scope = entry.getIterationScope();
      mapping.lane = entry.isLaneMapping();
      mapping.linear = entry.isLinear();
    } else if (mapping.scope != entry.getIterationScope() ||
               mapping.lane != entry.isLaneMapping() ||
               mapping.linear != entry.isLinear()) {
      return std::nullopt;
    }
    if (llvm::is_contained(mapping.dims, entry.getDimension()))
      return std::nullopt;
    mapping.dims.push_back(entry.getDimension());
  }
  return mapping;
}

bool mlir::memspace::isThreadForall(scf::ForallOp forall) {
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  return mapping && mapping->scope == ExecutionScope::Thread;
}

bool mlir::memspace::isBlockForall(Operation *op) {
  auto forall = dyn_cast<scf::ForallOp>(op);
  if (!forall)
    return false;
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  return mapping && mapping->scope == ExecutionScope::Workgroup;
}

std::optional<int64_t> mlir::memspace::getStaticTripCount(scf::ForallOp forall,
                                                          unsigned dim) {
  // No attribute is made of what is written in the op.
  auto getConstant = [&](ArrayRef<int64_t> numbers, ValueRange values) {
    if (!ShapedType::isDynamic(numbers[dim]))
      return std::optional(numbers[dim]);
    return getConstantIntValue(
        values[llvm::count_if(numbers.take_front(dim), ShapedType::isDynamic)]);
  };
  std::optional<int64_t> lower =
      getConstant(forall.getStaticLowerBound(), forall.getDynamicLowerBound());
  std::optional<int64_t> upper =
      getConstant(forall.getStaticUpperBound(), forall.getDynamicUpperBound());
  std::optional<int64_t> step =
      getConstant(forall.getStaticStep(), forall.getDynamicStep());
  int64_t span;
  if (!lower || !upper || !step || *step <= 0 ||
      llvm::SubOverflow(*upper, *lower, span))
    return std::nullopt;
  return span <= 0 ? 0 : llvm::divideCeilSigned(span, *step);
}

std::optional<SmallVector<int64_t, 3>>
mlir::memspace::getStaticTripCounts(scf::ForallOp forall) {
  SmallVector<int64_t, 3> counts;
  for (int64_t dim = 0; dim < forall.getRank(); ++dim) {
    std::optional<int64_t> count = getStaticTripCount(forall, dim);
    if (!count)
      return std::nullopt;
    counts.push_back(*count);
  }
  return counts;
}

bool mlir::memspace::runsOnceInWorkgroup(
    scf::ForallOp forall, const std::optional<LaunchSizes> &grid) {
  std::optional<ForallMapping> mapping = getForallMapping(forall);
  if (!mapping || mapping->scope != ExecutionScope::Workgroup)
    return false;
  if (!grid)
    return true;
  std::optional<SmallVector<int64_t, 3>> counts = getStaticTripCounts(forall);
  if (!counts)
    return false;
  if (mapping->linear) {
    int64_t total = 1;
    for (int64_t count : *counts)
      if (llvm::MulOverflow(total, count, total))
        return false;
    std::optional<int64_t> available = multiplySizes(*grid);
    return available && total <= *available;
  }
  return llvm::all_of_zip(mapping->dims, *counts,
                          [&](unsigned dim, int64_t count) {
                            return dim < 3 && count <= (*grid)[dim];
                          });
}

ExecutionScopeAnalysis::ExecutionScopeAnalysis(Operation *root) {
  auto addKernel = [&](FunctionOpInterface func) {
    WalkResult result =
        func->walk<WalkOrder::PreOrder>([&](scf::ForallOp forall) {
          std::optional<ForallMapping> mapping = getForallMapping(forall);
          if (!mapping)
            return WalkResult::advance();
          // Inside of other foralls of a kernel there is none.
          return mapping->scope == ExecutionScope::Workgroup
                     ? WalkResult::interrupt()
                     : WalkResult::skip();
        });
    kernelBodyScope[func] = result.wasInterrupted() ? ExecutionScope::Grid
                                                    : ExecutionScope::Workgroup;
  };
  if (auto parent = root->getParentOfType<FunctionOpInterface>())
    addKernel(parent);
  // Functions have none inside.
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface func) {
    addKernel(func);
    return WalkResult::skip();
  });
}

ExecutionScope ExecutionScopeAnalysis::getScope(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
      auto [it, isNew] = scopeOfMapping.try_emplace(
          {forall.getMappingAttr(), forall.getRank()});
      if (isNew)
        if (std::optional<ForallMapping> mapping = getForallMapping(forall))
          it->second = mapping->scope;
      if (it->second)
        return *it->second;
      continue;
    }
    if (isa<FunctionOpInterface>(parent)) {
      auto it = kernelBodyScope.find(parent);
      return it == kernelBodyScope.end() ? ExecutionScope::Workgroup
                                         : it->second;
    }
  }
  return ExecutionScope::Workgroup;
}

ExecutionScope ExecutionScopeAnalysis::getScope(Value value) const {
  if (Operation *def = value.getDefiningOp())
    return getScope(def);
  // A block argument belongs to the body of its op.
  Block *block = cast<BlockArgument>(value).getOwner();
  if (!block->empty())
    return getScope(&block->front());
  return getScope(block->getParentOp());
}

scf::ForallOp mlir::memspace::getEnclosingForall(Operation *op,
                                                 ExecutionScope scope) {
  for (auto forall = op->getParentOfType<scf::ForallOp>(); forall;
       forall = forall->getParentOfType<scf::ForallOp>()) {
    std::optional<ForallMapping> mapping = getForallMapping(forall);
    if (mapping && mapping->scope == scope)
      return forall;
  }
  return {};
}
