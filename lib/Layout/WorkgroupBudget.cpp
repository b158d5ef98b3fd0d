//===- WorkgroupBudget.cpp - what a kernel asks of the GPU -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Layout/WorkgroupBudget.h"
#include "Arena/ScratchKernel.h"
#include "MemSpace/Arena/WorkgroupArena.h"
#include "MemSpace/Layout/WorkgroupLayout.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace mlir::memspace;

StringRef BudgetBuffer::getReason() const {
  if (Operation *op = value.getDefiningOp())
    if (auto reason = op->getAttrOfType<StringAttr>(kReasonAttr))
      return reason.getValue();
  return "";
}

Value BudgetBuffer::getShaped() const {
  if (!value.getDefiningOp<memref::ViewOp>() || !value.hasOneUse())
    return value;
  auto cast = dyn_cast<memref::ReinterpretCastOp>(*value.getUsers().begin());
  bool isWhole = cast && cast.getType().hasStaticShape() &&
                 cast.getStaticOffsets() == ArrayRef<int64_t>{0};
  return isWhole ? cast.getResult() : value;
}

//===----------------------------------------------------------------------===//
// Where the memory comes from
//===----------------------------------------------------------------------===//

namespace {
/// Workgroup memory that is placed as a whole: an allocation, or all dynamic
/// shared memory, which each of `names` names.
struct Root {
  SmallVector<Value, 1> names;
  int64_t bytes = 0;
  int64_t alignment = 1;
  int64_t offset = 0;
  /// The names are buffers that take this place by turns.
  bool isByTurns = false;
};

/// A part of a root with the values that name it.
struct Part {
  SmallVector<Value, 1> names;
  int64_t begin = 0;
  int64_t end = 0;
  /// Its `memspace.buffer`, if any.
  int64_t number = 0;
};
} // namespace

/// True when `op` makes workgroup memory that is not given to it.
static bool allocatesWorkgroupMemory(Operation *op,
                                     const MemorySpaceMapping &spaces) {
  return llvm::any_of(op->getResults(), [&](OpResult result) {
    return isWorkgroupMemory(result.getType(), spaces) &&
           (isa<memref::GetGlobalOp, gpu::DynamicSharedMemoryOp>(op) ||
            hasEffect<MemoryEffects::Allocate>(op, result));
  });
}

