//===- WorkgroupPacking.cpp - workgroup buffers as a packing problem -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Workgroup/WorkgroupPacking.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::memspace;

std::string mlir::memspace::getPrintedName(Value value, Operation *scope) {
  std::string name;
  llvm::raw_string_ostream os(name);
  AsmState state(scope, OpPrintingFlags().useLocalScope());
  value.printAsOperand(os, state);
  return name;
}

//===----------------------------------------------------------------------===//
// Collecting
//===----------------------------------------------------------------------===//

static InFlightDiagnostic emitErrorAt(Value value, FunctionOpInterface kernel) {
  if (Operation *op = value.getDefiningOp())
    return op->emitError();
  return kernel->emitError();
}

static LogicalResult refuseDynamic(FunctionOpInterface kernel, Operation *alloc,
                                   MemRefType type) {
  unsigned dim = 0;
  while (!type.isDynamicDim(dim))
    ++dim;
  Value extent = alloc->getOperand(0);
  auto diag = alloc->emitError()
              << "workgroup buffer of type " << type
              << " has the dynamic extent '" << getPrintedName(extent, kernel)
              << "' in dimension " << dim
              << "; a kernel never allocates dynamically: bound the extent "
                 "(arith.minsi, affine.min) before bufferization, so that the "
                 "bound is allocated";
  diag.attachNote(extent.getLoc()) << "the extent is defined here";
  return failure();
}

/// What the buffer asks for; accesses through a view may ask for more.
static int64_t getAlignment(Value value, MemRefType type,
                            std::optional<int64_t> given,
                            const TargetInfo &target) {
  int64_t alignment = getBufferAlignment(type.getElementType(), target);
  alignment = std::max(alignment, given.value_or(1));
  for (Operation *user : value.getUsers())
    if (auto view = dyn_cast<memref::ViewOp>(user))
      alignment =
          std::max(alignment,
                   getBufferAlignment(view.getType().getElementType(), target));
  return alignment;
}

static std::optional<int64_t> toBytes(IntegerAttr alignment) {
  if (!alignment)
    return std::nullopt;
  return alignment.getInt();
}

/// The alignment that the IR gives the buffer; failure for what cannot be a
/// buffer of the arena.
static FailureOr<std::optional<int64_t>> checkOrigin(FunctionOpInterface kernel,
                                                     Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto func = cast<gpu::GPUFuncOp>(kernel.getOperation());
    unsigned index = llvm::find(func.getWorkgroupAttributions(), value) -
                     func.getWorkgroupAttributions().begin();
    return toBytes(dyn_cast_or_null<IntegerAttr>(
        func.getWorkgroupAttributionAttr(index, "llvm.align")));
  }
  if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, get.getNameAttr());
    bool isSet = global.getConstant() ||
                 (global.getInitialValue() && !global.isUninitialized());
    if (!isSet)
      return toBytes(global.getAlignmentAttr());
    auto diag = op->emitError()
                << "workgroup memory '" << get.getName()
                << "' has an initial value, which no GPU can give it; store "
                   "the value in the kernel";
    diag.attachNote(global.getLoc()) << "the global is here";
    return failure();
  }
  if (!isa<memref::AllocOp, memref::AllocaOp>(op))
    return op->emitError()
           << "allocates workgroup memory in a way that cannot be packed; use "
              "a static memref.alloc";
  return toBytes(op->getAttrOfType<IntegerAttr>("alignment"));
}

static FailureOr<WorkgroupBuffer>
checkBuffer(FunctionOpInterface kernel, Value value, const TargetInfo &target) {
  FailureOr<std::optional<int64_t>> alignment = checkOrigin(kernel, value);
  if (failed(alignment))
    return failure();
  auto type = cast<MemRefType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!type.hasStaticShape())
    return refuseDynamic(kernel, op, type);
  std::optional<int64_t> bytes = getBufferBytes(type, target);
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  bool isStrided = succeeded(type.getStridesAndOffset(strides, offset));
  if (!bytes || !isStrided || offset != 0)
    return emitErrorAt(value, kernel)
           << "workgroup buffer of type " << type
           << " has no static size in bytes; use an element type and a layout "
              "with a static size";
  return WorkgroupBuffer{value, *bytes,
                         getAlignment(value, type, *alignment, target)};
}

