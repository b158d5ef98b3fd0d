//===- WorkgroupBudget.cpp - what a kernel asks of the GPU -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Analysis/WorkgroupBudget.h"
#include "MemSpace/Analysis/BufferSize.h"
#include "MemSpace/Analysis/BufferUses.h"
#include "MemSpace/Analysis/WorkgroupLiveness.h"
#include "MemSpace/Packing/Solvers.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::memspace;

StringRef BudgetBuffer::getReason() const {
  if (Operation *op = value.getDefiningOp())
    if (auto reason = op->getAttrOfType<StringAttr>(kReasonAttr))
      return reason.getValue();
  return "";
}

SmallVector<BudgetBuffer> WorkgroupBudget::getBuffersAtPeak() const {
  SmallVector<BudgetBuffer> result;
  for (unsigned index : atPeak)
    result.push_back(buffers[index]);
  llvm::stable_sort(result, [](const BudgetBuffer &a, const BudgetBuffer &b) {
    return a.bytes > b.bytes;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Where the memory comes from
//===----------------------------------------------------------------------===//

namespace {
/// Memory that the kernel gets from the GPU, with the buffers in it.
struct Root {
  Value value;
  int64_t bytes = 0;
  int64_t alignment = 1;
};
} // namespace

static Location getLoc(Value value, FunctionOpInterface kernel) {
  Operation *op = value.getDefiningOp();
  return op ? op->getLoc() : kernel.getLoc();
}

/// Bytes of one allocation; for dynamic shared memory those on the kernel.
static FailureOr<int64_t> getRootBytes(Value value, FunctionOpInterface kernel,
                                       const TargetInfo &target) {
  auto type = cast<MemRefType>(value.getType());
  if (value.getDefiningOp<gpu::DynamicSharedMemoryOp>())
    if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr))
      return bytes.getInt();
  if (std::optional<int64_t> bytes = getBufferBytes(type, target))
    return *bytes;
  return emitError(getLoc(value, kernel))
         << "buffer of type " << type
         << " has no static size, so the memory of kernel '" << kernel.getName()
         << "' cannot be checked; bound its extents";
}

static int64_t getRootAlignment(Value value, const TargetInfo &target) {
  int64_t alignment = getBufferAlignment(
      cast<MemRefType>(value.getType()).getElementType(), target);
  if (Operation *op = value.getDefiningOp())
    if (auto attr = op->getAttrOfType<IntegerAttr>("alignment"))
      alignment = std::max(alignment, attr.getInt());
  return alignment;
}

/// The workgroup (or else private) memory that `kernel` gets.
static SmallVector<Value> getRoots(FunctionOpInterface kernel, bool workgroup) {
  SmallVector<Value> roots;
  if (auto func = dyn_cast<gpu::GPUFuncOp>(kernel.getOperation()))
    llvm::append_range(roots, workgroup ? func.getWorkgroupAttributions()
                                        : func.getPrivateAttributions());
  llvm::DenseSet<StringRef> globals;
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 0 ||
        !isa<MemRefType>(op->getResult(0).getType()))
      return;
    Value result = op->getResult(0);
    if (isWorkgroupMemory(result.getType()) != workgroup)
      return;
    if (isa<memref::AllocaOp>(op))
      roots.push_back(result);
    if (!workgroup)
      return;
    auto global = dyn_cast<memref::GetGlobalOp>(op);
    if (isa<memref::AllocOp, gpu::DynamicSharedMemoryOp>(op) ||
        (global && globals.insert(global.getName()).second))
      roots.push_back(result);
  });
  return roots;
}

/// The buffers in `root` with their offsets: its views when it is nothing but a
/// byte arena with views at constant offsets, else itself.
static SmallVector<std::pair<int64_t, BudgetBuffer>>
getBuffersIn(const Root &root, const TargetInfo &target) {
  SmallVector<std::pair<int64_t, BudgetBuffer>> buffers;
  for (Operation *user : root.value.getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    auto view = dyn_cast<memref::ViewOp>(user);
    std::optional<int64_t> shift, bytes;
    if (view) {
      shift = getConstantIntValue(view.getByteShift());
      bytes = getBufferBytes(view.getType(), target);
    }
    if (!shift || !bytes)
      return {{0, BudgetBuffer{root.value, root.bytes}}};
    buffers.push_back({*shift, BudgetBuffer{view, *bytes}});
  }
  llvm::stable_sort(buffers, llvm::less_first());
  if (buffers.empty())
    buffers.push_back({0, BudgetBuffer{root.value, root.bytes}});
  return buffers;
}

/// The next `bytes` of a bump layout that ends at `end`.
static LogicalResult bump(int64_t &end, int64_t bytes, int64_t alignment) {
  if (end > (int64_t(1) << 61))
    return failure();
  std::optional<int64_t> next =
      llvm::checkedAdd<int64_t>(llvm::alignTo(end, alignment), bytes);
  if (!next)
    return failure();
  end = *next;
  return success();
}

FailureOr<WorkgroupBudget> WorkgroupBudget::compute(FunctionOpInterface kernel,
                                                    const TargetInfo &target) {
  WorkgroupBudget budget;
  bool overflow = false;
  for (Value value : getRoots(kernel, /*workgroup=*/true)) {
    FailureOr<int64_t> bytes = getRootBytes(value, kernel, target);
    if (failed(bytes))
      return failure();
    Root root{value, *bytes, getRootAlignment(value, target)};
    overflow |= failed(bump(budget.workgroupBytes, root.bytes, root.alignment));
    for (auto &[offset, buffer] : getBuffersIn(root, target)) {
      Type element = cast<MemRefType>(buffer.value.getType()).getElementType();
      int64_t alignment = buffer.value == root.value
                              ? root.alignment
                              : getBufferAlignment(element, target);
      overflow |= failed(bump(budget.sumBytes, buffer.bytes, alignment));
      budget.buffers.push_back(buffer);
    }
  }
  for (Value value : getRoots(kernel, /*workgroup=*/false)) {
    FailureOr<int64_t> bytes = getRootBytes(value, kernel, target);
    if (failed(bytes))
      return failure();
    overflow |= failed(bump(budget.privateBytes, *bytes, 1));
    budget.privateBuffers.push_back({value, *bytes});
  }
  if (overflow)
    return kernel->emitError() << "the buffers of kernel '" << kernel.getName()
                               << "' have more bytes than can be counted";
  // An arena may align its buffers more than they need.
  budget.sumBytes = std::max(budget.sumBytes, budget.workgroupBytes);

  packing::Problem problem;
  SmallVector<Value> values = llvm::map_to_vector(
      budget.buffers, [](const BudgetBuffer &buffer) { return buffer.value; });
  WorkgroupLiveness liveness(kernel, values);
  for (const BudgetBuffer &buffer : budget.buffers)
    problem.buffers.push_back(
        {"", buffer.bytes, 1, liveness.getRange(buffer.value)});
  // Views that were moved out of their loops seem to live longer.
  budget.peakLiveBytes =
      std::min(packing::getPeakLiveBytes(problem), budget.workgroupBytes);
  if (std::optional<int64_t> time = packing::getPeakTime(problem))
    for (auto [index, buffer] : llvm::enumerate(problem.buffers))
      if (packing::overlap(buffer.live, {{*time, *time + 1}}))
        budget.atPeak.push_back(index);
  return budget;
}