/// An error at a call of a function with workgroup memory of its own, which is
/// laid out with the kernel's or not at all.
static LogicalResult checkCalls(FunctionOpInterface function,
                                const MemorySpaceMapping &spaces,
                                DenseSet<Operation *> &visited) {
  auto checkCall = [&](CallOpInterface call) -> WalkResult {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
    if (!callee || callee.isExternal() || !visited.insert(callee).second)
      return WalkResult::advance();
    bool hasOwn = callee.getFunctionBody()
                      .walk([&](Operation *op) {
                        return allocatesWorkgroupMemory(op, spaces)
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
    if (hasOwn)
      return call->emitError()
             << "calls '" << callee.getName()
             << "', which has workgroup memory of its own; inline the call "
                "(memspace-pack-workgroup-memory does) before the budget is "
                "computed";
    return checkCalls(callee, spaces, visited);
  };
  return success(!function.getFunctionBody().walk(checkCall).wasInterrupted());
}

/// All that allocates static workgroup memory in `kernel`.
static SmallVector<Value> getAllocations(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  SmallVector<Value> values;
  if (auto func = dyn_cast<gpu::GPUFuncOp>(kernel.getOperation()))
    llvm::append_range(values, func.getWorkgroupAttributions());
  kernel.getFunctionBody().walk([&](Operation *op) {
    if (allocatesWorkgroupMemory(op, context.getSpaces()) &&
        !isa<gpu::DynamicSharedMemoryOp>(op))
      values.push_back(op->getResult(0));
  });
  return values;
}

static InFlightDiagnostic refuseSize(Value value, FunctionOpInterface kernel) {
  auto diag = emitError(value.getLoc())
              << "buffer of type " << value.getType()
              << " has no static size, so the memory of kernel '"
              << kernel.getName() << "' cannot be checked; bound its extents";
  auto type = dyn_cast<MemRefType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (type && op && isa<memref::AllocaOp>(op))
    for (Value extent : cast<memref::AllocaOp>(op).getDynamicSizes())
      diag.attachNote(extent.getLoc())
          << "the extent '" << getPrintedName(extent, kernel)
          << "' has no bound";
  return diag;
}

/// The static workgroup memory of `kernel`, laid out. `bytes` is what it takes.
static LogicalResult addStaticRoots(const KernelContext &context,
                                    std::vector<Root> &roots, int64_t &bytes,
                                    bool &packed) {
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  SmallVector<Value> allocations = getAllocations(context);
  packed = allocations.empty();
  if (allocations.size() == 1 && isArena(allocations.front())) {
    Value arena = allocations.front();
    auto type = cast<MemRefType>(arena.getType());
    std::optional<int64_t> size = getBufferBytes(type, target);
    if (!size)
      return refuseSize(arena, kernel);
    packed = true;
    bytes = *size;
    roots.push_back(
        {{arena}, *size, getBufferAlignment(type.getElementType(), target), 0});
    return success();
  }
  FailureOr<WorkgroupPacking> packing = WorkgroupPacking::compute(context);
  if (failed(packing))
    return failure();
  // What is in the way of packing is erased from a copy.
  ScratchKernel scratch(kernel);
  KernelContext copy = context.withKernel(scratch.getKernel());
  FailureOr<WorkgroupPacking> prepared = preparePacking(copy);
  assert(succeeded(prepared) && "as succeeded for the kernel");
  packing::Solution layout = chooseLayout(copy, *prepared).solution;
  bytes = layout.height;
  // Of the copy, more buffers may take one place by turns.
  DenseMap<Value, unsigned> indices;
  for (auto [buffer, offset] :
       llvm::zip_equal(prepared->getBuffers(), layout.offsets)) {
    indices[buffer.value] = roots.size();
    for (Value follower : buffer.followers)
      indices[follower] = roots.size();
    roots.push_back({{}, buffer.bytes, buffer.alignment, offset});
    roots.back().isByTurns = !buffer.followers.empty();
  }
  for (const WorkgroupBuffer &buffer : packing->getBuffers()) {
    SmallVector<Value> names = {buffer.value};
    llvm::append_range(names, buffer.followers);
    for (Value name : names)
      roots[indices.lookup(scratch.lookup(name))].names.push_back(name);
  }
  return success();
}

/// Dynamic shared memory, which the hardware puts behind the static one.
static LogicalResult addDynamicRoot(FunctionOpInterface kernel,
                                    std::vector<Root> &roots, int64_t &bytes) {
  Root root;
  kernel.getFunctionBody().walk([&](gpu::DynamicSharedMemoryOp op) {
    root.names.push_back(op.getResult());
  });
  auto attr = kernel->getAttrOfType<IntegerAttr>(kDynamicBytesAttr);
  if (root.names.empty() && !attr)
    return success();
  if (!attr)
    return root.names.front().getDefiningOp()->emitError()
           << "dynamic workgroup memory of unknown size; give its bytes in '"
           << kDynamicBytesAttr << "' on kernel '" << kernel.getName() << "'";
  root.bytes = attr.getInt();
  root.alignment = kDynamicAlignment;
  root.offset = llvm::alignTo(bytes, kDynamicAlignment);
  std::optional<int64_t> end =
      root.bytes < 0 ? std::nullopt
                     : llvm::checkedAdd<int64_t>(root.offset, root.bytes);
  if (!end)
    return kernel->emitError() << "'" << kDynamicBytesAttr << "' of kernel '"
                               << kernel.getName() << "' must be a number of "
                               << "bytes";
  bytes = *end;
  if (!root.names.empty())
    roots.push_back(std::move(root));
  return success();
}

//===----------------------------------------------------------------------===//
// The buffers in it
//===----------------------------------------------------------------------===//

/// The buffers in `root`: the views of a packed arena, or the views of byte
/// memory that lie apart. Empty when the root is used in any other way.
static std::vector<Part> getParts(const Root &root, const TargetInfo &target) {
  std::vector<Part> parts;
  // The views of one buffer carry its number.
  std::map<int64_t, unsigned> partOf;
  bool allNumbered = true;
  for (Value name : root.names) {
    SmallVector<Operation *> users(name.getUsers());
    for (Operation *user : llvm::reverse(users)) {
      if (isa<memref::DeallocOp>(user))
        continue;
      auto view = dyn_cast<memref::ViewOp>(user);
      if (!view)
        return {};
      std::optional<int64_t> begin = getConstantIntValue(view.getByteShift());
      std::optional<int64_t> bytes = getBufferBytes(view.getType(), target);
      if (!begin || !bytes || *begin < 0 || *begin > root.bytes ||
          *bytes > root.bytes - *begin)
        return {};
      auto number = view->getAttrOfType<IntegerAttr>(kBufferAttr);
      Part part{{view}, *begin, *begin + *bytes, number ? number.getInt() : 0};
      allNumbered &= number != nullptr;
      unsigned slot = parts.size();
      if (number)
        slot = partOf.try_emplace(part.number, slot).first->second;
      if (slot == parts.size()) {
        parts.push_back(std::move(part));
        continue;
      }
      parts[slot].names.push_back(view);
      parts[slot].begin = std::min(parts[slot].begin, part.begin);
      parts[slot].end = std::max(parts[slot].end, part.end);
    }
  }
  // Numbers are in program order.
  llvm::stable_sort(parts, [](const Part &a, const Part &b) {
    return std::tie(a.number, a.begin) < std::tie(b.number, b.begin);
  });
  if (allNumbered || isArena(root.names.front()))
    return parts;
  llvm::stable_sort(
      parts, [](const Part &a, const Part &b) { return a.begin < b.begin; });
  // Views of other compilers that share bytes may be one buffer or two.
  int64_t end = 0;
  for (const Part &part : parts) {
    if (part.begin < end)
      return {};
    end = std::max(end, part.end);
  }
  return parts;
}

LogicalResult
WorkgroupBudget::addWorkgroupMemory(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  DenseSet<Operation *> visited = {kernel};
  std::vector<Root> roots;
  if (failed(checkCalls(kernel, context.getSpaces(), visited)) ||
      failed(addStaticRoots(context, roots, workgroupBytes, packed)) ||
      failed(addDynamicRoot(kernel, roots, workgroupBytes)))
    return failure();

  SmallVector<Value> values;
  DenseSet<Value> byTurns;
  for (const Root &root : roots) {
    std::vector<Part> parts = getParts(root, target);
    if (root.isByTurns && parts.empty()) {
      llvm::append_range(values, root.names);
      byTurns.insert(root.names.front());
    }
    for (const Part &part : parts) {
      Type element =
          cast<MemRefType>(part.names.front().getType()).getElementType();
      buffers.push_back({part.names.front(), part.end - part.begin,
                         getBufferAlignment(element, target),
                         root.offset + part.begin, part.names.size() == 1});
    }
    if (parts.empty())
      buffers.push_back({root.names.front(), root.bytes, root.alignment,
                         root.offset, root.names.size() == 1});
  }

  // What is written under one name and read under another is taken to be always
  // live.
  for (const BudgetBuffer &buffer : buffers)
    if (buffer.hasOneName)
      values.push_back(buffer.value);
  liveness.emplace(context, values);
  packing::LiveRange always = {{0, std::max<int64_t>(getNumPoints(), 1)}};
  for (auto [number, buffer] : llvm::enumerate(buffers))
    problem.buffers.push_back(
        {"#" + std::to_string(number), buffer.bytes, buffer.alignment,
         buffer.hasOneName || byTurns.contains(buffer.value)
             ? liveness->getRange(buffer.value)
             : always});
  if (llvm::Error error = problem.check())
    return kernel->emitError()
           << "the workgroup memory of kernel '" << kernel.getName()
           << "' cannot be counted: " << llvm::toString(std::move(error))
           << "; use smaller buffers";
  // An arena may align its buffers more than they need, or have holes.
  sumBytes = std::max(packing::bump(problem).height, workgroupBytes);
  findPeak();
  return success();
}

void WorkgroupBudget::findPeak() {
  // Views that were moved out of their loops seem to live longer.
  peakLiveBytes = std::min(packing::getPeakLiveBytes(problem), workgroupBytes);
  std::optional<int64_t> time = packing::getPeakTime(problem);
  if (!time)
    return;
  for (auto [index, buffer] : llvm::enumerate(problem.buffers))
    if (packing::overlap(buffer.live, {{*time, *time + 1}}))
      atPeak.push_back(index);
  llvm::stable_sort(atPeak, [&](unsigned a, unsigned b) {
    return buffers[a].bytes > buffers[b].bytes;
  });
}

/// True when `buffer` gives ops its shape, and nothing else.
static bool isShapeOnly(Value buffer) {
  BufferUses uses = collectBufferUses(buffer);
  auto touches = [](OpOperand *operand) {
    auto structured = dyn_cast<linalg::LinalgOp>(operand->getOwner());
    if (structured && structured.isDpsInput(operand))
      return structured.payloadUsesValueFromOperand(operand);
    auto interface = dyn_cast<MemoryEffectOpInterface>(operand->getOwner());
    if (!interface)
      return !isMemoryEffectFree(operand->getOwner());
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    return llvm::any_of(effects, [&](const auto &effect) {
      return !effect.getValue() || effect.getValue() == operand->get();
    });
  };
  return uses.escapes.empty() && !uses.accesses.empty() &&
         llvm::none_of(uses.accesses, touches);
}

LogicalResult WorkgroupBudget::addPrivateMemory(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  const TargetInfo &target = context.getTarget();
  SmallVector<Value> values;
  if (auto func = dyn_cast<gpu::GPUFuncOp>(kernel.getOperation()))
    llvm::append_range(values, func.getPrivateAttributions());
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>(
      [&](memref::AllocaOp alloca) {
        if (!isWorkgroupMemory(alloca.getType(), context.getSpaces()))
          values.push_back(alloca);
      });
  for (Value value : values) {
    if (isShapeOnly(value))
      continue;
    auto type = cast<MemRefType>(value.getType());
    std::optional<int64_t> bytes = getBufferBytes(type, target);
    if (!bytes)
      return refuseSize(value, kernel);
    std::optional<int64_t> sum = llvm::checkedAdd(privateBytes, *bytes);
    if (!sum)
      return kernel->emitError()
             << "the private buffers of kernel '" << kernel.getName()
             << "' have more bytes than can be counted; use smaller buffers";
    privateBytes = *sum;
    privateBuffers.push_back(
        {value, *bytes,
         getElementAlignment(type.getElementType(), target).value_or(1)});
  }
  return success();
}

FailureOr<WorkgroupBudget>
WorkgroupBudget::compute(const KernelContext &context) {
  WorkgroupBudget budget;
  if (failed(budget.addWorkgroupMemory(context)) ||
      failed(budget.addPrivateMemory(context)))
    return failure();
  return budget;
}