/// The buffers of `kernel` in program order.
static SmallVector<Value> collectBuffers(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  const MemorySpaceMapping &spaces = context.getSpaces();
  SmallVector<Value> values;
  if (auto func = dyn_cast<gpu::GPUFuncOp>(kernel.getOperation()))
    llvm::append_range(values, func.getWorkgroupAttributions());
  llvm::DenseSet<StringRef> globals;
  kernel.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      if (isWorkgroupMemory(get.getType(), spaces) &&
          globals.insert(get.getName()).second)
        values.push_back(get);
      return;
    }
    for (OpResult result : op->getResults())
      if (isWorkgroupMemory(result.getType(), spaces) &&
          isa<MemRefType>(result.getType()) &&
          hasEffect<MemoryEffects::Allocate>(op, result))
        values.push_back(result);
  });
  return values;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

static SmallVector<Value> getValues(ArrayRef<WorkgroupBuffer> buffers) {
  return llvm::map_to_vector(
      buffers, [](const WorkgroupBuffer &buffer) { return buffer.value; });
}

SmallVector<unsigned>
mlir::memspace::getIndicesOfNumbers(ArrayRef<WorkgroupBuffer> buffers) {
  auto indices = llvm::to_vector(llvm::seq<unsigned>(buffers.size()));
  for (auto [index, buffer] : llvm::enumerate(buffers))
    indices.append(buffer.followers.size(), index);
  return indices;
}

/// Makes one buffer of those that take one place by turns.
void WorkgroupPacking::joinSuccessions() {
  DenseMap<Value, unsigned> numbers;
  for (auto [number, buffer] : llvm::enumerate(buffers))
    numbers[buffer.value] = number;
  DenseSet<Value> joined;
  for (ArrayRef<Value> values : liveness.getSuccessions()) {
    WorkgroupBuffer &first = buffers[numbers.lookup(values.front())];
    for (Value value : values.drop_front()) {
      const WorkgroupBuffer &other = buffers[numbers.lookup(value)];
      first.bytes = std::max(first.bytes, other.bytes);
      first.alignment = std::max(first.alignment, other.alignment);
      first.followers.push_back(value);
      joined.insert(value);
    }
  }
  llvm::erase_if(buffers, [&](const WorkgroupBuffer &buffer) {
    return joined.contains(buffer.value);
  });
}

WorkgroupPacking::WorkgroupPacking(const KernelContext &context,
                                   std::vector<WorkgroupBuffer> given)
    : buffers(std::move(given)), liveness(context, getValues(buffers)) {
  joinSuccessions();
  for (auto [number, buffer] : llvm::enumerate(buffers))
    problem.buffers.push_back({"#" + std::to_string(number), buffer.bytes,
                               buffer.alignment,
                               liveness.getRange(buffer.value)});
}

FailureOr<WorkgroupPacking>
WorkgroupPacking::compute(const KernelContext &context) {
  FunctionOpInterface kernel = context.getKernel();
  std::vector<WorkgroupBuffer> buffers;
  for (Value value : collectBuffers(context)) {
    FailureOr<WorkgroupBuffer> buffer =
        checkBuffer(kernel, value, context.getTarget());
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  for (const WorkgroupBuffer &buffer : buffers)
    if (buffer.getType().getMemorySpace() !=
        buffers.front().getType().getMemorySpace())
      return emitErrorAt(buffer.value, kernel)
             << "workgroup buffer of type " << buffer.getType()
             << " cannot be in one arena with a buffer of type "
             << buffers.front().getType()
             << "; write their memory space by one attribute";
  WorkgroupPacking packing(context, std::move(buffers));
  for (const WorkgroupBuffer &buffer : packing.buffers)
    if (Operation *op = buffer.value.getDefiningOp();
        packing.liveness.needsSeveralPlaces(buffer.value) &&
        !isa<memref::GetGlobalOp>(op))
      return op->emitError()
             << "workgroup buffer is allocated in a loop and may be used in "
                "another iteration, where one place in the arena cannot hold "
                "both; write it only behind the last use of the one before, or "
                "allocate one buffer for each before the loop and swap them";
  if (llvm::Error error = packing.problem.check()) {
    kernel->emitError() << "the workgroup buffers of kernel '"
                        << kernel.getName() << "' cannot be packed: "
                        << llvm::toString(std::move(error))
                        << "; use smaller buffers";
    return failure();
  }
  return packing;
}

const packing::ExactResult &WorkgroupPacking::getPacked() const {
  if (!packed)
    packed = packing::solveExact(problem);
  return *packed;
}
