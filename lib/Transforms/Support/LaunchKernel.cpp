//===- LaunchKernel.cpp - the body of a launch as a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchKernel.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::memspace;

static std::optional<LaunchSizes> getConstants(gpu::KernelDim3 sizes) {
  LaunchSizes constants;
  Value values[] = {sizes.x, sizes.y, sizes.z};
  for (auto [constant, value] : llvm::zip_equal(constants, values)) {
    std::optional<int64_t> size = getConstantIntValue(value);
    if (!size)
      return std::nullopt;
    constant = *size;
  }
  return constants;
}

std::optional<LaunchSizes>
mlir::memspace::getStaticBlockSize(gpu::LaunchOp launch) {
  return getConstants(launch.getBlockSizeOperandValues());
}

static void setSizes(func::FuncOp func, StringRef name,
                     std::optional<LaunchSizes> sizes) {
  if (!sizes)
    return;
  // What does not fit in an attribute is malformed, and said to be so.
  SmallVector<int32_t> clamped;
  for (int64_t size : *sizes)
    clamped.push_back(std::clamp<int64_t>(size,
                                          std::numeric_limits<int32_t>::min(),
                                          std::numeric_limits<int32_t>::max()));
  func->setAttr(name, DenseI32ArrayAttr::get(func.getContext(), clamped));
}

LaunchKernel::LaunchKernel(gpu::LaunchOp launch) : launch(launch) {
  OpBuilder builder(launch);
  auto parent = launch->getParentOfType<FunctionOpInterface>();
  func = func::FuncOp::create(builder, launch.getLoc(),
                              parent ? parent.getName() : "launch",
                              builder.getFunctionType({}, {}));
  func.getBody().takeBody(launch.getBody());
  setSizes(func, "gpu.known_block_size",
           getConstants(launch.getBlockSizeOperandValues()));
  setSizes(func, "gpu.known_grid_size",
           getConstants(launch.getGridSizeOperandValues()));
  if (Value bytes = launch.getDynamicSharedMemorySize())
    if (std::optional<int64_t> constant = getConstantIntValue(bytes))
      func->setAttr(kDynamicBytesAttr, builder.getI64IntegerAttr(*constant));
  if (Attribute spaces = launch->getAttr(kMemorySpacesAttr))
    func->setAttr(kMemorySpacesAttr, spaces);
  nameSizes();
  nameAttributions();
  func.getBody().front().eraseArguments(0, names.size());
  captureOperands();
}

void LaunchKernel::name(BlockArgument arg, Operation *op) {
  names.push_back({op, arg.getArgNumber()});
  arg.replaceAllUsesWith(op->getResult(0));
}

/// The first twelve arguments are ids and sizes; clusters add six.
void LaunchKernel::nameSizes() {
  Block &entry = func.getBody().front();
  OpBuilder builder(&entry, entry.begin());
  const gpu::Dimension dims[] = {gpu::Dimension::x, gpu::Dimension::y,
                                 gpu::Dimension::z};
  auto nameThree = [&](auto make) {
    for (gpu::Dimension dim : dims)
      name(entry.getArgument(names.size()), make(dim));
  };
  Location loc = launch.getLoc();
  nameThree(
      [&](auto dim) { return gpu::BlockIdOp::create(builder, loc, dim); });
  nameThree(
      [&](auto dim) { return gpu::ThreadIdOp::create(builder, loc, dim); });
  nameThree(
      [&](auto dim) { return gpu::GridDimOp::create(builder, loc, dim); });
  nameThree(
      [&](auto dim) { return gpu::BlockDimOp::create(builder, loc, dim); });
  if (!launch.hasClusterSize())
    return;
  nameThree(
      [&](auto dim) { return gpu::ClusterIdOp::create(builder, loc, dim); });
  nameThree(
      [&](auto dim) { return gpu::ClusterDimOp::create(builder, loc, dim); });
}

void LaunchKernel::nameAttributions() {
  Block &entry = func.getBody().front();
  OpBuilder builder(&entry, entry.begin());
  unsigned numWorkgroup = launch.getNumWorkgroupAttributions();
  for (unsigned i = names.size(), first = i; i < entry.getNumArguments(); ++i) {
    BlockArgument arg = entry.getArgument(i);
    auto type = cast<MemRefType>(arg.getType());
    if (i - first < numWorkgroup)
      name(arg, memref::AllocOp::create(builder, arg.getLoc(), type));
    else
      name(arg, memref::AllocaOp::create(builder, arg.getLoc(), type));
  }
}

/// Memory that no other name of the host can overlap.
static bool isMemoryRoot(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
           arg.getOwner()->isEntryBlock();
  return hasEffect<MemoryEffects::Allocate>(value.getDefiningOp(), value);
}

void LaunchKernel::captureOperands() {
  Block &entry = func.getBody().front();
  OpBuilder builder(&entry, entry.begin());
  IRMapping mapping;
  auto capture = [&](Value value) {
    Type type = value.getType();
    bool mayOverlap = isa<BaseMemRefType>(type) && !isMemoryRoot(value);
    BlockArgument arg = entry.addArgument(
        mayOverlap ? builder.getIndexType() : type, value.getLoc());
    if (!mayOverlap)
      return mapping.map(value, arg);
    // Nothing is known of memory that a cast makes from a number.
    auto cast =
        UnrealizedConversionCastOp::create(builder, value.getLoc(), type, arg);
    clones.push_back(cast);
    mapping.map(value, cast.getResult(0));
  };
  auto canRepeat = [](Operation *op) {
    return op && op->getNumRegions() == 0 && isMemoryEffectFree(op);
  };
  // Operands before the ops that are computed from them.
  auto take = [&](Value root) {
    SmallVector<Value> work{root};
    while (!work.empty()) {
      Value value = work.back();
      Operation *op = value.getDefiningOp();
      if (mapping.contains(value)) {
        work.pop_back();
        continue;
      }
      if (!canRepeat(op)) {
        capture(value);
        continue;
      }
      size_t before = work.size();
      for (Value operand : op->getOperands())
        if (!mapping.contains(operand))
          work.push_back(operand);
      if (work.size() == before)
        clones.push_back(builder.clone(*op, mapping));
    }
  };
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(func.getBody(), used);
  for (Value value : used) {
    take(value);
    replaceAllUsesInRegionWith(value, mapping.lookup(value), func.getBody());
  }
  for (auto [host, copy] : mapping.getValueMap())
    originals[copy] = host;
  func.setFunctionType(
      builder.getFunctionType(entry.getArgumentTypes(), TypeRange()));
}

LaunchKernel::~LaunchKernel() {
  Block &entry = func.getBody().front();
  for (Operation *clone : llvm::reverse(clones)) {
    for (Value result : clone->getResults())
      if (Value host = originals.lookup(result))
        result.replaceAllUsesWith(host);
    clone->erase();
  }
  for (BlockArgument arg : entry.getArguments())
    if (Value host = originals.lookup(arg))
      arg.replaceAllUsesWith(host);
  entry.eraseArguments(0, entry.getNumArguments());
  for (auto [op, number] : names)
    entry.addArgument(op->getResult(0).getType(), op->getLoc());
  for (auto [op, number] : names) {
    op->getResult(0).replaceAllUsesWith(entry.getArgument(number));
    op->erase();
  }
  launch.getBody().takeBody(func.getBody());
  for (NamedAttribute attr : func->getDiscardableAttrs())
    if (isa_and_nonnull<MemSpaceDialect>(attr.getNameDialect()) &&
        attr.getName() != kDynamicBytesAttr)
      launch->setAttr(attr.getName(), attr.getValue());
  func.erase();
}
